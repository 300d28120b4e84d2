"""Device code that uses a variable of the host, which nvcc refuses and g++ cannot know of.

Variables of the device are hidden or protected symbols (include/weft_cpu/qualifiers.h), those of the host are
not. What nobody outside of the file can name has no visibility: there the text says whose it is.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from weft.runs.elf import HIDDEN, LOCAL, PROTECTED, RELOCATION, Kind, Object, Symbol

_NOBODY = re.compile(r"_ZT|_ZGV|__|_ZN?K?St|_ZN9__gnu_cxx|_ZN8weft_cpu|_ZZN?K?St|_ZZN8weft_cpu")
"""What compilers and headers have: tables of classes, guards of static variables, the C++ library."""
MOST_CHARACTERS = 1 << 16
"""Of a declaration."""
_PC32, _PLT32, _ABSOLUTE = 2, 4, frozenset({1, 10, 11})
_DECLARED = re.compile(
    r"""
    __(?:device|constant|managed)__ \b
    (?P<rest> (?: (?:__align__|__builtin_align__|alignas|decltype) \s* \([^()]*\) | [^;{}()=\[] )* )
    (?P<end> . )
""",
    re.VERBOSE | re.DOTALL,
)
_SAMPLE = re.compile(r"^namespace (s\d+) \{$", re.MULTILINE)
_OF_SAMPLE = re.compile(r"_ZZ?N?K?(?:5(s\d{4})|6(s\d{5}))")
_CALLS = (b"\xe8", b"\xe9")
"""A call, and a jump in its place, by 32 bits."""
_LAST_WORD = re.compile(r"([A-Za-z_]\w*)\s*\Z")
_PART = re.compile(r"L?(\d+)")


@dataclasses.dataclass(frozen=True)
class HostUse:
    """A device function and the host's variable that it uses, both as they are in the object file."""

    function: str
    variable: str

    def __str__(self) -> str:
        variable, function = source_name(self.variable), source_name(self.function)
        return f"{function} uses {variable}, which is not a variable of the device"


def uses_of_host(file: Object, text: str) -> Iterator[HostUse]:
    """The uses of host variables in an object file that was made from `text`, a shard, each but once."""
    parts = _SAMPLE.split(text)
    on_device = {
        (namespace, name)
        for namespace, part in zip(["", *parts[1::2]], parts[::2], strict=True)
        for name in variables_of_device(part)
    }
    places = Places(file)
    hosts = {
        one.name
        for one in file.symbols
        if one.kind is Kind.FUNCTION and not _is_local(one) and one.visibility == 0
    }
    # Variables, too: they may begin with the address of one of the host's.
    waiting = [
        one
        for one in file.symbols
        if one.kind in (Kind.FUNCTION, Kind.OBJECT) and one.visibility in (HIDDEN, PROTECTED) and one.section
    ]
    seen = {one.name for one in waiting}
    found: set[HostUse] = set()
    while waiting:
        function = waiting.pop()
        for used in places.used_by(function):
            if used.kind is Kind.FUNCTION:
                if _is_local(used) and used.name not in seen and not _NOBODY.match(used.name):
                    seen.add(used.name)
                    waiting.append(used)
            elif _is_of_host(used, on_device, hosts):
                found.add(HostUse(function.name, used.name))
    yield from sorted(found, key=lambda use: (use.function, use.variable))


def variables_of_device(text: str) -> frozenset[str]:
    """Names that are declared as variables of the device anywhere in CUDA C++."""
    names = set()
    for match in _DECLARED.finditer(text):
        last = [found[1] for part in match["rest"].split(",") if (found := _LAST_WORD.search(part))]
        if match["end"] in "(}" or not last or last[-1] == "operator":
            continue
        names.update(last)
        # Further names of the same declaration: `float a[2], b;`.
        start = match.start("end")
        rest = text[start : text.find(";", start, start + MOST_CHARACTERS)]
        names.update(re.findall(r",\s*\**\s*([A-Za-z_]\w*)\s*(?=[=\[,{]|\Z)", rest))
    return frozenset(names)


def namespace_of(mangled: str) -> str:
    """The namespace of the sample that a name belongs to, "" if it is none's."""
    match = _OF_SAMPLE.match(mangled)
    return (match[1] or match[2]) if match else ""


def source_name(mangled: str) -> str:
    """`table` for `_ZN5s00005tableE`: the innermost name, without parameters."""
    if not mangled.startswith("_Z"):
        return mangled
    name, position = "", 2
    if mangled.startswith("_ZN"):
        position = 3 + len(mangled[3:]) - len(mangled[3:].lstrip("rVKRO"))
    elif mangled.startswith("_ZZ"):
        position = max(mangled.rfind("E", 0, len(mangled) - 1) + 1, 0)
    elif (only := _PART.match(mangled, 2)) is not None:
        return mangled[only.end() : only.end() + int(only[1])]
    while (part := _PART.match(mangled, position)) is not None:
        start, length = part.end(), int(part[1])
        name, position = mangled[start : start + length], start + length
    return name or mangled


def _is_local(symbol: Symbol) -> bool:
    return symbol.binding == LOCAL


def _is_of_host(symbol: Symbol, on_device: set[tuple[str, str]], hosts: set[str]) -> bool:
    if (
        symbol.kind is not Kind.OBJECT
        or symbol.visibility in (HIDDEN, PROTECTED)
        or _NOBODY.match(symbol.name)
    ):
        return False
    if symbol.section_name.startswith("weft_constant."):
        return False
    if symbol.name.startswith("_ZZ"):  # of a function
        return any(symbol.name.startswith(f"_ZZ{host[2:]}E") for host in hosts if host.startswith("_Z"))
    return not (_is_local(symbol) and (namespace_of(symbol.name), source_name(symbol.name)) in on_device)


class Places:
    """Which symbols each function of an object file mentions: its variables and functions. With
    `every_function`, also functions of other files; without, only functions that no other file can name.
    """

    def __init__(self, file: Object, every_function: bool = False) -> None:
        self._file = file
        self._objects: dict[int, list[Symbol]] = {}
        for symbol in file.symbols:
            if symbol.section and symbol.size and symbol.kind in (Kind.FUNCTION, Kind.OBJECT):
                self._objects.setdefault(symbol.section, []).append(symbol)
        wanted = [
            symbol.kind is Kind.SECTION
            or (symbol.section != 0 and symbol.kind is Kind.OBJECT)
            or (symbol.kind is Kind.FUNCTION and (every_function or _is_local(symbol)))
            or (every_function and not symbol.section)
            for symbol in file.symbols
        ]
        kept = np.array(wanted, dtype=np.bool_)
        self._rows: Mapping[int, npt.NDArray[np.void]] = {
            section: rows[kept[rows["symbol"]]] for section, rows in file.relocations.items()
        }

    def used_by(self, function: Symbol) -> Iterator[Symbol]:
        rows = self._rows.get(function.section, np.empty(0, RELOCATION))
        yield from self._called_nearby(function)
        inside = (rows["offset"] >= function.value) & (rows["offset"] < function.value + function.size)
        for row in rows[inside]:
            symbol = self._file.symbols[int(row["symbol"])]
            if symbol.kind is not Kind.SECTION:
                yield symbol
                continue
            address = self._address(function.section, row)
            for one in self._objects.get(symbol.section, []):
                if address is not None and one.value <= address < one.value + one.size:
                    yield one
                    break

    def _called_nearby(self, function: Symbol) -> Iterator[Symbol]:
        """Calls within a section have no relocations: they lead to the start of a local function."""
        starts = {
            one.value: one
            for one in self._objects.get(function.section, [])
            if one.kind is Kind.FUNCTION and _is_local(one)
        }
        end = function.value + function.size
        code = self._file.contents(function.section)[:end] if starts else b""
        for opcode in _CALLS:
            place = code.find(opcode, function.value)
            while 0 <= place < end - 4:
                distance = int.from_bytes(code[place + 1 : place + 5], "little", signed=True)
                if (called := starts.get(place + 5 + distance)) is not None:
                    yield called
                place = code.find(opcode, place + 1)

    def _address(self, section: int, row: np.void) -> int | None:
        """What an operand names within its section, if the instruction is one that tells."""
        offset, addend, kind = int(row["offset"]), int(row["addend"]), int(row["type"])
        if kind in _ABSOLUTE:
            return addend
        code = self._file.contents(section)[max(offset - 3, 0) : offset]
        is_lea = len(code) == 3 and code[0] & 0xFB == 0x48 and code[1] == 0x8D and code[2] & 0xC7 == 0x05
        is_call = code[-1:] in _CALLS
        return addend + 4 if kind in (_PC32, _PLT32) and (is_lea or is_call) else None
