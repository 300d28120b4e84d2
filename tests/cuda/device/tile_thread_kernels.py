"""Kernels in which the threads of a block have a part each. Floats hold whole numbers."""

import warp as wp


@wp.func
def absolute_larger(a: float, b: float):
    return wp.max(wp.abs(a), wp.abs(b))


@wp.kernel
def reduces(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Sum, smallest, largest, of more and of fewer elements than there are threads."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=200)
    few = wp.tile_load(a[i], shape=7, offset=3)
    wp.tile_store(out[i], wp.tile_sum(t), offset=0)
    wp.tile_store(out[i], wp.tile_min(t), offset=1)
    wp.tile_store(out[i], wp.tile_max(t), offset=2)
    wp.tile_store(out[i], wp.tile_sum(few), offset=3)
    wp.tile_store(out[i], wp.tile_min(few), offset=4)
    wp.tile_store(out[i], wp.tile_max(few), offset=5)
    out[i, 6] = wp.tile_sum(t)[0] + wp.tile_reduce(wp.min, few)[0]
    out[i, 7] = wp.tile_reduce(absolute_larger, t)[0]
    out[i, 8] = wp.tile_reduce(absolute_larger, few)[0]
    out[i, 9] = wp.tile_reduce(wp.mul, few)[0]


@wp.kernel
def adds_atomically(a: wp.array(dtype=float), out: wp.array(dtype=float), total: wp.array(dtype=float)):
    """Many blocks add to the same elements."""
    i = wp.tid()
    t = wp.tile_load(a, shape=30, offset=i * 30)
    wp.tile_atomic_add(out, t, offset=5)
    wp.tile_atomic_add(total, wp.tile_sum(t * t), offset=0)


@wp.kernel
def sums_vectors(a: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3), lengths: wp.array(dtype=float)):
    """Elements may be vectors."""
    i = wp.tid()
    t = wp.tile_load(a, shape=70, offset=i * 70)
    wp.tile_store(out, wp.tile_sum(t), offset=i)
    wp.tile_store(lengths, wp.tile_map(wp.dot, t, t), offset=i * 70)


@wp.kernel
def doubles(a: wp.array2d(dtype=wp.float64), out: wp.array2d(dtype=wp.float64)):
    """Tiles of other types."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=33)
    out[i, 0] = wp.tile_max(t)[0] - wp.tile_sum(t)[0]


@wp.kernel
def threads_values(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float), place: wp.array2d(dtype=int)):
    """Each thread has a value of its own; it writes what all know once."""
    i, lane = wp.tid()
    total = wp.float32(0.0)
    for k in range(lane, 100, 32):
        total += a[i, k] * float(lane)
    s = wp.tile_sum(wp.tile(total))
    top = wp.tile_max(wp.tile(total * 2.0))
    if lane == 0:
        out[i, 0] = s[0]
    out[i, 1] = wp.tile_extract(top, 0)
    t = wp.tile(total) * wp.tile(float(lane))
    out[i, 2 + lane] = wp.untile(t + wp.tile_arange(32, dtype=float))
    place[i, 0] = wp.tile_argmin(t)[0]
    place[i, 1] = wp.tile_argmax(wp.tile_load(a[i], shape=100))[0]
    place[i, 2] = wp.block_dim()


@wp.kernel
def scatters(a: wp.array2d(dtype=float), where: wp.array2d(dtype=int), out: wp.array2d(dtype=float)):
    """Threads change elements of a tile each for itself."""
    i, lane = wp.tid()
    t = wp.tile_zeros(shape=10, dtype=float, storage="shared")
    flag = wp.tile_zeros(shape=1, dtype=float, storage="shared")
    wp.tile_scatter_add(t, where[i, lane], a[i, lane], lane % 3 != 0)
    wp.tile_scatter_masked(flag, 0, a[i, lane], lane == 5)
    t[where[i, 0]] += 1.0
    third = wp.tile_from_thread(shape=(10,), value=a[i, lane] * 2.0, thread_idx=7)
    wp.tile_store(out[i], t + third)
    out[i, 10] = flag[0]


@wp.kernel
def launched_by_threads(a: wp.array(dtype=float), out: wp.array(dtype=float), total: wp.array(dtype=float)):
    """An ordinary launch: the thread's place in it is its own, the tile is its block's."""
    i = wp.tid()
    x = a[i]
    t = wp.tile(x)
    s = wp.tile_sum(t)
    wp.tile_atomic_add(total, s)
    out[i] = wp.untile(t) * 2.0 + s[0]


@wp.kernel
def few_threads(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A block that is no whole warp."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=20)
    out[i, 0] = wp.tile_sum(t)[0]
    out[i, 1] = wp.tile_max(t)[0]
    out[i, 2] = wp.tile_dot(t, t)[0]


@wp.func
def two_neighbours(rows: wp.tile[float, 4, 16], row: int, column: int):
    """Two neighbours."""
    return rows[row, column] * 2.0 + rows[row, (column + 1) % 16]


@wp.func
def centre(t: wp.tile[float, 48], shift: float):
    """Subtract the sum, element by element; the sum as it was."""
    total = wp.tile_sum(t)[0]
    u = wp.tile_map(wp.sub, t, total + shift)
    for k in range(3):
        t[k] = u[47 - k]
    return total


@wp.kernel
def given_to_functions(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A function may only read, or work with all threads."""
    i, lane = wp.tid()
    rows = wp.tile_load(a, shape=(4, 16), offset=(i * 4, 0), storage="shared")
    t = wp.tile_load(b[i], shape=48, storage="shared")
    if lane < 20:
        out[i, lane] = two_neighbours(rows, lane % 4, lane % 16)
    first = centre(t, 1.0)
    second = centre(t, first)
    out[i, 20] = second
    wp.tile_store(out[i], t, offset=21)


LAUNCH = {
    "given_to_functions": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["4 * n", 16], "values": {"integers": [-8, 8]}},
            "b": {"shape": ["n", 48], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 69]},
        },
    },
    "reduces": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["n", 200], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 10]},
        },
    },
    "adds_atomically": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["30 * n"], "values": {"integers": [-8, 8]}},
            "out": {"role": "inout", "shape": [33], "values": {"integers": [-8, 8]}},
            "total": {"role": "inout", "shape": [1], "values": {"integers": [-8, 8]}},
        },
    },
    "sums_vectors": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["70 * n"], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n"]},
            "lengths": {"role": "out", "shape": ["70 * n"]},
        },
    },
    "doubles": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 33], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 1]},
        },
    },
    "threads_values": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 100], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 34]},
            "place": {"role": "out", "shape": ["n", 3]},
        },
    },
    "scatters": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 32], "values": {"integers": [-8, 8]}},
            "where": {"shape": ["n", 32], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 11]},
        },
    },
    "launched_by_threads": {
        "dims": ["64 * n"],
        "block_dim": 64,
        "tiled": False,
        "parameters": {
            "a": {"shape": ["64 * n"], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["64 * n"]},
            "total": {"role": "inout", "shape": [1], "values": {"integers": [-8, 8]}},
        },
    },
    "few_threads": {
        "dims": ["n"],
        "block_dim": 12,
        "parameters": {
            "a": {"shape": ["n", 20], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
}
