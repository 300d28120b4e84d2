"""Grids of two dimensions: heat, waves, flows, reactions, phases and level sets."""

from weft.kernels.composition import idioms
from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.phases import phases

REVISION = 4
TEACHES = "two-dimensional grids: fields and their differences, flows, level sets, transfers between levels"

IDIOMS = idioms(*(one.of_rank(2) for one in (fields, flows, phases)))
