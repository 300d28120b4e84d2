"""Device code that calls a function of the host, which nvcc refuses and g++ cannot know of.

Functions with `__global__` or `__device__` are hidden symbols (include/weft_cpu/qualifiers.h), those without
are not. Functions that nobody outside of the file can call have no visibility: nothing is said of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from weft.runs.candidate_symbols import MATH

_FUNCTION = re.compile(
    r"^\s*\d+:\s+[0-9a-f]+\s+\w+\s+FUNC\s+(?:GLOBAL|WEAK)\s+(?P<visibility>\w+)"
    r"\s+(?:\[.*\]\s+)?\d+\s+(?P<name>\w+)",
    re.MULTILINE,
)
_SECTION = re.compile(
    r"^Relocation section '\.rela\.text\.(?P<name>\w+)'.*\n(?P<rows>(?:.+\n)*)", re.MULTILINE
)
_OWN = re.compile(r"_ZNK?(?:5s\d{4}|6s\d{5})")
_STD = re.compile(r"_ZN?K?St")
_FOR_BOTH = re.compile(
    r"_ZN?K?St\d+(?:numeric_limits|array|pair|tuple|initializer_list|integral_constant|complex"
    r"|min|max|minmax|clamp|move|forward|get|make_pair|addressof|data|size|begin|end"
    r"|abs|is(?:nan|inf|finite|normal)|signbit|fpclassify|"
    + "|".join(f"{name}[fl]?" for name in MATH)
    + r")(?=[A-Z_]|[a-z]+$)"
)
"""What of the C++ library device code may call: mathematics, and what is constexpr."""
_IMPLICIT = re.compile(r"(?:[CD][0-5]E|aSE)")
"""Constructors, destructors and assignments, which classes have without a word."""


def calls_of_host(listed: str) -> Iterator[tuple[str, str]]:
    """Mangled names of device functions, each with a function of the host that it calls, from what
    `readelf -srW` says of an object file whose functions have sections of their own.
    """
    visibility = {match["name"]: match["visibility"] for match in _FUNCTION.finditer(listed)}
    for section in _SECTION.finditer(listed):
        if visibility.get(section["name"]) != "HIDDEN":
            continue
        for word in re.findall(r"\b_Z\w+", section["rows"]):
            if visibility.get(word) != "DEFAULT":
                continue
            of_library = _STD.match(word) and not _FOR_BOTH.match(word)
            if of_library or (_OWN.match(word) and not _IMPLICIT.search(word)):
                yield section["name"], word
