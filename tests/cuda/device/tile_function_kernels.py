"""Functions that take and return tiles."""

import warp as wp


@wp.func
def loaded(a: wp.array2d(dtype=float), i: int):
    return wp.tile_load(a, shape=(8, 4), offset=(8 * i, 0), storage="shared")


@wp.func
def doubled(t: wp.tile(dtype=float, shape=(8, 4))):
    return t * 2.0


@wp.func
def itself(t: wp.tile(dtype=float, shape=(8, 4))):
    return t


@wp.func
def product(t: wp.tile(dtype=float, shape=(8, 4)), square: bool):
    """An early return where all threads agree."""
    if square:
        v = wp.tile_zeros(shape=(4, 4), dtype=float, storage="shared")
        for k in range(4):
            v[k, 3 - k] = t[1, k]
        return v
    u = wp.tile_zeros(shape=(4, 4), dtype=float, storage="shared")
    for k in range(4):
        u[k, k] = t[0, k]
    return u


@wp.func
def half_sum(t: wp.tile(dtype=float, shape=(8, 4))):
    return wp.tile_sum(t) * 0.5


@wp.func
def cleared(t: wp.tile(dtype=float, shape=(8, 4)), row: int):
    for k in range(4):
        t[row, k] = 0.0


@wp.kernel
def returns(
    a: wp.array2d(dtype=float),
    out: wp.array2d(dtype=float),
    back: wp.array2d(dtype=float),
    sums: wp.array(dtype=float),
):
    """A name takes what a function makes of it; one element is a value; threads agree on what is passed."""
    i = wp.tid()
    t = loaded(a, i)
    t = itself(t)
    wp.tile_store(back, doubled(t) + doubled(itself(t)), offset=(8 * i, 0))
    sums[2 * i] = half_sum(t)[0]
    p = product(t, i % 2 == 0)
    wp.tile_store(out, p - product(t, False), offset=(4 * i, 0))
    u = loaded(a, i)
    cleared(u, i % 8)
    wp.tile_store(sums, half_sum(u), offset=2 * i + 1)


@wp.func
def sum_of_row(a: wp.array2d(dtype=float), i: int):
    return wp.tile_sum(wp.tile_map(wp.mul, loaded(a, i), loaded(a, i)))[0]


@wp.func
def of_neighbours(a: wp.array2d(dtype=float), i: int):
    """It has no tiles of its own."""
    first = sum_of_row(a, i)
    return first - 2.0 * sum_of_row(a, i + 1)


@wp.func
def noted(t: wp.tile(dtype=float, shape=(8, 4)), out: wp.array(dtype=float), i: int, value: float):
    """Only some threads call it, perhaps not the first one."""
    out[i] = value + t[0, 0]


@wp.kernel
def calls_of_calls(a: wp.array2d(dtype=float), out: wp.array(dtype=float), notes: wp.array(dtype=float)):
    """Functions whose tiles are two calls away; what one thread alone writes."""
    i, lane = wp.tid()
    out[i] = of_neighbours(a, i) + of_neighbours(a, i + 1)
    t = loaded(a, i)
    if lane == 7:
        noted(t, notes, i, 3.0)


@wp.func
def grow(factor: wp.ref[float]):
    factor += 1.0


@wp.kernel(enable_backward=False)
def agreed(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    """What changes the factor of a tile between the tile and its use; a test that all threads ask for."""
    i, lane = wp.tid()
    t = loaded(a, i)
    factor = float(i % 5)
    scaled = t * factor
    grow(factor)
    wp.tile_store(out, scaled * factor, offset=(8 * i, 0))
    bound = 0.0
    if half_sum(t)[0] > float(lane):
        bound = 1.0
    chosen = half_sum(t)[0] if i % 2 == 0 else factor
    sums[32 * i + lane] = bound + chosen + (t[lane % 8, 1] if lane < 5 else 0.5)


LAUNCH = {
    "agreed": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 4], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["8 * n", 4]},
            "sums": {"role": "out", "shape": ["32 * n"]},
        },
    },
    "calls_of_calls": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n + 13", 4], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n"]},
            "notes": {"role": "out", "shape": ["n"]},
        },
    },
    "returns": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 4], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["4 * n", 4]},
            "back": {"role": "out", "shape": ["8 * n", 4]},
            "sums": {"role": "out", "shape": ["2 * n"]},
        },
    },
}
