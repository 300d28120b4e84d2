"""The ir_check stage: Warp's own CUDA text, as the IR holds it, compiles to PTX."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Any

from weft.child import COMPILE_SECONDS, WALL_CLOCK_FACTOR, Death, Send, each_in_order
from weft.errors import KernelError, UserError, reject
from weft.ir.warp_inside import WARP_VERSION, CompileError, begin, compile_ptx
from weft.scratch import scratch

SCHEMA = 1

_ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(", re.MULTILINE)


def check_ir(ir: dict[str, Any], arch: str, seconds: float = COMPILE_SECONDS) -> dict[str, Any]:
    """The result of compiling every record of an IR file for `arch` (docs/formats.md, ir_check), each in so
    many `seconds` of CPU time.

    Raises UserError if `arch` is not a name such as sm_75.
    """
    found = re.fullmatch(r"sm_(\d+)", arch)
    if found is None:
        raise UserError(f"--arch: {arch!r} is no GPU architecture (expected a name such as sm_75)")
    samples: list[dict[str, Any]] = []
    rejects: list[dict[str, Any]] = []
    with scratch("ir-check") as folder:
        begin(folder)
        patience = seconds * WALL_CLOCK_FACTOR
        checked = each_in_order(_check_all, ir["records"], int(found[1]), folder, seconds, patience=patience)
        for record, outcome in checked:
            match outcome:
                case Death():
                    error = KernelError(*outcome.of_compiling(seconds))
                    rejects.append(reject(record, "ir_check", error))
                case KernelError():
                    rejects.append(reject(record, "ir_check", outcome))
                case _:
                    samples.append(outcome)
    return {
        "schema": SCHEMA,
        "category": ir["category"],
        "seed": ir["seed"],
        "arch": arch,
        "versions": {"warp": WARP_VERSION},
        "samples": samples,
        "rejects": rejects,
    }


def _check_all(send: Send, records: list[dict[str, Any]], arch: int, folder: Path, seconds: float) -> None:
    """The child: sends a sample, or the KernelError, for each record."""
    for record in records:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            send(_check(record, arch, folder))
        except KernelError as error:
            send(error)


def _check(record: dict[str, Any], arch: int, folder: Path) -> dict[str, Any]:
    """Compile one record, or each kernel of a program of several launches.

    Raises KernelError with the compiler's first error.
    """
    size, entries = 0, []
    for kernel in record.get("kernels", [record]):
        ptx = _compiled(kernel, arch, folder)
        size += len(ptx.encode())
        entries += _entries(ptx, 2 if kernel["cuda_backward"] else 1)
    return {
        "sample_id": record["sample_id"],
        "kernel_name": record["kernel_name"],
        "compiled": True,
        "ptx_bytes": size,
        "entries": entries,
    }


def _compiled(kernel: dict[str, Any], arch: int, folder: Path) -> str:
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
