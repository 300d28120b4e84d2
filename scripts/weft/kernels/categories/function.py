"""Functions of one's own: helpers that call each other, generics, overloads, several results, defaults."""

from weft.kernels.idioms.function import bodies
from weft.kernels.idioms.function.calls import default_arguments, generic_blend, nested_helpers, overloads
from weft.kernels.idioms.function.values import color_functions, several_results

REVISION = 3
TEACHES = (
    "functions of one's own: nested, generic, overloaded, with several results, defaults and early returns"
)

IDIOMS = (
    nested_helpers,
    generic_blend,
    several_results,
    default_arguments,
    overloads,
    bodies.early_returns,
    bodies.loops_in_functions,
    bodies.array_arguments,
    bodies.shape_functions,
    bodies.quadrature,
    color_functions,
)
