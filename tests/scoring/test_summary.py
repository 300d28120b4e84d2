"""pass@k is what drawing k answers gives, and intervals follow from the verdicts alone."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft.scoring.summary
from weft.scoring.summary import fast_at, interval, pass_at, summary


@pytest.mark.parametrize("answers", range(1, 7))
def test_pass_at_k_is_the_share_of_draws_with_a_right_answer(answers: int) -> None:
    for right, k in itertools.product(range(answers + 1), range(1, answers + 1)):
        draws = list(itertools.combinations(range(answers), k))
        share = sum(any(one < right for one in draw) for draw in draws) / len(draws)
        assert pass_at(answers, right, k) == pytest.approx(share)


def test_an_interval_holds_the_mean_and_narrows() -> None:
    passes = np.array([0.0, 1.0] * 10)
    low, high = interval(passes)
    assert low < 0.5 < high
    assert interval(passes) == (low, high)
    narrow_low, narrow_high = interval(np.tile(passes, 16))
    assert high - low > 3 * (narrow_high - narrow_low)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A build of two categories, of which one is a source."""
    (tmp_path / "plan.json").write_text(json.dumps({"sources": {"heat": "heat.py"}}))
    for category, difficulty in (("vector", "easy"), ("heat", None)):
        records = [
            {"sample_id": f"{category}-0000-{index:04d}", "launch": {"difficulty": difficulty}}
            for index in (0, 1)
        ]
        (tmp_path / "ir" / category).mkdir(parents=True)
        (tmp_path / "ir" / category / "0.json").write_text(json.dumps({"records": records}))
    return tmp_path


def verdicts(task: str, reasons: list[str | None]) -> list[dict[str, Any]]:
    return [
        {"task_id": task, "verdict": "rejected" if reason else "verified", "reason": reason}
        for reason in reasons
    ]


def test_scores_stand_by_what_is_known_of_the_tasks(results: Path) -> None:
    found = summary(
        [
            *verdicts("vector-0000-0000", [None, "race", "race", "race", "crash"]),
            *verdicts("vector-0000-0001/repair", [None] * 6),
            *verdicts("heat-0000-0000", ["timeout"] * 5),
            {"task_id": None, "verdict": "error", "reason": "bad_line"},
            {"task_id": "heat-0007-0000", "verdict": "error", "reason": "no_task"},
        ],
        results,
        ["vector-0000-0000", "heat-0000-0001"],
    )
    assert (found["answers"], found["tasks"], found["unanswered"]) == (18, 4, 1)
    assert found["verdicts"] == {"verified": 7, "rejected": 9, "unsupported": 0, "error": 2}
    assert found["reasons"] == {"timeout": 5, "race": 3, "crash": 1, "bad_line": 1, "no_task": 1}
    assert found["groups"] == {
        "not judged": 1, "nothing to run": 1, "unsupported": 0,
        "fails while running": 6, "gives wrong results": 0, "right by luck": 3, "right": 7,
    }  # fmt: skip
    scores = found["all"]["pass"]
    assert list(scores) == ["1", "5"]
    assert scores["1"]["value"] == pytest.approx((0.2 + 1 + 0 + 0) / 4)
    assert scores["5"]["value"] == pytest.approx((1 + 1 + 0 + 0) / 4)
    assert found["difficulty"]["easy"]["pass"]["1"]["value"] == pytest.approx(0.6)
    assert found["difficulty"]["unknown"]["tasks"] == 2
    assert found["origin"]["source"]["pass"]["1"]["value"] == 0
    assert found["kind"]["repair"]["verified"] == 6
    assert list(found["category"]) == ["heat", "vector"]


def test_a_task_without_cases_counts(results: Path) -> None:
    """As it does for another model, for which there were some: both were asked the same."""
    lost = [{"task_id": "vector-0000-0000", "verdict": "error", "reason": "no_cases"}]
    found, other = (summary(one, results) for one in (lost, verdicts("vector-0000-0000", [None])))
    assert found["tasks_sha256"] == other["tasks_sha256"]
    assert found["all"]["pass"]["1"]["value"] == 0
    assert {name for name, count in found["groups"].items() if count} == {"not judged"}


def test_nothing_gives_no_scores(results: Path) -> None:
    assert summary([], results)["all"] == {"tasks": 0, "answers": 0, "verified": 0, "pass": {}}


@pytest.mark.parametrize(
    ("p", "share"), [(0, 0.75), (0.5, 0.5), (1, 0.25), (1.5, 0.25), (1.7, 0.0), (2, 0.0)]
)
def test_fast_p_counts_what_is_right_and_more_than_p_times_as_fast(p: float, share: float) -> None:
    """Of four answers one is wrong, and one could not be timed."""
    assert fast_at(4, [1.7, 0.0, 1.0], p) == share
    assert fast_at(0, [], p) == 0


def timed(task: str, *speedups: float | None) -> list[dict[str, Any]]:
    return [
        {
            "task_id": task,
            "verdict": "verified",
            "reason": None,
            "speed": {"speedup": one, "warp_speedup": one and 2 * one},
        }
        for one in speedups
    ]


def test_fast_p_is_the_mean_over_tasks_with_an_interval(results: Path) -> None:
    found = summary(
        [
            *timed("vector-0000-0000", 1.25, None, 3.0),
            *verdicts("vector-0000-0000", ["race"]),
            *timed("heat-0000-0000", 0.75),
        ],
        results,
        ["vector-0000-0000", "vector-0000-0001"],
        "some GPU",
    )
    assert found["gpu"] == "some GPU"
    fast = found["all"]["fast"]
    assert list(fast) == ["0", "0.5", "1", "1.5", "2"]
    expected = [(0.75 + 1 + 0) / 3, (0.5 + 1 + 0) / 3, (0.5 + 0 + 0) / 3, (0.25 + 0 + 0) / 3]
    assert [one["value"] for one in fast.values()][:4] == pytest.approx(expected, abs=1e-6)
    assert all(one["low"] <= one["value"] <= one["high"] for one in fast.values())
    assert found["category"]["heat"]["fast"]["0.5"]["value"] == 1
    assert fast["0"]["value"] == found["all"]["pass"]["1"]["value"]
    assert "fast_warp" not in found["all"]


def test_against_warps_kernel_tasks_count_for_which_it_can_be_timed(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        weft.scoring.summary, "stands_alone", lambda record: record["sample_id"].endswith("-0000")
    )
    asked = ["vector-0000-0000", "vector-0000-0001", "heat-0000-0000"]
    found = summary(timed("vector-0000-0000", 1.0, 0.5), results, asked, "some GPU", with_warp=True)
    assert found["all"]["warp_tasks"] == 2
    assert found["all"]["fast_warp"]["1"]["value"] == pytest.approx(0.5 / 2)
    assert found["all"]["fast"]["1"]["value"] == 0
    assert found["category"]["heat"]["fast_warp"]["0"]["value"] == 0


def test_without_a_gpu_there_is_no_fast_p(results: Path) -> None:
    found = summary(verdicts("vector-0000-0000", [None]), results)
    assert found["gpu"] is None and "fast" not in found["all"]
