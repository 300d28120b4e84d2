"""Blocks that stage tiles of two factors compute what threads on their own do, in the same order."""

from __future__ import annotations

import copy
import random

import pytest
from block_run import Block, DivergenceError, RaceError, barriers

from weft.cuda.grid import Grid, grid_of
from weft.cuda.passes.block_products import share_products
from weft.cuda.passes.launch_place import guard, number_along
from weft.cuda.traverse import clone, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Conditional,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Shared,
    Statement,
)
from weft.launch import Launch, Parameter, Recipe
from weft.types import Array

ROW, COL, K, ROWS, COLS, DEPTH, TOTAL = (
    Name(INT, name) for name in ("i", "j", "k", "rows", "cols", "depth", "total")
)
SIZES = [(1, 1, 1), (17, 3, 18), (2, 17, 16), (16, 16, 33)]


def binary(operator: str, left: Expression, right: Expression) -> Binary:
    return Binary(BOOL if operator in ("<", ">=", "||") else INT, operator, clone(left), clone(right))


def element(array: str, row: Expression, width: Expression, column: Expression) -> Pointee:
    offset = binary("+", binary("*", row, width), column)
    return Pointee(INT, Name(Array(INT, 2), array), offset)


A, TURNED_A = element("a", ROW, DEPTH, K), element("a", K, ROWS, ROW)
B, TURNED_B = element("b", K, COLS, COL), element("b", COL, DEPTH, K)


def add(*factors: Expression) -> Assign:
    """`total = 3 * total + a * b`, of which the order matters."""
    value = factors[0]
    for factor in factors[1:]:
        value = binary("*", value, factor)
    return Assign(clone(TOTAL), "", binary("+", binary("*", Literal(INT, 3), TOTAL), clone(value)))


def kernel(*body: Statement) -> Function:
    """`body` in a loop over k, in a kernel that then stores `c[i, j] = total`."""
    kinds = {"a": Array(INT, 2), "b": Array(INT, 2), "c": Array(INT, 2)}
    sizes = {"rows": INT, "cols": INT, "depth": INT}
    beyond = binary("||", binary(">=", ROW, ROWS), binary(">=", COL, COLS))
    lines = [
        Declare(INT, "i", number_along("y", "y"), True),
        Declare(INT, "j", number_along("x", "x"), True),
        guard(beyond),
        Declare(INT, "total", Literal(INT, 1)),
        For(INT, "k", Literal(INT, 0), clone(DEPTH), 1, [*body]),
        Assign(element("c", ROW, COLS, COL), "", clone(TOTAL)),
    ]
    return Function("k", "k", "", [*kinds.items(), *sizes.items()], None, lines, True)


def launch(depth: str = "min(n, 40)", rows: str = "min(n, 99)") -> Launch:
    values = Recipe("integers", (0, 9))
    parameters = {
        "a": Parameter("in", ("rows", "depth"), values),
        "b": Parameter("in", ("depth", "cols"), values),
        "c": Parameter("out", ("rows", "cols"), None),
    }
    return Launch({"rows": rows, "cols": "min(n, 98)", "depth": depth}, ("rows", "cols"), parameters)


def shared(before: Function, described: Launch | None = None) -> tuple[Function, Grid | None]:
    """A kernel after the pass, and its grid; None if nothing changed."""
    after, described = copy.deepcopy(before), described or launch()
    sizes = {name: name for name in described.sizes}
    grid = share_products(after, described, grid_of(described), {"c"}, sizes, {})
    return after, None if after == before else grid


def run(one: Function, size: tuple[int, int, int], threads: tuple[int, int], room: int = 0) -> list[int]:
    """What a kernel stores, if its factors have `room` for more elements."""
    rows, cols, depth = size
    draw = random.Random(rows)
    arrays = {"a": rows * depth, "b": depth * cols}
    values = {name: [draw.randrange(9) for _ in range(count + room)] for name, count in arrays.items()}
    values["c"] = [0] * (rows * cols)
    for place in [(x, y) for y in range(-(-rows // threads[1])) for x in range(-(-cols // threads[0]))]:
        Block(place, threads, values).execute(one, {"rows": rows, "cols": cols, "depth": depth})
    return values["c"]


SHARED: dict[str, list[Statement]] = {
    "rows by columns": [add(A, B)],
    "rows by rows": [add(A, TURNED_B)],
    "columns by columns": [add(TURNED_A, B)],
    "columns by rows": [add(TURNED_A, TURNED_B)],
    "two products of one row": [add(A, B), add(B, A)],
    "two columns of an array": [add(A, B), add(A, element("b", K, DEPTH, COL))],
    "a row and a column of an array": [add(A, B, element("a", K, ROWS, COL))],
}


@pytest.mark.parametrize("body", SHARED.values(), ids=SHARED)
def test_a_block_finds_what_its_threads_found(body: list[Statement]) -> None:
    before = kernel(*body)
    after, grid = shared(before)
    assert grid is not None and grid.block == (16, 16, 1)
    for size in SIZES:
        assert run(after, size, (16, 16), 999) == run(before, size, (16, 16), 999), size


def test_a_tile_has_its_rows_in_different_banks_where_threads_read_down() -> None:
    for factor, padded in ((B, False), (TURNED_B, True)):
        tiles = [one for one in statements(shared(kernel(add(A, factor)))[0].body) if isinstance(one, Shared)]
        assert [one.padded for one in tiles] == [False, padded]


@pytest.mark.parametrize("left_out", [0, 1])
def test_each_barrier_is_needed(left_out: int) -> None:
    after, _ = shared(kernel(add(A, B)))
    found = barriers(after)
    assert len(found) == 2
    body, number = found[left_out]
    del body[number]
    with pytest.raises(RaceError):
        run(after, SIZES[1], (16, 16))


def test_all_threads_have_to_reach_the_barriers() -> None:
    after, _ = shared(kernel(add(A, B)))
    after.body.insert(2, guard(binary(">=", ROW, ROWS)))
    with pytest.raises(DivergenceError):
        run(after, SIZES[1], (16, 16))


def test_no_thread_loads_beyond_the_last_element() -> None:
    after, _ = shared(kernel(add(A, B)))
    for one in statements(after.body):
        if isinstance(one, If) and one.divergent:
            one.test = Literal(BOOL, True)
    with pytest.raises(IndexError):
        run(after, SIZES[1], (16, 16))


# The second of two columns that lie beside each other.
BESIDE = element("b", binary("+", K, Literal(INT, 1)), COLS, COL)
LESS = binary("<", A, Literal(INT, 4))
KEPT: dict[str, list[Statement]] = {
    "a factor alone": [add(A, A)],
    "an array that the kernel writes": [add(A, B, element("c", K, COLS, COL))],
    "an element of both coordinates": [add(A, B, element("b", binary("+", ROW, COL), DEPTH, K))],
    "two columns of one array": [add(A, B), add(A, BESIDE)],
    "loads of a condition": [If(LESS, [add(A, B)], [])],
    "loads of a choice": [add(Conditional(INT, LESS, clone(B), Literal(INT, 0)))],
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_threads_read_on_their_own(body: list[Statement]) -> None:
    assert shared(kernel(*body))[1] is None


@pytest.mark.parametrize(("depth", "rows"), [("16", "min(n, 99)"), ("99", "15")])
def test_small_products_are_left_alone(depth: str, rows: str) -> None:
    assert shared(kernel(add(A, B)), launch(depth, rows))[1] is None


def test_blocks_that_span_a_dimension_become_squares() -> None:
    parameters = launch().parameters | {"b": Parameter("in", ("depth", "18"), Recipe("integers", (0, 9)))}
    described = Launch({"rows": "min(n, 99)", "depth": "min(n, 40)"}, ("rows", "18"), parameters)
    spanned = grid_of(described)
    assert len(spanned.axes) == 1
    before = kernel(add(A, B))
    after = copy.deepcopy(before)
    declared, other, check, *_ = after.body
    assert isinstance(declared, Declare) and isinstance(other, Declare) and isinstance(check, If)
    declared.value, other.value = number_along("x", "y"), Name(INT, "threadIdx.x")
    check.test = binary(">=", ROW, ROWS)
    sizes = {"rows": "rows", "cols": "18", "depth": "depth"}
    grid = share_products(after, described, spanned, {"c"}, sizes, {})
    assert [axis.threads for axis in grid.axes] == ["x", "y"] and grid.block == (16, 16, 1)
    assert run(after, (17, 18, 20), (16, 16)) == run(before, (17, 18, 20), (16, 16))
