"""Wrong programs: the mistakes that the stage `mutation` made and the judge found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.dataset.views import kernel_view
from weft.mutation.edits import Edit, edited


def negatives(
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
        failure = mistake["failure"] or {}
        yield {
            **{key: row[key] for key in ("sample_id", "category", "difficulty", "python_source")},
            **{key: mistake[key] for key in ("function", "before", "after", "message")},
            "mistake": mistake["operator"],
            "line": _first_difference(wrong, row["cuda_kernel"]),
            "verdict": mistake["reason"],
            "input": failure.get("case"),
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
