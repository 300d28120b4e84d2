"""Vectors: geometry of triangles and boxes, hits of rays."""

from weft.kernels.domains.geometry import box, triangle
from weft.kernels.domains.rays import ray
from weft.kernels.goals import idioms

REVISION = 7
TEACHES = "vectors: triangles and boxes, closest points, hits of rays, reflection"

IDIOMS = idioms(triangle, box, ray)
