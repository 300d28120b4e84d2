"""Borders, ghost layers, lines through a cell."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, ops, within
from weft.kernels.idioms.lattice.cells import reaching, start
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import (
    coefficient,
    read,
    told,
    uniform,
)
from weft.types import Vector


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


def ghost_layers(k: Builder, rank: int) -> None:
    """Grids with a layer around them that saves the tests at the border."""
    start(k, rank)
    wide = k.rng.pick(1, 1, 2)
    filling = k.rng.chance(0.35)
    if filling:
        inner = k.array("interior", k.real, k.shape, uniform(-1.0, 1.0))
        places: list[Expr] = []
        kind = k.rng.pick("repeated", "periodic", "mirrored")
        axis = k.rng.below(rank)
        for number, one in enumerate(k.index):
            if number != axis:
                places.append(one)
                continue
            size = k.extent(number)
            shifted = one - wide
            match kind:
                case "repeated":
                    places.append(k.let("inside", ops.clamp(shifted, 0, size - 1)))
                case "periodic":
                    places.append(k.let("inside", (shifted + wide * size) % size))
                case _:
                    places.append(k.let("inside", ops.min(ops.abs(shifted), size - 1)))
        value = inner[tuple(places)]
        if k.rng.chance(0.5):
            value = value - coefficient(k, "inflow", 0.1, 0.8) * read(k, "wall_value", -1.0, 1.0)
            k.notes.append("A wall value is subtracted")
        finish(
            k,
            "padded_value",
            value,
            f"Shifts a grid by {wide} along axis {axis}, so that a {kind} layer precedes it",
        )
        return
    shape = [f"{one} + {2 * wide}" for one in k.shape]
    data = k.array(k.rng.pick("padded", "ghosted"), k.real, shape, uniform(-1.0, 1.0))

    def at(*offsets: int) -> Expr:
        return data[
            tuple(
                within(one + (wide + offset), shape[axis]) if wide + offset else reaching(one, shape[axis])
                for axis, (one, offset) in enumerate(zip(k.index, offsets, strict=True))
            )
        ]

    def beside(axis: int, step: int) -> Expr:
        return at(*(step if one == axis else 0 for one in range(rank)))

    center = k.let("center", at(*[0] * rank))
    kind = k.rng.pick("laplacian", "smooth", "gradient", "cross", "extreme", "transport")
    axis = k.rng.below(rank)
    match kind:
        case "laplacian":
            total: Expr | None = None
            for side_axis in k.rng.shuffled(range(rank)):
                side = beside(side_axis, -1) + beside(side_axis, 1)
                total = side if total is None else total + side
            assert total is not None
            value = center + coefficient(k, "alpha", 0.02, 0.15) * (total - 2.0 * rank * center)
            doc = "One step of diffusion"
        case "smooth":
            near = beside(axis, -1) + beside(axis, 1)
            value = k.rng.number(0.4, 0.6) * center + k.rng.number(0.2, 0.3) * near
            if wide == 2:
                value = value - k.rng.number(0.02, 0.06) * (beside(axis, -2) + beside(axis, 2))
            doc = f"A smoothing filter along axis {axis}"
        case "gradient":
            parts = [0.5 * (beside(one, 1) - beside(one, -1)) for one in range(rank)]
            value = construct(Vector(rank, k.real), *parts) * (1.0 + 0.1 * center)
            doc = "The gradient, slightly larger where the value is"
        case "cross":
            total = center
            for first in range(rank):
                other = (first + 1) % rank
                steps = [0] * rank
                steps[first], steps[other] = 1, -1
                total = total - k.rng.number(0.1, 0.4) * at(*steps)
            value, doc = total, "The value less some of its diagonal neighbours"
        case "extreme":
            value = center
            for across in range(rank):
                value = ops.max(value, ops.max(beside(across, -1), beside(across, 1)))
            value, doc = value - center, "How much larger the largest neighbour is"
        case _:
            speed = read(k, "velocity", -1.0, 1.0)
            upwind = ops.where(speed > 0.0, center - beside(axis, -1), beside(axis, 1) - center)
            value = center - coefficient(k, "dt", 0.1, 0.5, kinds="lp") * speed * upwind
            doc = f"One upwind step along axis {axis}"
    cells = "1 ghost cell" if wide == 1 else f"{wide} ghost cells"
    finish(k, "interior_value", value, f"{doc}; the input has {cells} on each side")
