"""Many numbers become one: serially per row, by the threads of a block, or by atomics."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.rows import row, size_of
from weft.kernels.signals import read
from weft.kernels.slabs import launch, single, slab, touched
from weft.kernels.types import F32, F64, I32, I64
from weft.kernels.words import plural, told
from weft.types import Scalar

REVISION = 1
TEACHES = (
    "reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments"
)


def row_fold(k: Builder) -> None:
    """One number from each row, element by element."""
    found = row(k, k.real)
    how = k.rng.pick("sum", "sum", "largest", "smallest", "product", "range", "count", "mean", "alternating")
    start = {"largest": -100.0, "smallest": 100.0, "product": 1.0, "range": -100.0}.get(how, 0.0)
    bounds = (-100.0, 100.0) if how in ("largest", "smallest", "range", "product") else None
    total = k.var(k.rng.pick("total", "acc", "result"), start, bounds=bounds)
    lowest = k.var("lowest", 100.0, bounds=(-100.0, 100.0)) if how == "range" else None
    number = k.var("number", 0, type=I32) if how == "count" else None
    cutoff: Expr | None = None
    with found.each() as (j, x):
        value, word = term(k, x, found.noun, strict=how in ("smallest", "largest", "range"))
        match how:
            case "largest" | "range":
                k.set(total, bounded(ops.max(total, value), -100.0, 100.0))
                if lowest is not None:
                    k.set(lowest, bounded(ops.min(lowest, value), -100.0, 100.0))
            case "smallest":
                k.set(total, bounded(ops.min(total, value), -100.0, 100.0))
            case "product":
                k.set(total, bounded(total * (1.0 + 0.1 * ops.tanh(value)), -100.0, 100.0))
            case "count":
                assert number is not None
                low, high = value.interval.lo, value.interval.hi
                cutoff = coefficient(k, "cutoff", 0.7 * low + 0.3 * high, 0.4 * low + 0.6 * high, kinds="lp")
                with k.when(value > cutoff):
                    k.add(number, 1)
                    k.add(total, value)
            case "alternating":
                k.add(total, conditional((j % 2).equals(0), value, -value))
            case _:
                k.add(total, value)
    if number is not None and cutoff is not None:
        share = total / (1.0 + convert(k.real, number))
        finish(
            k,
            "excess",
            share,
            f"Total of the {word} above {told(cutoff)} in each row, over one more than their number",
        )
        return
    result: Expr = total
    if how == "range" and lowest is not None:
        result = total - lowest
    if how == "mean":
        result = total / size_of(found, k.real)
    nouns = {"product": "Product of 1 plus a tenth of the tanh", "alternating": "Alternating sum"}
    noun = nouns.get(how, how.capitalize())
    finish(
        k,
        k.rng.pick("total_value", "summary", "row_value"),
        bounded(result, -5.0, 5.0),
        f"{noun} of the {word} in each row",
    )


def block_tree(k: Builder) -> None:
    """The threads of a block take their shares of a row; a tree over shared memory joins them."""
    width = k.rng.pick(32, 64, 64, 128)
    i = launch(k, k.rng.pick("row", "segment", "channel"), lane=True, width=width)
    assert k.lane is not None
    lane, (count,) = k.lane, k.dims
    length = width * k.rng.pick(2, 3, 4) + k.rng.pick(0, 0, 5, 12)
    exact = k.rng.chance(0.65)
    element: Scalar = k.rng.pick(k.real, F32, I32) if exact else k.real
    values = {"integers": [-6, 7]} if exact else uniform(-1.0, 1.0)
    layout = k.rng.pick("matrix", "matrix", "flat", "two", "columns")
    noun = k.rng.pick("samples", "readings", "costs", "charges")
    data = k.array(
        noun,
        element,
        {"flat": [f"{length} * {count}"], "columns": [str(length), count]}.get(layout, [count, str(length)]),
        values,
    )
    other = k.array("weights", element, [str(length)], values) if layout == "two" else None
    kinds = ("sum", "sum", "mean") if exact else ("max", "min")
    how = k.rng.pick(*kinds)
    edge = 1000 if how == "min" else -1000 if how == "max" else 0
    total = k.var(
        k.rng.pick("partial", "own", "local"), edge, type=element, bounds=(-1000, 1000) if edge else None
    )
    contiguous = k.rng.chance(0.25) and length % width == 0
    share = length // width
    with k.loop(
        "j",
        lane * share if contiguous else lane,
        (lane + 1) * share if contiguous else length,
        1 if contiguous else width,
    ) as j:
        place = bounded(j, 0, length - 1) if contiguous else j
        x: Expr = data[{"flat": (i * length + place,), "columns": (place, i)}.get(layout, (i, place))]
        if other is not None:
            x = x * other[place]
        if k.rng.chance(0.6):
            x = k.let("x", x)
        value, word = (
            term(k, x, f"weighted {noun}" if other is not None else noun, simple=True, strict=True)
            if isinstance(x, Name) and not exact
            else _whole_term(k, x, noun)
        )
        if edge:
            k.set(total, bounded(getattr(ops, how)(total, value), -1000, 1000))
        else:
            k.add(total, value)
    word = word.rstrip(",")
    total.interval = bounded(total, -1000 if edge else -36 * length, 1000 if edge else 36 * length).interval
    lanes = tiles.of_threads(k, total)
    if k.rng.chance(0.4):
        lanes = k.let(k.rng.pick("partials", "shared"), lanes)
    if how in ("sum", "mean"):
        joined = tiles.reduced("add", lanes) if k.rng.chance(0.3) else tiles.summed(lanes)
    else:
        joined = tiles.reduced(how, lanes) if k.rng.chance(0.3) else tiles.extreme(how, lanes)
    joined = k.let(k.rng.pick("joined", "block_total"), joined)
    verb = {"sum": "Sum", "mean": "Mean", "max": "Largest", "min": "Smallest"}[how]
    doc = f"{verb} of the {word} of each row, by {width} threads a row"
    ending = k.rng.pick("store", "lane", "lane", "atomic", "everyone")
    if ending == "atomic" and how == "sum" and joined.interval.magnitude * k.times() < 2**24:
        grand = k.array("grand_total", element, ["1"], {"constant": 0}, "inout")
        tiles.atomic_add(k, grand, joined)
        describe(k, f"{doc}, added up over all rows")
        return
    if ending == "everyone" and layout in ("matrix", "flat") and how != "mean":
        out = k.array("centered", element, [count, str(width)], None, "out")
        first = data[(i * length + lane,) if layout == "flat" else (i, lane)]
        k.store(
            out, (i, lane), first - single(joined) if element.is_integer else first - 0.5 * single(joined)
        )
        part = "it" if element.is_integer else "half of it"
        describe(k, f"{doc}; the first elements of the row less {part} are stored")
        return
    if ending == "lane" or how == "mean" or ending == "everyone":
        kind = k.real if how == "mean" and element == I32 else element
        result: Expr = single(joined)
        if how == "mean":
            result = (convert(kind, result) if kind != element else result) / float(length)
        out = k.array(k.rng.pick("results", "totals", "row_values"), kind, [count], None, "out")
        with k.when(lane.equals(0)):
            if kind == k.real and k.rng.chance(0.4):
                scale = coefficient(k, "scale", 0.2, 3.0, kinds="lp")
                result = scale * result
                doc += f", times {told(scale)}"
            k.store(out, i, result)
    else:
        out = k.array(k.rng.pick("results", "totals", "row_values"), element, [count], None, "out")
        tiles.store(k, out, joined, (i,))
    describe(k, doc)


def _whole_term(k: Builder, x: Expr, noun: str) -> tuple[Expr, str]:
    """What a sum of whole numbers takes of each."""
    x = x if isinstance(x, Name) else k.let("x", x)
    return k.rng.pick(
        (x, noun), (x * x, f"squares of the {noun}"), (ops.abs(x), f"magnitudes of the {noun}"),
        (ops.max(x, 0), f"positive parts of the {noun}"), (ops.min(x, 3), f"{noun}, each 3 at most"),
    )  # fmt: skip


def tile_summary(k: Builder) -> None:
    """Numbers that summarise a tile: one or two reductions, combined."""
    piece = slab(k, ragged=False)
    exact = k.rng.chance(0.7)
    name = k.rng.pick("sample", "price", "reading", "weight", "score")
    bound = 6 if exact else 1.0
    data: Expr = piece.read(name, k.real, -bound, bound, whole=exact)
    if k.rng.chance(0.6):
        data, word = touched(k, data, name)
        data = k.let("prepared", data)
    else:
        word = name
    how = (
        k.rng.pick("sum", "moments", "dot", "norm", "share", "mixed")
        if exact and data.interval.integral
        else "extremes"
    )
    size = float(piece.size)
    row_count = k.dims[0]
    i = k.index[0]
    results: dict[str, Expr] = {}
    if how == "extremes":
        low, high = (
            k.let("low", single(tiles.extreme("min", data))),
            k.let("high", single(tiles.extreme("max", data))),
        )
        picked = k.rng.pick("range", "middle", "both", "larger")
        if picked == "both":
            results = {"lowest": low, "highest": high}
        else:
            results = {
                "summary": {"range": high - low, "middle": 0.5 * (high + low), "larger": ops.max(high, -low)}[
                    picked
                ]
            }
        doc = (
            f"{picked.capitalize() if picked != 'both' else 'Smallest and largest'} of each {word}, by block"
            if picked == "both"
            else f"The {picked if picked != 'larger' else 'larger extent'} of the {word}, by block"
        )
    else:
        total = k.let(
            "total", single(tiles.reduced("add", data) if k.rng.chance(0.3) else tiles.summed(data))
        )
        if how == "sum":
            results, doc = (
                {"total_value": total / size if k.rng.chance(0.5) else total * 1.5},
                f"Scaled sum of the {word}",
            )
        elif how == "moments":
            squares = k.let("squares", single(tiles.summed(data * data)))
            mean = k.let("mean", total / size)
            results = {"mean_value": mean, "variance": squares / size - mean * mean}
            doc = f"Mean and variance of the {word}"
        elif how == "dot":
            other = piece.read("partner", k.real, -5, 5, whole=True)
            product = single(
                tiles.dot(tiles.reshaped(data, (piece.size,)), tiles.reshaped(other, (piece.size,)))
                if len(piece.shape) > 1
                else tiles.dot(data, other)
            )
            product = k.let("product", product)
            results = {
                "projection": product - total if k.rng.chance(0.5) else product / (1.0 + ops.abs(total))
            }
            doc = f"Dot product of the {word} with a partner, set against their sum"
        elif how == "norm":
            power = bounded(single(tiles.summed(data * data)), 0.0, 1e6)
            results = {"norm": ops.sqrt(power) + 0.1 * total}
            doc = f"Euclidean norm of the {word}, plus a tenth of the sum"
        elif how == "share":
            top = k.let("top", single(tiles.extreme("max", data)))
            results, doc = (
                {"peak": top * size - total},
                f"How far the largest {word} stands above the others, in sum",
            )
        else:
            sizes = k.let("sizes", single(tiles.summed(tiles.mapped("abs", data))))
            results = {"balance": total / (1.0 + sizes)}
            doc = f"Sum of the {word} over one more than the sum of magnitudes"
    for key, value in results.items():
        out = k.array(plural(key), k.real, [row_count], None, "out")
        tiles.store(k, out, tiles.filled("full", (1,), k.real, value), (i,))
    describe(k, f"{doc}, {piece.size} elements a block")


def place_of_extreme(k: Builder) -> None:
    """Where the best element of a row is, and perhaps how good."""
    found = row(k, k.real)
    largest = k.rng.chance(0.5)
    best = k.var("best", -1000.0 if largest else 1000.0, bounds=(-1000.0, 1000.0))
    place = k.var(k.rng.pick("place", "best_index", "winner"), 0, type=I32, bounds=(0, found.length - 1))
    second = (
        k.var("second", -1000.0 if largest else 1000.0, bounds=(-1000.0, 1000.0))
        if k.rng.chance(0.35)
        else None
    )
    late = k.rng.chance(0.3)
    with found.each() as (j, x):
        value, word = term(k, x, found.noun, strict=True)
        value = bounded(value if isinstance(value, Name) else k.let("key", value), -1000.0, 1000.0)
        better = (
            (value >= best if late else value > best)
            if largest
            else (value <= best if late else value < best)
        )
        with k.when(better):
            if second is not None:
                k.set(second, best)
            k.set(best, value)
            k.set(place, bounded(j, 0, found.length - 1))
        if second is not None:
            with k.orwhen(value > second if largest else value < second):
                k.set(second, value)
    word = word.rstrip(",")
    adjective = "largest" if largest else "smallest"
    tie = ", the last of equal ones" if late else ""
    what = k.rng.pick("place", "both", "lead" if second is not None else "both", "value")
    if second is not None:
        gap = best - second if largest else second - best
        k.store(k.array("places", I32, k.shape, None, "out"), k.target, place)
        finish(
            k,
            "lead",
            gap,
            f"Where the {adjective} of the {word} is in each row{tie}, and its lead over the next",
        )
    elif what == "place":
        other = read(k, "base_index", 0, 50, I32, array="base_indices")
        finish(
            k,
            "position",
            place + other,
            f"Where the {adjective} of the {word} is in each row{tie}, from the row's base",
            counted=False,
        )
    else:
        k.store(k.array("places", I32, k.shape, None, "out"), k.target, place)
        finish(k, "extreme", best, f"The {adjective} of the {word} of each row, and where it is{tie}")


def packed_extreme(k: Builder) -> None:
    """The best value of a group and its owner in one integer, so that one atomic decides."""
    threads(k, indirect=False, name=k.rng.pick("i", "item", "candidate"))
    groups = k.rng.pick("(n + 15) // 16", "8", "(n + 31) // 32", "1")
    k.sizes["groups"] = groups
    wide = k.rng.chance(0.6)
    kind = I64 if wide else I32
    low, high = (0, 4000) if wide else (0, 300)
    bits = 20 if wide else 10
    key: Expr = k.array(
        k.rng.pick("keys", "distances", "priorities"), I32, k.shape, {"integers": [low, high]}
    )[k.index]
    word = "key"
    if k.rng.chance(0.5):
        extra = k.array(k.rng.pick("penalties", "offsets"), I32, k.shape, {"integers": [low, high]})[k.index]
        key, word = k.rng.pick(
            (key + extra, "key plus penalty"),
            (ops.max(key, extra), "larger of key and penalty"),
            (key + 2 * extra, "key plus twice its penalty"),
        )
    key = k.let("key", key)
    place: Expr = k.array("labels", I32, k.shape, {"integers": [0, 1 << (bits - 1)]})[k.index]
    group: Expr | int = (
        0
        if groups == "1"
        else k.let("group", k.array("group_ids", I32, k.shape, {"integers": [0, "groups"]})[k.index])
    )
    largest = k.rng.chance(0.5)
    scale = 1 << bits
    top = convert(kind, key) if wide else key
    low_part = convert(kind, place) if wide else place
    packed = k.rng.pick(top * scale + low_part, (top << bits) | low_part)
    packed = k.let("packed", packed)
    best = k.array(
        "best", kind, ["groups"], {"constant": 0 if largest else (1 << (45 if wide else 30))}, "inout"
    )
    if k.rng.chance(0.4):
        limit = k.rng.integer(low + (high - low) // 4, high // 2)
        with k.when(key > limit if largest else key < limit + (high - low) // 3):
            k.atomic("max" if largest else "min", best, group, packed)
        edge = f"above {limit}" if largest else f"below {limit + (high - low) // 3}"
        k.notes.append(f"Only keys {edge} take part")
    else:
        k.atomic("max" if largest else "min", best, group, packed)
    if groups != "1" and k.rng.chance(0.4):
        votes = k.array("members", I32, ["groups"], {"constant": 0}, "inout")
        k.atomic("add", votes, group, 1)
        k.notes.append("The elements of each group are counted as well")
    whose = "of all" if groups == "1" else "of each group"
    adjective = "Largest" if largest else "Smallest"
    describe(k, f"{adjective} {word} {whose}, packed with the label in the lower {bits} bits")


def vector_measures(k: Builder) -> None:
    """Norms, products and likenesses of pairs of rows."""
    found = row(k, k.real)
    how = k.rng.pick("dot", "cosine", "distance", "l1", "maximum", "canberra", "correlation", "angle")
    shared = k.rng.chance(0.4)
    partner = k.array(
        k.rng.pick("others", "references", "queries"),
        k.real,
        [str(found.length)] if shared else [k.shape[0], str(found.length)],
        uniform(-1.0, 1.0),
    )
    i = k.index[0]
    total = k.var(k.rng.pick("total", "product"), 0.0)
    own = k.var("own", 0.0) if how in ("cosine", "angle", "correlation") else None
    theirs = k.var("theirs", 0.0) if how in ("cosine", "angle", "correlation") else None
    weights = (
        k.array("weights", k.real, [str(found.length)], uniform(0.2, 1.0)) if k.rng.chance(0.35) else None
    )
    with found.each() as (j, x):
        y = k.let("y", partner[j] if shared else partner[i, j])
        if how in ("dot", "cosine", "angle", "correlation"):
            amount: Expr = x * y
        elif how == "distance":
            gap = k.let("gap", x - y)
            amount = gap * gap
        elif how == "canberra":
            amount = ops.abs(x - y) / (0.1 + ops.abs(x) + ops.abs(y))
        else:
            amount = ops.abs(x - y)
        if weights is not None:
            amount = weights[j] * amount
        if how == "maximum":
            k.set(total, ops.max(total, amount))
        else:
            k.add(total, amount)
        if own is not None and theirs is not None:
            k.add(own, x * x)
            k.add(theirs, y * y)
    result: Expr = bounded(total, -3.0, 3.0)
    if own is not None and theirs is not None:
        scale = ops.sqrt(bounded(own, 0.0, 100.0) * bounded(theirs, 0.0, 100.0)) + k.rng.number(0.05, 0.3)
        result = bounded(result / scale, -1.5, 1.5)
        if how == "angle":
            result = ops.acos(ops.clamp(k.let("cosine", 0.9 * result), -0.99, 0.99))
    elif how == "distance":
        result = bounded(ops.sqrt(bounded(total, 0.0, 400.0)), 0.0, 6.0)
    elif how == "maximum":
        result = bounded(total, 0.0, 4.0)
    nouns = {
        "dot": "Dot product",
        "cosine": "Damped cosine of the angle",
        "distance": "Distance",
        "l1": "Sum of the differences' magnitudes",
        "maximum": "Largest difference",
        "canberra": "Canberra distance, damped,",
        "correlation": "Likeness",
        "angle": "Angle, damped,",
    }
    whom = "a reference" if shared else "their partners"
    word = ", weighted by column" if weights is not None else ""
    finish(
        k,
        k.rng.pick("likeness", "measure", "affinity"),
        result,
        f"{nouns[how]} between the {found.noun} of each row and {whom}{word}",
    )


def compensated_sum(k: Builder) -> None:
    """Sums that keep what rounding loses."""
    found = row(k, k.real)
    kind = k.rng.pick("Kahan", "Kahan", "Neumaier", "pairwise", "two halves")
    total = k.var("total", 0.0)
    lost = k.var(k.rng.pick("lost", "correction", "c"), 0.0)
    with found.each() as (j, x):
        value, word = term(k, x, found.noun)
        match kind:
            case "Kahan":
                corrected = k.let("corrected", value - lost)
                updated = k.let("updated", total + corrected)
                k.set(lost, updated - total - corrected)
                k.set(total, updated)
            case "Neumaier":
                value = value if isinstance(value, Name) else k.let("amount", value)
                updated = k.let("updated", total + value)
                with k.when(ops.abs(total) >= ops.abs(value)):
                    k.add(lost, total - updated + value)
                with k.otherwise():
                    k.add(lost, value - updated + total)
                k.set(total, updated)
            case "pairwise":
                with k.when((j % 2).equals(0)):
                    k.set(lost, value)
                with k.otherwise():
                    k.add(total, lost + value)
                    k.set(lost, lift(0.0, k.real))
            case _:
                with k.when(j < found.length // 2):
                    k.add(lost, value)
                with k.otherwise():
                    k.add(total, value)
    result = total if kind == "Kahan" else total + lost
    scaled = bounded(result, -5.0, 5.0)
    way = {"pairwise": "pair by pair", "two halves": "half by half"}.get(kind, f"by {kind}'s method")
    mean = k.rng.chance(0.3)
    name = k.rng.pick("precise_sum", "total_value", "balance")
    doc = f"{'Mean' if mean else 'Sum'} of the {word.rstrip(',')} of each row, added {way}"
    finish(k, name, scaled / size_of(found, k.real) if mean else scaled, doc)


def moments(k: Builder) -> None:
    """Mean and spread of a row in one pass."""
    found = row(k, k.real, uniform(*k.rng.pick((-1.0, 1.0), (0.0, 2.0), (1.0, 3.0))))
    how = k.rng.pick("online", "online", "two passes", "shifted", "weighted")
    mean, spread = k.var("mean", 0.0), k.var(k.rng.pick("m2", "spread", "deviations"), 0.0)
    seen = k.var("seen", 0.0)
    if how == "two passes":
        with found.each() as (_, x):
            value, word = term(k, x, found.noun, simple=True)
            k.add(mean, value)
            k.add(seen, 1.0)
        center = (
            k.let("center", mean / bounded(seen + 0.001, 0.5, 50.0))
            if found.skip is not None
            else k.let("center", mean / size_of(found, k.real))
        )
        with found.each() as (_, x):
            gap = k.let("gap", x - center)
            k.add(spread, k.rng.pick(gap * gap, ops.abs(gap)))
        doc = f"Spread of the {found.noun} of each row around the mean of the {word.rstrip(',')}"
    else:
        weights = (
            k.array("weights", k.real, [str(found.length)], uniform(0.5, 1.5)) if how == "weighted" else None
        )
        first = coefficient(k, "origin", 0.2, 1.0, kinds="lp") if how == "shifted" else None
        with found.each() as (j, x):
            value, word = term(k, x, found.noun, simple=True)
            if first is not None:
                gap = k.let("gap", value - first)
                k.add(mean, gap)
                k.add(spread, gap * gap)
                k.add(seen, 1.0)
            else:
                weight: Expr = weights[j] if weights is not None else lift(1.0, k.real)
                k.add(seen, weight)
                delta = k.let("delta", value - mean)
                step = (
                    delta * weight / bounded(seen, 0.5, 80.0)
                    if weights is not None
                    else delta / bounded(seen, 1.0, 80.0)
                )
                k.set(mean, mean + step)
                again = value - mean
                k.add(spread, (weight * delta if weights is not None else delta) * again)
        word = word.rstrip(",")
        doc = {
            "online": f"Spread of the {word} in each row, by Welford's method",
            "shifted": f"Spread of the {word} in each row around a fixed origin",
            "weighted": f"Weighted spread of the {word} in each row, by West's method",
        }[how]
    norm = bounded(seen + 0.001, 0.5, 80.0)
    variance = k.let("variance", bounded(spread, 0.0, 1e3) / norm)
    if how == "shifted":
        kept = mean / norm
        result = k.rng.pick(ops.sqrt(variance) + kept, variance + kept, variance - kept * kept)
    else:
        result = k.rng.pick(
            variance,
            ops.sqrt(variance + 0.01),
            variance / (1.0 + ops.abs(mean)) if how != "two passes" else ops.sqrt(variance + 0.05),
        )
    finish(
        k,
        k.rng.pick("dispersion", "volatility", "uncertainty"),
        bounded(result, -100.0, 1e3),
        doc,
    )


def log_sum_exp(k: Builder) -> None:
    """Sums of exponentials that cannot overflow."""
    found = row(k, k.real, uniform(-3.0, 3.0))
    how = k.rng.pick("two passes", "two passes", "online", "fixed")
    heat = coefficient(k, k.rng.pick("temperature", "sharpness", "beta"), 0.5, 2.0, kinds="lp")
    top = k.var("top", -50.0, bounds=(-50.0, 50.0)) if how != "fixed" else None
    total = k.var(k.rng.pick("total", "partition"), 0.0)
    first = k.var("weighted", 0.0) if k.rng.chance(0.35) else None
    if how == "two passes" and top is not None:
        with found.each() as (_, x):
            k.set(top, bounded(ops.max(top, heat * x), -50.0, 50.0))
        with found.each() as (_, x):
            share = k.let("share", ops.exp(bounded(heat * x - top, -40.0, 0.0)))
            k.add(total, share)
            if first is not None:
                k.add(first, share * x)
    elif top is not None:
        with found.each() as (_, x):
            level = k.let("level", heat * x)
            with k.when(level > top):
                fade = k.let("fade", ops.exp(bounded(top - level, -80.0, 0.0)))
                k.set(total, bounded(total * fade + 1.0, 0.0, 100.0))
                if first is not None:
                    k.set(first, bounded(first * fade + x, -300.0, 300.0))
                k.set(top, bounded(level, -50.0, 50.0))
            with k.otherwise():
                share = k.let("share", ops.exp(bounded(level - top, -40.0, 0.0)))
                k.add(total, share)
                if first is not None:
                    k.add(first, share * x)
    else:
        with found.each() as (_, x):
            share = k.let("share", ops.exp(bounded(heat * x - 6.0, -40.0, 0.0)))
            k.add(total, share)
            if first is not None:
                k.add(first, share * x)
    safe = bounded(total + 0.001, 1e-7, 1e4)
    passes = {"two passes": "in two passes", "online": "in one pass", "fixed": "below a fixed level"}[how]
    if first is not None:
        finish(
            k,
            "expected",
            bounded(first, -300.0, 300.0) / bounded(safe, 0.001, 100.0),
            f"Mean of the {found.noun} of each row, weighted by exponentials, {passes}",
        )
    elif top is not None:
        finish(
            k,
            "free_energy",
            top + ops.log(safe),
            f"Logarithm of the sum of exponentials of the {found.noun} of each row, {passes}",
        )
    else:
        finish(
            k,
            "free_energy",
            6.0 + ops.log(safe),
            f"Logarithm of the sum of exponentials of the {found.noun} of each row, {passes}",
        )


def strided_atomics(k: Builder) -> None:
    """Each thread adds up several elements and brings one sum to a shared place."""
    chunk = k.rng.pick(4, 8, 16)
    strided = k.rng.chance(0.5)
    threads(k, 1, indirect=False, every=True, plain=strided, name=k.rng.pick("chunk", "worker", "tid"))
    (i,) = k.index
    kind: Scalar = k.rng.pick(F32, F32, F64, I32, I64)
    noun = k.rng.pick("samples", "charges", "tallies", "votes")
    data = k.array(noun, kind, [f"{chunk} * {k.shape[0]}"], {"integers": [-3, 4]})
    count = k.size("num_threads", k.shape[0]) if strided else None
    own = k.var(k.rng.pick("own", "partial", "subtotal"), 0, type=kind)
    with k.loop("s", 0, chunk) as s:
        place = i * chunk + s
        if strided and count is not None:
            place = bounded(s * count + i, 0, 16 * 80_000)
            place.interval = (i * chunk + s).interval
        x = k.let("x", data[place])
        value, word = _whole_term(k, x, noun)
        k.add(own, value)
    own.interval = bounded(own, -9 * chunk, 9 * chunk).interval
    groups = k.rng.pick("one", "modulo", "ids", "one")
    size, place_out = "1", 0
    group: Expr | int = place_out
    if groups == "modulo":
        size = str(k.rng.pick(4, 8, 16))
        group = k.let("slot", i % int(size))
    elif groups == "ids":
        k.sizes["bins"] = size = k.rng.pick("(n + 7) // 8", "12", "(n + 31) // 32")
        group = k.let("bin", k.array("bins_of", I32, k.shape, {"integers": [0, "bins"]})[k.index])
        size = "bins"
    totals = k.array(k.rng.pick("totals", "sums"), kind, [size], {"constant": 0}, "inout")
    k.atomic(k.rng.pick("add", "add", "+=", "sub"), totals, group, own)
    if k.rng.chance(0.35):
        peaks = k.array("peaks", kind, [size], {"constant": -1000}, "inout")
        k.atomic("max", peaks, group, own)
        k.notes.append("The largest sum of one thread is kept as well")
    if k.rng.chance(0.4):
        with k.when(own > k.rng.integer(0, 10)):
            k.atomic("add", k.array("above", I32, [size], {"constant": 0}, "inout"), group, 1)
        k.notes.append("Threads with a large sum are counted")
    where = {"one": "in all", "modulo": f"in {size} slots", "ids": "by bin"}[groups]
    how = "elements far apart" if strided else "elements in a row"
    describe(k, f"Sum of the {word}, {where}; each thread adds up {chunk} {how}")
