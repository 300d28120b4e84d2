"""Array files: how the driver takes inputs, and hands back what the device holds.

docs/formats.md, section "Array file", defines the layout.
"""

from __future__ import annotations

import dataclasses
import math
import stat
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from weft.errors import UserError
from weft.files import write_atomically
from weft.types import Structs, Type, packed_bytes, parse_type

MAGIC = b"WEFTARR1"
MAX_NAME_BYTES = 4096
MAX_DIMENSIONS = 4


class TruncatedError(UserError):
    """An array file that ends too early, as after a full disk or a killed writer."""


@dataclasses.dataclass(frozen=True)
class PackedArray:
    """One array: element type, shape (empty for a scalar) and uint8 [elements, packed bytes per element]."""

    name: str
    type: Type
    shape: tuple[int, ...]
    elements: npt.NDArray[np.uint8]


def write_arrays(path: Path, arrays: Sequence[PackedArray]) -> None:
    """Write an array file, in the order given."""
    write_atomically(path, array_file(arrays))


def array_file(arrays: Sequence[PackedArray]) -> bytes:
    """The content of an array file."""
    parts = [MAGIC, struct.pack("<I", len(arrays))]
    for array in arrays:
        for text in (array.name.encode(), str(array.type).encode()):
            parts += [struct.pack("<I", len(text)), text]
        parts.append(struct.pack(f"<I{len(array.shape)}Q", len(array.shape), *array.shape))
        data = np.ascontiguousarray(array.elements).tobytes()
        parts += [struct.pack("<Q", len(data)), data]
    return b"".join(parts)


def read_arrays(path: Path, structs: Structs, max_bytes: int = 2**32) -> dict[str, PackedArray]:
    """The arrays of a file by name, in the file's order. `structs` has the fields of struct element types.

    Raises UserError, saying which array and what is wrong with it, for anything that is not a whole, regular
    array file of at most `max_bytes`, since the file may come from a program that was never checked:
    TruncatedError where it ends too early.
    """
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise UserError(f"{path.name}: not a regular file")
        if status.st_size > max_bytes:
            raise UserError(f"{path.name}: {status.st_size} bytes, more than the {max_bytes} expected")
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path.name}: {error.strerror}") from error
    return parse_arrays(content, path.name, structs)


def parse_arrays(content: bytes, name: str, structs: Structs) -> dict[str, PackedArray]:
    """The arrays in the bytes of an array file; `name` begins every error. Raises as `read_arrays`."""
    cursor = _Cursor(content, name)
    if cursor.take(len(MAGIC), "its first eight bytes") != MAGIC:
        raise UserError(f"{name}: does not begin with {MAGIC.decode()}")
    arrays: dict[str, PackedArray] = {}
    for number in range(cursor.number("I", "the number of arrays")):
        array = _parse_array(cursor, f"array {number}", structs)
        if array.name in arrays:
            raise UserError(f"{name}: array {array.name!r} stands there twice")
        arrays[array.name] = array
    if cursor.left:
        raise UserError(f"{name}: {cursor.left} bytes follow the last array")
    return arrays


def _parse_array(cursor: _Cursor, where: str, structs: Structs) -> PackedArray:
    name = cursor.text(f"the name of {where}")
    where = f"{where} ({name!r})"
    written = cursor.text(f"the type of {where}")
    try:
        element = parse_type(written)
        element_bytes = packed_bytes(element, structs)
    except (ValueError, KeyError) as error:
        raise UserError(f"{cursor.name}: {where} has the unknown element type {written!r}") from error
    rank = cursor.number("I", f"the number of dimensions of {where}")
    if rank > MAX_DIMENSIONS:
        raise UserError(f"{cursor.name}: {where} has {rank} dimensions, allowed are {MAX_DIMENSIONS}")
    shape = tuple(cursor.number("Q", f"the shape of {where}") for _ in range(rank))
    count = math.prod(shape)
    size = cursor.number("Q", f"the size of {where}")
    if size != count * element_bytes:
        wanted = count * element_bytes
        raise UserError(f"{cursor.name}: {where} has {size} bytes; {shape} of {written} takes {wanted}")
    data = np.frombuffer(cursor.take(size, f"the elements of {where}"), dtype=np.uint8)
    return PackedArray(name, element, shape, data.reshape(count, element_bytes))


class _Cursor:
    """Reads through bytes and says what was cut off where they end too early."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        self._content = memoryview(content)
        self._position = 0

    @property
    def left(self) -> int:
        return len(self._content) - self._position

    def take(self, count: int, what: str) -> memoryview:
        if count > self.left:
            raise TruncatedError(f"{self.name}: ends within {what}")
        self._position += count
        return self._content[self._position - count : self._position]

    def number(self, format: str, what: str) -> int:
        (value,) = struct.unpack(f"<{format}", self.take(struct.calcsize(f"<{format}"), what))
        return int(value)

    def text(self, what: str) -> str:
        length = self.number("I", what)
        if length > MAX_NAME_BYTES:
            raise UserError(f"{self.name}: {what} is {length} bytes long, allowed are {MAX_NAME_BYTES}")
        try:
            return str(self.take(length, what), "utf-8")
        except UnicodeDecodeError as error:
            raise UserError(f"{self.name}: {what} is not UTF-8") from error
