"""Counting into bins: by value, by digit, by place, jointly, privately and with weights."""

from weft.kernels.idioms.histogram.colors import color_channels
from weft.kernels.idioms.histogram.copies import merged_copies, private_rows
from weft.kernels.idioms.histogram.counts import digit_counts, joint_counts, value_bins
from weft.kernels.idioms.histogram.own import own_counts
from weft.kernels.idioms.histogram.ranks import equalized, rank_votes
from weft.kernels.idioms.histogram.shared import shared_counts

REVISION = 6
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
    own_counts,
)
