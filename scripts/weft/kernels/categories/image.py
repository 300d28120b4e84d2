"""Image processing: colours, filters, compositing, geometry, statistics of pixels."""

from weft.kernels.idioms.image.colors import color_change, composite, luminance, vignette
from weft.kernels.idioms.image.filters import convolution, pixel_statistics, threshold_image
from weft.kernels.idioms.image.warps import warp_image

REVISION = 4
TEACHES = "images: colour spaces, filters, compositing, resampling, thresholds, histograms of pixels"

IDIOMS = (
    luminance,
    color_change,
    convolution,
    composite,
    warp_image,
    threshold_image,
    pixel_statistics,
    vignette,
)
