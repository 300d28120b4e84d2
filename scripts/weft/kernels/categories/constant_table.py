"""Small tables that all threads read: filter taps, palettes, quadrature rules, lookup tables, permutations.

The launch description puts them into constant memory.
"""

from weft.kernels.idioms.constant_table.filters import filter_taps, image_weights, lattice_stencil
from weft.kernels.idioms.constant_table.lookups import lookup, palette, permutation_noise, state_machine
from weft.kernels.idioms.constant_table.numerics import polynomial, quadrature

REVISION = 3
TEACHES = "constant memory: filter taps, palettes, quadrature rules, permutations, lookup tables"

IDIOMS = (
    filter_taps,
    image_weights,
    lookup,
    palette,
    quadrature,
    permutation_noise,
    polynomial,
    lattice_stencil,
    state_machine,
)
