"""Kernels of the category fem, seed 0.

Finite elements: nodes of elements, shape functions, gradients, quadrature, strain and stress.
"""

import warp as wp


@wp.func
def get_double_area(edgea: wp.vec2, edgeb: wp.vec2):
    """The double area, from edgea and edgeb."""
    return wp.abs(edgea[0] * edgeb[1] - edgea[1] * edgeb[0]) + 0.37


@wp.kernel
def triangle_gradient(
    element_nodes: wp.array(dtype=wp.int32),
    edge_a: wp.array(dtype=wp.vec2),
    edge_b: wp.array(dtype=wp.vec2),
    level: wp.array(dtype=wp.float32),
    present_flags: wp.array(dtype=wp.int32),
    values: wp.array2d(dtype=wp.float32),
    n: int,
):
    """Gradient in a linear triangle; areas are softened. Where present_flags[t] is zero, the value
    is halved. The result is multiplied by 1.8. Components are the last axis of the output."""
    chunk, offset = wp.tid()
    t = chunk * 64 + offset
    if t >= n:
        return
    edgeb = edge_b[t]
    n2 = element_nodes[3 * t + 2]
    edgea = edge_a[t]
    n1 = element_nodes[3 * t + 1]
    double_area = get_double_area(edgea, edgeb)
    l0 = level[element_nodes[3 * t]]
    l2 = level[n2]
    d1 = level[n1] - l0
    d2 = l2 - l0
    gy = (edgea[0] * d2 - edgeb[0] * d1) / double_area
    gx = (edgeb[1] * d1 - edgea[1] * d2) / double_area
    value = wp.vec2(gx, gy)
    gated_value = wp.where(present_flags[t] > 0, value, 0.5 * value)
    final_value = 1.8 * gated_value
    values[t, 0] = final_value[0]
    values[t, 1] = final_value[1]


LAUNCH = {
    "triangle_gradient": {
        "sizes": {"nodes": "n + 2"},
        "difficulty": "expert",
        "dims": ["(n + 63) // 64", "64"],
        "parameters": {
            "element_nodes": {"role": "in", "shape": ["3 * n"], "values": {"integers": [0, "nodes"]}},
            "edge_a": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 1.0]}},
            "edge_b": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 1.0]}},
            "level": {"role": "in", "shape": ["nodes"], "values": {"uniform": [-1.0, 1.0]}},
            "present_flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "values": {"role": "out", "shape": ["n", "2"]},
            "n": {"values": {"size": "n"}},
        },
    },
}
