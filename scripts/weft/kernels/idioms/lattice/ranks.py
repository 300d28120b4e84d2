"""The idioms of grids, for a number of dimensions."""

import functools
from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.idioms.lattice import automata, corners, layouts, rims, shapes, staggering

_OF_ANY_RANK = (
    shapes.distance_field,
    layouts.other_layout,
    layouts.coarsen,
    layouts.colors,
    rims.borders,
    rims.line_sums,
    staggering.staggered,
    corners.corner_average,
    rims.ghost_layers,
    shapes.level_set,
    staggering.projection,
    automata.automaton,
    layouts.interleaved,
)


def of_rank(rank: int) -> tuple[Callable[[Builder], None], ...]:
    """The idioms of grids of `rank` dimensions, each under its name."""
    return tuple(_with(idiom, rank) for idiom in _OF_ANY_RANK)


def _with(idiom: Callable[[Builder, int], None], rank: int) -> Callable[[Builder], None]:
    @functools.wraps(idiom)
    def of_this_rank(k: Builder) -> None:
        idiom(k, rank)

    return of_this_rank
