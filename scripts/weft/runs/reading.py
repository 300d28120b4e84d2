"""Reading what a stranger wrote, in a process of its own: a text may be meant to hold up its reader."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.child import Child, Send
from weft.errors import KilledError

READING_SECONDS = 20
"""Of CPU time, without that of compilers and other tools: an ordinary text takes a hundredth."""
READING_BYTES = 1 << 31
"""Of memory, beyond what this process has."""


class UnreadableError(Exception):
    """A text that takes more time or memory to read than any program needs."""

    def __init__(self) -> None:
        super().__init__(f"it takes more than {READING_SECONDS} s, or 2 GiB, to read")


def read_within_limits(read: Callable[[], Any]) -> Any:
    """What `read` gives, or raises, in a process of its own. Raises UnreadableError."""
    with Child(_read, read) as child:
        for outcome, kind, fields in child.messages(None):
            if kind is None:
                return outcome
            # Pickle would call its __init__ again, with the message in place of what that takes.
            error = kind.__new__(kind, *outcome)
            error.__dict__.update(fields)
            raise error
    raise UnreadableError


def _read(send: Send, read: Callable[[], Any]) -> None:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    for limit, most in (
        (resource.RLIMIT_CPU, READING_SECONDS),
        (resource.RLIMIT_AS, pages * resource.getpagesize() + READING_BYTES),
    ):
        # The soft limits alone: the tools that it runs set their own.
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        outcome = read()
    except KilledError:
        raise
    except (MemoryError, RecursionError):
        return
    except Exception as error:
        send((error.args, type(error), error.__dict__))
    else:
        send((outcome, None, None))
