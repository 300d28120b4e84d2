"""Jobs of every kind, and whole builds, are killed.

The build ends with an error that names what is missing. The same command goes on, and the bytes at the end
are those of an undisturbed build.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from building import REPRODUCIBLE, Build

pytestmark = pytest.mark.workflow

KILLING = str(Path(__file__).parent / "killing")
TARGETS = {
    "kernels.py:1": "kernels",
    "ir.py:1": "ir",
    "warp_headers.py:1": "results/warp_headers",
    "warp_headers.py:2": "results/warp_headers",
    "cpu_device.py:1": "results/cpu_device",
    "cpu_device.py:4": "results/cpu_device",
    "ir_check.py:1": "ir_check",
    "reference.py:1": "reference",
    "cuda.py:1": "cuda",
    "cuda.py:2": "cuda",
    "ptx.py:1": "ptx",
    "ptx.py:2": "ptx",
    "runs.py:1": "runs",
    "mutation.py:1": "mutation",
    "gradients.py:1": "gradients",
    "diversity.py:1": "diversity",
    "diversity.py:2": "diversity",
    "stats.py:1": "stats",
    "stats.py:4": "stats",
    "limits.py:1": "results/limits.json",
    "dataset.py:1": "dataset",
    "dataset.py:4": "dataset",
    "samples.py:1": "samples",
    "samples.py:8": "samples",
}
"""What is built while which job is killed, in the order of the data."""
SAMPLED = ("reference.py:1", "cuda.py:2", "runs.py:1", "stats.py:1")
ALL = ("all", "samples", "--cores", "2")


def config_with_all_stages(config: list[str]) -> list[str]:
    return [option for option in config if not option.startswith(("mutation=", "gradients="))] + [
        "mutation=0.6",
        "gradients=1",
    ]


def kill_environment(build: Build, job: str) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([KILLING, str(build.folder / "library")]), "KILL": job}


@pytest.fixture(scope="module")
def story(
    request: pytest.FixtureRequest,
    small_build: Build,
    small_config: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str]:
    """What each build said whose job was killed; the bytes at the end are compared here."""
    chosen = {item.callspec.params.get("job") for item in request.session.items if hasattr(item, "callspec")}
    build = small_build.without_results(tmp_path_factory.mktemp("killed") / "build")
    config = config_with_all_stages(small_config)
    said = {}
    for job, target in TARGETS.items():
        if job not in chosen:
            continue
        done = build.run(target, "--cores", "2", *config, check=False, **kill_environment(build, job))
        said[job] = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    build.run(*ALL, *config)
    assert build.hashes(*REPRODUCIBLE) == small_build.hashes(*REPRODUCIBLE)
    assert build.script("validate", "results").stdout == "4 kernels in 2 shards: all checks hold\n"
    return said


@pytest.mark.parametrize(
    "job", [job if job in SAMPLED else pytest.param(job, marks=pytest.mark.full) for job in TARGETS]
)
def test_a_killed_job_is_an_error_and_is_done_again(job: str, story: dict[str, str]) -> None:
    said = story[job]
    assert said.startswith("exit status 1\n"), said
    assert f"did not make results/{Path(TARGETS[job]).name}" in said
    assert "says:\nnothing: it was killed, or the disk is full" in said


@pytest.mark.full  # a sample is in workflow/test_builds.py
@pytest.mark.parametrize("stage", ["ir", "reference", "cuda", "runs"])
def test_a_build_whose_processes_are_all_killed_goes_on(
    stage: str, small_build: Build, small_config: list[str], tmp_path: Path
) -> None:
    build = small_build.without_results(tmp_path / "build")
    build.killed(*ALL, *small_config, once=f"logs/{stage}/**/0.txt", with_jobs=True)
    assert not (build.results / "stats").exists()
    build.run(*ALL, *small_config)
    assert build.hashes(*REPRODUCIBLE) == small_build.hashes(*REPRODUCIBLE)


FOLDERS = (
    "kernels",
    "ir",
    "ir_check",
    "reference",
    "cuda",
    "ptx",
    "runs",
    "diversity",
    "stats",
    "samples",
    "versions",
)


@pytest.mark.parametrize(
    "folder",
    [one if one == "runs" else pytest.param(one, marks=pytest.mark.full) for one in FOLDERS],
)
def test_a_lost_folder_is_made_again(
    folder: str, small_build: Build, small_config: list[str], tmp_path: Path
) -> None:
    build = small_build.copy(tmp_path / "build")
    before = build.hashes(folder)
    assert before
    for path in (build.results / folder).rglob("*"):
        if path.is_file():
            path.unlink()
    build.run(*ALL, *small_config)
    assert "cpu: 4 verified, 0 rejected\n" in build.script("stats", "results", "--show").stdout
    assert build.hashes(folder) == before
    assert build.hashes(*REPRODUCIBLE) == small_build.hashes(*REPRODUCIBLE)


def test_the_table_of_a_build_that_lacks_a_file_names_it(build_copy: Build) -> None:
    (build_copy.results / "runs/cpu/loop/0.json").unlink()
    done = build_copy.script("stats", "results", "--show")
    assert done.returncode == 1
    assert "stats: results/runs/cpu/loop/0.json is missing" in done.stderr
    assert "2 not run" in done.stdout
