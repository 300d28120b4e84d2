"""How far a rejected program comes: groups of reasons (docs/judging.md), each with its reward."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Group:
    """Reasons that mean the same for a score."""

    name: str
    reward: float | None
    reasons: tuple[str, ...] = ()


REST = Group("nothing to run", 0.0, ("compile_error",))
"""And every reason that stands in no group."""
RIGHT = Group("right", 1.0)
GROUPS = (
    Group("not judged", None, ("no_cases", "no_task", "killed", "not_judged", "internal_error")),
    REST,
    Group("unsupported", 0.0, ("unsupported",)),
    Group(
        "fails while running",
        0.1,
        (
            "crash",
            "timeout",
            "deadlock",
            "cuda_error",
            "out_of_bounds",
            "misaligned",
            "no_output",
            "bad_output",
        ),
    ),
    Group(
        "gives wrong results",
        0.3,
        ("wrong_output", "nan_mismatch", "unwritten_output", "wrote_too_much", "input_modified"),
    ),
    Group("right by luck", 0.6, ("race", "unwritten_read", "non_deterministic", "host_result")),
    RIGHT,
)
"""From the worst to the best, behind what is no answer's fault."""


def group_of(verdict: str, reason: str | None) -> Group:
    """The group of a program with this verdict."""
    if verdict == "verified":
        return RIGHT
    return next((group for group in GROUPS if reason in group.reasons), REST)
