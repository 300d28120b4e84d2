"""Compare CUDA programs for a sample of a build with Warp's results, in a sandbox on the CPU."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.files import write_json
from weft.options import INPUT_SEED, SECONDS, SIZE

EPILOG = """\
examples:
  weft judge answer.cu --sample vector-0000-0003
  weft judge answer.cu --sample vector-0000-0003 --results results -o verdict.json
  weft judge answer.cu --sample vector-0000-0003 --as-built --case 1 0

answers.jsonl:17 means the program in line 17 of a file of answers; that line names its sample.

exit status: 0 if every program is verified, 1 if one is not, 2 for wrong files or options
"""

_ANSWER = re.compile(r"(?P<file>.+):(?P<line>[0-9]{1,18})", re.DOTALL)
"""An answer of a file, which may have any name; a program, if there is a file of the whole name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument(
        "programs", type=Path, nargs="+", metavar="FILE", help="programs for the sample (.cu)"
    )
    parser.add_argument("--sample", metavar="ID", help="vector-0000-0003, or a folder of results/samples")
    parser.add_argument("--results", type=Path, help="folder of the build that has the sample (results)")
    parser.add_argument("-o", "--output", type=Path, help="file for the verdicts (.json)")
    cases = parser.add_mutually_exclusive_group()
    cases.add_argument("--seed", type=INPUT_SEED, help="seed for the sizes and inputs (default: random)")
    cases.add_argument("--as-built", action="store_true", help="use the cases of the build")
    parser.add_argument(
        "--case",
        nargs=2,
        metavar=("SIZE", "SEED"),
        help="only this case of the sample, as named in a verdict",
    )
    parser.add_argument("--compiler", default="g++", help="default: %(default)s")
    parser.add_argument(
        "--nvcc", help="what is verified must compile with this nvcc, too: pinned, a name or a path"
    )
    parser.add_argument("--timeout", type=SECONDS, default=20.0, help="seconds for all cases (20)")
    parser.add_argument(
        "--without-sandbox", action="store_true", help="run the programs with your own rights"
    )


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Judge, and say each verdict; the exit status."""
    from weft.reference.cases import Case
    from weft.runs.candidate_stage import find_sample
    from weft.runs.fresh import judge_on_fresh_cases, said_of_cases

    case = None
    if options.case is not None:
        try:
            case = Case(SIZE(options.case[0]), INPUT_SEED(options.case[1]))
        except argparse.ArgumentTypeError as error:
            parser.error(f"argument --case: {error}")
        if options.seed is None and not options.as_built:
            parser.error("argument --case: needs --as-built, or the --seed of the cases that it is one of")
    with _programs(parser, options) as (programs, sample):
        result = judge_on_fresh_cases(
            programs,
            find_sample(sample, options.results, None, None),
            seed=options.seed,
            as_built=options.as_built,
            compiler=options.compiler,
            timeout=options.timeout,
            sandboxed=not options.without_sandbox,
            nvcc=options.nvcc,
            case=case,
        )
    if options.output is not None:
        write_json(options.output, result)
    print(said_of_cases(result["cases"]))
    for program, one in zip(options.programs, result["samples"], strict=True):
        why = "" if one["reason"] is None else f": {one['reason']}: {one['message']}"
        print(f"{program}: {one['verdict']}{why}")
    return int(any(one["verdict"] != "verified" for one in result["samples"]))


@contextmanager
def _programs(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> Iterator[tuple[list[Path], str]]:
    """The files of the programs, and the sample that they are for."""
    from weft.scoring.answers import read_answer, sample_of
    from weft.scoring.extraction import program_in
    from weft.scratch import scratch

    found = [None if program.is_file() else _ANSWER.fullmatch(str(program)) for program in options.programs]
    if not any(found):
        if options.sample is None:
            parser.error("the following arguments are required: --sample")
        yield options.programs, options.sample
        return
    (place,) = found if len(found) == 1 else [None]
    if place is None or options.sample is not None:
        parser.error(
            "a line of answers.jsonl names its sample: leave out --sample, and judge one line at a time"
        )
    answer = read_answer(Path(place["file"]), int(place["line"]))
    assert answer.task_id is not None
    with scratch("answer") as folder:
        program = folder / "answer.cu"
        program.write_text(program_in(answer.completion), encoding="utf-8")
        yield [program], sample_of(answer.task_id)
