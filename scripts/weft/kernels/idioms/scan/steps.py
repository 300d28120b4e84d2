"""Steps of scans that many threads make: doubling, trees, offsets of blocks."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient
from weft.kernels.expressions import conditional, lift, ops
from weft.kernels.grids import threads
from weft.kernels.holes import proved
from weft.kernels.idioms.scan.sums import drawn_numbers
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.kernels.words import told


def doubling_step(k: Builder) -> None:
    """One step of a Hillis-Steele scan: each element takes in the one at a distance."""
    rank = k.rng.pick(1, 1, 2)
    threads(k, rank)
    along = k.index[-1]
    kind, values = drawn_numbers(k)
    data = k.array(k.rng.pick("partial", "source", "before"), kind, k.shape, values)
    known = k.rng.chance(0.4)
    stride: Expr | int = (
        1 << k.rng.integer(0, 4)
        if known
        else k.scalar(k.rng.pick("stride", "distance", "offset"), I32, {"integers": [1, 9]})
    )
    backward = k.rng.chance(0.25)
    how = k.rng.pick("sum", "sum", "max", "min", "segmented", "counted", "weighted")
    if kind.is_integer and how == "weighted":
        how = "sum"
    x = data[k.index]
    named = k.rng.chance(0.6)
    x = k.let("own", x) if named else x
    total = k.var(k.rng.pick("value", "combined"), x, type=kind)
    size = k.size("count", k.shape[-1]) if backward else None
    partner = along + stride if backward else along - stride
    inside = along + stride < size if size is not None else along >= stride
    flags = (
        k.array(k.rng.pick("heads", "starts_segment"), I32, k.shape, {"integers": [0, 2]})
        if how == "segmented"
        else None
    )
    reach = k.array("reached", I32, k.shape, None, "out") if how == "counted" else None
    weight = coefficient(k, "decay", 0.3, 0.95, kinds="lp") if how == "weighted" else None
    if flags is not None:
        inside = inside & flags[k.index].equals(0)
    with k.when(inside):
        place = proved(partner, along.interval)
        other: Expr = data[(*k.index[:-1], place)]
        if k.rng.chance(0.4):
            other = k.let("other", other)
        match how:
            case "max" | "min":
                k.set(total, getattr(ops, how)(total, other))
            case "weighted":
                k.add(total, weight * other if weight is not None else other)
            case _:
                k.add(total, other)
    if reach is not None:
        hops = conditional(inside, lift(2, I32), 1)
        k.store(reach, k.target, hops)
        k.notes.append("How many elements went into it is stored as well")
    by = "1 place" if stride == 1 else f"{stride if isinstance(stride, int) else told(stride)} places"
    word = {"max": "maxima", "min": "minima", "weighted": "damped sums"}.get(how, "sums")
    side, end = ("after", ", from the end") if backward else ("before", "")
    doc = f"One step of a parallel scan of {word}{end}: each element meets the one {by} {side} it"
    if flags is not None:
        k.notes.append("Nothing passes the head of a segment")
    finish(k, k.rng.pick("scanned", "partial_sum"), total, doc)


def tree_sweep(k: Builder) -> None:
    """A step up or down the tree of a Blelloch scan, in place."""
    stride = 1 << k.rng.integer(0, 4)
    threads(k, 1, name=k.rng.pick("pair", "node", "i"))
    (i,), size = k.index, k.shape[0]
    kind, values = drawn_numbers(k)
    batched = k.rng.chance(0.3)
    shape = [f"{2 * stride} * {size}"] if not batched else [size, str(2 * stride)]
    data = k.array(k.rng.pick("tree", "partial", "sums"), kind, shape, values, "inout")
    spots = (stride - 1, 2 * stride - 1) if k.rng.chance(0.8) else (0, stride)
    if batched:
        left: tuple[Expr | int, ...] = (i, spots[0])
        right: tuple[Expr | int, ...] = (i, spots[1])
    elif k.rng.chance(0.6):
        left, right = (
            (k.let("left", i * (2 * stride) + spots[0]),),
            (k.let("right", i * (2 * stride) + spots[1]),),
        )
    else:
        base = i * (2 * stride)
        left, right = (base + spots[0] if spots[0] else base,), (base + spots[1],)
    how = k.rng.pick("sum", "sum", "max", "min", "scaled")
    scale = (
        k.rng.integer(2, 3)
        if kind.is_integer
        else coefficient(k, "decay", 0.4, 0.95, kinds="lp")
        if how == "scaled"
        else None
    )
    up = k.rng.chance(0.5)

    def joined(a: Expr, b: Expr) -> Expr:
        if how in ("max", "min"):
            return getattr(ops, how)(a, b)  # type: ignore[no-any-return]
        return b + a * scale if how == "scaled" and scale is not None else k.rng.pick(a + b, b + a)

    if up:
        if how == "sum" and k.rng.chance(0.5):
            k.store(data, right, data[left], "+")
        else:
            k.store(data, right, joined(data[left], data[right]))
        doc = "A step up the tree of a scan: the right element of each pair takes in the left one"
    else:
        kept = k.let(k.rng.pick("kept", "old_left"), data[left])
        above = k.let(k.rng.pick("above", "from_root"), data[right])
        k.store(data, left, above)
        k.store(data, right, joined(kept, above))
        doc = "A step down the tree of a scan: each pair swaps, and its right element takes in the left one"
    if k.rng.chance(0.4):
        copy = k.array(k.rng.pick("level_sums", "block_sums"), kind, [size], None, "out")
        k.store(copy, i, data[right] if k.rng.chance(0.5) else data[left])
        k.notes.append("One of the new values is stored apart")
    if k.rng.chance(0.25):
        dirty = k.array("touched", I32, [size], None, "out")
        k.store(dirty, i, i * (2 * stride) + spots[1])
        k.notes.append("The right place is stored as well")
    times = "" if scale is None else told(lift(scale, kind))
    word = {"max": "maxima", "min": "minima", "scaled": f"sums in which the left counts {times} times"}
    describe(k, f"{doc}, {stride} apart, for {word.get(how, 'sums')}")


def block_offsets(k: Builder) -> None:
    """The last pass of a scan in blocks: what came before each block is added."""
    size = k.rng.pick(16, 32, 64)
    threads(k, 1)
    (i,) = k.index
    kind, values = drawn_numbers(k)
    k.sizes["blocks"] = f"(n + {size - 1}) // {size}"
    where = k.rng.pick("new", "new", "in place", "row")
    name = k.rng.pick("local_prefixes", "local", "within_block")
    if where == "row":
        parts = k.rng.pick(2, 3, 4)
        part = k.rng.below(parts)
        local_array = k.array(name, kind, [str(parts), k.shape[0]], values)
        local: Expr = local_array[part, i]
        k.notes.append(f"Row {part} of {parts} is scanned")
    else:
        role = "inout" if where == "in place" else "in"
        local_array = k.array(name, kind, [k.shape[0]], values, role)
        local = local_array[i]
    offsets = k.array(k.rng.pick("offsets_of_blocks", "carries"), kind, ["blocks"], values)
    last = Interval(0, k.largest("blocks") - 1, True, "blocks", -1)
    block = k.let("block", proved(i // size if k.rng.chance(0.5) else i >> {16: 4, 32: 5, 64: 6}[size], last))
    before = offsets[block]
    levels = k.rng.pick("one", "one", "two")
    if levels == "two":
        k.sizes["groups"] = f"(n + {8 * size - 1}) // {8 * size}"
        groups = k.array(k.rng.pick("group_offsets", "carries_of_groups"), kind, ["groups"], values)
        outer = Interval(0, k.largest("groups") - 1, True, "groups", -1)
        before = before + groups[k.let("group", proved(block // 8, outer))]
        k.notes.append("Offsets have two levels, with 8 blocks in a group")
    what = k.rng.pick("sum", "sum", "max", "exclusive", "mask", "first")
    doc = "What came before each block is added to its prefix sums"
    match what:
        case "max":
            result = ops.max(local, before)
            doc = "Running maxima within blocks meet what came before their block"
        case "exclusive":
            own = k.array("values", kind, [k.shape[0]], values)[i]
            result = local + before - own
            doc = "Exclusive sums from inclusive ones within blocks and what came before each block"
        case "mask":
            first = k.array("restarts", I32, ["blocks"], {"integers": [0, 2]})[block]
            k.notes.append("Blocks that restart get nothing")
            result = conditional(first.equals(1), local, local + before)
        case "first":
            sum_here = k.var("prefix", local, type=kind)
            guard = k.rng.pick(block > 0, i >= size)
            with k.when(guard):
                k.add(sum_here, before)
            k.notes.append("The first block has nothing before it")
            result = sum_here
        case _:
            result = k.rng.pick(local + before, before + local)
    if k.rng.chance(0.3):
        scale = k.rng.integer(2, 4)
        result = result * scale if kind.is_integer else result * float(scale)
        k.notes.append(f"The result is multiplied by {scale}")
    if where == "in place":
        k.store(local_array, i, result)
        k.notes.append("The array is changed in place")
        describe(k, f"{doc}, {size} elements a block")
        return
    finish(k, k.rng.pick("prefix", "scanned_value"), result, f"{doc}, {size} elements a block")
