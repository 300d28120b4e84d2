"""Derivatives by differences, and adjoints compared with them, on functions whose derivatives are known."""

from __future__ import annotations

import numpy as np
import pytest

from weft.gradients.compare import Adjoint, Comparison, compare
from weft.gradients.differences import FLOAT32, FLOAT64, Forward, Precision, Vector, derivative

POINT = np.array([0.3, -0.7, 0.0, 1.1])
ONES = np.ones(4)


@pytest.mark.parametrize(
    ("forward", "slope"),
    [
        (np.sin, np.cos),
        (np.exp, np.exp),
        (lambda x: x**5, lambda x: 5.0 * x**4),
        (np.tanh, lambda x: 1.0 - np.tanh(x) ** 2),
    ],
)
def test_smooth_functions_have_their_derivative(forward: Forward, slope: Forward) -> None:
    found = derivative(forward, POINT, ONES, FLOAT64)
    assert found.smooth.all()
    np.testing.assert_allclose(found.value, slope(POINT), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "forward"),
    [
        ("kink", np.abs),
        ("one side only", lambda x: np.maximum(x, 0.0)),
        ("jump", lambda x: np.where(x < 0.0, 0.0, 1.0)),
        ("kink beside the point", lambda x: np.abs(x - 2e-8)),
        ("no number on one side", np.sqrt),
        ("infinite slope", np.cbrt),
    ],
)
def test_kinks_are_not_smooth(name: str, forward: Forward) -> None:
    with np.errstate(invalid="ignore"):
        found = derivative(forward, np.array([0.0, 1.0]), np.ones(2), FLOAT64)
    assert found.smooth.tolist() == [False, True], name


def test_a_kink_farther_off_than_a_step_is_none() -> None:
    found = derivative(lambda x: np.abs(x - 1e-6), np.zeros(1), np.ones(1), FLOAT64)
    assert found.smooth.all()
    np.testing.assert_allclose(found.value, -1.0, rtol=1e-6)


def rounded(x: Vector) -> Vector:
    """A forward pass in float32."""
    return np.sin(x.astype(np.float32)).astype(np.float64)


def test_differences_in_float32_say_how_far_off_they_may_be() -> None:
    found = derivative(rounded, POINT, ONES, FLOAT32)
    assert found.smooth.all()
    assert (np.abs(found.value - np.cos(POINT)) <= found.error).all()


def of_squares(x: Vector) -> Vector:
    """Each output is made of two inputs."""
    return x * x + 0.5 * np.roll(x, 1)


def compared(adjoint: Adjoint, forward: Forward = of_squares, precision: Precision = FLOAT64) -> Comparison:
    point = np.linspace(0.5, 1.5, 40)
    return compare(forward, adjoint, point, np.ones(40), precision, np.random.default_rng(0))


def right(weights: Vector) -> Vector:
    return 2.0 * np.linspace(0.5, 1.5, 40) * weights + 0.5 * np.roll(weights, -1)


def test_a_right_adjoint_agrees() -> None:
    found = compared(right)
    assert (found.difference, found.outputs, found.kinks, found.moved) == (None, 40, 0, True)


def test_one_wrong_entry_is_found_and_named() -> None:
    def wrong(weights: Vector) -> Vector:
        gradient = right(weights)
        gradient[16] += 1e-3 * weights[17]
        return gradient

    difference = compared(wrong).difference
    assert difference is not None
    assert (difference.output, difference.input) == (17, 16)
    assert difference.expected == pytest.approx(0.5)
    assert difference.got == pytest.approx(0.501)


def test_an_adjoint_that_is_no_number_disagrees() -> None:
    difference = compared(lambda weights: right(weights) * np.nan).difference
    assert difference is not None
    assert np.isnan(difference.got)


def test_a_wrong_adjoint_beside_kinks_is_found() -> None:
    def kinked(x: Vector) -> Vector:
        return np.where(np.arange(40) < 30, np.abs(x - np.linspace(0.5, 1.5, 40)), of_squares(x))

    found = compared(lambda weights: 1.01 * right(np.where(np.arange(40) < 30, 0.0, weights)), kinked)
    assert found.kinks == 30
    assert found.difference is not None
    assert found.difference.output == 30


def test_an_adjoint_that_is_not_linear_disagrees() -> None:
    difference = compared(lambda weights: np.clip(right(weights), -1.0, 1.0)).difference
    assert difference is not None


def test_a_gradient_where_nothing_moves_disagrees() -> None:
    assert compared(right, forward=lambda x: np.floor(x)).difference is not None


def test_where_nothing_moves_and_nobody_says_so_nothing_differs() -> None:
    found = compared(lambda weights: np.zeros(40), forward=lambda x: np.full(40, 3.0))
    assert (found.difference, found.moved, found.kinks) == (None, False, 0)
