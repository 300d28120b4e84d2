"""Velocities, wrenches and inertia."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, ops, spatial
from weft.kernels.idioms.rotations import space
from weft.kernels.idioms.transform.frames import frame_of, spatial_of
from weft.kernels.results import finish
from weft.kernels.types import F32
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Matrix


def point_velocity(k: Builder) -> None:
    """Velocities of points of moving bodies, from their twists."""
    threads(k, 1, 2)
    frame = frame_of(k, "pose")
    twist = read(k, "twist", -2.0, 2.0, spatial_of(k))
    top_first = k.rng.chance(0.5)
    names = ("angular", "linear") if top_first else ("linear", "angular")
    halves = {names[0]: ops.spatial_top(twist), names[1]: ops.spatial_bottom(twist)}
    angular, linear = (k.let(one, halves[one]) for one in ("angular", "linear"))
    if not top_first:
        k.notes.append("The linear part of a twist comes first")
    local = read(k, "point", -1.0, 1.0, space(k))
    center = read(k, "mass_center", -1.0, 1.0, space(k))
    arm = k.let("arm", ops.transform_point(frame, local) - center)
    velocity = linear + ops.cross(angular, arm)
    match k.rng.pick("velocity", "energy", "along", "local"):
        case "energy":
            mass = coefficient(k, "mass", 0.5, 3.0)
            velocity = k.let("velocity", velocity)
            finish(
                k,
                "energy",
                0.5 * mass * ops.dot(velocity, velocity),
                "Kinetic energy of a point of each moving body",
            )
        case "along":
            normal = k.let("normal", ops.normalize(read(k, "contact_normal", 0.1, 1.0, space(k))))
            finish(
                k,
                "approach",
                ops.dot(velocity, normal),
                "Speed of a point of each moving body along a normal",
            )
        case "local":
            back = ops.quat_rotate_inv(ops.transform_get_rotation(frame), velocity)
            finish(k, "local_velocity", back, "Velocity of a point of each moving body, in the body's frame")
        case _:
            finish(k, "velocity", velocity, "Velocity of a point of each moving body")


def wrench_sums(k: Builder) -> None:
    """Forces at points as wrenches about an origin."""
    k.real = F32
    (i,) = threads(k, 1, name=k.rng.pick("body", "i"))
    count = k.rng.pick(3, 4, 6, 18)
    k.sizes["contacts"] = str(count)
    forces = k.array("forces", space(k), ["n", "contacts"], uniform(-1.0, 1.0))
    places = k.array(
        "places", space(k), ["n", "contacts"] if k.rng.chance(0.5) else ["contacts"], uniform(-1.0, 1.0)
    )
    frame = frame_of(k, "pose") if k.rng.chance(0.6) else None
    zero = construct(spatial_of(k), *[0.0] * 6)
    total = k.var("total", zero, type=zero.type)
    torque_first = k.rng.chance(0.6)
    with k.loop("c", 0, count) as c:
        force = k.let("force", forces[i, c])
        place = places[i, c] if len(places.parameter.shape) == 2 else places[c]
        arm = k.let("arm", ops.transform_point(frame, place) if frame is not None else place)
        torque = ops.cross(arm, force)
        if k.rng.chance(0.25):
            with k.when(ops.length_sq(force) < k.rng.number(0.1, 0.6)):
                k.jump("continue")
            k.notes.append("Weak forces are left out")
        k.add(total, spatial(torque, force) if torque_first else spatial(force, torque))
    order = "torque and force" if torque_first else "force and torque"
    match k.rng.pick("wrench", "wrench", "power", "torque"):
        case "power":
            twist = read(k, "twist", -1.0, 1.0, spatial_of(k))
            finish(
                k,
                "power",
                k.rng.pick(ops.spatial_dot(total, twist), ops.dot(total, twist)),
                f"Power of {count} forces on each moving body",
            )
        case "torque":
            part = ops.spatial_top(total) if torque_first else ops.spatial_bottom(total)
            finish(k, "torque", part, f"Total torque of {count} forces on each body")
        case _:
            finish(k, "wrench", total, f"Total {order} of {count} forces on each body")


def move_wrench(k: Builder) -> None:
    """Twists and wrenches taken from one frame to another."""
    k.real = F32
    threads(k, 1, 2)
    frame = frame_of(k, "frame")
    kind = k.rng.pick("wrench", "twist")
    given = read(k, kind, -1.0, 1.0, spatial_of(k), array=f"{kind}{'e' if kind == 'wrench' else ''}s")
    place = k.let("place", ops.transform_get_translation(frame))
    turn = k.let("turn", ops.transform_get_rotation(frame))
    back = k.rng.chance(0.4)
    rotate = ops.quat_rotate_inv if back else ops.quat_rotate
    top, bottom = ops.spatial_top(given), ops.spatial_bottom(given)
    first = k.let("first", rotate(turn, top))
    second = k.let("second", rotate(turn, bottom))
    if kind == "wrench":
        moved = spatial(first + ops.cross(place, second), second)
    else:
        moved = spatial(first, second + ops.cross(place, first))
    if k.rng.chance(0.4):
        moved = k.let("moved", moved)
        parts = k.rng.pick(ops.spatial_dot(moved, given), ops.dot(moved, moved))
        finish(k, "measure", parts, f"A number for each {kind} that is taken to another frame")
    else:
        finish(k, f"moved_{kind}", moved, f"Each {kind} taken {'back from' if back else 'to'} another frame")


def spatial_inertia(k: Builder) -> None:
    """Momentum and bias forces of bodies with a spatial inertia."""
    k.real = F32
    threads(k, 1)
    square = Matrix(6, 6, k.real)
    twist = read(k, "twist", -1.0, 1.0, spatial_of(k))
    if k.rng.chance(0.5):
        inertia = read(k, "inertia", -0.5, 0.5, square, array="inertias")
        momentum = k.let("momentum", inertia @ twist)
    else:
        mass = coefficient(k, "mass", 0.5, 3.0)
        moments = read(k, "moments", 0.1, 1.0, space(k), array="principal_moments")
        momentum = k.let(
            "momentum", spatial(ops.cw_mul(moments, ops.spatial_top(twist)), mass * ops.spatial_bottom(twist))
        )
    match k.rng.pick("momentum", "energy", "bias", "cross", "acceleration"):
        case "energy":
            finish(
                k,
                "energy",
                0.5 * ops.spatial_dot(twist, momentum),
                "Kinetic energy of each body from its spatial inertia",
            )
        case "bias":
            finish(
                k,
                "bias_force",
                ops.spatial_cross_dual(twist, momentum),
                "Gyroscopic wrench of each moving body",
            )
        case "cross":
            other = read(k, "joint_twist", -1.0, 1.0, spatial_of(k))
            finish(
                k,
                "rate",
                ops.spatial_cross(twist, other) + coefficient(k, "share", 0.1, 0.9) * momentum,
                "Rate of a joint's twist in a moving frame, with a share of the momentum",
            )
        case "acceleration":
            applied = read(k, "wrench", -1.0, 1.0, spatial_of(k), array="wrenches")
            finish(
                k,
                "net_wrench",
                applied - ops.spatial_cross_dual(twist, momentum),
                "Wrench on each body less its gyroscopic part",
            )
        case _:
            finish(k, "momentum", momentum, "Spatial momentum of each body")
