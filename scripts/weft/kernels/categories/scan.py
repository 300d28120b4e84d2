"""Prefix sums and their relatives: serially along rows, and step by step as parallel scans do."""

from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.holes import proved, term
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.rows import row
from weft.kernels.signals import read
from weft.kernels.types import I32, I64
from weft.kernels.words import told
from weft.types import Scalar

REVISION = 1
TEACHES = "scans: prefix sums, running extremes, recurrences, the steps of parallel scans, compaction"


def _numbers(k: Builder) -> tuple[Scalar, dict[str, Any]]:
    """A type of numbers to add up, and their recipe."""
    kind: Scalar = k.rng.pick(k.real, k.real, I32, I64)
    return kind, {"integers": [-5, 9]} if kind.is_integer else uniform(-1.0, 1.0)


def prefix_row(k: Builder) -> None:
    """All prefixes of a row, one thread a row."""
    kind, values = _numbers(k)
    found = row(k, kind, values, whole_rows=True, placed=True)
    how = k.rng.pick("sum", "sum", "sum", "largest", "smallest", "mean", "damped")
    if kind.is_integer and how in ("mean", "damped"):
        how = "sum"
    inclusive, backward = k.rng.chance(0.55), k.rng.chance(0.3)
    first = {"largest": -1000, "smallest": 1000}.get(how, 0)
    total = k.var(
        k.rng.pick("running", "total", "acc", "carry"),
        first,
        type=kind,
        bounds=(-1000, 1000) if first else None,
    )
    if how == "sum" and k.rng.chance(0.3):
        starts = k.array(k.rng.pick("starts", "carries"), kind, [k.shape[0]], values)
        k.set(total, starts[k.index[0]])
        k.notes.append("Each row begins with a carry of its own")
    out = k.array(k.rng.pick("prefixes", "scanned", "cumulative"), kind, found.shape, None, "out")
    decay = coefficient(k, "decay", 0.5, 0.95, kinds="lp") if how == "damped" else None
    with k.loop(k.rng.pick("j", "t", "step"), 0, found.length) as j:
        place: Expr = k.let("place", bounded(found.length - 1 - j, 0, found.length - 1)) if backward else j
        x = k.let("x", found.at(place))
        value, word = term(k, x, found.noun, simple=kind.is_integer, strict=bool(first))
        if not inclusive:
            k.store(out, found.place(place), total)
        match how:
            case "largest":
                k.set(total, bounded(ops.max(total, value), -1000, 1000))
            case "smallest":
                k.set(total, bounded(ops.min(total, value), -1000, 1000))
            case "damped":
                assert decay is not None
                k.set(total, decay * total + value)
            case _:
                k.add(total, value)
        if inclusive:
            seen = convert(kind, j) + 1.0 if how == "mean" else None
            k.store(out, found.place(place), total / bounded(seen, 1.0, 64.0) if seen is not None else total)
    if not inclusive and k.rng.chance(0.6):
        k.store(k.array("row_totals", kind, k.shape, None, "out"), k.target, total)
        k.notes.append("What all elements give together is stored apart")
    noun = {
        "sum": "sums",
        "largest": "maxima",
        "smallest": "minima",
        "mean": "means" if inclusive else "sums",
        "damped": "damped sums",
    }[how]
    scope, side = "Inclusive" if inclusive else "Exclusive", "suffix" if backward else "prefix"
    describe(k, f"{scope} {side} {noun} of the {word.rstrip(',')} along each row")


def doubling_step(k: Builder) -> None:
    """One step of a Hillis-Steele scan: each element takes in the one at a distance."""
    rank = k.rng.pick(1, 1, 2)
    threads(k, rank, indirect=False)
    along = k.index[-1]
    kind, values = _numbers(k)
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
    by = f"{stride} places" if isinstance(stride, int) else f"{told(stride)} places"
    word = {"max": "maxima", "min": "minima", "weighted": "damped sums"}.get(how, "sums")
    side, end = ("after", ", from the end") if backward else ("before", "")
    doc = f"One step of a parallel scan of {word}{end}: each element meets the one {by} {side} it"
    if flags is not None:
        k.notes.append("Nothing passes the head of a segment")
    finish(k, k.rng.pick("scanned", "partial_sum"), total, doc)


def tree_sweep(k: Builder) -> None:
    """A step up or down the tree of a Blelloch scan, in place."""
    stride = 1 << k.rng.integer(0, 4)
    threads(k, 1, indirect=False, name=k.rng.pick("pair", "node", "i"))
    (i,), size = k.index, k.shape[0]
    kind, values = _numbers(k)
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


def segmented_row(k: Builder) -> None:
    """Prefix values that begin anew at marks or at changes."""
    kind, values = _numbers(k)
    found = row(k, kind, values, whole_rows=True, placed=True)
    what = k.rng.pick("flags", "flags", "keys", "sign", "level")
    if kind.is_integer and what == "level":
        what = "flags"
    marks = k.array("heads", I32, found.shape, {"integers": [0, 2]}) if what == "flags" else None
    keys = k.array("keys", I32, found.shape, {"integers": [0, 3]}) if what == "keys" else None
    limit = coefficient(k, "limit", 1.0, 2.5, kinds="lp") if what == "level" else None
    total = k.var("running", 0, type=kind)
    last = k.var("last_key", -1, type=I32, bounds=(-1, 3)) if keys is not None else None
    segments = k.var("segments", 0, type=I32)
    out = k.array(k.rng.pick("scanned", "prefixes"), kind, found.shape, None, "out")
    inclusive = k.rng.chance(0.7)
    with k.loop("j", 0, found.length) as j:
        x = k.let("x", found.at(j))
        if not inclusive:
            k.store(out, found.place(j), total)
        if marks is not None:
            begins = marks[found.place(j)].equals(1)
        elif keys is not None and last is not None:
            key = k.let("key", keys[found.place(j)])
            begins = key.differs(last)
        elif limit is not None:
            begins = total > limit
        else:
            begins = x < 0
        with k.when(begins):
            k.set(total, lift(0, kind))
            k.add(segments, 1)
            if keys is not None and last is not None:
                k.set(last, key)
        value, word = term(k, x, found.noun, simple=True)
        k.add(total, value)
        if inclusive:
            k.store(out, found.place(j), total)
    why = {
        "flags": "the head of a segment",
        "keys": "a new key",
        "sign": "a negative element",
        "level": "what exceeds the limit",
    }[what]
    ending = k.rng.pick("segments", "segments", "tail")
    doc = f"Running sums of the {word.rstrip(',')} along each row that begin anew at {why}"
    if ending == "tail":
        k.store(k.array("tails", kind, k.shape, None, "out"), k.target, total)
        k.notes.append("The last sum of each row is stored apart")
    finish(k, "segment_number", segments, f"{doc}, and how often they do")


def compaction(k: Builder) -> None:
    """Elements that pass a test go to the places that an earlier scan has found for them."""
    threads(k, 1, indirect=False, name=k.rng.pick("i", "item", "particle"))
    (i,) = k.index
    slots = k.array(k.rng.pick("slots", "offsets", "scanned"), I32, [k.shape[0]], {"permutation": k.shape[0]})
    kind = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [-20, 21]} if kind == I32 else uniform(-1.0, 1.0)
    x = k.let("value", k.array(k.rng.pick("values", "items", "energies"), kind, [k.shape[0]], values)[i])
    how = k.rng.pick("flag", "sign", "band", "parity", "kind")
    if how == "parity" and kind != I32:
        how = "sign"
    if how == "flag":
        keep, what = k.array("keep", I32, [k.shape[0]], {"integers": [0, 2]})[i].equals(1), "are marked"
    elif how == "kind":
        chosen = k.rng.below(3)
        keep, what = (
            k.array("kinds", I32, [k.shape[0]], {"integers": [0, 3]})[i].equals(chosen),
            f"are of kind {chosen}",
        )
    elif how == "band":
        edge = k.rng.integer(4, 12) if kind == I32 else k.rng.number(0.2, 0.6)
        keep, what = (x > -edge) & (x < edge), f"lie between -{edge} and {edge}"
    elif how == "parity":
        keep, what = (ops.abs(x) % 2).equals(k.rng.below(2)), "have one parity"
    else:
        edge = k.rng.integer(-5, 8) if kind == I32 else k.rng.number(-0.4, 0.4)
        keep, what = (x > edge, f"exceed {edge}") if k.rng.chance(0.5) else (x < edge, f"lie below {edge}")
    place = k.let(k.rng.pick("slot", "target_place"), slots[i])
    out = k.array(k.rng.pick("compacted", "survivors"), kind, [k.shape[0]], None, "out")
    sources = k.array("source_ids", I32, [k.shape[0]], None, "out") if k.rng.chance(0.5) else None
    counted = k.array("number_kept", I32, ["1"], {"constant": 0}, "inout") if k.rng.chance(0.4) else None
    stay = counted is None and k.rng.chance(0.5)
    value, word = term(k, x, "value", simple=True) if k.rng.chance(0.5) else (x, "value")
    if stay:
        with k.when(~keep):
            k.jump("return")
        k.store(out, place, value)
        if sources is not None:
            k.store(sources, place, i)
    else:
        with k.when(keep):
            k.store(out, place, value)
            if sources is not None:
                k.store(sources, place, i)
            if counted is not None:
                k.atomic("+=", counted, 0, 1)
        if k.rng.chance(0.5):
            with k.otherwise():
                k.store(k.array("rejected", kind, [k.shape[0]], None, "out"), place, x)
            k.notes.append("The others go to a list of their own")
    if sources is not None:
        k.notes.append("Where each comes from is kept")
    if counted is not None:
        k.notes.append("They are counted")
    describe(
        k,
        f"Values that {what} go to the places that a scan has found"
        + (f", as {word.rstrip(',')}" if word != "value" else ""),
    )


def running_record(k: Builder) -> None:
    """What a running extreme tells about a row."""
    found = row(k, k.real, whole_rows=False)
    largest = k.rng.chance(0.6)
    top = k.var(k.rng.pick("top", "record", "best"), -100.0 if largest else 100.0, bounds=(-100.0, 100.0))
    what = k.rng.pick("drop", "records", "since", "area", "drop", "gain")
    worst = k.var("worst", 0.0, bounds=(0.0, 200.0)) if what in ("drop", "gain") else None
    number = k.var("number", 0, type=I32) if what in ("records", "since") else None
    area = k.var("area", 0.0) if what == "area" else None
    with found.each() as (j, x):
        value, word = term(k, x, found.noun, strict=True)
        value = bounded(value if isinstance(value, Name) else k.let("level", value), -100.0, 100.0)
        if number is not None:
            with k.when(value > top if largest else value < top):
                k.set(top, value)
                if what == "records":
                    k.add(number, 1)
                else:
                    k.set(number, lift(0, I32))
            if what == "since":
                with k.otherwise():
                    k.add(number, 1)
        else:
            k.set(top, bounded((ops.max if largest else ops.min)(top, value), -100.0, 100.0))
            gap = top - value if largest else value - top
            if worst is not None:
                k.set(
                    worst,
                    bounded(
                        ops.max(worst, gap * (1.0 + 0.05 * convert(k.real, j)) if what == "gain" else gap),
                        0.0,
                        200.0,
                    ),
                )
            elif area is not None:
                k.add(area, gap)
    word, extreme = word.rstrip(","), "maximum" if largest else "minimum"
    if number is not None:
        doc = (
            f"Number of new records of the {word} in each row"
            if what == "records"
            else f"Steps since the {extreme} of the {word} in each row was set"
        )
        finish(k, "record_number", number, doc)
    elif worst is not None:
        late = ", later ones counting more," if what == "gain" else ""
        finish(
            k,
            "drawdown",
            bounded(worst, 0.0, 3.0),
            f"Largest distance{late} of the {word} in each row from their running {extreme}",
        )
    elif area is not None:
        finish(
            k,
            "shortfall",
            bounded(area, 0.0, 20.0),
            f"Sum of the distances of the {word} in each row from their running {extreme}",
        )


def recurrence(k: Builder) -> None:
    """Linear recurrences along a row: filters, discounted sums, gates."""
    placed = k.rng.chance(0.6)
    found = row(k, k.real, whole_rows=True, placed=placed)
    order = k.rng.pick("first", "first", "second", "gated", "trapezoid", "cascade")
    backward = k.rng.chance(0.3)
    out = (
        k.array(k.rng.pick("states", "filtered", "returns"), k.real, found.shape, None, "out")
        if placed
        else None
    )
    state = k.var(
        k.rng.pick("state", "level", "carry"),
        coefficient(k, "start", -0.5, 0.5, kinds="lp") if k.rng.chance(0.4) else 0.0,
    )
    older = k.var("older", 0.0) if order in ("second", "cascade", "trapezoid") else None
    decay = coefficient(k, k.rng.pick("decay", "discount", "pole"), 0.3, 0.9, kinds="lp")
    gates = (
        k.array("gates", k.real, [k.shape[0], str(found.length)], uniform(0.1, 0.9))
        if order == "gated"
        else None
    )
    second = coefficient(k, "damping", 0.05, 0.3, kinds="lp") if order == "second" else None
    with k.loop("t", 0, found.length) as t:
        place: Expr = k.let("place", bounded(found.length - 1 - t, 0, found.length - 1)) if backward else t
        x = k.let("x", found.at(place))
        value, word = term(k, x, found.noun, simple=k.rng.chance(0.5))
        if gates is not None:
            gate = k.let("gate", gates[k.index[0], place])
            k.set(state, (1.0 - gate) * state + gate * decay * value)
        elif order == "second" and older is not None and second is not None:
            fresh = k.let("fresh", decay * state - second * older + value)
            k.set(older, state)
            k.set(state, fresh)
        elif order == "trapezoid" and older is not None:
            value = value if isinstance(value, Name) else k.let("rate", value)
            k.set(state, state + 0.5 * decay * (value + older))
            k.set(older, value)
        elif older is not None:
            k.set(older, decay * older + (1.0 - decay) * value)
            k.set(state, decay * state + (1.0 - decay) * older)
        else:
            k.set(
                state,
                k.rng.pick(decay * state + value, decay * (state + value), state + decay * (value - state)),
            )
        if out is not None:
            k.store(out, found.place(place), state)
    final = bounded(state, -5.0, 5.0)
    names = {
        "first": "First-order recurrence",
        "second": "Second-order recurrence",
        "gated": "Recurrence with gates",
        "trapezoid": "Trapezoidal integral",
        "cascade": "Two smoothing filters in a row",
    }
    along = "backwards along" if backward else "along"
    doc = f"{names[order]} over the {word.rstrip(',')} {along} each row"
    finish(k, k.rng.pick("last_state", "final_level"), final, doc)


def block_offsets(k: Builder) -> None:
    """The last pass of a scan in blocks: what came before each block is added."""
    size = k.rng.pick(16, 32, 64)
    threads(k, 1, indirect=False, every=True)
    (i,) = k.index
    kind, values = _numbers(k)
    k.sizes["blocks"] = f"(n + {size - 1}) // {size}"
    local = k.array(k.rng.pick("local_prefixes", "local", "within_block"), kind, [k.shape[0]], values)[i]
    offsets = k.array(k.rng.pick("block_offsets", "carries"), kind, ["blocks"], values)
    block: Expr = i // size if k.rng.chance(0.5) else i >> {16: 4, 32: 5, 64: 6}[size]
    last = Interval(0, k.largest("blocks") - 1, True, "blocks", -1)
    block = k.let("block", proved(block, last))
    what = k.rng.pick("sum", "sum", "max", "exclusive", "mask")
    before = offsets[block]
    if what == "max":
        result, doc = ops.max(local, before), "Running maxima within blocks meet what came before their block"
    elif what == "exclusive":
        own = k.array("values", kind, [k.shape[0]], values)[i]
        result, doc = (
            local + before - own,
            "Exclusive sums from inclusive ones within blocks and what came before each block",
        )
    elif what == "mask":
        first = k.array("restarts", I32, ["blocks"], {"integers": [0, 2]})[block]
        k.notes.append("Blocks that restart get nothing")
        result, doc = (
            conditional(first.equals(1), local, local + before),
            "What came before each block is added to its prefix sums",
        )
    else:
        result, doc = local + before, "What came before each block is added to its prefix sums"
    if k.rng.chance(0.4):
        scale = k.rng.integer(2, 4)
        result = result * scale if kind.is_integer else result * float(scale)
        k.notes.append(f"The result is multiplied by {scale}")
    finish(k, k.rng.pick("prefix", "scanned_value"), result, f"{doc}, {size} elements a block")


def inverse_sampling(k: Builder) -> None:
    """A running sum of weights is searched for a level."""
    kind = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [1, 9]} if kind == I32 else uniform(0.1, 1.0)
    found = row(k, kind, values, whole_rows=True)
    most = found.length * (8 if kind == I32 else 1.0)
    level = read(
        k, k.rng.pick("level", "draw", "threshold"), 1.0 if kind == I32 else 0.05 * most, 0.5 * most, kind
    )
    level = level if isinstance(level, Name) else k.let("wanted", level)
    total = k.var("total", 0, type=kind, bounds=(0, 2 * most))
    way = k.rng.pick("break", "keep", "count")
    begin = 0 if way == "count" else found.length - 1
    place = k.var("chosen", begin, type=I32, bounds=(0, found.length - 1))
    rest = k.var("rest", 0, type=kind) if k.rng.chance(0.5) else None
    with k.loop("j", 0, found.length) as j:
        weight = k.let("weight", found.at(j))
        if way == "break":
            with k.when(total + weight > level):
                k.set(place, j)
                if rest is not None:
                    k.set(rest, level - total)
                k.jump("break")
            k.set(total, bounded(total + weight, 0, 2 * most))
        elif way == "keep":
            with k.when((total <= level) & (total + weight > level)):
                k.set(place, j)
                if rest is not None:
                    k.set(rest, level - total)
            k.set(total, bounded(total + weight, 0, 2 * most))
        else:
            k.set(total, bounded(total + weight, 0, 2 * most))
            with k.when(total <= level):
                k.set(place, bounded(ops.min(j + 1, found.length - 1), 0, found.length - 1))
                if rest is not None:
                    k.set(rest, level - total)
    if rest is not None:
        k.store(k.array("rests", kind, k.shape, None, "out"), k.target, rest)
        k.notes.append("What is left of the level there is stored as well")
    finish(
        k,
        "choice",
        place,
        f"The element of each row at which the running sum of the {found.noun} passes a level",
        counted=False,
    )
