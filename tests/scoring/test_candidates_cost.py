"""What judging candidates costs is counted by steps, each second once (benchmarks/candidates.py)."""

import importlib.util
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from building import ROOT
from weft.runs import candidate, verdict
from weft.runs.build import CpuToolchain
from weft.runs.interface import watch_command

SPEC = importlib.util.spec_from_file_location("candidates_cost", ROOT / "benchmarks/candidates.py")
assert SPEC is not None and SPEC.loader is not None
cost = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(cost)


def steps(**seconds: float) -> Any:
    found = cost.Steps()
    found.seconds = Counter(seconds)
    return found


def test_every_verdict_has_its_column() -> None:
    found = cost.means({"unsupported": [steps(linking=0.25), steps(linking=0.75)], "verified": [steps()]})
    assert [one["linking"] for one in found.values()] == [500, 0]
    batch = dict.fromkeys(
        ("answers", "cpu_seconds", "verified", "load", "samples", "jobs", "wall_seconds"), 1
    )
    result = {"batch": batch, "steps": found, "cores": 2, "every": 10, "once": {}}
    rows = [line for line in cost.part(result).splitlines() if line.startswith("|")]
    assert rows[0] == "| step, ms per candidate | unsupported | verified | work |"
    assert {row.count("|") for row in rows[: len(cost.STEPS) + 3]} == {5}


def test_the_samples_own_program_is_a_step_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A second for each execution, and ten for the compiler."""
    clock = [0.0]

    def takes(seconds: float) -> Any:
        def function(*_: object, **__: object) -> None:
            clock[0] += seconds

        return function

    judge: Any = verdict

    def outputs_of(*_: object) -> list[dict[str, Any]]:
        judge.run_batch(None, [["sample"]], variables=forward)
        return [{}]

    forward = {"WEFT_THREAD_ORDER": "forward"}
    run_batch = takes(1)
    monkeypatch.setattr(cost, "cpu_seconds", lambda: clock[0])
    monkeypatch.setattr(verdict, "run_batch", run_batch)
    monkeypatch.setattr(candidate, "outputs_of", outputs_of)
    monkeypatch.setattr(CpuToolchain, "compile", takes(10))
    shard: Any = SimpleNamespace(program=lambda _: "")
    unasked: Any = None
    counted = cost.Steps()
    with counted.taken():
        judge.run_batch(None, [["sample"]], variables=forward)
        judge.run_batch(None, [watch_command("sample", "x", 0, 0, 4)], variables=forward)
        for direction in ("nearest", "up", "down"):
            candidate.own_outputs(shard, unasked, unasked, CpuToolchain("g++", tmp_path), direction)
            (tmp_path / "own").touch()
    assert counted.seconds == {"forward": 1, "telling": 1, cost.OWN: 13, "all": 15}
    assert judge.run_batch is run_batch
