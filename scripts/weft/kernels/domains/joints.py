"""Joints between bodies: poses in chains, relative poses, gaps and limits, twists and wrenches."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import TWO_PI
from weft.kernels.domains.bodies import SPACE, Dt, Gain, Share, axis_of, direction, turn_by, unit
from weft.kernels.effects import change, results
from weft.kernels.expressions import bounded, construct, convert, ops, spatial, transform
from weft.kernels.formulas import Domain, Quantity, Setting, matrix, vector, whole
from weft.kernels.program import Expr, Redraw
from weft.kernels.types import F32, I32
from weft.kernels.words import plural
from weft.types import Quaternion, Transform, Type, Vector

joint = Domain("joint", index=("i", "j", "joint"))

TWIST = vector(6)


def pose_kind(k: Builder) -> Type:
    """A position and a rotation."""
    return Transform(k.real)


def normalized_pose(k: Builder, raw: Expr) -> Expr:
    """A pose as it is stored, its rotation brought to unit length."""
    named = k.let("raw_pose", raw)
    rotation = ops.normalize(ops.transform_get_rotation(named))
    return transform(ops.transform_get_translation(named), rotation)


def own_pose(k: Builder, name: str) -> Expr:
    """The thread's pose."""
    return normalized_pose(k, k.input(plural(name), pose_kind(k), k.shape, uniform(-1.0, 1.0))[k.index])


def pose_of_body(k: Builder, name: str) -> Expr:
    """The pose of one of the two bodies of a joint, which is found by index."""
    end = name.removesuffix("_pose")
    k.sizes["body_count"] = k.once("bodies", lambda: k.rng.pick("n", "n // 2 + 2"))
    bodies = k.input(k.once("ends", lambda: k.rng.pick("joint_{}", "{}_bodies")).format(end), I32, k.shape,
                     {"integers": [0, "body_count"]})  # fmt: skip
    poses = k.input("body_poses", pose_kind(k), ["body_count"], uniform(-1.0, 1.0))
    return normalized_pose(k, poses[bodies[k.index]])


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
LocalGap = Annotated[Expr, Quantity("local_gap", -1.0, 1.0, SPACE)]
GapVelocity = Annotated[Expr, Quantity("gap_velocity", -1.0, 1.0, SPACE, plural="gap_velocities")]
TurnError = Annotated[Expr, Quantity("turn_error", -1.0, 1.0, SPACE)]
Violation = Annotated[Expr, Quantity("violation", 0.0, 2.0, least=0.0, extremal=True)]
LimitExcess = Annotated[Expr, Quantity("limit_excess", -0.5, 0.5, plural="limit_excesses", extremal=True)]
JointForce = Annotated[Expr, Quantity("anchor_force", -5.0, 5.0, SPACE)]
JointTorque = Annotated[Expr, Quantity("torque", -5.0, 5.0)]
Energy = Annotated[Expr, Quantity("elastic_energy", 0.0, 5.0, plural="elastic_energies", additive=True)]
JointTwist = Annotated[Expr, Quantity("own_twist", -2.0, 2.0, TWIST)]
ParentTwist = Annotated[Expr, Quantity("parent_twist", -2.0, 2.0, TWIST)]
LinkTwist = Annotated[Expr, Quantity("link_twist", -2.0, 2.0, TWIST)]
ChildTwist = Annotated[Expr, Quantity("child_twist", -2.0, 2.0, TWIST)]
Wrench = Annotated[Expr, Quantity("wrench", -3.0, 3.0, TWIST, plural="wrenches")]
JointRate = Annotated[Expr, Quantity("hinge_rate", -2.0, 2.0)]


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
    """Revolute joint transform."""
    return transform(origin, ops.quat_from_axis_angle(axis, hinge_angle))


@joint.formula(source="Featherstone 2008")
def prismatic_pose(k: Builder, axis: Axis, slide: Slide, origin: Origin) -> JointPose:
    """Prismatic joint transform."""
    return transform(origin + slide * axis, identity(k))


@joint.formula(source="Featherstone 2008")
def screw_pose(
    k: Builder, axis: Axis, hinge_angle: Angle, origin: Origin, lead: Annotated[Expr, Setting(0.02, 0.2)]
) -> JointPose:
    """Screw joint transform."""
    return transform(origin + lead * hinge_angle * axis, ops.quat_from_axis_angle(axis, hinge_angle))


@joint.formula(source="Denavit and Hartenberg 1955")
def denavit_hartenberg_pose(
    k: Builder, hinge_angle: Angle, slide: Slide,
    link_length: Annotated[Expr, Setting(0.1, 0.8)], bend: Annotated[Expr, Setting(-1.5, 1.5)],
) -> JointPose:  # fmt: skip
    """Denavit-Hartenberg transform."""
    about_z = k.let("about_z", ops.quat_from_axis_angle(axis_of(k, 2), hinge_angle))
    about_x = ops.quat_from_axis_angle(axis_of(k, 0), bend)
    place = construct(
        Vector(3, k.real), link_length * ops.cos(hinge_angle), link_length * ops.sin(hinge_angle), slide
    )
    return transform(place, unit(about_z * about_x))


@joint.formula(source="Featherstone 2008")
def universal_pose(
    k: Builder, hinge_angle: Angle, second_angle: Annotated[Expr, Quantity("second_angle", -1.5, 1.5)]
) -> JointPose:
    """Universal joint transform."""
    first = ops.quat_from_axis_angle(axis_of(k, 0), hinge_angle)
    second = ops.quat_from_axis_angle(axis_of(k, 1), second_angle)
    return transform(construct(SPACE(k), 0.0, 0.0, 0.0), unit(first * second))


@joint.formula(source="Featherstone 2008")
def cylindrical_pose(k: Builder, axis: Axis, hinge_angle: Angle, slide: Slide) -> JointPose:
    """Cylindrical joint transform."""
    return transform(slide * axis, ops.quat_from_axis_angle(axis, hinge_angle))


@joint.formula(source="Featherstone 2008")
def spherical_pose(
    k: Builder, turn: Annotated[Expr, Quantity("turn", -1.5, 1.5, SPACE)], origin: Origin
) -> JointPose:
    """Spherical joint transform."""
    return transform(origin, unit(turn_by(k, turn)))


@joint.formula(source="Featherstone 2008")
def planar_pose(
    k: Builder, hinge_angle: Angle, glide: Annotated[Expr, Quantity("glide", -0.5, 0.5, vector(2))]
) -> JointPose:
    """Planar joint transform."""
    place = construct(Vector(3, k.real), glide[0], glide[1], 0.0)
    return transform(place, ops.quat_from_axis_angle(axis_of(k, 2), hinge_angle))


@joint.formula(source="Craig 2005", teaches=("branch",))
def encoder_angle(
    k: Builder, encoder_count: Annotated[Expr, Quantity("encoder_count", -1000, 1000, whole)],
    counts_per_turn: Annotated[Expr, Setting(2000.0, 8000.0)],
    zero_angle: Annotated[Expr, Quantity("zero_angle", -0.1, 0.1)],
) -> Angle:  # fmt: skip
    """Joint angle from an encoder count."""
    return bounded(convert(k.real, encoder_count) * TWO_PI / counts_per_turn - zero_angle, -3.3, 3.3)


@joint.formula(source="URDF, mimic joints")
def mimicked_angle(
    k: Builder, leader_angle: Annotated[Expr, Quantity("leader_angle", -1.5, 1.5)],
    gear_ratio: Annotated[Expr, Setting(0.4, 1.8)], gear_offset: Annotated[Expr, Setting(-0.3, 0.3)],
) -> Angle:  # fmt: skip
    """Geared (mimic) joint angle."""
    return gear_ratio * leader_angle + gear_offset


@joint.formula(source="Craig 2005")
def interpolated_angle(
    k: Builder, start_angle: Annotated[Expr, Quantity("start_angle", -1.5, 1.5)],
    end_angle: Annotated[Expr, Quantity("end_angle", -1.5, 1.5)],
    elapsed: Annotated[Expr, Setting(0.1, 0.9, "p")],
) -> Angle:  # fmt: skip
    """Cubic joint trajectory between two rest poses."""
    share = k.let("share", elapsed * elapsed * (3.0 - 2.0 * elapsed))
    return bounded(start_angle + share * (end_angle - start_angle), -1.6, 1.6)


@joint.formula(source="Featherstone 2008")
def lead_screw_slide(
    k: Builder, screw_angle: Annotated[Expr, Quantity("screw_angle", -20.0, 20.0)],
    lead: Annotated[Expr, Setting(0.01, 0.1)],
) -> Slide:  # fmt: skip
    """Slide of a lead screw."""
    return lead * screw_angle / TWO_PI


@joint.formula(source="Warp, eval_fk")
def framed_pose(k: Builder, parent_pose: ParentPose, local_pose: JointPose) -> LinkPose:
    """Link pose through the joint frames."""
    before, after = own_pose(k, "parent_frame"), own_pose(k, "child_frame")
    placed = k.let("placed", bounded(parent_pose * before * local_pose, -10.0, 10.0))
    return bounded(placed * ops.transform_inverse(after), -10.0, 10.0)


@joint.formula(source="Craig 2005")
def chained_pose(k: Builder, parent_pose: ParentPose, local_pose: JointPose) -> LinkPose:
    """Link pose by forward kinematics."""
    return bounded(parent_pose * local_pose, -10.0, 10.0)


@joint.formula(source="Craig 2005")
def pose_between(k: Builder, parent_pose: ParentPose, child_pose: ChildPose) -> RelativePose:
    """Relative pose of child and parent."""
    return bounded(ops.transform_multiply(ops.transform_inverse(parent_pose), child_pose), -100.0, 100.0)


@joint.formula(source="Craig 2005")
def pose_to_goal(k: Builder, link_pose: LinkPose, goal_pose: GoalPose) -> Annotated[
    Expr, Quantity("way_to_goal", -1.0, 1.0, pose_kind, plural="ways_to_goal")
]:  # fmt: skip
    """Pose of the goal relative to the link."""
    return bounded(ops.transform_inverse(link_pose) * goal_pose, -100.0, 100.0)


@joint.formula(source="Shoemake 1985")
def blended_pose(k: Builder, link_pose: LinkPose, goal_pose: GoalPose, share: Share) -> NewPose:
    """Interpolate a link pose towards a goal."""
    start, end = ops.transform_get_translation(link_pose), ops.transform_get_translation(goal_pose)
    first, last = ops.transform_get_rotation(link_pose), ops.transform_get_rotation(goal_pose)
    return transform((1.0 - share) * start + share * end, ops.quat_slerp(first, last, share))


@joint.formula(source="Murray, Li and Sastry 1994")
def twist_advanced_pose(k: Builder, link_pose: LinkPose, link_twist: LinkTwist, dt: Dt) -> NewPose:
    """Integrate the link pose by its twist."""
    single_only(k)
    turn = turn_by(k, bounded(dt * ops.spatial_top(link_twist), -100.0, 100.0))
    place = ops.transform_get_translation(link_pose) + dt * ops.spatial_bottom(link_twist)
    return bounded(transform(place, unit(turn * ops.transform_get_rotation(link_pose))), -100.0, 100.0)


@joint.formula(source="Müller et al. 2020")
def corrected_pose(
    k: Builder, child_pose: ChildPose, gap: Gap, turn_error: TurnError, share: Share
) -> NewPose:
    """Baumgarte-style pose correction of a joint."""
    corrected = k.var("corrected", child_pose, type=child_pose.type, bounds=(-100.0, 100.0))
    place = bounded(ops.transform_get_translation(child_pose) - share * gap, -50.0, 50.0)
    change(k, "transform_set_translation", corrected, place)
    back = turn_by(k, bounded(-share * turn_error, -10.0, 10.0))
    change(k, "transform_set_rotation", corrected, unit(ops.transform_get_rotation(child_pose) * back))
    return corrected


# Anchors, gaps and errors.


@joint.formula(source="Catto, GDC 2009")
def anchor_of_parent(k: Builder, parent_pose: ParentPose, parent_anchor: ParentAnchor) -> WorldAnchor:
    """Joint anchor in the world frame."""
    return ops.transform_point(parent_pose, parent_anchor)


@joint.formula(source="Catto, GDC 2009")
def anchor_gap(
    k: Builder, world_anchor: WorldAnchor, child_pose: ChildPose, child_anchor: ChildAnchor
) -> Gap:
    """Gap between the two joint anchors."""
    return ops.transform_point(child_pose, child_anchor) - world_anchor


@joint.formula(source="Catto, GDC 2009")
def local_anchor_gap(
    k: Builder, relative_pose: RelativePose, parent_anchor: ParentAnchor, child_anchor: ChildAnchor
) -> LocalGap:
    """Joint gap in the parent frame."""
    return bounded(ops.transform_point(relative_pose, child_anchor) - parent_anchor, -200.0, 200.0)


@joint.formula(source="Witkin and Baraff 2001")
def sliding_gap(k: Builder, local_gap: LocalGap, axis: Axis) -> Violation:
    """Off-axis gap of a sliding joint."""
    return ops.length(local_gap - ops.dot(local_gap, axis) * axis)


@joint.formula(source="Müller et al. 2020")
def distance_violation(k: Builder, gap: Gap, rest_length: Annotated[Expr, Setting(0.2, 1.0)]) -> Violation:
    """Distance joint violation."""
    return ops.abs(ops.length(gap) - rest_length)


@joint.formula(source="Müller et al. 2020")
def axis_alignment_error(k: Builder, relative_pose: RelativePose, axis: Axis) -> TurnError:
    """Axis misalignment of a hinge."""
    return ops.cross(axis, ops.transform_vector(relative_pose, axis))


@joint.formula(source="Catto, GDC 2009")
def fixed_turn_error(k: Builder, relative_pose: RelativePose) -> TurnError:
    """Rotation error of a fixed joint."""
    turn = k.let("relative_turn", ops.transform_get_rotation(relative_pose))
    axis, angle = results(k, "quat_to_axis_angle", ("turn_axis", "turn_angle"), turn)
    return angle * axis


@joint.formula()
def pose_violation(
    k: Builder, gap: Gap, turn_error: TurnError, turn_weight: Annotated[Expr, Setting(0.1, 1.0)]
) -> Violation:
    """Joint violation from gap and rotation error."""
    total = ops.dot(gap, gap) + turn_weight * ops.dot(turn_error, turn_error)
    return ops.sqrt(bounded(total, 0.0, 1e6))


# Angles about the axis, and limits.


@joint.formula(source="Dobrowolski 2015")
def twist_angle(k: Builder, relative_pose: RelativePose, axis: Axis) -> Angle:
    """Joint angle by swing-twist decomposition."""
    turn = k.let("relative_turn", ops.transform_get_rotation(relative_pose))
    along = ops.dot(construct(SPACE(k), turn[0], turn[1], turn[2]), axis)
    return bounded(2.0 * ops.atan2(k.let("along", along) * ops.sign(turn[3]), ops.abs(turn[3])), -3.2, 3.2)


@joint.formula(source="Dobrowolski 2015")
def twist_excess(
    k: Builder, relative_pose: RelativePose, axis: Axis, twist_limit: Annotated[Expr, Setting(0.5, 2.0)]
) -> LimitExcess:
    """Twist limit violation."""
    single_only(k)
    angle = ops.quat_twist_angle(axis, ops.transform_get_rotation(relative_pose))
    return bounded(angle, 0.0, 6.3) - twist_limit


@joint.formula(source="Dobrowolski 2015")
def swing_excess(
    k: Builder, relative_pose: RelativePose, axis: Axis, cone_angle: Annotated[Expr, Setting(0.3, 1.2)]
) -> LimitExcess:
    """Swing cone violation."""
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
    """Joint limit violation."""
    return ops.max(hinge_angle - upper_limit, 0.0) + ops.min(hinge_angle - lower_limit, 0.0)


@joint.formula(source="MuJoCo, solref")
def limit_torque(
    k: Builder, limit_excess: LimitExcess, hinge_rate: JointRate, stiffness: Gain, damping: Share
) -> JointTorque:
    """Joint limit torque."""
    return -stiffness * limit_excess - damping * hinge_rate


@joint.formula(source="Craig 2005")
def servo_torque(
    k: Builder, hinge_angle: Angle, hinge_rate: JointRate, stiffness: Gain, damping: Share,
    goal_angle: Annotated[Expr, Quantity("goal_angle", -1.5, 1.5)],
    max_torque: Annotated[Expr, Setting(1.0, 3.0)],
) -> JointTorque:  # fmt: skip
    """PD servo torque with saturation."""
    wanted = stiffness * (goal_angle - hinge_angle) - damping * hinge_rate
    return ops.clamp(wanted, -max_torque, max_torque)


@joint.formula(source="Armstrong-Hélouvry 1991")
def friction_torque(
    k: Builder, hinge_rate: JointRate, coulomb: Annotated[Expr, Setting(0.1, 1.0)],
    stribeck_rate: Annotated[Expr, Setting(0.2, 0.8)], viscous: Share,
) -> JointTorque:  # fmt: skip
    """Stribeck joint friction."""
    ratio = k.let("ratio", hinge_rate / stribeck_rate)
    return -coulomb * ops.tanh(4.0 * ratio) * (1.0 + 0.5 * ops.exp(-(ratio * ratio))) - viscous * hinge_rate


@joint.formula()
def mechanical_joint_power(k: Builder, torque: JointTorque, hinge_rate: JointRate) -> Annotated[
    Expr, Quantity("power", -5.0, 5.0, least=-1e5, most=1e5)
]:  # fmt: skip
    """Joint power."""
    return bounded(torque * hinge_rate, -1e4, 1e4)


@joint.formula(source="Catto, GDC 2011")
def anchor_spring_force(
    k: Builder, gap: Gap, gap_velocity: GapVelocity, stiffness: Gain, damping: Share
) -> JointForce:
    """Damped spring force across a joint gap."""
    return -stiffness * gap - damping * gap_velocity


@joint.formula(source="Kelvin and Voigt, in Love 1927")
def bushing_energy(
    k: Builder, gap: Gap, turn_error: TurnError, stiffness: Gain, turn_stiffness: Gain
) -> Energy:
    """Elastic energy of a bushing."""
    stretch = k.let("stretch_energy", stiffness * ops.dot(gap, gap))
    return bounded(0.5 * (stretch + turn_stiffness * ops.dot(turn_error, turn_error)), 0.0, 1e5)


# Twists and wrenches: angular above linear.


@joint.formula(source="Featherstone 2008")
def revolute_twist(k: Builder, parent_pose: ParentPose, axis: Axis, hinge_rate: JointRate) -> JointTwist:
    """Revolute joint twist."""
    single_only(k)
    spin = k.let("spin", hinge_rate * ops.transform_vector(parent_pose, axis))
    return spatial(spin, ops.cross(ops.transform_get_translation(parent_pose), spin))


@joint.formula(source="Featherstone 2008")
def prismatic_twist(k: Builder, parent_pose: ParentPose, axis: Axis, hinge_rate: JointRate) -> JointTwist:
    """Prismatic joint twist."""
    single_only(k)
    slide = hinge_rate * ops.transform_vector(parent_pose, axis)
    return spatial(construct(SPACE(k), 0.0, 0.0, 0.0), slide)


@joint.formula(source="Featherstone 2008", goal=False)
def summed_twist(k: Builder, parent_twist: ParentTwist, own_twist: JointTwist) -> LinkTwist:
    """Sum of parent and joint twists."""
    return parent_twist + own_twist


@joint.formula(source="Warp, wp.transform_twist")
def carried_twist(k: Builder, relative_pose: RelativePose, parent_twist: ParentTwist) -> LinkTwist:
    """Link twist in the child frame."""
    single_only(k)
    return bounded(ops.transform_twist(relative_pose, parent_twist), -2e3, 2e3)


@joint.formula(source="Featherstone 2008")
def adjoint_twist(k: Builder, relative_pose: RelativePose, parent_twist: ParentTwist) -> LinkTwist:
    """Link twist by the adjoint of the relative pose."""
    single_only(k)
    place = ops.transform_get_translation(relative_pose)
    turn = k.let("turn_matrix", ops.quat_to_matrix(ops.transform_get_rotation(relative_pose)))
    adjoint = k.let("adjoint", ops.spatial_adjoint(turn, ops.skew(place) @ turn))
    return bounded(adjoint @ parent_twist, -2e3, 2e3)


@joint.formula(source="Featherstone 2008")
def bias_acceleration(k: Builder, link_twist: LinkTwist, own_twist: JointTwist) -> Annotated[
    Expr, Quantity("bias_acceleration", -5.0, 5.0, TWIST, least=-1e6, most=1e6)
]:  # fmt: skip
    """Velocity-product bias acceleration."""
    single_only(k)
    return bounded(ops.spatial_cross(link_twist, own_twist), -1e6, 1e6)


@joint.formula(source="Featherstone 2008")
def momentum_wrench(
    k: Builder, link_twist: LinkTwist,
    spatial_inertia: Annotated[Expr, Quantity("spatial_inertia", -0.5, 0.5, matrix(6, 6))],
) -> Wrench:  # fmt: skip
    """Gyroscopic wrench of a moving link."""
    single_only(k)
    momentum = k.let("momentum", spatial_inertia @ link_twist)
    return bounded(ops.spatial_cross_dual(link_twist, momentum), -1e5, 1e5)


@joint.formula(source="Featherstone 2008")
def anchored_wrench(k: Builder, world_anchor: WorldAnchor, anchor_force: JointForce) -> Wrench:
    """Wrench of a force at the joint anchor."""
    single_only(k)
    return bounded(spatial(ops.cross(world_anchor, anchor_force), anchor_force), -1e5, 1e5)


@joint.formula(source="Warp, wp.transform_wrench")
def carried_wrench(
    k: Builder, relative_pose: RelativePose,
    child_wrench: Annotated[Expr, Quantity("child_wrench", -3.0, 3.0, TWIST, plural="child_wrenches")],
) -> Wrench:  # fmt: skip
    """Child wrench in the parent frame."""
    single_only(k)
    return bounded(ops.transform_wrench(relative_pose, child_wrench), -2e3, 2e3)


@joint.formula(source="Warp, wp.velocity_at_point")
def anchor_velocity(
    k: Builder, parent_twist: ParentTwist, child_twist: ChildTwist, world_anchor: WorldAnchor
) -> GapVelocity:
    """Relative velocity of the joint anchors."""
    single_only(k)
    gap_twist = k.let("gap_twist", child_twist - parent_twist)
    return bounded(ops.velocity_at_point(gap_twist, world_anchor), -1e4, 1e4)
