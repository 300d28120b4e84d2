"""Compiling Warp's CUDA text with the NVRTC that Warp carries. Needs no GPU and no CUDA toolkit."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import warp
from warp._src import build


class CompileError(Exception):
    """NVRTC refused the text; the message is its first error."""


def compile_ptx(text: str, arch: int, folder: Path) -> str:
    """The PTX of a text that includes Warp's headers, for compute capability `arch` (75 for 7.5).

    `folder` is for scratch files, and for precompiled headers that later calls use again.
    Raises CompileError.
    """
    source, output = folder / "kernel.cu", folder / "kernel.ptx"
    source.write_text(text, encoding="utf-8")
    output.unlink(missing_ok=True)
    failure: Exception | None = None
    initialise()
    with captured() as log:
        try:
            build.build_cuda(str(source), arch, str(output), pch_dir=str(folder / "headers"))
        except Exception as error:
            failure = error
        # A C library's buffered output reaches the log only when flushed.
        sys.stderr.flush()
    if failure is not None or not output.exists():
        raise CompileError(_first_error("".join(log)) or str(failure))
    return output.read_text(encoding="utf-8")


def initialise() -> None:
    """Load Warp's native library, without its remarks on the missing GPU."""
    with captured():
        warp.init()


def _first_error(log: str) -> str:
    return next((line.strip() for line in log.splitlines() if ": error" in line), "")


@contextmanager
def captured() -> Iterator[list[str]]:
    """What native code prints to standard output and error in the context; filled in when it ends."""
    printed: list[str] = []
    sys.stdout.flush()
    sys.stderr.flush()
    saved = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            yield printed
        finally:
            for target, copy in enumerate(saved, start=1):
                os.dup2(copy, target)
                os.close(copy)
            log.seek(0)
            printed.append(log.read())
