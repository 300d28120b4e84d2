"""Monte Carlo methods: each thread draws its own random numbers and estimates, walks, or samples."""

from weft.kernels.idioms.monte_carlo.chains import accept_or_reject, anneal, flip_spins
from weft.kernels.idioms.monte_carlo.estimates import bootstrap, option_price
from weft.kernels.idioms.monte_carlo.integrals import area_by_points, integrate, sample_distribution
from weft.kernels.idioms.monte_carlo.walks import diffuse_walkers, walk_on_grid

REVISION = 3
TEACHES = "Monte Carlo: integrals, walks, lattice models, prices of options, sampling, diffusion, bootstrap"

IDIOMS = (
    area_by_points,
    integrate,
    walk_on_grid,
    flip_spins,
    option_price,
    accept_or_reject,
    diffuse_walkers,
    bootstrap,
    sample_distribution,
    anneal,
)
