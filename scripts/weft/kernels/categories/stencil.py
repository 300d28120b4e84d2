"""Stencils: each element becomes a function of its neighbours."""

from weft.kernels.idioms.stencil.gradients import (
    conductive_flux,
    edge_stopping,
    gradient,
    high_order_difference,
)
from weft.kernels.idioms.stencil.steps import advection, diffusion, reaction_diffusion, relaxation, wave
from weft.kernels.idioms.stencil.windows import line_filter, morphology, weighted_box

REVISION = 4
TEACHES = "stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation"

IDIOMS = (
    diffusion,
    high_order_difference,
    weighted_box,
    gradient,
    advection,
    relaxation,
    wave,
    reaction_diffusion,
    line_filter,
    morphology,
    conductive_flux,
    edge_stopping,
)
