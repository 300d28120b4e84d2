"""Small kernels in the manner of packages: robotics, sparse matrices, learning."""

import math
from typing import Any

import warp as wp

PI = wp.constant(math.pi)
MAX_CONTACTS = wp.constant(4)
JOINT_REVOLUTE = 0
JOINT_PRISMATIC = 1
JOINT_BALL = 2
JOINT_FREE = wp.constant(3)


class Kind:
    BOX = 0
    SPHERE = 1
    CAPSULE = wp.constant(2)


@wp.struct
class Model:
    joint_type: wp.array(dtype=wp.int32)
    joint_parent: wp.array(dtype=wp.int32)
    joint_axis: wp.array(dtype=wp.vec3)
    joint_X_p: wp.array(dtype=wp.transform)
    body_inertia: wp.array(dtype=wp.mat33)
    gravity: wp.vec3
    dt: float


@wp.func
def joint_transform(kind: int, axis: wp.vec3, q: wp.array(dtype=float), start: int):
    if kind == JOINT_REVOLUTE:
        return wp.transform(wp.vec3(), wp.quat_from_axis_angle(axis, q[start]))
    elif kind == JOINT_PRISMATIC:
        return wp.transform(axis * q[start], wp.quat_identity())
    elif kind == JOINT_BALL:
        return wp.transform(
            wp.vec3(), wp.normalize(wp.quat(q[start], q[start + 1], q[start + 2], q[start + 3]))
        )
    elif kind == JOINT_FREE:
        return wp.transform(wp.vec3(q[start], q[start + 1], q[start + 2]), wp.quat_identity())
    return wp.transform_identity()


@wp.kernel
def forward_kinematics(
    model: Model,
    q: wp.array(dtype=float),
    poses: wp.array(dtype=wp.transform),
    velocities: wp.array(dtype=wp.spatial_vector),
):
    """Poses and velocities of joints of all kinds."""
    j = wp.tid()
    kind = model.joint_type[j]
    parent = model.joint_parent[j]
    X = model.joint_X_p[j] * joint_transform(kind, wp.normalize(model.joint_axis[j]), q, 0)
    if parent >= 0:
        X = model.joint_X_p[parent] * X
    poses[j] = X
    w = wp.quat_rotate(wp.transform_get_rotation(X), model.joint_axis[j])
    R = wp.quat_to_matrix(X.q)
    inertia = R @ model.body_inertia[j] @ wp.transpose(R)
    torque = wp.cross(w, inertia * w)
    v = wp.spatial_vector(w, X.p) * model.dt
    v = wp.spatial_vector(
        wp.spatial_top(v) - torque * model.dt, wp.spatial_bottom(v) + model.gravity * model.dt
    )
    velocities[j] = v


@wp.kernel
def bsr_mv(
    offsets: wp.array(dtype=int),
    columns: wp.array(dtype=int),
    values: wp.array(dtype=wp.mat33),
    x: wp.array(dtype=wp.vec3),
    alpha: float,
    beta: float,
    y: wp.array(dtype=wp.vec3),
):
    """A sparse matrix of blocks times a vector."""
    row = wp.tid()
    begin = offsets[row]
    end = offsets[row + 1]
    acc = wp.vec3(0.0)
    for k in range(begin, end):
        if columns[k] < 0:
            continue
        acc += values[k] * x[columns[k]]
    if beta != 0.0:
        y[row] = y[row] * beta + acc * alpha
    else:
        y[row] = acc * alpha


@wp.kernel
def layer_norm(
    x: wp.array2d(dtype=wp.float16),
    w: wp.array(dtype=wp.float16),
    b: wp.array(dtype=wp.float16),
    eps: float,
    y: wp.array2d(dtype=wp.float16),
):
    """Halves, summed up in float."""
    i = wp.tid()
    n = x.shape[1]
    mean = float(0.0)
    for j in range(n):
        mean += wp.float32(x[i, j])
    mean /= float(n)
    var = float(0.0)
    for j in range(n):
        d = wp.float32(x[i, j]) - mean
        var += d * d
    r = 1.0 / wp.sqrt(var / float(n) + eps)
    for j in range(n):
        y[i, j] = wp.float16((wp.float32(x[i, j]) - mean) * r) * w[j] + b[j]


@wp.kernel
def softmax(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), mask: wp.array2d(dtype=wp.bool)):
    """Masked rows, the largest value first."""
    i = wp.tid()
    m = float(-math.inf)
    for j in range(x.shape[1]):
        if mask[i, j]:
            m = wp.max(m, x[i, j])
    s = float(0.0)
    for j in range(x.shape[1]):
        e = wp.exp(x[i, j] - m) if mask[i, j] else 0.0
        y[i, j] = e
        s += e
    for j in range(x.shape[1]):
        y[i, j] = wp.where(s > 0.0, y[i, j] / s, 0.0)


@wp.func
def sdf_box(p: wp.vec3, e: wp.vec3):
    q = wp.vec3(wp.abs(p[0]) - e[0], wp.abs(p[1]) - e[1], wp.abs(p[2]) - e[2])
    return wp.length(wp.max(q, wp.vec3())) + wp.min(wp.max(q[0], wp.max(q[1], q[2])), 0.0)


@wp.func
def sdf(kind: int, p: wp.vec3, s: wp.vec3):
    if kind == Kind.BOX:
        return sdf_box(p, s)
    if kind == Kind.SPHERE:
        return wp.length(p) - s.x
    if kind == Kind.CAPSULE:
        t = wp.clamp(p.y, -s.y, s.y)
        return wp.length(p - wp.vec3(0.0, t, 0.0)) - s.x
    return 1.0e3


@wp.func
def sdf_normal(kind: int, p: wp.vec3, s: wp.vec3):
    n = wp.vec3()
    for k in range(3):
        d = wp.vec3()
        d[k] = 0.01
        n[k] = sdf(kind, p + d, s) - sdf(kind, p - d, s)
    return wp.normalize(n)


@wp.kernel
def contacts(
    kinds: wp.array(dtype=int),
    sizes: wp.array(dtype=wp.vec3),
    points: wp.array(dtype=wp.vec3),
    count: wp.array(dtype=int),
    out_depth: wp.array2d(dtype=float),
    out_normal: wp.array2d(dtype=wp.vec3),
):
    """The first few points closer than a margin."""
    i = wp.tid()
    n = int(0)
    for k in range(sizes.shape[0]):
        d = sdf(kinds[k] % 4, points[i], sizes[k])
        if d > 0.3:
            continue
        if n >= MAX_CONTACTS:
            break
        out_depth[i, n] = d
        out_normal[i, n] = sdf_normal(kinds[k] % 4, points[i], sizes[k])
        n += 1
    count[i] = n


@wp.func
def lu(a: wp.mat44):
    m = a
    sign = float(1.0)
    for k in range(4):
        p = int(k)
        best = wp.abs(m[k, k])
        for r in range(k + 1, 4):
            if wp.abs(m[r, k]) > best:
                best = wp.abs(m[r, k])
                p = r
        if p != k:
            sign = -sign
            for c in range(4):
                t = m[k, c]
                m[k, c] = m[p, c]
                m[p, c] = t
        for r in range(k + 1, 4):
            f = m[r, k] / m[k, k]
            m[r, k] = f
            for c in range(k + 1, 4):
                m[r, c] -= f * m[k, c]
    return m, sign


@wp.kernel
def determinants(a: wp.array(dtype=wp.mat44), det: wp.array(dtype=float), dd: wp.array(dtype=wp.float64)):
    """With pivots."""
    i = wp.tid()
    m, s = lu(a[i])
    d = s
    for k in range(4):
        d *= m[k, k]
    det[i] = d
    dd[i] = wp.float64(d) * wp.float64(PI) + wp.float64(1.0) / wp.float64(3.0)


@wp.kernel
def morton(
    p: wp.array(dtype=wp.vec3),
    lo: wp.vec3,
    scale: float,
    keys: wp.array(dtype=wp.uint64),
    idx: wp.array(dtype=wp.int32),
):
    """Interleaved bits in 64."""
    i = wp.tid()
    key = wp.uint64(0)
    for a in range(3):
        c = wp.uint64(wp.clamp(int((p[i][a] - lo[a]) * scale), 0, 2097151))
        for b in range(21):
            key |= ((c >> wp.uint64(b)) & wp.uint64(1)) << wp.uint64(3 * b + a)
    keys[i] = key
    idx[i] = wp.int32(key & wp.uint64(0x7FFFFFFF)) ^ wp.int32(key >> wp.uint64(32))


@wp.func
def cubic(p: Any, q: Any, r: Any, s: Any, t: Any):
    a = s - r - (p - q)
    return ((a * t + (p - q - a)) * t + (r - p)) * t + q


@wp.kernel
def resample(img: wp.array3d(dtype=float), scale: float, out: wp.array3d(dtype=float)):
    """Bicubic, clamped at the border."""
    i, j, c = wp.tid()
    y = float(i) * scale
    x = float(j) * scale
    yi = int(wp.floor(y))
    xi = int(wp.floor(x))
    rows = wp.vec4()
    for k in range(-1, 3):
        yy = wp.clamp(yi + k, 0, img.shape[0] - 1)
        v = wp.vec4()
        for l in range(-1, 3):
            v[l + 1] = img[yy, wp.clamp(xi + l, 0, img.shape[1] - 1), c % img.shape[2]]
        rows[k + 1] = cubic(v[0], v[1], v[2], v[3], x - float(xi))
    out[i, j, c] = cubic(rows[0], rows[1], rows[2], rows[3], y - float(yi))
