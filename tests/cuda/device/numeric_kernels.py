"""Numeric builtins that CUDA has no function for: each kernel calls a family of them."""

import warp as wp


@wp.kernel
def spatial_algebra(
    x: wp.array(dtype=wp.spatial_vector),
    y: wp.array(dtype=wp.spatial_vector),
    t: wp.array(dtype=wp.transform),
    out: wp.array2d(dtype=float),
):
    """Angular parts stand above linear ones."""
    i = wp.tid()
    a = x[i]
    b = y[i]
    c = wp.spatial_cross(a, b) + wp.spatial_cross_dual(a, b) * 0.5
    c += wp.spatial_vector(wp.vec3(1.0, 2.0, 3.0), wp.spatial_top(a))
    d = wp.transform_twist(t[i], c) + wp.transform_wrench(t[i], a)
    d += wp.spatial_vector(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    m = wp.spatial_adjoint(
        wp.mat33(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0), wp.skew(wp.spatial_bottom(d))
    )
    v = wp.velocity_at_point(a, wp.vec3(1.0, 0.5, 0.25))
    s = wp.transform(v, wp.transform_get_rotation(t[i]))
    wp.transform_set_translation(s, wp.vec3(v[1], 1.0, 2.0))
    r = s
    wp.transform_set_rotation(r, wp.quat_identity())
    out[i, 0] = wp.spatial_dot(c, d)
    out[i, 1] = wp.dot(m * c, d)
    out[i, 2] = v[0] + v[1] * v[2]
    out[i, 3] = s.p[0] + s.q[1] + r.p[0] + r.q[3] + wp.spatial_vector()[5]


@wp.kernel
def norms(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.spatial_vector), out: wp.array2d(dtype=float)):
    """Norms other than the Euclidean one, with their default."""
    i = wp.tid()
    out[i, 0] = wp.norm_l1(y[i]) + wp.norm_l1(x[i]) + wp.norm_l2(x[i])
    out[i, 1] = (
        wp.norm_huber(x[i], 0.5) + wp.norm_huber(x[i]) + wp.norm_huber(wp.vec2(0.25, x[i][0]), delta=9.0)
    )
    out[i, 2] = wp.norm_pseudo_huber(x[i]) + wp.norm_pseudo_huber(x[i], 0.25)
    out[i, 3] = wp.smooth_normalize(x[i], 0.3)[1] + wp.smooth_normalize(x[i])[2]


@wp.kernel
def rotations(x: wp.array(dtype=wp.quat), y: wp.array(dtype=wp.mat44), out: wp.array2d(dtype=float)):
    """Rotations in other forms; results in new variables, in old ones, and in those that are passed."""
    i = wp.tid()
    q = wp.normalize(x[i])
    axis, angle = wp.quat_to_axis_angle(q)
    e = wp.quat_to_euler(q, 0, 1, 2) + wp.quat_to_euler(q, 2, 0, 2) + wp.quat_to_rpy(q)
    r = wp.quat_from_euler(e, 2, 1, 0)
    p = wp.quat_from_matrix(y[i]) + wp.quat_from_matrix(wp.quat_to_matrix(q)) + wp.quat_twist(axis, r)
    out[i, 0] = angle * axis[0] + e[0] * e[1] + e[2]
    out[i, 1] = r[0] + r[1] * r[2] + r[3] + p[0] + p[1] * p[2] + p[3]
    position, turn, scale = wp.transform_decompose(y[i])
    wp.quat_to_axis_angle(turn, axis, angle)
    m = wp.transform_compose(position, turn, scale) + wp.transform_to_matrix(wp.transform_from_matrix(y[i]))
    out[i, 2] = wp.ddot(m, y[i]) + axis[1] * angle
    axis, angle = wp.quat_to_axis_angle(r)
    out[i, 3] = wp.quat_twist_angle(axis, r) + wp.quat_twist_angle_signed(axis, q) + angle


@wp.kernel
def special_rotations(x: wp.array(dtype=wp.quat), out: wp.array2d(dtype=float)):
    """No rotation, half turns about each axis, and angles where the outer axes meet."""
    i = wp.tid()
    half = wp.quat(float(i % 4 == 0), float(i % 4 == 1), float(i % 4 == 2), float(i % 4 == 3))
    quarter = wp.normalize(half + wp.quat(0.0, 0.0, 0.0, 1.0))
    axis, angle = wp.quat_to_axis_angle(half)
    out[i, 0] = axis[0] + 2.0 * axis[1] + 4.0 * axis[2] + angle
    p = wp.quat_from_matrix(wp.quat_to_matrix(half)) + wp.quat_from_matrix(wp.quat_to_matrix(quarter)) * 2.0
    out[i, 1] = p[0] + 2.0 * p[1] + 4.0 * p[2] + 8.0 * p[3]
    e = wp.quat_to_euler(quarter, 0, 1, 2) + 2.0 * wp.quat_to_euler(half, 1, 2, 0)
    f = wp.quat_to_euler(quarter, 2, 0, 2) + 2.0 * wp.quat_to_euler(half, 1, 0, 1) + wp.quat_to_rpy(quarter)
    out[i, 2] = e[0] + 2.0 * e[1] + 4.0 * e[2] + f[0] + 2.0 * f[1] + 4.0 * f[2]
    s = wp.quat_slerp(half, x[i], 0.25) + wp.quat_slerp(x[i], x[i], 0.5)
    out[i, 3] = s[0] + 2.0 * s[1] + 4.0 * s[2] + 8.0 * s[3]


@wp.kernel
def edges_and_triangles(
    x: wp.array2d(dtype=wp.vec3), y: wp.array2d(dtype=wp.vec3d), out: wp.array2d(dtype=float)
):
    """Edges that cross, are parallel or points; triangles that meet, touch or lie in one plane."""
    i = wp.tid()
    v = wp.closest_point_edge_edge(x[i, 0], x[i, 1], x[i, 2], x[i, 3], 1.0e-5)
    shift = x[i, 2] - x[i, 0]
    w = wp.closest_point_edge_edge(x[i, 0], x[i, 1], x[i, 0] + shift, x[i, 1] + shift, 1.0e-5)
    p = wp.closest_point_edge_edge(x[i, 0], x[i, 0], x[i, 2], x[i, 3], 1.0e-5)
    q = wp.closest_point_edge_edge(x[i, 0], x[i, 1], x[i, 3], x[i, 3], 1.0e-5)
    out[i, 0] = v[0] + v[1] * v[2] + wp.closest_point_edge_edge(x[i, 0], x[i, 0], x[i, 1], x[i, 1], 0.0)[2]
    out[i, 1] = w[0] + w[1] * w[2] + p[0] + p[1] * p[2] + q[0] + q[1] * q[2]
    meet = wp.intersect_tri_tri(x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4], x[i, 5])
    touch = wp.intersect_tri_tri(x[i, 0], x[i, 1], x[i, 2], x[i, 0], x[i, 4], x[i, 5])
    e1 = x[i, 1] - x[i, 0]
    e2 = x[i, 2] - x[i, 0]
    a = x[i, 0] + e1 * x[i, 3][0] + e2 * x[i, 3][1]
    b = x[i, 0] + e1 * x[i, 4][0] + e2 * x[i, 4][1]
    c = x[i, 0] + e1 * x[i, 5][0] + e2 * x[i, 5][1]
    flat = wp.intersect_tri_tri(x[i, 0], x[i, 1], x[i, 2], a, b, c)
    wide = wp.intersect_tri_tri(y[i, 0], y[i, 1], y[i, 2], y[i, 3], y[i, 4], y[i, 5])
    out[i, 2] = float(meet + 2 * touch + 4 * flat + 8 * wide)


@wp.kernel
def approximations(x: wp.array(dtype=wp.mat33), y: wp.array(dtype=wp.mat44d), out: wp.array2d(dtype=float)):
    """What is approximate on a GPU alone."""
    i = wp.tid()
    a = wp.inverse_approx(x[i])
    b = wp.inverse_approx(y[i])
    v = wp.div_approx(wp.vec3(1.0, 2.0, 3.0), x[i][0, 1]) + wp.div_approx(2.0, wp.vec3(3.0, 1.0, 0.5))
    out[i, 0] = a[0, 1] + a[2, 2] + wp.inverse_approx(wp.mat22(1.0, 2.0, 3.0, x[i][1, 1]))[1, 0]
    out[i, 1] = float(b[0, 1] + b[3, 2] + wp.div_approx(b[1, 1], y[i][2, 2]))
    out[i, 2] = v[0] + v[1] * v[2] + wp.div_approx(x[i][2, 0], 3.0)


@wp.kernel
def decompositions(x: wp.array(dtype=wp.mat33), y: wp.array(dtype=wp.mat22d), out: wp.array2d(dtype=float)):
    """Results in new variables and in those that are passed; some are not used."""
    i = wp.tid()
    a = x[i]
    u, sigma, v = wp.svd3(a)
    q, r = wp.qr3(a)
    d = wp.vec3()
    p = wp.mat33()
    wp.eig3(wp.transpose(a) * a, p, d)
    s = wp.vec2d()
    w = wp.mat22d()
    z = wp.mat22d()
    wp.svd2(y[i], w, s, z)
    out[i, 0] = u[0, 1] + sigma[0] * sigma[1] + sigma[2] + v[2, 0] + q[1, 2] + r[0, 2]
    out[i, 1] = d[0] + p[0, 1] * d[1] + p[2, 2] * d[2]
    out[i, 2] = float(w[0, 1] + s[0] * s[1] + z[1, 0])
    _, sigma, _ = wp.svd3(u * r)
    out[i, 3] = sigma[0] + 2.0 * sigma[1] + 4.0 * sigma[2]


@wp.kernel
def degenerate_matrices(x: wp.array(dtype=wp.mat33), out: wp.array2d(dtype=float)):
    """Small whole numbers: many matrices are singular, symmetric or have equal eigenvalues."""
    i = wp.tid()
    a = x[i]
    if i % 5 == 0:
        a = wp.identity(n=3, dtype=float)
    if i % 5 == 1:
        a = wp.outer(wp.vec3(a[0, 0], a[0, 1], a[0, 2]), wp.vec3(1.0, 2.0, 2.0))
    if i % 5 == 2:
        a = wp.quat_to_matrix(wp.normalize(wp.quat(a[0, 0], a[0, 1], a[0, 2], a[1, 0])))
    if i == 3:
        a = wp.mat33()
    u, sigma, v = wp.svd3(a)
    q, r = wp.qr3(a)
    p, d = wp.eig3(a + wp.transpose(a))
    w, s, z = wp.svd2(wp.mat22(a[0, 0], a[0, 1], a[1, 0], a[1, 1]))
    out[i, 0] = u[0, 1] + u[2, 2] + sigma[0] * sigma[1] + sigma[2] + v[2, 0] + v[1, 1]
    out[i, 1] = q[1, 2] + q[0, 0] + r[0, 2] + r[2, 2]
    out[i, 2] = d[0] + p[0, 1] * d[1] + p[2, 2] * d[2]
    out[i, 3] = w[0, 1] + s[0] * s[1] + z[1, 0] + z[0, 0]


LAUNCH = {
    "spatial_algebra": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "t": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "norms": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "rotations": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "special_rotations": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "edges_and_triangles": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n", 6], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n", 6], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "approximations": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "decompositions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "degenerate_matrices": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-2, 3]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
