"""One particle under forces of its own."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.pairs import along
from weft.kernels.idioms.particle.forces import space_of, turned
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.vocabulary import coefficient, read, threads, told, uniform
from weft.types import Vector

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
    threads(k, 1, 2, name=k.rng.pick("i", "p", "particle"))
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


def magnetic_push(k: Builder) -> None:
    """Charges in electric and magnetic fields."""
    threads(k, 1, 2, name=k.rng.pick("i", "charge", "p"))
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
