"""Rotations from and to other forms."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms.quaternion.turns import store_turn, vector_part
from weft.kernels.idioms.rotations import axis_vector, identity, rotation, space, unit
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, plural, read, threads, uniform
from weft.types import Matrix, Quaternion


def matrix_forms(k: Builder) -> None:
    """Rotations as matrices, and back."""
    threads(k, 1, 2)
    q = rotation(k, "rotation", shared=True)
    square = Matrix(3, 3, k.real)
    if k.rng.chance(0.4):
        x, y, z, w = (q[n] for n in range(4))
        rows = [
            1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w),
            2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w),
            2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y),
        ]  # fmt: skip
        m = k.let("m", bounded(construct(square, *rows), -1.0, 1.0))
        k.notes.append("The matrix is written out")
    else:
        m = k.let("m", ops.quat_to_matrix(q))
    match k.rng.pick("matrix", "inertia", "column", "trace", "back", "point"):
        case "inertia":
            diagonal = read(k, "moments", 0.2, 2.0, space(k), array="principal_moments")
            world = m @ ops.diag(diagonal) @ ops.transpose(m)
            finish(k, "inertia", world, "Inertia of each body in the frame of the world")
        case "column":
            at = k.rng.below(3)
            column = construct(space(k), m[0, at], m[1, at], m[2, at])
            finish(k, "axis", column, f"Column {at} of the matrix of each rotation")
        case "trace":
            cosine = k.let("cosine", ops.clamp(0.5 * (ops.trace(m) - 1.0), -1.0, 1.0))
            finish(
                k,
                "angle",
                ops.acos(k.rng.number(0.9, 0.99) * cosine),
                "Angle of each rotation, a little flattened, from the trace of its matrix",
            )
        case "back":
            other = k.let("other", ops.quat_to_matrix(rotation(k, "second", shared=True)))
            product = bounded(m @ (ops.transpose(other) if k.rng.chance(0.5) else other), -1.0, 1.0)
            store_turn(
                k,
                "relative",
                k.let("relative", ops.quat_from_matrix(product)),
                "Rotation of a product of two matrices",
            )
        case "point":
            point = read(k, "point", -2.0, 2.0, space(k))
            back = k.rng.chance(0.4)
            finish(
                k,
                "image",
                (ops.transpose(m) if back else m) @ point,
                f"Each point times the {'transposed ' if back else ''}matrix of a rotation",
            )
        case _:
            finish(k, "matrix", m, "Matrix of each rotation")


def euler_angles(k: Builder) -> None:
    """Roll, pitch and yaw."""
    threads(k, 1, 2)
    if k.rng.chance(0.5):
        q = rotation(k, "attitude", shared=True, flat=False)
        x, y, z, w = (q[n] for n in range(4))
        choices = k.rng.shuffled(("roll", "pitch", "yaw"))[: k.rng.pick(1, 2, 3)]
        formulas = {
            "roll": lambda: ops.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            "pitch": lambda: ops.asin(ops.clamp(k.rng.number(0.9, 0.99) * 2.0 * (w * y - z * x), -1.0, 1.0)),
            "yaw": lambda: ops.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
        }
        for name in choices[1:]:
            k.store(k.array(plural(name), k.real, k.shape, None, "out"), k.target, formulas[name]())
            k.notes.append(f"The {name} is stored as well")
        finish(k, choices[0], formulas[choices[0]](), f"The {choices[0]} of each attitude")
        return
    angles = {one: read(k, one, -1.2, 1.2) for one in ("roll", "pitch", "yaw")}
    if k.rng.chance(0.4):
        q = ops.quat_rpy(*(angles[one] for one in ("roll", "pitch", "yaw")))
        doc = "Rotation from roll, pitch and yaw"
    elif k.rng.chance(0.5):
        order = k.rng.shuffled(("roll", "pitch", "yaw"))
        turns = {
            one: k.let(f"turn_{one}", ops.quat_from_axis_angle(axis_vector(k, n), angles[one]))
            for n, one in enumerate(angles)
        }
        q = unit(unit(turns[order[0]] * turns[order[1]]) * turns[order[2]])
        doc = f"Rotation from turns by {order[0]}, {order[1]} and {order[2]}, the last one first"
    else:
        c = {one: k.let(f"c_{one}", ops.cos(0.5 * angles[one])) for one in angles}
        s = {one: k.let(f"s_{one}", ops.sin(0.5 * angles[one])) for one in angles}
        r, p, h = "roll", "pitch", "yaw"
        q = unit(
            construct(
                Quaternion(k.real),
                s[r] * c[p] * c[h] - c[r] * s[p] * s[h],
                c[r] * s[p] * c[h] + s[r] * c[p] * s[h],
                c[r] * c[p] * s[h] - s[r] * s[p] * c[h],
                c[r] * c[p] * c[h] + s[r] * s[p] * s[h],
            )
        )
        doc = "Rotation from roll, pitch and yaw, written out"
    store_turn(k, "attitude", k.let("q", q), doc)


def look_at(k: Builder) -> None:
    """The rotation from one direction to another, or one that faces a target."""
    threads(k, 1, 2)
    eye = read(k, "eye", -1.0, 0.0, space(k))
    goal = (
        read(k, "goal", 0.2, 2.0, space(k))
        if k.rng.chance(0.6)
        else k.scalar("goal", space(k), uniform(0.2, 2.0))
    )
    if k.rng.chance(0.4):
        motion = read(k, "goal_velocity", -0.1, 0.1, space(k), array="goal_velocities")
        goal = k.let("led_goal", goal + coefficient(k, "lead", 0.1, 0.9) * motion)
        k.notes.append("The goal is led by its motion")
    if k.rng.chance(0.3):
        eye = k.let("raised_eye", eye - coefficient(k, "height", 0.02, 0.2) * axis_vector(k, 2))
        k.notes.append("The eye is lower by a height")
    forward = k.let("forward", ops.normalize(goal - eye))
    if k.rng.chance(0.5):
        start = (
            axis_vector(k, k.rng.below(3))
            if k.rng.chance(0.5)
            else k.let("start", ops.normalize(read(k, "heading", 0.1, 1.0, space(k))))
        )
        axis = k.let("axis", ops.cross(start, forward))
        q = construct(Quaternion(k.real), axis[0], axis[1], axis[2], 1.0 + ops.dot(start, forward))
        doc = "Shortest turn from a heading to a goal"
    else:
        up = axis_vector(k, 1)
        side = k.let("side", ops.normalize(ops.cross(up, forward)))
        top = k.let("top", bounded(ops.cross(forward, side), -1.0, 1.0))
        columns = [side, top, forward]
        m = construct(
            Matrix(3, 3, k.real), *(columns[column][row] for row in range(3) for column in range(3))
        )
        q = ops.quat_from_matrix(k.let("m", m))
        doc = "Orientation that faces a goal with the top up"
    q = k.let("q", ops.normalize(q))
    match k.rng.pick("whole", "whole", "part", "rolled", "limited"):
        case "part":
            q = k.let("part", ops.quat_slerp(identity(k), q, coefficient(k, "share", 0.2, 0.9)))
            doc = f"A share of the {doc[0].lower()}{doc[1:]}"
        case "rolled":
            roll = ops.quat_from_axis_angle(forward, read(k, "roll", -1.0, 1.0))
            q = k.let("rolled", unit(roll * q))
            doc += ", rolled about the line of sight"
        case "limited":
            q = k.let("limited", ops.normalize(q + coefficient(k, "stiffness", 0.2, 2.0) * identity(k)))
            doc += ", held back by a spring"
    store_turn(k, "facing", q, doc)


def swing_twist(k: Builder) -> None:
    """A rotation as a twist about an axis and a swing of it."""
    threads(k, 1, 2)
    q = rotation(k, "rotation")
    at = k.rng.below(3)
    if k.rng.chance(0.6):
        values = [lift(0.0, k.real)] * 3
        values[at] = q[at]
        twist = k.let("twist", ops.normalize(construct(Quaternion(k.real), *values, q[3])))
        about = f"the {'xyz'[at]} axis"
    else:
        axis = k.let("axis", ops.normalize(read(k, "hinge", 0.1, 1.0, space(k), array="hinge_axes")))
        along = k.let("along", ops.dot(vector_part(k, q), axis))
        twist = k.let(
            "twist", ops.normalize(construct(Quaternion(k.real), *(along * axis[n] for n in range(3)), q[3]))
        )
        about = "a hinge"
    match k.rng.pick("twist", "swing", "limited", "angle"):
        case "swing":
            swing = k.let("swing", unit(q * ops.quat_inverse(twist)))
            store_turn(
                k, "swing", swing, f"Swing of each rotation that remains without its twist about {about}"
            )
        case "limited":
            share = coefficient(k, "kept_share", 0.2, 0.8)
            swing = k.let("swing", unit(q * ops.quat_inverse(twist)))
            less = k.let("less", ops.normalize((1.0 - share) * identity(k) + share * twist))
            store_turn(
                k,
                "limited_turn",
                k.let("limited", unit(swing * less)),
                f"Each rotation with less twist about {about}",
            )
        case "angle":
            sine = ops.length(vector_part(k, twist))
            finish(
                k,
                "twist_angle",
                2.0 * ops.atan2(sine, ops.abs(twist[3])),
                f"Angle of the twist of each rotation about {about}",
            )
        case _:
            store_turn(k, "twist", twist, f"Twist of each rotation about {about}")
