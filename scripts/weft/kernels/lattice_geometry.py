"""Grids as geometry: cell centers, distances of shapes, layouts, coarser levels, borders, colors."""

from __future__ import annotations

import dataclasses

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, ops, within
from weft.kernels.idioms import (
    article,
    coefficient,
    curve,
    plural,
    read,
    signal,
    threads,
    through,
    told,
    uniform,
    whole,
)
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.types import Vector


def start(k: Builder, rank: int, *, indirect: bool = True) -> None:
    """A thread for each cell of a grid of this rank."""
    threads(k, rank, indirect=indirect)


def reaching(index: Expr, size: str, low: int = 0) -> Expr:
    """An index that also lies in a dimension of another, larger size."""
    largest = max(index.interval.hi, low)
    return dataclasses.replace(index, interval=Interval(index.interval.lo, largest, True, size, -1))


def _center(k: Builder, rank: int) -> Expr:
    """The position of the cell's center, with coordinates of at most a few units."""
    space = Vector(rank, k.real)
    way = k.rng.pick("unit", "spacing", "table", "centered")
    order = list(range(rank)) if k.rng.chance(0.5) else list(range(rank - 1, -1, -1))
    if way == "table":
        parts = [
            k.array(f"{'xyz'[at]}_centers", k.real, [k.shape[axis]], uniform(-1.0, 1.0))[k.index[axis]]
            for at, axis in enumerate(order)
        ]
        return k.let("p", construct(space, *parts))
    parts = []
    spacing = (
        coefficient(k, k.rng.pick("spacing", "cell_size"), 0.02, 0.2, kinds="lp")
        if way == "spacing"
        else None
    )
    for at, axis in enumerate(order):
        number = convert(k.real, k.index[axis]) + 0.5
        size = convert(k.real, k.extent(axis)) if spacing is None else None
        if spacing is not None:
            scaled = number * spacing
            part: Expr = ops.sin(scaled) if k.largest(k.shape[axis]) > 100 else scaled
        elif way == "centered":
            assert size is not None
            part = bounded(2.0 * number / bounded(size, 1.0, 1e5) - 1.0, -1.0, 1.0)
        else:
            assert size is not None
            part = bounded(number / bounded(size, 1.0, 1e5), 0.0, 1.0)
        parts.append(k.let("xyz"[at] + "_center" if k.rng.chance(0.3) else f"p{'xyz'[at]}", part))
    if spacing is not None and any(k.largest(k.shape[axis]) > 100 for axis in order):
        k.notes.append("The longest axis is bent into a sine, so that distances stay small")
    return k.let("p", construct(space, *parts))


def _shape(k: Builder, p: Expr, rank: int, label: str) -> tuple[Expr, str]:
    """The signed distance of a point from a shape, and the shape's name."""
    space = Vector(rank, k.real)
    center = k.scalar(f"{label}_center", space, uniform(-0.4, 0.6))
    d = k.let(f"{label}_offset", p - center)
    size = coefficient(k, f"{label}_size", 0.2, 0.6, kinds="lp")
    match k.rng.pick("ball", "box", "ring", "capsule", "plane", "diamond", "shell", "column"):
        case "ball":
            return ops.length(d) - size, "disk" if rank == 2 else "ball"
        case "box":
            q = [
                k.let(f"{label}_{'xyz'[at]}", ops.abs(d[at]) - size * (1.0, 0.7, 0.5)[at])
                for at in range(rank)
            ]
            outside = construct(space, *(ops.max(one, 0.0) for one in q))
            inner: Expr = q[0]
            for one in q[1:]:
                inner = ops.max(inner, one)
            round_by = k.rng.number(0.02, 0.1) if k.rng.chance(0.4) else None
            value = ops.length(outside) + ops.min(inner, 0.0)
            return (value - round_by, "rounded box") if round_by else (value, "box")
        case "ring" if rank == 3:
            flat = k.let(f"{label}_flat", ops.sqrt(bounded(d[0] * d[0] + d[1] * d[1], 0.0, 20.0)) - size)
            return ops.sqrt(flat * flat + bounded(d[2] * d[2], 0.0, 20.0)) - k.rng.number(0.05, 0.2), "torus"
        case "ring" | "shell":
            return ops.abs(ops.length(d) - size) - k.rng.number(0.03, 0.15), "ring" if rank == 2 else "shell"
        case "capsule":
            along = k.let(f"{label}_along", ops.clamp(d[0], -size, size))
            rest = construct(space, d[0] - along, *(d[at] for at in range(1, rank)))
            return ops.length(rest) - k.rng.number(0.05, 0.2), "capsule"
        case "plane":
            direction = ops.normalize(k.scalar(f"{label}_normal", space, uniform(0.2, 1.0)))
            return ops.dot(direction, d) - size, "half space" if rank == 3 else "half plane"
        case "diamond":
            total = ops.abs(d[0])
            for at in range(1, rank):
                total = total + ops.abs(d[at])
            return (total - size) * round(rank**-0.5, 4), "diamond" if rank == 2 else "octahedron"
        case _:
            return ops.sqrt(
                bounded(d[0] * d[0] + d[rank - 1] * d[rank - 1], 0.0, 20.0)
            ) - size, "disk" if rank == 2 else "column"


def distance_field(k: Builder, rank: int) -> None:
    """Signed distances of shapes at cell centers."""
    start(k, rank)
    p = _center(k, rank)
    value, word = _shape(k, p, rank, "first")
    doc = f"Distance of each cell's center from {article(word)}"
    if k.rng.chance(0.6):
        first = k.let("first_distance", value)
        other, second = _shape(k, p, rank, "second")
        other = k.let("second_distance", other)
        thin = second in ("torus", "ring", "shell", "capsule")
        match k.rng.pick("union", "intersection", "smooth", "blend", "union" if thin else "difference"):
            case "union":
                value, how = ops.min(first, other), "the union of {} and {}"
            case "intersection":
                value, how = ops.max(first, other), "the intersection of {} and {}"
            case "difference":
                value, how = ops.max(first, -other), "{} without {}"
            case "smooth":
                soft = k.rng.number(0.1, 0.4)
                h = k.let("h", ops.clamp(0.5 + 0.5 * (other - first) / soft, 0.0, 1.0))
                value = ops.lerp(other, first, h) - soft * h * (1.0 - h)
                how = "the smooth union of {} and {}"
            case _:
                share = coefficient(k, "share", 0.2, 0.8, kinds="lp")
                value, how = first + share * (other - first), "something between {} and {}"
        doc = f"Distance of each cell's center from {how.format(article(word), article(second))}"
    value = bounded(value, -9.0, 9.0)
    match k.rng.pick("distance", "distance", "smooth", "band", "inside", "density"):
        case "smooth":
            width = k.rng.number(0.05, 0.3)
            inner = 0.5 - 0.5 * ops.tanh(value / width)
            finish(k, "fill", inner, f"{doc}, as a smooth share that lies inside")
        case "band":
            half = coefficient(k, "band", 0.2, 0.6, kinds="lp")
            finish(k, "narrow_band", ops.max(ops.min(value, half), -half), f"{doc}, cut off at {told(half)}")
        case "inside":
            side = k.let("side", value)
            label = k.var("label", 0, type=I32, bounds=(0, 2))
            with k.when(side < k.rng.number(0.05, 0.15)):
                k.set(label, 2)
            with k.orwhen(side < k.rng.number(0.25, 0.5)):
                k.set(label, 1)
            finish(k, "cell_label", label, f"{doc}, as 2 inside and close, 1 near, 0 far away", counted=False)
        case "density":
            fall = k.rng.number(0.5, 3.0)
            shade = ops.exp(-fall * ops.max(value, 0.0))
            finish(k, "density", shade * read(k, "weight", 0.2, 1.0), f"Density that decays outside. {doc}")
        case _:
            finish(k, "distance", value, doc)


def other_layout(k: Builder, rank: int) -> None:
    """Arrays that lie in memory in another order than the grid."""
    start(k, rank)
    sizes = list(k.shape)
    total = " * ".join(sizes)
    axes = k.rng.shuffled(range(rank))
    if axes == list(range(rank)):
        axes = axes[::-1]
    kind = k.rng.pick("permuted", "rolled", "mirrored", "strided", "halves", "packed")
    extra = coefficient(k, "gain", 0.4, 2.0, kinds="lpe") if k.rng.chance(0.5) else None
    match kind:
        case "permuted":
            data = k.array("flat_values", k.real, [total], uniform(-1.0, 1.0))
            place = k.index[axes[0]]
            for axis in axes[1:]:
                place = place * k.extent(axis) + k.index[axis]
            value = data[within(k.let("source", place), total)]
            doc = f"Reads a flat array whose slowest axis is {axes[0]} and whose fastest is {axes[-1]}"
        case "rolled":
            data = k.array("values", k.real, sizes, uniform(-1.0, 1.0))
            axis = k.rng.below(rank)
            shift = k.rng.pick(1, 2, 3, 5)
            places = list(k.index)
            places[axis] = k.let("shifted", (k.index[axis] + shift) % k.extent(axis))
            value, doc = data[tuple(places)], f"Reads a grid that is rolled by {shift} along axis {axis}"
        case "mirrored":
            data = k.array("values", k.real, sizes, uniform(-1.0, 1.0))
            places = list(k.index)
            turned = k.rng.shuffled(range(rank))[: k.rng.pick(1, rank)]
            for axis in sorted(turned):
                places[axis] = k.let(f"mirror_{axis}", k.extent(axis) - 1 - k.index[axis])
            value = data[tuple(places)]
            doc = (
                f"Reads a grid mirrored along {'axis ' + str(turned[0]) if len(turned) == 1 else 'all axes'}"
            )
        case "strided":
            pad = k.rng.pick(1, 2, 4)
            last = sizes[-1]
            padded = " * ".join([*sizes[:-1], f"({last} + {pad})"])
            data = k.array("padded_values", k.real, [padded], uniform(-1.0, 1.0))
            pitch = k.let("pitch", k.extent(rank - 1) + pad)
            place = k.index[0]
            for axis in range(1, rank - 1):
                place = place * k.extent(axis) + k.index[axis]
            place = k.let("source", place * pitch + k.index[-1])
            value = data[within(place, padded)]
            doc = f"Reads rows of a flat array that are padded by {pad} elements"
        case "halves":
            axis = k.rng.below(rank)
            evens, odds = (
                k.array(one, k.real, sizes, uniform(-1.0, 1.0))[k.index] for one in ("evens", "odds")
            )
            value = ops.where((k.index[axis] % 2).equals(0), evens, odds)
            doc = f"Takes even places along axis {axis} from one grid and odd ones from another"
        case _:
            bits = k.rng.pick(2, 4, 8)
            words = k.array("packed_words", I32, sizes, whole(0, 2**24 - 1))
            first = k.rng.pick(0, bits, 2 * bits)
            code = k.let("code", (words[k.index] >> first if first else words[k.index]) & (2**bits - 1))
            value = convert(k.real, code) * round(1.0 / (2**bits - 1), 4)
            doc = f"Unpacks {bits} bits, from bit {first} on, of a word for each cell"
    if extra is not None:
        value = extra * value
        k.notes.append(f"Values are scaled by {told(extra)}")
    if k.rng.chance(0.5):
        value = value + read(k, "offset", -0.5, 0.5)
        k.notes.append("An offset for each cell is added")
    finish(k, k.rng.pick("cell_value", "level", "field_value"), value, doc)


def coarsen(k: Builder, rank: int) -> None:
    """Coarser levels of a grid: means, extremes, counts of the cells that a cell replaces."""
    start(k, rank)
    factor = 2 if rank == 3 or k.rng.chance(0.7) else k.rng.pick(3, 4)
    name = k.rng.pick("fine", "image", "level", "volume" if rank == 3 else "pixels")
    data = k.array(plural(name), k.real, [f"{factor} * {one}" for one in k.shape], uniform(-1.0, 1.0))
    kind = k.rng.pick("mean", "largest", "smallest", "range", "weighted", "positive", "energy", "first")
    base = [factor * one for one in k.index]
    if k.rng.chance(0.4):
        base = [k.let(f"base_{axis}", one) for axis, one in enumerate(base)]
    count = factor**rank
    if factor == 2 and rank == 2 and k.rng.chance(0.5) and kind in ("mean", "largest", "smallest", "energy"):
        corners = [
            k.let(f"v{a}{b}", data[base[0] + a if a else base[0], base[1] + b if b else base[1]])
            for a in (0, 1)
            for b in (0, 1)
        ]
        total = corners[0] * corners[0] if kind == "energy" else corners[0]
        for one in corners[1:]:
            match kind:
                case "largest":
                    total = ops.max(total, one)
                case "smallest":
                    total = ops.min(total, one)
                case "energy":
                    total = total + one * one
                case _:
                    total = total + one
        value = total / float(count) if kind in ("mean", "energy") else total
        finish(k, "coarse_value", value, f"{_POOLS[kind]} of the {count} cells that a coarse cell replaces")
        return
    start_value = -2.0 if kind in ("largest", "range") else 2.0 if kind == "smallest" else 0.0
    total = k.var("best" if kind in ("largest", "smallest") else "total", start_value)
    low = k.var("lowest", 2.0) if kind == "range" else None
    weights = (
        k.array("weights", k.real, [str(factor)] * rank, uniform(0.1, 0.5)) if kind == "weighted" else None
    )
    limit = coefficient(k, "threshold", -0.5, 0.5, kinds="lp") if kind == "positive" else None

    def visit(offsets: list[Expr]) -> None:
        x: Expr = data[tuple(one + offset for one, offset in zip(base, offsets, strict=True))]
        if kind in ("range", "energy", "positive"):
            x = k.let("x", x)
        match kind:
            case "largest":
                k.set(total, ops.max(total, x))
            case "smallest":
                k.set(total, ops.min(total, x))
            case "range":
                assert low is not None
                k.set(total, ops.max(total, x))
                k.set(low, ops.min(low, x))
            case "weighted":
                assert weights is not None
                k.add(total, weights[tuple(offsets)] * x)
            case "positive":
                assert limit is not None
                with k.when(x > limit):
                    k.add(total, x - limit)
            case "energy":
                k.add(total, x * x)
            case "first":
                k.add(total, ops.abs(x))
            case _:
                k.add(total, x)

    with k.loop("a", 0, factor) as a, k.loop("b", 0, factor) as b:
        if rank == 3:
            with k.loop("c", 0, factor) as c:
                visit([a, b, c])
        else:
            visit([a, b])
    bounded(total, -2.0 * count, 2.0 * count)
    value = total - bounded(low, -1.0, 1.0) if low is not None else total
    if kind in ("mean", "energy", "first"):
        value = total / float(count) if k.rng.chance(0.5) else total * round(1.0 / count, 6)
    finish(k, "coarse_value", value, f"{_POOLS[kind]} of the {count} cells that a coarse cell replaces")


_POOLS = {
    "mean": "Mean",
    "largest": "Largest",
    "smallest": "Smallest",
    "range": "Largest minus smallest",
    "weighted": "Weighted sum",
    "positive": "Sum of the excess over a threshold",
    "energy": "Mean square",
    "first": "Mean magnitude",
}


def colors(k: Builder, rank: int) -> None:
    """Cells that are treated by the color that they have in a pattern."""
    start(k, rank)
    x = signal(k, k.rng.pick("value", "density", "level"), -1.0, 1.0)
    block = k.rng.pick(1, 1, 2, 4)
    axes = list(range(rank)) if k.rng.chance(0.7) else k.rng.shuffled(range(rank))[:1]
    if min(k.largest(k.shape[axis]) for axis in axes) < 2 * block:
        block = 1
    parts = [k.index[axis] // block if block > 1 else k.index[axis] for axis in axes]
    number = k.rng.pick(2, 2, 3, 4) if min(k.largest(k.shape[axis]) for axis in axes) > 4 else 2
    total = parts[0]
    for one in parts[1:]:
        total = total + one
    color = k.let(k.rng.pick("color", "parity", "phase"), total % number)
    pattern = f"{'stripes' if len(axes) == 1 else 'a checkerboard'} of {number} colors, {block} cells wide"
    way = k.rng.pick("where", "branch", "table", "scaled", "mixed")
    shaped, word = curve(k, k.let("x", x)) if way in ("where", "branch", "table") else (x, "")
    match way:
        case "where":
            value = ops.where(color.equals(k.rng.below(number)), shaped, k.rng.number(0.2, 0.8) * x)
            doc = f"One color of {pattern} {through(word)}, others are scaled"
        case "branch":
            result = k.var("result", x)
            with k.when(color.equals(0)):
                k.set(result, shaped)
            if number > 2:
                with k.orwhen(color.equals(1)):
                    k.set(result, -x)
            value, doc = (
                result,
                f"Color 0 of {pattern} {through(word)}" + ("; color 1 changes sign" if number > 2 else ""),
            )
        case "table":
            weights = k.array("color_weights", k.real, [str(number)], uniform(-1.0, 1.0))
            value, doc = (
                weights[color] * shaped,
                f"Each color of {pattern} has a weight; the value {through(word)}",
            )
        case "scaled":
            step = coefficient(k, "step", 0.1, 0.5)
            value, doc = x + step * convert(k.real, color), f"Each color of {pattern} is lifted by its number"
        case _:
            other = read(k, "alternative", -1.0, 1.0)
            value = ops.where(color.equals(0), x, ops.lerp(x, other, k.rng.number(0.2, 0.8)))
            doc = f"All but color 0 of {pattern} are mixed with an alternative"
    finish(k, "colored", value, doc)


def borders(k: Builder, rank: int) -> None:
    """What depends on how far a cell lies from the grid's border."""
    start(k, rank)
    reach: Expr | None = None
    how = k.rng.pick("nearest", "nearest", "sum", "one axis")
    longest = max(range(rank), key=lambda axis: k.largest(k.shape[axis]))
    wide = [axis for axis in range(rank) if k.largest(k.shape[axis]) >= 8] or [longest]
    for axis in wide if how != "one axis" else [k.rng.pick(*wide)]:
        step = ops.min(k.index[axis], k.extent(axis) - 1 - k.index[axis])
        if how != "one axis" and k.rng.chance(0.5):
            step = k.let(f"depth_{axis}", step)
        reach = step if reach is None else ops.min(reach, step) if how == "nearest" else reach + step
    assert reach is not None
    depth = k.let("depth", reach)
    width = k.rng.pick(2, 3, 4, 6)
    value: Expr
    x = read(k, k.rng.pick("field", "pressure", "wave"), -1.0, 1.0)
    match k.rng.pick("sponge", "taper", "frame", "layers", "mask"):
        case "sponge":
            strength = coefficient(k, "absorption", 0.1, 0.8)
            share = k.let("share", convert(k.real, ops.max(width - depth, 0)) / float(width))
            value = x * ops.exp(-strength * share * share)
            doc = f"Damps a field in a sponge layer of {width} cells"
        case "taper":
            part = bounded(
                k.let("share", ops.min((convert(k.real, depth) + 0.5) / float(width), 1.0)), 0.0, 1.0
            )
            smooth = k.rng.chance(0.5)
            window = part * part * (3.0 - 2.0 * part) if smooth else 0.5 - 0.5 * ops.cos(3.141593 * part)
            value, doc = x * window, f"Fades a field out towards the border over {width} cells"
        case "frame":
            edge = coefficient(k, "edge_value", -0.8, 0.8, kinds="lp")
            result = k.var("result", x)
            with k.when(depth < 2):
                k.set(result, edge)
            value, doc = result, f"Sets a frame of 2 cells to {told(edge)}"
        case "layers":
            layer = ops.min(depth, width)
            levels = k.array("layer_levels", k.real, [str(width + 1)], uniform(-1.0, 1.0))
            value, doc = (
                x + levels[layer],
                f"Adds a level for each of the outer {width} layers and one for the rest",
            )
        case _:
            inner = read(k, "interior_value", -1.0, 1.0)
            value = ops.where(depth < width, x, inner)
            doc = f"Takes the outer {width} layers from one grid and the rest from another"
    words = {
        "nearest": "the nearest border of the long axes",
        "sum": "the borders of the long axes, summed up",
        "one axis": "the borders of one long axis",
    }
    k.notes.append(f"Depth is counted from {words[how]}")
    finish(k, "bordered_field", value, doc)


def line_sums(k: Builder, rank: int) -> None:
    """Each cell looks along a line through it: prefix sums, shadows, first hits."""
    start(k, rank)
    axis = k.rng.below(rank)
    if k.largest(k.shape[axis]) > 64 and k.rng.chance(0.7):
        axis = next((one for one in range(rank) if k.largest(k.shape[one]) <= 64), axis)
    here = k.index[axis]
    window = k.rng.pick(3, 4, 6, 8) if k.largest(k.shape[axis]) > 64 else None
    data = k.array(k.rng.pick("heights", "density_grid", "opacities"), k.real, k.shape, uniform(0.0, 1.0))
    kind = k.rng.pick("sum", "largest", "shade", "count", "faded")
    own = k.let("own", data[k.index]) if kind in ("shade", "count") else None
    fade = coefficient(k, "fade", 0.4, 0.9, kinds="lp") if kind == "faded" else None
    total = k.var("highest" if kind in ("largest", "shade") else "total", 0.0)
    ahead = k.rng.chance(0.4)
    thickness = None
    if kind in ("sum", "faded") and k.rng.chance(0.5):
        thickness = k.array("thicknesses", k.real, [k.shape[axis]], uniform(0.2, 1.0))
        k.notes.append("Each cell counts with the thickness that its place on the axis has")
    begin: Expr | int = 0
    end = here + 1
    if ahead:
        size = k.extent(axis)
        begin, end = here, k.let("end", ops.min(here + window, size)) if window else size
    elif window:
        begin = k.let("begin", ops.max(here - (window - 1), 0))
    with k.loop("s", begin, end) as s:
        places = tuple(s if at == axis else one for at, one in enumerate(k.index))
        found: Expr = data[places] if thickness is None else thickness[s] * data[places]
        match kind:
            case "sum":
                k.add(total, found)
            case "largest":
                k.set(total, ops.max(total, data[places]))
            case "faded":
                assert fade is not None
                k.set(total, fade * total + found)
            case "shade":
                k.set(
                    total,
                    ops.max(
                        total,
                        data[places]
                        - k.rng.number(0.02, 0.1) * convert(k.real, s - here if ahead else here - s),
                    ),
                )
            case _:
                assert own is not None
                with k.when(data[places] > own):
                    k.add(total, 1.0)
    most = float(window or k.largest(k.shape[axis]))
    bounded(total, 0.0, {"largest": 1.0, "shade": 1.0, "faded": min(most, 10.0)}.get(kind, most))
    value: Expr = total
    if kind == "shade":
        assert own is not None
        value = ops.max(total - own, 0.0)
    words = {
        "sum": "Sum of",
        "largest": "Largest of",
        "faded": "Sum, with earlier cells fading, of",
        "shade": "How deep each cell lies in the shadow of",
        "count": "How many exceed the cell's own value of",
    }[kind]
    span = f"the {window} cells that end with it" if window else "the cells up to it"
    if ahead:
        span = f"the {window} cells that begin with it" if window else "the cells from it on"
    finish(k, "line_value", value, f"{words} {span} along axis {axis}")
