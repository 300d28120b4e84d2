"""What the generator writes reads as a person writes it: one name for a value, English, no clutter."""

import pytest

from weft.kernels import tidy
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.emit import expression, statement_lines
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.intervals import Interval
from weft.kernels.policy import DEFAULT
from weft.kernels.program import Name
from weft.kernels.rng import Random
from weft.kernels.types import F32, I32
from weft.kernels.words import article, noun, opening, plural, singular, the, told


@pytest.fixture
def k() -> Builder:
    builder = Builder("probe", Random("test", 1, 0, 0), DEFAULT)
    builder.threads(["n"], ["i"])
    return builder


def body(k: Builder) -> list[str]:
    tidy.apply(k)
    return [line for statement in k.body for line in statement_lines(statement)]


def inputs(k: Builder, name: str):
    return k.array(name, F32, ["n"], {"uniform": [-1.0, 1.0]})


def outputs(k: Builder):
    return k.array("results", F32, ["n"], None, "out")


def sums(k: Builder, second) -> list[str]:
    """Two loops over a row; the second adds up what `second` makes of an element and the first sum."""
    values = k.array("values", F32, ["n", "8"], {"uniform": [-1.0, 1.0]})
    total, other = k.var("total", 0.0), None
    with k.loop("j", 0, 8) as j:
        k.add(total, k.let("value", values[k.index[0], j]))
    mean = k.let("mean", total / 8.0)
    other = k.var("other", 0.0)
    with k.loop("j", 0, 8) as j:
        k.add(other, second(k.let("value", values[k.index[0], j]), mean))
    k.store(outputs(k), k.target, mean * other)
    return body(k)


def test_loops_over_one_range_are_one_loop(k):
    lines = sums(k, lambda value, mean: value * value)
    assert lines[1:] == [
        "total = float(0.0)",
        "other = float(0.0)",
        "for j in range(8):",
        "    value = values[i, j]",
        "    total += value",
        "    other += value * value",
        "mean = total / 8.0",
        "results[i] = mean * other",
    ]


def test_a_loop_that_needs_what_another_adds_up_comes_after_it(k):
    lines = sums(k, lambda value, mean: value - mean)
    assert sum(line.startswith("for j") for line in lines) == 2


def test_a_value_has_one_name(k):
    pressure = k.let("pressure", inputs(k, "pressures")[k.index])
    again = k.let("p", pressure)
    k.store(outputs(k), k.target, again * again)
    assert body(k) == ["i = wp.tid()", "pressure = pressures[i]", "results[i] = pressure * pressure"]


def test_a_variable_starts_with_the_value_itself(k):
    start = k.let("start", inputs(k, "starts")[k.index])
    x = k.var("x", start, bounds=(-9.0, 9.0))
    k.set(x, 0.5 * x)
    k.store(outputs(k), k.target, x)
    assert body(k) == ["i = wp.tid()", "x = starts[i]", "x = 0.5 * x", "results[i] = x"]


def test_a_copy_that_is_kept_while_its_source_changes_stays(k):
    x = k.var("x", inputs(k, "starts")[k.index], bounds=(-9.0, 9.0))
    before = k.let("before", x)
    k.set(x, 0.5 * x)
    k.store(outputs(k), k.target, x - before)
    assert "before = x" in body(k)


def test_a_first_value_that_nothing_reads_goes_with_what_it_was_made_of(k):
    own = k.let("own", inputs(k, "values")[k.index])
    total = k.var("total", own, bounds=(-9.0, 9.0))
    k.set(total, lift(2.0, F32))
    k.store(outputs(k), k.target, total)
    assert body(k) == ["i = wp.tid()", "total = 2.0", "results[i] = total"]


def test_a_first_value_that_a_branch_leaves_stays(k):
    x = inputs(k, "values")[k.index]
    total = k.var("total", 0.0, bounds=(-9.0, 9.0))
    with k.when(x > 0.0):
        k.set(total, x)
    k.store(outputs(k), k.target, total)
    assert "total = float(0.0)" in body(k)


def test_an_element_behind_an_index_is_looked_up_once(k):
    kinds = k.array("kinds", I32, ["n"], {"integers": [0, 4]})
    weight = k.array("weights", F32, ["4"], {"uniform": [0.0, 1.0]})[kinds[k.index]]
    k.store(outputs(k), k.target, weight * weight + weight)
    assert body(k)[1:] == ["weight = weights[kinds[i]]", "results[i] = weight * weight + weight"]


def test_an_element_that_only_a_branch_reads_is_not_looked_up_before_it(k):
    values = inputs(k, "values")
    with k.when(k.index[0] > 3):
        k.store(outputs(k), k.target, values[k.index] * values[k.index] + values[k.index])
    assert body(k)[1].startswith("if i > 3:")


def test_minus_signs_and_negations_are_resolved():
    x, y = (Name(F32, Interval(-1.0, 1.0), one) for one in "xy")
    assert expression(1.0 + lift(-1.0, F32) * y) == "1.0 - y"
    assert expression(x + (-0.5 * y) * x) == "x - 0.5 * y * x"
    assert expression(x - (-y)) == "x + y"
    assert expression(~(x > y)) == "x <= y"
    assert expression(ops.abs(Name(F32, Interval(0.0, 1.0), "z"))) == "z"


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("energy", "energies"), ("ray", "rays"), ("axis", "axes"), ("turn_axis", "turn_axes"),
        ("child", "children"), ("x", "xs"), ("other_x", "other_xs"), ("exy", "exy_values"),
        ("patch", "patches"), ("cache", "caches"), ("price", "prices"), ("turn_matrix", "turn_matrices"),
        ("speed", "speeds"), ("filtered", "filtered_values"), ("best", "best_values"), ("index", "indices"),
    ],
)  # fmt: skip
def test_arrays_are_named_in_the_plural_and_their_elements_in_the_singular(one, several):
    assert plural(one) == several
    assert singular(several) == one


def test_names_that_end_in_s_are_no_plurals():
    assert [singular(one) for one in ("radius", "bias", "species", "axis", "pos", "rhs")] == [
        "radius",
        "bias",
        "species",
        "axis",
        "pos",
        "rhs",
    ]


def test_sentences_are_english(k):
    assert (article("arctangent"), article("tanh")) == ("an arctangent", "a tanh")
    assert [the(one) for one in ("pressure", "x", "r0", "earlier")] == [
        "the pressure", "x", "r0", "the earlier value",
    ]  # fmt: skip
    assert (opening("the pressure"), opening("x"), noun("filtered")) == (
        "The pressure",
        "x",
        "filtered value",
    )


def test_a_docstring_names_the_parameter_and_no_index(k):
    assert told(inputs(k, "gains")[k.index]) == "gains"


def test_ranges_have_few_digits():
    assert uniform(0.1 + 0.2, 0.7 * 0.1) == {"uniform": [0.3, 0.07]}


def test_a_variable_that_is_added_to_is_changed(k):
    x = k.var("x", 1.0, bounds=(-10.0, 10.0))
    k.set(x, bounded(x + 2.0 * inputs(k, "values")[k.index], -9.0, 9.0))
    k.set(x, bounded(1.0 + x, -9.0, 9.0))
    assert [line for statement in k.body for line in statement_lines(statement)][-2:] == [
        "x += 2.0 * values[i]",
        "x = 1.0 + x",
    ]
