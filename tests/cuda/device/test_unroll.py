"""Short loops that index registers are unrolled, others are left to the compiler."""

import pytest

from weft.cuda.passes.unroll import unroll_loops
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Component,
    Declare,
    Expression,
    For,
    Function,
    Literal,
    Name,
)
from weft.types import Scalar, Type, Vector

FLOAT = Scalar("float32")
KIND = Vector(9, FLOAT)
NINE, COUNT = Literal(INT, 9), Name(INT, "count")


def is_unrolled(
    stop: Expression = NINE,
    index: str = "q",
    *,
    parameters: tuple[str, ...] = (),
    kernel: bool = True,
) -> bool:
    """Whether a loop over q that changes a component of `cells` is unrolled."""
    cell = Component(FLOAT, Name(KIND, "cells"), ".v", [Name(INT, index)])
    loop = For(INT, "q", Literal(INT, 0), stop, 1, [Assign(cell, "", Literal(FLOAT, 0.0))])
    given: list[tuple[str, Type]] = [(name, KIND) for name in parameters]
    unroll_loops(Function("f", "f", "", given, None, [loop], kernel), {"TAPS": NINE})
    return loop.unrolled


def test_a_short_loop_over_the_components_of_a_local_value_is_unrolled() -> None:
    assert is_unrolled()
    assert is_unrolled(Name(INT, "TAPS"))
    assert is_unrolled(parameters=("cells",), kernel=False)


@pytest.mark.parametrize(
    "loop",
    [
        {"stop": COUNT},
        {"stop": Literal(INT, 17)},
        {"index": "other"},
        {"parameters": ("cells",)},
    ],
    ids=["of any length", "long", "of another index", "of the kernel's parameter"],
)
def test_others_are_not(loop: dict[str, object]) -> None:
    assert not is_unrolled(**loop)  # type: ignore[arg-type]


def marked(stop: Expression, levels: int, by: Expression) -> tuple[bool, bool, bool]:
    """Which of three loops inside each other are unrolled: the innermost indexes what an element is exchanged
    with.
    """
    other = Declare(INT, "other", Binary(INT, "^", Name(INT, "q"), Name(INT, "stride")), True)
    cell = Component(FLOAT, Name(KIND, "cells"), ".v", [Name(INT, "other")])
    inner = For(INT, "q", Literal(INT, 0), NINE, 1, [other, Assign(cell, "", Literal(FLOAT, 0.0))])
    step = For(INT, "step", Literal(INT, 0), stop, 1, [Declare(INT, "stride", by, True), inner])
    outer = For(INT, "level", Literal(INT, 1), Literal(INT, levels + 1), 1, [step])
    unroll_loops(Function("f", "f", "", [("count", INT)], None, [outer], True), {})
    return outer.unrolled, step.unrolled, inner.unrolled


LEVEL, STEP = Name(INT, "level"), Name(INT, "step")
STRIDE = Binary(INT, "<<", Literal(INT, 1), Binary(INT, "-", LEVEL, STEP))


def test_all_loops_from_which_an_index_follows_are_unrolled() -> None:
    assert marked(LEVEL, 4, STRIDE) == (True, True, True)
    assert marked(NINE, 3, STEP) == (False, True, True)


def test_none_is_if_the_index_depends_on_more_or_they_take_too_many_turns() -> None:
    assert marked(COUNT, 4, STRIDE) == (False, False, False)
    assert marked(LEVEL, 4, COUNT) == (False, False, False)
    assert marked(LEVEL, 9, STRIDE) == (False, False, False)


def test_a_loop_over_components_with_letters_is_unrolled() -> None:
    value = Call(FLOAT, "component", [Name(Vector(3, FLOAT), "cells"), Name(INT, "q")])
    loop = For(INT, "q", Literal(INT, 0), Literal(INT, 3), 1, [Assign(Name(FLOAT, "x"), "", value)])
    unroll_loops(Function("f", "f", "", [], None, [loop], True), {})
    assert loop.unrolled
