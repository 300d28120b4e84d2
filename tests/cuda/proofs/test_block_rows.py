"""A warp adds to an element what its lanes added to it."""

from __future__ import annotations

import copy

import pytest
from block_run import Block

from weft.cuda.grid import Grid, grid_of
from weft.cuda.passes.block_rows import add_up_rows
from weft.cuda.passes.launch_place import guard, number_along
from weft.cuda.passes.updates import keep_own_sums
from weft.cuda.traverse import all_expressions, clone
from weft.cuda.tree import (
    BOOL,
    FLOAT,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Declare,
    Evaluate,
    Expression,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Statement,
)
from weft.intrinsics import Effect
from weft.launch import Launch, Parameter, Recipe
from weft.types import Array, Scalar

ROW, COL, ROWS, COLS = (Name(INT, name) for name in ("i", "j", "rows", "cols"))


def binary(operator: str, left: Expression, right: Expression) -> Binary:
    return Binary(BOOL if operator in ("<", ">=", "||") else INT, operator, clone(left), clone(right))


def add(place: Expression, value: Expression, array: str = "sums", kind: Scalar = INT) -> Evaluate:
    target = AddressOf(kind, Pointee(kind, Name(Array(kind, 1), array), clone(place)))
    return Evaluate(Call(kind, "atomicAdd", [target, clone(value)], effect=Effect.ATOMIC))


VALUE = Pointee(INT, Name(Array(INT, 2), "a"), binary("+", binary("*", ROW, COLS), COL))


def kernel(*body: Statement) -> Function:
    kinds = {"a": Array(INT, 2), "sums": Array(INT, 1), "rows": INT, "cols": INT}
    lines = [
        Declare(INT, "i", number_along("y", "y"), True),
        Declare(INT, "j", number_along("x", "x"), True),
        guard(binary("||", binary(">=", ROW, ROWS), binary(">=", COL, COLS))),
        *body,
    ]
    return Function("k", "k", "", [*kinds.items()], None, lines, True)


def launch(equality: str = "bits") -> Launch:
    parameters = {
        "a": Parameter("in", ("rows", "cols"), Recipe("integers", (0, 9))),
        "sums": Parameter("inout", ("rows",), Recipe("constant", 0)),
    }
    return Launch({"rows": "min(n, 99)", "cols": "min(n, 98)"}, ("rows", "cols"), parameters, equality)


def added(before: Function, described: Launch, grid: Grid | None = None) -> Function:
    after = copy.deepcopy(before)
    add_up_rows(after, described, {"sums"}, grid or grid_of(described))
    return after


def run(one: Function, rows: int, cols: int) -> tuple[list[int], int]:
    """The sums, and how many atomics a thread of each block makes in the text."""
    arrays = {"a": [7 * number % 10 for number in range(rows * cols)], "sums": [0] * rows}
    for place in [(x, y) for y in range(-(-rows // 8)) for x in range(-(-cols // 32))]:
        Block(place, (32, 8), arrays).execute(one, {"rows": rows, "cols": cols})
    return arrays["sums"], sum(isinstance(one, Call) for one in all_expressions(one.body))


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (9, 33), (8, 32), (3, 70)])
def test_sums_are_those_of_all_threads(rows: int, cols: int) -> None:
    before = kernel(add(ROW, VALUE))
    after = added(before, launch())
    assert after != before
    assert run(after, rows, cols)[0] == run(before, rows, cols)[0]


def test_the_first_lane_adds_for_all() -> None:
    after = added(kernel(add(ROW, VALUE)), launch())
    last = after.body[-1]
    assert isinstance(last, If) and last.divergent
    assert last.test == Binary(
        BOOL,
        "&&",
        Binary(BOOL, "==", Name(INT, "threadIdx.x"), Literal(INT, 0)),
        Binary(BOOL, "<", ROW, ROWS),
    )


def test_a_lane_beyond_the_last_row_would_add_where_nothing_is() -> None:
    after = added(kernel(add(ROW, VALUE)), launch())
    last = after.body[-1]
    assert isinstance(last, If) and isinstance(last.test, Binary)
    last.test = last.test.left
    with pytest.raises(IndexError):
        run(after, 3, 5)


KEPT: dict[str, list[Statement]] = {
    "an element of each thread's own": [add(COL, VALUE)],
    "an element that is looked up": [add(VALUE, Literal(INT, 1))],
    "additions of some threads": [If(binary("<", VALUE, Literal(INT, 5)), [add(ROW, VALUE)], [])],
    "two additions": [add(ROW, VALUE), add(ROW, VALUE)],
    "floats in Warp's order": [add(ROW, Literal(FLOAT, 1.0), kind=FLOAT)],
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_threads_make_their_own(body: list[Statement]) -> None:
    before = kernel(*body)
    assert added(before, launch()) == before


def test_floats_are_added_up_where_their_order_is_free() -> None:
    before = kernel(*KEPT["floats in Warp's order"])
    assert added(before, launch("bounded")) != before


def test_rows_of_a_block_have_to_be_warps() -> None:
    before = kernel(add(ROW, VALUE))
    narrow = grid_of(Launch({"rows": "n"}, ("rows", 8), launch().parameters))
    assert narrow.block[0] < 32
    assert added(before, launch(), narrow) == before


def test_a_block_of_three_dimensions_has_such_rows_too() -> None:
    wide = Call(INT, "size_t", [ROW])
    before = kernel(add(binary("+", binary("*", wide, COLS), Name(INT, "c")), VALUE))
    layer, layers = Name(INT, "c"), Name(INT, "layers")
    before.body[2:3] = [
        Declare(INT, "c", number_along("z", "z"), True),
        guard(binary("||", binary(">=", layer, layers), binary(">=", COL, COLS))),
    ]
    described = Launch({"rows": "n", "cols": "n"}, ("rows", "rows", "cols"), launch().parameters)
    assert grid_of(described).block[0] == 32
    assert added(before, described) != before


TOTAL = Name(INT, "total")


def summed(*between: Statement) -> list[Statement]:
    """A sum in a variable of its own, which is added to an element."""
    return [Declare(INT, "total", Literal(INT, 0)), Assign(TOTAL, "+", VALUE), *between, add(ROW, TOTAL)]


def test_a_thread_adds_up_in_the_variable_that_its_warp_reduces() -> None:
    before = kernel(*summed())
    after = added(before, launch())
    keep_own_sums(after)
    assert [one.name for one in after.body if isinstance(one, Declare)] == ["i", "j", "total", "warp_sums"]
    assert not any(isinstance(one, Name) and one.name == "thread_sums" for one in all_expressions(after.body))
    assert run(after, 9, 33)[0] == run(before, 9, 33)[0]


def test_one_that_is_still_needed_or_begins_in_another_way_stays() -> None:
    other = summed()
    other[0] = Declare(INT, "total", Literal(INT, 1))
    for body in ([*summed(), Assign(Name(INT, "last"), "", TOTAL)], other):
        after = added(kernel(*body), launch())
        same = copy.deepcopy(after)
        keep_own_sums(after)
        assert after == same
