"""Loops, branches, vectors, structs and helper functions together, as in real kernels."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, ops
from weft.kernels.idioms import (
    article,
    coefficient,
    curve,
    read,
    records,
    row,
    signal,
    threads,
    uniform,
    whole,
)
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, VEC3
from weft.types import Vector

REVISION = 2
TEACHES = "loops, branches, vectors, structs, helper functions and indirect reads in one kernel"


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
    here = k.let("position", positions[i])
    force = k.var("force", construct(space, *[0.0] * space.length))
    with k.loop("slot", 0, slots) as slot:
        j = k.let("j", neighbors[i, slot])
        with k.when(j.equals(i)):
            k.jump("continue")
        offset = k.let("offset", here - positions[j])
        r = k.let("r", ops.length(offset))
        if k.rng.chance(0.5):
            with k.when(r < cutoff):
                k.add(force, weight(r, cutoff) * ops.normalize(offset))
        else:
            k.add(force, weight(r, cutoff) * k.rng.pick(offset, offset / ops.max(r, 0.01)))
    finish(k, "force", force, "Repulsion from the neighbours of each particle within a cutoff")


def dense_layer(k: Builder) -> None:
    """A dense unit with an activation."""
    threads(k, 1, name=k.rng.pick("sample", "i"))
    width = k.rng.pick(4, 6, 8)
    x = row(k, k.rng.pick("features", "measurements"), "inputs", width, uniform(-1.0, 1.0))
    w = k.array("weights", k.real, ["inputs"], uniform(-1.0, 1.0))
    total = k.var(k.rng.pick("total", "logit"), read(k, "bias", -0.5, 0.5, array="biases", inline=True))
    squared = k.rng.chance(0.4)
    with k.loop("j", 0, width) as j:
        value = x(j) * x(j) if squared else x(j)
        if k.rng.chance(0.4):
            mask = k.array("kept", I32, ["inputs"], whole(0, 1))
            with k.when(mask[j].equals(0)):
                k.jump("continue")
            k.notes.append("Inputs whose kept is 0 are left out")
        k.add(total, value * w[j])
    leak = coefficient(k, "leak", 0.05, 0.3, kinds="lp")
    with k.when(total < 0.0):
        k.set(total, leak * total)
    unit = "a leaky rectifier"
    if k.rng.chance(0.5):
        shaped, word = curve(k, total)
        with k.otherwise():
            k.set(total, shaped)
        unit = f"{article(word)} above zero and a leak below"
    inputs = "squared inputs" if squared else "inputs"
    finish(k, "activation", total, f"Dense layer on the {inputs} of each sample, with {unit}")


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
    down = [0.0] * space.length
    down[1] = -9.8
    steps = k.rng.integer(2, 5)
    with k.loop(k.rng.pick("step", "substep"), 0, steps):
        if k.rng.chance(0.6):
            k.add(velocity, dt * construct(space, *down))
        k.add(position, dt * velocity)
        with k.loop("axis", 0, space.length) as axis:
            if k.rng.chance(0.5):
                with k.when(ops.abs(position[axis]) > limit):
                    k.set(position[axis], ops.sign(position[axis]) * limit)
                    k.set(velocity[axis], -bounce * velocity[axis])
            else:
                with k.when(position[axis] > limit):
                    k.set(position[axis], limit)
                    k.set(velocity[axis], -bounce * ops.abs(velocity[axis]))
                with k.orwhen(position[axis] < -limit):
                    k.set(position[axis], -limit)
                    k.set(velocity[axis], bounce * ops.abs(velocity[axis]))
    if k.rng.chance(0.5):
        k.store(k.array("new_velocities", space, ["n"], None, "out"), k.target, velocity)
    finish(k, "new_position", position, f"{steps} steps of each {title.lower()} in a box with bouncing walls")


def shade_sphere(k: Builder) -> None:
    """A ray against a sphere, shaded where it hits."""
    k.real = F32
    threads(k, name=k.rng.pick("ray", "i"))
    origin = (
        k.scalar("origin", VEC3, uniform(-0.2, 0.2))
        if k.rng.chance(0.5)
        else read(k, "origin", -0.3, 0.3, VEC3)
    )
    direction = k.let("direction", ops.normalize(read(k, "ray_direction", -1.0, 1.0, VEC3)))
    center = k.scalar("center", VEC3, uniform(0.8, 1.5))
    radius = coefficient(k, "radius", 0.3, 0.8)
    to_center = k.let("to_center", center - origin)
    along = k.let("along", ops.dot(to_center, direction))
    miss = k.let("miss", ops.dot(to_center, to_center) - along * along)
    color = k.var("color", coefficient(k, "background", 0.05, 0.3, kinds="lp"))
    with k.when((miss < radius * radius) & (along > 0.0)):
        t = k.let("t", along - ops.sqrt(ops.max(radius * radius - miss, 0.0)))
        normal = k.let("normal", ops.normalize(origin + t * direction - center))
        light = k.let("to_light", ops.normalize(k.scalar("light", VEC3, uniform(0.2, 1.0))))
        diffuse = k.let("diffuse", 0.5 + 0.5 * ops.dot(normal, light))
        shaped = k.rng.pick(diffuse, diffuse * diffuse, ops.smoothstep(0.0, 1.0, diffuse))
        ambient = k.rng.number(0.1, 0.3)
        k.set(color, k.rng.pick(shaped, ambient + (1.0 - ambient) * shaped))
    if k.rng.chance(0.4):
        with k.orwhen(along < 0.0):
            k.set(color, color * k.rng.number(0.2, 0.7))
        k.notes.append("Behind the ray's origin the background is dimmed")
    finish(k, "shade", color, "Half-Lambert shade of a sphere where each ray hits it, background elsewhere")


def table_lookup(k: Builder) -> None:
    """Interpolation in a table with treatment of the ends."""
    threads(k)
    entries = k.rng.pick(8, 12, 16)
    k.sizes["entries"] = str(entries)
    table = k.array(k.rng.pick("table", "lut", "profile"), k.real, ["entries"], uniform(-1.0, 1.0))
    x = signal(k, "x", -0.3, 1.3, spread=True)
    place = k.let("place", x * float(entries - 1))
    value = k.var("value", 0.0)
    with k.when(place <= 0.0):
        start, note = k.rng.pick(
            (table[0], ""),
            (table[0] + 0.1 * place, "Before the first entry the value goes on with slope 0.1"),
            (0.5 * table[0], "Before the first entry the value is half of that"),
        )
        k.set(value, start)
    with k.orwhen(place >= float(entries - 1)):
        k.set(value, table[entries - 1])
    with k.otherwise():
        cell = k.let("cell", bounded(convert(I32, place), 0, entries - 2))
        t = k.let("t", place - convert(k.real, cell))
        match k.rng.below(3):
            case 0:
                k.set(
                    value,
                    k.rng.pick(
                        ops.lerp(table[cell], table[cell + 1], t),
                        (1.0 - t) * table[cell] + t * table[cell + 1],
                    ),
                )
            case 1:
                s = k.let("s", t * t * (3.0 - 2.0 * t))
                k.set(value, table[cell] + s * (table[cell + 1] - table[cell]))
            case _:
                total = k.var("total", 0.0)
                with k.loop("m", 0, 3) as m:
                    w = k.let("w", 1.0 / (0.2 + ops.abs(t - convert(k.real, m))))
                    k.add(total, w * table[ops.min(cell + m, entries - 1)])
                k.set(value, total * k.rng.number(0.2, 0.5))
                note = f"{note}. Inside, three entries are summed up, weighted by distance".removeprefix(". ")
    if note:
        k.notes.append(note)
    finish(k, "value", value, f"Value at each x from a table of {entries} entries")


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


def assign_cluster(k: Builder) -> None:
    """Nearest of a few centers, and a count per center."""
    k.real = F32
    threads(k, 1, name="point", indirect=False)
    clusters = k.rng.pick(3, 4, 6)
    k.sizes["clusters"] = str(clusters)
    space = Vector(k.rng.pick(2, 3), F32)
    centers = k.array(k.rng.pick("centers", "centroids"), space, ["clusters"], uniform(-1.0, 1.0))
    point = read(k, "position", -1.0, 1.0, space)
    best, label = (
        k.var("best", 1000.0, bounds=(0.0, 1000.0)),
        k.var("label", 0, type=I32, bounds=(0, clusters - 1)),
    )
    measure = k.rng.pick("distance", "squared distance")
    with k.loop("c", 0, clusters) as c:
        offset = k.let("offset", point - centers[c])
        squared = k.rng.pick(ops.dot(offset, offset), ops.length_sq(offset))
        distance = k.let("distance", ops.length(offset) if measure == "distance" else squared)
        with k.when(distance < best):
            k.set(best, distance)
            k.set(label, c)
    counts = k.array(k.rng.pick("counts", "members"), I32, ["clusters"], {"constant": 0}, "inout")
    if k.rng.chance(0.5):
        k.atomic("add", counts, label, 1)
        k.notes.append("The members of each center are counted")
    else:
        with k.when(best < k.rng.number(0.15, 0.35)):
            k.atomic("add", counts, label, 1)
        k.notes.append("The members near each center are counted")
    if k.rng.chance(0.4):
        finish(
            k,
            "label",
            conditional(best < k.rng.number(0.1, 0.35), label, -1 - label),
            f"Label of the nearest of {clusters} centers, or -1 - label where that is far",
            counted=False,
        )
    else:
        k.store(k.array("labels", I32, ["n"], None, "out"), k.target, label)
        finish(k, "distance", best, f"Nearest of {clusters} centers and its {measure}")


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
        k.add(force, member("mass") * construct(space, *[-9.8 * one for one in up]))
    per_mass = k.rng.chance(0.5) or not gravity
    result = force / member("mass") if per_mass else force
    word = "Acceleration" if per_mass else "Force"
    finish(
        k,
        "response",
        result,
        f"{word} of each point that touches a plane{', with gravity' if gravity else ''}",
    )


def token_score(k: Builder) -> None:
    """Attention of one query to a few keys: scores, a running maximum, weights."""
    threads(k, 1, name=k.rng.pick("query", "i"))
    tokens, channels = k.rng.pick(4, 6, 8), k.rng.pick(2, 3, 4)
    k.sizes["tokens"] = str(tokens)
    queries = row(k, "queries", "channels", channels, uniform(-1.0, 1.0))
    keys = k.array("keys", k.real, ["tokens", "channels"], uniform(-1.0, 1.0))
    values = k.array("values", k.real, ["tokens"], uniform(-1.0, 1.0))
    scale, causal = k.rng.number(0.3, 1.0), k.rng.chance(0.4)
    weight, total = k.var("weight", 0.0), k.var("total", 0.0)
    with k.loop("t", 0, tokens) as t:
        if causal:
            length = read(k, "visible", 1, tokens, I32, array="visible_counts", inline=True)
            with k.when(t >= length):
                k.jump("break")
        score = k.var("score", 0.0, bounds=(-float(channels), float(channels)))
        with k.loop("c", 0, channels) as c:
            k.set(score, bounded(score + queries(c) * keys[t, c], -float(channels), float(channels)))
        share = k.let("share", k.rng.pick(ops.exp(scale * score), 1.0 / (1.0 + ops.exp(-scale * score))))
        k.add(weight, share)
        k.add(total, share * values[t])
    what = "visible " if causal else ""
    finish(
        k,
        "attended",
        total / bounded(weight, 0.01, 1e4),
        f"Weighted mean of the {what}tokens' values for each query",
    )
