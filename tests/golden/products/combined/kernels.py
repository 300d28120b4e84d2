"""Kernels of the category combined, seed 0.

Loops, branches, vectors, structs, helper functions and indirect reads in one kernel.
"""

import warp as wp


@wp.kernel
def dense_layer(
    measurements: wp.array2d(dtype=wp.float32),
    weights: wp.array(dtype=wp.float32),
    biases: wp.array(dtype=wp.float32),
    kept: wp.array(dtype=wp.int32),
    importances: wp.array(dtype=wp.float32),
    num_samples: int,
    leak: float,
    activations: wp.array(dtype=wp.float32),
):
    """Dense layer on the squared inputs of each sample, with a Lorentzian above zero and a leak
    below. Inputs whose kept is 0 are left out. The activation is multiplied by its importance."""
    sample = wp.tid()
    if sample >= num_samples:
        return
    total = biases[sample]
    for j in range(6):
        if kept[j] == 0:
            continue
        total += measurements[sample, j] * measurements[sample, j] * weights[j]
    if total < 0.0:
        total = leak * total
    else:
        total = 1.0 / (1.0 + total * total)
    importance = importances[sample]
    activation = importance * total
    activations[sample] = activation


LAUNCH = {
    "dense_layer": {
        "sizes": {"inputs": "6"},
        "difficulty": "hard",
        "dims": ["(n + 127) // 128 * 128"],
        "parameters": {
            "measurements": {"role": "in", "shape": ["n", "inputs"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["inputs"], "values": {"uniform": [-1.0, 1.0]}},
            "biases": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "kept": {"role": "in", "shape": ["inputs"], "values": {"integers": [0, 2]}},
            "importances": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "num_samples": {"values": {"size": "n"}},
            "leak": {"values": {"uniform": [0.05, 0.3]}},
            "activations": {"role": "out", "shape": ["n"]},
        },
    },
}
