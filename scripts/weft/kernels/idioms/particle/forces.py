"""Forces and energies of particles: pairs, sources, smoothing kernels, images in a box that repeats."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, lift, ops
from weft.kernels.idioms.pairs import each_neighbor, zero
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, told, uniform
from weft.types import Vector


def space_of(k: Builder) -> Vector:
    """A plane or space."""
    return Vector(k.rng.pick(2, 3), k.real)


def turned(v: Expr, space: Vector) -> Expr:
    """A vector, turned by a right angle in the first two axes."""
    return construct(space, -v[1], v[0], *([0.0] if space.length == 3 else []))


def _pair_strength(k: Builder, kind: str, square: Expr, soft: float) -> tuple[Expr, Expr, str]:
    """Force over distance and potential energy of a pair at a squared distance, and their name."""
    near = bounded(k.let("softened", square + soft), soft, 60.0)
    match kind:
        case "gravity":
            inverse = bounded(k.let("inverse", 1.0 / ops.sqrt(near)), 0.1, soft**-0.5)
            return inverse * inverse * inverse, -inverse, "softened gravity"
        case "repulsion":
            inverse = bounded(k.let("inverse", 1.0 / near), 0.01, 1.0 / soft)
            return -inverse * inverse, 0.5 * inverse, "a repulsion that falls with the fourth power"
        case "well":
            ratio = bounded(k.let("ratio", 1.0 / near), 0.01, 1.0 / soft)
            cube = k.let("cube", ratio * ratio * ratio)
            return ratio * cube * (1.0 - 2.0 * cube), cube * (cube - 1.0), "a softened Lennard-Jones law"
        case "yukawa":
            far = bounded(k.let("distance", ops.sqrt(near)), soft**0.5, 8.0)
            fade = k.let("fade", ops.exp(-far) / far)
            return fade * (1.0 + far) / near, -fade, "a screened attraction"
        case _:
            fade = k.let("fade", ops.exp(-bounded(near * k.rng.number(0.3, 1.5), 0.0, 75.0)))
            return fade, -0.5 * fade, "a Gaussian attraction"


def neighbor_force(k: Builder) -> None:
    """Forces or energies of pairs, over lists of neighbours."""
    threads(k, 1, name=k.rng.pick("i", "p", "particle"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
    x = k.let("x", points[i])
    charged = k.rng.pick(None, "mass", "charge")
    loads = None
    if charged is not None:
        low = 0.3 if charged == "mass" else -1.0
        loads = k.array("masses" if charged == "mass" else "charges", k.real, ["n"], uniform(low, 1.5))
    kind = k.rng.pick("gravity", "repulsion", "well", "yukawa", "gauss")
    energy = k.rng.chance(0.35)
    cut = coefficient(k, "cutoff", 0.8, 2.0, kinds="lp") if k.rng.chance(0.4) else None
    total = k.var("energy", 0.0) if energy else k.var(k.rng.pick("force", "pull"), zero(space))
    soft = k.rng.number(0.5, 0.9) if kind in ("repulsion", "well") else k.rng.number(0.1, 0.4)
    words: list[str] = []

    def visit(j: Expr, _: Expr) -> None:
        d = k.let("d", points[j] - x)
        square = k.let("square", ops.dot(d, d))
        if cut is not None:
            with k.when(square < cut * cut):
                act(j, d, square)
        else:
            act(j, d, square)

    def act(j: Expr, d: Expr, square: Expr) -> None:
        force, potential, word = _pair_strength(k, kind, square, soft)
        words.append(word)
        value = potential if energy else force
        if loads is not None:
            value = loads[j] * value
        k.add(total, value if energy else value * d)

    each_neighbor(k, visit)
    result: Expr = total
    if loads is not None and k.rng.chance(0.6):
        result = loads[i] * total
        k.notes.append(f"Both {loads.parameter.name} count")
    scale = coefficient(k, "strength", 0.2, 2.0) if k.rng.chance(0.5) else None
    result = bounded(result if scale is None else scale * result, -4e3, 4e3)
    if cut is not None:
        k.notes.append(f"Pairs farther apart than {told(cut)} do not count")
    what = "Potential energy" if energy else "Force"
    finish(k, "energy" if energy else "force", result, f"{what} of each particle's neighbours by {words[0]}")


def pull_of_sources(k: Builder) -> None:
    """Fields of a few sources that all particles feel."""
    threads(k, 1, 2, name=k.rng.pick("i", "particle", "probe"))
    space = space_of(k)
    x = read(k, "position", -1.0, 1.0, space)
    count = k.rng.pick(4, 6, 8, 12, 16)
    memory = k.rng.pick("global", "constant")
    size = "sources" if memory == "global" else str(count)
    if memory == "global":
        k.sizes["sources"] = str(count)
    spots = k.array("source_positions", space, [size], uniform(-1.5, 1.5), memory=memory)
    loads = (
        k.array(k.rng.pick("strengths", "source_masses"), k.real, [size], uniform(0.2, 1.5), memory=memory)
        if k.rng.chance(0.7)
        else None
    )
    kind = k.rng.pick("gravity", "yukawa", "gauss", "vortex", "repulsion")
    law = kind if kind != "vortex" else "gravity"
    energy = kind != "vortex" and k.rng.chance(0.3)
    nearest = k.rng.chance(0.3)
    total = k.var("potential", 0.0) if energy else k.var("field", zero(space))
    closest = k.var("closest", 100.0) if nearest else None
    doc = ""
    stop = k.size("source_count", size) if memory == "global" and k.rng.chance(0.6) else count
    with k.loop(k.rng.pick("s", "source"), 0, stop) as s:
        d = k.let("d", spots[s] - x)
        square = k.let("square", ops.dot(d, d))
        soft = k.rng.number(0.5, 0.9) if kind == "repulsion" else k.rng.number(0.1, 0.4)
        force, potential, doc = _pair_strength(k, law, square, soft)
        value = potential if energy else force
        if loads is not None:
            value = loads[s] * value
        direction = turned(d, space) if kind == "vortex" else d
        k.add(total, value if energy else value * direction)
        if closest is not None:
            k.set(closest, ops.min(closest, square))
    if closest is not None:
        k.store(
            k.array("nearest_distances", k.real, k.shape, None, "out"),
            k.target,
            ops.sqrt(bounded(closest, 0.0, 100.0)),
        )
        k.notes.append("The distance of the nearest source is stored as well")
    bounded(total, -2e3, 2e3)
    if kind == "vortex":
        finish(k, "flow", total, f"Flow around {count} vortices at each point")
    else:
        finish(k, str(total.name), total, f"{'Potential' if energy else 'Field'} of {count} sources by {doc}")


def smoothing_sum(k: Builder) -> None:
    """Sums over neighbours with the kernels of smoothed particle hydrodynamics."""
    threads(k, 1, name=k.rng.pick("i", "p", "particle"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-0.6, 0.6))
    x = k.let("x", points[i])
    h = k.rng.number(0.6, 1.2)
    shape = k.rng.pick("poly6", "spiky", "spline", "wendland", "cosine")
    docs = {
        "poly6": "The sixth-degree kernel",
        "spiky": "The spiky kernel",
        "spline": "The cubic spline",
        "wendland": "Wendland's kernel",
        "cosine": "A raised cosine",
    }

    def weight(b: Builder, r: Expr) -> Expr:
        q = b.let("q", r / h)
        match shape:
            case "poly6":
                rest = b.let("rest", ops.max(1.0 - q * q, 0.0))
                return rest * rest * rest
            case "spiky":
                rest = b.let("rest", ops.max(1.0 - q, 0.0))
                return rest * rest * rest
            case "spline":
                with b.when(q < 0.5):
                    b.jump("return", 1.0 - 6.0 * q * q * (1.0 - q))
                rest = b.let("rest", ops.max(1.0 - q, 0.0))
                return 2.0 * rest * rest * rest
            case "wendland":
                rest = b.let("rest", ops.max(1.0 - q, 0.0))
                return rest * rest * rest * rest * (4.0 * q + 1.0)
            case _:
                with b.when(q >= 1.0):
                    b.jump("return", lift(0.0, k.real))
                return 0.5 + 0.5 * ops.cos(3.141593 * q)

    kernel = k.function(
        f"{shape}_weight", f"{docs[shape]} of the radius {h}.", {"r": (k.real, Interval(0.0, 10.0))}, weight
    )
    what = k.rng.pick("density", "value", "mean", "viscosity", "gradient")
    data_type = space if what == "viscosity" else k.real
    data = None
    if what != "density":
        name = "velocities" if what == "viscosity" else k.rng.pick("pressures", "temperatures", "colors")
        data = k.array(name, data_type, ["n"], uniform(0.0 if what == "gradient" else -1.0, 1.0))
    masses = k.array("masses", k.real, ["n"], uniform(0.5, 1.5)) if k.rng.chance(0.6) else None
    own = k.let("own", data[i]) if data is not None and what in ("viscosity", "gradient") else None
    wide = what in ("viscosity", "gradient")
    total = k.var("total", zero(space)) if wide else k.var("total", 0.0)
    norm = k.var("norm", 0.1) if what == "mean" else None

    def visit(j: Expr, _: Expr) -> None:
        d = k.let("d", x - points[j])
        w: Expr = k.let("w", kernel(bounded(ops.length(d), 0.0, 8.0)))
        if masses is not None:
            w = masses[j] * w
        match what:
            case "density":
                k.add(total, w)
            case "viscosity" if data is not None and own is not None:
                k.add(total, w * (data[j] - own))
            case "gradient" if data is not None and own is not None:
                k.add(total, (0.5 * w * (data[j] + own)) * d)
            case _:
                assert data is not None
                k.add(total, w * data[j])
                if norm is not None:
                    k.add(norm, w)

    each_neighbor(k, visit)
    bounded(total, -200.0, 200.0)
    ending = " and their masses" if masses is not None else ""
    near = f"weighted by distance{ending}"
    match what:
        case "density":
            own_part = coefficient(k, "self_weight", 0.2, 1.0, kinds="lp")
            density = k.let("density", own_part + total)
            if k.rng.chance(0.5):
                stiffness, rest = (
                    coefficient(k, "stiffness", 0.5, 3.0),
                    coefficient(k, "rest_density", 0.8, 2.0),
                )
                clipped = k.rng.chance(0.5)
                pressure = stiffness * (density - rest)
                finish(
                    k,
                    "pressure",
                    ops.max(pressure, 0.0) if clipped else pressure,
                    f"Pressure from the density of neighbours, {near}",
                )
            else:
                finish(k, "own_density", density, f"Density of neighbours, {near}")
        case "mean":
            assert norm is not None
            finish(
                k,
                "mean",
                bounded(total / bounded(norm, 0.1, 100.0), -1.0, 1.0),
                f"Mean over neighbours, {near}; the weights' sum is softened",
            )
        case "viscosity":
            finish(
                k,
                "friction",
                coefficient(k, "viscosity", 0.1, 1.0) * total,
                f"Viscous force from the neighbours' velocities, {near}",
            )
        case "gradient":
            finish(k, "force", total, f"Symmetric force of the neighbours, {near}")
        case _:
            finish(k, "smooth_value", total, f"Sum over neighbours, {near}")


def periodic_images(k: Builder) -> None:
    """Distances and positions in a box that repeats."""
    threads(k, 1, name=k.rng.pick("i", "atom", "p"))
    (i,) = k.index
    space = space_of(k)
    box = coefficient(k, "box_length", 1.2, 2.0, kinds="lp")
    points = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
    x = k.let("x", points[i])
    way = k.rng.pick("round", "branch", "where")

    def image(d: Expr, name: str) -> Expr:
        parts = []
        for axis in range(space.length):
            label = f"{name}{'xyz'[axis]}"
            if way == "round":
                parts.append(d[axis] - box * ops.round(d[axis] / box))
            elif way == "where":
                one = k.let(label, d[axis])
                parts.append(
                    one - ops.where(one > 0.5 * box, box, lift(0.0, k.real))
                    if k.rng.chance(0.5)
                    else conditional(one > 0.5 * box, one - box, one)
                )
            else:
                part = k.var(label, d[axis])
                with k.when(part > 0.5 * box):
                    k.set(part, part - box)
                with k.orwhen(part < -0.5 * box):
                    k.set(part, part + box)
                parts.append(part)
        return construct(space, *parts)

    if k.rng.chance(0.3):
        v = read(k, "velocity", -1.0, 1.0, space)
        dt = coefficient(k, "dt", 0.1, 0.6, kinds="lp")
        moved = k.let("moved", x + dt * v)
        finish(
            k,
            "wrapped_position",
            image(moved, "w"),
            "Moves particles and brings them back into a box that repeats",
        )
        return
    what = k.rng.pick("force", "energy", "virial", "nearest")
    total = k.var(what, zero(space)) if what == "force" else k.var(what, 100.0 if what == "nearest" else 0.0)
    kind = k.rng.pick("gravity", "yukawa", "gauss")
    words: list[str] = []

    def visit(j: Expr, _: Expr) -> None:
        d = k.let("d", image(k.let("raw", points[j] - x), "d"))
        square = k.let("square", ops.dot(d, d))
        if what == "nearest":
            k.set(total, ops.min(total, square))
            return
        force, potential, word = _pair_strength(k, kind, bounded(square, 0.0, 50.0), k.rng.number(0.2, 0.5))
        words.append(word)
        k.add(total, {"force": force * d, "energy": potential, "virial": force * square}[what])

    each_neighbor(k, visit)
    near = "nearest images of each particle's neighbours"
    if what == "nearest":
        finish(
            k,
            "distance",
            ops.sqrt(bounded(total, 0.0, 100.0)),
            f"Distance of the closest of the {near}, 10 where there is none",
        )
        return
    titles = {"force": "Force", "energy": "Energy", "virial": "Virial"}
    finish(k, what, bounded(total, -2e3, 2e3), f"{titles[what]} of the {near} by {words[0]}")
