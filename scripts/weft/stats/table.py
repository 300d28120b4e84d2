"""The table that ends a build."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from weft.errors import described
from weft.speed.table import describe as describe_speed
from weft.stats.coverage import told
from weft.stats.gradients import describe_gradients
from weft.stats.mutation import describe_mutation

COLUMNS = ("made", "translated", "compiled", "run", "verified", "rejected")
LISTED = 20
"""Rejects, and missing files, that are listed below the table."""


def print_table(
    summary: Mapping[str, Any],
    rejects: Sequence[Mapping[str, Any]],
    results: Path,
    coverage: Mapping[str, Mapping[str, Any]] | None = None,
    speed: Mapping[str, Any] | None = None,
    width: int | None = None,
) -> None:
    """Print counts per category, the rejects, what the kernels cover, times if there are any, and where the
    results lie.
    """
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True, width=width)
    columns = COLUMNS if not summary["total"]["not_run"] else (*COLUMNS, "not_run")
    table = Table("category", title="Kernels per category")
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for name, row in summary["categories"].items():
        table.add_row(name, *(_cell(row[column]) for column in columns))
    table.add_section()
    table.add_row("total", *(_cell(summary["total"][column]) for column in columns))
    console.print(table)
    for device in summary["devices"]:
        console.print(_device_line(device, summary["total"]), markup=False)
    _print_rejects(console, rejects, results)
    if summary["total"]["duplicates"]:
        console.print(_duplicates_line(summary["total"], results), markup=False)
    if summary["mutation"]:
        console.print(describe_mutation(summary["mutation"]), markup=False)
    if summary["gradients"]:
        console.print(describe_gradients(summary["gradients"]), markup=False)
    if covered := told(coverage or {}):
        console.print(f"Generated kernels use {covered} ({results}/stats/coverage.csv)", markup=False)
    for line in describe_speed(speed) if speed else []:
        console.print(line, markup=False)
    if (report := results / "report/index.html").is_file():
        console.print(f"Report: {report}, a page for a browser", markup=False)
    console.print(f"Results: {results}/ ({results}/README.md says what each folder holds)", markup=False)


def _cell(value: int | None) -> str:
    return "-" if value is None else str(value)


def _device_line(device: str, total: Mapping[str, Any]) -> str:
    stage, not_run = total["stages"][f"runs/{device}"], total["not_run_on"][device]
    line = f"{device}: {stage['passed']} verified, {stage['rejected']} rejected"
    return line + (f", {not_run} not run" if not_run else "")


def _duplicates_line(total: Mapping[str, Any], results: Path) -> str:
    count, made = total["duplicates"], total["made"]
    share = f"{100 * count / made:.2f} %"
    return (
        f"{count} of {made} ({share}) equal an earlier kernel except for names and get no folder in samples: "
        f"{results}/diversity/duplicates.json"
    )


def _print_rejects(console: Console, rejects: Sequence[Mapping[str, Any]], results: Path) -> None:
    if not rejects:
        return
    console.print(f"Rejected (all in {results}/stats/rejects.jsonl):", markup=False)
    for reject in rejects[:LISTED]:
        console.print(described(reject), markup=False)
    if len(rejects) > LISTED:
        console.print(f"  … and {len(rejects) - LISTED} more")
