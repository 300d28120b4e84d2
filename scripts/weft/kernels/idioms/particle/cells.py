"""Particles on a grid: the cells that they lie in, and what they add to them."""

from __future__ import annotations

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.idioms.particle.forces import space_of
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform, whole
from weft.types import Scalar, Vector


def _cells(k: Builder, x: Expr, space: Vector) -> tuple[list[Expr], list[int]]:
    """The cell of a position in a grid of a fixed number of cells along each axis."""
    extents = [k.rng.pick(4, 5, 6, 8, 10, 12, 16) for _ in range(space.length)]
    if k.rng.chance(0.5):
        extents = [extents[0]] * space.length
    beyond = k.rng.pick("clamped", "periodic", "inside")
    low = -1.0 if beyond != "inside" else k.rng.number(-1.6, -1.1)
    origin = k.scalar("origin", space, uniform(low - 0.2, low)) if k.rng.chance(0.5) else None
    inverse = coefficient(k, k.rng.pick("inverse_cell", "cells_per_unit"), 2.0, 6.0, kinds="lp")
    local = k.let(
        "local",
        (x - origin if origin is not None else x + construct(space, *[-low] * space.length)) * inverse,
    )
    cells: list[Expr] = []
    for axis, extent in enumerate(extents):
        place = convert(I32, ops.floor(local[axis]))
        if beyond == "periodic":
            place = (k.let(f"raw_{'xyz'[axis]}", place) + 16 * extent) % extent
        else:
            place = ops.clamp(place, 0, extent - 1)
        cells.append(k.let(f"c{'xyz'[axis]}", place))
    k.notes.append(
        "The grid repeats" if beyond == "periodic" else "Positions outside count for the cell at the border"
    )
    return cells, extents


def cell_index(k: Builder) -> None:
    """Numbers of the cells that particles lie in: linear, hashed, interleaved."""
    threads(k, 1, 2, name=k.rng.pick("i", "particle", "tid"))
    space = space_of(k)
    x = read(k, "position", -1.0, 1.0, space)
    cells, extents = _cells(k, x, space)
    kind = k.rng.pick("rows", "columns", "hash", "morton", "parity", "border")
    title = ""
    match kind:
        case "rows" | "columns":
            pairs = list(zip(cells, extents, strict=True))
            pairs = pairs[::-1] if kind == "rows" else pairs
            number, _ = pairs[0]
            for cell, extent in pairs[1:]:
                number = number * extent + cell
            title = (
                f"Number of each particle's cell, axis {0 if kind == 'rows' else space.length - 1} fastest"
            )
        case "hash":
            primes = k.rng.shuffled([7919, 1301, 5231, 3571, 9973])
            number = cells[0] * primes[0]
            for cell, prime in zip(cells[1:], primes[1:], strict=False):
                term = cell * prime
                number = number ^ term if k.rng.chance(0.6) else number + term
            buckets = k.rng.pick(16, 32, 64, 61, 97)
            number = number & (buckets - 1) if buckets in (16, 32, 64) else number % buckets
            title = f"Bucket of each particle's cell in a hash table of {buckets}"
        case "morton":
            bits = 2 if space.length == 3 else 4
            code = k.var("code", 0, type=I32, bounds=(0, 4095))
            with k.loop("bit", 0, bits) as bit:
                part = ((cells[0] >> bit) & 1) << (bit * space.length)
                for axis, cell in enumerate(cells[1:], 1):
                    part = part | (((cell >> bit) & 1) << (bit * space.length + axis))
                k.set(code, bounded(code | part, 0, 4095))
            number = code
            title = f"Code of each particle's cell with interleaved bits, {bits} of each axis"
        case "parity":
            number = cells[0] & 1
            for axis, cell in enumerate(cells[1:], 1):
                number = number + ((cell & 1) << axis)
            title = "Color of each particle's cell, so that no two cells side by side share one"
        case _:
            steps = [ops.min(cell, extent - 1 - cell) for cell, extent in zip(cells, extents, strict=True)]
            number = steps[0]
            for one in steps[1:]:
                number = ops.min(number, one) if k.rng.chance(0.7) else number + one
            title = "Distance of each particle's cell from the border, in cells"
    number = k.let("cell", number)
    if kind in ("rows", "columns") and k.rng.chance(0.3):
        occupied = k.array("cell_levels", I32, [str(_product(extents))], whole(0, 9))
        number = k.let("level", occupied[number])
        title = f"Level that a table has for the cell. {title}"
    finish(k, "cell_number", number, title)


def _product(extents: list[int]) -> int:
    total = 1
    for one in extents:
        total *= one
    return total


def grid_deposit(k: Builder) -> None:
    """Whole numbers that particles add to the cells of a grid."""
    threads(k, 1, name=k.rng.pick("i", "particle", "p"))
    space = space_of(k)
    x = read(k, "position", -1.0, 1.0, space)
    cells, extents = _cells(k, x, space)
    names = ["width", "height", "depth"][: space.length]
    flat = k.rng.chance(0.4)
    if not flat:
        for name, extent in zip(names, extents, strict=True):
            k.sizes[name] = str(extent)
    shape = [str(_product(extents))] if flat else names[::-1]

    def grid(label: str, element: Scalar, start: int = 0) -> ArrayHandle:
        return k.array(label, element, shape, {"constant": start}, "inout")

    if flat:
        number = cells[-1]
        for cell, extent in zip(cells[-2::-1], extents[-2::-1], strict=True):
            number = number * extent + cell
        place: tuple[Expr, ...] = (k.let("cell", number),)
    else:
        place = tuple(cells[::-1])
    kinds = k.rng.shuffled(["mass", "momentum", "extreme", "kind", "spread"])[: k.rng.pick(1, 1, 2)]
    count = kinds == ["spread"] or k.rng.chance(0.6)
    if count:
        k.atomic(k.rng.pick("add", "+="), grid(k.rng.pick("counts", "occupancy"), I32), place, 1)
    words = ["their number"] if count else []
    for kind in kinds:
        match kind:
            case "mass":
                real = k.rng.chance(0.5)
                load = k.array("units", I32, k.shape, whole(1, 20))[k.index]
                mass = k.let("amount", convert(k.real, load) if real else load)
                k.atomic("add", grid("masses", k.real if real else I32), place, mass)
                words.append("masses in whole units")
            case "momentum":
                axis = k.rng.below(space.length)
                v = read(k, "velocity", -1.0, 1.0, space)
                steps = float(k.rng.pick(16, 32, 64))
                moved = k.let("quanta", convert(I32, ops.round(v[axis] * steps)))
                k.atomic("add", grid("momenta", I32), place, moved)
                words.append(f"velocities along axis {axis} in steps of 1/{steps:.0f}")
            case "extreme":
                key = k.array("priorities", I32, k.shape, whole(0, 1000))[k.index]
                way = k.rng.pick("max", "min")
                k.atomic(way, grid("winners", I32, 0 if way == "max" else 1000), place, key)
                words.append(f"the {'largest' if way == 'max' else 'smallest'} priority")
            case "kind":
                kind_of = k.array("kinds", I32, k.shape, whole(0, 2))[k.index]
                chosen = k.rng.pick(0, 1, 2)
                with k.when(kind_of.equals(chosen)):
                    k.atomic("add", grid("chosen_counts", I32), place, 1)
                words.append(f"the number of kind {chosen}")
            case _:
                radius = 1
                axis = k.rng.below(space.length)
                spread = grid("spread_counts", I32)
                with k.loop("shift", -radius, radius + 1) as shift:
                    other = ops.clamp(cells[axis] + shift, 0, extents[axis] - 1)
                    moved_cells = [other if at == axis else one for at, one in enumerate(cells)]
                    if flat:
                        number = moved_cells[-1]
                        for cell, extent in zip(moved_cells[-2::-1], extents[-2::-1], strict=True):
                            number = number * extent + cell
                        k.atomic("add", spread, number, 2 - ops.abs(shift))
                    else:
                        k.atomic("add", spread, tuple(moved_cells[::-1]), 2 - ops.abs(shift))
                words.append(f"a share for three cells along axis {axis}")
    if k.rng.chance(0.5):
        k.store(k.array("cell_of", I32, k.shape, None, "out"), k.target, cells[0] if not flat else place[0])
        k.notes.append(
            "Each particle keeps the number of its cell"
            if flat
            else "Each particle keeps the number of its cell along axis 0"
        )
    listed = ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + words[-1]
    describe(k, f"Particles add to their cell of a grid: {listed}")
