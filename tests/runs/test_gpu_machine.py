"""`benchmarks/gpu.py`: what goes to a machine with a GPU, what is needed there, and what the log counts."""

import argparse
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from weft.errors import UserError

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks/gpu.py"
SHARD = "vector/0"


@pytest.fixture
def gpu_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gpu_script", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    files = (f"cuda/{SHARD}.cu", f"cuda/{SHARD}.json", f"reference/{SHARD}.npz", f"ptx/sm_75/{SHARD}.ptx")
    of_seeds = (f"kernels/{SHARD}.py", f"ir/{SHARD}.json", "cases/vector-0000-0003-5-hash.npz")
    for file in (*files, *of_seeds, "cuda/alone/0.cu"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("content\n")
    return folder


def test_the_archive_has_code_programs_and_references_and_is_small(
    gpu_script: ModuleType, results: Path, tmp_path: Path
) -> None:
    (results / "runs").mkdir()
    (results / "runs/old.json").write_text("{}")
    (results / "plan.json").write_text("{}")
    size = gpu_script.pack(results, tmp_path / "pack.tar.gz", None, "pinned")
    with tarfile.open(tmp_path / "pack.tar.gz") as tar:
        names = set(tar.getnames())
    assert {
        f"results/cuda/{SHARD}.cu",
        f"results/cuda/{SHARD}.json",
        f"results/reference/{SHARD}.npz",
        f"results/ptx/sm_75/{SHARD}.ptx",
        f"results/kernels/{SHARD}.py",
        f"results/ir/{SHARD}.json",
        "results/cases/vector-0000-0003-5-hash.npz",
        "results/plan.json",
    } <= names
    device = {f"scripts/weft/runs/device/{name}" for name in ("gpu_guards.h", "driver.cpp", "driver.h")}
    assert {"benchmarks/gpu.py", "scripts/runs.py", *device} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith("results/runs")]
    assert size == (tmp_path / "pack.tar.gz").stat().st_size < 4 * 2**20


def test_an_archive_that_is_too_large_is_refused(
    gpu_script: ModuleType, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_script, "PACKED_BYTES", 1000)
    with pytest.raises(UserError, match="MiB, more than"):
        gpu_script.pack(results, tmp_path / "pack.tar.gz", None, "pinned")


def test_it_needs_numpy_and_nothing_else_and_says_if_there_is_no_gpu(tmp_path: Path) -> None:
    code = (
        "import sys, runpy; sys.modules |= {name: None for name in ('warp', 'jinja2', 'snakemake', 'rich')}; "
    )
    code += f"sys.argv = ['gpu.py', 'run', 'results']; runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}  # the driver then shows no GPU, if there is one
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, env=hidden
    )
    assert (done.returncode, done.stderr) == (1, "no CUDA device\n")


def test_the_log_counts_verdicts_and_names_what_is_missing(gpu_script: ModuleType, results: Path) -> None:
    sample = {"sample_id": "vector-0000-0000", "kernel_name": "a", "message": "", "reason": None}
    verified = {"verdict": "verified", "checks": ["memcheck"], "fmad_false_bits": True}
    wrong = {"verdict": "rejected", "reason": "wrong_output", "checks": [], "fmad_false_bits": False}
    runs = {"samples": [sample | verified, sample | wrong], "flags": ["-O3"], "embedded_ptx": "sm_75"}
    path = results / f"runs/cuda/{SHARD}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(runs))
    unfinished = results / "cuda/vector/1.cu"
    unfinished.write_text("")
    (results / "runs/cuda/vector/1.txt").write_text("a line\nptxas fails\n")

    log = gpu_script.describe(results, [results / f"cuda/{SHARD}.cu", unfinished])
    assert log["verdicts"] == {"rejected": 1, "verified": 1} and log["reasons"] == {"wrong_output": 1}
    assert log["bits_with_fmad_false"] == 1 and log["checks"] == {"memcheck": 1}
    assert [one["reason"] for one in log["not_verified"]] == ["wrong_output"]
    assert log["missing_shards"] == {"vector/1.cu": "ptxas fails"}
    assert log["speed"]["sizes"] == []
    assert log["untimed_shards"] == [f"{SHARD}.cu", "vector/1.cu"]


def test_a_shard_without_a_reference_is_not_run(gpu_script: ModuleType, results: Path) -> None:
    assert gpu_script.shards(results) == [results / f"cuda/{SHARD}.cu"]


def test_half_of_the_time_is_for_judging_and_what_is_timed_is_compiled_before(
    gpu_script: ModuleType, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock stands in for the work: each step takes ten seconds."""
    now, steps = [0.0], []
    for name in "123":
        for file in (f"cuda/vector/{name}.cu", f"reference/vector/{name}.npz"):
            (results / file).write_text("")

    def step(what: str, cuda: Path) -> None:
        now[0] += 10
        steps.append(f"{what} {cuda.stem}")

    def call(results: Path, stage: str, cuda: Path, options: list[str]) -> None:
        step("judge", cuda)
        path = gpu_script.beside(results, "runs/cuda", cuda, ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")

    def build(*words: object) -> Path | None:
        cuda = words[-1]
        assert isinstance(cuda, Path)
        step("compile", cuda)
        return None if cuda.stem == "0" else cuda

    def time_built(built: Path, *_: object) -> dict[str, Any]:
        step("time", built)
        return {}

    for name, stand_in in {
        "call": call,
        "build_to_time": build,
        "time_built": time_built,
        "resolve_arch": lambda _: "sm_90",
        "describe": lambda *_: {"verdicts": {}},
        "machine": lambda _: {"gpu": "A GPU", "date": "2026-01-01"},
    }.items():
        monkeypatch.setattr(gpu_script, name, stand_in)
    monkeypatch.setattr(gpu_script.time, "monotonic", lambda: now[0])
    options = argparse.Namespace(
        results=results, nvcc="nvcc", jobs=1, seconds=60, sizes=[10], sanitizer=0.0, measured=tmp_path
    )
    gpu_script.run(options)
    assert steps == ["judge 0", "judge 1", "judge 2", "compile 0", "compile 1", "time 1"]
    assert json.loads((tmp_path / "a-gpu-2026-01-01.json").read_text())["ended"]
    now[0] = 0.0
    steps.clear()
    gpu_script.run(options)
    assert steps == ["judge 0", "judge 1", "judge 2", "compile 0", "compile 2", "time 2"]


KILLED = """
import os, runpy, signal, sys
gpu = runpy.run_path(sys.argv.pop(1))
shards = []

def call(results, stage, cuda, options):
    shards.append(cuda)
    if len(shards) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    sample = {"sample_id": "vector-0000-0000", "verdict": "verified", "reason": None, "checks": []}
    shard = {"samples": [sample], "flags": [], "embedded_ptx": None}
    path = gpu["beside"](results, "runs/cuda", cuda, ".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    gpu["write_json"](path, shard)

names = gpu["run"].__globals__
names |= {"call": call, "count_gpus": lambda: 1, "machine": lambda _: {"gpu": "A GPU", "date": "2026-01-01"}}
gpu["main"]()
"""


def test_a_run_that_is_killed_leaves_a_log_of_what_it_found(results: Path, tmp_path: Path) -> None:
    for file in ("cuda/vector/1.cu", "reference/vector/1.npz"):
        (results / file).write_text("")
    command = [sys.executable, "-c", KILLED, str(SCRIPT), "run", str(results), "--jobs", "1"]
    done = subprocess.run([*command, "--measured", str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    log = json.loads((tmp_path / "a-gpu-2026-01-01.json").read_text())
    assert log["verdicts"] == {"verified": 1}
    assert log["missing_shards"] == {"vector/1.cu": "not begun"}
    assert not log["ended"]


def test_why_a_shard_is_not_compiled_to_be_timed_is_kept(
    gpu_script: ModuleType, results: Path, tmp_path: Path
) -> None:
    cuda = results / f"cuda/{SHARD}.cu"
    verdicts = results / f"runs/cuda/{SHARD}.json"
    verdicts.parent.mkdir(parents=True)
    verdicts.write_text(json.dumps({"device": "cuda", "samples": []}))
    assert gpu_script.build_to_time(results, tmp_path / "build", "no-nvcc", "sm_90", cuda) is None
    said = (results / f"speed/cuda/{SHARD}.txt").read_text()
    assert said.endswith("vector/0.ptx is not PTX: it has no .target\n")
