"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


@wp.func
def embedding_loss(similarity: float, same: int, margin_width: float):
    """Embedding loss from the similarity and whether both are alike."""
    loss = wp.max(similarity - margin_width, 0.0)
    if same == 1:
        loss = 1.0 - similarity
    return loss


@wp.kernel
def row_loss(
    similarities: wp.array(dtype=wp.float32),
    same_flags: wp.array(dtype=wp.int32),
    margin_width: float,
    losses: wp.array(dtype=wp.float32),
):
    """Compute the embedding loss of each row from the similarity and whether both are alike."""
    row = wp.tid()
    similarity = similarities[row]
    same = same_flags[row]
    loss = embedding_loss(similarity, same, margin_width)
    losses[row] = loss


LAUNCH = {
    "row_loss": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "similarities": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "same_flags": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "margin_width": {"values": {"uniform": [0.2, 1.0]}},
            "losses": {"role": "out", "shape": ["n"]},
        },
    },
}
