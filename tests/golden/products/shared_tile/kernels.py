"""Kernels of the category shared_tile, seed 0.

Tiles in shared memory: products, attention, normalised rows, halos, all pairs, sorts.
"""

import warp as wp


BLOCK = wp.constant(128)


@wp.func
def round_to_level(value: float):
    """Round to the nearest level from -127 to 127."""
    return wp.clamp(wp.round(value), -127.0, 127.0)


@wp.func
def power_of_two_scale(largest: float):
    """Return the scale of a block from its largest magnitude: a power of two, so that scaling is
    exact."""
    return wp.pow(2.0, wp.floor(wp.log2(wp.max(largest, 1.0e-8))) - 6.0)


@wp.func
def squared_error(value: float, restored: float):
    """Return the squared error of a restored value."""
    return (value - restored) * (value - restored)


@wp.kernel
def quantization_error_by_block(
    values: wp.array(dtype=float),
    errors: wp.array(dtype=float),
    powers: wp.array(dtype=float),
):
    """Measure what 8-bit blocks with power-of-two scales lose: the squared error and the power of
    each block, whose ratio is the noise-to-signal ratio."""
    block = wp.tid()
    tile = wp.tile_load(values, shape=BLOCK, offset=block * BLOCK)
    scale = power_of_two_scale(wp.tile_max(wp.tile_map(wp.abs, tile))[0])
    restored = wp.tile_map(round_to_level, tile * (1.0 / scale)) * scale
    errors[block] = wp.tile_sum(wp.tile_map(squared_error, tile, restored))[0]
    powers[block] = wp.tile_sum(wp.tile_map(wp.mul, tile, tile))[0]


LAUNCH = {
    "quantization_error_by_block": {
        "sizes": {"blocks": "(n + 63) // 64"},
        "equality": "bounded",
        "dims": ["blocks"],
        "difficulty": "hard",
        "block_dim": 128,
        "parameters": {
            "values": {"role": "in", "shape": ["128 * blocks"], "values": {"uniform": [-0.05, 0.05]}},
            "errors": {"role": "out", "shape": ["blocks"]},
            "powers": {"role": "out", "shape": ["blocks"]},
        },
    },
}

MADE_OF = {
    "quantization_error_by_block": {"goal": "shared_tile.block_quantize", "ending": "written", "formulas": []},
}
