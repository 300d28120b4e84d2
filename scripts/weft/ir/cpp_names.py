"""Names that Warp puts into its C++ text as they are, and that no C++ compiler takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.errors import KernelError
from weft.function_source import read_function

KEYWORDS = frozenset(
    "alignas alignof and_eq asm auto bitand bitor bool case catch char char16_t char32_t compl const "
    "const_cast constexpr decltype default delete do double dynamic_cast enum explicit export extern "
    "false float friend goto inline int long mutable namespace new noexcept not_eq nullptr operator or_eq "
    "private protected public register reinterpret_cast short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true typedef typeid typename union "
    "unsigned using virtual void volatile wchar_t xor xor_eq".split()
)
"""Those of C++17 that are names in Python."""


def require_cpp_names(record: Mapping[str, Any]) -> None:
    """Raise KernelError at a parameter whose name, or that of a member of its struct, is a keyword."""
    signature = {one["name"]: one["type"] for one in record["signature"]}
    for name in signature:
        if name in KEYWORDS:
            raise _error(record, name, f"the parameter {name!r}")
    for struct in record["structs"]:
        for field in struct["fields"]:
            if field["name"] in KEYWORDS:
                has = [name for name, kind in signature.items() if f"struct<{struct['name']}>" in kind]
                what = f"the member {field['name']!r} of the struct {struct['name']}"
                raise _error(record, (has or [*signature])[0], what)


def _error(record: Mapping[str, Any], parameter: str, what: str) -> KernelError:
    source = read_function(record["kernel"])
    return KernelError(
        "unsupported",
        f"{what} is named like a keyword of C++, and Warp writes it into C++ unchanged: choose another name",
        source.place(source.parameter(parameter)),
    )
