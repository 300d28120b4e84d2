"""Grids of three dimensions: shapes, layouts, coarser levels, staggered fields, level sets, automata."""

from weft.kernels import lattice_flow, lattice_geometry
from weft.kernels.builder import Builder

REVISION = 1
TEACHES = "three-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata"


def distance_field(k: Builder) -> None:
    """Signed distances of shapes at cell centers."""
    lattice_geometry.distance_field(k, 3)


def other_layout(k: Builder) -> None:
    """Arrays that lie in memory in another order than the grid."""
    lattice_geometry.other_layout(k, 3)


def coarsen(k: Builder) -> None:
    """Coarser levels of a grid: means, extremes, counts of the cells that a cell replaces."""
    lattice_geometry.coarsen(k, 3)


def colors(k: Builder) -> None:
    """Cells that are treated by the color that they have in a pattern."""
    lattice_geometry.colors(k, 3)


def borders(k: Builder) -> None:
    """What depends on how far a cell lies from the grid's border."""
    lattice_geometry.borders(k, 3)


def line_sums(k: Builder) -> None:
    """Each cell looks along a line through it: prefix sums, shadows, first hits."""
    lattice_geometry.line_sums(k, 3)


def staggered(k: Builder) -> None:
    """Velocities on faces: divergence, cell velocities, fluxes."""
    lattice_flow.staggered(k, 3)


def corner_average(k: Builder) -> None:
    """Cells between nodes, or nodes between cells: averages, slopes, cases of the corners."""
    lattice_flow.corner_average(k, 3)


def ghost_layers(k: Builder) -> None:
    """Grids with a layer around them that saves the tests at the border."""
    lattice_flow.ghost_layers(k, 3)


def level_set(k: Builder) -> None:
    """Level sets: smeared steps, curvature, reinitialization, motion along the normal."""
    lattice_flow.level_set(k, 3)


def projection(k: Builder) -> None:
    """Pressure: relaxation, residuals, and the velocity without its gradient."""
    lattice_flow.projection(k, 3)


def automaton(k: Builder) -> None:
    """Cellular automata: cells that change by what their neighbours are."""
    lattice_flow.automaton(k, 3)


def interleaved(k: Builder) -> None:
    """Numbers of cells in curves, tiles and blocks."""
    lattice_flow.interleaved(k, 3)
