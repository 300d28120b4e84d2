"""Functions that bring their own gradient, and kernels that use them."""

from weft.kernels.idioms.custom_gradient.fields import measured_maps, vector_fields
from weft.kernels.idioms.custom_gradient.solvers import replayed_work, solutions
from weft.kernels.idioms.custom_gradient.terms import (
    field_of_sources,
    loss_terms,
    material_laws,
    pair_energies,
    row_sums,
    two_terms,
)

REVISION = 3
TEACHES = (
    "gradients of one's own: func_grad for losses, potentials, maps, solutions; func_replay for cached work"
)

IDIOMS = (
    loss_terms,
    material_laws,
    two_terms,
    row_sums,
    pair_energies,
    field_of_sources,
    vector_fields,
    measured_maps,
    solutions,
    replayed_work,
)
