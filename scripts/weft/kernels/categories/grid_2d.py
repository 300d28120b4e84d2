"""Grids of two dimensions: shapes, layouts, coarser levels, staggered fields, level sets, automata."""

from weft.kernels.idioms.lattice.ranks import of_rank

REVISION = 3
TEACHES = "two-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata"

IDIOMS = of_rank(2)
