"""Which programs must give the reference's bits on a GPU, once nothing is contracted.

IEEE 754 fixes the four operations, square roots, fma, roundings and conversions to the bit, and integers
leave no choice; the functions below have an error that CUDA documents (CUDA C++ Programming Guide,
"Mathematical Functions").
"""

from __future__ import annotations

import re

_FUNCTIONS = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2 "
    "expm1 hypot j0 j1 jn lgamma log log10 log1p log2 norm norm3d norm4d normcdf normcdfinv pow powi rcbrt "
    "rhypot rnorm rnorm3d rnorm4d rsqrt sin sincos sincospi sinh sinpi tan tanh tanpi tgamma y0 y1 yn"
).split()
_HALVES = "cos exp exp10 exp2 log log10 log2 rcp rsqrt sin tanh".split()
_INTRINSICS = "__cosf __exp10f __expf __fdividef __log10f __log2f __logf __powf __sincosf __sinf".split()

_INEXACT = re.compile(
    rf"\b(?:(?:{'|'.join(_FUNCTIONS)})f?|h2?(?:{'|'.join(_HALVES)})|{'|'.join(_INTRINSICS)})\s*\("
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def is_exact(text: str) -> bool:
    """Whether a program calls no function that may round in another way on another device."""
    return _INEXACT.search(_COMMENT.sub(" ", text)) is None
