"""Rigid bodies: orientations by quaternions, angular velocities, inertia, torques, contacts, control."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import either
from weft.kernels.coefficients import UNIT
from weft.kernels.expressions import bounded, construct, identity, ops
from weft.kernels.formulas import Domain, Kind, Load, Quantity, Setting, matrix, rotation, vector
from weft.kernels.program import Expr
from weft.kernels.words import plural
from weft.types import Matrix, Quaternion, Vector

body = Domain("body", index=("i", "b", "body"))

SPACE = vector(3)


def of_unit_length(kind: Kind) -> Load:
    """Reads the thread's own vector or quaternion, which has unit length."""

    def load(k: Builder, name: str) -> Expr:
        return k.input(plural(name), kind(k), k.shape, UNIT)[k.index]

    return load


def turn(name: str, updates: Quantity | None = None) -> Quantity:
    """A rotation as a quaternion of unit length."""
    return Quantity(name, -1.0, 1.0, rotation, load=of_unit_length(rotation), updates=updates)


def direction(name: str) -> Quantity:
    """A vector of unit length."""
    return Quantity(name, -1.0, 1.0, SPACE, load=of_unit_length(SPACE))


orientation = turn("orientation")
angular_velocity = Quantity("angular_velocity", -3.0, 3.0, SPACE, plural="angular_velocities")
new_angular_velocity = Quantity(
    "new_angular_velocity", -3.0, 3.0, SPACE, plural="new_angular_velocities", updates=angular_velocity
)
local_spin = Quantity("local_spin", -3.0, 3.0, SPACE, least=-1e4, most=1e4)
velocity = Quantity("velocity", -2.0, 2.0, SPACE)
new_velocity = Quantity("new_velocity", -2.0, 2.0, SPACE, plural="new_velocities", updates=velocity)
world_inertia = Quantity("world_inertia", 0.0, 1.0, matrix(3, 3), least=-40.0, most=40.0, computed=True)
world_torque = Quantity("world_torque", -2.0, 2.0, SPACE)
momentum = Quantity("angular_momentum", -3.0, 3.0, SPACE, plural="angular_momenta", additive=True)
energy = Quantity("rotational_energy", 0.0, 10.0, plural="rotational_energies", additive=True)
effective_mass = Quantity("effective_mass", 0.3, 2.0, plural="effective_masses", least=0.0, most=1e3)

Orientation = Annotated[Expr, orientation]
TargetOrientation = Annotated[Expr, turn("target_orientation")]
NewOrientation = Annotated[Expr, turn("new_orientation", updates=orientation)]
Relative = Annotated[Expr, turn("relative_orientation")]
AngularVelocity = Annotated[Expr, angular_velocity]
NewAngularVelocity = Annotated[Expr, new_angular_velocity]
LocalSpin = Annotated[Expr, local_spin]
NewLocalSpin = Annotated[Expr, Quantity("new_local_spin", -3.0, 3.0, SPACE, updates=local_spin)]
Velocity = Annotated[Expr, velocity]
NewVelocity = Annotated[Expr, new_velocity]
Inertia = Annotated[Expr, Quantity("inertia", 0.3, 1.5, SPACE, plural="inertias", least=0.01, most=10.0)]
WorldInertia = Annotated[Expr, world_inertia]
Torque = Annotated[Expr, Quantity("torque", -2.0, 2.0, SPACE, least=-5e3, most=5e3)]
Gyroscopic = Annotated[Expr, Quantity("gyroscopic_torque", -2.0, 2.0, SPACE, least=-5e3, most=5e3)]
Energy = Annotated[Expr, energy]
AttitudeError = Annotated[Expr, Quantity("attitude_error", -2.0, 2.0, SPACE, least=-6.3, most=6.3)]
Deviation = Annotated[
    Expr, Quantity("angular_deviation", 0.0, 3.1, least=0.0, most=6.3, extremal=True, generic=True)
]
RotationMatrix = Annotated[Expr, Quantity("rotation_matrix", -1.0, 1.0, matrix(3, 3), least=-4.0, most=4.0)]
Mass = Annotated[Expr, Quantity("mass", 0.5, 3.0, plural="masses")]
LocalPoint = Annotated[Expr, Quantity("local_point", -0.8, 0.8, SPACE)]
Arm = Annotated[Expr, Quantity("arm", -1.0, 1.0, SPACE, least=-50.0, most=50.0)]
PointVelocity = Annotated[Expr, Quantity("point_velocity", -3.0, 3.0, SPACE, plural="point_velocities")]
ContactNormal = Annotated[Expr, direction("contact_normal")]
EffectiveMass = Annotated[Expr, effective_mass]
Impulse = Annotated[Expr, Quantity("normal_impulse", 0.0, 3.0, least=0.0, most=2e3)]
Force = Annotated[Expr, Quantity("force", -4.0, 4.0, SPACE)]
RotationVector = Annotated[Expr, Quantity("rotation_vector", -1.5, 1.5, SPACE, least=-7.0, most=7.0)]

Dt = Annotated[Expr, Setting(0.001, 0.05, "p")]
Gain = Annotated[Expr, Setting(0.5, 4.0)]
Share = Annotated[Expr, Setting(0.1, 0.9)]


def imaginary(k: Builder, q: Expr) -> Expr:
    """The vector part of a quaternion."""
    return construct(Vector(3, k.real), q[0], q[1], q[2])


def pure(k: Builder, v: Expr) -> Expr:
    """The quaternion whose vector part is given and whose scalar part is zero."""
    return construct(Quaternion(k.real), v[0], v[1], v[2], 0.0)


def unit(value: Expr) -> Expr:
    """What has unit length by the algebra of rotations."""
    return bounded(value, -1.0, 1.0)


def axis_of(k: Builder, axis: int) -> Expr:
    """A unit vector along an axis of the coordinates."""
    return construct(SPACE(k), *(1.0 if one == axis else 0.0 for one in range(3)))


def turn_by(k: Builder, vector: Expr) -> Expr:
    """The rotation about a vector by its length."""
    turn = k.let("turn_vector", vector)
    angle = k.let("angle", ops.max(ops.length(turn), 1e-6))
    return ops.quat_from_axis_angle(unit(turn / angle), angle)


def exact_log(k: Builder, q: Expr) -> Expr:
    """The rotation vector of a rotation, by the shorter way."""
    part = k.let("vector_part", imaginary(k, q))
    sine = k.let("half_sine", ops.max(ops.length(part), 1e-6))
    angle = k.let("turn_angle", 2.0 * ops.atan2(sine, ops.abs(q[3])))
    return bounded(either(k, "signed_angle", q[3] < 0.0, -angle, angle) / sine * part, -6.3, 6.3)


# How an orientation is given.


@body.formula(source="Diebel 2006")
def matrix_of_orientation(k: Builder, orientation: Orientation) -> RotationMatrix:
    """Rotation matrix of a quaternion. Quaternions are stored as x, y, z, w."""
    x, y, z, w = (k.let("qxyzw"[0] + name, orientation[at]) for at, name in enumerate("xyzw"))
    return construct(
        Matrix(3, 3, k.real),
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@body.formula(source="Grassia 1998")
def rodrigues_matrix(k: Builder, rotation_vector: RotationVector) -> RotationMatrix:
    """Rotation matrix by Rodrigues' formula. The length of the rotation vector is the angle in radians."""
    angle = k.let("angle", ops.max(ops.length(rotation_vector), 1e-6))
    cross = k.let("cross_matrix", ops.skew(unit(rotation_vector / angle)))
    one = identity(Matrix(3, 3, k.real))
    return bounded(one + ops.sin(angle) * cross + (1.0 - ops.cos(angle)) * (cross @ cross), -1.0, 1.0)


@body.formula(source="Grassia 1998")
def logarithm_of_orientation(
    k: Builder, orientation: Orientation
) -> Annotated[Expr, Quantity("orientation_logarithm", -3.0, 3.0, SPACE)]:
    """Rotation vector of an orientation (quaternion logarithm). Its direction is the axis, and its length the
    angle in radians.
    """
    return exact_log(k, orientation)


# Time steps.


@body.formula(source="Solà 2017")
def exponential_orientation(
    k: Builder, orientation: Orientation, new_angular_velocity: NewAngularVelocity, dt: Dt
) -> NewOrientation:
    """Integrate the orientation by the exponential map. The body turns about its new angular velocity by a
    finite rotation.
    """
    return unit(turn_by(k, dt * new_angular_velocity) * orientation)


@body.formula(source="Solà 2017")
def local_spin_orientation(
    k: Builder, orientation: Orientation, new_local_spin: NewLocalSpin, dt: Dt
) -> NewOrientation:
    """Integrate the orientation from the spin. The spin is the angular velocity in the body's frame."""
    return unit(orientation * turn_by(k, dt * new_local_spin))


@body.formula(source="Baraff 1997")
def first_order_orientation(
    k: Builder, orientation: Orientation, new_angular_velocity: NewAngularVelocity, dt: Dt
) -> NewOrientation:
    """Integrate the orientation by the quaternion derivative. The result is normalized, as an Euler step
    leaves the unit sphere.
    """
    rate = k.let("rate", pure(k, new_angular_velocity) * orientation)
    return ops.normalize(orientation + 0.5 * dt * rate)


@body.formula(source="Shoemake 1985")
def slerped_orientation(
    k: Builder, orientation: Orientation, target_orientation: TargetOrientation, blend: Share
) -> NewOrientation:
    """Turn towards a target orientation by slerp. A blend of 0 keeps the orientation, and 1 reaches the
    target.
    """
    return ops.quat_slerp(orientation, target_orientation, blend)


@body.formula(source="Goldstein 1980")
def world_spin(k: Builder, orientation: Orientation, local_spin: LocalSpin) -> AngularVelocity:
    """Angular velocity in the world frame. It is the spin in the body frame, turned by the orientation."""
    return ops.quat_rotate(orientation, local_spin)


@body.formula(source="Goldstein 1980")
def gyroscopic_torque(k: Builder, local_spin: LocalSpin, inertia: Inertia) -> Gyroscopic:
    """Gyroscopic torque in the body frame. It is the cross product of spin and angular momentum."""
    return bounded(ops.cross(local_spin, ops.cw_mul(inertia, local_spin)), -5e3, 5e3)


@body.formula(source="Goldstein 1980")
def euler_spin(
    k: Builder, local_spin: LocalSpin, inertia: Inertia, torque: Torque, gyroscopic_torque: Gyroscopic, dt: Dt
) -> NewLocalSpin:
    """Integrate the spin by one explicit step of Euler's equations. The spin is the angular velocity in the
    body's frame, whose axes are the principal ones.
    """
    return bounded(local_spin + dt * ops.cw_div(torque - gyroscopic_torque, inertia), -1e5, 1e5)


@body.formula(source="Catto, GDC 2015")
def implicit_gyroscopic_spin(k: Builder, local_spin: LocalSpin, inertia: Inertia, dt: Dt) -> NewLocalSpin:
    """Implicit gyroscopic step of the spin, by one Newton iteration. It is stable where an explicit step
    gains energy.
    """
    momentum = k.let("momentum", ops.cw_mul(inertia, local_spin))
    change = k.let("change", dt * ops.cross(local_spin, momentum))
    diagonal = k.let("diagonal", ops.diag(inertia))
    jacobian = diagonal + dt * (ops.skew(local_spin) @ diagonal - ops.skew(momentum))
    return bounded(local_spin - ops.inverse(k.let("jacobian", jacobian)) @ change, -1e3, 1e3)


@body.formula(source="Baraff 1997")
def torque_driven_spin(
    k: Builder, angular_velocity: AngularVelocity, orientation: Orientation, inertia: Inertia,
    world_torque: Annotated[Expr, world_torque], dt: Dt,
) -> NewAngularVelocity:  # fmt: skip
    """Integrate the angular velocity under a world torque. The inertia is given along the body's own axes,
    and the gyroscopic term is left out.
    """
    local = k.let("local_torque", ops.quat_rotate_inv(orientation, world_torque))
    change = ops.quat_rotate(orientation, ops.cw_div(local, inertia))
    return bounded(angular_velocity + dt * change, -1e4, 1e4)


@body.formula(source="Mirtich 1996")
def impulse_spin(
    k: Builder, angular_velocity: AngularVelocity, arm: Arm, contact_normal: ContactNormal,
    normal_impulse: Impulse, inertia: Inertia, orientation: Orientation,
) -> NewAngularVelocity:  # fmt: skip
    """Apply a contact impulse to the angular velocity. The impulse acts along the normal at the end of the
    arm.
    """
    kick = k.let("kick", ops.quat_rotate_inv(orientation, normal_impulse * ops.cross(arm, contact_normal)))
    return bounded(angular_velocity + ops.quat_rotate(orientation, ops.cw_div(kick, inertia)), -1e4, 1e4)


@body.formula(source="Mirtich 1996")
def impulse_velocity(
    k: Builder, velocity: Velocity, mass: Mass, contact_normal: ContactNormal, normal_impulse: Impulse
) -> NewVelocity:
    """Apply a contact impulse to the linear velocity. The impulse acts along the contact normal."""
    return bounded(velocity + normal_impulse / mass * contact_normal, -1e4, 1e4)


# Inertia, momentum, energy.


@body.formula(source="Baraff 1997", goal=True)
def turned_inertia(k: Builder, orientation: Orientation, inertia: Inertia) -> WorldInertia:
    """World inertia tensor from the principal moments. It is R diag(I) R^T for the rotation R of the body."""
    turn = k.let("rotation", ops.quat_to_matrix(orientation))
    return bounded(turn @ ops.diag(inertia) @ ops.transpose(turn), -20.0, 20.0)


@body.formula(source="Goldstein 1980")
def body_frame_energy(k: Builder, inertia: Inertia, local_spin: LocalSpin) -> Energy:
    """Rotational kinetic energy in the body frame. It is half the sum of principal moments times squared
    spins.
    """
    return bounded(0.5 * ops.dot(inertia, ops.cw_mul(local_spin, local_spin)), 0.0, 1e4)


# How far an orientation is from the target.


@body.formula(source="Solà 2017")
def relative_turn(k: Builder, orientation: Orientation, target_orientation: TargetOrientation) -> Relative:
    """Attitude error from the orientation to the target. It is a quaternion in the body frame."""
    return unit(ops.quat_inverse(orientation) * target_orientation)


@body.formula(source="Wie, Weiss and Arapostathis 1989", teaches=("branch",))
def vector_part_error(k: Builder, relative_orientation: Relative) -> AttitudeError:
    """Attitude error from the quaternion's vector part. It is twice the vector part, with the sign of the
    shorter way.
    """
    sign = either(k, "sign", relative_orientation[3] < 0.0, -2.0, 2.0)
    return sign * imaginary(k, relative_orientation)


@body.formula(source="Solà 2017")
def logarithmic_error(k: Builder, relative_orientation: Relative) -> AttitudeError:
    """Attitude error as a rotation vector. Its length is the angle of the shorter way in radians."""
    return exact_log(k, relative_orientation)


@body.formula(source="Huynh 2009")
def geodesic_deviation(k: Builder, relative_orientation: Relative) -> Deviation:
    """Rotation angle between two orientations. It is in radians, from 0 to pi."""
    half = k.let("half_sine", ops.length(imaginary(k, relative_orientation)))
    return bounded(2.0 * ops.atan2(half, ops.abs(relative_orientation[3])), 0.0, 3.2)


# Torques.


@body.formula(source="Wie, Weiss and Arapostathis 1989")
def attitude_control_torque(
    k: Builder, attitude_error: AttitudeError, local_spin: LocalSpin,
    stiffness: Gain, damping: Share,
) -> Torque:  # fmt: skip
    """Attitude control torque of a PD controller. It acts along the attitude error, which leads from the
    orientation to the target, and damps the spin.
    """
    return stiffness * attitude_error - damping * local_spin


@body.formula()
def force_torque(k: Builder, arm: Arm, force: Force) -> Torque:
    """Torque of a force at a lever arm. It is the cross product of arm and force."""
    return ops.cross(arm, force)


# Points on bodies, and contacts.


@body.formula()
def turned_arm(k: Builder, orientation: Orientation, local_point: LocalPoint) -> Arm:
    """Lever arm rotated into the world frame. The point is given in the body frame."""
    return ops.quat_rotate(orientation, local_point)


@body.formula()
def velocity_at_arm(
    k: Builder, velocity: Velocity, angular_velocity: AngularVelocity, arm: Arm
) -> PointVelocity:
    """Velocity of a point on a rigid body. It is the velocity of the body plus the cross product of spin and
    arm.
    """
    return velocity + ops.cross(angular_velocity, arm)


@body.formula(source="Catto, GDC 2005")
def contact_effective_mass(
    k: Builder, mass: Mass, inertia: Inertia, orientation: Orientation, arm: Arm,
    contact_normal: ContactNormal,
) -> EffectiveMass:  # fmt: skip
    """Effective mass along a contact normal. Its inverse is the change of normal velocity by a unit
    impulse.
    """
    lever = k.let("lever", ops.quat_rotate_inv(orientation, ops.cross(arm, contact_normal)))
    softness = k.let("softness", bounded(ops.dot(lever, ops.cw_div(lever, inertia)), 0.0, 1e6))
    return 1.0 / (1.0 / mass + softness)


@body.formula(source="Mirtich 1996")
def restitution_impulse(
    k: Builder, point_velocity: PointVelocity, contact_normal: ContactNormal,
    effective_mass: EffectiveMass, restitution: Share,
) -> Impulse:  # fmt: skip
    """Normal impulse of a collision with restitution. It acts between each body and a fixed obstacle, from
    which the normal points away. Bodies that separate get none.
    """
    approach = k.let("normal_speed", ops.min(ops.dot(point_velocity, contact_normal), 0.0))
    return bounded(-(1.0 + restitution) * effective_mass * approach, 0.0, 1e3)
