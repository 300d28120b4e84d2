"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places; counters that lists grow by.
"""

import warp as wp


ALIVE = wp.constant(0)
PEELED_NOW = wp.constant(1)
PEELED = wp.constant(2)


@wp.kernel
def count_degrees(
    endpoints_a: wp.array(dtype=int),
    endpoints_b: wp.array(dtype=int),
    degrees: wp.array(dtype=int),
):
    """Number of edges at each vertex."""
    e = wp.tid()
    wp.atomic_add(degrees, endpoints_a[e], 1)
    wp.atomic_add(degrees, endpoints_b[e], 1)


@wp.kernel
def mark_vertices(
    degrees: wp.array(dtype=int),
    k: int,
    state: wp.array(dtype=int),
    rounds_alive: wp.array(dtype=int),
    num_left: wp.array(dtype=int),
):
    """Peel the vertices that have too low a degree; those of the round before are done with."""
    v = wp.tid()
    if state[v] == ALIVE:
        if degrees[v] < k:
            state[v] = PEELED_NOW
        else:
            rounds_alive[v] += 1
            wp.atomic_add(num_left, 0, 1)
    elif state[v] == PEELED_NOW:
        state[v] = PEELED


@wp.kernel
def remove_edges(
    endpoints_a: wp.array(dtype=int),
    endpoints_b: wp.array(dtype=int),
    state: wp.array(dtype=int),
    degrees: wp.array(dtype=int),
):
    """Take the edges of the vertices that were just peeled away from their neighbors."""
    e = wp.tid()
    u = endpoints_a[e]
    v = endpoints_b[e]
    if state[u] == PEELED_NOW:
        wp.atomic_sub(degrees, v, 1)
    if state[v] == PEELED_NOW:
        wp.atomic_sub(degrees, u, 1)


LAUNCH = {
    "k_core": {
        "description": "4 rounds of peeling towards the k-core of an undirected graph.",
        "sizes": {"vertices": "(n + 3) // 4 + 6"},
        "difficulty": "expert",
        "steps": [
            {"zero": "degrees"},
            {"zero": "state"},
            {"zero": "rounds_alive"},
            {"kernel": "count_degrees", "dims": ["n"], "arguments": {}},
            {"repeat": 4, "steps": [
                {"zero": "num_left"},
                {"kernel": "mark_vertices", "dims": ["vertices"], "arguments": {}},
                {"kernel": "remove_edges", "dims": ["n"], "arguments": {}},
            ]},
        ],
        "parameters": {
            "endpoints_a": {"role": "in", "shape": ["n"], "values": {"integers": [0, "vertices"]}},
            "endpoints_b": {"role": "in", "shape": ["n"], "values": {"integers": [0, "vertices"]}},
            "k": {"values": {"integers": [6, 8]}},
            "degrees": {"role": "out", "shape": ["vertices"]},
            "state": {"role": "out", "shape": ["vertices"]},
            "rounds_alive": {"role": "out", "shape": ["vertices"]},
            "num_left": {"role": "out", "shape": ["1"]},
        },
    },
}

MADE_OF = {
    "k_core": {"goal": "atomic.k_core", "ending": "written", "formulas": []},
}

PARTS = ["count_degrees", "mark_vertices", "remove_edges"]
