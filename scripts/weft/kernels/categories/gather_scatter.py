"""Reads and writes through indices: gathers, scatters, adjacency lists, lookups between samples."""

from weft.kernels.idioms.gather_scatter.gathers import (
    chained_read,
    indexed_read,
    line_lookup,
    permuted_write,
    strided_access,
)
from weft.kernels.idioms.gather_scatter.graphs import adjacency_sum, edge_difference, scatter_totals
from weft.kernels.idioms.gather_scatter.samples import grid_sample, order_in_row, resample
from weft.kernels.idioms.gather_scatter.segments import segment_of

REVISION = 6
TEACHES = "indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides"

IDIOMS = (
    indexed_read,
    chained_read,
    permuted_write,
    adjacency_sum,
    edge_difference,
    line_lookup,
    grid_sample,
    strided_access,
    resample,
    scatter_totals,
    order_in_row,
    segment_of,
)
