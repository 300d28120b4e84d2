"""Lines and columns of Python sources, as syntax trees count them."""

from __future__ import annotations


def lines_of(text: str) -> list[str]:
    """The lines of a source: a form feed, or another line break of Unicode's, ends none, as for Python."""
    return text.removesuffix("\n").split("\n")


def character(line: str, byte: int) -> int:
    """The character offset in `line` of a UTF-8 byte offset, as syntax trees count columns."""
    return len(line.encode()[:byte].decode(errors="ignore"))
