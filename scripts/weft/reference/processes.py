"""Kernels run in child processes: one that never ends, or that crashes, costs one sample.

Three generations: this process knows Warp but runs nothing of a sample. Its child compiles all samples of a
group together and only watches afterwards. The grandchild, a copy of the child made when everything is
loaded, executes sample after sample; when one kills it, the next copy goes on behind it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from weft.child import (
    COMPILE_SECONDS,
    FORK,
    WALL_CLOCK_FACTOR,
    Child,
    Send,
    outcome_of_each,
    signal_name,
    silence,
)
from weft.edges import has_edges
from weft.errors import KernelError
from weft.reference import warp_cpu
from weft.reference.cases import Case
from weft.reference.execute import Kernel, execute, execute_checked
from weft.reference.faults import FaultNote
from weft.reference.job import Executed, Failure, Job, Outcome, with_fewer_edges
from weft.reference.layout import native_dtype
from weft.reference.memory import GuardedMemory
from weft.reference.twin_run import with_margins
from weft.reference.warp_twin import TwinKernel, TwinProgram, Twins
from weft.types import Array


def run_jobs(jobs: Sequence[Job], cases: Sequence[Case], seconds: float, folder: Path) -> dict[str, Outcome]:
    """The outcome of every job, by sample id.

    `seconds` is the CPU time that one job may take for all its cases, `folder` a temporary folder. Jobs that
    don't compile together are compiled one by one; the first that is left out kills the compiler.
    """
    return outcome_of_each(
        jobs,
        lambda job: job.sample_id,
        [list(jobs)],
        lambda groups: _run(groups, cases, seconds, folder),
    )


def _run(
    groups: Sequence[Sequence[Job]], cases: Sequence[Case], seconds: float, folder: Path
) -> tuple[dict[str, Outcome], Failure]:
    """What a child found out, and why it ended, should it have left out jobs."""
    with Child(_compile_and_watch, groups, cases, seconds, folder) as child:
        outcomes: dict[str, Outcome] = dict(child.messages(None))
    return outcomes, Failure(*child.death().of_compiling(COMPILE_SECONDS))


def _compile_and_watch(
    send: Send, groups: Sequence[Sequence[Job]], cases: Sequence[Case], seconds: float, folder: Path
) -> None:
    """The child: compiles and runs group after group, and sends an outcome per job.

    Of a group of several that does not compile, nothing is sent.
    """
    silence()
    tempfile.tempdir = str(folder)
    for number, group in enumerate(groups):
        signal.setitimer(signal.ITIMER_PROF, COMPILE_SECONDS)
        defined = []
        for job in group:
            try:
                defined.append((job, *define(job, f"weft_shard_{number}", folder)))
            except KernelError as error:
                send((job.sample_id, Failure(error.reason, error.message)))
        try:
            twins = Twins()
            warp_cpu.load(to_load(defined), folder, precompile_header=len(groups) > 1, twins=twins)
            careless = [job for job, _, _ in defined if job.may_leave_components]
            checked = [(job, *define(job, f"weft_checked_{number}", folder)) for job in careless]
            warp_cpu.load(to_load(checked), folder, precompile_header=len(groups) > 1, checked=True)
        except KernelError as error:
            if len(defined) == 1:
                send((defined[0][0].sample_id, Failure(error.reason, error.message)))
            continue
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        careful = [(one[0], executable(*one)) for one in checked]
        jobs = {job.sample_id: job for job, _, _ in defined}
        while careful:
            outside = _check(careful, cases, seconds, folder)
            again = []
            for job, kernel in careful:
                name = job.sample_id
                if name in outside and (fewer := with_fewer_edges(job, outside[name], cases)):
                    jobs[name] = fewer
                    again.append((fewer, kernel))
                elif name in outside:
                    del jobs[name]
                    send((name, outside[name]))
            careful = again
        loaded = [
            (jobs[job.sample_id], executable(job, module, kernels), _twin(job, kernels, twins))
            for job, module, kernels in defined
            if job.sample_id in jobs
        ]
        _watch_with_edges(send, loaded, cases, seconds)


def _watch_with_edges(
    send: Send,
    jobs: Sequence[tuple[Job, Kernel, Twin | str]],
    cases: Sequence[Case],
    seconds: float,
) -> None:
    """Run jobs with edges among their inputs, and again with fewer those to which they do harm."""
    known = {one[0].sample_id: one for one in jobs}
    harmed: list[tuple[Job, Kernel, Twin | str]] = []

    def send_unless_harmed(message: tuple[str, Outcome]) -> None:
        name, outcome = message
        job, kernel, twin = known[name]
        if (fewer := with_fewer_edges(job, outcome, cases)) is None:
            send(message)
        else:
            known[name] = (fewer, kernel, twin)
            harmed.append(known[name])

    left = list(jobs)
    while left:
        _watch(send_unless_harmed, left, cases, seconds)
        left = harmed.copy()
        harmed.clear()


Defined = tuple[Job, ModuleType, Mapping[str, Any]]
"""A job with its module, and its kernels there by name."""


def define(job: Job, name: str, folder: Path) -> tuple[ModuleType, Mapping[str, Any]]:
    """A job's module and kernels, for modules of one name to be compiled together."""
    # Warp compiles a module for one block dimension.
    modules = {kernel: f"{name}_{job.launch.blocks_of(kernel)[0] or 1}" for kernel in job.kernels}
    module = warp_cpu.define(job.sample_id, job.python_source, modules, folder)
    return module, {kernel: warp_cpu.kernel_of(module, kernel) for kernel in job.kernels}


def to_load(defined: Sequence[Defined]) -> list[tuple[Any, int | None]]:
    """What warp_cpu.load takes."""
    return [
        (one, job.launch.blocks_of(name)[0]) for job, _, kernels in defined for name, one in kernels.items()
    ]


def executable(
    job: Job, module: ModuleType, kernels: Mapping[str, Any]
) -> warp_cpu.Kernel | warp_cpu.MultiLaunchFunction:
    """The loaded kernel, or the program of several launches."""
    if job.launch.steps:
        function = getattr(module, job.kernel_name)
        return warp_cpu.MultiLaunchFunction(
            function, [name for name, _ in job.signature], kernels, job.launch.steps
        )
    return warp_cpu.Kernel(kernels[job.kernel_name], *job.launch.blocks_of(job.kernel_name))


Twin = TwinKernel | TwinProgram


def _twin(job: Job, kernels: Mapping[str, Any], twins: Twins) -> Twin | str:
    """The twin of a job, or in a word why there is none."""
    missing = twins.missing(kernels)
    if missing is not None:
        return missing
    found = {name: twins.kernel(one, job.launch, name) for name, one in kernels.items()}
    return TwinProgram(found, job.launch) if job.launch.steps else found[job.kernel_name]


def _check(
    jobs: Sequence[tuple[Job, Kernel]], cases: Sequence[Case], seconds: float, folder: Path
) -> dict[str, Failure]:
    """The jobs of which a checked kernel picks a component that is not there, and in which case.

    Whatever else may end a checked kernel, such as an assertion of its own, is left to the run that counts.
    """
    progress = FORK.RawValue("q", 0)
    log = folder / "checks.log"
    failures = {}
    while jobs:
        with Child(_execute_checked, jobs, cases, seconds, progress, log) as runner:
            done = sum(1 for _ in runner.messages(seconds * WALL_CLOCK_FACTOR))
        if done < len(jobs) and warp_cpu.left_components(log.read_text(encoding="utf-8", errors="replace")):
            case = cases[progress.value]
            message = "an index beyond a vector, matrix or quaternion"
            where = f"in case n = {case.size}, seed {case.seed}"
            failures[jobs[done][0].sample_id] = Failure("out_of_bounds", f"{message} {where}", case)
        jobs = jobs[done + 1 :]
    return failures


def _execute_checked(
    send: Send,
    jobs: Sequence[tuple[Job, Kernel]],
    cases: Sequence[Case],
    seconds: float,
    progress: Any,
    log: Path,
) -> None:
    """The grandchild that runs checked kernels: sends each job's id once it has survived."""
    memory = GuardedMemory()

    def note(case: int) -> None:
        progress.value = case

    for job, kernel in jobs:
        errors = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(errors, 2)
        os.close(errors)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        with contextlib.suppress(Exception):  # it comes again in the run that counts
            execute_checked(job, kernel, memory, cases, note)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        send(job.sample_id)


def _watch(
    send: Send, jobs: Sequence[tuple[Job, Kernel, Twin | str]], cases: Sequence[Case], seconds: float
) -> None:
    """Pass on what a grandchild finds out; when a job kills it, a new one goes on with the next job.

    Where the twin was what killed it, the job is unstable, or comes again without if it is a user's and has
    no edges there.
    """
    progress = FORK.RawValue("q", 0)
    while jobs:
        done = 0
        fault = FaultNote()
        with Child(_execute_all, jobs, cases, seconds, progress, fault) as runner:
            for message in runner.messages(seconds * WALL_CLOCK_FACTOR):
                send(message)
                done += 1
        again = []
        if done < len(jobs):
            case = cases[progress.value % len(cases)]
            where = f"in case n = {case.size}, seed {case.seed}"
            job, kernel, _ = jobs[done]
            failure = _failure_of(runner.signal, seconds, where, fault.text)
            # Of what takes too long, the case that it was busy with says nothing.
            shown_by = None if runner.signal == signal.SIGPROF else case
            if progress.value < len(cases):
                send((job.sample_id, dataclasses.replace(failure, case=shown_by)))
            elif job.generated or has_edges(job.launch, case.seed):
                how = _failure_of(runner.signal, seconds, where).message
                send((job.sample_id, Failure("unstable", f"computed in float64: {how}", shown_by)))
            else:
                again = [(job, kernel, "ended")]
        jobs = [*again, *jobs[done + 1 :]]


def _execute_all(
    send: Send,
    jobs: Sequence[tuple[Job, Kernel, Twin | str]],
    cases: Sequence[Case],
    seconds: float,
    progress: Any,
    fault: FaultNote,
) -> None:
    """The grandchild: sends an outcome per job, in order, for as long as it lives.

    `progress` is the number of the case; those of the twin are counted on behind the kernel's.
    """
    memory, twins_memory = GuardedMemory(), GuardedMemory()

    def note(case: int) -> None:
        progress.value = case

    def note_of_twin(case: int) -> None:
        progress.value = len(cases) + case

    for job, kernel, twin in jobs:
        fault.write_at_fault(partial(_access, job, memory, cases, progress))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        outcome: Outcome
        try:
            expected, inputs = execute(job, kernel, memory, cases, note)
            outcome = Executed(expected, job.launch, twin if isinstance(twin, str) else None)
            if not isinstance(twin, str):
                signal.setitimer(signal.ITIMER_PROF, seconds)
                note_of_twin(0)
                found = with_margins(job, twin, twins_memory, cases, expected, inputs, note_of_twin)
                outcome = Executed(found[0], job.launch, None, found[1])
        except KernelError as error:
            outcome = Failure(error.reason, error.message, cases[progress.value % len(cases)])
        except Exception as error:
            outcome = Failure("internal_error", f"{type(error).__name__}: {error}")
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        send((job.sample_id, outcome))


def _access(
    job: Job, memory: GuardedMemory, cases: Sequence[Case], progress: Any, address: int, written: bool
) -> str:
    """Which element of which array an address outside of all of them means, as far as that is near one."""
    found = memory.find(address)
    if found is None or progress.value >= len(cases):
        return ""
    position, distance = found
    name, declared = job.signature[position]
    assert isinstance(declared, Array)
    size = native_dtype(declared.element, job.structs).itemsize
    extent = " x ".join(map(str, job.launch.storage_shape(name, cases[progress.value].size)))
    return (
        f"{'write' if written else 'read'} of element {distance // size} of {name!r}, an array of {extent},"
    )


def _failure_of(number: int, seconds: float, where: str, access: str = "") -> Failure:
    """What the signal that ended a process says about the sample that it was busy with."""
    match number:
        case signal.SIGPROF:
            return Failure("timeout", f"not done after {seconds:g} s of CPU time")
        case signal.SIGSEGV | signal.SIGBUS:
            what = access or f"access outside of every array ({signal_name(number)})"
            return Failure("out_of_bounds", f"{what} {where}")
        case signal.SIGFPE:
            return Failure("crash", f"integer division by zero or overflow of a division (SIGFPE) {where}")
    return Failure("crash", f"running it ended the process ({signal_name(number)}) {where}")
