"""Which lines of a program come from which lines of its Python source.

The printer marks what it prints; marks leave the text before clang-format sees it, so they change no byte.
That moves white space and wraps comments: what is the nth other character before, is the nth afterwards.
"""

from __future__ import annotations

import ast
import bisect
import re
from collections.abc import Iterator

from weft.function_source import FunctionSource
from weft.source_lines import lines_of

Lines = tuple[int, int]
"""The first and the last line."""

END = "\x010-0\x02"
"""The mark of what comes from no line."""

_MARK = re.compile(r"\x01(\d+)-(\d+)\x02")


def marked(lines: list[str], node: ast.AST | None) -> list[str]:
    """Printed lines, those without a mark marked as what `node` has become, or as what no one line has."""
    first, last = (0, 0) if node is None else lines_of_node(node)
    mark = f"\x01{first}-{last}\x02"
    return [_begun(line, mark) for line in lines]


def _begun(line: str, mark: str) -> str:
    text = line.lstrip()
    return line if not text or text[0] == mark[0] else f"{line[: len(line) - len(text)]}{mark}{text}"


def continued(text: str, line: str) -> str:
    """A line with a text before it, which comes from what the line comes from."""
    mark = _MARK.match(line)
    return text + line if mark is None else f"{mark[0]}{text}{line[mark.end() :]}"


def lines_of_node(node: ast.AST) -> Lines:
    """The lines of a statement within its function's source, of one with a block those of its head."""
    first: int = getattr(node, "lineno", 0)
    ends: list[ast.AST] = [node]
    match node:
        case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head):
            ends = [head]
        case ast.FunctionDef(args=ast.arguments(args=arguments, defaults=defaults), returns=returns):
            ends = [*arguments, *defaults, *([returns] if returns else [])]
    return first, max((getattr(end, "end_lineno", first) for end in ends), default=first)


def within_module(text: str, source: FunctionSource, module: str) -> str:
    """A function's text with marks that count from the start of `module`, or without if it is not there."""
    head = lines_of_node(source.definition)
    found = _place(source, module)

    def moved(mark: re.Match[str]) -> str:
        first, last = int(mark[1]), int(mark[2])
        if found is None or not first:
            return END
        new_head, body = found
        first, last = new_head if (first, last) == head else (first + body, last + body)
        return f"\x01{first}-{last}\x02"

    return _MARK.sub(moved, text)


def _place(source: FunctionSource, module: str) -> tuple[Lines, int] | None:
    """The lines of a function's head within a module, and by how many those of its body are further down."""
    first, last = lines_of_node(source.definition)
    at = f"\n{module}".find(f"\n{source.text.rstrip()}\n")
    if at >= 0:
        before = module.count("\n", 0, at)
        return (first + before, last + before), before
    # Where Warp's resolved names are written out, heads and names differ, and the lines of bodies stay.
    written = [
        one
        for one in ast.parse(module).body
        if isinstance(one, ast.FunctionDef)
        if one.name == source.definition.name and _shape(one) == _shape(source.definition)
    ]
    if len(written) != 1:
        return None
    return lines_of_node(written[0]), written[0].body[0].lineno - source.definition.body[0].lineno


def _shape(definition: ast.FunctionDef) -> list[tuple[type, int, int]]:
    """The kinds of a body's statements and their lines, counted from its first."""
    first = definition.body[0].lineno
    return [
        (type(one), one.lineno - first, (one.end_lineno or one.lineno) - first)
        for statement in definition.body
        for one in ast.walk(statement)
        if isinstance(one, ast.stmt)
    ]


def unmarked(text: str) -> str:
    """A text without its marks."""
    return _MARK.sub("", text)


def source_lines(draft: str, program: str, before: int = 0) -> list[list[int]]:
    """For lines of a program those of its source: `[first, last, first of the source, last of the source]`.

    `draft` is the program with marks, before its layout; so many lines stand `before` it in its file. A line
    of several parts has several entries.
    """
    starts, origins = [0], [(0, 0)]
    length, end = 0, 0
    for mark in _MARK.finditer(draft):
        length += _fixed(draft[end : mark.start()])
        end = mark.end()
        starts.append(length)
        origins.append((int(mark[1]), int(mark[2])))
    found: list[list[int]] = []
    for line, lines in _placed(program, starts, origins, before + 1):
        if found and found[-1][2:] == [*lines] and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line, *lines])
    return found


def _fixed(text: str) -> int:
    """How many characters there are that layout leaves: no white space, nor what begins a comment's line."""
    return len("".join(text.split())) - text.count("/")


def _placed(program: str, starts: list[int], origins: list[Lines], first: int) -> Iterator[tuple[int, Lines]]:
    """Each line of a program with what it comes from, counted from `first`."""
    done = 0
    for line, text in enumerate(lines_of(program), first):
        begin, done = done, done + _fixed(text)
        if begin == done:
            continue
        here = origins[bisect.bisect_right(starts, begin) - 1 : bisect.bisect_left(starts, done)]
        for lines in dict.fromkeys(here):
            if lines[0]:
                yield line, lines
