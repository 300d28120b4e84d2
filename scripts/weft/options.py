"""The numbers that options of the scripts take: types for argparse, which names the option that is wrong."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from typing import Any

from weft.errors import UserError
from weft.launch import DIFFICULTIES


def number(low: float, high: float, what: str = "a number") -> Callable[[str], float]:
    """The type of a finite number from `low` to `high`."""

    def parsed(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"got {text!r}; allowed: {what} from {low:g} to {high:g}")
        return value

    return parsed


def integer(low: int, high: int) -> Callable[[str], int]:
    """The type of an integer from `low` to `high`."""

    def parsed(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"got {text!r}; allowed: an integer from {low} to {high}")
        return value

    return parsed


class Different(argparse.Action):
    """Several values, no two of them equal."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given = list(values or ())
        again = next((one for number, one in enumerate(given) if one in given[:number]), None)
        if again is not None:
            raise argparse.ArgumentError(self, f"got {again} twice; allowed: different numbers")
        setattr(namespace, self.dest, given)


SECONDS = number(0.1, 86_400, "a number of seconds")
SHARE = number(0, 1)
SIZE = integer(1, 2**27)
"""A base size: arrays of a case may take 1 GiB."""
INPUT_SEED = integer(0, 2**32 - 1)
SHARD_SEED = integer(0, 9999)
COUNT = integer(1, 10_000)
"""Of kernels in a shard, of mutants of a kernel, of rounds."""


def difficulty_weights(given: list[str]) -> dict[str, float]:
    """What `--difficulty` takes: the weights of levels from LEVEL=WEIGHT. Raises UserError."""
    found = dict.fromkeys(DIFFICULTIES, 0.0)
    for text in given:
        level, _, weight = text.partition("=")
        try:
            if level not in found:
                raise ValueError(level)
            found[level] = float(weight)
        except ValueError:
            allowed = ", ".join(f"{one}=WEIGHT" for one in DIFFICULTIES)
            raise UserError(f"--difficulty: got {text!r}; allowed: {allowed}") from None
    if not all(0 <= weight <= 1e6 for weight in found.values()) or max(found.values()) < 0.001:
        raise UserError(
            f"--difficulty: got {' '.join(given)}; allowed: weights from 0 to 1000000, one at least 0.001"
        )
    return found
