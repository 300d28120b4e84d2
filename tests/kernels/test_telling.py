"""Docstrings say where values come from, and what they are, in phrases that a reader takes in at once."""

from __future__ import annotations

from typing import Annotated

import pytest

from weft.kernels.builder import Builder
from weft.kernels.formulas import Domain, Formula, Quantity
from weft.kernels.program import Expr
from weft.kernels.telling import Told, sentences, with_origins


def told(verb: str, words: str, how: str, depth: int = 1) -> Told:
    """A formula with this docstring, told of."""
    domain = Domain("beam")

    @domain.formula(name="given", doc=f"{verb} the {words} of each beam {how}.")
    def given(k: Builder) -> Annotated[Expr, Quantity("given", 0.0, 1.0)]:
        raise NotImplementedError

    (formula,) = domain.formulas
    assert isinstance(formula, Formula)
    return Told(words, formula, depth)


def test_an_origin_is_a_phrase_of_the_sentence():
    strike = told("Compute", "strike", "from the moneyness")
    assert with_origins("Price each option", [strike]) == (
        "Price each option, with the strike from the moneyness."
    )


def test_a_verb_that_says_something_stays():
    clipped = told("Clip", "gradient", "to a largest magnitude")
    assert with_origins("Update each weight", [clipped]) == (
        "Update each weight, with the gradient clipped to a largest magnitude."
    )


@pytest.mark.parametrize(
    ("words", "how", "clause"),
    [
        ("residual", "as the right side less the product", "the residual is the right side less the product"),
        ("bits", "as a mask of them", "the bits are a mask of them"),
    ],
)
def test_what_a_value_is_stands_behind_where(words: str, how: str, clause: str):
    assert with_origins("Count them", [told("Compute", words, how)]) == f"Count them, where {clause}."


def test_a_comparison_is_no_definition():
    said = with_origins("Price each option", [told("Compute", "argument", "as Black and Scholes do")])
    assert said == "Price each option, with the argument as Black and Scholes do."


def test_a_second_with_makes_a_sentence_of_its_own():
    mean = told("Compute", "mean", "with a weight for each feature")
    assert with_origins("Score each row", [mean]) == (
        "Score each row. Take the mean with a weight for each feature."
    )


def test_long_sentences_are_parted():
    strike = told("Compute", "strike", "from the moneyness")
    goal = "Estimate the price of each option " + "along its path " * 8
    assert with_origins(goal.strip(), [strike]).endswith("path. Take the strike from the moneyness.")


def test_values_of_one_verb_are_listed_together():
    steps = [
        told("Sum", "pressure force", "over the neighbors"),
        told("Sum", "drag", "of the air"),
        told("Compute", "acceleration", "under gravity"),
        told("Compute", "inertia", "as that of a ball"),
    ]
    assert sentences(steps) == (
        "Sum the pressure force over the neighbors and the drag of the air, and take the acceleration under"
        " gravity. The inertia is that of a ball."
    )


def test_only_the_nearest_values_are_told_of():
    far = told("Compute", "phase", "by the hash", depth=3)
    near = [told("Compute", name, "by table", depth=1) for name in ("first", "second", "third")]
    assert "phase" not in with_origins("Draw each sample", [far, *near])
