"""The mutants of one record: which mistakes are made, and the programs with them. No compiler runs here."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.cuda.device import LAST_EDIT
from weft.cuda.formatting import format_texts
from weft.cuda.host import Draft, write_program
from weft.cuda.program import device_code
from weft.cuda.shard import include_lines
from weft.cuda.tree import Function
from weft.launch import parse_launch
from weft.mutation.edits import Edit
from weft.mutation.kinds import OPERATORS
from weft.mutation.launch_assumptions import launch_assumptions
from weft.mutation.operators import Site, sites
from weft.sampling import draw

MUTANTS = 12
"""How many mutants a kernel has, if it has so many places for them."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A program with one mistake, made by an operator in a function (its Python name).

    `draft` has its text, which is not formatted yet; `number` counts a kernel's mutants from 1. `harmless`:
    it is no mistake.
    """

    number: int
    operator: str
    function: str
    draft: Draft
    harmless: bool = False


@dataclasses.dataclass(frozen=True)
class Change:
    """The lines of a mutant's program that differ from the original. `line` is that of the mistake in the
    sample's own program, from 1: of the last of the `edits`, which make the mutant of the original, as others
    are in heads of functions, such as a name that nobody reads. `before` and `after` have no indent.
    """

    line: int
    before: str
    after: str
    edits: tuple[Edit, ...]


class _Mistake:
    """Makes mistake number `number` of all that have room in a record's functions; without one, lists all."""

    def __init__(
        self, record: Mapping[str, Any], block: tuple[int, int, int], number: int | None = None
    ) -> None:
        self.launch = parse_launch(record["launch"], record["kernel_name"])
        self.block = block
        self.number = number
        self.sites: list[Site] = []

    def __call__(self, name: str, functions: Sequence[Function]) -> None:
        if name != LAST_EDIT:
            return
        first = len(self.sites)
        self.sites += sites(functions, self.launch, self.block)
        if self.number is not None and first <= self.number < len(self.sites):
            self.sites[self.number].apply()


def original(record: dict[str, Any]) -> tuple[Draft, tuple[str, ...]]:
    """The program of a record without mistakes, and what its launch description lets assume.

    Raises KernelError for what cannot be translated.
    """
    code = device_code(record)
    return write_program(record, code), launch_assumptions(record, code)


def mutants(record: dict[str, Any], count: int = MUTANTS) -> list[Mutant]:
    """Up to `count` mutants of a record, all different. The operators take turns, each at places that follow
    from the sample's id.
    """
    code = device_code(record)
    block = code.grid.block
    device_code(record, listed := _Mistake(record, block))
    seen = {write_program(record, code).device}
    found: list[Mutant] = []
    for number in _in_turn(listed.sites, record["sample_id"]):
        if len(found) == count:
            break
        draft = _with_mistake(record, block, number)
        if draft is None or draft.device in seen:
            continue
        seen.add(draft.device)
        site = listed.sites[number]
        found.append(Mutant(len(found) + 1, site.operator, site.function, draft, site.harmless))
    return found


def _with_mistake(record: dict[str, Any], block: tuple[int, int, int], number: int) -> Draft | None:
    """The program with a mistake; None for one that cannot be printed: the tree is none that a kernel has."""
    try:
        return write_program(record, device_code(record, _Mistake(record, block, number)))
    except Exception:
        return None


def _in_turn(found: Sequence[Site], sample_id: str) -> Iterator[int]:
    """Numbers of sites, one of each operator after the other as long as it has any."""
    rows: dict[str, list[int]] = {operator: [] for operator in OPERATORS}
    for number, site in enumerate(found):
        rows[site.operator].append(number)
    for operator, numbers in rows.items():
        numbers.sort(key=lambda number: draw(f"{sample_id} {operator} {number}"))
    for turn in range(max(map(len, rows.values()), default=0)):
        yield from (numbers[turn] for numbers in rows.values() if turn < len(numbers))


def changes(originals: Draft, others: Sequence[Draft]) -> list[Change]:
    """What differs between a program and others made from it, as their readers see it. One formatter process
    serves all.
    """
    device, *rest = format_texts([originals.device, *(other.device for other in others)])
    includes = include_lines(originals.includes).count("\n") + 1
    return [_change(device.splitlines(), other.splitlines(), includes) for other in rest]


def _change(before: Sequence[str], after: Sequence[str], skipped: int) -> Change:
    """The lines that differ."""
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    different = [block for block in blocks if block[0] != "equal"]
    old = [line for _, start, end, _, _ in different for line in before[start:end]]
    new = [line for _, _, _, start, end in different for line in after[start:end]]
    edits = tuple(
        Edit(skipped + start + 1, end - start, "".join(f"{line}\n" for line in after[first:last]))
        for _, start, end, first, last in different
    )
    return Change(edits[-1].line, _joined(old), _joined(new), edits)


def _joined(lines: Sequence[str]) -> str:
    """Lines without the indent that they share."""
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines)
