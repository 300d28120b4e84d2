"""Bodies that push, bounce, touch and are integrated."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import (
    coefficient,
    read,
    records,
    threads,
    uniform,
    whole,
)
from weft.types import Vector


def _falloff(f: Builder, r: Expr, cutoff: Expr) -> Expr:
    """A weight that vanishes at the cutoff, in one of several profiles."""
    q = f.let("q", ops.max(1.0 - r / cutoff, 0.0))
    return f.rng.pick(q * q, q * q * q, q * (2.0 - q), ops.sqrt(q))


def neighbor_force(k: Builder) -> None:
    """Forces from a list of neighbours."""
    k.real = F32
    threads(k, 1, name="particle")
    (i,) = k.index
    slots = k.rng.pick(4, 6, 8)
    k.sizes["slots"] = str(slots)
    space = Vector(k.rng.pick(2, 3, 3), F32)
    positions = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
    neighbors = k.array(k.rng.pick("neighbors", "neighbor_ids"), I32, ["n", "slots"], {"integers": [0, "n"]})
    weight = k.function(
        k.rng.pick("falloff", "kernel_weight"),
        "Weight that vanishes at the cutoff.",
        {"r": (F32, Interval(0.0, 100.0)), "cutoff": (F32, Interval(0.1, 10.0))},
        _falloff,
    )
    cutoff = coefficient(k, "cutoff", 1.0, 2.0, kinds="lp")
    extra = _interaction(k, space)
    listed: Expr | int = slots
    if k.rng.chance(0.4):
        listed = k.let("listed", k.array("neighbor_counts", I32, ["n"], whole(1, slots))[i])
        k.notes.append("Lists have lengths of their own")
    nearby = k.var("nearby", 0, type=I32) if k.rng.chance(0.3) else None
    here = k.let("position", positions[i])
    force = k.var("force", construct(space, *[0.0] * space.length))
    with k.loop("slot", 0, listed) as slot:
        j = k.let("j", neighbors[i, slot])
        with k.when(j.equals(i)):
            k.jump("continue")
        offset = k.let("offset", here - positions[j])
        r = k.let("r", ops.length(offset))
        if k.rng.chance(0.5):
            with k.when(r < cutoff):
                k.add(force, extra(j, weight(r, cutoff)) * ops.normalize(offset))
                if nearby is not None:
                    k.add(nearby, 1)
        else:
            if nearby is not None:
                with k.when(r >= cutoff):
                    k.jump("continue")
                k.add(nearby, 1)
            k.add(force, extra(j, weight(r, cutoff)) * k.rng.pick(offset, offset / ops.max(r, 0.01)))
    if nearby is not None:
        k.store(k.array("neighbor_numbers", I32, ["n"], None, "out"), k.target, nearby)
        k.notes.append("Neighbours within the cutoff are counted")
    finish(k, "force", force, "Repulsion from the neighbours of each particle within a cutoff")


def _interaction(k: Builder, space: Vector) -> Callable[[Expr, Expr], Expr]:
    """What a neighbour's weight is multiplied by: nothing, masses, charges, or how fast it comes."""
    (i,) = k.index
    match k.rng.pick("nothing", "masses", "charges", "kinds", "speed"):
        case "masses":
            masses = k.array("masses", F32, ["n"], uniform(0.5, 2.0))
            k.notes.append("Each neighbour counts by its mass")
            return lambda j, weight: weight * masses[j]
        case "charges":
            charges = k.array("charges", F32, ["n"], uniform(-1.0, 1.0))
            own = k.let("charge", charges[i])
            k.notes.append("Unlike charges attract each other")
            return lambda j, weight: own * charges[j] * weight
        case "kinds":
            count = k.rng.pick(2, 3, 4)
            kinds = k.array("kinds", I32, ["n"], whole(0, count - 1))
            strengths = k.array("strengths", F32, [str(count), str(count)], uniform(-1.0, 2.0))
            own_kind = k.let("kind", kinds[i])
            k.notes.append(f"A table of {count} by {count} kinds has the strengths")
            return lambda j, weight: strengths[own_kind, kinds[j]] * weight
        case "speed":
            velocities = k.array("velocities", space, ["n"], uniform(-1.0, 1.0))
            own_velocity = k.let("velocity", velocities[i])
            factor = k.rng.number(0.1, 0.6)
            k.notes.append("Neighbours at other speeds count more")
            return lambda j, weight: weight * (1.0 + factor * ops.length(own_velocity - velocities[j]))
        case _:
            return lambda _, weight: weight


def bouncing_ball(k: Builder) -> None:
    """Particles as structs, stepped in a box."""
    k.real = F32
    threads(k, 1, name=k.rng.pick("index", "i"))
    space = Vector(k.rng.pick(2, 3), F32)
    title = k.rng.pick("Ball", "Particle")
    _, member = records(
        k,
        title.lower(),
        title,
        f"State of one {title.lower()}.",
        {"position": (space, -0.9, 0.9), "velocity": (space, -3.0, 3.0), "radius": (F32, 0.02, 0.1)},
    )
    position = k.var("position", member("position"))
    velocity = k.var("velocity", member("velocity"))
    dt, bounce = coefficient(k, "dt", 0.02, 0.15, kinds="lp"), coefficient(k, "bounce", 0.4, 0.9, kinds="lp")
    limit = k.let("limit", k.rng.pick(1.0, 0.95) - member("radius"))
    steps = k.rng.integer(2, 5)
    hits = k.var("hits", 0, type=I32, bounds=(0, 100)) if k.rng.chance(0.4) else None
    pushed = _push(k, space)
    late = k.rng.chance(0.3)
    with k.loop(k.rng.pick("step", "substep"), 0, steps):
        if late:
            k.add(position, dt * velocity)
        push = pushed(position, velocity)
        if push is not None:
            k.add(velocity, dt * push)
        if not late:
            k.add(position, dt * velocity)
        with k.loop("axis", 0, space.length) as axis:
            if k.rng.chance(0.5):
                with k.when(ops.abs(position[axis]) > limit):
                    k.set(position[axis], ops.sign(position[axis]) * limit)
                    k.set(velocity[axis], -bounce * velocity[axis])
                    if hits is not None:
                        k.set(hits, bounded(hits + 1, 0, 100))
            else:
                with k.when(position[axis] > limit):
                    k.set(position[axis], limit)
                    k.set(velocity[axis], -bounce * ops.abs(velocity[axis]))
                    if hits is not None:
                        k.set(hits, bounded(hits + 1, 0, 100))
                with k.orwhen(position[axis] < -limit):
                    k.set(position[axis], -limit)
                    k.set(velocity[axis], bounce * ops.abs(velocity[axis]))
    if hits is not None:
        k.store(k.array("hit_counts", I32, ["n"], None, "out"), k.target, hits)
        k.notes.append("How often it hits a wall is counted")
    elif k.rng.chance(0.5):
        k.store(k.array("new_velocities", space, ["n"], None, "out"), k.target, velocity)
    finish(k, "new_position", position, f"{steps} steps of each {title.lower()} in a box with bouncing walls")


def _push(k: Builder, space: Vector) -> Callable[[Expr, Expr], Expr | None]:
    """What accelerates a body, of where it is and how fast it moves."""
    down = [0.0] * space.length
    down[1] = -9.8
    kind = k.rng.pick("gravity", "gravity", "none", "wind", "drag", "center", "field")
    match kind:
        case "gravity":
            return lambda x, v: construct(space, *down)
        case "wind":
            wind = k.scalar("wind", space, uniform(-2.0, 2.0))
            k.notes.append("Wind pushes")
            return lambda x, v: wind - k.rng.pick(0.1, 0.2) * v
        case "drag":
            drag = coefficient(k, "drag", 0.05, 0.5, kinds="lp")
            k.notes.append("Gravity pulls and drag slows down")
            return lambda x, v: construct(space, *down) - drag * v
        case "center":
            pull = coefficient(k, "pull", 0.5, 3.0, kinds="lp")
            k.notes.append("It is pulled to the middle of the box")
            return lambda x, v: -pull * x
        case "field":
            fields = k.array("accelerations", space, ["n"], uniform(-3.0, 3.0))
            own = k.let("own_acceleration", fields[k.index])
            k.notes.append("Each has an acceleration of its own")
            return lambda x, v: own
        case _:
            return lambda x, v: None


def ode_steps(k: Builder) -> None:
    """An ordinary differential equation with a helper for its slope."""
    threads(k)
    real = k.real
    kind = k.rng.pick("logistic", "relaxation", "pendulum")

    def slope(f: Builder, y: Expr, rate: Expr) -> Expr:
        match kind:
            case "logistic":
                return rate * y * (1.0 - y / f.rng.number(2.0, 5.0))
            case "relaxation":
                return rate * (f.rng.number(0.5, 2.0) - y)
            case _:
                return -rate * ops.sin(y)

    derivative = k.function(
        f"{kind}_slope",
        f"Time derivative of the {kind} equation.",
        {"y": (real, Interval(-10.0, 10.0)), "rate": (real, Interval(0.0, 4.0))},
        slope,
    )
    rate, dt = coefficient(k, "rate", 0.3, 1.5), coefficient(k, "dt", 0.02, 0.1, kinds="lp")
    y = k.var("value", read(k, "start", 0.2, 1.5, inline=True), bounds=(-10.0, 10.0))
    steps = k.rng.integer(3, 8)
    order = k.rng.pick("Euler", "midpoint", "Heun", "Runge-Kutta")

    def ahead(change: Expr) -> Expr:
        """All three equations keep starts from 0.2 to 1.5 between 0 and 6 at these rates and steps."""
        return bounded(y + change, 0.0, 6.0)

    with k.loop("step", 0, steps):
        k1 = k.let("k1", derivative(y, rate))
        if order == "Euler":
            new = ahead(dt * k1)
        elif order == "midpoint":
            new = ahead(dt * derivative(ahead(0.5 * dt * k1), rate))
        elif order == "Heun":
            new = ahead(0.5 * dt * (k1 + k.let("k2", derivative(ahead(dt * k1), rate))))
        else:
            k2 = k.let("k2", derivative(ahead(0.5 * dt * k1), rate))
            k3 = k.let("k3", derivative(ahead(0.5 * dt * k2), rate))
            k4 = k.let("k4", derivative(ahead(dt * k3), rate))
            new = ahead(dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))
        k.set(y, new)
        if k.rng.chance(0.25):
            with k.when(ops.abs(k1) < k.rng.number(0.12, 0.3)):
                k.jump("break")
    finish(k, "state", y, f"{steps} {order} steps of the {kind} equation")


def rigid_contact(k: Builder) -> None:
    """Points of a body against a plane, with friction."""
    k.real = F32
    threads(k, 1, name=k.rng.pick("contact", "i"))
    space = Vector(k.rng.pick(2, 3, 3), F32)
    _, member = records(
        k,
        "contact_point",
        "ContactPoint",
        "A point of a body: where it is, how fast, and how heavy.",
        {"position": (space, -1.0, 1.0), "velocity": (space, -2.0, 2.0), "mass": (F32, 0.5, 2.0)},
    )
    up = [0.0] * space.length
    up[1] = 1.0
    normal = k.let(
        "normal",
        construct(space, *up) if k.rng.chance(0.4) else ops.normalize(read(k, "surface", 0.1, 1.0, space)),
    )
    depth = k.let(
        "depth", coefficient(k, "level", -0.2, 0.3, kinds="lp") - ops.dot(member("position"), normal)
    )
    force = k.var("force", construct(space, *[0.0] * space.length))
    with k.when(depth > 0.0):
        speed = k.let("speed", ops.dot(member("velocity"), normal))
        push = k.let(
            "push",
            ops.max(coefficient(k, "stiffness", 5.0, 40.0) * depth - k.rng.number(0.1, 0.9) * speed, 0.0),
        )
        k.set(force, push * normal)
        if k.rng.chance(0.6):
            slip = k.let("slip", member("velocity") - speed * normal)
            grip = coefficient(k, "friction", 0.2, 0.8)
            limit = k.rng.pick(ops.min(grip * push, ops.length(slip)), grip * push * ops.length(slip))
            k.add(force, limit * ops.normalize(slip), "-")
            k.notes.append("Friction acts against the slip")
    gravity = k.rng.chance(0.5)
    if gravity:
        k.add(force, member("mass") * construct(space, *[-9.8 if one else 0.0 for one in up]))
    per_mass = k.rng.chance(0.5) or not gravity
    result = force / member("mass") if per_mass else force
    word = "Acceleration" if per_mass else "Force"
    finish(
        k,
        "response",
        result,
        f"{word} of each point that touches a plane{', with gravity' if gravity else ''}",
    )
