"""Kernels of the category stencil, seed 0.

Stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation.
"""

import warp as wp


@wp.kernel
def relax_stream_function(
    vorticity: wp.array2d(dtype=wp.float64),
    color: int,
    omega: wp.float64,
    dx: wp.float64,
    stream: wp.array2d(dtype=wp.float64),
):
    """Relax the equation laplace(psi) = -vorticity for the stream function by a half sweep of
    successive over-relaxation, on the points whose i + j is even (color 0) or odd (color 1). The
    border is fixed."""
    i, j = wp.tid()
    rows = stream.shape[0]
    cols = stream.shape[1]
    if i == 0 or i == rows - 1 or j == 0 or j == cols - 1 or (i + j) % 2 != color:
        return

    neighbors = stream[i - 1, j] + stream[i + 1, j] + stream[i, j - 1] + stream[i, j + 1]
    relaxed = (neighbors + dx * dx * vorticity[i, j]) / wp.float64(4.0)
    stream[i, j] = wp.lerp(stream[i, j], relaxed, omega)


LAUNCH = {
    "relax_stream_function": {
        "sizes": {"rows": "(n + 63) // 64 + 3", "cols": "48"},
        "difficulty": "easy",
        "dims": ["rows", "cols"],
        "parameters": {
            "vorticity": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "color": {"values": {"integers": [0, 2]}},
            "omega": {"values": {"uniform": [1.2, 1.8]}},
            "dx": {"values": {"uniform": [0.1, 0.2]}},
            "stream": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-0.2, 0.2]}},
        },
    },
}

MADE_OF = {
    "relax_stream_function": {"goal": "stencil.vorticity_transport", "ending": "written", "formulas": []},
}
