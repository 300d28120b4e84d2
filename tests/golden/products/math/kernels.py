"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.kernel
def damped_oscillation(
    times: wp.array2d(dtype=wp.float32),
    phases: wp.array2d(dtype=wp.float32),
    decay: float,
    frequency: float,
    phase_limit: float,
    displacements: wp.array2d(dtype=wp.float32),
):
    """Displacement of a damped oscillator."""
    i, j = wp.tid()
    time = times[i, j]
    limited_phase = wp.min(phases[i, j], phase_limit)
    envelope = 1.0 / wp.cosh(decay * time)
    displacement = envelope * wp.cos(frequency * time + limited_phase)
    displacements[i, j] = displacement


LAUNCH = {
    "damped_oscillation": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16"},
        "dims": ["rows", "cols"],
        "parameters": {
            "times": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 4.0]}},
            "phases": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.5, 1.5]}},
            "decay": {"values": {"uniform": [0.1, 1.0]}},
            "frequency": {"values": {"uniform": [1.0, 6.0]}},
            "phase_limit": {"values": {"uniform": [0.8999999999999999, 1.35]}},
            "displacements": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
