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
from weft.runs.warp_kernel import stands_alone
from weft.scoring.answers import kind_of, sample_of
from weft.scoring.groups import GROUPS, group_of

SCHEMA = 4
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
    each right answer, and `warp_speedups` another; None where answers are not timed, or Warp's kernel cannot
    be.
    """

    answers: int
    right: int
    traits: Mapping[str, str]
    speedups: Sequence[float] | None = None
    warp_speedups: Sequence[float] | None = None


def summary(
    verdicts: Sequence[Mapping[str, Any]],
    results: Path,
    asked: Collection[str] = (),
    gpu: str | None = None,
    with_warp: bool = False,
    seed: int | None = None,
) -> dict[str, Any]:
    """The summary of verdicts (docs/formats/scores.md). What was `asked` and has no answer is not passed.
    Verdicts with speeds are from the `gpu` of that name, where Warp's own kernels may be timed, too.
    The cases follow from `seed`, or are those of the build.

    Raises UserError where the build cannot be read.
    """
    tasks = _tasks(verdicts, results, asked, gpu is not None, with_warp)
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
        "seed": seed,
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


def fast_at(answers: int, speedups: Sequence[float], p: float) -> float:
    """The share of a task's `answers` that are right, with these speedups, and more than `p` times as fast as
    the baseline: with one answer, the term of fast_p in Ouyang et al., KernelBench: Can LLMs Write Efficient
    GPU Kernels? (2025). fast_0 is what is right.
    """
    return sum(p == 0 or speedup > p for speedup in speedups) / answers if answers else 0.0


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
    for name in ("", "warp_"):
        speedups = [(task.answers, getattr(task, f"{name}speedups")) for task in tasks]
        timed = [(answers, given) for answers, given in speedups if given is not None]
        if timed:
            fast = {f"{p:g}": _mean([fast_at(*one, p) for one in timed]) for p in PS}
            found |= {"fast_warp": fast, "warp_tasks": len(timed)} if name else {"fast": fast}
    return found


def _mean(of_tasks: Sequence[float]) -> dict[str, float]:
    values = np.array(of_tasks)
    value, low, high = (round(float(one), 6) for one in (values.mean(), *interval(values)))
    return {"value": value, "low": low, "high": high}


def _by(tasks: Sequence[Task], trait: str) -> dict[str, Any]:
    names = sorted({task.traits[trait] for task in tasks})
    return {name: _scores([task for task in tasks if task.traits[trait] == name]) for name in names}


def _tasks(
    verdicts: Sequence[Mapping[str, Any]],
    results: Path,
    asked: Collection[str],
    timed: bool,
    with_warp: bool,
) -> dict[str, Task]:
    """The tasks that the build has by their ids, in order."""
    answers: collections.Counter[str] = collections.Counter(dict.fromkeys(asked, 0))
    right: dict[str, list[Mapping[str, Any]]] = collections.defaultdict(list)
    for one in verdicts:
        if one["task_id"] is not None and one["reason"] != "no_task":
            answers[one["task_id"]] += 1
            if one["verdict"] == "verified":
                right[one["task_id"]].append(one)
    traits = _Traits(results)
    return {
        task: Task(
            answers[task],
            len(right[task]),
            traits.of(task),
            _speedups(right[task], "speedup") if timed else None,
            _speedups(right[task], "warp_speedup") if with_warp and traits.stands_alone(task) else None,
        )
        for task in sorted(answers)
    }


def _speedups(right: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    """What could not be timed is not fast."""
    return [one["speed"][name] or 0.0 for one in right]


@dataclasses.dataclass(frozen=True)
class _Known:
    """What a record of the ir stage says."""

    difficulty: str | None = None
    stands_alone: bool = False


class _Traits:
    """What is known of the tasks about the samples of a build."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._sources = read_json(results / "plan.json")["sources"]

    def of(self, task_id: str) -> dict[str, str]:
        """The value of each of TRAITS."""
        shard, known = self._known_of(task_id)
        category = shard.parent.name
        return {
            "category": category,
            "difficulty": known.difficulty or "unknown",
            "origin": "source" if category in self._sources else "generated",
            "kind": kind_of(task_id),
        }

    def stands_alone(self, task_id: str) -> bool:
        """Whether Warp's kernel can be timed."""
        return self._known_of(task_id)[1].stands_alone

    def _known_of(self, task_id: str) -> tuple[Path, _Known]:
        """The shard of a task's sample, and what its record of the ir stage says, if it has one."""
        sample_id = sample_of(task_id)
        shard = find_sample(sample_id, self._results, None, None).cuda.with_suffix(".json")
        known = self._known(self._results / "ir" / shard.parent.name / shard.name)
        return shard, known.get(sample_id, _Known())

    @functools.cache  # noqa: B019
    def _known(self, path: Path) -> dict[str, _Known]:
        return {
            one["sample_id"]: _Known(one["launch"]["difficulty"], stands_alone(one))
            for one in read_json(path)["records"]
        }
