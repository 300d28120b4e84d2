"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


@wp.kernel
def image_filter(
    enabled: wp.array2d(dtype=wp.int32),
    field: wp.array2d(dtype=wp.float32),
    rows: int,
    cols: int,
    pixels: wp.array2d(dtype=wp.float32),
):
    """Box filter of radius 2. Elements that are not enabled are skipped."""
    i, j = wp.tid()
    if enabled[i, j] == 0:
        return
    total = float(0.0)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            y_there = wp.clamp(i + dy, 0, rows - 1)
            x_there = wp.clamp(j + dx, 0, cols - 1)
            total += field[y_there, x_there]
    pixels[i, j] = total / 25.0


LAUNCH = {
    "image_filter": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16"},
        "difficulty": "hard",
        "dims": ["rows", "cols"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "field": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "pixels": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
