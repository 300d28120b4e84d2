"""Sorted tiles: keys and what belongs to them, equal keys in Warp's order."""

import warp as wp


@wp.kernel
def sorts_integers(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int), p: wp.array2d(dtype=int)):
    """Many equal keys: as many elements as the network sorts, and a tile of two dimensions."""
    i = wp.tid()
    keys = wp.tile_load(x[i], shape=64)
    places = wp.tile_arange(64, dtype=int)
    wp.tile_sort(keys, places)
    wp.tile_store(o[i], keys)
    wp.tile_store(p[i], places)
    square = wp.tile_reshape(wp.tile_load(x[i], shape=64) * 3, shape=(8, 8))
    doubled = square + square
    wp.tile_sort(square, doubled)
    p[i, 0] += doubled[3, 2] - square[7, 7]


@wp.kernel
def sorts_an_odd_number(
    x: wp.array2d(dtype=float),
    v: wp.array2d(dtype=wp.vec3),
    o: wp.array2d(dtype=float),
    p: wp.array2d(dtype=wp.vec3),
):
    """Fewer than the network needs, more than there are threads; vectors go with the keys."""
    i = wp.tid()
    keys = wp.tile_load(x[i], shape=50)
    values = wp.tile_load(v[i], shape=50)
    for _k in range(2):
        keys = -keys
        wp.tile_sort(keys, values)
    wp.tile_store(o[i], keys)
    wp.tile_store(p[i], values)


@wp.kernel
def sorts_wide_keys(
    x: wp.array2d(dtype=wp.uint64), o: wp.array2d(dtype=wp.uint64), p: wp.array2d(dtype=wp.float16)
):
    """Keys of 64 bits, the largest among them, with halves."""
    i = wp.tid()
    keys = wp.tile_load(x[i], shape=24) - wp.tile_ones(24, dtype=wp.uint64)
    values = wp.tile_astype(wp.tile_arange(24, dtype=float), dtype=wp.float16)
    wp.tile_sort(keys, values)
    wp.tile_store(o[i], keys)
    wp.tile_store(p[i], values)


@wp.kernel
def sorts_keys_alone(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int)):
    """Nobody reads the places of the first sort, and all those of the second."""
    i = wp.tid()
    keys = wp.tile_load(x[i], shape=64)
    places = wp.tile_arange(64, dtype=int)
    wp.tile_sort(keys, places)
    others = wp.tile_load(x[i], shape=64) * -1
    numbers = wp.tile_arange(64, dtype=int)
    wp.tile_sort(others, numbers)
    wp.tile_store(o[i], keys * 100 + numbers)


LAUNCH = {
    "sorts_integers": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "o": {"role": "out", "shape": ["n", 64]},
            "p": {"role": "out", "shape": ["n", 64]},
        },
    },
    "sorts_an_odd_number": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["n", 50], "values": {"integers": [-9, 9]}},
            "v": {"shape": ["n", 50], "values": {"uniform": [-1.0, 1.0]}},
            "o": {"role": "out", "shape": ["n", 50]},
            "p": {"role": "out", "shape": ["n", 50]},
        },
    },
    "sorts_wide_keys": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["n", 24], "values": {"integers": [0, 9]}},
            "o": {"role": "out", "shape": ["n", 24]},
            "p": {"role": "out", "shape": ["n", 24]},
        },
    },
    "sorts_keys_alone": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "o": {"role": "out", "shape": ["n", 64]},
        },
    },
}
