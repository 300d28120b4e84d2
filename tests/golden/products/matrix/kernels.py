"""Kernels of the category matrix, seed 0.

Matrices of two to four rows: products, transposes, traces, determinants, solves.
"""

import warp as wp


@wp.kernel
def implicit_step(
    couplings: wp.array(dtype=wp.mat33),
    states: wp.array(dtype=wp.vec3),
    previous_states: wp.array(dtype=wp.vec3),
    next_states: wp.array(dtype=wp.vec3),
):
    """Two-step update by a coupling of components."""
    i = wp.tid()
    previous_state = previous_states[i]
    state = states[i]
    coupling = couplings[i]
    system = wp.identity(n=3, dtype=float) - 0.24 * coupling
    next_state = (wp.identity(n=3, dtype=float) + 0.24 * coupling) @ state - system @ previous_state
    next_states[i] = next_state


LAUNCH = {
    "implicit_step": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "couplings": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "states": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "previous_states": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "next_states": {"role": "out", "shape": ["n"]},
        },
    },
}
