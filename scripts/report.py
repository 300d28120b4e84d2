"""Write the report of a build: the funnel, every translated pair, figures, and how to reproduce them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import write_atomically
from weft.report.page import page

EPILOG = """\
example:
  python -P scripts/report.py results -o index.html

exit status: 0, or 2 for a folder without a finished build, or a truncated file
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="the folder of a build")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the page, a single file")
    arguments = parser.parse_args()
    write_atomically(arguments.output, page(arguments.results))
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
