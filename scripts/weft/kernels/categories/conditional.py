"""One decision for each element."""

from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "one branch on data per thread: if and else, ternaries, where, guards"

IDIOMS = idioms(*NUMERIC, teaching="branch")
