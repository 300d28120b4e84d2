"""Symbols and relocations of an object file (ELF for x86-64, System V ABI, chapter 4)."""

from __future__ import annotations

import dataclasses
import enum
from pathlib import Path

import numpy as np
import numpy.typing as npt

LOCAL, WEAK = 0, 2
HIDDEN, PROTECTED = 2, 3
_SYMBOL_TABLE, _RELOCATIONS, _EXTENDED = 2, 4, 0xFFFF
_SECTION = np.dtype(
    [
        ("name", "<u4"),
        ("type", "<u4"),
        ("flags", "<u8"),
        ("address", "<u8"),
        ("offset", "<u8"),
        ("size", "<u8"),
        ("link", "<u4"),
        ("info", "<u4"),
        ("align", "<u8"),
        ("entry", "<u8"),
    ]
)
_SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
)
RELOCATION = np.dtype([("offset", "<u8"), ("type", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])


class Kind(enum.Enum):
    """What a symbol stands for."""

    OBJECT = 1
    FUNCTION = 2
    SECTION = 3
    THREAD_LOCAL = 6
    OTHER = 0


_KINDS = {one.value for one in Kind}


@dataclasses.dataclass(frozen=True)
class Symbol:
    """A symbol; `section` is the number of the section that defines it, 0 if none of the file's does."""

    name: str
    kind: Kind
    binding: int
    visibility: int
    section: int
    section_name: str
    value: int
    size: int


@dataclasses.dataclass(frozen=True)
class Object:
    """An object file; `relocations` are those of each section, by its number."""

    data: bytes
    symbols: list[Symbol]
    relocations: dict[int, npt.NDArray[np.void]]
    sections: npt.NDArray[np.void]
    section_names: list[str]

    def contents(self, section: int) -> bytes:
        """The bytes of a section."""
        return _bytes_of(self.data, self.sections[section])


def read_object(path: Path) -> Object:
    """Raises ValueError if the file is no object file for x86-64."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01" or data[16:20] != b"\x01\x00\x3e\x00":
        raise ValueError(f"{path.name} is not an object file")
    start, count = int.from_bytes(data[40:48], "little"), int.from_bytes(data[60:62], "little")
    first = np.frombuffer(data, _SECTION, 1, start)[0]
    sections = np.frombuffer(data, _SECTION, count or int(first["size"]), start)
    index = int.from_bytes(data[62:64], "little")
    names = _bytes_of(data, sections[int(first["link"]) if index == _EXTENDED else index])
    section_names = [_text(names, int(one["name"])) for one in sections]
    table = next(one for one in sections if one["type"] == _SYMBOL_TABLE)
    words = _bytes_of(data, sections[int(table["link"])])
    symbols = [
        _symbol(row, words, section_names)
        for row in np.frombuffer(data, _SYMBOL, int(table["size"]) // _SYMBOL.itemsize, int(table["offset"]))
    ]
    relocations = {
        int(one["info"]): np.frombuffer(
            data, RELOCATION, int(one["size"]) // RELOCATION.itemsize, int(one["offset"])
        )
        for one in sections
        if one["type"] == _RELOCATIONS
    }
    return Object(data, symbols, relocations, sections, section_names)


def _symbol(row: np.void, words: bytes, section_names: list[str]) -> Symbol:
    kind, section = int(row["info"]) & 15, int(row["section"])
    if section >= len(section_names):  # absolute, common, or more sections than fit
        section = 0
    return Symbol(
        _text(words, int(row["name"])),
        Kind(kind) if kind in _KINDS else Kind.OTHER,
        int(row["info"]) >> 4,
        int(row["other"]) & 3,
        section,
        section_names[section],
        int(row["value"]),
        int(row["size"]),
    )


def _bytes_of(data: bytes, section: np.void) -> bytes:
    return data[int(section["offset"]) : int(section["offset"]) + int(section["size"])]


def _text(words: bytes, start: int) -> str:
    return words[start : words.index(b"\0", start)].decode(errors="replace")
