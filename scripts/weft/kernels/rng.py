"""Counter-based random numbers: the same key gives the same choices, on any machine and any Python.

The key is the category, its revision, the seed, the kernel's index, how often that was drawn before, and
nothing else, so that no kernel depends on how many others there are, and editing one category leaves the
others alone.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


class Random:
    """A stream of choices for one kernel: draw number c is a hash of the key plus c golden ratios."""

    def __init__(self, category: str, revision: int, seed: int, index: int, draw: int = 0) -> None:
        key = f"{category}/{revision}/{seed}/{index}" + (f"/{draw}" if draw else "")
        self._state = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "little")

    def bits(self) -> int:
        """64 random bits, by the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
        self._state = z = (self._state + _GOLDEN) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """An integer in [0, bound)."""
        return (self.bits() * bound) >> 64

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return (self.bits() >> 11) * 2.0**-53 < probability

    def pick(self, *options: T) -> T:
        """One of the options, all equally likely."""
        return options[self.below(len(options))]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """A key of `weights`, as likely as its weight."""
        # fsum, as sum rounds in another way from Python 3.12 on.
        rest = (self.bits() >> 11) * 2.0**-53 * math.fsum(weights.values())
        for option, weight in weights.items():
            rest -= weight
            if rest < 0.0:
                return option
        return option

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a drawn order."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high]."""
        return low + self.below(high - low + 1)

    def number(self, low: float, high: float) -> float:
        """A number in [low, high] with about two significant digits, as a person writes it; not 0 or 1."""
        values, middle = _short_numbers(low, high)
        return values[self.below(len(values))] if values else middle


@functools.lru_cache(maxsize=4096)
def _short_numbers(low: float, high: float) -> tuple[list[float], float]:
    """What `number` draws from, and what it gives where that is nothing."""
    digits = 1
    scale = max(abs(low), abs(high))
    while scale < 10.0 and digits < 12:
        scale *= 10.0
        digits += 1
    digits = max(digits - 1, 0)
    step = 10.0**-digits
    first, last = round(low / step), round(high / step)
    coarse = 1 if last - first <= 40 else 5 if last - first <= 200 else 10
    grid = [m for m in range(first, last + 1) if m % coarse == 0]
    values = [v for m in grid if (v := round(m * step, digits)) not in (0.0, 1.0, -1.0) and low <= v <= high]
    return values, round((low + high) / 2.0, digits + 2)
