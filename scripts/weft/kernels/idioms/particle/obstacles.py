"""Walls and drag."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms.particle.forces import space_of
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, uniform


def bounce_at_walls(k: Builder) -> None:
    """Particles that meet the walls of a box, a plane or a ball."""
    threads(k, 1, 2, name=k.rng.pick("i", "p", "tid"))
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
