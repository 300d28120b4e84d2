"""Which thread of a block does what each of them could do: that another one does it is no mistake.

`if (threadIdx.x == 0) atomicAdd(&total[0], block_total);` is the same program with thread 1, as all threads
have the sum of the block. Of an update that may be repeated, all threads but the first may do it, too.
"""

from __future__ import annotations

from collections.abc import Collection

from weft.cuda.traverse import blocks, slots
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Declare,
    Evaluate,
    Expression,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Return,
    Statement,
    Unary,
)
from weft.intrinsics import Effect

_THREAD = "threadIdx.x"
_OF_BLOCK = ("blockIdx.", "blockDim.", "gridDim.")
_TO_ALL_THREADS = {"block_sum", "block_max", "block_min"}
_REPEATABLE = {"atomicMax", "atomicMin", "max_atomically", "min_atomically"}


def harmless(function: Function) -> dict[int, frozenset[str]]:
    """The mutation operators that do no harm to a test, by the identity of the `if` at the end of a kernel's
    body that chooses a thread.
    """
    if not function.kernel or _returns(function.body):
        return {}
    threads, same = {_THREAD}, {name for name, _ in function.parameters}
    found = {}
    for statement in function.body:
        match statement:
            case Declare(name=name, value=Name(name=other), constant=True) if other == _THREAD:
                threads.add(name)
            case Declare(name=name, value=Expression() as value, constant=True) if _is_same(value, same):
                same.add(name)
            case If(
                test=Binary(operator="==", left=Name(name=name), right=Literal(value=0)), otherwise=[]
            ) if name in threads and all(_is_alike(one, same) for one in statement.body):
                repeatable = all(_is_repeatable(one) for one in statement.body)
                found[id(statement)] = frozenset({"constant", "comparison"} if repeatable else {"constant"})
    return found


def _returns(block: list[Statement]) -> bool:
    """Whether some threads may be gone at the end."""
    return any(isinstance(one, Return) or any(_returns(inner) for inner in blocks(one)) for one in block)


def _is_same(value: Expression, same: Collection[str]) -> bool:
    """Whether all threads of a block have the same value."""
    match value:
        case Literal():
            return True
        case Name(name=name):
            return name in same or name.startswith(_OF_BLOCK)
        case Call(function=function) if function in _TO_ALL_THREADS:
            return True
        case Binary() | Unary() | Cast() | Conditional():
            return all(_is_same(part, same) for part, _ in slots(value))
        case _:
            return False


def _is_place(value: Expression, same: Collection[str]) -> bool:
    return isinstance(value, Pointee) and all(_is_same(part, same) for part, _ in slots(value))


def _is_alike(statement: Statement, same: Collection[str]) -> bool:
    """Whether a statement does the same in each thread."""
    match statement:
        case Assign(target=target, value=value):
            return _is_place(target, same) and _is_same(value, same)
        case Evaluate(value=Call(effect=Effect.ATOMIC, arguments=[AddressOf(place=place), *values])):
            return _is_place(place, same) and all(_is_same(value, same) for value in values)
        case _:
            return False


def _is_repeatable(statement: Statement) -> bool:
    match statement:
        case Assign(operator=operator):
            return not operator
        case Evaluate(value=Call(function=function)):
            return function in _REPEATABLE
        case _:
            return False
