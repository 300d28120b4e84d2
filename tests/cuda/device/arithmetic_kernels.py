"""Numbers: division, literals, small and wide integers, rounding, comparisons."""

import warp as wp

LIMIT = 3
SCALE = wp.constant(0.1)


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
    out[i, 3] = wp.degrees(x[i]) + wp.radians(x[i]) + wp.asin(wp.clamp(2.0 * x[i], -1.0, 1.0))


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
    "small_operands": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 256]}},
            "y": {"shape": ["n"], "values": {"integers": [-3000, 3000]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
