"""Precompile Warp's C++ header, which every module of kernels includes, for scripts/reference.py."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.cache import fill_from_cache
from weft.errors import exit_status
from weft.options import Different, integer
from weft.reference.warp_cpu import header_key, make_headers

EPILOG = """\
example:
  python -P scripts/warp_headers.py --output warp_headers

exit status: 0, or 2 if nothing can be written
"""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for the header")
    parser.add_argument(
        "--block-dims", type=integer(1, 1024), action=Different, nargs="+", default=[1], metavar="THREADS",
        help="threads per block of tiles; 1 for kernels without tiles (default: 1)",
    )  # fmt: skip
    options = parser.parse_args()
    block_dims = options.block_dims
    fill_from_cache(
        options.output,
        "warp_headers",
        header_key(block_dims),
        lambda folder: make_headers(folder, block_dims),
    )
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
