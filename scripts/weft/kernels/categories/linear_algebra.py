"""Dense and sparse linear algebra on plain arrays: products, updates, small solvers, norms."""

from weft.kernels.idioms.linear_algebra.norms import row_norm
from weft.kernels.idioms.linear_algebra.products import (
    banded_product,
    count_structure,
    matrix_product,
    matrix_times_vector,
    rank_one_update,
    sparse_row,
)
from weft.kernels.idioms.linear_algebra.solves import (
    factor_entry,
    orthonormal_pair,
    power_step,
    rotate_rows,
    small_solve,
    substitution,
)

REVISION = 3
TEACHES = "linear algebra written out: matrix products, rank-one updates, sparse rows, small factorisations"

IDIOMS = (
    matrix_times_vector,
    matrix_product,
    rank_one_update,
    sparse_row,
    banded_product,
    substitution,
    small_solve,
    factor_entry,
    row_norm,
    orthonormal_pair,
    power_step,
    rotate_rows,
    count_structure,
)
