"""`inspect eval weft/translate` asks, judges and scores (`make test-inspect`)."""

import json
import subprocess
from pathlib import Path

import pytest

from building import Build
from tools import INSPECT, has_sandbox


@pytest.mark.full
@pytest.mark.workflow
@pytest.mark.needs("inspect")
def test_a_model_that_is_none_is_scored(small_build: Build, tmp_path: Path) -> None:
    script = Path(__file__).with_name("inspect_run.py")
    done = subprocess.run(
        [INSPECT, "-P", script, small_build.results, tmp_path, *([] if has_sandbox() else ["no-sandbox"])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    right = {name for name, one in result["scores"].items() if one["explanation"] == "verified"}
    assert right == {"loop-0000-0000", "matrix-0000-0000"}
    for name, one in result["scores"].items():
        assert one["value"]["verified"] == float(name in right)
        assert name in right or one["explanation"].startswith("compile_error: candidate.cu:1: ")
    assert result["metrics"]["verified"]["mean"] == pytest.approx(2 / len(result["scores"]))
