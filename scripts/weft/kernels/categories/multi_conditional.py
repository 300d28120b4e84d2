"""Several cases: chains of elif, nested decisions, tables of regimes."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "chains of if, elif and else, nested decisions, and combined conditions"
ALIASES = ("multi_cond",)

IDIOMS = idioms(*EVERYTHING, teaching="branches", style=Style(seeks=True))
