"""Values of a kernel's expressions as terms: what must be equal for two places to be one place in one thread.

An integer is a polynomial of *atoms*. Atoms are equal only where they have one value whenever they are
evaluated in one turn of all loops around them. Those that the order of the threads decides are `tainted`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Atom:
    """A value of which nothing is computed here. `label` says which one of its `kind`; taint is no part of
    that: it grows while a kernel is run again and again."""

    kind: str
    label: tuple[Any, ...] = ()
    tainted: bool = dataclasses.field(default=False, compare=False)


Monomial = tuple[Atom, ...]


@dataclasses.dataclass(frozen=True)
class Term:
    """A polynomial: the factor of each product of atoms; that of no atoms is the constant."""

    factors: frozenset[tuple[Monomial, int]] = frozenset()

    @property
    def tainted(self) -> bool:
        return any(atom.tainted for atom in self.atoms())

    def atoms(self) -> list[Atom]:
        return [atom for monomial, _ in self.factors for atom in monomial]

    @property
    def number(self) -> int | None:
        """The term's value, if it is one number always."""
        if not self.factors:
            return 0
        ((monomial, factor), *others) = self.factors
        return None if monomial or others else factor

    def __add__(self, other: Term) -> Term:
        return _sum([*self.factors, *other.factors])

    def __sub__(self, other: Term) -> Term:
        return self + other * constant(-1)

    def __mul__(self, other: Term) -> Term:
        return _sum(
            (tuple(sorted([*left, *right], key=repr)), one * two)
            for left, one in self.factors
            for right, two in other.factors
        )


@dataclasses.dataclass(frozen=True)
class View:
    """An array parameter, by its leaf, at some indices: as many as it has axes where it is an element, of
    which `part` leads to a member or a component."""

    name: str
    ndim: int
    indices: tuple[Term, ...] = ()
    part: tuple[str | Term, ...] = ()

    @property
    def tainted(self) -> bool:
        return any(index.tainted for index in (*self.indices, *self.part) if isinstance(index, Term))


@dataclasses.dataclass(frozen=True)
class Holder:
    """A struct that is a parameter or a member of one: its path and the name of its type."""

    name: str
    struct: str
    tainted: bool = False


Meaning = Term | View | Holder


def _sum(factors: Iterable[tuple[Monomial, int]]) -> Term:
    total: dict[Monomial, int] = {}
    for monomial, factor in factors:
        total[monomial] = total.get(monomial, 0) + factor
    return Term(frozenset((monomial, factor) for monomial, factor in total.items() if factor))


def constant(number: int) -> Term:
    """The term of a number."""
    return _sum([((), number)])


def atom(kind: str, *label: Any, tainted: bool = False) -> Term:
    """The term of an atom, which is tainted if something in its label is."""
    inner = any(getattr(one, "tainted", False) for one in label)
    return Term(frozenset([((Atom(kind, label, tainted or inner),), 1)]))


def divided(term: Term, divisor: Term) -> tuple[Term, Term]:
    """Quotient and rest of a division by a product of atoms and a number, product by product."""
    ((by, number),) = divisor.factors
    quotient, rest = [], []
    for monomial, factor in term.factors:
        left = _without(monomial, by)
        if left is None:
            rest.append((monomial, factor))
        else:
            quotient.append((left, factor // number))
            rest.append((monomial, factor % number))
    return _sum(quotient), _sum(rest)


def _without(monomial: Monomial, by: Monomial) -> Monomial | None:
    left = list(monomial)
    for one in by:
        if one not in left:
            return None
        left.remove(one)
    return tuple(left)


def end(term: Term, below: Mapping[Atom, Term]) -> Term | None:
    """What a term is less than, where it is a number from 0 and atoms that count up to one `below` something;
    None if that is not known."""
    total = constant(1)
    for monomial, factor in term.factors:
        if not monomial and factor > 0:
            total = total + constant(factor)
        elif len(monomial) == 1 and factor > 0 and monomial[0] in below:
            total = total + (below[monomial[0]] - constant(1)) * constant(factor)
        else:
            return None
    return total
