"""Vertices of a skin that follow the joints of a skeleton, and arms of several links, one a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import GRAVITY
from weft.kernels.domains.along import at, each
from weft.kernels.domains.bodies import SPACE, axis_of, direction, unit
from weft.kernels.expressions import bounded, construct, ops, transform
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.intervals import INFINITY, Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.types import Matrix, Quaternion, Transform, Vector

skin = Domain(
    "vertex",
    index=("i", "v", "vertex"),
    sizes={"influences": (2, 3, 4, 4, 8), "bones": (12, 24, 40), "shapes": (3, 4, 6)},
)
arm = Domain("arm", index=("i", "arm"), sizes={"joints": (3, 4, 5, 6, 7)}, flexible=True)

rest = Quantity("rest_position", -1.0, 1.0, SPACE, least=-10.0, most=10.0)
posed = Quantity("posed_position", -2.0, 2.0, SPACE, least=-1e3, most=1e3, derived=True)
previous_posed = Quantity("previous_position", -2.0, 2.0, SPACE)
vertex_velocity = Quantity("velocity", -1.0, 1.0, SPACE, plural="velocities")

Rest = Annotated[Expr, rest]
Base = Annotated[Expr, Quantity("base_position", -1.0, 1.0, SPACE)]
Posed = Annotated[Expr, posed]
Normal = Annotated[Expr, direction("normal")]
PosedNormal = Annotated[Expr, Quantity("posed_normal", -1.0, 1.0, SPACE, derived=True)]
Velocity = Annotated[Expr, vertex_velocity]
Dt = Annotated[Expr, Setting(0.005, 0.05, "p")]
LEWIS = "Lewis, Cordner and Fong 2000"

Bone = Callable[[Expr, Expr], None]


def each_bone(k: Builder, visit: Bone) -> None:
    """Visit the bones that move the vertex, each with its weight."""
    skin.size(k, "bones")
    size = skin.size(k, "influences")
    bones = k.input("bone_ids", I32, ["n", size], {"integers": [0, "bones"]})
    weights = k.input("bone_weights", k.real, ["n", size], uniform(0.05, 1.0))
    with each(k, "slot", size) as slot:
        visit(k.let("bone", bones[k.index[0], slot]), k.let("weight", weights[k.index[0], slot]))


def matrices(k: Builder) -> ArrayHandle:
    """How each bone turns and stretches what it moves."""
    return k.input("bone_matrices", Matrix(3, 3, k.real), [skin.size(k, "bones")], uniform(-1.0, 1.0))


def offsets(k: Builder) -> ArrayHandle:
    """Where each bone moves the origin to."""
    return k.input("bone_offsets", Vector(3, k.real), [skin.size(k, "bones")], uniform(-1.0, 1.0))


def zero(k: Builder) -> Expr:
    """No vector at all."""
    return construct(SPACE(k), 0.0, 0.0, 0.0)


@skin.formula(source=LEWIS)
def morphed_rest(k: Builder, base_position: Base) -> Rest:
    """Blend-shape deformation."""
    size = skin.size(k, "shapes")
    weights = k.input("shape_weights", k.real, [size], uniform(0.0, 1.0))
    deltas = k.input("shape_offsets", Vector(3, k.real), [size, "n"], uniform(-0.2, 0.2))
    position = k.var("position", base_position, bounds=(-5.0, 5.0))
    with each(k, "shape", size) as shape:
        k.set(position, bounded(position + weights[shape] * deltas[shape, k.index[0]], -5.0, 5.0))
    return position


@skin.formula(source=LEWIS)
def bulged_rest(k: Builder, base_position: Base, normal: Normal, tension: Annotated[
    Expr, Quantity("tension", 0.0, 1.0)
], bulge: Annotated[Expr, Setting(0.02, 0.2)]) -> Rest:  # fmt: skip
    """Muscle bulge of a rest position."""
    return base_position + bulge * tension * normal


@skin.formula(source="Magnenat-Thalmann, Laperrière and Thalmann 1988", teaches=("loop",))
def linear_blend_skinning(k: Builder, rest_position: Rest) -> Posed:
    """Linear blend skinning."""
    turned, moved = matrices(k), offsets(k)
    total, weights = k.var("total", zero(k), bounds=(-1e3, 1e3)), k.var("weight_sum", 0.0)

    def visit(bone: Expr, weight: Expr) -> None:
        placed = k.let("placed", turned[bone] @ rest_position + moved[bone])
        k.set(total, bounded(total + weight * placed, -1e3, 1e3))
        k.add(weights, weight)

    each_bone(k, visit)
    return bounded(total / bounded(weights, 0.05, 10.0), -1e3, 1e3)


@skin.formula(source="Hejl 2004", teaches=("loop", "branch"))
def quaternion_skinning(k: Builder, rest_position: Rest) -> Posed:
    """Skinning by blended quaternions."""
    kind = Quaternion(k.real)
    turns = k.input("bone_rotations", kind, [skin.size(k, "bones")], uniform(0.1, 1.0))
    moved = offsets(k)
    turn = k.var("turn", construct(kind, 0.0, 0.0, 0.0, 0.0), bounds=(-10.0, 10.0))
    offset, weights = k.var("offset", zero(k), bounds=(-10.0, 10.0)), k.var("weight_sum", 0.0)

    def visit(bone: Expr, weight: Expr) -> None:
        k.set(turn, bounded(turn + weight * turns[bone], -10.0, 10.0))
        k.set(offset, bounded(offset + weight * moved[bone], -10.0, 10.0))
        k.add(weights, weight)

    each_bone(k, visit)
    rotated = k.let("rotated", ops.quat_rotate(ops.normalize(turn), rest_position))
    return bounded(rotated + offset / bounded(weights, 0.05, 10.0), -1e3, 1e3)


@skin.formula(teaches=("loop", "branch"))
def rigid_skinning(k: Builder, rest_position: Rest) -> Posed:
    """Rigid skinning by the strongest bone."""
    size = skin.size(k, "bones")
    best, chosen = k.var("best", 0.0, bounds=(0.0, 1.0)), k.var("chosen", 0, type=I32, bounds=(0, 100))

    def visit(bone: Expr, weight: Expr) -> None:
        with k.when(weight > best):
            k.set(best, weight)
            k.set(chosen, bone)

    each_bone(k, visit)
    bone = Name(I32, Interval(0, k.largest(size) - 1, True, size, -1), chosen.name)
    return bounded(matrices(k)[bone] @ rest_position + offsets(k)[bone], -1e3, 1e3)


@skin.formula(source="Magnenat-Thalmann, Laperrière and Thalmann 1988", teaches=("loop",))
def skinned_normal(k: Builder, normal: Normal) -> PosedNormal:
    """Skinned normals."""
    turned, total = matrices(k), k.var("total", zero(k), bounds=(-100.0, 100.0))
    each_bone(
        k, lambda bone, weight: k.set(total, bounded(total + weight * (turned[bone] @ normal), -100.0, 100.0))
    )
    return ops.normalize(total)


@skin.formula(goal=False)
def offset_normal(k: Builder, posed_position: Posed, posed_normal: PosedNormal, thickness: Annotated[
    Expr, Setting(0.01, 0.1)
]) -> Annotated[Expr, Quantity("cloth_position", -2.0, 2.0, SPACE, least=-1e4, most=1e4)]:  # fmt: skip
    """Cloth position over the posed skin."""
    return posed_position + thickness * posed_normal


@skin.formula()
def pose_offset(k: Builder, posed_position: Posed, rest_position: Rest) -> Annotated[
    Expr, Quantity("displacement", 0.0, 3.0, most=1e4, extremal=True)
]:  # fmt: skip
    """Displacement from rest to pose."""
    return ops.length(posed_position - rest_position)


@skin.formula(teaches=("branch",))
def pushed_position(
    k: Builder, posed_position: Posed, collider: Annotated[Expr, Setting(-0.5, 0.5, "p", SPACE)],
    collider_radius: Annotated[Expr, Setting(0.3, 1.2)],
) -> Annotated[Expr, Quantity("pushed_position", -2.0, 2.0, SPACE, least=-1e4, most=1e4)]:  # fmt: skip
    """Push a vertex out of a ball."""
    away = k.let("outward", posed_position - collider)
    distance = k.let("distance", ops.max(ops.length(away), 1e-4))
    return bounded(collider + ops.max(collider_radius / distance, 1.0) * away, -1e4, 1e4)


@skin.formula()
def vertex_speed(
    k: Builder, posed_position: Posed, previous_position: Annotated[Expr, previous_posed], dt: Dt
) -> Annotated[Expr, Quantity("speed", 0.0, 10.0, most=1e7, extremal=True)]:
    """Speed of a skinned vertex."""
    return ops.length((posed_position - previous_position) / dt)


@skin.formula(source="Müller et al. 2005")
def jiggled_velocity(
    k: Builder, velocity: Velocity, posed_position: Posed, dt: Dt,
    position: Annotated[Expr, Quantity("position", -2.0, 2.0, SPACE)],
    stiffness: Annotated[Expr, Setting(1.0, 20.0)], damping: Annotated[Expr, Setting(0.1, 2.0)],
) -> Annotated[Expr, Quantity("new_velocity", -1.0, 1.0, SPACE, plural="new_velocities", least=-1e5, most=1e5,
                              updates=vertex_velocity)]:  # fmt: skip
    """Jiggle dynamics of a skinned vertex."""
    pull = stiffness * (posed_position - position) - damping * velocity
    return bounded(velocity + dt * pull, -1e5, 1e5)


@skin.formula(source="Dionne and de Lasa 2013", teaches=("loop", "branch"))
def nearest_bone(k: Builder, base_position: Base) -> Annotated[Expr, Quantity("nearest_bone", 0, 11, whole)]:
    """Nearest bone."""
    found = k.var("limited_joint", 0, type=I32, bounds=(0, 11))
    _nearest(k, base_position, found)
    return found


@skin.formula(source="Dionne and de Lasa 2013", teaches=("loop", "branch"))
def bone_distance(k: Builder, base_position: Base) -> Annotated[
    Expr, Quantity("bone_distance", 0.0, 2.0, most=20.0, extremal=True)
]:  # fmt: skip
    """Distance to the nearest bone."""
    return ops.sqrt(_nearest(k, base_position))


def _nearest(k: Builder, point: Expr, found: Expr | None = None) -> Expr:
    """The squared distance to the nearest bone, whose number is `found`."""
    heads, tails = (k.input(one, Vector(3, k.real), ["12"], uniform(-1.0, 1.0)) for one in ("heads", "tails"))
    best = k.var("best", INFINITY, bounds=(0.0, 1e3))
    with k.loop("bone", 0, 12) as bone:
        along, out = k.let("bone_axis", tails[bone] - heads[bone]), k.let("out", point - heads[bone])
        share = ops.clamp(ops.dot(out, along) / ops.max(ops.dot(along, along), 1e-6), 0.0, 1.0)
        gap = k.let("offset", out - k.let("share", share) * along)
        square = k.let("square", bounded(ops.dot(gap, gap), 0.0, 400.0))
        if found is None:
            k.set(best, ops.min(best, square))
        else:
            with k.when(square < best):
                k.set(best, square)
                k.set(found, bone)
    return bounded(best, 0.0, 400.0)


joint_angle = Quantity("joint_angle", -1.5, 1.5, trailing=("joints",))
tip = Quantity("tip", -2.0, 2.0, vector(2), least=-20.0, most=20.0, derived=True)

Angles = Annotated[ArrayHandle, joint_angle]
Rates = Annotated[ArrayHandle, Quantity("joint_rate", -1.0, 1.0, trailing=("joints",))]
Tip = Annotated[Expr, tip]
Goal = Annotated[Expr, Quantity("goal", -2.0, 2.0, vector(2))]
Force = Annotated[Expr, Quantity("tip_force", -5.0, 5.0, vector(2))]
GoalGap = Annotated[Expr, Quantity("goal_distance", 0.0, 4.0, most=40.0, extremal=True, derived=True)]
Effort = Annotated[Expr, Quantity("effort", 0.0, 50.0, most=1e7)]
Limit = Annotated[Expr, Setting(0.8, 1.4)]
CRAIG = "Craig 2005"


def _shared(k: Builder, name: str, low: float, high: float) -> ArrayHandle:
    """Numbers of the links, the same for all arms."""
    return k.input(name, k.real, [arm.size(k, "joints")], uniform(low, high))


def _lengths(k: Builder) -> Callable[[Expr], Expr]:
    """The length of each link: of each arm's own, of all arms, or one number."""
    own = k.once("links", lambda: k.rng.pick("own", "own", "shared", "alike"))
    if own == "shared":
        lengths = _shared(k, "link_lengths", 0.2, 0.6)
        return lambda j: lengths[j]
    if own == "alike":
        length = k.once("length", lambda: k.scalar("link_length", k.real, uniform(0.2, 0.6)))
        return lambda j: length
    rows = k.input("link_lengths", k.real, [k.shape[0], arm.size(k, "joints")], uniform(0.2, 0.6))
    return lambda j: rows[k.index[0], j]


Places = dict[str, Name]


def each_link(
    k: Builder, angles: ArrayHandle, visit: Callable[[Expr, Places, Places], None], axes: str = "xy"
) -> list[Name]:
    """Walk along an arm in the plane, each joint with its place and its link; gives the tip."""
    length = _lengths(k)
    heading = k.var("heading", 0.0, bounds=(-20.0, 20.0))
    places = {axis: k.var(f"joint_{axis}", 0.0, bounds=(-10.0, 10.0)) for axis in axes}
    with each(k, "j", "joints") as j:
        k.set(heading, bounded(heading + at(k, angles, j), -20.0, 20.0))
        shares = {axis: ops.cos(heading) if axis == "x" else ops.sin(heading) for axis in axes}
        links = {axis: k.let(f"link_{axis}", length(j) * share) for axis, share in shares.items()}
        visit(j, places, links)
        for axis in axes:
            k.set(places[axis], bounded(places[axis] + links[axis], -10.0, 10.0))
    return list(places.values())


@arm.formula(source=CRAIG, teaches=("loop",))
def planar_tip(k: Builder, joint_angles: Angles) -> Tip:
    """Forward kinematics of a planar arm."""
    return construct(Vector(2, k.real), *each_link(k, joint_angles, lambda *_: None))


@arm.formula(source=CRAIG, teaches=("loop",))
def distance_to_goal(k: Builder, tip: Tip, goal: Goal) -> GoalGap:
    """Distance of an arm's tip from the goal."""
    return bounded(ops.length(tip - goal), 0.0, 40.0)


@arm.formula(source=CRAIG, teaches=("loop",))
def base_torque(k: Builder, joint_angles: Angles) -> Annotated[
    Expr, Quantity("base_torque", -50.0, 50.0, least=-1e5, most=1e5, extremal=True, signed=True)
]:  # fmt: skip
    """Gravity torque at the base of an arm."""
    masses, total = _shared(k, "link_masses", 0.2, 2.0), k.var("moment", 0.0)

    def visit(j: Expr, places: Places, links: Places) -> None:
        k.add(total, masses[j] * (places["x"] + 0.5 * links["x"]))

    each_link(k, joint_angles, visit, "x")
    return bounded(GRAVITY * total, -1e5, 1e5)


@arm.formula(source=CRAIG, teaches=("loop", "nested loop"))
def holding_effort(k: Builder, joint_angles: Angles) -> Effort:
    """Squared joint torques that hold an arm."""
    length, masses = _lengths(k), _shared(k, "link_masses", 0.2, 2.0)
    effort, first = k.var("effort", 0.0), k.var("base_heading", 0.0, bounds=(-20.0, 20.0))
    with each(k, "j", "joints") as j:
        heading, reach = (
            k.var("heading", first, bounds=(-20.0, 20.0)),
            k.var("tip_x", 0.0, bounds=(-10.0, 10.0)),
        )
        torque = k.var("torque", 0.0, bounds=(-500.0, 500.0))
        with each(k, "link", "joints", j) as link:
            k.set(heading, bounded(heading + at(k, joint_angles, link), -20.0, 20.0))
            across = k.let("link_x", length(link) * ops.cos(heading))
            k.set(torque, bounded(torque + GRAVITY * masses[link] * (reach + 0.5 * across), -500.0, 500.0))
            k.set(reach, bounded(reach + across, -10.0, 10.0))
        k.add(effort, torque * torque)
        k.set(first, bounded(first + at(k, joint_angles, j), -20.0, 20.0))
    return bounded(effort, 0.0, 1e7)


def _columns(k: Builder, angles: ArrayHandle, tip: Expr, visit: Callable[[Expr, Expr, Expr], None]) -> None:
    """The columns of the Jacobian: how the tip moves with each joint."""

    def each_column(j: Expr, places: Places, _: Places) -> None:
        visit(j, k.let("column_x", places["y"] - tip[1]), k.let("column_y", tip[0] - places["x"]))

    each_link(k, angles, each_column)


@arm.formula(source="Yoshikawa 1985", teaches=("loop",))
def planar_manipulability(k: Builder, joint_angles: Angles, tip: Tip) -> Annotated[
    Expr, Quantity("manipulability", 0.0, 3.0, most=1e4)
]:  # fmt: skip
    """Manipulability of a planar arm."""
    xx, xy, yy = (k.var(name, 0.0) for name in ("gram_xx", "gram_xy", "gram_yy"))

    def visit(j: Expr, x: Expr, y: Expr) -> None:
        k.add(xx, x * x)
        k.add(xy, x * y)
        k.add(yy, y * y)

    _columns(k, joint_angles, tip, visit)
    return ops.sqrt(bounded(ops.max(xx * yy - xy * xy, 0.0), 0.0, 1e8))


@arm.formula(source=CRAIG, teaches=("loop",))
def tip_speed(k: Builder, joint_angles: Angles, joint_rates: Rates, tip: Tip) -> Annotated[
    Expr, Quantity("tip_speed", 0.0, 5.0, most=1e4, extremal=True)
]:  # fmt: skip
    """Tip speed of an arm."""
    across, up = k.var("speed_x", 0.0), k.var("speed_y", 0.0)

    def visit(j: Expr, x: Expr, y: Expr) -> None:
        rate = k.let("rate", at(k, joint_rates, j))
        k.add(across, rate * x)
        k.add(up, rate * y)

    _columns(k, joint_angles, tip, visit)
    return ops.sqrt(bounded(across * across + up * up, 0.0, 1e8))


@arm.formula(source=CRAIG, teaches=("loop",))
def force_effort(k: Builder, joint_angles: Angles, tip: Tip, tip_force: Force) -> Effort:
    """Squared joint torques under a tip force."""
    effort = k.var("effort", 0.0)

    def visit(j: Expr, x: Expr, y: Expr) -> None:
        torque = k.let("torque", tip_force[0] * x + tip_force[1] * y)
        k.add(effort, torque * torque)

    _columns(k, joint_angles, tip, visit)
    return bounded(effort, 0.0, 1e7)


@arm.formula(teaches=("loop", "branch", "iteration"))
def first_limit(k: Builder, joint_angles: Angles, largest_angle: Limit) -> Annotated[
    Expr, Quantity("blocked_joint", -1, 6, whole)
]:  # fmt: skip
    """First joint beyond its limits, or -1."""
    found = k.var("blocked", -1, type=I32, bounds=(-1, 7))
    with each(k, "j", "joints") as j, k.when(ops.abs(at(k, joint_angles, j)) > largest_angle):
        k.set(found, j)
        k.jump("break")
    return found


@arm.formula(source="Khatib 1986", teaches=("loop",))
def arm_clearance(
    k: Builder, joint_angles: Angles, obstacle: Annotated[Expr, Setting(-1.5, 1.5, "p", vector(2))],
    obstacle_radius: Annotated[Expr, Setting(0.1, 0.5)],
) -> Annotated[Expr, Quantity("clearance", 0.0, 2.0, least=-1.0, most=100.0)]:  # fmt: skip
    """Clearance between a planar arm and a round obstacle."""
    best = k.var("nearest", INFINITY, bounds=(0.0, 1e3))

    def visit(j: Expr, places: Places, links: Places) -> None:
        gap_x, gap_y = (
            k.let(f"gap_{axis}", places[axis] + links[axis] - obstacle[at]) for at, axis in enumerate("xy")
        )
        k.set(best, bounded(ops.min(best, gap_x * gap_x + gap_y * gap_y), 0.0, 1e3))

    each_link(k, joint_angles, visit)
    return ops.sqrt(best) - obstacle_radius


@arm.formula(source="Denavit and Hartenberg 1955", teaches=("loop",))
def spatial_tip_pose(k: Builder, joint_angles: Angles) -> Annotated[
    Expr, Quantity("tip_pose", -1.0, 1.0, lambda k: Transform(k.real), least=-20.0, most=20.0)
]:  # fmt: skip
    """Forward kinematics of a spatial arm."""
    return _tip_pose(k, joint_angles)


@arm.formula(source="Denavit and Hartenberg 1955", teaches=("loop",))
def tool_point(
    k: Builder, joint_angles: Angles, tool_offset: Annotated[Expr, Setting(-0.3, 0.3, "p", vector(3))]
) -> Annotated[Expr, Quantity("tool_point", -2.0, 2.0, vector(3), least=-50.0, most=50.0)]:
    """Tool point of a spatial arm."""
    return bounded(ops.transform_point(_tip_pose(k, joint_angles), tool_offset), -50.0, 50.0)


def _tip_pose(k: Builder, angles: ArrayHandle) -> Expr:
    length, bends = _lengths(k), _shared(k, "link_bends", -1.5, 1.5)
    nowhere = transform(zero(k), construct(Quaternion(k.real), 0.0, 0.0, 0.0, 1.0))
    pose = k.var("pose", nowhere, type=nowhere.type, bounds=(-20.0, 20.0))
    with each(k, "j", "joints") as j:
        turn = ops.quat_from_axis_angle(axis_of(k, 2), at(k, angles, j))
        bend = ops.quat_from_axis_angle(axis_of(k, 0), bends[j])
        rotation = k.let("rotation", unit(turn * bend))
        along = k.let("along", ops.quat_rotate(rotation, construct(SPACE(k), length(j), 0.0, 0.0)))
        k.set(pose, bounded(pose * transform(along, rotation), -20.0, 20.0))
    return pose
