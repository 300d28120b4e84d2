"""The slurm-gpu profile on a real Slurm, with the real workflow.

One cluster and one folder serve all tests, since every job costs seconds. The folder goes through three
builds:

1. `killed`: programs run on the CPU only; Snakemake is killed with SIGKILL while a job runs;
2. `resumed`: the same command again; meanwhile a job is cancelled;
3. `troubled`: devices as the profile chooses them. PTX is made again, and for one more architecture, for
   which the job is made to fail. The gpunode has no GPU that a program could use, so the runs on it fail too.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from local_cluster import Job, LocalCluster, SlurmMissingError, local_cluster, require_slurm

pytestmark = pytest.mark.slurm

ROOT = Path(__file__).resolve().parents[2]
KERNELS = 2
SMALL = [
    "categories=[arithmetic]",
    f"kernels_per_seed={KERNELS}",
    "sizes=[1, 31]",
    "input_seeds=[0]",
    "mutation=0",
    "gradients=0",
]
FAULTY_ARCH = "sm_80"
CPU_RULES = (
    "kernels_shard",
    "ir_shard",
    "ir_check_shard",
    "reference_shard",
    "cuda_shard",
    "ptx_shard",
    "cpu_device",
    "warp_headers",
    "warp_tile_headers",
    "runs_cpu",
)
BUILD_SECONDS = 600
FAULTY_PTX = f"""\
import runpy, sys
if "{FAULTY_ARCH}" in sys.argv:
    sys.exit("made to fail")
runpy.run_path("scripts/real_ptx.py", run_name="__main__")
"""


@dataclasses.dataclass
class Build:
    """One call of Snakemake in `folder`: its exit status and all that it printed."""

    status: int
    output: str


@dataclasses.dataclass
class Story:
    """The three builds, the jobs that they left in Slurm's records, and the folder."""

    folder: Path
    killed: Build
    resumed: Build
    troubled: Build
    cancelled: Job
    jobs: list[Job]
    troubled_jobs: list[Job]
    resumed_total: dict[str, Any]

    def of_rule(self, rule: str) -> list[Job]:
        """All jobs of a rule, oldest first."""
        return [job for job in self.jobs if rule_of(job) == rule]


def rule_of(job: Job) -> str:
    """The rule for which Snakemake submitted a job; it stands in the job's comment."""
    match = re.fullmatch(r"rule_(\w+?)(?:_wildcards_.*)?", job.comment)
    return match[1] if match else ""


def snakemake(folder: Path, cluster: LocalCluster, *options: str) -> subprocess.Popen[str]:
    """Start the documented command; `timeout` ends it should it hang."""
    environment = cluster.environment()
    environment["PYTHONPATH"] = str(folder / "scripts")
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    # The queue is looked at after this time, and again 10 s later, when small jobs have just ended.
    environment["WEFT_POLL_SECONDS"] = "1"
    command = ["timeout", "-k", "10", str(BUILD_SECONDS), "snakemake", "--profile", "slurm-gpu"]
    with (folder / "build.txt").open("w") as output:
        return subprocess.Popen(
            [*command, "--config", *SMALL, *options],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def ended(folder: Path, process: subprocess.Popen[str]) -> Build:
    """Wait for the end of a build that `snakemake` started."""
    status = process.wait(BUILD_SECONDS + 30)
    return Build(status, (folder / "build.txt").read_text())


def total_of_stats(folder: Path) -> dict[str, Any]:
    """The counts over all categories; empty where the build did not come to its statistics."""
    path = folder / "results" / "stats" / "summary.json"
    return json.loads(path.read_text())["total"] if path.is_file() else {}


def wait_for_job(cluster: LocalCluster, process: subprocess.Popen[str], wanted: Callable[[Job], bool]) -> Job:
    """Return the first job that is as wanted, while the build goes on."""
    while process.poll() is None:
        for job in cluster.jobs():
            if wanted(job):
                return job
        time.sleep(0.2)
    raise AssertionError("the build ended before such a job ran")


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    try:
        require_slurm()
    except SlurmMissingError as error:
        if os.environ.get("WEFT_REQUIRE_SLURM"):
            pytest.fail(str(error))
        pytest.skip(str(error))
    with tempfile.TemporaryDirectory(prefix="slurm-") as root, local_cluster(Path(root)) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def story(cluster: LocalCluster, tmp_path_factory: pytest.TempPathFactory) -> Story:
    folder = tmp_path_factory.mktemp("build") / "weft"
    ignored = (".git", ".venv", ".snakemake", "results", "logs", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(*ignored))
    (folder / "scripts" / "ptx.py").rename(folder / "scripts" / "real_ptx.py")
    (folder / "scripts" / "ptx.py").write_text(FAULTY_PTX)

    process = snakemake(folder, cluster, "devices=[cpu]")
    wait_for_job(cluster, process, lambda job: rule_of(job) == "ir_shard" and job.state == "RUNNING")
    psutil.Process(process.pid).children()[0].kill()
    killed = ended(folder, process)

    process = snakemake(folder, cluster, "devices=[cpu]")
    cancelled = wait_for_job(
        cluster, process, lambda job: rule_of(job) == "reference_shard" and job.state == "RUNNING"
    )
    cluster.cancel(cancelled.number)
    resumed = ended(folder, process)
    resumed_total = total_of_stats(folder)

    before = len(cluster.jobs())
    shutil.rmtree(folder / "results" / "ptx")
    troubled = ended(folder, snakemake(folder, cluster, f"archs=[sm_75, {FAULTY_ARCH}]", "--retries", "0"))
    jobs = cluster.jobs()
    return Story(folder, killed, resumed, troubled, cancelled, jobs, jobs[before:], resumed_total)


def test_cpu_rules_run_on_the_cpu_node(story: Story) -> None:
    for rule in CPU_RULES:
        jobs = story.of_rule(rule)
        assert {job.partition for job in jobs} == {"cpu"}, rule
        assert {job.node for job in jobs if job.state == "COMPLETED"} == {"cpunode"}, rule
        assert {job.gpus for job in jobs} == {"N/A"}, rule


def test_gpu_rule_runs_on_the_gpu_node_with_a_gpu(story: Story) -> None:
    jobs = story.of_rule("runs_cuda")
    assert {(job.partition, job.node, job.gpus) for job in jobs} == {("gpu", "gpunode", "gres:gpu:1")}


def test_aggregates_stay_where_snakemake_runs(story: Story) -> None:
    assert {rule_of(job) for job in story.jobs} == {*CPU_RULES, "runs_cuda"}


def test_killed_build_goes_on_with_the_same_command(story: Story) -> None:
    assert story.killed.status != 0
    assert "(100%) done" not in story.killed.output
    assert story.resumed.status == 0, story.resumed.output
    # What was finished is not made again.
    assert len(story.of_rule("kernels_shard")) == 1
    assert story.resumed_total["made"] == story.resumed_total["verified"] == KERNELS


def test_cancelled_job_is_tried_again(story: Story) -> None:
    tries = [job for job in story.jobs if job.comment == story.cancelled.comment]
    assert [job.state for job in tries] == ["CANCELLED", "COMPLETED"]
    assert (
        f"SLURM-job '{story.cancelled.number}' failed, SLURM status is: 'CANCELLED'" in story.resumed.output
    )


def test_profile_adds_the_gpu_to_the_devices(story: Story) -> None:
    assert "devices: cpu, cuda;" in story.troubled.output
    assert "devices: cpu;" in story.resumed.output


def test_failing_job_is_reported_and_the_others_finish(story: Story) -> None:
    assert story.troubled.status == 1
    made = [job for job in story.troubled_jobs if rule_of(job) == "ptx_shard"]
    tries = [job for job in made if FAULTY_ARCH in job.comment]
    assert [job.state for job in tries] == ["FAILED"]
    number = tries[0].number
    assert f"SLURM-job '{number}' failed" in story.troubled.output
    assert re.search(rf"logs/slurm/rule_ptx_shard/\S*{FAULTY_ARCH}\S*/{number}\.log", story.troubled.output)
    assert "made to fail" in (story.folder / f"logs/ptx/{FAULTY_ARCH}/arithmetic/0.txt").read_text()
    assert not (story.folder / f"results/ptx/{FAULTY_ARCH}/arithmetic/0.ptx").exists()
    assert {job.state for job in made if job not in tries} == {"COMPLETED"}
    assert (story.folder / "results/ptx/sm_75/arithmetic/0.ptx").is_file()


def test_runs_on_a_node_without_a_gpu_end_with_a_clear_error(story: Story) -> None:
    assert {job.state for job in story.of_rule("runs_cuda")} == {"FAILED"}
    assert "no CUDA device" in (story.folder / "logs/runs/cuda/arithmetic/0.txt").read_text()


def test_stats_count_failed_runs_as_not_run(story: Story) -> None:
    assert f"cpu: {KERNELS} verified, 0 rejected\n" in story.troubled.output
    assert f"cuda: 0 verified, 0 rejected, {KERNELS} not run\n" in story.troubled.output
