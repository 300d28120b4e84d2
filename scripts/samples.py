"""Write one folder per sample of a shard, for people: Python, CUDA, PTX, Makefile and verdict."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import read_json, read_shard
from weft.samples.export import Shard, export_shard

EPILOG = """\
example:
  python -P scripts/samples.py --ir results/ir/vector/0.json --cuda results/cuda/vector/0.cu \\
      --index results/cuda/vector/0.json --runs results/runs/cpu/vector/0.json \\
      --ptx results/ptx/sm_75/vector/0.ptx --ptx-report results/ptx/sm_75/vector/0.json \\
      --output samples/vector-0.json

exit status: 0, or 2 for files that do not belong together
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ir", type=Path, required=True, help="the shard's IR")
    parser.add_argument("--cuda", type=Path, required=True, help="the shard's program")
    parser.add_argument("--index", type=Path, required=True, help="the samples in that program")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="verdicts, a file per device")
    parser.add_argument("--ptx", type=Path, nargs="?", help="the shard's PTX, if there is any")
    parser.add_argument("--ptx-report", type=Path, nargs="?", help="report for that PTX")
    parser.add_argument("--mutation", type=Path, nargs="?", help="mutation scores, if there are any")
    parser.add_argument("--gradients", type=Path, nargs="?", help="gradient verdicts, if there are any")
    parser.add_argument(
        "--duplicates",
        type=Path,
        help="list of samples that equal an earlier one except for names; they get no folder",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="list of the samples; their folders are beside it"
    )
    arguments = parser.parse_args()
    shard = Shard(
        ir=read_json(arguments.ir),
        cuda=read_shard(arguments.cuda),
        index=read_json(arguments.index),
        runs=[read_json(path) for path in arguments.runs],
        ptx=read_shard(arguments.ptx) if arguments.ptx else None,
        ptx_report=read_json(arguments.ptx_report) if arguments.ptx_report else None,
        mutation=read_json(arguments.mutation) if arguments.mutation else None,
        gradients=read_json(arguments.gradients) if arguments.gradients else None,
        duplicates=read_json(arguments.duplicates)["samples"] if arguments.duplicates else [],
    )
    export_shard(shard, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
