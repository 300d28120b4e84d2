"""A reward follows from the verdict alone, whatever form an answer has."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from building import ROOT
from weft import scoring
from weft.errors import UserError
from weft.scoring import rewards
from weft.scoring.groups import GROUPS
from weft.scoring.judges import Outcome

REASONS = ("compile_error", "crash", "wrong_output", "race", None)
OUTCOMES: dict[str, Outcome] = {
    f"{reason}\n": {"entry": {"verdict": "rejected" if reason else "verified", "reason": reason}}
    for reason in REASONS
} | {f"{reason}\n": {"error": {"reason": reason, "message": "why"}} for reason in ("killed", "no_cases")}


class Judge:
    """Knows what comes of programs."""

    def __init__(self) -> None:
        self.judged: list[tuple[str, str]] = []

    def judge(self, programs: Sequence[tuple[str, str]]) -> Iterator[tuple[int, Outcome]]:
        self.judged += programs
        for number, (sample, program) in reversed(list(enumerate(programs))):
            gone: Outcome = {"error": {"reason": "no_task", "message": "the build has no such sample"}}
            yield number, OUTCOMES[program] if sample == "a-0000-0000" else gone


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    found = Judge()
    monkeypatch.setattr(rewards, "shared_judges", lambda *_: found)
    return found


def test_the_scale_rises_with_how_far_a_program_comes(judge: Judge) -> None:
    completions = [str(reason) for reason in REASONS]
    given = scoring.reward(["?"] * 5, completions, task_id=["a-0000-0000"] * 5)
    assert given == sorted(set(given))
    assert (given[0], given[-1]) == (0.0, 1.0)


def test_texts_and_chats_are_judged_once_each(judge: Judge) -> None:
    chat = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "```\nNone\n```"}]
    tasks = ["a-0000-0000", "a-0000-0000/repair", "a-0000-0000"]
    given = scoring.reward(["?"] * 3, ["None", chat, "race"], task_id=tasks, step=7)
    assert given == [1.0, 1.0, 0.6]
    assert judge.judged == [("a-0000-0000", "None\n"), ("a-0000-0000", "race\n")]


def test_a_process_draws_one_seed_unless_told_otherwise(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = []

    def shared_judges(*settings: object) -> Judge:
        seeds.append(settings[-1])
        return judge

    def reward(**options: Any) -> list[float]:
        return scoring.reward(["?"], ["None"], task_id=["a-0000-0000"], **options)

    monkeypatch.setattr(rewards, "shared_judges", shared_judges)
    for options in ({}, {}, {"seed": 7}, {"as_built": True}):
        assert reward(**options) == [1.0]
    drawn, again, *others = seeds
    assert isinstance(drawn, int) and drawn == again
    assert others == [7, None]
    with pytest.raises(UserError, match="seed 7 draws cases, and as_built"):
        reward(seed=7, as_built=True)


@pytest.mark.parametrize("reason", ["killed", "no_cases"])
def test_what_could_not_be_judged_is_no_number(judge: Judge, reason: str) -> None:
    assert math.isnan(scoring.reward(["?"], [reason], task_id=["a-0000-0000"])[0])


def test_wrong_requests_are_errors(judge: Judge) -> None:
    with pytest.raises(UserError, match="the build has no such sample"):
        scoring.reward(["?"], ["None"], task_id=["b-0000-0000"])
    with pytest.raises(UserError, match="1 prompts, 2 completions"):
        scoring.reward(["?"], ["None", "None"], task_id=["b-0000-0000"])


def test_the_documented_groups_are_those_that_count() -> None:
    text = (ROOT / "docs/judging.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \| ([\d.]+|none) \| (.*) \|$", text.split("\n## ")[2], re.MULTILINE)
    told = [
        (name, None if given == "none" else float(given), re.findall(r"`(\w+)`", reasons))
        for name, given, reasons in rows
    ]
    assert told == [(one.name, one.reward, list(one.reasons) or ["verified"]) for one in GROUPS]
