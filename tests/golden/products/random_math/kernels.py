"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.kernel
def draw_normal_deviate(normal_deviates: wp.array(dtype=wp.float32)):
    """Draw the normal deviate of each sample by a rational quantile function, with the uniform
    number by a hash of the sample number."""
    tid = wp.tid()
    word = wp.uint32(tid) * wp.uint32(0x2C9277B5) + wp.uint32(0xAC564B05)
    mixed = ((word >> ((word >> wp.uint32(28)) + wp.uint32(4))) ^ word) * wp.uint32(277803737)
    uniform_number = float(mixed >> wp.uint32(8)) / 16777216.0
    share = 1.0e-6 + 0.999998 * uniform_number
    least = wp.min(share, 1.0 - share)
    t = wp.sqrt(-2.0 * wp.log(least))
    quantile = (
        t
        - (2.515517 + t * (0.802853 + t * 0.010328))
        / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    )
    normal_deviate = -quantile if share < 0.5 else quantile
    normal_deviates[tid] = normal_deviate


LAUNCH = {
    "draw_normal_deviate": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "normal_deviates": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "draw_normal_deviate": {"goal": "draws.inverted_normal", "ending": "per_element", "formulas": ["draws.inverted_normal", "draws.hashed_uniform"]},
}
