"""What the pass `prove` says of random integer programs holds where integers wrap around."""

from __future__ import annotations

import copy
import math
import random

import pytest
from int32 import STEPS, EndOfRunError, Run
from random_integers import Case, random_case

from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.passes.prove import prove
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import BOOL, INT, Assign, Binary, Element, Expression, Function, If, Literal, Name
from weft.types import Array

INPUTS = 4
SAMPLED = 250


class BeforeProofs(Run):
    """A run in which tests that a tile lies within its array hold where they divide by zero: such a division
    has no result, so the proofs may leave the test out, and the program then goes on.

    `divided` is how long the trace is where the first one does. A test that the proofs keep ends the run.
    """

    divided: float = math.inf

    def value(self, expression: Expression) -> int:
        try:
            return super().value(expression)
        except EndOfRunError:
            if not isinstance(expression, Binary) or not expression.in_range:
                raise
            self.divided = min(self.divided, len(self.trace))
            return 1


def check(seed: int) -> int:
    """Compare a random program before and after the proofs. Returns the number of indices that are proved."""
    return compare(random_case(seed), seed)


def compare(case: Case, seed: int) -> int:
    """Compare a program before and after the proofs. Returns the number of indices that are proved."""
    proved = prove([case.kernel], case.launch, {"y"}, {})
    (kernel,) = proved.functions
    # The launcher refuses more.
    if not case.launch.inferred_dims:
        case.limits["n"] = (1, min(case.limits["n"][1], proved.limits.most["n"]))
    draw = random.Random(seed)
    for _ in range(INPUTS):
        values, arrays, thread = case.inputs(draw, proved.limits.base)
        before, after = (run(dict(values), copy.deepcopy(arrays), thread) for run in (BeforeProofs, Run))
        expected, found = before.execute(case.kernel), after.execute(kernel)
        if before.steps > STEPS:
            # A run that is cut short gets farther without the tests that the proofs leave out.
            found = found[: len(expected)]
        if len(found) >= before.divided:
            expected = expected[: len(found)]
        assert found == expected, (seed, values, thread)
    elements = [node for node in all_expressions(kernel.body) if isinstance(node, Element)]
    return sum(element.wraps == [False] for element in elements)


def test_random_programs_do_what_the_proofs_say() -> None:
    proved = sum(check(seed) for seed in range(SAMPLED))
    assert proved > SAMPLED, "proofs that prove nothing are not tested"


@pytest.mark.full
def test_many_random_programs_do_what_the_proofs_say() -> None:
    for seed in range(SAMPLED, 20_000):
        check(seed)


def _remainders_below_two(*operands: tuple[int, str]) -> Case:
    """A program that stores to y[a] where a % b < 2, for each of the pairs, and then to y[0].

    Its inputs, of which the proofs know nothing: k is 0 and m is 3.
    """
    case = random_case(0)
    blocks = []
    for dividend, divisor in operands:
        remainder = Binary(INT, "%", Literal(INT, dividend), Name(INT, divisor))
        test = Binary(BOOL, "<", remainder, Literal(INT, 2), in_range=True)
        blocks.append(If(test, [_store(dividend)], []))
    kernel = Function("kernel", "kernel", "", case.kernel.parameters, None, [*blocks, _store(0)], True)
    return Case(kernel, case.launch, {**case.limits, "k": (0, 0), "m": (3, 3)})


def _store(index: int) -> Assign:
    return Assign(Element(INT, Name(Array(INT, 1), "y"), [Literal(INT, index)]), "", Literal(INT, 1))


@pytest.mark.parametrize(
    "operands",
    [[(1, "k")], [(7, "k")], [(1, "k"), (7, "k")], [(7, "k"), (1, "k")], [(2, "m"), (1, "k"), (5, "m")]],
)
def test_a_test_that_divides_by_zero_may_be_left_out_or_stay(operands: list[tuple[int, str]]) -> None:
    """What is left of 1 is below 2 whatever divides it, what is left of the others need not be."""
    compare(_remainders_below_two(*operands), 0)


@pytest.mark.parametrize("operands", [[(2, "m")], [(2, "m"), (1, "k")], [(1, "k"), (2, "m")]])
def test_a_wrong_proof_is_seen(operands: list[tuple[int, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a division by zero and after it, too."""
    monkeypatch.setattr(Analyzer, "below", lambda *_: True)
    with pytest.raises(AssertionError):
        compare(_remainders_below_two(*operands), 0)
