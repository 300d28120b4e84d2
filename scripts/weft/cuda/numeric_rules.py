"""Rules for numeric builtins that are more than one helper with the same arguments."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Rule, UnsupportedError, Use, use_helper
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    FLOAT,
    INT,
    UINT,
    Assign,
    Binary,
    Call,
    Construct,
    Expression,
    Extent,
    Literal,
    Member,
    Name,
    Statement,
    Unpack,
)
from weft.intrinsics import Effect
from weft.types import Array, Matrix, Scalar, Tuple, Type


def with_default(name: str, default: float) -> Rule:
    """A helper whose last argument, a float, may be left out."""

    def rule(use: Use) -> Expression:
        arguments = list(use.arguments)
        if len(arguments) == 1:
            arguments.append(Literal(FLOAT, default))
        return Call(use.value, name, arguments, (name, tuple(a.type for a in arguments)))

    return rule


def spatial_vector(use: Use) -> Expression:
    """wp.spatial_vector of nothing, two halves or six components."""
    scalar = scalar_of(use.value)
    if not use.arguments:
        return Construct(use.value, [Literal(scalar, 0)] * 6)
    if len(use.arguments) == 2:
        return use_helper(use, "spatial_vector")
    return Construct(use.value, list(use.arguments))


def approximate_quotient(use: Use) -> Expression:
    """wp.div_approx: CUDA has a fast division of floats only."""
    dividend, divisor = use.arguments
    scalar = scalar_of(dividend.type)
    if scalar.name != "float32":
        return Binary(use.value, "/", dividend, divisor)
    if isinstance(dividend.type, Scalar) and isinstance(divisor.type, Scalar):
        return Call(use.value, "__fdividef", [dividend, divisor])
    return use_helper(use, "divide_approximately")


def approximate_inverse(use: Use) -> Expression:
    """wp.inverse_approx: of 4x4 matrices and of doubles the exact one, for which CUDA has nothing faster."""
    kind = use.types[0]
    assert isinstance(kind, Matrix)
    fast = kind.scalar.name == "float32" and kind.rows < 4
    return use_helper(use, "inverse_approximately") if fast else use_helper(use, "inverse")


def curl_noise(use: Use) -> Expression:
    """wp.curlnoise, whose last three arguments have defaults."""
    point = use.arguments[1]
    given = dict(zip(use.names or ("state", "x", *_CURL_DEFAULTS), use.arguments, strict=False))
    rest = [given.get(name) or Literal(kind, value) for name, (kind, value) in _CURL_DEFAULTS.items()]
    return Call(use.value, "curl_noise", [use.arguments[0], point, *rest], ("curl_noise", (point.type,)))


_CURL_DEFAULTS = {"octaves": (UINT, 1), "lacunarity": (FLOAT, 2.0), "gain": (FLOAT, 0.5)}


def noise(name: str) -> Rule:
    """wp.noise and wp.pnoise: one helper for each number of dimensions."""
    return lambda use: Call(use.value, name, list(use.arguments), (name, (use.types[1],)))


def lower_bound(use: Use) -> Expression:
    """wp.lower_bound in a whole array or a part of it."""
    values, *part, x = use.arguments
    begin, end = part or (Literal(INT, 0), Extent(INT, clone(values), 0))
    return _search(use.value, values, begin, end, x)


def sample_cdf(use: Use) -> Expression:
    """wp.sample_cdf: where a uniform number falls among cumulated probabilities."""
    state, values = use.arguments
    uniform = Call(FLOAT, "random_float", [state], ("random_float", ()), Effect.RANDOM, "u")
    return _search(use.value, values, Literal(INT, 0), Extent(INT, clone(values), 0), uniform)


def _search(
    result: Type, values: Expression, begin: Expression, end: Expression, x: Expression
) -> Expression:
    assert isinstance(values.type, Array)
    return Call(result, "lower_bound", [values, begin, end, x], ("lower_bound", (values.type.element,)))


def into_variables(name: str) -> Callable[[Use], list[Statement]]:
    """A helper of one argument whose results go into the variables that are passed after it."""

    def rule(use: Use) -> list[Statement]:
        value, *targets = use.arguments
        names = [target.name for target in targets if isinstance(target, Name)]
        taken = {value.name} if isinstance(value, Name) else set()
        if len(names) < len(targets) or len(taken.union(names)) < len(taken) + len(targets):
            raise UnsupportedError(
                f"wp.{use.name} can only write to different variables: give it one for each result"
            )
        types = [target.type for target in targets]
        return [Unpack(names, types, Call(Tuple(tuple(types)), name, [value], (name, (value.type,))))]

    return rule


def set_part(path: str) -> Callable[[Use], list[Statement]]:
    """wp.transform_set_translation and wp.transform_set_rotation."""

    def rule(use: Use) -> list[Statement]:
        target, value = use.arguments
        if not isinstance(target, Name):
            raise UnsupportedError(
                f"wp.{use.name} can only change a variable (in Warp, anything else is a copy): "
                f"assign to its {path}"
            )
        return [Assign(Member(value.type, target, path), "", value)]

    return rule
