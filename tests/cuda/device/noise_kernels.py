"""Noise, drawn numbers, searches, and bits of values."""

import warp as wp


@wp.kernel
def noise_fields(x: wp.array(dtype=wp.vec4), seed: int, out: wp.array2d(dtype=float)):
    """Noise on lattices of one to four dimensions, also left of zero and at lattice points."""
    i = wp.tid()
    state = wp.rand_init(seed)
    p = x[i]
    if i % 7 == 0:
        p = wp.vec4(wp.floor(p[0]), wp.floor(p[1]), wp.floor(p[2]), wp.floor(p[3]))
    xy = wp.vec2(p[0], p[1])
    xyz = wp.vec3(p[0], p[1], p[2])
    out[i, 0] = wp.noise(state, p[0]) + wp.noise(state, xy) * 2.0
    out[i, 1] = wp.noise(state, xyz) + wp.noise(state, p) * 2.0
    out[i, 2] = wp.pnoise(state, p[3], 3) + wp.pnoise(state, xy, 2, 5) * 2.0
    out[i, 3] = wp.pnoise(state, xyz, 1, 2, 3) + wp.pnoise(state, p, 4, 3, 2, 1) * 2.0


@wp.kernel
def curls_of_noise(x: wp.array(dtype=wp.vec4), seed: int, out: wp.array2d(dtype=float)):
    """Octaves, lacunarity and gain have defaults, in whatever order they are named."""
    i = wp.tid()
    state = wp.rand_init(seed, i)
    p = x[i]
    a = wp.curlnoise(state, wp.vec2(p[0], p[1])) + wp.curlnoise(state, wp.vec2(p[2], p[3]), gain=0.25)
    b = wp.curlnoise(state, wp.vec3(p[0], p[1], p[2]), wp.uint32(3), 2.5, 0.75)
    c = wp.curlnoise(state, p, lacunarity=1.5, octaves=wp.uint32(2))
    out[i, 0] = a[0] + 2.0 * a[1]
    out[i, 1] = b[0] + 2.0 * b[1] + 4.0 * b[2]
    out[i, 2] = c[0] + 2.0 * c[1] + 4.0 * c[2]
    out[i, 3] = float(state)


@wp.kernel
def drawn_counts(cdf: wp.array(dtype=float), seed: int, out: wp.array2d(dtype=int)):
    """Poisson numbers of small, large and zero mean, and places in a distribution, drawn one after the other."""
    i = wp.tid()
    state = wp.rand_init(seed, i)
    out[i, 0] = int(wp.poisson(state, 2.5)) + 100 * int(wp.poisson(state, 0.0))
    out[i, 1] = int(wp.poisson(state, 10.0 + float(i) * 3.0))
    out[i, 2] = wp.sample_cdf(state, cdf) - 10 * wp.sample_cdf(state, cdf)
    out[i, 3] = (
        int(wp.randu(state, wp.uint32(3), wp.uint32(90)))
        + wp.randi(state, -5, 5)
        + int(wp.randu(state) >> wp.uint32(20))
    )


@wp.func
def place_of(values: wp.array2d(dtype=int), row: int, x: int):
    """A search in a view."""
    return wp.lower_bound(values[row], x)


@wp.kernel
def searches(values: wp.array2d(dtype=int), x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """In a whole array, a part, a view; past the end it is the last place."""
    i = wp.tid()
    row = values[0]
    for k in range(5):
        values[i + 1, k] = k * k - 3
    out[i, 0] = wp.lower_bound(row, x[i]) + wp.lower_bound(values[0], 1000)
    out[i, 1] = wp.lower_bound(row, 1, 4, x[i])
    out[i, 2] = place_of(values, i + 1, x[i])
    out[i, 3] = wp.lower_bound(row, -1000)


@wp.kernel
def bits_of_values(x: wp.array(dtype=float), y: wp.array(dtype=wp.float64), out: wp.array2d(dtype=int)):
    """cast keeps the bits."""
    i = wp.tid()
    bits = wp.cast(x[i], wp.int32)
    wide = wp.cast(y[i], wp.int64)
    out[i, 0] = bits ^ int(wp.cast(x[i], wp.uint32) >> wp.uint32(3))
    out[i, 1] = int(wide >> wp.int64(33)) + wp.cast(float(i), wp.int32)
    out[i, 2] = int(wp.cast(bits | 1, wp.float32) * 1000.0) + int(
        wp.cast(wide, wp.float64) * wp.float64(100.0)
    )
    out[i, 3] = int(wp.cast(wp.cast(wp.uint64(i), wp.float64), wp.uint64))


@wp.kernel
def inverse_error_functions(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Quantiles in the middle and far out."""
    i = wp.tid()
    tail = wp.exp(-34.0 * wp.abs(x[i]))
    out[i, 0] = wp.erfinv(x[i])
    out[i, 1] = wp.erfcinv(tail) + wp.erfcinv(1.5 + tail * 0.25)
    out[i, 2] = float(
        wp.erfinv(wp.float64(1.0) - wp.float64(tail)) + wp.erfcinv(wp.float64(x[i]) + wp.float64(1.0))
    )
    out[i, 3] = wp.erfinv(wp.float32(0.0)) + wp.erf(x[i]) + wp.erfc(x[i])


@wp.struct
class Walker:
    """Something with a generator of its own."""

    state: wp.uint32
    position: float


@wp.kernel
def copied_states(
    states: wp.array(dtype=wp.uint32), walkers: wp.array(dtype=Walker), out: wp.array2d(dtype=float)
):
    """Only a variable advances: a state in an array, in a struct or computed is copied for each draw."""
    i = wp.tid()
    walker = walkers[i]
    out[i, 0] = (
        wp.randf(states[i]) + float(wp.poisson(states[i], 3.0)) + wp.randf(states[i]) * wp.randn(states[i])
    )
    out[i, 1] = wp.randf(walker.state) - 2.0 * wp.randf(walker.state)
    wp.randf(states[i])
    tested = i > 3 and wp.randf(states[i - 3]) < 0.5
    state = states[i]
    out[i, 2] = (
        wp.randf(wp.rand_init(3, i)) + wp.randf(states[i] + wp.uint32(1)) + float(tested) + wp.randf(state)
    )
    k = int(0)
    while wp.randf(states[(i + k) % out.shape[0]]) < 0.7 and k < 5:
        k += 1
    out[i, 3] = float(k) + wp.randf(state)


@wp.struct
class Svd3f:
    """A struct with the name of a helper's results."""

    u: float


@wp.struct
class NoiseSample2:
    """A struct with the name of one that helpers use among themselves."""

    value: float


@wp.func
def noise(x: float):
    """A function with the name of a helper."""
    return x * 2.0


@wp.kernel
def smootherstep(x: wp.array(dtype=wp.mat33), out: wp.array2d(dtype=float)):
    """Names that helpers have too."""
    i = wp.tid()
    s = Svd3f()
    s.u = x[i][0, 0]
    sample = NoiseSample2()
    sample.value = s.u
    u, svd3, v = wp.svd3(x[i])
    principal_axes = svd3[0] + u[0, 0] + v[1, 1]
    c = wp.curlnoise(wp.uint32(3), wp.vec2(s.u, sample.value))
    out[i, 0] = noise(s.u) + wp.noise(wp.uint32(i), sample.value)
    out[i, 1] = principal_axes
    out[i, 2] = c[0]
    out[i, 3] = c[1]


LAUNCH = {
    "smootherstep": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "copied_states": {
        "dims": ["n"],
        "parameters": {
            "states": {"shape": ["n"], "values": {"integers": [0, 1000]}},
            "walkers": {"shape": ["n"], "values": {"integers": [0, 1000]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "noise_fields": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-9.0, 9.0]}},
            "seed": {"values": {"integers": [0, 1000]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "curls_of_noise": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-9.0, 9.0]}},
            "seed": {"values": {"integers": [0, 1000]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "drawn_counts": {
        "dims": ["n"],
        "parameters": {
            "cdf": {"shape": [9], "values": {"uniform": [0.0, 1.0]}},
            "seed": {"values": {"integers": [0, 1000]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "searches": {
        "dims": ["n"],
        "parameters": {
            "values": {"role": "inout", "shape": ["n + 1", 5], "values": {"integers": [-9, 9]}},
            "x": {"shape": ["n"], "values": {"integers": [-12, 12]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "bits_of_values": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "inverse_error_functions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
