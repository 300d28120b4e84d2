"""What only looks at a build (test_builds.py has dry runs), and what rules ask of executors."""

import re
from pathlib import Path

import pytest

from building import ROOT, Build
from weft.workflow.snapshot import Snapshot


def tree(folder: Path) -> dict[Path, tuple[bytes, int]]:
    """Every file of a folder, with its time."""
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.full
@pytest.mark.workflow
def test_snakemakes_own_report_has_the_page_and_the_counts(
    build_copy: Build, small_config: list[str], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    build_copy.run("all", "--report", str(page), *small_config)
    text = page.read_text()
    for word in ("Every verified pair", "by_category.csv", "coverage.csv", "Counts"):
        assert word in text


def test_a_snapshot_puts_back_what_was_changed_removed_and_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = {name: Path("results/versions") / name for name in ("changed", "removed", "untouched")}
    for path in kept.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    before = tree(tmp_path)
    snapshot = Snapshot(Path("results/plan.json"), Path("results/versions"))
    kept["changed"].write_text("other")
    kept["removed"].unlink()
    Path("results/plan.json").write_text("{}")
    (kept["changed"].parent / "library").mkdir()
    (kept["changed"].parent / "library/new").write_text("new")
    snapshot.restore()
    assert tree(tmp_path) == before
    assert not (kept["changed"].parent / "library").exists()


def test_rules_of_jobs_that_leave_the_machine_say_what_they_need() -> None:
    for path in (ROOT / "rules").glob("*.smk"):
        for rule in re.split(r"^rule ", path.read_text(), flags=re.MULTILINE)[1:]:
            local = "    localrule: True\n" in rule
            asks = all(word in rule for word in ("    resources:\n", "mem_mb=", "runtime="))
            assert local != asks, rule.partition(":")[0]


def test_the_least_snakemake_is_the_one_that_is_tested() -> None:
    least = re.search(r'^min_version\("(.*)"\)$', (ROOT / "Snakefile").read_text(), re.MULTILINE)
    pinned = re.search(r"^snakemake==(\S+)", (ROOT / "envs/requirements.lock").read_text(), re.MULTILINE)
    assert least and pinned and least[1] == pinned[1]
