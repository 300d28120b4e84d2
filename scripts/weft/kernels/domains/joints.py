"""Joints between bodies: poses in chains, relative poses, gaps and limits, twists and wrenches."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.coefficients import UNIT
from weft.kernels.domains.bodies import SPACE, Share, axis_of, direction, turn_by, unit
from weft.kernels.effects import results
from weft.kernels.expressions import bounded, construct, ops, transform
from weft.kernels.formulas import Domain, Quantity, Setting, vector
from weft.kernels.program import Expr, Redraw
from weft.kernels.types import F32, I32
from weft.kernels.words import plural
from weft.types import Quaternion, Transform, Type, Vector

joint = Domain("joint", index=("i", "j", "joint"))

TWIST = vector(6)


def pose_kind(k: Builder) -> Type:
    """A position and a rotation."""
    return Transform(k.real)


def own_pose(k: Builder, name: str) -> Expr:
    """The thread's pose."""
    return k.input(plural(name), pose_kind(k), k.shape, UNIT)[k.index]


def pose_of_body(k: Builder, name: str) -> Expr:
    """The pose of one of the two bodies of a joint, which is found by index."""
    end = name.removesuffix("_pose")
    k.sizes["body_count"] = k.once("bodies", lambda: k.rng.pick("n", "n // 2 + 2"))
    bodies = k.input(k.once("ends", lambda: k.rng.pick("joint_{}", "{}_bodies")).format(end), I32, k.shape,
                     {"integers": [0, "body_count"]})  # fmt: skip
    poses = k.input("body_poses", pose_kind(k), ["body_count"], UNIT)
    return poses[bodies[k.index]]


child_pose = Quantity("child_pose", -1.0, 1.0, pose_kind, load=pose_of_body, least=-10.0, most=10.0)

ParentPose = Annotated[Expr, Quantity("parent_pose", -1.0, 1.0, pose_kind, load=pose_of_body)]
ChildPose = Annotated[Expr, child_pose]
LinkPose = Annotated[Expr, Quantity("link_pose", -1.0, 1.0, pose_kind, load=own_pose, least=-10.0, most=10.0)]
JointPose = Annotated[
    Expr, Quantity("local_pose", -1.0, 1.0, pose_kind, load=own_pose, least=-10.0, most=10.0)
]
RelativePose = Annotated[
    Expr, Quantity("relative_pose", -1.0, 1.0, pose_kind, load=own_pose, least=-100.0, most=100.0)
]
GoalPose = Annotated[Expr, Quantity("goal_pose", -1.0, 1.0, pose_kind, load=own_pose)]
NewPose = Annotated[Expr, Quantity("new_pose", -1.0, 1.0, pose_kind, least=-100.0, most=100.0)]
Axis = Annotated[Expr, direction("axis")]
Angle = Annotated[Expr, Quantity("hinge_angle", -1.5, 1.5, least=-3.4, most=3.4)]
Slide = Annotated[Expr, Quantity("slide", -0.5, 0.5, least=-1.0, most=1.0)]
Origin = Annotated[Expr, Quantity("origin", -0.5, 0.5, SPACE)]
ParentAnchor = Annotated[Expr, Quantity("parent_anchor", -0.5, 0.5, SPACE)]
ChildAnchor = Annotated[Expr, Quantity("child_anchor", -0.5, 0.5, SPACE)]
WorldAnchor = Annotated[Expr, Quantity("world_anchor", -1.5, 1.5, SPACE)]
Gap = Annotated[Expr, Quantity("gap", -1.0, 1.0, SPACE)]
GapVelocity = Annotated[Expr, Quantity("gap_velocity", -1.0, 1.0, SPACE, plural="gap_velocities")]
TurnError = Annotated[Expr, Quantity("turn_error", -1.0, 1.0, SPACE)]
ParentTwist = Annotated[Expr, Quantity("parent_twist", -2.0, 2.0, TWIST)]
ChildTwist = Annotated[Expr, Quantity("child_twist", -2.0, 2.0, TWIST)]


def identity(k: Builder) -> Expr:
    """The rotation that turns nothing."""
    return construct(Quaternion(k.real), 0.0, 0.0, 0.0, 1.0)


def single_only(k: Builder) -> None:
    """Warp has spatial vectors, and twists about an axis, of float32 only."""
    if k.real != F32:
        raise Redraw("Warp has this for float32 only")


# What a joint does: the pose of the child in the frame of the parent.


@joint.formula(source="Featherstone 2008")
def revolute_pose(k: Builder, axis: Axis, hinge_angle: Angle, origin: Origin) -> JointPose:
    """Revolute joint transform. The angle is in radians."""
    return transform(origin, ops.quat_from_axis_angle(axis, hinge_angle))


@joint.formula(source="Featherstone 2008")
def prismatic_pose(k: Builder, axis: Axis, slide: Slide, origin: Origin) -> JointPose:
    """Prismatic joint transform. It slides along the axis without turning."""
    return transform(origin + slide * axis, identity(k))


@joint.formula(source="Featherstone 2008")
def screw_pose(
    k: Builder, axis: Axis, hinge_angle: Angle, origin: Origin, lead: Annotated[Expr, Setting(0.02, 0.2)]
) -> JointPose:
    """Screw joint transform. The lead is the advance per radian."""
    return transform(origin + lead * hinge_angle * axis, ops.quat_from_axis_angle(axis, hinge_angle))


@joint.formula(source="Denavit and Hartenberg 1955", law="links")
def denavit_hartenberg_pose(
    k: Builder, hinge_angle: Angle, slide: Slide,
    link_length: Annotated[Expr, Setting(0.1, 0.8)], bend: Annotated[Expr, Setting(-1.5, 1.5)],
) -> JointPose:  # fmt: skip
    """Denavit-Hartenberg transform. It turns and shifts about z, then about x."""
    about_z = k.let("about_z", ops.quat_from_axis_angle(axis_of(k, 2), hinge_angle))
    about_x = ops.quat_from_axis_angle(axis_of(k, 0), bend)
    place = construct(
        Vector(3, k.real), link_length * ops.cos(hinge_angle), link_length * ops.sin(hinge_angle), slide
    )
    return transform(place, unit(about_z * about_x))


@joint.formula(source="Featherstone 2008")
def spherical_pose(
    k: Builder, turn: Annotated[Expr, Quantity("turn", -1.5, 1.5, SPACE)], origin: Origin
) -> JointPose:
    """Spherical joint transform. The length of the rotation vector is the angle in radians."""
    return transform(origin, unit(turn_by(k, turn)))


@joint.formula(source="Warp, eval_fk", law="frames")
def framed_pose(k: Builder, parent_pose: ParentPose, local_pose: JointPose) -> LinkPose:
    """Link pose through the joint frames. It is the pose of the parent times its joint frame, the transform
    of the joint, and the inverse of the child's joint frame.
    """
    before, after = own_pose(k, "parent_frame"), own_pose(k, "child_frame")
    placed = k.let("placed", bounded(parent_pose * before * local_pose, -10.0, 10.0))
    return bounded(placed * ops.transform_inverse(after), -10.0, 10.0)


@joint.formula(source="Craig 2005")
def chained_pose(k: Builder, parent_pose: ParentPose, local_pose: JointPose) -> LinkPose:
    """Link pose by forward kinematics. It is the pose of the parent times that of the joint."""
    return bounded(parent_pose * local_pose, -10.0, 10.0)


@joint.formula(source="Craig 2005")
def pose_between(k: Builder, parent_pose: ParentPose, child_pose: ChildPose) -> RelativePose:
    """Relative pose of child and parent. It is the inverse of the parent's pose times that of the child."""
    return bounded(ops.transform_multiply(ops.transform_inverse(parent_pose), child_pose), -100.0, 100.0)


@joint.formula(source="Craig 2005")
def pose_to_goal(k: Builder, link_pose: LinkPose, goal_pose: GoalPose) -> Annotated[
    Expr, Quantity("relative_goal", -1.0, 1.0, pose_kind, plural="relative_goals")
]:  # fmt: skip
    """Pose of the goal relative to the link. It is the inverse of the link's pose times the goal."""
    return bounded(ops.transform_inverse(link_pose) * goal_pose, -100.0, 100.0)


@joint.formula(source="Shoemake 1985")
def blended_pose(k: Builder, link_pose: LinkPose, goal_pose: GoalPose, blend: Share) -> NewPose:
    """Interpolate a link pose towards a goal. Translations are blended linearly, rotations by slerp."""
    start, end = ops.transform_get_translation(link_pose), ops.transform_get_translation(goal_pose)
    first, last = ops.transform_get_rotation(link_pose), ops.transform_get_rotation(goal_pose)
    return transform((1.0 - blend) * start + blend * end, ops.quat_slerp(first, last, blend))


# Anchors, gaps and errors.


@joint.formula(source="Catto, GDC 2009")
def anchor_of_parent(k: Builder, parent_pose: ParentPose, parent_anchor: ParentAnchor) -> WorldAnchor:
    """Joint anchor in the world frame. The anchor is given in the frame of the parent."""
    return ops.transform_point(parent_pose, parent_anchor)


@joint.formula(source="Catto, GDC 2009")
def anchor_gap(
    k: Builder, world_anchor: WorldAnchor, child_pose: ChildPose, child_anchor: ChildAnchor
) -> Gap:
    """Gap between the two joint anchors. It is zero for a joint that holds."""
    return ops.transform_point(child_pose, child_anchor) - world_anchor


@joint.formula(source="Catto, GDC 2009")
def fixed_turn_error(k: Builder, relative_pose: RelativePose) -> TurnError:
    """Rotation error of a fixed joint. It is the axis times the angle in radians."""
    turn = k.let("relative_turn", ops.transform_get_rotation(relative_pose))
    axis, angle = results(k, "quat_to_axis_angle", ("turn_axis", "turn_angle"), turn)
    return angle * axis


# Angles about the axis, and limits.


# Twists and wrenches: angular above linear.


@joint.formula(source="Warp, wp.velocity_at_point")
def anchor_velocity(
    k: Builder, parent_twist: ParentTwist, child_twist: ChildTwist, world_anchor: WorldAnchor
) -> GapVelocity:
    """Relative velocity of the joint anchors. It is the child's velocity minus the parent's."""
    single_only(k)
    gap_twist = k.let("gap_twist", child_twist - parent_twist)
    return bounded(ops.velocity_at_point(gap_twist, world_anchor), -1e4, 1e4)


LimitExcess = Annotated[Expr, Quantity("limit_excess", -0.5, 0.5, plural="limit_excesses", extremal=True)]


@joint.formula(source="Dobrowolski 2015")
def twist_excess(
    k: Builder, relative_pose: RelativePose, axis: Axis, twist_limit: Annotated[Expr, Setting(0.5, 2.0)]
) -> LimitExcess:
    """Twist limit violation. It is negative within the limit."""
    single_only(k)
    angle = ops.quat_twist_angle(axis, ops.transform_get_rotation(relative_pose))
    return bounded(angle, 0.0, 6.3) - twist_limit


@joint.formula(source="Dobrowolski 2015")
def swing_excess(
    k: Builder, relative_pose: RelativePose, axis: Axis, cone_angle: Annotated[Expr, Setting(0.3, 1.2)]
) -> LimitExcess:
    """Swing cone violation. It is negative within the cone."""
    single_only(k)
    turn = k.let("relative_turn", ops.transform_get_rotation(relative_pose))
    swing = k.let("swing", unit(turn * ops.quat_inverse(ops.quat_twist(axis, turn))))
    sine = ops.length(construct(SPACE(k), swing[0], swing[1], swing[2]))
    return bounded(2.0 * ops.atan2(sine, ops.abs(swing[3])), 0.0, 3.2) - cone_angle


@joint.formula(teaches=("branch",))
def angle_limit_excess(
    k: Builder, hinge_angle: Angle,
    lower_limit: Annotated[Expr, Setting(-1.0, -0.2)], upper_limit: Annotated[Expr, Setting(0.2, 1.0)],
) -> LimitExcess:  # fmt: skip
    """Joint limit violation. It is zero within the limits."""
    return ops.max(hinge_angle - upper_limit, 0.0) + ops.min(hinge_angle - lower_limit, 0.0)
