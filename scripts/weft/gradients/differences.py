"""Directional derivatives by central differences, and at which outputs they mean something."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Forward = Callable[[Vector], Vector]
"""All float outputs, as one vector, for all float inputs."""


@dataclasses.dataclass(frozen=True)
class Precision:
    """How a forward pass can be differentiated that rounds to `roundoff`.

    `steps` are tried from first to last, as shares of the inputs' magnitudes; what differs by more than
    `tolerance`, relative to the derivative, is a kink or a mistake.
    """

    name: str
    roundoff: float
    steps: tuple[float, ...]
    tolerance: float


FLOAT64 = Precision("float64", 2.0**-53, (1e-5, 1e-7), 1e-6)
FLOAT32 = Precision("float32", 2.0**-24, (0.02, 0.005), 0.02)


@dataclasses.dataclass(frozen=True)
class Derivative:
    """The derivative of each output in one direction.

    `smooth` says where it is known: the outputs whose differences settle as the step shrinks, and are the
    same on both sides. There `error` bounds what is wrong about it.
    """

    value: Vector
    error: Vector
    smooth: npt.NDArray[np.bool_]


def derivative(forward: Forward, point: Vector, direction: Vector, precision: Precision) -> Derivative:
    """The derivative of `forward` at `point`, output by output.

    Each output takes the first step at which it is smooth: a kink may lie within one step and not within a
    smaller one.
    """
    middle = forward(point)
    value = np.zeros_like(middle)
    error = np.zeros_like(middle)
    smooth = np.zeros(middle.shape, dtype=np.bool_)
    for step in precision.steps:
        one = _at_step(forward, middle, point, direction, step, precision)
        new = one.smooth & ~smooth
        value[new], error[new] = one.value[new], one.error[new]
        smooth |= new
        if smooth.all():
            break
    return Derivative(value, error, smooth)


def _at_step(
    forward: Forward,
    middle: Vector,
    point: Vector,
    direction: Vector,
    step: float,
    precision: Precision,
) -> Derivative:
    far_up, far_down = forward(point + step * direction), forward(point - step * direction)
    up, down = forward(point + 0.5 * step * direction), forward(point - 0.5 * step * direction)
    with np.errstate(all="ignore"):
        far = (far_up - far_down) / (2.0 * step)
        near = (up - down) / step
        # One side's difference less the other's: proportional to the step, unless the point is a kink.
        far_bend = (far_up - 2.0 * middle + far_down) / step
        bend = (up - 2.0 * middle + down) / (0.5 * step)
        largest = np.max(np.abs([middle, far_up, far_down, up, down]), axis=0)
        noise = 16.0 * precision.roundoff * largest / step
        # Where a derivative is 0 its differences are anything small.
        slopes = np.abs(near)
        floor = 1e-4 * np.max(slopes, where=np.isfinite(slopes), initial=0.0)
        allowed = precision.tolerance * (slopes + floor) + noise
        smooth = (np.abs(far - near) <= allowed) & (np.abs(2.0 * bend - far_bend) <= allowed)
        value = (4.0 * near - far) / 3.0
    return Derivative(value, allowed, smooth & np.isfinite(value))
