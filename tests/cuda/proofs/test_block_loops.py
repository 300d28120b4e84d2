"""Blocks that stage tiles compute what threads on their own do, in the same order, without races."""

from __future__ import annotations

import copy
import random

import pytest
from block_run import Block, DivergenceError, RaceError, barriers

from weft.cuda.grid import LINEAR
from weft.cuda.passes.block_loops import share_loops
from weft.cuda.passes.launch_place import guard, number_along
from weft.cuda.traverse import clone, rewrite_block, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Declare,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Pointee,
    Statement,
)
from weft.launch import Launch, Parameter, Recipe
from weft.types import Array

OWN, J, COUNT, TOTAL = (Name(INT, name) for name in ("i", "j", "count", "total"))
MOST = 70
COUNTS = [1, 64, 65, MOST]


def element(array: str, index: Expression) -> Pointee:
    return Pointee(INT, Name(Array(INT, 1), array), clone(index))


def binary(operator: str, left: Expression, right: Expression) -> Binary:
    return Binary(BOOL if operator in ("<", ">=", "!=") else INT, operator, clone(left), clone(right))


def add(value: Expression) -> Assign:
    """`total = 3 * total + value`, of which the order matters."""
    return Assign(clone(TOTAL), "", binary("+", binary("*", Literal(INT, 3), TOTAL), value))


def loop(*body: Statement, stop: Expression = COUNT, start: int = 0) -> For:
    return For(INT, "j", Literal(INT, start), clone(stop), 1, list(body))


def kernel(*body: Statement) -> Function:
    """`body` in a kernel that begins with `own = x[i]` and `total = y[i]`, and ends with `y[i] = total`."""
    kinds = {"x": Array(INT, 1), "w": Array(INT, 1), "y": Array(INT, 1), "count": INT, "odd": INT}
    lines = [
        Declare(INT, "i", number_along("x", "x"), True),
        guard(binary(">=", OWN, COUNT)),
        Declare(INT, "own", element("x", OWN), True),
        Declare(INT, "total", Literal(INT, 1)),
        *body,
        Assign(element("y", OWN), "", clone(TOTAL)),
    ]
    return Function("k", "k", "", [*kinds.items()], None, lines, True)


def launch(size: str = f"min(n, {MOST})") -> Launch:
    parameters = {
        "x": Parameter("in", ("bodies",), Recipe("integers", (0, 9))),
        "w": Parameter("in", ("bodies",), Recipe("integers", (0, 9))),
        "y": Parameter("out", ("bodies",), None),
        "count": Parameter("in", (), Recipe("size", "bodies")),
        "odd": Parameter("in", (), Recipe("integers", (0, 9))),
    }
    return Launch({"bodies": size}, ("bodies",), parameters)


def shared(before: Function, described: Launch | None = None) -> tuple[Function, int]:
    """A kernel after the pass, and the threads of its blocks; none if nothing changed."""
    after = copy.deepcopy(before)
    grid = share_loops(after, described or launch(), LINEAR, {"y"}, {"count": "bodies"}, {})
    return after, 0 if after == before else grid.block[0]


def run(one: Function, count: int, threads: int) -> list[int]:
    """What a kernel stores, for `count` elements."""
    draw = random.Random(count)
    arrays = {name: [draw.randrange(9) for _ in range(count)] for name in "xw"} | {"y": [0] * count}
    for number in range(-(-count // threads)):
        Block((number, 0), (threads, 1), arrays).execute(one, {"count": count, "odd": 2})
    return arrays["y"]


PAIR = loop(If(binary("!=", OWN, J), [add(binary("*", element("x", J), element("w", J)))], []))
SHARED: dict[str, list[Statement]] = {
    "a sum over pairs": [loop(add(binary("-", element("x", J), Name(INT, "own"))))],
    "two arrays, under a condition": [PAIR],
    "two loops": [loop(add(element("x", J))), loop(add(element("x", J)))],
    "a turn that ends early": [
        loop(If(binary("<", element("x", J), Literal(INT, 4)), [Jump("continue")], []), add(element("w", J)))
    ],
    "stores before": [Assign(element("y", OWN), "", Literal(INT, 5)), loop(add(element("x", J)))],
    "loops before": [loop(add(J), stop=Literal(INT, 3)), loop(add(element("x", J)))],
    "an element of the thread's own": [loop(add(binary("*", element("x", J), element("w", OWN))))],
}


@pytest.mark.parametrize("body", SHARED.values(), ids=SHARED)
def test_a_block_finds_what_its_threads_found(body: list[Statement]) -> None:
    before = kernel(*body)
    after, threads = shared(before)
    assert threads == 64
    for count in COUNTS:
        assert run(after, count, threads) == run(before, count, 256), count


@pytest.mark.parametrize("left_out", [0, 1])
def test_each_barrier_is_needed(left_out: int) -> None:
    after, threads = shared(kernel(PAIR))
    found = barriers(after)
    assert len(found) == 2
    body, number = found[left_out]
    del body[number]
    with pytest.raises(RaceError):
        run(after, MOST, threads)


def test_all_threads_have_to_reach_the_barriers() -> None:
    after, threads = shared(kernel(PAIR))
    after.body.insert(1, guard(binary(">=", OWN, COUNT)))
    with pytest.raises(DivergenceError):
        run(after, MOST, threads)


def test_the_last_tile_is_short() -> None:
    after, threads = shared(kernel(PAIR))

    def longer(node: Expression) -> Expression:
        return node.arguments[0] if isinstance(node, Call) and node.function == "min" else node

    rewrite_block(after.body, longer)
    # What the tile before left there would be added again.
    assert run(after, MOST, threads) != run(kernel(PAIR), MOST, threads)
    with pytest.raises(RaceError):
        run(after, 1, threads)


def test_no_thread_loads_beyond_the_last_element() -> None:
    after, threads = shared(kernel(PAIR))
    (staging,) = (one for one in statements(after.body) if isinstance(one, If) and one.divergent)
    staging.test = Literal(BOOL, True)
    with pytest.raises(IndexError):
        run(after, MOST, threads)


KEPT: dict[str, list[Statement]] = {
    "an array that the kernel writes": [loop(add(element("y", J)))],
    "elements beside": [loop(add(element("x", binary("+", J, Literal(INT, 1)))))],
    "memory of each thread's own": [
        loop(add(binary("*", element("x", J), element("w", binary("-", J, OWN)))))
    ],
    "few turns": [loop(add(element("x", J)), stop=Literal(INT, 64))],
    "turns that no extent counts": [loop(add(element("x", J)), stop=Name(INT, "odd"))],
    "turns of the thread's own": [loop(add(element("x", J)), stop=OWN)],
    "a search": [loop(If(binary("<", element("x", J), OWN), [Jump("break")], []))],
    "a loop from the second element": [loop(add(element("x", J)), start=1)],
    "a loop in a branch": [If(binary("<", OWN, Literal(INT, 9)), [loop(add(element("x", J)))], [])],
    "a number of turns that changes": [
        Assign(clone(COUNT), "", binary("-", COUNT, Literal(INT, 1))),
        loop(add(element("x", J))),
    ],
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_threads_read_on_their_own(body: list[Statement]) -> None:
    assert shared(kernel(*body))[1] == 0


@pytest.mark.parametrize(("size", "threads"), [("64", 0), ("65", 64), ("200", 128), ("n", 256)])
def test_a_block_is_no_larger_than_most_tiles(size: str, threads: int) -> None:
    assert shared(kernel(PAIR), launch(size))[1] == threads
