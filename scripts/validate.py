"""Check a finished results tree: files are complete and consistent, hashes match, and programs compile."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.stats.tree import read_plan, read_shards
from weft.validate.run import validate

EPILOG = """\
examples:
  python -P scripts/validate.py results
  python -P scripts/validate.py results --no-compile

exit status: 0 if all is well, 1 if not (each line names the file, the sample, and what is
wrong), 2 for a folder without a build
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="the folder of a build")
    parser.add_argument(
        "--compiler", default="g++", help="g++ compiles for the CPU, nvcc for a GPU (default: g++)"
    )
    parser.add_argument("--no-compile", action="store_true", help="check files only")
    arguments = parser.parse_args()
    failed = 0
    for problem in validate(arguments.results, None if arguments.no_compile else arguments.compiler):
        print(problem, flush=True)
        failed += 1
    if not failed:
        shards = list(read_shards(arguments.results, read_plan(arguments.results)))
        print(f"{sum(len(shard.made) for shard in shards)} kernels in {len(shards)} shards: all checks hold")
    if failed:
        print(f"{failed} problems", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
