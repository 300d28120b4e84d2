"""Jobs of every kind, and whole builds, are killed.

The build ends with an error that names what is missing. The same command goes on, and the bytes at the end
are those of an undisturbed build.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
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


RARE = {"mutation.py:1": "mutation=0.6", "gradients.py:1": "gradients=1"}
"""Settings without which a build has no such job."""


def config_with(chosen: set[object], config: list[str]) -> list[str]:
    """The options of a build that has every chosen job."""
    return [*config, *(setting for job, setting in RARE.items() if job in chosen)]


def kill_environment(build: Build, job: str) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([KILLING, str(build.folder / "library")]), "KILL": job}


@dataclasses.dataclass(frozen=True)
class Story:
    """What happened in a folder in which jobs of many builds, and two whole builds, were killed."""

    said: Mapping[str, str]
    """What each build said whose job was killed, by the job."""
    was_finished: bool
    """Whether a build that was killed as a whole had made what it was to make."""
    hashes: Mapping[str, str]
    """Of the files at the end."""
    validated: str


@pytest.fixture(scope="module")
def story(
    request: pytest.FixtureRequest,
    small_build: Build,
    small_config: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Story:
    """All in one folder, which is not that of the small build. Before the first job that is always killed,
    whole builds are: Snakemake alone, then Snakemake and its jobs. They have another number of cores, as has
    the last build, which comes to its end.
    """
    chosen = {item.callspec.params.get("job") for item in request.session.items if hasattr(item, "callspec")}
    build = small_build.without_results(tmp_path_factory.mktemp("killed") / "build")
    config = config_with(chosen, small_config)
    on_one_core = ("--cores", "1", *config)
    said, was_finished = {}, False
    for job, target in TARGETS.items():
        if job == SAMPLED[0]:
            build.killed("reference", *on_one_core, once="results/ir/*/0.json", with_jobs=False)
            build.killed("reference", *on_one_core, once="logs/reference/**/0.txt", with_jobs=True)
            was_finished = len(list(build.results.glob("reference/*/0.npz"))) == 2
        if job not in chosen:
            continue
        done = build.run(target, "--cores", "2", *config, check=False, **kill_environment(build, job))
        said[job] = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    build.run("all", "samples", *on_one_core)
    validated = build.script("validate", "results").stdout
    return Story(said, was_finished, build.hashes(*REPRODUCIBLE), validated)


def test_killed_builds_go_on_elsewhere_and_give_the_same_bytes(story: Story, small_build: Build) -> None:
    """Another folder, another number of cores, and the kills on the way: none of them shows in a file."""
    assert not story.was_finished
    hashes = small_build.hashes(*REPRODUCIBLE)
    assert len(hashes) == 2 * 8
    assert story.hashes == hashes
    assert story.validated == "4 kernels in 2 shards: all checks hold\n"


@pytest.mark.parametrize(
    "job", [job if job in SAMPLED else pytest.param(job, marks=pytest.mark.full) for job in TARGETS]
)
def test_a_killed_job_is_an_error_and_is_done_again(job: str, story: Story) -> None:
    said = story.said[job]
    assert said.startswith("exit status 1\n"), said
    assert f"did not make results/{Path(TARGETS[job]).name}" in said
    assert "says:\nnothing: it was killed, or the disk is full" in said


@pytest.mark.full  # a sample is in the story
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


@pytest.mark.full  # a sample is in workflow/test_builds.py
@pytest.mark.parametrize("folder", FOLDERS)
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
