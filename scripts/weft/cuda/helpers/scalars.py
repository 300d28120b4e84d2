"""Helpers on scalars, for what C and CUDA have no function with Warp's meaning."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, function, math_call, math_function, narrow, number
from weft.types import Scalar, Type


def _scalar(type: Type) -> Scalar:
    assert isinstance(type, Scalar)
    return type


def floor_div(left: Type, right: Type) -> Helper:
    """Integer division that rounds down (Warp: floordiv; Python: //)."""
    t = c_type(left)
    body = [
        f"const {t} quotient = {narrow('a / b', _scalar(left))};",
        "return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;",
    ]
    comment = "a / b rounded down; C++ alone rounds towards zero."
    return Helper(function(t, "floor_divide", [(t, "a"), (t, "b")], body, comment))


def sign(type: Type) -> Helper:
    """Warp: sign."""
    s, t = _scalar(type), c_type(type)
    if s.is_unsigned:
        return Helper(function(t, "sign", [(t, "/*x*/")], [f"return {number(1, s)};"], "1, also for zero."))
    value = f"return x < {number(0, s)} ? {number(-1, s)} : {number(1, s)};"
    return Helper(function(t, "sign", [(t, "x")], [value], "-1 for negative x, else 1 (also for zero)."))


def step(type: Type) -> Helper:
    """Warp: step, which is reversed against GLSL's."""
    s, t = _scalar(type), c_type(type)
    if s.is_unsigned:
        return Helper(
            function(t, "step", [(t, "/*x*/")], [f"return {number(0, s)};"], "0: x is not negative.")
        )
    value = f"return x < {number(0, s)} ? {number(1, s)} : {number(0, s)};"
    return Helper(function(t, "step", [(t, "x")], [value], "1 for negative x, else 0."))


def nonzero(type: Type) -> Helper:
    """Warp: nonzero."""
    s, t = _scalar(type), c_type(type)
    value = f"return x == {number(0, s)} ? {number(0, s)} : {number(1, s)};"
    return Helper(function(t, "nonzero", [(t, "x")], [value], "0 for zero, else 1."))


def fraction(type: Type) -> Helper:
    """Warp: frac."""
    t = c_type(type)
    value = f"return x - {math_call('trunc', _scalar(type), 'x')};"
    return Helper(function(t, "fraction", [(t, "x")], [value], "What follows the point, with the sign of x."))


def _scaled(name: str, factor: str, comment: str) -> Callable[[Type], Helper]:
    def helper(type: Type) -> Helper:
        t = c_type(type)
        value = {
            "float64": f"x * {factor}",
            "float32": f"static_cast<float>(x * {factor})",
            "float16": f"__half(static_cast<float>(float(x) * {factor}))",
            "bfloat16": f"__nv_bfloat16(float(x) * {factor}f)",
        }[str(type)]
        return Helper(function(t, name, [(t, "x")], [f"return {value};"], comment))

    return helper


degrees = _scaled("degrees", "57.29577951308232087679", "Radians to degrees; the product is rounded once.")
radians = _scaled("radians", "0.01745329251994329577", "Degrees to radians; the product is rounded once.")


def _clamped(name: str) -> Callable[[Type], Helper]:
    def helper(type: Type) -> Helper:
        s, t = _scalar(type), c_type(type)
        low, high = math_function("fmax", s), math_function("fmin", s)
        clamped = f"{high}({low}(x, {number(-1, s)}), {number(1, s)})"
        value = f"return {math_call(name, s, clamped)};"
        comment = f"{name} of x clamped to [-1, 1]: no NaN where rounding leaves x just outside."
        return Helper(function(t, f"{name}_clamped", [(t, "x")], [value], comment))

    return helper


acos_clamped = _clamped("acos")
asin_clamped = _clamped("asin")


def lerp(type: Type, other: Type, factor: Type) -> Helper:
    """Warp: lerp of scalars, in its order of operations."""
    s, t = _scalar(type), c_type(type)
    value = f"return a * ({number(1, s)} - t) + b * t;"
    return Helper(
        function(t, "lerp", [(t, "a"), (t, "b"), (t, "t")], [value], "From a at t = 0 to b at t = 1.")
    )


def smoothstep(type: Type, other: Type, value: Type) -> Helper:
    """Warp: smoothstep."""
    s, t = _scalar(type), c_type(type)
    low, high = math_function("fmax", s), math_function("fmin", s)
    body = [
        f"const {t} t = {high}({low}({number(0, s)}, (x - low) / (high - low)), {number(1, s)});",
        f"return t * t * ({number(3, s)} - {number(2, s)} * t);",
    ]
    comment = "Cubic ramp from 0 at low to 1 at high."
    return Helper(function(t, "smoothstep", [(t, "low"), (t, "high"), (t, "x")], body, comment))


SCALAR_HELPERS: dict[str, Callable[..., Helper]] = {
    "floor_divide": floor_div,
    "sign": sign,
    "step": step,
    "nonzero": nonzero,
    "fraction": fraction,
    "degrees": degrees,
    "radians": radians,
    "acos_clamped": acos_clamped,
    "asin_clamped": asin_clamped,
    "lerp": lerp,
    "smoothstep": smoothstep,
}
