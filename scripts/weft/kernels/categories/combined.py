"""Loops and branches with functions of one's own, on records or arrays: as real kernels have them."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "loops and branches with functions, records, settings and indirect reads in one kernel"

_STYLE = Style(
    storage={"records": 3.0, "settings": 1.0, "arrays": 1.0},
    functions=0.7,
    needs=("functions",),
)

IDIOMS = (
    *idioms(*EVERYTHING, teaching="loop", style=_STYLE),
    *idioms(*EVERYTHING, teaching="branch", style=_STYLE),
)
