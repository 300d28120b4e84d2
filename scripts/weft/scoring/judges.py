"""Processes that judge programs side by side, and what all of them share."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.runs.build import CpuToolchain, make_device
from weft.runs.candidate import precompile
from weft.runs.candidate_stage import sandbox_for
from weft.scratch import scratch

TOGETHER = 16
"""Programs for one sample that a process judges one after the other: so many share the sample's host code."""

Outcome = Mapping[str, Any]
"""`entry`, that of a runs file, or `error` with a reason and a message."""

_Outcomes = tuple[int, Outcome] | BaseException


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the judges of a run share. `shared` is a folder with the CPU device and precompiled headers. The
    cases follow from `seed`, or are those of the build.
    """

    results: str
    shared: str
    compiler: str
    timeout: float
    sandboxed: bool
    seed: int | None


@dataclasses.dataclass(frozen=True)
class Unit:
    """Programs for a sample, with their numbers among all."""

    sample_id: str
    numbers: Sequence[int]
    programs: Sequence[str]


class Judges:
    """Judges programs for the samples of a build, `jobs` at a time."""

    def __init__(self, settings: Settings, folder: Path, jobs: int) -> None:
        self._settings = settings
        self._folder = folder
        self._jobs = jobs

    def judge(self, programs: Sequence[tuple[str, str]]) -> Iterator[tuple[int, Outcome]]:
        """What came of programs, each with the id of its sample: the number of each, as they come."""
        units: queue.SimpleQueue[Unit] = queue.SimpleQueue()
        count = 0
        for unit in _units(programs):
            units.put(unit)
            count += 1
        outcomes: queue.SimpleQueue[_Outcomes] = queue.SimpleQueue()
        stop = threading.Event()
        processes = [
            _Process(self._settings, Path(tempfile.mkdtemp(dir=self._folder)), stop)
            for _ in range(min(self._jobs, count))
        ]
        threads = [
            threading.Thread(target=_work, args=(process, units, outcomes), daemon=True)
            for process in processes
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in programs:
                outcome = outcomes.get()
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
        finally:
            stop.set()
            for process in processes:
                process.stop()
            for thread in threads:
                thread.join()


def _work(process: _Process, units: queue.SimpleQueue[Unit], outcomes: queue.SimpleQueue[_Outcomes]) -> None:
    try:
        with process:
            while True:
                for outcome in process.outcomes(units.get_nowait()):
                    outcomes.put(outcome)
    except queue.Empty:
        pass
    except BaseException as error:
        outcomes.put(error)


@contextlib.contextmanager
def judges(
    results: Path,
    *,
    jobs: int,
    compiler: str = "g++",
    timeout: float = 20.0,
    sandboxed: bool = True,
    seed: int | None = None,
) -> Iterator[Judges]:
    """Judges for the samples of a build. Raises UserError where the compiler or the sandbox is missing."""
    sandbox_for(sandboxed)
    with scratch("score") as folder:
        shared = folder / "shared"
        shared.mkdir()
        toolchain = CpuToolchain(compiler, shared, shared)
        toolchain.version()
        make_device(compiler, shared)
        precompile(toolchain, shared)
        settings = Settings(str(results), str(shared), compiler, timeout, sandboxed, seed)
        yield Judges(settings, folder, jobs)


@functools.cache
def shared_judges(
    results: str, jobs: int, timeout: float = 20.0, sandboxed: bool = True, seed: int | None = None
) -> Judges:
    """Judges that last as long as this process: what they share takes seconds to make."""
    stack = contextlib.ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(
        judges(Path(results), jobs=jobs, timeout=timeout, sandboxed=sandboxed, seed=seed)
    )


def _units(programs: Sequence[tuple[str, str]]) -> Iterator[Unit]:
    """Programs of one sample come together, in the order of the samples' first ones."""
    of_sample: dict[str, list[int]] = {}
    for number, (sample_id, _) in enumerate(programs):
        of_sample.setdefault(sample_id, []).append(number)
    for sample_id, numbers in of_sample.items():
        for start in range(0, len(numbers), TOGETHER):
            chosen = numbers[start : start + TOGETHER]
            yield Unit(sample_id, chosen, [programs[number][1] for number in chosen])


class _Process:
    """A process of weft.scoring.worker, and another one where it has ended."""

    def __init__(self, settings: Settings, folder: Path, stop: threading.Event) -> None:
        self._settings = settings
        self._folder = folder
        self._stop = stop
        self._process: subprocess.Popen[str] | None = None
        self._begun = 0

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def outcomes(self, unit: Unit) -> Iterator[tuple[int, Outcome]]:
        """What came of each program of a unit; a process that ends costs one of them."""
        done = 0
        while done < len(unit.numbers) and not self._stop.is_set():
            process = self._process or self._start()
            _say(process, {"sample_id": unit.sample_id, "programs": list(unit.programs[done:])})
            assert process.stdout is not None
            for line in iter(process.stdout.readline, ""):
                yield unit.numbers[done], json.loads(line)
                done += 1
                if done == len(unit.numbers) or self._stop.is_set():
                    return
            status = self._end()
            error = {"reason": "killed", "message": f"a process of the judge ended with status {status}"}
            yield unit.numbers[done], {"error": error}
            done += 1

    def _start(self) -> subprocess.Popen[str]:
        folder = self._folder / str(self._begun)
        folder.mkdir(parents=True)
        self._begun += 1
        library = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, [library, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "weft.scoring.worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        if self._stop.is_set():
            self._process.kill()
        _say(self._process, dataclasses.asdict(self._settings))
        return self._process

    def stop(self) -> None:
        """End the process at once: for another thread."""
        if process := self._process:
            process.kill()

    def _end(self) -> int:
        """The exit status of the process, which has no more to read."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with process:
            pass
        return process.returncode


def _say(process: subprocess.Popen[str], value: Any) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(value) + "\n")
        process.stdin.flush()
    except BrokenPipeError as error:
        raise UserError("a process of the judge did not begin; the lines above say why") from error
