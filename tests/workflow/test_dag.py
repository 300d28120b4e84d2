"""The graph of the rules is drawn while the build that it shows runs."""

import runpy
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

DAG = Path(__file__).parents[2] / "scripts/dag.py"
REPLACED = "Unable to obtain modification time of file results/dataset although it existed before."


@pytest.mark.parametrize(("errors", "tries"), [([REPLACED], 2), (["no such rule"], 1)])
def test_a_plan_is_made_again_if_a_job_replaced_a_folder(
    monkeypatch: pytest.MonkeyPatch, errors: list[str], tries: int
) -> None:
    calls: list[Sequence[str]] = []

    def run(command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        error = errors[len(calls) - 1] if len(calls) <= len(errors) else ""
        return subprocess.CompletedProcess(command, int(bool(error)), "digraph {}", error)

    printed = runpy.run_path(str(DAG))["_printed"]
    monkeypatch.setattr(subprocess, "run", run)
    if tries == 1:
        with pytest.raises(subprocess.CalledProcessError):
            printed("--rulegraph")
    else:
        assert printed("--rulegraph") == "digraph {}"
    assert len(calls) == tries
