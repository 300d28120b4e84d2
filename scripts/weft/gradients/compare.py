"""Warp's adjoint against central differences: pure functions on vectors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from weft.gradients.differences import Derivative, Forward, Precision, Vector, derivative

Adjoint = Callable[[Vector], Vector]
"""The gradient, by all inputs, of the outputs' sum with these weights."""

DIRECTIONS = 3
SINGLE_INPUTS = 4
_SLACK = 8.0
"""How much more than the bound of the differences the adjoint may be away from them."""


@dataclasses.dataclass(frozen=True)
class Difference:
    """The first output whose gradient is wrong, and the first input by which it is.

    `output` and `input` are places in the vectors; None where only the sum over all is known to be wrong.
    """

    output: int | None
    input: int | None
    expected: float
    got: float


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What came of one sample: how many outputs could be compared, and how many lie at a kink.

    `moved` says whether any output changes with any input where the derivative is known.
    """

    outputs: int
    kinks: int
    moved: bool
    difference: Difference | None


def compare(
    forward: Forward,
    adjoint: Adjoint,
    point: Vector,
    scale: Vector,
    precision: Precision,
    rng: np.random.Generator,
) -> Comparison:
    """Compare along drawn directions, and by single inputs.

    `scale` has the magnitude of each input, 0 for those that stay as they are.
    """
    directions = [scale * rng.uniform(-1.0, 1.0, len(point)) for _ in range(DIRECTIONS)]
    varied = np.flatnonzero(scale)
    single = rng.choice(varied, min(SINGLE_INPUTS, len(varied)), replace=False)
    directions += [_unit(len(point), int(at)) * scale for at in single]
    moved = np.zeros(0, dtype=np.bool_)
    rough = moved
    wrong: list[tuple[Vector, Derivative]] = []
    for direction in directions:
        known = derivative(forward, point, direction, precision)
        weights = np.where(known.smooth, rng.uniform(0.5, 1.5, len(known.value)), 0.0)
        weights *= rng.choice([-1.0, 1.0], len(weights))
        gradient = adjoint(weights)
        moves = known.smooth & (known.value != 0.0)
        moved = moves if not len(moved) else moved | moves
        rough = ~known.smooth if not len(rough) else rough | ~known.smooth
        if not _fits(weights, known, gradient, direction):
            wrong.append((direction, known))
    difference = _first(forward, adjoint, point, scale, precision, wrong) if wrong else None
    kinks = int((rough & ~moved).sum())
    return Comparison(len(moved) - kinks, kinks, bool(moved.any()), difference)


def _unit(length: int, at: int) -> Vector:
    vector = np.zeros(length)
    vector[at] = 1.0
    return vector


def _fits(weights: Vector, known: Derivative, gradient: Vector, direction: Vector) -> bool:
    """Whether the adjoint's derivative of the weighted sum is that of the differences."""
    used = weights != 0.0
    expected = float(weights[used] @ known.value[used])
    allowed = _SLACK * float(np.abs(weights[used]) @ known.error[used])
    with np.errstate(all="ignore"):
        got = float(gradient @ direction)
        rounding = 2.0**-44 * float(np.abs(gradient) @ np.abs(direction))
    return bool(np.isfinite(got)) and abs(got - expected) <= allowed + rounding


def _first(
    forward: Forward,
    adjoint: Adjoint,
    point: Vector,
    scale: Vector,
    precision: Precision,
    wrong: Sequence[tuple[Vector, Derivative]],
) -> Difference:
    """Where the mistake shows first: output by output, then input by input."""
    length = len(wrong[0][1].value)
    for output in range(length):
        weights = _unit(length, output)
        gradient: npt.NDArray[np.float64] | None = None
        for direction, known in wrong:
            if not known.smooth[output]:
                continue
            gradient = adjoint(weights) if gradient is None else gradient
            if _fits(weights, known, gradient, direction):
                continue
            for at in np.flatnonzero(direction):
                step = _unit(len(point), int(at)) * scale
                by_one = derivative(forward, point, step, precision)
                if by_one.smooth[output] and not _fits(weights, by_one, gradient, step):
                    expected = float(by_one.value[output] / scale[at])
                    return Difference(output, int(at), expected, float(gradient[at]))
            with np.errstate(all="ignore"):
                return Difference(output, None, float(known.value[output]), float(gradient @ direction))
    # Each output alone is right: the adjoint of a sum is not the sum of the adjoints.
    direction, known = wrong[0]
    gradient = adjoint(np.where(known.smooth, 1.0, 0.0))
    with np.errstate(all="ignore"):
        return Difference(None, None, float(known.value[known.smooth].sum()), float(gradient @ direction))
