"""How functions end: C++ wants a value on every way out of a function that gives one."""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.analysis.dataflow import Dataflow, Exits
from weft.cuda.traverse import blocks
from weft.cuda.tree import Expression, If, Jump, Literal, Remark, Return, Statement
from weft.cuda.values import zero
from weft.types import Array, Tile, Type

_Memory = Array | Tile


def close(body: list[Statement], result: Type | tuple[Type, ...] | None) -> None:
    """Give zeros wherever the body leaves without a value, at its end or by `return`: Warp defines none."""
    kinds = [kind for kind in (result if isinstance(result, tuple) else (result,)) if kind is not None]
    if not kinds or any(isinstance(kind, _Memory) for kind in kinds):
        return
    _complete(body, kinds)
    if _Reached().block(body, True, Exits()):
        body += _undefined(kinds)


def _complete(body: list[Statement], kinds: Sequence[Type]) -> None:
    """Give the returns without a value one. Warp takes them, and NVRTC warns of them; clang refuses them."""
    for block in (block for statement in body for block in blocks(statement)):
        _complete(block, kinds)
    bare = [isinstance(statement, Return) and not statement.values for statement in body]
    body[:] = [
        one
        for is_bare, statement in zip(bare, body, strict=True)
        for one in (_undefined(kinds) if is_bare else [statement])
    ]


def _undefined(kinds: Sequence[Type]) -> list[Statement]:
    return [Remark("No value is defined for this case."), Return([zero(kind) for kind in kinds])]


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
