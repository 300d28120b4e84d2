"""Room for deep syntax trees: an elif is nested in the if before it, and real kernels have hundreds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEPTH = 20_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let functions call themselves deeper than Python's default of 1,000 while the block runs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
