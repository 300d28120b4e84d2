"""The driver of forward analyses: how states go through blocks, branches, loops and jumps."""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Iterable
from typing import Generic, TypeVar

from weft.cuda.tree import Expression, For, If, Jump, Return, Statement, While

S = TypeVar("S")

_Loop = For | While


@dataclasses.dataclass
class Exits(Generic[S]):
    """The states with which jumps leave the body of a loop."""

    breaks: list[S] = dataclasses.field(default_factory=list)
    continues: list[S] = dataclasses.field(default_factory=list)


class Dataflow(abc.ABC, Generic[S]):
    """An analysis says what statements do to a state, and what holds where paths meet. None stands for the
    state of what is never reached.
    """

    @abc.abstractmethod
    def join(self, one: S, other: S) -> S:
        """What holds after either of two paths."""

    @abc.abstractmethod
    def transfer(self, statement: Statement, state: S) -> S:
        """The state after what a statement does by itself, without its blocks."""

    def assume(self, state: S, test: Expression, holds: bool) -> S | None:
        """The state where a test turned out so; None if it cannot."""
        return state

    def block(self, block: list[Statement], state: S | None, exits: Exits[S]) -> S | None:
        """The state at the end of a block. `exits` collects the states of its jumps."""
        for statement in block:
            if state is None:
                break
            state = self._statement(statement, state, exits)
        return state

    def _statement(self, statement: Statement, state: S, exits: Exits[S]) -> S | None:
        match statement:
            case For() | While():
                return self.loop(statement, state)
            case If(body=body, otherwise=otherwise):
                state = self.transfer(statement, state)
                then = self.assume(state, statement.test, True)
                other = self.assume(state, statement.test, False)
                return self.joined([self.block(body, then, exits), self.block(otherwise, other, exits)])
            case Jump(keyword=keyword):
                (exits.breaks if keyword == "break" else exits.continues).append(state)
                return None
            case Return():
                self.transfer(statement, state)
                return None
            case _:
                return self.transfer(statement, state)

    def loop(self, loop: For | While, state: S) -> S | None:
        """The state after a loop: its head is that of the entry and of all that comes back."""
        head = self.transfer(loop, state)
        while True:
            exits: Exits[S] = Exits()
            end = self.block(loop.body, self.enter(loop, head), exits)
            again = self.joined([head, end, *exits.continues])
            if again is None or again == head:
                break
            head = self.transfer(loop, again)
        return self.joined([self.leave(loop, head), *exits.breaks])

    def enter(self, loop: For | While, head: S) -> S | None:
        """The state where the body begins."""
        return self.assume(head, loop.test, True) if isinstance(loop, While) else head

    def leave(self, loop: For | While, head: S) -> S | None:
        """The state where a loop ends by itself."""
        return self.assume(head, loop.test, False) if isinstance(loop, While) else head

    def joined(self, states: Iterable[S | None]) -> S | None:
        """What holds after any of several paths."""
        reached = [state for state in states if state is not None]
        return functools.reduce(self.join, reached) if reached else None
