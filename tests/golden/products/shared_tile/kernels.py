"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, normalised rows, halos, all pairs.
"""

import warp as wp


BLOCK = wp.constant(128)


@wp.func
def round_to_level(value: float):
    """Round to the nearest level from -127 to 127."""
    return int(wp.clamp(wp.round(value), -127.0, 127.0))


@wp.kernel
def quantize_blocks(
    values: wp.array(dtype=float),
    levels: wp.array(dtype=int),
    scales: wp.array(dtype=float),
):
    """Quantize each block of numbers to 8 bits with a power-of-two scale, so that scaling is
    exact."""
    block = wp.tid()
    tile = wp.tile_load(values, shape=BLOCK, offset=block * BLOCK)
    largest = wp.tile_max(wp.tile_map(wp.abs, tile))
    exponent = wp.floor(wp.log2(wp.max(largest[0], 1.0e-8)))
    scale = wp.pow(2.0, exponent - 6.0)
    quantized = wp.tile_map(round_to_level, tile * (1.0 / scale))
    wp.tile_store(scales, wp.tile_full(shape=1, value=scale, dtype=float), offset=block)
    wp.tile_store(levels, quantized, offset=block * BLOCK)


LAUNCH = {
    "quantize_blocks": {
        "sizes": {"blocks": "(n + 63) // 64"},
        "difficulty": "hard",
        "dims": ["blocks"],
        "block_dim": 128,
        "parameters": {
            "values": {"role": "in", "shape": ["128 * blocks"], "values": {"uniform": [-1.0, 1.0]}},
            "levels": {"role": "out", "shape": ["128 * blocks"]},
            "scales": {"role": "out", "shape": ["blocks"]},
        },
    },
}

MADE_OF = {
    "quantize_blocks": {"goal": "shared_tile.block_quantize", "ending": "written", "formulas": []},
}
