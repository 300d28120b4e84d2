"""Finite elements: linear elements, elasticity, heat, nodes."""

from weft.kernels.domains.elements import conductor, element
from weft.kernels.domains.meshes import heat_steps, node, solid_steps
from weft.kernels.goals import idioms

REVISION = 5
TEACHES = "finite elements: deformation, strain, stress, nodal forces, assembly, heat, sparse systems"

IDIOMS = (
    *idioms(element),
    *idioms(element, conductor, node),
    *[solid_steps] * 4,
    heat_steps,
)
