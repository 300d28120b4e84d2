"""Samples are compiled and run in child processes: one that crashes or never ends costs itself only.

As in weft.reference.processes: a child compiles a group and watches, its own child runs sample after sample.
"""

from __future__ import annotations

import contextlib
import dataclasses
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
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
from weft.errors import KernelError
from weft.gradients.check import OUT_OF_BOUNDS, check
from weft.gradients.passes import Kernel, Restore
from weft.gradients.sample import Check, Found
from weft.gradients.warp_tape import record
from weft.gradients.warp_wide import widen_parameters, widened_text
from weft.reference import warp_cpu
from weft.reference.cases import Case
from weft.reference.processes import define, executable, to_load


def run_checks(samples: Sequence[Check], case: Case, seconds: float, folder: Path) -> dict[str, Found]:
    """What came of every sample, by its id; `seconds` is the CPU time that one may take.

    Where a sample ends the compiler, those that are left are compiled one by one.
    """
    widened = [sample for sample in samples if sample.widened]
    others = [sample for sample in samples if not sample.widened]
    return outcome_of_each(
        samples,
        lambda sample: sample.drawn.sample_id,
        [group for group in (widened, others) if group],
        lambda groups: _run(groups, case, seconds, folder),
    )


def _run(
    groups: Sequence[Sequence[Check]], case: Case, seconds: float, folder: Path
) -> tuple[dict[str, Found], Found]:
    """What a child found out, and why it ended, should it have left out samples."""
    with Child(_compile_and_watch, groups, case, seconds, folder) as child:
        found: dict[str, Found] = dict(child.messages(None))
    return found, Found("error", ": ".join(child.death().of_compiling(COMPILE_SECONDS)))


def _compile_and_watch(
    send: Send, groups: Sequence[Sequence[Check]], case: Case, seconds: float, folder: Path
) -> None:
    """The child: compiles and runs group after group.

    A group that does not compile comes again in two halves; a single sample in its own precision, if it was
    widened.
    """
    silence()
    tempfile.tempdir = str(folder)
    waiting = [list(group) for group in groups]
    number = 0
    while waiting:
        group = waiting.pop(0)
        signal.setitimer(signal.ITIMER_PROF, COMPILE_SECONDS)
        loading: list[tuple[Check, ModuleType, Mapping[str, Any]]] = []
        for sample in group:
            try:
                loading.append((sample, *define(sample.drawn, f"weft_gradients_{number}", folder)))
            except KernelError as error:
                send((sample.drawn.sample_id, _failed(error)))
        number += 1
        try:
            _load(loading, folder, precompile_header=number > 1)
        except KernelError as error:
            waiting += _again([sample for sample, _, _ in loading])
            if len(loading) == 1 and not loading[0][0].widened:
                send((loading[0][0].drawn.sample_id, _failed(error)))
            continue
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        _watch(
            send,
            [(one, executable(one.executed, module, own)) for one, module, own in loading],
            case,
            seconds,
        )


def _load(
    loading: Sequence[tuple[Check, ModuleType, Mapping[str, Any]]], folder: Path, *, precompile_header: bool
) -> None:
    """Compile samples, all widened or none. Raises KernelError for all together."""
    widened = any(sample.widened for sample, _, _ in loading)
    kernels = to_load([(sample.executed, module, own) for sample, module, own in loading])
    with widened_text() if widened else contextlib.nullcontext():
        warp_cpu.load(kernels, folder, precompile_header=precompile_header, adjoint=True)
    if widened:
        for _, _, own in loading:
            widen_parameters(own)


def _again(group: Sequence[Check]) -> list[list[Check]]:
    """What is left to try of a group that does not compile."""
    if len(group) > 1:
        half = len(group) // 2
        return [list(group[:half]), list(group[half:])]
    return [[dataclasses.replace(sample, widened=False)] for sample in group if sample.widened]


def _watch(send: Send, samples: Sequence[tuple[Check, Kernel]], case: Case, seconds: float) -> None:
    """Pass on what a grandchild finds out; when a sample kills it, a new one goes on with the next."""
    backwards = FORK.RawValue("b", 0)
    while samples:
        done = 0
        with Child(_check_all, samples, case, seconds, backwards) as runner:
            for message in runner.messages(seconds * WALL_CLOCK_FACTOR):
                send(message)
                done += 1
        if done < len(samples):
            sample = samples[done][0]
            send((sample.drawn.sample_id, _ended(sample, runner.signal, bool(backwards.value), seconds)))
        samples = samples[done + 1 :]


def _check_all(
    send: Send, samples: Sequence[tuple[Check, Kernel]], case: Case, seconds: float, backwards: Any
) -> None:
    """The grandchild: sends what came of each sample, in order, for as long as it lives.

    `backwards` says whether it is going backwards: the process may not survive it.
    """

    def noted(launch: Callable[[], None], snapshot: Callable[[], Restore] | None) -> Callable[[], None]:
        run_backward = record(launch, snapshot)

        def run() -> None:
            backwards.value = 1
            run_backward()
            backwards.value = 0

        return run

    for sample, kernel in samples:
        backwards.value = 0
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            found = check(sample, kernel, noted, case)
        except KernelError as error:
            found = _failed(error)
        except Exception as error:
            found = Found("error", f"internal_error: {type(error).__name__}: {error}")
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        send((sample.drawn.sample_id, found))


def _ended(sample: Check, number: int, backwards: bool, seconds: float) -> Found:
    """What a signal that ended the process says about the sample that it was busy with."""
    if number == signal.SIGPROF:
        return Found("error", f"timeout: not done after {seconds:g} s of CPU time")
    outside = number in (signal.SIGSEGV, signal.SIGBUS)
    if outside and backwards:
        verdict = "custom" if sample.custom else "disagrees"
        message = f"its adjoint leaves every array ({signal_name(number)})"
        return Found(verdict, message, precision=sample.precision.name, causes=(OUT_OF_BOUNDS,))
    reason = (
        "out_of_bounds: access outside of every array" if outside else "crash: running it ended the process"
    )
    return Found("error", f"{reason} ({signal_name(number)})")


def _failed(error: KernelError) -> Found:
    return Found("error", f"{error.reason}: {error.message}")
