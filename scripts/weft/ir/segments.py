"""Lists of numbers that say where segments begin: what threads do in one must not reach into the next."""

from __future__ import annotations

from collections.abc import Container

from weft.ir.index_facts import IndexFacts
from weft.ir.symbolic_bounds import Bound, add, bound

JITTER = 3
"""How many numbers the beginning of a segment is drawn from."""


def segment_lengths(facts: IndexFacts, lists: Container[str]) -> dict[str, list[Bound]]:
    """How far apart segments must begin, for each of `lists` that says where.

    Either the next element ends a segment, as in the rows of a sparse matrix, or something is stored at an
    element plus what the code adds to it.
    """
    found = {name: [bound({(): JITTER})] for name in facts.segments if name in lists}
    for reached in facts.reached:
        starts = [
            monomial[0]
            for monomial, factor in reached
            if len(monomial) == 1 and factor == 1 and monomial[0].kind == "values"
        ]
        for start in starts:
            name = start.name.removesuffix(":")
            if name in lists and name not in facts.segments and start not in facts.loops:
                # An element is at most its extent less one, and what is reached is one of that many.
                found.setdefault(name, []).append(add(reached, bound({(start,): -1, (): JITTER + 1})))
                break
    return found
