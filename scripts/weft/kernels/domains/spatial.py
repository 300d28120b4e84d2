"""The domains of grids: what categories choose from whose endings fit any of them."""

from weft.kernels.domains.colors import colors
from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.images import images
from weft.kernels.domains.phases import phases
from weft.kernels.domains.terrain import terrain

GRIDS = (colors, fields, flows, images, phases, terrain)
