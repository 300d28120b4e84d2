"""Write a page that compares models, from the summaries of `weft score`."""

from __future__ import annotations

import argparse
from pathlib import Path

from weft.files import write_atomically

EPILOG = """\
examples:
  weft leaderboard ours=summary.json theirs=summary.json -o leaderboard.html

exit status: 0, or 2 for wrong files or options, and for models that were not asked the same tasks
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument(
        "models", nargs="+", type=_model, metavar="NAME=FILE", help="a model, and the summary of its answers"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="file for the page (.html)")


def run(_: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Write the page; the exit status."""
    from weft.scoring.leaderboard import page, read_models

    write_atomically(options.output, page(read_models(options.models)))
    return 0


def _model(text: str) -> tuple[str, Path]:
    name, found, path = text.partition("=")
    if not (name and found and path):
        raise argparse.ArgumentTypeError(f"got {text!r}; allowed: NAME=FILE")
    return name, Path(path)
