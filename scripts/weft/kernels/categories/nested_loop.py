"""Loops within loops: windows, small matrix products, pairwise sums."""

from weft.kernels.idioms.nested_loop.pairs import longest_run, nearest_prototype, pairwise_energy
from weft.kernels.idioms.nested_loop.products import polynomial_product, small_matrix_product, spectral_power
from weft.kernels.idioms.nested_loop.quadrature import cell_quadrature
from weft.kernels.idioms.nested_loop.windows import image_filter, live_neighbors, smoothing_sweeps

REVISION = 5
TEACHES = "nested loops: windows, matrix products, pairwise interactions"
ALIASES = ("nested",)

IDIOMS = (
    image_filter,
    pairwise_energy,
    small_matrix_product,
    polynomial_product,
    live_neighbors,
    spectral_power,
    nearest_prototype,
    smoothing_sweeps,
    longest_run,
    cell_quadrature,
)
