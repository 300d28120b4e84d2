"""Programs of several launches: workspaces between kernels, and steps back and forth between two arrays."""

from weft.kernels.domains.everything import EVERYTHING
from weft.kernels.endings import Style, launched, launched_total, stepped
from weft.kernels.goals import idioms
from weft.kernels.idioms.multi_launch.programs import k_means, two_grid_cycle

REVISION = 7
TEACHES = "programs of several launches: workspaces between kernels, totals, time steps, k-means, multigrid"

IDIOMS = (
    *idioms(*EVERYTHING, style=Style((launched, launched_total, stepped))),
    *[k_means, two_grid_cycle] * 4,
)
