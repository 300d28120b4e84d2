"""An interpreter of the translator's tree for a block of threads, which finds races in shared memory."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Generator

from int32 import Run

from weft.cuda.traverse import blocks, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
    Declare,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Jump,
    Name,
    Pointee,
    Remark,
    Return,
    Shared,
    Statement,
)
from weft.intrinsics import Effect

Steps = Generator[int, int | None, None]

_WARP = 32


class RaceError(AssertionError):
    """A thread reads an element of shared memory that none wrote, or two threads access one without a barrier
    between, one of them to write.
    """


class DivergenceError(AssertionError):
    """Some threads of a block wait at a barrier that others never reach."""


def barriers(kernel: Function) -> list[tuple[list[Statement], int]]:
    """The blocks in which barriers stand, and where."""
    bodies = [kernel.body, *(body for inner in statements(kernel.body) for body in blocks(inner))]
    return [
        (body, number)
        for body in bodies
        for number, inner in enumerate(body)
        if isinstance(inner, Evaluate)
        and isinstance(inner.value, Call)
        and inner.value.effect == Effect.BARRIER
    ]


class _ReturnedError(Exception):
    """The thread left the kernel."""


class _ContinuedError(Exception):
    """The thread left a turn of a loop."""


@dataclasses.dataclass
class _Cell:
    """An element of shared memory: who wrote it, and who read it since the last barrier."""

    value: int
    writer: int
    written: int
    readers: set[int] = dataclasses.field(default_factory=set)
    read: int = -1


@dataclasses.dataclass
class Block:
    """A block of so many threads along x and y, and its place in the grid. Elements beyond an array's end are
    there for nobody.
    """

    place: tuple[int, int]
    threads: tuple[int, int]
    arrays: dict[str, list[int]]
    epoch: int = 0
    shared: dict[tuple[str, tuple[int, ...]], _Cell] = dataclasses.field(default_factory=dict)

    def execute(self, kernel: Function, values: dict[str, int]) -> None:
        """Run a kernel, whose parameters that are no arrays have these values. Raises RaceError,
        DivergenceError, and IndexError for an element that is not there.
        """
        width, height = self.threads
        threads = [_Thread(self, dict(values), thread).run(kernel) for thread in range(width * height)]
        replies: list[int | None] = [None] * len(threads)
        while True:
            waiting = [_next(one, reply) for one, reply in zip(threads, replies, strict=True)]
            self.epoch += 1
            if set(map(type, waiting)) == {type(None)}:
                return
            if len(set(map(type, waiting))) > 1:
                raise DivergenceError(f"{waiting.count(None)} of {len(waiting)} threads have returned")
            warps = [waiting[first : first + _WARP] for first in range(0, len(waiting), _WARP)]
            replies = [sum(map(int, warp)) for warp in warps for _ in warp]

    def load(self, name: str, index: tuple[int, ...], thread: int) -> int:
        cell = self.shared.get((name, index))
        if cell is None or (cell.written == self.epoch and cell.writer != thread):
            raise RaceError(f"{name}{index}")
        cell.readers = {thread} | (cell.readers if cell.read == self.epoch else set())
        cell.read = self.epoch
        return cell.value

    def store(self, name: str, index: tuple[int, ...], thread: int, value: int) -> None:
        before = self.shared.get((name, index))
        if before is not None and (
            (before.written == self.epoch and before.writer != thread)
            or (before.read == self.epoch and before.readers - {thread})
        ):
            raise RaceError(f"{name}{index}")
        self.shared[name, index] = _Cell(value, thread, self.epoch)


def _next(thread: Steps, reply: int | None) -> int | None:
    """What a thread waits for; None if it has returned."""
    try:
        return thread.send(reply)
    except StopIteration:
        return None


class _Thread(Run):
    """A thread of a block."""

    def __init__(self, block: Block, names: dict[str, int], thread: int) -> None:
        super().__init__(names, block.arrays, thread)
        self.block = block
        width, _ = block.threads
        places = {
            "blockIdx": block.place,
            "blockDim": block.threads,
            "threadIdx": (thread % width, thread // width),
        }
        names |= {
            f"{name}.{axis}": one
            for name, pair in places.items()
            for axis, one in zip("xy", pair, strict=True)
        }

    def run(self, kernel: Function) -> Steps:
        """Gives True at each barrier, and a number at each sum of a warp, for which it takes the sum."""
        try:
            yield from self._steps(kernel.body)
        except _ReturnedError:
            return

    def value(self, expression: Expression) -> int:
        match expression:
            case Pointee(base=Name(name=name), offset=offset):
                index = self.value(offset)
                if name not in self.arrays:
                    return self.block.load(name, (index,), self.thread)
                if index < 0:
                    raise IndexError(f"{name}[{index}]")
                return self.arrays[name][index]
            case Component(value=Name(name=name), indices=indices):
                return self.block.load(name, tuple(map(self.value, indices)), self.thread)
            case _:
                return super().value(expression)

    def _steps(self, block: list[Statement]) -> Steps:
        for statement in block:
            yield from self._step(statement)

    def _step(self, statement: Statement) -> Steps:
        match statement:
            case Remark() | Shared():
                pass
            case Evaluate(value=Call(effect=Effect.BARRIER)):
                yield True
            case Declare(name=name, value=Call(function="warp_sum", arguments=[value])):
                self.names[name] = yield self.value(value)
            case Evaluate(value=Call(function="atomicAdd", arguments=[AddressOf(place=place), value])):
                self._assign(place, self.value(Binary(place.type, "+", place, value)))
            case Declare(name=name, value=Expression() as value):
                self.names[name] = self.value(value)
            case Assign(target=target, operator=operator, value=value):
                self._assign(
                    target, self.value(Binary(target.type, operator, target, value) if operator else value)
                )
            case If(test=test, body=body, otherwise=otherwise):
                yield from self._steps(body if self.value(test) else otherwise)
            case For(name=name, start=start, stop=stop, stride=stride, body=body):
                self.names[name] = self.value(start)
                while self.names[name] < self.value(stop):
                    with contextlib.suppress(_ContinuedError):
                        yield from self._steps(body)
                    self.names[name] += self.value(stride) if stride is not None else statement.step
            case Jump(keyword="continue"):
                raise _ContinuedError
            case Return():
                raise _ReturnedError
            case _:
                raise TypeError(statement)

    def _assign(self, target: Expression, value: int) -> None:
        match target:
            case Name(name=name):
                self.names[name] = value
            case Pointee(base=Name(name=name), offset=offset) if name in self.arrays:
                self.arrays[name][self.value(offset)] = value
            case Pointee(base=Name(name=name), offset=offset):
                self.block.store(name, (self.value(offset),), self.thread, value)
            case Component(value=Name(name=name), indices=indices):
                self.block.store(name, tuple(map(self.value, indices)), self.thread, value)
            case _:
                raise TypeError(target)
