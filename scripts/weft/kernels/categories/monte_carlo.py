"""Monte Carlo methods: each thread draws its own random numbers and estimates, walks, or samples."""

from weft.kernels.domains.draws import sample
from weft.kernels.domains.monte_carlo import lattice, priced, region, square, walker
from weft.kernels.endings import Style
from weft.kernels.estimates import estimated
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "Monte Carlo: prices from paths, integrals, areas, Markov chains, lattice models, walkers"

ALONE = Style()
TOGETHER = Style(endings=(estimated,))
IDIOMS = (
    *idioms(priced, region, square, lattice, walker, style=ALONE),
    *idioms(sample, teaching="loop", style=ALONE),
    *idioms(walker, sample, style=TOGETHER),
)
