"""Another thread in place of the chosen one is no mistake where all threads would do the same."""

import pytest

from weft.cuda.tree import (
    BOOL,
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
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
)
from weft.intrinsics import Effect
from weft.launch import parse_launch
from weft.mutation.operators import sites
from weft.types import Tile, parse_type

INT, FLOAT, ARRAY = (parse_type(text) for text in ("int32", "float32", "array<float32,1>"))
X = Name(INT, "threadIdx.x")
OWN = Declare(FLOAT, "own", Pointee(FLOAT, Name(ARRAY, "x"), X), constant=True)
TOTAL = Declare(FLOAT, "total", Call(FLOAT, "block_sum", [Name(FLOAT, "own")]), constant=True)


def place(index: Expression) -> Pointee:
    return Pointee(FLOAT, Name(ARRAY, "out"), index)


def atomic(function: str, value: str, index: Expression) -> Statement:
    return Evaluate(
        Call(FLOAT, function, [AddressOf(FLOAT, place(index)), Name(FLOAT, value)], effect=Effect.ATOMIC)
    )


def store(value: str, index: Expression) -> Statement:
    return Assign(place(index), "", Name(FLOAT, value))


def chosen(*body: Statement) -> If:
    return If(Binary(BOOL, "==", X, Literal(INT, 0)), list(body), [])


BLOCK = Name(INT, "blockIdx.x")


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([chosen(atomic("atomicAdd", "total", BLOCK))], {"constant"}),
        ([chosen(atomic("atomicMax", "total", BLOCK))], {"constant", "comparison"}),
        ([chosen(store("total", BLOCK))], {"constant", "comparison"}),
        ([chosen(store("total", BLOCK), atomic("atomicAdd", "total", BLOCK))], {"constant"}),
        ([chosen(store("own", BLOCK))], set()),
        ([chosen(store("total", X))], set()),
        ([If(Binary(BOOL, "<", X, Name(INT, "n")), [Return([])], []), chosen(store("total", BLOCK))], set()),
        ([If(Binary(BOOL, "==", BLOCK, Literal(INT, 0)), [store("total", BLOCK)], [])], set()),
    ],
)
def test_what_is_harmless(statements: list[Statement], expected: set[str]) -> None:
    parameters = [("x", ARRAY), ("out", ARRAY), ("n", INT)]
    kernel = Function("k", "k", "", parameters, None, [OWN, TOTAL, *statements], True)
    assert harmless_in(kernel, (256, 1, 1)) == expected


def test_any_copy_will_do_that_is_added_up() -> None:
    warp = Declare(INT, "warp", Binary(INT, "/", X, Literal(INT, 32)), constant=True)
    bins = Name(Tile(FLOAT, (8, 16)), "bins")
    bin_of_warp = Component(FLOAT, bins, "", [Name(INT, "warp"), Name(INT, "n")])
    add = Call(FLOAT, "atomicAdd", [AddressOf(FLOAT, bin_of_warp), Name(FLOAT, "own")], effect=Effect.ATOMIC)
    parameters = [("x", ARRAY), ("out", ARRAY), ("n", INT)]
    kernel = Function("k", "k", "", parameters, None, [OWN, warp, Evaluate(add)], True)
    assert harmless_in(kernel, (256, 1, 1)) == {"constant"}
    kernel.body.append(Assign(place(Name(INT, "warp")), "", Name(FLOAT, "own")))
    assert harmless_in(kernel, (256, 1, 1)) == set()


def test_only_the_first_warp_may_have_the_result() -> None:
    parameters = [("x", ARRAY), ("out", ARRAY)]
    reduced = Call(FLOAT, "block_reduce_sum", [Name(FLOAT, "own")])
    total = Declare(FLOAT, "total", reduced, constant=True)
    half = Declare(FLOAT, "half", Binary(FLOAT, "/", Name(FLOAT, "total"), Literal(FLOAT, 2)), constant=True)
    root = Declare(FLOAT, "root", Call(FLOAT, "sqrtf", [Name(FLOAT, "half")]), constant=True)
    body = [OWN, total, chosen(half, root, store("root", BLOCK))]
    assert harmless_in(Function("k", "k", "", parameters, None, body, True), (256, 1, 1)) == {"constant"}


def harmless_in(kernel: Function, block: tuple[int, int, int]) -> set[str]:
    launch = parse_launch({"dims": ["n"], "parameters": {}}, "k")
    return {site.operator for site in sites([kernel], launch, block) if site.harmless}


def test_a_warp_with_work_of_its_own_elects_among_its_lanes() -> None:
    y = Name(INT, "threadIdx.y")
    total = Declare(FLOAT, "total", Call(FLOAT, "warp_sum", [Name(FLOAT, "own")]), constant=True)
    gone = If(Binary(BOOL, ">=", y, Name(INT, "n")), [Return([])], [])
    parameters = [("x", ARRAY), ("out", ARRAY), ("n", INT)]
    kernel = Function("k", "k", "", parameters, None, [gone, OWN, total, chosen(store("total", y))], True)
    assert harmless_in(kernel, (32, 8, 1)) == {"constant", "comparison"}
    # Extents are no parameters of the tree, but all threads have them alike.
    kernel.parameters = parameters[:2]
    assert harmless_in(kernel, (32, 8, 1)) == {"constant", "comparison"}
    # In a block of one line, each of its warps has another sum.
    assert harmless_in(kernel, (256, 1, 1)) == set()
