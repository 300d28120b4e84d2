"""Programs of several launches: smoothing back and forth, sums in stages, count and scan, branches."""

from weft.kernels.idioms.multi_launch.branches import branches_that_join, particle_steps
from weft.kernels.idioms.multi_launch.fields import ping_pong, staggered
from weft.kernels.idioms.multi_launch.places import count_and_place
from weft.kernels.idioms.multi_launch.reductions import (
    group_normalise,
    rescale,
    sum_in_stages,
)

REVISION = 5
TEACHES = "programs of several launches: ping-pong, stages, branches, and host steps between them"

IDIOMS = (
    ping_pong,
    sum_in_stages,
    count_and_place,
    group_normalise,
    rescale,
    staggered,
    particle_steps,
    branches_that_join,
)
