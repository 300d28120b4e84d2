"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.kernel
def brownian_dynamics_step(
    positions: wp.array(dtype=wp.vec2),
    neighbors: wp.array2d(dtype=wp.int32),
    neighbor_counts: wp.array(dtype=wp.int32),
    cutoff: float,
    strength: float,
    screening_length: float,
    mobility: float,
    temperature: float,
    dt: float,
    seed: int,
    new_positions: wp.array(dtype=wp.vec2),
):
    """Brownian dynamics step from the screened Coulomb force."""
    particle = wp.tid()
    position = positions[particle]
    force = wp.vec2(0.0, 0.0)
    for slot in range(neighbor_counts[particle]):
        offset = position - positions[neighbors[slot, particle]]
        distance = wp.max(wp.length(offset), 0.15)
        if distance < cutoff:
            energy = strength * wp.exp(-distance / screening_length) / distance
            force += energy * (1.0 / distance + 1.0 / screening_length) / distance * offset
    spread = wp.sqrt(2.0 * mobility * temperature * dt)
    state = wp.rand_init(seed, particle)
    noise = wp.vec2(0.0, 0.0)
    for axis in range(2):
        noise[axis] = wp.randn(state)
    new_positions[particle] = position + mobility * dt * force + spread * noise


LAUNCH = {
    "brownian_dynamics_step": {
        "sizes": {"max_neighbors": "8"},
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "neighbors": {"role": "in", "shape": ["max_neighbors", "n"], "values": {"integers": [0, "n"]}},
            "neighbor_counts": {"role": "in", "shape": ["n"], "values": {"integers": [0, "max_neighbors"]}},
            "cutoff": {"values": {"uniform": [0.6, 1.0]}},
            "strength": {"values": {"uniform": [0.2, 2.0]}},
            "screening_length": {"values": {"uniform": [0.2, 0.8]}},
            "mobility": {"values": {"uniform": [0.05, 0.5]}},
            "temperature": {"values": {"uniform": [0.2, 1.5]}},
            "dt": {"values": {"uniform": [0.001, 0.05]}},
            "seed": {"values": {"integers": [1, 1001]}},
            "new_positions": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "brownian_dynamics_step": {"goal": "particles.brownian_position", "ending": "per_element", "formulas": ["particles.brownian_position", "particles.yukawa_force"]},
}
