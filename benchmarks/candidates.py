"""The cost of judging a candidate: a build's programs and their mutants are scored as a model's answers.

    snakemake --config kernels_per_seed=8 mutation=1
    python -P benchmarks/candidates.py results

The build has to have mutants. The whole batch goes through `weft score`; of one in `--every`, the time of
each step is taken. The figures go to benchmarks/measured/candidates.json, the tables to docs/cost.md. CPU
seconds, children included, hold on a busy machine, too, if not to the last tenth; wall time does not.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import json
import os
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from weft.dataset.negatives import mutants
from weft.dataset.rows import ShardFiles
from weft.files import read_text, write_json
from weft.options import COUNT
from weft.reference import store
from weft.runs import candidate, verdict
from weft.runs.build import CpuToolchain, make_device
from weft.runs.candidate_stage import find_sample, sandbox_for
from weft.runs.fresh import REFERENCE_SCRIPT, choose_cases, drawn_seed
from weft.runs.stage import read_shard
from weft.scoring.extraction import program_in
from weft.scoring.score import Options, score
from weft.scratch import scratch
from weft.stats.tree import read_plan, read_shards

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/cost.md"
PART = "## Cost per candidate\n"
"""The heading of the last part of PAGE, which this script writes."""

OWN = "own program"
STEPS = {
    "preprocessing": "g++ -E",
    "compiling": "g++ -c, behind precompiled headers",
    "linking": "g++ -r, objcopy, g++",
    "forward": "the first execution, all cases",
    "reverse": "the second execution; for a wrong program, one case",
    "random": "the third execution, likewise",
    "idle": "the fourth execution, without kernels",
    "telling": "the line that a verdict names: addr2line, and for a wrong element, its case again",
    OWN: "the sample's own program, rounded three ways, once a sample",
    "Python": "everything else",
}
"""The steps of a candidate, in their order, and what they are."""


def answers(results: Path) -> Iterator[dict[str, Any]]:
    """The programs of a build and their mutants, as a model would say them."""
    plan = read_plan(results)
    for shard in read_shards(results, plan):
        files = ShardFiles(results, plan, shard.category, shard.seed)
        for sample in sorted(shard.verified(plan.devices)):
            entry, view = files.index[sample], files.view(sample)
            told = {"sample_id": sample, "category": "", "difficulty": "", "python_source": ""}
            default = {**told, "cuda_kernel": view, "cuda_program": files.program(sample)}
            wrong = mutants(
                default,
                entry["includes"],
                entry["cuda_kernel_name"],
                files.mutation.get(sample, {"found": []}),
            )
            for number, program in enumerate([view, *(one["wrong"] for one in wrong)]):
                completion = f"Here is the program.\n\n```cuda\n{program}```\n"
                yield {"task_id": sample, "sample": number, "completion": completion}


def cpu_seconds() -> float:
    """Of this process and of those that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Steps:
    """The CPU time of each step, by wrapping what makes it. A step within another is a part of that."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = collections.defaultdict(float)
        self._is_within = False

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Within this, times are taken."""
        # A bench keeps the function that runs the sample's own program: what that calls can be wrapped.
        places: list[tuple[object, str, Callable[..., str]]] = [
            (candidate, "_run", self._of_tool),
            (candidate, "outputs_of", lambda *_, **__: OWN),
            (CpuToolchain, "compile", lambda *_, **__: OWN),
            (verdict, "run_batch", self._of_execution),
        ]
        with contextlib.ExitStack() as replaced:
            for owner, name, step in places:
                timed = self._timed(getattr(owner, name), step)
                replaced.enter_context(mock.patch.object(owner, name, timed))
            # What is read in another process cannot be timed from here.
            replaced.enter_context(mock.patch.object(candidate, "read_within_limits", lambda build: build()))
            begun = cpu_seconds()
            yield
            self.seconds["all"] += cpu_seconds() - begun

    def _timed(self, function: Callable[..., Any], step: Callable[..., str]) -> Callable[..., Any]:
        @functools.wraps(function)
        def timed(*words: Any, **named: Any) -> Any:
            if self._is_within:
                return function(*words, **named)
            self._is_within = True
            begun = cpu_seconds()
            try:
                return function(*words, **named)
            finally:
                self._is_within = False
                self.seconds[step(*words, **named)] += cpu_seconds() - begun

        return timed

    @staticmethod
    def _of_execution(_: object, commands: list[list[str]], *__: object, **named: Any) -> str:
        asks = "--watch" in commands[0]
        return "telling" if asks else str(named["variables"].get("WEFT_THREAD_ORDER", "idle"))

    @staticmethod
    def _of_tool(_: object, __: object, commands: list[list[str]], *___: object) -> str:
        flags = {"-E": "preprocessing", "-c": "compiling", "-r": "linking", "-e": "telling"}
        return next((step for flag, step in flags.items() if flag in commands[0]), "Python")


def steps_of(
    asked: list[dict[str, Any]], results: Path
) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Milliseconds of each step, means of the candidates with each verdict; and of what a batch and a sample
    need once.
    """
    found: dict[str, list[Steps]] = collections.defaultdict(list)
    once: dict[str, float] = collections.defaultdict(float)
    with scratch("candidates") as folder:
        shared = folder / "shared"
        shared.mkdir()
        begun = cpu_seconds()
        make_device("g++", shared)
        once["the CPU device"] = cpu_seconds() - begun
        begun = cpu_seconds()
        candidate.precompile(CpuToolchain("g++", shared, shared), shared)
        once["precompiled headers"] = cpu_seconds() - begun
        benches: dict[str, candidate.Bench] = {}
        for number, one in enumerate(asked):
            sample = one["task_id"]
            if sample not in benches:
                host = folder / sample
                host.mkdir()
                files = find_sample(sample, results, None, None)
                begun = cpu_seconds()
                chosen = choose_cases(files, None, REFERENCE_SCRIPT, 20.0, host, "g++")
                once["a sample's cases"] += cpu_seconds() - begun
                begun = cpu_seconds()
                toolchain = CpuToolchain("g++", host, shared)
                shard, reference = read_shard(files.cuda), store.read(chosen.files.reference)
                benches[sample] = candidate.make_bench(
                    shard, reference, sample, toolchain, sandbox_for(True), shared
                )
                once["a sample's host code"] += cpu_seconds() - begun
            steps = Steps()
            with steps.taken():
                program = program_in(one["completion"])
                entry = candidate.judge_candidate(benches[sample], program, folder / str(number), 20.0)
            steps.seconds["Python"] = 2 * steps.seconds["all"] - sum(steps.seconds.values())
            found[entry["verdict"]].append(steps)
    for name in ("a sample's cases", "a sample's host code"):
        once[name] /= len(benches)
    return means(found), {name: round(1000 * seconds, 1) for name, seconds in once.items()}


def means(found: Mapping[str, Sequence[Steps]]) -> dict[str, dict[str, float]]:
    """Milliseconds of each step, means of the candidates with each verdict."""
    return {
        name: {
            step: round(1000 * statistics.fmean(one.seconds[step] for one in several), 1) for step in STEPS
        }
        for name, several in found.items()
    }


def part(result: dict[str, Any]) -> str:
    """The figures as a part of PAGE."""
    batch, steps = result["batch"], result["steps"]
    count, seconds = batch["answers"], batch["cpu_seconds"]
    which = f"their programs, and mutants of these; {batch['verified']} were verified"
    where = f"at a load of {batch['load']:.0f} on {result['cores']} cores"
    lines = [
        PART,
        "`python -P benchmarks/candidates.py results` writes this section, and its figures to "
        "`benchmarks/measured/candidates.json`.",
        f"{count:,} candidates for {batch['samples']} samples ({which}) in one batch of",
        f"`weft score --jobs {batch['jobs']}` took {seconds:.0f} CPU seconds,",
        f"**{seconds / count:.2f} per candidate**, and {batch['wall_seconds']:.0f} seconds {where}.",
        "The table is based on the programs and on one in",
        f"{result['every']} of the others:",
        "",
        f"| step, ms per candidate | {' | '.join(steps)} | work |",
        f"|---|{'---|' * len(steps)}---|",
        *(
            f"| {step} | {' | '.join(f'{one[step]:.0f}' for one in steps.values())} | {what} |"
            for step, what in STEPS.items()
        ),
        f"| all | {' | '.join(f'{sum(one.values()):.0f}' for one in steps.values())} | |",
        "",
        "| once | ms |",
        "|---|---|",
        *(f"| {name} | {one:.0f} |" for name, one in result["once"].items()),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, and write the figures and the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="a build with mutants")
    parser.add_argument("--most", type=COUNT, default=1000, help="candidates (default 1000)")
    parser.add_argument("--every", type=COUNT, default=10, help="of which one in so many is looked at (10)")
    parser.add_argument("--jobs", type=COUNT, default=2, help="programs at a time (default 2)")
    options = parser.parse_args()
    asked = list(answers(options.results))[: options.most]
    with scratch("candidates") as folder:
        path = folder / "answers.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in asked), encoding="utf-8")
        begun, clock, loads = cpu_seconds(), time.monotonic(), [os.getloadavg()[0]]
        how = Options(options.results, options.jobs, seed=drawn_seed())
        verdicts = score(path, folder / "verdicts.jsonl", how)
        loads.append(os.getloadavg()[0])
        batch = {
            "answers": len(asked),
            "samples": len({one["task_id"] for one in asked}),
            "verified": sum(one["verdict"] == "verified" for one in verdicts),
            "jobs": options.jobs,
            "cpu_seconds": round(cpu_seconds() - begun, 1),
            "wall_seconds": round(time.monotonic() - clock, 1),
            "load": round(sum(loads) / len(loads), 1),
        }
        print(batch, flush=True)
    looked_at = [one for number, one in enumerate(asked) if one["sample"] == 0 or number % options.every == 0]
    steps, once = steps_of(looked_at, options.results)
    result = {
        "schema": 1,
        "cores": os.cpu_count(),
        "every": options.every,
        "batch": batch,
        "steps": steps,
        "once": once,
    }
    write_json(ROOT / "benchmarks/measured/candidates.json", result)
    before = read_text(PAGE).partition(f"\n{PART}")[0]
    PAGE.write_text(f"{before}\n{part(result)}", encoding="utf-8")


if __name__ == "__main__":
    main()
