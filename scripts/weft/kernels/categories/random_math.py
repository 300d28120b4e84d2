"""Random numbers in every thread, and what is computed from them."""

from weft.kernels.domains.draws import sample
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "random numbers per thread: sequences, distributions, directions, noise, choices, walks"

IDIOMS = idioms(sample)
