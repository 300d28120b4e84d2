"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places; counters that lists grow by.
"""

import warp as wp


TOP_GROWTH = wp.constant(0.9)


@wp.kernel
def allee_growth(
    is_active: wp.array(dtype=wp.int32),
    prey_densities: wp.array(dtype=wp.float32),
    capacities: wp.array(dtype=wp.float32),
    allee_threshold: float,
    kept_growth_rates: wp.array(dtype=wp.float32),
    num_kept: wp.array(dtype=wp.int32),
):
    """Compute the growth rate of each active patch with an Allee threshold. The values of active
    patches are packed into `kept_growth_rates`, in no fixed order."""
    patch = wp.tid()
    if is_active[patch] == 0:
        return
    prey = prey_densities[patch]
    capacity = capacities[patch]
    growth_rate = TOP_GROWTH * prey * (1.0 - prey / capacity) * (prey / allee_threshold - 1.0)
    slot = wp.atomic_add(num_kept, 0, 1)
    kept_growth_rates[slot] = growth_rate


LAUNCH = {
    "allee_growth": {
        "difficulty": "hard",
        "equality": "permutation",
        "dims": ["n"],
        "parameters": {
            "is_active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "prey_densities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.2, 3.0]}},
            "capacities": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 4.0]}},
            "allee_threshold": {"values": {"uniform": [0.2, 0.8]}},
            "kept_growth_rates": {"role": "out", "shape": ["n"]},
            "num_kept": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}

MADE_OF = {
    "allee_growth": {"goal": "ecology.allee_growth", "ending": "packed", "formulas": ["ecology.allee_growth"]},
}
