"""Kernels of the category quaternion, seed 0.

Rotations by quaternions: composition, interpolation, integration, axes and angles, matrices.
"""

import warp as wp


@wp.kernel
def interpolate_turns(
    first_of: wp.array(dtype=wp.quat),
    second_of: wp.array(dtype=wp.quat),
    phases: wp.array(dtype=wp.float32),
    arms: wp.array(dtype=wp.vec3),
    alive_flags: wp.array(dtype=wp.int32),
    num_items: int,
    turned_arms: wp.array(dtype=wp.vec3),
):
    """Spherical interpolation of two rotations; the output is an arm that it has turned. The blend
    is eased. The turned arm is multiplied by 3.0. Where alive_flags[i] is zero, the result is
    halved."""
    block, lane = wp.tid()
    i = block * 32 + lane
    if i >= num_items:
        return
    first = wp.normalize(first_of[i])
    second = wp.normalize(second_of[i])
    t = phases[i]
    eased = t * t * (3.0 - 2.0 * t)
    mixed = wp.quat_slerp(first, second, eased)
    arm = arms[i]
    turned_arm = wp.quat_rotate(mixed, arm) * 3.0
    gated_turned_arm = wp.where(alive_flags[i] > 0, turned_arm, 0.5 * turned_arm)
    turned_arms[i] = gated_turned_arm


LAUNCH = {
    "interpolate_turns": {
        "difficulty": "hard",
        "dims": ["(n + 31) // 32", "32"],
        "parameters": {
            "first_of": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "second_of": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "phases": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "arms": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "alive_flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "num_items": {"values": {"size": "n"}},
            "turned_arms": {"role": "out", "shape": ["n"]},
        },
    },
}
