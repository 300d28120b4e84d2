"""What ptxas refuses and g++ does not: more shared or constant memory than a GPU gives a program.

The CPU device makes shared variables thread-local and constant ones protected symbols, so that an object file
tells of both (include/weft_cpu/qualifiers.h).
"""

from __future__ import annotations

import collections
import re

from weft.runs.device_reads import namespace_of

SHARED_BYTES = 48 * 1024
"""Static shared memory of a block (CUDA C++ Programming Guide, "Compute Capabilities")."""
CONSTANT_BYTES = 64 * 1024

_SYMBOL = re.compile(
    r"^\s*\d+:\s+[0-9a-f]+\s+(?P<bytes>\d+|0x[0-9a-f]+)\s+(?P<type>\w+)\s+\w+\s+(?P<visibility>\w+)"
    r"\s+(?:\[.*\]\s+)?\w+\s+(?P<name>\w+)",
    re.MULTILINE,
)
_VARIABLE = re.compile(r"E\d+\w+?(?:_\d+)?$")


def exceeded(symbols: str) -> dict[str, str]:
    """What is too large, by the namespace of the sample ("" if it has none), from the symbols that
    `readelf -sW` lists.

    A kernel's shared memory is that of its own variables: those of functions that it calls are not counted.
    """
    shared: collections.Counter[tuple[str, str]] = collections.Counter()
    constant: collections.Counter[str] = collections.Counter()
    for match in _SYMBOL.finditer(symbols):
        bytes = int(match["bytes"], 0)
        namespace = namespace_of(match["name"])
        if match["type"] == "TLS":
            shared[namespace, _VARIABLE.sub("", match["name"])] += bytes
        elif match["type"] == "OBJECT" and match["visibility"] == "PROTECTED":
            constant[namespace] += bytes
    found = {}
    for (namespace, _), bytes in shared.items():
        if bytes > SHARED_BYTES:
            found[namespace] = f"{bytes} bytes of shared memory in a function, {SHARED_BYTES} are allowed"
    for namespace, bytes in constant.items():
        if bytes > CONSTANT_BYTES:
            found[namespace] = f"{bytes} bytes of constant memory, {CONSTANT_BYTES} are allowed"
    return found
