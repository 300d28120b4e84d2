"""Grids of three dimensions: heat, waves, flows, reactions, phases and level sets."""

from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.phases import phases
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "three-dimensional grids: fields and their differences, flows, level sets, transfers between levels"

IDIOMS = idioms(*(one.of_rank(3) for one in (fields, flows, phases)))
