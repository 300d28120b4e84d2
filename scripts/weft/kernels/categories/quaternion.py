"""Rotations as quaternions: composed, interpolated, integrated, taken apart."""

from weft.kernels.idioms.quaternion.angles import angles_about_axes, axis_twist, rotation_vectors
from weft.kernels.idioms.quaternion.forms import euler_angles, look_at, matrix_forms, swing_twist
from weft.kernels.idioms.quaternion.motion import integrate_spin, orientation_error
from weft.kernels.idioms.quaternion.turning import (
    average_turns,
    compose_turns,
    interpolate_turns,
    turn_points,
)

REVISION = 5
TEACHES = "rotations by quaternions: composition, interpolation, integration, axes and angles, matrices"

IDIOMS = (
    turn_points,
    compose_turns,
    integrate_spin,
    interpolate_turns,
    matrix_forms,
    euler_angles,
    look_at,
    swing_twist,
    orientation_error,
    average_turns,
    angles_about_axes,
    axis_twist,
    rotation_vectors,
)
