"""Poses as matrices of four rows, and spatial vectors that poses carry."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops, spatial
from weft.kernels.idioms.rotations import pose, rotation
from weft.kernels.idioms.transform.frames import use_frame
from weft.kernels.intervals import Interval
from weft.kernels.program import Call
from weft.kernels.results import finish
from weft.kernels.types import F32, SPATIAL_VECTOR, TRANSFORM, VEC3
from weft.kernels.vocabulary import coefficient, read, threads
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
