"""Kernels of the category multi_launch, seed 0.

Programs of several launches: workspaces between kernels, totals, time steps.
"""

import warp as wp


@wp.kernel
def initialize(
    b: wp.array(dtype=float),
    x: wp.array(dtype=float),
    r: wp.array(dtype=float),
    p: wp.array(dtype=float),
):
    """Start from x = 0, where the residual is b."""
    i = wp.tid()
    x[i] = 0.0
    r[i] = b[i]
    p[i] = b[i]


@wp.kernel
def dot(u: wp.array(dtype=float), v: wp.array(dtype=float), result: wp.array(dtype=float)):
    """Add the inner product of two vectors to result[0]."""
    i = wp.tid()
    wp.atomic_add(result, 0, u[i] * v[i])


@wp.kernel
def apply_matrix(
    p: wp.array(dtype=float),
    diagonal: wp.array(dtype=float),
    ap: wp.array(dtype=float),
):
    """Multiply by the tridiagonal matrix with the given diagonal and -1 on both sides of it."""
    i = wp.tid()
    total = diagonal[i] * p[i]
    if i > 0:
        total -= p[i - 1]
    if i < p.shape[0] - 1:
        total -= p[i + 1]
    ap[i] = total


@wp.kernel
def update_solution(
    p: wp.array(dtype=float),
    ap: wp.array(dtype=float),
    rz: wp.array(dtype=float),
    pap: wp.array(dtype=float),
    x: wp.array(dtype=float),
    r: wp.array(dtype=float),
):
    """Step along the search direction, and update the residual."""
    i = wp.tid()
    alpha = rz[0] / pap[0]
    x[i] = x[i] + alpha * p[i]
    r[i] = r[i] - alpha * ap[i]


@wp.kernel
def update_direction(
    r: wp.array(dtype=float),
    new_rz: wp.array(dtype=float),
    rz: wp.array(dtype=float),
    p: wp.array(dtype=float),
):
    """Make the next search direction conjugate to the previous ones."""
    i = wp.tid()
    p[i] = r[i] + new_rz[0] / rz[0] * p[i]


LAUNCH = {
    "cg_solver": {
        "description": "Run two iterations of the conjugate gradient method on a tridiagonal system, from x = 0.",
        "sizes": {"size": "min(n, 4093) + 4"},
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"kernel": "initialize", "dims": ["size"], "arguments": {}},
            {"zero": "rz"},
            {"kernel": "dot", "dims": ["size"], "arguments": {"u": "r", "v": "r", "result": "rz"}},
            {"kernel": "apply_matrix", "dims": ["size"], "arguments": {}},
            {"zero": "pap"},
            {"kernel": "dot", "dims": ["size"], "arguments": {"u": "p", "v": "ap", "result": "pap"}},
            {"kernel": "update_solution", "dims": ["size"], "arguments": {"rz": "rz"}},
            {"zero": "new_rz"},
            {"kernel": "dot", "dims": ["size"], "arguments": {"u": "r", "v": "r", "result": "new_rz"}},
            {"kernel": "update_direction", "dims": ["size"], "arguments": {"rz": "rz", "new_rz": "new_rz"}},
            {"kernel": "apply_matrix", "dims": ["size"], "arguments": {}},
            {"zero": "pap"},
            {"kernel": "dot", "dims": ["size"], "arguments": {"u": "p", "v": "ap", "result": "pap"}},
            {"kernel": "update_solution", "dims": ["size"], "arguments": {"rz": "new_rz"}},
            {"zero": "rz"},
            {"kernel": "dot", "dims": ["size"], "arguments": {"u": "r", "v": "r", "result": "rz"}},
            {"kernel": "update_direction", "dims": ["size"], "arguments": {"rz": "new_rz", "new_rz": "rz"}},
        ],
        "parameters": {
            "b": {"role": "in", "shape": ["size"], "values": {"uniform": [-1.0, 1.0]}},
            "diagonal": {"role": "in", "shape": ["size"], "values": {"uniform": [2.5, 4.0]}},
            "x": {"role": "out", "shape": ["size"]},
            "r": {"role": "out", "shape": ["size"]},
            "p": {"role": "out", "shape": ["size"]},
            "ap": {"role": "out", "shape": ["size"]},
            "rz": {"role": "out", "shape": ["1"]},
            "pap": {"role": "out", "shape": ["1"]},
            "new_rz": {"role": "out", "shape": ["1"]},
        },
    },
}

MADE_OF = {
    "cg_solver": {"goal": "multi_launch.conjugate_gradient", "ending": "written", "formulas": []},
}

PARTS = ["initialize", "dot", "apply_matrix", "update_solution", "update_direction"]
