"""Grids of two dimensions: fields, flows, phases, height fields and automata."""

from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.lattices import lattices
from weft.kernels.domains.phases import phases
from weft.kernels.domains.terrain import terrain
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "two-dimensional grids: fields and their differences, flows, height fields, automata"

IDIOMS = idioms(*(one.of_rank(2) for one in (fields, flows, phases)), terrain, lattices)
