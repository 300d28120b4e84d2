"""Values, copies of them, and functions that take and give them."""

from typing import Any

import warp as wp


@wp.struct
class Particle:
    """A point with a velocity."""

    position: wp.vec3
    velocity: wp.vec3
    kind: int


@wp.kernel
def value_copies(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=Particle), out: wp.array2d(dtype=float)):
    """Vectors and structs are values: changing a copy changes nothing else."""
    i = wp.tid()
    a = x[i]
    b = a
    b[0] = 9.0
    b[1] += 2.0
    p = y[i]
    q = p
    q.position = q.position + wp.vec3(1.0, 1.0, 1.0)
    q.kind += 3
    q.velocity[2] = 4.0
    out[i, 0] = a[0] + b[0] + b.y
    out[i, 1] = p.position[0] + q.position[0] + p.velocity[2] + q.velocity[2]
    out[i, 2] = float(p.kind + q.kind + y[i].kind)
    out[i, 3] = x[i][0] + y[i].velocity.z


@wp.kernel
def stores_in_place(y: wp.array(dtype=Particle), v: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat33)):
    """Members and components of array elements are written where they are."""
    i = wp.tid()
    y[i].kind = i * 2
    y[i].velocity[1] = 0.5
    y[i].position += wp.vec3(1.0, 2.0, 3.0)
    y[i].position.x -= 0.25
    v[i][0] = 7.0
    v[i].y += 1.5
    m[i][0, 1] = 3.0
    m[i][1, 2] += 4.0
    m[i][2][0] = 5.0


@wp.func
def change_arguments(v: wp.vec3, p: Particle, n: int):
    """Parameters are values too."""
    v[0] = v[0] + 1.0
    p.kind = p.kind + n
    n = n * 2
    return v[0] + float(p.kind) + float(n)


@wp.kernel
def by_value(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=Particle), out: wp.array2d(dtype=float)):
    """A function cannot change its caller's variables."""
    i = wp.tid()
    a = x[i]
    p = y[i]
    n = int(3)
    out[i, 0] = change_arguments(a, p, n)
    out[i, 1] = a[0]
    out[i, 2] = float(p.kind)
    out[i, 3] = float(n)


@wp.func
def polar(x: float, y: float):
    """Length and angle."""
    radius = wp.sqrt(x * x + y * y)
    angle = wp.atan2(y, x)
    return radius, angle


@wp.func
def smallest(values: wp.array2d(dtype=float), row: int, start: int):
    """The least value of a row from a column on, and where it is."""
    best = float(1.0e30)
    where = int(-1)
    for j in range(start, values.shape[1]):
        if values[row, j] < best:
            best = values[row, j]
            where = j
    if where < 0:
        return 0.0, start
    return best, where


@wp.func
def generic_blend(a: Any, b: Any, t: float = 0.25):
    """A generic function with a default."""
    return a * (1.0 - t) + b * t


@wp.kernel
def user_functions(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Several results, early returns, array parameters, generics and defaults."""
    i = wp.tid()
    r, angle = polar(x[i, 0], x[i, 1])
    best, at = smallest(x, i, 1)
    out[i, 0] = r + angle
    out[i, 1] = best + float(at)
    best, at = smallest(x, i, 4)
    r, unused = polar(r, best)
    out[i, 2] = r + float(at)
    v = generic_blend(wp.vec2(x[i, 0], x[i, 1]), wp.vec2(1.0, 2.0))
    out[i, 3] = generic_blend(x[i, 2], x[i, 3], t=0.5) + v[0] * v[1]


@wp.kernel
def draws(seed: int, out: wp.array2d(dtype=float)):
    """Random numbers are drawn from left to right, whatever the expression."""
    i = wp.tid()
    state = wp.rand_init(seed, i)
    v = wp.vec3(wp.randf(state), wp.randf(state, -1.0, 1.0), wp.randn(state))
    out[i, 0] = v[0] + v[1] * v[2]
    out[i, 1] = wp.randf(state) - wp.randf(state) * 2.0
    out[i, 2] = float(wp.randi(state, -3, 9)) + float(wp.randi(state) % 7)
    s = wp.sample_unit_sphere(state)
    d = wp.sample_unit_disk(state)
    w = wp.where(wp.randf(state) < 0.5, wp.randf(state), wp.randf(state) + 10.0)
    out[i, 3] = s[0] + s[1] * d[0] + d[1] * s[2] + w + wp.sample_unit_cube(state)[2]


@wp.kernel
def names(int2: wp.array(dtype=float), class_: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Names that C++ and CUDA claim."""
    threadIdx = wp.tid()
    length = wp.length(wp.vec2(int2[threadIdx], 1.0))
    dot = wp.dot(wp.vec2(length, 1.0), wp.vec2(2.0, 3.0))
    double = dot + class_[threadIdx]
    template = wp.sin(double)
    sinf = wp.cos(template) + wp.sin(length)
    y1 = sinf + 1.0
    out[threadIdx, 0] = double
    out[threadIdx, 1] = template
    out[threadIdx, 2] = sinf
    out[threadIdx, 3] = y1


@wp.struct
class SumsResult:
    """A struct with the name that the results of `sums` would get, and a member with that of its type."""

    a: float
    float2: wp.vec2


@wp.func
def sums(a: Any, b: Any):
    """Sum and difference."""
    c = a + b
    d = a - b
    return c, d


@wp.kernel
def result_structs(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Each instance of a generic function has a struct of results; a variable may be named `result`."""
    i = wp.tid()
    own = SumsResult()
    own.a = x[i]
    own.float2 = wp.vec2(x[i], 2.0)
    result = float(2.0)
    result, other = sums(own.float2[1], own.a)
    total, difference = sums(i, 3)
    v, w = sums(wp.vec2(other, 1.0), wp.vec2(3.0, result))
    out[i, 0] = result
    out[i, 1] = other
    out[i, 2] = float(total * difference)
    out[i, 3] = v[0] * w[1]
    result, other = sums(other, result)
    out[i, 0] += result


@wp.kernel
def zeros(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Of two zeros, min and max give the first; of a NaN and a number, the number."""
    i = wp.tid()
    z = x[i] * 0.0
    infinity = wp.exp(x[i] + 1000.0)
    nan = infinity - infinity
    out[i, 0] = wp.max(z, 0.0)
    out[i, 1] = wp.min(0.0, z)
    out[i, 2] = wp.clamp(z, 0.0, 1.0) + wp.max(nan, x[i]) + wp.min(x[i], nan)
    out[i, 3] = wp.max(wp.vec2(z, nan), wp.vec2(0.0, x[i]))[0]


LAUNCH = {
    "value_copies": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {
                "shape": ["n"],
                "values": {
                    "members": {
                        "position": {"uniform": [-1.0, 1.0]},
                        "velocity": {"uniform": [-1.0, 1.0]},
                        "kind": {"integers": [0, 5]},
                    }
                },
            },
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "stores_in_place": {
        "dims": ["n"],
        "parameters": {
            "y": {
                "shape": ["n"],
                "values": {
                    "members": {
                        "position": {"uniform": [-1.0, 1.0]},
                        "velocity": {"uniform": [-1.0, 1.0]},
                        "kind": {"integers": [0, 5]},
                    }
                },
                "role": "inout",
            },
            "v": {"role": "inout", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "m": {"role": "inout", "shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
        },
    },
    "by_value": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {
                "shape": ["n"],
                "values": {
                    "members": {
                        "position": {"uniform": [-1.0, 1.0]},
                        "velocity": {"uniform": [-1.0, 1.0]},
                        "kind": {"integers": [0, 5]},
                    }
                },
            },
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "user_functions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n", 4], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "draws": {
        "dims": ["n"],
        "parameters": {
            "seed": {"values": {"integers": [0, 1000]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "names": {
        "dims": ["n"],
        "parameters": {
            "int2": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "class_": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "result_structs": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "zeros": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-2, 3]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
