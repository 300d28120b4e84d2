"""What the programs of `programs.cu` claim to compute."""

import warp as wp


@wp.struct
class Sphere:
    center: wp.vec3
    radius: float


@wp.kernel
def row_sums(x: wp.array2d(dtype=float), sums: wp.array(dtype=float), cols: int):
    row = wp.tid()
    total = float(0.0)  # noqa: UP018  (a variable, in Warp)
    for col in range(cols):
        total = total + x[row, col]
    sums[row] = total


@wp.kernel
def unit(v: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = v[i] / wp.length(v[i])


@wp.kernel
def softplus(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.log(1.0 + wp.exp(x[i]))


@wp.kernel
def polynomial(x: wp.array(dtype=float), out: wp.array(dtype=float), scale: float):
    i = wp.tid()
    y = x[i] / scale
    out[i] = 0.7 + y * (1.3 - y * (0.4 + y * (0.11 - 0.03 * y)))


@wp.kernel
def largest(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_max(out, 0, x[i])


@wp.kernel
def count(x: wp.array(dtype=int), bins: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_add(bins, x[i], 1)


@wp.kernel
def keep(x: wp.array(dtype=float), kept: wp.array(dtype=float), number: wp.array(dtype=int)):
    i = wp.tid()
    if x[i] > 0.5:
        place = wp.atomic_add(number, 0, 1)
        kept[place] = 3.0 * x[i] * x[i] + x[i]


@wp.kernel
def mean64(x: wp.array2d(dtype=wp.float64), means: wp.array(dtype=wp.float64), cols: int):
    row = wp.tid()
    total = wp.float64(0.0)
    for col in range(cols):
        total = total + wp.exp(x[row, col])
    means[row] = total / wp.float64(cols)


@wp.kernel
def dot64(
    x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), dots: wp.array(dtype=wp.float64), rows: int
):
    col = wp.tid()
    total = wp.float64(0.0)
    for row in range(rows):
        square = wp.float64(y[row, col]) * wp.float64(y[row, col])
        total += square * wp.float64(x[row, col])
    dots[col] = total


@wp.kernel
def standardize(x: wp.array(dtype=float), mean: float, deviation: float, out: wp.array(dtype=wp.float16)):
    i = wp.tid()
    out[i] = wp.float16((x[i] - mean) / deviation)


@wp.kernel
def noise(seed: int, deviation: float, out: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    out[i] = deviation * wp.randn(state)


@wp.kernel
def transpose(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    out[j, i] = x[i, j]


@wp.kernel
def blur(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float), rows: int, cols: int):
    i, j = wp.tid()
    up = x[wp.max(i - 1, 0), j]
    down = x[wp.min(i + 1, rows - 1), j]
    left = x[i, wp.max(j - 1, 0)]
    right = x[i, wp.min(j + 1, cols - 1)]
    out[i, j] = 0.5 * x[i, j] + (up + down + left + right) / 8.0


@wp.kernel
def total(x: wp.array(dtype=float), y: wp.array(dtype=float), sum: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(sum, 0, x[i] * y[i])


@wp.kernel
def distance(points: wp.array(dtype=wp.vec3), sphere: Sphere, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.length(points[i] - sphere.center) - sphere.radius


@wp.kernel
def mixed(a: wp.array(dtype=wp.float16), b: wp.array(dtype=wp.float16), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = float(a[i]) * float(b[i]) + 0.3 * float(a[i])


@wp.kernel
def growth(x: wp.array(dtype=float), out: wp.array(dtype=float), rate: float):
    i = wp.tid()
    out[i] = rate * wp.exp(x[i])


@wp.kernel
def row_places(x: wp.array2d(dtype=float), places: wp.array(dtype=int)):
    row = wp.tid()
    values = wp.tile_load(x[row], shape=64)
    wp.tile_store(places, wp.tile_argmax(values), offset=row)


@wp.func
def roughness(x: wp.array2d(dtype=int), row: int) -> int:
    total = int(0)  # noqa: RUF046, UP018
    for k in range(15):
        step = x[row, k + 1] - x[row, k]
        total += step * step
    return total


@wp.kernel
def peaks(x: wp.array2d(dtype=int), marks: wp.array(dtype=int)):
    row = wp.tid()
    here = roughness(x, row)
    above = roughness(x, wp.max(row - 1, 0))
    below = roughness(x, wp.min(row + 1, x.shape[0] - 1))
    first = above < here or row == 0
    marks[row] = wp.where(here > 40000 and first and below <= here, 1, 0)


LAUNCH = {
    "row_sums": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n", 257], "values": {"uniform": [-1.0, 1.0]}},
            "sums": {"role": "out", "shape": ["n"]},
            "cols": {"values": {"constant": 257}},
        },
    },
    "unit": {
        "dims": ["n"],
        "parameters": {
            "v": {"shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "softplus": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-4.0, 4.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "polynomial": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
            "scale": {"values": {"uniform": [1.5, 3.0]}},
        },
    },
    "largest": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "inout", "shape": [1], "values": {"constant": -2.0}},
        },
    },
    "count": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "bins": {"role": "inout", "shape": [10], "values": {"constant": 0}},
        },
    },
    "keep": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "kept": {"role": "inout", "shape": ["n"], "values": {"constant": 0.0}},
            "number": {"role": "inout", "shape": [1], "values": {"constant": 0}},
        },
        "equality": "permutation",
    },
    "mean64": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n", 40], "values": {"uniform": [-1.0, 1.0]}},
            "means": {"role": "out", "shape": ["n"]},
            "cols": {"values": {"constant": 40}},
        },
    },
    "dot64": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": [40, "n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": [40, "n"], "values": {"uniform": [0.5, 1.5]}},
            "dots": {"role": "out", "shape": ["n"]},
            "rows": {"values": {"constant": 40}},
        },
    },
    "standardize": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "mean": {"values": {"uniform": [0.4, 0.5]}},
            "deviation": {"values": {"uniform": [0.2, 0.25]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "noise": {
        "dims": ["n"],
        "parameters": {
            "seed": {"values": {"integers": [1, 1000]}},
            "deviation": {"values": {"uniform": [0.5, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "transpose": {
        "sizes": {"rows": "(n + 2) // 3"},
        "dims": ["rows", 7],
        "parameters": {
            "x": {"shape": ["rows", 7], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": [7, "rows"]},
        },
    },
    "blur": {
        "sizes": {"rows": "(n + 2) // 3"},
        "dims": ["rows", 33],
        "parameters": {
            "x": {"shape": ["rows", 33], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["rows", 33]},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"constant": 33}},
        },
    },
    "total": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "sum": {"role": "inout", "shape": [1], "values": {"constant": 0.0}},
        },
        "equality": "bounded",
    },
    "distance": {
        "dims": ["n"],
        "parameters": {
            "points": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "sphere": {"values": {"uniform": [0.1, 0.5]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "mixed": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "growth": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [20.0, 60.0]}},
            "out": {"role": "out", "shape": ["n"]},
            "rate": {"values": {"uniform": [1.0, 1.2]}},
        },
    },
    "row_places": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"uniform": [-1.0, 1.0]}},
            "places": {"role": "out", "shape": ["n"]},
        },
    },
    "peaks": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n", 16], "values": {"integers": [0, 100]}},
            "marks": {"role": "out", "shape": ["n"]},
        },
    },
}
