"""What the pass `prove` says of random integer programs holds where integers wrap around."""

from __future__ import annotations

import copy
import random

import pytest
from int32 import STEPS, Run
from random_integers import random_case

from weft.cuda.passes.prove import prove
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import Element

INPUTS = 4


def check(seed: int) -> int:
    """Compare a program before and after the proofs. Returns the number of indices that are proved."""
    case = random_case(seed)
    proved = prove([case.kernel], case.launch, {"y"}, {})
    (kernel,) = proved.functions
    if not case.launch.inferred_dims:
        # The launcher refuses more.
        case.limits["n"] = (1, min(case.limits["n"][1], proved.base))
    draw = random.Random(seed)
    for _ in range(INPUTS):
        values, arrays, thread = case.inputs(draw)
        before, after = (Run(dict(values), copy.deepcopy(arrays), thread) for _ in range(2))
        expected, found = before.execute(case.kernel), after.execute(kernel)
        if before.steps > STEPS:
            # A run that is cut short gets farther without the tests that the proofs leave out.
            found = found[: len(expected)]
        assert found == expected, (seed, values, thread)
    elements = [node for node in all_expressions(kernel.body) if isinstance(node, Element)]
    return sum(element.wraps == [False] for element in elements)


def test_random_programs_do_what_the_proofs_say() -> None:
    proved = sum(check(seed) for seed in range(1000))
    assert proved > 1000, "proofs that prove nothing are not tested"


@pytest.mark.full
def test_many_random_programs_do_what_the_proofs_say() -> None:
    for seed in range(1000, 20_000):
        check(seed)
