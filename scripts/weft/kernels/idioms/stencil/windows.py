"""Weighted windows, lines and morphology."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, lift, ops
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, threads, uniform


def weighted_box(k: Builder) -> None:
    """Nine or twenty-seven points with weights by distance or from a table."""
    threads(k, 2, 3)
    rank = len(k.shape)
    f = field(
        k, k.rng.pick("field", "density", "image", "volume"), 0.0, 1.0, boundaries=("clamped", "periodic")
    )
    tabled = k.rng.chance(0.5)
    weights = k.array("weights", k.real, ["3"] * rank, uniform(0.0, 0.2)) if tabled else None
    center, edge = (k.rng.number(0.2, 0.5), k.rng.number(0.02, 0.15)) if not tabled else (0.0, 0.0)
    total = k.var("total", 0.0)

    def visit(offsets: list[Expr]) -> None:
        value = f.moved(*offsets)
        if weights is not None:
            places = tuple(one + 1 for one in offsets)
            k.add(total, weights[places] * value)
            return
        steps = ops.abs(offsets[0])
        for one in offsets[1:]:
            steps = steps + ops.abs(one)
        match shape:
            case "where":
                k.add(total, ops.where(steps.equals(0), lift(center, k.real), lift(edge, k.real)) * value)
            case "falloff":
                k.add(total, value * (center / (1.0 + convert(k.real, steps))))
            case _:
                with k.when(steps <= 1):
                    k.add(total, edge * value)

    shape = k.rng.pick("where", "falloff", "star")
    with (
        k.loop("a" if rank == 3 else "dy", -1, 2) as first,
        k.loop("b" if rank == 3 else "dx", -1, 2) as second,
    ):
        if rank == 3:
            with k.loop("c", -1, 2) as third:
                visit([first, second, third])
        else:
            visit([first, second])
    how = (
        "with weights from a table"
        if tabled
        else {
            "where": "with one weight for the center and one for the others",
            "falloff": "with weights that fall with the distance",
            "star": "of which the center and its nearest neighbours count",
        }[shape]
    )
    finish(k, "filtered", total, f"Sum over {3**rank} points{', ' if how.startswith('of') else ' '}{how}")


def line_filter(k: Builder) -> None:
    """One pass of a separable filter along an axis."""
    threads(k, 1, 2, 3)
    axis = k.rng.below(len(k.shape))
    f = field(k, k.rng.pick("image", "samples", "field"), -1.0, 1.0, boundaries=("clamped", "periodic"))
    radius = k.rng.integer(1, 4)
    width = 2 * radius + 1
    normal = k.rng.chance(0.4)
    sharp = False
    total = k.var("total", 0.0)
    norm = k.var("norm", 0.0, bounds=(0.0, 10.0)) if normal else None
    taps = k.array("taps", k.real, [str(width)], uniform(0.05, 0.3)) if k.rng.chance(0.5) else None
    falloff = k.rng.number(0.1, 0.8)
    squared = k.rng.chance(0.5)
    with k.loop(k.rng.pick("t", "offset", "tap"), -radius, radius + 1) as t:
        value = f.along(axis, t)
        if taps is not None:
            w = taps[t + radius]
        else:
            far, sharp = k.rng.pick((t * t, False), (ops.abs(t), True))
            distance = convert(k.real, far)
            w = ops.exp(-falloff * distance) if squared else 1.0 / (1.0 + falloff * distance)
        if norm is not None:
            w = k.let("w", w)
        k.add(total, w * value)
        if norm is not None:
            k.set(norm, ops.min(norm + w, 10.0))
    result: Expr = total / ops.max(norm, 0.05) if norm is not None else total
    form = (
        "taps from a table"
        if taps is not None
        else "an exponential window"
        if squared and sharp
        else "a Gaussian window"
        if squared
        else "a rational window"
    )
    divided = ", divided by the sum of the weights" if norm is not None else ""
    finish(
        k, "smoothed", result, f"Filter of {width} points along {_axis_words(k, axis)}, with {form}{divided}"
    )


def _axis_words(k: Builder, axis: int) -> str:
    return "the line" if len(k.shape) == 1 else f"axis {axis}"


def morphology(k: Builder) -> None:
    """Minima, maxima, medians and ranges of neighbourhoods."""
    threads(k, 1, 2)
    f = field(
        k, k.rng.pick("elevation", "mask_values", "brightness"), 0.0, 1.0, boundaries=("clamped", "periodic")
    )
    here = k.let("here", f.array[k.index])
    kind = k.rng.pick("dilation", "erosion", "range", "median", "peak", "top hat")
    axes = list(range(len(k.shape)))
    sides = [one for axis in (axes[:1] if kind == "median" else axes) for one in f.pair(axis)]
    low, high = ops.min(here, sides[0]), ops.max(here, sides[0])
    for one in sides[1:]:
        low, high = ops.min(low, one), ops.max(high, one)
    weight = coefficient(k, "weight", 0.5, 2.0)
    match kind:
        case "dilation":
            value, doc = k.let("top", high) * weight, "Dilation: the largest value around"
        case "erosion":
            value, doc = k.let("bottom", low) * weight, "Erosion: the smallest value around"
        case "range":
            value, doc = weight * (high - low), "Range of the values around"
        case "median":
            a, b = sides[0], sides[1]
            middle = ops.max(ops.min(a, b), ops.min(ops.max(a, b), here))
            value, doc = weight * middle, "Median of three values along the first axis"
        case "peak":
            value, doc = (
                weight * (here - k.let("mean", sum(sides[1:], sides[0]) / float(len(sides)))),
                "How far each value rises above its neighbours' mean",
            )
        case _:
            value, doc = weight * (here - low), "Top hat: how far each value rises above the lowest around"
    finish(k, "shaped", value, doc)
