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

    def copy(self) -> State:
        """A state that can change on its own."""
        state = State()
        state.lower = dict(self.lower)
        state.sources = dict(self.sources)
        state.facts = list(self.facts)
        return state

    def forget(self, names: set[str]) -> None:
        """Drop what is known about variables that change."""
        for name in names:
            self.lower.pop(name, None)
        if names:
            self.facts = [fact for fact in self.facts if not fact.names() & names]

    def assume(self, fact: Linear) -> None:
        """Add that a form is at least zero."""
        if fact.terms and fact not in self.facts:
            self.facts.append(fact)


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
    state.facts = [fact for fact in one.facts if fact in other.facts]
    state.sources = dict(one.sources)
    add_sources(state, other)
    return state
