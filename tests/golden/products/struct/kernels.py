"""Kernels of the category struct, seed 0.

Structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays.
"""

import warp as wp


@wp.struct
class State:
    """The arrays of a simulation."""

    energies: wp.array(dtype=wp.float32)
    masses: wp.array(dtype=wp.float32)
    velocities: wp.array(dtype=wp.vec3)
    flags: wp.array(dtype=wp.int32)
    positions: wp.array(dtype=wp.vec3)


@wp.kernel
def state_arrays(state: State, dt: float):
    """Moves the elements of a state by one step. Elements with a certain flag are fixed. Kinetic
    energies are stored as well."""
    i = wp.tid()
    if state.flags[i] == 2:
        return
    velocity = state.velocities[i] * 0.89
    state.positions[i] = state.positions[i] + dt * velocity
    state.velocities[i] = velocity
    state.energies[i] = 0.5 * wp.dot(velocity, velocity) * state.masses[i]


LAUNCH = {
    "state_arrays": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "state.energies": {"role": "out", "shape": ["n"]},
            "state.masses": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "state.velocities": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "state.flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 3]}},
            "state.positions": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "dt": {"values": {"uniform": [0.01, 0.1]}},
        },
    },
}
