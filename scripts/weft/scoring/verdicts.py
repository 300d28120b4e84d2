"""The file of verdicts (docs/formats/scores.md): a line for each answer, written as it comes."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from weft.dataset.negatives import case_of
from weft.errors import UserError
from weft.files import sha256, write_atomically
from weft.scoring.answers import Answer
from weft.scoring.judges import Outcome

SCHEMA = 3
_KEPT = ("reason", "message", "equality", "cases", "checks", "max_ulp", "failure")
_LINE = re.compile(r"(?:^|; )candidate\.cu:(?P<line>\d+): ")


@dataclasses.dataclass(frozen=True)
class Again:
    """The commands that judge an answer of a file again, with the options that it was judged with, on the
    cases that follow from `seed`, or those of the build.
    """

    answers: Path
    options: Sequence[str]
    seed: int | None

    def command(self, answer: Answer, case: Mapping[str, int] | None) -> str:
        """What to type for one answer; if there is a case, with that alone."""
        chosen = ["--as-built"] if self.seed is None else ["--seed", str(self.seed)]
        chosen += ["--case", str(case["size"]), str(case["seed"])] if case else []
        return shlex.join(["weft", "judge", f"{self.answers}:{answer.line}", *self.options, *chosen])


def verdict_of(answer: Answer, program: str, key: str, outcome: Outcome, again: Again) -> dict[str, Any]:
    """The line of an answer that was judged, or that the judge could say nothing of."""
    if "error" in outcome:
        return error_of(answer, outcome["error"]["reason"], outcome["error"]["message"])
    entry = outcome["entry"]
    case = case_of(entry)
    device = entry.get("device", "cpu")
    return {
        **_identity(answer),
        "device": device,
        "verdict": entry["verdict"],
        **{name: entry[name] for name in _KEPT},
        "seed": again.seed,
        "case": case,
        "source": _source(entry["message"], program),
        "again": again.command(answer, case) if device == "cpu" else None,
        "key": key,
        "sha256": sha256(program.encode()),
        "speed": entry.get("speed"),
    }


def error_of(answer: Answer, reason: str, message: str) -> dict[str, Any]:
    """The line of an answer that nobody could judge: a later run tries again."""
    nothing = dict.fromkeys(("device", *_KEPT, "seed", "case", "source", "again", "key", "sha256", "speed"))
    return {
        **_identity(answer),
        "verdict": "error",
        **nothing,
        "checks": [],
        "reason": reason,
        "message": message,
    }


def moved(verdict: Mapping[str, Any], answer: Answer, again: Again) -> dict[str, Any]:
    """The verdict of an equal program for another answer."""
    command = again.command(answer, verdict["case"]) if verdict["device"] == "cpu" else None
    return {**verdict, **_identity(answer), "again": command}


def read_verdicts(path: Path) -> list[dict[str, Any]]:
    """The verdicts of a file; none of a missing one. A last line that was cut off is left out.

    Raises UserError for a file that has other lines.
    """
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.exists() else []
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    found = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            value = json.loads(line)
            if value["schema"] != SCHEMA:
                raise ValueError("another schema")
        except (ValueError, TypeError, KeyError) as error:
            raise UserError(
                f"{path}:{number}: is not a verdict of this version; choose another file with -o"
            ) from error
        found.append(value)
    return found


def seed_of(verdicts: Iterable[Mapping[str, Any]]) -> int | None:
    """The seed of the cases that verdicts are about; None for those of the build, and for no verdicts."""
    return next((one["seed"] for one in verdicts if one["seed"] is not None), None)


def write_verdicts(path: Path, verdicts: Iterable[Mapping[str, Any]]) -> None:
    """Write a whole file of verdicts."""
    write_atomically(path, "".join(map(_line, verdicts)))


class Appended:
    """A file to which verdicts are appended: each is on the disk before the next one."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Appended:
        self._file: BinaryIO = self._path.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, verdicts: Iterable[Mapping[str, Any]]) -> None:
        """Append verdicts. Raises UserError where the disk is full."""
        try:
            self._file.write("".join(map(_line, verdicts)).encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            problem = (error.strerror or str(error)).lower()
            raise UserError(f"{self._path} cannot be written: {problem}") from error


def _identity(answer: Answer) -> dict[str, Any]:
    return {"schema": SCHEMA, "line": answer.line, "task_id": answer.task_id, "sample": answer.sample}


def _source(message: str, program: str) -> dict[str, Any] | None:
    """The line of the program that a message names, with its text."""
    found = _LINE.search(message)
    lines = program.split("\n")
    if found is None or not 0 < int(found["line"]) <= len(lines):
        return None
    return {"line": int(found["line"]), "text": lines[int(found["line"]) - 1].strip()}


def _line(verdict: Mapping[str, Any]) -> str:
    text = json.dumps(verdict, sort_keys=True, ensure_ascii=False, allow_nan=False)
    # Half a character, which a compiler may quote, is in no file.
    return text.encode(errors="backslashreplace").decode() + "\n"
