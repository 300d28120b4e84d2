"""Sentences of docstrings about what a goal is made of: where values come from, not what is done first."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Sequence

from weft.kernels.formulas import Formula
from weft.kernels.words import singular

STEPS = 3
"""How many values on the way to a goal a docstring tells of at most."""
ROOM = 150
"""How long a sentence may be with what it says of other values; more stands in a sentence of its own."""

_PLAIN = frozenset(("Compute", "Estimate", "Evaluate", "Find"))
"""Verbs that say no more than that there is a value."""
_PAST = {
    "Sum": "summed",
    "Set": "set",
    "Take": "taken",
    "Give": "given",
    "Read": "read",
    "Draw": "drawn",
    "Drop": "dropped",
    "Choose": "chosen",
    "Clip": "clipped",
    "Map": "mapped",
}
_COMPARES = re.compile(r"as (in|for) |as .* (do|does|has|have|needs?)( it)?$")
"""What begins with `as` and is no other name of the value."""


@dataclasses.dataclass(frozen=True, slots=True)
class Told:
    """A formula for a value that another one takes: what the value is called, and how many are in between."""

    words: str
    formula: Formula
    depth: int

    @property
    def is_definition(self) -> bool:
        """Does the formula say what the value is, rather than where it comes from?"""
        how = manner(self.formula)
        return self.formula.verb in _PLAIN and how.startswith("as ") and not _COMPARES.match(how)

    @property
    def definition(self) -> str:
        """What the value is, as a clause."""
        return f"the {self.words} {be(self.words)} {manner(self.formula).removeprefix('as ')}"

    @property
    def origin(self) -> str:
        """Where the value comes from, behind `with`."""
        verb = "" if self.formula.verb in _PLAIN else f" {participle(self.formula.verb)}"
        return f"the {self.words}{verb} {manner(self.formula)}"

    @property
    def order(self) -> tuple[str, str]:
        """Where the value comes from, as a verb and what is behind it."""
        verb = "Take" if self.formula.verb in _PLAIN else self.formula.verb
        return verb, f"the {self.words} {manner(self.formula)}"


def participle(verb: str) -> str:
    """`Compute` as a later sentence has it: computed."""
    return _PAST.get(verb) or verb.lower() + ("d" if verb.endswith("e") else "ed")


def be(words: str) -> str:
    """Is the head of some words one thing, or several?"""
    head = re.split(" (?:of|between|for) ", words)[0].rpartition(" ")[2]
    return "is" if singular(head) == head else "are"


def manner(one: Formula) -> str:
    """How a formula does what it does, as a sentence about its value alone has it."""
    return re.sub("^(and|with|to|against) a second one,? ?", "", one.how)


def with_origins(sentence: str, found: Sequence[Told]) -> str:
    """A sentence about a goal, given without its full stop, and where what the goal takes comes from."""
    nearest = sorted(found, key=lambda one: one.depth)[:STEPS]
    steps = [one for one in found if one in nearest]
    origins = [one for one in steps if not one.is_definition]
    definitions = [one.definition for one in steps if one.is_definition]
    phrases = [f"with {_listed([one.origin for one in origins])}"] if origins else []
    phrases += [f"where {_listed(definitions)}"] if definitions else []
    joined = ", ".join([sentence, *phrases])
    if not steps or (len(joined) <= ROOM and len(re.findall(r"\bwith\b", joined)) < 2):
        return f"{joined}."
    return f"{sentence}. {sentences(steps)}"


def sentences(steps: Sequence[Told]) -> str:
    """Where values come from, and what they are: `Take the strike from the moneyness.`"""
    told = [one.order for one in steps if not one.is_definition]
    orders = [
        f"{verb.lower()} {_listed([what for _, what in several])}"
        for verb, several in itertools.groupby(told, key=lambda one: one[0])
    ]
    found = [orders, [one.definition for one in steps if one.is_definition]]
    return " ".join(f"{_capitalised(_listed(one))}." for one in found if one)


def _listed(items: Sequence[str]) -> str:
    """Phrases as a sentence lists them: with commas where one has its own `and`."""
    *others, last = items
    if not others:
        return last
    apart = len(items) > 2 or any(" and " in one or "," in one for one in items)
    return f"{', '.join(others)}{',' * apart} and {last}"


def _capitalised(text: str) -> str:
    return text[0].upper() + text[1:]
