"""Translate a Warp kernel into a CUDA program, or into a library for your own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from weft.errors import KernelError, UserError, error_of
from weft.files import as_read, write_atomically
from weft.scratch import scratch
from weft.source_spec import default_category

EPILOG = """\
examples:
  weft translate examples/heat.py:diffuse -o k.cu
  weft translate warp.examples.core.example_wave:wave_solve -o k.cu --ptx --arch sm_90
  weft translate examples/heat.py --library -o kernels

Beside k.cu there is then k.json, by which `weft run` and weft.call() call the program.

exit status: 0, 1 if a kernel cannot be translated, 2 for wrong files or options
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument(
        "kernel",
        help="file.py:kernel or package.module:kernel; file.py or package.module alone if it has one kernel; "
        "a factory's call stands for its kernel, as in package.module:make(3)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        help="the .cu file to write (default: standard output); with --library the folder",
    )
    parser.add_argument(
        "--library",
        action="store_true",
        help="write {kernel}.cuh and {kernel}.cu, without main, for each kernel",
    )
    parser.add_argument("--ptx", action="store_true", help="also write the program's PTX, beside it")
    parser.add_argument("--arch", help="the architecture of the PTX, or native (default: sm_75)")
    parser.add_argument(
        "--nvcc", default="pinned", help="nvcc by name or path, or the package's (default: %(default)s)"
    )


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Write what is asked for; the exit status. Raises KernelError for a kernel that cannot be translated."""
    if options.output is None and (options.library or options.ptx):
        parser.error("--library and --ptx need --output")
    if options.library and options.ptx:
        parser.error("--ptx is for a program, not for --library")
    if options.arch is not None and not options.ptx:
        parser.error("--arch is for --ptx")
    from weft.cuda.library import LibraryOptions
    from weft.cuda.output import write_libraries, write_sample
    from weft.ir.build import build_ir

    category = default_category(options.kernel)
    ir = as_read(build_ir(options.kernel, category=category, seed=0, device="cuda"))
    if options.library:
        _require_all([*ir["rejects"], *write_libraries(ir, options.output, LibraryOptions())])
        return 0
    _require_one(ir, options.kernel)
    index = options.output.with_suffix(".json") if options.output else None
    _require_all([*ir["rejects"], *write_sample(ir, options.output, index)])
    if options.ptx:
        _write_ptx(options.output, options.arch or "sm_75", options.nvcc)
    return 0


def _require_one(ir: dict[str, Any], kernel: str) -> None:
    samples = sorted([*ir["records"], *ir["rejects"]], key=lambda one: int(one["index"]))
    names = [one["kernel_name"] for one in samples]
    if len(names) > 1:
        file = kernel.partition(":")[0]
        raise UserError(
            f"{kernel} has {len(names)} kernels, {', '.join(names)}: "
            f"name one, as in {file}:{names[0]}, or write all as --library"
        )


def _require_all(rejects: list[dict[str, Any]]) -> None:
    """Raises KernelError for the first reject."""
    for rejected in rejects:
        raise error_of(rejected)


def _write_ptx(program: Path, arch: str, nvcc: str) -> None:
    from weft.ptx.build import first_error
    from weft.ptx.nvcc import CompileError, find_toolkit

    toolkit = find_toolkit(nvcc, "g++", arch)
    try:
        with scratch("ptx") as folder:
            ptx = toolkit.ptx(program.read_text(encoding="utf-8"), folder)
    except CompileError as error:
        raise KernelError("compile_error", f"{program}: {first_error(error.messages)}") from error
    write_atomically(program.with_suffix(".ptx"), ptx)
