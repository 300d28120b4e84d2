"""Cases that a null program passes prove nothing, and are found."""

import numpy as np
import pytest

from weft.inputs import FILL_BYTE, packed_dtype
from weft.reference.store import Packed, expect
from weft.runs.nulls import NullPrograms
from weft.types import parse_type

FLOAT = parse_type("float32")


def packed(values: object) -> Packed:
    return np.asarray(values, dtype=np.float32).view(packed_dtype(FLOAT, {}))


def passing(*cases: dict[str, object], outputs: tuple[str, ...] = ("out",)) -> dict[str, str]:
    """Null programs that pass cases with input `x` and these outputs."""
    nulls = NullPrograms()
    for case in cases:
        size = len(case["x"])  # type: ignore[arg-type]
        before = {name: np.frombuffer(bytes([FILL_BYTE] * 4 * size), packed([0.0]).dtype) for name in outputs}
        before["x"] = packed(case["x"])
        nulls.observe({name: expect(packed(case[name]), None, 0, 1) for name in outputs}, before)
    return nulls.passing()


FILL = np.frombuffer(bytes([FILL_BYTE] * 4), dtype=np.float32)[0]


@pytest.mark.parametrize(
    ("out", "program"),
    [
        ([0.0, 0.0], "zeros"),
        ([3.0, 3.0], "constant"),
        ([1.0, 2.0], "copy of x"),
        ([FILL, FILL], "never launched"),
    ],
)
def test_each_null_program_is_recognised(out: list[float], program: str) -> None:
    assert passing({"x": [1.0, 2.0], "out": out}) == {"out": program}


def test_one_case_that_differs_is_enough() -> None:
    zeros = {"x": [1.0, 2.0], "out": [0.0, 0.0]}
    assert passing(zeros, {"x": [1.0, 2.0], "out": [0.0, 1e-30]}) == {}


def test_a_constant_must_be_the_same_in_all_cases() -> None:
    assert passing({"x": [1.0], "out": [3.0]}, {"x": [2.0], "out": [4.0]}) == {}


def test_minus_zero_is_no_zero() -> None:
    assert passing({"x": [1.0, 2.0], "out": [0.0, -0.0]}) == {}


def test_every_output_must_be_made_by_a_null_program() -> None:
    case = {"x": [1.0, 2.0], "out": [0.0, 0.0], "other": [2.0, 1.0]}
    assert passing(case, outputs=("out", "other")) == {}
    case["other"] = [1.0, 2.0]
    assert passing(case, outputs=("out", "other")) == {"out": "zeros", "other": "copy of x"}


def test_large_arrays_are_recognised_by_their_hash() -> None:
    x = np.arange(20_000, dtype=np.float32)
    assert passing({"x": x, "out": x * 0}) == {"out": "zeros"}
    assert passing({"x": x, "out": x}) == {"out": "copy of x"}
    assert passing({"x": x, "out": x + 1}) == {}
