"""Rotations by their angles: about axes one after the other, and about one axis alone."""

from weft.kernels.builder import Builder
from weft.kernels.effects import results
from weft.kernels.expressions import lift, ops
from weft.kernels.idioms.quaternion.turns import store_turn
from weft.kernels.idioms.rotations import rotation, space, unit
from weft.kernels.intervals import Interval
from weft.kernels.program import Call, Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, QUAT, VEC3
from weft.kernels.vocabulary import coefficient, read, threads, uniform

ORDERS = ((0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1))


def _axes(order: tuple[int, int, int]) -> list[Expr]:
    return [lift(one, I32) for one in order]


def angles_about_axes(k: Builder) -> None:
    """Angles about three axes, from rotations and to them, limited or scaled between."""
    k.real = F32
    threads(k, 1, 2)
    order = k.rng.pick(*ORDERS)
    named = " ".join("xyz"[one] for one in order)
    match k.rng.pick("to angles", "to rotation", "roll", "both"):
        case "to angles":
            # Half the size, so that no angle is near the one where the other two are not determined.
            turn = ops.quat_slerp(_nothing(), rotation(k, "attitude"), lift(0.4, F32))
            k.notes.append("Four tenths of each rotation are taken")
            angles = ops.quat_to_euler(k.let("part", unit(turn)), *_axes(order))
            finish(k, "joint_angles", angles, f"Angles about the axes {named} of each rotation")
        case "to rotation":
            angles = read(k, "angles", -1.2, 1.2, VEC3, array="angle_triples")
            if k.rng.chance(0.5):
                rest = k.scalar("rest_angles", VEC3, uniform(-0.5, 0.5))
                angles = k.let("offset_angles", angles - rest)
            turn = k.let("turn", unit(ops.quat_from_euler(angles, *_axes(order))))
            store_turn(k, "attitude", turn, f"Rotation by angles about the axes {named}")
        case "roll":
            part = ops.quat_slerp(_nothing(), rotation(k, "attitude"), lift(0.3, F32))
            k.notes.append("Three tenths of each rotation are taken")
            angles = k.let("angles", ops.quat_to_rpy(k.let("part", unit(part))))
            at = k.rng.below(3)
            name = ("roll", "pitch", "yaw")[at]
            finish(k, name, angles[at], f"The {name} of each rotation")
        case _:
            angles = read(k, "angles", -1.0, 1.0, VEC3, array="angle_triples")
            gain = coefficient(k, "gain", 0.3, 0.9)
            turn = k.let("turn", unit(ops.quat_from_euler(gain * angles, *_axes(order))))
            change = k.let("change", unit(ops.quat_inverse(rotation(k, "attitude")) * turn))
            store_turn(k, "correction", change, f"Rotation left to go to angles about the axes {named}")


def _nothing() -> Expr:
    """`wp.quat_identity()`."""
    return Call(QUAT, Interval(-1.0, 1.0), "wp.quat_identity", ())


def axis_twist(k: Builder) -> None:
    """How far a rotation turns about one axis: twists, their angles, what is left."""
    k.real = F32
    threads(k, 1, 2)
    q = rotation(k, "pose", shared=True)
    if k.rng.chance(0.5):
        axis = ops.normalize(k.scalar("hinge", VEC3, uniform(0.2, 1.0)))
    else:
        axis = ops.normalize(read(k, "hinge", 0.1, 1.0, VEC3, array="hinges"))
    axis = k.let("axis", axis)
    match k.rng.pick("angle", "signed", "twist", "rest", "spring"):
        case "angle":
            share = k.rng.number(0.5, 0.95)
            value = ops.cos(share * ops.quat_twist_angle(axis, q))
            finish(
                k, "openness", value, f"Cosine of {share} of the angle by which each pose turns about a hinge"
            )
        case "signed":
            angle = ops.quat_twist_angle_signed(axis, q)
            finish(
                k, "swing", ops.sin(angle), "Sine of the signed angle by which each pose turns about a hinge"
            )
        case "spring":
            angle = k.let("angle", ops.quat_twist_angle_signed(axis, q))
            stiffness = coefficient(k, "stiffness", 0.5, 4.0)
            finish(
                k,
                "moment",
                -stiffness * ops.sin(0.5 * angle) * axis,
                "Moment of a torsion spring about each hinge",
            )
        case "rest":
            twist = k.let("twist", unit(ops.quat_twist(axis, q)))
            swing = k.let("swing_part", unit(q * ops.quat_inverse(twist)))
            store_turn(k, "swing", swing, "What is left of each rotation without its turn about a hinge")
        case _:
            twist = k.let("twist", unit(ops.quat_twist(axis, q)))
            store_turn(k, "twist_part", twist, "The part of each rotation that turns about a hinge")


def rotation_vectors(k: Builder) -> None:
    """Rotations by their axis and angle: a share of them, limited, as a vector, as a speed."""
    threads(k, 1, 2)
    q = rotation(k, "attitude")
    doc = "each rotation"
    if k.rng.chance(0.5):
        goal = rotation(k, "goal", shared=True)
        back = k.rng.chance(0.5)
        q = k.let("gap", unit(ops.quat_inverse(q) * goal if back else goal * ops.quat_inverse(q)))
        doc = f"the turn in the {'body' if back else 'world'}'s frame from each attitude to its goal"
    axis, angle = results(k, "quat_to_axis_angle", (k.rng.pick("axis", "direction"), "angle"), q)
    match k.rng.pick("vector", "speed", "share", "limited", "torque", "travel"):
        case "vector":
            finish(k, "rotation_vector", angle * axis, f"The rotation vector of {doc}")
        case "speed":
            dt = coefficient(k, "dt", 0.05, 0.5, kinds="lp")
            finish(k, "spin", angle / dt * axis, f"The angular velocity that makes {doc} in a time step")
        case "share":
            share = coefficient(k, "share", 0.1, 0.9)
            part = k.let("part", ops.quat_from_axis_angle(axis, share * angle))
            store_turn(k, "partial_turn", part, f"A share of {doc}")
        case "limited":
            most = coefficient(k, "largest_angle", 0.5, 2.0)
            part = k.let("limited", ops.quat_from_axis_angle(axis, ops.min(angle, most)))
            store_turn(k, "limited_turn", part, f"As much of {doc} as an angle allows")
        case "torque":
            spin = read(k, "spin", -2.0, 2.0, space(k))
            stiffness = coefficient(k, "stiffness", 0.5, 4.0)
            damping = coefficient(k, "damping", 0.1, 1.0)
            finish(
                k,
                "torque",
                stiffness * angle * axis - damping * spin,
                f"The torque of a damped spring along {doc}",
            )
        case _:
            arm = read(k, "arm", -1.0, 1.0, space(k))
            finish(
                k, "travel", angle * ops.length(ops.cross(axis, arm)), f"The way of an arm's end under {doc}"
            )
