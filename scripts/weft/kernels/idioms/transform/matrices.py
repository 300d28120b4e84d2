"""Poses as matrices of four rows, and spatial vectors that poses carry."""

from weft.kernels.builder import Builder
from weft.kernels.effects import results
from weft.kernels.expressions import bounded, construct, lift, ops, spatial
from weft.kernels.idioms.rotations import axis_vector, pose, rotation, unit
from weft.kernels.idioms.transform.frames import use_frame
from weft.kernels.intervals import Interval
from weft.kernels.program import Call
from weft.kernels.results import finish
from weft.kernels.types import F32, SPATIAL_MATRIX, SPATIAL_VECTOR, TRANSFORM, VEC3
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Vector


def pose_matrices(k: Builder) -> None:
    """Poses and scaled poses as 4 by 4 matrices: points, directions, and back."""
    k.real = F32
    threads(k, 1, 2)
    if k.rng.chance(0.5):
        scale = read(k, "scale", 0.4, 2.0, VEC3)
        place = read(k, "place", -1.0, 1.0, VEC3)
        matrix = k.let("matrix", ops.transform_compose(place, rotation(k, "turn"), scale))
        what = "a scale, a rotation and a place"
    else:
        frame = pose(k, "frame")
        if k.rng.chance(0.3):
            back = ops.transform_from_matrix(k.let("matrix", ops.transform_to_matrix(frame)))
            use_frame(
                k,
                "frame_again",
                k.let("returned", bounded(back, -2.0, 2.0)),
                "A pose that goes through a matrix",
            )
            return
        matrix = k.let("matrix", ops.transform_to_matrix(frame))
        what = "a pose"
    point = read(k, "point", -1.0, 1.0, VEC3)
    long = construct(Vector(4, F32), point[0], point[1], point[2], lift(1.0, F32))
    image = k.let("image", matrix @ long)
    match k.rng.pick("image", "depth", "flat"):
        case "depth":
            finish(
                k,
                "depth",
                image[2] + coefficient(k, "distance", 1.0, 4.0),
                f"Depth of a point behind the matrix of {what}",
            )
        case "flat":
            far = bounded(image[2], -5.0, 5.0) + 6.0
            finish(
                k,
                "screen_point",
                construct(Vector(2, F32), image[0] / far, image[1] / far),
                f"Where a point appears on a screen, by the matrix of {what}",
            )
        case _:
            finish(
                k,
                "image",
                construct(VEC3, image[0], image[1], image[2]),
                f"Image of a point under the matrix of {what}",
            )


def scene_nodes(k: Builder) -> None:
    """Nodes of a scene: the matrix of a node and its parent, taken apart into place, rotation and scale."""
    k.real = F32
    threads(k, 1, 2)
    size = read(k, "parent_size", 0.5, 2.0)
    place = read(k, "parent_place", -1.0, 1.0, VEC3)
    parent = k.let(
        "parent",
        ops.transform_compose(
            place, rotation(k, "parent_turn", shared=True), construct(VEC3, size, size, size)
        ),
    )
    offset = k.scalar("offset", VEC3, uniform(-0.5, 0.5)) if k.rng.chance(0.4) else None
    own_place = read(k, "node_place", -1.0, 1.0, VEC3) if offset is None else offset
    child = ops.transform_compose(own_place, rotation(k, "node_turn"), read(k, "node_scale", 0.4, 2.0, VEC3))
    world = k.let("world", parent @ child)
    position, turn, scale = results(
        k, "transform_decompose", ("position", "orientation", k.rng.pick("scale", "stretch")), world
    )
    what = "Nodes of a scene, from the parent's matrix and their own"
    match k.rng.pick("point", "rigid", "limited", "volume"):
        case "point":
            point = read(k, "point", -1.0, 1.0, VEC3)
            image = position + ops.quat_rotate(unit(turn), ops.cw_mul(scale, point))
            finish(k, "image", image, f"{what}: a point that each carries")
        case "rigid":
            point = read(k, "point", -1.0, 1.0, VEC3)
            largest = k.let("largest", ops.max(ops.max(scale[0], scale[1]), scale[2]))
            image = position + largest * ops.quat_rotate(unit(turn), point)
            finish(k, "image", image, f"{what}: a point under the largest of the three scales")
        case "limited":
            most = coefficient(k, "largest_scale", 0.6, 1.5)
            kept = construct(VEC3, *(ops.min(scale[n], most) for n in range(3)))
            corner = construct(VEC3, *(k.rng.number(-0.9, 0.9) for _ in range(3)))
            finish(
                k,
                "corner",
                position + ops.quat_rotate(unit(turn), ops.cw_mul(k.let("kept_scale", kept), corner)),
                f"{what}: a corner of each, with its scales limited",
            )
        case _:
            up = ops.quat_rotate(unit(turn), axis_vector(k, k.rng.below(3)))
            content = k.let("content", scale[0] * scale[1] * scale[2])
            finish(
                k,
                "moment",
                content * ops.dot(up, position),
                f"{what}: the content of each times how far it lies along its own axis",
            )


def adjoint_motion(k: Builder) -> None:
    """Motions, forces and inertia of bodies in another frame, by the adjoint matrix of its pose."""
    k.real = F32
    threads(k, 1, 2)
    place = read(k, "place", -1.0, 1.0, VEC3)
    turn = k.let("turn_matrix", ops.quat_to_matrix(rotation(k, "turn")))
    lower = ops.skew(place) @ turn
    adjoint = k.let(
        "adjoint",
        ops.spatial_adjoint(turn, k.let("lower_block", lower) if k.rng.chance(0.5) else lower),
    )
    twist = read(k, "twist", -1.0, 1.0, SPATIAL_VECTOR)
    match k.rng.pick("twist", "chain", "wrench", "energy", "speed"):
        case "chain":
            joint = read(k, "joint_twist", -1.0, 1.0, SPATIAL_VECTOR)
            rate = coefficient(k, "joint_rate", -1.5, 1.5)
            finish(
                k,
                "link_twist",
                adjoint @ twist + rate * joint,
                "Twist of each link: its parent's and the joint's",
            )
        case "wrench":
            finish(
                k,
                "joint_load",
                ops.transpose(adjoint) @ twist,
                "Product of the transposed adjoint of each pose and a wrench",
            )
        case "energy":
            moved = k.let("moved", adjoint @ twist)
            inertia = read(k, "inertia", -0.5, 0.5, SPATIAL_MATRIX, array="inertias")
            finish(
                k,
                "energy",
                0.5 * ops.dot(moved, inertia @ moved),
                "Kinetic energy of each body, its twist given in another frame",
            )
        case "speed":
            moved = k.let("moved", adjoint @ twist)
            finish(k, "point_speed", ops.spatial_bottom(moved), "Linear part of each twist in another frame")
        case _:
            finish(k, "moved_twist", adjoint @ twist, "Each twist in another frame")


def carried_spatial(k: Builder) -> None:
    """Twists and wrenches carried from frame to frame, velocities of points."""
    k.real = F32
    threads(k, 1, 2)
    first = read(k, "upper", -1.0, 1.0, VEC3, array="upper_parts")
    second = read(k, "lower", -1.0, 1.0, VEC3, array="lower_parts")
    vector = (
        k.let("motion", spatial(first, second))
        if k.rng.chance(0.6)
        else k.let(
            "motion",
            read(k, "spatial_motion", -1.0, 1.0, SPATIAL_VECTOR, inline=True) + 0.5 * spatial(first, second),
        )
    )
    match k.rng.pick("twist", "wrench", "point", "point", "nothing"):
        case "twist":
            finish(
                k, "carried_twist", ops.transform_twist(pose(k, "frame"), vector), "Twists in another frame"
            )
        case "wrench":
            finish(
                k,
                "carried_wrench",
                ops.transform_wrench(pose(k, "frame"), vector),
                "Wrenches in another frame",
            )
        case "point":
            arm = read(k, "arm", -1.0, 1.0, VEC3)
            finish(
                k,
                "point_velocity",
                ops.velocity_at_point(vector, arm),
                "Velocity of a point of each body, from its twist",
            )
        case _:
            power = ops.spatial_dot(vector, ops.transform_twist(_at_rest(), vector))
            finish(
                k, "square", power, "Product of each motion with itself, carried to the frame of the world"
            )


def _at_rest() -> Call:
    """`wp.transform_identity()`."""
    return Call(TRANSFORM, Interval(-1.0, 1.0), "wp.transform_identity", ())
