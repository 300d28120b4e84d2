"""Particles: motion, collisions, forces of neighbours, kernels of smoothing, cells and deposits."""

from collections.abc import Callable

from weft.kernels import particle_cells, particle_forces
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms import coefficient, read, threads, told, uniform
from weft.kernels.pairs import along, each_neighbor, zero
from weft.kernels.particle_forces import space_of, turned
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.types import Vector

REVISION = 1
TEACHES = "particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks"


Influence = Callable[[Expr, Expr], Expr]
"""An acceleration, from where a particle is and how fast it moves."""


def _influence(k: Builder, kind: str, space: Vector) -> Influence:
    match kind:
        case "gravity" if k.rng.chance(0.5):
            pull = k.scalar("gravity", space, uniform(-2.0, 2.0))
            k.notes.append("Gravity is the same everywhere")
            return lambda x, v: pull
        case "gravity":
            axis = k.rng.pick(1, space.length - 1)
            down = along(space, axis, -coefficient(k, "gravity", 0.5, 9.0, kinds="lp"))
            k.notes.append(f"Gravity pulls against axis {axis}")
            return lambda x, v: down
        case "drag":
            drag = coefficient(k, "drag", 0.05, 0.8)
            if k.rng.chance(0.5):
                k.notes.append("Drag is linear in the velocity")
                return lambda x, v: -drag * v
            k.notes.append("Drag grows with the square of the speed")
            return lambda x, v: (-drag * ops.length(v)) * v
        case "force":
            push, mass = read(k, "force", -2.0, 2.0, space), read(k, "mass", 0.5, 2.0, array="masses")
            k.notes.append("Each particle has a force and a mass")
            return lambda x, v: push / mass
        case "anchor":
            home = (
                read(k, "anchor", -1.0, 1.0, space)
                if k.rng.chance(0.5)
                else k.scalar("center", space, uniform(-1.0, 1.0))
            )
            stiffness = coefficient(k, "stiffness", 0.5, 4.0)
            k.notes.append(f"A spring pulls towards {told(home)}")
            return lambda x, v: stiffness * (home - x)
        case "swirl":
            spin, of_velocity = coefficient(k, "spin", 0.2, 2.0), k.rng.chance(0.5)
            k.notes.append(
                f"Another force is the {'velocity' if of_velocity else 'position'}, turned sideways"
            )
            return lambda x, v: spin * turned(v if of_velocity else x, space)
        case _:
            wind, rate = k.scalar("wind", space, uniform(-1.0, 1.0)), coefficient(k, "exchange", 0.1, 0.9)
            k.notes.append("A wind carries particles along")
            return lambda x, v: rate * (wind - v)


def _influences(k: Builder, space: Vector, *, placed: bool) -> Influence:
    """One to three influences at once; with `placed`, one depends on the position."""
    kinds = k.rng.shuffled(["gravity", "drag", "force", "swirl", "wind"])[: k.rng.pick(0, 1, 1, 2)]
    if placed or not kinds or k.rng.chance(0.3):
        kinds.append("anchor")
    parts = [_influence(k, kind, space) for kind in k.rng.shuffled(kinds)]

    def total(x: Expr, v: Expr) -> Expr:
        value = parts[0](x, v)
        for part in parts[1:]:
            value = value + part(x, v)
        return value

    return total


def integrate_motion(k: Builder) -> None:
    """One step in time under gravity, drag and other influences."""
    threads(k, 1, 2, indirect=False, name=k.rng.pick("i", "p", "particle"))
    space = space_of(k)
    in_place = k.rng.chance(0.4)
    role = "inout" if in_place else "in"
    places = k.array(k.rng.pick("positions", "points"), space, k.shape, uniform(-1.0, 1.0), role)
    speeds = k.array("velocities", space, k.shape, uniform(-2.0, 2.0), role)
    x, v = k.let("x", places[k.target]), k.let("v", speeds[k.target])
    way = k.rng.pick("symplectic", "explicit", "verlet", "leapfrog", "midpoint", "heun")
    pull = _influences(k, space, placed=way == "midpoint")
    dt = coefficient(k, "dt", 0.01, 0.2, kinds="lp")
    match way:
        case "symplectic":
            new_v = k.let("new_v", v + dt * pull(x, v))
            new_x = k.let("new_x", x + dt * new_v)
        case "explicit":
            a = k.let("a", pull(x, v))
            new_x, new_v = k.let("new_x", x + dt * v), k.let("new_v", v + dt * a)
        case "verlet":
            before = read(k, "acceleration", -1.0, 1.0, space)
            new_x = k.let("new_x", x + dt * v + (0.5 * dt * dt) * before)
            new_v = k.let("new_v", v + (0.5 * dt) * (before + pull(new_x, v)))
        case "leapfrog":
            half = k.let("v_half", v + (0.5 * dt) * pull(x, v))
            new_x = k.let("new_x", x + dt * half)
            new_v = k.let("new_v", half + (0.5 * dt) * pull(new_x, half))
        case "midpoint":
            half_x = k.let("x_half", x + (0.5 * dt) * v)
            half_v = k.let("v_half", v + (0.5 * dt) * pull(x, v))
            new_x = k.let("new_x", x + dt * half_v)
            new_v = k.let("new_v", v + dt * pull(half_x, half_v))
        case _:
            a = k.let("a", pull(x, v))
            guess = k.let("v_guess", v + dt * a)
            new_v = k.let("new_v", v + (0.5 * dt) * (a + pull(x + dt * v, guess)))
            new_x = k.let("new_x", x + (0.5 * dt) * (v + guess))
    title = {
        "symplectic": "the symplectic Euler method",
        "explicit": "the explicit Euler method",
        "verlet": "the velocity Verlet method",
        "leapfrog": "the leapfrog method",
        "midpoint": "the midpoint rule",
        "heun": "Heun's method",
    }[way]
    if k.rng.chance(0.3):
        top = coefficient(k, "max_speed", 1.0, 2.0, kinds="lp")
        speed = k.let("speed", ops.max(ops.length(new_v), 0.1))
        new_v = k.let("slowed_v", new_v * ops.min(top / bounded(speed, 0.1, 1e3), 1.0))
        k.notes.append(f"Speeds are limited to {told(top)}")
    doc = f"One step of each particle by {title}"
    if in_place:
        k.store(places, k.target, new_x)
        k.store(speeds, k.target, new_v)
        describe(k, f"{doc}, in place")
        return
    first = k.rng.chance(0.5)
    k.store(
        k.array("moved_positions" if first else "new_velocities", space, k.shape, None, "out"),
        k.target,
        new_x if first else new_v,
    )
    finish(k, "new_velocity" if first else "new_position", new_v if first else new_x, doc)


def bounce_at_walls(k: Builder) -> None:
    """Particles that meet the walls of a box, a plane or a ball."""
    threads(k, 1, 2, indirect=False, name=k.rng.pick("i", "p", "tid"))
    space = space_of(k)
    x = read(k, "position", -1.5, 1.5, space)
    v = read(k, "velocity", -2.0, 2.0, space)
    bounce = coefficient(k, k.rng.pick("restitution", "bounce"), 0.3, 0.95)
    shape = k.rng.pick("box", "faces", "plane", "ball", "pipe")
    new_x: Expr
    new_v: Expr
    match shape:
        case "box" | "faces":
            side = coefficient(k, "half_width", 0.8, 1.2, kinds="lp")
            spot, speed = k.var("spot", x), k.var("speed", v)
            if shape == "box" and k.rng.chance(0.6):
                with k.loop("axis", 0, space.length) as axis:
                    _wall(k, spot, speed, axis, side, bounce)
                doc = "Reflects particles at the walls of a box, axis by axis"
            else:
                axis_number = k.rng.below(space.length)
                _wall(k, spot, speed, axis_number, side, bounce)
                doc = f"Reflects particles at two walls across axis {axis_number}"
            new_x, new_v = spot, speed
        case "plane":
            normal = k.let("normal", ops.normalize(k.scalar("direction", space, uniform(0.2, 1.0))))
            level = coefficient(k, "level", -0.3, 0.3, kinds="lp")
            depth = k.let("depth", ops.dot(normal, x) - level)
            into = k.let("into", ops.dot(normal, v))
            hit = k.let("hit", (depth < 0.0) & (into < 0.0))
            grip = coefficient(k, "friction", 0.1, 0.6)
            side_v = k.let("slide", v - into * normal)
            new_v = ops.where(hit, (1.0 - grip) * side_v - (bounce * into) * normal, v)
            new_x = x - ops.min(depth, 0.0) * normal
            doc = "Reflects particles at a plane, with friction along it"
        case _:
            radius = coefficient(k, "radius", 0.6, 1.2, kinds="lp")
            flat = shape == "pipe"
            out = construct(space, x[0], x[1], *([0.0] if space.length == 3 else [])) if flat else x
            out = k.let("across", out) if flat else x
            far = k.let("distance", ops.max(ops.length(out), 0.1))
            normal = k.let("normal", out / bounded(far, 0.1, 3.0))
            into = k.let("outward", ops.dot(normal, v))
            new_x, new_v = k.var("new_x", x), k.var("new_v", v)
            with k.when(far > radius):
                k.set(new_x, x - (far - radius) * normal)
                if k.rng.chance(0.5):
                    with k.when(into > 0.0):
                        k.set(new_v, v - ((1.0 + bounce) * into) * normal)
                else:
                    k.set(new_v, v - ((1.0 + bounce) * ops.max(into, 0.0)) * normal)
            doc = f"Keeps particles inside a {'pipe' if flat else 'ball'} and reflects their velocities"
    if k.rng.chance(0.5):
        k.store(k.array("new_velocities", space, k.shape, None, "out"), k.target, new_v)
        finish(k, "new_position", new_x, doc)
    else:
        k.store(k.array("new_positions", space, k.shape, None, "out"), k.target, new_x)
        finish(k, "new_velocity", new_v, doc)


def _wall(k: Builder, spot: Expr, speed: Expr, axis: Expr | int, side: Expr, bounce: Expr) -> None:
    """Two walls across one axis."""
    match k.rng.below(3):
        case 0:
            with k.when(spot[axis] > side):
                k.set(spot[axis], side)
                k.set(speed[axis], -bounce * ops.abs(speed[axis]))
            with k.orwhen(spot[axis] < -side):
                k.set(spot[axis], -side)
                k.set(speed[axis], bounce * ops.abs(speed[axis]))
        case 1:
            with k.when(ops.abs(spot[axis]) > side):
                k.set(speed[axis], -bounce * speed[axis])
            k.set(spot[axis], ops.max(ops.min(spot[axis], side), -side))
            k.notes.append("A particle outside turns around")
        case _:
            over = k.let("over", ops.max(ops.abs(spot[axis]) - side, 0.0))
            with k.when(over > 0.0):
                k.set(spot[axis], spot[axis] - (1.0 + bounce) * over * ops.sign(spot[axis]))
                k.set(speed[axis], -bounce * speed[axis])
            k.notes.append("How far a particle is outside decides where it lands")


def drag_on_particles(k: Builder) -> None:
    """Drag by laws of various regimes in a moving fluid."""
    threads(k, 1, 2, name=k.rng.pick("i", "droplet", "grain"))
    space = space_of(k)
    v = read(k, "velocity", -2.0, 2.0, space)
    fluid = (
        k.scalar("wind", space, uniform(-1.0, 1.0))
        if k.rng.chance(0.4)
        else read(k, "fluid_velocity", -1.0, 1.0, space)
    )
    slip = k.let(k.rng.pick("slip", "relative"), fluid - v)
    law = k.rng.pick("Stokes", "quadratic", "mixed", "Reynolds", "power")
    viscosity = size = lift(1.0, k.real)
    if law != "power":
        size = coefficient(k, k.rng.pick("diameter", "radius"), 0.1, 0.6)
    if law != "quadratic":
        viscosity = coefficient(k, "viscosity", 0.2, 1.5)
    speed = slip if law == "Stokes" else bounded(k.let("speed", ops.length(slip)), 0.0, 6.0)
    match law:
        case "Stokes":
            factor: Expr = 18.8496 * viscosity * size
            doc = "Stokes drag"
        case "quadratic":
            factor = coefficient(k, "drag_coefficient", 0.3, 1.2) * size * size * speed
            doc = "Drag that is quadratic in the slip speed"
        case "mixed":
            factor = viscosity * size + 0.5 * size * size * speed
            doc = "Drag of a linear and a quadratic part"
        case "Reynolds":
            reynolds = k.let("reynolds", speed * size / viscosity + 0.01)
            gain = 1.0 + 0.15 * ops.pow(reynolds, 0.687)
            factor = (
                viscosity
                * size
                * (
                    ops.where(reynolds < k.rng.number(0.5, 1.5), gain, 1.0 + 0.1 * reynolds)
                    if k.rng.chance(0.5)
                    else gain
                )
            )
            doc = "Drag with a correction by the Reynolds number"
        case _:
            exponent = k.rng.number(0.3, 0.8)
            factor = viscosity * ops.pow(speed + 0.05, exponent)
            doc = f"Drag by a power law of the exponent {1 + exponent:.3g}"
    factor = k.let("factor", factor)
    match k.rng.pick("force", "acceleration", "implicit", "power"):
        case "force":
            finish(k, "force", factor * slip, f"{doc}, as a force")
        case "acceleration":
            mass = read(k, "mass", 0.4, 3.0, array="masses")
            finish(k, "acceleration", (factor / mass) * slip, f"{doc}, as an acceleration")
        case "implicit":
            dt = coefficient(k, "dt", 0.02, 0.3, kinds="lp")
            rate = bounded(k.let("rate", dt * factor), 0.0, 40.0)
            finish(k, "new_velocity", v + slip * (rate / (1.0 + rate)), f"{doc}, one implicit step")
        case _:
            finish(k, "heating", factor * ops.dot(slip, slip), f"{doc}, as the power that heats the fluid")


def magnetic_push(k: Builder) -> None:
    """Charges in electric and magnetic fields."""
    threads(k, 1, 2, indirect=False, name=k.rng.pick("i", "charge", "p"))
    space = Vector(3, k.real)
    v = read(k, "velocity", -1.5, 1.5, space)
    b_field = (
        k.scalar("magnetic_field", space, uniform(-1.0, 1.0))
        if k.rng.chance(0.5)
        else read(k, "magnetic", -1.0, 1.0, space)
    )
    ratio = coefficient(k, k.rng.pick("charge_to_mass", "charge_ratio"), 0.5, 2.0)
    dt = coefficient(k, "dt", 0.05, 0.3, kinds="lp")
    half = k.let("half", 0.5 * dt * ratio)
    electric = None
    if k.rng.chance(0.7):
        electric = (
            k.scalar("electric_field", space, uniform(-1.0, 1.0))
            if k.rng.chance(0.4)
            else read(k, "electric", -1.0, 1.0, space)
        )
    kick = k.let("kick", half * electric) if electric is not None else None
    start = k.let("v_minus", v + kick) if kick is not None else v
    way = k.rng.pick("boris", "boris", "explicit", "exact", "implicit")
    if way == "exact":
        size = bounded(k.let("strength", ops.max(ops.length(b_field), 0.1)), 0.1, 2.0)
        axis = k.let("axis", b_field / size)
        angle = k.let("angle", -2.0 * half * size)
        c, s = k.let("c", ops.cos(angle)), k.let("s", ops.sin(angle))
        turned = c * start + s * ops.cross(axis, start) + ((1.0 - c) * ops.dot(axis, start)) * axis
        doc = "Turns velocities about a magnetic field by the exact angle"
    elif way == "explicit":
        turned = start + (2.0 * half) * ops.cross(start, b_field)
        doc = "One explicit step of charges in a magnetic field"
    else:
        t = k.let("t", half * b_field)
        if way == "boris":
            s_vector = k.let("s", t * (2.0 / (1.0 + ops.dot(t, t))))
            prime = k.let("v_prime", start + ops.cross(start, t))
            turned = start + ops.cross(prime, s_vector)
            doc = "Boris's step of charges in a magnetic field"
        else:
            side = start + ops.cross(start, t) + ops.dot(start, t) * t
            mixed = k.let("solved", side / (1.0 + ops.dot(t, t)))
            turned = 2.0 * mixed - start
            doc = "The implicit midpoint step of charges in a magnetic field, solved in closed form"
    new_v = k.let("v_plus", turned)
    if kick is not None:
        new_v = k.let("new_v", new_v + kick)
        doc += " between two half kicks by an electric field"
    match k.rng.pick("velocity", "position", "both", "energy", "radius"):
        case "velocity":
            finish(k, "new_velocity", new_v, doc)
        case "position":
            finish(
                k,
                "new_position",
                read(k, "position", -1.0, 1.0, space) + dt * new_v,
                f"{doc}; positions follow",
            )
        case "both":
            k.store(k.array("new_velocities", space, k.shape, None, "out"), k.target, new_v)
            finish(
                k,
                "new_position",
                read(k, "position", -1.0, 1.0, space) + dt * new_v,
                f"{doc}; positions follow",
            )
        case "energy":
            mass = read(k, "mass", 0.5, 2.0, array="masses")
            finish(
                k, "energy", 0.5 * mass * ops.dot(new_v, new_v), f"{doc}, and the energy that they then have"
            )
        case _:
            finish(k, "momentum", ops.cross(b_field, new_v), f"{doc}; the velocity across the field is given")


def flock(k: Builder) -> None:
    """Birds that follow, match and avoid their neighbours."""
    threads(k, 1, indirect=False, name=k.rng.pick("i", "bird", "agent"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
    rules = k.rng.shuffled(["cohesion", "alignment", "separation"])
    rules = rules[: k.rng.pick(1, 2, 2, 3)]
    way = k.rng.pick("steer", "velocity", "limited", "turn")
    sight = rules == ["alignment"] or k.rng.chance(0.5)
    speeds = points
    x = v = points[i]
    x = k.let("x", x)
    if "alignment" in rules or way in ("velocity", "turn"):
        speeds = k.array("velocities", space, ["n"], uniform(-1.0, 1.0))
        v = k.let("v", speeds[i])
    averaged = k.rng.chance(0.5)
    sums = {
        rule: k.var({"cohesion": "center", "alignment": "heading", "separation": "away"}[rule], zero(space))
        for rule in rules
    }
    seen = k.var("seen", 0.0, bounds=(0.0, 8.0)) if averaged else None
    reach = coefficient(k, "sight", 0.8, 2.0, kinds="lp") if sight else None
    soft = k.rng.number(0.1, 0.3)

    def act(j: Expr, d: Expr, square: Expr | None) -> None:
        for rule in rules:
            match rule:
                case "cohesion":
                    k.add(sums[rule], d)
                case "alignment":
                    k.add(sums[rule], speeds[j] - v)
                case _:
                    near = square if square is not None else ops.dot(d, d)
                    k.add(sums[rule], d / (near + soft), "-")
        if seen is not None:
            k.set(seen, bounded(seen + 1.0, 1.0, 8.0))

    def visit(j: Expr, _: Expr) -> None:
        d = k.let("d", points[j] - x)
        if reach is None:
            act(j, d, None)
        else:
            square = k.let("square", ops.dot(d, d))
            with k.when(square < reach * reach):
                act(j, d, square)

    each_neighbor(k, visit, alone=k.rng.chance(0.3))
    steer: Expr | None = None
    for rule in rules:
        part = coefficient(k, f"{rule}_weight", 0.1, 1.0, kinds="lpe") * bounded(sums[rule], -60.0, 60.0)
        steer = part if steer is None else steer + part
    assert steer is not None
    if seen is not None:
        steer = steer / ops.max(seen, 1.0)
        k.notes.append("Sums are divided by the number of neighbours")
    steer = k.let("steer", steer)
    if reach is not None:
        k.notes.append(f"Only neighbours nearer than {told(reach)} are seen")
    listed = " and ".join(rules) if len(rules) < 3 else "cohesion, alignment and separation"
    doc = f"Steers each agent by {listed}"
    match way:
        case "steer":
            finish(k, "steering", steer, doc)
        case "velocity":
            dt = coefficient(k, "dt", 0.05, 0.5, kinds="lp")
            finish(k, "new_velocity", v + dt * steer, f"{doc}, and gives the new velocity")
        case "limited":
            top = coefficient(k, "max_force", 0.3, 1.0, kinds="lp")
            size = bounded(k.let("size", ops.max(ops.length(steer), 0.05)), 0.05, 400.0)
            factor = ops.min(top / size, 1.0)
            finish(k, "steering", steer * factor, f"{doc}, with a limited force")
        case _:
            wish = k.let("wish", v + steer)
            size = bounded(ops.length(wish), 0.0, 400.0)
            finish(
                k,
                "heading",
                wish / (size + soft),
                f"{doc}, and gives the direction that it takes, softened at rest",
            )


def contact_force(k: Builder) -> None:
    """Grains that touch an obstacle or their neighbours: springs, dashpots, friction."""
    lonely = k.rng.chance(0.45)
    threads(k, 1, indirect=False, name=k.rng.pick("i", "grain", "p"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-0.8, 0.8))
    moving = k.rng.chance(0.7)
    speeds = k.array("velocities", space, ["n"], uniform(-1.0, 1.0)) if moving else None
    x = k.let("x", points[i])
    v = k.let("v", speeds[i]) if speeds is not None else None
    sizes = k.array("radii", k.real, ["n"], uniform(0.2, 0.5)) if k.rng.chance(0.6) else None
    radius: Expr = (
        k.let("radius", sizes[i]) if sizes is not None else coefficient(k, "radius", 0.2, 0.5, kinds="lp")
    )
    stiffness = coefficient(k, "stiffness", 1.0, 9.0)
    damping = coefficient(k, "damping", 0.1, 0.9, kinds="lp") if moving and k.rng.chance(0.7) else None
    rubs = moving and (damping is None or k.rng.chance(0.5))
    grip = coefficient(k, "friction", 0.1, 0.7, kinds="lp") if rubs else None
    law = k.rng.pick("linear", "hertz", "square")

    def push(overlap: Expr, normal: Expr, relative: Expr | None, target: Expr) -> None:
        match law:
            case "linear":
                strength = stiffness * overlap
            case "hertz":
                strength = stiffness * overlap * ops.sqrt(overlap)
            case _:
                strength = stiffness * overlap * overlap
        if relative is not None:
            speed = k.let("normal_speed", ops.dot(relative, normal))
            if damping is not None:
                strength = strength - damping * speed
            if k.rng.chance(0.4):
                strength = ops.max(strength, 0.0)
            strength = k.let("strength", strength)
            force = strength * normal
            if grip is not None:
                slide = k.let("slide", relative - speed * normal)
                size = bounded(ops.length(slide), 0.0, 9.0)
                force = force - (grip * strength / (size + 0.1)) * slide
            k.add(target, force)
            return
        k.add(target, strength * normal)

    force = k.var("force", zero(space))
    if lonely:
        obstacle = k.rng.pick("ball", "floor")
        if obstacle == "ball":
            center = k.scalar("center", space, uniform(-0.3, 0.3))
            away = k.let("away", x - center)
            far = bounded(k.let("distance", ops.max(ops.length(away), 0.05)), 0.05, 4.0)
            overlap = k.let("overlap", radius + coefficient(k, "obstacle_radius", 0.3, 0.6, kinds="lp") - far)
            normal = away / far
        else:
            level = coefficient(k, "floor_level", -0.2, 0.2, kinds="lp")
            overlap = k.let("overlap", level + radius - x[1])
            normal = along(space, 1, 1.0)
        with k.when(overlap > 0.0):
            normal = k.let("normal", normal)
            push(bounded(overlap, 0.0, 2.0), normal, v, force)
        doc = f"Force of a {'ball' if obstacle == 'ball' else 'floor'} on each grain that touches it"
    else:

        def visit(j: Expr, _: Expr) -> None:
            away = k.let("away", x - points[j])
            far = bounded(k.let("distance", ops.max(ops.length(away), 0.05)), 0.05, 4.0)
            overlap = k.let("overlap", radius + (sizes[j] if sizes is not None else radius) - far)
            with k.when(overlap > 0.0):
                normal = k.let("normal", away / far)
                relative = None
                if v is not None and speeds is not None:
                    relative = k.let("relative", v - speeds[j])
                push(bounded(overlap, 0.0, 1.5), normal, relative, force)

        each_neighbor(k, visit, alone=True)
        doc = "Force of the neighbours that touch each grain"
    words = {"linear": "a linear spring", "hertz": "Hertz's law", "square": "a quadratic spring"}[law]
    if damping is not None:
        words += ", a dashpot"
    if grip is not None:
        words += " and friction"
    result: Expr = bounded(force, -300.0, 300.0)
    if k.rng.chance(0.4):
        result = result + along(space, 1, -coefficient(k, "weight", 0.5, 4.0, kinds="lp"))
        k.notes.append("Weight pulls against axis 1")
    finish(k, "contact", result, f"{doc}, by {words}")


def conserved_quantities(k: Builder) -> None:
    """Energies and momenta of groups of particles."""
    threads(k, 1, 2, name=k.rng.pick("i", "group", "cluster"))
    space = space_of(k)
    members = k.rng.pick(3, 4, 6, 8)
    k.sizes["members"] = str(members)
    points = k.array("positions", space, [*k.shape, "members"], uniform(-1.0, 1.0))
    masses = k.array(
        "masses", k.real, ["members"] if k.rng.chance(0.4) else [*k.shape, "members"], uniform(0.5, 2.0)
    )
    what = k.rng.pick("center", "kinetic", "momentum", "spin", "spread", "temperature")
    speeds = points
    if what != "spread":
        speeds = k.array("velocities", space, [*k.shape, "members"], uniform(-1.0, 1.0))

    def mass(m: Expr) -> Expr:
        return masses[m] if len(masses.parameter.shape) == 1 else masses[(*k.index, m)]

    vector = what in ("center", "momentum") or (what == "spin" and space.length == 3)
    weight = k.var("weight", 0.0) if what in ("center", "spread", "temperature") else None
    total = k.var("total", zero(space)) if vector else k.var("total", 0.0)
    drift = k.var("drift", zero(space)) if what in ("spread", "temperature") else None
    with k.loop("m", 0, members) as m:
        one = k.let("mass", mass(m)) if weight is not None else mass(m)
        if weight is not None:
            k.add(weight, one)
        place = (*k.index, m)
        match what:
            case "center":
                shift = coefficient(k, "dt", 0.1, 0.5, kinds="lp")
                k.add(total, one * (points[place] + shift * speeds[place]))
            case "kinetic":
                v = k.let("v", speeds[place])
                k.add(
                    total,
                    0.5 * one * ops.dot(v, v)
                    + coefficient(k, "stiffness", 0.2, 2.0, kinds="lp") * ops.length_sq(points[place]),
                )
            case "momentum":
                pull = coefficient(k, "pull", 0.1, 0.9, kinds="lp")
                k.add(total, one * (speeds[place] - pull * points[place]))
            case "spin":
                x, v = k.let("x", points[place]), k.let("v", speeds[place])
                k.add(total, one * (ops.cross(x, v) if space.length == 3 else x[0] * v[1] - x[1] * v[0]))
            case _:
                x = k.let(
                    "x",
                    points[place]
                    if what == "spread"
                    else speeds[place] + coefficient(k, "rate", 0.1, 0.9, kinds="lp") * points[place],
                )
                k.add(total, one * ops.dot(x, x))
                assert drift is not None
                k.add(drift, one * x)
    value: Expr
    doc, name, value = {
        "center": ("Center of mass of each group after a step", "center", total),
        "kinetic": ("Energy of each group in a harmonic trap", "energy", total),
        "momentum": ("Momentum of each group, less a pull to the origin", "momentum", total),
        "spin": ("Angular momentum of each group", "spin", total),
        "spread": ("Second moment of each group about its center", "spread", total),
        "temperature": ("Energy of each group's motion about its mean", "heat", total),
    }[what]
    if weight is not None:
        heavy = bounded(weight, 0.5 * members, 2.0 * members)
        value = total / heavy if drift is None else total - ops.dot(drift, drift) / heavy
    finish(k, name, bounded(value, -100.0, 100.0), doc)


def neighbor_force(k: Builder) -> None:
    """Forces or energies of pairs, over lists of neighbours."""
    particle_forces.neighbor_force(k)


def pull_of_sources(k: Builder) -> None:
    """Fields of a few sources that all particles feel."""
    particle_forces.pull_of_sources(k)


def smoothing_sum(k: Builder) -> None:
    """Sums over neighbours with the kernels of smoothed particle hydrodynamics."""
    particle_forces.smoothing_sum(k)


def periodic_images(k: Builder) -> None:
    """Distances and positions in a box that repeats."""
    particle_forces.periodic_images(k)


def cell_index(k: Builder) -> None:
    """Numbers of the cells that particles lie in: linear, hashed, interleaved."""
    particle_cells.cell_index(k)


def grid_deposit(k: Builder) -> None:
    """Whole numbers that particles add to the cells of a grid."""
    particle_cells.grid_deposit(k)
