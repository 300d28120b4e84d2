"""Stencils: each element becomes a function of its neighbours."""

from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.phases import phases
from weft.kernels.domains.terrain import terrain
from weft.kernels.endings import Style
from weft.kernels.goals import idioms
from weft.kernels.shown import looks_around

REVISION = 6
TEACHES = "stencils in one to three dimensions: neighbors, boundaries, explicit time steps, relaxation"

IDIOMS = idioms(fields, flows, phases, terrain, style=Style(shows=looks_around))
