"""Corners of the language, as real packages use them."""

import warp as wp

GRAVITY = wp.constant(wp.vec3(0.0, -9.81, 0.0))
QUAT = wp.constant(wp.quat(0.0, 0.6, 0.0, 0.8))
TABLE = wp.constant(wp.mat22(1.0, 2.0, 3.0, 4.0))
SHIFT = wp.constant(wp.uint32(0x9E3779B9))


@wp.struct
class Inner:
    v: wp.vec3
    m: wp.mat22
    k: int


@wp.struct
class Outer:
    inner: Inner
    w: wp.vec4
    q: wp.quat
    flag: wp.bool
    a: wp.array(dtype=float)


@wp.struct
class Cell:
    inner: Inner
    w: wp.vec4
    u: wp.uint8


@wp.kernel
def members_in_arrays(c: wp.array(dtype=Cell), k: wp.array(dtype=int), x: wp.array(dtype=float)):
    """Members of members of elements change in place."""
    i = wp.tid()
    c[i].inner.v[0] = x[i]
    c[i].inner.v.y += x[i] * 2.0
    c[i].inner.m[1, 0] -= x[i]
    c[i].inner.k += k[i]
    c[i].w[k[i] % 4] = 2.0
    c[i].w.z = c[i].inner.v[0] + c[i].inner.m[0][1]
    c[i].u += wp.uint8(250)


@wp.kernel
def struct_params(p: Outer, o: wp.array(dtype=float)):
    """A copy of a parameter changes, the parameter does not."""
    i = wp.tid()
    q = p
    q.inner.v[1] = p.a[i]
    q.inner.m += TABLE
    q.w[0] = q.inner.v[1]
    q.q = p.q * QUAT
    s = wp.quat_rotate(q.q, q.inner.v + GRAVITY)
    if q.flag:
        o[i] = s[0] + q.w[1] + p.inner.v[1] + p.w[2]
    else:
        o[i] = s[2] + p.w[2] + q.inner.m[1, 1] + p.inner.m[1][1] + float(q.inner.k)


@wp.kernel
def matrix_slices(
    m: wp.array(dtype=wp.mat44),
    o: wp.array(dtype=wp.mat33),
    r: wp.array(dtype=wp.vec3),
    s: wp.array(dtype=wp.vec2),
):
    """Blocks, rows and columns, and parts of rows."""
    i = wp.tid()
    a = m[i]
    o[i] = a[:3, :3] + a[1:, 1:]
    r[i] = a[0, 1:] + a[:3, 3] + a[2][:3]
    b = wp.mat44()
    b[0:2, 1] = wp.vec2(1.0, 2.0)
    b[3, ::2] = wp.vec2(3.0, 4.0)
    b[:2, 2:] = wp.mat22(5.0, 6.0, 7.0, 8.0)
    b[1] = a[2]
    b += a
    s[i] = b[0:2, 1] + b[3, ::2] + b[1][-2:]


@wp.kernel
def vector_slices(v: wp.array(dtype=wp.vec4), o: wp.array(dtype=wp.vec4), p: wp.array(dtype=wp.vec2)):
    """Parts that overlap, backwards and with steps."""
    i = wp.tid()
    a = v[i]
    a[1:3] = a[0:2]
    a[::-1] = a[:]
    p[i] = a[::2] + a[-2:] - a[3:1:-1]
    a[:2] += wp.vec2(1.0, 1.0)
    o[i] = a


@wp.kernel
def mixed_integers(
    a: wp.array(dtype=wp.uint8),
    b: wp.array(dtype=wp.int8),
    c: wp.array(dtype=wp.uint32),
    o: wp.array(dtype=wp.uint8),
    p: wp.array(dtype=wp.int8),
    q: wp.array(dtype=wp.uint32),
    r: wp.array(dtype=wp.int64),
):
    """Bytes and shorts keep their width in every operation."""
    i = wp.tid()
    o[i] = a[i] * wp.uint8(7) + wp.uint8(200)
    o[i] = o[i] >> wp.uint8(1) if a[i] > wp.uint8(100) else o[i] - wp.uint8(250)
    p[i] = b[i] * b[i] - wp.int8(100)
    p[i] = -p[i] // wp.int8(3)
    q[i] = (c[i] ^ SHIFT) * wp.uint32(0x85EBCA6B)
    q[i] = q[i] ^ (q[i] >> wp.uint32(13)) | wp.uint32(a[i]) << wp.uint32(3)
    r[i] = wp.int64(c[i]) - wp.int64(b[i]) * wp.int64(1 << 20)
    if c[i] - wp.uint32(5) > wp.uint32(1000):
        r[i] += wp.int64(1)
    if int(c[i]) < 0:
        r[i] = -r[i]


@wp.kernel
def small_comparisons(
    a: wp.array(dtype=wp.uint8),
    b: wp.array(dtype=wp.int8),
    h: wp.array(dtype=wp.uint16),
    o: wp.array(dtype=int),
):
    """Wrapped values are compared, not those that C++ promotes."""
    i = wp.tid()
    r = int(0)
    if a[i] + wp.uint8(200) < a[i]:
        r += 1
    if b[i] - wp.int8(100) > b[i]:
        r += 2
    if ~a[i] == wp.uint8(255) - a[i]:
        r += 4
    if -a[i] > wp.uint8(5):
        r += 8
    if h[i] * h[i] > wp.uint16(30000):
        r += 16
    if ~b[i] < wp.int8(0):
        r += 32
    if wp.abs(b[i]) > wp.int8(3):
        r += 64
    r += int(wp.min(a[i] + wp.uint8(100), wp.uint8(50))) * 256
    o[i] = r


@wp.kernel
def booleans(
    a: wp.array(dtype=wp.bool), b: wp.array(dtype=wp.bool), o: wp.array(dtype=wp.bool), n: wp.array(dtype=int)
):
    """Arithmetic with truth."""
    i = wp.tid()
    o[i] = (a[i] and b[i]) or (not a[i] and not b[i])
    n[i] = int(a[i]) + int(b[i]) * 2
    if a[i] == b[i]:
        n[i] += 4
    t = bool(n[i] & 3)
    f = wp.bool(0.0) or t
    if f != o[i]:
        n[i] += 8
    n[i] += wp.where(a[i], 16, 32)
    n[i] += 64 if b[i] else 0


@wp.func
def first_root(a: wp.array(dtype=float), lo: int, hi: int):
    for i in range(lo, hi):
        for j in range(i, hi):
            if a[i] + a[j] > 1.0:
                if a[i] < 0.0:
                    return -j
                return i * 100 + j
            if j > i + 4:
                break
    return -1


@wp.kernel
def early_returns(x: wp.array(dtype=float), o: wp.array(dtype=int)):
    """Out of loops in functions and in the kernel."""
    i = wp.tid()
    n = x.shape[0]
    if i >= n:
        return
    r = first_root(x, i, n)
    if r < 0:
        o[i] = r
        return
    for k in range(3):
        if r % (k + 2) == 0:
            o[i] = k
            return
    o[i] = r


NEG = -3
MASKS = (1, 2, 4, 8)


@wp.struct
class Pair:
    a: int
    b: float


@wp.struct
class Node:
    child: wp.vec2i
    box: Pair
    pad: wp.uint16


@wp.func
def modify(p: Pair):
    p.a = p.a + 1
    p.b = p.b * 2.0
    return p


@wp.kernel
def conversions(
    x: wp.array(dtype=float),
    k: wp.array(dtype=int),
    d: wp.array(dtype=wp.float64),
    o: wp.array(dtype=wp.float64),
    p: wp.array(dtype=wp.int64),
    q: wp.array(dtype=wp.vec3i),
    r: wp.array(dtype=wp.vec3d),
):
    """Between all kinds of numbers, and vectors of them."""
    i = wp.tid()
    a = int(x[i] * 10.0)
    b = wp.uint8(wp.abs(a))
    c = wp.int8(a)
    e = wp.uint16(k[i])
    o[i] = d[i] * wp.float64(0.1) + wp.float64(b) - wp.float64(c)
    p[i] = wp.int64(e) * wp.int64(1000003) + wp.int64(x[i] * 1000.0) // wp.int64(7) % wp.int64(5)
    v = wp.vec3(x[i], x[i] * 3.0, -x[i] * 7.5)
    q[i] = wp.vec3i(v) + wp.vec3i(a, k[i], 1)
    r[i] = wp.vec3d(v) * d[i] + wp.vec3d(q[i])
    o[i] += wp.float64(
        wp.round(x[i] * 4.0)
        + wp.rint(x[i] * 5.0)
        + wp.trunc(x[i] * 3.0)
        + wp.ceil(x[i])
        + wp.frac(x[i] * 3.0)
    )
    o[i] += (
        wp.float64(round(x[i] * 2.5))
        + wp.float64(abs(k[i]))
        + wp.float64(min(k[i], 3))
        + wp.float64(max(x[i], 0.2))
        + wp.float64(pow(wp.abs(x[i]), 2.0))
    )


@wp.kernel
def integer_corners(
    k: wp.array(dtype=int),
    h: wp.array(dtype=wp.int16),
    u: wp.array(dtype=wp.uint16),
    o: wp.array2d(dtype=int),
):
    """Signs in division, remainders, shifts, with the operators and with `c //= 2`."""
    i = wp.tid()
    a = k[i] - 7
    b = k[i] % 5 + 1
    o[i, 0] = a // b
    o[i, 1] = a % b
    o[i, 2] = a / b
    o[i, 3] = (-a) // b * b + wp.mod(a, b)
    o[i, 4] = int(h[i] // wp.int16(3)) + int(-h[i] % wp.int16(3)) * 10
    o[i, 5] = int(u[i] - wp.uint16(9)) + int(u[i] << wp.uint16(9))
    o[i, 6] = (a << 3) ^ (a >> 1) | 5 & ~a
    c = a
    c <<= 2
    c |= 1
    c ^= 7
    c &= 0xFF
    c >>= 1
    c %= 13
    c *= -3
    c //= 2
    o[i, 7] = c
    o[i, 8] = (
        wp.sign(a)
        + wp.abs(a) * wp.clamp(a, -2, 2)
        + wp.min(wp.vec3i(a, b, c))
        + int(wp.argmax(wp.vec3i(a, b, c)))
    )
    o[i, 9] = NEG // 2 + a * NEG % 4 + wp.static(MASKS[2]) + len(wp.vec3i(a, b, c))


@wp.kernel
def local_struct_copies(nodes: wp.array(dtype=Node), pairs: wp.array(dtype=Pair), o: wp.array(dtype=float)):
    """A copy is a value, an element of an array is a place."""
    i = wp.tid()
    n = nodes[i]
    p = n.box
    p.a += 5
    n.box = modify(p)
    q = pairs[i]
    q.b += 2.0
    pairs[i].a = q.a + n.box.a
    nodes[i].box.b += p.b
    nodes[i].child[1] -= 3
    nodes[i].child[n.box.a % 2] = 7
    nodes[i].pad = n.pad * wp.uint16(3)
    r = Pair(a=3, b=1.5)
    r2 = Pair(4, 2.0)
    o[i] = float(p.a) + n.box.b + q.b + float(r.a) + r.b + r2.b + nodes[i].box.b


@wp.func
def early(x: float, n: int):
    """Returns in nested loops."""
    for a in range(n):
        b = int(0)
        while b < 4:
            b += 1
            if b == 2:
                continue
            if x * float(b) > float(a) + 1.5:
                return a * 10 + b, x
            for c in range(b):
                if float(c) > x * 3.0:
                    break
                if c == 3:
                    return -1, x + 1.0
        else:
            b = 100
    return -2, 0.0


@wp.kernel
def nested_returns(x: wp.array(dtype=float), o: wp.array(dtype=int), p: wp.array(dtype=float)):
    """Two results, from inside of loops with `continue`, `break` and `else`."""
    i = wp.tid()
    n, y = early(x[i], i % 6)
    o[i] = n
    p[i] = y


@wp.kernel
def loops(k: wp.array(dtype=int), o: wp.array(dtype=int)):
    """Ranges with negative and variable steps; bounds and variables that change."""
    i = wp.tid()
    s = int(0)
    for a in range(k[i], k[i] + 3):
        s = s * 3 + a
    for a in range(10, k[i] % 5, -3):
        s = s * 5 - a
    for a in range(0, -4, -1):
        s += a
        a += 10
        s ^= a
    step = k[i] % 3 + 1
    for a in range(0, 7, step):
        if a == 4:
            break
        s += a * step
    n = k[i] % 4
    for a in range(n):
        n += 2
        s += n
    while True:
        s += 3
        if s % 7 == 0:
            break
        elif s > 1000000 or s < -1000000:
            break
    o[i] = s


LAUNCH = {
    "small_comparisons": {
        "dims": ["8 * n"],
        "parameters": {
            "a": {"shape": ["8 * n"], "values": {"integers": [0, 256]}},
            "b": {"shape": ["8 * n"], "values": {"integers": [-128, 128]}},
            "h": {"shape": ["8 * n"], "values": {"integers": [0, 65536]}},
            "o": {"role": "out", "shape": ["8 * n"]},
        },
    },
}
