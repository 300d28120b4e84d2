"""Inertial sensors: attitude from gyroscope, accelerometer and magnetometer; dead reckoning."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.domains.bodies import (
    SPACE,
    Dt,
    NewOrientation,
    Orientation,
    axis_of,
    direction,
    pure,
    turn,
    turn_by,
    unit,
)  # fmt: skip
from weft.kernels.expressions import bounded, conditional, construct, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, matrix, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Quaternion, Vector

sensor = Domain("sensor", index=("i", "s", "sensor"))

velocity = Quantity("velocity", -2.0, 2.0, SPACE)
new_velocity = Quantity("new_velocity", -2.0, 2.0, SPACE, plural="new_velocities", updates=velocity)
position = Quantity("position", -5.0, 5.0, SPACE)
gyro_bias = Quantity("gyro_bias", -0.1, 0.1, SPACE, plural="gyro_biases")

Reading = Annotated[Expr, Quantity("gyro_reading", -3.0, 3.0, SPACE)]
Bias = Annotated[Expr, gyro_bias]
Rate = Annotated[Expr, Quantity("rate", -3.0, 3.0, SPACE)]
Force = Annotated[Expr, Quantity("specific_force", -10.0, 10.0, SPACE)]
Field = Annotated[Expr, direction("magnetic_direction")]
Up = Annotated[Expr, direction("measured_up")]
PredictedUp = Annotated[Expr, direction("predicted_up")]
Feedback = Annotated[Expr, Quantity("feedback", -1.0, 1.0, SPACE, plural="feedback_vectors")]
RateOfTurn = Annotated[Expr, Quantity("corrected_rate", -3.0, 3.0, SPACE)]
Roll = Annotated[Expr, Quantity("roll", -1.5, 1.5, least=-3.15, most=3.15)]
Pitch = Annotated[Expr, Quantity("pitch", -1.2, 1.2, plural="pitches", least=-1.6, most=1.6)]
Heading = Annotated[Expr, Quantity("heading", -3.1, 3.1, least=-3.15, most=3.15)]
Level = Annotated[Expr, turn("level_orientation")]
Acceleration = Annotated[Expr, Quantity("linear_acceleration", -10.0, 10.0, SPACE)]
Velocity = Annotated[Expr, velocity]
NewVelocity = Annotated[Expr, new_velocity]
Position = Annotated[Expr, position]
Stationary = Annotated[Expr, Quantity("stationary", 0, 1, whole, plural="stationary_flags")]
Misfit = Annotated[Expr, Quantity("misfit", 0.0, 2.0, most=1e3, extremal=True)]

Gravity = Annotated[Expr, Setting(9.78, 9.83)]
Gain = Annotated[Expr, Setting(0.2, 2.0)]
Share = Annotated[Expr, Setting(0.02, 0.2)]


@sensor.formula(goal=False)
def unbiased_rate(k: Builder, gyro_reading: Reading, gyro_bias: Bias) -> Rate:
    """Bias-corrected angular rate."""
    return gyro_reading - gyro_bias


@sensor.formula(source="Tedaldi, Pretto and Menegatti 2014")
def calibrated_rate(
    k: Builder, gyro_reading: Reading, gyro_bias: Bias, scale: Annotated[Expr, Setting(0.9, 1.1, "p", SPACE)]
) -> Rate:
    """Gyroscope calibration."""
    return ops.cw_mul(scale, gyro_reading - gyro_bias)


@sensor.formula(source="Tedaldi, Pretto and Menegatti 2014")
def temperature_compensated_rate(
    k: Builder, gyro_reading: Reading, gyro_bias: Bias,
    temperature: Annotated[Expr, Quantity("temperature", -10.0, 50.0)],
    drift: Annotated[Expr, Setting(-0.002, 0.002, "p", SPACE)],
) -> Rate:  # fmt: skip
    """Gyroscope rate with temperature compensation."""
    return gyro_reading - gyro_bias - (temperature - 25.0) * drift


@sensor.formula(source="Tedaldi, Pretto and Menegatti 2014")
def calibrated_force(
    k: Builder, force_reading: Annotated[Expr, Quantity("force_reading", -9.0, 9.0, SPACE)],
    misalignment: Annotated[Expr, Setting(-0.05, 0.05, "p", matrix(3, 3))],
    force_bias: Annotated[Expr, Setting(-0.2, 0.2, "p", SPACE)],
) -> Force:  # fmt: skip
    """Accelerometer calibration."""
    unbiased = k.let("unbiased", force_reading - force_bias)
    return unbiased - misalignment @ unbiased


@sensor.formula(source="Renaudin, Afzal and Lachapelle 2010")
def calibrated_field(
    k: Builder, field_reading: Annotated[Expr, Quantity("field_reading", -0.6, 0.6, SPACE)],
    hard_iron: Annotated[Expr, Setting(-0.1, 0.1, "p", SPACE)],
    soft_iron: Annotated[Expr, Setting(0.9, 1.1, "p", SPACE)],
) -> Field:  # fmt: skip
    """Hard- and soft-iron calibration of a magnetometer."""
    return ops.normalize(ops.cw_mul(soft_iron, field_reading - hard_iron))


@sensor.formula(source="Titterton and Weston 2004")
def filtered_force(
    k: Builder, force_reading: Annotated[Expr, Quantity("force_reading", -9.0, 9.0, SPACE)],
    previous_force: Annotated[Expr, Quantity("previous_force", -9.0, 9.0, SPACE)], smoothing: Share,
) -> Force:  # fmt: skip
    """Low-pass filtered specific force."""
    return previous_force + smoothing * (force_reading - previous_force)


@sensor.formula(goal=False)
def up_from_force(k: Builder, specific_force: Force) -> Up:
    """Measured up direction."""
    return ops.normalize(specific_force)


@sensor.formula(source="Mahony, Hamel and Pflimlin 2008")
def up_from_orientation(k: Builder, orientation: Orientation) -> PredictedUp:
    """Predicted up direction."""
    x, y, z, w = (k.let(name, orientation[at]) for at, name in enumerate(("qx", "qy", "qz", "qw")))
    up_x, up_y = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x)
    return unit(construct(Vector(3, k.real), up_x, up_y, w * w - x * x - y * y + z * z))


@sensor.formula(source="Pedley 2013, NXP AN3461")
def roll_from_force(k: Builder, specific_force: Force) -> Roll:
    """Roll from the accelerometer."""
    return ops.atan2(specific_force[1], specific_force[2])


@sensor.formula(source="Pedley 2013, NXP AN3461")
def pitch_from_force(k: Builder, specific_force: Force) -> Pitch:
    """Pitch from the accelerometer."""
    y, z = specific_force[1], specific_force[2]
    return bounded(ops.atan2(-specific_force[0], ops.sqrt(y * y + z * z)), -1.6, 1.6)


@sensor.formula(source="Diebel 2006")
def roll_of_up(k: Builder, predicted_up: PredictedUp) -> Roll:
    """Roll from the up direction."""
    return ops.atan2(predicted_up[1], predicted_up[2])


@sensor.formula(source="Diebel 2006")
def pitch_of_up(k: Builder, predicted_up: PredictedUp) -> Pitch:
    """Pitch from the up direction."""
    y, z = predicted_up[1], predicted_up[2]
    return bounded(ops.atan2(-predicted_up[0], ops.sqrt(y * y + z * z)), -1.6, 1.6)


@sensor.formula(source="Diebel 2006")
def heading_of_orientation(k: Builder, orientation: Orientation) -> Heading:
    """Heading of an orientation."""
    x, y, z, w = (orientation[at] for at in range(4))
    return ops.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


@sensor.formula(source="Ozyagcilar 2015, NXP AN4248")
def compass_heading(k: Builder, magnetic_direction: Field, roll: Roll, pitch: Pitch) -> Heading:
    """Tilt-compensated compass heading."""
    sin_roll, cos_roll = k.let("sin_roll", ops.sin(roll)), k.let("cos_roll", ops.cos(roll))
    across = magnetic_direction[2] * sin_roll - magnetic_direction[1] * cos_roll
    down = magnetic_direction[1] * sin_roll + magnetic_direction[2] * cos_roll
    return ops.atan2(across, magnetic_direction[0] * ops.cos(pitch) + down * ops.sin(pitch))


@sensor.formula(source="Diebel 2006")
def level_from_angles(k: Builder, roll: Roll, pitch: Pitch, heading: Heading) -> Level:
    """Orientation from roll, pitch and heading."""
    turns = [ops.quat_from_axis_angle(axis_of(k, at), one) for at, one in enumerate((roll, pitch, heading))]
    return unit(unit(turns[2] * turns[1]) * turns[0])


@sensor.formula(source="Valenti, Dryanovski and Xiao 2015", teaches=("branch",))
def level_from_up(k: Builder, measured_up: Up) -> Level:
    """Level orientation from the measured up direction."""
    x, y, z = measured_up[0], measured_up[1], measured_up[2]
    found = k.var("level", construct(Quaternion(k.real), y, -x, 0.0, 1.0 + z), bounds=(-2.1, 2.1))
    with k.when(z < 0.0):
        k.set(found, construct(Quaternion(k.real), 1.0 - z, 0.0, x, y))
    return ops.normalize(found)


@sensor.formula(source="Mahony, Hamel and Pflimlin 2008")
def gravity_feedback(k: Builder, measured_up: Up, predicted_up: PredictedUp) -> Feedback:
    """Attitude feedback from the gravity direction."""
    return unit(ops.cross(measured_up, predicted_up))


@sensor.formula(source="Mahony, Hamel and Pflimlin 2008")
def magnetic_feedback(
    k: Builder, measured_up: Up, predicted_up: PredictedUp, magnetic_direction: Field,
    orientation: Orientation,
) -> Feedback:  # fmt: skip
    """Attitude feedback from gravity and the magnetic field."""
    earth = k.let("earth_field", ops.quat_rotate(orientation, magnetic_direction))
    level = ops.sqrt(bounded(earth[0] * earth[0] + earth[1] * earth[1], 0.0, 4.0))
    reference = construct(Vector(3, k.real), level, lift(0.0, k.real), earth[2])
    predicted = k.let("predicted_field", ops.quat_rotate_inv(orientation, reference))
    return bounded(ops.cross(measured_up, predicted_up) + ops.cross(magnetic_direction, predicted), -2.0, 2.0)


@sensor.formula(source="Mahony, Hamel and Pflimlin 2008")
def fed_back_rate(k: Builder, rate: Rate, feedback: Feedback, gain: Gain) -> RateOfTurn:
    """Angular rate with attitude feedback."""
    return rate + gain * feedback


@sensor.formula(source="Mahony, Hamel and Pflimlin 2008")
def updated_bias(
    k: Builder, gyro_bias: Bias, feedback: Feedback, bias_gain: Share, dt: Dt
) -> Annotated[
    Expr, Quantity("new_gyro_bias", -0.1, 0.1, SPACE, plural="new_gyro_biases", updates=gyro_bias)
]:
    """Gyroscope bias update."""
    return gyro_bias - bias_gain * dt * feedback


@sensor.formula(source="Bortz 1971")
def coned_rate(
    k: Builder, rate: Rate, previous_rate: Annotated[Expr, Quantity("previous_rate", -3.0, 3.0, SPACE)],
    dt: Dt,
) -> RateOfTurn:  # fmt: skip
    """Coning correction of the angular rate."""
    return rate + dt / 12.0 * ops.cross(previous_rate, rate)


@sensor.formula(source="Solà 2017")
def strapdown_orientation(
    k: Builder, orientation: Orientation, corrected_rate: RateOfTurn, dt: Dt
) -> NewOrientation:
    """Strapdown attitude update."""
    return unit(orientation * turn_by(k, dt * corrected_rate))


@sensor.formula(source="Mahony, Hamel and Pflimlin 2008")
def mahony_orientation(
    k: Builder, orientation: Orientation, corrected_rate: RateOfTurn, dt: Dt
) -> NewOrientation:
    """Mahony attitude filter."""
    slope = k.let("slope", orientation * pure(k, corrected_rate))
    return ops.normalize(orientation + 0.5 * dt * slope)


@sensor.formula(source="Madgwick 2010")
def madgwick_orientation(
    k: Builder, orientation: Orientation, rate: Rate, measured_up: Up, beta: Share, dt: Dt
) -> NewOrientation:
    """Madgwick attitude filter."""
    x, y, z, w = (k.let(name, orientation[at]) for at, name in enumerate(("qx", "qy", "qz", "qw")))
    across = k.let("f_x", 2.0 * (x * z - w * y) - measured_up[0])
    along = k.let("f_y", 2.0 * (w * x + y * z) - measured_up[1])
    above = k.let("f_z", 1.0 - 2.0 * (x * x + y * y) - measured_up[2])
    gradient = construct(
        Quaternion(k.real),
        2.0 * (z * across + w * along) - 4.0 * x * above,
        2.0 * (z * along - w * across) - 4.0 * y * above,
        2.0 * (x * across + y * along),
        2.0 * (x * along - y * across),
    )
    slope = 0.5 * (orientation * pure(k, rate))
    return ops.normalize(orientation + dt * (slope - beta * ops.normalize(gradient)))


@sensor.formula(source="Higgins 1975")
def complementary_orientation(
    k: Builder, orientation: Orientation, rate: Rate, level_orientation: Level, share: Share, dt: Dt
) -> NewOrientation:
    """Complementary attitude filter."""
    turned = k.let("turned", unit(orientation * turn_by(k, dt * rate)))
    return ops.quat_slerp(turned, level_orientation, share)


@sensor.formula(source="Titterton and Weston 2004")
def gravity_free_acceleration(
    k: Builder, orientation: Orientation, specific_force: Force, gravity: Gravity
) -> Acceleration:
    """Linear acceleration without gravity."""
    down = construct(Vector(3, k.real), lift(0.0, k.real), lift(0.0, k.real), -gravity)
    return ops.quat_rotate(orientation, specific_force) + down


@sensor.formula(source="Titterton and Weston 2004", goal=False)
def rotating_acceleration(
    k: Builder, orientation: Orientation, specific_force: Force, velocity: Velocity,
    earth_rate: Annotated[Expr, Setting(-7e-5, 7e-5, "p", SPACE)],
    gravity_vector: Annotated[Expr, Setting(-9.8, 9.8, "p", SPACE)],
) -> Acceleration:  # fmt: skip
    """Linear acceleration on the rotating earth."""
    return (
        ops.quat_rotate(orientation, specific_force) + gravity_vector - 2.0 * ops.cross(earth_rate, velocity)
    )


@sensor.formula(source="Titterton and Weston 2004")
def reckoned_velocity(
    k: Builder, velocity: Velocity, linear_acceleration: Acceleration, dt: Dt
) -> NewVelocity:
    """Dead-reckoning velocity update."""
    return velocity + dt * linear_acceleration


@sensor.formula(source="Foxlin 2005", teaches=("branch",))
def zero_updated_velocity(
    k: Builder, velocity: Velocity, linear_acceleration: Acceleration, stationary: Stationary, dt: Dt
) -> NewVelocity:
    """Dead-reckoning velocity with zero-velocity updates."""
    advanced = k.var("advanced", velocity + dt * linear_acceleration)
    with k.when(stationary.equals(1)):
        k.set(advanced, construct(Vector(3, k.real), 0.0, 0.0, 0.0))
    return advanced


@sensor.formula(source="Skog et al. 2010", teaches=("branch",))
def standing_still(
    k: Builder, specific_force: Force, rate: Rate, gravity: Gravity,
    force_level: Annotated[Expr, Setting(1.0, 3.0)], rate_level: Annotated[Expr, Setting(2.0, 3.0)],
) -> Stationary:  # fmt: skip
    """Zero-velocity detection."""
    quiet = k.let("excess", ops.abs(ops.length(specific_force) - gravity)) < force_level
    return conditional(quiet & (ops.length(rate) < rate_level), lift(1, I32), 0)


@sensor.formula(source="Titterton and Weston 2004")
def reckoned_position(
    k: Builder, position: Position, velocity: Velocity, new_velocity: NewVelocity, dt: Dt
) -> Annotated[Expr, Quantity("new_position", -5.0, 5.0, SPACE, updates=position)]:
    """Dead-reckoning position update."""
    return position + 0.5 * dt * (velocity + new_velocity)


@sensor.formula()
def gravity_misfit(k: Builder, measured_up: Up, predicted_up: PredictedUp) -> Misfit:
    """Angle between measured and predicted up direction."""
    return bounded(ops.length(measured_up - predicted_up), 0.0, 2.1)


@sensor.formula()
def level_misfit(k: Builder, orientation: Orientation, level_orientation: Level) -> Misfit:
    """Angle between orientation and level orientation."""
    between = k.let("between", ops.quat_inverse(orientation) * level_orientation)
    sine = ops.length(construct(Vector(3, k.real), between[0], between[1], between[2]))
    return bounded(2.0 * ops.atan2(sine, ops.abs(between[3])), 0.0, 3.2)
