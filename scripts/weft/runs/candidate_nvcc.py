"""What nvcc says of a candidate: whether it is CUDA at all, and how many registers its kernels take.

The CPU device runs what g++ compiles. Whether nvcc takes the same text is asked only if somebody names an
nvcc, since the answer depends on its version.
"""

from __future__ import annotations

import re
from pathlib import Path

from weft.compilers import first_error, without_warnings

ARCH = "sm_90"
"""The newest architecture whose functions the CPU device has."""
OPTIONS = (
    f"-arch={ARCH}",
    "-std=c++17",
    "-cubin",
    "--extended-lambda",
    "--expt-relaxed-constexpr",
    "-Xptxas",
    "-v",
)
REGISTERS = 65536
"""Of a block (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")."""
MOST_THREADS = 1024
_WARP = 32
_TOGETHER = 8
"""Registers of a thread come in so many."""

_KERNEL = re.compile(r"Compiling entry function '(\w+)'.*?Used (\d+) registers", re.DOTALL)


def most_threads(messages: str) -> dict[str, int]:
    """The largest block of each kernel (mangled) that cannot have all, from what `ptxas -v` says."""
    found = {name: _most_threads(int(registers)) for name, registers in _KERNEL.findall(messages)}
    return {name: most for name, most in found.items() if most < MOST_THREADS}


def _most_threads(registers: int) -> int:
    of_warp = _WARP * max(_TOGETHER, -(-registers // _TOGETHER) * _TOGETHER)
    return REGISTERS // of_warp * _WARP


def error_of(messages: str) -> str:
    """The line with nvcc's first error, in the form that g++ gives its own."""
    line = first_error(without_warnings(messages))
    return re.sub(r"^(\S+)\((\d+)\): (?:catastrophic )?error", r"\1:\2: error", line)


def toolkit_of(nvcc: Path) -> Path:
    """The folder of the toolkit that a compiler belongs to: it reads its headers and its parts there."""
    return nvcc.resolve().parents[1]
