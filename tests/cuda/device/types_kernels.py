"""Every type in every place: construction, components, operators and comparisons that a naive translation misses.

The launch descriptions at the end give most kernels the same parameters: `x` to read, `out` to write.
"""

import warp as wp

vec5 = wp.types.vector(length=5, dtype=wp.float32)
vec6i = wp.types.vector(length=6, dtype=wp.int32)
vec33 = wp.types.vector(length=33, dtype=wp.float32)
vec3l = wp.types.vector(length=3, dtype=wp.int64)
vec2b = wp.types.vector(length=2, dtype=wp.bool)
mat23 = wp.types.matrix(shape=(2, 3), dtype=wp.float32)
mat32d = wp.types.matrix(shape=(3, 2), dtype=wp.float64)
mat33i = wp.types.matrix(shape=(3, 3), dtype=wp.int32)
mat66 = wp.types.matrix(shape=(6, 6), dtype=wp.float32)


@wp.kernel
def transform_components(x: wp.array(dtype=wp.transform), out: wp.array2d(dtype=float)):
    """A transform is indexed as seven numbers, from either end, by numbers known and not known."""
    i = wp.tid()
    t = x[i]
    for k in range(7):
        out[i, k] = t[k] + t[-1 - k]
    k = i % 7
    t[k] = 5.0
    t[2] = t[0] + t[-1]
    out[i, 7] = t[k] + t[2]
    t.p = t.p + wp.vec3(1.0, 2.0, 3.0)
    t.q = wp.quat(t.q[3], t.q[2], t.q[1], t.q[0])
    out[i, 8] = t.p[1] + t.q[0] + t.q.w + t.p.z
    t[4] = 9.0
    out[i, 9] = t[0] + t[4] + float(len(t))
    out[i, 10] = x[i].p[0] + x[i].q[3] + x[i][2]


@wp.kernel
def quaternion_components(x: wp.array(dtype=wp.quat), out: wp.array2d(dtype=float)):
    """Quaternions are read and written by name and by number, in an array too."""
    i = wp.tid()
    q = x[i]
    k = i % 4
    q[k] = q[k] + 2.0
    q.x = 3.0
    q[-1] = q[1] * 2.0
    out[i, 0] = q[0] + q[1]
    out[i, 1] = q.z + q.w
    out[i, 2] = q[k] + q[-k - 1]
    q += wp.quat(1.0, 2.0, 3.0, 4.0)
    q *= 2.0
    q -= x[i] / 4.0
    out[i, 3] = q[3] + q[2]


@wp.kernel
def component_types(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Constructors take components, one value, a value of another scalar type, parts, or nothing."""
    i = wp.tid()
    a = vec5(x[i], 1.0, 2.0, 3.0, 4.0)
    b = vec5(x[i])
    c = vec5()
    d = wp.vec3d(wp.vec3(x[i], 0.1, 0.2))
    e = wp.vec3i(wp.vec3(x[i], 2.9, -2.9))
    f = mat23(x[i], 1.0, 2.0, 3.0, 4.0, 5.0)
    g = mat32d(wp.float64(x[i]))
    h = wp.mat33d(wp.mat33(x[i], 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0))
    q = wp.quatd(wp.quat(x[i], 0.1, 0.2, 0.3))
    t = wp.transform(x[i], 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    out[i, 0] = a[0] + b[4] + c[2] + float(d[1]) + float(e[1] + e[2])
    out[i, 1] = f[1, 2] + float(g[2, 1]) + float(h[0, 0] + h[2, 1])
    out[i, 2] = float(q[1]) + t[6] + wp.quat(wp.vec3(1.0, 2.0, 3.0), x[i])[3]
    out[i, 3] = wp.transform(wp.vec3(x[i]), wp.quat_identity())[6]
    s = wp.spatial_matrix()
    s[1, 2] = x[i]
    v = s * wp.spatial_vector(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    out[i, 4] = v[1] + wp.identity(n=6, dtype=float)[3, 3] + wp.identity(n=4, dtype=float)[0, 1]
    w = vec33(x[i])
    w[32] = 2.0
    w[i % 33] += 1.0
    out[i, 5] = wp.dot(w, w) + wp.length(w)


@wp.kernel
def comparisons(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3), out: wp.array2d(dtype=int)):
    """Vectors and matrices are equal where all components are."""
    i = wp.tid()
    m = wp.outer(x[i], y[i])
    n = wp.outer(y[i], x[i])
    out[i, 0] = wp.where(x[i] == y[i], 1, 0)
    out[i, 1] = wp.where(m == wp.transpose(n), 1, 0)
    a = vec6i(i)
    b = vec6i(7)
    out[i, 2] = wp.where(a == b, 1, 0)
    if x[i] == wp.vec3(1.0, 2.0, 3.0) or not (m == n):
        out[i, 3] = 5


@wp.kernel
def integer_vectors(x: wp.array(dtype=wp.vec3i), y: wp.array(dtype=wp.vec3i), out: wp.array2d(dtype=int)):
    """Vectors of integers divide towards zero, and have remainders, bits and shifts."""
    i = wp.tid()
    a = x[i]
    b = y[i]
    c = wp.cw_div(a, b) + a % b
    d = (a & b) | (a ^ b)
    e = (a << wp.vec3i(1, 2, 3)) >> wp.vec3i(1, 1, 1)
    f = ~a - b
    for k in range(3):
        out[i, k] = c[k] + d[k]
        out[i, 3 + k] = e[k] + f[k] * wp.dot(a, b)
    g = a / 3
    h = -a * 2
    h += b
    out[i, 6] = g[0] + h[1] + wp.min(a, b)[2] + wp.max(a)
    m = mat33i(1, 2, 3, 4, 5, 6, 7, 8, 9)
    out[i, 7] = (m * a)[1] + (a * m)[2] + wp.trace(m * m) + wp.ddot(m, wp.transpose(m))
    out[i, 8] = int(wp.argmin(a)) + int(wp.argmax(b)) + wp.length_sq(a)


@wp.kernel
def narrow_vectors(x: wp.array(dtype=wp.vec3ub), out: wp.array2d(dtype=int)):
    """Vectors of bytes wrap around in every operation."""
    i = wp.tid()
    a = x[i]
    b = a + wp.vec3ub(wp.uint8(200))
    c = a * wp.uint8(3)
    b -= c
    d = -a
    e = vec3l(a)
    for k in range(3):
        out[i, k] = int(b[k]) * 256 + int(c[k])
        out[i, 3 + k] = int(d[k]) + int(e[k])
    out[i, 6] = int(wp.dot(a, a)) + int(wp.min(a)) + int((a << wp.vec3ub(wp.uint8(3)))[0])
    f = vec2b(i % 2 == 0, True)
    out[i, 7] = wp.where(f[0] and f[1], 1, 2)


@wp.kernel
def orders(x: wp.array(dtype=wp.vec3), out: wp.array2d(dtype=float)):
    """The order of factors: scalar and vector, matrix and vector, vector and matrix."""
    i = wp.tid()
    v = x[i]
    m = wp.mat33(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.5)
    n = mat23(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    a = 2.0 * v - v * 3.0 + 6.0 / v
    b = m * v - v * m
    c = n * v
    d = wp.vec2(v[0], v[1]) * n
    e = 2.0 * m - m / v[0]
    f = n * wp.transpose(n)
    m *= m
    for k in range(3):
        out[i, k] = a[k] + b[k]
        out[i, 3 + k] = d[k] + e[k, 1]
    out[i, 6] = c[0] + f[0, 1] + m[2, 2] + (-m)[0, 0] + (+v)[1]
    out[i, 7] = wp.max(wp.abs(v)) + wp.min(v) + wp.sign(v)[1]


@wp.kernel
def double_quaternions(x: wp.array(dtype=wp.quatd), out: wp.array2d(dtype=wp.float64)):
    """Quaternions and transforms of doubles."""
    i = wp.tid()
    q = wp.normalize(x[i])
    v = wp.quat_rotate(q, wp.vec3d(wp.float64(1.0), wp.float64(2.0), wp.float64(3.0)))
    t = wp.transformd(v, q)
    u = wp.transform_inverse(t) * t
    m = wp.quat_to_matrix(q)
    for k in range(3):
        out[i, k] = v[k] + u.p[k]
        out[i, 3 + k] = m[k, 1] + wp.transform_point(t, v)[k]
    out[i, 6] = wp.quat_slerp(q, u.q, wp.float64(0.25))[0] + wp.dot(q, q)


@wp.kernel
def half_values(x: wp.array(dtype=wp.float16), y: wp.array(dtype=wp.bfloat16), out: wp.array2d(dtype=float)):
    """Halves are rounded after every operation; literals and conversions go by way of float."""
    i = wp.tid()
    a = x[i]
    b = y[i]
    c = a * wp.float16(0.1) + wp.float16(2.0)
    d = b / wp.bfloat16(3.0) - wp.bfloat16(a)
    e = wp.vec3h(a, c, wp.float16(1.0))
    out[i, 0] = float(c) + float(wp.dot(e, e))
    out[i, 1] = float(d) + float(-b) + float(wp.float16(b))
    out[i, 2] = float(wp.sin(a)) + float(wp.sqrt(wp.abs(b))) + float(wp.int32(a * wp.float16(100.0)))
    out[i, 3] = float(wp.normalize(e)[1]) + float((wp.mat22h(a, c, a, c) * wp.vec2h(a, c))[0])
    if a > c or b <= wp.bfloat16(0.5) or a == wp.float16(0.0):
        out[i, 4] = float(wp.max(a, c)) + float(wp.float64(a)) + float(wp.clamp(b, b, wp.bfloat16(1.0)))
    a += c
    a *= wp.float16(1.5)
    e = -e + e * a
    out[i, 5] = float(a) + float(e[0]) + float(wp.float16(i * 1000)) + float(wp.bfloat16(16777217))


@wp.kernel
def half_arrays(x: wp.array(dtype=wp.vec2h), out: wp.array(dtype=wp.vec2h), b: wp.array(dtype=wp.bfloat16)):
    """Augmented assignment of halves in arrays is atomic, component by component."""
    i = wp.tid()
    out[i] = x[i]
    out[i] += wp.vec2h(wp.float16(0.25), wp.float16(1.0))
    out[i][1] -= x[i][0]
    b[i] = wp.bfloat16(x[i][0])
    b[i] += wp.bfloat16(3.0)
    old = wp.atomic_max(b, i, wp.bfloat16(3.5))
    wp.atomic_add(out, i, wp.vec2h(wp.float16(old)))


@wp.kernel
def atomic_values(
    x: wp.array(dtype=wp.vec3),
    out: wp.array2d(dtype=float),
    m: wp.array(dtype=wp.mat22),
    t: wp.array(dtype=wp.transform),
):
    """Atomics on compounds give back the old value; on components and members they are atomics of scalars."""
    i = wp.tid()
    m[i] = wp.mat22(1.0, 2.0, 3.0, 4.0)
    t[i] = wp.transform(x[i], wp.quat(1.0, 2.0, 3.0, 4.0))
    old = wp.atomic_add(m, i, wp.mat22(x[i][0]))
    out[i, 0] = old[1, 1] + wp.atomic_max(m, i, wp.mat22(2.5))[0, 1]
    m[i][1, 0] += 4.0
    m[i][0] -= wp.vec2(1.0, 2.0)
    m[i] -= wp.mat22(0.5)
    t[i] += wp.transform(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    t[i].p += wp.vec3(1.0, 1.0, 1.0)
    t[i].q[2] -= 3.0
    out[i, 1] = wp.atomic_sub(t, i, wp.transform(x[i], wp.quat_identity()))[1]


def _made(length: int):
    Components = wp.types.vector(length=length, dtype=float)

    @wp.struct
    class Weighted:
        parts: Components
        weight: int

    @wp.func
    def weigh(item: Weighted):
        total = float(0.0)
        for part in range(length):
            total += item.parts[part]
        return total * float(item.weight)

    return Weighted, weigh


Pair, weigh_pair = _made(2)
Quintet, weigh_quintet = _made(5)


@wp.kernel
def structs_of_factories(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Two structs of one name, whose members have types that only their maker can name."""
    i = wp.tid()
    pair = Pair()
    pair.parts = wp.vec2(x[i], 1.0)
    pair.weight = 2
    quintet = Quintet()
    quintet.parts[4] = x[i]
    quintet.weight = 3
    out[i, 0] = weigh_pair(pair)
    out[i, 1] = weigh_quintet(quintet)


LAUNCH = {
    "structs_of_factories": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", "2"]},
        },
    },
    "transform_components": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n", 11]},
        },
    },
    "quaternion_components": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "component_types": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n", 6]},
        },
    },
    "comparisons": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [1, 4]}},
            "y": {"shape": ["n"], "values": {"integers": [1, 4]}},
            "out": {"role": "inout", "shape": ["n", 4], "values": {"integers": [0, 9]}},
        },
    },
    "integer_vectors": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-40, 41]}},
            "y": {"shape": ["n"], "values": {"integers": [1, 9]}},
            "out": {"role": "out", "shape": ["n", 9]},
        },
    },
    "narrow_vectors": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 256]}},
            "out": {"role": "out", "shape": ["n", 8]},
        },
    },
    "orders": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n", 8]},
        },
    },
    "double_quaternions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n", 7]},
        },
    },
    "half_values": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "inout", "shape": ["n", 6], "values": {"integers": [0, 9]}},
        },
    },
    "half_arrays": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n"]},
            "b": {"role": "out", "shape": ["n"]},
        },
    },
    "atomic_values": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n", 2]},
            "m": {"role": "out", "shape": ["n"]},
            "t": {"role": "out", "shape": ["n"]},
        },
    },
}
