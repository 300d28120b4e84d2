"""Helpers on scalars, for what C and CUDA have no function with Warp's meaning."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, define, narrow, number
from weft.types import Scalar, Type


def floor_div(left: Scalar, right: Type) -> Helper:
    """Integer division that rounds down (Warp: floordiv; Python: //)."""
    t = c_type(left)
    body = [
        f"const {t} quotient = {narrow('a / b', left)};",
        "return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;",
    ]
    comment = "a / b rounded down; C++ alone rounds towards zero."
    return define(f"{t} floor_divide({t} a, {t} b)", body, comment)


def sign(s: Scalar) -> Helper:
    """Warp: sign."""
    t = c_type(s)
    if s.is_unsigned:
        return define(f"{t} sign({t} /*x*/)", [f"return {number(1, s)};"], "1, also for zero.")
    value = f"return x < {number(0, s)} ? {number(-1, s)} : {number(1, s)};"
    return define(f"{t} sign({t} x)", [value], "-1 for negative x, else 1 (also for zero).")


def step(s: Scalar) -> Helper:
    """Warp: step, which is reversed against GLSL's."""
    t = c_type(s)
    if s.is_unsigned:
        return define(f"{t} step({t} /*x*/)", [f"return {number(0, s)};"], "0: x is not negative.")
    value = f"return x < {number(0, s)} ? {number(1, s)} : {number(0, s)};"
    return define(f"{t} step({t} x)", [value], "1 for negative x, else 0.")


def nonzero(s: Scalar) -> Helper:
    """Warp: nonzero."""
    t = c_type(s)
    value = f"return x == {number(0, s)} ? {number(0, s)} : {number(1, s)};"
    return define(f"{t} nonzero({t} x)", [value], "0 for zero, else 1.")


def _scaled(name: str, factor: str, comment: str) -> Callable[[Type], Helper]:
    def helper(type: Type) -> Helper:
        t = c_type(type)
        value = {
            "float64": f"x * {factor}",
            "float32": f"static_cast<float>(x * {factor})",
            "float16": f"__half(static_cast<float>(float(x) * {factor}))",
            "bfloat16": f"__nv_bfloat16(float(x) * {factor}f)",
        }[str(type)]
        return define(f"{t} {name}({t} x)", [f"return {value};"], comment)

    return helper


degrees = _scaled("degrees", "57.29577951308232087679", "Radians to degrees; the product is rounded once.")
radians = _scaled("radians", "0.01745329251994329577", "Degrees to radians; the product is rounded once.")


SCALAR_HELPERS: dict[str, Callable[..., Helper]] = {
    "floor_divide": floor_div,
    "sign": sign,
    "step": step,
    "nonzero": nonzero,
    "degrees": degrees,
    "radians": radians,
}
