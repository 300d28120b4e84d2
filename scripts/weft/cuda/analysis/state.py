"""What is known at one point of a program: intervals of values, and linear forms that are not negative."""

from __future__ import annotations

from weft.cuda.analysis.intervals import UNKNOWN, Interval, hull
from weft.cuda.analysis.linear import Key, Linear
from weft.cuda.tree import Expression

Test = tuple[Expression, frozenset[str]]
"""A condition, the variables in it and the one that has its result."""

_FIRST, _MOST = 16, 48
"""How many of the first facts stay, and how many there are at most."""


class State:
    """`intervals` has those of variables, and of other atoms of linear forms by their key; `about` the
    variables in these keys. Each of `facts` is at least zero. The number of facts is limited, so that a proof
    costs no more in a long function than in a short one: when there are too many, those in the middle go.

    `copies` has the places in memory that variables are copies of, `tests` the conditions that they hold the
    result of. `drift` says how far variables may have moved since the innermost loop's head, for those that
    only sums moved.
    """

    def __init__(self) -> None:
        self.intervals: dict[Key, Interval] = {}
        self.about: dict[Key, frozenset[str]] = {}
        self.copies: dict[str, Expression] = {}
        self.tests: dict[str, Test] = {}
        self.drift: dict[str, Interval] = {}
        self.facts: list[Linear] = []
        # What was found of atoms since anything was added, by key and depth of calls.
        self.known: dict[tuple[Key, int], Interval] = {}
        # What follows for atoms from what they are made of, by key, sign and depth.
        self.followed: dict[tuple[Key, bool, int], list[Linear]] = {}
        # What the facts say, to find one at once, and names that they may be about, to forget none in vain.
        self._keys: set[object] = set()
        self._mentioned: set[str] = set()
        self._by_atom: dict[tuple[Key, bool], list[Linear]] | None = None

    @property
    def impossible(self) -> bool:
        """Whether no number lies in the interval of some variable: then the point is never reached."""
        return any(low > high for low, high in self.intervals.values())

    @property
    def key(self) -> tuple[object, ...]:
        """What is known, drift apart, to find a state that knows the same; as long as this one lives."""
        copies = tuple((name, id(one)) for name, one in self.copies.items())
        tests = tuple((name, id(test)) for name, (test, _) in self.tests.items())
        return frozenset(self.intervals.items()), tuple(one.key for one in self.facts), copies, tests

    def copy(self) -> State:
        """A state that can change on its own."""
        state = State()
        state.intervals = self.intervals.copy()
        state.about = self.about.copy()
        state.copies = self.copies.copy()
        state.tests = self.tests.copy()
        state.drift = self.drift.copy()
        state.facts = self.facts.copy()
        state._keys = self._keys.copy()
        state._mentioned = self._mentioned.copy()
        return state

    def _forget_found(self) -> None:
        self.known.clear()
        self.followed.clear()

    def forget(self, names: set[str]) -> None:
        """Drop what is known about variables that change."""
        self._forget_found()
        for name in names:
            self.intervals.pop(name, None)
            self.copies.pop(name, None)
            self.drift.pop(name, None)
        for name in [name for name, (_, about) in self.tests.items() if not names.isdisjoint(about)]:
            del self.tests[name]
        for key in [key for key, about in self.about.items() if not names.isdisjoint(about)]:
            self.intervals.pop(key, None)
            del self.about[key]
        if not names.isdisjoint(self._mentioned):
            self._by_atom = None
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
            self._by_atom = None
            self._forget_found()

    def facts_with(self, key: Key, positive: bool) -> list[Linear]:
        """The facts in which an atom has a coefficient of this sign."""
        if self._by_atom is None:
            self._by_atom = {}
            for fact in self.facts:
                for one, (coefficient, _) in fact.terms.items():
                    self._by_atom.setdefault((one, coefficient > 0), []).append(fact)
        return self._by_atom.get((key, positive), [])

    def set(self, name: str, low: float, high: float) -> None:
        """Give a variable that was forgotten an interval."""
        self.narrow(name, frozenset({name}), low, high)

    def knows(self, fact: Linear) -> bool:
        """Whether the form is one of those that are at least zero."""
        return fact.key in self._keys

    def narrow(self, key: Key, about: frozenset[str], low: float, high: float) -> None:
        """Add that an atom, which is about these variables, lies between two numbers."""
        before = self.intervals.get(key, UNKNOWN)
        after = max(before[0], low), min(before[1], high)
        if after != before:
            self._forget_found()
            self.intervals[key] = after
            if about != {key}:
                self.about[key] = about


def merge(one: State, other: State) -> State:
    """What holds after either of two paths."""
    state = State()
    for key, found in one.intervals.items():
        if key in other.intervals and (both := hull(found, other.intervals[key])) != UNKNOWN:
            state.intervals[key] = both
            if key in one.about:
                state.about[key] = one.about[key]
    state.copies = {name: place for name, place in one.copies.items() if other.copies.get(name) is place}
    state.tests = {name: test for name, test in one.tests.items() if other.tests.get(name) is test}
    state.drift = {
        name: hull(moved, other.drift[name]) for name, moved in one.drift.items() if name in other.drift
    }
    for fact in one.facts:
        if other.knows(fact):
            state.assume(fact)
    return state
