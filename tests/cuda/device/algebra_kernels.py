"""Vectors, matrices, quaternions and transforms."""

import warp as wp

SCALE = wp.constant(0.1)
OFFSET = wp.vec3(1.0, -2.0, 0.25)


@wp.kernel
def component_loops(x: wp.array(dtype=wp.vec3), out: wp.array2d(dtype=float)):
    """Components by a number that is known at run time, read and written."""
    i = wp.tid()
    v = x[i]
    w = wp.vec3()
    m = wp.mat33(0.5)
    s = float(0.0)
    for k in range(3):
        s += v[k] * float(k + 1)
        w[2 - k] = v[k]
        for j in range(3):
            m[k, j] = v[k] - 2.0 * v[j]
            m[j, k] += 0.5
    m[1] = wp.vec3(1.0, s, 2.0)
    lower = wp.mat22(1.0, 2.0, 3.0, s)
    lower[0] = wp.vec2(s, 5.0)
    row = m[2]
    out[i, 0] = s
    out[i, 1] = w[0] + w[1] * 10.0
    out[i, 2] = m[0, 1] + m[2, 0] + m[1][1] + lower[0, 0] * lower[1, 1]
    out[i, 3] = row[0] + row[2] + wp.trace(m)


@wp.kernel
def vector_algebra(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec4), out: wp.array2d(dtype=float)):
    """Orders of operations of vector functions."""
    i = wp.tid()
    a = x[i]
    b = OFFSET
    c = y[i]
    d = wp.cross(a, b) * 2.0 - 0.5 * a / wp.length(b) + wp.cw_mul(a, b) + wp.cw_div(b, wp.vec3(2.0))
    e = wp.normalize(c) + wp.lerp(c, wp.vec4(1.0, 2.0, 3.0, 4.0), 0.3)
    out[i, 0] = wp.dot(d, a) + wp.dot(c, c) + wp.length(c) + wp.length_sq(a)
    out[i, 1] = e[0] + e[3] + wp.min(a) + wp.max(c) + float(wp.argmin(a)) + float(wp.argmax(c))
    f = wp.min(a, b) + wp.max(a, wp.abs(b)) + wp.sign(a)
    a += b
    a *= 1.5
    a -= wp.vec3(1.0, 1.0, 1.0)
    a /= 3.0
    out[i, 2] = f[0] + f[1] * f[2] + a[0] + a[1] - a[2]
    out[i, 3] = wp.lerp(a[0], a[1], 0.25) + wp.smoothstep(0.0, 2.0, a[2] + 1.0) + wp.float32(a == b)


@wp.kernel
def matrix_algebra(
    x: wp.array(dtype=wp.mat33),
    y: wp.array(dtype=wp.mat22),
    z: wp.array(dtype=wp.mat44),
    out: wp.array2d(dtype=float),
):
    """Products accumulate with fused multiply-add, determinants of 4x4 in double."""
    i = wp.tid()
    a = x[i]
    b = wp.transpose(a) @ a + wp.outer(wp.vec3(1.0, 2.0, 3.0), wp.vec3(0.1, 0.2, 0.3))
    c = wp.inverse(a) * a - wp.skew(wp.vec3(1.0, 2.0, 3.0)) * 0.5
    v = a * wp.vec3(1.0, 2.0, 3.0) + wp.vec3(1.0, 0.1, 0.7) * a
    out[i, 0] = wp.determinant(a) + wp.trace(b) + wp.ddot(a, b) + v[0] + v[1] * v[2]
    d = wp.inverse(y[i])
    out[i, 1] = wp.determinant(y[i]) + d[0, 1] + c[0, 2] + c[2, 1]
    e = wp.inverse(z[i])
    g = wp.get_diag(z[i] * e)
    out[i, 2] = wp.determinant(z[i]) + e[1, 3] + e[3, 0] + e[2, 2] + g[0] + g[3]
    h = wp.diag(v) + wp.identity(n=3, dtype=float) - wp.matrix_from_cols(v, v, wp.vec3(1.0, 2.0, 3.0))
    h = -h / 2.0 + wp.cw_mul(h, h)
    p = wp.transform_point(z[i], v) + wp.transform_vector(z[i], v)
    out[i, 3] = h[0, 1] + h[1, 1] + h[2, 0] + p[0] + p[1] + p[2]


@wp.kernel
def quaternions(x: wp.array(dtype=wp.quat), out: wp.array2d(dtype=float)):
    """Components are x, y, z, w."""
    i = wp.tid()
    q = wp.normalize(x[i])
    r = q * wp.quat_from_axis_angle(wp.vec3(0.0, 1.0, 0.0), 0.3) * wp.quat_identity()
    v = wp.quat_rotate(r, wp.vec3(1.0, 2.0, 3.0)) + wp.quat_rotate_inv(q, wp.vec3(0.5, 0.1, -2.0))
    m = wp.quat_to_matrix(wp.quat_inverse(r))
    s = wp.quat_slerp(q, r, 0.3) + wp.quat_rpy(0.1, 0.2, 0.3) * 0.5
    out[i, 0] = v[0] + v[1] * v[2]
    out[i, 1] = m[0, 1] + m[2, 2]
    out[i, 2] = s[0] + s[3] + r.w + wp.dot(q, r)
    out[i, 3] = wp.length(q + r) + s.y


@wp.kernel
def wide_vectors(x: wp.array(dtype=wp.vec3d), out: wp.array2d(dtype=wp.float64)):
    """Components of float64 vectors are exact."""
    i = wp.tid()
    v = x[i] + wp.vec3d(0.1, SCALE, -0.3)
    w = wp.vec4d(v[0], v[1], 1.0, 2.0)
    m = wp.mat22d(0.1, 0.2, 0.3, x[i][2])
    out[i, 0] = wp.dot(v, v) + wp.length(w)
    out[i, 1] = wp.determinant(m) + wp.inverse(m)[0, 1]
    out[i, 2] = wp.normalize(v)[1] + wp.cross(v, x[i])[2]
    out[i, 3] = wp.sin(v[0]) + wp.exp(v[1]) + wp.pow(wp.abs(v[2]), wp.float64(0.3))


@wp.kernel
def transforms(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.quat), out: wp.array2d(dtype=float)):
    """A translation and a rotation."""
    i = wp.tid()
    t = wp.transform(x[i], wp.normalize(y[i]))
    u = wp.transform(wp.vec3(1.0, 2.0, 3.0), wp.quat_identity())
    s = wp.transform_inverse(t * u)
    p = wp.transform_point(s, x[i]) + wp.transform_vector(t, wp.vec3(0.1, 0.2, 0.3))
    q = wp.transform_get_rotation(wp.transform_multiply(s, u))
    r = wp.transform_get_translation(s) + t.p
    out[i, 0] = p[0] + p[1] * p[2]
    out[i, 1] = q[0] + q[3]
    out[i, 2] = r[0] + r[1] * r[2]
    out[i, 3] = t.q[1]


LAUNCH = {
    "component_loops": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "vector_algebra": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "matrix_algebra": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "z": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "quaternions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "wide_vectors": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "transforms": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
}
