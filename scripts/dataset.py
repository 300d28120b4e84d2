"""Make a dataset of a build's verified samples: Parquet files in splits, with a card; or check one."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import yaml

from weft.dataset.build import Options, build_dataset
from weft.dataset.check import check_dataset
from weft.dataset.json_files import write_json_files
from weft.errors import UserError, exit_status
from weft.files import read_text

EPILOG = """\
examples:
  python -P scripts/dataset.py results --output dataset
  python -P scripts/dataset.py --check results/dataset
  python -P scripts/dataset.py --json results/dataset --output pairs

exit status: 0, or 2 for missing or damaged files, or a dataset that does not match its card
"""
CONFIG = Path("config.yaml")


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, nargs="?", help="the results folder of a build")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write, which is replaced")
    parser.add_argument(
        "--json", type=Path, metavar="FOLDER", help="write this dataset as one JSON file per sample instead"
    )
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="check this dataset instead")
    parser.add_argument(
        "--settings",
        type=json.loads,
        metavar="JSON",
        help="the section `dataset`; by default, that of config.yaml",
    )
    parser.add_argument(
        "--repository", type=Path, default=Path(), help="the folder of LICENSE, NOTICE and CITATION.cff"
    )
    arguments = parser.parse_args()
    if arguments.check is not None:
        check_dataset(arguments.check)
        return 0
    if arguments.output is None or (arguments.results is None) == (arguments.json is None):
        parser.error("a results folder or --json, and --output; or --check")
    if arguments.json is not None:
        write_json_files(arguments.json, arguments.output)
        return 0
    settings = arguments.settings or yaml.safe_load(read_text(CONFIG))["dataset"]
    build_dataset(arguments.results, arguments.output, options_of(settings, arguments.repository))
    return 0


def options_of(settings: dict[str, Any], repository: Path) -> Options:
    """What the section of config.yaml asks for; the workflow has checked it. Raises UserError."""
    try:
        return Options.of(settings, repository)
    except (KeyError, TypeError) as error:
        raise UserError(f"--settings: {error}: is not as in config.yaml's section `dataset`") from error


if __name__ == "__main__":
    sys.exit(exit_status(main))
