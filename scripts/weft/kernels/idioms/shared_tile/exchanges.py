"""Each thread puts a value where its block sees it, and reads those of others."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform, whole
from weft.kernels.expressions import bounded, conditional, convert, ops
from weft.kernels.idioms.slabs import launch
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32, scalar_of
from weft.kernels.words import told
from weft.types import Scalar

Found = tuple[Expr, str]
"""What a thread makes of the values of its block, and a sentence about it."""


def neighbor_exchange(k: Builder) -> None:
    """Each thread puts a value into a tile and reads those of others."""
    i = launch(k, k.rng.pick("row", "group", "segment"), lane=True)
    assert k.lane is not None and k.block_dim is not None
    lane, width = k.lane, k.block_dim
    _take_places(k, i, lane, width)
    shared = _shared(k, k.rng.pick(k.real, k.real, I32), i, width)
    found = k.rng.pick(*_FINDS)
    result, doc = found(k, shared, lane, width)
    finish(k, k.rng.pick("exchange", "outcome", "finding"), result, doc)


def _take_places(k: Builder, i: Expr, lane: Name, width: int) -> None:
    """Threads own an element of a matrix with a row a block, or of a line."""
    (count,) = k.dims
    if k.rng.chance(0.4):
        size = f"{count}_elements"
        k.sizes[size] = f"{width} * {count}"
        place = k.let("place", i * width + lane)
        place.interval = Interval(0, k.largest(size) - 1, True, size, -1)
        k.index = k.target = (place,)
        k.shape, k.axes = (size,), ("place",)
    else:
        k.sizes["lanes"] = str(width)
        k.index = k.target = (i, lane)
        k.shape, k.axes = (count, "lanes"), ("block", "lane")


def _shared(k: Builder, element: Scalar, i: Expr, width: int) -> Expr:
    """What the block shares: a stretch that it loads together, or a value of each thread."""
    values = whole(-20, 20) if element == I32 else uniform(-1.0, 1.0)
    array = k.array(k.rng.pick("data", "samples", "readings"), element, k.shape, values)
    label = k.rng.pick("shared", "row_tile", "cache")
    match k.rng.pick("loaded", "loaded", "combined", "own"):
        case "own":
            return k.let(label, tiles.of_threads(k, _own_value(k, array)))
        case "combined":
            other = k.array("addend", element, k.shape, values)
            first, second = (
                k.let("first", _stretch(array, i, width)),
                k.let("second", _stretch(other, i, width)),
            )
            how, tile = k.rng.pick(
                ("The sum", first + second),
                ("The difference", first - second),
                ("The larger", tiles.mapped("max", first, second)),
            )
            k.notes.append(f"{how} of two arrays is what threads share")
            return k.let(label, tile)
        case _:
            return k.let(label, _stretch(array, i, width))


def _stretch(array: ArrayHandle, i: Expr, width: int) -> Expr:
    """The block's part of an array, as a tile in shared memory."""
    if len(array.parameter.shape) == 1:
        return tiles.load(array, (width,), (i * width,), shared=True)
    return tiles.load(array, (width,), (0,), row=(i,), shared=True)


def _own_value(k: Builder, array: ArrayHandle) -> Name:
    """A thread's own value, computed before it is shared."""
    value: Expr = array[k.index]
    match k.rng.pick("plain", "square", "difference", "scaled"):
        case "square":
            value = k.let("x", value)
            value = value * value
            k.notes.append("Values are squared before they are shared")
        case "difference":
            baseline = k.array("baseline", array.element, k.shape, array.parameter.values)
            value = value - baseline[k.index]
            k.notes.append("A baseline is subtracted before values are shared")
        case "scaled" if array.element == k.real:
            gain = coefficient(k, "input_gain", 0.3, 2.0)
            value = gain * value
            k.notes.append(f"Values are multiplied by {told(gain)} before they are shared")
    return k.let("own_value", value)


def _mirror(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    own, mirrored = k.let("own", shared[lane]), shared[width - 1 - lane]
    mirrored = k.let("mirrored", mirrored) if k.rng.chance(0.5) else mirrored
    return k.rng.pick(
        (own - mirrored, "Difference from the mirrored element of the block"),
        (ops.max(own, mirrored), "Larger of an element and the mirrored one of its block"),
        (own * mirrored + own, "Each element times one more than the mirrored one of its block"),
    )


def _shift(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    by, own = k.rng.integer(1, 5), k.let("own", shared[lane])
    forth = k.rng.chance(0.5)
    other = k.let("other", shared[(lane + by) % width if forth else (lane + (width - by)) % width])
    result, what = k.rng.pick(
        (own + other, "Sum with"),
        (other - own, "Step to"),
        (ops.min(own, other), "Smaller of the element and"),
    )
    return result, f"{what} the element {by} {'further' if forth else 'before'} in its block, around the end"


def _butterfly(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    bit, own = k.rng.pick(1, 2, 4, 8), k.let("own", shared[lane])
    partner = bounded(lane ^ bit, 0, width - 1)
    other = k.let("other", shared[k.let("partner", partner) if k.rng.chance(0.6) else partner])
    upper = (lane & bit).differs(0)
    if k.rng.chance(0.5):
        doc = f"Sums in one half of the pairs, differences in the other, of elements {bit} apart"
        return conditional(upper, other - own, own + other), doc
    kept = k.var("kept", ops.min(own, other), type=scalar_of(own.type))
    with k.when(upper):
        k.set(kept, ops.max(own, other))
    doc = f"Smaller ones in one half of the pairs, larger ones in the other, of elements {bit} apart"
    return kept, doc


def _window(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    radius, element = k.rng.pick(1, 2, 3), scalar_of(shared.type)
    edge = k.rng.pick("max", "min", "sum", "sum")
    if edge == "sum":
        total = k.var("total", 0, type=element)
    else:
        total = k.var("total", shared[lane], bounds=(shared.interval.lo, shared.interval.hi), type=element)
    weigh = edge == "sum" and element == k.real and k.rng.chance(0.5)
    falloff = coefficient(k, "falloff", 0.2, 0.8, kinds="lp") if weigh else None
    around, alone = k.rng.chance(0.5), edge == "sum" and k.rng.chance(0.2)
    with k.loop("d", -radius, radius + 1) as d:
        if alone:
            with k.when(d.equals(0)):
                k.jump("continue")
            k.notes.append("The element itself is left out")
        value: Expr = shared[(lane + d + width) % width if around else ops.clamp(lane + d, 0, width - 1)]
        if edge != "sum":
            k.set(total, getattr(ops, edge)(total, value))
        else:
            k.add(total, value if falloff is None else value / (1.0 + falloff * ops.abs(convert(element, d))))
    weighted = ", weighted by distance" if falloff is not None else ""
    word = {"sum": "Sum over", "max": "Largest of", "min": "Smallest of"}[edge]
    ends = "around its ends" if around else "its ends repeated"
    return total, f"{word} a window of radius {radius} within the block, {ends}{weighted}"


def _stride(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    step, terms = k.rng.pick((2, 4), (4, 4), (3, 5), (8, 3))
    total = k.var("total", 0, type=scalar_of(shared.type))
    # With as many minus as plus signs, all threads together would have nothing.
    alternating = terms % 2 == 1 and k.rng.chance(0.6)
    with k.loop("m", 0, terms) as m:
        value = shared[(lane + m * step) % width]
        if alternating:
            value = k.let("member", value)
            value = conditional((m % 2).equals(0), value, -value)
        k.add(total, value)
    signs = ", with alternating signs" if alternating else ""
    return total, f"Sum of {terms} elements, {step} apart, around the end of the block{signs}"


def _curvature(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    apart, own = k.rng.pick(1, 1, 2, 3), k.let("own", shared[lane])
    low, high = ops.max(lane - apart, 0), ops.min(lane + apart, width - 1)
    if k.rng.chance(0.5):
        left, right = k.let("left", shared[low]), k.let("right", shared[high])
    else:
        left = k.let("left", k.guarded(lane >= apart, lambda: shared[lane - apart], own))
        right = k.let("right", k.guarded(lane < width - apart, lambda: shared[lane + apart], own))
    two = 2 if own.type == I32 else 2.0
    result, what = k.rng.pick(
        (left - two * own + right, "Second difference"),
        (right - left, "Central difference"),
        (ops.max(ops.max(left, own), right) - ops.min(ops.min(left, own), right), "Range of three elements"),
    )
    return result, f"{what} in the block, neighbors {apart} away, one-sided at the ends"


def _gathered(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    source = k.array(k.rng.pick("source_lanes", "partners", "routes"), I32, k.shape, whole(0, width - 1))[
        k.index
    ]
    source = k.let("source", source) if k.rng.chance(0.5) else source
    own, other = shared[lane], k.let("routed", shared[source])
    result, doc = k.rng.pick(
        (other, "The element of the block that an index names"),
        (other - own, "From each element to the one that an index names"),
        (ops.max(own, other), "Larger of an element and the one that an index names"),
    )
    return result, f"{doc}, within the block"


def _rank(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    own, rank = k.let("own", shared[lane]), k.var("rank", 0, type=I32, bounds=(0, width))
    below = k.rng.chance(0.5)
    only_before = k.rng.chance(0.3)
    with k.loop("m", 0, width) as m:
        if only_before:
            with k.when(m >= lane):
                k.jump("break")
        other = shared[m]
        with k.when(other < own if below else other > own):
            k.set(rank, bounded(rank + 1, 0, width))
    where = "the elements before it" if only_before else "its block"
    return rank, f"How many of {where} are {'smaller' if below else 'larger'} than each element"


def _prefix(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    how, group = k.rng.pick("sum", "largest", "smallest"), k.rng.pick(8, 16)
    start = k.let("start", bounded(lane // group * group, 0, width - group))
    if how == "sum":
        total = k.var("total", 0, type=scalar_of(shared.type))
    else:
        total = k.var(
            "total",
            shared[start],
            bounds=(shared.interval.lo, shared.interval.hi),
            type=scalar_of(shared.type),
        )
    with k.loop("m", 0, group) as m:
        with k.when(m > lane - start):
            k.jump("break")
        value = shared[bounded(start + m, 0, width - 1)]
        if how == "sum":
            k.add(total, value)
        else:
            k.set(total, (ops.max if how == "largest" else ops.min)(total, value))
    what = {"sum": "Sum of", "largest": "Largest of", "smallest": "Smallest of"}[how]
    return total, f"{what} the elements up to each one in its group of {group}"


def _reversed(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    group = k.rng.pick(4, 8, 16)
    first = k.let("first_of_group", bounded(lane // group * group, 0, width - group))
    place = bounded(first + (group - 1) - lane % group, 0, width - 1)
    other = k.let("swapped", shared[place])
    result, doc = k.rng.pick(
        (other, "Elements in reverse"),
        (shared[lane] + other, "Each element plus the one across"),
        (shared[lane] - shared[first], "Each element less the first one"),
    )
    if "first one" in doc:
        return result + other, f"{doc}, plus the one across, in groups of {group} within a block"
    return result, f"{doc} in groups of {group} within a block"


def _median(k: Builder, shared: Expr, lane: Name, width: int) -> Found:
    by = k.rng.pick(1, 1, 2)
    a = k.let("before", shared[(lane + (width - by)) % width])
    b = k.let("own", shared[lane])
    c = k.let("after", shared[(lane + by) % width])
    low, high = ops.min(a, b), ops.max(a, b)
    if k.rng.chance(0.5):
        low, high = k.let("low", low), k.let("high", high)
    kind = k.rng.pick("median", "outlier", "second")
    if kind == "median":
        return ops.max(
            low, ops.min(high, c)
        ), f"Median of three elements, {by} apart, around the end of the block"
    if kind == "second":
        return ops.min(ops.max(low, c), high), f"Element {by} further, held between two others"
    between = k.let("between", ops.max(low, ops.min(high, c)))
    return b - between, f"Each element less the median of three, {by} apart, around the end of the block"


_FINDS = (
    _mirror, _shift, _butterfly, _window, _stride, _curvature, _gathered, _rank, _prefix, _reversed, _median,
)  # fmt: skip
