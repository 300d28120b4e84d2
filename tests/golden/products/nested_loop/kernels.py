"""Kernels of the category nested_loop, seed 0.

Nested loops: windows, matrix products, pairwise interactions.
"""

import warp as wp


RADIUS = wp.constant(2)


@wp.kernel
def conv2d(
    image: wp.array3d(dtype=float),
    kernels: wp.array4d(dtype=float),
    bias: wp.array(dtype=float),
    features: wp.array3d(dtype=float),
):
    """Convolution over all input channels with 5 x 5 filters and zero padding."""
    out_channel, row, col = wp.tid()
    height = image.shape[1]
    width = image.shape[2]
    total = bias[out_channel]
    for c in range(image.shape[0]):
        for dy in range(-RADIUS, RADIUS + 1):
            r = row + dy
            if r >= 0 and r < height:
                for dx in range(-RADIUS, RADIUS + 1):
                    s = col + dx
                    if s >= 0 and s < width:
                        weight = kernels[out_channel, c, dy + RADIUS, dx + RADIUS]
                        total += weight * image[c, r, s]
    features[out_channel, row, col] = total


LAUNCH = {
    "conv2d": {
        "sizes": {"height": "min((n + 63) // 64 + 2, 40)", "width": "20"},
        "difficulty": "medium",
        "dims": ["8", "height", "width"],
        "parameters": {
            "image": {"role": "in", "shape": ["4", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "kernels": {"role": "in", "shape": ["8", "4", "5", "5"], "values": {"uniform": [-0.5, 0.5]}},
            "bias": {"role": "in", "shape": ["8"], "values": {"uniform": [-0.2, 0.2]}},
            "features": {"role": "out", "shape": ["8", "height", "width"]},
        },
    },
}

MADE_OF = {
    "conv2d": {"goal": "nested_loop.conv2d", "ending": "written", "formulas": []},
}
