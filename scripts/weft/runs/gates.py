"""The gates through which a stranger's host code calls the CPU device (device/gates.cpp)."""

from __future__ import annotations

import re

_OF_KERNELS = (
    r"barrier|exchange|sync_warp|fence|touch_atomically|touch_read_only|lane|active_lanes|fetch|check_guess"
    r"|check_launch_bounds|unset_byte|undefined_width|rounded\w*"
)
"""What kernels call, whose processes may write the device's variables. A gate that a fiber left for another's
would lead back to the wrong place.
"""
_GATED = re.compile(
    rf"_Z\d+cuda[A-Z]\w*|weft_candidate_\w+|_ZN8weft_cpu\d+(?!(?:{_OF_KERNELS}|keep_open)E)[a-z_]\w*"
)
"""All else that a program can call, but what the driver calls to begin and end a stranger's turn."""


def gated(listed: str) -> list[str]:
    """The functions that have a gate, from the symbols that `nm -P` lists of the device."""
    rows = (line.split() for line in listed.splitlines())
    return sorted(row[0] for row in rows if row[1] in "TW" and _GATED.fullmatch(row[0]))


def assembly(symbols: list[str]) -> str:
    """The gates, for the assembler."""
    one = ".globl __wrap_{0}\n__wrap_{0}:\n    leaq __real_{0}(%rip), %r11\n    jmp weft_gate\n"
    text = "".join(one.format(symbol) for symbol in symbols)
    return f'.text\n{text}.section .note.GNU-stack,"",@progbits\n'


def linker_words(symbols: list[str]) -> list[str]:
    """By these, programs call the gates."""
    return [f"-Wl,--wrap={symbol}" for symbol in symbols]
