"""What a process says of the access that ends it: a kernel that leaves its arrays raises SIGSEGV, once."""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Callable
from typing import Any

from weft.child import FORK

_MOST_CHARACTERS = 300
_SA_SIGINFO, _SA_RESETHAND = 4, 0x80000000
_ADDRESS, _ERROR_CODE = 16, 192
"""Bytes before si_addr in siginfo_t, and before REG_ERR in ucontext_t, on Linux on x86-64."""
_WRITE = 2
"""A bit of the processor's error code."""

_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Action(ctypes.Structure):
    _fields_ = (
        ("handler", _Handler),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class FaultNote:
    """A line in memory that a child shares with its parent."""

    def __init__(self) -> None:
        self._text: Any = FORK.RawArray("c", _MOST_CHARACTERS)
        self._kept: object = None

    @property
    def text(self) -> str:
        """What the child has said; empty if it has not."""
        return bytes(self._text.value).decode(errors="replace")

    def write_at_fault(self, describe: Callable[[int, bool], str]) -> None:
        """If compiled code faults (never Python's own), write what `describe` says of the address and of
        whether it was being written, and then end as the process would have.
        """

        def note(_: int, info: int, context: int) -> None:
            address = ctypes.c_uint64.from_address(info + _ADDRESS).value
            code = ctypes.c_uint64.from_address(context + _ERROR_CODE).value
            self._text.value = describe(address, bool(code & _WRITE)).encode()[: _MOST_CHARACTERS - 1]

        action = _Action(_Handler(note), flags=ctypes.c_int(_SA_SIGINFO | _SA_RESETHAND).value)
        self._kept = action
        ctypes.CDLL(None).sigaction(signal.SIGSEGV, ctypes.byref(action), None)
