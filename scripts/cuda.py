"""Translate an IR file into CUDA: a program for the shard, or a library for each kernel."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.cuda.dump import dump
from weft.cuda.index import translate_ir
from weft.cuda.library import Library, LibraryOptions, write_library
from weft.cuda.program import device_code, translate
from weft.cuda.tree import Function
from weft.errors import KernelError, UserError, exit_status, reject
from weft.files import read_json, write_atomically, write_json, write_shard


def find_record(ir: dict[str, Any], sample_id: str, file: Path) -> dict[str, Any]:
    """The record of a sample. Raises UserError if the file has none."""
    for record in ir["records"]:
        if record["sample_id"] == sample_id:
            found: dict[str, Any] = record
            return found
    known = ", ".join(record["sample_id"] for record in ir["records"]) or "none"
    raise UserError(f"{file}: no sample {sample_id!r} (it has: {known})")


def write_sample(ir: dict[str, Any], sample_id: str, file: Path, output: Path | None) -> None:
    """Write the program of one sample alone, to standard output if `output` is None."""
    try:
        program = translate(find_record(ir, sample_id, file))
    except KernelError as error:
        raise UserError(f"{sample_id} cannot be translated ({error.reason}):\n{error}") from error
    if output is None:
        sys.stdout.write(program.alone)
    else:
        write_atomically(output, program.alone)


def write_program(ir: dict[str, Any], output: Path, index: Path | None) -> None:
    """Write the program of a whole shard, and its index where one is asked for."""
    shard = translate_ir(ir)
    write_shard(output, shard.text)
    if index is not None:
        write_json(index, shard.index)
    print_rejects(shard.index["rejects"])


def print_rejects(rejects: list[dict[str, Any]]) -> None:
    """Say on standard error what was rejected, with its line and a caret where there is one."""
    for rejected in rejects:
        place = f"{rejected['file']}:{rejected['line']}:{rejected['column']}: " if rejected["file"] else ""
        print(f"{rejected['sample_id']} is rejected: {place}{rejected['message']}", file=sys.stderr)
        if rejected["source_line"] is not None:
            print(f"    {rejected['source_line']}\n    {' ' * (rejected['column'] - 1)}^", file=sys.stderr)


def write_libraries(ir: dict[str, Any], folder: Path, options: LibraryOptions) -> bool:
    """Write the header and the source of each kernel; False, with messages, if one cannot be translated.

    Raises UserError before anything is written if two kernels have one name.
    """
    libraries: dict[str, Library] = {}
    rejects = []
    for record in ir["records"]:
        try:
            library = write_library(record, options)
        except KernelError as error:
            rejects.append(reject(record, "cuda", error))
            continue
        if library.name in libraries:
            raise UserError(f"two kernels are named {library.name!r}: choose one with --sample")
        libraries[library.name] = library
    folder.mkdir(parents=True, exist_ok=True)
    for library in libraries.values():
        write_atomically(folder / f"{library.name}.cuh", library.header)
        write_atomically(folder / f"{library.name}.cu", library.source)
    print_rejects(rejects)
    return not rejects


class PassKeeper:
    """Writes the tree of one kernel after each pass: `1-build.txt`, `2-….txt`, … in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.passes = 0

    def __call__(self, name: str, functions: Sequence[Function]) -> None:
        self.passes += 1
        write_atomically(self.folder / f"{self.passes}-{name}.txt", dump(functions))


def keep_passes(ir: dict[str, Any], folder: Path) -> None:
    """Write the tree of every kernel after each pass, up to the pass that refuses it."""
    for record in ir["records"]:
        with contextlib.suppress(KernelError):
            device_code(record, PassKeeper(folder / record["sample_id"]))


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="example: python scripts/cuda.py results/ir/vector/0.json -o vector.cu --index vector.json; "
        "python scripts/cuda.py results/ir/vector/0.json --sample vector-0000-0003; "
        "python scripts/cuda.py k.json --library -o include/kernels",
    )
    parser.add_argument("ir", type=Path, help="the IR file of a shard")
    parser.add_argument(
        "-o", "--output", type=Path, help="the .cu file to write; with --library the folder to write into"
    )
    parser.add_argument("--index", type=Path, help="the JSON file that lists the shard's samples and rejects")
    parser.add_argument(
        "--sample", metavar="ID", help="translate this sample alone, to standard output or to --output"
    )
    parser.add_argument(
        "--library",
        action="store_true",
        help="for each kernel write {kernel}.cuh and {kernel}.cu, kernel and launcher without main",
    )
    parser.add_argument("--namespace", help="the namespace of a library, instead of the kernel's name")
    parser.add_argument(
        "--extern-c", action="store_true", help='kernels of a library are extern "C", for the driver API'
    )
    parser.add_argument(
        "--keep-passes", type=Path, metavar="DIR", help="also write the tree after each pass into this folder"
    )
    arguments = parser.parse_args()
    if arguments.output is None and (arguments.sample is None or arguments.library):
        parser.error("a shard and a library need --output")
    if arguments.index is not None and (arguments.sample is not None or arguments.library):
        parser.error("--index is for the program of a whole shard")
    if not arguments.library and (arguments.namespace is not None or arguments.extern_c):
        parser.error("--namespace and --extern-c are for --library")
    try:
        ir = read_json(arguments.ir)
        if arguments.keep_passes is not None:
            keep_passes(ir, arguments.keep_passes)
        if arguments.library:
            if arguments.sample is not None:
                ir = ir | {"records": [find_record(ir, arguments.sample, arguments.ir)]}
            options = LibraryOptions(arguments.namespace, arguments.extern_c)
            return 0 if write_libraries(ir, arguments.output, options) else 1
        if arguments.sample is not None:
            write_sample(ir, arguments.sample, arguments.ir, arguments.output)
        else:
            write_program(ir, arguments.output, arguments.index)
    except UserError as error:
        print(f"cuda: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
