"""Compile Warp's text, sample after sample, in a child process."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from weft.child import WALL_CLOCK_FACTOR, Death, Send, each_in_order
from weft.errors import KernelError
from weft.ir.warp_inside import CompileError, begin, compile_ptx
from weft.scratch import scratch

_ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(", re.MULTILINE)

Record = dict[str, Any]


def compiled(
    records: Sequence[Record], arch: int, seconds: float
) -> Iterator[tuple[Record, dict[str, Any] | KernelError]]:
    """Each record with its sample, or why its text does not compile in so many `seconds` of CPU time."""
    with scratch("ir-check") as folder:
        begin(folder)
        patience = seconds * WALL_CLOCK_FACTOR
        for record, outcome in each_in_order(_check_all, records, arch, folder, seconds, patience=patience):
            died = isinstance(outcome, Death)
            yield record, KernelError(*outcome.of_compiling(seconds)) if died else outcome


def _check_all(send: Send, records: Sequence[Record], arch: int, folder: Path, seconds: float) -> None:
    """The child: sends a sample, or the KernelError, for each record."""
    # NVRTC removes its precompiled headers, some 200 MB, at the exit of a process; a child has none.
    os.environ["TMPDIR"] = str(folder)
    for record in records:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            send(_check(record, arch, folder))
        except KernelError as error:
            send(error)


def _check(record: Record, arch: int, folder: Path) -> dict[str, Any]:
    """Compile one record, or each kernel of a program of several launches.

    Raises KernelError with the compiler's first error.
    """
    size, entries = 0, []
    for kernel in record.get("kernels", [record]):
        ptx = _ptx(kernel, arch, folder)
        size += len(ptx.encode())
        entries += _entries(ptx, 2 if kernel["cuda_backward"] else 1)
    return {
        "sample_id": record["sample_id"],
        "kernel_name": record["kernel_name"],
        "compiled": True,
        "ptx_bytes": size,
        "entries": entries,
    }


def _ptx(kernel: Record, arch: int, folder: Path) -> str:
    try:
        ptx: str = compile_ptx(kernel["cuda_forward"] + kernel["cuda_backward"], arch, folder)
    except CompileError as error:
        raise KernelError("compile_error", str(error)) from error
    return ptx


def _entries(ptx: str, wanted: int) -> list[str]:
    """The forward entry, then the backward one."""
    entries = sorted(_ENTRY.findall(ptx), key=lambda name: name.endswith("backward"))
    if len(entries) != wanted:
        raise KernelError("missing_entry", f"expected {wanted} entry points, got {entries}")
    return entries
