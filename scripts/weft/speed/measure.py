"""Timing one sample: its program runs once with every size, and each launch is timed alone."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.inputs import packed_dtype
from weft.reference.cases import Case
from weft.reference.store import Packed, Sample
from weft.runs.arrays import parse_arrays, split_files
from weft.runs.execute import WORK, Ended, run_batch
from weft.runs.input_files import Inputs, write_inputs
from weft.runs.interface import command
from weft.runs.shard import ShardSample
from weft.scratch import scratch
from weft.types import Array, packed_bytes


@dataclasses.dataclass(frozen=True)
class Plan:
    """How a device is timed: base sizes; for each of them, launches that warm up and launches that count; and
    seconds for all sizes of a sample. `keeps` says that what the last launch leaves is wanted, too.
    """

    sizes: Sequence[int]
    warm_up: int
    launches: int
    timeout: float
    keeps: bool = False

    @property
    def repeats(self) -> int:
        return self.warm_up + self.launches


@dataclasses.dataclass(frozen=True)
class Machine:
    """The device as it describes itself. `peak` is its memory's bandwidth in bytes per second, if known."""

    fields: Mapping[str, Any]
    peak: float | None = None


@dataclasses.dataclass(frozen=True)
class Measured:
    """The `sizes` of a sample that could be timed, with the times; the `problem` with others; and the GPU, if
    any. `left` has the outputs after the last launch of each of these sizes, if they are kept.
    """

    sizes: Sequence[Mapping[str, Any]]
    problem: str
    machine: Machine | None
    left: Sequence[Mapping[str, Packed]] = ()


def measure(sample: Sample, part: ShardSample, program: Path, plan: Plan, limit_memory: bool) -> Measured:
    """Time a sample's program. Sizes go up, and the first that fails ends the sample."""
    with scratch("run") as folder:
        sizes = sorted(plan.sizes)
        inputs = write_inputs(sample, [Case(size, 0) for size in sizes], folder / "inputs")
        outputs = "outputs" if plan.keeps else "-"
        ended = run_batch(
            program,
            [
                command(
                    part.namespace,
                    word,
                    outputs,
                    fill=0,
                    numbers=part.interface.numbers_for(size, launch=sample.launch),
                    repeat=plan.repeats,
                )
                for size, word in zip(sizes, inputs.words, strict=True)
            ],
            folder,
            files=[inputs.path],
            timeout=plan.timeout,
            variables={},
            limit_memory=limit_memory,
        )
        seconds = read_times(folder / WORK / "times")
        machine = read_machine(folder / WORK / "device")
        left = _left(sample, folder / WORK / outputs, inputs) if plan.keeps else None
    timed = [
        figures(sample, size, launches[plan.warm_up :], machine)
        for size, launches in zip(sizes, groups(seconds, plan.repeats), strict=False)
    ]
    if left is not None:
        timed = timed[: len(left)]
    return Measured(timed, _problem(ended, sizes, len(timed)), machine, left or ())


def _left(sample: Sample, path: Path, inputs: Inputs) -> list[Mapping[str, Packed]]:
    """The outputs in a file of array files, as far as it goes."""
    found: list[Mapping[str, Packed]] = []
    whole = path.read_bytes() if path.is_file() else b""
    with contextlib.suppress(UserError, KeyError):
        for content, held in zip(split_files(whole, path.name), inputs.held, strict=False):
            arrays = parse_arrays(content, path.name, sample.structs, held)
            found.append(
                {
                    name: arrays[name].elements.reshape(-1).view(packed_dtype(kind.element, sample.structs))
                    for _, name, kind, _ in sample.outputs
                }
            )
    return found


def _problem(ended: Ended, sizes: Sequence[int], timed: int) -> str:
    if timed == len(sizes):
        return ""
    return f"size {sizes[timed]}: {ended.reason or 'no_times'}: {ended.message}".rstrip(": ")


def figures(sample: Sample, size: int, seconds: Sequence[float], gpu: Machine | None) -> dict[str, Any]:
    """What is known of one size: the middle time of its launches in seconds, and what follows from it.

    Bandwidth is a figure of GPUs: there the arrays come from memory.
    """
    middle = statistics.median(seconds)
    moved = array_bytes(sample, size)
    result = {
        "size": size,
        "launches": len(seconds),
        "median": middle,
        "least": min(seconds),
        "most": max(seconds),
        "per_element": middle / size,
        "bytes": moved,
    }
    if gpu and middle > 0:
        result["bandwidth"] = moved / middle
        if gpu.peak:
            result["share_of_peak"] = moved / middle / gpu.peak
    return result


def array_bytes(sample: Sample, size: int) -> int:
    """Bytes of all arrays, packed: those that are read count once, those that are written too."""
    total = 0
    for name, kind in sample.signature:
        if isinstance(kind, Array):
            count = math.prod(sample.launch.storage_shape(name, size))
            times = 2 if sample.launch.parameters[name].role == "inout" else 1
            total += times * count * packed_bytes(kind.element, sample.structs)
    return total


def groups(seconds: Sequence[float], repeats: int) -> list[Sequence[float]]:
    """The times of each size that was timed to its end."""
    return [seconds[start : start + repeats] for start in range(0, len(seconds) - repeats + 1, repeats)]


def read_times(path: Path) -> list[float]:
    """Seconds, from milliseconds in lines; none where there is no file."""
    return [float(line) / 1e3 for line in path.read_text().split()] if path.is_file() else []


def read_machine(path: Path) -> Machine | None:
    """What the driver wrote of a GPU; None where it wrote nothing.

    Memory moves data on both edges of its clock: the peak is twice the clock times the width of the bus.
    """
    if not path.is_file():
        return None
    fields: dict[str, Any] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        fields[key] = int(value) if value.isdecimal() else value
    peak = 2 * fields.pop("memory_clock_khz", 0) * 1e3 * fields.pop("memory_bus_bits", 0) / 8
    fields["peak_bandwidth"] = peak or None
    return Machine(fields, peak or None)
