"""Compare Warp's gradients of a shard's kernels with central differences, on the CPU."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from weft.errors import exit_status
from weft.files import read_json, write_json
from weft.gradients.stage import check_gradients
from weft.options import INPUT_SEED, SECONDS, SHARE, SIZE
from weft.reference.cases import Case

EPILOG = """\
example:
  python -P scripts/gradients.py results/kernels/vector/0.py results/ir/vector/0.json \\
      -o gradients.json --share 1

exit status: 0 if every kernel has a verdict, whatever it is, or 2 for wrong files or options
"""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "kernels", metavar="KERNELS.py", help="the shard's kernels file, or the input of ir.py"
    )
    parser.add_argument("ir", type=Path, metavar="IR.json", help="the shard's ir file")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.json", help="file to write")
    parser.add_argument(
        "--share", type=SHARE, default=1.0, help="share of the kernels, from 0 to 1 (default: %(default)s)"
    )
    parser.add_argument(
        "--size", type=SIZE, default=33, metavar="N", help="base size of the case (default: %(default)s)"
    )
    parser.add_argument(
        "--seed",
        type=INPUT_SEED,
        default=0,
        metavar="S",
        help="input seed of the case (default: %(default)s)",
    )
    parser.add_argument(
        "--timeout", type=SECONDS, default=20.0, metavar="SECONDS",
        help="CPU time for one sample (default: %(default)s)",
    )  # fmt: skip
    options = parser.parse_args()
    ir = read_json(options.ir)
    case = Case(options.size, options.seed)
    result = check_gradients(options.kernels, ir, options.share, case, options.timeout)
    write_json(options.output, result)
    counts = Counter(sample["verdict"] for sample in result["samples"])
    said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or "none chosen"
    print(f"{options.output}: {said} (of {len(ir['records'])} kernels)")
    for sample in result["samples"]:
        if sample["verdict"] in ("disagrees", "error"):
            who = f"{sample['sample_id']} {sample['kernel_name']}"
            print(f"  {who}: {sample['verdict']}: {sample['message']}")
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
