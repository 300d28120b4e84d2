"""The rules of Warp's builtins, by name. What else is known of them stands in `weft.intrinsics`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from weft.cuda import atomic_rules, constructor_rules, numeric_rules, printing_rules, rules
from weft.cuda.helpers.results import RESULT_STRUCTS
from weft.cuda.rules import Rule, Use
from weft.cuda.tree import BOOL, Statement, Unary
from weft.intrinsics import CASTS, INTRINSICS, Effect
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector

TABLE: dict[str, Rule] = {
    # scalar arithmetic
    "min": rules.extreme("min"),
    "max": rules.extreme("max"),
    "clamp": rules.clamp,
    "abs": rules.absolute,
    "sign": rules.by_kind(rules.scalar_helper("sign"), rules.helper("sign_components", Vector)),
    "copysign": rules.c_math("copysignf"),
    "step": rules.scalar_helper("step"),
    "nonzero": rules.scalar_helper("nonzero"),
    "bit_count": rules.bit_count,
    **{name: rules.operator(one.operator) for name, one in INTRINSICS.items() if one.operator},
    "div_approx": numeric_rules.approximate_quotient,
    "invert": lambda use: Unary(use.value, "~", use.arguments[0]),
    "neg": rules.negative,
    "pos": lambda use: use.arguments[0],
    "unot": lambda use: Unary(BOOL, "!", use.arguments[0]),
    # functions of floats
    "sin": rules.c_math("sinf"),
    "cos": rules.c_math("cosf"),
    "tan": rules.c_math("tanf"),
    "acos": rules.scalar_helper("acos_clamped", floats_only=True),
    "asin": rules.scalar_helper("asin_clamped", floats_only=True),
    "atan": rules.c_math("atanf"),
    "atan2": rules.c_math("atan2f"),
    "sinh": rules.c_math("sinhf"),
    "cosh": rules.c_math("coshf"),
    "tanh": rules.c_math("tanhf"),
    "degrees": rules.scalar_helper("degrees", floats_only=True),
    "radians": rules.scalar_helper("radians", floats_only=True),
    "sqrt": rules.c_math("sqrtf"),
    "cbrt": rules.c_math("cbrtf"),
    "exp": rules.c_math("expf"),
    "log": rules.c_math("logf"),
    "log2": rules.c_math("log2f"),
    "log10": rules.c_math("log10f"),
    "pow": rules.c_math("powf"),
    "erf": rules.c_math("erff"),
    "erfc": rules.c_math("erfcf"),
    "erfinv": rules.c_math("erfinvf"),
    "erfcinv": rules.c_math("erfcinvf"),
    "round": rules.c_math("roundf"),
    "rint": rules.c_math("rintf"),
    "trunc": rules.c_math("truncf"),
    "floor": rules.c_math("floorf"),
    "ceil": rules.c_math("ceilf"),
    "frac": rules.scalar_helper("fraction", floats_only=True),
    "isfinite": rules.predicate("isfinite", "all_finite"),
    "isnan": rules.predicate("isnan", "any_nan"),
    "isinf": rules.predicate("isinf", "any_infinite"),
    "lerp": rules.by_kind(
        rules.scalar_helper("lerp", floats_only=True),
        lambda use: rules.use_helper(use, "lerp", "lerp_components"),
    ),
    "smoothstep": rules.scalar_helper("smoothstep", floats_only=True),
    "where": rules.where,
    "cast": rules.reinterpret,
    "lower_bound": numeric_rules.lower_bound,
    # vectors and matrices
    "dot": rules.helper("dot", Vector, Quaternion),
    "norm_l1": rules.helper("norm_l1", Vector, Quaternion),
    "norm_l2": rules.helper("length", Vector, Quaternion),
    "norm_huber": numeric_rules.with_default("norm_huber", 1.0),
    "norm_pseudo_huber": numeric_rules.with_default("norm_pseudo_huber", 1.0),
    "smooth_normalize": numeric_rules.with_default("smooth_normalize", 1.0),
    "ddot": rules.helper("double_dot", Matrix),
    "cross": rules.helper("cross", Vector),
    "length": rules.helper("length", Vector, Quaternion),
    "length_sq": rules.helper("length_squared", Vector, Quaternion),
    "normalize": rules.helper("normalize", Vector, Quaternion),
    "outer": rules.helper("outer", Vector),
    "skew": rules.helper("skew", Vector),
    "transpose": rules.helper("transpose", Matrix),
    "determinant": rules.helper("determinant", Matrix),
    "inverse": rules.helper("inverse", Matrix),
    "inverse_approx": numeric_rules.approximate_inverse,
    "qr3": rules.helper("qr3", Matrix),
    "eig3": rules.helper("eig3", Matrix),
    "svd2": rules.helper("svd2", Matrix),
    "svd3": rules.helper("svd3", Matrix),
    "trace": rules.helper("trace", Matrix),
    "diag": rules.helper("diagonal_matrix", Vector),
    "get_diag": rules.helper("diagonal", Matrix),
    "cw_mul": rules.helper("multiply_components", Vector, Matrix),
    "cw_div": rules.helper("divide_components", Vector, Matrix),
    "argmin": rules.helper("argmin", Vector),
    "argmax": rules.helper("argmax", Vector),
    "identity": constructor_rules.identity,
    "matrix_from_rows": rules.helper("matrix_from_rows", Vector),
    "matrix_from_cols": rules.helper("matrix_from_columns", Vector),
    "transform_point": rules.transform_by("transform_point", "transform_point_by"),
    "transform_vector": rules.transform_by("transform_vector", "transform_vector_by"),
    "len": rules.length_of,
    # quaternions
    "quat_identity": constructor_rules.quat_identity,
    "quat_from_axis_angle": rules.helper("quat_from_axis_angle", Vector),
    "quat_rpy": rules.helper("quat_from_angles", Scalar),
    "quat_from_matrix": rules.helper("quat_from_matrix", Matrix),
    "quat_to_axis_angle": rules.helper("quat_to_axis_angle", Quaternion),
    "quat_from_euler": rules.helper("quat_from_euler", Vector),
    "quat_to_euler": rules.helper("quat_to_euler", Quaternion),
    "quat_to_rpy": rules.helper("quat_to_angles", Quaternion),
    "quat_twist": rules.helper("quat_twist", Vector),
    "quat_twist_angle": rules.helper("quat_twist_angle", Vector),
    "quat_twist_angle_signed": rules.helper("quat_twist_angle_signed", Vector),
    "quat_inverse": rules.helper("conjugate", Quaternion),
    "quat_rotate": rules.helper("rotate", Quaternion),
    "quat_rotate_inv": rules.helper("rotate_inverse", Quaternion),
    "quat_slerp": rules.helper("slerp", Quaternion),
    "quat_to_matrix": rules.helper("rotation_matrix", Quaternion),
    # transforms
    "transform_identity": constructor_rules.transform_identity,
    "transform_get_translation": constructor_rules.part(".p", lambda scalar: Vector(3, scalar)),
    "transform_get_rotation": constructor_rules.part(".q", Quaternion),
    "transform_multiply": rules.operator(ast.Mult),
    "transform_inverse": lambda use: rules.use_helper(use, "inverse", "transform_inverse"),
    "transform_decompose": rules.helper("transform_decompose", Matrix),
    "transform_compose": rules.helper("transform_compose", Vector),
    "transform_from_matrix": rules.helper("transform_from_matrix", Matrix),
    "transform_to_matrix": rules.helper("transform_to_matrix", Transform),
    # spatial vectors
    "spatial_vector": numeric_rules.spatial_vector,
    "spatial_top": rules.helper("spatial_top", Vector),
    "spatial_bottom": rules.helper("spatial_bottom", Vector),
    "spatial_dot": rules.helper("dot", Vector),
    "spatial_cross": rules.helper("spatial_cross", Vector),
    "spatial_cross_dual": rules.helper("spatial_cross_dual", Vector),
    "spatial_adjoint": rules.helper("spatial_adjoint", Matrix),
    "velocity_at_point": rules.helper("velocity_at_point", Vector),
    "transform_twist": rules.helper("transform_twist", Transform),
    "transform_wrench": rules.helper("transform_wrench", Transform),
    # geometry
    "closest_point_edge_edge": rules.helper("closest_point_edge_edge", Vector),
    "intersect_tri_tri": rules.helper("intersect_tri_tri", Vector),
    # random numbers
    "rand_init": rules.random_state,
    "randf": rules.random("u", "random_float"),
    "randi": rules.random("r", "random_int"),
    "randu": rules.random("r", "random_uint"),
    "randn": rules.random("z", "random_normal"),
    "poisson": rules.random("count", "poisson"),
    "sample_cdf": numeric_rules.sample_cdf,
    "noise": numeric_rules.noise("noise"),
    "pnoise": numeric_rules.noise("periodic_noise"),
    "curlnoise": numeric_rules.curl_noise,
    "sample_triangle": rules.random("point", "sample_triangle"),
    "sample_unit_ring": rules.random("point", "sample_unit_ring"),
    "sample_unit_disk": rules.random("point", "sample_unit_disk"),
    "sample_unit_sphere_surface": rules.random("point", "sample_unit_sphere_surface"),
    "sample_unit_sphere": rules.random("point", "sample_unit_sphere"),
    "sample_unit_hemisphere_surface": rules.random("point", "sample_unit_hemisphere_surface"),
    "sample_unit_hemisphere": rules.random("point", "sample_unit_hemisphere"),
    "sample_unit_square": rules.random("point", "sample_unit_square"),
    "sample_unit_cube": rules.random("point", "sample_unit_cube"),
    # atomics
    "atomic_add": atomic_rules.atomic("add"),
    "atomic_sub": atomic_rules.atomic("sub"),
    "atomic_min": atomic_rules.atomic("min"),
    "atomic_max": atomic_rules.atomic("max"),
    "atomic_and": atomic_rules.atomic("and"),
    "atomic_or": atomic_rules.atomic("or"),
    "atomic_xor": atomic_rules.atomic("xor"),
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
        for name in RESULT_STRUCTS
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
"""How the constructors of types are named (docs/formats.md)."""
