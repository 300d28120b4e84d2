"""Kernels of the category constant_table, seed 0.

Constant memory: filter taps, palettes, quadrature rules, permutations, lookup tables.
"""

import warp as wp


@wp.kernel
def palette(
    other_palette: wp.array(dtype=wp.vec3),
    labels: wp.array2d(dtype=wp.int32),
    luma: wp.array(dtype=wp.vec3),
    expectations: wp.array2d(dtype=wp.float32),
    contrast: float,
    luminance_triples: wp.array2d(dtype=wp.vec3),
):
    """Luminance of the colors of a palette of 8, by number. The channels get their square roots,
    scaled. The luminance is subtracted from the expectation. The result is stored with its negative
    part and its magnitude in one vector."""
    y, x = wp.tid()
    expectation = expectations[y, x]
    number = labels[y, x]
    color = other_palette[number]
    corrected = wp.vec3(
        wp.sqrt(color[0]) * contrast,
        wp.sqrt(color[1]) * contrast,
        wp.sqrt(color[2]) * contrast,
    )
    residual = expectation - wp.dot(corrected, luma[0])
    luminance_triples[y, x] = wp.vec3(residual, wp.min(residual, 0.0), wp.abs(residual))


LAUNCH = {
    "palette": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "medium",
        "dims": ["height", "width"],
        "parameters": {
            "other_palette": {"role": "in", "shape": ["8"], "memory": "constant", "values": {"uniform": [0.0, 1.0]}},
            "labels": {"role": "in", "shape": ["height", "width"], "values": {"integers": [0, 8]}},
            "luma": {"role": "in", "shape": ["1"], "memory": "constant", "values": {"uniform": [0.1, 0.5]}},
            "expectations": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "contrast": {"values": {"uniform": [0.5, 0.95]}},
            "luminance_triples": {"role": "out", "shape": ["height", "width"]},
        },
    },
}
