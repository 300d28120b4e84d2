"""Springs: edges, networks, cloth, constraints, chains, oscillators, pendulums."""

from weft.kernels import spring_networks
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, ops
from weft.kernels.idioms import coefficient, read, signal, threads, told, uniform
from weft.kernels.neighbors import field
from weft.kernels.pairs import along, each_neighbor
from weft.kernels.particle_forces import space_of
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.types import Vector

REVISION = 1
TEACHES = "springs and oscillators: forces, damping, constraints, implicit steps, chains, cloth, pendulums"


def edge_force(k: Builder) -> None:
    """A thread for each spring: its force, tension or energy."""
    spring_networks.edge_force(k)


def node_force(k: Builder) -> None:
    """A thread for each point: forces of all its springs."""
    spring_networks.node_force(k)


def cloth_force(k: Builder) -> None:
    """Cloth as a grid of points whose neighbours pull."""
    spring_networks.cloth_force(k)


def distance_constraint(k: Builder) -> None:
    """Position-based dynamics: corrections that restore a length."""
    spring_networks.distance_constraint(k)


def bending(k: Builder) -> None:
    """Three points of a strand or two edges of a sheet: angles, curvature, bending forces."""
    spring_networks.bending(k)


def area_constraint(k: Builder) -> None:
    """Triangles that keep their area, or hold a pressure."""
    spring_networks.area_constraint(k)


def chain_step(k: Builder) -> None:
    """Lines of masses that pull their neighbours, linear or not."""
    threads(k, 1, 2, indirect=False)
    axis = k.rng.below(len(k.shape))
    u = field(k, k.rng.pick("displacement", "offset"), -1.0, 1.0)
    here = k.let("here", u.array[k.index])
    before, after = u.pair(axis)
    stiffness = coefficient(k, "stiffness", 0.3, 2.0)
    law = k.rng.pick("linear", "alpha", "beta", "toda", "sine", "second")
    stretch_after, stretch_before = k.let("ahead", after - here), k.let("behind", here - before)
    force = stiffness * (stretch_after - stretch_before)
    doc = "masses on linear springs"
    match law:
        case "alpha":
            bend = coefficient(k, "asymmetry", 0.1, 0.6, kinds="lp")
            force = force + bend * (stretch_after * stretch_after - stretch_before * stretch_before)
            doc = "masses on springs with a quadratic term"
        case "beta":
            bend = coefficient(k, "hardening", 0.1, 0.6, kinds="lp")
            cubes = (
                stretch_after * stretch_after * stretch_after
                - stretch_before * stretch_before * stretch_before
            )
            force = force + bend * cubes
            doc = "masses on springs with a cubic term"
        case "toda":
            force = stiffness * (ops.exp(-stretch_before) - ops.exp(-stretch_after))
            doc = "masses with exponential repulsion"
        case "sine":
            force = force - coefficient(k, "barrier", 0.2, 1.0) * ops.sin(k.rng.pick(3.1416, 6.2832) * here)
            doc = "masses in a wavy potential"
        case "second":
            far = u.beside(axis, 2) + u.beside(axis, -2) - 2.0 * here
            force = force + coefficient(k, "far_stiffness", 0.1, 0.6) * far
            doc = "masses with springs to the second neighbours too"
        case _:
            pass
    where = "" if len(k.shape) == 1 else f" along axis {axis}"
    match k.rng.below(5):
        case 0:
            finish(k, "force", force, f"Force in a chain of {doc}{where}")
            return
        case 1:
            finish(k, "residual_force", force - read(k, "load", -0.5, 0.5), f"Load balance of {doc}{where}")
            return
        case 2:
            earlier = read(k, "earlier", -1.0, 1.0, array="earlier_values")
            step = coefficient(k, "dt", 0.1, 0.4, kinds="lp")
            finish(
                k,
                "next_value",
                2.0 * here - earlier + step * step * force,
                f"One Verlet step of a chain of {doc}{where}",
            )
            return
        case _:
            pass
    v = read(k, "velocity", -1.0, 1.0)
    dt = coefficient(k, "dt", 0.05, 0.3, kinds="lp")
    if k.rng.chance(0.5):
        force = force - coefficient(k, "damping", 0.05, 0.5) * v
        doc += " that are damped"
    if k.rng.chance(0.3):
        force = force / read(k, "mass", 0.5, 2.0, array="masses")
        doc = f"{doc}, each with a mass of its own"
    new_v = k.let("new_velocity", v + dt * force)
    if k.rng.chance(0.5):
        k.store(k.array("new_velocities", k.real, k.shape, None, "out"), k.target, new_v)
        finish(k, "new_displacement", here + dt * new_v, f"One step of a chain of {doc}{where}")
    else:
        finish(k, "speed", new_v, f"New velocities in a chain of {doc}{where}")


def spring_law(k: Builder) -> None:
    """Force against stretch: hardening, play, stops, yielding, dashpots."""
    threads(k, 1, 2, 3)
    x = signal(k, k.rng.pick("stretch", "extension", "travel"), -2.0, 2.0, spread=True)
    stiffness = coefficient(k, "stiffness", 0.5, 4.0)
    kind = k.rng.pick("linear", "hardening", "play", "stops", "yield", "rubber", "preload", "pieces")
    match kind:
        case "hardening":
            force = stiffness * x * (1.0 + coefficient(k, "hardening", 0.1, 0.9) * (x * x))
            doc = "Force of a spring that stiffens"
        case "play":
            gap = coefficient(k, "gap", 0.2, 0.8)
            if k.rng.chance(0.5):
                force = stiffness * (x - ops.max(ops.min(x, gap), -gap))
            else:
                played = k.var("force", 0.0)
                with k.when(x > gap):
                    k.set(played, stiffness * (x - gap))
                with k.orwhen(x < -gap):
                    k.set(played, stiffness * (x + gap))
                force = played
            doc = f"Force of a spring with play of {told(gap)} on each side"
        case "stops":
            stop = coefficient(k, "stop", 0.8, 1.5)
            hard = coefficient(k, "stop_stiffness", 4.0, 20.0)
            over = k.let("over", ops.max(ops.abs(x) - stop, 0.0))
            force = stiffness * x + hard * over * ops.sign(x)
            doc = f"Force of a spring between stops at {told(stop)}"
        case "yield":
            limit = coefficient(k, "yield_force", 0.8, 2.0)
            force = ops.max(ops.min(stiffness * x, limit), -limit)
            if k.rng.chance(0.5):
                force = force + k.rng.number(0.05, 0.2) * stiffness * x
                k.notes.append("It hardens slightly beyond")
            doc = f"Force of a spring that yields at {told(limit)}"
        case "rubber":
            raw_ratio = k.let("ratio", 1.3 + 0.5 * x)
            ratio = bounded(k.let("stretch_ratio", ops.max(raw_ratio, 0.3)), 0.3, 2.4)
            force = stiffness * (ratio - 1.0 / (ratio * ratio))
            doc = "Force of a rubber band from its stretch ratio"
        case "preload":
            load = coefficient(k, "preload", 0.2, 1.0)
            force = stiffness * x + load * ops.tanh(k.rng.number(2.0, 8.0) * x)
            doc = "Force of a preloaded spring, smooth at zero"
        case "pieces":
            knee, second = coefficient(k, "knee", 0.5, 1.2), coefficient(k, "second_stiffness", 2.0, 9.0)
            force = conditional(x > knee, stiffness * knee + second * (x - knee), stiffness * x)
            doc = f"Force of a spring with two rates, the second beyond {told(knee)}"
        case _:
            force = stiffness * x
            doc = "Force of a linear spring"
    force = k.let("spring_force", force)
    match k.rng.below(4):
        case 0:
            rate = read(k, "rate", -1.0, 1.0)
            up, down = coefficient(k, "rebound", 0.2, 1.0), coefficient(k, "compression", 0.1, 0.6)
            total = force + ops.where(rate > 0.0, up, down) * rate
            doc += " and a damper with two rates"
        case 1:
            rate = read(k, "rate", -1.0, 1.0)
            total = force + coefficient(k, "damping", 0.1, 1.0) * rate * (
                ops.abs(rate) if k.rng.chance(0.5) else ops.abs(x)
            )
            doc += " and a damper that is not linear"
        case 2:
            total = force + coefficient(k, "friction", 0.1, 0.6) * ops.tanh(4.0 * read(k, "rate", -1.0, 1.0))
            doc += " with smooth friction"
        case _:
            total = force
    finish(k, "force", total, doc)


def implicit_oscillator(k: Builder) -> None:
    """One degree of freedom: steps that stay stable for stiff springs."""
    threads(k, 1, 2)
    x = read(k, k.rng.pick("displacement", "x"), -1.0, 1.0, array="displacements")
    v = read(k, k.rng.pick("velocity", "v"), -1.0, 1.0, array="velocities")
    mass = coefficient(k, "mass", 0.5, 2.0)
    c, s = coefficient(k, "damping", 0.05, 0.9), coefficient(k, "stiffness", 1.0, 9.0)
    dt = coefficient(k, "dt", 0.05, 0.4, kinds="lp")
    load = read(k, "load", -1.0, 1.0) if k.rng.chance(0.6) else None
    way = k.rng.pick("backward", "trapezoidal", "newmark", "exact", "damper", "average")
    free: Expr = -s * x if load is None else load - s * x
    if way not in ("exact", "average"):
        free = k.let("force", free)
    match way:
        case "backward":
            new_v = (mass * v + dt * free) / (mass + dt * c + dt * dt * s)
            new_x = x + dt * k.let("new_v", new_v)
            title = "a backward Euler step"
        case "trapezoidal":
            left = k.let("left", mass + 0.5 * dt * c + 0.25 * dt * dt * s)
            change = k.let("change", dt * (free - c * v - 0.5 * dt * s * v) / left)
            new_x = x + dt * (v + 0.5 * change)
            title = "a step of the trapezoidal rule"
        case "newmark":
            beta, gamma = k.rng.pick((0.25, 0.5), (0.3025, 0.6), (0.1667, 0.5))
            guess_x = k.let("guess", x + dt * v + (0.5 - beta) * dt * dt * (free - c * v) / mass)
            lump = mass + gamma * dt * c + beta * dt * dt * s
            pull = (load - s * guess_x if load is not None else -s * guess_x) - c * v
            new_x = guess_x + beta * dt * dt * k.let("acceleration", pull / lump)
            title = f"a Newmark step (beta {beta}, gamma {gamma})"
        case "exact":
            omega = bounded(k.let("omega", ops.sqrt(s / mass)), 0.7, 4.3)
            decay = k.let("decay", ops.exp(-0.5 * c * dt / mass))
            angle = k.let("angle", omega * dt)
            swing = x * ops.cos(angle) + (v / omega) * ops.sin(angle)
            new_x = decay * swing + (load * dt * dt / mass if load is not None else 0.0)
            title = "a step by the exact swing, with decay apart"
        case "damper":
            half = k.let("half_v", v + dt * free / mass)
            new_x = x + dt * half / (1.0 + dt * c / mass)
            title = "a step with an implicit damper"
        case _:
            middle = k.let("middle", (x + 0.5 * dt * v) / (1.0 + 0.25 * dt * dt * s / mass))
            new_x = 2.0 * middle - x - dt * dt * c * v / mass
            if load is not None:
                new_x = new_x + dt * dt * load / mass
            title = "a midpoint step"
    if way in ("trapezoidal", "newmark", "damper", "exact", "backward", "average"):
        new_x = k.let("new_x", new_x)
    doc = f"Oscillators by {title}"
    if load is not None:
        doc += ", under a load"
    match k.rng.below(3):
        case 0:
            finish(k, "new_displacement", new_x, doc)
        case 1:
            handle = k.array("mean_velocities", k.real, k.shape, None, "out")
            k.store(handle, k.target, (new_x - x) / bounded(dt, 0.05, 0.4))
            finish(k, "new_displacement", new_x, f"{doc}; mean velocities of the step are stored")
        case _:
            finish(k, "energy", 0.5 * s * new_x * new_x, f"Energy of the spring after a step. {doc}")


def swing_pendulum(k: Builder) -> None:
    """Pendulums over several steps."""
    threads(k, 1, 2, indirect=False)
    angle = k.var(k.rng.pick("theta", "angle"), read(k, "start_angle", -1.5, 1.5), bounds=(-60.0, 60.0))
    rate = k.var("omega", read(k, "start_rate", -0.5, 0.5), bounds=(-30.0, 30.0))
    if k.rng.chance(0.5):
        pull = coefficient(k, "gravity_over_length", 1.0, 9.0)
    else:
        gravity = coefficient(k, "gravity", 2.0, 9.0, kinds="lp")
        pull = k.let("pull", gravity / read(k, "length", 1.0, 3.0))
    damping = coefficient(k, "damping", 0.05, 0.5) if k.rng.chance(0.5) else None
    drive = coefficient(k, "drive", 0.2, 1.0) if k.rng.chance(0.4) else None
    steps = k.rng.pick(4, 6, 8, 10)
    dt = coefficient(k, "dt", 0.02, 0.1, kinds="lp")
    pivot = k.rng.chance(0.25)
    way = k.rng.pick("symplectic", "explicit", "midpoint", "verlet")
    top = k.var("top", 0.0, bounds=(0.0, 60.0)) if k.rng.chance(0.3) else None

    def acceleration(theta: Expr, step: Expr) -> Expr:
        value = -pull * ops.sin(theta)
        if drive is not None:
            value = value + drive * ops.cos(0.5 * convert(k.real, step))
        if pivot:
            value = value - k.rng.number(0.2, 0.6) * theta
        return value

    with k.loop("step", 0, steps) as step:
        if way == "midpoint":
            half = k.let("half_angle", angle + 0.5 * dt * rate)
            kick = acceleration(half, step)
        else:
            kick = acceleration(angle, step)
        if damping is not None:
            kick = kick - damping * rate
        kick = k.let("kick", kick)
        if way == "verlet":
            k.set(angle, bounded(angle + dt * rate + 0.5 * dt * dt * kick, -60.0, 60.0))
            k.set(rate, bounded(rate + dt * kick, -30.0, 30.0))
        elif way == "explicit":
            k.set(angle, bounded(angle + dt * rate, -60.0, 60.0))
            k.set(rate, bounded(rate + dt * kick, -30.0, 30.0))
        else:
            k.set(rate, bounded(rate + dt * kick, -30.0, 30.0))
            k.set(angle, bounded(angle + dt * rate, -60.0, 60.0))
        if top is not None:
            k.set(top, ops.max(top, ops.abs(angle)))
    title = {
        "symplectic": "symplectic",
        "explicit": "explicit",
        "midpoint": "midpoint",
        "verlet": "Taylor",
    }[way]
    words = [one for one, on in (("damped", damping), ("driven", drive)) if on is not None]
    words += ["sprung"] if pivot else []
    doc = f"{' and '.join(words).capitalize() or 'Free'} pendulums over {steps} {title} steps"
    if top is not None:
        finish(k, "amplitude", top - 0.1 * rate, f"{doc}; the largest angle, less a tenth of the rate")
        return
    match k.rng.pick("angle", "energy", "place", "tension"):
        case "angle":
            k.store(k.array("end_rates", k.real, k.shape, None, "out"), k.target, rate)
            finish(k, "end_angle", angle, doc)
        case "energy":
            energy = 0.5 * rate * rate + pull * (1.0 - ops.cos(angle))
            finish(k, "energy", energy, f"{doc}; the energy per mass and length is given")
        case "place":
            bob = construct(Vector(2, k.real), ops.sin(angle), -ops.cos(angle))
            finish(k, "bob", bob * (1.0 + 0.01 * rate), f"{doc}; where the bob is, on a slightly elastic rod")
        case _:
            finish(k, "tension", rate * rate + pull * ops.cos(angle), f"{doc}; the pull on the rod")


def coupled_phases(k: Builder) -> None:
    """Oscillators that pull each other's phase or displacement."""
    threads(k, 1, indirect=False, name=k.rng.pick("i", "node"))
    (i,) = k.index
    phases = k.array(k.rng.pick("phases", "angles"), k.real, ["n"], uniform(0.0, 6.2))
    here = k.let("here", phases[i])
    kind = k.rng.pick("sine", "lag", "harmonic", "order", "linear")
    strengths = k.array("strengths", k.real, ["n"], uniform(0.2, 1.0)) if k.rng.chance(0.4) else None
    total = k.var("total", 0.0)
    other_total = k.var("side", 0.0) if kind == "order" else None
    lag = coefficient(k, "lag", 0.1, 1.0, kinds="lp") if kind == "lag" else None

    def visit(j: Expr, slot: Expr) -> None:
        difference = k.let("difference", phases[j] - here)
        match kind:
            case "lag":
                assert lag is not None
                term = ops.sin(difference - lag)
            case "harmonic":
                term = ops.sin(difference) + k.rng.number(0.2, 0.6) * ops.sin(2.0 * difference)
            case "order":
                term = ops.cos(difference)
            case "linear":
                term = ops.clamp(difference, -1.5, 1.5)
            case _:
                term = ops.sin(difference)
        if strengths is not None:
            term = strengths[j] * term
        k.add(total, term)
        if other_total is not None:
            k.add(other_total, ops.sin(difference))

    width = each_neighbor(k, visit, alone=k.rng.chance(0.4))
    value: Expr = bounded(total, -2.0 * width, 2.0 * width)
    words = {
        "sine": "the sines of phase differences",
        "lag": "the sines of phase differences with a lag",
        "harmonic": "two harmonics of phase differences",
        "order": "the order of the neighbours' phases, seen from each",
        "linear": "phase differences, limited",
    }[kind]
    if other_total is not None:
        side = bounded(other_total, -1.0 * width, 1.0 * width)
        size = ops.sqrt(value * value + side * side + k.rng.number(0.01, 0.1))
        finish(k, "order", size / float(width), f"How alike the phases of neighbours are: {words}; softened")
        return
    coupling = coefficient(k, "coupling", 0.2, 1.5)
    if k.rng.chance(0.6):
        rate = k.let("rate", read(k, "frequency", 0.5, 1.5, array="frequencies") + coupling * value)
        if k.rng.chance(0.5):
            new = here + coefficient(k, "dt", 0.02, 0.2, kinds="lp") * rate
            finish(k, "new_phase", new, f"A step of coupled oscillators by {words}")
        else:
            finish(k, "phase_rate", rate, f"Rates of coupled oscillators by {words}")
    else:
        finish(k, "pull", coupling * value, f"Pull of the neighbours on each oscillator by {words}")


def strand_energy(k: Builder) -> None:
    """A thread for each strand of points: energy, length, largest stretch."""
    threads(k, 1, 2, name=k.rng.pick("strand", "i", "hair"))
    space = space_of(k)
    nodes = k.rng.pick(4, 5, 6, 8, 10)
    k.sizes["nodes"] = str(nodes)
    points = k.array("positions", space, [*k.shape, "nodes"], uniform(-1.0, 1.0))
    rest = coefficient(k, "rest_length", 0.3, 1.0, kinds="lp")
    what = k.rng.pick("energy", "energy", "length", "stretch", "end", "count")
    stiffness = coefficient(k, "stiffness", 0.5, 5.0) if what == "energy" else None
    bend, weight = None, None
    if what == "energy" and k.rng.chance(0.4):
        bend = coefficient(k, "bending", 0.1, 1.0, kinds="lp")
    if what == "energy" and k.rng.chance(0.4):
        weight = coefficient(k, "weight", 0.2, 2.0, kinds="lp")
    carry = k.rng.chance(0.5)
    before = k.var("before", points[(*k.index, 0)]) if carry else None
    total = k.var("longest" if what == "stretch" else "total", 0.0)
    number = k.var("count", 0.0) if what == "count" else None
    with k.loop("s", 1 if carry else 0, nodes if carry else nodes - 1) as s:
        if before is not None:
            point = k.let("point", points[(*k.index, s)])
            d = k.let("d", point - before)
        else:
            d = k.let("d", points[(*k.index, s + 1)] - points[(*k.index, s)])
        length = k.let("length", ops.length(d))
        match what:
            case "energy":
                assert stiffness is not None
                stretch = k.let("stretch", length - rest)
                term = 0.5 * stiffness * stretch * stretch
                if weight is not None:
                    term = term + weight * (point if before is not None else points[(*k.index, s)])[1]
                k.add(total, term)
                if bend is not None:
                    with k.when(s > (1 if carry else 0)):
                        here, last = points[(*k.index, s)], points[(*k.index, s - 1)]
                        if before is None:
                            k.add(total, bend * ops.length_sq(here - last - d))
                        else:
                            turn = point + points[(*k.index, s - 2)] - 2.0 * before
                            k.add(total, bend * ops.length_sq(turn))
            case "stretch":
                k.set(total, ops.max(total, length / bounded(rest, 0.3, 1.0)))
            case "count":
                assert number is not None
                with k.when(length > rest):
                    k.add(number, 1.0)
                k.add(total, length)
            case "end":
                k.add(total, length - rest)
            case _:
                k.add(total, ops.sqrt(length * length + rest * rest))
        if before is not None:
            k.set(before, point)
    bounded(total, -40.0, 800.0)
    words = {
        "energy": "Energy",
        "length": "Smoothed length",
        "stretch": "Largest stretch",
        "end": "Excess length",
        "count": "Length",
    }[what]
    if bend is not None:
        k.notes.append("Bending counts as well")
    if weight is not None:
        k.notes.append("Weight counts as well")
    value: Expr = total
    if number is not None:
        value = total + 0.1 * number
        k.notes.append(f"Each segment longer than {told(rest)} adds a tenth")
    finish(k, "sum" if what == "length" else what, value, f"{words} of strands of {nodes} points")


def rope_relaxation(k: Builder) -> None:
    """A thread for each rope: sweeps over its segments, in place."""
    threads(k, 1, indirect=False, name=k.rng.pick("rope", "strand"))
    (i,) = k.index
    space = space_of(k)
    nodes = k.rng.pick(4, 5, 6, 8)
    k.sizes["nodes"] = str(nodes)
    name = k.rng.pick("positions", "ropes")
    rope = k.array(name, space, [k.shape[0], "nodes"], uniform(-1.0, 1.0), "inout")
    kind = k.rng.pick("follow", "both", "gravity", "smooth")
    share = coefficient(k, "smoothing", 0.1, 0.5, kinds="lp") if kind == "smooth" else None
    rest = coefficient(k, "segment", 0.2, 0.6, kinds="lp") if share is None else share
    sweeps = k.rng.pick(1, 1, 2, 3)

    def sweep() -> None:
        if share is not None:
            with k.loop("s", 1, nodes - 1) as s:
                middle = 0.5 * (rope[i, s - 1] + rope[i, s + 1])
                k.store(rope, (i, s), rope[i, s] + share * (middle - rope[i, s]))
            return
        with k.loop("s", 0, nodes - 1) as s:
            a, b = k.let("a", rope[i, s]), k.let("b", rope[i, s + 1])
            d = k.let("d", b - a)
            length = bounded(k.let("length", ops.max(ops.length(d), 0.05)), 0.05, 4.0)
            excess = k.let("excess", (length - rest) / length)
            if kind == "both":
                k.store(rope, (i, s), a + 0.5 * excess * d)
                k.store(rope, (i, s + 1), b - 0.5 * excess * d)
            else:
                k.store(rope, (i, s + 1), b - excess * d)

    if kind == "gravity" or k.rng.chance(0.3):
        drop = coefficient(k, "drop", 0.05, 0.3, kinds="lp")
        with k.loop("c", 1, nodes) as c:
            k.store(rope, (i, c), rope[i, c] + along(space, 1, -drop))
        k.notes.append("All points but the first sink first")
    if sweeps > 1:
        with k.loop("sweep", 0, sweeps):
            sweep()
    else:
        sweep()
    docs = {
        "follow": "Each point of a rope follows the one before at a fixed distance",
        "gravity": "Hanging ropes: each point follows the one before at a fixed distance",
        "both": "Relaxes the segments of ropes one after the other, moving both ends",
        "smooth": "Smooths ropes between their ends, point after point",
    }
    times = "" if sweeps == 1 else f", {sweeps} times"
    if k.rng.chance(0.5):
        tip = k.let("tip", rope[i, nodes - 1])
        reach = tip - k.array("targets", space, k.shape, uniform(-1.0, 1.0))[i]
        finish(k, "miss", reach, f"{docs[kind]}{times}. How far the tip is from its target is stored")
        return
    describe(k, f"{docs[kind]}{times}")


def suspension(k: Builder) -> None:
    """Two masses on springs over a few steps: a wheel under a body, a tuned damper."""
    threads(k, 1, 2, indirect=False)
    upper = k.var("upper", read(k, "body", -0.5, 0.5, array="bodies"))
    lower = k.var("lower", read(k, "wheel", -0.3, 0.3))
    upper_v, lower_v = k.var("upper_v", 0.0), k.var("lower_v", 0.0)
    road = read(k, k.rng.pick("road", "shock"), -0.4, 0.4)
    spring, tire = coefficient(k, "spring", 1.0, 5.0), coefficient(k, "tire", 5.0, 15.0, kinds="lp")
    damper = coefficient(k, "damper", 0.2, 1.2)
    ratio = coefficient(k, "mass_ratio", 2.0, 6.0, kinds="lp")
    dt = coefficient(k, "dt", 0.02, 0.1, kinds="lp")
    steps = k.rng.pick(3, 4, 5, 6, 8)
    skyhook = k.rng.chance(0.4)
    stiff = k.rng.number(0.3, 2.0) if k.rng.chance(0.4) else None
    work = k.var("work", 0.0) if k.rng.chance(0.4) else None
    with k.loop("step", 0, steps):
        gap = k.let("gap", upper - lower)
        pull = spring * gap
        if stiff is not None:
            pull = pull + stiff * gap * gap * gap
        pull = k.let("pull", pull + damper * (upper_v - lower_v))
        brake = 0.3 * upper_v if skyhook else None
        k.add(upper_v, dt * (pull + brake if brake is not None else pull) / ratio, "-")
        k.add(lower_v, dt * (pull - tire * (lower - road)))
        k.add(upper, dt * upper_v)
        k.add(lower, dt * lower_v)
        if work is not None:
            k.add(work, dt * ops.abs(pull))
    for one in (upper, lower, upper_v, lower_v):
        bounded(one, -40.0, 40.0)
    doc = f"A body on a sprung wheel over {steps} steps"
    if skyhook:
        doc += ", with a damper to the sky"
    if stiff is not None:
        k.notes.append(f"The spring has a cubic term of {stiff}")
    options: list[tuple[str, Expr, str]] = [
        ("comfort", upper_v, "the body's velocity"),
        ("end", upper, "where the body is"),
        ("gap", upper - lower, "the gap between both"),
        ("energy", 0.5 * (ratio * upper_v * upper_v + lower_v * lower_v), "the energy of motion"),
    ]
    if work is not None:
        bounded(work, 0.0, 400.0)
        finish(k, "effort", work + ops.abs(upper), f"{doc}; the impulse of the strut plus the body's offset")
        return
    name, value, word = k.rng.pick(*options)
    finish(k, name, value, f"{doc}; {word} is given")
