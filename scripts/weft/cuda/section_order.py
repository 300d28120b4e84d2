"""In which order the definitions of a program stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weft.cuda.c_types import SCALARS
from weft.cuda.device_code import Key, Section

_KINDS = ("type", "constant", "table", "helper", "function", "kernel")
_OPERATORS = "+-*/%&|^~<>=!"
_SCALARS = frozenset(SCALARS.values())


def ordered(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sections by kind. Of the helpers, the operators are first, type by type, then what else works on
    vectors, then the others in order of use; each after those that it needs.
    """
    found = sorted(sections, key=lambda one: _KINDS.index(one.kind))
    helpers = [one for one in found if one.kind == "helper"]
    start = next((number for number, one in enumerate(found) if one.kind == "helper"), 0)
    return (*found[:start], *_after_needs(_ranked(helpers)), *found[start + len(helpers) :])


def _ranked(helpers: Sequence[Section]) -> list[Section]:
    """Helpers as they would stand if none needed another."""
    operators = [one for one in helpers if one.is_operator]
    types = list(dict.fromkeys(_compound(one) for one in operators))
    operators.sort(
        key=lambda one: (
            types.index(_compound(one)),
            one.name.endswith("="),
            _OPERATORS.index(one.name.removeprefix("operator")[0]),
            -len(one.types),
        )
    )
    others = sorted((one for one in helpers if not one.is_operator), key=lambda one: not _compound(one))
    return [*operators, *others]


def _compound(helper: Section) -> str:
    """The first type among a helper's parameters that has components; '' if none has."""
    bare = [one.removeprefix("const ").removesuffix("&") for one in helper.types]
    return next((one for one in bare if one not in _SCALARS and one.isidentifier()), "")


def _after_needs(sections: Sequence[Section]) -> Sequence[Section]:
    done: dict[Key, Section] = {}

    def visit(section: Section) -> None:
        if section.key not in done:
            for other in sections if section.needs else ():
                if other.key in section.needs:
                    visit(other)
            done[section.key] = section

    for section in sections:
        visit(section)
    return [*done.values()]
