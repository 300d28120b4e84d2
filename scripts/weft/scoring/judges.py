"""Processes that judge programs side by side, and what all of them share."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.runs.build import CpuToolchain
from weft.runs.candidate import precompile
from weft.runs.candidate_stage import sandbox_for, toolkit_for
from weft.scratch import scratch

TOGETHER = 16
"""Programs for one sample that a process judges one after the other: so many share the sample's host code."""

WORKER = ("-m", "weft.scoring.worker")
"""Python's words for what each process runs."""

Outcome = Mapping[str, Any]
"""`entry`, that of a runs file, or `error` with a reason and a message."""

_Outcomes = tuple[int, Outcome] | BaseException


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the judges of a run share. `shared` is a folder with precompiled headers. The cases follow from
    `seed`, or are those of the build. If there is an `nvcc`, a path, it must take what is verified.
    """

    results: str
    shared: str
    compiler: str
    timeout: float
    sandboxed: bool
    seed: int | None
    nvcc: str | None = None


@dataclasses.dataclass(frozen=True)
class Unit:
    """Programs for a sample, with their numbers among all."""

    sample_id: str
    numbers: Sequence[int]
    programs: Sequence[str]


def side_by_side(jobs: int | None = None) -> int:
    """How many programs are judged at a time: as many as are asked for, or as this process has processors."""
    return jobs or len(os.sched_getaffinity(0))


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
        for unit in units_of(programs):
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
    nvcc: str | None = None,
) -> Iterator[Judges]:
    """Judges for the samples of a build. Raises UserError where a compiler or the sandbox is missing."""
    sandbox_for(sandboxed)
    toolkit = toolkit_for(nvcc, compiler)
    with scratch("score") as folder:
        shared = folder / "shared"
        shared.mkdir()
        toolchain = CpuToolchain(compiler, shared)
        toolchain.version()
        precompile(toolchain, shared)
        path = toolkit.nvcc if toolkit else None
        settings = Settings(str(results), str(shared), compiler, timeout, sandboxed, seed, path)
        yield Judges(settings, folder, jobs)


@functools.cache
def shared_judges(
    results: str,
    jobs: int,
    timeout: float = 20.0,
    sandboxed: bool = True,
    nvcc: str | None = None,
    seed: int | None = None,
) -> Judges:
    """Judges that last as long as this process: what they share takes seconds to make."""
    stack = contextlib.ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(
        judges(Path(results), jobs=jobs, timeout=timeout, sandboxed=sandboxed, seed=seed, nvcc=nvcc)
    )


def units_of(programs: Sequence[tuple[str, str]]) -> Iterator[Unit]:
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
        shutil.rmtree(self._folder, ignore_errors=True)

    def outcomes(self, unit: Unit) -> Iterator[tuple[int, Outcome]]:
        """What came of each program of a unit; a process that ends costs one of them."""
        done = 0
        while done < len(unit.numbers) and not self._stop.is_set():
            process = self._told(Unit(unit.sample_id, unit.numbers[done:], unit.programs[done:]))
            assert process.stdout is not None
            problem = None
            for line in iter(process.stdout.readline, ""):
                if not line.endswith("\n"):
                    break  # it was killed while it wrote
                answer = json.loads(line)
                if answer["number"] != unit.numbers[done]:
                    process.kill()
                    said = f"program {answer['number']} in place of {unit.numbers[done]}"
                    problem = error_outcome("internal_error", f"a process of the judge spoke of {said}")
                    break
                yield unit.numbers[done], answer["outcome"]
                done += 1
                if done == len(unit.numbers) or self._stop.is_set():
                    return
            status = self._end()
            killed = error_outcome("killed", f"a process of the judge ended with status {status}")
            yield unit.numbers[done], problem or killed
            done += 1

    def _told(self, unit: Unit) -> subprocess.Popen[str]:
        """The process, which judges a unit from now on: another one where it ended between two units."""
        if self._process is not None:
            with contextlib.suppress(BrokenPipeError):
                _say(self._process, dataclasses.asdict(unit))
                return self._process
            self._end()
        try:
            process = self._start()
            _say(process, dataclasses.asdict(unit))
        except BrokenPipeError as error:
            raise UserError("a process of the judge did not start; see the lines above") from error
        return process

    def _start(self) -> subprocess.Popen[str]:
        folder = self._folder / str(self._begun)
        folder.mkdir(parents=True)
        self._begun += 1
        library = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, [library, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-P", *WORKER, str(folder)],
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
        # It may have ended before it read all.
        with contextlib.suppress(BrokenPipeError), process:
            pass
        return process.returncode


def _say(process: subprocess.Popen[str], value: Any) -> None:
    """Raises BrokenPipeError if the process has ended."""
    assert process.stdin is not None
    process.stdin.write(json.dumps(value) + "\n")
    process.stdin.flush()


def error_outcome(reason: str, message: str) -> Outcome:
    """What is said of a program that could not be judged."""
    return {"error": {"reason": reason, "message": message}}
