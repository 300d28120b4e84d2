"""Translate an IR file into CUDA: one program for the shard, a namespace for each sample."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from weft.cuda.index import translate_ir
from weft.cuda.program import translate
from weft.errors import KernelError, UserError
from weft.files import read_json, write_atomically, write_json


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


def write_shard(ir: dict[str, Any], output: Path, index: Path | None) -> None:
    """Write the program of a whole shard, and its index where one is asked for."""
    shard = translate_ir(ir)
    write_atomically(output, shard.text)
    if index is not None:
        write_json(index, shard.index)
    for rejected in shard.index["rejects"]:
        place = f"{rejected['file']}:{rejected['line']}:{rejected['column']}: " if rejected["file"] else ""
        print(f"{rejected['sample_id']} is rejected: {place}{rejected['message']}", file=sys.stderr)
        if rejected["source_line"] is not None:
            print(f"    {rejected['source_line']}\n    {' ' * (rejected['column'] - 1)}^", file=sys.stderr)


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="example: python scripts/cuda.py results/ir/vector/0.json -o vector.cu --index vector.json; "
        "python scripts/cuda.py results/ir/vector/0.json --sample vector-0000-0003",
    )
    parser.add_argument("ir", type=Path, help="the IR file of a shard")
    parser.add_argument("-o", "--output", type=Path, help="the .cu file to write")
    parser.add_argument("--index", type=Path, help="the JSON file that lists the shard's samples and rejects")
    parser.add_argument(
        "--sample", metavar="ID", help="translate this sample alone, to standard output or to --output"
    )
    arguments = parser.parse_args()
    if arguments.sample is None and arguments.output is None:
        parser.error("a shard needs --output")
    if arguments.sample is not None and arguments.index is not None:
        parser.error("--index is for a whole shard, not for --sample")
    try:
        ir = read_json(arguments.ir)
        if arguments.sample is not None:
            write_sample(ir, arguments.sample, arguments.ir, arguments.output)
        else:
            write_shard(ir, arguments.output, arguments.index)
    except FileNotFoundError as error:
        print(f"cuda: {error.filename}: no such file", file=sys.stderr)
        return 2
    except UserError as error:
        print(f"cuda: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
