"""Several cases: chains of elif, nested decisions, tables of regimes."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "chains of if, elif and else, nested decisions, and combined conditions"
ALIASES = ("multi_cond",)

IDIOMS = idioms(*NUMERIC, teaching="branches")
