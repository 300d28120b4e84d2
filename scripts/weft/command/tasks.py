"""Write tasks for models about the verified samples of a build; `weft score` judges the answers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from weft.files import write_atomically

EPILOG = """\
examples:
  weft tasks -o tasks.jsonl
  weft tasks --results results --kinds python_to_cuda repair --split test -o tasks.jsonl

exit status: 0, or 2 for wrong files or options
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    from weft.scoring.tasks import KINDS

    parser.add_argument("-o", "--output", type=Path, required=True, help="file for the tasks (.jsonl)")
    parser.add_argument("--results", type=Path, default=Path("results"), help="folder of the build (results)")
    parser.add_argument("--kinds", choices=KINDS, nargs="+", default=KINDS, help="kinds of tasks (all)")
    parser.add_argument("--split", help="only samples in this split of the build's dataset, such as test")


def run(_: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Write the tasks; the exit status."""
    from weft.scoring.tasks import tasks

    found = list(tasks(options.results, options.kinds, options.split))
    write_atomically(
        options.output, "".join(json.dumps(one, sort_keys=True, ensure_ascii=False) + "\n" for one in found)
    )
    print(f"{len(found)} tasks")
    return 0
