"""The user's code runs in a child process: what ends it there, or never ends, costs a kernel, or its shard.

A child imports the source and makes the records. Where it ends within one kernel, that kernel is a reject,
and the next child does without it.
"""

from __future__ import annotations

import dataclasses
import os
import signal
from collections.abc import Callable, Mapping
from typing import Any

from weft.child import WALL_CLOCK_FACTOR, Child, Send, signal_name
from weft.errors import KernelError, Place, UserError

SECONDS = 20.0
"""CPU time to import a source, and for each kernel, where nobody says otherwise."""

Outcome = dict[str, Any] | KernelError
"""The record of a kernel, or why there is none."""


@dataclasses.dataclass(frozen=True)
class Begun:
    """A child is about to make the record of a kernel, which is defined at `place`."""

    name: str
    place: Place | None


@dataclasses.dataclass(frozen=True)
class Made:
    """What came of a kernel."""

    name: str
    outcome: Outcome


@dataclasses.dataclass(frozen=True)
class _Finished:
    content: dict[str, Any]


Tell = Callable[[Begun | Made], None]
"""How a child says what it is doing."""

Build = Callable[..., dict[str, Any]]
"""Takes how to tell, what is known already, and arguments of its own."""


def in_children(source: str, seconds: float, build: Build, *arguments: Any) -> dict[str, Any]:
    """What `build` gives, with a reject for each kernel at which it crashes or takes more than `seconds`.

    Raises UserError if importing the `source` does.
    """
    known: dict[str, Outcome] = {}
    while True:
        begun = None
        with Child(_build, build, known, seconds, arguments) as child:
            for message in child.messages(seconds * WALL_CLOCK_FACTOR):
                match message:
                    case Begun():
                        begun = message
                    case Made(name, outcome):
                        known[name] = outcome
                    case _Finished(content):
                        return content
                    case UserError():
                        raise message
        if begun is None:
            raise UserError(_end(child, seconds, f"importing {source}"))
        if begun.name in known:
            raise UserError(_end(child, seconds, f"writing the IR of {source}"))
        reason = "timeout" if child.signal == signal.SIGPROF else "crash"
        message = _end(child, seconds, f"generating Warp's code of {begun.name!r}")
        known[begun.name] = KernelError(reason, message, begun.place)


def _build(
    send: Send, build: Build, known: Mapping[str, Outcome], seconds: float, arguments: tuple[Any, ...]
) -> None:
    """The child. What the user's code prints is for the terminal, not for who reads our output."""
    os.dup2(2, 1)
    own = os.getpid()

    def tell(message: Begun | Made) -> None:
        if os.getpid() != own:
            os._exit(0)  # a copy that the user's code has made of this process
        if isinstance(message, Begun):
            signal.setitimer(signal.ITIMER_PROF, seconds)
        send(message)

    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        content = build(tell, known, *arguments)
    except UserError as error:
        send(error)
    else:
        send(_Finished(content))


def _end(child: Child, seconds: float, doing: str) -> str:
    """How a child ended, in words."""
    if child.lost_patience:
        return f"{doing} took longer than {seconds * WALL_CLOCK_FACTOR:g} s"
    if child.signal == signal.SIGPROF:
        return f"{doing} took longer than {seconds:g} s of CPU time"
    if child.signal:
        return f"Python was killed by {signal_name(child.signal)} while {doing}"
    return f"Python ended with exit status {child.status} while {doing}"
