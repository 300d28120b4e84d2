"""Parts of values that are computed: once, wherever they stand."""

import warp as wp


@wp.func
def area(a: float, b: float, c: float):
    return a * b - c


@wp.func
def bump(a: wp.array(dtype=float), i: int):
    a[i] = a[i] + 1.0
    return wp.vec3(a[i], 2.0, float(i))


@wp.kernel
def slices_of_calls(
    x: wp.array(dtype=wp.vec3), y: wp.array(dtype=float), o: wp.array(dtype=wp.vec2), p: wp.array(dtype=float)
):
    """Slices of results, and their components as arguments; behind `and`, and in the test of a loop."""
    i = wp.tid()
    v = wp.normalize(x[i])[0:2]
    w = (x[i] + wp.vec3(1.0, 2.0, 3.0))[1:]
    m = wp.transpose(wp.outer(x[i], x[i]))[1:, :2]
    r = wp.outer(x[i], x[i])[2][:2]
    o[i] = v + w + m[0] + r
    p[i] = area(*wp.normalize(x[i])) + area(*(x[i] * 2.0)) + area(y[i], *(wp.normalize(x[i])[:2]))
    if p[i] > 0.0 and wp.length(wp.normalize(x[i] - wp.vec3(0.5))[::2]) > 0.5:
        p[i] = -p[i] * wp.vec3(*wp.cross(x[i], x[i] * 2.0 + wp.vec3(1.0)))[1]
    k = int(0)
    while wp.length(wp.normalize(x[i] + wp.vec3(float(k)))[:2]) < 0.8 and k < 5:
        k += 1
    p[i] += float(k)


@wp.kernel
def slices_of_effects(y: wp.array(dtype=float), o: wp.array(dtype=wp.vec2)):
    """What changes arrays or a random state does so once."""
    i = wp.tid()
    a = y[i] * bump(y, i)[:2] + y[i] * bump(y, i)[1:]
    o[i] = a
    s = wp.rand_init(i)
    o[i] += wp.sample_unit_sphere(s)[:2] * wp.randf(s)
