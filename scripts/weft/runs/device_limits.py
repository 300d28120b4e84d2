"""What ptxas refuses and g++ does not: more shared or constant memory than a GPU gives a program.

The CPU device makes shared variables thread-local and constant ones protected symbols, so that an object file
tells of both (include/weft_cpu/qualifiers.h).
"""

from __future__ import annotations

import collections
import re
from collections.abc import Mapping

from weft.runs.device_reads import namespace_of
from weft.runs.elf import PROTECTED, Kind, Object

SHARED_BYTES = 48 * 1024
"""Static shared memory of a block (CUDA C++ Programming Guide, "Compute Capabilities")."""
CONSTANT_BYTES = 64 * 1024

DEVICE_SECTION = ".text.hot."
_VARIABLE = re.compile(r"E\d+\w+?(?:_\d+)?$")


def exceeded(file: Object) -> dict[str, str]:
    """What is too large in an object file, by the namespace of the sample ("" if it has none). A kernel's
    shared memory is that of its own variables.
    """
    shared: collections.Counter[tuple[str, str]] = collections.Counter()
    constant: collections.Counter[str] = collections.Counter()
    for one in file.symbols:
        namespace = namespace_of(one.name)
        if one.kind is Kind.THREAD_LOCAL:
            shared[namespace, _VARIABLE.sub("", one.name)] += one.size
        elif one.kind is Kind.OBJECT and one.visibility == PROTECTED:
            constant[namespace] += one.size
    found = {}
    for (namespace, _), bytes in shared.items():
        if bytes > SHARED_BYTES:
            found[namespace] = _too_much_shared(bytes)
    for namespace, bytes in constant.items():
        if bytes > CONSTANT_BYTES:
            found[namespace] = f"{bytes} bytes of constant memory, {CONSTANT_BYTES} are allowed"
    return found


def exceeded_with_calls(file: Object) -> dict[str, str]:
    """The same of an object file whose functions have sections of their own: a kernel's shared memory is that
    of the functions that it calls, too.
    """
    sizes = _shared_sizes(file)
    found = exceeded(file)
    for section, variables in _shared_by_section(file, sizes).items():
        bytes = sum(sizes[name] for name in variables)
        if bytes > SHARED_BYTES:
            found.setdefault(namespace_of(section.rpartition(".")[2]), _too_much_shared(bytes))
    return found


def static_shared(file: Object) -> dict[str, int]:
    """Bytes of shared memory of each function of the device that has some, with those of what it calls, in an
    object file whose functions have sections of their own; by mangled name.
    """
    sizes = _shared_sizes(file)
    found = {}
    for section, variables in _shared_by_section(file, sizes).items():
        if section.startswith(DEVICE_SECTION) and variables:
            found[section.removeprefix(DEVICE_SECTION)] = sum(sizes[name] for name in variables)
    return found


def _too_much_shared(bytes: int) -> str:
    return f"{bytes} bytes of shared memory in a function, {SHARED_BYTES} are allowed"


def _shared_sizes(file: Object) -> dict[str, int]:
    return {one.name: one.size for one in file.symbols if one.kind is Kind.THREAD_LOCAL}


def _shared_by_section(file: Object, sizes: Mapping[str, int]) -> dict[str, set[str]]:
    """The shared variables that the code of each section uses, itself or by what it calls."""
    names = [one.section_name if one.kind is Kind.SECTION else one.name for one in file.symbols]
    uses: dict[str, set[str]] = {}
    for number, relocations in file.relocations.items():
        section = file.section_names[number]
        if section.startswith(".text"):
            used = {names[one].removeprefix(".tbss.") for one in set(relocations["symbol"].tolist())}
            uses[section] = uses.get(section, set()) | used
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
