"""Translate an IR file into CUDA: the program of one kernel, a file for a shard of several, or libraries."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.cuda.dump import dump
from weft.cuda.index import translate_ir
from weft.cuda.library import LibraryOptions
from weft.cuda.output import write_libraries, write_sample
from weft.cuda.program import device_code
from weft.cuda.tree import Function
from weft.errors import KernelError, UserError, described, exit_status
from weft.files import read_json, write_atomically, write_json, write_shard

EPILOG = """\
examples:
  python -P scripts/cuda.py results/ir/vector/0.json -o vector.cu
  python -P scripts/cuda.py results/ir/vector/0.json --sample vector-0000-0003 -o k.cu
  python -P scripts/cuda.py results/ir/vector/0.json --library -o kernels

This also writes k.json, which weft.runs.call needs to call the program. For an IR file with one kernel,
its program is written too, unless --index is given.

exit status: 0 if every kernel is translated (with --index also if not: it lists the rejects), 1 if one is
rejected (the others are written; nothing is if there are no others), 2 for wrong files or options
"""


def only(ir: dict[str, Any], sample: str, file: Path) -> dict[str, Any]:
    """The IR with nothing but one sample, by its id or its kernel. Raises UserError unless that is one."""

    def chosen(key: str) -> list[dict[str, Any]]:
        return [one for one in ir[key] if sample in (one["sample_id"], one["kernel_name"])]

    found = ir | {"records": chosen("records"), "rejects": chosen("rejects")}
    if len(found["records"]) + len(found["rejects"]) != 1:
        samples = [*ir["records"], *ir["rejects"]]
        known = ", ".join(f"{one['kernel_name']} ({one['sample_id']})" for one in samples) or "none"
        raise UserError(f"{file}: no sample {sample!r}, or several (it has: {known})")
    return found


def index_of(ir: Path, output: Path) -> Path:
    """The file beside a program that says how to call it. Raises UserError if that is the IR file."""
    index = output.with_suffix(".json")
    if index.resolve() == ir.resolve():
        raise UserError(
            f"{index}: would be overwritten by the index of {output}; choose another name for one of them"
        )
    return index


def write_program(ir: dict[str, Any], output: Path, index: Path, even_empty: bool) -> list[dict[str, Any]]:
    """Write the program of a whole shard, and its index; the rejects. A shard of which nothing is translated
    is written `even_empty`, or not at all.
    """
    shard = translate_ir(ir)
    rejects: list[dict[str, Any]] = shard.index["rejects"]
    if even_empty or shard.index["samples"]:
        write_json(index, shard.index)
        write_shard(output, shard.text)
    return rejects


class PassKeeper:
    """Writes the tree of one kernel after each pass: `01-build.txt`, `02-….txt`, … in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.passes = 0

    def __call__(self, name: str, functions: Sequence[Function]) -> None:
        self.passes += 1
        write_atomically(self.folder / f"{self.passes:02}-{name}.txt", dump(functions))


def keep_passes(ir: dict[str, Any], folder: Path) -> None:
    """Write the tree of every kernel after each pass, up to the pass that refuses it."""
    for record in ir["records"]:
        with contextlib.suppress(KernelError):
            device_code(record, PassKeeper(folder / record["sample_id"]))


def say(rejects: list[dict[str, Any]]) -> None:
    """Print rejects on standard error."""
    for rejected in rejects:
        print(described(rejected), file=sys.stderr)


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ir", type=Path, help="the IR file of a shard")
    parser.add_argument(
        "-o", "--output", type=Path, help="the .cu file to write; with --library the folder to write into"
    )
    parser.add_argument(
        "--index",
        type=Path,
        help="the JSON file that lists the shard's samples and rejects, and says how to call their launchers "
        "(default: beside --output)",
    )
    parser.add_argument(
        "--sample",
        metavar="ID",
        help="translate this sample (its id or its kernel) alone, to standard output or to --output",
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
    index = arguments.index
    if index is None and arguments.output is not None and not arguments.library:
        index = index_of(arguments.ir, arguments.output)
    ir = read_json(arguments.ir)
    if arguments.sample is not None:
        ir = only(ir, arguments.sample, arguments.ir)
    if arguments.keep_passes is not None:
        keep_passes(ir, arguments.keep_passes)
    if arguments.library:
        options = LibraryOptions(arguments.namespace, arguments.extern_c)
        rejects = write_libraries(ir, arguments.output, options)
    elif arguments.index is None and (arguments.sample is not None or len(ir["records"]) == 1):
        rejects = write_sample(ir, arguments.output, index)
    else:
        rejects = write_program(ir, arguments.output, index, arguments.index is not None)
    if arguments.index is not None:
        say(rejects)
        return 0
    say([*ir["rejects"], *rejects])
    if len(rejects) == len(ir["records"]):
        print(f"cuda: {arguments.ir}: nothing is translated, so nothing is written", file=sys.stderr)
        return 1
    return 1 if rejects or ir["rejects"] else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
