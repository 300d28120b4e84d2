"""Kernels of the category matrix, seed 0.

Matrices of two to four rows: products, transposes, traces, determinants, solves.
"""

import warp as wp


@wp.kernel
def implicit_step(
    couplings: wp.array(dtype=wp.mat33),
    states: wp.array(dtype=wp.vec3),
    previous_states: wp.array(dtype=wp.vec3),
    next_state_x: wp.array(dtype=wp.float32),
    next_state_y: wp.array(dtype=wp.float32),
    next_state_z: wp.array(dtype=wp.float32),
    num_items: int,
    dt: float,
):
    """Two-step update by a coupling of components. Each component has an array of its own."""
    i = wp.tid()
    if i >= num_items:
        return
    state = states[i]
    coupling = couplings[i]
    system = wp.identity(n=3, dtype=float) - dt * coupling
    previous_state = previous_states[i]
    next_state = (wp.identity(n=3, dtype=float) + dt * coupling) @ state - system @ previous_state
    next_state_x[i] = next_state[0]
    next_state_y[i] = next_state[1]
    next_state_z[i] = next_state[2]


LAUNCH = {
    "implicit_step": {
        "difficulty": "medium",
        "dims": ["(n + 31) // 32 * 32"],
        "parameters": {
            "couplings": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "states": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "previous_states": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "next_state_x": {"role": "out", "shape": ["n"]},
            "next_state_y": {"role": "out", "shape": ["n"]},
            "next_state_z": {"role": "out", "shape": ["n"]},
            "num_items": {"values": {"size": "n"}},
            "dt": {"values": {"uniform": [0.05, 0.3]}},
        },
    },
}
