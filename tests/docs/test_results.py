"""`make results`: the page has the figures of the build that it is made from."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import ROOT, anchors, read

from building import Build
from weft.files import read_json, write_json


def written(results: Path, page: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "benchmarks/results.py", results, "-o", page],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.workflow
def test_the_page_has_the_figures_of_a_build(small_build: Build, tmp_path: Path) -> None:
    results = small_build.copy(tmp_path / "build").results
    times = {"cpu": {"kernels": 7, "nanoseconds_per_element": 12.3456}, "size": 1000}
    write_json(results / "speed/table.json", {"schema": 1, "machines": {}, "sizes": [times]})
    done = written(results, tmp_path / "results.md")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    summary = read_json(results / "stats/summary.json")
    total = summary["total"]
    assert f"| made | {total['made']} |\n| translated | {total['translated']} |\n" in text
    for category, counts in summary["categories"].items():
        assert f"| {category} | {counts['made']} | {counts['verified']} |" in text
    assert "| 1000 | cpu | 7 | 12.3 |" in text
    assert re.search(r"of\n\d{4}-\d\d-\d\d: .* with warp-lang \d", text)
    assert re.search(r"\| \[NVIDIA H200\]\(.*?\) \| [\d.]+ \| \d{4}-\d\d-\d\d \| 100 \| 100 \|", text)


def test_the_page_has_the_sections_of_its_template() -> None:
    """But for those that only some builds have."""
    template = set(re.findall(r"^## (.*)$", read("benchmarks/results.md.j2"), re.MULTILINE)) - {"Speed"}
    assert {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in template} <= anchors(
        "docs/results.md"
    )


def test_a_folder_without_figures_is_said(tmp_path: Path) -> None:
    done = written(tmp_path, tmp_path / "results.md")
    assert done.returncode == 2
    assert "stats/summary.json: is missing; build first (make)" in done.stderr
    assert not (tmp_path / "results.md").exists()
