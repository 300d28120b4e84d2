"""Warp's core builtins, those outside the families of objects, and which of them no kernel needs to have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from weft.intrinsics import INTRINSICS

_NOT_DOCUMENTED = ("expect_eq", "expect_neq")

CORE = frozenset(name for name in INTRINSICS if not name.startswith(("tile", "untile", *_NOT_DOCUMENTED)))
"""All of Warp 1.19's reference."""

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
