"""CPU seconds of each stage of a finished build, whole and per kernel, from Snakemake's benchmark files.

    python -P benchmarks/stages.py results

The figure per kernel includes what a job pays once (imports, the first compile): larger shards bring it down.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from weft.files import read_json
from weft.reference.store import read

STAGES = ("kernels", "ir", "ir_check", "reference", "cuda", "ptx", "runs", "stats", "samples")


def cpu_seconds(file: Path) -> float:
    """The column `cpu_time` of a benchmark file; a job too short to be sampled counts as its wall time."""
    with file.open(encoding="utf-8") as lines:
        row = next(csv.DictReader(lines, delimiter="\t"))
    return float(row["s"] if row["cpu_time"] in ("NA", "-") else row["cpu_time"])


def stage_files(timings: Path, stage: str) -> list[Path]:
    """The benchmark files of a stage: one a job."""
    return sorted([*(timings / stage).rglob("*.tsv"), *timings.glob(f"{stage}.tsv")])


def reference_sizes(folder: Path) -> str:
    """How large the reference files are for 100 kernels each: on average, and of the largest shard."""
    sizes = []
    for file in sorted(folder.rglob("*.npz")):
        reference = read(file)
        sizes.append(
            (file.stat().st_size, len(reference.samples) + len(reference.rejects), reference.category)
        )
    if not sizes:
        return "no reference files"
    average = sum(size for size, _, _ in sizes) / max(sum(count for _, count, _ in sizes), 1)
    largest, category = max((size / max(count, 1), category) for size, count, category in sizes)
    return f"reference: {average / 1e4:.2f} MB for 100 kernels; most in {category}, {largest / 1e4:.2f} MB"


def main() -> int:
    """Print the table; 2 if the folder holds no finished build."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="the results folder of a finished build")
    results = parser.parse_args().results
    summary = results / "stats" / "summary.json"
    if not summary.is_file():
        print(f"stages: {summary}: no such file; build first", file=sys.stderr)
        return 2
    kernels = sum(category["made"] for category in read_json(summary)["categories"].values())

    table = Table(title=f"CPU seconds of a build of {kernels} kernels")
    for heading in ("stage", "jobs", "CPU s", "CPU s per kernel"):
        table.add_column(heading, justify="left" if heading == "stage" else "right")
    total = 0.0
    for stage in STAGES:
        seconds = [cpu_seconds(file) for file in stage_files(results / "timings", stage)]
        total += sum(seconds)
        table.add_row(stage, str(len(seconds)), f"{sum(seconds):.1f}", f"{sum(seconds) / kernels:.3f}")
    table.add_section()
    table.add_row("total", "", f"{total:.1f}", f"{total / kernels:.3f}")
    console = Console()
    console.print(table)
    console.print(reference_sizes(results / "reference"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
