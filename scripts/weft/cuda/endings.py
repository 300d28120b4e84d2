"""How functions end: C++ wants a value on every way out of a function that gives one."""

from __future__ import annotations

from weft.cuda.traverse import blocks
from weft.cuda.tree import For, If, Jump, Literal, Remark, Return, Statement, While
from weft.cuda.values import zero
from weft.types import Array, Tile, Type

_Memory = Array | Tile


def close(body: list[Statement], result: Type | tuple[Type, ...] | None) -> None:
    """End the body with zeros where it can end without a value, for which Warp defines none."""
    kinds = result if isinstance(result, tuple) else (result,)
    values = [zero(kind) for kind in kinds if kind is not None and not isinstance(kind, _Memory)]
    if values and len(values) == len(kinds) and not _ends(body):
        body += [Remark("Nothing defines a value for what comes here."), Return(values)]


def _ends(body: list[Statement]) -> bool:
    """Whether every way through the statements ends in a `return`, or never ends."""
    for statement in reversed(body):
        match statement:
            case Remark():
                continue
            case Return():
                return True
            case If(body=then, otherwise=otherwise):
                return _ends(then) and _ends(otherwise)
            case While(test=Literal(value=value)):
                return bool(value) and not _breaks(statement.body)
            case _:
                return False
    return False


def leaves(body: list[Statement]) -> bool:
    """Whether no way through the statements comes to what follows them."""
    last = next((one for one in reversed(body) if not isinstance(one, Remark)), None)
    return isinstance(last, Jump) or _ends(body)


def _breaks(body: list[Statement]) -> bool:
    """Whether statements leave the loop that they are the body of."""
    return any(
        (isinstance(statement, Jump) and statement.keyword == "break")
        or (not isinstance(statement, For | While) and any(_breaks(inner) for inner in blocks(statement)))
        for statement in body
    )
