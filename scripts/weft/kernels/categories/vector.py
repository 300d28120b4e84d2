"""Vectors: geometry of triangles and boxes, rays and distances, shading, curves."""

from weft.kernels.composition import idioms
from weft.kernels.domains.geometry import box, triangle

REVISION = 6
TEACHES = "vectors: triangles and boxes, closest points, hits of rays, distance fields, shading, curves"

IDIOMS = idioms(triangle, box)
