"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts.
"""

import warp as wp


TILE_M = wp.constant(32)
TILE_N = wp.constant(64)
TILE_K = wp.constant(16)


@wp.func
def gelu(x: float):
    """Gaussian error linear unit, in its tanh form."""
    return 0.5 * x * (1.0 + wp.tanh(0.7978846 * (x + 0.044715 * x * x * x)))


@wp.kernel
def linear_gelu_tn(
    a: wp.array2d(dtype=float),
    b: wp.array2d(dtype=float),
    bias: wp.array(dtype=float),
    depth: int,
    c: wp.array2d(dtype=float),
):
    """Linear layer c = gelu(a^T b + bias), one tile of c per block."""
    i, j = wp.tid()
    acc = wp.tile_zeros(shape=(TILE_M, TILE_N), dtype=float)
    for k in range(0, depth, TILE_K):
        a_tile = wp.tile_load(a, shape=(TILE_K, TILE_M), offset=(k, i * TILE_M))
        b_tile = wp.tile_load(b, shape=(TILE_K, TILE_N), offset=(k, j * TILE_N))
        wp.tile_matmul(wp.tile_transpose(a_tile), b_tile, acc)
    bias_row = wp.tile_load(bias, shape=TILE_N, offset=j * TILE_N)
    acc += wp.tile_broadcast(bias_row, shape=(TILE_M, TILE_N))
    wp.tile_store(c, wp.tile_map(gelu, acc), offset=(i * TILE_M, j * TILE_N))


LAUNCH = {
    "linear_gelu_tn": {
        "sizes": {"tiles_m": "min((n + 63) // 64, 17)", "tiles_n": "2", "depth": "48"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["tiles_m", "tiles_n"],
        "block_dim": 64,
        "parameters": {
            "a": {"role": "in", "shape": ["depth", "32 * tiles_m"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"role": "in", "shape": ["depth", "64 * tiles_n"], "values": {"uniform": [-1.0, 1.0]}},
            "bias": {"role": "in", "shape": ["64 * tiles_n"], "values": {"uniform": [-0.5, 0.5]}},
            "depth": {"values": {"size": "depth"}},
            "c": {"role": "out", "shape": ["32 * tiles_m", "64 * tiles_n"]},
        },
    },
}

MADE_OF = {
    "linear_gelu_tn": {"goal": "shared_tile.gemm", "ending": "written", "formulas": []},
}
