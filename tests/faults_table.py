"""The table of faults: how many were injected, and how many were survived."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

HEAD = """\
# Faults

These faults were injected into builds. A fault is survived if every wrong input is named, unfinished work is
never reported as done, and running the same command again gives the bytes of an undisturbed build. Each fault
is a test in `tests/faults`. `make test` runs some of them; `make test-faults` runs all and writes this page.

| fault | injected | survived |
|---|---|---|
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--faults-table", type=Path, help="write the table of faults into this file")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write the table: a row for each file of tests, named by the first line of its docstring."""
    output = config.getoption("--faults-table", None)
    if output is None:
        return
    counts: dict[str, list[int]] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            row = counts.setdefault(Path(report.nodeid.partition("::")[0]).stem, [0, 0])
            row[0] += 1
            row[1] += outcome == "passed"
    lines = [
        f"| {_title(name)} | {injected} | {survived} |\n"
        for name, (injected, survived) in sorted(counts.items())
    ]
    total = [sum(column) for column in zip(*counts.values(), strict=True)]
    output.write_text(f"{HEAD}{''.join(lines)}| all | {total[0]} | {total[1]} |\n", encoding="utf-8")


def _title(module: str) -> str:
    doc = importlib.import_module(module).__doc__ or module
    return doc.splitlines()[0].rstrip(".")
