"""Plant small mistakes in the translated programs of a shard, and count those that the judge finds."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import read_json, write_json
from weft.mutation.mutants import MUTANTS
from weft.mutation.stage import Tools, mutate_shard
from weft.options import COUNT, SECONDS, SHARE
from weft.ptx.nvcc import find_toolkit
from weft.reference import store
from weft.reference.other_cases import OtherCases

EPILOG = """\
example:
  python -P scripts/mutation.py results/ir/vector/0.json results/reference/vector/0.npz --share 1 \\
      --kernels results/kernels/vector/0.py --compiler g++ --nvcc pinned --arch sm_75 \\
      --output mutation.json

exit status: 0, whatever the scores are, or 2 for wrong files or options
"""


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ir", type=Path, help="the shard's IR (.json)")
    parser.add_argument("reference", type=Path, help="the shard's expected outputs (.npz)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file for the scores (.json)")
    parser.add_argument("--share", type=SHARE, default=1.0, help="share of the samples, 0 to 1 (default 1)")
    parser.add_argument("--mutants", type=COUNT, default=MUTANTS, help=f"for each sample (default {MUTANTS})")
    parser.add_argument("--compiler", required=True, help="g++, for the CPU device and for nvcc")
    parser.add_argument("--nvcc", help="pinned, a name or a path; without it no mutant counts as equivalent")
    parser.add_argument("--arch", default="sm_75", help="architecture for nvcc (default sm_75)")
    parser.add_argument(
        "--kernels", help="the shard's kernels file: kernels whose mistakes survive get more cases from it"
    )
    parser.add_argument("--timeout", type=SECONDS, default=20.0, help="seconds for all cases of one mutant")
    parser.add_argument(
        "--cpu-device", type=Path, metavar="FOLDER",
        help="output of scripts/cpu_device.py with the same compiler (default: compile it)",
    )  # fmt: skip
    options = parser.parse_args()
    script = Path(__file__).with_name("reference.py")
    more = OtherCases(script, options.kernels, options.ir, options.timeout) if options.kernels else None
    toolkit = find_toolkit(options.nvcc, options.compiler, options.arch) if options.nvcc else None
    result = mutate_shard(
        read_json(options.ir),
        store.read(options.reference),
        share=options.share,
        tools=Tools(options.compiler, toolkit, options.timeout, options.cpu_device, more),
        count=options.mutants,
    )
    write_json(options.output, result)
    for one in result["samples"]:
        score = f"{one['score']:.0%}" if one["score"] is not None else one["reason"] or "no mutants"
        print(f"{one['sample_id']} {one['kernel_name']}: {score}")
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
