"""From a shard's program and its reference to one verdict a sample."""

from __future__ import annotations

import dataclasses
import math
import secrets
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from weft import bfloat16
from weft.edges import has_edges
from weft.errors import KernelError, UserError, reject
from weft.inputs import FILL_BYTE, packed_dtype
from weft.launch_source import advice
from weft.reference.cases import LARGE, MAIN, Case
from weft.reference.rows import groups_of, rows_of
from weft.reference.store import Expected, Packed, Reference, Sample, packed_elements
from weft.runs.arrays import Elements, PackedArray, TruncatedError, parse_arrays, split_files
from weft.runs.elements import Stored, with_elements
from weft.runs.execute import FILE_BYTES, STORED, WORK, Ended, run_batch
from weft.runs.input_files import Inputs, write_inputs
from weft.runs.interface import command, watch_command
from weft.runs.judge import (
    ROUNDINGS,
    ZERO_FILL,
    Difference,
    compare,
    filled,
    holds_for,
    made_by_host,
    matches,
    scale_of,
    unchanged,
    within,
)
from weft.runs.main_output import Leeway, main_differs, read_printed
from weft.runs.nulls import NullPrograms
from weft.runs.sandbox import Sandbox
from weft.runs.shard import ShardSample
from weft.runs.unordered import Column, misplaced
from weft.scratch import scratch
from weft.types import Array, packed_bytes

SCHEMA = 1
STAGE = "runs"
INPUTS = "inputs"
PRINTED = "printed"
HEADER_BYTES = 16384
"""More than what stands before the elements of an array in an output file."""
PRINTED_BYTES = 1 << 26
"""A stranger's program may print more than that only if its outputs are larger, too."""


@dataclasses.dataclass(frozen=True)
class Execution:
    """One run of a sample: environment variables, the function that says of a sample the largest base size
    that it takes (None: any), and the byte that `out` arrays hold before.

    If all cases are larger, those of the smallest size are taken. `last_first` turns the order of the cases
    round, so that no case can live on what another has left in the process. `as_main` adds the case of a
    program's own `main` on arrays of zeros, as `main` has them. `only`, if given, is the one case that
    it runs. `strides`: only samples whose threads stride over the grid have it, with one block along there.
    `large_edges`: of large cases, those with edges are run, or those without; None for all, as are those of a
    sample that has only one sort.
    """

    variables: Mapping[str, str]
    largest_size: Callable[[Sample], int] | None = None
    fill: int = FILL_BYTE
    last_first: bool = False
    as_main: bool = False
    only: int | None = None
    strides: bool = False
    large_edges: bool | None = None

    def cases(self, sample: Sample) -> list[int]:
        """The numbers of the sample's cases that it runs, in their order."""
        sizes = [case.size for case in sample.cases]
        largest = max(sizes) if self.largest_size is None else max(self.largest_size(sample), min(sizes))
        large = {
            number: has_edges(sample.launch, case.seed)
            for number, case in enumerate(sample.cases)
            if case.size > LARGE
        }
        others = {number for number, edges in large.items() if edges is not self.large_edges}
        if self.large_edges is None or len(others) == len(large):
            others = set()
        numbers = [
            number
            for number, size in enumerate(sizes)
            if size <= largest and self.only in (None, number) and number not in others
        ]
        return numbers[::-1] if self.last_first else numbers

    def fill_of(self, sample: Sample, case: int) -> int:
        """The byte for one case: hashes of arrays of more than LARGE elements hold for FILL_BYTE alone."""
        return self.fill if is_known(sample, case, self.fill) else FILL_BYTE

    def launches(self, sample: Sample) -> list[tuple[int, int]]:
        """Each of its launches: the number of the case, and the byte that `out` arrays hold before."""
        found = [(case, self.fill_of(sample, case)) for case in self.cases(sample)]
        return [
            *found,
            *([(sample.cases.index(MAIN), ZERO_FILL)] if self.as_main and MAIN in sample.cases else []),
        ]


def is_known(sample: Sample, case: int, fill: int) -> bool:
    """Whether the reference says what is left in all outputs of a case that held the byte `fill` before."""
    return all(holds_for(expected, fill) for expected in sample.expected[case].values())


@dataclasses.dataclass(frozen=True)
class Left:
    """What one execution left for one case: the bytes of an array file."""

    content: bytes
    fill: int
    execution: Execution = dataclasses.field(compare=False)


@dataclasses.dataclass(frozen=True)
class Device:
    """What differs between devices while a sample is judged.

    `executions` are the runs of each sample: their outcomes must agree.
    `idle` is one more, without kernels: what is in an output then, they have not made.
    `bits` says that equal means bit for bit here; `checks` are what a sample has passed on this device beyond
    the comparison; `limit_memory` says that address space can be limited; programs run in `sandbox`, if there
    is one. Where it `runs_main`, a program's own `main` has to say what its launcher leaves. Where bits are
    not asked for, `bounds` says of an output of a case what is expected, and in which class, if the
    reference's own bits are not there; the bounds have so many `roundings`. Where it `hurries`, and the first
    execution is wrong in a case, the others run that case alone: it decides. Where it `sees_all` cases, a
    program of nothing must not pass them. Where it `advises`, a message says what a launch description could.
    So many samples `share` a process, where its start takes longer than their launches. `source_of` gives
    the words for a place that is to blame (`Ended.places`); None where nobody asks.
    """

    name: str
    executions: tuple[Execution, ...]
    bits: bool
    checks: tuple[str, ...]
    limit_memory: bool
    sandbox: Sandbox | None = None
    idle: Execution | None = None
    runs_main: bool = False
    bounds: Callable[[Case, str], tuple[Expected, str]] | None = None
    roundings: int = ROUNDINGS
    hurries: bool = False
    sees_all: bool = True
    advises: bool = True
    share: int = 1
    source_of: Callable[[Sequence[int]], str] | None = None

    def equality(self, launch_equality: str) -> str:
        """The class of equality in which outputs are judged here."""
        return "bounded" if launch_equality == "bits" and not self.bits else launch_equality


USUAL_BLOCK = 256
"""Threads of a block, unless there is a reason for others: threads of two blocks race only beyond."""


def watched_size(sample: Sample) -> int:
    """The largest base size whose cases run with shadow memory, which takes time: the smallest with which all
    launches fill a block that do so with any size up to LARGE, and at least that of a block.
    """
    most = USUAL_BLOCK + 1
    sizes = sorted({case.size for case in sample.cases if case.size <= LARGE})
    counts = [sample.launch.thread_counts(size) for size in sizes]
    for launch in zip(*counts, strict=True):
        filling = [size for size, threads in zip(sizes, launch, strict=True) if threads > USUAL_BLOCK]
        most = max([most, *filling[:1]])
    return most


def striding_size(sample: Sample) -> int:
    """The largest base size of the cases that run with one block where threads stride: small ones have few
    rows and layers.
    """
    del sample
    return 1000


CPU = Device(
    name="cpu",
    executions=(
        Execution({"WEFT_THREAD_ORDER": "forward"}, as_main=True),
        Execution({"WEFT_THREAD_ORDER": "reverse"}, last_first=True),
        Execution({"WEFT_THREAD_ORDER": "random", "WEFT_SHADOW_MEMORY": "on"}, watched_size, ZERO_FILL),
        Execution({"WEFT_THREAD_ORDER": "forward"}, striding_size, strides=True),
    ),
    bits=True,
    checks=("guards_intact", "kernels_needed", "no_race", "no_unwritten_read"),
    limit_memory=True,
    idle=Execution({"WEFT_KERNELS": "off"}),
    runs_main=True,
)
CUDA = Device(
    name="cuda",
    executions=(
        Execution({}, as_main=True),
        Execution({}, last_first=True),
        Execution({}, watched_size, ZERO_FILL),
    ),
    bits=False,
    checks=("guards_intact",),
    limit_memory=False,
    runs_main=True,
    share=16,
)
"""CUDA reserves address space without bound, and a process with a context of its own takes 0.2 s to start."""


@dataclasses.dataclass(frozen=True)
class Finished:
    """What was run of a sample before it is judged: its inputs, the outputs of executions by their numbers,
    and what its `main` printed. What is missing did not end well, or was not run.
    """

    inputs: Inputs
    outputs: Mapping[int, Path]
    printed: Path | None


@dataclasses.dataclass(frozen=True)
class _Wrong:
    """What holds something wrong after an execution of a case: some bytes of an element, packed."""

    case: int
    left: Left
    parameter: str
    element: int
    offset: int
    bytes: int


class _RejectedError(Exception):
    """`places` are those of the instruction to blame (`Ended.places`), `wrong` what it has stored, as far as
    they are known.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        failure: dict[str, Any] | None = None,
        places: Sequence[int] = (),
        wrong: _Wrong | None = None,
    ) -> None:
        super().__init__(message)
        self.places = places
        self.reason = reason
        self.message = message
        self.failure = failure
        self.wrong = wrong


def judge_sample(
    sample: Sample,
    part: ShardSample,
    program: Path,
    device: Device,
    timeout: float,
    finished: Finished | None = None,
) -> dict[str, Any]:
    """The entry of one sample in a runs file: its program is run on all cases, unless that is `finished`, and
    judged.
    """
    try:
        with scratch("run") as folder:
            if finished is None:
                finished = Finished(write_inputs(sample, sample.cases, folder / INPUTS), {}, None)
            max_ulp = _run_and_judge(sample, part, program, device, timeout, folder, finished)
    except _RejectedError as rejected:
        message = rejected.message
        if rejected.places and device.source_of is not None:
            message += device.source_of(rejected.places)
        if device.advises:
            message += advice(sample.kernel_name, sample.launch, rejected.reason)
        return entry(sample, device, "rejected", rejected.reason, message, rejected.failure)
    result = entry(sample, device, "verified")
    result["checks"] = sorted(
        ["executions_agree", "inputs_unchanged", "outputs_equal", *device.checks]
        + (["null_programs_fail"] if device.sees_all else [])
        + (["main_agrees"] if is_main_judged(sample, part, device) else [])
    )
    result["max_ulp"] = max_ulp
    return result


def entry(
    sample: Sample,
    device: Device,
    verdict: str,
    reason: str | None = None,
    message: str = "",
    failure: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The entry of one sample, without what only verified samples have."""
    if reason == "unsupported":
        verdict = "unsupported"
    return {
        "sample_id": sample.sample_id,
        "kernel_name": sample.kernel_name,
        "verdict": verdict,
        "reason": reason,
        "message": message,
        "equality": device.equality(sample.launch.equality),
        "cases": len(sample.cases),
        "checks": [],
        "max_ulp": None,
        "failure": failure,
    }


def reject_record(reference: Reference, sample: Sample, result: Mapping[str, Any]) -> dict[str, Any]:
    """The reject record of a rejected entry, in the form that all stages share."""
    identity = {
        "sample_id": sample.sample_id,
        "category": reference.category,
        "seed": reference.seed,
        "index": sample.index,
        "kernel_name": sample.kernel_name,
    }
    return reject(identity, STAGE, KernelError(str(result["reason"]), str(result["message"])))


def _run_and_judge(
    sample: Sample,
    part: ShardSample,
    program: Path,
    device: Device,
    timeout: float,
    folder: Path,
    finished: Finished,
) -> int:
    """The largest distance in ulp over all cases. Raises _RejectedError."""
    left: dict[int, list[Left]] = {case: [] for case in range(len(sample.cases))}
    as_main = b""
    inputs = finished.inputs
    wrong = None
    for number, execution in enumerate(device.executions):
        here = folder / str(number)
        if wrong is not None:
            execution = dataclasses.replace(execution, only=wrong)
            if not execution.cases(sample):
                continue
        if execution.strides:
            if not part.interface.strides:
                continue
            variables = {**execution.variables, "WEFT_ONE_BLOCK": part.interface.strides}
            execution = dataclasses.replace(execution, variables=variables)
        if number in finished.outputs:
            ended, outputs = Ended(None, "", None), finished.outputs[number]
        else:
            ended, outputs = _run(sample, part, program, device, execution, inputs, timeout, here)
        launches = execution.launches(sample)
        cases = [case for case, _ in launches]
        if ended.reason is not None:
            where = _where(sample, cases, ended, execution.variables)
            raise _RejectedError(ended.reason, where, places=ended.places)
        contents = _contents(outputs, sample, cases)
        for (case, fill), content in zip(launches, contents, strict=True):
            if is_known(sample, case, fill):
                left[case].append(Left(content, fill, execution))
        if execution.as_main:
            as_main = contents[-1]
        if device.hurries and number == 0:
            wrong = _first_wrong(sample, left, inputs, device)
    idle = {} if wrong is not None else _run_idle(sample, part, program, device, inputs, timeout, folder)
    if is_main_judged(sample, part, device):
        case = sample.cases.index(MAIN)
        arrays = _parse(sample, case, as_main, inputs.held[case])
        printed = finished.printed or _run_main(part, program, device, timeout, folder)
        _judge_main(sample, part, device, arrays, printed)
    nulls = NullPrograms()
    max_ulp = 0
    for case in range(len(sample.cases)):
        try:
            max_ulp = max(max_ulp, _judge_case(sample, case, left.pop(case), inputs, device))
        except _RejectedError as rejected:
            if device.source_of is not None and rejected.wrong is not None:
                rejected.places = _last_store(
                    sample, part, program, device, rejected.wrong, inputs, timeout, folder
                )
            raise
        if case in idle:
            _judge_idle(sample, case, idle[case], inputs)
        nulls.observe(sample.expected[case], inputs.before[case])
    passing = nulls.passing()
    if passing and device.sees_all:
        programs = ", ".join(f"{name}: {program}" for name, program in sorted(passing.items()))
        raise _RejectedError(
            "insensitive", f"a program that does nothing of worth passes every case ({programs})"
        )
    return max_ulp


def _first_wrong(
    sample: Sample, left: Mapping[int, Sequence[Left]], inputs: Inputs, device: Device
) -> int | None:
    """The first case in which an execution differs from the reference, if there is one."""
    for case, executions in left.items():
        try:
            for one in executions:
                _judge_execution(sample, case, one, inputs, device)
        except _RejectedError:
            return case
    return None


def _run(
    sample: Sample,
    part: ShardSample,
    program: Path,
    device: Device,
    execution: Execution,
    inputs: Inputs,
    timeout: float,
    folder: Path,
    before: Sequence[Sequence[str]] = (),
) -> tuple[Ended, Path]:
    """How one execution ended, and where the outputs of its cases should be, one after the other. The program
    gets the commands `before` first.
    """
    # No program can know the name of the file of another.
    outputs = secrets.token_hex(8)
    ended = run_batch(
        program,
        [*before, *commands(sample, part, execution, inputs, outputs)],
        folder,
        files=[inputs.path],
        timeout=timeout,
        variables=execution.variables,
        limit_memory=device.limit_memory,
        outputs=outputs,
        file_bytes=_file_bytes(sample, execution) if device.sandbox else FILE_BYTES,
        sandbox=device.sandbox,
    )
    return ended, folder / WORK / outputs


def _file_bytes(sample: Sample, execution: Execution) -> int:
    """How large a stranger's program may make a file."""
    return PRINTED_BYTES + sum(_most_bytes(sample, case) for case, _ in execution.launches(sample))


def outputs_of(
    sample: Sample,
    part: ShardSample,
    program: Path,
    device: Device,
    execution: Execution,
    timeout: float,
    folder: Path,
) -> list[dict[str, Packed]]:
    """What a program leaves in the outputs of each case, in their order; nothing if it does not end well."""
    folder.mkdir()
    inputs = write_inputs(sample, sample.cases, folder / INPUTS)
    ended, outputs = _run(sample, part, program, device, execution, inputs, timeout, folder / "run")
    cases = execution.cases(sample)
    if ended.reason is not None:
        return []
    found = []
    for case, content in zip(cases, _contents(outputs, sample, cases), strict=True):
        arrays = _parse(sample, case, content, inputs.held[case])
        found.append(
            {
                name: arrays[name].elements.reshape(-1).view(packed_dtype(kind.element, sample.structs))
                for _, name, kind, _ in sample.outputs
            }
        )
    return found


def is_main_judged(sample: Sample, part: ShardSample, device: Device) -> bool:
    """Whether a program's own `main` has to say what its launcher leaves."""
    return device.runs_main and part.has_main and MAIN in sample.cases


def _run_main(part: ShardSample, program: Path, device: Device, timeout: float, folder: Path) -> Path:
    """What a program's own `main` prints. Raises _RejectedError."""
    # It is a process of its own, so that it has no arrays but its own.
    ended = run_batch(
        program,
        [main_command(part.namespace, PRINTED)],
        folder / "main",
        timeout=timeout,
        variables={},
        limit_memory=device.limit_memory,
        sandbox=device.sandbox,
    )
    if ended.reason is not None:
        raise _RejectedError(ended.reason, f"its main: {ended.message}")
    return folder / "main" / WORK / PRINTED


def main_command(namespace: str, printed: str) -> list[str]:
    """What the driver is asked to do to run a program's own `main`."""
    return [namespace, "--main", printed]


def _judge_main(
    sample: Sample, part: ShardSample, device: Device, left: Mapping[str, PackedArray], path: Path
) -> None:
    """Raises _RejectedError where the program's own `main` says other than what is `left` by its launcher for
    the same inputs, on arrays of zeros as `main` has them.
    """
    outputs = {name: left[name] for _, name, _, _ in sample.outputs if name in part.interface.outputs}
    printed = read_printed(path)
    leeway = {} if device.bits else _leeway(sample, outputs, device)
    if (problem := main_differs(printed, outputs, sample.structs, leeway)) is not None:
        raise _RejectedError("main_differs", problem)


def _leeway(sample: Sample, left: Mapping[str, PackedArray], device: Device) -> dict[str, Leeway]:
    """How far two launches may differ on a device where the order in which threads arrive is free: each may
    be off by the bound of an element.
    """
    found = {}
    expected = sample.expected[sample.cases.index(MAIN)]
    for name, array in left.items():
        equality = sample.launch.equality_of(name)
        if equality == "bits":
            continue
        packed = array.elements.reshape(-1).view(packed_dtype(array.type, sample.structs))
        margin = None if expected[name].value is None else expected[name].margin
        components = packed.dtype.names or ()
        bounds = np.zeros((len(packed), len(components)))
        for number, component in enumerate(components):
            column = packed[component]
            if equality == "bounded" and bfloat16.is_float(column.dtype):
                margins = None if margin is None else margin[:, number]
                bounds[:, number] = 2 * within(column, margins, scale_of(packed), device.roundings)
        found[name] = Leeway(bounds.reshape(-1), equality == "permutation")
    return found


def _run_idle(
    sample: Sample,
    part: ShardSample,
    program: Path,
    device: Device,
    inputs: Inputs,
    timeout: float,
    folder: Path,
) -> dict[int, bytes]:
    """What the program leaves for each case when no kernel runs; nothing if it cannot do without."""
    if device.idle is None:
        return {}
    ended, outputs = _run(sample, part, program, device, device.idle, inputs, timeout, folder / "idle")
    if ended.reason is not None:
        return {}
    cases = device.idle.cases(sample)
    return dict(zip(cases, _contents(outputs, sample, cases), strict=True))


def _last_store(
    sample: Sample,
    part: ShardSample,
    program: Path,
    device: Device,
    wrong: _Wrong,
    inputs: Inputs,
    timeout: float,
    folder: Path,
) -> Sequence[int]:
    """The places of what has stored something wrong last, by running the case again; none if a copy has, or
    if the program does something else then.
    """
    case, left = wrong.case, wrong.left
    execution = dataclasses.replace(left.execution, only=case, as_main=False, fill=left.fill)
    asked = watch_command(part.namespace, wrong.parameter, wrong.element, wrong.offset, wrong.bytes)
    ended, outputs = _run(
        sample, part, program, device, execution, inputs, timeout, folder / "store", [asked]
    )
    if ended.status != STORED or execution.launches(sample) != [(case, left.fill)]:
        return ()
    held = inputs.held[case]
    try:
        (content,) = _contents(outputs, sample, [case])
        then, now = (_parse(sample, case, one, held) for one in (left.content, content))
        _check_form(sample, case, now)
    except _RejectedError:
        return ()
    place = wrong.element, slice(wrong.offset, wrong.offset + wrong.bytes)
    is_same = then[wrong.parameter].elements[place] == now[wrong.parameter].elements[place]
    return ended.places if is_same.all() else ()


def _judge_idle(sample: Sample, case: int, content: bytes, inputs: Inputs) -> None:
    before, held = inputs.before[case], inputs.held[case]
    arrays = _parse(sample, case, content, held)
    _check_form(sample, case, arrays)
    for name, kind in sample.signature:
        if name in sample.expected[case] and arrays[name].elements is not held[name]:
            assert isinstance(kind, Array)
            got = arrays[name].elements.reshape(-1).view(packed_dtype(kind.element, sample.structs))
            if (difference := made_by_host(before[name], got)) is not None:
                raise _differs(sample, case, name, difference)


def commands(
    sample: Sample, part: ShardSample, execution: Execution, inputs: Inputs, outputs: str
) -> list[list[str]]:
    """What a shard's program is asked to do in one execution, a command for each launch."""
    launches = execution.launches(sample)
    sizes = {sample.cases[case].size for case, _ in launches}
    numbers = {size: part.interface.numbers_for(size, launch=sample.launch) for size in sizes}
    return [
        command(
            part.namespace, inputs.words[case], outputs, fill=fill, numbers=numbers[sample.cases[case].size]
        )
        for case, fill in launches
    ]


def _where(sample: Sample, cases: Sequence[int], ended: Ended, variables: Mapping[str, str]) -> str:
    parts = [ended.message]
    if ended.command is not None and ended.command < len(cases):
        case = sample.cases[cases[ended.command]]
        parts = [with_elements(ended.message, _stored(sample, case.size))]
        parts.append(f"(size {case.size}, seed {case.seed})")
    if "WEFT_THREAD_ORDER" in variables:
        parts.append(f"in {variables['WEFT_THREAD_ORDER']} order")
    return " ".join(parts)


def _stored(sample: Sample, size: int) -> list[Stored]:
    """The arrays of a case of a base size."""
    return [
        Stored(name, sample.shapes[size][name], packed_bytes(kind.element, sample.structs))
        for name, kind in sample.signature
        if isinstance(kind, Array)
    ]


def _contents(path: Path, sample: Sample, cases: Sequence[int]) -> list[bytes]:
    """The array files that an execution of some cases has left, one for each."""
    try:
        status = path.lstat()
    except OSError:
        status = None
    whole = b""
    if status is not None and stat.S_ISREG(status.st_mode):
        most = sum(_most_bytes(sample, case) for case in cases)
        if status.st_size > most:
            raise _RejectedError(
                "bad_output", f"outputs: {status.st_size} bytes, at most {most} can be the arrays"
            )
        whole = path.read_bytes()
    contents: list[bytes] = []
    try:
        contents.extend(split_files(whole, "outputs"))
    except UserError as error:
        raise _RejectedError("no_output", f"{error} {_case_text(sample, cases[-1])}") from error
    if len(contents) < len(cases):
        where = _case_text(sample, cases[len(contents)])
        raise _RejectedError("no_output", f"the program ended well but wrote no outputs {where}")
    if len(contents) > len(cases):
        problem = f"outputs of {len(contents)} launches, expected those of {len(cases)}"
        raise _RejectedError("bad_output", problem)
    return contents


def _most_bytes(sample: Sample, case: int) -> int:
    """An array file with all arrays of the signature takes no more."""
    size = sample.cases[case].size
    return HEADER_BYTES + sum(
        HEADER_BYTES + math.prod(sample.shapes[size][name]) * packed_bytes(kind.element, sample.structs)
        for name, kind in sample.signature
        if isinstance(kind, Array)
    )


def _case_text(sample: Sample, case: int) -> str:
    return f"for size {sample.cases[case].size}, seed {sample.cases[case].seed}"


def _judge_case(sample: Sample, case: int, left: Sequence[Left], inputs: Inputs, device: Device) -> int:
    """Judge each execution; where only some agree with the reference, the kernel is not deterministic."""
    outcomes: list[tuple[_RejectedError | None, int]] = []
    for number, one in enumerate(left):
        if number and one == left[0]:
            outcomes.append(outcomes[0])
            continue
        try:
            outcomes.append((None, _judge_execution(sample, case, one, inputs, device)))
        except _RejectedError as rejected:
            outcomes.append((rejected, 0))
    failures = [(one.fill, rejected) for one, (rejected, _) in zip(left, outcomes, strict=True) if rejected]
    if not failures:
        return max((max_ulp for _, max_ulp in outcomes), default=0)  # one execution may decide about the rest
    fill, failure = failures[0]
    alike = [rejected for one, (rejected, _) in zip(left, outcomes, strict=True) if one.fill == fill]
    if any(rejected is None for rejected in alike):
        message = f"the outcome depends on the order of execution: {failure.message}"
        raise _RejectedError("non_deterministic", message, failure.failure, wrong=failure.wrong)
    if len(failures) < len(outcomes):
        message = f"{failure.message}; this changes with what `out` arrays hold before the launch"
        raise _RejectedError(failure.reason, message, failure.failure, wrong=failure.wrong)
    raise failure


def _judge_execution(sample: Sample, case: int, left: Left, inputs: Inputs, device: Device) -> int:
    before, held = inputs.before[case], inputs.held[case]
    arrays = _parse(sample, case, left.content, held)
    _check_form(sample, case, arrays)
    max_ulp = 0
    columns: dict[str, Column] = {}
    differences: dict[str, Difference] = {}
    for name, kind in sample.signature:
        if not isinstance(kind, Array) or name not in before:
            continue
        if name not in sample.expected[case] and arrays[name].elements is held[name]:
            continue
        got = arrays[name].elements.reshape(-1).view(packed_dtype(kind.element, sample.structs))
        if name in sample.expected[case]:
            wanted, equality = _expected_of(sample, case, name, kind, got, left.fill, device)
            columns[name] = Column(wanted, got, kind.element, equality == "bounded_permutation")
            outcome = compare(
                wanted, got, kind.element, sample.structs, equality, left.fill, device.roundings
            )
            max_ulp = max(max_ulp, outcome.max_ulp)
            difference = outcome.difference
        else:
            difference = unchanged(before[name], got)
        if difference is not None:
            differences[name] = difference
    _compare_rows(sample, case, columns, before, device, differences)
    for name, difference in differences.items():
        rejected = _differs(sample, case, name, difference)
        if difference.stored is not None:
            element, component = difference.stored
            rejected.wrong = _Wrong(case, left, name, element, *_bytes_in_element(sample, name, component))
        raise rejected
    return max_ulp


def _bytes_in_element(sample: Sample, name: str, component: int | None) -> tuple[int, int]:
    """Where a component is in a packed element of an array, and its bytes; None: all components."""
    kind = dict(sample.signature)[name]
    assert isinstance(kind, Array)
    packed = packed_dtype(kind.element, sample.structs)
    if component is None:
        return 0, packed.itemsize
    assert packed.fields is not None
    one, offset = packed.fields[f"c{component}"][:2]
    return offset, one.itemsize


def _expected_of(
    sample: Sample, case: int, name: str, kind: Array, got: Packed, fill: int, device: Device
) -> tuple[Expected, str]:
    """What is expected of an output, and the class of equality in which it is compared."""
    wanted = filled(sample.expected[case][name], kind.element, sample.structs, fill)
    equality = device.equality(sample.launch.equality_of(name))
    if device.bounds is None or matches(wanted, got):
        return wanted, equality
    whole, equality = device.bounds(sample.cases[case], name)
    return filled(whole, kind.element, sample.structs, fill), equality


def _compare_rows(
    sample: Sample,
    case: int,
    columns: Mapping[str, Column],
    before: Mapping[str, Packed],
    device: Device,
    differences: dict[str, Difference],
) -> None:
    """Compare the rows of arrays in any order. Where all elements are known, these decide; else they add to
    the `differences` of arrays by themselves.
    """
    for group in groups_of(sample.launch, list(columns)):
        of_group = {name: columns[name] for name in group.arrays}
        if all(matches(one.expected, one.got) for one in of_group.values()):
            continue
        after = {
            name: packed_elements(one.expected.value, one.element, sample.structs)
            for name, one in columns.items()
            if one.expected.value is not None
        }
        rows = rows_of(sample.launch, group, sample.cases[case].size, before, after)
        found = misplaced(rows, of_group, sample.structs, device.roundings)
        if found is not None:
            name, difference = found
            told = differences.get(name, difference)
            differences[name] = dataclasses.replace(told, stored=difference.stored)
        elif of_group.keys() <= after.keys():
            for name in of_group:
                differences.pop(name, None)


def _parse(sample: Sample, case: int, content: bytes, held: Mapping[str, Elements]) -> dict[str, PackedArray]:
    try:
        return parse_arrays(content, "outputs", sample.structs, held)
    except TruncatedError as error:
        raise _RejectedError("no_output", f"{error} {_case_text(sample, case)}") from error
    except UserError as error:
        raise _RejectedError("bad_output", f"{error} {_case_text(sample, case)}") from error


def _check_form(sample: Sample, case: int, arrays: Mapping[str, PackedArray]) -> None:
    """All array parameters but null ones are there, in the right type and shape, and nothing else."""
    size = sample.cases[case].size
    wanted = {
        name: (kind.element, sample.shapes[size][name])
        for name, kind in sample.signature
        if isinstance(kind, Array) and not sample.launch.parameters[name].null
    }
    if set(arrays) != set(wanted):
        problem = f"arrays {sorted(arrays)}, expected {sorted(wanted)}"
        raise _RejectedError("bad_output", f"{problem} {_case_text(sample, case)}")
    for name, (element, shape) in wanted.items():
        got = arrays[name]
        if (got.type, got.shape) != (element, shape):
            problem = f"{name} is {got.type} {list(got.shape)}, expected {element} {list(shape)}"
            raise _RejectedError("bad_output", f"{problem} {_case_text(sample, case)}")


def _differs(sample: Sample, case: int, name: str, difference: Difference) -> _RejectedError:
    place = f"{name}" if difference.element is None else f"{name}, element {difference.element}"
    if difference.component:
        place += f", component {difference.component}"
    message = f"{place}: {difference.message} {_case_text(sample, case)}"
    if difference.expected is not None:
        message += f": expected {difference.expected}, got {difference.got}"
    failure = {
        "case": {"size": sample.cases[case].size, "seed": sample.cases[case].seed},
        "parameter": name,
        "index": difference.element,
        "component": difference.component,
        "expected": difference.expected,
        "got": difference.got,
        "ulp": difference.ulp,
    }
    return _RejectedError(difference.reason, message, failure)
