"""Cells of a grid: how far threads reach, where centers lie."""

from __future__ import annotations

import dataclasses

from weft.kernels.builder import Builder
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.vocabulary import (
    threads,
)


def start(k: Builder, rank: int) -> None:
    """A thread for each cell of a grid of this rank."""
    threads(k, rank)


def reaching(index: Expr, size: str, low: int = 0) -> Expr:
    """An index that also lies in a dimension of another, larger size."""
    largest = max(index.interval.hi, low)
    return dataclasses.replace(index, interval=Interval(index.interval.lo, largest, True, size, -1))
