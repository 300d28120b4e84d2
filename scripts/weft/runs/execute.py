"""Running one program: a process and a folder of its own, limits, and an end in bounded time."""

from __future__ import annotations

import dataclasses
import math
import os
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from weft.errors import KilledError
from weft.runs.sandbox import Sandbox
from weft.tools import out_of_memory_kills

MEMORY_BYTES = 4 * 2**30
FILE_BYTES = 2**30
MESSAGE_BYTES = 4096
WORK = "work"
WALL_CLOCK_FACTOR = 5
"""Limits are of CPU time, so that no verdict depends on what else a machine does; what waits, or gets no
processor, ends after so many times that.
"""
GUARD_SECONDS = 10.0
"""After a time-out: for the guard to end all processes."""

DEVICE_REASONS = {
    81: "out_of_bounds",
    82: "misaligned",
    83: "deadlock",
    84: "cuda_error",
    85: "race",
    86: "unwritten_read",
    87: "crash",
    88: "crash",
    89: "unsupported",
}
"""Exit statuses of the CPU device (device/device.h) and of guard bands on a GPU (device/gpu_guards.h)."""

STORED = 90
"""The CPU device's exit status where it says which instruction has stored some bytes last."""

DEVICE_WORDS = ("CPU device: ", "GPU device: ")

_PLACES = re.compile(r" \[at ((?: ?\+0x[0-9a-f]+)+)\]")
"""Where in a program's code the CPU device found what is wrong (device/device.h)."""

BWRAP_SIGNALLED = 128
"""Bubblewrap's exit status for a program that a signal has ended, less the signal's number."""

KILLED = "killed"
"""The reason of a program that was killed, by itself or from outside: `_twice_if_killed` tells which."""

CUDA_MESSAGES = (
    "cudaError",
    "invalid argument",
    "invalid configuration argument",
    "invalid device",
    "invalid resource handle",
    "out of memory",
    "an illegal memory access was encountered",
    "an illegal instruction was encountered",
    "misaligned address",
    "unspecified launch failure",
    "too many resources requested for launch",
    "device-side assert triggered",
    "the launch timed out",
    "no kernel image is available",
    "the provided PTX was compiled with an unsupported toolchain",
    "driver version is insufficient",
    "unknown error",
    "operation not supported",
)
"""By these a program's last words are known to be a CUDA error (cudaGetErrorString)."""

KEPT_VARIABLES = (
    "PATH",
    "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_MPS_PIPE_DIRECTORY",
    "HOME",
    "TMPDIR",
)


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a program ended: `reason` is None for success, else the reject reason.

    `command` is the number of the command that it began last, if it began one; `status` its exit status, if
    it came to that; `places` the instruction that its device blames, in bytes from the program's start, and a
    call that has led there, if they are known.
    """

    reason: str | None
    message: str
    command: int | None
    status: int | None = None
    places: tuple[int, ...] = ()


def run_batch(
    program: Path,
    commands: Sequence[Sequence[str]],
    folder: Path,
    *,
    files: Sequence[Path] = (),
    timeout: float,
    variables: Mapping[str, str],
    limit_memory: bool,
    outputs: str | None = None,
    file_bytes: int = FILE_BYTES,
    sandbox: Sandbox | None = None,
    under: Sequence[str] = (),
) -> Ended:
    """Run a shard's program with `--batch` on `commands`, in the folder `folder`/work, which is made for it
    and gets `files`, which it must not write. It may write the file `outputs` there, in a sandbox no other.
    `under` is the command of a tool that runs the program, if any.

    It is limited before it starts and has its own session; it and all processes that come from it are killed
    when it ends or `timeout` (seconds of CPU time) has passed. What it prints is kept for messages only:
    success means a zero exit status. Raises KilledError, see `_twice_if_killed`.
    """
    work = folder / WORK
    guard = guard_beside(program)

    def run() -> Ended:
        if work.exists():
            work.rename(folder / KILLED)  # what a killed program has left there
        work.mkdir(parents=True)
        for file in files:
            _give(file, work / file.name)
        (work / "batch").write_text("".join(" ".join(command) + "\n" for command in commands))
        writable = [outputs] if outputs else []
        around = sandbox.around("program", work, writable, guard, [program]) if sandbox else []
        return run_guarded(
            guard,
            [*around, *under, str(program.resolve()), "--batch", "batch"],
            work,
            folder,
            timeout=timeout,
            variables=variables,
            limit_memory=limit_memory,
            file_bytes=file_bytes,
            sandboxed=sandbox is not None,
        )

    return _twice_if_killed(run)


def _give(file: Path, path: Path) -> None:
    """Have a file at another path, too, without a copy where the system can do so."""
    try:
        os.link(file, path)
    except OSError:
        shutil.copyfile(file, path)


def _twice_if_killed(run: Callable[[], Ended]) -> Ended:
    """How a program ended, which is run again if it was killed: one that kills itself does so each time.

    Raises KilledError where the system has killed for want of memory.
    """
    before = out_of_memory_kills()
    ended = run()
    if ended.reason != KILLED:
        return ended
    if out_of_memory_kills() == before:
        ended = run()
        if ended.reason != KILLED:
            return ended
    if out_of_memory_kills() != before:
        raise KilledError("a program")
    return dataclasses.replace(ended, reason="crash")


def guard_beside(program: Path) -> Path:
    """The guard (device/guard.cpp) that toolchains leave in the folder of each program."""
    return program.with_name("guard")


def run_program(
    command: Sequence[str],
    folder: Path,
    *,
    timeout: float,
    variables: Mapping[str, str],
    limit_memory: bool,
) -> Ended:
    """Run a program in `folder`, where its standard output and error are kept; limits as in `run_batch`."""
    guard = guard_beside(Path(command[0])).resolve()
    return _twice_if_killed(
        lambda: run_guarded(
            guard, command, folder, folder, timeout=timeout, variables=variables, limit_memory=limit_memory
        )
    )


def run_guarded(
    guard: Path,
    command: Sequence[str],
    work: Path,
    printed: Path,
    *,
    timeout: float,
    variables: Mapping[str, str],
    limit_memory: bool,
    memory_bytes: int = MEMORY_BYTES,
    file_bytes: int = FILE_BYTES,
    sandboxed: bool = False,
) -> Ended:
    """Run a command in the folder `work`; the folder `printed` keeps its standard output and error.
    `sandboxed` says that it begins with a sandbox, or is a shell's.
    """
    environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    wall_seconds = WALL_CLOCK_FACTOR * timeout
    limits = [wall_seconds, math.ceil(timeout), file_bytes, memory_bytes if limit_memory else 0]
    program = shutil.which(command[0]) or command[0]
    report, report_end = os.pipe()
    with (
        os.fdopen(report, "rb") as reported,
        (printed / "stdout").open("wb") as stdout,
        (printed / "stderr").open("wb") as stderr,
    ):
        try:
            process = subprocess.Popen(
                [str(guard), str(report_end), *map(str, limits), program, *command[1:]],
                cwd=work,
                env={**environment, **variables},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                pass_fds=[report_end],
            )
        finally:
            os.close(report_end)
        try:
            said = _report(reported, wall_seconds + GUARD_SECONDS)
        finally:
            process.kill()
            process.wait()
    return _ended(said, printed, timeout, sandboxed)


def _report(reported: BinaryIO, seconds: float) -> str:
    """What the guard says; nothing if a program has killed it or `seconds` have passed."""
    ready, _, _ = select.select([reported], [], [], seconds)
    return reported.readline().decode().strip() if ready else ""


def _ended(said: str, folder: Path, timeout: float, sandboxed: bool) -> Ended:
    begun = _last_begun(folder / "stdout")
    how, _, number = said.partition(" ")
    if how == "timeout":
        return Ended("timeout", f"no end within {WALL_CLOCK_FACTOR * timeout:g} s", begun)
    if how not in ("exit", "signal"):
        return Ended(KILLED, "the program has ended the process that watches over it", begun)
    status = int(number) if how == "exit" else -int(number)
    if sandboxed and status - BWRAP_SIGNALLED in signal.valid_signals():
        status = BWRAP_SIGNALLED - status
    if status == 0:
        return Ended(None, "", begun, status)
    if status == -signal.SIGXCPU:
        return Ended("timeout", f"no end within {timeout:g} s of CPU time", begun)
    words = _last_words(folder / "stderr")
    found = _PLACES.search(words)
    return Ended(
        _reason(status, words),
        _message(status, _PLACES.sub("", words)),
        begun,
        status if status > 0 else None,
        tuple(int(one, 16) for one in found[1].split()) if found else (),
    )


def _reason(status: int, words: str) -> str:
    if status in DEVICE_REASONS and words.startswith(DEVICE_WORDS):
        return DEVICE_REASONS[status]
    if status == -signal.SIGKILL:
        return KILLED
    if status > 0 and any(text in words for text in CUDA_MESSAGES):
        return "cuda_error"
    return "crash"


def _message(status: int, words: str) -> str:
    how = f"ended by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
    return f"{how}: {words}" if words else how


def _last_begun(stdout: Path) -> int | None:
    lines = [line for line in _tail(stdout).splitlines() if line.startswith("begin ")]
    number = lines[-1].removeprefix("begin ") if lines else ""
    return int(number) if number.isdigit() else None


def _last_words(stderr: Path) -> str:
    """The last line that a program wrote to its standard error, without the folders in it."""
    lines = [line.strip() for line in _tail(stderr).splitlines() if line.strip()]
    return lines[-1].replace(f"{stderr.parent}/", "") if lines else ""


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - MESSAGE_BYTES))
        return file.read().decode(errors="replace")
