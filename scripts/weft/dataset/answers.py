"""Wrong programs that somebody wrote for samples of the build, as the judge of candidates found them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import read_json, read_text, sha256

VERDICTS = "verdicts.json"
"""Beside the programs: the runs file that `scripts/runs.py --candidate` wrote of them."""

_MARK = re.compile(r"[ \t]*//! (?P<mistake>[a-z_]+): (?P<explanation>.+)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Answer:
    """A wrong program, without its mark `//! mistake: explanation`, which ends the line of the mistake; and
    its entry in the runs file. Of a program that bears no mark, nobody says where the mistake is.
    """

    text: str
    entry: Mapping[str, Any]
    mistake: str | None = None
    explanation: str | None = None
    line: int | None = None


def read_answers(folder: Path | None) -> dict[str, list[Answer]]:
    """The wrong programs below a folder by sample, in the order of their paths; what is right is left out.

    Raises UserError for a folder without verdicts, and for a program that is not the one that was judged.
    """
    found: dict[str, list[Answer]] = {}
    files = sorted(folder.rglob(VERDICTS)) if folder else []
    if folder and not files:
        raise UserError(f"{folder}: there is no {VERDICTS} in it; scripts/runs.py --candidate writes it")
    for file in files:
        for entry in read_json(file)["samples"]:
            path = file.parent / entry["candidate"]["file"]
            text = read_text(path)
            if sha256(text.encode()) != entry["candidate"]["sha256"]:
                raise UserError(f"{path}: has changed since {file} was written; judge it again")
            if entry["verdict"] == "rejected":
                found.setdefault(entry["sample_id"], []).append(_answer(text, entry))
    return found


def _answer(text: str, entry: Mapping[str, Any]) -> Answer:
    mark = _MARK.search(text)
    if mark is None:
        return Answer(text, entry)
    line = text.count("\n", 0, mark.start()) + 1
    return Answer(_MARK.sub("", text, count=1), entry, mark["mistake"], mark["explanation"], line)
