"""Bounds and extremes that threads widen together."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.idioms.atomic.amounts import drawn_amount, gathered, kept_beside, skip_some
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import F32, F64, I32, U32
from weft.kernels.vocabulary import coefficient, read, threads, uniform, whole
from weft.types import Vector


def group_extremes(k: Builder) -> None:
    """Extremes by group: atomics that need no whole numbers.

    Groups have few members, and the value of each is stored or decides often: in a large group only values
    at one end would show.
    """
    threads(k)
    kind = k.rng.pick(F32, F32, F64, I32, U32)
    k.sizes["groups"] = k.rng.pick("(n + 2) // 3", "(n + 1) // 2", "max(n // 4, 1)")
    group = k.array("group_ids", I32, k.shape, {"integers": [0, "groups"]})[k.index]
    name = k.rng.pick("height", "reading", "arrival")
    if kind.is_float:
        k.real = kind
        value, word = read(k, name, -1.0, 1.0), " value"
        if k.rng.chance(0.5):
            word = k.rng.pick(" scaled value", " magnitude", " square", " squashed value")
            match word:
                case " scaled value":
                    value = coefficient(k, "scale", 0.5, 2.0) * value
                case " magnitude":
                    value = ops.abs(value)
                case " square":
                    value = value * value
                case _:
                    value = ops.tanh(coefficient(k, "scale", 0.5, 2.0) * value)
            value = k.let(k.rng.pick("key", "candidate"), value)
        if k.rng.chance(0.6):
            value = value if isinstance(value, Name) else k.let("key", value)
            k.store(k.array("own_values", kind, k.shape, None, "out"), k.target, value)
            k.notes.append("Each thread's value is stored as well")
    else:
        value, what = drawn_amount(k, kind)
        kept = kept_beside(k, value)
        value = kept if isinstance(kept, Name) else k.let("key", value)
        word = f" of the {what}"
    which = k.rng.pick("max", "min")
    start = (
        {"constant": (0 if kind.is_unsigned else -1000) if which == "max" else 1000}
        if kind.is_integer
        else {"constant": -100.0 if which == "max" else 100.0}
    )
    best = k.array(f"{which}ima", kind, ["groups"], start, "inout")
    where = gathered(k, best, group, value, which)
    if k.rng.chance(0.35):
        other = "min" if which == "max" else "max"
        begin = (
            {"constant": 1000 if which == "max" else (0 if kind.is_unsigned else -1000)}
            if kind.is_integer
            else {"constant": 100.0 if which == "max" else -100.0}
        )
        k.atomic(other, k.array(f"{other}ima", kind, ["groups"], begin, "inout"), group, value)
        k.notes.append(f"The {other}imum of all of its values is kept as well")
    describe(k, f"{which.capitalize()}imum{word} in each group{where}")


def bounding_box(k: Builder) -> None:
    """Bounds of all points, axis by axis."""
    k.real = F32
    threads(k)
    axes = k.rng.pick(2, 3)
    k.sizes["axes"] = str(axes)
    space = Vector(axes, F32)
    skip_some(k)
    point = _point(k, space)
    radius: Expr | None = None
    if k.rng.chance(0.35):
        radius = k.let("radius", k.array("radii", F32, k.shape, uniform(0.05, 0.5))[k.index])
        k.notes.append("Points are balls with a radius of their own")
    grouped = k.rng.chance(0.35)
    where: tuple[Expr, ...] = ()
    if grouped:
        k.sizes["boxes"] = k.rng.pick("4", "(n + 31) // 32", "max(n // 8, 1)")
        where = (k.array("box_ids", I32, k.shape, {"integers": [0, "boxes"]})[k.index],)
        where = (k.let("box", where[0]),) if k.rng.chance(0.6) else where
    shape = [*(["boxes"] * grouped), "axes"]
    lower = k.array("lower", F32, shape, {"constant": 100.0}, "inout")
    upper = k.array("upper", F32, shape, {"constant": -100.0}, "inout")

    def widen(axis: Expr | int, *, low: bool, high: bool) -> None:
        here = point[axis]
        if low:
            k.atomic("min", lower, (*where, axis), here if radius is None else here - radius)
        if high:
            k.atomic("max", upper, (*where, axis), here if radius is None else here + radius)

    match k.rng.below(3):
        case 0:
            with k.loop("axis", 0, axes) as axis:
                widen(axis, low=True, high=True)
        case 1:
            for number in range(axes):
                widen(number, low=True, high=True)
        case _:
            for number in range(axes):
                widen(number, low=True, high=False)
            for number in range(axes):
                widen(number, low=False, high=True)
    if k.rng.chance(0.4):
        inside = k.array("inside", I32, ["1"], {"constant": 0}, "inout")
        with k.when(ops.length(point) < k.rng.number(1.0, 1.8)):
            k.atomic("add", inside, 0, 1)
        k.notes.append("Points near the origin are counted as well")
    describe(k, f"Bounding box{'es of groups of points' if grouped else ' of the points'}, axis by axis")


def _point(k: Builder, space: Vector) -> Name:
    """Where a thread's point is: stored, moved, or seen from elsewhere."""
    point: Expr = k.array(k.rng.pick("points", "positions"), space, k.shape, uniform(-2.0, 2.0))[k.index]
    match k.rng.pick("as it is", "shifted", "moved", "scaled", "folded", "midway"):
        case "shifted":
            shift = k.scalar("shift", space, uniform(-1.0, 1.0))
            k.notes.append("The points are shifted first")
            point = k.rng.pick(point - shift, point + shift)
        case "moved":
            velocity = k.array("velocities", space, k.shape, uniform(-1.0, 1.0))[k.index]
            k.notes.append("The points move for a step first")
            point = point + coefficient(k, "step", 0.1, 0.5, kinds="lp") * velocity
        case "scaled":
            scale = k.scalar("scale", space, uniform(0.5, 2.0))
            k.notes.append("Each axis has a scale of its own")
            point = ops.cw_mul(point, scale)
        case "folded":
            k.notes.append("The points are mirrored to where all coordinates are positive")
            point = _folded(k, point, space)
        case "midway":
            other = k.array("partners", space, k.shape, uniform(-2.0, 2.0))[k.index]
            k.notes.append("Points midway between two arrays count")
            point = 0.5 * (point + other)
    return k.let("point", point)


def _folded(k: Builder, point: Expr, space: Vector) -> Expr:
    raw = k.let("raw_point", point)
    return construct(space, *(ops.abs(raw[axis]) for axis in range(space.length)))


def running_extent(k: Builder) -> None:
    """Which places of a line are covered: first and last, and how many."""
    threads(k, 1, name=k.rng.pick("interval", "event"))
    what = k.rng.pick("cover", "cover", "ends", "slopes", "lines")
    # Of a long line, the first and the last place tell one set of intervals from another.
    cells = k.rng.pick(16, 24, 32) if what in ("cover", "slopes") else k.rng.pick(1024, 4096, 65_536)
    k.sizes["cells"] = str(cells)
    start = _interval_start(k, cells)
    reach = k.rng.integer(2, 4)
    skip_some(k)
    match what:
        case "cover":
            cover = k.array(k.rng.pick("coverage", "load"), I32, ["cells"], {"constant": 0}, "inout")
            amount, title = drawn_amount(k, I32)
            share = k.let("share", amount)
            length: Expr | int = reach
            word = f"of {reach} cells"
            if k.rng.chance(0.4):
                length = k.let("length", k.array("lengths", I32, ["n"], whole(1, reach))[k.index])
                word = "of lengths of their own"
            around = k.rng.chance(0.5)
            with k.loop("step", 0, length) as step:
                place = (start + step) % cells if around else ops.min(start + step, cells - 1)
                k.atomic(k.rng.pick("add", "+="), cover, place, share)
            kept_beside(k, share)
            describe(k, f"Intervals {word} add their {title} to each cell of a line that they cover")
        case "slopes":
            changes = k.array("changes", I32, [str(cells + reach)], {"constant": 0}, "inout")
            amount, title = drawn_amount(k, I32)
            share = k.let("share", amount)
            k.atomic("add", changes, start, share)
            k.atomic(k.rng.pick("sub", "-="), changes, start + reach, share)
            kept_beside(k, share)
            describe(
                k,
                f"Intervals of {reach} cells add their {title} where they begin and take them back after "
                "their end",
            )
        case "lines":
            k.sizes["lines"] = k.rng.pick("4", "6", "(n + 7) // 8", "(n + 63) // 64")
            line = k.array("line_ids", I32, ["n"], {"integers": [0, "lines"]})[k.index]
            first = k.array("firsts", I32, ["lines"], {"constant": 100_000}, "inout")
            last = k.array("lasts", I32, ["lines"], {"constant": -1}, "inout")
            line = k.let("line", line)
            k.atomic("min", first, line, start)
            if k.rng.chance(0.5):
                used = k.array("used", I32, ["lines"], {"constant": 0}, "inout")
                k.atomic("add", used, line, 1)
                k.notes.append("How many begin in each line is counted as well")
            until, word = k.rng.pick((start, "begins"), (start + reach, "ends"))
            k.atomic("max", last, line, until)
            describe(k, f"Where the first interval of each line begins and the last one {word}")
        case _:
            first = k.array("first", I32, ["1"], {"constant": 100_000}, "inout")
            last = k.array("last", I32, ["1"], {"constant": -1}, "inout")
            span = k.let("span", k.array("spans", I32, ["n"], whole(1, reach))[k.index])
            k.atomic("min", first, 0, start)
            k.atomic("max", last, 0, start + span)
            covered = k.array("covered", I32, ["1"], {"constant": 0}, "inout")
            k.atomic(k.rng.pick("add", "+="), covered, 0, span)
            k.notes.append("The lengths are added up as well")
            if k.rng.chance(0.5):
                longest = k.array("longest", I32, ["1"], {"constant": 0}, "inout")
                k.atomic("max", longest, 0, span)
                k.notes.append("The longest one is found as well")
            describe(k, "Where the first interval starts and the last one ends")


def _interval_start(k: Builder, cells: int) -> Name:
    """The cell in which a thread's interval begins: given, or where a time falls."""
    match k.rng.pick("given", "given", "time", "center", "shifted"):
        case "time":
            time = k.array("times", F32, ["n"], uniform(0.0, 1.0))[k.index]
            return k.let("start", ops.min(convert(I32, time * float(cells)), cells - 1))
        case "center":
            half = k.rng.integer(1, 3)
            center = k.array("centers", I32, ["n"], whole(0, cells - 1))[k.index]
            before = "one cell" if half == 1 else f"{half} cells"
            k.notes.append(f"Intervals begin {before} before their center, in the first one at the earliest")
            return k.let("start", ops.max(center - half, 0))
        case "shifted":
            shift = k.scalar("shift", I32, whole(1, 5))
            given = k.array("starts", I32, ["n"], whole(0, cells - 1))[k.index]
            k.notes.append("Intervals begin shift cells later, around the end of the line")
            return k.let("start", (given + shift) % cells)
        case _:
            return k.let("start", k.array("starts", I32, ["n"], whole(0, cells - 1))[k.index])
