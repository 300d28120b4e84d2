"""Planted mistakes that were found, each beside the program without it."""

from __future__ import annotations

import collections
import dataclasses
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.mutation.edits import Edit, edited
from weft.report.gallery import Sample

_AROUND = 2
"""Lines that are shown before and behind those that differ."""


Excerpt = tuple[tuple[str, bool], ...]
"""Lines of a program, and whether each differs from the other program's."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A mistake as `mutation` describes it, in its place: `python` is what that line comes from, or empty."""

    sample_id: str
    found: Mapping[str, Any]
    python: str
    original: Excerpt
    mutant: Excerpt


def mutants(samples: Sequence[Sample], mutated: Sequence[Mapping[str, Any]]) -> Iterator[Mutant]:
    """Of each operator a mutant, if possible one that an element gave away, each of another kernel if there
    are as many.
    """
    known = {sample.entry["id"]: sample for sample in samples}
    entries = [entry for entry in mutated if entry["sample_id"] in known]
    shown = [(entry["sample_id"], one) for entry in entries for one in entry["found"]]
    used: collections.Counter[str] = collections.Counter()
    for kind in sorted({one["operator"] for _, one in shown}):
        of_kind = [(sample, one) for sample, one in shown if one["operator"] == kind]
        sample, found = min(of_kind, key=lambda pair: (pair[1]["failure"] is None, used[pair[0]]))
        used[sample] += 1
        yield _in_its_place(known[sample], found)


def _in_its_place(sample: Sample, found: Mapping[str, Any]) -> Mutant:
    # The last one is the mistake (weft.mutation.mutants.Change).
    *others, edit = sorted((Edit(**one) for one in found["edits"]), key=lambda one: one.line)
    moved = sum(one.text.count("\n") - one.count for one in others)
    program = sample.texts["cuda"]
    return Mutant(
        sample.entry["id"],
        found,
        _python(sample, edit.line),
        _excerpt(program, edit.line, edit.count),
        _excerpt(edited(program, [*others, edit]), edit.line + moved, edit.text.count("\n")),
    )


def _excerpt(program: str, line: int, count: int) -> Excerpt:
    """The `count` lines from `line` on, and their neighbours."""
    begin, end = max(line - _AROUND, 1), line + count + _AROUND
    lines = textwrap.dedent("\n".join(program.split("\n")[begin - 1 : end - 1])).split("\n")
    return tuple((text, line <= number < line + count) for number, text in enumerate(lines, begin))


def _python(sample: Sample, line: int) -> str:
    """The source of a line of the program."""
    source = sample.texts["python"].split("\n")
    found = [(first, last) for begin, end, first, last in sample.source_lines if begin <= line <= end]
    return " ".join(line.strip() for first, last in found[:1] for line in source[first - 1 : last])
