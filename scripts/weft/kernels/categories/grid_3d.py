"""Grids of three dimensions: shapes, layouts, coarser levels, staggered fields, level sets, automata."""

from weft.kernels.builder import Builder
from weft.kernels.idioms.lattice import automata, corners, layouts, rims, shapes, staggering

REVISION = 2
TEACHES = "three-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata"


def distance_field(k: Builder) -> None:
    """Signed distances of shapes at cell centers."""
    shapes.distance_field(k, 3)


def other_layout(k: Builder) -> None:
    """Arrays that lie in memory in another order than the grid."""
    layouts.other_layout(k, 3)


def coarsen(k: Builder) -> None:
    """Coarser levels of a grid: means, extremes, counts of the cells that a cell replaces."""
    layouts.coarsen(k, 3)


def colors(k: Builder) -> None:
    """Cells that are treated by the color that they have in a pattern."""
    layouts.colors(k, 3)


def borders(k: Builder) -> None:
    """What depends on how far a cell lies from the grid's border."""
    rims.borders(k, 3)


def line_sums(k: Builder) -> None:
    """Each cell looks along a line through it: prefix sums, shadows, first hits."""
    rims.line_sums(k, 3)


def staggered(k: Builder) -> None:
    """Velocities on faces: divergence, cell velocities, fluxes."""
    staggering.staggered(k, 3)


def corner_average(k: Builder) -> None:
    """Cells between nodes, or nodes between cells: averages, slopes, cases of the corners."""
    corners.corner_average(k, 3)


def ghost_layers(k: Builder) -> None:
    """Grids with a layer around them that saves the tests at the border."""
    rims.ghost_layers(k, 3)


def level_set(k: Builder) -> None:
    """Level sets: smeared steps, curvature, reinitialization, motion along the normal."""
    shapes.level_set(k, 3)


def projection(k: Builder) -> None:
    """Pressure: relaxation, residuals, and the velocity without its gradient."""
    staggering.projection(k, 3)


def automaton(k: Builder) -> None:
    """Cellular automata: cells that change by what their neighbours are."""
    automata.automaton(k, 3)


def interleaved(k: Builder) -> None:
    """Numbers of cells in curves, tiles and blocks."""
    layouts.interleaved(k, 3)


IDIOMS = (
    distance_field,
    other_layout,
    coarsen,
    colors,
    borders,
    line_sums,
    staggered,
    corner_average,
    ghost_layers,
    level_set,
    projection,
    automaton,
    interleaved,
)
