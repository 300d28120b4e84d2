"""`weft`, the command: a table of subcommands, each a module that is imported when it is asked for."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import sys

from weft.errors import KernelError, exit_status

SUBCOMMANDS = {
    "translate": "translate a Warp kernel into a CUDA program",
    "run": "run a translated program on NumPy arrays",
    "judge": "compare CUDA programs for a sample with Warp's results",
    "tasks": "write tasks for models about the samples of a build",
    "score": "judge a model's answers by the thousand, with pass@k",
    "leaderboard": "write a page that compares the scores of models",
    "replay": "remake samples of a build or a dataset, and compare",
}

EPILOG = """\
examples:
  weft translate examples/heat.py:diffuse -o k.cu
  weft translate --help

exit status: 0, 1 if a kernel, a program or a sample is at fault, 2 for wrong files or options
"""


def main() -> int:
    """The command line; the exit status."""
    try:
        return exit_status(_main)
    except KeyboardInterrupt:
        return 130


def _main() -> int:
    words = sys.argv[1:]
    if not words or words[0] not in SUBCOMMANDS:
        _overview().parse_args(words)
    module = importlib.import_module(f"{__name__}.{words[0]}")
    parser = argparse.ArgumentParser(
        prog=f"weft {words[0]}",
        description=module.__doc__,
        epilog=module.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    try:
        status: int = module.run(parser, parser.parse_args(words[1:]))
    except KernelError as error:
        print(f"weft: {error}", file=sys.stderr)
        return 1
    return status


def _overview() -> argparse.ArgumentParser:
    """What `weft` alone understands: its version, help, and which subcommands there are."""
    table = "".join(f"  {name:<13}{line}\n" for name, line in SUBCOMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="weft",
        description="Translate Warp kernels into CUDA programs, run them, and verify them against Warp.",
        epilog=f"commands:\n{table}\n{EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"weft {importlib.metadata.version('weft')}")
    parser.add_argument(
        "command", metavar="COMMAND", choices=SUBCOMMANDS, help="a command; each has its own options"
    )
    return parser
