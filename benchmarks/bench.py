"""The cost per sample, stage by stage: CPU milliseconds, including child processes, beside lower bounds.

    python -P benchmarks/bench.py

Once a round, shards of some categories are taken through the scripts as the workflow calls them, small ones
too: one of a kernel is a process per sample and tool. In the same rounds the limits are measured on the same
files. After each, medians over the rounds go to a JSON file, and from there to a table in docs/.
"""

from __future__ import annotations

import argparse
import ast
import functools
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from weft.files import read_json, write_json
from weft.options import COUNT, SHARE
from weft.ptx.nvcc import find_toolkit
from weft.reference import store
from weft.runs.build import CpuToolchain
from weft.runs.stage import read_shard
from weft.scratch import scratch
from weft.workflow.start import compile_library

ROOT = Path(__file__).parents[1]
CANDIDATES = "\n## Cost per candidate\n"
"""The part of the table's page that benchmarks/candidates.py writes."""
CATEGORIES = ("arithmetic", "matrix", "texture", "multi_launch", "shared_tile")
AIMS = {"ir": 15, "ir_check": 25, "reference": 90, "cuda": 6, "ptx": 25, "runs": 80}
LIMITS = {
    "kernels": "`ast.parse` of the text",
    "ir": "Warp's code generation alone",
    "ir_check": "NVRTC alone",
    "reference": "clang alone",
    "cuda": "reading the records",
    "ptx": "nvcc alone",
    "runs": "g++ alone",
}


Rounds = dict[str, list[dict[str, float]]]
"""For each category, what each round gave, stage by stage."""


def children(work: Callable[[], object]) -> float:
    """CPU milliseconds of the processes that some work starts."""

    def so_far() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = so_far()
    work()
    return 1000 * (so_far() - before)


def python(*words: object) -> str:
    """What a script of this repository prints."""
    command = [sys.executable, "-P", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def own(work: Callable[[], object]) -> float:
    """CPU milliseconds of some work in this process."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


class Bench:
    """A folder with what all shards share, and what they give."""

    def __init__(self, folder: Path, share: float) -> None:
        self.folder, self.share = folder, share
        compile_library(ROOT)
        self.device, self.headers = folder / "cpu_device", [folder / "headers", folder / "tile_headers"]
        python("scripts/cpu_device.py", "--compiler", "g++", "--output", self.device)
        python("scripts/warp_headers.py", "--output", self.headers[0])
        python("scripts/warp_headers.py", "--block-dims", 32, 64, 128, "--output", self.headers[1])

    def file(self, category: str, kernels: int, ending: str) -> Path:
        """A file of a shard."""
        return self.folder / f"{category}-{kernels}.{ending}"

    def stages(self, category: str, kernels: int) -> dict[str, float]:
        """CPU milliseconds a kernel of each stage of one shard."""

        def file(ending: str) -> Path:
            return self.file(category, kernels, ending)

        commands: dict[str, Sequence[object]] = {
            "kernels": ("--category", category, "--count", kernels, "--output", file("py")),
            "ir": (file("py"), "--category", category, "--output", file("ir.json")),
            "ir_check": (file("ir.json"), "--share", self.share, "--output", file("check.json")),
            "reference": (
                file("py"),
                file("ir.json"),
                "--timeout",
                60,
                "--warp-headers",
                *self.headers,
                "--output",
                file("npz"),
            ),
            "cuda": (file("ir.json"), "--index", file("json"), "--output", file("cu")),
            "ptx": (file("cu"), "--report", file("ptx.json"), "--output", file("ptx")),
            "runs": (
                file("cu"),
                file("npz"),
                "--compiler",
                "g++",
                "--cpu-device",
                self.device,
                "--output",
                file("runs.json"),
            ),
        }
        return {
            stage: children(functools.partial(python, f"scripts/{stage}.py", *words)) / kernels
            for stage, words in commands.items()
        }

    def limits(self, category: str, kernels: int) -> dict[str, float]:
        """CPU milliseconds a kernel of what each stage cannot do without, on the files of one shard."""
        py, ir, cu, npz = (self.file(category, kernels, ending) for ending in ("py", "ir.json", "cu", "npz"))
        records = [json.dumps(record) for record in read_json(ir)["records"]]
        toolkit = find_toolkit("pinned", "g++", "sm_75")
        shard = read_shard(cu)
        judged = {sample.sample_id for sample in store.read(npz).samples}
        program = shard.program([one for one in shard.samples if one.sample_id in judged])
        with scratch("limits") as folder:
            toolchain = CpuToolchain("g++", folder, self.device)
            toolchain.prepare()
            found = {
                "kernels": own(lambda: ast.parse(py.read_text())),
                "ir": float(python("benchmarks/limits.py", "codegen", py)),
                "ir_check": float(python("benchmarks/limits.py", "nvrtc", ir, self.share)),
                "reference": float(python("benchmarks/limits.py", "clang", py, ir, *self.headers)),
                "cuda": own(lambda: [json.loads(record) for record in records]),
                "ptx": children(lambda: toolkit.ptx(cu.read_text(), folder)),
                "runs": children(lambda: toolchain.compile_object(program, folder / "shard.o")),
            }
        return {stage: cpu / kernels for stage, cpu in found.items()}


def median(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    """Over the rounds, stage by stage."""
    return {stage: round(statistics.median(one[stage] for one in rounds), 1) for stage in LIMITS}


def mean(categories: dict[str, dict[str, float]]) -> dict[str, float]:
    """Over the categories, stage by stage."""
    return {stage: round(statistics.fmean(one[stage] for one in categories.values()), 1) for stage in LIMITS}


def figures(found: Rounds) -> dict[str, Any]:
    """The medians of each category, and their means."""
    categories = {category: median(rounds) for category, rounds in found.items()}
    return {"mean": mean(categories), "categories": categories}


def processor() -> str:
    """The name of the CPU, as far as the system tells."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next(
        (line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine()
    )


def versions() -> dict[str, str]:
    """Of what the times depend on."""
    gxx = subprocess.run(
        ["g++", "-dumpfullversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    toolkit = find_toolkit("pinned", "g++", "sm_75")
    packages = {name: metadata.version(name) for name in ("warp-lang", "numpy")}
    return {"python": platform.python_version(), "g++": gxx, "nvcc": toolkit.version(), **packages}


def row(*cells: object) -> str:
    """A row of a table in Markdown; floats have one digit below ten, else none."""
    texts = (f"{cell:.{int(cell < 10)}f}" if isinstance(cell, float) else str(cell) for cell in cells)
    return f"| {' | '.join(texts)} |"


def head(*cells: str) -> list[str]:
    """The head of a table in Markdown."""
    return [row(*cells), "|" + "---|" * len(cells)]


def table(result: dict[str, Any]) -> str:
    """The figures as a document."""
    shards, limits, hardware = result["shards"], result["limits"]["mean"], result["hardware"]
    most = list(shards)[-1]
    totals = {size: sum(found["mean"].values()) for size, found in shards.items()}
    stages, categories = shards[most]["mean"], shards[most]["categories"]
    tools = ", ".join(f"{name} {one}" for name, one in result["versions"].items())
    lines = [
        "# Cost per sample",
        "",
        "`make bench` writes this page, and the figures to `benchmarks/measured/cost.json`.",
        f"CPU milliseconds per kernel, including child processes, in shards of {most}:",
        f"medians of {result['rounds']} rounds, means over {', '.join(result['categories'])}.",
        f"`ir_check` compiles {100 * result['ir_check']:g} % of the kernels.",
        f"{hardware['cpu']}, {hardware['cores']} cores, at a load of {result['load']}; {tools}.",
        "",
        *head("stage", "ms", "aim", "lower bound, ms", "lower bound from"),
        *(row(f"`{one}`", stages[one], AIMS.get(one, ""), limits[one], LIMITS[one]) for one in LIMITS),
        row("all", totals[most], "", "", ""),
        "",
        "All stages, by size of the shard; in a shard of 1, each sample has its own process for each tool:",
        "",
        *head("kernels in a shard", "ms per kernel", "factor"),
        *(row(size, total, total / totals[most]) for size, total in totals.items()),
        "",
        f"By category, in shards of {most}:",
        "",
        *head("category", *LIMITS, "all"),
        *(row(name, *one.values(), sum(one.values())) for name, one in categories.items()),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, and write both files after each round."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--categories", nargs="+", default=list(CATEGORIES))
    parser.add_argument("--kernels", type=COUNT, default=100, help="kernels in a large shard (default 100)")
    parser.add_argument(
        "--small", type=COUNT, nargs="+", default=[1, 4], help="kernels in small shards (default 1 4)"
    )
    parser.add_argument("--rounds", type=COUNT, default=3, help="rounds (default 3)")
    parser.add_argument(
        "--ir-check", type=SHARE, default=0.05, help="share of the kernels for ir_check (default 0.05)"
    )
    parser.add_argument("--json", type=Path, default=ROOT / "benchmarks/measured/cost.json")
    parser.add_argument("--table", type=Path, default=ROOT / "docs/cost.md")
    options = parser.parse_args()
    shards: dict[int, Rounds] = {size: {} for size in sorted({*options.small, options.kernels})}
    limits: Rounds = {}
    known = {
        "schema": 1,
        "hardware": {"cpu": processor(), "cores": os.cpu_count()},
        "versions": versions(),
        "categories": options.categories,
        "ir_check": options.ir_check,
    }
    with scratch("bench") as folder:
        bench = Bench(folder, options.ir_check)
        for number in range(1, options.rounds + 1):
            for category in options.categories:
                print(f"round {number}: {category}", file=sys.stderr, flush=True)
                for size, found in shards.items():
                    found.setdefault(category, []).append(bench.stages(category, size))
                limits.setdefault(category, []).append(bench.limits(category, options.kernels))
            measured = {str(size): figures(found) for size, found in shards.items()}
            load = round(os.getloadavg()[2])  # over a quarter of an hour
            result = {**known, "load": load, "rounds": number, "shards": measured, "limits": figures(limits)}
            write_json(options.json, result)
            _, heading, rest = options.table.read_text(encoding="utf-8").partition(CANDIDATES)
            options.table.write_text(table(result) + heading + rest, encoding="utf-8")


if __name__ == "__main__":
    main()
