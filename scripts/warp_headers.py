"""Precompile Warp's C++ header, which every module of kernels includes, for scripts/reference.py."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from weft.options import Different, integer
from weft.reference.warp_cpu import make_headers


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="example: python -P scripts/warp_headers.py --output results/warp_headers"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for the header")
    parser.add_argument(
        "--block-dims", type=integer(1, 1024), action=Different, nargs="+", default=[1], metavar="THREADS",
        help="threads of a block of tiles; 1 is for kernels without tiles (default: 1)",
    )  # fmt: skip
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=options.output) as name:
        make_headers(Path(name), options.block_dims)
        for file in sorted(Path(name).iterdir()):
            file.replace(options.output / file.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
