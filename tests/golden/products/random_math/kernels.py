"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.func
def permute(state: wp.uint64):
    """Return the output of PCG-XSH-RR, a word rotated by the highest bits of the state."""
    word = wp.uint32(((state >> wp.uint64(18)) ^ state) >> wp.uint64(27))
    turn = wp.uint32(state >> wp.uint64(59))
    return (word >> turn) | (word << ((wp.uint32(32) - turn) & wp.uint32(31)))


@wp.func
def to_unit_interval(bits: wp.uint32):
    """Return the upper 23 bits of a word as a number strictly between 0 and 1."""
    return (float(bits >> wp.uint32(9)) + 0.5) / 8388608.0


@wp.kernel
def pcg_xsh_rr_normals(
    seeds: wp.array(dtype=wp.uint32), stream: wp.uint32, draws: wp.array2d(dtype=float)
):
    """Generate a sequence of normal numbers, each from two words, per thread with PCG-XSH-RR and 64
    bits of state. draws[k, i] is draw k of thread i. All threads share the increment that stream
    sets."""
    i = wp.tid()
    increment = (wp.uint64(stream) << wp.uint64(1)) | wp.uint64(1)
    state = (wp.uint64(seeds[i]) + increment) * wp.uint64(6364136223846793005) + increment
    for k in range(draws.shape[0]):
        word = permute(state)
        state = state * wp.uint64(6364136223846793005) + increment
        other_word = permute(state)
        state = state * wp.uint64(6364136223846793005) + increment
        radius = wp.sqrt(-2.0 * wp.log(to_unit_interval(word)))
        draws[k, i] = radius * wp.cos(2.0 * wp.pi * to_unit_interval(other_word))


LAUNCH = {
    "pcg_xsh_rr_normals": {
        "sizes": {"sequences": "(n + 3) // 4 + 1", "num_draws": "4"},
        "difficulty": "easy",
        "dims": ["sequences"],
        "parameters": {
            "seeds": {"role": "in", "shape": ["sequences"], "values": {"integers": [0, 4294967295]}},
            "stream": {"values": {"integers": [0, 1000]}},
            "draws": {"role": "out", "shape": ["num_draws", "sequences"]},
        },
    },
}

MADE_OF = {
    "pcg_xsh_rr_normals": {"goal": "random_math.counter_based", "ending": "written", "formulas": []},
}
