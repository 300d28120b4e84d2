"""Rigid transforms and spatial vectors: frames, chains, twists, wrenches."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops, spatial, transform
from weft.kernels.frames import frame_of, spatial_of, stored_pose, use_frame
from weft.kernels.idioms import article, coefficient, read, threads, uniform
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.rotations import axis_vector, identity, pose, space, unit
from weft.kernels.types import F32, I32
from weft.types import Matrix, Transform, Vector

REVISION = 1
TEACHES = (
    "rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches"
)


def carry_points(k: Builder) -> None:
    """Points and directions that a frame carries along, or that are seen from it."""
    threads(k)
    frame = frame_of(k, "pose")
    point = read(k, "point", -2.0, 2.0, space(k))
    kind = k.rng.pick("there", "back", "both", "normal", "scaled")
    if k.rng.chance(0.4):
        shape = (
            k.scalar("stretch", space(k), uniform(0.5, 2.0))
            if k.rng.chance(0.5)
            else coefficient(k, "size", 0.5, 2.0)
        )
        point = k.let("sized", ops.cw_mul(shape, point) if isinstance(shape.type, Vector) else shape * point)
        k.notes.append("The point is scaled first")
    if kind == "back":
        finish(
            k,
            "local_point",
            ops.transform_point(ops.transform_inverse(frame), point),
            "Each point in the frame of a pose",
        )
    elif kind == "both":
        second = frame_of(k, "other_pose")
        moved = ops.transform_point(frame, ops.transform_point(ops.transform_inverse(second), point))
        finish(k, "moved_point", moved, "Each point seen from one pose and put at another")
    elif kind == "normal":
        normal = k.let("normal", ops.normalize(read(k, "surface_normal", 0.1, 1.0, space(k))))
        where = k.let("where", ops.transform_point(frame, point))
        height = ops.dot(where, ops.transform_vector(frame, normal))
        finish(k, "offset", height, "Offset of the plane through each point that a pose carries along")
    elif kind == "scaled":
        pivot = ops.transform_get_translation(frame)
        moved = pivot + coefficient(k, "zoom", 0.5, 2.0) * ops.transform_vector(frame, point)
        finish(k, "zoomed_point", moved, "Each point turned by a pose and zoomed about its place")
    else:
        finish(k, "image", ops.transform_point(frame, point), "Each point carried by a pose")


def relative_frames(k: Builder) -> None:
    """One frame in terms of another."""
    threads(k, 1, 2)
    parent, child = frame_of(k, "parent"), frame_of(k, "child")
    match k.rng.pick("relative", "world", "mirrored", "third"):
        case "relative":
            local = k.let("local", ops.transform_inverse(parent) * child)
            use_frame(k, "relative_pose", local, "The child's frame relative to its parent's")
        case "world":
            world = k.let("world", k.rng.pick(parent * child, ops.transform_multiply(parent, child)))
            use_frame(k, "world_pose", world, "The child's frame in the world, given in its parent's")
        case "mirrored":
            back = k.let("back", ops.transform_inverse(child) * parent)
            use_frame(k, "parent_pose", back, "The parent's frame as the child sees it")
        case _:
            tool = pose(k, "tool")
            world = k.let("world", parent * child * tool)
            use_frame(k, "tool_pose", world, "The frame of a tool at the end of two others")


def forward_kinematics(k: Builder) -> None:
    """Chains of links, each turned against the one before."""
    (i,) = threads(k, 1, name=k.rng.pick("robot", "arm", "i"))
    links = k.rng.pick(2, 3, 4, 6, 18)
    k.sizes["links"] = str(links)
    angles = k.array(k.rng.pick("angles", "joint_angles"), k.real, ["n", "links"], uniform(-1.5, 1.5))
    lengths = k.array("lengths", k.real, ["links"], uniform(0.1, 0.5)) if k.rng.chance(0.5) else None
    axes = k.array("axes", space(k), ["links"], uniform(0.1, 1.0)) if k.rng.chance(0.5) else None
    start = transform(construct(space(k), 0.0, 0.0, lift(k.rng.number(0.1, 0.9), k.real)), identity(k))
    if k.rng.chance(0.4):
        start = frame_of(k, "base")
    sliding = k.rng.chance(0.3)
    reach = k.var("reach", 0.0) if k.rng.chance(0.5) else None
    frame = k.var("frame", start, bounds=(-100.0, 100.0), type=start.type)
    direction = k.rng.below(3)
    with k.loop("link", 0, links) as link:
        length = lengths[link] if lengths else lift(k.rng.number(0.1, 0.9), k.real)
        if sliding:
            length = length + k.rng.number(0.05, 0.3) * angles[i, link]
        axis = ops.normalize(axes[link]) if axes else axis_vector(k, (direction + 1) % 3)
        turn = k.let("turn", ops.quat_from_axis_angle(axis, angles[i, link]))
        shift = length * axis_vector(k, direction)
        step = transform(ops.quat_rotate(turn, shift) if k.rng.chance(0.5) else shift, turn)
        k.set(frame, bounded(frame * k.let("step", step), -100.0, 100.0))
        if reach is not None:
            k.set(reach, ops.max(reach, ops.length(ops.transform_get_translation(frame))))
    extra = ", some of them sliding" if sliding else ""
    if reach is not None:
        k.store(k.array("end_frames", Transform(k.real), ["n"], None, "out"), k.target, frame)
        finish(
            k,
            "reach",
            bounded(reach, 0.0, 100.0),
            f"Farthest joint and last frame of a chain of {links} links{extra}",
        )
    else:
        use_frame(k, "end_frame", frame, f"Last frame of a chain of {links} links{extra}")


def blend_poses(k: Builder) -> None:
    """Between two poses."""
    threads(k, 1, 2)
    first, second = frame_of(k, "first"), frame_of(k, "second")
    t = k.let("t", read(k, "phase", 0.0, 1.0) if k.rng.chance(0.5) else coefficient(k, "blend", 0.1, 0.9))
    a, b = (ops.transform_get_rotation(one) for one in (first, second))
    how = k.rng.pick("slerp", "linear", "screw")
    if how == "screw":
        gap = k.let("gap", ops.transform_inverse(first) * second)
        part = ops.quat_slerp(identity(k), ops.transform_get_rotation(gap), t)
        step = k.let("step", transform(t * ops.transform_get_translation(gap), part))
        use_frame(
            k,
            "between",
            k.let("blended", first * step),
            "Pose on the way from one to another, in the frame of the first",
        )
        return
    turn = ops.quat_slerp(a, b, t) if how == "slerp" else ops.normalize((1.0 - t) * a + t * b)
    place, goal = (ops.transform_get_translation(one) for one in (first, second))
    middle = (1.0 - t) * place + t * goal
    if k.rng.chance(0.4):
        lift_ = coefficient(k, "arc_height", 0.1, 1.0)
        middle = middle + 4.0 * t * (1.0 - t) * lift_ * axis_vector(k, k.rng.pick(1, 2))
        k.notes.append("The way is an arc")
    use_frame(
        k,
        "between",
        k.let("blended", transform(middle, k.let("turn", turn))),
        "Pose on the way from one to another",
    )


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


def integrate_pose(k: Builder) -> None:
    """Poses that follow a velocity."""
    threads(k, 1)
    frame = frame_of(k, "pose")
    twist = read(k, "velocity", -2.0, 2.0, spatial_of(k), array="velocities")
    spin, speed = k.let("spin", ops.spatial_top(twist)), k.let("speed", ops.spatial_bottom(twist))
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    local = k.rng.chance(0.5)
    turn, place = ops.transform_get_rotation(frame), ops.transform_get_translation(frame)
    travel = ops.quat_rotate(turn, speed) if local else speed
    if k.rng.chance(0.5):
        rate = k.let("rate", ops.length(spin) + 1e-4)
        change = k.let("change", ops.quat_from_axis_angle(bounded(spin / rate, -1.0, 1.0), rate * dt))
        new_turn = unit(turn * change if local else change * turn)
    else:
        angles = k.let("angles", dt * spin)
        change = k.let("change", ops.quat_rpy(angles[0], angles[1], angles[2]))
        new_turn = unit(turn * change if local else change * turn)
        k.notes.append("Small angles stand for the turn")
    moved = transform(place + dt * travel, ops.normalize(new_turn))
    use_frame(
        k,
        "new_pose",
        k.let("moved", moved),
        f"Each pose after a step with a velocity in the {'body' if local else 'world'}'s frame",
    )


def local_shapes(k: Builder) -> None:
    """Distances to shapes in the frame that they are simple in."""
    threads(k, 1, 2)
    frame = frame_of(k, "shape_pose")
    point = read(k, "point", -2.0, 2.0, space(k))
    local = k.let("local", ops.transform_point(ops.transform_inverse(frame), point))
    shape = k.rng.pick("box", "capsule", "plane", "ellipsoid", "cylinder")
    size = coefficient(k, "size", 0.2, 0.9)
    if shape == "box":
        over = [ops.max(ops.abs(local[n]) - size * k.rng.pick(1.0, 0.5, 1.5), 0.0) for n in range(3)]
        distance: Expr = ops.length(construct(space(k), *over))
    elif shape == "capsule":
        near = k.let("near", ops.clamp(local[1], -0.5, 0.5))
        away = construct(space(k), local[0], local[1] - near, local[2])
        distance = ops.length(away) - size
    elif shape == "plane":
        distance = local[k.rng.below(3)] - size
    elif shape == "cylinder":
        radial = k.let(
            "radial", ops.sqrt(bounded(local[0] * local[0] + local[2] * local[2] + 1e-4, 1e-4, 1e3))
        )
        distance = ops.max(radial - size, ops.abs(local[1]) - k.rng.number(0.4, 1.2))
    else:
        scaled = ops.cw_div(local, construct(space(k), *[k.rng.number(0.4, 1.5) for _ in range(3)]))
        distance = ops.length(scaled) - size
    if k.rng.chance(0.4):
        push = ops.max(k.rng.number(0.5, 1.5) - distance, 0.0)
        out = ops.transform_vector(frame, ops.normalize(local))
        finish(
            k,
            "force",
            push * out,
            f"Force that keeps each point away from {article(shape)} of a pose",
        )
    else:
        finish(
            k,
            "distance",
            distance,
            f"Distance of each point from {article(shape)} of a pose",
        )


def joint_frames(k: Builder) -> None:
    """Bodies found by index: joints between them, and how far they are apart."""
    threads(k, 1, name=k.rng.pick("joint", "i"))
    bodies = k.rng.pick(5, 8, 12)
    k.sizes["bodies"] = str(bodies)
    frames = []
    for name in ("parent", "child"):
        index = read(k, f"{name}_body", 0, bodies - 1, I32, array=f"{name}_bodies", inline=True)
        frames.append(stored_pose(k, f"{name}_pose", index))
    parent, child = frames
    anchors = [
        k.let(f"{name}_anchor", ops.transform_point(frame, read(k, f"{name}_offset", -0.5, 0.5, space(k))))
        for name, frame in (("parent", parent), ("child", child))
    ]
    gap = k.let("gap", anchors[1] - anchors[0])
    match k.rng.pick("gap", "force", "local", "turn"):
        case "force":
            pull = coefficient(k, "stiffness", 1.0, 30.0) * gap
            if k.rng.chance(0.5):
                pull = pull - coefficient(k, "damping", 0.1, 2.0) * read(
                    k, "relative_velocity", -1.0, 1.0, space(k), array="relative_velocities"
                )
            finish(k, "force", pull, "Force of a joint that pulls two bodies together")
        case "local":
            back = ops.transform_vector(ops.transform_inverse(parent), gap)
            finish(k, "local_gap", back, "Gap of each joint in the frame of the parent")
        case "turn":
            turn = unit(
                ops.quat_inverse(ops.transform_get_rotation(parent)) * ops.transform_get_rotation(child)
            )
            turn = k.let("turn", turn)
            part = construct(space(k), turn[0], turn[1], turn[2])
            finish(
                k,
                "violation",
                ops.length_sq(gap) + coefficient(k, "weight", 0.1, 1.0) * ops.length_sq(part),
                "Violation of a rigid joint by its gap and turn",
            )
        case _:
            finish(k, "stretch", ops.length(gap), "Gap of each joint between two bodies")
