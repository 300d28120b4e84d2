"""What a candidate's numbers must be: `weft.runs.mathematics` says, the judge compares."""

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest

from weft.inputs import FILL_BYTE, packed_dtype
from weft.launch import parse_launch
from weft.reference.cases import Case
from weft.reference.store import NO_MARGIN, Expected, Packed, Sample, expect, margin_values, shortened
from weft.runs.judge import ZERO_FILL, compare, filled
from weft.runs.mathematics import DIRECTIONS, ROUNDINGS, Mathematics
from weft.types import parse_type

FLOAT = parse_type("float32")
VALUES = np.random.default_rng(1).uniform(0.5, 1.0, 12000).astype(np.float32)
CASE = Case(12000, 0)


def packed(values: np.ndarray) -> Packed:
    return np.ascontiguousarray(values.astype(np.float32)).view(packed_dtype(FLOAT, {}))


def sample(expected: Expected, equality: str = "bits") -> Sample:
    launch = {
        "dims": ["n"],
        "parameters": {"out": {"role": "out", "shape": ["n"]}},
        "equality": equality,
    }
    return Sample(
        "hand-0000-0000",
        "kernel",
        0,
        [],
        [("out", parse_type("array<float32,1>"))],
        parse_launch(launch, "kernel"),
        (CASE,),
        [{"out": expected}],
    )


def rounded(values: np.ndarray, direction: str) -> list[Mapping[str, Packed]]:
    """What a program leaves whose results are an ulp away in other roundings."""
    towards = {"nearest": values, "up": np.nextafter(values, 2), "down": np.nextafter(values, 0)}
    return [{"out": packed(towards[direction])}]


LARGE = expect(packed(VALUES), None, 0, 0)
"""So many elements that a hash stands for them."""


def wrong(mathematics: Mathematics, got: np.ndarray) -> int | None:
    """The first wrong element."""
    expected, equality = mathematics.of(CASE, "out")
    difference = compare(expected, packed(got), FLOAT, {}, equality, roundings=ROUNDINGS).difference
    return None if difference is None else difference.element


def test_every_element_of_a_large_array_is_compared_with_the_own_program() -> None:
    mathematics = Mathematics(sample(LARGE), "", lambda direction: rounded(VALUES, direction))
    assert wrong(mathematics, VALUES * np.float32(1 + 2**-22)) is None
    changed = VALUES * np.float32(1 + 2**-22)
    assert LARGE.sample_index is not None
    unkept = next(i for i in range(5000, 12000) if i not in LARGE.sample_index)
    changed[unkept] *= np.float32(1.0001)
    assert wrong(mathematics, changed) == unkept


@pytest.mark.parametrize(
    "leaves",
    [lambda direction: [], lambda direction: rounded(VALUES + np.float32(1), direction)],
    ids=["nothing", "others"],
)
def test_without_the_own_programs_values_the_hash_decides(leaves: object) -> None:
    mathematics = Mathematics(sample(LARGE), "", leaves)  # type: ignore[arg-type]
    assert mathematics.of(CASE, "out")[1] == "bits"
    expected, equality = mathematics.of(CASE, "out")
    changed = np.nextafter(VALUES, 2)
    assert compare(expected, packed(changed), FLOAT, {}, equality).difference is not None


@pytest.mark.parametrize(("equality", "is_wrong"), [("bounded", False), ("bits", True)])
def test_a_lucky_sum_among_many_without_terms_has_the_bound_of_the_others(
    equality: str, is_wrong: bool
) -> None:
    """In one order it rounds nothing, whatever the direction; in another it may."""

    def leave(direction: str) -> list[Mapping[str, Packed]]:
        values = VALUES.copy()
        values[:30] += {"nearest": 0, "up": 2**-20, "down": -(2**-20)}[direction]
        return [{"out": packed(values)}]

    mathematics = Mathematics(sample(LARGE, equality), "", leave)
    assert LARGE.sample_index is not None
    unkept = next(i for i in range(5000, 12000) if i not in LARGE.sample_index)
    changed = VALUES.copy()
    changed[unkept] += 2.0**-20
    assert wrong(mathematics, changed) == (unkept if is_wrong else None)
    changed[unkept] += 2.0**-18
    assert wrong(mathematics, changed) == unkept


def test_a_long_sum_of_doubles_may_be_added_in_another_order() -> None:
    """Of equal numbers, one after the other, the roundings go one way for long; a tree has hardly any."""
    double, count = parse_type("float64"), 69963
    terms = np.full(count, 25.1)
    of_tree, serial, short = np.sum(terms), np.cumsum(terms)[-1], np.sum(terms[1:])
    assert abs(of_tree - serial) > 100 * np.spacing(serial)

    def doubles(value: float) -> Packed:
        return np.array([value]).view(packed_dtype(double, {}))

    launch = {
        "dims": ["n"],
        "parameters": {"out": {"role": "inout", "shape": ["1"], "values": {"constant": 0.0}}},
        "equality": "bounded",
    }
    kind = parse_type("array<float64,1>")
    known = [{"out": expect(doubles(serial), None, 0, 0)}]
    case = Case(count, 0)
    one = Sample("hand-0000-0000", "k", 0, [], [("out", kind)], parse_launch(launch, "k"), (case,), known)
    towards = {"nearest": of_tree, "up": np.nextafter(of_tree, np.inf), "down": np.nextafter(of_tree, 0)}
    mathematics = Mathematics(one, "", lambda direction: [{"out": doubles(towards[direction])}])
    expected, equality = mathematics.of(case, "out")

    def is_wrong(value: float) -> bool:
        found = compare(expected, doubles(value), double, {}, equality, roundings=ROUNDINGS)
        return found.difference is not None

    assert [is_wrong(value) for value in (of_tree, short, of_tree + 1e-3)] == [False, True, True]


def test_a_program_that_rounds_to_integers_is_not_asked() -> None:
    asked: list[str] = []
    mathematics = Mathematics(sample(LARGE), "x = rintf(y);", lambda one: asked.append(one) or [])  # type: ignore[func-returns-value]
    assert mathematics.of(CASE, "out")[1] == "bits" and not asked


def test_elements_of_a_program_that_rounds_to_integers_have_the_largest_kept_margin() -> None:
    assert LARGE.sample_index is not None
    margin = np.full((len(LARGE.sample_index), 1), -26, np.int16)
    margin[7] = -22
    asked: list[str] = []

    def leave(direction: str) -> list[Mapping[str, Packed]]:
        asked.append(direction)
        return rounded(VALUES, direction)

    known = dataclasses.replace(LARGE, margin=margin)
    mathematics = Mathematics(sample(known), "x = rintf(y);", leave)
    assert wrong(mathematics, np.nextafter(VALUES, 2)) is None
    unkept = next(i for i in range(5000, 12000) if i not in LARGE.sample_index)
    for off, first in ((2.0**-20, None), (2.0**-17, unkept)):
        changed = VALUES.astype(np.float64)
        changed[unkept] += off
        assert wrong(mathematics, changed) == first
    assert asked == ["nearest"]


def test_where_nothing_is_rounded_nothing_may_differ() -> None:
    exact = Mathematics(sample(LARGE), "", lambda _: rounded(VALUES, "nearest"))
    assert exact.of(CASE, "out")[1] == "equal"
    changed = VALUES.copy()
    changed[4] = np.nextafter(changed[4], 2)
    assert wrong(exact, changed) == 4
    zero = dataclasses.replace(
        expect(packed(np.zeros(3)), None, 0, 0), margin=np.full((3, 1), NO_MARGIN, np.int16)
    )
    assert wrong(Mathematics(sample(zero), "", lambda _: []), -np.zeros(3)) is None


def test_what_is_not_written_is_what_was_there_before() -> None:
    """A hash and some elements are kept; the array held zeros before."""
    count = 6000
    values = VALUES[:count].copy()
    values[1::2] = np.frombuffer(bytes([FILL_BYTE]) * 4, np.float32)
    written = np.arange(count)[:, None] % 2 == 0
    kept = shortened(expect(packed(values), written, 0, 0), FLOAT, {}, "bits", 0, 0)
    directions = {"nearest": VALUES[:count], "up": np.nextafter(VALUES[:count], 2), "down": VALUES[:count]}

    def leave(direction: str) -> list[Mapping[str, Packed]]:
        return [{"out": packed(np.where(written[:, 0], directions[direction], values))}]

    expected, equality = Mathematics(sample(kept), "", leave).of(CASE, "out")
    got = np.where(written[:, 0], np.nextafter(VALUES[:count], 2), np.float32(0))
    at_zeros = filled(expected, FLOAT, {}, ZERO_FILL)
    for one, reason in ((0.0, None), (1.0, "wrote_too_much")):
        got[1] = one
        outcome = compare(at_zeros, packed(got), FLOAT, {}, equality, ZERO_FILL, roundings=ROUNDINGS)
        assert (outcome.difference and outcome.difference.reason) == reason


def test_elements_in_any_order_have_their_bounds() -> None:
    values = np.array([1.0, 2.0, 3.0], np.float32)
    known = dataclasses.replace(expect(packed(values), None, 0, 0), margin=np.full((3, 1), -24, np.int16))
    mathematics = Mathematics(sample(known, "permutation"), "", lambda _: [])
    assert wrong(mathematics, np.nextafter(values[::-1], 9)) is None
    assert wrong(mathematics, np.array([3.0, 1.0001, 2.0])) is not None


def test_the_own_program_is_asked_once_in_each_direction() -> None:
    asked: list[str] = []

    def leave(direction: str) -> list[Mapping[str, Packed]]:
        asked.append(direction)
        return rounded(VALUES, direction)

    mathematics = Mathematics(sample(LARGE), "", leave)
    assert not asked
    first, second = mathematics.of(CASE, "out")[0], mathematics.of(CASE, "out")[0]
    assert first is second and asked == list(DIRECTIONS)
    assert first.margin is not None and margin_values(first.margin).max() < 1e-6


def test_a_case_of_small_numbers_does_not_hide_that_halves_are_rounded_once() -> None:
    """Cases of one size share a floor of their margins, which is more than small numbers are rounded by."""
    cases = (Case(4, 0), Case(4, 1))
    half = packed_dtype(parse_type("float16"), {})
    floor = np.full((4, 1), -9, np.int16)
    expected = [
        dataclasses.replace(expect(values.astype(np.float16).view(half), None, 0, 0), margin=floor)
        for values in (np.full(4, 4.5), np.full(4, 0.03))
    ]
    of_halves = dataclasses.replace(
        sample(expected[0]),
        signature=[("out", parse_type("array<float16,1>"))],
        cases=cases,
        expected=[{"out": one} for one in expected],
    )
    mathematics = Mathematics(of_halves, "", lambda _: [])
    assert [mathematics.of(case, "out")[1] for case in cases] == ["rounded_once"] * 2


def test_halves_of_a_large_array_are_rounded_once_as_far_as_they_are_kept() -> None:
    """The own program adds in another order, so that its bits are not the reference's."""
    half = packed_dtype(parse_type("float16"), {})
    values = np.full(12000, 4.5, np.float16).view(half)
    known = expect(values, None, 0, 0)
    assert known.sample_index is not None
    known = dataclasses.replace(known, margin=np.full((len(known.sample_index), 1), -9, np.int16))
    signature = [("out", parse_type("array<float16,1>"))]
    of_halves = dataclasses.replace(sample(known, "bounded"), signature=signature)
    other = values.copy()
    other["c0"][7] = 4.0
    mathematics = Mathematics(of_halves, "", lambda _: [{"out": other}])
    assert mathematics.of(CASE, "out")[1] == "rounded_once"
