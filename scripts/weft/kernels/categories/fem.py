"""Finite elements on plain arrays: shape functions, gradients, strains, quadrature, residuals."""

from weft.kernels.idioms.fem.elements import (
    bar_strain,
    deformation,
    hooke_stress,
    quad_interpolation,
    triangle_gradient,
)
from weft.kernels.idioms.fem.shapes import beam_shape, line_quadrature, shape_table, valence

REVISION = 3
TEACHES = "finite elements: nodes of elements, shape functions, gradients, quadrature, strain and stress"

IDIOMS = (
    triangle_gradient,
    bar_strain,
    quad_interpolation,
    line_quadrature,
    deformation,
    hooke_stress,
    shape_table,
    beam_shape,
    valence,
)
