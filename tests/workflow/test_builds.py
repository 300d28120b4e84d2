"""The real Snakefile in a temporary folder: nothing twice, edits rebuild what they can change.

That it gives the same bytes elsewhere is in faults/test_killed_jobs.py.
"""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from building import REPRODUCIBLE, Build, rules, shards

pytestmark = pytest.mark.workflow

COMPILED = {"ptx_shard", "runs_cpu"}
AGGREGATES = {"stats_tables", "diversity", "limits_check", "dataset_files", "report_page", "all"}


def test_every_kernel_of_the_build_is_verified(small_build: Build) -> None:
    summary = json.loads((small_build.results / "stats/summary.json").read_text())
    assert summary["total"]["made"] == 4
    assert summary["total"]["verified"] == 4
    assert (small_build.results / "stats/rejects.jsonl").read_text() == ""


def test_a_second_build_runs_nothing(small_build: Build, small_config: list[str]) -> None:
    done = small_build.run("all", "samples", "--cores", "2", *small_config)
    assert "Nothing to be done" in done.stdout + done.stderr
    assert "Kernels per category" in done.stdout
    assert done.stdout.splitlines()[-2].startswith("Report: results/report/index.html")


def test_an_edited_category_rebuilds_its_shards_and_the_aggregates(
    build_copy: Build, small_config: list[str]
) -> None:
    append(build_copy, "scripts/weft/kernels/categories/matrix.py", "# an idea for later\n")
    append(build_copy, "scripts/weft/kernels/domains/lattices.py", "# of a category that is not built\n")
    planned = build_copy.planned("all", *small_config)
    assert shards(planned) == {"matrix"}
    assert rules(planned) >= {"kernels_shard", "ir_shard", "reference_shard", "cuda_shard", "stats_tables"}


def test_an_edited_translator_rebuilds_cuda_and_what_follows(
    build_copy: Build, small_config: list[str]
) -> None:
    append(build_copy, "scripts/weft/cuda/device.py", "# a thought\n")
    before = build_copy.hashes("")
    planned = build_copy.planned("all", *small_config)
    assert rules(planned) == {"cuda_shard"} | COMPILED | AGGREGATES
    assert shards(planned) == {"loop", "matrix"}
    assert build_copy.hashes("") == before  # what made it plan this is as new to the next look


def test_an_edited_page_and_a_touched_module_rebuild_nothing(
    build_copy: Build, small_config: list[str]
) -> None:
    (build_copy.folder / "README.md").write_text("<!-- a comment -->\n")
    (build_copy.folder / "scripts/weft/cuda/device.py").touch()
    assert build_copy.planned("all", *small_config) == set()


def test_another_compiler_version_rebuilds_what_it_compiles(
    build_copy: Build, small_config: list[str], tmp_path: Path
) -> None:
    compiler = tmp_path / "bin/g++"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\necho 'g++ (faked) 12.9.9'\n")
    compiler.chmod(0o755)
    planned = build_copy.planned(
        "all", *small_config, PATH=f"{compiler.parent}{os.pathsep}{os.environ['PATH']}"
    )
    assert rules(planned) == {"cpu_device"} | COMPILED | AGGREGATES


def test_the_cpu_device_is_made_once_for_all_shards(small_build: Build) -> None:
    made = {path.name for path in (small_build.results / "cpu_device").glob("[!.]*")}
    assert made == {"device.o", "driver.o", "guard", "weft_program.h.gch", "digests.json"}
    assert len(list((small_build.results / "runs/cpu").glob("*/*.json"))) == 2


def test_another_warp_version_rebuilds_what_warp_makes(build_copy: Build, small_config: list[str]) -> None:
    distribution = build_copy.folder / "library/warp_lang-99.9.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: warp-lang\nVersion: 99.9\n")
    planned = build_copy.planned("all", *small_config)
    assert (
        rules(planned)
        == {
            "ir_shard",
            "ir_check_shard",
            "warp_headers",
            "warp_tile_headers",
            "reference_shard",
            "cuda_shard",
        }
        | COMPILED
        | AGGREGATES
    )


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        pytest.param("ir", {"kernels_shard", "ir_shard"}, marks=pytest.mark.full),
        pytest.param("cuda", {"kernels_shard", "ir_shard", "cuda_shard"}, marks=pytest.mark.full),
        ("ptx", {"kernels_shard", "ir_shard", "cuda_shard", "ptx_shard"}),
    ],
)
def test_a_stage_is_a_target(stage: str, expected: set[str], small_config: list[str], tmp_path: Path) -> None:
    build = Build.fresh(tmp_path / "fresh")
    assert rules(build.planned(stage, *small_config)) == expected | {stage}
    assert not build.results.exists()  # a dry run writes nothing


def test_looking_at_another_configuration_changes_nothing(build_copy: Build, small_config: list[str]) -> None:
    before = build_copy.hashes("")
    build_copy.planned("all", *small_config, "categories=[vector]", "kernels_per_seed=3")
    assert build_copy.hashes("") == before


def test_a_job_on_another_machine_sees_the_devices_of_the_main_process(
    build_copy: Build, small_config: list[str]
) -> None:
    plan = build_copy.results / "plan.json"
    plan.write_text(plan.read_text().replace('"cpu"', '"cpu",\n  "cuda"'))
    planned = build_copy.planned("runs", "--mode", "remote", *small_config, "devices=auto")
    assert "runs_cuda" in rules(planned)


def test_no_gpu_costs_the_runs_on_the_gpu_and_nothing_else(
    build_copy: Build, small_config: list[str]
) -> None:
    if Path("/dev/nvidia0").exists():
        pytest.skip("this machine has a GPU")
    done = build_copy.run("all", "--cores", "2", *small_config, "devices=[cpu, cuda]", check=False)
    assert done.returncode == 1
    assert "no CUDA device" in done.stdout + done.stderr
    assert "cuda: 0 verified, 0 rejected, 4 not run" in done.stdout
    assert "cpu: 4 verified, 0 rejected\n" in done.stdout
    assert "stats: results/runs/cuda/loop/0.json is missing" in done.stderr
    planned = build_copy.planned("all", *small_config, "devices=[cpu, cuda]")
    assert rules(planned) == {
        "runs_cuda",
        "stats_tables",
        "limits_check",
        "dataset_files",
        "report_page",
        "all",
    }


def test_two_builds_in_one_folder_cannot_collide(build_copy: Build, small_config: list[str]) -> None:
    """Once the other has ended, this one finds what is to be done: a folder is lost, and a script edited."""
    before = build_copy.hashes(*REPRODUCIBLE)
    append(build_copy, "scripts/stats.py", "# a comment\n")
    lost = sorted((build_copy.results / "runs").rglob("*.json"))
    for path in lost:
        path.unlink()
    (build_copy.folder / ".snakemake").mkdir(exist_ok=True)
    lock = build_copy.folder / ".snakemake/weft.lock"
    with subprocess.Popen(["flock", str(lock), "sleep", "60"], start_new_session=True) as holder:
        time.sleep(0.5)
        refused = build_copy.run("all", "--cores", "2", *small_config, check=False)
        planned = build_copy.planned("all", *small_config)
        os.killpg(holder.pid, signal.SIGKILL)
    assert refused.returncode != 0
    assert "another build is running in" in refused.stdout + refused.stderr
    assert "Traceback" not in refused.stdout + refused.stderr
    assert rules(planned) == {
        "runs_cpu",
        "stats_tables",
        "limits_check",
        "dataset_files",
        "report_page",
        "all",
    }
    assert shards(planned) == {"loop", "matrix"}
    assert not any(map(Path.exists, lost))
    build_copy.run("all", "--cores", "2", *small_config)
    assert "cpu: 4 verified, 0 rejected\n" in build_copy.script("stats", "results", "--show").stdout
    assert build_copy.hashes(*REPRODUCIBLE) == before


def test_a_build_over_a_limit_fails_again_and_again_and_loses_nothing(
    build_copy: Build, small_config: list[str]
) -> None:
    path = build_copy.results / "runs/cpu/loop/0.json"
    runs = json.loads(path.read_text())
    torn = {"stage": "runs", "reason": "non_deterministic", "message": "it varies", "line": None}
    runs["rejects"] = [sample | torn for sample in runs["samples"]]
    path.write_text(json.dumps(runs))
    for _ in range(2):
        done = build_copy.run("all", "--cores", "2", *small_config, check=False)
        assert done.returncode == 1
        assert "2 of 4 generated kernels are non_deterministic (50.00 %)" in done.stderr
        assert (build_copy.results / "stats/rejects.jsonl").read_text().count("non_deterministic") == 2
        assert not (build_copy.results / "limits.json").exists()


def append(build: Build, path: str, text: str) -> None:
    with (build.folder / path).open("a") as file:
        file.write(text)
