"""Scalars of every width as members, parameters, constants and components of compounds."""

import warp as wp


H = wp.constant(wp.float16(0.3))
K8 = wp.constant(wp.uint8(250))
D = wp.constant(wp.float64(0.1))
mat32h = wp.types.matrix(shape=(3, 2), dtype=wp.float16)


@wp.struct
class Everything:
    """A member of each kind."""

    a: wp.float16
    b: wp.bfloat16
    v: wp.vec3h
    n: wp.int8
    t: wp.transformh
    m: wp.mat33d
    f: wp.bool


@wp.func
def scaled(x: wp.float16, s: wp.float16 = wp.float16(2.0)):
    return x * s + H


@wp.kernel
def members_of_all_types(
    x: wp.array(dtype=wp.float16),
    p: Everything,
    s: wp.float16,
    u: wp.uint8,
    bb: wp.bfloat16,
    out: wp.array2d(dtype=float),
    q: wp.array(dtype=Everything),
):
    """Members, parameters, constants and defaults of halves, bytes and doubles."""
    i = wp.tid()
    r = Everything()
    r.a = scaled(x[i]) + scaled(x[i], s) + p.a
    r.b = p.b * bb
    r.v = p.v * r.a
    r.v[1] += r.a
    r.n = p.n + wp.int8(u)
    r.t = wp.transform_inverse(p.t)
    r.m = p.m * D
    r.f = not p.f or x[i] > s
    q[i] = r
    q[i].a += wp.float16(1.0)
    q[i].v[2] += s
    q[i].v += r.v
    q[i].m[1, 1] -= wp.float64(2.0)
    out[i, 0] = float(r.a) + float(r.b) + float(r.v[0])
    out[i, 1] = float(u + K8) + float(r.n)
    if r.f:
        out[i, 2] = float(r.m[0, 0])
    else:
        out[i, 2] = 2.0
    h = mat32h(wp.float16(1.0), s, s, x[i], x[i], x[i])
    g = h * wp.transpose(h)
    out[i, 3] = float(g[0, 1]) + float((wp.vec3h(s) * h)[1]) + float(wp.trace(g)) + float(wp.ddot(h, h))
    k = int(s) % 2
    out[i, 4] = float(g[k, k]) + float(g[k][1]) + float(wp.determinant(g))


@wp.kernel
def components_of_all_types(
    x: wp.array(dtype=wp.float64),
    b: wp.array(dtype=wp.bool),
    c: wp.array(dtype=wp.int8),
    o: wp.array2d(dtype=wp.float64),
    ob: wp.array(dtype=wp.bool),
    oc: wp.array(dtype=wp.vec4ub),
):
    """Matrices of doubles by row and by element, vectors of bytes, wide integers, booleans in arrays."""
    i = wp.tid()
    m = wp.mat44d()
    for r in range(4):
        m[r, r] = x[i] * wp.float64(r)
        m[r] = m[r] + wp.vec4d(x[i])
    m += wp.identity(n=4, dtype=wp.float64)
    inv = wp.inverse(m)
    o[i, 0] = wp.determinant(m) + inv[1, 2] + m[-1, -2] + m[i % 4][0]
    v = wp.vec4d(x[i], x[i], wp.float64(1.0), D)
    v[i % 4] *= wp.float64(2.0)
    o[i, 1] = wp.dot(m * v, v * m) + wp.length(wp.normalize(v))
    ob[i] = b[i] and not b[0]
    d = wp.vec4ub(wp.uint8(c[i]), wp.uint8(i), wp.uint8(300), wp.uint8(1))
    d[0] += wp.uint8(7)
    d = d + d
    oc[i] = d
    oc[i][1] += wp.uint8(250)
    w = -c[i] // wp.int8(3)
    w <<= wp.int8(2)
    w %= wp.int8(5)
    o[i, 2] = wp.float64(w) + wp.float64(c[i] * c[i])
    u = wp.uint64(i) * wp.uint64(12345678901234567)
    o[i, 3] = wp.float64(u >> wp.uint64(7)) + wp.float64(wp.int64(u)) + wp.float64(wp.float32(u))
    z = wp.quatd(x[i], D, D, D)
    z = wp.quat_inverse(z) * wp.normalize(z) + z * wp.float64(2.0)
    o[i, 4] = z[0] + z.w - z[-2]


LAUNCH = {
    "members_of_all_types": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "p": {
                "values": {
                    "members": {
                        "a": {"uniform": [0.0, 1.0]},
                        "b": {"uniform": [0.0, 1.0]},
                        "v": {"uniform": [0.0, 1.0]},
                        "n": {"integers": [-5, 5]},
                        "t": {"uniform": [0.0, 1.0]},
                        "m": {"uniform": [0.0, 1.0]},
                        "f": {"integers": [0, 2]},
                    }
                }
            },
            "s": {"values": {"uniform": [0.0, 1.0]}},
            "u": {"values": {"integers": [0, 255]}},
            "bb": {"values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 5]},
            "q": {"role": "out", "shape": ["n"]},
        },
    },
    "components_of_all_types": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "b": {"shape": ["n"], "values": {"integers": [0, 2]}},
            "c": {"shape": ["n"], "values": {"integers": [-120, 120]}},
            "o": {"role": "out", "shape": ["n", 5]},
            "ob": {"role": "out", "shape": ["n"]},
            "oc": {"role": "out", "shape": ["n"]},
        },
    },
}


@wp.struct
class Costs:
    """No padding: it is listed before a struct that has some."""

    near: float
    far: float


@wp.struct
class Weights:
    """Padding before the doubles."""

    first: float
    exact: wp.float64


@wp.kernel
def padded_after_unpadded(
    costs: Costs, weights: Weights, limit: int, x: wp.array(dtype=float), out: wp.array(dtype=float)
):
    """Structs of both kinds among the values that an array file may replace."""
    i = wp.tid()
    out[i] = x[i] * costs.near - costs.far * weights.first + float(weights.exact) + float(limit)


@wp.kernel
def members_of_rows(values: wp.array(dtype=wp.mat33), heads: wp.array(dtype=float)):
    """Components of a row by name: read of a variable, written and added to in an array."""
    i = wp.tid()
    m = values[i]
    values[i][2].z = 3.0
    values[i][1].y += 2.0
    values[i][i % 3].x = 5.0
    heads[i] = m[0].y - m[i % 3].z
