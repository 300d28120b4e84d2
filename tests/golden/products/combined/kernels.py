"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.struct
class Sample:
    """State of one sample."""

    label: float
    logit: float


@wp.func
def signed_margin(label: float, logit: float):
    """Margin from the signed label and the logit."""
    return (2.0 * label - 1.0) * logit


@wp.func
def hinge_gradient(margin: float, label: float):
    """Loss gradient by the derivative of the hinge."""
    return 1.0 - 2.0 * label if margin < 1.0 else 0.0


@wp.kernel
def compute_hinge_gradient(
    samples: wp.array(dtype=Sample),
    loss_gradients: wp.array(dtype=wp.float32),
):
    """Computes the loss gradient of each sample by the derivative of the hinge. The margin is
    computed from the signed label and the logit."""
    i = wp.tid()
    sample = samples[i]
    margin = signed_margin(sample.label, sample.logit)
    loss_gradient = hinge_gradient(margin, sample.label)
    loss_gradients[i] = loss_gradient


LAUNCH = {
    "compute_hinge_gradient": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "samples": {"role": "in", "shape": ["n"], "values": {"members": {"label": {"uniform": [0.0, 1.0]}, "logit": {"uniform": [-4.0, 4.0]}}}},
            "loss_gradients": {"role": "out", "shape": ["n"]},
        },
    },
}
