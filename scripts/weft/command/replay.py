"""Remake samples of a build or a dataset from their seed or source, and compare the results."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
examples:
  weft replay vector-0000-0003
  weft replay vector-0000-0003 loop-0000-0001 --results results

Each sample is generated, or read from its source, translated, compiled, run and judged; its Python, IR, CUDA,
PTX and verdict are compared with what was recorded. Sources are looked for in the working folder, as a build
does; verdicts of a GPU are not made again.

exit status: 0 if everything is the same, 1 if something differs, 2 for wrong files or options
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("samples", nargs="+", metavar="SAMPLE_ID", help="such as vector-0000-0003")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--results", type=Path, default=Path("results"), help="folder of the build (default: %(default)s)"
    )
    where.add_argument("--dataset", type=Path, help="folder of a dataset, instead of a build")
    parser.add_argument("--nvcc", default="pinned", help="nvcc by name or path (default: the package's)")
    parser.add_argument("--compiler", default="g++", help="default: %(default)s")


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Replay the samples in turn; the exit status."""
    from weft.replay.make import Tools, make_again, prepared
    from weft.replay.recorded import recorded_in_dataset, recorded_in_results
    from weft.scratch import scratch

    tools = Tools(options.nvcc, options.compiler)
    same = True
    with scratch("replay") as folder:
        if len(options.samples) > 1:
            tools = prepared(tools, folder)
        for sample in options.samples:
            if options.dataset is not None:
                recorded = recorded_in_dataset(options.dataset, sample)
            else:
                recorded = recorded_in_results(options.results, sample)
            same &= _report(sample, recorded.parts, make_again(recorded, folder / sample, tools))
    return 0 if same else 1


def _report(sample: str, recorded: dict[str, str], made: dict[str, str]) -> bool:
    """Print how the parts of a sample compare; whether none differs."""
    from weft.replay.compare import compare

    found = compare(recorded, made)
    differing = [one.part for one in found if one.differs]
    print(f"{sample}: {'differs: ' + ', '.join(differing) if differing else 'the same'}")
    for one in found:
        print(f"  {one}")
    return not differing
