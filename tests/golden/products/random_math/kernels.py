"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.kernel
def sample_triangles(
    a: wp.array(dtype=wp.vec3),
    b: wp.array(dtype=wp.vec3),
    c: wp.array(dtype=wp.vec3),
    seed: int,
    points: wp.array(dtype=wp.vec3),
):
    """A uniform point on each triangle."""
    i = wp.tid()
    rng = wp.rand_init(seed, i)
    root = wp.sqrt(wp.randf(rng))
    v = wp.randf(rng)
    points[i] = (1.0 - root) * a[i] + root * (1.0 - v) * b[i] + root * v * c[i]


LAUNCH = {
    "sample_triangles": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "a": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "c": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "seed": {"values": {"integers": [0, 10000]}},
            "points": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sample_triangles": {"goal": "random_math.samplers", "ending": "written", "formulas": []},
}
