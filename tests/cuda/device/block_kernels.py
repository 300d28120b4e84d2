"""Kernels without tiles that ask for the number of threads of their block: what the launch says, 256 if nothing."""

import warp as wp


@wp.func
def place_in_block(i: int):
    return i % wp.block_dim()


@wp.kernel
def plain(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    """wp.launch has blocks of 256 threads; the last one is short."""
    i = wp.tid()
    out[i] = a[i] * float(wp.block_dim()) + float(place_in_block(i))


@wp.kernel
def in_planes(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Of any number of dimensions."""
    i, j = wp.tid()
    out[i, j] = a[i, j] + float(wp.block_dim() / 7) + float(-j % wp.block_dim())


@wp.kernel
def in_small_blocks(a: wp.array(dtype=int), out: wp.array(dtype=int)):
    """The launch description asks for blocks of another size."""
    i = wp.tid()
    first = i // wp.block_dim() * wp.block_dim()
    out[i] = a[i] + first


@wp.kernel
def strides(a: wp.array2d(dtype=int), out: wp.array2d(dtype=int)):
    """The threads of a block take turns, as in wp.launch_tiled."""
    row, lane = wp.tid()
    for k in range(lane, a.shape[1], wp.block_dim()):
        out[row, k] = a[row, k] * lane


LAUNCH = {
    "plain": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "in_planes": {
        "dims": ["n", 3],
        "parameters": {
            "a": {"shape": ["n", 3], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
    "in_small_blocks": {
        "dims": ["n"],
        "block_dim": 8,
        "tiled": False,
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "strides": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["n", 150], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 150]},
        },
    },
}
