"""Kernels of the category vector, seed 0.

Vectors of two to four components: dot, cross, length, normalize, componentwise work.
"""

import warp as wp


@wp.struct
class QuaternionTurnTuning:
    """Tuning of quaternion turn."""

    angle: float
    smoothing: float


@wp.struct
class QuaternionTurnParams:
    """Settings for quaternion turn."""

    tuning: QuaternionTurnTuning


@wp.kernel
def quaternion_turn(
    axes: wp.array(dtype=wp.vec3),
    arms: wp.array(dtype=wp.vec3),
    joints: wp.array(dtype=wp.vec3),
    params: QuaternionTurnParams,
    n: int,
    tips: wp.array(dtype=wp.vec3),
):
    """End of each arm, turned by a quaternion. The stored value moves towards the tip by the factor
    params.tuning.smoothing."""
    tid = wp.tid()
    first = tid * 2
    for i in range(first, wp.min(first + 2, n)):
        old_tip = tips[i]
        arm = arms[i]
        joint = joints[i]
        axis = axes[i]
        unit_axis = wp.normalize(axis)
        q = wp.quat_from_axis_angle(unit_axis, params.tuning.angle)
        tips[i] = (
            old_tip
            + params.tuning.smoothing * (wp.quat_rotate(wp.quat_inverse(q), arm) + joint - old_tip)
        )


LAUNCH = {
    "quaternion_turn": {
        "difficulty": "hard",
        "dims": ["(n + 1) // 2"],
        "parameters": {
            "axes": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 1.0]}},
            "arms": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "joints": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "params": {"values": {"members": {"tuning": {"members": {"angle": {"uniform": [-3.0, 3.0]}, "smoothing": {"uniform": [0.05, 0.6]}}}}}},
            "n": {"values": {"size": "n"}},
            "tips": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
