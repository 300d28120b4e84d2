"""Tiles of which threads keep their own elements in registers, and what warps make of them by shuffles."""

import warp as wp

wp.set_module_options({"enable_backward": False})


@wp.kernel
def places_of_equals(a: wp.array2d(dtype=float), n: wp.array2d(dtype=int), out: wp.array2d(dtype=int)):
    """Of equal elements the first thread's counts, not the first element: more, as many and fewer than threads."""
    i = wp.tid()
    many = wp.tile_load(a[i], shape=200)
    some = wp.tile_load(a[i], shape=64)
    few = wp.tile_load(n[i], shape=40)
    table = wp.tile_load(n, shape=(1, 150), offset=(i, 0))
    out[i, 0] = wp.tile_argmax(many)[0]
    out[i, 1] = wp.tile_argmin(many)[0]
    out[i, 2] = wp.tile_argmax(some)[0]
    out[i, 3] = wp.tile_argmin(few)[0]
    out[i, 4] = wp.tile_argmax(few)[0]
    out[i, 5] = wp.tile_argmax(table)[0]


@wp.kernel
def places_in_a_warp(a: wp.array2d(dtype=wp.float64), out: wp.array2d(dtype=int)):
    """A block of one warp."""
    i = wp.tid()
    out[i, 0] = wp.tile_argmax(wp.tile_load(a[i], shape=100))[0]
    out[i, 1] = wp.tile_argmin(wp.tile_load(a[i], shape=9))[0]


@wp.kernel
def places_in_part_of_a_warp(a: wp.array2d(dtype=float), out: wp.array2d(dtype=int)):
    """A block that is no whole warp."""
    i = wp.tid()
    out[i, 0] = wp.tile_argmax(wp.tile_load(a[i], shape=100))[0]
    out[i, 1] = wp.tile_argmin(wp.tile_load(a[i], shape=9))[0]


@wp.func
def not_a_number(x: float, y: float):
    """NaN for odd x."""
    return y / (x % 2.0 - 1.0) * 0.0 + x


@wp.kernel
def some_are_no_numbers(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float), at: wp.array2d(dtype=int)):
    """NaN is neither smallest nor largest, unless there is nothing else."""
    i = wp.tid()
    t = wp.tile_map(not_a_number, wp.tile_load(a[i], shape=100), 1.0)
    u = wp.tile_map(wp.mul, wp.tile_load(a[i], shape=20), wp.nan)
    t[0] = 0.0
    out[i, 0] = wp.tile_max(t)[0]
    out[i, 1] = wp.tile_min(t)[0]
    out[i, 2] = wp.tile_max(u)[0]
    at[i, 0] = wp.tile_argmax(t)[0]
    at[i, 1] = wp.tile_argmin(t)[0]


@wp.kernel
def accumulators(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Several elements a thread, not as many for each, which live through a loop."""
    i = wp.tid()
    total = wp.tile_zeros(shape=(6, 10), dtype=float)
    largest = wp.tile_full(shape=(6, 10), value=-100.0, dtype=float)
    for k in range(3):
        t = wp.tile_load(a, shape=(6, 10), offset=(i * 6, k * 10))
        total += t * t
        largest = wp.tile_map(wp.max, largest, t)
    wp.tile_store(out, total - largest, offset=(i * 6, 0))


@wp.kernel
def two_sums(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """The second use of what threads of a block exchange waits for the first."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=150)
    mean = wp.tile_sum(t)[0] / 150.0
    squares = wp.tile_sum(t * t)[0]
    for k in range(3):
        squares += wp.tile_sum(t + wp.tile_full(shape=150, value=float(k), dtype=float))[0]
    out[i, 0] = mean
    out[i, 1] = squares


@wp.kernel
def rows_by_lanes(a: wp.array2d(dtype=float), n: wp.array2d(dtype=int), out: wp.array2d(dtype=float)):
    """As many elements as threads: results stay with the threads that have them."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(8, 8), offset=(i * 8, 0))
    m = wp.tile_load(n, shape=(8, 8), offset=(i * 8, 0))
    old = wp.tile_load(out[i], shape=8)
    sums = wp.tile_sum(t * t, axis=1) + old
    wp.tile_store(out[i], sums)
    wp.tile_store(out[i], wp.tile_reduce(wp.max, t, axis=1) * 0.5, offset=8)
    wp.tile_store(out[i], wp.tile_astype(wp.tile_sum(m, axis=1), dtype=float), offset=16)


@wp.kernel
def fewer_rows_than_threads(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Whole warps have no element; the smallest of a row is needed by all of its threads, and by the block."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(4, 16), offset=(i * 4, 0))
    least = wp.tile_reduce(wp.min, t, axis=1)
    wide = wp.tile_broadcast(wp.tile_reshape(least, shape=(4, 1)), shape=(4, 16))
    wp.tile_store(out, t - wide, offset=(i * 4, 0))
    out[i * 4, 16] = wp.tile_max(least)[0]
    out[i * 4, 17] = float(wp.tile_argmin(least)[0])
    wp.tile_store(out, wp.tile_reshape(wp.tile_sum(t, axis=1), shape=(4, 1)), offset=(i * 4, 18))


@wp.kernel
def more_rows_than_threads(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A group of lanes has several rows."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(12, 32), offset=(i * 12, 0))
    wp.tile_store(out[i], wp.tile_reduce(wp.max, t, axis=1) - wp.tile_sum(t, axis=1))


@wp.kernel
def sums_that_round(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """The order of a sum along an axis is Warp's where it shows."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(8, 8), offset=(i * 8, 0))
    wp.tile_store(out[i], wp.tile_sum(t, axis=1))
    wp.tile_store(out[i], wp.tile_sum(t * 4097.0, axis=1), offset=8)


@wp.kernel
def transposed_loads(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Both sides are accessed row by row, whatever has a name."""
    i, j = wp.tid()
    own = wp.tile_load(a, shape=(8, 16), offset=(i * 8, j * 16))
    other = wp.tile_transpose(wp.tile_load(a, shape=(16, 8), offset=(j * 16, i * 8)))
    wp.tile_store(out, own - other, offset=(i * 8, j * 16))


@wp.kernel
def exchanged_in_place(a: wp.array2d(dtype=float)):
    """What is loaded, turned and stored in one array is loaded by all before any stores."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=64)
    wp.tile_store(a[i], t[::-1])
    u = wp.tile_load(a[i], shape=64)
    wp.tile_store(a[i], u + wp.tile_load(a[i], shape=64))


@wp.kernel
def narrow_types(
    a: wp.array2d(dtype=wp.float16),
    b: wp.array2d(dtype=wp.uint8),
    s: wp.array2d(dtype=wp.int16),
    out: wp.array2d(dtype=int),
    ends: wp.array2d(dtype=wp.float16),
):
    """Shuffles, and what is neither smaller nor larger, of small numbers."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=100)
    out[i, 0] = wp.tile_argmax(t)[0]
    out[i, 1] = wp.tile_argmin(wp.tile_load(a[i], shape=20))[0]
    out[i, 2] = wp.tile_argmax(wp.tile_load(b[i], shape=100))[0]
    out[i, 3] = wp.tile_argmin(wp.tile_load(s[i], shape=20))[0]
    out[i, 4] = int(wp.tile_max(wp.tile_load(b[i], shape=20))[0])
    out[i, 5] = int(wp.tile_min(wp.tile_load(s[i], shape=100))[0])
    ends[i, 0] = wp.tile_max(t)[0]
    ends[i, 1] = wp.tile_min(wp.tile_load(a[i], shape=20))[0]


LAUNCH = {
    "narrow_types": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["n", 100], "values": {"integers": [-7, 7]}},
            "b": {"shape": ["n", 100], "values": {"integers": [0, 7]}},
            "s": {"shape": ["n", 100], "values": {"integers": [-7, 7]}},
            "out": {"role": "out", "shape": ["n", 6]},
            "ends": {"role": "out", "shape": ["n", 2]},
        },
    },
    "places_of_equals": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["n", 200], "values": {"integers": [0, 7]}},
            "n": {"shape": ["n", 150], "values": {"integers": [0, 7]}},
            "out": {"role": "out", "shape": ["n", 6]},
        },
    },
    "places_in_a_warp": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 100], "values": {"integers": [0, 7]}},
            "out": {"role": "out", "shape": ["n", 2]},
        },
    },
    "places_in_part_of_a_warp": {
        "dims": ["n"],
        "block_dim": 20,
        "parameters": {
            "a": {"shape": ["n", 100], "values": {"integers": [0, 7]}},
            "out": {"role": "out", "shape": ["n", 2]},
        },
    },
    "some_are_no_numbers": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["n", 100], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 3]},
            "at": {"role": "out", "shape": ["n", 2]},
        },
    },
    "accumulators": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["6 * n", 30], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["6 * n", 10]},
        },
    },
    "two_sums": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["n", 150], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 2]},
        },
    },
    "rows_by_lanes": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["8 * n", 8], "values": {"integers": [-8, 8]}},
            "n": {"shape": ["8 * n", 8], "values": {"integers": [-8, 8]}},
            "out": {"role": "inout", "shape": ["n", 24], "values": {"integers": [-8, 8]}},
        },
    },
    "fewer_rows_than_threads": {
        "dims": ["n"],
        "block_dim": 128,
        "parameters": {
            "a": {"shape": ["4 * n", 16], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["4 * n", 19]},
        },
    },
    "more_rows_than_threads": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["12 * n", 32], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 12]},
        },
    },
    "sums_that_round": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["8 * n", 8], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 16]},
        },
    },
    "transposed_loads": {
        "dims": ["n", 2],
        "block_dim": 64,
        "parameters": {
            "a": {"shape": ["32 * n", "8 * n + 24"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["8 * n", 32]},
        },
    },
    "exchanged_in_place": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {"a": {"role": "inout", "shape": ["n", 64], "values": {"integers": [-8, 8]}}},
    },
}
