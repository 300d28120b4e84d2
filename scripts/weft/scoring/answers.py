"""The file of answers (docs/formats/scores.md); a line that is none costs only itself."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft.errors import UserError

MOST_BYTES = 1 << 24
"""Of a line."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """A line of the file, from 1. `problem` says why it is no answer; what could be read of it is there."""

    line: int
    task_id: str | None
    sample: int | None
    completion: str
    problem: str | None = None


def read_answers(path: Path) -> Iterator[Answer]:
    """The answers, and the lines that are none. Raises UserError where the file cannot be read."""
    seen: dict[tuple[str, int], int] = {}
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                answer = _answer(number, line)
                if answer.task_id is not None and answer.sample is not None:
                    first = seen.setdefault((answer.task_id, answer.sample), number)
                    if first != number:
                        problem = f"line {first} has sample {answer.sample} of {answer.task_id}"
                        answer = Answer(number, None, None, "", problem)
                yield answer
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def read_answer(path: Path, line: int) -> Answer:
    """One line of the file. Raises UserError if there is no answer in it."""
    for answer in read_answers(path):
        if answer.line == line:
            if answer.problem is not None:
                raise UserError(f"{path}:{line}: {answer.problem}")
            return answer
    raise UserError(f"{path}: has no answer in line {line}")


def sample_of(task_id: str) -> str:
    """The sample that a task is about: `vector-0000-0003` of `vector-0000-0003/repair`."""
    return task_id.partition("/")[0]


def kind_of(task_id: str) -> str:
    """The kind of a task (weft.scoring.tasks); a sample's own id asks for its translation."""
    return task_id.partition("/")[2] or "python_to_cuda"


def _answer(number: int, line: bytes) -> Answer:
    if len(line) > MOST_BYTES:
        return Answer(number, None, None, "", f"more than {MOST_BYTES} bytes")
    problem = None
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 from byte {error.start} on"
        text = line.decode(errors="replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        why = f"no JSON ({error})" if isinstance(error, ValueError) else "nested too deeply"
        return Answer(number, None, None, "", problem or why)
    task, sample, completion = _field(value, "task_id"), _field(value, "sample"), _field(value, "completion")
    if not isinstance(task, str) or not _is_unicode(task):
        return Answer(number, None, None, "", problem or "has no task_id (a string)")
    if isinstance(sample, bool) or not isinstance(sample, int):
        return Answer(number, task, None, "", problem or "has no sample (a number)")
    if not isinstance(completion, str) or not _is_unicode(completion):
        return Answer(number, task, sample, "", problem or "has no completion (a Unicode string)")
    return Answer(number, task, sample, completion, problem)


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _is_unicode(text: str) -> bool:
    """JSON can hold half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
