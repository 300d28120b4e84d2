"""Oscillators, pendulums, coupled phases."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.idioms.pairs import each_neighbor
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Vector


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
    threads(k, 1, 2)
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
    threads(k, 1, name=k.rng.pick("i", "node"))
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
