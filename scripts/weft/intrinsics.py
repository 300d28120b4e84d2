"""What is known of Warp's builtins: the one table that every room asks.

A builtin is a word of the line that says all that is known of it. How it becomes CUDA only the translator
knows: `cuda/builtins.py` has a rule for each, and `cuda/tiles` for those of tiles; what is known of the
functions that the CUDA text calls is in `cuda/device_functions.py`. Here no rule stands, so that the rooms
that ask share no code of the translator.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from weft.types import SCALAR_BYTES


class Effect(enum.Flag):
    """What a call does beside giving a value.

    It reads the arrays that it is given, and does nothing else to them; stores to their elements; updates
    elements, each at once, and gives what they held (`ATOMIC`); advances the state of random numbers in its
    first argument; changes variables or tiles that it is given; prints. All threads of a block make it, and
    compute one value together (`COLLECTIVE`), or wait for each other at its end (`BARRIER`). It does whatever
    a function of the user's does (`UNKNOWN`).
    """

    NONE = 0
    READS = enum.auto()
    WRITES = enum.auto()
    ATOMIC = enum.auto()
    RANDOM = enum.auto()
    CHANGES = enum.auto()
    PRINTS = enum.auto()
    COLLECTIVE = enum.auto()
    BARRIER = enum.auto()
    UNKNOWN = enum.auto()


@dataclasses.dataclass(frozen=True)
class Intrinsic:
    """What holds of a builtin.

    `uniform`: equal arguments give all threads of a block equal results. `own`: it has to do with what each
    thread has for itself, so that it asks for whole blocks. `fixed`: a block with it has as many threads as
    Warp's. `adds`: it adds up numbers, floats in an order of its own. `ordered`: it combines elements in
    their order. `replaces`: of several threads that change one element so, one comes last, and decides.
    `view`: its result is a tile that shares the memory of its first argument. `operator` is that of Python
    that it stands for. `parameters` has the names of Warp's parameters, `changed` those whose tiles it
    changes.
    """

    effect: Effect
    uniform: bool
    own: bool = False
    fixed: bool = False
    adds: bool = False
    ordered: bool = False
    replaces: bool = False
    view: bool = False
    operator: str = ""
    parameters: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


NONE, READS, WRITES, ATOMIC = Effect.NONE, Effect.READS, Effect.WRITES, Effect.ATOMIC
RANDOM, CHANGES, PRINTS = Effect.RANDOM, Effect.CHANGES, Effect.PRINTS
COLLECTIVE, BARRIER = Effect.COLLECTIVE, Effect.BARRIER
_SAME, _APART = True, False


def _tile(effect: Effect, parameters: str = "", changed: str = "", **facts: Any) -> Intrinsic:
    """A tile is the same for all threads of a block, whatever they made it of."""
    return Intrinsic(effect, _SAME, parameters=(*parameters.split(),), changed=(*changed.split(),), **facts)


_OPERATORS = "add:+ sub:- mul:* div:/ floordiv:// mod:% bit_and:& bit_or:| bit_xor:^ lshift:<< rshift:>>"

FAMILIES: dict[str, Intrinsic] = {
    """
    abs acos argmax argmin array asin atan atan2 bit_count breakpoint cast cbrt ceil clamp
    closest_point_edge_edge copysign cos cosh cross curlnoise cw_div cw_mul ddot degrees determinant diag
    div_approx dot erf erfc erfcinv erfinv exp floor frac get_diag identity intersect_tri_tri inverse
    inverse_approx invert isfinite isinf isnan length length_sq lerp log log10 log2 matrix matrix_from_cols
    matrix_from_rows max min neg noise nonzero norm_huber norm_l1 norm_l2 norm_pseudo_huber normalize outer
    pnoise pos pow quat_from_axis_angle quat_from_euler quat_from_matrix quat_identity quat_inverse
    quat_rotate quat_rotate_inv quat_rpy quat_slerp quat_to_euler quat_to_matrix quat_to_rpy quat_twist
    quat_twist_angle quat_twist_angle_signed quaternion radians rint round select sign sin sinh skew
    smooth_normalize smoothstep spatial_adjoint spatial_bottom spatial_cross spatial_cross_dual spatial_dot
    spatial_top spatial_vector sqrt static step tan tanh trace transform_compose transform_decompose
    transform_from_matrix transform_get_rotation transform_get_translation transform_identity
    transform_inverse transform_multiply transform_point transform_to_matrix transform_twist transform_vector
    transform_wrench transformation transpose trunc unot vector velocity_at_point where zeros
    """: Intrinsic(NONE, _SAME),
    **{
        name: Intrinsic(NONE, _SAME, operator=symbol)
        for name, symbol in (one.split(":") for one in _OPERATORS.split())
    },
    # Some of them only where variables for the results are among the arguments.
    "eig3 qr3 quat_to_axis_angle svd2 svd3": Intrinsic(CHANGES, _SAME),
    "transform_set_rotation transform_set_translation": Intrinsic(CHANGES, _SAME),
    "len lower_bound": Intrinsic(READS, _SAME),
    "expect_eq expect_near expect_neq print printf": Intrinsic(PRINTS, _SAME),
    "tid": Intrinsic(NONE, _APART),
    "block_dim": Intrinsic(NONE, _SAME, own=True),
    # random numbers
    "rand_init": Intrinsic(NONE, _APART),
    """
    poisson randf randi randn randu sample_triangle sample_unit_cube sample_unit_disk sample_unit_hemisphere
    sample_unit_hemisphere_surface sample_unit_ring sample_unit_sphere sample_unit_sphere_surface
    sample_unit_square
    """: Intrinsic(RANDOM, _SAME),
    "sample_cdf": Intrinsic(RANDOM | READS, _SAME),
    # atomics
    "atomic_add atomic_sub": Intrinsic(ATOMIC, _APART, adds=True),
    "atomic_and atomic_max atomic_min atomic_or atomic_xor": Intrinsic(ATOMIC, _APART),
    "atomic_cas atomic_exch": Intrinsic(ATOMIC, _APART, replaces=True),
    # tiles and arrays
    "tile_load": _tile(READS, "a shape offset storage bounds_check aligned"),
    "tile_load_indexed": _tile(READS, fixed=True),
    "tile_store": _tile(WRITES, "a t offset bounds_check aligned"),
    "tile_atomic_add": _tile(ATOMIC, "a t offset bounds_check", adds=True),
    # tiles of what each thread has
    "tile": _tile(NONE, "x preserve_type", own=True),
    "tile_from_thread": _tile(NONE, "shape value thread_idx storage", own=True),
    "tile_scatter_add tile_scatter_masked": _tile(CHANGES, "a", "a", own=True),
    "tile_stack": _tile(NONE, own=True),
    "tile_stack_pop tile_stack_push": Intrinsic(CHANGES, _APART, own=True),
    "untile": Intrinsic(NONE, _APART, own=True, parameters=("a",)),
    # tiles of numbers, and of other tiles element by element
    "tile_arange tile_extract": _tile(NONE),
    "tile_assign": _tile(CHANGES, "dst src offset", "dst", fixed=True),
    "tile_astype": _tile(NONE, "t dtype"),
    "tile_axpy": _tile(CHANGES, "alpha src dest", "dest", fixed=True),
    "tile_empty tile_ones tile_zeros": _tile(NONE, "shape dtype storage"),
    "tile_full": _tile(NONE, "shape value dtype storage"),
    "tile_map": _tile(NONE, "op a b"),
    # parts and other shapes of a tile
    "tile_broadcast": _tile(NONE, "a shape", view=True),
    "tile_reshape": _tile(NONE, "t shape", view=True),
    "tile_squeeze": _tile(NONE, "t axis", view=True),
    "tile_transpose": _tile(NONE, "a", view=True),
    "tile_view": _tile(NONE, "t offset shape", view=True),
    # reductions, scans and sorts
    "tile_argmax tile_argmin": _tile(COLLECTIVE, "a", ordered=True),
    "tile_max tile_min": _tile(COLLECTIVE, "a"),
    "tile_dot": _tile(COLLECTIVE, "a b", adds=True),
    "tile_reduce": _tile(COLLECTIVE, "op a axis", adds=True, ordered=True),
    "tile_sum": _tile(COLLECTIVE, "a axis", adds=True),
    "tile_scan_inclusive": _tile(BARRIER, "a", adds=True),
    "tile_scan_exclusive tile_scan_max_inclusive tile_scan_min_inclusive": _tile(BARRIER, "a"),
    "tile_sort": _tile(CHANGES | BARRIER, "keys values", "keys values"),
    # linear algebra of tiles
    "tile_matmul": _tile(CHANGES, "a b out alpha beta precision", "out", adds=True),
    "tile_diag_add": _tile(NONE, "a d", fixed=True),
    "tile_cholesky": _tile(NONE, "A fill_mode", fixed=True),
    "tile_cholesky_inplace": _tile(CHANGES, "A fill_mode", "A", fixed=True),
    "tile_cholesky_solve": _tile(NONE, "L y fill_mode", fixed=True),
    "tile_cholesky_solve_inplace": _tile(CHANGES, "L y fill_mode", "y", fixed=True),
    "tile_lower_solve": _tile(NONE, "L y", fixed=True),
    "tile_lower_solve_inplace": _tile(CHANGES, "L y", "y", fixed=True),
    "tile_upper_solve": _tile(NONE, "U z", fixed=True),
    "tile_upper_solve_inplace": _tile(CHANGES, "U z", "z", fixed=True),
}
INTRINSICS = {name: one for names, one in FAMILIES.items() for name in names.split()}

CASTS = frozenset({*SCALAR_BYTES, "int", "float"})
"""Types of numbers, called with a number to convert."""

CONSTRUCTORS = CASTS | {"vector", "matrix", "quaternion", "transformation"}
"""What makes a value of a type, under names that are no alias of that type."""

_OTHER = Intrinsic(WRITES, _SAME)


def intrinsic(name: str | None) -> Intrinsic:
    """What is known of a builtin. A builtin that is not in the table may write its arguments."""
    return INTRINSICS.get(name or "", _OTHER)
