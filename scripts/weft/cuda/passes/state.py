"""What is known at one point of a program: bounds of variables, and linear forms that are not negative."""

from __future__ import annotations

from weft.cuda.passes.linear import Linear

Number = int | float


class State:
    """`lower` has a number that a variable is never below; each of `facts` is at least zero.

    `sources` has the kernel parameters whose described values a variable's bound relies on.
    """

    def __init__(self) -> None:
        self.lower: dict[str, Number] = {}
        self.sources: dict[str, frozenset[str]] = {}
        self.facts: list[Linear] = []
        # What the facts say, to find one at once, and names that they may be about, to forget none in vain.
        self._keys: set[object] = set()
        self._mentioned: set[str] = set()

    def copy(self) -> State:
        """A state that can change on its own."""
        state = State()
        state.lower = dict(self.lower)
        state.sources = dict(self.sources)
        state.facts = list(self.facts)
        state._keys = set(self._keys)
        state._mentioned = set(self._mentioned)
        return state

    def forget(self, names: set[str]) -> None:
        """Drop what is known about variables that change."""
        for name in names:
            self.lower.pop(name, None)
        if not names.isdisjoint(self._mentioned):
            self.facts = [fact for fact in self.facts if names.isdisjoint(fact.names)]
            self._keys = {fact.key for fact in self.facts}
            self._mentioned = {name for fact in self.facts for name in fact.names}

    def assume(self, fact: Linear) -> None:
        """Add that a form is at least zero."""
        if fact.terms and fact.key not in self._keys:
            self.facts.append(fact)
            self._keys.add(fact.key)
            self._mentioned |= fact.names

    def knows(self, fact: Linear) -> bool:
        """Whether the form is one of those that are at least zero."""
        return fact.key in self._keys


def add_sources(state: State, other: State) -> None:
    """Let bounds in `state` also rely on what those in `other` rely on."""
    for name, sources in other.sources.items():
        state.sources[name] = state.sources.get(name, frozenset()) | sources


def merge(one: State | None, other: State | None) -> State | None:
    """What holds after either of two paths; None is a path that does not get there."""
    if one is None or other is None:
        return one or other
    state = State()
    state.lower = {
        name: min(bound, other.lower[name]) for name, bound in one.lower.items() if name in other.lower
    }
    for fact in one.facts:
        if other.knows(fact):
            state.assume(fact)
    state.sources = dict(one.sources)
    add_sources(state, other)
    return state
