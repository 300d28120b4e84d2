"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: fields and their differences, flows, level sets, transfers between levels.
"""

import warp as wp


RADIUS = wp.constant(1)


@wp.kernel
def smooth_along_x(
    volume: wp.array3d(dtype=float),
    taps: wp.array(dtype=float),
    smoothed: wp.array3d(dtype=float),
):
    """Correlate a volume with 3 filter taps along x, which is one pass of a separable filter.
    Beyond the border the volume repeats its edge values."""
    i, j, k = wp.tid()
    total = float(0.0)
    for t in range(-RADIUS, RADIUS + 1):
        v = wp.clamp(i + t, 0, volume.shape[0] - 1)
        total += taps[t + RADIUS] * volume[v, j, k]
    smoothed[i, j, k] = total


LAUNCH = {
    "smooth_along_x": {
        "sizes": {"nx": "min((n + 63) // 64, 129) + 2", "ny": "24", "nz": "32"},
        "difficulty": "easy",
        "dims": ["nx", "ny", "nz"],
        "parameters": {
            "volume": {"role": "in", "shape": ["nx", "ny", "nz"], "values": {"uniform": [0.0, 1.0]}},
            "taps": {"role": "in", "shape": ["3"], "values": {"uniform": [0.1, 0.4]}},
            "smoothed": {"role": "out", "shape": ["nx", "ny", "nz"]},
        },
    },
}

MADE_OF = {
    "smooth_along_x": {"goal": "grid_3d.volume_filter", "ending": "written", "formulas": []},
}
