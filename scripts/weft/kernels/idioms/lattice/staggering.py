"""Staggered fields and projection."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, ops, within
from weft.kernels.idioms.lattice.cells import reaching, start
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import (
    coefficient,
    read,
    uniform,
    whole,
)
from weft.types import Vector


def _faces(k: Builder, axis: int, name: str) -> tuple[Expr, Expr]:
    """The values at the two faces of this thread's cell across one axis of a staggered grid."""
    shape = [f"{one} + 1" if at == axis else one for at, one in enumerate(k.shape)]
    data = k.array(name, k.real, shape, uniform(-1.0, 1.0))
    low = [reaching(one, shape[at]) if at == axis else one for at, one in enumerate(k.index)]
    high = [within(one + 1, shape[at]) if at == axis else one for at, one in enumerate(k.index)]
    return data[tuple(low)], data[tuple(high)]


def staggered(k: Builder, rank: int) -> None:
    """Velocities on faces: divergence, cell velocities, fluxes."""
    start(k, rank)
    letters = k.rng.pick("uvw", "xyz")
    axes = k.rng.shuffled(range(rank))
    pairs = []
    for axis in axes:
        low, high = _faces(k, axis, f"faces_{letters[axis]}")
        if k.rng.chance(0.4):
            low, high = k.let(f"low_{letters[axis]}", low), k.let(f"high_{letters[axis]}", high)
        pairs.append((axis, low, high))
    kind = k.rng.pick("divergence", "divergence", "velocity", "energy", "stretch", "upwind", "courant")
    match kind:
        case "divergence":
            total: Expr | None = None
            scaled = k.rng.chance(0.4)
            for axis, low, high in pairs:
                part = high - low
                if scaled:
                    part = coefficient(k, f"inverse_d{letters[axis]}", 0.5, 3.0, kinds="lp") * part
                total = part if total is None else total + part
            assert total is not None
            if not scaled:
                total = coefficient(k, "inverse_spacing", 0.5, 4.0, kinds="lp") * total
            doc = "Divergence of a velocity that is stored on faces"
            if k.rng.chance(0.3):
                total = total - read(k, "source", -0.5, 0.5)
                doc += ", less a source"
            finish(k, "divergence", total, doc)
        case "velocity":
            means = {axis: 0.5 * (low + high) for axis, low, high in pairs}
            value = construct(Vector(rank, k.real), *(means[axis] for axis in range(rank)))
            finish(k, "velocity", value, "Velocity at cell centers from the means of opposite faces")
        case "energy":
            total = None
            for axis, low, high in pairs:
                mean = k.let(f"mean_{letters[axis]}", 0.5 * (low + high))
                total = mean * mean if total is None else total + mean * mean
            assert total is not None
            value = 0.5 * read(k, "density", 0.5, 2.0) * total
            finish(k, "kinetic_energy", value, "Kinetic energy of each cell from the velocities on its faces")
        case "stretch":
            best: Expr | None = None
            for _, low, high in pairs:
                part = ops.abs(high - low)
                best = part if best is None else ops.max(best, part)
            assert best is not None
            finish(
                k,
                "strain",
                best * coefficient(k, "viscosity", 0.2, 2.0),
                "Largest stretching of a cell along an axis",
            )
        case "upwind":
            q = field(k, "tracers", 0.0, 1.0)
            here = k.let("here", q.array[k.index])
            flux: Expr | None = None
            for axis, low, high in pairs:
                before, after = q.beside(axis, -1), q.beside(axis, 1)
                inward = ops.max(low, 0.0) * before + ops.min(low, 0.0) * here
                outward = ops.max(high, 0.0) * here + ops.min(high, 0.0) * after
                part = k.let(f"gain_{letters[axis]}", inward - outward)
                flux = part if flux is None else flux + part
            assert flux is not None
            value = here + coefficient(k, "dt", 0.05, 0.3, kinds="lp") * flux
            finish(k, "new_tracer", value, "Upwind transport of a tracer by velocities on faces")
        case _:
            best = None
            for _, low, high in pairs:
                part = ops.max(ops.abs(low), ops.abs(high))
                best = part if best is None else best + part
            assert best is not None
            dt = coefficient(k, "dt", 0.05, 0.5)
            finish(
                k, "courant_number", dt * best, "Courant number of each cell from the velocities on its faces"
            )


def projection(k: Builder, rank: int) -> None:
    """Pressure: relaxation, residuals, and the velocity without its gradient."""
    start(k, rank)
    p = field(k, k.rng.pick("pressure", "potential"), -1.0, 1.0)
    kind = k.rng.pick("gradient", "residual", "relax", "solid", "flux")
    axes = k.rng.shuffled(range(rank))
    spacing = coefficient(k, "inverse_spacing", 0.5, 2.0, kinds="lp")
    if kind == "gradient":
        parts = [0.5 * (p.beside(axis, 1) - p.beside(axis, -1)) for axis in range(rank)]
        space = Vector(rank, k.real)
        v = read(k, "velocity", -1.0, 1.0, space)
        slope = k.let("slope", construct(space, *parts))
        finish(k, "new_velocity", v - spacing * slope, "Velocity of each cell less the pressure's gradient")
        return
    here = k.let("here", p.array[k.index])
    if kind == "flux":
        axis = axes[0]
        v = read(k, "face_velocity", -1.0, 1.0)
        rho = read(k, "density", 0.5, 2.0)
        value = v - spacing * (here - p.beside(axis, -1)) / rho
        finish(
            k,
            "new_face",
            value,
            f"Velocity on the lower face across axis {axis} less the pressure's difference",
        )
        return
    solid = k.array("solid", I32, k.shape, whole(0, 1))[k.index] if kind == "solid" else None
    total: Expr | None = None
    for axis in axes:
        side = p.beside(axis, -1) + p.beside(axis, 1)
        total = side if total is None else total + side
    assert total is not None
    around = k.let("around", total)
    rhs = read(k, "divergence", -1.0, 1.0)
    if kind == "residual":
        finish(
            k, "residual", rhs - spacing * (around - 2.0 * rank * here), "Residual of the pressure equation"
        )
        return
    goal = (around - rhs / spacing) / (2.0 * rank)
    omega = coefficient(k, "omega", 0.5, 1.6) if k.rng.chance(0.6) else None
    value = here + omega * (goal - here) if omega is not None else goal
    if omega is None and solid is None:
        value = k.rng.number(0.6, 0.9) * goal + 0.1 * here
    doc = "One relaxation step of the pressure equation"
    if solid is not None:
        value = ops.where(solid.equals(1), here, value)
        doc += "; solid cells keep their pressure"
    finish(k, "new_pressure", value, doc)
