"""Judging and timing programs on this machine's GPU: programs that the CPU has verified before.

Programs of a batch are compiled and judged side by side, and then timed one after the other. Each is timed
against the sample's own program, compiled in the same way.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import secrets
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from weft import bfloat16
from weft.errors import KilledError, UserError, internal_error
from weft.files import read_json
from weft.reference.store import Packed, Sample
from weft.runs.build import CpuToolchain, CudaToolchain, first_error
from weft.runs.candidate import own_outputs
from weft.runs.candidate_gpu import FLAGS, gpu_program
from weft.runs.candidate_stage import find_sample
from weft.runs.execute import guard_beside
from weft.runs.judge import close
from weft.runs.mathematics import ROUNDINGS, Mathematics
from weft.runs.shard import Shard, ShardSample
from weft.runs.ties import without_ties
from weft.runs.verdict import CUDA, Device, entry, judge_sample
from weft.runs.warp_kernel import FLAGS as WARP_FLAGS
from weft.runs.warp_kernel import stands_alone, warp_program
from weft.scoring.judges import Outcome, Settings, Unit, error_outcome, units_of
from weft.scoring.worker import reason_of, sample_files
from weft.scratch import scratch
from weft.speed.measure import Measured, Plan, measure
from weft.speed.stage import GPU_LAUNCHES

MORE_WARM_UPS = 16
"""Nobody knows which launch is the last one, whose outputs are looked at: fewer than so many come on top."""
TIMING_SECONDS = 60.0
"""For all launches of a program."""
NEAR = 1e-3
FAR = 1e-3
"""A program has done its work while it was timed if all components but this share are within NEAR of the
array's largest magnitude: no reference has bounds for sizes of that kind.
"""


NOT_MEASURED = Measured([], "", None)


@dataclasses.dataclass(frozen=True)
class Gpu:
    """How programs are compiled for the GPU of this machine, and the base sizes with which they are timed.
    With the folder of Warp's headers, Warp's own kernels are timed, too.
    """

    nvcc: str
    arch: str
    sizes: tuple[int, ...]
    warp: Path | None = None


@dataclasses.dataclass(frozen=True)
class _Program:
    """A program of a unit: its number, what the judge says of it, and if it is verified, what is timed."""

    number: int
    outcome: Outcome
    timed: Path | None = None


@dataclasses.dataclass(frozen=True)
class _Judged:
    """The programs of a unit. `own` is the sample's own program, and `warp` has Warp's kernel and the part by
    which it is called, unless there is none to time against them.
    """

    programs: Sequence[_Program]
    sample: Sample | None = None
    part: ShardSample | None = None
    own: Path | None = None
    warp: tuple[Path, ShardSample] | None = None


class GpuJudges:
    """Judges and times programs for the samples of a build. `judging` and `timing` have the driver compiled
    in their folders: with guard bands, and without. `side_by_side` is how many programs are judged at a time.
    """

    def __init__(
        self,
        settings: Settings,
        gpu: Gpu,
        judging: CudaToolchain,
        timing: CudaToolchain,
        folder: Path,
        side_by_side: int,
    ) -> None:
        self._settings = settings
        self._gpu = gpu
        self._judging = judging
        self._timing = timing
        self._folder = folder
        self._jobs = side_by_side

    def judge(self, programs: Sequence[tuple[str, str]]) -> Iterator[tuple[int, Outcome]]:
        """What came of programs, each with the id of its sample: the number of each, as they come. The entry
        of a verified one has its `speed` (docs/formats/scores.md).
        """
        units = list(units_of(programs))
        with ThreadPoolExecutor(self._jobs) as pool:
            for start in range(0, len(units), self._jobs):
                with scratch("gpu") as folder:
                    places = [folder / str(place) for place in range(self._jobs)]
                    for judged in list(pool.map(self._judged, units[start : start + self._jobs], places)):
                        yield from self._timed(judged)

    def _judged(self, unit: Unit, folder: Path) -> _Judged:
        folder.mkdir()
        try:
            shard, reference = sample_files(self._settings, unit.sample_id, folder)
            samples = [one for one in reference.samples if one.sample_id == unit.sample_id and one.cases]
            if not samples:
                raise UserError(f"the reference has no sample {unit.sample_id} that can be run")
        except UserError as error:
            failure = error_outcome(reason_of(error), str(error))
            return _Judged([_Program(number, failure) for number in unit.numbers])
        (part,) = (one for one in shard.samples if one.sample_id == unit.sample_id)
        sample = without_ties(samples[0], part.interface)
        own = functools.partial(self._own_outputs, shard, sample, part, folder / "host")
        device = dataclasses.replace(
            CUDA,
            bounds=Mathematics(sample, part.text, own).of,
            roundings=ROUNDINGS,
            runs_main=False,
            advises=False,
        )
        found = []
        for number, text in zip(unit.numbers, unit.programs, strict=True):
            here = folder / f"program{number}"
            here.mkdir()
            found.append(self._outcome(number, shard, sample, part, device, text, here))
        if not any(one.timed for one in found):
            return _Judged(found)
        program = self._built(shard.program([part]), folder / "own")
        return _Judged(found, sample, part, program, self._warp(unit.sample_id, part, folder / "warp"))

    def _warp(self, sample_id: str, part: ShardSample, folder: Path) -> tuple[Path, ShardSample] | None:
        """The program of Warp's kernel, if it stands alone and compiles."""
        if self._gpu.warp is None:
            return None
        ir = find_sample(sample_id, Path(self._settings.results), None, None).ir
        records = read_json(ir)["records"] if ir.is_file() else []
        for record in records:
            if record["sample_id"] == sample_id and stands_alone(record):
                text, its_part = warp_program(record, part)
                program = self._built(text, folder, (f"-I{self._gpu.warp.resolve()}", *WARP_FLAGS))
                return None if program is None else (program, its_part)
        return None

    def _outcome(
        self,
        number: int,
        shard: Shard,
        sample: Sample,
        part: ShardSample,
        device: Device,
        text: str,
        folder: Path,
    ) -> _Program:
        """Compile a program once, for the driver that judges and the one that times it, and judge it."""
        try:
            compiled, program = folder / "shard.o", folder / "program"
            timing = dataclasses.replace(self._timing, more=FLAGS)
            errors = timing.compile_object(gpu_program(shard, part, text), compiled)
            errors = errors or self._judging.link(compiled, program)
            if errors is not None:
                result = entry(sample, device, "rejected", "compile_error", first_error(errors))
                return _Program(number, _outcome_of(result))
            guard_beside(program).symlink_to(self._judging.guard.resolve())
            result = judge_sample(sample, part, program, device, self._settings.timeout)
            outcome = _outcome_of(result)
            if result["verdict"] == "verified" and timing.link(compiled, folder / "timed") is None:
                return _Program(number, outcome, folder / "timed")
            return _Program(number, outcome)
        except KilledError as error:
            return _Program(number, error_outcome("killed", str(error)))
        except UserError as error:
            return _Program(number, error_outcome("not_judged", str(error)))
        except Exception as error:
            problem = internal_error(error)
            return _Program(number, error_outcome(problem.reason, problem.message))

    def _timed(self, judged: _Judged) -> Iterator[tuple[int, Outcome]]:
        """The outcomes of a unit; those of verified programs with their speed."""
        sample, part = judged.sample, judged.part
        if sample is None or part is None:
            yield from ((one.number, one.outcome) for one in judged.programs)
            return
        own = self._measured(sample, part, judged.own, self._gpu.sizes)
        sizes = [figures["size"] for figures in own.sizes[-1:]]
        warp = self._measured(sample, judged.warp[1], judged.warp[0], sizes) if judged.warp else NOT_MEASURED
        for one in judged.programs:
            if one.timed is None:
                yield one.number, one.outcome
                continue
            found = self._measured(sample, part, one.timed, sizes)
            yield one.number, _outcome_of(one.outcome["entry"], speed_of(sample, own, found, warp))

    def _measured(
        self, sample: Sample, part: ShardSample, program: Path | None, sizes: Sequence[int]
    ) -> Measured:
        if program is None or not sizes:
            return NOT_MEASURED
        warm_up, launches = GPU_LAUNCHES
        warm_up += secrets.randbelow(MORE_WARM_UPS)
        plan = Plan(sizes, warm_up, launches, TIMING_SECONDS, keeps=True)
        try:
            return measure(sample, part, program, plan, limit_memory=False)
        except KilledError as error:
            return Measured([], str(error), None)

    def _built(self, text: str, folder: Path, more: Sequence[str] = ()) -> Path | None:
        """A program to be timed; None if it does not compile."""
        folder.mkdir()
        compiled, program = folder / "shard.o", folder / "program"
        toolchain = dataclasses.replace(self._timing, more=tuple(more))
        if toolchain.compile_object(text, compiled) or toolchain.link(compiled, program):
            return None
        guard_beside(program).symlink_to(toolchain.guard.resolve())
        return program

    def _own_outputs(
        self, shard: Shard, sample: Sample, part: ShardSample, folder: Path, direction: str
    ) -> list[dict[str, Packed]]:
        """What the sample's own program leaves on the CPU device, made when a bound depends on it."""
        folder.mkdir(exist_ok=True)
        toolchain = CpuToolchain(self._settings.compiler, folder)
        return own_outputs(shard, sample, part, toolchain, direction)


@contextlib.contextmanager
def gpu_judges(settings: Settings, gpu: Gpu, jobs: int) -> Iterator[GpuJudges]:
    """Judges that use this machine's GPU. Raises UserError where nvcc is missing or fails."""
    with scratch("score") as folder:
        judging = CudaToolchain(gpu.nvcc, folder / "judging", gpu.arch)
        timing = CudaToolchain(gpu.nvcc, folder / "timing", gpu.arch, prelude=None)
        judging.version()
        for toolchain in (judging, timing):
            toolchain.folder.mkdir()
            toolchain.prepare()
        yield GpuJudges(settings, gpu, judging, timing, folder, jobs)


def _outcome_of(result: Mapping[str, Any], speed: Mapping[str, Any] | None = None) -> Outcome:
    return {"entry": {**result, "device": CUDA.name, "speed": speed}}


def speed_of(sample: Sample, own: Measured, found: Measured, warp: Measured = NOT_MEASURED) -> dict[str, Any]:
    """How much faster a program is than the sample's own, for the largest size for which that could be timed,
    and than Warp's kernel, if that is known for this size.

    A speedup is null where one of both could not be timed, or gives other outputs then; the `problem` is that
    of the program or of the sample's own.
    """
    speed = {
        **dict.fromkeys(("size", "seconds", "own_seconds", "speedup", "warp_seconds", "warp_speedup")),
        "problem": "",
    }
    if not own.sizes:
        return speed | {"problem": f"the sample's own program could not be timed: {own.problem}"}
    size, own_seconds = own.sizes[-1]["size"], own.sizes[-1]["median"]
    speed |= {"size": size, "own_seconds": own_seconds}
    if warp.sizes and other_work(sample, own.left[-1], warp.left[-1]) is None:
        speed["warp_seconds"] = warp.sizes[-1]["median"]
    if not found.sizes:
        return speed | {"problem": found.problem}
    if (name := other_work(sample, own.left[-1], found.left[-1])) is not None:
        return speed | {"problem": f"size {size}: {name} is not what the sample's own program leaves"}
    seconds = found.sizes[-1]["median"]
    if seconds <= 0:
        return speed | {"problem": "no time passed"}
    speed |= {"seconds": seconds, "speedup": own_seconds / seconds}
    if speed["warp_seconds"] is not None:
        speed["warp_speedup"] = speed["warp_seconds"] / seconds
    return speed


def other_work(sample: Sample, own: Mapping[str, Packed], found: Mapping[str, Packed]) -> str | None:
    """The first output that shows that a program has not done the work of the sample's own; None if none
    does. It need not be as near as where it is judged (NEAR, FAR).
    """
    for _, name, _, _ in sample.outputs:
        for component in own[name].dtype.names or ():
            one, other = (
                bfloat16.as_floats(arrays[name][component]).astype(np.float64) for arrays in (own, found)
            )
            if sample.launch.equality_of(name) == "permutation":
                one, other = np.sort(one), np.sort(other)
            finite = np.abs(one[np.isfinite(one)])
            near = close(one, other, np.full(len(one), NEAR * float(finite.max(initial=0.0))))
            if np.count_nonzero(~near) > FAR * len(one):
                return name
    return None
