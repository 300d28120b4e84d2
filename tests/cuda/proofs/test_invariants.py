"""What stands before a loop is what every turn of it would do, and nothing else."""

from __future__ import annotations

import copy

import int32
import pytest
from int32 import Run

from weft.cuda.passes.invariants import move_before_strides, move_invariants
from weft.cuda.passes.launch_place import number_along, threads_along
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Declare,
    Element,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Remark,
    Statement,
    Threads,
)
from weft.types import Array

TID, A, B, K = (Name(INT, name) for name in ("i", "a", "b", "k"))
X = Name(Array(INT, 1), "x")
TWO = Literal(INT, 2)


def both(left: Expression, right: Expression) -> Binary:
    return Binary(BOOL, "&&", left, right)


def below(left: Expression, right: Expression) -> Binary:
    return Binary(BOOL, "<", left, right)


def op(operator: str, left: Expression, right: Expression) -> Binary:
    return Binary(INT, operator, left, right)


def declared(name: str, value: Expression) -> Declare:
    return Declare(INT, name, value, True)


def loop(name: str, *body: Statement) -> For:
    return For(INT, name, Literal(INT, 0), Literal(INT, 3), 1, list(body))


def element(index: Expression) -> Element:
    return Element(INT, X, [index], [True])


def store(index: Expression) -> Assign:
    return Assign(element(index), "", Name(INT, "i"))


ROW, COL, SUM = (Name(INT, name) for name in ("row", "col", "s"))
WINDOW = loop(
    "a",
    loop(
        "b",
        declared("row", op("+", TID, A)),
        declared("col", op("-", B, TID)),
        If(both(below(ROW, K), below(COL, TWO)), [store(op("+", op("*", ROW, K), COL))], []),
    ),
)

# A kernel's body, and the lines of its loops afterwards: names that are declared, `if` and `for`.
BODIES: dict[str, tuple[list[Statement], str]] = {
    "a row, and its test": ([WINDOW], "for row if for col if"),
    "sums of sums": (
        [loop("a", declared("row", op("*", TID, K)), declared("col", op("+", ROW, TWO)), store(COL))],
        "row col for",
    ),
    "a clamp": (
        [loop("a", declared("row", Call(INT, "max", [op("-", TID, TWO), Literal(INT, 0)])), store(ROW))],
        "row for",
    ),
    "what a turn changes": (
        [
            Declare(INT, "s", TID),
            loop(
                "a", Assign(Name(INT, "s"), "+", A), declared("row", op("+", Name(INT, "s"), K)), store(ROW)
            ),
        ],
        "s for row",
    ),
    "a load": ([loop("a", declared("row", element(TID)), store(ROW))], "for row"),
    "a quotient": ([loop("a", declared("row", op("/", TID, K)), store(ROW))], "for row"),
    "a name that two loops have": (
        [loop(name, declared("row", op("+", TID, K)), store(ROW)) for name in "ab"],
        "for row for row",
    ),
    "what is done before the test": (
        [loop("a", store(A), If(both(below(TID, TWO), below(A, K)), [store(TID)], []))],
        "for if",
    ),
    "what is done otherwise": (
        [loop("a", If(both(below(TID, TWO), below(A, K)), [store(TID)], [store(A)]))],
        "for if",
    ),
    "an end that a function computes": (
        [For(INT, "a", Literal(INT, 0), Call(INT, "min", [K, TID]), 1, [store(A)])],
        "a_end for",
    ),
    "what has a comment": (
        [loop("a", Remark("Why."), declared("row", op("+", TID, K)), store(ROW))],
        "for row",
    ),
}


def _outline(block: list[Statement]) -> str:
    found: list[str] = []
    for one in block:
        match one:
            case Declare(name=name):
                found.append(name)
            case If(body=body):
                found += ["if", _outline(body)]
            case For(body=body):
                found += ["for", _outline(body)]
            case _:
                pass
    return " ".join(filter(None, found))


class _Run(Run):
    def _statement(self, statement: Statement) -> None:
        if not isinstance(statement, Remark):
            super()._statement(statement)


@pytest.mark.parametrize(("body", "outline"), BODIES.values(), ids=BODIES)
def test_what_is_the_same_moves(body: list[Statement], outline: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(int32, "STEPS", 1000)
    parameters = [("k", INT), ("x", X.type)]
    before = Function("f", "f", "", parameters, None, [Threads(["i"]), *copy.deepcopy(body)], True)
    after = copy.deepcopy(before)
    move_invariants(after)
    assert _outline(after.body) == outline
    for thread in range(4):
        for k in (-1, 1, 2, 5):
            runs = [
                _Run({"k": k}, {"x": [5, 3, 1, 0, 2, 7, 4, 6]}, thread).execute(one)
                for one in (before, after)
            ]
            assert runs[0] == runs[1]


def strided(*values: Expression) -> Function:
    """A grid-stride loop that begins with declarations of v0, v1 and so on."""
    body = [declared(f"v{number}", value) for number, value in enumerate(values)]
    start, stride = number_along("x", "x"), threads_along("x", "x")
    over = For(INT, "i", start, K, 1, [*body, store(TID)], stride)
    return Function("f", "f", "", [("k", INT), ("x", Array(INT, 1))], None, [over], True)


def test_what_no_turn_of_a_grid_stride_loop_changes_is_loaded_before_it() -> None:
    first = Pointee(INT, Name(Array(INT, 1), "x"), Literal(INT, 0))
    function = strided(op("*", first, K), op("+", Name(INT, "v0"), TWO), op("+", TID, TWO))
    move_before_strides(function, {"x"})
    *before, over = function.body
    assert [one.name for one in before if isinstance(one, Declare)] == ["v0", "v1"]
    assert isinstance(over, For) and [one.name for one in over.body if isinstance(one, Declare)] == ["v2"]


def test_loads_of_what_is_written_and_divisions_stay() -> None:
    first = Pointee(INT, Name(Array(INT, 1), "x"), Literal(INT, 0))
    function = strided(first, op("/", K, K))
    before = copy.deepcopy(function)
    move_before_strides(function, set())
    assert function == before
