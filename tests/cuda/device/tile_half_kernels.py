"""Sums of tiles of halves: so coarse that the order of additions shows in the leading digits."""

import warp as wp


@wp.kernel
def sums_of_halves(
    a: wp.array(dtype=wp.float16),
    b: wp.array(dtype=wp.bfloat16),
    o: wp.array(dtype=wp.float16),
    p: wp.array(dtype=wp.bfloat16),
):
    """Threads add their own elements, then their sums are added in the order of the threads."""
    i = wp.tid()
    t = wp.tile_load(a, shape=100, offset=i * 100)
    wp.tile_store(o, wp.tile_sum(t), offset=i)
    u = wp.tile_load(b, shape=100, offset=i * 100)
    wp.tile_store(p, wp.tile_sum(u * u - u), offset=i)


@wp.kernel
def sums_of_vectors_of_halves(
    a: wp.array(dtype=wp.vec3h), o: wp.array(dtype=wp.vec3h), p: wp.array(dtype=wp.float16)
):
    """Component by component, and products."""
    i = wp.tid()
    t = wp.tile_load(a, shape=100, offset=i * 100)
    total = wp.tile_sum(t)
    o[i] = total[0]
    squares = wp.tile_map(wp.dot, t, t)
    p[i] = wp.tile_dot(squares, squares)[0]


@wp.kernel
def sum_of_the_threads_halves(a: wp.array(dtype=wp.float16), o: wp.array(dtype=wp.float16)):
    """Each thread has one value."""
    i = wp.tid()
    t = wp.tile(a[i] * wp.float16(3.0))
    total = wp.tile_reduce(wp.add, t)
    o[i] = total[0]


LAUNCH = {
    "sums_of_halves": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["100 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": ["100 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "o": {"role": "out", "shape": ["n"]},
            "p": {"role": "out", "shape": ["n"]},
        },
    },
    "sums_of_vectors_of_halves": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["100 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "o": {"role": "out", "shape": ["n"]},
            "p": {"role": "out", "shape": ["n"]},
        },
    },
    "sum_of_the_threads_halves": {
        "dims": ["64 * n"],
        "block_dim": 64,
        "tiled": False,
        "parameters": {
            "a": {"shape": ["64 * n"], "values": {"uniform": [-1.0, 1.0]}},
            "o": {"role": "out", "shape": ["64 * n"]},
        },
    },
}
