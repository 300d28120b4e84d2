"""The program in what a model says: without Markdown's fences, and without prose before and after it.

docs/formats/scores.md has the rule.
"""

from __future__ import annotations

import re

_THOUGHT = "</think>"
_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})(?P<word>[^`\n]*)$")
_KERNEL = "__global__"
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
    blocks = _fenced(said) or [_without_prose(said)]
    kernels = [block for block in blocks if _KERNEL in block]
    program = (kernels or blocks)[-1].strip("\n")
    return program + "\n" if program else ""


def _fenced(text: str) -> list[str]:
    """What stands between fences; what was cut off ends its block."""
    blocks: list[list[str]] = []
    open_marks = ""
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line.rstrip("\n"))
        if not open_marks and fence:
            open_marks = fence["marks"]
            blocks.append([])
        elif open_marks and fence and fence["marks"].startswith(open_marks) and not fence["word"].strip():
            open_marks = ""
        elif open_marks:
            blocks[-1].append(line)
    return ["".join(block) for block in blocks]


def _without_prose(text: str) -> str:
    """From the first line that may be one of a program to the last one; all of it if there is none."""
    lines = text.splitlines(keepends=True)
    first, last = (_lines_of_code(lines, ends) for ends in (_FIRST_ENDS, _LAST_ENDS))
    return "".join(lines[first[0] : last[-1] + 1]) if first and last else text


def _lines_of_code(lines: list[str], ends: tuple[str, ...]) -> list[int]:
    return [
        number for number, line in enumerate(lines) if _BEGINS.match(line) or line.rstrip().endswith(ends)
    ]
