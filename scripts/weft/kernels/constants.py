"""Numbers that mathematics or physics has a name for: in a kernel's text they are constants of the module."""

from __future__ import annotations

import math
from typing import Self


class Known(float):
    """A number with a name."""

    name: str

    def __new__(cls, name: str, value: float) -> Self:
        """The number, under a name in capitals."""
        made = super().__new__(cls, value)
        made.name = name
        return made


LOWEST = -3.4028234663852886e38
"""The lowest float32: an array in which the largest is sought holds it, as no recipe can say infinity."""
PI = Known("PI", math.pi)
TWO_PI = Known("TWO_PI", 2.0 * math.pi)
FOUR_PI = Known("FOUR_PI", 4.0 * math.pi)
HALF_PI = Known("HALF_PI", 0.5 * math.pi)
INV_PI = Known("INV_PI", 1.0 / math.pi)
INV_TWO_PI = Known("INV_TWO_PI", 0.5 / math.pi)
INV_FOUR_PI = Known("INV_FOUR_PI", 0.25 / math.pi)
PI_SQUARED = Known("PI_SQUARED", math.pi**2)
SQRT_HALF = Known("SQRT_HALF", math.sqrt(0.5))
INV_SQRT_3 = Known("INV_SQRT_3", 1.0 / math.sqrt(3.0))
SQRT_3 = Known("SQRT_3", math.sqrt(3.0))
SQRT_TWO_PI = Known("SQRT_TWO_PI", math.sqrt(2.0 * math.pi))
SQRT_TWO_OVER_PI = Known("SQRT_TWO_OVER_PI", math.sqrt(2.0 / math.pi))
INV_SQRT_TWO_PI = Known("INV_SQRT_TWO_PI", 1.0 / math.sqrt(2.0 * math.pi))
LN_2 = Known("LN_2", math.log(2.0))
ZERO_CELSIUS = Known("ZERO_CELSIUS", 273.15)
GRAVITY = Known("GRAVITY", 9.81)
