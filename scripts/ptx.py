"""Compile a shard's program to PTX with nvcc, and report ptxas's figures for each sample."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import described, exit_status
from weft.files import read_shard, write_json, write_shard
from weft.ptx.build import build_ptx
from weft.ptx.nvcc import find_toolkit

EPILOG = """\
example:
  python -P scripts/ptx.py results/cuda/vector/0.cu -o vector.ptx --report vector.json --arch sm_75

exit status: 0, or 2 for wrong files or options; samples that do not compile are listed in the report
"""


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cuda", type=Path, help="the .cu file of a shard")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the .ptx file to write")
    parser.add_argument("--report", type=Path, required=True, help="the JSON file with figures and rejects")
    parser.add_argument("--arch", default="sm_75", help="architecture, or 'native' (default: sm_75)")
    parser.add_argument(
        "--nvcc", default="pinned", help="nvcc by name or path, or 'pinned' for the package's (default)"
    )
    parser.add_argument(
        "--host-compiler", default="g++", help="the C++ compiler that nvcc uses (default: g++)"
    )
    arguments = parser.parse_args()
    text = read_shard(arguments.cuda)
    toolkit = find_toolkit(arguments.nvcc, arguments.host_compiler, arguments.arch)
    shard = build_ptx(text, toolkit)
    write_shard(arguments.output, shard.ptx)
    write_json(arguments.report, shard.report)
    for rejected in shard.report["rejects"]:
        print(described(rejected), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
