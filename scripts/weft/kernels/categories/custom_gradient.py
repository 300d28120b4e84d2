"""Functions that bring their own gradient, and kernels that compute values and gradients with them."""

from weft.kernels.idioms.custom_gradient.programs import (
    activate,
    compare,
    denoise,
    fit_curve,
    pair_forces,
    reproject,
    train_network,
)

REVISION = 6
TEACHES = "gradients of one's own: func_grad for losses, activations, potentials and fits"

IDIOMS = (
    *[fit_curve, pair_forces] * 5,
    *[denoise, train_network] * 3,
    *[compare] * 3,
    activate,
    reproject,
)
