"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.kernel
def draw_normal_deviate(
    class_shares: wp.array(dtype=wp.float32),
    seed: int,
    normal_deviates: wp.array(dtype=wp.float32),
    deviates: wp.array(dtype=wp.float32),
    choices: wp.array(dtype=wp.int32),
):
    """Draw the normal deviate of each sample by a rational quantile function. The uniform number is
    computed by a hash of the sample number. Also store the deviate from Student's distribution with
    four degrees of freedom and the class by a table of cumulative shares."""
    tid = wp.tid()
    word = wp.uint32(tid) * wp.uint32(0x2C9277B5) + wp.uint32(0xAC564B05)
    mixed = ((word >> ((word >> wp.uint32(28)) + wp.uint32(4))) ^ word) * wp.uint32(277803737)
    uniform_number = float(mixed >> wp.uint32(8)) / 16777216.0
    share = wp.clamp(uniform_number, 1.0e-6, 0.999999)
    least = wp.min(share, 1.0 - share)
    t = wp.sqrt(-2.0 * wp.log(least))
    quantile = (
        t
        - (2.515517 + t * (0.802853 + t * 0.010328))
        / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    )
    normal_deviate = -quantile if share < 0.5 else quantile
    normal_deviates[tid] = normal_deviate
    state = wp.rand_init(seed, tid)
    squares = float(0.0)
    for _ in range(4):
        other = wp.randn(state)
        squares += other * other
    deviate = normal_deviate / wp.sqrt(wp.max(0.25 * squares, 0.01))
    deviates[tid] = deviate
    total = float(0.0)
    choice = int(7)
    for c in range(8):
        total = total + class_shares[c]
        if uniform_number < total:
            choice = c
            break
    choices[tid] = choice


LAUNCH = {
    "draw_normal_deviate": {
        "difficulty": "expert",
        "dims": ["n"],
        "parameters": {
            "class_shares": {"role": "in", "shape": ["8"], "memory": "constant", "values": {"uniform": [0.05, 0.15]}},
            "seed": {"values": {"integers": [0, 10001]}},
            "normal_deviates": {"role": "out", "shape": ["n"]},
            "deviates": {"role": "out", "shape": ["n"]},
            "choices": {"role": "out", "shape": ["n"]},
        },
    },
}
