"""Measure the diversity of the kernels of a build, or of any folder of Python files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import write_json

EPILOG = """\
examples:
  python -P scripts/diversity.py results
  python -P scripts/diversity.py examples --output diversity.json

exit status: 0, or 2 for a folder without kernels
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the results of a build, or any folder with .py files")
    parser.add_argument("-o", "--output", type=Path, help="write the figures as JSON")
    parser.add_argument(
        "--duplicates",
        type=Path,
        help="for a build: list the samples that equal an earlier one except for names",
    )
    options = parser.parse_args()
    from weft.diversity.collect import collect
    from weft.diversity.duplicates import duplicates
    from weft.diversity.measure import measure, planned_shards, print_figures, source_folder

    source = source_folder(options.folder)
    shards = planned_shards(options.folder)
    kernels = collect(source, shards)
    figures = measure(kernels, options.folder, shards)
    if options.duplicates:
        write_json(options.duplicates, duplicates(kernels, source))
    if options.output:
        write_json(options.output, figures)
    print_figures(figures)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
