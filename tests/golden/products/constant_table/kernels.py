"""Kernels of the category constant_table, seed 0.

Constant memory: calendars, genes, contour cases, bodies, balls, lattices, centers, codes, curves.
"""

import warp as wp


@wp.kernel
def eval_principal_energy(
    features: wp.array2d(dtype=wp.float32),
    components: wp.array2d(dtype=wp.float32),
    count: int,
    num_degree: int,
    total_energy: wp.array(dtype=wp.float32),
):
    """Sum the energy in the leading principal components over all rows. Reduced in each block, then
    by one atomic."""
    block, thread = wp.tid()
    i = block * 64 + thread
    energy = float(0.0)
    if i < count:
        other_energy = float(0.0)
        for c in range(num_degree):
            projection = float(0.0)
            for j in range(48):
                projection += features[j, i] * components[c, j]
            other_energy += projection * projection
        energy = other_energy
    block_total = wp.tile_sum(wp.tile(energy))
    wp.tile_atomic_add(total_energy, block_total)


LAUNCH = {
    "eval_principal_energy": {
        "sizes": {"features": "48", "degree": "5"},
        "difficulty": "expert",
        "equality": "bounded",
        "dims": ["(n + 63) // 64"],
        "block_dim": 64,
        "parameters": {
            "features": {"role": "in", "shape": ["features", "n"], "values": {"uniform": [-2.0, 2.0]}},
            "components": {"role": "in", "shape": ["5", "48"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "num_degree": {"values": {"size": "degree"}},
            "total_energy": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "eval_principal_energy": {"goal": "rows.principal_energy", "ending": "total_by_blocks", "formulas": ["rows.principal_energy"]},
}
