"""Joints and chains of them."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops, transform
from weft.kernels.idioms.rotations import axis_vector, identity, space, unit
from weft.kernels.idioms.transform.frames import frame_of, stored_pose, use_frame
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Transform


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
