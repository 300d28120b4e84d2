"""Counting into bins: by value, by digit, by place, jointly, privately and with weights."""

from weft.kernels.idioms.histogram.copies import merged_copies, private_rows, shared_counts
from weft.kernels.idioms.histogram.counts import color_channels, digit_counts, joint_counts, value_bins
from weft.kernels.idioms.histogram.ranks import equalized, rank_votes

REVISION = 1
TEACHES = "histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts"

IDIOMS = (
    value_bins,
    joint_counts,
    private_rows,
    digit_counts,
    color_channels,
    merged_copies,
    equalized,
    rank_votes,
    shared_counts,
)
