"""Block collectives beside divergent control flow."""

import warp as wp


@wp.func
def mean(t: wp.tile(dtype=float, shape=(64,))):
    return wp.tile_sum(t)[0] * 0.5


@wp.kernel
def eager(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    out[i, lane] = wp.where(lane < 3, mean(t), 1.0)


@wp.kernel
def chain(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    r = 0.0
    if 3.0 < float(lane) < mean(t):
        r = 1.0
    out[i, lane] = r


@wp.kernel
def mine(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    v = x[i, lane] * 2.0
    t = wp.tile(v)
    r = 0.0
    if lane < 3:
        r = t[5]
    v = 0.0
    u = wp.tile(v)
    if lane > 60:
        r = t[7] + u[8]
    out[i, lane] = r


@wp.kernel
def uniform_break(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    r = float(0.0)
    for k in range(20):
        s = mean(t)
        if s < -20.0 or k > 5:
            break
        t[k] = s - 3.0
        r += s * float(lane)
    out[i, lane] = r


@wp.func
def step_by(v: wp.ref[float], d: float):
    v += d


@wp.kernel(enable_backward=False)
def uniform_while(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    a = float(0.0)
    r = float(0.0)
    while a < 5.0:
        if mean(t) < -200.0:
            break
        step_by(a, 1.0)
        t[int(a)] = a
        if lane % 2 == 0:
            r += a
        if a > 3.0:
            continue
        r += mean(t)
    out[i, lane] = r


@wp.func
def ends(t: wp.tile(dtype=float, shape=(64,)), k: int):
    u = wp.tile_zeros(shape=(64,), dtype=float, storage="shared")
    wp.tile_assign(u, t * 0.5)
    u[k] = 1.0
    return u[0] + u[63]


@wp.kernel
def two_in_test(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    r = float(lane)
    if ends(t, 3) > ends(t, 0):
        r = r + 100.0
    for k in range(int(ends(t, 0)), int(ends(t, 63)) + 8):
        r += float(k) + ends(t, 5) * ends(t, 0)
    out[i, lane] = r


@wp.kernel
def from_neighbour(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    r = float(0.0)
    for k in range(4):
        v = x[i, (lane + k) % 64]
        t = wp.tile(v)
        s = wp.tile_sum(t)
        if lane > k:
            r += t[lane - k] + s[0]
    out[i, lane] = r


@wp.kernel(enable_backward=False)
def overlapping(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A part of a tile moves to another part of the same tile."""
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    t[1:] = t[:-1]
    t[:20] = t[7:27]
    out[i, lane] = t[lane]


LAUNCH = {
    "overlapping": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "chain": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "eager": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "from_neighbour": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "mine": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "two_in_test": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "uniform_break": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
    "uniform_while": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    },
}
