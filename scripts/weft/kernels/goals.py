"""Idioms from domains: which goal a kernel has, and what becomes of its values."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Container, Sequence

from weft.kernels.builder import Builder
from weft.kernels.composition import kernel_names
from weft.kernels.endings import Style, endings, possible
from weft.kernels.formulas import Argument, Domain, Formula, Quantity, Setting
from weft.kernels.program import For, Redraw, While
from weft.kernels.statements import every_statement, operations
from weft.kernels.telling import specific
from weft.kernels.types import F32

MOST_WAYS = 12.0
"""Goals that can be reached in more ways are no more likely."""
INDIRECT = 0.5
"""How likely a goal is that needs formulas which teach what is asked for, beside one that teaches it."""
LEAST_WORK = 8
"""How many operations a kernel has that stores a value for each element, without a loop or a gather."""
LEAST_REDUCED = 5
"""How many one has that does something else with its values."""
FEWEST = 2
"""How many members a struct has."""
HEAVY = 3.0
"""How much likelier a goal is that loops or reads other elements."""
AWAY = 0.15
"""How much rarer a goal is outside the category that it is at home in, so that few kernels are in two."""
MOSTLY = 0.5
"""Such formulas are more than this share of all that give what the goal takes."""

PLAIN = Style()


def idioms(*domains: Domain, teaching: str | None = None, style: Style = PLAIN) -> tuple[DomainIdiom, ...]:
    """The idioms of some domains: each draws a goal, the more likely the more ways lead to it.

    With `teaching`, some formula of every kernel teaches it: the goal's or one that it needs. A domain stands
    there as often as it has goals that fit.
    """
    found = [DomainIdiom(one, _goals(one, teaching, style), style, teaching) for one in domains]
    return tuple(one for one in found for _ in range(math.ceil(one.fitting)))


def _goals(domain: Domain, teaching: str | None, style: Style) -> dict[Formula, float]:
    """The goals that fit, with their weights."""
    return {
        one: ways(domain, one) * len(endings(domain, one)) * likely * (HEAVY if one.is_heavy else 1.0)
        for one in domain.formulas
        if one.goal
        and (likely := 1.0 if teaching is None else taught(domain, one, teaching, seeks=style.seeks))
        and possible(domain, one, style)
        and ("functions" not in style.needs or _has_functions(domain, one))
        and ("structs" not in style.needs or sum(map(_fits_a_struct, one.arguments)) > 1)
    }


def _has_functions(domain: Domain, goal: Formula) -> bool:
    """May a goal, or a formula for what it takes, be a function?"""
    needed = [domain.giving(one.of) for one in goal.arguments if isinstance(one.of, Quantity)]
    return goal.is_pure or any(one.is_pure for found in needed for one in found)


def _fits_a_struct(one: Argument) -> bool:
    """May what a formula takes be a member of a record, or of a struct of settings?"""
    return not one.array and (isinstance(one.of, Setting) or not (one.of.load or one.of.trailing))


def taught(domain: Domain, goal: Formula, teaching: str, *, seeks: bool = False) -> float:
    """How likely a kernel for the goal teaches something: surely, or by a formula for what it takes.

    One that `seeks` it takes such formulas where there are any.
    """
    if teaching in goal.teaches:
        return 1.0
    if seeks:
        return INDIRECT if domain.leads(goal, teaching) else 0.0
    needed = [domain.giving(one.of) for one in goal.arguments if isinstance(one.of, Quantity)]
    shares = [sum(teaching in one.teaches for one in found) / len(found) for found in needed if found]
    return max((INDIRECT * share for share in shares if share > MOSTLY), default=0.0)


@dataclasses.dataclass(frozen=True, eq=False)
class DomainIdiom:
    """Writes kernels for the goals of a domain, which have weights."""

    domain: Domain
    goals: dict[Formula, float]
    style: Style
    teaching: str | None

    @property
    def fitting(self) -> float:
        """How many goals there are, of which those that teach what is asked for by chance count less."""
        if self.teaching is None:
            return len(self.goals)
        return sum(taught(self.domain, one, self.teaching, seeks=self.style.seeks) for one in self.goals)

    @property
    def __name__(self) -> str:
        return f"{self.domain.element} formulas".replace(" ", "_")

    def __call__(self, k: Builder) -> None:
        if self.domain.single:
            k.real = F32
        goal = specific(k.rng.weighted(self.goals))
        k.dimension = k.rng.pick(2, 3, 3)
        k.constant_tables = self.style.memory == "constant"
        k.sought = self.teaching if self.style.seeks else None
        k.name, *k.other_names = kernel_names(k, self.domain, goal)
        if self.style.functions is not None:
            chance = self.style.functions
            k.policy = dataclasses.replace(k.policy, helper=chance, goal_helper=0.8 * chance)
        ending = k.rng.weighted(possible(self.domain, goal, self.style))
        k.made_of = {"goal": goal.full_name, "ending": ending.__name__}
        ending(k, self.domain, goal, self.style)
        if not _does_enough(k, LEAST_WORK if ending.__name__ == "per_element" else LEAST_REDUCED):
            raise Redraw("hardly any work")
        if any(len(one.fields) < FEWEST for one in k.structs):
            raise Redraw("a struct of one member")
        if not self.style.shows(k):
            raise Redraw("nothing of what the category is about")
        for need in self.style.needs:
            if not any(getattr(one, need) for one in (k, *k.parts)):
                raise Redraw(f"the program has no {need}")
        if self.teaching is not None and self.teaching not in k.tags:
            raise Redraw(f"nothing in the kernel teaches {self.teaching}")


def _does_enough(k: Builder, least: int) -> bool:
    """Does a program loop, read other elements, or compute so much?"""
    if k.steps:
        return True
    bodies = [k.body, *(one.body for one in k.functions)]
    statements = [one for body in bodies for one in every_statement(body)]
    if any(isinstance(one, (For, While)) for one in statements):
        return True
    return sum(map(operations, bodies)) >= least


def ways(domain: Domain, goal: Formula, depth: int = 0) -> float:
    """In how many ways a goal can be composed, as far as it matters.

    What is read of other elements comes from an array, which only a program of several kernels fills.
    """
    total = 1.0
    whole = {one.of for one in goal.arguments if one.array}
    for one in goal.arguments:
        if isinstance(one.of, Quantity) and depth < 3 and (one.array or one.of not in whole):
            fitting = [each for each in domain.giving(one.of) if one.array or not each.begins]
            found = sum(ways(domain, each, depth + 1) for each in fitting if each is not goal)
            total *= 1.0 + (min(found, 2.0) / 2.0 if one.array else found)
    return min(total, MOST_WAYS)


Idiom = Callable[[Builder], None]


def rarer(idioms: Sequence[Idiom], away: Container[str]) -> tuple[Idiom, ...]:
    """The idioms of a category, of which these goals, given by their full names, are much rarer; all formulas
    together come as often as before.
    """
    found: list[tuple[Idiom, int, float]] = []
    for one, count in Counter(idioms).items():
        if isinstance(one, DomainIdiom) and not one.style.needs:
            weights = {
                goal: weight * (AWAY if goal.full_name in away else 1.0) for goal, weight in one.goals.items()
            }
            share = sum(weights.values()) / sum(one.goals.values())
            found.append((dataclasses.replace(one, goals=weights), count, share))
        else:
            found.append((one, count, 1.0))
    shared = [(count, share) for _, count, share in found if share < 1.0]
    scale = sum(count for count, _ in shared) / (sum(count * share for count, share in shared) or 1.0)
    return tuple(
        one
        for one, count, share in found
        for _ in range(count if share == 1.0 else math.ceil(count * share * scale))
    )
