"""Threads that meet in one place: sums, counts and extremes by atomics.

Floats that are added are whole numbers, so that every order of the threads gives the same sum.
"""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, ops
from weft.kernels.idioms import threads, uniform, whole
from weft.kernels.program import Expr
from weft.kernels.results import describe
from weft.kernels.types import F32, F64, I32, I64, U32
from weft.types import Scalar, Vector

REVISION = 2
TEACHES = "atomic adds, subtractions, minima and maxima into shared places"


def _amount(k: Builder, kind: Scalar) -> tuple[Expr, str]:
    """A whole number per thread, from one or two arrays, and what it is."""
    low = 0 if kind.is_unsigned else -6
    name = k.rng.pick("values", "amounts", "charges")
    name = "loads" if name in k.names else name
    x = k.array(name, kind, k.shape, whole(low, 6))[k.index]
    options = ["plain", "product", "square", "larger", "scaled"] + (
        [] if kind.is_unsigned else ["magnitude", "difference", "positive"]
    )
    what = k.rng.pick(*options)
    if what in ("product", "larger", "difference"):
        y = k.array(k.rng.pick("weights", "others", "partners"), kind, k.shape, whole(0, 5))[k.index]
        value = {"product": lambda: x * y, "larger": lambda: ops.max(x, y), "difference": lambda: y - x}[
            what
        ]()
        return value, {
            "product": "products",
            "larger": "pairwise maxima",
            "difference": "differences",
        }[what]
    if what == "square":
        named = k.let(name.removesuffix("s"), x)
        return named * named, "squares"
    if what == "scaled":
        return x * k.rng.integer(2, 5), "scaled values"
    if what == "magnitude":
        return ops.abs(x), "magnitudes"
    if what == "positive":
        return ops.max(x, 0), "positive parts"
    return x, "values"


def _condition(k: Builder) -> tuple[Expr, str] | None:
    """A test that some threads pass, or none."""
    match k.rng.below(5):
        case 0:
            keys = k.array(k.rng.pick("scores", "ages"), F32, k.shape, uniform(0.0, 1.0))
            return keys[k.index] > k.rng.number(0.2, 0.7), "whose score passes a cutoff"
        case 1:
            kinds = k.array(k.rng.pick("kinds", "labels"), I32, k.shape, whole(0, 3))
            return kinds[k.index].equals(k.rng.integer(0, 3)), "of one kind"
        case 2:
            low, high = k.rng.number(0.1, 0.4), k.rng.number(0.6, 0.9)
            spots = k.array("spots", F32, k.shape, uniform(0.0, 1.0))
            return (spots[k.index] >= low) & (
                spots[k.index] < high
            ), f"whose spot is between {low} and {high}"
        case _:
            return None


def _gather(
    k: Builder, target: ArrayHandle, place: Expr | int | tuple[Expr, ...], amount: Expr | int, kind: str
) -> str:
    """The atomic, possibly under a condition; gives the phrase that says so."""
    tested = _condition(k)
    if tested is None:
        k.atomic(kind, target, place, amount)
        return ""
    with k.when(tested[0]):
        k.atomic(kind, target, place, amount)
    return f" of the elements {tested[1]}"


def _skip(k: Builder) -> None:
    """Leave threads out whose element fails a test, or none."""
    tested = _condition(k)
    if tested is not None:
        with k.when(~tested[0]):
            k.jump("return")
        k.notes.append(f"Only elements {tested[1]} count")


def histogram(k: Builder) -> None:
    """Counts per bin."""
    threads(k, indirect=False)
    bins = k.rng.pick(8, 10, 16, 32)
    k.sizes["bins"] = str(bins)
    low, high = k.rng.pick((0.0, 1.0), (-1.0, 1.0), (0.0, 4.0))
    value = k.array(k.rng.pick("values", "samples", "intensities"), F32, k.shape, uniform(low, high))[k.index]
    scaled = value * float(bins) if (low, high) == (0.0, 1.0) else (value - low) * (bins / (high - low))
    slot = k.let(
        k.rng.pick("bin_index", "slot"),
        k.rng.pick(
            ops.min(convert(I32, scaled), bins - 1), ops.clamp(convert(I32, ops.floor(scaled)), 0, bins - 1)
        ),
    )
    kind = k.rng.pick(I32, I32, U32, F32)
    counts = k.array("counts", kind, ["bins"], {"constant": 0}, "inout")
    if k.rng.chance(0.5):
        amount: Expr | int = 1
        word = "Histogram"
    else:
        amount, what = _amount(k, kind)
        word = f"Histogram, weighted by {what},"
    where = _gather(k, counts, slot, amount, k.rng.pick("add", "+="))
    describe(k, f"{word} in {bins} bins{where}")


def grand_total(k: Builder) -> None:
    """One sum over all threads, and a count beside it."""
    threads(k, indirect=False)
    kind = k.rng.pick(F32, F32, F64, I32, I64)
    amount, what = _amount(k, kind)
    total = k.array(k.rng.pick("total", "accumulator"), kind, ["1"], {"constant": 0}, "inout")
    if k.rng.chance(0.4):
        named = k.let("contribution", amount)
        count = k.array("number", I32, ["1"], {"constant": 0}, "inout")
        with k.when(named > 0):
            k.atomic("add", total, 0, named)
            k.atomic(k.rng.pick("add", "+="), count, 0, 1)
        describe(k, f"Sum and number of the positive ones among all {what}")
    else:
        kind_of_atomic, word = k.rng.pick(
            ("add", "Total"), ("+=", "Total"), ("sub", "Negated total"), ("-=", "Negated total")
        )
        where = _gather(k, total, 0, amount, kind_of_atomic)
        describe(k, f"{word} of the {what}{where}")


def segment_sum(k: Builder) -> None:
    """Sums by group."""
    threads(k, indirect=False)
    groups = k.rng.pick("(n + 7) // 8", "(n + 31) // 32", "16", "max(n // 4, 1)")
    name = k.rng.pick("groups", "segments", "cells")
    k.sizes[name] = groups
    kind = k.rng.pick(F32, F32, F64, I32)
    ids = k.array(k.rng.pick("ids", f"{name[:-1]}_ids", "owners"), I32, k.shape, {"integers": [0, name]})
    group = k.let(k.rng.pick(name[:-1], "g"), ids[k.index])
    amount, what = _amount(k, kind)
    sums = k.array(k.rng.pick("sums", "totals", f"{name[:-1]}_sums"), kind, [name], {"constant": 0}, "inout")
    where = _gather(k, sums, group, amount, k.rng.pick("add", "add", "+="))
    if k.rng.chance(0.4):
        counts = k.array("counts", I32, [name], {"constant": 0}, "inout")
        k.atomic("add", counts, group, 1)
        k.notes.append("All elements are counted as well")
    describe(k, f"Total of the {what} per {name[:-1]}{where}")


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
    where = _gather(k, best, group, value, which)
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


def edge_flow(k: Builder) -> None:
    """Both ends of every edge receive something."""
    threads(k, indirect=False, name=k.rng.pick("edge", "e"))
    k.sizes["nodes"] = k.rng.pick("n", "(n + 3) // 4", "max(n // 2, 1)")
    first = k.array(k.rng.pick("sources", "heads"), I32, k.shape, {"integers": [0, "nodes"]})
    second = k.array(k.rng.pick("destinations", "tails"), I32, k.shape, {"integers": [0, "nodes"]})
    a, b = k.let("first", first[k.index]), k.let("second", second[k.index])
    kind = k.rng.pick(I32, F32, F32)
    amount, what = _amount(k, kind)
    flow = k.let("flow", amount)
    target = k.array(k.rng.pick("degrees", "balances", "inflows"), kind, ["nodes"], {"constant": 0}, "inout")
    if k.rng.chance(0.4):
        with k.when(a.equals(b)):
            k.jump("return")
        k.notes.append("Edges from a node to itself are left out")
    match k.rng.below(3):
        case 0:
            k.atomic("add", target, a, flow)
            k.atomic("add", target, b, flow)
            describe(k, f"Both ends of each edge receive the {what}")
        case 1:
            k.atomic("sub", target, a, flow)
            k.atomic("add", target, b, flow)
            describe(k, f"Each edge moves the {what} from one end to the other")
        case _:
            k.atomic("+=", target, a, flow)
            k.atomic("-=", target, b, flow * 2)
            describe(k, f"One end of each edge receives the {what}, the other loses twice as much")


def splat_to_grid(k: Builder) -> None:
    """Particles deposit on the nodes of a grid."""
    threads(k, 1, indirect=False, name=k.rng.pick("particle", "p"))
    size = k.rng.pick(8, 12, 16)
    k.sizes["cells"] = str(size)
    plane = Vector(2, F32)
    _skip(k)
    spot = k.let("position", k.array("positions", plane, ["n"], uniform(0.0, 1.0))[k.index])
    x = k.let("x", ops.min(convert(I32, spot[0] * float(size)), size - 1))
    y = k.let("y", ops.min(convert(I32, spot[1] * float(size)), size - 1))
    kind = k.rng.pick(F32, I32)
    amount, what = _amount(k, kind)
    grid = k.array(
        k.rng.pick("density", "grid", "deposits"), kind, ["cells", "cells"], {"constant": 0}, "inout"
    )
    match k.rng.below(3):
        case 0:
            k.atomic(k.rng.pick("add", "+="), grid, k.rng.pick((x, y), (y, x)), amount)
            describe(k, f"Particles deposit their {what} in the cells of a grid")
        case 1:
            share = k.let("share", amount)
            k.atomic("add", grid, (y, x), share * k.rng.integer(2, 4))
            k.atomic(
                "add", grid, k.rng.pick((y, ops.min(x + 1, size - 1)), (ops.max(y - 1, 0), x), (x, y)), share
            )
            describe(k, f"Particles deposit their {what} in their cell and another one")
        case _:
            share = k.let("share", amount)
            with k.loop("dy", 0, 2) as dy, k.loop("dx", 0, 2) as dx:
                k.atomic("add", grid, (ops.min(y + dy, size - 1), ops.min(x + dx, size - 1)), share)
            describe(k, f"Particles deposit their {what} in four cells of a grid")


def bounding_box(k: Builder) -> None:
    """Bounds of all points, axis by axis."""
    threads(k, indirect=False)
    axes = k.rng.pick(2, 3)
    k.sizes["axes"] = str(axes)
    space = Vector(axes, F32)
    _skip(k)
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
    _skip(k)
    if k.rng.chance(0.6):
        cover = k.array(k.rng.pick("coverage", "load"), I32, ["cells"], {"constant": 0}, "inout")
        amount, what = _amount(k, I32)
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


def confusion_matrix(k: Builder) -> None:
    """Pairs of labels, counted in a table."""
    threads(k, indirect=False)
    classes = k.rng.pick(3, 4, 5, 8)
    k.sizes["classes"] = str(classes)
    truth = k.array(k.rng.pick("truths", "labels"), I32, k.shape, whole(0, classes - 1))[k.index]
    guess = k.array(k.rng.pick("guesses", "predictions"), I32, k.shape, whole(0, classes - 1))[k.index]
    kind = k.rng.pick(I32, F32)
    amount, what = (1, "") if k.rng.chance(0.5) else _amount(k, kind)
    weighted = f", weighted by {what}" if what else ""
    shape = k.rng.pick("table", "flat", "hits")
    if shape == "table":
        table = k.array("confusion", kind, ["classes", "classes"], {"constant": 0}, "inout")
        where = _gather(k, table, (truth, guess), amount, k.rng.pick("add", "+="))
        describe(k, f"Confusion matrix of {classes} classes{weighted}{where}")
    elif shape == "flat":
        table = k.array("confusion", kind, [str(classes * classes)], {"constant": 0}, "inout")
        where = _gather(k, table, truth * classes + guess, amount, k.rng.pick("add", "+="))
        describe(k, f"Flat confusion matrix of {classes} classes{weighted}{where}")
    else:
        hits = k.array("hits", kind, ["classes"], {"constant": 0}, "inout")
        misses = k.array("misses", kind, ["classes"], {"constant": 0}, "inout")
        with k.when(truth.equals(guess)):
            k.atomic("add", hits, truth, amount)
        with k.otherwise():
            k.atomic("add", misses, k.rng.pick(truth, guess), amount)
        describe(k, f"Hits and misses for each of {classes} classes{weighted}")
