"""The limits of a build, checked against its `summary.json`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

SCHEMA = 1

AT_MOST = {"non_deterministic": 0.01}
"""Shares of the generated kernels, by the reason of the reject."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """A limit and what a build has. One kernel is within every limit: a small build may have no fewer."""

    reason: str
    at_most: float
    kernels: int
    generated: int

    @property
    def share(self) -> float:
        """Of the generated kernels; 0 where none was generated."""
        return round(self.kernels / self.generated, 6) if self.generated else 0.0

    @property
    def holds(self) -> bool:
        """Whether the build is within the limit."""
        return self.kernels <= max(1.0, self.at_most * self.generated)

    def __str__(self) -> str:
        are = f"{self.kernels} of {self.generated} generated kernels are {self.reason}"
        return f"{are} ({100 * self.share:.2f} %); at most {100 * self.at_most:g} % may be, or one"


def check_limits(summary: Mapping[str, Any]) -> Iterator[Checked]:
    """Every limit, with what the build of `summary.json` has. Kernels of users' own sources do not count."""
    generated = summary["generated"]
    for reason, at_most in AT_MOST.items():
        yield Checked(reason, at_most, generated["rejects"].get(reason, 0), generated["made"])
