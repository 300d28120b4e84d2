"""How functions end: C++ wants a value on every way out of a function that gives one."""

from __future__ import annotations

from weft.cuda.analysis.dataflow import Dataflow, Exits
from weft.cuda.tree import Expression, If, Jump, Literal, Remark, Return, Statement
from weft.cuda.values import zero
from weft.types import Array, Tile, Type

_Memory = Array | Tile


def close(body: list[Statement], result: Type | tuple[Type, ...] | None) -> None:
    """End the body with zeros where it can end without a value, for which Warp defines none."""
    kinds = result if isinstance(result, tuple) else (result,)
    values = [zero(kind) for kind in kinds if kind is not None and not isinstance(kind, _Memory)]
    if values and len(values) == len(kinds) and _Reached().block(body, True, Exits()):
        body += [Remark("Nothing defines a value for what comes here."), Return(values)]


class _Reached(Dataflow[bool]):
    """Whether a statement is reached: not after a `return`, nor after a loop that never ends."""

    def join(self, one: bool, other: bool) -> bool:
        return one or other

    def transfer(self, statement: Statement, state: bool) -> bool:
        return state

    def assume(self, state: bool, test: Expression, holds: bool) -> bool | None:
        return None if isinstance(test, Literal) and bool(test.value) != holds else state


def leaves(body: list[Statement]) -> bool:
    """Whether statements end with a jump or a return, on every way through their branches."""
    match next((one for one in reversed(body) if not isinstance(one, Remark)), None):
        case Return() | Jump():
            return True
        case If(body=then, otherwise=otherwise):
            return leaves(then) and leaves(otherwise)
        case _:
            return False
