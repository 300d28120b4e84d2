"""All domains: what the categories choose from that teach a way of writing rather than a field."""

from weft.kernels.domains.bitmaps import bitmap
from weft.kernels.domains.equations import entry, equation
from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.images import images
from weft.kernels.domains.messages import message
from weft.kernels.domains.numeric import NUMERIC
from weft.kernels.domains.phases import phases
from weft.kernels.domains.regimes import REGIMES
from weft.kernels.domains.springs import hinge, spring
from weft.kernels.domains.systems import system, track
from weft.kernels.domains.tables import line
from weft.kernels.domains.terrain import terrain

EVERYTHING = (
    *NUMERIC,
    *REGIMES,
    bitmap,
    entry,
    equation,
    fields,
    flows,
    hinge,
    images,
    line,
    message,
    phases,
    spring,
    system,
    terrain,
    track,
)
