"""Names: the user's keep their spelling unless C++, CUDA or the C library has a claim on it.

The rule: a name that collides gets an underscore at its end. At namespace scope (functions, structs,
constants) a name collides with keywords, macros, names of CUDA and of the C library. Where a helper of the
program has a user's name, the helper gives way: `rotate` becomes `rotate_impl`. A local variable or parameter
may hide a library function, so it collides only with keywords, macros, built-in variables and with functions,
types and constants that the program uses; beside a function `length`, a variable is `len`. Letters outside
ASCII are spelled out (`weft.ascii_names`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from weft.ascii_names import ascii_name
from weft.cuda.device_functions import SHORT_NAMES
from weft.cuda.host_names import TOP_LEVEL

_RESERVED: dict[str, list[str]] = json.loads(
    (Path(__file__).parent / "reserved_names.json").read_text(encoding="utf-8")
)
KEYWORDS = frozenset(_RESERVED["keywords"])
MACROS = frozenset(_RESERVED["macros"])
BUILT_IN_VARIABLES = frozenset(_RESERVED["built_in_variables"])
_LIBRARY = frozenset(_RESERVED["library"])

_PATTERN = re.compile(
    r"(make_)?(u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4](_16a|_32a)?$"
    r"|(make_(cu|half|bfloat)|atomic[A-Z]|cuda[A-Z_]|cu[A-Z]|tex[1-3]D|surf[1-3]D|nv_)"
    r"|half2?$|\w+_t$|_[A-Z]"
    r"|(a?(sin|cos|tan)h?|exp(2|10|m1)?|log(2|10|1p|b)?|sqrt|r?sqrt|cbrt|rcbrt|pow|fabs|floor|ceil|round|trunc|rint"
    r"|fma|fmin|fmax|fmod|fdim|hypot|erf|erfc|erfinv|lgamma|tgamma|atan2|copysign|j[01n]|y[01n]|norm(cdf)?|modf"
    r"|frexp|ldexp|remainder|nearbyint|lrint|llrint|lround|llround|sinpi|cospi|sincos|logb|ilogb|scalbn|fdivide)[fl]$"
)


def reserved_at_namespace_scope(name: str) -> bool:
    """Whether C++, CUDA, the C library or the program's frame claims a name at namespace scope."""
    return (
        name in KEYWORDS
        or name in MACROS
        or name in BUILT_IN_VARIABLES
        or name in _LIBRARY
        or name in TOP_LEVEL
        or name.startswith("weft_")
        or (_PATTERN.match(name) is not None and not name.endswith("_"))
    )


def reserved_for_locals(name: str) -> bool:
    """Whether a variable cannot have this name whatever the program uses."""
    return name in KEYWORDS or name in MACROS or name in BUILT_IN_VARIABLES or name == "std"


def global_name(name: str, taken: set[str]) -> str:
    """The C++ name of a function, struct or constant of the user's."""
    return _with_underscore(_without_reserved_form(name), taken, reserved_at_namespace_scope)


def local_name(name: str, taken: set[str]) -> str:
    """The C++ name of a variable or parameter of the user's."""
    name = _without_reserved_form(name)
    short = SHORT_NAMES.get(name)
    if name in taken and short is not None and short not in taken:
        return short
    return _with_underscore(name, taken, reserved_for_locals)


def _without_reserved_form(name: str) -> str:
    """C++ keeps names with two underscores, or one and a capital letter, to itself; parts have dots."""
    name = ascii_name(name.replace(".", "_"))
    if "__" in name:
        name = re.sub(r"__+", "_", name)
    return name[1:] if name.startswith("_") and re.match(r"_[A-Z]", name) else name


def _with_underscore(name: str, taken: set[str], reserved: Callable[[str], bool]) -> str:
    """`name`, then `name_`, then `name_2`, `name_3`, … until nothing has it."""
    stem, candidate, number = name.rstrip("_"), name, 1
    while candidate in taken or reserved(candidate):
        candidate = f"{stem}_" if number == 1 else f"{stem}_{number}"
        number += 1
    return candidate
