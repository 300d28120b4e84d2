"""Names that no parameter, variable or member has: Python's own, and those that Warp's C++ text cannot hold.

Warp writes parameters of kernels and members of structs into C++ as they are, so a C++ keyword or a macro of
the C library among them is a module that does not compile.
"""

from __future__ import annotations

import builtins
import keyword

PYTHON = frozenset((*keyword.kwlist, *dir(builtins)))

_CPP = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t
    class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename
    union unsigned using virtual void volatile wchar_t while xor xor_eq
    """.split()
)
_MACROS = frozenset(
    {"NULL", "EOF", "INFINITY", "NAN", "HUGE_VAL", "assert", "errno", "stdin", "stdout", "stderr"}
)


def breaks_warp(name: str) -> bool:
    """Whether Warp's C++ text of a kernel could not be compiled with a parameter or member of this name."""
    return name in _CPP or name in _MACROS
