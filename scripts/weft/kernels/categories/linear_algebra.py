"""Linear algebra on arrays: sparse equations, dense matrices, and a small matrix for each thread."""

from weft.kernels.domains.equations import entry, equation
from weft.kernels.domains.systems import system
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "linear algebra: sparse and dense products, iterations for systems, updates, norms, residuals"

IDIOMS = idioms(equation, entry, system)
