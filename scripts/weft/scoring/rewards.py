"""A reward for each answer, as trainers such as TRL's GRPOTrainer call it."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.runs.fresh import drawn_seed
from weft.scoring.answers import sample_of
from weft.scoring.extraction import program_in
from weft.scoring.groups import group_of
from weft.scoring.judges import Outcome, shared_judges, side_by_side

Message = Mapping[str, Any]
Completion = str | Sequence[Message]


def reward(
    prompts: Sequence[Any],
    completions: Sequence[Completion],
    *,
    task_id: Sequence[str],
    results: str | Path = "results",
    jobs: int | None = None,
    timeout: float = 20.0,
    sandboxed: bool = True,
    seed: int | None = None,
    as_built: bool = False,
    nvcc: str | None = None,
    **_: Any,
) -> list[float]:
    """A reward from 0 to 1 for each completion, in order (docs/judging.md); NaN if it could not be judged
    through no fault of the program.

    `task_id` names the task of each completion. `seed` determines the cases; by default, each process draws
    one and keeps it. `as_built` takes the cases of the build. What is verified must compile with `nvcc`, too,
    if that is given: `pinned`, a name or a path. Completions are texts, or chats whose last
    message counts. Raises UserError if the build in `results` lacks a task, or if a compiler or the sandbox
    is missing.
    """
    if not len(prompts) == len(completions) == len(task_id):
        raise UserError(f"{len(prompts)} prompts, {len(completions)} completions, {len(task_id)} task_id")
    asked = [
        (sample_of(task), program_in(_text(completion)))
        for task, completion in zip(task_id, completions, strict=True)
    ]
    different = list(dict.fromkeys(asked))
    found = dict.fromkeys(different, math.nan)
    drawn = cases_seed(seed, as_built)
    judging = shared_judges(str(results), side_by_side(jobs), timeout, sandboxed, nvcc, drawn)
    for number, outcome in judging.judge(different):
        found[different[number]] = reward_of(outcome)
    return [found[one] for one in asked]


def cases_seed(seed: int | None, as_built: bool) -> int | None:
    """The seed that cases follow from, None for those of the build. Raises UserError for both."""
    if as_built and seed is not None:
        raise UserError(f"seed {seed} draws cases, and as_built takes those of the build")
    return _seed_of_process() if seed is None and not as_built else seed


@functools.cache
def _seed_of_process() -> int:
    """So that a group of answers is judged on the same cases, which are made once."""
    return drawn_seed()


def reward_of(outcome: Outcome) -> float:
    """The reward for what the judge says of a program. Raises UserError if there is no such task."""
    if "error" in outcome:
        if outcome["error"]["reason"] == "no_task":
            raise UserError(outcome["error"]["message"])
        return math.nan
    entry = outcome["entry"]
    reward = group_of(entry["verdict"], entry["reason"]).reward
    return math.nan if reward is None else reward


def _text(completion: Completion) -> str:
    if isinstance(completion, str):
        return completion
    return str(completion[-1]["content"]) if completion else ""
