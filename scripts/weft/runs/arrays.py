"""Array files: how the driver takes inputs, and hands back what the device holds.

docs/formats/runs.md, section "Array file", defines the layout.
"""

from __future__ import annotations

import dataclasses
import math
import stat
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from weft.errors import UserError
from weft.files import write_atomically
from weft.types import Structs, Type, packed_bytes, parse_type

MAGIC = b"WEFTARR1"
MAX_NAME_BYTES = 4096
MAX_DIMENSIONS = 4

Elements = npt.NDArray[np.uint8]
"""Packed elements: [elements, bytes of each]."""
NOTHING: Mapping[str, Elements] = {}


class TruncatedError(UserError):
    """An array file that ends too early, as after a full disk or a killed writer."""


@dataclasses.dataclass(frozen=True)
class PackedArray:
    """One array: element type, shape (empty for a scalar) and uint8 [elements, packed bytes per element]."""

    name: str
    type: Type
    shape: tuple[int, ...]
    elements: Elements


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


def read_arrays(
    path: Path, structs: Structs, max_bytes: int = 2**32, before: Mapping[str, Elements] = NOTHING
) -> dict[str, PackedArray]:
    """The arrays of a file by name, in the file's order. `structs` has the fields of struct element types. An
    array of which the file has only the shape holds what is in `before`.

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
    return parse_arrays(content, path.name, structs, before)


def parse_arrays(
    content: bytes, name: str, structs: Structs, before: Mapping[str, Elements] = NOTHING
) -> dict[str, PackedArray]:
    """The arrays in the bytes of an array file; `name` begins every error. Otherwise as `read_arrays`."""
    cursor = _Cursor(content, name)
    if cursor.bytes(len(MAGIC), "its first eight bytes") != MAGIC:
        raise UserError(f"{name}: does not begin with {MAGIC.decode()}")
    arrays: dict[str, PackedArray] = {}
    for number in range(cursor.u32("the number of arrays")):
        array = _parse_array(cursor, f"array {number}", structs, before)
        if array.name in arrays:
            raise UserError(f"{name}: array {array.name!r} occurs twice")
        arrays[array.name] = array
    if cursor.left:
        raise UserError(f"{name}: {cursor.left} bytes follow the last array")
    return arrays


def split_files(content: bytes, name: str) -> Iterator[bytes]:
    """The array files that stand one after the other in some bytes, each when it is asked for.

    Raises TruncatedError where the last one ends too early. All else is left to `parse_arrays`.
    """
    start, end = 0, len(content)
    try:
        while start < end:
            at = start + len(MAGIC) + 4
            for _ in range(_U32.unpack_from(content, at - 4)[0]):
                at += 4 + _U32.unpack_from(content, at)[0]  # name
                at += 4 + _U32.unpack_from(content, at)[0]  # type
                at += 4 + 8 * _U32.unpack_from(content, at)[0]  # shape
                at += 8 + _U64.unpack_from(content, at)[0]  # elements
            yield content[start:at]
            start = at
    except struct.error as error:
        raise TruncatedError(f"{name}: ends within an array file") from error
    if start > end:
        raise TruncatedError(f"{name}: ends within the elements of an array")


def _parse_array(
    cursor: _Cursor, where: str, structs: Structs, before: Mapping[str, Elements]
) -> PackedArray:
    name = cursor.text(f"the name of {where}")
    where = f"{where} ({name!r})"
    written = cursor.text(f"the type of {where}")
    try:
        element = parse_type(written)
        element_bytes = packed_bytes(element, structs)
    except (ValueError, KeyError) as error:
        raise UserError(f"{cursor.name}: {where} has the unknown element type {written!r}") from error
    rank = cursor.u32(f"the number of dimensions of {where}")
    if rank > MAX_DIMENSIONS:
        raise UserError(f"{cursor.name}: {where} has {rank} dimensions; at most {MAX_DIMENSIONS} are allowed")
    shape = tuple(cursor.u64(f"the shape of {where}") for _ in range(rank))
    count = math.prod(shape)
    size = cursor.u64(f"the size of {where}")
    if size == 0 and name in before and before[name].shape == (count, element_bytes):
        return PackedArray(name, element, shape, before[name])
    if size != count * element_bytes:
        wanted = count * element_bytes
        raise UserError(f"{cursor.name}: {where} has {size} bytes; {shape} of {written} takes {wanted}")
    data = cursor.elements(size, f"the elements of {where}")
    return PackedArray(name, element, shape, data.reshape(count, element_bytes))


class _Cursor:
    """Reads through bytes and says what was cut off where they end too early."""

    def __init__(self, content: bytes, name: str) -> None:
        self.name = name
        self._content = content
        self._position = 0

    @property
    def left(self) -> int:
        return len(self._content) - self._position

    def elements(self, count: int, what: str) -> Elements:
        return np.frombuffer(self._content, np.uint8, count, self._take(count, what))

    def bytes(self, count: int, what: str) -> bytes:
        start = self._take(count, what)
        return self._content[start : start + count]

    def u32(self, what: str) -> int:
        (value,) = _U32.unpack_from(self._content, self._take(4, what))
        return int(value)

    def u64(self, what: str) -> int:
        (value,) = _U64.unpack_from(self._content, self._take(8, what))
        return int(value)

    def text(self, what: str) -> str:
        length = self.u32(what)
        if length > MAX_NAME_BYTES:
            raise UserError(
                f"{self.name}: {what} is {length} bytes long; at most {MAX_NAME_BYTES} are allowed"
            )
        try:
            return self.bytes(length, what).decode()
        except UnicodeDecodeError as error:
            raise UserError(f"{self.name}: {what} is not UTF-8") from error

    def _take(self, count: int, what: str) -> int:
        """Where the next `count` bytes begin."""
        start = self._position
        if count > len(self._content) - start:
            raise TruncatedError(f"{self.name}: ends within {what}")
        self._position = start + count
        return start


_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
