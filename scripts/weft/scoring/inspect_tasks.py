"""Weft's tasks for Inspect (https://inspect.aisi.org.uk): `inspect eval weft/translate --model …`.

Inspect finds this module by the entry point `inspect_ai`; it is needed for nothing else.
"""

from __future__ import annotations

from pathlib import Path

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate
from inspect_ai.util import concurrency

from weft.scoring.extraction import program_in
from weft.scoring.judges import shared_judges, side_by_side
from weft.scoring.rewards import cases_seed, reward_of
from weft.scoring.tasks import tasks


@task
def translate(
    results: str = "results",
    kind: str = "python_to_cuda",
    split: str | None = None,
    sandboxed: bool = True,
    seed: int | None = None,
    as_built: bool = False,
    nvcc: str | None = None,
) -> Task:
    """Tasks of one kind (weft.scoring.tasks) about the samples of a build; an answer is compiled and run, on
    cases that follow from `seed`, which is drawn by default, or on those of the build. Scores have the seed.
    What is verified must compile with `nvcc`, too, if that is given: `pinned`, a name or a path.
    """
    build = Path(results).resolve()
    samples = [
        Sample(
            id=one["task_id"],
            input=[ChatMessageUser(content=message["content"]) for message in one["prompt"]],
            metadata={key: one[key] for key in ("sample_id", "kind", "category", "difficulty")},
        )
        for one in tasks(build, [kind], split)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"weft {kind}"),
        solver=generate(),
        scorer=judged(str(build), sandboxed, cases_seed(seed, as_built), nvcc),
    )


@scorer(metrics={"verified": [mean(), stderr()], "reward": [mean(), stderr()]})
def judged(
    results: str = "results", sandboxed: bool = True, seed: int | None = None, nvcc: str | None = None
) -> Scorer:
    """1 for a verified answer, 0 for others; and the reward of weft.scoring. The cases follow from `seed`, or
    are those of the build.
    """
    jobs = side_by_side()

    async def score(state: TaskState, target: Target) -> Score:
        program = program_in(state.output.completion)
        judging = shared_judges(results, jobs, sandboxed=sandboxed, nvcc=nvcc, seed=seed)
        async with concurrency("weft", jobs):
            found = await anyio.to_thread.run_sync(
                lambda: [outcome for _, outcome in judging.judge([(state.metadata["sample_id"], program)])]
            )
        said = found[0].get("entry") or found[0]["error"]
        is_right = said.get("verdict") == "verified"
        return Score(
            value={"verified": float(is_right), "reward": reward_of(found[0])},
            answer=program,
            explanation="verified" if is_right else f"{said['reason']}: {said['message']}",
            metadata={"seed": seed},
        )

    return score
