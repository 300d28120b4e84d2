"""The program in what a model says: without Markdown's fences, and without prose before and after it.

docs/formats/scores.md has the rule.
"""

from __future__ import annotations

import re

from weft.runs.fences import fenced_program

_THOUGHT = "</think>"
_DIRECTIVE = r"#\s*(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error)\b"
_WORDS = (
    "template struct class union enum namespace using typedef static const constexpr inline extern "
    "cudaError_t void bool char short int long unsigned signed float double half auto size_t "
    "float[234] double[234] int[234]"
).split()
_BEGINS = re.compile(rf"\s*(?:{_DIRECTIVE}|//|/\*|__\w|(?:{'|'.join(_WORDS)})\b)")
_FIRST_ENDS = (";", "{", "}")
_LAST_ENDS = (";", "}", "*/")


def program_in(completion: str) -> str:
    """The program of an answer, without blank lines at either end."""
    said = completion.replace("\r\n", "\n").rpartition(_THOUGHT)[2]
    fenced = fenced_program(said)
    program = (_without_prose(said) if fenced is None else fenced).strip("\n")
    return program + "\n" if program else ""


def _without_prose(text: str) -> str:
    """From the first line that may be one of a program to the last one; all of it if there is none."""
    lines = text.splitlines(keepends=True)
    first, last = (_lines_of_code(lines, ends) for ends in (_FIRST_ENDS, _LAST_ENDS))
    return "".join(lines[first[0] : last[-1] + 1]) if first and last else text


def _lines_of_code(lines: list[str], ends: tuple[str, ...]) -> list[int]:
    return [
        number for number, line in enumerate(lines) if _BEGINS.match(line) or line.rstrip().endswith(ends)
    ]
