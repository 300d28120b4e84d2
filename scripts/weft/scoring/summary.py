"""What verdicts come to: pass@k with intervals, by what is known of the tasks, and reasons counted."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.files import read_json, sha256
from weft.runs.candidate_stage import find_sample
from weft.scoring.answers import kind_of, sample_of
from weft.scoring.groups import GROUPS, group_of

SCHEMA = 2
TRAITS = ("difficulty", "kind", "origin", "category")
"""What is known of each task, by which scores stand."""
KS = (1, 5, 10, 25, 50, 100)
PS = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Of fast_p."""
RESAMPLES = 2000
SEED = 0
LEVEL = 0.95

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Task:
    """A task's answers, how many of them are right, and what the task is like. `speedups` has a number for
    each right answer; None where answers are not timed.
    """

    answers: int
    right: int
    traits: Mapping[str, str]
    speedups: Sequence[float] | None = None


def summary(
    verdicts: Sequence[Mapping[str, Any]],
    results: Path,
    asked: Collection[str] = (),
    gpu: str | None = None,
) -> dict[str, Any]:
    """The summary of verdicts (docs/formats/scores.md). What was `asked` and has no answer is not passed.
    Verdicts with speeds are from the `gpu` of that name.

    Raises UserError where the build cannot be read.
    """
    tasks = _tasks(verdicts, results, asked, gpu is not None)
    groups = collections.Counter(group_of(one["verdict"], one["reason"]) for one in verdicts)
    by_verdict = collections.Counter(one["verdict"] for one in verdicts)
    return {
        "schema": SCHEMA,
        "answers": len(verdicts),
        "tasks": len(tasks),
        "tasks_sha256": sha256("\n".join(tasks).encode()),
        "unanswered": sum(task.answers == 0 for task in tasks.values()),
        "verdicts": {"verified": 0, "rejected": 0, "unsupported": 0, "error": 0} | by_verdict,
        "reasons": dict(
            collections.Counter(one["reason"] for one in verdicts if one["reason"]).most_common()
        ),
        "groups": {group.name: groups[group] for group in GROUPS},
        "intervals": {"level": LEVEL, "resamples": RESAMPLES, "seed": SEED},
        "gpu": gpu,
        "all": _scores(list(tasks.values())),
        **{trait: _by(list(tasks.values()), trait) for trait in TRAITS},
    }


def pass_at(answers: int, right: int, k: int) -> float:
    """The chance that one of `k` answers, drawn from `answers` of which `right` are right, is right: the
    unbiased estimator of Chen et al., Evaluating Large Language Models Trained on Code (2021).
    """
    if answers - right < k:
        return float(right > 0)
    return 1.0 - float(np.prod(1.0 - k / np.arange(answers - right + 1, answers + 1)))


def fast_at(task: Task, p: float) -> float:
    """The share of a task's answers that are right and more than `p` times as fast as the sample's own
    program: with one answer, the term of fast_p in Ouyang et al., KernelBench: Can LLMs Write Efficient GPU
    Kernels? (2025). fast_0 is what is right.
    """
    assert task.speedups is not None
    fast = sum(p == 0 or speedup > p for speedup in task.speedups)
    return fast / task.answers if task.answers else 0.0


def interval(passes: Floats) -> tuple[float, float]:
    """Between which values the mean lies when tasks are drawn anew (percentile bootstrap)."""
    rng = np.random.default_rng(SEED)
    means = [passes[rng.integers(len(passes), size=len(passes))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _scores(tasks: Sequence[Task]) -> dict[str, Any]:
    """pass@k for every k of KS for which each task that was answered has k answers, and fast_p where answers
    are timed.
    """
    most = min((task.answers for task in tasks if task.answers), default=0)
    ks = [k for k in KS if k <= most]
    found: dict[str, Any] = {
        "tasks": len(tasks),
        "answers": sum(task.answers for task in tasks),
        "verified": sum(task.right for task in tasks),
        "pass": {str(k): _mean([pass_at(task.answers, task.right, k) for task in tasks]) for k in ks},
    }
    if tasks and all(task.speedups is not None for task in tasks):
        found["fast"] = {f"{p:g}": _mean([fast_at(task, p) for task in tasks]) for p in PS}
    return found


def _mean(of_tasks: Sequence[float]) -> dict[str, float]:
    values = np.array(of_tasks)
    value, low, high = (round(float(one), 6) for one in (values.mean(), *interval(values)))
    return {"value": value, "low": low, "high": high}


def _by(tasks: Sequence[Task], trait: str) -> dict[str, Any]:
    names = sorted({task.traits[trait] for task in tasks})
    return {name: _scores([task for task in tasks if task.traits[trait] == name]) for name in names}


def _tasks(
    verdicts: Sequence[Mapping[str, Any]], results: Path, asked: Collection[str], timed: bool
) -> dict[str, Task]:
    """The tasks that the build has by their ids, in order."""
    answers: collections.Counter[str] = collections.Counter(dict.fromkeys(asked, 0))
    right: dict[str, list[float]] = collections.defaultdict(list)
    for one in verdicts:
        if one["task_id"] is not None and one["reason"] != "no_task":
            answers[one["task_id"]] += 1
            if one["verdict"] == "verified":
                # What could not be timed is not fast.
                speedup = one["speed"]["speedup"] if timed else None
                right[one["task_id"]].append(speedup or 0.0)
    traits = _Traits(results)
    return {
        task: Task(answers[task], len(right[task]), traits.of(task), right[task] if timed else None)
        for task in sorted(answers)
    }


class _Traits:
    """What is known of the tasks about the samples of a build."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._sources = read_json(results / "plan.json")["sources"]

    def of(self, task_id: str) -> dict[str, str]:
        """The value of each of TRAITS."""
        sample_id = sample_of(task_id)
        shard = find_sample(sample_id, self._results, None, None).cuda.with_suffix(".json")
        category = shard.parent.name
        difficulty = self._difficulties(self._results / "ir" / category / shard.name).get(sample_id)
        return {
            "category": category,
            "difficulty": difficulty or "unknown",
            "origin": "source" if category in self._sources else "generated",
            "kind": kind_of(task_id),
        }

    @functools.cache  # noqa: B019
    def _difficulties(self, path: Path) -> dict[str, str]:
        return {one["sample_id"]: one["launch"]["difficulty"] for one in read_json(path)["records"]}
