"""Judge a file of a model's answers, and count the tasks that it solves."""

from __future__ import annotations

import argparse
from pathlib import Path

from weft.files import write_json
from weft.options import INPUT_SEED, SECONDS, integer

EPILOG = """\
examples:
  weft score answers.jsonl -o verdicts.jsonl
  weft score answers.jsonl --results results -o verdicts.jsonl --jobs 8 --seed 20

A line of answers.jsonl is {"task_id": "vector-0000-0003", "sample": 0, "completion": "…"}. The same command
resumes an interrupted run. summary.json, beside the verdicts, has pass@k.

exit status: 0 if every answer has a verdict, 1 if one could not be judged, 2 for wrong files or options
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("answers", type=Path, help="a line for each answer (.jsonl)")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="file for the verdicts, one per line (.jsonl)"
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="folder of the build with the samples (results)"
    )
    parser.add_argument(
        "--tasks", type=Path, help="the tasks (from weft tasks): one without an answer counts as failed"
    )
    parser.add_argument(
        "--seed", type=INPUT_SEED, help="seed for the sizes and inputs (default: the build's cases)"
    )
    parser.add_argument("--jobs", type=integer(1, 4096), help="programs at a time (the number of processors)")
    parser.add_argument("--compiler", default="g++", help="default: %(default)s")
    parser.add_argument("--timeout", type=SECONDS, default=20.0, help="seconds for all cases (20)")
    parser.add_argument(
        "--without-sandbox", action="store_true", help="run the programs with your own rights"
    )


def run(_: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Judge, summarise, and print the scores; the exit status."""
    from weft.scoring.judges import side_by_side
    from weft.scoring.score import Options, score
    from weft.scoring.summary import summary
    from weft.scoring.tasks import read_task_ids

    asked = read_task_ids(options.tasks) if options.tasks else []
    jobs = side_by_side(options.jobs)
    how = Options(
        options.results, jobs, options.compiler, options.timeout, not options.without_sandbox, options.seed
    )
    verdicts = score(options.answers, options.output, how)
    result = summary(verdicts, options.results, asked)
    write_json(options.output.with_name("summary.json"), result)
    print(", ".join(f"{count} {name}" for name, count in result["verdicts"].items() if count) or "no answers")
    for k, one in result["all"]["pass"].items():
        print(f"pass@{k}: {100 * one['value']:.1f} % ({100 * one['low']:.1f} to {100 * one['high']:.1f})")
    for verdict in verdicts:
        if verdict["verdict"] == "error":
            print(f"{options.answers}:{verdict['line']}: {verdict['reason']}: {verdict['message']}")
    return int(result["verdicts"]["error"] > 0)
