"""Idioms from domains: which goal a kernel has, and what becomes of its values."""

from __future__ import annotations

import dataclasses

from weft.kernels.builder import Builder
from weft.kernels.composition import kernel_names
from weft.kernels.endings import Style, endings
from weft.kernels.formulas import Domain, Formula, Quantity

MOST_WAYS = 24.0
"""Goals that can be reached in more ways are no more likely."""


PLAIN = Style()


def idioms(*domains: Domain, teaching: str | None = None, style: Style = PLAIN) -> tuple[DomainIdiom, ...]:
    """The idioms of some domains, one each: it draws a goal, the more likely the more ways lead to it.

    With `teaching`, goals are those whose formulas teach it. Domains without a goal that fits are left out.
    """
    found = {one: _goals(one, teaching, style) for one in domains}
    return tuple(DomainIdiom(domain, goals, style) for domain, goals in found.items() if goals)


def _goals(domain: Domain, teaching: str | None, style: Style) -> dict[Formula, float]:
    """The goals that fit, with their weights."""
    return {
        one: ways(domain, one) * len(endings(domain, one))
        for one in domain.formulas
        if one.goal
        and (teaching is None or teaching in one.teaches)
        and (not style.endings or any(each in endings(domain, one) for each in style.endings))
    }


@dataclasses.dataclass(frozen=True, eq=False)
class DomainIdiom:
    """Writes kernels for the goals of a domain, which have weights."""

    domain: Domain
    goals: dict[Formula, float]
    style: Style

    @property
    def __name__(self) -> str:
        return f"{self.domain.element} formulas".replace(" ", "_")

    def __call__(self, k: Builder) -> None:
        goal = k.rng.weighted(self.goals)
        k.dimension = k.rng.pick(2, 3, 3)
        k.name, *k.other_names = kernel_names(k, self.domain, goal)
        if self.style.functions is not None:
            k.policy = dataclasses.replace(k.policy, helper=self.style.functions)
        possible = endings(self.domain, goal)
        if self.style.endings:
            possible = {one: weight for one, weight in possible.items() if one in self.style.endings}
        k.rng.weighted(possible)(k, self.domain, goal, self.style)


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
