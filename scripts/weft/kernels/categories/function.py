"""Functions of one's own: formulas that call each other, take numbers of their caller, and return early."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "functions of one's own: nested, with parameters and constants, with loops and early returns"

IDIOMS = idioms(*EVERYTHING, style=Style(functions=0.9, needs=("functions",)))
