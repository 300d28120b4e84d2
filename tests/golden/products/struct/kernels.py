"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


MIX = wp.constant(0.6)


@wp.struct
class SampleState:
    """What is known of all elements."""

    hard_labels: wp.array(dtype=wp.float32)
    partner_labels: wp.array(dtype=wp.float32)
    logits: wp.array(dtype=wp.float32)
    weighted_losses: wp.array(dtype=wp.float32)


@wp.func
def mixed_label(hard_label: float, partner_label: float):
    """Mix the label with that of a partner."""
    return MIX * hard_label + (1.0 - MIX) * partner_label


@wp.kernel
def sample_weighted_loss(state: SampleState, confidence: float):
    """Masks the loss of each sample where the label is uncertain. The loss is computed by the
    modified Huber function of the margin."""
    sample = wp.tid()
    hard_label = state.hard_labels[sample]
    partner_label = state.partner_labels[sample]
    label = mixed_label(hard_label, partner_label)
    logit = state.logits[sample]
    margin = (2.0 * label - 1.0) * logit
    gap = wp.max(1.0 - margin, 0.0)
    loss = wp.where(margin < -1.0, -4.0 * margin, gap * gap)
    weighted_loss = float(0.0)
    if wp.abs(label - 0.5) > confidence:
        weighted_loss = loss
    state.weighted_losses[sample] = weighted_loss


LAUNCH = {
    "sample_weighted_loss": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "state.hard_labels": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "state.partner_labels": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "state.logits": {"role": "in", "shape": ["n"], "values": {"uniform": [-4.0, 4.0]}},
            "state.weighted_losses": {"role": "out", "shape": ["n"]},
            "confidence": {"values": {"uniform": [0.1, 0.3]}},
        },
    },
}
