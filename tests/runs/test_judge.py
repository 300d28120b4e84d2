"""Laws of comparison: what is equal, what is not, and what is said about it."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from weft.inputs import FILL_BYTE, packed_dtype
from weft.reference.cases import LARGE
from weft.reference.store import Packed, Sample, expect
from weft.runs.judge import ZERO_FILL, Outcome, compare, matches, ulp_distance, unchanged
from weft.runs.verdict import is_known
from weft.types import Type, parse_type

FLOAT = parse_type("float32")
VEC2 = parse_type("vec<2,float32>")
INT = parse_type("int32")

floats = hnp.arrays(np.float32, st.integers(1, 40), elements=st.floats(width=32, allow_nan=False))


def packed(element: Type, *components: object) -> Packed:
    columns = np.broadcast_arrays(*(np.asarray(component) for component in components))
    result = np.zeros(len(columns[0]), dtype=packed_dtype(element, {}))
    for number, column in enumerate(columns):
        result[f"c{number}"] = column
    return result


def judge(element: Type, wanted: Packed, got: Packed, equality: str = "bits") -> Outcome:
    return compare(expect(wanted, None, 0, 0), got, element, {}, equality)


def reason(outcome: Outcome) -> str | None:
    return outcome.difference.reason if outcome.difference else None


@given(floats)
def test_an_array_equals_itself(values: np.ndarray) -> None:
    array = packed(FLOAT, values)
    for equality in ("bits", "bounded", "permutation"):
        assert judge(FLOAT, array, array.copy(), equality) == Outcome(None, 0)


@given(floats, st.data())
def test_one_changed_bit_is_found_where_it_is(values: np.ndarray, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(values) - 1))
    changed = values.copy()
    changed.view(np.uint32)[place] ^= np.uint32(1) << np.uint32(data.draw(st.integers(0, 31)))
    difference = judge(FLOAT, packed(FLOAT, values), packed(FLOAT, changed)).difference
    assert difference is not None
    assert (difference.element, difference.component) == (place, 0)


@given(floats, st.data())
def test_a_permutation_is_equal_only_as_a_permutation(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    wanted, got = packed(VEC2, values, values), packed(VEC2, values[order], values[order])
    assert judge(VEC2, wanted, got, "permutation").difference is None
    if not np.array_equal(values.view(np.uint32)[order], values.view(np.uint32)):
        assert reason(judge(VEC2, wanted, got)) == "wrong_output"


def test_every_nan_equals_every_other() -> None:
    quiet, other = np.array([0x7FC00000, 0xFFC12345], dtype=np.uint32).view(np.float32)
    assert judge(FLOAT, packed(FLOAT, [quiet]), packed(FLOAT, [other])).difference is None


@pytest.mark.parametrize("equality", ["bits", "bounded"])
@pytest.mark.parametrize(("wanted", "got"), [(1.0, np.nan), (np.nan, 1.0), (np.nan, np.inf)])
def test_nan_on_one_side_only(equality: str, wanted: float, got: float) -> None:
    outcome = judge(FLOAT, packed(FLOAT, [0.5, wanted]), packed(FLOAT, [0.5, got]), equality)
    assert reason(outcome) == "nan_mismatch"
    assert outcome.difference is not None and outcome.difference.ulp is None


def test_minus_zero_is_not_zero() -> None:
    difference = judge(FLOAT, packed(FLOAT, [0.0]), packed(FLOAT, [-0.0])).difference
    assert difference is not None
    assert (difference.expected, difference.got, difference.ulp) == (0.0, "-0.0", 1)


def test_bounds_are_relative_to_the_largest_element() -> None:
    wanted = packed(FLOAT, [1000.0, 1.0])
    assert judge(FLOAT, wanted, packed(FLOAT, [1000.0, 1.009]), "bounded").difference is None
    assert reason(judge(FLOAT, wanted, packed(FLOAT, [1000.0, 1.02]), "bounded")) == "wrong_output"


def test_infinities_must_agree_within_bounds() -> None:
    wanted = packed(FLOAT, [np.inf, 1.0])
    assert judge(FLOAT, wanted, wanted.copy(), "bounded").difference is None
    assert reason(judge(FLOAT, wanted, packed(FLOAT, [-np.inf, 1.0]), "bounded")) == "wrong_output"
    assert reason(judge(FLOAT, wanted, packed(FLOAT, [3e38, 1.0]), "bounded")) == "wrong_output"


def test_integers_are_exact_in_every_class() -> None:
    for equality in ("bits", "bounded", "permutation"):
        assert reason(judge(INT, packed(INT, [10**9]), packed(INT, [10**9 + 1]), equality)) == "wrong_output"


def test_unwritten_and_overwritten_elements() -> None:
    fill = np.frombuffer(bytes([FILL_BYTE] * 4), dtype=np.float32)[0]
    wanted = packed(VEC2, [1.0, fill], [2.0, fill])
    written = np.array([[True, True], [False, False]])
    expected = expect(wanted, written, 0, 0)
    left = compare(expected, packed(VEC2, [1.0, fill], [fill, fill]), VEC2, {}, "bits").difference
    assert left is not None
    assert (left.reason, left.element, left.component) == ("unwritten_output", 0, 1)
    over = compare(expected, packed(VEC2, [1.0, 0.0], [2.0, fill]), VEC2, {}, "bits").difference
    assert over is not None
    assert (over.reason, over.element, over.component) == ("wrote_too_much", 1, 0)


def test_large_arrays_are_compared_by_hash_and_by_kept_elements() -> None:
    values = np.arange(LARGE + 1, dtype=np.float32)
    expected = expect(packed(FLOAT, values), None, 0, 0)
    assert expected.sample_index is not None
    assert compare(expected, packed(FLOAT, values), FLOAT, {}, "bits").difference is None
    assert matches(expected, packed(FLOAT, values))
    kept = int(expected.sample_index[0])
    other = next(i for i in range(LARGE) if i not in set(expected.sample_index.tolist()))
    for place in (kept, other):
        changed = values.copy()
        changed[place] += 1
        difference = compare(expected, packed(FLOAT, changed), FLOAT, {}, "bits").difference
        assert difference is not None and difference.reason == "wrong_output"
        assert difference.element == (kept if place == kept else None)
        assert not matches(expected, packed(FLOAT, changed))


def test_large_permutations_must_hold_the_kept_elements() -> None:
    values = np.arange(LARGE + 1, dtype=np.float32)
    expected = expect(packed(FLOAT, values), None, 0, 0)
    assert compare(expected, packed(FLOAT, values[::-1]), FLOAT, {}, "permutation").difference is None
    assert compare(expected, packed(FLOAT, values * 0), FLOAT, {}, "permutation").difference is not None


@given(st.floats(width=32, min_value=-(2.0**127), max_value=2.0**127), st.integers(1, 7))
def test_ulp_distance_counts_steps(start: float, steps: int) -> None:
    a = np.array([start], dtype=np.float32)
    b = a.copy()
    for _ in range(steps):
        b = np.nextafter(b, np.float32(np.inf))
    # nextafter steps over one of the two zeros.
    crossed = int((a[0] < 0 or np.signbit(a[0])) and not np.signbit(b[0]))
    distance = int(ulp_distance(a, b)[0])
    assert distance - steps in (0, crossed)
    assert distance == int(ulp_distance(b, a)[0])


def test_ulp_distance_of_other_widths() -> None:
    one = np.ones(1, dtype=np.float64)
    assert int(ulp_distance(one, np.nextafter(one, 2.0))[0]) == 1
    assert int(ulp_distance(np.float16([1.0]), np.float16([2.0]))[0]) == 1024
    assert int(ulp_distance(-one, one)[0]) == 2 * 0x3FF0000000000000 + 1


def test_it_is_known_which_outputs_hold_for_arrays_of_zeros() -> None:
    """Only then is `main`'s launch, on arrays of zeros, compared with the reference."""
    small = expect(packed(FLOAT, np.arange(3, dtype=np.float32)), None, 0, 0)
    large = expect(packed(FLOAT, np.arange(LARGE + 1, dtype=np.float32)), None, 0, 0)
    cases = [{"out": small}, {"out": large}, {"out": small, "other": large}]
    sample = cast(Sample, SimpleNamespace(expected=cases))
    assert [is_known(sample, case, ZERO_FILL) for case in range(3)] == [True, False, False]
    assert all(is_known(sample, case, FILL_BYTE) for case in range(3))


def test_inputs_are_compared_to_the_bit() -> None:
    before = packed(INT, [1, 2, 3])
    assert unchanged(before, before.copy()) is None
    difference = unchanged(before, packed(INT, [1, 2, 4]))
    assert difference is not None
    assert (difference.reason, difference.element, difference.expected, difference.got) == (
        "input_modified",
        2,
        3,
        4,
    )


BFLOAT = parse_type("bfloat16")


def test_bfloat16_is_judged_as_the_float_that_it_is() -> None:
    one, next_one, nan, other_nan = 0x3F80, 0x3F81, 0x7FC0, 0xFFC1
    wanted = packed(BFLOAT, np.array([one, nan], dtype=np.uint16))
    got = packed(BFLOAT, np.array([next_one, other_nan], dtype=np.uint16))
    difference = judge(BFLOAT, wanted, got).difference
    assert difference is not None
    assert (difference.element, difference.expected, difference.got, difference.ulp) == (0, 1.0, 1.0078125, 1)
    assert judge(BFLOAT, wanted, got, "bounded") == Outcome(None, 1)
    assert reason(judge(BFLOAT, wanted[1:], got[:1])) == "nan_mismatch"


def test_sixteen_bits_may_be_two_units_off_where_bounds_are_asked_for() -> None:
    half = parse_type("float16")
    wanted = packed(half, np.array([1.0, 0.5], dtype=np.float16))
    for steps, verdict in ((2, None), (3, "wrong_output")):
        got = packed(half, np.array([1.0 + steps * 2.0**-10, 0.5], dtype=np.float16))
        assert reason(judge(half, wanted, got, "bounded")) == verdict
