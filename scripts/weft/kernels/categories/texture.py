"""Arrays that are fetched through textures: filtered texels, projections, images, height maps.

The launch description asks for texture memory; fetches take the texel itself, without filtering.
"""

from weft.kernels.domains.fields import fields
from weft.kernels.domains.flows import flows
from weft.kernels.domains.images import images
from weft.kernels.domains.tables import contour
from weft.kernels.domains.terrain import terrain
from weft.kernels.domains.texturing import fragment
from weft.kernels.endings import Style, per_element
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "textures: texels by projection, filtering, mip levels, height maps, image windows and warps"

TEXTURES = Style(endings=(per_element,), storage={"arrays": 6.0, "bytes": 2.0}, memory="texture", seeks=True)
IDIOMS = (
    *idioms(fragment, teaching="texture", style=TEXTURES) * 2,
    *idioms(contour, images, terrain, teaching="texture", style=TEXTURES),
    *idioms(
        *(one.of_rank(rank) for one in (fields, flows) for rank in (1, 2)),
        teaching="texture",
        style=TEXTURES,
    ),
)
