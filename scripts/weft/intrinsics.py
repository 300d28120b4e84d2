"""What is known of Warp's builtins: the one table that every room asks.

A builtin is a word among those of its effect and uniformity, or a line where more is known of it. How each
becomes CUDA is known to the translator alone: `cuda/builtins.py` has a rule for each, and `cuda/tiles` for
those of tiles; what is known of the functions that the CUDA text calls is in `cuda/device_functions.py`.
Here no rule stands, so that the rooms that ask share no code of the translator.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
from typing import Any

from weft.types import SCALAR_BYTES


class Effect(enum.Flag):
    """What a call does beside giving a value."""

    NONE = 0
    READS = enum.auto()
    """It reads the arrays that it is given, and does nothing else to them."""
    WRITES = enum.auto()
    """It stores to elements of arrays."""
    ATOMIC = enum.auto()
    """It updates elements of arrays, each at once, and gives what they held."""
    RANDOM = enum.auto()
    """It advances the state of random numbers in its first argument."""
    CHANGES = enum.auto()
    """It changes variables or tiles that it is given."""
    PRINTS = enum.auto()
    COLLECTIVE = enum.auto()
    """All threads of a block make it, and compute one value together."""
    BARRIER = enum.auto()
    """All threads of a block make it, and wait for each other at its end."""
    UNKNOWN = enum.auto()
    """Whatever a function of the user's does."""


@dataclasses.dataclass(frozen=True)
class Intrinsic:
    """What holds of a builtin.

    `uniform`: equal arguments give all threads of a block equal results. `own`: it has to do with what each
    thread has for itself, so that it asks for whole blocks. `adds`: it adds up numbers, floats in an order
    of its own. `view`: its result is a tile that shares the memory of its first argument. `operator` is the
    operator of Python that it stands for. `parameters` has the names of Warp's parameters, `changed` those
    whose tiles it changes.
    """

    effect: Effect
    uniform: bool
    own: bool = False
    adds: bool = False
    view: bool = False
    operator: type[ast.operator] | None = None
    parameters: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


NONE, READS, WRITES, ATOMIC = Effect.NONE, Effect.READS, Effect.WRITES, Effect.ATOMIC
RANDOM, CHANGES, PRINTS, COLLECTIVE = Effect.RANDOM, Effect.CHANGES, Effect.PRINTS, Effect.COLLECTIVE
_SAME, _APART = True, False


def _all(effect: Effect, uniform: bool, names: str) -> dict[str, Intrinsic]:
    """Builtins of which no more than this is known."""
    return dict.fromkeys(names.split(), Intrinsic(effect, uniform))


def _tile(effect: Effect, parameters: str = "", changed: str = "", **facts: Any) -> Intrinsic:
    """A tile is the same for all threads of a block, whatever they made it of."""
    return Intrinsic(effect, _SAME, parameters=(*parameters.split(),), changed=(*changed.split(),), **facts)


INTRINSICS: dict[str, Intrinsic] = {
    **_all(
        NONE,
        _SAME,
        """
        abs acos argmax argmin array asin atan atan2 bit_count breakpoint cast cbrt ceil clamp
        closest_point_edge_edge copysign cos cosh cross curlnoise cw_div cw_mul ddot degrees determinant diag
        div_approx dot erf erfc erfcinv erfinv exp floor frac get_diag identity intersect_tri_tri inverse
        inverse_approx invert isfinite isinf isnan length length_sq lerp log log10 log2 matrix
        matrix_from_cols matrix_from_rows max min neg noise nonzero norm_huber norm_l1 norm_l2
        norm_pseudo_huber normalize outer pnoise pos pow quat_from_axis_angle quat_from_euler quat_from_matrix
        quat_identity quat_inverse quat_rotate quat_rotate_inv quat_rpy quat_slerp quat_to_euler
        quat_to_matrix quat_to_rpy quat_twist quat_twist_angle quat_twist_angle_signed quaternion radians rint
        round select sign sin sinh skew smooth_normalize smoothstep spatial_adjoint spatial_bottom
        spatial_cross spatial_cross_dual spatial_dot spatial_top spatial_vector sqrt static step tan tanh
        trace transform_compose transform_decompose transform_from_matrix transform_get_rotation
        transform_get_translation transform_identity transform_inverse transform_multiply transform_point
        transform_to_matrix transform_twist transform_vector transform_wrench transformation transpose trunc
        unot vector velocity_at_point where zeros
        """,
    ),
    **_all(
        RANDOM,
        _SAME,
        """
        poisson randf randi randn randu sample_triangle sample_unit_cube sample_unit_disk
        sample_unit_hemisphere sample_unit_hemisphere_surface sample_unit_ring sample_unit_sphere
        sample_unit_sphere_surface sample_unit_square
        """,
    ),
    **_all(ATOMIC, _APART, "atomic_and atomic_cas atomic_exch atomic_max atomic_min atomic_or atomic_xor"),
    **_all(PRINTS, _SAME, "expect_eq expect_near expect_neq print printf"),
    # Some of them only where variables for the results are among the arguments.
    **_all(CHANGES, _SAME, "eig3 qr3 quat_to_axis_angle svd2 svd3"),
    **_all(CHANGES, _SAME, "transform_set_rotation transform_set_translation"),
    **_all(READS, _SAME, "len lower_bound"),
    # operators of Python
    "add": Intrinsic(NONE, _SAME, operator=ast.Add),
    "sub": Intrinsic(NONE, _SAME, operator=ast.Sub),
    "mul": Intrinsic(NONE, _SAME, operator=ast.Mult),
    "div": Intrinsic(NONE, _SAME, operator=ast.Div),
    "floordiv": Intrinsic(NONE, _SAME, operator=ast.FloorDiv),
    "mod": Intrinsic(NONE, _SAME, operator=ast.Mod),
    "bit_and": Intrinsic(NONE, _SAME, operator=ast.BitAnd),
    "bit_or": Intrinsic(NONE, _SAME, operator=ast.BitOr),
    "bit_xor": Intrinsic(NONE, _SAME, operator=ast.BitXor),
    "lshift": Intrinsic(NONE, _SAME, operator=ast.LShift),
    "rshift": Intrinsic(NONE, _SAME, operator=ast.RShift),
    # the launch
    "tid": Intrinsic(NONE, _APART),
    "block_dim": Intrinsic(NONE, _SAME, own=True),
    # random numbers
    "rand_init": Intrinsic(NONE, _APART),
    "sample_cdf": Intrinsic(RANDOM | READS, _SAME),
    # atomics
    "atomic_add": Intrinsic(ATOMIC, _APART, adds=True),
    "atomic_sub": Intrinsic(ATOMIC, _APART, adds=True),
    # tiles and arrays
    "tile_load": _tile(READS, "a shape offset storage bounds_check aligned"),
    "tile_load_indexed": _tile(READS),
    "tile_store": _tile(WRITES, "a t offset bounds_check aligned"),
    "tile_atomic_add": _tile(ATOMIC, "a t offset bounds_check", adds=True),
    # tiles of what each thread has
    "tile": _tile(NONE, "x preserve_type", own=True),
    "tile_from_thread": _tile(NONE, "shape value thread_idx storage", own=True),
    "tile_scatter_add": _tile(CHANGES, "a", "a", own=True),
    "tile_scatter_masked": _tile(CHANGES, "a", "a", own=True),
    "tile_stack": _tile(NONE, own=True),
    "tile_stack_pop": Intrinsic(CHANGES, _APART, own=True),
    "tile_stack_push": Intrinsic(CHANGES, _APART, own=True),
    "untile": Intrinsic(NONE, _APART, own=True, parameters=("a",)),
    # tiles of numbers, and of other tiles element by element
    "tile_arange": _tile(NONE),
    "tile_assign": _tile(CHANGES, "dst src offset", "dst"),
    "tile_astype": _tile(NONE, "t dtype"),
    "tile_axpy": _tile(CHANGES, "alpha src dest", "dest"),
    "tile_empty": _tile(NONE, "shape dtype storage"),
    "tile_extract": _tile(NONE),
    "tile_full": _tile(NONE, "shape value dtype storage"),
    "tile_map": _tile(NONE, "op a b"),
    "tile_ones": _tile(NONE, "shape dtype storage"),
    "tile_zeros": _tile(NONE, "shape dtype storage"),
    # parts and other shapes of a tile
    "tile_broadcast": _tile(NONE, "a shape", view=True),
    "tile_reshape": _tile(NONE, "t shape", view=True),
    "tile_squeeze": _tile(NONE, "t axis", view=True),
    "tile_transpose": _tile(NONE, "a", view=True),
    "tile_view": _tile(NONE, "t offset shape", view=True),
    # reductions, scans and sorts
    "tile_argmax": _tile(COLLECTIVE, "a"),
    "tile_argmin": _tile(COLLECTIVE, "a"),
    "tile_dot": _tile(COLLECTIVE, "a b", adds=True),
    "tile_max": _tile(COLLECTIVE, "a"),
    "tile_min": _tile(COLLECTIVE, "a"),
    "tile_reduce": _tile(COLLECTIVE, "op a axis", adds=True),
    "tile_sum": _tile(COLLECTIVE, "a axis", adds=True),
    "tile_scan_exclusive": _tile(NONE, "a"),
    "tile_scan_inclusive": _tile(NONE, "a", adds=True),
    "tile_scan_max_inclusive": _tile(NONE, "a"),
    "tile_scan_min_inclusive": _tile(NONE, "a"),
    "tile_sort": _tile(CHANGES, "keys values", "keys values"),
    # linear algebra of tiles
    "tile_cholesky": _tile(NONE, "A fill_mode"),
    "tile_cholesky_inplace": _tile(CHANGES, "A fill_mode", "A"),
    "tile_cholesky_solve": _tile(NONE, "L y fill_mode"),
    "tile_cholesky_solve_inplace": _tile(CHANGES, "L y fill_mode", "y"),
    "tile_diag_add": _tile(NONE, "a d"),
    "tile_lower_solve": _tile(NONE, "L y"),
    "tile_lower_solve_inplace": _tile(CHANGES, "L y", "y"),
    "tile_matmul": _tile(CHANGES, "a b out alpha beta precision", "out", adds=True),
    "tile_upper_solve": _tile(NONE, "U z"),
    "tile_upper_solve_inplace": _tile(CHANGES, "U z", "z"),
}

CASTS = frozenset({*SCALAR_BYTES, "int", "float"})
"""Types of numbers, called with a number to convert."""

CONSTRUCTORS = CASTS | {"vector", "matrix", "quaternion", "transformation"}
"""What makes a value of a type, under names that are no alias of that type."""

_OTHER = Intrinsic(WRITES, _SAME)


def intrinsic(name: str) -> Intrinsic:
    """What is known of a builtin; of one that is not in the table, that it may write what it is given."""
    return INTRINSICS.get(name, _OTHER)
