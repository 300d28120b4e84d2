"""A forked process that reports to the one that watches it."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import faulthandler
import gc
import multiprocessing
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from weft.errors import KilledError

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

FORK = multiprocessing.get_context("fork")

Send = Callable[[Any], None]
"""How a child reports: by sending what can be pickled."""

COMPILE_SECONDS = 300.0
"""CPU time in which a group must compile."""

WALL_CLOCK_FACTOR = 20
"""A process that got no CPU time, or waits for something, is killed after so many times the limit."""

_PR_SET_PDEATHSIG = 1
"""The signal that a process gets when its parent dies: a killed job leaves no runaway kernel behind."""


@dataclasses.dataclass(frozen=True)
class Death:
    """How a child ended before it came to the end of its work: by a signal, or else with a status. Who waited
    for it may have lost patience, which counts as SIGPROF.
    """

    signal: int
    status: int
    lost_patience: bool = False

    def of_compiling(self, seconds: float) -> tuple[str, str]:
        """The reason and a sentence for what a child was compiling."""
        if self.signal == signal.SIGPROF:
            return "timeout", f"not compiled after {seconds:g} s of CPU time"
        how = signal_name(self.signal) if self.signal else f"exit status {self.status}"
        return "crash", f"compiling it ended the process ({how})"


class Child:
    """A forked process that sends (name, outcome) pairs."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        receiver, sender = FORK.Pipe(duplex=False)
        self._receiver: Connection = receiver
        self._process = FORK.Process(target=_child_main, args=(work, sender, receiver, arguments))
        self._process.start()
        sender.close()
        self.signal = 0
        self.status = 0
        self.lost_patience = False

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        self._receiver.close()

    def messages(self, patience: float | None) -> Iterator[Any]:
        """What the child sends until it ends, or until it says nothing for `patience` seconds and is killed.

        Afterwards `signal` is the number of the signal that ended it, 0 for none, and then `status` how it
        exited; lost patience counts as SIGPROF, the end of CPU time. Raises KilledError if it was killed.
        """
        while True:
            if not self._receiver.poll(patience):
                self._process.kill()
                self._process.join()
                self.signal = signal.SIGPROF
                self.lost_patience = True
                return
            try:
                yield self._receiver.recv()
            except EOFError:
                break
        self._process.join()
        self.signal = -min(self._process.exitcode or 0, 0)
        self.status = max(self._process.exitcode or 0, 0)
        if self.signal == signal.SIGKILL:
            raise KilledError("a process of this job")

    def death(self) -> Death:
        """How the child ended, once its messages have."""
        return Death(self.signal, self.status, self.lost_patience)


def _child_main(
    work: Callable[..., None], sender: Connection, receiver: Connection, arguments: Sequence[Any]
) -> None:
    receiver.close()
    gc.disable()  # it would look through all of Warp again and again, and the end of the process frees all
    die_with_parent()
    faulthandler.disable()  # that a sample crashes is no news for the terminal
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    status = 1

    def send(message: Any) -> None:
        try:
            sender.send(message)
        except OSError:
            os._exit(1)  # nobody hears

    try:
        work(send, *arguments)
        status = 0
    except KilledError:
        # Who watches this process learns of it as this one did.
        os.kill(os.getpid(), signal.SIGKILL)
    except KeyboardInterrupt:
        pass
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        # Threads that never end and what was registered for the end of Python are none of our business.
        os._exit(status)


def die_with_parent() -> None:
    """Let the system kill this process when the thread that has started it ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def silence() -> None:
    """Let what this process prints vanish."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(null, stream)


def outcome_of_each(
    items: Sequence[Item],
    name: Callable[[Item], str],
    groups: Sequence[Sequence[Item]],
    run: Callable[[Sequence[Sequence[Item]]], tuple[dict[str, Outcome], Outcome]],
) -> dict[str, Outcome]:
    """What came of every item, by its name.

    `run` takes groups of items, and gives the outcomes that a child sent, with the outcome of the item that
    ended it. The `groups` come first; what they leave out comes alone, and the first that is left out again
    has ended the child.
    """
    outcomes, _ = run(groups)
    while rest := [item for item in items if name(item) not in outcomes]:
        done, failure = run([[item] for item in rest])
        outcomes |= done
        if killer := next((item for item in rest if name(item) not in done), None):
            outcomes[name(killer)] = failure
    return outcomes


def signal_name(number: int) -> str:
    """The name of a signal, as Child.signal has it."""
    return signal.Signals(number).name if number else "no signal"


def each_in_order(
    work: Callable[..., None], items: Sequence[Item], *arguments: Any, patience: float
) -> Iterator[tuple[Item, Any]]:
    """Each item with what a child sends for it, or with the child's Death; the next child goes on behind it.

    `work` takes how to send, the items and the arguments, and sends one message per item, in order.
    """
    rest = list(items)
    while rest:
        with Child(work, rest, *arguments) as child:
            for message in child.messages(patience):
                yield rest.pop(0), message
        if rest:
            yield rest.pop(0), child.death()
