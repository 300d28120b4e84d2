"""The table of Warp's builtins: for each name, what it becomes in CUDA.

A rule takes a `Use` (the translated arguments and Warp's types) and gives an expression of the tree. Adding a
builtin is one line in TABLE. Rules raise `Unsupported` for overloads that they do not cover.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from weft.cuda.c_types import c_type
from weft.cuda.helpers.atomics import direct, supported
from weft.cuda.helpers.text import scalar_of
from weft.cuda.tree import (
    BOOL,
    FLOAT,
    INT,
    AddressOf,
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Construct,
    Element,
    Expression,
    Extent,
    Literal,
    Member,
    Name,
    Unary,
)
from weft.types import Array, Matrix, Quaternion, Scalar, Struct, Transform, Type, Vector


class Unsupported(Exception):
    """A use of a builtin that has no translation; the message says which and what would work."""


@dataclasses.dataclass(frozen=True)
class Use:
    """A call of a builtin: its name, translated arguments, and the type of its result (None if it has none)."""

    name: str
    arguments: list[Expression]
    result: Type | None

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple(argument.type for argument in self.arguments)

    @property
    def value(self) -> Type:
        """The result's type. Raises Unsupported for builtins that return nothing or several values here."""
        if self.result is None:
            raise Unsupported(f"wp.{self.name} gives no value here")
        return self.result


Rule = Callable[[Use], Expression]


def _is_float(type: Type) -> bool:
    return isinstance(type, Scalar) and type.name in ("float32", "float64")


def _helper(use: Use, name: str, key: str | None = None, types: Sequence[Type] | None = None) -> Call:
    request = (key or name, tuple(use.types if types is None else types))
    return Call(use.value, name, list(use.arguments), request)


def c_math(single: str, double: str | None = None) -> Rule:
    """C's function of one or more floats: `sinf` for float, `sin` for double."""

    def rule(use: Use) -> Expression:
        if not all(_is_float(type) for type in use.types):
            raise Unsupported(f"wp.{use.name} of {_list(use.types)}: only float32 and float64 are supported")
        name = single if use.types[0] == FLOAT else double or single.removesuffix("f")
        return Call(use.value, name, list(use.arguments))

    return rule


def _list(types: Sequence[Type]) -> str:
    return ", ".join(map(str, types))


def scalar_helper(name: str, floats_only: bool = False) -> Rule:
    """A helper on scalars."""

    def rule(use: Use) -> Expression:
        kinds = [isinstance(type, Scalar) and (not floats_only or _is_float(type)) for type in use.types]
        if not all(kinds):
            raise Unsupported(f"wp.{use.name} of {_list(use.types)} is not supported")
        return _helper(use, name)

    return rule


def helper(name: str, *kinds: type) -> Rule:
    """A helper on vectors, matrices, quaternions; `kinds` are allowed for the first argument."""

    def rule(use: Use) -> Expression:
        if kinds and not isinstance(use.types[0], kinds):
            raise Unsupported(f"wp.{use.name} of {_list(use.types)} is not supported")
        return _helper(use, name)

    return rule


def by_kind(scalar: Rule, compound: Rule) -> Rule:
    """One rule for scalars, another for vectors and the like (decided by the first argument)."""
    return lambda use: scalar(use) if isinstance(use.types[0], Scalar) else compound(use)


def operator(symbol: str) -> Rule:
    """A binary operator written as a function."""
    return lambda use: binary(symbol, use.arguments[0], use.arguments[1], use.value)


def binary(symbol: str, left: Expression, right: Expression, result: Type) -> Expression:
    """`left symbol right` with Warp's meaning, Python's symbols included (`//`, `**`, `@`)."""
    scalars = isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
    if symbol == "@":
        symbol = "*"
    if symbol == "**":
        return c_math("powf")(Use("pow", [left, right], result))
    if symbol == "//":
        return _floor_division(left, right, result)
    if symbol == "%" and scalars and _is_float(left.type):
        return Call(result, "fmodf" if left.type == FLOAT else "fmod", [left, right])
    if not scalars:
        _require_algebra(symbol, left.type, right.type)
    return Binary(result, symbol, left, right)


def _require_algebra(symbol: str, left: Type, right: Type) -> None:
    kinds = (Scalar, Vector, Matrix, Quaternion, Transform)
    if not isinstance(left, kinds) or not isinstance(right, kinds):
        raise Unsupported(f"`{symbol}` between {left} and {right} is not supported")
    transforms = isinstance(left, Transform) or isinstance(right, Transform)
    if transforms and symbol not in ("==", "!="):
        raise Unsupported(f"`{symbol}` between {left} and {right} is not supported")
    if isinstance(left, Scalar) ^ isinstance(right, Scalar) and symbol not in ("*", "/"):
        raise Unsupported(f"`{symbol}` between {left} and {right} is not supported")


def _floor_division(left: Expression, right: Expression, result: Type) -> Expression:
    if not isinstance(left.type, Scalar):
        raise Unsupported(f"`//` of {left.type} is not supported")
    if _is_float(left.type):
        return Call(result, "floorf" if left.type == FLOAT else "floor", [Binary(result, "/", left, right)])
    if left.type.is_unsigned:
        return Binary(result, "/", left, right)
    return Call(result, "floor_divide", [left, right], ("floor_divide", (left.type, right.type)))


def negative(use: Use) -> Expression:
    """Warp computes the negative of a scalar as 0 - x, which keeps zero positive; of a vector as -x."""
    return negation(use.arguments[0])


def negation(operand: Expression) -> Expression:
    """Unary minus of an expression that is not a literal."""
    if isinstance(operand.type, Scalar) and operand.type.is_float:
        return Binary(operand.type, "-", Literal(operand.type, 0.0), operand)
    return Unary(operand.type, "-", operand)


def extreme(name: str) -> Rule:
    """min and max: of scalars, of two vectors by component, over the components of one vector."""

    def rule(use: Use) -> Expression:
        first = use.types[0]
        if isinstance(first, Scalar):
            if _is_float(first):
                return Call(use.value, f"f{name}f" if first == FLOAT else f"f{name}", list(use.arguments))
            if first.bytes < 4:
                # CUDA's min and max take int and wider.
                return Cast(use.value, Call(INT, name, [Cast(INT, argument) for argument in use.arguments]))
            return Call(use.value, name, list(use.arguments))
        if len(use.arguments) == 1 and isinstance(first, Vector):
            return _helper(use, f"{name}_component")
        if isinstance(first, Vector):
            return _helper(use, f"{name}_components")
        raise Unsupported(f"wp.{use.name} of {_list(use.types)} is not supported")

    return rule


def clamp(use: Use) -> Expression:
    """Warp: min(max(low, x), high)."""
    x, low, high = use.arguments
    if not isinstance(x.type, Scalar):
        raise Unsupported(f"wp.clamp of {x.type} is not supported: clamp its components")
    inner = extreme("max")(Use("max", [low, x], use.value))
    return extreme("min")(Use("min", [inner, high], use.value))


def absolute(use: Use) -> Expression:
    """abs of scalars and vectors."""
    (x,) = use.arguments
    if not isinstance(x.type, Scalar):
        return helper("abs_components", Vector)(use)
    if _is_float(x.type):
        return Call(use.value, "fabsf" if x.type == FLOAT else "fabs", [x])
    if x.type.is_unsigned:
        return x
    result = Call(INT if x.type.bytes < 4 else use.value, "abs", [x])
    return Cast(use.value, result) if x.type.bytes < 4 else result


def predicate(name: str, compound: str) -> Rule:
    """isfinite, isnan and isinf."""

    def rule(use: Use) -> Expression:
        (x,) = use.arguments
        if not isinstance(x.type, Scalar):
            return helper(compound, Vector, Matrix, Quaternion)(use)
        if not _is_float(x.type):
            return Literal(BOOL, name == "isfinite")
        return Call(BOOL, name, [x])

    return rule


def where(use: Use) -> Expression:
    """Both sides are values already, so `?:` gives the same; side effects in them are moved out first."""
    test, then, otherwise = use.arguments
    if isinstance(use.value, Array):
        raise Unsupported("wp.where of arrays is not supported: choose between elements instead")
    return Conditional(use.value, test, then, otherwise, eager=True)


def cast(use: Use) -> Expression:
    """`float(x)`, `wp.int64(x)`."""
    if not use.arguments:
        return Literal(use.value, 0)
    (x,) = use.arguments
    if not isinstance(x.type, Scalar) or not isinstance(use.value, Scalar):
        raise Unsupported(f"conversion of {x.type} to {use.value} is not supported")
    if x.type == use.value:
        return x
    if use.value == BOOL:
        return Binary(BOOL, "!=", x, Literal(x.type, 0))
    return Cast(use.value, x)


def construct(use: Use) -> Expression:
    """Constructors of vectors, matrices and quaternions from components, one value, nothing, or another type."""
    type = use.value
    if not isinstance(type, Vector | Matrix | Quaternion):
        raise Unsupported(f"wp.{use.name} of {_list(use.types)} is not supported")
    scalar = scalar_of(type)
    count = {Vector: lambda: type.length, Matrix: lambda: type.rows * type.columns}.get(  # type: ignore[union-attr]
        type.__class__, lambda: 4
    )()
    arguments = use.arguments
    if not arguments:
        return Construct(type, [Literal(scalar, 0) for _ in range(count)])
    if all(isinstance(argument.type, Scalar) for argument in arguments):
        if len(arguments) == count:
            return Construct(type, list(arguments))
        if len(arguments) == 1:
            return _filled(type, arguments[0], count)
    if len(arguments) == 1 and isinstance(type, Vector) and isinstance(arguments[0].type, Vector):
        if arguments[0].type == type:
            return arguments[0]
        name = f"to_{c_type(type)}"
        return Call(type, name, list(arguments), ("convert", (type, arguments[0].type)))
    if isinstance(type, Matrix) and all(isinstance(argument.type, Vector) for argument in arguments):
        return _helper(use, "matrix_from_columns")
    if isinstance(type, Quaternion) and isinstance(use.types[0], Vector) and isinstance(arguments[0], Name):
        v = arguments[0]
        parts = [Member(scalar, v, f".{c}") for c in "xyz"]
        return Construct(type, [*parts, arguments[1] if len(arguments) > 1 else Literal(scalar, 0)])
    raise Unsupported(f"wp.{use.name}({_list(use.types)}) is not supported: give every component")


def _filled(type: Type, value: Expression, count: int) -> Expression:
    """All components the same: written out for a literal, else by a helper that evaluates it once."""
    if isinstance(value, Literal) and count <= 4:
        return Construct(type, [value] * count)
    return Call(type, f"fill_{c_type(type)}", [value], ("fill", (type,)))


def identity(use: Use) -> Expression:
    """wp.identity of a square matrix."""
    return Call(use.value, f"identity_{c_type(use.value)}", [], ("identity", (use.value,)))


def quat_identity(use: Use) -> Expression:
    """wp.quat_identity."""
    scalar = scalar_of(use.value)
    return Construct(use.value, [*(Literal(scalar, 0) for _ in range(3)), Literal(scalar, 1)])


def length_of(use: Use) -> Expression:
    """len of an array, vector or matrix."""
    (x,) = use.arguments
    match x.type:
        case Array():
            return Extent(INT, x, 0)
        case Vector(length, _):
            return Literal(INT, length)
        case Matrix(rows, _, _):
            return Literal(INT, rows)
        case Quaternion():
            return Literal(INT, 4)
        case _:
            raise Unsupported(f"len of {x.type} is not supported")


def random(stem: str, name: str, key: str | None = None) -> Rule:
    """A random number: changes the state, its first argument."""

    def rule(use: Use) -> Expression:
        two = len(use.arguments) == 3
        request = f"{key or name}_between" if two else key or name
        return Call(use.value, name, list(use.arguments), (request, ()), effect=stem)

    return rule


def random_state(use: Use) -> Expression:
    """wp.rand_init."""
    key = "random_state" if len(use.arguments) == 1 else "random_state_at"
    return Call(use.value, "random_state", list(use.arguments), (key, ()))


def place(array: Expression, indices: Sequence[Expression]) -> Expression:
    """The element that an atomic works on."""
    if not isinstance(array.type, Array):
        raise Unsupported("atomics work on elements of arrays")
    if len(indices) != array.type.ndim:
        raise Unsupported(f"an atomic on an array of {array.type.ndim} dimensions takes as many indices")
    return Element(array.type.element, array, list(indices))


def atomic(operation: str) -> Rule:
    """An atomic update that returns the old value."""

    def rule(use: Use) -> Expression:
        array, *rest = use.arguments
        count = 2 if operation == "compare" else 1
        indices, values = rest[:-count], rest[-count:]
        target = place(array, indices)
        return update(operation, target, values)

    return rule


def update(operation: str, target: Expression, values: Sequence[Expression]) -> Expression:
    """The call that updates `target`. A subtraction adds the negative, as Warp does."""
    type = target.type
    values = list(values)
    if operation == "sub":
        operation = "add"
        if type == INT:
            return Call(type, "atomicSub", [AddressOf(type, target), *values], effect="old")
        (value,) = values
        if isinstance(value, Literal) and isinstance(value.value, float):
            values = [Literal(value.type, -value.value)]
        else:
            values = [Unary(value.type, "-", value)]
    if isinstance(type, Struct | Array | Transform):
        raise Unsupported(f"an atomic update of {type} is not supported: update its members")
    scalar = scalar_of(type)
    if not supported(operation, scalar):
        raise Unsupported(f"CUDA has no atomic {operation} on {scalar}: use a 32-bit or 64-bit type")
    arguments = [AddressOf(type, target), *values]
    if isinstance(type, Scalar) and (name := direct(operation, type)):
        return Call(type, name, arguments, effect="old")
    name = f"{operation}_atomically"
    return Call(type, name, arguments, (name, (type,)), effect="old")


def fetching(call: Call) -> Call:
    """The form of an atomic on a vector or matrix that returns the old value."""
    if call.helper and call.helper[0].endswith("_atomically") and not isinstance(call.type, Scalar):
        name = "fetch_" + call.helper[0].removesuffix("_atomically")
        return dataclasses.replace(call, function=name, helper=(name, call.helper[1]))
    return call


def bit_count(use: Use) -> Expression:
    """CUDA's population count; narrow signed numbers are not sign-extended."""
    (x,) = use.arguments
    assert isinstance(x.type, Scalar)
    if x.type.bytes == 8:
        return Call(INT, "__popcll", [x])
    if x.type.bytes < 4 and x.type.is_signed:
        x = Cast(Scalar("u" + x.type.name), x)
    return Call(INT, "__popc", [x])


def print_format(use: Use) -> Expression:
    """wp.printf."""
    return Call(use.result or INT, "printf", list(use.arguments), effect="printed")


def dynamic_component(value: Expression, index: Expression, scalar: Scalar) -> Expression:
    """`v[i]` where i is known at run time only."""
    if isinstance(value.type, Vector) and value.type.length > 4:
        return Component(scalar, value, ".v", [index])
    return Call(scalar, "component", [value, index], ("component", (value.type,)))


def transform_by(matrix_name: str, transform_name: str) -> Rule:
    """transform_point and transform_vector by a matrix or a transform."""

    def rule(use: Use) -> Expression:
        if isinstance(use.types[0], Matrix):
            return _helper(use, matrix_name)
        raise Unsupported(f"wp.{use.name} by a transform is not supported yet: use wp.quat_rotate")

    return rule


TABLE: dict[str, Rule] = {
    # scalar arithmetic
    "min": extreme("min"),
    "max": extreme("max"),
    "clamp": clamp,
    "abs": absolute,
    "sign": by_kind(scalar_helper("sign"), helper("sign_components", Vector)),
    "copysign": c_math("copysignf"),
    "step": scalar_helper("step"),
    "nonzero": scalar_helper("nonzero"),
    "bit_count": bit_count,
    "add": operator("+"),
    "sub": operator("-"),
    "mul": operator("*"),
    "div": operator("/"),
    "floordiv": operator("//"),
    "mod": operator("%"),
    "bit_and": operator("&"),
    "bit_or": operator("|"),
    "bit_xor": operator("^"),
    "lshift": operator("<<"),
    "rshift": operator(">>"),
    "invert": lambda use: Unary(use.value, "~", use.arguments[0]),
    "neg": negative,
    "pos": lambda use: use.arguments[0],
    "unot": lambda use: Unary(BOOL, "!", use.arguments[0]),
    # functions of floats
    "sin": c_math("sinf"),
    "cos": c_math("cosf"),
    "tan": c_math("tanf"),
    "acos": scalar_helper("acos_clamped", floats_only=True),
    "asin": scalar_helper("asin_clamped", floats_only=True),
    "atan": c_math("atanf"),
    "atan2": c_math("atan2f"),
    "sinh": c_math("sinhf"),
    "cosh": c_math("coshf"),
    "tanh": c_math("tanhf"),
    "degrees": scalar_helper("degrees", floats_only=True),
    "radians": scalar_helper("radians", floats_only=True),
    "sqrt": c_math("sqrtf"),
    "cbrt": c_math("cbrtf"),
    "exp": c_math("expf"),
    "log": c_math("logf"),
    "log2": c_math("log2f"),
    "log10": c_math("log10f"),
    "pow": c_math("powf"),
    "erf": c_math("erff"),
    "erfc": c_math("erfcf"),
    "round": c_math("roundf"),
    "rint": c_math("rintf"),
    "trunc": c_math("truncf"),
    "floor": c_math("floorf"),
    "ceil": c_math("ceilf"),
    "frac": scalar_helper("fraction", floats_only=True),
    "isfinite": predicate("isfinite", "all_finite"),
    "isnan": predicate("isnan", "any_nan"),
    "isinf": predicate("isinf", "any_infinite"),
    "lerp": by_kind(
        scalar_helper("lerp", floats_only=True),
        lambda use: _helper(use, "lerp", "lerp_components"),
    ),
    "smoothstep": scalar_helper("smoothstep", floats_only=True),
    "where": where,
    # vectors and matrices
    "dot": helper("dot", Vector, Quaternion),
    "ddot": helper("double_dot", Matrix),
    "cross": helper("cross", Vector),
    "length": helper("length", Vector, Quaternion),
    "length_sq": helper("length_squared", Vector, Quaternion),
    "normalize": helper("normalize", Vector, Quaternion),
    "outer": helper("outer", Vector),
    "skew": helper("skew", Vector),
    "transpose": helper("transpose", Matrix),
    "determinant": helper("determinant", Matrix),
    "inverse": helper("inverse", Matrix),
    "trace": helper("trace", Matrix),
    "diag": helper("diagonal_matrix", Vector),
    "get_diag": helper("diagonal", Matrix),
    "cw_mul": helper("multiply_components", Vector, Matrix),
    "cw_div": helper("divide_components", Vector, Matrix),
    "argmin": helper("argmin", Vector),
    "argmax": helper("argmax", Vector),
    "identity": identity,
    "matrix_from_rows": helper("matrix_from_rows", Vector),
    "matrix_from_cols": helper("matrix_from_columns", Vector),
    "transform_point": transform_by("transform_point", "transform_point_by"),
    "transform_vector": transform_by("transform_vector", "transform_vector_by"),
    "len": length_of,
    # quaternions
    "quat_identity": quat_identity,
    "quat_from_axis_angle": helper("quat_from_axis_angle", Vector),
    "quat_rpy": helper("quat_from_angles", Scalar),
    "quat_inverse": helper("conjugate", Quaternion),
    "quat_rotate": helper("rotate", Quaternion),
    "quat_rotate_inv": helper("rotate_inverse", Quaternion),
    "quat_slerp": helper("slerp", Quaternion),
    "quat_to_matrix": helper("rotation_matrix", Quaternion),
    # random numbers
    "rand_init": random_state,
    "randf": random("u", "random_float"),
    "randi": random("r", "random_int"),
    "randu": random("r", "random_uint"),
    "randn": random("z", "random_normal"),
    "sample_triangle": random("point", "sample_triangle"),
    "sample_unit_ring": random("point", "sample_unit_ring"),
    "sample_unit_disk": random("point", "sample_unit_disk"),
    "sample_unit_sphere_surface": random("point", "sample_unit_sphere_surface"),
    "sample_unit_sphere": random("point", "sample_unit_sphere"),
    "sample_unit_hemisphere_surface": random("point", "sample_unit_hemisphere_surface"),
    "sample_unit_hemisphere": random("point", "sample_unit_hemisphere"),
    "sample_unit_square": random("point", "sample_unit_square"),
    "sample_unit_cube": random("point", "sample_unit_cube"),
    "sample_unit_hypercube": random("point", "sample_unit_hypercube"),
    # atomics
    "atomic_add": atomic("add"),
    "atomic_sub": atomic("sub"),
    "atomic_min": atomic("min"),
    "atomic_max": atomic("max"),
    "atomic_and": atomic("and"),
    "atomic_or": atomic("or"),
    "atomic_xor": atomic("xor"),
    "atomic_exch": atomic("exchange"),
    "atomic_cas": atomic("compare"),
    # output
    "printf": print_format,
}


def rule_for(name: str, result: Type | None) -> Rule | None:
    """The rule for a builtin; constructors go by the type of their result."""
    if name in TABLE:
        return TABLE[name]
    if isinstance(result, Scalar):
        return cast if name in _CASTS else None
    if isinstance(result, Vector | Matrix | Quaternion) and name.startswith(("vec", "mat", "quat")):
        constructor = name.rstrip("0123456789xbhifdsul_") in (
            "vec",
            "mat",
            "quat",
            "vector",
            "matrix",
            "quaternion",
        )
        return construct if constructor else None
    return None


_CASTS = {
    "bool", "int", "float", "int8", "int16", "int32", "int64",
    "uint8", "uint16", "uint32", "uint64", "float32", "float64",
}  # fmt: skip
