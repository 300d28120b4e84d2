"""Wrong programs: mistakes that the stage `mutation` made, and answers of others, as the judge found them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.dataset.answers import Answer
from weft.dataset.views import kernel_view, launcher_declaration
from weft.errors import UserError
from weft.mutation.edits import Edit, edited

_CASE = re.compile(r"size (?P<size>\d+), seed (?P<seed>\d+)")
"""The judge's words for a case: where a device stopped a program, nothing else names it."""


def mutants(
    row: Mapping[str, Any], includes: Sequence[str], kernel: str, mutation: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """The rows of `negatives` for a row of `default`, from what the mutation file has of the sample.

    `line` is that of the first line of `wrong` that differs from `right`, from 1.
    """
    header, _, program = row["cuda_program"].partition("\n\n")
    for mistake in mutation["found"]:
        edits = [Edit(**edit) for edit in mistake["edits"]]
        _, _, text = edited(f"{header}\n\n{program}", edits).partition("\n\n")
        wrong = kernel_view(text, list(includes), kernel)
        yield _row(row, wrong, mistake) | {
            **{key: mistake[key] for key in ("function", "before", "after")},
            "made_by": "mutation",
            "mistake": mistake["operator"],
            "line": _first_difference(wrong, row["cuda_kernel"]),
        }


def answered(row: Mapping[str, Any], kernel: str, answers: Sequence[Answer]) -> Iterator[dict[str, Any]]:
    """The rows of `negatives` for a row of `default`, from answers that were judged for a sample of its name.

    An answer whose launcher has other parameters than the sample's is for another program.
    """
    for answer in answers:
        if not _is_for(row, kernel, answer):
            continue
        yield _row(row, answer.text, answer.entry) | {
            "made_by": "answer",
            "mistake": answer.mistake,
            "explanation": answer.explanation,
            "line": answer.line,
            "after": answer.text.splitlines()[answer.line - 1].strip() if answer.line else None,
        }


def case_of(judged: Mapping[str, Any]) -> dict[str, int] | None:
    """The size and the seed of the inputs with which the judge found a program wrong, if it names them."""
    if judged["failure"]:
        return dict(judged["failure"]["case"])
    found = _CASE.search(judged["message"])
    return {key: int(value) for key, value in found.groupdict().items()} if found else None


def _is_for(row: Mapping[str, Any], kernel: str, answer: Answer) -> bool:
    try:
        given = launcher_declaration(answer.text, kernel)
    except UserError:
        return False
    return given == launcher_declaration(row["cuda_kernel"], kernel)


def _row(row: Mapping[str, Any], wrong: str, judged: Mapping[str, Any]) -> dict[str, Any]:
    """What the judge says of a wrong program; columns that only mutants or answers have are null."""
    failure = judged["failure"] or {}
    return {
        **{key: row[key] for key in ("sample_id", "category", "difficulty", "python_source")},
        "verdict": judged["reason"],
        "message": judged["message"],
        "input": case_of(judged),
        "parameter": failure.get("parameter"),
        "element": failure.get("index"),
        "expected": _shown(failure.get("expected")),
        "got": _shown(failure.get("got")),
        "wrong": wrong,
        "right": row["cuda_kernel"],
    }


def _first_difference(wrong: str, right: str) -> int:
    pairs = zip(wrong.splitlines(), [*right.splitlines(), None], strict=False)
    return next(
        (number for number, (one, other) in enumerate(pairs, 1) if one != other), len(wrong.splitlines())
    )


def _shown(value: object) -> str | None:
    return None if value is None else str(value)
