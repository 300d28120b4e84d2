"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.kernel
def eval_truncated_cauchy_sample(
    width: int,
    salt: wp.uint32,
    scale: float,
    deviates: wp.array2d(dtype=wp.float32),
):
    """Truncated Cauchy sample."""
    y, x = wp.tid()
    sample_number = y * width + x
    turned = wp.uint32(sample_number) * wp.uint32(0x9E3779B9) + salt
    uniform_number = float(turned >> wp.uint32(8)) / 16777216.0
    deviates[y, x] = scale * wp.tan(2.9 * (uniform_number - 0.5))


LAUNCH = {
    "eval_truncated_cauchy_sample": {
        "sizes": {"height": "min(n // 30 + 2, n // 300 + 29)", "width": "min(n // 32 + 11, 255)"},
        "difficulty": "easy",
        "dims": ["height", "width"],
        "parameters": {
            "width": {"values": {"size": "width"}},
            "salt": {"values": {"integers": [0, 4294967296]}},
            "scale": {"values": {"uniform": [0.4, 2.0]}},
            "deviates": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "eval_truncated_cauchy_sample": {"goal": "draws.cauchy_deviate", "ending": "per_element", "formulas": ["draws.cauchy_deviate", "draws.shifted_golden_ratio"]},
}
