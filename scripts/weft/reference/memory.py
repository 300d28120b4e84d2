"""Guarded memory: an access beyond an array's end kills the process instead of reading a neighbour.

Each buffer lies between two inaccessible stretches of address space and ends exactly where the second one
begins. Before its first byte are guard bytes, which show a write to a negative offset.
"""

from __future__ import annotations

import ctypes
import mmap

import numpy as np
import numpy.typing as npt

_INACCESSIBLE = 1 << 30
"""Only addresses are taken, no memory: a wrong index ends in them, not in what lies behind by chance."""
GUARD = 4096
"""Bytes before the content of each buffer that nobody should write to."""
_PROT_NONE = 0
_MAP_NORESERVE = 0x4000

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


class GuardedBuffer:
    """`content` (uint8) of up to `capacity` bytes, right before inaccessible memory."""

    def __init__(self, capacity: int) -> None:
        page = mmap.PAGESIZE
        usable = -(-(capacity + GUARD) // page) * page
        self._total = usable + 2 * _INACCESSIBLE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
        start = _libc.mmap(None, self._total, _PROT_NONE, flags, -1, 0)
        if start in (None, ctypes.c_void_p(-1).value):
            raise MemoryError(f"cannot map {self._total} bytes: errno {ctypes.get_errno()}")
        self._start: int = start
        begin = start + _INACCESSIBLE
        if _libc.mprotect(begin, usable, mmap.PROT_READ | mmap.PROT_WRITE) != 0:
            raise MemoryError(f"cannot use {usable} bytes: errno {ctypes.get_errno()}")
        self._end: int = begin + usable
        self._usable: npt.NDArray[np.uint8] = np.ctypeslib.as_array(
            (ctypes.c_uint8 * usable).from_address(begin)
        )
        self.capacity = usable - GUARD
        self.content = self._usable[:0]

    @property
    def address(self) -> int:
        """Where `content` begins."""
        return self._end - self.content.nbytes

    def resize(self, size: int) -> None:
        """Let `content` be the last `size` bytes."""
        self.content = self._usable[len(self._usable) - size :]

    @property
    def guard(self) -> npt.NDArray[np.uint8]:
        """The GUARD bytes before `content`."""
        begin = len(self._usable) - len(self.content)
        return self._usable[begin - GUARD : begin]

    def distance(self, address: int) -> int | None:
        """How many bytes behind the start of `content` an address is, if it is in or around this buffer."""
        return address - self.address if self._start <= address < self._start + self._total else None

    def close(self) -> None:
        """Give the memory back; `content` must not be used any more."""
        _libc.munmap(self._start, self._total)


class GuardedMemory:
    """Buffers by number, made when first needed and used again: mapping costs more than most launches."""

    def __init__(self) -> None:
        self._buffers: dict[int, GuardedBuffer] = {}

    def find(self, address: int) -> tuple[int, int] | None:
        """The number of the buffer that an address is in or around, and its distance from the start."""
        for number, buffer in self._buffers.items():
            if (distance := buffer.distance(address)) is not None:
                return number, distance
        return None

    def buffer(self, number: int, size: int) -> GuardedBuffer:
        """Buffer `number` with a content of `size` bytes of any value."""
        buffer = self._buffers.get(number)
        if buffer is None or buffer.capacity < size:
            if buffer is not None:
                buffer.close()
            buffer = self._buffers[number] = GuardedBuffer(size)
        buffer.resize(size)
        return buffer
