"""Signed distances, and level sets of them."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops
from weft.kernels.idioms.lattice.cells import start
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import (
    article,
    coefficient,
    read,
    told,
    uniform,
)
from weft.types import Vector


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
            finish(k, "cell_label", label, f"{doc}, as 2 inside and close, 1 near, 0 far away")
        case "density":
            fall = k.rng.number(0.5, 3.0)
            shade = ops.exp(-fall * ops.max(value, 0.0))
            finish(k, "density", shade * read(k, "weight", 0.2, 1.0), f"Density that decays outside. {doc}")
        case _:
            finish(k, "distance", value, doc)


def level_set(k: Builder, rank: int) -> None:
    """Level sets: smeared steps, curvature, reinitialization, motion along the normal."""
    start(k, rank)
    phi = field(k, "phi", -1.0, 1.0, boundaries=("clamped", "periodic"))
    here = k.let("here", phi.array[k.index])
    kind = k.rng.pick("normal", "reinit", "step", "curvature", "crossing", "speed")
    width = k.rng.number(0.2, 0.6)
    axes = k.rng.shuffled(range(rank))
    match kind:
        case "step":
            ramp = bounded(k.let("ramp", ops.clamp(0.5 + 0.5 * here / width, 0.0, 1.0)), 0.0, 1.0)
            shaped = (
                ramp * ramp * (3.0 - 2.0 * ramp)
                if k.rng.chance(0.5)
                else 0.5 - 0.5 * ops.cos(3.141593 * ramp)
            )
            inner, outer = (
                coefficient(k, "inner_density", 0.5, 2.0),
                coefficient(k, "outer_density", 0.1, 0.4),
            )
            before, after = phi.pair(axes[0])
            mixed = inner + (outer - inner) * shaped
            value = mixed * (1.0 + 0.1 * ops.abs(after - before))
            finish(
                k,
                "density",
                value,
                f"Density across a smeared interface, larger where axis {axes[0]} crosses it",
            )
        case "normal":
            parts = [
                k.let(f"slope_{axis}", 0.5 * (phi.beside(axis, 1) - phi.beside(axis, -1)))
                for axis in range(rank)
            ]
            square = parts[0] * parts[0]
            for one in parts[1:]:
                square = square + one * one
            value = construct(Vector(rank, k.real), *parts) / ops.sqrt(square + k.rng.number(0.01, 0.1))
            finish(k, "normal", value * (1.0 - 0.2 * here), "Softened normal of a level set, longer inside")
        case "curvature":
            steep: Expr | None = None
            total: Expr | None = None
            for axis in axes:
                before, after = phi.pair(axis)
                slope = k.let(f"slope_{axis}", 0.5 * (after - before))
                bend = before + after - 2.0 * here
                steep = slope * slope if steep is None else steep + slope * slope
                total = bend if total is None else total + bend
            assert total is not None and steep is not None
            value = here + coefficient(k, "tension", 0.02, 0.1) * total / (1.0 + steep)
            finish(k, "new_phi", value, "One step of smoothing of a level set, slower where it is steep")
        case "crossing":
            nearest = k.var("nearest", 1.0)
            for axis in axes[: k.rng.pick(1, rank)]:
                other = phi.beside(axis, 1)
                other = k.let(f"next_{axis}", other)
                with k.when(here * other < 0.0):
                    gap = bounded(ops.abs(here) + ops.abs(other), 0.0, 2.0) + 0.05
                    k.set(nearest, ops.min(nearest, ops.abs(here) / gap))
            finish(
                k,
                "crossing",
                bounded(nearest, 0.0, 1.0),
                "Share of the way to the nearest sign change, 1 where there is none",
            )
        case _:
            outward = kind == "speed"
            total = None
            for axis in axes:
                before, after = phi.pair(axis)
                back, forth = here - before, after - here
                if outward:
                    a, b = ops.max(back, 0.0), ops.min(forth, 0.0)
                else:
                    a, b = ops.max(ops.abs(back), ops.abs(forth)), lift(0.0, k.real)
                part = a * a + b * b if outward else k.let(f"steep_{axis}", a) * 0.5
                total = part if total is None else total + part
            assert total is not None
            if outward:
                speed = read(k, "speed", 0.1, 1.0)
                dt = coefficient(k, "dt", 0.05, 0.3, kinds="lp")
                value = here - dt * speed * ops.sqrt(total + k.rng.number(0.001, 0.01))
                finish(k, "new_phi", value, "Moves a level set outwards by Godunov's scheme, softened")
            else:
                sign = here / ops.sqrt(here * here + width)
                dt = coefficient(k, "dt", 0.05, 0.4, kinds="lp")
                finish(
                    k,
                    "new_phi",
                    here - dt * sign * (total - 1.0),
                    "One step that makes a level set's slope one, roughly",
                )
