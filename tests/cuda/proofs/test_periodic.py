"""Comparisons in place of remainders find the same places, on grids of every length, however small."""

from __future__ import annotations

import copy
import random

import int32
import pytest
from int32 import Run

from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.launch_assumptions import Limits, size_limits
from weft.cuda.passes.periodic import compare_borders
from weft.cuda.passes.prove import prove
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Declare,
    Element,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Statement,
    Threads,
    Unary,
)
from weft.launch import Launch, Parameter, Recipe
from weft.types import Array

N, TID, RADIUS = Name(INT, "n"), Name(INT, "i"), Name(INT, "radius")
LARGEST = 3


def number(value: int) -> Literal:
    return Literal(INT, value)


def sum_of(*terms: Expression) -> Expression:
    """A sum, in which a negative number is subtracted."""
    first, *others = terms
    for term in others:
        if isinstance(term, Literal) and int(term.value) < 0:
            first = Binary(INT, "-", first, number(-int(term.value)))
        else:
            first = Binary(INT, "+", first, term)
    return first


def remainder(*terms: Expression) -> Binary:
    return Binary(INT, "%", sum_of(*terms), Name(INT, "n"))


def store(place: Expression) -> Assign:
    """`y[place] = i`, by which the trace of a run has the place."""
    return Assign(Element(INT, Name(Array(INT, 1), "y"), [place], [True]), "", Name(INT, "i"))


def launch() -> Launch:
    parameters = {
        "n": Parameter("in", (), Recipe("size", "n")),
        "radius": Parameter("in", (), Recipe("integers", (1, LARGEST + 1))),
        "y": Parameter("out", ("n",), None),
    }
    return Launch({}, ("n",), parameters)


def kernel(body: list[Statement]) -> Function:
    parameters = [("n", INT), ("radius", INT), ("y", Array(INT, 1))]
    return Function("f", "f", "", parameters, None, [Threads(["i"]), *body], True)


def after_pass(before: Function, sizes: Limits, ignored: frozenset[str] = frozenset()) -> Function:
    """A copy of a kernel after the pass, for sizes within limits."""
    after = copy.deepcopy(before)
    compare_borders(after, launch(), Analyzer(launch(), after, {"y"}, sizes, ignored))
    return after


def compared(body: list[Statement]) -> int:
    """Run a kernel before and after the pass, for sizes within limits and for any; the number of remainders
    that are left within limits.
    """
    before = kernel(body)
    largest, smaller, *_ = size_limits(launch())
    same(before, after_pass(before, largest, frozenset(launch().parameters)))
    after = after_pass(before, smaller)
    same(before, after)
    return sum(isinstance(one, Binary) and one.operator == "%" for one in all_expressions(after.body))


def same(before: Function, after: Function) -> None:
    """Compare what two kernels store."""
    for n in range(1, 7):
        for thread in range(n):
            for radius in range(1, LARGEST + 1):
                expected, found = (
                    Run({"n": n, "radius": radius}, {"y": [0] * 8}, thread).execute(one)
                    for one in (before, after)
                )
                assert found == expected, (n, thread, radius, after.body)


def loop(name: str, start: Expression, stop: Expression, *body: Statement) -> For:
    return For(INT, name, start, stop, 1, list(body))


P, Q, R, S = (Name(INT, name) for name in "pqrs")
LENGTHS = Binary(INT, "*", number(3), Name(INT, "n"))
BELOW_TWO = Binary(BOOL, "<", R, number(2))
WINDOW = (Unary(INT, "-", RADIUS), Binary(INT, "+", RADIUS, number(1)))

# A body, and how many of its remainders stay.
BODIES: dict[str, tuple[list[Statement], int]] = {
    "the next": ([store(remainder(TID, number(1)))], 0),
    "the one before": ([store(remainder(TID, number(-1), N))], 0),
    "two before": ([store(remainder(TID, number(-2), LENGTHS)), store(remainder(TID, number(-1), N))], 0),
    "itself": ([store(remainder(TID, N))], 0),
    "three after": ([store(remainder(TID, number(3)))], 1),
    "what may be negative": ([store(remainder(TID, number(-2), N))], 1),
    "in a branch": ([If(Binary(BOOL, "<", TID, number(2)), [store(remainder(TID, number(1)))], [])], 0),
    "a coordinate that changes": (
        [
            store(remainder(TID, number(1))),
            Assign(TID, "", number(0)),
            store(remainder(TID, number(1))),
        ],
        2,
    ),
    "a window": ([loop("r", number(-1), number(2), store(remainder(TID, R, N)))], 0),
    "a window that begins below zero": ([loop("r", number(-2), number(2), store(remainder(TID, R, N)))], 1),
    "a window of any width": ([loop("r", *WINDOW, store(remainder(TID, R, LENGTHS)))], 1),
    "two windows": (
        [
            loop(
                "r",
                *WINDOW,
                loop("s", *WINDOW, store(remainder(R, TID, LENGTHS)), store(remainder(S, TID, LENGTHS))),
            )
        ],
        2,
    ),
    "a part of a window": (
        [loop("r", number(-1), number(3), If(BELOW_TWO, [store(remainder(TID, R, N))], []))],
        0,
    ),
    "a window that is left": (
        [
            loop("r", number(-1), number(3), store(remainder(TID, R, N)), If(BELOW_TWO, [], [Jump("break")])),
            store(remainder(TID, number(1))),
        ],
        0,
    ),
    "turns that are left": (
        [
            loop(
                "r", number(-1), number(3), If(BELOW_TWO, [Jump("continue")], []), store(remainder(TID, R, N))
            )
        ],
        1,
    ),
    "a window, and a place beyond its first": (
        [
            loop("r", number(-1), number(1), store(remainder(TID, R, number(2)))),
            store(remainder(TID, number(2))),
        ],
        0,
    ),
    "a window that begins elsewhere in each turn of a loop": (
        [
            loop(
                "r",
                number(0),
                number(2),
                loop("s", number(-2), number(0), store(remainder(TID, R, S, number(2)))),
            )
        ],
        1,
    ),
    "the places beside each of a row": (
        [loop("r", number(0), N, store(remainder(R, number(-1), N)), store(remainder(R, number(1))))],
        0,
    ),
    "a window whose places have a name": (
        [
            loop("r", number(-1), number(2), Declare(INT, "p", remainder(TID, R, N), True), store(P)),
            loop("r", number(-1), number(2), Declare(INT, "q", remainder(TID, R, N), True), store(Q)),
            loop("r", number(0), number(2), Declare(INT, "q", remainder(TID, R, N), True), store(Q)),
        ],
        0,
    ),
    "a neighbor of a neighbor": (
        [Declare(INT, "p", remainder(TID, number(-1), N), True), store(remainder(P, number(-1), N))],
        0,
    ),
    "steps of two": ([loop("r", number(0), number(5), store(remainder(TID, R, R)))], 1),
}


@pytest.mark.parametrize(("body", "left"), BODIES.values(), ids=BODIES)
def test_places_stay_the_same(body: list[Statement], left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(int32, "STEPS", 1000)
    assert compared(copy.deepcopy(body)) == left


@pytest.mark.parametrize(
    ("body", "limited"),
    [
        ([store(remainder(TID, number(-2), N, N))], False),
        ([loop("r", number(-1), number(2), store(remainder(TID, R, N)))], False),
        (BODIES["a neighbor of a neighbor"][0], False),
        ([loop("r", *WINDOW, store(remainder(TID, R, LENGTHS)))], True),
    ],
)
def test_comparisons_need_no_limits_of_sizes(body: list[Statement], limited: bool) -> None:
    """A sum that is a remainder's dividend needs room, unless it is no longer computed."""
    before = kernel(copy.deepcopy(body))
    after = after_pass(before, size_limits(launch())[0], frozenset(launch().parameters))
    for one, expected in ((before, True), (after, limited)):
        found = prove([one], launch(), {"y"}, {})
        assert bool(found.limits.refused) == expected
        assert found.left == 0


def test_places_keep_the_name_that_the_source_has() -> None:
    body, _ = BODIES["a window whose places have a name"]
    after = after_pass(kernel(copy.deepcopy(body)), size_limits(launch())[0])
    declared = [one.name for one in after.body if isinstance(one, Declare) and not one.constant]
    assert "p" in declared
    assert "q" not in declared, "it would be declared twice"


def _random_body(draw: random.Random, loops: tuple[str, ...] = (), depth: int = 0) -> list[Statement]:
    body: list[Statement] = []
    for _ in range(draw.randint(1, 3)):
        kind = draw.random() if depth < 3 else 1.0
        if kind < 0.3 and len(loops) < 2:
            name = "rs"[len(loops)]
            bounds = draw.choice([WINDOW, (number(draw.randint(-2, 1)), number(draw.randint(0, 4)))])
            body.append(loop(name, *bounds, *_random_body(draw, (*loops, name), depth + 1)))
        elif kind < 0.45:
            test = Binary(BOOL, "<", draw.choice([TID, *(Name(INT, one) for one in loops)]), number(1))
            others = _random_body(draw, loops, depth + 1) if draw.random() < 0.5 else []
            body.append(If(test, _random_body(draw, loops, depth + 1), others))
        elif kind < 0.5 and loops:
            test = Binary(BOOL, "==", TID, number(1))
            body.append(If(test, [Jump(draw.choice(["break", "continue"]))], []))
        elif kind < 0.53:
            body.append(Assign(TID, "", Binary(INT, "-", N, number(1))))
        else:
            terms: list[Expression] = [
                TID,
                *(Name(INT, one) for one in loops if draw.random() < 0.6),
                number(draw.choice([-2, -1, 1, 2])),
                *draw.choice([[], [N], [LENGTHS]]),
            ]
            body.append(store(remainder(*terms)))
    return body


def test_random_programs_find_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(int32, "STEPS", 5000)
    draw = random.Random(0)
    gone = 0
    for _ in range(100):
        body = copy.deepcopy(_random_body(draw))
        nodes = all_expressions(body)
        gone += sum(isinstance(one, Binary) and one.operator == "%" for one in nodes) - compared(body)
    assert gone > 100, "a pass that does nothing is not tested"
