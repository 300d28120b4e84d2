"""Compute the expected outputs of every sample of a shard, with Warp on the CPU."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import described, exit_status
from weft.options import INPUT_SEED, SECONDS, SIZE, Different
from weft.reference.stage import make_reference
from weft.reference.store import write

EPILOG = """\
example:
  python -P scripts/reference.py results/kernels/vector/0.py results/ir/vector/0.json \\
      -o vector.npz --sizes 1 31 257 65537 --seeds 0 1 --timeout 10

exit status: 0, or 2 for wrong files or options; rejects are in the output
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
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.npz", help="file to write")
    parser.add_argument(
        "--sizes", type=SIZE, action=Different, nargs="+", metavar="N",
        default=[1, 31, 32, 33, 67, 255, 257, 997, 65537],
        help="base sizes; those above 10,000 run with the first input seed only (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--seeds",
        type=INPUT_SEED,
        action=Different,
        nargs="+",
        default=[0, 1, 2],
        metavar="S",
        help="input seeds (default: %(default)s)",
    )
    parser.add_argument(
        "--timeout", type=SECONDS, default=10.0, metavar="SECONDS",
        help="CPU time for one sample, all cases together (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--samples", nargs="+", metavar="ID", help="these samples only (default: all)")
    parser.add_argument(
        "--warp-headers", type=Path, nargs="+", default=[], metavar="FOLDER",
        help="output of scripts/warp_headers.py (default: parse Warp's header again)",
    )  # fmt: skip
    options = parser.parse_args()
    reference = make_reference(
        options.kernels,
        options.ir,
        options.sizes,
        options.seeds,
        options.timeout,
        options.samples,
        options.warp_headers,
    )
    write(options.output, reference)
    print(f"{options.output}: {len(reference.samples)} samples, {len(reference.rejects)} rejects")
    for one in reference.rejects:
        print(described(one))
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
