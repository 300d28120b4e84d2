"""Make a dataset of a build's verified samples: Parquet files in splits, with a card; or check one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.dataset.build import Options, build_dataset
from weft.dataset.check import check_dataset
from weft.dataset.json_files import write_json_files
from weft.errors import UserError, exit_status
from weft.options import SHARE

EPILOG = """\
examples:
  python -P scripts/dataset.py results --output dataset
  python -P scripts/dataset.py --check results/dataset
  python -P scripts/dataset.py --json results/dataset --output pairs

exit status: 0, or 2 for files that are missing or damaged, and for a dataset that is not what its card says
"""


def pairs(option: str, given: list[str]) -> dict[str, str]:
    """NAME=VALUE as a mapping. Raises UserError."""
    if wrong := [text for text in given if not all(text.partition("="))]:
        raise UserError(f"{option}: got {wrong[0]!r}; allowed: NAME=VALUE")
    return {text.partition("=")[0]: text.partition("=")[2] for text in given}


def shares(given: list[str]) -> dict[str, float]:
    """The ratios of the splits. Raises UserError."""
    try:
        found = {name: float(value) for name, value in pairs("--splits", given).items()}
    except ValueError:
        found = {}
    if not found or not all(0 < value < float("inf") for value in found.values()):
        raise UserError(f"--splits: got {' '.join(given)}; allowed: NAME=RATIO, each ratio above 0")
    return found


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, nargs="?", help="the results folder of a build")
    parser.add_argument("-o", "--output", type=Path, help="the folder to write, which is replaced")
    parser.add_argument(
        "--json", type=Path, metavar="FOLDER", help="write this dataset as one JSON file a sample instead"
    )
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="check this dataset instead")
    parser.add_argument(
        "--splits",
        nargs="+",
        metavar="NAME=RATIO",
        default=["train=0.7", "validation=0.2", "test=0.1"],
        help="ratios of the splits (default: train=0.7 validation=0.2 test=0.1)",
    )
    parser.add_argument(
        "--held-out",
        nargs="*",
        default=[],
        metavar="CATEGORY",
        help="categories and sources for test_ood alone",
    )
    parser.add_argument(
        "--devices",
        nargs="*",
        default=[],
        help="devices that have to have verified each sample (default: any)",
    )
    parser.add_argument(
        "--mutation-score", type=SHARE, default=0.0, help="leave out samples that are known to score less (0)"
    )
    parser.add_argument(
        "--licenses", nargs="*", default=[], metavar="SOURCE=SPDX", help="the licences of your sources"
    )
    parser.add_argument(
        "--answers", type=Path, metavar="FOLDER", help="wrong programs for samples, with the judge's verdicts"
    )
    parser.add_argument(
        "--prompts", type=Path, metavar="FOLDER", help="drop samples that hold text of these prompts"
    )
    parser.add_argument("--keep-contaminated", action="store_true", help="list these samples, drop none")
    parser.add_argument("--times", action="store_true", help="take the times that `make speed` took")
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
    options = Options(
        shares=shares(arguments.splits),
        held_out=tuple(arguments.held_out),
        devices=tuple(arguments.devices),
        mutation_score=arguments.mutation_score,
        licenses=pairs("--licenses", arguments.licenses),
        repository=arguments.repository,
        times=arguments.times,
        answers=arguments.answers,
        prompts=arguments.prompts,
        keep_contaminated=arguments.keep_contaminated,
    )
    build_dataset(arguments.results, arguments.output, options)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
