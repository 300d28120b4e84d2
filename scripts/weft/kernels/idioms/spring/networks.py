"""Springs between points: edges, networks, cloth, constraints on positions."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.idioms.pairs import along, each_neighbor, space_of, zero
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, threads, told, uniform
from weft.types import Vector


def _ends(k: Builder, count: int, size: str) -> list[Expr]:
    """The numbers of the points that this thread's element joins, packed or in separate arrays."""
    recipe = {"integers": [0, size]}
    names = ["a", "b", "c"][:count]
    match k.rng.below(3):
        case 0:
            of = {2: "edges", 3: "corners"}[count]
            pair = k.let("ends", k.array(of, Vector(count, I32), k.shape, recipe)[k.index])
            return [pair[at] if k.rng.chance(0.5) else k.let(name, pair[at]) for at, name in enumerate(names)]
        case 1:
            table = k.array("indices", I32, [*k.shape, str(count)], recipe)
            return [k.let(name, table[(*k.index, at)]) for at, name in enumerate(names)]
        case _:
            labels = ["starts", "ends", "thirds"][:count]
            arrays = [k.array(label, I32, k.shape, recipe) for label in labels]
            return [k.let(name, one[k.index]) for name, one in zip(names, arrays, strict=True)]


def _law(k: Builder, length: Expr, rest: Expr, stiffness: Expr) -> tuple[Expr, Expr, str]:
    """Tension and energy of a spring, and the law's name."""
    stretch = k.let("stretch", length - rest)
    half = 0.5 * stiffness
    match k.rng.pick("linear", "linear", "cubic", "tension", "relative", "soft"):
        case "linear":
            return stiffness * stretch, half * stretch * stretch, "linear springs"
        case "cubic":
            square = k.let("stretch_sq", stretch * stretch)
            harder = k.rng.number(0.2, 1.5)
            force = stiffness * stretch * (1.0 + harder * square)
            return force, half * square * (1.0 + 0.5 * harder * square), "springs that stiffen"
        case "tension":
            pulled = k.let("pulled", ops.max(stretch, 0.0))
            return stiffness * pulled, half * pulled * pulled, "cables that only pull"
        case "relative":
            strain = k.let("strain", stretch / rest)
            return stiffness * strain, half * strain * strain * rest, "springs with a stiffness per length"
        case _:
            base = bounded(k.let("base", ops.sqrt(1.0 + stretch * stretch)), 1.0, 50.0)
            return stiffness * stretch / base, stiffness * (base - 1.0), "springs that yield"


def _rest(k: Builder) -> Expr:
    return coefficient(k, k.rng.pick("rest_length", "rest"), 0.4, 1.2)


def edge_force(k: Builder) -> None:
    """A thread for each spring: its force, tension or energy."""
    threads(k, 1, 2, name=k.rng.pick("e", "edge", "spring"))
    space = space_of(k)
    k.sizes["points"] = k.rng.pick("n", "max(n // 2, 1)", "n + 1", "64")
    points = k.array("positions", space, ["points"], uniform(-1.0, 1.0))
    a, b = _ends(k, 2, "points")
    d = k.let(k.rng.pick("d", "edge_vector"), points[b] - points[a])
    length = bounded(k.let("length", ops.max(ops.length(d), 0.05)), 0.05, 4.0)
    tension, energy, law = _law(k, length, _rest(k), coefficient(k, "stiffness", 1.0, 8.0))
    what = k.rng.pick("force", "force", "tension", "energy", "broken")
    doc = f"of each of the {law} between two points"
    if what == "energy":
        if k.rng.chance(0.5):
            speeds = k.array("velocities", space, ["points"], uniform(-1.0, 1.0))
            mean = k.let("mean_velocity", 0.5 * (speeds[a] + speeds[b]))
            energy = energy + coefficient(k, "half_mass", 0.2, 1.0) * ops.dot(mean, mean)
            doc += ", with the energy of its own motion"
        finish(k, "energy", energy, f"Energy {doc}")
        return
    if k.rng.chance(0.6):
        speeds = k.array("velocities", space, ["points"], uniform(-1.0, 1.0))
        rate = ops.dot(speeds[b] - speeds[a], d) / length
        tension = tension + coefficient(k, "damping", 0.05, 0.6) * rate
        k.notes.append("A dashpot damps the change of length")
    if what == "force":
        finish(k, "force", (tension / length) * d, f"Force on the first end {doc}")
    elif what == "tension":
        finish(k, "tension", tension, f"Tension {doc}")
    else:
        tension = k.let("tension", tension)
        limit = coefficient(k, "strength", 2.0, 4.0)
        value = k.var("held", tension)
        with k.when(ops.abs(tension) > limit):
            k.set(value, 0.0)
        k.notes.append(f"A spring breaks at {told(limit)} and then carries nothing")
        finish(k, "load", value, f"Tension {doc}")


def node_force(k: Builder) -> None:
    """A thread for each point: forces of all its springs."""
    threads(k, 1, name=k.rng.pick("i", "node", "vertex"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
    damped, way = k.rng.chance(0.5), k.rng.pick("force", "velocity", "energy", "stretch")
    moving = way == "velocity" or (damped and way == "force")
    speeds = k.array("velocities", space, ["n"], uniform(-1.0, 1.0)) if moving else points
    x = k.let("x", points[i])
    v = k.let("v", speeds[i]) if moving else x
    stiffness = coefficient(k, "stiffness", 0.5, 4.0)
    damping = coefficient(k, "damping", 0.05, 0.5, kinds="lp") if moving and damped else None
    rest = k.array("rest_lengths", k.real, ["n", "8"], uniform(0.3, 1.2)) if k.rng.chance(0.5) else None
    constant = coefficient(k, "rest_length", 0.3, 1.2, kinds="lp") if rest is None else None
    total = k.var("total", zero(space)) if way in ("force", "velocity") else k.var("total", 0.0)
    laws: list[str] = []

    def visit(j: Expr, slot: Expr) -> None:
        d = k.let("d", points[j] - x)
        length = bounded(k.let("length", ops.max(ops.length(d), 0.05)), 0.05, 4.0)
        if constant is None:
            assert rest is not None
            natural: Expr = rest[i, slot] if way != "stretch" else k.let("rest", rest[i, slot])
        else:
            natural = constant
        if way == "stretch":
            k.set(total, ops.max(total, ops.abs(length - natural)))
            return
        tension, energy, law = _law(k, length, natural, stiffness)
        laws.append(law)
        if way == "energy":
            k.add(total, 0.5 * energy)
            return
        k.add(total, (tension / length) * d)
        if damping is not None:
            k.add(total, damping * (speeds[j] - v))

    each_neighbor(k, visit, alone=k.rng.chance(0.4))
    if damping is not None:
        k.notes.append("Springs also damp relative motion")
    if way == "stretch":
        bounded(total, 0.0, 6.0)
        finish(k, "strain", stiffness * total, "The largest tension or thrust among each node's springs")
        return
    value: Expr = bounded(total, -400.0, 400.0)
    if way == "energy":
        finish(k, "energy", value, f"Each node's half of the energy of {laws[0]}")
        return
    if k.rng.chance(0.4):
        value = value + along(space, 1, -coefficient(k, "weight", 0.5, 5.0, kinds="lp"))
        k.notes.append("Weight pulls against axis 1")
    if way == "force":
        finish(k, "force", value, f"Force on each node of a network of {laws[0]}")
        return
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    mass = coefficient(k, "inverse_mass", 0.3, 1.5)
    finish(k, "new_velocity", v + (dt * mass) * value, f"New velocities in a network of {laws[0]}")


_OFFSETS = {
    "structural": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "shear": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "bending": [(0, 2), (2, 0), (0, -2), (-2, 0)],
}


def cloth_force(k: Builder) -> None:
    """Cloth as a grid of points whose neighbours pull."""
    threads(k, 2)
    i, j = k.index
    space = Vector(3, k.real)
    grid = k.array(k.rng.pick("positions", "cloth", "points"), space, k.shape, uniform(-1.0, 1.0))
    x = k.let("p", grid[i, j])
    stiffness = coefficient(k, "stiffness", 1.0, 6.0)
    rest = coefficient(k, k.rng.pick("spacing", "rest_length"), 0.3, 0.9, kinds="lp")
    force = k.var("force", zero(space))
    shape = k.rng.pick("loops", "loops", "listed", "listed", "row", "column")
    kind = k.rng.pick("structural", "shear", "bending")

    def pull(row: Expr, col: Expr, natural: Expr) -> None:
        d = k.let("d", grid[row, col] - x)
        length = bounded(k.let("length", ops.max(ops.length(d), 0.05)), 0.05, 4.0)
        k.add(force, (stiffness * (length - natural) / length) * d)

    if shape == "loops":
        reach = k.rng.pick(1, 1, 2)
        rows, cols = k.extent(0), k.extent(1)
        with k.loop("a", -reach, reach + 1) as a, k.loop("b", -reach, reach + 1) as b:
            row, col = k.let("row", i + a), k.let("col", j + b)
            here = a.equals(0) & b.equals(0)
            if k.rng.chance(0.4):
                here = (ops.abs(a) + ops.abs(b)).differs(1)
                k.notes.append("Only points beside each other pull")
            with k.when(here | (row < 0) | (row >= rows) | (col < 0) | (col >= cols)):
                k.jump("continue")
            pull(row, col, rest)
        doc = f"Force of the cloth's points up to {reach} rows and columns away"
    elif shape == "listed":
        factor = {"structural": 1.0, "shear": 1.4142, "bending": 2.0}[kind]
        natural = k.let("natural", factor * rest) if factor != 1.0 else rest
        for down, across in k.rng.shuffled(_OFFSETS[kind])[: k.rng.pick(2, 3, 4)]:
            condition: Expr | None = None
            for axis, (place, shift) in enumerate(((i, down), (j, across))):
                if shift:
                    inside = place >= -shift if shift < 0 else place + shift < k.extent(axis)
                    condition = inside if condition is None else condition & inside
            assert condition is not None
            with k.when(condition):
                pull(i + down if down else i, j + across if across else j, natural)
        doc = f"Force of {kind} springs in a cloth, where the neighbours exist"
    else:
        axis = 0 if shape == "row" else 1
        reach = k.rng.pick(1, 2, 3)
        with k.loop("step", -reach, reach + 1) as step:
            with k.when(step.equals(0)):
                k.jump("continue")
            beside_row = ops.clamp(i + step, 0, k.extent(0) - 1) if axis == 0 else i
            beside_col = ops.clamp(j + step, 0, k.extent(1) - 1) if axis == 1 else j
            pull(beside_row, beside_col, rest)
        doc = f"Force of the cloth's points along axis {axis}, up to {reach} away; the border repeats"
    value: Expr = bounded(force, -500.0, 500.0)
    match k.rng.pick("plain", "gravity", "wind", "air"):
        case "gravity":
            value = value + along(space, k.rng.pick(1, 2), -coefficient(k, "weight", 0.5, 5.0, kinds="lp"))
            k.notes.append("Weight is added")
        case "wind":
            value = value + coefficient(k, "gust", 0.2, 1.0) * k.scalar("wind", space, uniform(-1.0, 1.0))
            k.notes.append("Wind pushes every point")
        case "air":
            v = read(k, "velocity", -1.0, 1.0, space)
            value = value - coefficient(k, "air_drag", 0.05, 0.5) * v
            k.notes.append("The air slows every point")
        case _:
            pass
    finish(k, "net_force", value, doc)


def distance_constraint(k: Builder) -> None:
    """Position-based dynamics: corrections that restore a length."""
    threads(k, 1, name=k.rng.pick("c", "edge", "constraint"))
    space = space_of(k)
    k.sizes["points"] = k.rng.pick("n", "max(n // 2, 1)", "n + 1", "64")
    points = k.array("positions", space, ["points"], uniform(-1.0, 1.0))
    a, b = _ends(k, 2, "points")
    rest = read(k, "rest_length", 0.3, 1.2)
    weighted = k.rng.chance(0.7)
    if weighted:
        inverse = k.array("inverse_masses", k.real, ["points"], uniform(0.1, 1.5))
        wa, wb = k.let("wa", inverse[a]), k.let("wb", inverse[b])
        weights: Expr = wa + wb
    d = k.let("d", points[a] - points[b])
    length = bounded(k.let("length", ops.max(ops.length(d), 0.05)), 0.05, 4.0)
    error = k.let("error", length - rest)
    if k.rng.chance(0.3):
        error = k.let("violation", ops.max(error, 0.0))
        k.notes.append("Only stretched constraints act")
    compliant = weighted and k.rng.chance(0.6)
    multiplier: Expr
    if compliant:
        dt = coefficient(k, "dt", 0.1, 0.5, kinds="lp")
        alpha = k.let("alpha", coefficient(k, "compliance", 0.01, 0.2) / (dt * dt))
        handle = k.array("multipliers", k.real, k.shape, uniform(-0.2, 0.2), "inout")
        if k.rng.chance(0.6):
            before = k.let("before", handle[k.target])
            multiplier = k.let("change", -(error + alpha * before) / (weights + alpha))
            k.store(handle, k.target, before + multiplier)
            k.notes.append("The multiplier is kept for the next sweep")
        else:
            multiplier = k.let("multiplier", -error / (weights + alpha))
            k.store(handle, k.target, multiplier, "+")
            k.notes.append("Multipliers are summed up")
        doc = "Correction of a compliant distance constraint (XPBD)"
    elif weighted:
        multiplier = -error / weights
        doc = "Correction of a distance constraint between points of different masses"
    else:
        multiplier = -0.5 * error
        doc = "Correction of a distance constraint between equal points"
    if k.rng.chance(0.5):
        multiplier = coefficient(k, "relaxation", 0.3, 0.95, kinds="lp") * multiplier
    push = k.let("push", (multiplier / length) * d)
    if not weighted:
        finish(k, "correction", push, doc)
    elif k.rng.chance(0.5):
        k.store(k.array("corrections_b", space, k.shape, None, "out"), k.target, -wb * push)
        k.store(k.array("corrections_a", space, k.shape, None, "out"), k.target, wa * push)
        describe(k, f"{doc}, for both ends")
    else:
        if k.rng.chance(0.5):
            finish(k, "correction", -wb * push, f"{doc}, for the second end")
        else:
            finish(k, "correction", wa * push, f"{doc}, for the first end")


def bending(k: Builder) -> None:
    """Three points of a strand or two edges of a sheet: angles, curvature, bending forces."""
    threads(k, 1, name=k.rng.pick("h", "hinge", "joint"))
    space = space_of(k)
    strand = k.rng.chance(0.4)
    if strand:
        points = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
        (i,), count = k.index, k.extent(0)
        p, r = points[ops.max(i - 1, 0)], points[ops.min(i + 1, count - 1)]
        p, q, r = k.let("before", p), k.let("here", points[i]), k.let("after", r)
        k.notes.append("The strand's ends are repeated")
    else:
        k.sizes["points"] = k.rng.pick("n", "max(n // 2, 1)", "n + 2")
        points = k.array("positions", space, ["points"], uniform(-1.0, 1.0))
        p, q, r = (k.let(name, points[at]) for name, at in zip("pqr", _ends(k, 3, "points"), strict=True))
    stiffness = coefficient(k, "stiffness", 0.3, 3.0)
    match k.rng.pick("laplacian", "angle", "curvature", "center", "energy"):
        case "laplacian":
            bend = k.let("bend", p - 2.0 * q + r)
            finish(k, "force", stiffness * bend, "Bending force on the middle of three points")
        case "angle":
            a, b = k.let("a", p - q), k.let("b", r - q)
            lengths = bounded(ops.length(a) * ops.length(b), 0.0, 16.0) + k.rng.number(0.05, 0.2)
            cosine = bounded(k.let("cosine", ops.dot(a, b) / lengths), -1.0, 1.0)
            goal = coefficient(k, "rest_cosine", -0.8, 0.2)
            finish(
                k,
                "moment",
                stiffness * (cosine - goal),
                "Moment of a hinge from its cosine, softened",
            )
        case "curvature":
            a, b = k.let("a", ops.normalize(q - p)), k.let("b", ops.normalize(r - q))
            double = 1.0 + k.rng.number(0.1, 0.4) + ops.dot(a, b)
            turn = (b - a) * (2.0 / bounded(double, 0.1, 2.4))
            finish(k, "curvature", stiffness * turn, "Curvature at the middle of three points, softened")
        case "center":
            center = k.let("center", (p + q + r) / 3.0)
            rest = coefficient(k, "rest_height", 0.05, 0.4)
            off = k.let("off", q - center)
            height = bounded(k.let("height", ops.max(ops.length(off), 0.05)), 0.05, 4.0)
            push = (stiffness * (rest / height - 1.0)) * off
            finish(
                k,
                "correction",
                push,
                "Correction of a point's distance from the center of three",
            )
        case _:
            bend = k.let("bend", p + r - 2.0 * q)
            value = 0.5 * stiffness * ops.dot(bend, bend)
            if k.rng.chance(0.5):
                rest = coefficient(k, "rest_bend", 0.1, 0.8)
                off = k.let("excess", ops.length(bend) - rest)
                value = 0.5 * stiffness * off * off
            finish(k, "energy", value, "Bending energy of three points")


def area_constraint(k: Builder) -> None:
    """Triangles that keep their area, or hold a pressure."""
    threads(k, 1, name=k.rng.pick("t", "triangle", "face"))
    space = space_of(k)
    k.sizes["points"] = k.rng.pick("n", "max(n // 2, 1)", "n + 2")
    points = k.array("positions", space, ["points"], uniform(-1.0, 1.0))
    p, q, r = (k.let(name, points[at]) for name, at in zip("pqr", _ends(k, 3, "points"), strict=True))
    u, w = k.let("u", q - p), k.let("w", r - p)
    if space.length == 2:
        area: Expr = k.let("area", 0.5 * (u[0] * w[1] - u[1] * w[0]))
        normal = None
    else:
        normal = k.let("normal", ops.cross(u, w))
        area = k.let("area", 0.5 * ops.length(normal))
    area = bounded(area, -6.0 if normal is None else 0.0, 6.0)
    rest = coefficient(k, "rest_area", 0.2, 0.8)
    stiffness = coefficient(k, "stiffness", 0.5, 4.0)
    way = k.rng.pick("energy", "gradient" if normal is None else "pressure", "center")
    off = k.let("off", area - rest) if way != "pressure" else area
    match way:
        case "energy":
            finish(k, "energy", 0.5 * stiffness * off * off, "Energy of a triangle that keeps its area")
        case "pressure" if normal is not None:
            finish(k, "force", (stiffness * (rest - area)) * normal, "Push of a membrane along its normal")
        case "gradient" if normal is None:
            grad = construct(space, q[1] - r[1], r[0] - q[0])
            finish(
                k, "force", (-0.5 * stiffness * off) * grad, "Force of a triangle's area on its first corner"
            )
        case _:
            center = (p + q + r) / 3.0
            corner = k.rng.pick(("first", p), ("second", q), ("third", r))
            word, place = corner
            pull = (stiffness * off) * (center - place)
            finish(k, "force", pull, f"Force towards the center on the {word} corner, from the area's error")
