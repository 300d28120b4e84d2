"""Small kernels whose gradients are known to be right, wrong, or neither; test_gradients.py launches them."""

import warp as wp


@wp.struct
class Body:
    place: wp.vec3
    mass: float
    kind: int


@wp.struct
class Springs:
    stiffness: wp.array(dtype=float)
    rest: float


@wp.func
def half_slope(x: float):
    return x * x


@wp.func_grad(half_slope)
def adj_half_slope(x: float, adj_ret: float):
    wp.adjoint[x] += adj_ret * x


@wp.func
def square(x: float):
    return x * x


@wp.func_grad(square)
def adj_square(x: float, adj_ret: float):
    wp.adjoint[x] += adj_ret * 2.0 * x


@wp.func_native(snippet="return 3.0f * x;")
def tripled(x: float) -> float: ...


@wp.kernel
def smooth(x: wp.array(dtype=float), y: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = wp.sin(x[i]) * y[i] + wp.cross(y[i], wp.vec3(0.5, x[i], 1.0))


@wp.kernel
def halves(x: wp.array(dtype=wp.float16), out: wp.array(dtype=wp.float16)):
    i = wp.tid()
    out[i] = x[i] * x[i] * wp.float16(0.3)


@wp.kernel
def doubles(x: wp.array2d(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i, j = wp.tid()
    wp.atomic_add(out, i, wp.exp(x[i, j]) * wp.float64(0.5))


@wp.kernel
def bodies(state: wp.array(dtype=Body), springs: Springs, energy: wp.array(dtype=float)):
    i = wp.tid()
    body = state[i]
    stretch = wp.length(body.place) - springs.rest
    energy[i] = 0.5 * springs.stiffness[i] * stretch * stretch + body.mass * body.place[1]


@wp.kernel
def noisy(x: wp.array(dtype=float), seed: int, out: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    out[i] = x[i] * wp.randf(state) + wp.randf(state, -1.0, 1.0)


@wp.kernel
def only_single(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(3, i)
    out[i] = x[i] * x[i] + 0.1 * wp.randn(state)


@wp.kernel
def sometimes_flat(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.abs(x[i]) * 2.0


@wp.kernel
def everywhere_a_kink(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.max(x[i], 0.0)


@wp.kernel
def own_right(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = square(x[i]) + x[i]


@wp.kernel
def own_wrong(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = half_slope(x[i])


@wp.kernel
def counts(x: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = x[i] * x[i]


@wp.kernel
def steps(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.floor(x[i] * 7.3)


@wp.kernel(enable_backward=False)
def told_not_to(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i] * x[i]


@wp.kernel
def fractions(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.frac(x[i])


@wp.kernel
def native(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = tripled(x[i])


@wp.kernel
def in_place(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i]


@wp.kernel
def largest(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_max(out, 0, x[i])


@wp.kernel
def powers(x: wp.array(dtype=float), count: int, out: wp.array(dtype=float)):
    i = wp.tid()
    result = x[i]
    for _ in range(count):
        result = result * x[i] + 0.1 * result * result
    out[i] = result


@wp.kernel
def strided(x: wp.array(dtype=float), count: int, threads: int, out: wp.array(dtype=float)):
    i = wp.tid()
    while i < count:
        out[i] = x[i] * x[i]
        i += threads


@wp.kernel
def never_ends(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    while x[i] > -5.0:
        out[i] = out[i] + x[i]


@wp.kernel
def far_outside(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i + 3000]


@wp.kernel
def smoothed(before: wp.array(dtype=float), after: wp.array(dtype=float)):
    i = wp.tid()
    after[i] = 0.5 * before[i] * before[i] + 0.25 * before[wp.max(i - 1, 0)]
