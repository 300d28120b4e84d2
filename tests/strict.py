"""Compilers to which a warning is an error: what the translator writes has none."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from weft.runs.build import WATCH_FLAGS, CpuToolchain

WARNINGS = ("-Wall", "-Wextra", "-Werror")
NVCC_WARNINGS = ("-Werror=all-warnings", f"-Xcompiler={','.join(WARNINGS)}")


def strict_toolchain(folder: Path, *flags: str) -> CpuToolchain:
    """g++ and the CPU device."""
    return CpuToolchain("g++", folder, more=(*WATCH_FLAGS, *WARNINGS, *flags))


def strict_gxx(text: str, folder: Path, *flags: str) -> str | None:
    """What g++ has against a program, for the CPU device, if anything; `#pragma unroll` is for nvcc alone."""
    toolchain = CpuToolchain("g++", folder, more=(*WARNINGS, "-Wno-unknown-pragmas", *flags))
    return toolchain.compile_object(text, folder / "strict.o")


def strict_nvcc(nvcc: str, sources: Sequence[Path], folder: Path) -> str:
    """What nvcc says of programs, both halves: nothing, if all is well. Nothing is optimised, for speed."""
    command = [nvcc, "-std=c++17", "-gencode=arch=compute_75,code=compute_75", "-Xcicc=-O0", *NVCC_WARNINGS]
    done = subprocess.run(
        [*command, "-c", *map(str, sources)], cwd=folder, capture_output=True, text=True, check=False
    )
    said = (done.stdout + done.stderr).strip()
    return said or ("" if done.returncode == 0 else f"exit status {done.returncode}")
