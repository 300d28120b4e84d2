"""One decision for each element."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "one branch on data per thread: if and else, ternaries, where, guards"

IDIOMS = idioms(*EVERYTHING, teaching="branch", style=Style(seeks=True))
