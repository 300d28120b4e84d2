"""Programs of several launches: workspaces between kernels, and steps back and forth between two arrays."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style, launched, launched_total, stepped
from weft.kernels.goals import idioms

REVISION = 8
TEACHES = "programs of several launches: workspaces between kernels, totals, time steps"

IDIOMS = idioms(*EVERYTHING, style=Style((launched, launched_total, stepped)))
