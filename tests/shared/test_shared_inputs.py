"""Drawn inputs: docs/formats/inputs.md in plain Python integers is the law."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft import bfloat16
from weft.inputs import FILL_BYTE, draw, draw_bits, draw_parameter, leading_bits
from weft.launch import Launch, Recipe, parse_launch, parse_recipe
from weft.types import Type, parse_type
from weft.written import Where

WORD = 2**32
SEEDS = st.integers(0, WORD - 1)
POSITIONS = st.integers(0, 80)


def pcg(x: int) -> int:
    t = (x * 747796405 + 2891336453) % WORD
    w = (((t >> ((t >> 28) + 4)) ^ t) * 277803737) % WORD
    return (w >> 22) ^ w


def bits(seed: int, parameter: int, i: int) -> int:
    key = pcg((parameter + pcg(seed)) % WORD)
    return pcg((i % WORD + pcg((i // WORD + key) % WORD)) % WORD)


def drawn(
    type: str, count: int, recipe: dict[str, Any], seed: int = 0, parameter: int = 0, n: int = 10
) -> Any:
    return draw(
        parse_type(type),
        count,
        parse_recipe(recipe, Where("x"), ["n"]),
        seed=seed,
        parameter=parameter,
        sizes={"n": n},
        structs={"S": [("a", parse_type("vec<2,int16>")), ("b", parse_type("float32"))]},
    )


@given(SEEDS, POSITIONS, st.lists(st.integers(0, 2**40), min_size=1, max_size=20))
def test_bits_are_those_of_the_definition(seed: int, parameter: int, counters: list[int]) -> None:
    got = draw_bits(seed, parameter, np.array(counters, dtype=np.uint64))
    assert got.tolist() == [bits(seed, parameter, i) for i in counters]


@given(SEEDS, POSITIONS, st.integers(0, 3000))
def test_leading_bits_are_the_first_ones(seed: int, parameter: int, count: int) -> None:
    expected = draw_bits(seed, parameter, np.arange(count, dtype=np.uint64))
    assert leading_bits(seed, parameter, count).tolist() == expected.tolist()


def test_more_bits_than_are_remembered() -> None:
    count = 2**20 + 3
    assert leading_bits(1, 2, count)[-1] == bits(1, 2, count - 1)


@given(SEEDS, st.floats(-3e4, 3e4), st.floats(1e-3, 3e4), st.sampled_from(["float16", "float32", "float64"]))
def test_uniform_rounds_once_after_float64(seed: int, low: float, width: float, scalar: str) -> None:
    high = low + width
    got = drawn(scalar, 5, {"uniform": [low, high]}, seed)["c0"]
    for i in range(5):
        unit = Fraction(bits(seed, 0, i) >> 8, 2**24)
        if scalar == "float64":
            unit += Fraction(pcg(bits(seed, 0, i)) >> 3, 2**53)
        assert got[i] == np.dtype(scalar).type(low + float(unit) * (high - low))


@given(SEEDS)
def test_a_drawn_double_is_no_float(seed: int) -> None:
    got = drawn("float64", 20, {"uniform": [-1.0, 1.0]}, seed)["c0"]
    assert (got != got.astype(np.float32)).sum() >= 19


@given(SEEDS, st.integers(-100, 100), st.integers(1, 50), st.sampled_from(["int8", "int64", "float32"]))
def test_integers_follow_the_definition_for_any_scalar(seed: int, low: int, width: int, scalar: str) -> None:
    got = drawn(scalar, 4, {"integers": [low, f"{low + width}"]}, seed)["c0"]
    expected = [low + bits(seed, 0, i) % width for i in range(4)]
    assert got.tolist() == np.array(expected).astype(scalar).tolist()


@given(SEEDS, st.integers(1, 200))
def test_permutations_are_permutations_in_the_defined_order(seed: int, count: int) -> None:
    got = drawn("int32", count, {"permutation": "n"}, seed, n=count)["c0"].tolist()
    assert got == sorted(range(count), key=lambda i: (bits(seed, 0, i), i))


@given(SEEDS, st.integers(0, 9), st.integers(1, 9))
def test_offsets_are_a_stride_apart_but_for_a_drawn_part(seed: int, stride: int, width: int) -> None:
    got = drawn("int32", 20, {"offsets": [stride, width]}, seed)["c0"].tolist()
    assert got == [i * stride + bits(seed, 0, i) % width for i in range(20)]


def test_components_are_counted_over_the_whole_array() -> None:
    recipe = {"members": {"a": {"integers": [0, 1000]}, "b": {"integers": [0, 1000]}}}
    got = drawn("struct<S>", 3, recipe, seed=5, parameter=2)
    for element in range(3):
        for component in range(3):
            assert got[f"c{component}"][element] == bits(5, 2, element * 3 + component) % 1000
    vectors = drawn("vec<3,float32>", 2, {"integers": [0, 1000]}, seed=5, parameter=2)
    assert vectors.view(np.float32).tolist() == [bits(5, 2, i) % 1000 for i in range(6)]


def test_unit_vectors_are_uniform_ones_divided_by_their_length() -> None:
    given = drawn("vec<3,float32>", 9, {"uniform": [-1.0, 1.0]}).view(np.float32).reshape(9, 3)
    x, y, z = given.astype(np.float64).T
    expected = (given / np.sqrt(x * x + y * y + z * z)[:, None]).astype(np.float32)
    got = drawn("vec<3,float32>", 9, {"unit": [-1.0, 1.0]}).view(np.float32).reshape(9, 3)
    assert got.tolist() == expected.tolist()
    assert np.linalg.norm(got, axis=1) == pytest.approx(1.0)


def test_of_a_transform_the_rotation_alone_has_unit_length() -> None:
    uniform, unit = (
        drawn("transform<float64>", 9, {kind: [-2.0, 3.0]}).view(np.float64).reshape(9, 7)
        for kind in ("uniform", "unit")
    )
    assert unit[:, :3].tolist() == uniform[:, :3].tolist()
    assert np.linalg.norm(unit[:, 3:], axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("type", "recipe", "expected"),
    [
        ("vec<2,float32>", {"constant": 2.5}, 2.5),
        ("int64", {"size": "2 * n"}, 20),
        ("bool", {"constant": 1}, True),
    ],
)
def test_constants_and_sizes(type: str, recipe: dict[str, Any], expected: object) -> None:
    assert all(value == expected for value in drawn(type, 2, recipe)["c0"])


@pytest.mark.parametrize(
    ("type", "recipe", "complaint"),
    [
        ("int32", {"integers": [3, 3]}, "empty or too large range"),
        ("vec<2,int32>", {"permutation": "n"}, "describes integers"),
        ("vec<2,int32>", {"offsets": [3, 3]}, "describes integers"),
        ("struct<S>", {"members": {"a": {"constant": 1}}}, "lacks member 'b'"),
        ("int32", {"members": {}}, "describes a struct, not int32"),
    ],
)
def test_recipes_that_do_not_fit_are_refused(type: str, recipe: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        drawn(type, 2, recipe)


def test_out_arrays_hold_the_fill_byte_and_values_have_one_element() -> None:
    launch = parse_launch(
        {
            "dims": ["n"],
            "parameters": {
                "out": {"role": "out", "shape": ["n", "2"]},
                "x": {"shape": ["n"], "values": {"uniform": [0, 1]}},
                "v": {"values": {"uniform": [0, 1]}},
            },
        },
        "k",
    )

    def parameter(name: str, type: str, position: int) -> Any:
        parsed: Type = parse_type(type)
        return draw_parameter(launch, name, parsed, position, size=3, seed=1, structs={})

    assert parameter("out", "array<int16,2>", 0).tobytes() == bytes([FILL_BYTE]) * 12
    assert len(parameter("x", "array<float32,1>", 1)) == 3
    assert len(parameter("v", "vec<3,float32>", 2)) == 1
    uniform = draw(
        parse_type("float32"),
        3,
        Recipe("uniform", (0.0, 1.0)),
        seed=1,
        parameter=1,
        sizes={"n": 3},
        structs={},
    )
    assert parameter("x", "array<float32,1>", 1).tobytes() == uniform.tobytes()


KINDS = ("among", "below zero", "all equal", "all small")


def with_edges(type: str, n: int, kind: str, turn: int = 0, **values: dict[str, Any]) -> list[Any]:
    """The numbers of an array in a case of a kind; the first of `values` is its recipe."""
    first, *others = values.items()
    entries = {
        first[0]: {"shape": ["n"], "values": first[1]},
        **{name: {"values": one} for name, one in others},
    }
    launch = parse_launch({"dims": ["n"], "parameters": entries, "compared": [0.25, 7.0, 0.0]}, "k")
    seed = 3 * (len(KINDS) * turn + KINDS.index(kind)) + 2
    drawn = draw_parameter(launch, first[0], parse_type(type), 0, size=n, seed=seed, structs={})
    return drawn.view(np.dtype([("c0", drawn.dtype[0])]))["c0"].tolist()  # type: ignore[no-any-return]


SECOND = parse_launch(
    {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "a": {"values": {"integers": [0, 9999]}},
            "b": {"values": {"integers": [0, 9999]}},
            "c": {"values": {"constant": 4}},
        },
        "compared": [],
    },
    "k",
)
AS_DRAWN = dataclasses.replace(SECOND, compared=None)


def numbers(launch: Launch, name: str, seed: int, size: int = 9) -> list[float]:
    kind = parse_type("array<float32,1>" if name == "x" else "int32")
    position = list(launch.parameters).index(name)
    drawn = draw_parameter(launch, name, kind, position, size=size, seed=seed, structs={})
    return drawn["c0"].tolist()  # type: ignore[no-any-return]


def test_a_second_case_has_most_of_the_one_before() -> None:
    for first in (6, 18, 300):
        assert numbers(SECOND, "x", first) == numbers(AS_DRAWN, "x", first)
        assert numbers(SECOND, "a", first + 1) == numbers(AS_DRAWN, "a", first)
        second, before, drawn = (
            np.array(numbers(launch, "x", seed, 800))
            for launch, seed in ((SECOND, first + 1), (AS_DRAWN, first), (AS_DRAWN, first + 1))
        )
        anew = second != before
        assert not anew[0] and not anew[-1]
        assert 50 < anew.sum() < 150
        assert (second[anew] == drawn[anew]).all()
        assert numbers(SECOND, "x", first + 1, 2) == numbers(AS_DRAWN, "x", first, 2)
    assert numbers(SECOND, "x", 1) == numbers(AS_DRAWN, "x", 1)


def test_or_it_differs_by_one_number_passed_by_value_alone() -> None:
    for first, changed in ((3, "a"), (9, "b"), (15, "a")):
        as_before = {name: first + (name == changed) for name in SECOND.parameters}
        for name, seed in as_before.items():
            assert numbers(SECOND, name, first + 1) == numbers(AS_DRAWN, name, seed)


def test_inputs_with_edges_have_the_ends_zero_and_what_is_compared_with() -> None:
    found = set(
        with_edges("array<float32,1>", 500, "among", x={"uniform": [-1.0, 1.0]}, y={"uniform": [0.5, 0.75]})
    )
    quarter = np.float32(0.25)
    near = {float(np.nextafter(quarter, np.float32(end))) for end in (-1.0, 1.0)}
    assert {-1.0, 0.0, 0.25, 0.5, 0.625, *near} <= found
    assert min(found) == -1.0
    assert max(found) == np.float32(1 - 2.0**-23)
    assert len(found) > 150
    signed = {"x": {"uniform": [-1.0, 1.0]}}
    assert {-(2.0**-20), 0.0, 2.0**-20} <= set(with_edges("array<float32,1>", 500, "among", **signed))
    assert {0, 4, 6, 7, 8, 9} <= set(with_edges("array<int32,1>", 100, "among", x={"integers": [0, 10]}))


def test_half_of_an_array_of_whole_numbers_has_the_smallest_and_the_largest_alone() -> None:
    found = with_edges("array<int32,1>", 101, "among", x={"integers": [0, 10]})
    assert set(found[50:]) == {0, 9}
    floats = with_edges("array<float32,1>", 101, "among", x={"uniform": [0.0, 1.0]})
    assert len(set(floats[50:])) > 10


def test_elements_with_edges_are_zero_vectors_too() -> None:
    flat = with_edges("array<vec<3,float32>,1>", 100, "among", x={"uniform": [-1.0, 1.0]})
    assert [0.0, 0.0, 0.0] in [flat[i : i + 3] for i in range(0, 300, 3)]


@given(st.integers(0, 1000), st.sampled_from([[-2.0, 3.0], [-1.0, 0.0], [-4.0, -3.0]]))
def test_all_numbers_of_a_case_are_below_zero_where_they_may_be(turn: int, bounds: list[float]) -> None:
    found = with_edges("array<float32,1>", 64, "below zero", turn, x={"uniform": bounds})
    assert bounds[0] <= min(found) <= max(found) < 0
    whole = with_edges("array<int32,1>", 64, "below zero", turn, x={"integers": [-5, 9]})
    assert -5 <= min(whole) <= max(whole) < 0


def test_arrays_hold_one_number_with_two_seeds_of_three() -> None:
    cases = [
        with_edges("array<float32,1>", 64, "all equal", turn, x={"uniform": [-1.0, 1.0]}) for turn in range(8)
    ]
    assert [len(set(one)) == 1 for one in cases] == [True, False, True, True, False, True, True, False]


def test_of_every_third_seed_this_number_lets_all_elements_count() -> None:
    floats = {"x": {"uniform": [-1.0, 1.0]}, "limit": {"uniform": [-1.0, 1.0]}}
    assert set(with_edges("array<float32,1>", 64, "all equal", 5, **floats)) == {np.float32(1 - 2.0**-23)}
    assert set(with_edges("array<int32,1>", 64, "all equal", 5, x={"integers": [-1, 17]})) == {8}
    assert set(with_edges("array<int32,1>", 64, "all equal", 5, x={"integers": [0, 2]})) == {1}
    parameters = {"limit": {"values": floats["limit"]}}
    launch = parse_launch({"dims": ["n"], "parameters": parameters, "compared": []}, "k")
    seed = 3 * (len(KINDS) * 5 + KINDS.index("all equal")) + 2
    assert (
        draw_parameter(launch, "limit", parse_type("float32"), 0, size=9, seed=seed, structs={})["c0"] == -1
    )


def test_all_numbers_are_together_but_one_behind_the_first_block_which_is_far_from_them() -> None:
    for bounds, near in ([-1.0, 1.0], (0.0,)), ([0.5, 2.0], (0.5, 2.0)), ([-4.0, -2.0], (-4.0, -2.0)):
        seen = set()
        for turn in range(8):
            found = np.array(with_edges("array<float32,1>", 600, "all small", turn, x={"uniform": bounds}))
            others = np.delete(found, 256)
            (start,) = (one for one in near if np.abs(others - one).max() <= (bounds[1] - bounds[0]) / 256)
            assert len(set(others)) > 500
            assert min(abs(found[256] - bound) for bound in bounds) < 1e-6 < abs(found[256] - start)
            seen.add(start)
        assert seen == set(near)
    assert set(with_edges("array<int32,1>", 200, "all small", x={"integers": [-9, 50]})[:-1]) == {
        *range(-2, 3)
    }


def begins(constant: float, seed: int, scalar: str = "float32") -> int | float:
    """What an array begins with that a kernel adds to."""
    parameters = {"x": {"role": "inout", "shape": ["1"], "values": {"constant": constant}}}
    described = {"dims": ["n"], "parameters": parameters, "compared": [], "accumulators": ["x"]}
    kind, launch = parse_type(f"array<{scalar},1>"), parse_launch(described, "k")
    first: int | float = draw_parameter(launch, "x", kind, 0, size=9, seed=seed, structs={})["c0"][0].item()
    return first


def test_what_a_kernel_adds_to_begins_with_something() -> None:
    assert [begins(0.0, seed) for seed in (0, 1, 2, 5, 8, 11)] == [0, 0, 0, 0, 3, 0]
    assert begins(-1e6, 8) == 1e6


@pytest.mark.parametrize("scalar", ["int32", "uint64"])
def test_a_counter_begins_with_what_no_float_holds(scalar: str) -> None:
    start = begins(0, 8, scalar)
    assert float(np.float32(start)) != start > 2**24
    assert (begins(0, 5, scalar), begins(0, 8, "int16")) == (0, 3)


@given(SEEDS, st.integers(-100, 100), st.integers(1, 50), st.sampled_from(["int8", "int64", "float32"]))
def test_edges_lie_within_what_a_recipe_promises(seed: int, low: int, width: int, scalar: str) -> None:
    parameters = {"x": {"shape": ["n"], "values": {"integers": [low, f"{low + width}"]}}}
    launch = parse_launch({"dims": ["n"], "parameters": parameters, "compared": [0.25, 7.0]}, "k")
    kind = parse_type(f"array<{scalar},1>")
    drawn = draw_parameter(launch, "x", kind, 0, size=50, seed=seed, structs={})["c0"]
    assert low <= drawn.min() <= drawn.max() < low + width


@pytest.mark.parametrize(("seed", "compared"), [(0, [0.25]), (1, [0.25]), (2, None)])
def test_other_inputs_are_as_they_are_drawn(seed: int, compared: list[float] | None) -> None:
    parameters = {"x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}}}
    described = {"dims": ["n"], "parameters": parameters}
    launch = parse_launch(described if compared is None else {**described, "compared": compared}, "k")
    got = draw_parameter(launch, "x", parse_type("array<float32,1>"), 0, size=9, seed=seed, structs={})
    assert got.tobytes() == drawn("float32", 9, {"uniform": [0.0, 1.0]}, seed).tobytes()


@given(st.lists(st.floats(width=32), min_size=1))
def test_bfloat16_is_the_nearest_one_and_ties_go_to_even(values: list[float]) -> None:
    floats = np.array(values, dtype=np.float32)
    for value, bits in zip(floats, bfloat16.to_bits(floats), strict=True):
        if np.isnan(value):
            assert bits == bfloat16.NAN_BITS
            continue
        whole = int(value.view(np.uint32))
        upper, lower = divmod(whole, 2**16)
        assert bits == upper + (lower > 2**15 or (lower == 2**15 and upper % 2 == 1))


@given(st.integers(2**7, 2**8 - 1), st.integers(-100, 100), st.sampled_from([-1, 1]))
def test_bfloat16_of_a_double_is_rounded_once(mantissa: int, exponent: int, side: int) -> None:
    tie = (mantissa + 0.5) * 2.0**exponent
    beside = tie * (1 + side * 2.0**-40)  # the same float32 as the tie
    (bits,) = bfloat16.to_bits(np.array([beside]))
    nearest = (mantissa + (side > 0)) * 2.0**exponent
    assert bits == np.float32(nearest).view(np.uint32) >> 16


def test_bfloat16_of_a_double_reaches_infinity_and_zero() -> None:
    values = np.array([1e300, -1e300, 1e-300, -1e-300, np.inf, np.nan])
    assert bfloat16.to_bits(values).tolist() == [0x7F80, 0xFF80, 0, 0x8000, 0x7F80, bfloat16.NAN_BITS]
