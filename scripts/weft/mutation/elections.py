"""Which thread of a block does what each of them could do: that another one does it is no mistake.

`if (threadIdx.x == 0) atomicAdd(&total[0], block_total);` is the same program with thread 1, as all threads
of the first warp have the sum of the block. Of an update that may be repeated, all threads but the first may
do it, too, if all of the block have the sum. Where a block is several warps, each with work of its own, the
same holds of the threads of a warp.

To which of a block's copies of bins a thread adds does not matter either: they are added up, and a thread may
as well add to number `threadIdx.x / 33`.
"""

from __future__ import annotations

import dataclasses

from weft.cuda.traverse import all_expressions, blocks, slots, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Declare,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Registers,
    Return,
    Share,
    Shared,
    Statement,
    Table,
    Unary,
    Unpack,
)
from weft.intrinsics import Effect

_THREAD = "threadIdx.x"
_OF_BLOCK = ("blockIdx.", "blockDim.", "gridDim.")
_OF_WARP = (*_OF_BLOCK, "threadIdx.y")
_TO_FIRST_WARP = {"block_reduce_sum", "block_reduce_max", "block_reduce_min"}
_TO_ALL_THREADS = {"block_sum", "block_max", "block_min"} | _TO_FIRST_WARP
_TO_ALL_LANES = {"warp_sum", "warp_max", "warp_min"}
_WARP = 32
_REPEATABLE = {"atomicMax", "atomicMin", "max_atomically", "min_atomically"}


def harmless(function: Function, block: tuple[int, int, int]) -> dict[int, frozenset[str]]:
    """The mutation operators that do no harm to a test, by the identity of the `if` at the end of a kernel's
    body that chooses a thread. `block` is the shape of its blocks.
    """
    if not function.kernel:
        return {}
    warps = block[0] == _WARP and block[1:] != (1, 1)
    same = _Same(_from_outside(function), warps)
    added_up = _added_up(function)
    calls = (node for node in all_expressions(function.body) if isinstance(node, Call))
    for_all = not any(call.function in _TO_FIRST_WARP for call in calls)
    threads = {_THREAD}
    found = {}
    for statement in function.body:
        if isinstance(statement, Declare) and statement.name in added_up:
            found[id(statement)] = frozenset({"constant"})
        if _returns([statement]) and not same.all_leave(statement):
            return {}
        match statement:
            case Declare(name=name, value=Name(name=other), constant=True) if other == _THREAD:
                threads.add(name)
            case Declare(name=name, value=Expression() as value, constant=True) if same.is_same(value):
                same.names.add(name)
            case If(
                test=Binary(operator="==", left=Name(name=name), right=Literal(value=0)), otherwise=[]
            ) if name in threads and all(same.is_alike(one) for one in statement.body):
                repeatable = for_all and all(_is_repeatable(one) for one in statement.body)
                found[id(statement)] = frozenset({"constant", "comparison"} if repeatable else {"constant"})
    return found


def _added_up(function: Function) -> set[str]:
    """The quotients of a thread's number that say no more than to which copy of a tile its atomics go."""
    nodes = all_expressions(function.body)
    addresses = [node.place for node in nodes if isinstance(node, AddressOf)]
    found = set()
    for one in function.body:
        match one:
            case Declare(name=name, value=Binary(operator="/", right=Literal()), constant=True):
                which = Name(one.type, name)
                tiles = [one for one in addresses if isinstance(one, Component) and len(one.indices) > 1]
                copies = [place for place in tiles if place.indices[0] == which]
                if copies and len(copies) == sum(isinstance(n, Name) and n.name == name for n in nodes):
                    found.add(name)
            case _:
                pass
    return found


def _from_outside(function: Function) -> set[str]:
    """The names that a kernel neither declares nor changes: parameters, extents and constants."""
    own = {name for one in statements(function.body) for name in _declared(one)}
    mentioned = {one.name for one in all_expressions(function.body) if isinstance(one, Name)}
    return {name for name in mentioned - own if not name.startswith("threadIdx.")}


def _declared(statement: Statement) -> list[str]:
    """The names that a statement declares or changes."""
    match statement:
        case Unpack(names=names) | Share(coordinates=names):
            return list(names)
        case Assign(target=Name(name=name)) | Declare(name=name) | For(name=name):
            return [name]
        case Shared(name=name) | Registers(name=name) | Table(name=name):
            return [name]
        case _:
            return []


def _returns(block: list[Statement]) -> bool:
    """Whether some threads may be gone at the end."""
    return any(isinstance(one, Return) or any(_returns(inner) for inner in blocks(one)) for one in block)


@dataclasses.dataclass
class _Same:
    """What all threads of a block have alike, or those of each of its `warps`: the constants `names`."""

    names: set[str]
    warps: bool

    def is_same(self, value: Expression) -> bool:
        """Whether all have the same value."""
        match value:
            case Literal():
                return True
            case Name(name=name):
                return name in self.names or name.startswith(_OF_WARP if self.warps else _OF_BLOCK)
            case Call(function=function) if function in (_TO_ALL_LANES if self.warps else _TO_ALL_THREADS):
                return True
            case Binary() | Unary() | Cast() | Conditional() | Call(effect=Effect.NONE, user=None):
                return all(self.is_same(part) for part, _ in slots(value))
            case _:
                return False

    def all_leave(self, statement: Statement) -> bool:
        """Whether it ends all threads or none."""
        match statement:
            case If(test=test, body=[Return()], otherwise=[]):
                return self.is_same(test)
            case _:
                return False

    def is_alike(self, statement: Statement) -> bool:
        """Whether a statement does the same in each thread."""
        match statement:
            case Declare(name=name, value=Expression() as value, constant=True) if self.is_same(value):
                self.names.add(name)
                return True
            case Assign(target=target, value=value):
                return self._is_place(target) and self.is_same(value)
            case Evaluate(value=Call(effect=Effect.ATOMIC, arguments=[AddressOf(place=place), *values])):
                return self._is_place(place) and all(self.is_same(value) for value in values)
            case _:
                return False

    def _is_place(self, value: Expression) -> bool:
        return isinstance(value, Pointee) and all(self.is_same(part) for part, _ in slots(value))


def _is_repeatable(statement: Statement) -> bool:
    match statement:
        case Assign(operator=operator):
            return not operator
        case Evaluate(value=Call(function=function)):
            return function in _REPEATABLE
        case _:
            return False
