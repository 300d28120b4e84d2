"""Short loops that index registers are unrolled, others are left to the compiler."""

import pytest

from weft.cuda.passes.unroll import unroll_loops
from weft.cuda.tree import INT, Assign, Component, Expression, For, Function, Literal, Name
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
