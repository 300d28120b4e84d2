"""Kernels of the category control_flow, seed 0.

Early returns, break, continue, while loops and guards.
"""

import warp as wp


DEPTH = wp.constant(5)
NUM_NODES = wp.constant(31)


@wp.kernel
def decision_tree(
    features: wp.array2d(dtype=int),
    split_features: wp.array(dtype=int),
    thresholds: wp.array(dtype=int),
    leaf_labels: wp.array(dtype=int),
    labels: wp.array(dtype=int),
):
    """Label each sample with a decision tree in heap order, where the children of node k are 2k + 1
    and 2k + 2. Samples are columns."""
    i = wp.tid()
    node = int(0)
    for _level in range(DEPTH):
        if features[split_features[node], i] <= thresholds[node]:
            node = 2 * node + 1
        else:
            node = 2 * node + 2
    labels[i] = leaf_labels[node - 31]


LAUNCH = {
    "decision_tree": {
        "sizes": {"count": "(n + 7) // 8 + 2"},
        "difficulty": "medium",
        "dims": ["count"],
        "parameters": {
            "features": {"role": "in", "shape": ["8", "count"], "values": {"integers": [0, 100]}},
            "split_features": {"role": "in", "shape": ["31"], "values": {"integers": [0, 8]}},
            "thresholds": {"role": "in", "shape": ["31"], "values": {"integers": [20, 80]}},
            "leaf_labels": {"role": "in", "shape": ["32"], "values": {"integers": [0, 10]}},
            "labels": {"role": "out", "shape": ["count"]},
        },
    },
}

MADE_OF = {
    "decision_tree": {"goal": "control_flow.decision_tree", "ending": "written", "formulas": []},
}
