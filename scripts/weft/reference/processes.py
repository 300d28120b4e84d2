"""Kernels run in child processes: one that never ends, or that crashes, costs one sample.

Three generations: this process knows Warp but runs nothing of a sample. Its child compiles all samples of a
group together and only watches afterwards. The grandchild, a copy of the child made when everything is
loaded, executes sample after sample; when one kills it, the next copy goes on behind it.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from weft.errors import KernelError
from weft.reference import warp_cpu
from weft.reference.cases import Case
from weft.reference.execute import execute
from weft.reference.job import Failure, Job, Outcome
from weft.reference.memory import GuardedMemory

COMPILE_SECONDS = 300.0
"""CPU time in which a group must compile."""

_WALL_CLOCK_FACTOR = 20
"""A process that got no CPU time, or waits for something, is killed after so many times the limit."""

_FORK = multiprocessing.get_context("fork")


def run_jobs(jobs: Sequence[Job], cases: Sequence[Case], seconds: float, folder: Path) -> dict[str, Outcome]:
    """The outcome of every job, by sample id.

    `seconds` is the CPU time that one job may take for all its cases, `folder` a temporary folder. When a
    group does not compile, its halves are tried, down to the culprit.
    """
    outcomes: dict[str, Outcome] = {}
    groups = [list(jobs)]
    while groups:
        group = groups.pop()
        if not group:
            continue
        done, failure = _run_group(group, cases, seconds, folder)
        outcomes |= done
        rest = [job for job in group if job.sample_id not in done]
        if len(rest) == 1:
            outcomes[rest[0].sample_id] = failure
        elif rest:
            middle = len(rest) // 2
            groups += [rest[middle:], rest[:middle]]
    return outcomes


def _run_group(
    group: Sequence[Job], cases: Sequence[Case], seconds: float, folder: Path
) -> tuple[dict[str, Outcome], Failure]:
    """What the child found out, and why it ended, should it have left something out."""
    outcomes: dict[str, Outcome] = {}
    failure = None
    with _Child(_compile_and_watch, group, cases, seconds, folder) as child:
        for name, outcome in child.messages(None):
            if name is None:
                failure = outcome
            else:
                outcomes[name] = outcome
    return outcomes, failure or _failure_of(child.signal, COMPILE_SECONDS, "compiling")


class _Child:
    """A forked process that sends (name, outcome) pairs."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        receiver, sender = _FORK.Pipe(duplex=False)
        self._receiver: Connection = receiver
        self._process = _FORK.Process(target=_child_main, args=(work, sender, receiver, arguments))
        self._process.start()
        sender.close()
        self.signal = 0

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        self._receiver.close()

    def messages(self, patience: float | None) -> Iterator[Any]:
        """What the child sends until it ends, or until it says nothing for `patience` seconds and is killed.

        Afterwards `signal` is the number of the signal that ended it, 0 for none; lost patience counts as
        SIGPROF, the end of CPU time.
        """
        while True:
            if not self._receiver.poll(patience):
                self._process.kill()
                self._process.join()
                self.signal = signal.SIGPROF
                return
            try:
                yield self._receiver.recv()
            except EOFError:
                break
        self._process.join()
        self.signal = -min(self._process.exitcode or 0, 0)


def _child_main(
    work: Callable[..., None], sender: Connection, receiver: Connection, arguments: Sequence[Any]
) -> None:
    receiver.close()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    work(sender.send, *arguments)
    sender.close()


Send = Callable[[Any], None]


def _compile_and_watch(
    send: Send, group: Sequence[Job], cases: Sequence[Case], seconds: float, folder: Path
) -> None:
    """The child: sends an outcome per job, or (None, failure) if the group does not compile."""
    signal.setitimer(signal.ITIMER_PROF, COMPILE_SECONDS)
    compiled = []
    for job in group:
        try:
            kernel = warp_cpu.define(job.sample_id, job.python_source, job.kernel_name, folder)
            compiled.append((job, kernel))
        except KernelError as error:
            send((job.sample_id, Failure(error.reason, error.message)))
    try:
        warp_cpu.load([kernel for _, kernel in compiled], folder)
    except KernelError as error:
        send((None, Failure(error.reason, error.message)))
        return
    signal.setitimer(signal.ITIMER_PROF, 0.0)
    progress = _FORK.RawValue("q", 0)
    rest = [(job, warp_cpu.Kernel(kernel)) for job, kernel in compiled]
    while rest:
        done = 0
        with _Child(_execute_all, rest, cases, seconds, progress) as runner:
            for message in runner.messages(seconds * _WALL_CLOCK_FACTOR):
                send(message)
                done += 1
        if done < len(rest):
            case = cases[progress.value]
            where = f"running case n = {case.size}, seed {case.seed}"
            send((rest[done][0].sample_id, _failure_of(runner.signal, seconds, where)))
        rest = rest[done + 1 :]


def _execute_all(
    send: Send,
    jobs: Sequence[tuple[Job, warp_cpu.Kernel]],
    cases: Sequence[Case],
    seconds: float,
    progress: Any,
) -> None:
    """The grandchild: sends an outcome per job, in order, for as long as it lives."""
    memory = GuardedMemory()

    def note(case: int) -> None:
        progress.value = case

    for job, kernel in jobs:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        outcome: Outcome
        try:
            outcome = execute(job, kernel, memory, cases, note)
        except KernelError as error:
            outcome = Failure(error.reason, error.message)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        send((job.sample_id, outcome))


def _failure_of(number: int, seconds: float, where: str) -> Failure:
    """What the signal that ended a process says about the sample that it was busy with."""
    match number:
        case signal.SIGPROF:
            return Failure("timeout", f"not done after {seconds:g} s of CPU time")
        case signal.SIGSEGV | signal.SIGBUS:
            return Failure("out_of_bounds", f"access outside of every array ({_name(number)}) {where}")
        case signal.SIGFPE:
            return Failure("crash", f"integer division by zero or overflow of a division (SIGFPE) {where}")
        case 0:
            return Failure("crash", f"the process ended early {where}")
    return Failure("crash", f"the process was ended by {_name(number)} {where}")


def _name(number: int) -> str:
    return signal.Signals(number).name
