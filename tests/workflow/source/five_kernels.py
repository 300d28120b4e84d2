"""Five kernels: two that go through, and three that must not cost the others anything."""

import warp as wp
from helper import limit


@wp.kernel
def scale(values: wp.array(dtype=wp.float32), factor: wp.float32, out: wp.array(dtype=wp.float32)):
    """Every value times a factor."""
    i = wp.tid()
    out[i] = limit(values[i]) * factor


@wp.kernel
def refused_by_warp(values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    """Adds a number to a vector, which Warp has no operator for."""
    i = wp.tid()
    out[i] = values[i] + wp.vec3(1.0, 2.0, 3.0)


@wp.kernel
def refused_by_the_translator(
    mesh: wp.uint64, values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)
):
    """Asks for a mesh, which a program that stands alone does not have."""
    i = wp.tid()
    out[i] = values[i]
    if values[i] > 10.0:
        point = wp.mesh_get_point(mesh, i)
        out[i] = point[0]


@wp.kernel
def runs_too_long(values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    """Writes again and again, far beyond any time limit."""
    i = wp.tid()
    out[i] = values[i]
    for _round in range(2000000000):
        out[i] = out[i] * 0.5 + values[i]


@wp.kernel
def shift(values: wp.array(dtype=wp.float32), out: wp.array(dtype=wp.float32)):
    """Every value plus its index."""
    i = wp.tid()
    out[i] = values[i] + wp.float32(i)


LAUNCH = {
    "scale": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "factor": {"values": {"uniform": [0.5, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "refused_by_warp": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "refused_by_the_translator": {
        "dims": ["n"],
        "parameters": {
            "mesh": {"values": {"constant": 0}},
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "runs_too_long": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "shift": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
}
