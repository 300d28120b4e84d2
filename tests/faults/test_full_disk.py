"""A disk is full while a stage works, then freed.

Results and temporary files lie on a small file system of the test's own. While it is full the build ends with
an error and rejects nothing; the same command afterwards gives the bytes of an undisturbed build.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from building import REPRODUCIBLE, Build

pytestmark = [pytest.mark.workflow, pytest.mark.needs("bwrap")]

DRIVER = Path(__file__).parent / "fill_disk.py"
DISK_BYTES = 500_000_000
STAGES = (
    "kernels",
    "ir",
    "ir_check",
    "warp_headers,reference",
    "reference",
    "cuda",
    "ptx",
    "cpu_device,runs",
    "runs",
)
BYTES_LEFT = (20_000, 200_000, 2_000_000)
"""What is left: nothing to speak of, enough for Snakemake's own files, and enough for some of a stage's."""
SAMPLED = ("reference", 200_000)


@pytest.mark.parametrize(
    ("stage", "left"),
    [
        pytest.param(stage, left, marks=[] if (stage, left) == SAMPLED else pytest.mark.full)
        for stage in STAGES
        for left in BYTES_LEFT
    ],
)
def test_a_full_disk_is_an_error_and_nothing_is_lost(
    stage: str, left: int, small_build: Build, small_config: list[str], tmp_path: Path
) -> None:
    bwrap = shutil.which("bwrap")
    assert bwrap is not None
    disk = tmp_path / "disk"
    disk.mkdir()
    around = [bwrap, "--dev-bind", "/", "/", "--size", str(DISK_BYTES), "--tmpfs", str(disk), "--"]
    driver = [sys.executable, str(DRIVER), str(small_build.folder), str(disk), str(left), stage]
    command = small_build.command("all", "samples", "--cores", "2", *small_config)
    done = subprocess.run(
        [*around, *driver, *command], capture_output=True, text=True, check=True, timeout=300
    )
    found = json.loads(done.stdout)
    full, free = found["full"], found["free"]
    assert full["status"] != 0, full["said"]
    assert "Rejected" not in full["said"], full["said"]
    assert free["status"] == 0, free["said"]
    stages = (*REPRODUCIBLE, "ir_check", "stats", "samples", "diversity")
    expected = small_build.hashes(*stages)
    assert {file: found["digests"].get(file) for file in expected} == expected
