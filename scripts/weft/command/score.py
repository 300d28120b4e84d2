"""Judge a file of a model's answers, and count the tasks that it solves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft.errors import UserError
from weft.files import write_json
from weft.options import INPUT_SEED, SECONDS, SIZE, Different, integer

if TYPE_CHECKING:
    from weft.scoring.score import OnGpu

EPILOG = """\
examples:
  weft score answers.jsonl -o verdicts.jsonl
  weft score answers.jsonl --results results -o verdicts.jsonl --jobs 8 --seed 20
  weft score answers.jsonl --device cuda --cpu verdicts.jsonl --without-sandbox -o gpu/verdicts.jsonl

A line of answers.jsonl is {"task_id": "vector-0000-0003", "sample": 0, "completion": "…"}. The same command
resumes an interrupted run. summary.json, beside the verdicts, has pass@k. To repeat a run, give the seed that
it prints.
With --device cuda, what is verified in the file --cpu is judged on a GPU, and timed for fast_p.

exit status: 0 if every answer has a verdict, 1 if one could not be judged, or if there is no GPU, 2 for wrong
files or options
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
    cases = parser.add_mutually_exclusive_group()
    cases.add_argument(
        "--seed",
        type=INPUT_SEED,
        help="seed for the sizes and inputs (default: that of the verdicts that are there, or random)",
    )
    cases.add_argument("--as-built", action="store_true", help="use the cases of the build")
    parser.add_argument("--jobs", type=integer(1, 4096), help="programs at a time (the number of processors)")
    parser.add_argument("--compiler", default="g++", help="default: %(default)s")
    parser.add_argument(
        "--nvcc",
        help="what is verified must compile with this nvcc, too: pinned, a name or a path. "
        "With --device cuda, it compiles the programs (default: nvcc)",
    )
    parser.add_argument("--timeout", type=SECONDS, default=20.0, help="seconds for all cases (20)")
    parser.add_argument(
        "--without-sandbox", action="store_true", help="run the programs with your own rights"
    )
    gpu = parser.add_argument_group("on a GPU", "needs numpy, nvcc, g++ and the driver")
    gpu.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    gpu.add_argument(
        "--cpu", type=Path, metavar="VERDICTS", help="the CPU's verdicts on these answers (.jsonl)"
    )
    gpu.add_argument("--arch", default="native", help="sm_90, …, or native (default)")
    gpu.add_argument(
        "--sizes",
        type=SIZE,
        action=Different,
        nargs="+",
        default=[1_000_000, 16_777_216],
        help="base sizes to time; the largest that the sample's own program can do counts",
    )
    gpu.add_argument(
        "--warp",
        type=Path,
        metavar="FOLDER",
        help="Warp's headers, to time its own kernels, too (default: those of the installed Warp)",
    )


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Judge, summarise, and print the scores; the exit status."""
    from weft.runs.gpu import NoDeviceError
    from weft.scoring.judges import side_by_side
    from weft.scoring.score import Options, score
    from weft.scoring.summary import summary
    from weft.scoring.tasks import read_task_ids

    asked = read_task_ids(options.tasks) if options.tasks else []
    try:
        on_gpu = _on_gpu(parser, options) if options.device == "cuda" else None
    except NoDeviceError as error:
        print(error, file=sys.stderr)
        return 1
    how = Options(
        options.results,
        side_by_side(options.jobs),
        options.compiler,
        options.timeout,
        not options.without_sandbox,
        _seed(options),
        on_gpu,
        None if on_gpu else options.nvcc,
    )
    print("cases of the build" if how.seed is None else f"cases of --seed {how.seed}", flush=True)
    verdicts = score(options.answers, options.output, how)
    gpu, with_warp = (on_gpu.name, on_gpu.gpu.warp is not None) if on_gpu else (None, False)
    result = summary(verdicts, options.results, asked, gpu, with_warp, how.seed)
    write_json(options.output.with_name("summary.json"), result)
    print(", ".join(f"{count} {name}" for name, count in result["verdicts"].items() if count) or "no answers")
    for name, one in named_scores(result["all"]):
        print(f"{name}: {100 * one['value']:.1f} % ({100 * one['low']:.1f} to {100 * one['high']:.1f})")
    for verdict in verdicts:
        if verdict["verdict"] == "error":
            print(f"{options.answers}:{verdict['line']}: {verdict['reason']}: {verdict['message']}")
    return int(result["verdicts"]["error"] > 0)


def named_scores(scores: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float]]]:
    """The scores of all tasks, with their names."""
    passed = [(f"pass@{k}", one) for k, one in scores["pass"].items()]
    passed += [(f"fast_{p}", one) for p, one in scores.get("fast", {}).items()]
    return passed + [(f"fast_{p} of Warp", one) for p, one in scores.get("fast_warp", {}).items()]


def _seed(options: argparse.Namespace) -> int | None:
    """The seed that cases follow from; None for the cases of the build. A run that is resumed has the seed of
    its verdicts, and a GPU that of the CPU's.
    """
    from weft.runs.fresh import drawn_seed
    from weft.scoring.verdicts import read_verdicts, seed_of

    if options.as_built:
        return None
    if options.seed is not None:
        return int(options.seed)
    if options.device == "cuda":
        return seed_of(read_verdicts(options.cpu))
    found = seed_of(read_verdicts(options.output))
    return drawn_seed() if found is None else found


def _on_gpu(parser: argparse.ArgumentParser, options: argparse.Namespace) -> OnGpu:
    """How answers are judged on the GPU. Raises NoDeviceError if there is none."""
    from weft.ptx.nvcc import resolve_arch
    from weft.runs.gpu import gpu_name
    from weft.runs.warp_kernel import installed_headers
    from weft.scoring.gpu import Gpu
    from weft.scoring.score import OnGpu

    if options.cpu is None:
        parser.error("--device cuda needs --cpu: only what is verified on the CPU runs on a GPU")
    if not options.without_sandbox:
        parser.error("--device cuda needs --without-sandbox: no sandbox has a GPU")
    if not options.cpu.is_file():
        raise UserError(f"{options.cpu}: no such file; `weft score` writes it without --device cuda")
    if options.warp is not None and not (options.warp / "builtin.h").is_file():
        raise UserError(f"{options.warp}: has no builtin.h; Warp's headers are in its folder warp/native")
    name = gpu_name()
    gpu = Gpu(
        options.nvcc or "nvcc",
        resolve_arch(options.arch),
        tuple(options.sizes),
        options.warp or installed_headers(),
    )
    return OnGpu(gpu, name, options.cpu)
