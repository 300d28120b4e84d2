"""Averages over corners."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops, within
from weft.kernels.idioms.lattice.cells import reaching, start
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import (
    coefficient,
    read,
    uniform,
)


def corner_average(k: Builder, rank: int) -> None:
    """Cells between nodes, or nodes between cells: averages, slopes, cases of the corners."""
    start(k, rank)
    to_cells = k.rng.chance(0.6)
    shape = [f"{one} + 1" for one in k.shape] if to_cells else list(k.shape)
    name = k.rng.pick("nodes", "heights", "potentials") if to_cells else k.rng.pick("cells", "densities")
    data = k.array(name, k.real, shape, uniform(-1.0, 1.0))
    kind = k.rng.pick("mean", "largest", "slope", "case", "mixed", "spread", "corner")
    level = coefficient(k, "iso_level", -0.4, 0.4, kinds="lp") if kind == "case" else None
    names = ["a", "b", "c"][:rank]

    def value_at(offsets: list[Expr | int]) -> Expr:
        places = []
        for axis, (index, offset) in enumerate(zip(k.index, offsets, strict=True)):
            if to_cells:
                moved = index + offset if isinstance(offset, Expr) or offset else reaching(index, shape[axis])
                places.append(within(moved, shape[axis]) if moved is not index else moved)
            elif isinstance(offset, Expr):
                places.append(ops.max(index - offset, 0))
            else:
                places.append(ops.max(index - offset, 0) if offset else index)
        return data[tuple(places)]

    where = "node values around each cell" if to_cells else "cell values around each node; the border repeats"
    if rank == 2 and k.rng.chance(0.5):
        corners = {(a, b): k.let(f"v{a}{b}", value_at([a, b])) for a in (0, 1) for b in (0, 1)}
        v00, v01, v10, v11 = corners.values()
        match kind:
            case "case":
                assert level is not None
                code = ops.where(v00 > level, lift(1, I32), lift(0, I32))
                for at, one in enumerate((v01, v11, v10), 1):
                    code = code | ops.where(one > level, lift(2**at, I32), lift(0, I32))
                finish(
                    k,
                    "case_index",
                    code,
                    f"Index of the marching-squares case from the {where}",
                )
            case "slope":
                axis = k.rng.below(2)
                slope = 0.5 * (v10 + v11 - v00 - v01) if axis == 0 else 0.5 * (v01 + v11 - v00 - v10)
                finish(
                    k,
                    "slope",
                    slope * coefficient(k, "scale", 0.5, 3.0),
                    f"Slope along axis {axis} of the {where}",
                )
            case "largest":
                finish(k, "peak", ops.max(ops.max(v00, v01), ops.max(v10, v11)), f"Largest of the {where}")
            case "mixed":
                finish(k, "twist", v00 + v11 - v01 - v10, f"Mixed difference of the {where}")
            case "spread":
                top, low = (
                    ops.max(ops.max(v00, v01), ops.max(v10, v11)),
                    ops.min(ops.min(v00, v01), ops.min(v10, v11)),
                )
                finish(k, "spread", top - low, f"Largest minus smallest of the {where}")
            case "corner":
                s, t = read(k, "s", 0.0, 1.0, array="s_values"), read(k, "t", 0.0, 1.0, array="t_values")
                near = k.let("near", ops.lerp(v00, v01, t))
                finish(k, "sample", ops.lerp(near, ops.lerp(v10, v11, t), s), f"Bilinear mix of the {where}")
            case _:
                finish(k, "average", 0.25 * (v00 + v01 + v10 + v11), f"Mean of the {where}")
        return
    count = 2**rank
    if kind == "case":
        total = k.var("case_index", 0, type=I32, bounds=(0, count * count - 1))
    else:
        total = k.var("total", -2.0 if kind in ("largest", "spread") else 0.0)
    lowest = k.var("lowest", 2.0) if kind == "spread" else None
    axis = k.rng.below(rank)
    share = coefficient(k, "share", 0.1, 0.9, kinds="lp") if kind == "corner" else None

    def visit(offsets: list[Expr]) -> None:
        x = value_at(list(offsets))
        match kind:
            case "case":
                assert level is not None
                bit: Expr = offsets[0]
                for one in offsets[1:]:
                    bit = 2 * bit + one
                with k.when(x > level):
                    k.set(
                        total,
                        bounded(total | (lift(1, I32) << bounded(bit, 0, count - 1)), 0, count * count - 1),
                    )
            case "largest":
                k.set(total, ops.max(total, x))
            case "spread":
                assert lowest is not None
                x = k.let("x", x)
                k.set(total, ops.max(total, x))
                k.set(lowest, ops.min(lowest, x))
            case "slope":
                k.add(total, convert(k.real, 2 * offsets[axis] - 1) * x)
            case "mixed":
                sign = 1 - 2 * ((offsets[0] + offsets[1]) % 2)
                k.add(total, convert(k.real, sign) * x)
            case "corner":
                assert share is not None
                k.add(total, ops.where(offsets[axis].equals(0), 1.0 - share, share) * x)
            case _:
                k.add(total, x)

    with k.loop(names[0], 0, 2) as a, k.loop(names[1], 0, 2) as b:
        if rank == 3:
            with k.loop(names[2], 0, 2) as c:
                visit([a, b, c])
        else:
            visit([a, b])
    if kind == "case":
        title = "marching-cubes" if rank == 3 else "marching-squares"
        finish(
            k,
            "case_code",
            total,
            f"Index of the {title} case from the {where}, the last axis first",
        )
        return
    bounded(total, -float(count), float(count))
    value: Expr = total
    words = {
        "mean": "Mean",
        "largest": "Largest",
        "spread": "Largest minus smallest",
        "slope": f"Difference along axis {axis}",
        "mixed": "Mixed difference along the first two axes",
        "corner": f"Mix along axis {axis}",
    }[kind]
    if kind in ("mean", "slope", "corner"):
        value = total * (1.0 / count if kind == "mean" else 2.0 / count)
    if lowest is not None:
        value = total - bounded(lowest, -1.0, 1.0)
    match k.rng.below(4):
        case 0:
            value = value * read(k, "porosity", 0.2, 1.0)
            k.notes.append("Each place has a porosity as a factor")
        case 1:
            value = value + coefficient(k, "datum", -0.5, 0.5)
            k.notes.append("A datum is added")
        case 2:
            before = read(k, "previous", -1.0, 1.0, array="previous_values")
            value = value - before
            k.notes.append("The previous value is subtracted")
        case _:
            pass
    finish(k, "average" if kind == "mean" else "corner_value", value, f"{words} of the {where}")
