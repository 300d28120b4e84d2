"""Arrays that are fetched through textures: image warps, lookups, gathers at places that data decide.

The launch description asks for texture memory; fetches take the texel itself, without filtering.
"""

from weft.kernels.idioms.texture.fetches import scattered_fetch, window_sums
from weft.kernels.idioms.texture.layers import blended_layers, ray_march, tabulated_response
from weft.kernels.idioms.texture.warps import image_warp, iterated_map, polar_lookup

REVISION = 4
TEACHES = "textures: image warps, resampling, lookups by place, angle and level, cached gathers"

IDIOMS = (
    image_warp,
    scattered_fetch,
    polar_lookup,
    window_sums,
    ray_march,
    iterated_map,
    blended_layers,
    tabulated_response,
)
