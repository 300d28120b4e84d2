"""The rules of Warp's builtins, by name. `weft.intrinsics` has what else is known of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from weft.cuda import atomic_rules, constructor_rules, numeric_rules, printing_rules, rules
from weft.cuda.helpers.files import RESULTS
from weft.cuda.rules import Rule, Use
from weft.cuda.tree import BOOL, Statement, Unary
from weft.intrinsics import CASTS, INTRINSICS, Effect
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector


def _named(rule: Callable[[str], Rule], names: str) -> dict[str, Rule]:
    """Builtins whose functions in C++ have the same names."""
    return {name: rule(name) for name in names.split()}


TABLE: dict[str, Rule] = {
    # scalar arithmetic
    **_named(rules.scalar_helper, "nonzero step"),
    "min": rules.extreme("min"),
    "max": rules.extreme("max"),
    "clamp": rules.clamp,
    "abs": rules.absolute,
    "sign": rules.by_kind(rules.scalar_helper("sign"), rules.helper("sign_components", Vector)),
    "bit_count": rules.bit_count,
    **{name: rules.operator(one.operator) for name, one in INTRINSICS.items() if one.operator},
    "div_approx": numeric_rules.approximate_quotient,
    "invert": lambda use: Unary(use.value, "~", use.arguments[0]),
    "neg": rules.negative,
    "pos": lambda use: use.arguments[0],
    "unot": lambda use: Unary(BOOL, "!", use.arguments[0]),
    # functions of floats
    **_named(
        lambda it: rules.c_math(f"{it}f"),
        "atan atan2 cbrt ceil copysign cos cosh erf erfc erfcinv erfinv exp floor log log10 log2 pow rint "
        "round sin sinh sqrt tan tanh trunc",
    ),
    **_named(lambda it: rules.scalar_helper(it, floats_only=True), "degrees radians smoothstep"),
    **_named(lambda _: rules.arc, "acos asin"),
    "frac": rules.scalar_helper("fraction", floats_only=True),
    "isfinite": rules.predicate("isfinite", "all_finite"),
    "isnan": rules.predicate("isnan", "any_nan"),
    "isinf": rules.predicate("isinf", "any_infinite"),
    "lerp": rules.by_kind(
        rules.scalar_helper("lerp", floats_only=True),
        lambda use: rules.use_helper(use, "lerp", "lerp_components"),
    ),
    "where": rules.where,
    "cast": rules.reinterpret,
    "lower_bound": numeric_rules.lower_bound,
    # vectors, matrices and what is made of them
    **_named(
        lambda it: rules.helper(it, Vector),
        "argmax argmin closest_point_edge_edge cross intersect_tri_tri matrix_from_rows outer "
        "quat_from_axis_angle quat_from_euler quat_twist quat_twist_angle quat_twist_angle_signed skew "
        "spatial_bottom spatial_cross spatial_cross_dual spatial_top transform_compose velocity_at_point",
    ),
    **_named(lambda it: rules.helper(it, Vector, Quaternion), "dot length norm_l1 normalize"),
    **_named(
        lambda it: rules.helper(it, Matrix),
        "determinant eig3 inverse qr3 quat_from_matrix spatial_adjoint svd2 svd3 trace "
        "transform_decompose transform_from_matrix transpose",
    ),
    **_named(lambda it: numeric_rules.with_default(it, 1.0), "norm_huber norm_pseudo_huber smooth_normalize"),
    "norm_l2": rules.helper("length", Vector, Quaternion),
    "ddot": rules.helper("double_dot", Matrix),
    "length_sq": rules.helper("length_squared", Vector, Quaternion),
    "inverse_approx": numeric_rules.approximate_inverse,
    "diag": rules.helper("diagonal_matrix", Vector),
    "get_diag": rules.helper("diagonal", Matrix),
    "cw_mul": rules.helper("multiply_components", Vector, Matrix),
    "cw_div": rules.helper("divide_components", Vector, Matrix),
    "identity": constructor_rules.identity,
    "matrix_from_cols": rules.helper("matrix_from_columns", Vector),
    **_named(lambda it: rules.transform_by(it, f"{it}_by"), "transform_point transform_vector"),
    "len": rules.length_of,
    # quaternions
    **_named(lambda it: rules.helper(it, Quaternion), "quat_to_axis_angle quat_to_euler"),
    "quat_identity": constructor_rules.quat_identity,
    "quat_rpy": rules.helper("quat_from_angles", Scalar),
    "quat_to_rpy": rules.helper("quat_to_angles", Quaternion),
    "quat_inverse": rules.helper("conjugate", Quaternion),
    "quat_rotate": rules.helper("rotate", Quaternion),
    "quat_rotate_inv": rules.helper("rotate_inverse", Quaternion),
    "quat_slerp": rules.helper("slerp", Quaternion),
    "quat_to_matrix": rules.helper("rotation_matrix", Quaternion),
    # transforms
    **_named(lambda it: rules.helper(it, Transform), "transform_to_matrix transform_twist transform_wrench"),
    "transform_identity": constructor_rules.transform_identity,
    "transform_get_translation": constructor_rules.part(".p", lambda scalar: Vector(3, scalar)),
    "transform_get_rotation": constructor_rules.part(".q", Quaternion),
    "transform_multiply": rules.operator("*"),
    "transform_inverse": lambda use: rules.use_helper(use, "inverse", "transform_inverse"),
    # spatial vectors
    "spatial_vector": numeric_rules.spatial_vector,
    "spatial_dot": rules.helper("dot", Vector),
    # random numbers
    "rand_init": rules.random_state,
    "randf": rules.random("u", "random_float"),
    "randi": rules.random("r", "random_int"),
    "randu": rules.random("r", "random_uint"),
    "randn": rules.random("z", "random_normal"),
    "poisson": rules.random("count", "poisson"),
    **_named(
        lambda it: rules.random("point", it),
        "sample_triangle sample_unit_cube sample_unit_disk sample_unit_hemisphere "
        "sample_unit_hemisphere_surface sample_unit_ring sample_unit_sphere sample_unit_sphere_surface "
        "sample_unit_square",
    ),
    "sample_cdf": numeric_rules.sample_cdf,
    "noise": numeric_rules.noise("noise"),
    "pnoise": numeric_rules.noise("periodic_noise"),
    "curlnoise": numeric_rules.curl_noise,
    # atomics
    **_named(
        lambda it: atomic_rules.atomic(it.removeprefix("atomic_")),
        "atomic_add atomic_and atomic_max atomic_min atomic_or atomic_sub atomic_xor",
    ),
    "atomic_exch": atomic_rules.atomic("exchange"),
    "atomic_cas": atomic_rules.atomic("compare"),
    # output
    "printf": printing_rules.print_format,
    "print": printing_rules.print_line,
    "expect_eq": printing_rules.expect("expect_equal"),
    "expect_neq": printing_rules.expect("expect_different"),
    "expect_near": printing_rules.expect("expect_near"),
}

CHANGING: dict[str, Callable[[Use], list[Statement]]] = {
    "transform_set_translation": numeric_rules.set_part(".p"),
    "transform_set_rotation": numeric_rules.set_part(".q"),
    **{
        name: numeric_rules.into_variables(name)
        for name in RESULTS.keys() & INTRINSICS
        if INTRINSICS[name].effect & Effect.CHANGES
    },
}
"""Builtins that change variables that they are given."""


def rule_for(name: str, result: Type | None) -> Rule | None:
    """The rule for a builtin; constructors go by the type of their result."""
    if name in TABLE:
        return TABLE[name]
    if isinstance(result, Scalar):
        return rules.cast if name in CASTS else None
    if _CONSTRUCTOR.fullmatch(name) is None:
        return None
    if isinstance(result, Transform):
        return constructor_rules.construct_transform
    return constructor_rules.construct if isinstance(result, Vector | Matrix | Quaternion) else None


_CONSTRUCTOR = re.compile(
    r"vector|matrix|quaternion|transformation|(vec|mat|quat|transform)\d*([dhil]|u[lsb]?|[sb]|_bool|_bfloat16)?"
)
"""How the constructors of types are named (docs/formats/ir.md)."""
