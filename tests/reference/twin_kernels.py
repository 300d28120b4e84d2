"""Kernels whose float64 twins are near, far away, or missing, as their names say."""

from typing import Any

import warp as wp


@wp.struct
class Wave:
    height: float
    direction: wp.vec3
    phases: wp.array(dtype=wp.float16)


@wp.func
def envelope(x: float, width: float):
    return wp.exp(-x * x / width) + 0.1


@wp.kernel
def stable_polynomial(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    y = float(0.1)
    lowest = float(wp.inf)
    for _ in range(5):
        y = y * x[i] + 0.3
        lowest = wp.min(lowest, y)
    out[i] = y * envelope(x[i], 0.7) + 0.0 * lowest


@wp.kernel
def stable_struct(wave: Wave, grid: wp.array2d(dtype=wp.vec3), out: wp.array2d(dtype=wp.vec3)):
    i, j = wp.tid()
    phase = float(wave.phases[j])
    out[i, j] = wp.cross(grid[i, j], wave.direction) * (wave.height + wp.sin(phase))


@wp.kernel
def stable_random_walk(seed: int, steps: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    place = steps[i]
    for _ in range(4):
        place += wp.randf(state, -0.1, 0.3) * wp.randf(state)
    out[i] = place


@wp.kernel
def stable_count(x: wp.array(dtype=float), total: wp.array(dtype=int)):
    i = wp.tid()
    if x[i] > 0.25:
        wp.atomic_add(total, 0, 1)


@wp.kernel
def stable_tile_sum(x: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    row = wp.tid()
    tile = wp.tile_load(x[row], shape=64)
    wp.tile_store(out, wp.tile_sum(tile), offset=row)


@wp.kernel
def stable_remainder(x: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    third = x[i] / wp.float64(3.0)
    out[i] = third - wp.float64(float(third))


@wp.func
def longest(v: Any):
    return wp.sqrt(wp.dot(v, v)) * 0.3


@wp.func
def spread(ends: tuple[wp.vec2, float]):
    return (ends[0][1] - ends[0][0]) * ends[1]


@wp.kernel
def stable_overloads(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """Two functions of one name, and a float that Warp's text calls `float`."""
    i = wp.tid()
    pair = wp.vec2(x[i], 0.2)
    out[i] = longest(pair) + longest(wp.vec3(x[i], 0.1, 0.2)) + spread((pair, x[i]))


@wp.kernel
def stable_halves(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    half = wp.float16(x[i])
    out[i] = float(half * half + wp.sin(half))


@wp.kernel
def part_smooth(before: wp.array(dtype=float), share: float, after: wp.array(dtype=float)):
    i = wp.tid()
    after[i] = before[i] + share * (before[wp.max(i - 1, 0)] - before[i])


@wp.kernel
def part_mark(total: wp.array(dtype=int)):
    wp.atomic_add(total, 0, 2)


@wp.kernel
def unstable_cancellation(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = (x[i] + 1.0e5) - 1.0e5


@wp.kernel
def unstable_bins(x: wp.array(dtype=float), bins: wp.array(dtype=int)):
    i = wp.tid()
    bins[i] = int(x[i] * 0.1 * 10000.0 + float(i) * 0.7 * 10000.0)


@wp.kernel
def ended_beyond_its_array(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """In float64 the sum is not absorbed, and the index is far away."""
    i = wp.tid()
    lost = int(((x[i] + 1.0e9) - 1.0e9) * 1.0e9)
    if lost % 64 == 0:
        out[i] = x[i]
    else:
        out[i] = x[i + 100000000]


@wp.kernel
def exact_integers(x: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = (x[i] * 7) ^ (x[i] >> 3)


@wp.kernel
def exact_doubles(x: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    out[i] = wp.sin(x[i]) * x[i]


@wp.kernel
def single_precision_noise(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.noise(wp.rand_init(3), x[i] * 5.3) + x[i]


@wp.kernel
def single_precision_bits(x: wp.array(dtype=float), out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = wp.cast(x[i], int)


@wp.func_native("return x * 0.5f + 1.0f;")
def halved(x: float) -> float: ...


@wp.kernel
def single_precision_snippet(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = halved(x[i])


@wp.func
def tenth(x: Any):
    return x * type(x)(0.1)


@wp.kernel
def single_precision_that_the_compiler_finds(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """The factor is rounded in one of two functions that would become one."""
    i = wp.tid()
    out[i] = tenth(x[i]) + float(tenth(wp.float64(x[i])))


PARTS = ["part_smooth", "part_mark"]

LAUNCH = {
    "stable_halves": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "stable_remainder": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "unstable_cancellation": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "unstable_bins": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "bins": {"role": "out", "shape": ["n"]},
        },
    },
    "ended_beyond_its_array": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "exact_doubles": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "single_precision_noise": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "single_precision_bits": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "single_precision_snippet": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "single_precision_that_the_compiler_finds": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "stable_overloads": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "stable_polynomial": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "stable_struct": {
        "sizes": {"rows": "(n + 2) // 3"},
        "dims": ["rows", 3],
        "parameters": {
            "wave.height": {"values": {"uniform": [0.5, 2.0]}},
            "wave.direction": {"values": {"uniform": [-1.0, 1.0]}},
            "wave.phases": {"shape": [3], "values": {"uniform": [0.0, 3.0]}},
            "grid": {"shape": ["rows", 3], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["rows", 3]},
        },
    },
    "stable_random_walk": {
        "dims": ["n"],
        "parameters": {
            "seed": {"values": {"integers": [0, 1000]}},
            "steps": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "stable_count": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "total": {"role": "inout", "shape": [1], "values": {"constant": 1}},
        },
    },
    "stable_tile_sum": {
        "dims": ["n"],
        "block_dim": 32,
        "equality": "bounded",
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "exact_integers": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-100, 100]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "stable_program": {
        "steps": [
            {
                "repeat": 2,
                "steps": [
                    {"kernel": "part_smooth", "dims": ["n"], "arguments": {"before": "u", "after": "v"}},
                    {"kernel": "part_smooth", "dims": ["n"], "arguments": {"before": "v", "after": "u"}},
                ],
            },
            {"zero": "total"},
            {"kernel": "part_mark", "dims": ["n"], "arguments": {}},
        ],
        "parameters": {
            "u": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "v": {"role": "out", "shape": ["n"]},
            "share": {"values": {"uniform": [0.2, 0.6]}},
            "total": {"role": "out", "shape": [1]},
        },
    },
}
