"""What ptxas refuses and g++ does not: more shared or constant memory than a GPU gives a program.

The CPU device makes shared variables thread-local and constant ones protected symbols, so that an object file
tells of both (include/weft_cpu/qualifiers.h).
"""

from __future__ import annotations

import collections
import re
from collections.abc import Mapping

from weft.runs.device_reads import namespace_of

SHARED_BYTES = 48 * 1024
"""Static shared memory of a block (CUDA C++ Programming Guide, "Compute Capabilities")."""
CONSTANT_BYTES = 64 * 1024

DEVICE_SECTION = ".text.hot."
_SYMBOL = re.compile(
    r"^\s*\d+:\s+[0-9a-f]+\s+(?P<bytes>\d+|0x[0-9a-f]+)\s+(?P<type>\w+)\s+\w+\s+(?P<visibility>\w+)"
    r"\s+(?:\[.*\]\s+)?\w+\s+(?P<name>\w+)",
    re.MULTILINE,
)
_RELOCATIONS = re.compile(
    r"^Relocation section '\.rela(?P<section>\.text[^']*)'.*\n.*\n(?P<rows>(?:[0-9a-f]{12,16} .*\n)*)",
    re.MULTILINE,
)
_USED = re.compile(r"^[0-9a-f]+\s+[0-9a-f]+\s+R_\w+\s+[0-9a-f]+\s+(\S+)", re.MULTILINE)
_VARIABLE = re.compile(r"E\d+\w+?(?:_\d+)?$")


def exceeded(symbols: str) -> dict[str, str]:
    """What is too large, by the namespace of the sample ("" if it has none), from the symbols that
    `readelf -sW` lists.

    A kernel's shared memory is that of its own variables; with those of the functions that it calls, if the
    relocations are listed, too (`-srW`), of functions in sections of their own.
    """
    shared: collections.Counter[tuple[str, str]] = collections.Counter()
    sizes: dict[str, int] = {}
    constant: collections.Counter[str] = collections.Counter()
    for match in _SYMBOL.finditer(symbols):
        bytes = int(match["bytes"], 0)
        namespace = namespace_of(match["name"])
        if match["type"] == "TLS":
            shared[namespace, _VARIABLE.sub("", match["name"])] += bytes
            sizes[match["name"]] = bytes
        elif match["type"] == "OBJECT" and match["visibility"] == "PROTECTED":
            constant[namespace] += bytes
    found = {}
    for (namespace, _), bytes in shared.items():
        if bytes > SHARED_BYTES:
            found[namespace] = _too_much_shared(bytes)
    for section, variables in _shared_by_section(symbols, sizes).items():
        bytes = sum(sizes[name] for name in variables)
        if bytes > SHARED_BYTES:
            found.setdefault(namespace_of(section.rpartition(".")[2]), _too_much_shared(bytes))
    for namespace, bytes in constant.items():
        if bytes > CONSTANT_BYTES:
            found[namespace] = f"{bytes} bytes of constant memory, {CONSTANT_BYTES} are allowed"
    return found


def static_shared(listed: str) -> dict[str, int]:
    """Bytes of shared memory of each function of the device that has some, with those of what it calls, from
    what `readelf -srW` lists; by mangled name.
    """
    sizes = {
        match["name"]: int(match["bytes"], 0) for match in _SYMBOL.finditer(listed) if match["type"] == "TLS"
    }
    found = {}
    for section, variables in _shared_by_section(listed, sizes).items():
        if section.startswith(DEVICE_SECTION) and variables:
            found[section.removeprefix(DEVICE_SECTION)] = sum(sizes[name] for name in variables)
    return found


def _too_much_shared(bytes: int) -> str:
    return f"{bytes} bytes of shared memory in a function, {SHARED_BYTES} are allowed"


def _shared_by_section(listed: str, sizes: Mapping[str, int]) -> dict[str, set[str]]:
    """The shared variables that the code of each section uses, itself or by what it calls."""
    uses: dict[str, set[str]] = {}
    for match in _RELOCATIONS.finditer(listed):
        names = (name.removeprefix(".tbss.") for name in _USED.findall(match["rows"]))
        uses[match["section"]] = set(names)
    sections = {section.rpartition(".")[2]: section for section in uses}
    found = {}
    for section in uses:
        waiting, seen = [section], {section}
        variables: set[str] = set()
        while waiting:
            for name in uses[waiting.pop()]:
                called = name if name in uses else sections.get(name)
                if name in sizes:
                    variables.add(name)
                elif called is not None and called not in seen:
                    seen.add(called)
                    waiting.append(called)
        found[section] = variables
    return found
