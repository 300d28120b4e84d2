"""A build of which too much is non-deterministic is no good build."""

import subprocess
import sys
from pathlib import Path

import pytest

from weft.files import read_json, write_json
from weft.limits.check import check_limits

ROOT = Path(__file__).parents[2]


def summary(made: int, **rejects: int) -> dict[str, object]:
    return {"generated": {"made": made, "rejects": rejects}}


@pytest.mark.parametrize(
    ("made", "kernels", "holds"),
    [(1000, 10, True), (1000, 11, False), (20, 1, True), (20, 2, False), (0, 0, True)],
)
def test_one_in_a_hundred_may_be_non_deterministic_or_one(made: int, kernels: int, holds: bool) -> None:
    (checked,) = check_limits(summary(made, non_deterministic=kernels))
    assert checked.holds == holds


def test_other_reasons_have_no_limit() -> None:
    (checked,) = check_limits(summary(100, insensitive=50))
    assert (checked.reason, checked.share, checked.holds) == ("non_deterministic", 0.0, True)


def limits(folder: Path, content: dict[str, object]) -> subprocess.CompletedProcess[str]:
    write_json(folder / "summary.json", content)
    names = [str(folder / name) for name in ("summary.json", "limits.json")]
    command = [sys.executable, "-P", str(ROOT / "scripts/limits.py"), names[0], "-o", names[1]]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_share_is_written(tmp_path: Path) -> None:
    assert limits(tmp_path, summary(400, non_deterministic=3)).returncode == 0
    written = read_json(tmp_path / "limits.json")["limits"]
    assert written == {"non_deterministic": {"share": 0.0075, "at_most": 0.01}}


def test_too_many_are_an_error_that_says_how_many(tmp_path: Path) -> None:
    done = limits(tmp_path, summary(400, non_deterministic=5))
    assert done.returncode == 1
    assert "5 of 400 generated kernels are non_deterministic (1.25 %); at most 1 % may be" in done.stderr
    assert not (tmp_path / "limits.json").exists()
