"""What Python knows when a kernel is made: constants, enums, wp.static, functions made by functions.

Every kernel has the same parameters: `x` and `k` to read, `out` to write.
"""

import enum
import math
import warp as wp


class Mode(enum.IntEnum):
    A = 2
    B = 5


class Flags(enum.IntFlag):
    P = 1
    Q = 4


TABLE = [1.5, 2.5, 3.5, 4.5]
NESTED = [[1, 2], [3, 4]]
OFFSET = wp.vec3(1.0, -2.0, 0.25)
M = wp.mat22(1.0, 2.0, 3.0, 4.0)
BIG = wp.constant(wp.int64(1 << 40))


@wp.struct
class P:
    v: wp.vec3
    a: float


@wp.func
def sq(a: float):
    return a * a


@wp.func
def cube(a: float):
    return a * a * a


FUNCS = {"sq": sq, "cube": cube}
FL = [sq, cube]


def make(n, f):
    @wp.func
    def inner(a: float):
        r = float(0.0)
        for i in range(wp.static(n)):
            r += f(a) * float(i)
        return r

    return inner


inner3 = make(3, sq)
inner4 = make(20, cube)


@wp.kernel
def statics(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Values, functions and conditions that Python decides."""
    t = wp.tid()
    r = float(0.0)
    for i in range(wp.static(len(TABLE))):
        r += x[t]
    if wp.static(len(TABLE) > 3):
        r += 1.0
    else:
        r += undefined_thing(x)
    f = wp.static(FUNCS["sq"])
    out[t, 0] = r + f(x[t]) + wp.static(FUNCS["cube"])(x[t])
    out[t, 1] = inner3(x[t]) + inner4(x[t])
    out[t, 2] = float(wp.static(NESTED[1][0])) + wp.static(wp.vec3(1.0, 2.0, 3.0))[1]
    out[t, 3] = math.pi + float(Mode.A) + float(Flags.P | Flags.Q) + wp.pi * float(Mode.B.value) + float(k[t])


@wp.kernel
def static_loop(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """wp.static has another value in each iteration."""
    t = wp.tid()
    r = float(0.0)
    for i in range(4):
        r += x[t] * wp.static(TABLE[i])
    for i in range(2):
        for j in range(2):
            out[t, 2 * i + j] = r + float(wp.static(NESTED[i][j]) + k[t])


@wp.kernel
def constants(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Captured numbers, vectors and matrices, by component; booleans as values."""
    t = wp.tid()
    y = float(3.0)

    if k[t] > 3:
        pass
    z = OFFSET.x + OFFSET[2] * y + OFFSET[k[t] % 3] + M[1, 0] + M[1][1]
    out[t, 0] = z + wp.min(x[t], wp.inf) + wp.where(x[t] > wp.NAN, 1.0, 2.0)
    out[t, 1] = float(wp.int64(k[t]) + BIG) + float(not k[t] > 2) + float(~k[t])
    b = k[t] > 2 and x[t] > 0.0
    b = not b or k[t] == 4
    out[t, 2] = wp.where(b == (k[t] > 1), 1.0, 0.0) + abs(x[t]) + max(x[t], 0.5) + float(int(x[t]))
    out[t, 3] = (
        wp.where(wp.vec2(x[t], 1.0) == wp.vec2(x[t], 1.0), x[t] ** 2.0, 0.0)
        + float(bool(k[t]))
        + float(len(x))
    )


@wp.kernel
def structs(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Structs are values: copies do not change with their origin."""
    t = wp.tid()
    p = P()
    p.v = OFFSET
    p.a = x[t]
    q = p
    if k[t] > 4:
        q.a = 7.0
        p = q
    p.v *= 2.0
    p.v[0] -= 1.0
    p.a /= 3.0
    r = P(v=wp.vec3(x[t]), a=1.0)
    out[t, 0] = p.a + q.v[0] + p.v[0]
    r.a += p.a if k[t] > 2 else q.a
    out[t, 1] = r.a + r.v[1]
    s = wp.where(k[t] > 3, p, r)
    out[t, 2] = s.a
    out[t, 3] = wp.dot(s.v, OFFSET)


LAUNCH = {
    "statics": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "static_loop": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "constants": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "structs": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
