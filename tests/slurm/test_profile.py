"""The slurm-gpu profile alone: what it asks for, and what a site can change. No Slurm is needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
import yte

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "profiles" / "slurm-gpu" / "config.yaml"
VARIABLE = re.compile(r"\bWEFT_[A-Z_]+[A-Z]\b")

SNAKEFILE = """
rule ptx_shard:
    output: touch("ptx")
    resources: nvcc=1
rule mutation_shard:
    output: touch("mutation")
    resources: nvcc=1
rule runs_cuda:
    output: touch("cuda")
    resources: gpu=1
rule runs_cpu:
    output: touch("cpu")
"""


def clean_environment(**site: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEFT_", "SNAKEMAKE_"))}
    kept["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    return {**kept, **site}


def profile(monkeypatch: pytest.MonkeyPatch, **site: str) -> dict[str, Any]:
    """The profile's settings on a site that sets these variables."""
    for name in [name for name in os.environ if name.startswith("WEFT_")]:
        monkeypatch.delenv(name)
    for name, value in site.items():
        monkeypatch.setenv(name, value)
    with PROFILE.open(encoding="utf-8") as stream:
        return yte.process_yaml(stream, require_use_yte=True)


def planned_resources(folder: Path, *profiles: str, **site: str) -> Mapping[str, Mapping[str, str]]:
    """What a dry run says that each rule asks for."""
    (folder / "Snakefile").write_text(SNAKEFILE)
    (folder / "slurm-gpu").symlink_to(PROFILE.parent)
    command = ["timeout", "-k", "5", "60", "snakemake", "-n", "ptx", "mutation", "cuda", "cpu"]
    for name in ("slurm-gpu", *profiles):
        command += ["--profile", name]
    answer = subprocess.run(
        command, cwd=folder, env=clean_environment(**site), text=True, capture_output=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    found = re.findall(r"^rule (\w+):\n(?:    .*\n)*?    resources: (.*)$", answer.stdout, re.MULTILINE)
    return {rule: dict(item.split("=", 1) for item in line.split(", ")) for rule, line in found}


def test_profile_is_found_as_typed() -> None:
    assert (ROOT / "slurm-gpu").resolve() == PROFILE.parent
    assert not (ROOT / "slurm-gpu").readlink().is_absolute()


def test_profile_and_default_profile_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    default = yaml.safe_load((ROOT / "profiles" / "default" / "config.yaml").read_text(encoding="utf-8"))
    slurm = profile(monkeypatch)
    assert {key: default[key] for key in default.keys() & slurm.keys()} == {
        key: slurm[key] for key in default.keys() & slurm.keys()
    }
    # A limit on GPUs in the default profile would let one GPU job at a time onto a cluster.
    assert "resources" not in default


def test_every_variable_is_documented_and_used() -> None:
    text = PROFILE.read_text(encoding="utf-8")
    comments = set(VARIABLE.findall("\n".join(re.findall(r"#.*", text))))
    settings = set(VARIABLE.findall(re.sub(r"#.*", "", text)))
    page = set(VARIABLE.findall((ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")))
    assert comments == settings == page


def test_every_rule_of_the_profile_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = set()
    for path in (ROOT / "rules").glob("*.smk"):
        rules |= set(re.findall(r"^rule (\w+):", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert profile(monkeypatch)["set-resources"].keys() <= rules


def test_status_command_does_not_need_accounting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert profile(monkeypatch)["slurm-status-command"] == "squeue"
    assert profile(monkeypatch, WEFT_STATUS_COMMAND="sacct")["slurm-status-command"] == "sacct"


def test_jobs_without_a_site(tmp_path: Path) -> None:
    jobs = planned_resources(tmp_path)
    assert jobs["runs_cpu"]["slurm_partition"] == jobs["ptx_shard"]["slurm_partition"] == "cpu"
    assert jobs["runs_cuda"]["slurm_partition"] == "gpu"
    assert jobs["runs_cuda"]["gpu"] == "1"
    assert not {"slurm_account", "constraint", "gpu_model"} & jobs["runs_cuda"].keys()


def test_jobs_of_a_site(tmp_path: Path) -> None:
    """Names that mean something to Python (`all`, `max`, 2080, a|b) stay names."""
    jobs = planned_resources(
        tmp_path,
        WEFT_CPU_PARTITION="all",
        WEFT_NVCC_PARTITION="max",
        WEFT_GPU_PARTITION="gpu-long",
        WEFT_ACCOUNT="2080",
        WEFT_GPU_TYPE="h100",
        WEFT_GPU_CONSTRAINT="nvlink|pcie",
    )
    assert jobs["runs_cpu"]["slurm_partition"] == "all"
    assert jobs["ptx_shard"]["slurm_partition"] == jobs["mutation_shard"]["slurm_partition"] == "max"
    assert jobs["runs_cuda"]["slurm_partition"] == "gpu-long"
    assert jobs["runs_cuda"]["gpu_model"] == "h100"
    assert jobs["runs_cuda"]["constraint"] == "nvlink|pcie"
    assert {job["slurm_account"] for job in jobs.values()} == {"2080"}


def test_overlay_of_a_site_keeps_the_rest(tmp_path: Path) -> None:
    (tmp_path / "weft-site").mkdir()
    (tmp_path / "weft-site" / "config.yaml").write_text("slurm-qos: long\nresources:\n  gpu: 8\n")
    jobs = planned_resources(tmp_path, "weft-site", WEFT_CPU_PARTITION="")
    assert "slurm_partition" not in jobs["runs_cpu"]
    assert jobs["runs_cuda"]["slurm_partition"] == "gpu"
