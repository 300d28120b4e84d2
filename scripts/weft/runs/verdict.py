"""From a shard's program and its reference to one verdict a sample."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import KernelError, UserError, reject
from weft.inputs import FILL_BYTE, draw_parameter, packed_dtype
from weft.reference.store import Packed, Reference, Sample
from weft.runs.arrays import PackedArray, TruncatedError, parse_arrays
from weft.runs.execute import Ended, run_batch
from weft.runs.judge import Difference, compare, unchanged
from weft.runs.nulls import NullPrograms
from weft.runs.shard import ShardSample
from weft.types import Array

SCHEMA = 1
STAGE = "runs"


@dataclasses.dataclass(frozen=True)
class Execution:
    """One run of a sample: environment variables, and the largest base size that it takes (None: any).

    If all cases are larger, those of the smallest size are taken.
    """

    variables: Mapping[str, str]
    largest_size: int | None = None

    def cases(self, sample: Sample) -> list[int]:
        """The numbers of the sample's cases that it runs."""
        sizes = [case.size for case in sample.cases]
        largest = max(sizes) if self.largest_size is None else max(self.largest_size, min(sizes))
        return [number for number, size in enumerate(sizes) if size <= largest]


@dataclasses.dataclass(frozen=True)
class Device:
    """What differs between devices while a sample is judged.

    `executions` are the runs of each sample: their outcomes must agree.
    `bits` says that equal means bit for bit here; `checks` are what a sample has passed on this device beyond
    the comparison; `limit_memory` says that address space can be limited.
    """

    name: str
    executions: tuple[Execution, ...]
    bits: bool
    checks: tuple[str, ...]
    limit_memory: bool

    def equality(self, launch_equality: str) -> str:
        """The class of equality in which outputs are judged here."""
        return "bounded" if launch_equality == "bits" and not self.bits else launch_equality


WATCHED_SIZE = 300
"""Cases up to this size run with shadow memory: more threads than a usual block has."""
CPU = Device(
    name="cpu",
    executions=(
        Execution({"WEFT_THREAD_ORDER": "forward"}),
        Execution({"WEFT_THREAD_ORDER": "reverse"}),
        Execution({"WEFT_THREAD_ORDER": "random", "WEFT_SHADOW_MEMORY": "on"}, WATCHED_SIZE),
    ),
    bits=True,
    checks=("guards_intact", "no_race", "no_unwritten_read"),
    limit_memory=True,
)
CUDA = Device(
    name="cuda", executions=(Execution({}), Execution({})), bits=False, checks=(), limit_memory=False
)
"""Every sample runs twice. CUDA reserves address space without bound."""


class _RejectedError(Exception):
    def __init__(self, reason: str, message: str, failure: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.failure = failure


def judge_sample(
    sample: Sample, part: ShardSample, program: Path, device: Device, timeout: float
) -> dict[str, Any]:
    """The entry of one sample in a runs file: its program is run on all cases and judged."""
    try:
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            max_ulp = _run_and_judge(sample, part, program, device, timeout, Path(folder))
    except _RejectedError as rejected:
        return entry(sample, device, "rejected", rejected.reason, rejected.message, rejected.failure)
    result = entry(sample, device, "verified")
    result["checks"] = sorted(
        ["executions_agree", "inputs_unchanged", "null_programs_fail", "outputs_equal", *device.checks]
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
    sample: Sample, part: ShardSample, program: Path, device: Device, timeout: float, folder: Path
) -> int:
    """The largest distance in ulp over all cases. Raises _RejectedError."""
    folders: dict[int, list[Path]] = {case: [] for case in range(len(sample.cases))}
    for number, execution in enumerate(device.executions):
        here = folder / str(number)
        here.mkdir()
        cases = execution.cases(sample)
        ended = run_batch(
            program,
            [_command(sample, part, case) for case in cases],
            here,
            timeout=timeout,
            variables=execution.variables,
            limit_memory=device.limit_memory,
        )
        if ended.reason is not None:
            raise _RejectedError(ended.reason, _where(sample, cases, ended, execution.variables))
        for case in cases:
            folders[case].append(here)
    nulls = NullPrograms()
    max_ulp = 0
    for case in range(len(sample.cases)):
        before = _before(sample, case)
        contents = [_output(here, sample, case) for here in folders[case]]
        max_ulp = max(max_ulp, _judge_case(sample, case, contents, before, device))
        nulls.observe(sample.expected[case], before)
    passing = nulls.passing()
    if passing:
        programs = ", ".join(f"{name}: {program}" for name, program in sorted(passing.items()))
        raise _RejectedError(
            "insensitive", f"a program that does nothing of worth passes every case ({programs})"
        )
    return max_ulp


def _command(sample: Sample, part: ShardSample, case: int) -> list[str]:
    one = sample.cases[case]
    options = {"size": one.size, "seed": one.seed, "fill": FILL_BYTE, "outputs": _output_name(case)}
    return [part.namespace, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]


def _output_name(case: int) -> str:
    return f"case{case}.arrays"


def _where(sample: Sample, cases: Sequence[int], ended: Ended, variables: Mapping[str, str]) -> str:
    parts = [ended.message]
    if ended.command is not None and ended.command < len(cases):
        case = sample.cases[cases[ended.command]]
        parts.append(f"(size {case.size}, seed {case.seed})")
    if "WEFT_THREAD_ORDER" in variables:
        parts.append(f"in {variables['WEFT_THREAD_ORDER']} order")
    return " ".join(parts)


def _before(sample: Sample, case: int) -> dict[str, Packed]:
    """Every array parameter but null ones as it is before the launch."""
    one = sample.cases[case]
    return {
        name: draw_parameter(
            sample.launch, name, kind, position, size=one.size, seed=one.seed, structs=sample.structs
        )
        for position, (name, kind) in enumerate(sample.signature)
        if isinstance(kind, Array) and not sample.launch.parameters[name].null
    }


def _output(folder: Path, sample: Sample, case: int) -> bytes:
    path = folder / _output_name(case)
    if path.is_symlink() or not path.is_file():
        raise _RejectedError(
            "no_output", f"the program ended well but wrote no outputs {_case_text(sample, case)}"
        )
    return path.read_bytes()


def _case_text(sample: Sample, case: int) -> str:
    return f"for size {sample.cases[case].size}, seed {sample.cases[case].seed}"


def _judge_case(
    sample: Sample, case: int, contents: Sequence[bytes], before: Mapping[str, Packed], device: Device
) -> int:
    """Judge each execution; where only some agree with the reference, the kernel is not deterministic."""
    outcomes: list[tuple[_RejectedError | None, int]] = []
    for number, content in enumerate(contents):
        if number and content == contents[0]:
            outcomes.append(outcomes[0])
            continue
        try:
            outcomes.append((None, _judge_execution(sample, case, content, before, device)))
        except _RejectedError as rejected:
            outcomes.append((rejected, 0))
    failures = [rejected for rejected, _ in outcomes if rejected is not None]
    if failures and len(failures) < len(outcomes):
        message = f"the outcome depends on the order of execution: {failures[0].message}"
        raise _RejectedError("non_deterministic", message, failures[0].failure)
    if failures:
        raise failures[0]
    return max(max_ulp for _, max_ulp in outcomes)


def _judge_execution(
    sample: Sample, case: int, content: bytes, before: Mapping[str, Packed], device: Device
) -> int:
    arrays = _parse(sample, case, content)
    _check_form(sample, case, arrays)
    max_ulp = 0
    for name, kind in sample.signature:
        if not isinstance(kind, Array) or name not in before:
            continue
        got = arrays[name].elements.reshape(-1).view(packed_dtype(kind.element, sample.structs))
        if name in sample.expected[case]:
            wanted = sample.expected[case][name]
            equality = device.equality(sample.launch.equality)
            outcome = compare(wanted, got, kind.element, sample.structs, equality)
            max_ulp = max(max_ulp, outcome.max_ulp)
            difference = outcome.difference
        else:
            difference = unchanged(before[name], got)
        if difference is not None:
            raise _differs(sample, case, name, difference)
    return max_ulp


def _parse(sample: Sample, case: int, content: bytes) -> dict[str, PackedArray]:
    try:
        return parse_arrays(content, "outputs", sample.structs)
    except TruncatedError as error:
        raise _RejectedError("no_output", f"{error} {_case_text(sample, case)}") from error
    except UserError as error:
        raise _RejectedError("bad_output", f"{error} {_case_text(sample, case)}") from error


def _check_form(sample: Sample, case: int, arrays: Mapping[str, PackedArray]) -> None:
    """All array parameters but null ones are there, in the right type and shape, and nothing else."""
    size = sample.cases[case].size
    wanted = {
        name: (kind.element, sample.launch.storage_shape(name, size))
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
    if difference.element is not None:
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
