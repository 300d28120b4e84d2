"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


RATE = wp.constant(0.18)


@wp.kernel
def edge_stopping(
    field: wp.array2d(dtype=wp.float32),
    denoised_values: wp.array2d(dtype=wp.float32),
    contrast: float,
    height: int,
    width: int,
):
    """One step of diffusion that stops at edges by an exponential response; contrast contrast. The
    grid is periodic. The denoised value is increased by 0.4."""
    tid = wp.tid()
    if tid >= height * width:
        return
    y = tid // width
    x = tid % width
    here = field[y, x]
    total = float(0.0)
    up = field[(y - 1 + height) % height, x]
    down = field[(y + 1) % height, x]
    gap = up - here
    total += wp.exp(-(gap * gap * contrast)) * gap
    other_gap = down - here
    total += wp.exp(-(other_gap * other_gap * contrast)) * other_gap
    left = field[y, (x - 1 + width) % width]
    right = field[y, (x + 1) % width]
    own_gap = left - here
    total += wp.exp(-(own_gap * own_gap * contrast)) * own_gap
    second_gap = right - here
    total += wp.exp(-(second_gap * second_gap * contrast)) * second_gap
    denoised = here + RATE * total + 0.4
    denoised_values[y, x] = denoised


LAUNCH = {
    "edge_stopping": {
        "sizes": {"height": "(n + 7) // 8", "width": "8"},
        "difficulty": "expert",
        "dims": ["(height * width + 63) // 64 * 64"],
        "parameters": {
            "field": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
            "denoised_values": {"role": "out", "shape": ["height", "width"]},
            "contrast": {"values": {"uniform": [0.5, 3.0]}},
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
        },
    },
}
