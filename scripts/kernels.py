"""Write a shard of generated kernels, or the manifest of a user's own source file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.concepts import LEVELS
from weft.errors import exit_status
from weft.files import write_shard
from weft.kernels import AS_THEY_COME, category_names, generate
from weft.options import COUNT, SHARD_SEED, difficulty_weights
from weft.source_spec import manifest_text, source_spec

EPILOG = """\
examples:
  python -P scripts/kernels.py -c vector -s 0 -n 8 -o kernels.py
  python -P scripts/kernels.py --source examples/heat.py -c plate -o plate.py

exit status: 0, or 2 for wrong options or sources; rejects are in the output
"""


def main() -> int:
    """Parse the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "-c", "--category", required=True, help=f"one of {', '.join(category_names())}; any with --source"
    )
    parser.add_argument("-s", "--seed", type=SHARD_SEED, default=0, help="seed of the shard (default 0)")
    parser.add_argument("-n", "--count", type=COUNT, default=8, help="kernels in the shard (default 8)")
    parser.add_argument(
        "--difficulty",
        nargs="+",
        metavar="LEVEL=WEIGHT",
        help=f"how often each level is drawn: any of {', '.join(LEVELS)}, such as easy=1 expert=3; "
        "left out: as the category has them",
    )
    parser.add_argument(
        "--source",
        help="your own Warp kernels instead of generated ones: a Python file or an importable module, "
        "or one kernel of it, after ':'",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    if arguments.source is not None:
        text = manifest_text(source_spec(arguments.source), arguments.category)
    else:
        difficulty = difficulty_weights(arguments.difficulty) if arguments.difficulty else AS_THEY_COME
        text = generate(arguments.category, arguments.seed, arguments.count, difficulty)
    write_shard(arguments.output, text)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
