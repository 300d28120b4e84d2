"""What is known at one point of a program: ranges of variables, and linear forms that are not negative."""

from __future__ import annotations

import math

from weft.cuda.passes.linear import Key, Linear
from weft.cuda.passes.numbers import UNKNOWN, Range, hull

_FIRST, _MOST = 16, 48
"""How many of the first facts stay, and how many there are at most."""


class State:
    """`ranges` has those of variables, and of other atoms of linear forms by their key; `about` the variables
    in these keys. Each of `facts` is at least zero. The number of facts is limited, so that a proof costs no
    more in a long function than in a short one: when there are too many, those in the middle go.

    `sources` has the kernel parameters whose described values a variable's range relies on. `drift` says how
    far variables may have moved since the innermost loop's head, for those that only sums moved.
    """

    def __init__(self) -> None:
        self.ranges: dict[Key, Range] = {}
        self.about: dict[Key, frozenset[str]] = {}
        self.sources: dict[Key, frozenset[str]] = {}
        self.drift: dict[str, Range] = {}
        self.facts: list[Linear] = []
        # What was found of atoms since anything was added, with what it relies on, by key and depth of calls.
        self.known: dict[tuple[Key, int], tuple[Range, frozenset[str]]] = {}
        # What the facts say, to find one at once, and names that they may be about, to forget none in vain.
        self._keys: set[object] = set()
        self._mentioned: set[str] = set()

    def copy(self) -> State:
        """A state that can change on its own."""
        state = State()
        state.ranges = dict(self.ranges)
        state.about = dict(self.about)
        state.sources = dict(self.sources)
        state.drift = dict(self.drift)
        state.facts = list(self.facts)
        state._keys = set(self._keys)
        state._mentioned = set(self._mentioned)
        return state

    def forget(self, names: set[str]) -> None:
        """Drop what is known about variables that change."""
        self.known.clear()
        for name in names:
            self.ranges.pop(name, None)
            self.drift.pop(name, None)
        for key in [key for key, about in self.about.items() if not names.isdisjoint(about)]:
            self.ranges.pop(key, None)
            del self.about[key]
        if not names.isdisjoint(self._mentioned):
            self.facts = [fact for fact in self.facts if names.isdisjoint(fact.names)]
            self._keys = {fact.key for fact in self.facts}
            self._mentioned = {name for fact in self.facts for name in fact.names}

    def assume(self, fact: Linear) -> None:
        """Add that a form is at least zero."""
        if fact.terms and fact.key not in self._keys:
            if len(self.facts) == _MOST:
                self._keys.discard(self.facts.pop(_FIRST).key)
            self.facts.append(fact)
            self._keys.add(fact.key)
            self._mentioned |= fact.names
            self.known.clear()

    def set(self, name: str, low: float, high: float) -> None:
        """Give a variable that was forgotten a range."""
        self.narrow(name, frozenset({name}), low, high)

    def knows(self, fact: Linear) -> bool:
        """Whether the form is one of those that are at least zero."""
        return fact.key in self._keys

    def narrow(self, key: Key, about: frozenset[str], low: float, high: float) -> None:
        """Add that an atom, which is about these variables, lies between two numbers."""
        before = self.ranges.get(key, UNKNOWN)
        after = max(before[0], low), min(before[1], high)
        if after != before:
            self.known.clear()
            self.ranges[key] = after
            if about != {key}:
                self.about[key] = about


def add_sources(state: State, other: State) -> None:
    """Let ranges in `state` also rely on what those in `other` rely on."""
    for name, sources in other.sources.items():
        state.sources[name] = state.sources.get(name, frozenset()) | sources


def merge(one: State | None, other: State | None) -> State | None:
    """What holds after either of two paths; None is a path that does not get there."""
    if one is None or other is None:
        return one or other
    state = State()
    for key, found in one.ranges.items():
        if key in other.ranges and (both := hull(found, other.ranges[key])) != (-math.inf, math.inf):
            state.ranges[key] = both
            if key in one.about:
                state.about[key] = one.about[key]
    state.drift = {
        name: hull(moved, other.drift[name]) for name, moved in one.drift.items() if name in other.drift
    }
    for fact in one.facts:
        if other.knows(fact):
            state.assume(fact)
    state.sources = dict(one.sources)
    add_sources(state, other)
    return state
