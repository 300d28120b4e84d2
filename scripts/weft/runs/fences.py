"""The program between Markdown's fences (docs/formats/scores.md)."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})(?P<word>[^`\n]*)$")
_KERNEL = "__global__"


def fenced_program(text: str) -> str | None:
    """The last fenced block that has a kernel, or the last one if none has; None if there is no fence. Blank
    lines before it keep the numbers of its lines.
    """
    blocks = _blocks(text)
    with_kernel = {line: block for line, block in blocks.items() if _KERNEL in block}
    found = with_kernel or blocks
    if not found:
        return None
    line = max(found)
    return "\n" * line + found[line]


def _blocks(text: str) -> dict[int, str]:
    """What stands between fences, by the lines before it; what was cut off ends its block."""
    blocks: dict[int, str] = {}
    open_marks, first = "", 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        fence = _FENCE.match(line.rstrip("\n"))
        if not open_marks and fence:
            open_marks, first = fence["marks"], number
            blocks[first] = ""
        elif open_marks and fence and fence["marks"].startswith(open_marks) and not fence["word"].strip():
            open_marks = ""
        elif open_marks:
            blocks[first] += line
    return blocks
