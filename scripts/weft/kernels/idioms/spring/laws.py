"""Laws of springs, chains of them, suspensions."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, ops
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, told


def chain_step(k: Builder) -> None:
    """Lines of masses that pull their neighbours, linear or not."""
    threads(k, 1, 2)
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
    x = read(k, k.rng.pick("stretch", "extension", "travel"), -2.0, 2.0)
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


def suspension(k: Builder) -> None:
    """Two masses on springs over a few steps: a wheel under a body, a tuned damper."""
    threads(k, 1, 2)
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
        ("end", upper, "the place of the body"),
        ("gap", upper - lower, "the gap between both"),
        ("energy", 0.5 * (ratio * upper_v * upper_v + lower_v * lower_v), "the energy of motion"),
    ]
    if work is not None:
        bounded(work, 0.0, 400.0)
        finish(k, "effort", work + ops.abs(upper), f"{doc}; the impulse of the strut plus the body's offset")
        return
    name, value, word = k.rng.pick(*options)
    finish(k, name, value, f"{doc}; {word} is given")
