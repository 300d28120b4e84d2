"""Kernels of the category particle, seed 0.

Particles: time steps, walls, forces of neighbours, smoothing kernels, cells, deposits, flocks.
"""

import warp as wp


@wp.func
def charge_energy(charge: float, potential: float):
    """Potential energy from charge and potential."""
    return charge * potential


@wp.kernel
def compute_total_mechanical_energy(
    kinetic_energies: wp.array(dtype=wp.float32),
    charges: wp.array(dtype=wp.float32),
    potentials: wp.array(dtype=wp.float32),
    group_ids: wp.array(dtype=wp.int32),
    group_mechanical_energies: wp.array(dtype=wp.float32),
):
    """Sum the mechanical energy of all particles of each group. The potential energy is computed
    from charge and potential."""
    p = wp.tid()
    kinetic_energy = kinetic_energies[p]
    charge = charges[p]
    potential = potentials[p]
    potential_energy = charge_energy(charge, potential)
    mechanical_energy = kinetic_energy + potential_energy
    group = group_ids[p]
    wp.atomic_add(group_mechanical_energies, group, mechanical_energy)


LAUNCH = {
    "compute_total_mechanical_energy": {
        "sizes": {"groups": "64"},
        "difficulty": "easy",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "kinetic_energies": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 6.0]}},
            "charges": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "potentials": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "group_ids": {"role": "in", "shape": ["n"], "values": {"integers": [0, "groups"]}},
            "group_mechanical_energies": {"role": "inout", "shape": ["groups"], "values": {"constant": 0.0}},
        },
    },
}
