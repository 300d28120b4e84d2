"""Layouts in memory, coarser levels, colors of cells, interleaved grids."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops, within
from weft.kernels.idioms.lattice.cells import start
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import (
    coefficient,
    curve,
    plural,
    read,
    through,
    told,
    uniform,
    whole,
)


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
    x = read(k, k.rng.pick("value", "density", "level"), -1.0, 1.0)
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
    cells = "1 cell" if block == 1 else f"{block} cells"
    pattern = f"{'stripes' if len(axes) == 1 else 'a checkerboard'} of {number} colors in fields of {cells}"
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


def interleaved(k: Builder, rank: int) -> None:
    """Numbers of cells in curves, tiles and blocks."""
    start(k, rank)
    bits = 4 if rank == 2 else 3
    edge = 2**bits
    kind = k.rng.pick("morton", "tiles", "gray", "snake", "diagonal")
    data = k.array(k.rng.pick("table", "ordered_values"), k.real, [str(edge**rank)], uniform(-1.0, 1.0))
    local = [one & (edge - 1) if k.rng.chance(0.5) else one % edge for one in k.index]
    local = [k.let(f"{'xyz'[at]}_local", one) for at, one in enumerate(local)]
    match kind:
        case "morton":
            code = k.var("code", 0, type=I32, bounds=(0, edge**rank - 1))
            with k.loop("bit", 0, bits) as bit:
                for at, one in enumerate(local):
                    part = ((one >> bit) & 1) << (rank * bit + at)
                    k.set(code, bounded(code | part, 0, edge**rank - 1))
            place: Expr = code
            word = "in Morton order"
        case "tiles":
            small = k.rng.pick(2, 4) if edge > 4 else 2
            across = edge // small
            tile, inside = local[0] // small, local[0] % small
            for one in local[1:]:
                tile, inside = tile * across + one // small, inside * small + one % small
            place = tile * small**rank + inside
            word = f"in tiles of {small} cells along each axis"
        case "gray":
            codes = [one ^ (one >> 1) for one in local]
            place = codes[0]
            for one in codes[1:]:
                place = place * edge + one
            word = "by Gray codes"
        case "snake":
            last = local[-1]
            turned = k.let("turned", ops.where((local[-2] % 2).equals(1), (edge - 1) - last, last))
            place = local[0]
            for one in [*local[1:-1], turned]:
                place = place * edge + one
            word = "in rows that turn around"
        case _:
            total = local[0]
            for one in local[1:]:
                total = total + one
            place = (total % edge) * edge ** (rank - 1) + local[-1]
            word = "by diagonals"
    place = k.let("place", bounded(place, 0, edge**rank - 1))
    value: Expr = data[place]
    if k.rng.chance(0.4):
        shaped, name = curve(k, value)
        value = shaped
        k.notes.append(f"The entry {through(name)}")
    if k.rng.chance(0.6):
        value = coefficient(k, "gain", 0.4, 2.0) * value
    if k.rng.chance(0.5):
        value = value + read(k, "residue", -0.5, 0.5)
        k.notes.append("A number of each cell is added")
    finish(k, "entry", value, f"Reads blocks of {edge} cells along each axis from a table {word}")
