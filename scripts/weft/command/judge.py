"""Judge CUDA programs for a sample of a build by what Warp computes; a sandbox runs them, on the CPU."""

from __future__ import annotations

import argparse
from pathlib import Path

from weft.files import write_json
from weft.options import INPUT_SEED, SECONDS

EPILOG = """\
examples:
  weft judge answer.cu --sample vector-0000-0003
  weft judge answer.cu --sample vector-0000-0003 --results results -o verdict.json

exit status: 0 if every program is verified, 1 if one is not, 2 for wrong files or options
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument(
        "programs", type=Path, nargs="+", metavar="FILE", help="programs for the sample (.cu)"
    )
    parser.add_argument(
        "--sample", required=True, metavar="ID", help="vector-0000-0003, or a folder of results/samples"
    )
    parser.add_argument("--results", type=Path, help="folder of the build that has the sample (results)")
    parser.add_argument("-o", "--output", type=Path, help="where the verdicts go (.json)")
    parser.add_argument(
        "--seed", type=INPUT_SEED, help="that the sizes and inputs follow from (default: drawn anew)"
    )
    parser.add_argument("--as-built", action="store_true", help="the cases of the build")
    parser.add_argument("--compiler", default="g++", help="default: %(default)s")
    parser.add_argument("--timeout", type=SECONDS, default=20.0, help="seconds for all cases (20)")
    parser.add_argument(
        "--without-sandbox", action="store_true", help="let the programs' code run with your own rights"
    )


def run(_: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Judge, and say each verdict; the exit status."""
    from weft.runs.candidate_stage import find_sample
    from weft.runs.fresh import judge_on_fresh_cases, said_of_cases

    result = judge_on_fresh_cases(
        options.programs,
        find_sample(options.sample, options.results, None, None),
        seed=options.seed,
        script=None if options.as_built else Path(__file__).resolve().parents[2] / "reference.py",
        compiler=options.compiler,
        timeout=options.timeout,
        sandboxed=not options.without_sandbox,
    )
    if options.output is not None:
        write_json(options.output, result)
    print(said_of_cases(result["cases"]))
    for program, one in zip(options.programs, result["samples"], strict=True):
        why = "" if one["reason"] is None else f": {one['reason']}: {one['message']}"
        print(f"{program}: {one['verdict']}{why}")
    return int(any(one["verdict"] != "verified" for one in result["samples"]))
