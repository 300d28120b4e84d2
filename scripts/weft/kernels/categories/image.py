"""Image processing: colours, filters, edges, masks."""

from weft.kernels.domains.colors import colors
from weft.kernels.domains.images import images
from weft.kernels.goals import idioms

REVISION = 6
TEACHES = "images: color spaces, filters, compositing, edges, masks"

IDIOMS = idioms(colors, images)
