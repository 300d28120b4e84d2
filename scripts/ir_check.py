"""Check that Warp's own CUDA text in an IR file compiles to PTX. Needs no GPU."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import described, exit_status
from weft.files import read_json, write_json
from weft.ir_check import check_ir
from weft.options import SHARE

EPILOG = """\
example:
  python -P scripts/ir_check.py results/ir/vector/0.json -o ir_check.json --arch sm_75

exit status: 0, or 2 for wrong files or options; samples that do not compile are listed in the output
"""


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ir", type=Path, help="an IR file")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--share", type=SHARE, default=1.0, help="share of the samples, 0 to 1 (default 1)")
    parser.add_argument("--arch", default="sm_75", help="GPU architecture (default: sm_75)")
    arguments = parser.parse_args()
    result = check_ir(read_json(arguments.ir), arguments.arch, share=arguments.share)
    write_json(arguments.output, result)
    compiled, refused = len(result["samples"]), len(result["rejects"])
    print(f"{compiled} of {compiled + refused} kernels compile to PTX")
    for rejected in result["rejects"]:
        print(described(rejected))
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
