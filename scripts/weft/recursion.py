"""Room for deep syntax trees: an elif is nested in the if before it, and a sum's terms in one another."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEPTH = 20_000

STACK_BYTES = 112 * 2**20
"""What Python's own compiler needs at that depth. The kernel keeps 128 MiB of addresses for the stack of a
program, however little of them its limit allows."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let functions call themselves deeper than Python's default of 1,000 while the block runs.

    Too deep is then a RecursionError still, and never the end of the stack. Only the main thread's stack
    grows.
    """
    before = sys.getrecursionlimit()
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
    grows = soft != resource.RLIM_INFINITY and soft < wanted
    if grows:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    sys.setrecursionlimit(max(before, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        if grows:
            resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))
