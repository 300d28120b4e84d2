"""What the main process writes before any job, and the lock that it holds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from weft.errors import UserError
from weft.workflow.lock import BuildLock
from weft.workflow.machine import nvcc_path
from weft.workflow.versions import require_archs, tool_versions, write_versions

HOLD = """
import sys, time
from pathlib import Path
from weft.workflow.lock import BuildLock
print(BuildLock(Path(sys.argv[1])).acquire() and "held", flush=True)
time.sleep(60)
"""


def test_a_version_file_is_rewritten_only_if_the_version_changes(tmp_path: Path) -> None:
    write_versions(tmp_path, {"warp": "1.19.0", "nvcc": "13"})
    os.utime(tmp_path / "warp.json", (1, 1))
    os.utime(tmp_path / "nvcc.json", (1, 1))
    write_versions(tmp_path, {"warp": "1.19.0", "nvcc": "14"})
    assert (tmp_path / "warp.json").stat().st_mtime == 1
    assert (tmp_path / "nvcc.json").stat().st_mtime > 1
    assert json.loads((tmp_path / "nvcc.json").read_text()) == {"schema": 1, "tool": "nvcc", "version": "14"}


def test_versions_are_those_of_the_tools(tmp_path: Path) -> None:
    compiler = tmp_path / "g++-x"
    compiler.write_text("#!/bin/sh\necho 'g++-x 9.9'\necho 'Copyright'\n")
    compiler.chmod(0o755)
    versions = tool_versions(None, str(compiler))
    assert versions["host_compiler"] == "g++-x 9.9"
    assert versions["warp"][0].isdigit()
    assert "nvcc" not in versions


def test_a_tool_that_does_not_run_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"config: host_compiler: got .*nothing', which does not run"):
        tool_versions(None, str(tmp_path / "nothing"))


def test_one_process_at_a_time_holds_the_lock_also_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        mine = BuildLock(path)
        assert not mine.acquire()
        assert not mine.held
        other.kill()
        other.wait()
        assert mine.acquire()
        assert mine.acquire()
        mine.release()
        assert not mine.held


def test_jobs_do_not_inherit_the_lock(tmp_path: Path) -> None:
    mine = BuildLock(tmp_path / "lock")
    mine.acquire()
    with subprocess.Popen(["sleep", "60"]) as orphan:
        mine.release()
        assert BuildLock(tmp_path / "lock").acquire()
        orphan.kill()


@pytest.mark.needs("nvcc")
def test_an_architecture_that_nvcc_does_not_know_is_refused_before_anything_runs() -> None:
    nvcc = nvcc_path("pinned")
    require_archs(["sm_75", "sm_90a"], nvcc)
    require_archs([], "no-such-nvcc")
    with pytest.raises(UserError, match=r"archs: got 'sm_999'; allowed .*sm_75"):
        require_archs(["sm_999"], nvcc)
