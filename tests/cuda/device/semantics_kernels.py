"""Kernels that a naive translation to CUDA gets wrong, each for the reason in its docstring.

The launch descriptions at the end give most kernels the same parameters: `x` and `y` to read, `out` to write.
"""

import enum
from typing import Any

import warp as wp

LIMIT = 3
SCALE = wp.constant(0.1)
OFFSET = wp.vec3(1.0, -2.0, 0.25)


class Mode(enum.IntEnum):
    ADD = 2
    KEEP = 5


@wp.struct
class Particle:
    """A point with a velocity."""

    position: wp.vec3
    velocity: wp.vec3
    kind: int


@wp.kernel
def integer_division(x: wp.array(dtype=int), y: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """`/` truncates, `//` floors, `%` has the sign of the dividend."""
    i = wp.tid()
    out[i, 0] = x[i] / y[i]
    out[i, 1] = x[i] // y[i]
    out[i, 2] = x[i] % y[i]
    out[i, 3] = wp.mod(x[i], y[i]) + wp.floordiv(x[i], y[i])


@wp.kernel
def float_division(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """`//` floors, `%` is fmod, `**` is pow."""
    i = wp.tid()
    out[i, 0] = x[i] // y[i]
    out[i, 1] = x[i] % y[i]
    out[i, 2] = wp.abs(x[i]) ** y[i]
    out[i, 3] = x[i] / y[i]


@wp.kernel
def signed_zero(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """-x is 0 - x: there is no negative zero, except for literals and vectors."""
    i = wp.tid()
    v = -wp.vec3(x[i], 0.0, 1.0)
    out[i, 0] = -x[i]
    out[i, 1] = -(x[i] * 0.0)
    out[i, 2] = v[0]
    out[i, 3] = v[1] + wp.max(-0.0, x[i]) + wp.min(x[i], -0.0)


@wp.kernel
def literals(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """A literal is rounded to float32 once, an integer literal stays exact."""
    i = wp.tid()
    out[i, 0] = x[i] * 0.1 + 0.2
    out[i, 1] = 16777217.0 + x[i] * 1.0e-3
    out[i, 2] = 1e10 * x[i] + 3.4028234e38 * 0.0
    out[i, 3] = SCALE * x[i] + float(LIMIT)


@wp.kernel
def wide_literals(x: wp.array(dtype=wp.float64), out: wp.array2d(dtype=wp.float64)):
    """A literal in float64(…) keeps all its digits."""
    i = wp.tid()
    out[i, 0] = x[i] * wp.float64(0.1)
    out[i, 1] = x[i] / wp.float64(3)
    out[i, 2] = x[i] + wp.float64(SCALE)
    out[i, 3] = wp.float64(wp.float32(0.1)) * x[i]


@wp.kernel
def big_integers(x: wp.array(dtype=wp.int64), out: wp.array2d(dtype=wp.int64)):
    """64-bit constants, products and shifts."""
    i = wp.tid()
    one = wp.int64(1)
    out[i, 0] = x[i] * wp.int64(3000000000)
    out[i, 1] = (one << wp.int64(40)) + x[i]
    out[i, 2] = wp.int64(1) << wp.int64(33)
    out[i, 3] = wp.max(x[i], wp.int64(7)) // wp.int64(-3)


@wp.kernel
def unsigned(x: wp.array(dtype=wp.uint32), out: wp.array2d(dtype=wp.uint32)):
    """Unsigned numbers wrap around and compare as such."""
    i = wp.tid()
    out[i, 0] = x[i] - wp.uint32(5)
    out[i, 1] = wp.where(x[i] - wp.uint32(5) > wp.uint32(100), wp.uint32(1), wp.uint32(0))
    out[i, 2] = (x[i] >> wp.uint32(1)) | (x[i] << wp.uint32(30))
    out[i, 3] = x[i] // wp.uint32(3) + ~x[i]


@wp.kernel
def small_integers(x: wp.array(dtype=wp.int8), y: wp.array(dtype=wp.uint8), out: wp.array2d(dtype=wp.int8)):
    """Every operation on int8 gives int8; in-place updates of small integers are not atomic."""
    i = wp.tid()
    a = x[i] * wp.int8(100)
    out[i, 0] = a / wp.int8(3)
    out[i, 1] = (x[i] + wp.int8(120)) / wp.int8(2)
    out[i, 2] = wp.int8(y[i] + wp.uint8(200)) + wp.int8(wp.int32(y[i]) >> 1)
    out[i, 3] = x[i]
    out[i, 3] += wp.int8(100)


@wp.kernel
def rounding(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """round is half away from zero, rint is half to even, casts truncate."""
    i = wp.tid()
    h = wp.floor(x[i] * 4.0) * 0.5
    out[i, 0] = wp.round(h)
    out[i, 1] = wp.rint(h)
    out[i, 2] = float(int(h)) + wp.trunc(h) + wp.ceil(h) + wp.frac(h)
    out[i, 3] = float(int(-h) % 3)


@wp.kernel
def special_cases(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """sign(0) is 1, step is reversed, acos clamps, normalize(0) is 0, degrees are rounded once."""
    i = wp.tid()
    z = x[i] - x[i]
    out[i, 0] = wp.sign(z) + wp.sign(x[i]) + wp.step(x[i]) + wp.nonzero(z)
    out[i, 1] = wp.acos(1.5) + wp.asin(-2.0) + wp.acos(wp.clamp(x[i], -3.0, 3.0))
    out[i, 2] = wp.length(wp.normalize(wp.vec3(z, z, z))) + wp.normalize(wp.quat(z, z, z, z))[3]
    out[i, 3] = wp.degrees(x[i]) + wp.radians(x[i])


@wp.kernel
def lazy_conditions(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float), n: int):
    """and, or and the ternary guard what stands behind them; where does not."""
    i = wp.tid()
    j = y[i]
    if j < n and x[j] > 0.5:
        out[i, 0] = x[j]
    else:
        out[i, 0] = -1.0
    out[i, 1] = x[j] if j < n else 0.25
    if j >= n or x[j] < 0.5:
        out[i, 2] = 1.0
    else:
        out[i, 2] = 2.0
    out[i, 3] = wp.where(x[i] > 0.5, x[i] * 2.0, x[i] - 1.0)


@wp.kernel
def loop_variable(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """Assigning the loop variable does not change the iteration."""
    i = wp.tid()
    total = int(0)
    for k in range(x[i]):
        if k % 2 == 0:
            k = k + 10
        total += k
    out[i, 0] = total
    for k in range(5):
        k = k * k
        total += k
    out[i, 1] = total
    for k in range(10, 0, -3):
        total = total * 3 + k
    out[i, 2] = total
    for k in range(LIMIT):
        for m in range(k):
            total += m * 7
    out[i, 3] = total


@wp.kernel
def loop_bounds(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """The end of a range is computed once."""
    i = wp.tid()
    n = int(x[i])
    total = int(0)
    for k in range(n):
        n = n - 1
        total += k + n
    out[i, 0] = total
    j = int(0)
    while True:
        j += 1
        if j % 3 == 0:
            continue
        if j > x[i]:
            break
        total += j
    out[i, 1] = total
    while j > 0 and total > 3:
        j -= 2
        total -= 1
    out[i, 2] = j
    out[i, 3] = total


@wp.kernel
def nested_breaks(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """break and continue leave the innermost loop."""
    i = wp.tid()
    count = int(0)
    for a in range(20):
        if a == x[i]:
            continue
        for b in range(3):
            if b == 2:
                break
            if a > 7:
                count += 100
                continue
            count += a * b + 1
        if count > 500:
            break
    out[i, 0] = count
    for c in range(6):
        if c == x[i]:
            break
        count += c
    out[i, 1] = count
    out[i, 2] = 0
    out[i, 3] = 0


@wp.kernel
def branches(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """A variable that is first assigned in a branch lives on after it."""
    i = wp.tid()
    if x[i] > 0.0:
        a = x[i] * 2.0
        b = 1.0
    elif x[i] > -0.5:
        a = x[i] * 3.0
        b = 2.0
    else:
        a = 5.0
        b = a + 1.0
    out[i, 0] = a
    out[i, 1] = b
    for k in range(3):
        t = a + float(k)
        if t > 1.0:
            c = t
        else:
            c = -t
        a = c * 0.5
    out[i, 2] = a + c
    out[i, 3] = t


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
def updates(x: wp.array(dtype=int), counts: wp.array(dtype=int), sums: wp.array(dtype=wp.vec3i)):
    """In-place operators on arrays are atomic: many threads meet here."""
    i = wp.tid()
    b = x[i]
    counts[b] += 1
    counts[b] -= 3
    sums[b] += wp.vec3i(1, b, i)
    sums[b][1] += 2


@wp.kernel
def explicit_atomics(
    x: wp.array(dtype=float),
    low: wp.array(dtype=float),
    high: wp.array(dtype=float),
    bits: wp.array(dtype=wp.uint32),
    total: wp.array(dtype=wp.int64),
):
    """Extremes of floats, bits, and 64-bit sums."""
    i = wp.tid()
    wp.atomic_min(low, i % 3, x[i])
    wp.atomic_max(high, i % 3, x[i])
    wp.atomic_or(bits, 0, wp.uint32(1) << wp.uint32(i % 32))
    wp.atomic_xor(bits, 1, wp.uint32(i))
    wp.atomic_sub(total, 0, wp.int64(i))
    wp.atomic_add(total, 1, wp.int64(i) * wp.int64(1000000007))
    wp.atomic_max(total, 2, wp.int64(i))


@wp.kernel
def returned_slots(x: wp.array(dtype=float), cursor: wp.array(dtype=int), out: wp.array(dtype=float)):
    """The old value that an atomic returns is a slot."""
    i = wp.tid()
    slot = wp.atomic_add(cursor, 0, 1)
    out[slot] = x[i]
    previous = wp.atomic_cas(cursor, 1, 0, 7)
    if previous == 0:
        wp.atomic_exch(cursor, 2, 5)


@wp.kernel
def negative_indices(
    x: wp.array(dtype=float),
    m: wp.array2d(dtype=float),
    shift: wp.array(dtype=int),
    out: wp.array2d(dtype=float),
):
    """Negative indices count from the end, of arrays, vectors and matrices."""
    i = wp.tid()
    out[i, 0] = x[-1] + x[shift[i]] + x[i - 3]
    out[i, 1] = m[i, -1] + m[-1 - i, shift[i] % 2]
    v = wp.vec3(1.0, 2.0, x[i])
    k = shift[i] % 3
    out[i, 2] = v[-1] + v[k]
    a = wp.mat22(1.0, 2.0, 3.0, x[i])
    out[i, -1] = a[-1, k % 2] + a[0, -2]


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
def views(m: wp.array2d(dtype=float), t: wp.array3d(dtype=float), out: wp.array2d(dtype=float)):
    """A partial index is a view of the memory, not a copy."""
    i = wp.tid()
    row = m[i]
    plane = t[i]
    line = plane[1]
    row[0] = 5.0
    plane[1, 0] = row[1] + 1.0
    out[i, 0] = m[i, 0] + row[2]
    out[i, 1] = line[0] + t[i, 1, 1]
    out[i, 2] = float(row.shape[0]) + float(len(line))
    out[i, 3] = t[i][0][1]


@wp.kernel
def launch_2d(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """The last launch dimension is the fastest."""
    i, j = wp.tid()
    if i > 0 and j > 0 and i < x.shape[0] - 1 and j < x.shape[1] - 1:
        out[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4.0 * x[i, j]
    else:
        out[i, j] = x[i, j]


@wp.kernel
def launch_3d(x: wp.array3d(dtype=float), out: wp.array3d(dtype=float)):
    """Three dimensions."""
    i, j, k = wp.tid()
    out[x.shape[0] - 1 - i, j, k] = x[i, j, k] + float(i * 100 + j * 10 + k)


@wp.kernel
def launch_4d(x: wp.array(dtype=float, ndim=4), out: wp.array(dtype=float, ndim=4)):
    """Four dimensions."""
    i, j, k, m = wp.tid()
    out[i, j, k, m] = x[i, j, k, m] + float(i * 1000 + j * 100 + k * 10 + m)


@wp.kernel
def swaps(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """All values of a tuple before all names."""
    i = wp.tid()
    a = int(0)
    b = int(1)
    for k in range(x[i]):
        a, b = b, a + b
    out[i, 0] = a
    a, b = b * 2, a - 1
    out[i, 1] = a
    out[i, 2] = b
    out[i, 3] = a if b > a else (b if b > 3 else -1)


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


@wp.kernel
def compile_time(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """Captured constants, enum members, static expressions and conditions."""
    i = wp.tid()
    if wp.static(LIMIT > 2):
        out[i, 0] = x[i] + Mode.ADD
    else:
        out[i, 0] = x[i]
    out[i, 1] = wp.static(LIMIT * 7) + int(Mode.KEEP)
    out[i, 2] = x[i] * LIMIT
    out[i, 3] = int(wp.pi * 100.0)


@wp.kernel
def comparisons(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array2d(dtype=int)):
    """Chains, not, and booleans as numbers."""
    i = wp.tid()
    a = x[i] > 0.0
    b = not a
    out[i, 0] = int(0.0 < x[i] < 0.5) + 2 * int(a and b or x[i] == y[i])
    out[i, 1] = int(not (a or b)) + int(a) * 4
    out[i, 2] = wp.where(b, 3, 4)
    out[i, 3] = int(x[i] != y[i] and not (x[i] <= y[i]))


@wp.kernel
def bit_operations(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """Shifts, masks and counts."""
    i = wp.tid()
    out[i, 0] = (x[i] & 6) | (x[i] ^ 3) << 2
    out[i, 1] = x[i] >> 1
    out[i, 2] = ~x[i] & 255
    out[i, 3] = wp.bit_count(x[i]) + wp.abs(x[i]) + wp.min(x[i], 3) * wp.clamp(x[i], -2, 2)


@wp.kernel
def literal_comparisons(x: wp.array(dtype=wp.float64), out: wp.array2d(dtype=int)):
    """A float64 is compared with the literal rounded to float32."""
    i = wp.tid()
    y = wp.float64(0.1) + x[i] * wp.float64(1.0e-9)
    out[i, 0] = int(y > 0.1)
    out[i, 1] = wp.where(0.1 >= y, 1, 0)
    out[i, 2] = int(x[i] > 1) + int(i > 2.5)
    out[i, 3] = int(x[i] == 0.5)


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


@wp.kernel
def padded_launch(count: int, x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """The kernel's own check also stops the threads beyond the launch."""
    i = wp.tid()
    if i >= count:
        return
    out[i] = x[count - 1 - i] * 2.0


@wp.kernel
def no_thread_index(x: wp.array(dtype=int), counts: wp.array(dtype=int)):
    """Every thread runs, whether it asks for its number or not."""
    wp.atomic_add(counts, 0, x[0])


@wp.kernel
def anonymous_index(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """The thread's number within an expression."""
    out[wp.tid()] = x[wp.tid()] * float(wp.tid())


@wp.kernel
def series(
    series: wp.array(dtype=float), dim3: wp.array(dtype=float), uint32_t: int, out: wp.array2d(dtype=float)
):
    """The launcher, whose parameters are the kernel's, names the kernel and dim3; main names uint32_t."""
    i = wp.tid()
    make_float3 = wp.vec3(series[i], 1.0, 2.0)
    float3 = make_float3 + wp.vec3(1.0, 2.0, dim3[i])
    out[i, 0] = float3[0] + float3[2]
    out[i, 1] = series[i] * dim3[i] + float(uint32_t)
    out[i, 2] = make_float3[0]
    out[i, 3] = float3[1]


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
def small_operands(x: wp.array(dtype=wp.uint8), y: wp.array(dtype=wp.int16), out: wp.array2d(dtype=int)):
    """A negated small integer keeps its width, as does what a small integer is divided or shifted by."""
    i = wp.tid()
    out[i, 0] = int(-x[i]) + int(~x[i])
    a = wp.uint8(250)
    a /= x[i] * wp.uint8(77) | wp.uint8(1)
    out[i, 1] = int(a)
    b = y[i]
    b /= -(y[i] * wp.int16(3000)) | wp.int16(1)
    out[i, 2] = int(b)
    c = wp.uint8(200)
    c >>= (x[i] + wp.uint8(250)) % wp.uint8(5)
    out[i, 3] = int(c)


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


@wp.func
def first_of(values: wp.array(dtype=int), i: int):
    """An element, read in a function."""
    return values[i]


@wp.kernel
def hashed_indices(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Indices that only seem to be non-negative: hashes wrap around, elements change between two reads."""
    i = wp.tid()
    n = x.shape[0]
    s = i + 7
    for k in range(3):
        s = s * 1664525 + 1013904223
        out[i, 0] = x[s % n]
    out[i, 1] = float(s // 3)
    out[i, 2] = x[(i + 1) * 73856093 % n]
    if first_of(y, i) >= 0:
        y[i] = -1 - y[i]
        out[i, 3] = x[first_of(y, i)]
    else:
        out[i, 3] = -3.0


LAUNCH = {
    "integer_division": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-50, 50]}},
            "y": {"shape": ["n"], "values": {"integers": [-9, 0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "float_division": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [0.3, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "signed_zero": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-1, 2]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "literals": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "wide_literals": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "big_integers": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-1000, 1000]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "unsigned": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 200]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "small_integers": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-100, 100]}},
            "y": {"shape": ["n"], "values": {"integers": [0, 250]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "rounding": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "special_cases": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "lazy_conditions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "2 * n"]}},
            "out": {"role": "out", "shape": ["n", "4"]},
            "n": {"values": {"size": "n"}},
        },
    },
    "loop_variable": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 12]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "loop_bounds": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 12]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "nested_breaks": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 12]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "branches": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
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
    "updates": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 7]}},
            "counts": {"role": "inout", "shape": [7], "values": {"integers": [0, 10]}},
            "sums": {"role": "inout", "shape": [7], "values": {"integers": [0, 10]}},
        },
    },
    "explicit_atomics": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "low": {"role": "inout", "shape": [3], "values": {"constant": 1.0}},
            "high": {"role": "inout", "shape": [3], "values": {"constant": -1.0}},
            "bits": {"role": "inout", "shape": [2], "values": {"constant": 0}},
            "total": {"role": "inout", "shape": [3], "values": {"integers": [0, 10]}},
        },
    },
    "returned_slots": {
        "dims": ["n"],
        "equality": "permutation",
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "cursor": {"role": "inout", "shape": [3], "values": {"constant": 0}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "negative_indices": {
        "sizes": {"rows": "n + 3"},
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["rows"], "values": {"uniform": [-2.0, 2.0]}},
            "m": {"shape": ["rows", 4], "values": {"uniform": [-2.0, 2.0]}},
            "shift": {"shape": ["rows"], "values": {"integers": [-3, 4]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
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
    "views": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "inout", "shape": ["n", 5], "values": {"uniform": [-2.0, 2.0]}},
            "t": {"role": "inout", "shape": ["n", 3, 2], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "launch_2d": {
        "sizes": {"rows": "(n + 6) // 7", "cols": "17"},
        "dims": ["rows", "cols"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "launch_3d": {
        "sizes": {"depth": "(n + 99) // 100"},
        "dims": ["depth", 5, 33],
        "parameters": {
            "x": {"shape": ["depth", 5, 33], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["depth", 5, 33]},
        },
    },
    "launch_4d": {
        "dims": [2, "(n + 9) // 10", 3, 2],
        "parameters": {
            "x": {"shape": [2, "(n + 9) // 10", 3, 2], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": [2, "(n + 9) // 10", 3, 2]},
        },
    },
    "swaps": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 20]}},
            "out": {"role": "out", "shape": ["n", "4"]},
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
    "compile_time": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "comparisons": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-2, 3]}},
            "y": {"shape": ["n"], "values": {"integers": [-2, 3]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "bit_operations": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-99, 99]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "literal_comparisons": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-1, 4]}},
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
    "padded_launch": {
        "dims": ["(n + 63) // 64 * 64"],
        "parameters": {
            "count": {"values": {"size": "n"}},
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "no_thread_index": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [1, 5]}},
            "counts": {"role": "inout", "shape": [2], "values": {"integers": [0, 5]}},
        },
    },
    "anonymous_index": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "series": {
        "dims": ["n"],
        "parameters": {
            "series": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "dim3": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "uint32_t": {"values": {"integers": [1, 99]}},
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
    "small_operands": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 256]}},
            "y": {"shape": ["n"], "values": {"integers": [-3000, 3000]}},
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
    "hashed_indices": {
        "sizes": {"count": "n + 9"},
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["count"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"role": "inout", "shape": ["n"], "values": {"integers": [-3, 6]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
