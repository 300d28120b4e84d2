"""Kernels of the category conditional, seed 0.

One branch on data per thread: if and else, ternaries, where, guards.
"""

import warp as wp


@wp.kernel
def multiclass_hinge_kernel(
    logits: wp.array2d(dtype=wp.float32),
    true_classes: wp.array(dtype=wp.int32),
    total_loss: wp.array(dtype=wp.float32),
):
    """Sum the total loss of all rows by the multiclass hinge."""
    sample = wp.tid()
    true_class = true_classes[sample]
    own = logits[sample, true_class]
    loss = float(0.0)
    for j in range(8):
        if j == true_class:
            continue
        loss += wp.max(0.6 + logits[sample, j] - own, 0.0)
    other_loss = loss / 8.0
    wp.atomic_add(total_loss, 0, other_loss)


LAUNCH = {
    "multiclass_hinge_kernel": {
        "sizes": {"classes": "8"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "logits": {"role": "in", "shape": ["n", "classes"], "values": {"uniform": [-4.0, 4.0]}},
            "true_classes": {"role": "in", "shape": ["n"], "values": {"integers": [0, "classes"]}},
            "total_loss": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}},
        },
    },
}
