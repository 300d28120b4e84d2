"""Bounds from the float64 twin: what they catch, and what they let pass."""

import dataclasses

import numpy as np

from weft.inputs import packed_dtype
from weft.reference.cases import Case
from weft.reference.rounding import Rounding
from weft.reference.store import NO_MARGIN, Packed, expect, margin_values
from weft.runs.judge import Outcome, compare
from weft.types import Type, parse_type

FLOAT = parse_type("float32")
WIDE = parse_type("float64")
HALF = parse_type("float16")
VECTOR = parse_type("vec<3,float32>")
PAIR = {"Pair": [("large", FLOAT), ("small", FLOAT)]}


def packed(element: Type, values: np.ndarray) -> Packed:
    return np.asarray(values).astype(str(element)).view(packed_dtype(element, {}))


def measured(kernel: np.ndarray, twin: np.ndarray, kind: Type = FLOAT) -> Rounding:
    rounding = Rounding({"out": kind}, {})
    rounding.observe("out", Case(len(kernel), 0), packed(kind, kernel), packed(WIDE, twin), None)
    return rounding


def judge(kernel: np.ndarray, twin: np.ndarray, got: np.ndarray) -> Outcome:
    margins = measured(kernel, twin).margins("out")[0]
    expected = dataclasses.replace(expect(packed(FLOAT, kernel), None, 0, 0), margin=margins)
    return compare(expected, packed(FLOAT, got), FLOAT, {}, "bounded")


RNG = np.random.default_rng(0)
ROWS = RNG.random((400, 300), dtype=np.float32)
TRUTH = ROWS.astype(np.float64).sum(axis=1)
SUMS = np.cumsum(ROWS, axis=1)[:, -1]


def test_a_sum_in_another_order_is_within_its_bound() -> None:
    backwards = np.cumsum(ROWS[:, ::-1], axis=1)[:, -1]
    assert not np.array_equal(backwards, SUMS)
    assert judge(SUMS, TRUTH, backwards).difference is None
    assert judge(SUMS, TRUTH, ROWS.sum(axis=1)).difference is None


def test_a_result_that_is_wrong_by_one_ten_thousandth_is_caught() -> None:
    wrong = SUMS.copy()
    wrong[17] *= np.float32(1.0001)
    difference = judge(SUMS, TRUTH, wrong).difference
    assert difference is not None
    assert (difference.reason, difference.element) == ("wrong_output", 17)


SQUARES = np.square(np.random.default_rng(24).uniform(-1.0, 1.0, 65537)).astype(np.float32)


def test_a_long_sum_in_any_order_is_within_its_bound_where_nobody_says_how_it_is_judged() -> None:
    """One order may come near to the truth by luck: that says nothing of others."""
    total = SQUARES.astype(np.float64).sum()
    near = np.array([total], dtype=np.float32)
    rounding = Rounding({"out": FLOAT}, {}, terms=lambda size: size)
    rounding.observe("out", Case(len(SQUARES), 0), packed(FLOAT, near), packed(WIDE, [total]), None)
    expected = dataclasses.replace(expect(packed(FLOAT, near), None, 0, 0), margin=rounding.margins("out")[0])

    def reason(got: np.ndarray) -> str | None:
        difference = compare(expected, packed(FLOAT, got), FLOAT, {}, "bounded").difference
        return difference.reason if difference else None

    for order in (SQUARES, SQUARES[::-1], np.sort(SQUARES)[::-1]):
        assert reason(np.cumsum(order)[-1:]) is None
    assert judge(near, np.array([total]), np.cumsum(np.sort(SQUARES)[::-1])[-1:]).difference is not None
    assert reason(near * np.float32(1.001)) == "wrong_output"
    assert reason(near / 2) == "wrong_output"


def test_where_the_twin_agrees_32_roundings_are_the_bound() -> None:
    ones = np.ones(100, dtype=np.float32)
    for steps, fits in ((32, True), (33, False)):  # a unit in the last place below 1 is one unit roundoff
        assert (judge(ones, ones, ones - np.float32(steps * 2.0**-24)).difference is None) is fits


def test_one_bad_element_in_twenty_widens_its_own_bound_only() -> None:
    kernel = RNG.random(1000).astype(np.float32)
    twin = kernel.astype(np.float64)
    twin[::40] += 2.0**-18
    margins = margin_values(measured(kernel, twin).margins("out")[0])[:, 0]
    assert (margins[::40] == 2.0**-18).all()
    assert (np.delete(margins, np.s_[::40]) == 0).all()


def test_margins_are_rounded_up_to_powers_of_two() -> None:
    kernel = np.array([1.0, 1.0, 1.0])
    exponents = measured(kernel, kernel + np.array([0.0, 1.0, 1.1]) * 2.0**-20).margins("out")[0]
    assert exponents.tolist() == [[-19], [-19], [-19]]
    assert measured(kernel, kernel).margins("out")[0].tolist() == [[NO_MARGIN]] * 3


def test_infinite_and_missing_numbers_have_no_margin_but_must_agree() -> None:
    kernel = np.array([1.0, np.inf, np.nan], dtype=np.float32)
    twin = np.array([1.0, 1e39, 1.0])
    assert judge(kernel, twin, kernel).difference is None
    assert judge(kernel, twin, np.array([1.0, 3e38, np.nan])).difference is not None
    assert judge(kernel, twin, np.array([1.0, np.inf, 1.0])).difference is not None


def test_a_kernel_far_from_its_twin_is_unstable() -> None:
    kernel = np.linspace(0.0, 1.0, 100)
    assert not measured(kernel, kernel + 0.9e-5).instability()
    (told,) = measured(kernel, kernel + 1.1e-5).instability().values()
    assert "element 0 of 'out' differs by 1.1e-05" in told


def test_narrow_outputs_may_be_as_far_away_as_they_are_coarse() -> None:
    kernel = np.linspace(0.0, 1.0, 100).astype(np.float16)
    assert not measured(kernel, kernel.astype(float) + 0.08, HALF).instability()
    assert measured(kernel, kernel.astype(float) + 0.09, HALF).instability()


def test_components_of_a_vector_share_the_luck_of_one_order_of_additions() -> None:
    """In another order, another component may get the rounding; no other element does."""
    kernel = np.zeros(64, dtype=packed_dtype(VECTOR, {}))
    twin = np.zeros(64, dtype=[("c0", "<f8"), ("c1", "<f8"), ("c2", "<f8")])
    for name in kernel.dtype.names or ():
        kernel[name] = twin[name] = 1.0
    twin["c1"][5] += 1e-6
    margins = {}
    for terms in (None, lambda size: size):
        rounding = Rounding({"out": VECTOR}, {}, terms=terms, only_wide=True)
        rounding.observe("out", Case(64, 0), kernel, twin, None)
        margins[terms is None] = margin_values(rounding.margins("out")[0]).reshape(64, 3)
    fixed, free = margins[True], margins[False]
    assert fixed[5, 0] < fixed[5, 1] == free[5, 1]
    assert free[5, 0] == free[5, 1] == free[5, 2]
    assert (np.delete(free, 5, axis=0) == fixed[5, 0]).all()


def test_the_scale_of_a_struct_is_that_of_each_field() -> None:
    kind, structs = parse_type("struct<Pair>"), PAIR
    kernel = np.zeros(4, dtype=packed_dtype(kind, structs))
    kernel["c0"], kernel["c1"] = 1000.0, 0.001
    twin = np.zeros(4, dtype=[("c0", "<f8"), ("c1", "<f8")])
    twin["c0"], twin["c1"] = 1000.0, 0.0010001
    rounding = Rounding({"out": kind}, structs)
    rounding.observe("out", Case(4, 0), kernel, twin, None)
    assert rounding.instability()


def test_one_integer_that_differs_is_unstable() -> None:
    kind = parse_type("int32")
    kernel, twin = (np.array(v, dtype=np.int32).view(packed_dtype(kind, {})) for v in ([1, 2, 3], [1, 2, 4]))
    rounding = Rounding({"out": kind}, {})
    rounding.observe("out", Case(3, 5), kernel, twin, None)
    assert rounding.instability() == {
        Case(3, 5): "computed in float64, element 2 of 'out' differs, in case n = 3, seed 5"
    }


def test_what_the_kernel_leaves_alone_does_not_count_unless_the_twin_writes_it() -> None:
    kernel = np.frombuffer(bytes([0xCB]) * 8, dtype=packed_dtype(FLOAT, {}))
    twin = np.frombuffer(bytes([0xCB]) * 16, dtype=packed_dtype(WIDE, {})).copy()
    nothing = np.zeros((2, 1), dtype=np.bool_)
    rounding = Rounding({"out": FLOAT}, {})
    rounding.observe("out", Case(2, 0), kernel, twin, nothing)
    assert not rounding.instability()
    twin["c0"][1] = 0.5
    rounding.observe("out", Case(2, 1), kernel, twin, nothing)
    assert list(rounding.instability()) == [Case(2, 1)]
