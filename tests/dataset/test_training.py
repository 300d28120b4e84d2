"""The columns of `sft` are what a common trainer takes: TRL, with its own loader (`make test-training`)."""

import json
import math
import os
import subprocess
from pathlib import Path

import pytest

from building import Build
from tools import TRAINING


@pytest.mark.full
@pytest.mark.workflow
@pytest.mark.needs("training")
def test_ten_steps_lower_the_loss(small_build: Build, tmp_path: Path) -> None:
    script = Path(__file__).with_name("training.py")
    done = subprocess.run(
        [TRAINING, "-P", script, small_build.results / "dataset", tmp_path / "model"],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    losses = json.loads(done.stdout.splitlines()[-1])
    print("losses:", *(f"{loss:.2f}" for loss in losses))
    assert len(losses) == 10
    assert all(map(math.isfinite, losses))
    assert losses[-1] < losses[0]
