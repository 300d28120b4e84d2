"""Products of tiles of halves, and of tiles of different types."""

import warp as wp

wp.set_module_options({"enable_backward": False})


@wp.kernel
def halves(a: wp.array2d(dtype=wp.float16), b: wp.array2d(dtype=wp.float16), c: wp.array2d(dtype=wp.float16)):
    """Products of halves are rounded, then sums are."""
    i, j = wp.tid()
    total = wp.tile_zeros(shape=(8, 8), dtype=wp.float16)
    for k in range(3):
        left = wp.tile_load(a, shape=(8, 4), offset=(i * 8, k * 4))
        right = wp.tile_load(b, shape=(4, 8), offset=(k * 4, j * 8))
        wp.tile_matmul(left, right, total)
    total = total + wp.tile_matmul(total, wp.tile_transpose(total), alpha=0.3)
    wp.tile_matmul(left, right, total, alpha=0.1, beta=-1.3)
    wp.tile_store(c, total, offset=(i * 8, j * 8))


@wp.kernel
def mixed(
    a: wp.array2d(dtype=wp.float16),
    b: wp.array2d(dtype=wp.float32),
    d: wp.array2d(dtype=wp.float64),
    w: wp.array2d(dtype=wp.bfloat16),
    c: wp.array2d(dtype=wp.float32),
    e: wp.array2d(dtype=wp.float64),
):
    """What is multiplied is converted to the type of the result first."""
    i, j = wp.tid()
    total = wp.tile_zeros(shape=(8, 8), dtype=float)
    left = wp.tile_load(a, shape=(8, 4), offset=(i * 8, 4))
    right = wp.tile_load(b, shape=(4, 8), offset=(4, j * 8))
    wide = wp.tile_load(d, shape=(4, 8), offset=(4, j * 8))
    brain = wp.tile_load(w, shape=(8, 4), offset=(i * 8, 4))
    wp.tile_matmul(left, right, total)
    wp.tile_matmul(left, wide, total, alpha=0.1)
    wp.tile_matmul(brain, right, total, alpha=0.1, beta=0.7)
    wp.tile_store(c, total, offset=(i * 8, j * 8))
    big = wp.tile_zeros(shape=(8, 8), dtype=wp.float64)
    wp.tile_matmul(left, right, big, alpha=0.1)
    wp.tile_matmul(brain, wide, big, alpha=wp.float64(0.1), beta=wp.float64(0.7))
    wp.tile_store(e, big, offset=(i * 8, j * 8))


LAUNCH = {
    "halves": {
        "dims": ["n", 2],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 12], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": [12, 16], "values": {"uniform": [-1.0, 1.0]}},
            "c": {"role": "out", "shape": ["8 * n", 16]},
        },
    },
    "mixed": {
        "dims": ["n", 2],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 12], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": [12, 16], "values": {"uniform": [-1.0, 1.0]}},
            "d": {"shape": [12, 16], "values": {"uniform": [-1.0, 1.0]}},
            "w": {"shape": ["8 * n", 12], "values": {"uniform": [-1.0, 1.0]}},
            "c": {"role": "out", "shape": ["8 * n", 16]},
            "e": {"role": "out", "shape": ["8 * n", 16]},
        },
    },
}
