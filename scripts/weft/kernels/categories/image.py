"""Image processing: colours, filters, edges, masks, warps, flow, stereo and depth."""

from weft.kernels.domains.colors import colors
from weft.kernels.domains.images import images
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "images: colour spaces, filters, compositing, resampling, edges, masks, motion and depth"

IDIOMS = idioms(colors, images)
