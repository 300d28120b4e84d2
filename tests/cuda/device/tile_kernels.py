"""Kernels on whole tiles. Floats hold whole numbers, so that the order of sums is free."""

import warp as wp

ROWS = wp.constant(6)
COLUMNS = wp.constant(10)


@wp.func
def affine(x: float, scale: float, shift: float):
    return x * scale + shift


@wp.kernel
def loads_beyond_the_end(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """What lies beyond the array is zero, and is not written."""
    i, j = wp.tid()
    t = wp.tile_load(a, shape=(8, 8), offset=(i * 8, j * 8))
    wp.tile_store(out, t + wp.tile_ones(shape=(8, 8), dtype=float), offset=(i * 8, j * 8))


@wp.kernel
def transposes(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A transposed tile is read where other threads wrote."""
    i, j = wp.tid()
    t = wp.tile_load(a, shape=(ROWS, COLUMNS), offset=(i * ROWS, j * COLUMNS))
    wp.tile_store(out, wp.tile_transpose(t), offset=(j * COLUMNS, i * ROWS))


@wp.kernel
def transposes_in_place(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A name takes the transpose of what it held."""
    i, j = wp.tid()
    t = wp.tile_load(a, shape=(8, 8), offset=(i * 8, j * 8))
    for _k in range(3):
        t = wp.tile_transpose(t) * 2.0
        t += wp.tile_load(a, shape=(8, 8), offset=(0, 0))
    wp.tile_store(out, t, offset=(i * 8, j * 8))


@wp.kernel
def maps(a: wp.array(dtype=float), b: wp.array(dtype=float), out: wp.array(dtype=float)):
    """Functions of the user's, builtins, values that are the same for all elements, operators."""
    i = wp.tid()
    x = wp.tile_load(a, shape=40, offset=i * 40)
    y = wp.tile_load(b, shape=40, offset=i * 40)
    z = wp.tile_map(affine, x, 3.0, y)
    z = wp.tile_map(wp.max, z, y) - x * y + 2.0 * x
    z = -z
    z -= y
    wp.tile_store(out, wp.tile_map(wp.abs, z) / wp.tile_full(shape=40, value=2.0, dtype=float), offset=i * 40)


@wp.kernel
def reduces_along_axes(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """One result for each row, for each column."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(4, 24), offset=(i * 4, 0))
    rows = wp.tile_sum(t, axis=1)
    columns = wp.tile_reduce(wp.max, t, axis=0)
    wp.tile_store(out[i], rows, offset=0)
    wp.tile_store(out[i], columns, offset=4)


@wp.kernel
def multiplies(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    """A product of matrices, tile by tile."""
    i, j = wp.tid()
    total = wp.tile_zeros(shape=(8, 8), dtype=float)
    for k in range(a.shape[1] / 4):
        left = wp.tile_load(a, shape=(8, 4), offset=(i * 8, k * 4))
        right = wp.tile_load(b, shape=(4, 8), offset=(k * 4, j * 8))
        wp.tile_matmul(left, right, total)
    total = total + wp.tile_matmul(wp.tile_transpose(total), total, alpha=0.5)
    wp.tile_matmul(left, right, total, alpha=-1.0, beta=2.0)
    wp.tile_store(c, total, offset=(i * 8, j * 8))


@wp.kernel
def softmax_like(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Largest and sum of a row spread over its elements again."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(1, 50), offset=(i, 0))
    top = wp.tile_max(t)
    shifted = t - wp.tile_broadcast(wp.tile_reshape(top, shape=(1, 1)), shape=(1, 50))
    total = wp.tile_sum(shifted)
    wp.tile_store(out, shifted - wp.tile_broadcast(total, shape=(1, 50)), offset=(i, 0))


@wp.kernel
def broadcasts(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Rows and columns repeat; views of views."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(6, 8), offset=(i * 6, 0))
    row = wp.tile_view(t, offset=(2, 0), shape=(1, 8))
    column = wp.tile_transpose(wp.tile_view(wp.tile_transpose(t), offset=(3, 0), shape=(1, 6)))
    both = wp.tile_broadcast(row, shape=(6, 8)) * wp.tile_broadcast(column, shape=(6, 8))
    flat = wp.tile_reshape(both, shape=(48,))
    third = t[3]
    wp.tile_store(out[i], flat, offset=0)
    wp.tile_store(out[i], wp.tile_squeeze(row) + third, offset=48)


@wp.kernel
def indexes(a: wp.array2d(dtype=float), order: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Single elements are read and written, by numbers that are known only when the kernel runs."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(4, 8), offset=(i * 4, 0))
    u = wp.tile_zeros(shape=(4, 8), dtype=float)
    for k in range(8):
        u[k % 4, order[k]] = t[1, k] + wp.tile_extract(t, 3, order[k])
        t[0, k] = u[k % 4, order[k] - 8] * 2.0 + t[-1, -k - 1]
    wp.tile_store(out, t + u, offset=(i * 4, 0))


@wp.kernel
def counts(out: wp.array2d(dtype=float), whole: wp.array2d(dtype=int)):
    """tile_arange of floats and integers; tile_astype."""
    i = wp.tid()
    wp.tile_store(out[i], wp.tile_arange(1.0, 21.0, 2.0, dtype=float))
    n = wp.tile_arange(12, dtype=int)
    wp.tile_store(whole[i], n * n + wp.tile_full(shape=12, value=i, dtype=int))
    wp.tile_store(out[i], wp.tile_astype(n, dtype=float), offset=10)


@wp.kernel
def exchanges(a: wp.array2d(dtype=float)):
    """Tiles of one array are loaded, combined and stored again."""
    i = wp.tid()
    left = wp.tile_load(a[i], shape=16, offset=0)
    right = wp.tile_load(a[i], shape=16, offset=16)
    wp.tile_store(a[i], right, offset=0)
    wp.tile_store(a[i], left + right, offset=16)


@wp.kernel
def branches(a: wp.array2d(dtype=float), steps: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Work on tiles under conditions and in loops that are the same for the whole block."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=48)
    if steps[i] == 0:
        return
    k = wp.int32(0)
    while k < steps[i]:
        if k % 2 == 0:
            t = t * 2.0
        else:
            u = wp.tile_reshape(t, shape=(6, 8))
            t = wp.tile_reshape(wp.tile_transpose(u) + wp.tile_zeros(shape=(8, 6), dtype=float), shape=(48,))
        k += 1
        if t[5] > 1000.0:
            break
    wp.tile_store(out[i], t)


LAUNCH = {
    "loads_beyond_the_end": {
        "sizes": {"rows": "2 * n + 3"},
        "dims": ["(rows + 7) // 8", 3],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["rows", 19], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["rows", 19]},
        },
    },
    "transposes": {
        "dims": ["n", 2],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["6 * n", 20], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": [20, "6 * n"]},
        },
    },
    "transposes_in_place": {
        "dims": ["n", 2],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 16], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["8 * n", 16]},
        },
    },
    "maps": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["40 * n"], "values": {"integers": [-8, 8]}},
            "b": {"shape": ["40 * n"], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["40 * n"]},
        },
    },
    "reduces_along_axes": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["4 * n", 24], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 28]},
        },
    },
    "multiplies": {
        "dims": ["n", 2],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 12], "values": {"integers": [-4, 4]}},
            "b": {"shape": [12, 16], "values": {"integers": [-4, 4]}},
            "c": {"role": "out", "shape": ["8 * n", 16]},
        },
    },
    "softmax_like": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 50], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 50]},
        },
    },
    "broadcasts": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["6 * n", 8], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 56]},
        },
    },
    "indexes": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["4 * n", 8], "values": {"integers": [-8, 8]}},
            "order": {"shape": [8], "values": {"integers": [0, 8]}},
            "out": {"role": "out", "shape": ["4 * n", 8]},
        },
    },
    "counts": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "out": {"role": "out", "shape": ["n", 22]},
            "whole": {"role": "out", "shape": ["n", 12]},
        },
    },
    "exchanges": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {"a": {"role": "inout", "shape": ["n", 32], "values": {"integers": [-8, 8]}}},
    },
    "branches": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 48], "values": {"integers": [-8, 8]}},
            "steps": {"shape": ["n"], "values": {"integers": [0, 9]}},
            "out": {"role": "out", "shape": ["n", 48]},
        },
    },
}
