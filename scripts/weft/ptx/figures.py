"""What `ptxas -v` says of each kernel: registers, spills, shared memory, stack."""

from __future__ import annotations

import dataclasses
import re

_ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)'")
_PROPERTIES = re.compile(r"Function properties for (?P<name>\S+)")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")
_CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")


@dataclasses.dataclass(frozen=True)
class Figures:
    """ptxas's figures of a kernel, all but the registers in bytes. The stack includes that of called
    functions.
    """

    registers: int
    spill_stores: int
    spill_loads: int
    shared_bytes: int
    stack_bytes: int


def parse_figures(report: str) -> dict[str, Figures]:
    """Figures of each entry by its name. Raises ValueError for an entry without a register count."""
    starts = list(_ENTRY.finditer(report))
    ends = [match.start() for match in starts[1:]] + [len(report)]
    return {
        start["name"]: _figures(start["name"], report[start.end() : end])
        # A shard whose samples were all rejected has no entry: the last end then has no start.
        for start, end in zip(starts, ends, strict=False)
    }


def _figures(name: str, text: str) -> Figures:
    registers = _REGISTERS.search(text)
    if registers is None:
        raise ValueError(f"ptxas does not say how many registers {name} uses")
    frame = spill_stores = spill_loads = 0
    properties = next((match for match in _PROPERTIES.finditer(text) if match["name"] == name), None)
    if properties and (stack := _STACK.search(text, properties.end())):
        frame, spill_stores, spill_loads = (int(number) for number in stack.groups())
    return Figures(
        registers=int(registers[1]),
        spill_stores=spill_stores,
        spill_loads=spill_loads,
        shared_bytes=_first(_SHARED, text),
        stack_bytes=max(frame, _first(_CUMULATIVE, text)),
    )


def _first(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else 0
