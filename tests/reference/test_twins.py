"""Float64 twins: which kernels have one, what is unstable, and that stored margins do what they should."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from weft.inputs import draw_parameter
from weft.reference.cases import LARGE, Case
from weft.reference.rounding import Rounding
from weft.reference.store import (
    NO_MARGIN,
    SAMPLED,
    Expected,
    Reference,
    Sample,
    as_bytes,
    margin_values,
    packed_elements,
    read,
    write,
)
from weft.reference.twin import widened, with_twins, wrong_lines
from weft.runs.judge import compare
from weft.types import Array, parse_type

SCRIPTS = Path(__file__).parents[2] / "scripts"
KERNELS = Path(__file__).with_name("twin_kernels.py")
SIZES = (1, 33, 257, 20000)
SEEDS = (0, 1)


@pytest.fixture(scope="module")
def ir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ir") / "ir.json"
    subprocess.run([sys.executable, "-P", SCRIPTS / "ir.py", KERNELS, "-o", path], check=True, timeout=120)
    return path


@pytest.fixture(scope="module")
def reference(ir: Path, tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...]) -> Reference:
    """The reference of a user's kernels, from its file."""
    path = tmp_path_factory.mktemp("reference") / "r.npz"
    numbers = ["--sizes", *map(str, SIZES), "--seeds", *map(str, SEEDS)]
    command = [
        sys.executable,
        "-P",
        SCRIPTS / "reference.py",
        f"{KERNELS}:stable_count",
        ir,
        "-o",
        path,
        *numbers,
        *warp_headers,
    ]
    subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL)
    return read(path)


def sample(reference: Reference, name: str) -> Sample:
    return next(one for one in reference.samples if one.kernel_name == name)


def test_every_kernel_is_what_its_name_says(reference: Reference) -> None:
    """None is rejected: they are a user's."""
    assert not reference.rejects
    for one in reference.samples:
        verdict = one.no_twin or ("unstable" if one.unstable else "stable")
        assert one.kernel_name.startswith(verdict), one.kernel_name


def test_the_message_says_how_far_away_the_twin_is(reference: Reference) -> None:
    assert re.fullmatch(
        r"computed in float64, element 0 of 'out' differs by 0\.00\d+, 0\.00\d+ of the largest magnitude, "
        r"in case n = 1, seed 0",
        str(sample(reference, "unstable_cancellation").unstable),
    )
    told = sample(reference, "unstable_bins").unstable
    assert re.match(r"computed in float64, element \d+ of 'bins' differs", str(told))


def test_margins_are_kept_for_what_is_kept(reference: Reference) -> None:
    one = sample(reference, "stable_struct")
    for case, expected in zip(one.cases, one.expected, strict=True):
        count = (case.size + 2) // 3 * 3
        margin = expected["out"].margin
        assert margin is not None
        assert margin.shape == (SAMPLED if count > LARGE else count, 3)
    assert sample(reference, "exact_integers").expected[0]["out"].margin is None


def test_numbers_that_differ_in_rounding_alone_are_within_their_bounds(reference: Reference) -> None:
    """Fused operations and another exponential pass, a factor that is wrong by 1e-4 does not."""
    one = sample(reference, "stable_polynomial")
    for number, case in enumerate(one.cases):
        if case.size > LARGE:
            continue
        drawn = draw_parameter(
            one.launch, "x", one.signature[0][1], 0, size=case.size, seed=case.seed, structs={}
        )
        x = drawn.view(np.float32)
        y = np.full_like(x, 0.1)
        for _ in range(5):
            y = (y.astype(np.float64) * x + np.float32(0.3)).astype(np.float32)
        fused = (y * (np.exp(-(x * x) / np.float32(0.7)) + np.float32(0.1))).astype(np.float32)
        expected = one.expected[number]["out"]
        kind = dict(one.signature)["out"]
        assert isinstance(kind, Array)
        for got, fits in ((fused, True), (fused * np.float32(1.0001), False)):
            outcome = compare(expected, got.view([("c0", "<f4")]), kind.element, {}, "bounded")
            assert (outcome.difference is None) is fits


def test_a_sum_has_a_bound_that_other_orders_keep(reference: Reference) -> None:
    one = sample(reference, "stable_tile_sum")
    expected = one.expected[4]["out"]
    seed = one.cases[4].seed
    x = draw_parameter(one.launch, "x", one.signature[0][1], 0, size=257, seed=seed, structs={})
    rows = x.view(np.float32).reshape(257, 64)
    element = one.outputs[0][2].element
    assert expected.value is not None
    assert expected.margin is not None
    kept = packed_elements(expected.value, element, {}).view(np.float32)
    backwards = np.cumsum(rows[:, ::-1], axis=1, dtype=np.float32)[:, -1]
    assert (backwards != kept).any()
    assert compare(expected, backwards.view([("c0", "<f4")]), element, {}, "bounded").difference is None
    short = np.cumsum(rows[:, :63], axis=1, dtype=np.float32)[:, -1]
    assert compare(expected, short.view([("c0", "<f4")]), element, {}, "bounded").difference is not None
    assert margin_values(expected.margin).max() < 1e-5


def test_a_sum_in_float64_has_a_bound_though_its_twin_is_the_same() -> None:
    terms = np.random.default_rng(1).uniform(0.0, 100.0, 65537)
    one, other = np.cumsum(terms)[-1:], np.cumsum(terms[::-1])[-1:]
    packed, backwards, short = (x.view([("c0", "<f8")]) for x in (one, other, one - terms[:1]))
    rounding = Rounding({"total": parse_type("float64")}, {}, "float32", lambda n: n, only_wide=True)
    rounding.observe("total", Case(65537, 0), packed, packed, None)
    expected = Expected(value=as_bytes(packed), margin=rounding.margins("total")[0])
    element = parse_type("float64")
    assert abs(one - other) > 32 * np.spacing(one)
    assert compare(expected, backwards, element, {}, "bounded").difference is None
    assert compare(expected, short, element, {}, "bounded").difference is not None


def test_an_element_that_gets_most_terms_has_a_bound_that_other_orders_keep() -> None:
    """Of most elements nothing is known of how large sums round, and one order may have been lucky."""
    terms = np.random.default_rng(2).uniform(0.1, 0.2, 10000).astype(np.float32)
    arrays = np.full((3, 1000), 0.15, np.float32)
    arrays[:, 7] = [terms.sum(dtype=np.float64), np.cumsum(terms)[-1], terms[1:].sum(dtype=np.float64)]
    element = parse_type("float32")
    near, serial, short = (one.view([("c0", "<f4")]) for one in arrays)
    rounding = Rounding({"out": element}, {}, "float32", lambda n: n, only_wide=True)
    rounding.observe("out", Case(10000, 0), near, arrays[0].astype("<f8").view([("c0", "<f8")]), None)
    expected = Expected(value=as_bytes(near), margin=rounding.margins("out")[0])
    assert compare(expected, serial, element, {}, "bounded", roundings=8).difference is None
    assert compare(expected, short, element, {}, "bounded", roundings=8).difference is not None
    assert expected.margin is not None and (np.delete(expected.margin, 7) == NO_MARGIN).all()
    halves = near["c0"].astype("<f2").view([("c0", "<f2")])
    rounding = Rounding({"out": parse_type("float16")}, {}, "float16", lambda n: n, only_wide=True)
    rounding.observe("out", Case(10000, 0), halves, halves["c0"].astype("<f8").view([("c0", "<f8")]), None)
    assert margin_values(rounding.margins("out")[0]).max() < 0.1


def test_a_lucky_sum_in_a_sparse_array_has_the_bound_of_the_others() -> None:
    """Most elements, and all of the other cases of its size, get no terms, and round nothing."""
    terms = np.random.default_rng(3).uniform(-1.0, 1.0, (20, 400)).astype(np.float32)
    twin = np.zeros(5000)
    near, backwards, short = np.zeros((3, 5000), np.float32)
    twin[:400] = terms.sum(axis=0, dtype=np.float64)
    for array, some in ((near, terms), (backwards, terms[::-1]), (short, terms[1:])):
        array[:400] = np.cumsum(some, axis=0, dtype=np.float32)[-1]
    lucky = int(np.argmin(np.abs(near[:400])))
    twin[lucky] = near[lucky]
    assert abs(backwards[lucky] - near[lucky]) > 8 * np.spacing(near[lucky])
    element = parse_type("float32")
    kernel, other, wrong = (one.view([("c0", "<f4")]) for one in (near, backwards, short))
    rounding = Rounding({"out": element}, {}, "float32", lambda n: n, only_wide=True)
    rounding.observe("out", Case(5000, 0), kernel, twin.view([("c0", "<f8")]), None)
    nothing = np.zeros(5000)
    for seed in (1, 2):
        zeros = nothing.astype(np.float32).view([("c0", "<f4")])
        rounding.observe("out", Case(5000, seed), zeros, nothing.view([("c0", "<f8")]), None)
    expected = Expected(value=as_bytes(kernel), margin=rounding.margins("out")[0])
    assert compare(expected, other, element, {}, "bounded", roundings=8).difference is None
    assert compare(expected, wrong, element, {}, "bounded", roundings=8).difference is not None
    assert margin_values(expected.margin).max() < 1e-5


def test_equal_content_has_equal_bytes(reference: Reference, tmp_path: Path) -> None:
    write(tmp_path / "a.npz", reference)
    write(tmp_path / "b.npz", read(tmp_path / "a.npz"))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_constants_keep_the_value_that_the_kernel_rounds_them_to() -> None:
    text = "    wp::float16 var_2;\n    const wp::float32 var_1 = 0.1;\n    var_2 = 0.1;\n    var_3 = 7;\n"
    assert widened(text) == (
        f"    wp::float64 var_2;\n    const wp::float64 var_1 = {float(np.float32(0.1))!r};\n"
        f"    var_2 = {float(np.float16(0.1))!r};\n    var_3 = 7;\n"
    )


def test_doubles_and_names_are_left_as_they_are() -> None:
    text = "    const wp::float64 var_1 = 0.1;\n    wp_args_float32 x; my::float32 y; wp::int32 var_2 = 3;"
    assert widened(text) == text


def test_a_text_without_kernels_has_no_twins() -> None:
    assert with_twins('#include "builtin.h"\n').text == '#include "builtin.h"\n'


def test_errors_are_traced_to_the_text_that_has_them() -> None:
    log = (
        "/x/k.cpp:10:3: warning: unused\n/x/k.cpp:11:3: note: here\n/x/vec.h:7:1: error: no match\n"
        "/x/k.cpp:20:5: note: in instantiation\n/x/k.cpp:30:5: error: conversion\n1 warning and 2 errors.\n"
    )
    assert wrong_lines(log) == {20, 30}


def test_a_cast_to_a_narrower_float_rounds_in_the_twin_too(reference: Reference) -> None:
    assert sample(reference, "stable_remainder").unstable is None


def test_what_is_computed_in_half_precision_may_be_as_far_away_as_that_is_coarse(
    reference: Reference,
) -> None:
    assert sample(reference, "stable_halves").unstable is None
