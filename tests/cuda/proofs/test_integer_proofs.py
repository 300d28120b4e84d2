"""What the pass `prove` says of random integer programs holds where integers wrap around."""

from __future__ import annotations

import copy
import random

import pytest
from int32 import Run
from random_integers import random_case

from weft.cuda.passes.bounds import Bounds
from weft.cuda.promises import largest_base
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import Element

INPUTS = 4


def check(seed: int) -> int:
    """Compare a program before and after the proofs. Returns the number of indices that are proved."""
    case = random_case(seed)
    kernel = copy.deepcopy(case.kernel)
    Bounds(case.launch, {"y"}, {}, largest_base(case.launch)).run(kernel)
    draw = random.Random(seed)
    for _ in range(INPUTS):
        values, arrays, thread = case.inputs(draw)
        expected = Run(dict(values), copy.deepcopy(arrays), thread).execute(case.kernel)
        found = Run(dict(values), copy.deepcopy(arrays), thread).execute(kernel)
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
