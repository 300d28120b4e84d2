"""Vectors, matrices and structs in statements that a naive translation gets wrong, each as its docstring says.

Every kernel has the same parameters: `x` and `k` to read, `out` to write.
"""

import warp as wp

AXIS = wp.vec3(0.0, 1.0, 0.5)
FRAME = wp.mat22(1.0, 2.0, 3.0, 4.0)
SETTING = wp.constant(2.5)


@wp.struct
class Inner:
    """Held by another struct."""

    v: wp.vec3
    m: wp.mat22
    n: int


@wp.struct
class Outer:
    """Holds another struct."""

    inner: Inner
    scale: float


@wp.kernel
def slices_read(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Slices with open, negative and stepped bounds, of vectors and of both axes of matrices."""
    t = wp.tid()
    v = wp.vec4(x[t], 1.0, 2.0, 3.0)
    m = wp.matrix(shape=(3, 4), dtype=float)
    for i in range(3):
        for j in range(4):
            m[i, j] = x[t] + float(10 * i + j)
    a = v[1:3]
    b = v[::-1]
    c = m[1, 1:]
    d = m[:, -1]
    e = m[0:2, 1:3]
    f = m[1:]
    g = m[k[t] % 3, :2]
    h = v[-3:]
    out[t, 0] = a[0] * 10.0 + a[1] + b[0] * 100.0 + b[3]
    out[t, 1] = c[0] + c[2] * 2.0 + d[0] + d[2] * 3.0
    out[t, 2] = e[0, 1] + e[1, 0] * 5.0 + f[1, 3]
    out[t, 3] = g[1] + h[0]


@wp.kernel
def slices_written(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """The right side is read before the left is written, also where they overlap."""
    t = wp.tid()
    v = wp.vec4(x[t], 1.0, 2.0, 3.0)
    v[1:4] = v[0:3]
    out[t, 0] = v[0] + 10.0 * v[1] + 100.0 * v[2] + 1000.0 * v[3]
    w = v[1:3]
    w[0:2] += wp.vec2(1.0, x[t])
    v[0:2] = w
    v[2:] = wp.vec2(x[t], 5.0)
    out[t, 1] = v[0] + 10.0 * v[1] + 100.0 * v[2] + 1000.0 * v[3]
    m = wp.mat33(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)
    m[:, 2] = wp.vec3(x[t], 1.0, 2.0)
    frame = wp.mat22(1.0, 2.0, 3.0, x[t])
    m[0:2, 0:2] = frame
    m[2] = m[0]
    m[1] += wp.vec3(1.0, x[t], 3.0)
    out[t, 2] = m[0, 2] + m[1, 1] + m[2, 0] * 3.0
    out[t, 3] = m[1, 2] * x[t] + m[1, 0] + float(k[t])


@wp.kernel
def components_by_index(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Indices of components may be variable and negative; writes go to the one place."""
    t = wp.tid()
    v = wp.vec3(x[t], 1.0, 2.0)
    i = k[t] % 3
    v[i] = 5.0
    v[i - 3] += 1.0
    v[-1] = v[-1] * 2.0
    m = wp.mat22(x[t], 1.0, 2.0, 3.0)
    m[k[t] % 2, -1] = 7.0
    m[-1, k[t] % 2 - 2] += 0.5
    w = wp.vector(length=6, dtype=float)
    w[k[t] % 6] = x[t]
    w[-2] -= 1.0
    out[t, 0] = v[0] + 10.0 * v[1] + 100.0 * v[2]
    out[t, 1] = m[0, 0] + 10.0 * m[0, 1] + 100.0 * m[1, 0] + 1000.0 * m[1, 1]
    out[t, 2] = w[0] + 10.0 * w[4] + 100.0 * w[5]
    out[t, 3] = v[i] + v[i - 3] + w[k[t] % 6 - 6]


@wp.kernel
def members_are_values(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Taking a member copies it; assigning to a path of members stores in place."""
    t = wp.tid()
    a = Outer()
    a.scale = x[t]
    a.inner.v = wp.vec3(1.0, x[t], 3.0)
    a.inner.v[1] += 2.0
    a.inner.v.x = 9.0
    a.inner.m[1, 0] = 4.0
    a.inner.n -= k[t]
    b = a
    part = a.inner
    part.v[0] = 100.0
    b.inner.v[0] = 50.0
    vector = a.inner.v
    vector[2] = -1.0
    out[t, 0] = a.inner.v[0] + a.inner.v[1] * 10.0 + a.inner.v[2]
    out[t, 1] = b.inner.v[0] + part.v[0] * 2.0 + vector[2]
    out[t, 2] = a.inner.m[1, 0] + a.inner.m[0, 0] + float(a.inner.n)
    out[t, 3] = a.scale + b.scale


@wp.kernel
def swizzles(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Components by letter, exchanged: every value is read before the first is written."""
    t = wp.tid()
    v = wp.vec4(x[t], 1.0, 2.0, 3.0)
    x0 = v.x
    v.x = v.w
    v.w = x0
    z = v.y
    v.y = 5.0
    out[t, 0] = v.x + 10.0 * v.y + 100.0 * v.z + 1000.0 * v.w
    out[t, 1] = z
    out[t, 2] = 0.0
    out[t, 3] = float(k[t])


@wp.kernel
def vector_exchange(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Vectors change places in one line."""
    t = wp.tid()
    a = wp.vec2(x[t], 1.0)
    b = wp.vec2(2.0, x[t] + 1.0)
    a, b = b + a, a * 2.0
    out[t, 0] = a[0] + 10.0 * a[1]
    out[t, 1] = b[0] + 10.0 * b[1]
    p, q, r = x[t] - 1.0, x[t] * 2.0, x[t] + 3.0
    p, q, r = q, r, p
    out[t, 2] = p + 10.0 * q
    out[t, 3] = r + float(k[t])


@wp.kernel
def unpacked_arguments(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Starred arguments pass components, rows and elements one by one."""
    t = wp.tid()
    a = wp.vec2(x[t], 2.0)
    m = wp.mat22(1.0, 2.0, 3.0, x[t])
    v = wp.vec4(*a, 5.0, *a[1:])
    n = wp.matrix_from_rows(*m)
    out[t, 0] = v[0] + 10.0 * v[1] + 100.0 * v[2] + 1000.0 * v[3]
    out[t, 1] = n[1, 1] + n[0, 1] * 2.0
    out[t, 2] = wp.max(*a) + wp.min(*a)
    out[t, 3] = float(k[t])


@wp.kernel
def transforms_by_index(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A transform has seven components: translation, then rotation."""
    t = wp.tid()
    f = wp.transform(wp.vec3(1.0, 2.0, x[t]), wp.quat(0.0, 0.0, 0.0, 1.0))
    f[0] = x[t]
    f[5] += 0.5
    q = wp.quat(1.0, 2.0, 3.0, x[t])
    q[k[t] % 4] = 9.0
    out[t, 0] = f[0] + 10.0 * f[2] + f[6]
    out[t, 1] = f[k[t] % 7]
    out[t, 2] = f.q[1] + f.p[1]
    out[t, 3] = q[0] + q[k[t] % 4] + q.w


@wp.kernel
def captured(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Captured vectors and matrices, values computed when the kernel is made, attributes of types."""
    t = wp.tid()
    v = wp.vec3(x[t], 1.0, 2.0)
    total = wp.dot(AXIS, v) + SETTING
    for i in range(v.length):
        total += v[i] * float(i)
    out[t, 0] = total
    out[t, 1] = FRAME[1, 0] * x[t] + wp.static(float(len("abc")) * 0.5)
    out[t, 2] = (FRAME * wp.vec2(x[t], 1.0))[1]
    out[t, 3] = v.dtype(k[t]) + type(x[t])(2)


LAUNCH = {
    "slices_read": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "slices_written": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "components_by_index": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "members_are_values": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "swizzles": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "vector_exchange": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "unpacked_arguments": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "transforms_by_index": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "captured": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
