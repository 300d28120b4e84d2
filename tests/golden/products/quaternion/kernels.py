"""Kernels of the category quaternion, seed 0.

Rotations by quaternions: composition, interpolation, integration, axes and angles, matrices.
"""

import warp as wp


@wp.kernel
def interpolate_turns(
    mask: wp.array(dtype=wp.int32),
    firsts: wp.array(dtype=wp.quat),
    seconds: wp.array(dtype=wp.quat),
    stride: int,
    count: int,
    between_values: wp.array(dtype=wp.quat),
):
    """Spherical interpolation of two rotations. Elements outside the mask are skipped. The blend is
    eased."""
    tid = wp.tid()
    for i in range(tid, count, stride):
        if mask[i] == 0:
            continue
        second = wp.normalize(seconds[i])
        t = 0.75
        eased = t * t * (3.0 - 2.0 * t)
        first = wp.normalize(firsts[i])
        mixed = wp.quat_slerp(first, second, eased)
        between_values[i] = mixed


LAUNCH = {
    "interpolate_turns": {
        "sizes": {"threads": "min(n, 512)"},
        "difficulty": "medium",
        "dims": ["threads"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "firsts": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "seconds": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "stride": {"values": {"size": "threads"}},
            "count": {"values": {"size": "n"}},
            "between_values": {"role": "out", "shape": ["n"]},
        },
    },
}
