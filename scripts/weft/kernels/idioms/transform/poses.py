"""Poses: carried points, relative frames, blends, steps."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops, transform
from weft.kernels.idioms.rotations import axis_vector, identity, pose, space, unit
from weft.kernels.idioms.transform.frames import frame_of, moved_frame, spatial_of, use_frame
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import article, coefficient, read, threads, uniform
from weft.types import Vector


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
    new_place = k.let("new_place", place + dt * travel)
    use_frame(
        k,
        "new_pose",
        moved_frame(k, "moved", frame, new_place, ops.normalize(new_turn)),
        f"Each pose after a step with a velocity in the {'body' if local else 'world'}'s frame",
    )


def constrained_poses(k: Builder) -> None:
    """Poses that a rule moves or turns: onto a floor, along a rail, upright, towards a target."""
    threads(k, 1, 2)
    frame = frame_of(k, "pose")
    at = k.rng.below(3)
    axis = "xyz"[at]
    rule = k.rng.pick("floor", "grid", "leash", "turned", "upright", "both")
    place = ops.transform_get_translation(frame)
    if rule not in ("turned", "upright"):
        place = k.let("place", place)
    new: Expr | None = None
    turn: Expr | None = None
    match rule:
        case "floor":
            floor = coefficient(k, "floor_height", -0.6, 0.3)
            parts = [ops.max(place[n], floor) if n == at else place[n] for n in range(3)]
            new = construct(space(k), *parts)
            doc = f"Each pose, lifted where it is below a floor along {axis}"
        case "grid":
            rail = coefficient(k, "rail", -0.5, 0.5)
            share = k.rng.number(0.1, 0.9)
            parts = [place[n] + share * (rail - place[n]) if n == at else place[n] for n in range(3)]
            new = construct(space(k), *parts)
            doc = f"Each pose, moved along {axis} by {share} of the way to a rail"
        case "leash":
            anchor = read(k, "anchor", -1.0, 1.0, space(k))
            gap = k.let("gap", place - anchor)
            longest = coefficient(k, "longest", 0.4, 1.2)
            new = anchor + longest / ops.max(ops.length(gap), longest) * gap
            doc = "Each pose, pulled back to within a distance of its anchor"
        case "turned":
            extra = ops.quat_from_axis_angle(axis_vector(k, at), read(k, "steer", -1.0, 1.0))
            turn = unit(extra * ops.transform_get_rotation(frame))
            doc = f"Each pose, steered about the {axis} axis"
        case "upright":
            amount = coefficient(k, "righting", 0.1, 0.9)
            own = ops.transform_get_rotation(frame)
            turn = ops.normalize((1.0 - amount) * own + amount * identity(k))
            doc = "Each pose, turned towards the upright"
        case _:
            spot = read(k, "target", -1.0, 1.0, space(k))
            new = place + coefficient(k, "haste", 0.1, 0.9) * (spot - place)
            turn = ops.quat_inverse(ops.transform_get_rotation(frame))
            doc = "Each pose, moved towards a target and turned the other way"
    use_frame(k, "constrained_pose", moved_frame(k, "pose_kept", frame, new, turn), doc)


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
