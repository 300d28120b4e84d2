"""Numbers from outside that are cast, and arithmetic of wide integers in arguments."""

import math

import numpy as np

import warp as wp


PI = math.pi
EPSILON = wp.constant(wp.float32(np.finfo(np.float32).eps))


@wp.func
def in_single(x: float):
    return x * PI + EPSILON


@wp.kernel
def cast_twice(x: wp.array(dtype=float), out: wp.array(dtype=wp.float64)):
    """The second cast of a name reads the number in double precision too, though elsewhere it is single."""
    i = wp.tid()
    a = wp.float64(x[i])
    b = a / wp.sqrt(wp.float64(PI))
    c = wp.float64(PI) * a
    out[i] = b - c * wp.float64(in_single(x[i]))


@wp.kernel
def smallest_of_wide(k: wp.array(dtype=wp.int64), n: int, out: wp.array(dtype=int)):
    """A sum of an int64_t and a literal is a long long, for which CUDA's min has no overload with long."""
    i = wp.tid()
    out[i] = int(wp.min(k[i], wp.int64(n) + wp.int64(1))) + int(wp.max(wp.int64(3) - k[i], k[i]))


LAUNCHES = {
    "cast_twice": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-3.0, 3.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "smallest_of_wide": {
        "dims": ["n"],
        "parameters": {
            "k": {"shape": ["n"], "values": {"integers": [-20, 20]}},
            "n": {"values": {"integers": [0, 9]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
}


@wp.kernel
def float_of_wide_literal(x: wp.array(dtype=wp.uint32), out: wp.array(dtype=float)):
    """A literal that no int holds wraps before it becomes a float; an unsigned one does not."""
    i = wp.tid()
    out[i] = float(i) + float(x[i]) / wp.float32(0xFFFFFFFF) + wp.float32(2147483647) * 1.0e-9
