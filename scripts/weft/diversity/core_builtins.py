"""Warp's core builtins, those outside the families of objects, and which of them no kernel needs to have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

CORE = frozenset(
    """
    abs acos add argmax argmin array asin atan atan2 atomic_add atomic_and atomic_cas atomic_exch
    atomic_max atomic_min atomic_or atomic_sub atomic_xor bit_and bit_count bit_or bit_xor block_dim
    breakpoint cast cbrt ceil clamp closest_point_edge_edge copysign cos cosh cross curlnoise cw_div
    cw_mul ddot degrees determinant diag div div_approx dot eig3 erf erfc erfcinv erfinv exp expect_near
    floor floordiv frac get_diag identity intersect_tri_tri inverse inverse_approx invert isfinite isinf
    isnan len length length_sq lerp log log10 log2 lower_bound lshift matrix matrix_from_cols
    matrix_from_rows max min mod mul neg noise nonzero norm_huber norm_l1 norm_l2 norm_pseudo_huber
    normalize outer pnoise poisson pos pow print printf qr3 quat_from_axis_angle quat_from_euler
    quat_from_matrix quat_identity quat_inverse quat_rotate quat_rotate_inv quat_rpy quat_slerp
    quat_to_axis_angle quat_to_euler quat_to_matrix quat_to_rpy quat_twist quat_twist_angle
    quat_twist_angle_signed quaternion radians rand_init randf randi randn randu rint round rshift
    sample_cdf sample_triangle sample_unit_cube sample_unit_disk sample_unit_hemisphere
    sample_unit_hemisphere_surface sample_unit_ring sample_unit_sphere sample_unit_sphere_surface
    sample_unit_square select sign sin sinh skew smooth_normalize smoothstep spatial_adjoint
    spatial_bottom spatial_cross spatial_cross_dual spatial_dot spatial_top spatial_vector sqrt static
    step sub svd2 svd3 tan tanh tid trace transform_compose transform_decompose transform_from_matrix
    transform_get_rotation transform_get_translation transform_identity transform_inverse
    transform_multiply transform_point transform_set_rotation transform_set_translation
    transform_to_matrix transform_twist transform_vector transform_wrench transformation transpose trunc
    unot vector velocity_at_point where zeros
    """.split()
)
"""All of Warp 1.19; the names are facts of its reference."""

NOT_WRITTEN: Mapping[str, str] = {
    "an operator or a function of Python says it": (
        "add sub mul div floordiv mod neg pos invert unot bit_and bit_or bit_xor lshift rshift len"
    ),
    "a type or another builtin is its better name": "vector matrix quaternion transformation array select",
    "it writes no array: it prints, checks or stops": "print printf expect_near breakpoint",
    "it asks for what no generated kernel makes: infinities and numbers that are none": (
        "isfinite isinf isnan"
    ),
    "the CPU and CUDA differ by definition": "div_approx inverse_approx",
    "signs in its result follow from rounding": "eig3 qr3 svd2 svd3",
    "it is about what stands around a kernel": "static block_dim",
    "its data cannot be drawn: numbers that rise": "sample_cdf",
}
"""Why a builtin makes no sense in a generated kernel, and which do not for this reason."""


def absent(used: Iterable[str]) -> list[str]:
    """The core builtins that would make sense in a kernel and are not among those `used`."""
    left_out = {name for names in NOT_WRITTEN.values() for name in names.split()}
    return sorted(CORE - left_out - set(used))
