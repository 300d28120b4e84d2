"""Grids that carry fields: staggered faces, nodes, ghost layers, level sets, projection, automata."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops, within
from weft.kernels.idioms import coefficient, curve, read, through, uniform, whole
from weft.kernels.lattice_geometry import reaching, start
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
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
                    counted=False,
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
            counted=False,
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
    finish(k, "interior_value", value, f"{doc}; the input has {wide} ghost cells on each side")


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


def automaton(k: Builder, rank: int) -> None:
    """Cellular automata: cells that change by what their neighbours are."""
    start(k, rank, indirect=False)
    states = k.rng.pick(2, 2, 3, 4)
    cells = k.array(k.rng.pick("cells", "world", "grid_states"), I32, k.shape, whole(0, states - 1))
    own = k.let("own", cells[k.index])
    full = k.rng.chance(0.6)
    periodic = k.rng.chance(0.5)
    target = k.rng.integer(1, states - 1)
    what = k.rng.pick("count", "sum", "next") if states > 2 else "sum"
    total = k.var(k.rng.pick("alive", "neighbors", "around"), 0, type=I32)
    most = 3**rank - 1 if full else 2 * rank

    def see(places: list[Expr]) -> None:
        one = cells[tuple(places)]
        match what:
            case "count":
                with k.when(one.equals(target)):
                    k.add(total, 1)
            case "next":
                with k.when(one.equals((own + 1) % states)):
                    k.add(total, 1)
            case _:
                k.add(total, one)

    def place(axis: int, offset: Expr | int) -> Expr:
        size, here = k.extent(axis), k.index[axis]
        if periodic:
            return (here + offset + size) % size
        return ops.clamp(here + offset, 0, size - 1)

    if full:
        with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
            if rank == 3:
                with k.loop("c", -1, 2) as c:
                    see([place(0, a), place(1, b), place(2, c)])
            else:
                see([place(0, a), place(1, b)])
    else:
        for axis in k.rng.shuffled(range(rank)):
            with k.loop("side", -1, 2, 2) as side:
                see([place(axis, side) if one == axis else here for one, here in enumerate(k.index)])
    k.notes.append("The grid is periodic" if periodic else "Beyond the border the nearest cell counts")
    if full and what == "sum":
        k.add(total, own, "-")
    bounded(total, 0, most * (states - 1))
    typical = most * (states - 1) // 2 if what == "sum" else max(1, most // states)
    value, rule = _rule(k, own, total, states, typical, most * (states - 1))
    counted = {
        "count": f"neighbours in state {target}",
        "next": "neighbours in the next state",
        "sum": "sum of neighbours",
    }[what]
    if k.rng.chance(0.3):
        walls = k.array(k.rng.pick("walls", "frozen"), I32, k.shape, whole(0, 1))[k.index]
        value = ops.where(walls > 0, own, value)
        k.notes.append("Frozen cells keep their state")
    if k.rng.chance(0.3):
        k.store(k.array("neighbor_counts", I32, k.shape, None, "out"), k.target, total)
        k.notes.append(f"The {counted} is stored as well")
    if k.rng.chance(0.3):
        changed = k.array("changes", I32, ["1"], {"constant": 0}, "inout")
        value = k.let("final", value)
        with k.when(value.differs(own)):
            k.atomic(k.rng.pick("add", "+="), changed, 0, 1)
        k.notes.append("Changes are counted")
    doc = f"A cellular automaton of {states} states: a cell {rule}; by the {counted} among {most} cells"
    finish(k, "cell", value, doc, counted=k.rng.chance(0.5))


def _rule(k: Builder, own: Expr, total: Expr, states: int, typical: int, most: int) -> tuple[Expr, str]:
    """What a cell becomes, from its state and what was counted around it; and the rule in words."""
    kind = k.rng.pick("life", "majority", "parity", "grow", "cycle", "table", "heat", "sand")
    low, high = max(1, typical - 1), max(2, typical)
    match kind:
        case "parity":
            return (own + total) % states, f"adds its neighbours modulo {states}"
        case "table":
            table = k.array("rules", I32, [str(states), str(most + 1)], whole(0, states - 1))
            return table[own, total], "looks its next state up in a table"
        case "heat":
            share = convert(k.real, total) / float(most)
            hot = share + read(k, "noise", -0.3, 0.3) > k.rng.number(0.4, 0.6)
            lit = lift(states - 1, I32)
            rule = "is lit where its neighbours' share and its noise suffice, and else fades by one"
            return ops.where(hot, lit, ops.max(own - 1, 0)), rule
        case "sand":
            gain = total // k.rng.pick(2, 3)
            return ops.max(
                ops.min(own + gain - 1, states - 1), 0
            ), "gains a share of its neighbours and loses one"
    value = k.var("next_state", own, bounds=(0, states - 1))
    match kind:
        case "life":
            with k.when((own > 0) & ((total < low) | (total > high))):
                k.set(value, 0)
            with k.orwhen(own.equals(0) & total.equals(high)):
                k.set(value, states - 1)
            return value, f"dies below {low} or above {high}, is born at {high}"
        case "majority":
            with k.when(total > high):
                k.set(value, states - 1)
            with k.orwhen(total < high):
                k.set(value, 0)
            return value, f"follows the majority at {high}"
        case "grow":
            with k.when(own.equals(0)):
                k.set(value, ops.where(total >= high, lift(1, I32), lift(0, I32)))
            with k.otherwise():
                k.set(value, (own + 1) % states)
            return value, f"wakes up at {high} and then ages"
        case _:
            with k.when(total >= high):
                k.set(value, (own + 1) % states)
            return value, f"advances where {high} or more push"


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
