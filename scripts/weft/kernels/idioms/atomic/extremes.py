"""Bounds and extremes that threads widen together."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import ops
from weft.kernels.idioms.atomic.amounts import drawn_amount, gathered, skip_some
from weft.kernels.results import describe
from weft.kernels.types import F32, F64, I32, U32
from weft.kernels.vocabulary import threads, uniform, whole
from weft.types import Vector


def group_extremes(k: Builder) -> None:
    """Extremes by group: atomics that need no whole numbers."""
    threads(k, indirect=False)
    kind = k.rng.pick(F32, F32, F64, I32, U32)
    k.sizes["groups"] = k.rng.pick("(n + 15) // 16", "8", "max(n // 6, 1)")
    group = k.array("group_ids", I32, k.shape, {"integers": [0, "groups"]})[k.index]
    values = whole(0, 1000) if kind.is_integer else uniform(-1.0, 1.0)
    value = k.array(k.rng.pick("heights", "values", "arrival_times"), kind, k.shape, values)[k.index]
    word = "value"
    if kind.is_float and k.rng.chance(0.6):
        scaled = value * k.scalar("scale", kind, uniform(0.5, 2.0)) if k.rng.chance(0.4) else value
        shaped, word = k.rng.pick(
            (scaled, "value"),
            (ops.abs(scaled), "magnitude"),
            (ops.sqrt(scaled + 2.0), "root"),
            (ops.tanh(scaled), "squashed value"),
        )
        value = k.let(k.rng.pick("key", "candidate"), shaped)
    which = k.rng.pick("max", "min")
    start = (
        {"constant": 0 if which == "max" else 1000}
        if kind.is_integer
        else {"constant": -10.0 if which == "max" else 10.0}
    )
    best = k.array(f"{which}ima", kind, ["groups"], start, "inout")
    where = gathered(k, best, group, value, which)
    if k.rng.chance(0.35):
        other = "min" if which == "max" else "max"
        begin = (
            {"constant": 1000 if which == "max" else 0}
            if kind.is_integer
            else {"constant": 10.0 if which == "max" else -10.0}
        )
        k.atomic(other, k.array(f"{other}ima", kind, ["groups"], begin, "inout"), group, value)
        k.notes.append(f"The {other}imum of all of its values is kept as well")
    describe(k, f"{which.capitalize()}imum {word} of each group{where}")


def bounding_box(k: Builder) -> None:
    """Bounds of all points, axis by axis."""
    threads(k, indirect=False)
    axes = k.rng.pick(2, 3)
    k.sizes["axes"] = str(axes)
    space = Vector(axes, F32)
    skip_some(k)
    points = k.array(k.rng.pick("points", "positions"), space, k.shape, uniform(-2.0, 2.0))
    raw = point = k.let("point", points[k.index])
    if k.rng.chance(0.5):
        k.notes.append("The points are shifted first")
        shift = k.scalar("shift", space, uniform(-1.0, 1.0))
        point = k.let("shifted", k.rng.pick(point - shift, point + shift))
    lower = k.array("lower", F32, ["axes"], {"constant": 100.0}, "inout")
    upper = k.array("upper", F32, ["axes"], {"constant": -100.0}, "inout")
    if k.rng.chance(0.5):
        with k.loop("axis", 0, axes) as axis:
            k.atomic("min", lower, axis, point[axis])
            k.atomic("max", upper, axis, point[axis])
    else:
        for axis_number in range(axes):
            k.atomic("min", lower, axis_number, point[axis_number])
        for axis_number in range(axes):
            k.atomic("max", upper, axis_number, point[axis_number])
    if k.rng.chance(0.5):
        inside = k.array("inside", I32, ["1"], {"constant": 0}, "inout")
        with k.when(ops.length(raw) < k.rng.number(1.0, 1.8)):
            k.atomic("add", inside, 0, 1)
        k.notes.append("Points near the origin are counted as well")
    describe(k, "Bounding box of the points")


def running_extent(k: Builder) -> None:
    """Which places of a line are covered: first and last, and how many."""
    threads(k, 1, indirect=False, name=k.rng.pick("interval", "event"))
    cells = k.rng.pick(16, 24, 32)
    k.sizes["cells"] = str(cells)
    start = k.let("start", k.array("starts", I32, ["n"], whole(0, cells - 1))[k.index])
    reach = k.rng.integer(2, 4)
    skip_some(k)
    if k.rng.chance(0.6):
        cover = k.array(k.rng.pick("coverage", "load"), I32, ["cells"], {"constant": 0}, "inout")
        amount, what = drawn_amount(k, I32)
        share = k.let("share", amount)
        with k.loop("step", 0, reach) as step:
            place = k.rng.pick(ops.min(start + step, cells - 1), (start + step) % cells)
            k.atomic(k.rng.pick("add", "+="), cover, place, share)
        describe(k, f"Intervals of {reach} cells add their {what} to what covers a line")
    else:
        first = k.array("first", I32, ["1"], {"constant": 1000}, "inout")
        last = k.array("last", I32, ["1"], {"constant": -1}, "inout")
        end = k.let("end", start + k.array("spans", I32, ["n"], whole(1, reach))[k.index])
        k.atomic("min", first, 0, start)
        k.atomic("max", last, 0, end)
        if k.rng.chance(0.5):
            longest = k.array("longest", I32, ["1"], {"constant": 0}, "inout")
            k.atomic("max", longest, 0, end - start)
            k.notes.append("The longest one is found as well")
        describe(k, "Where the first interval starts and the last one ends")
