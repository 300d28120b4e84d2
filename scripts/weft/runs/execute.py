"""Running one program: a process and a folder of its own, limits, and an end in bounded time."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import resource
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

MEMORY_BYTES = 4 * 2**30
FILE_BYTES = 2**30
MESSAGE_BYTES = 4096

DEVICE_REASONS = {
    81: "out_of_bounds",
    82: "misaligned",
    83: "deadlock",
    84: "cuda_error",
    85: "race",
    86: "unwritten_read",
}
"""Exit statuses of the CPU device (device/device.h) and what they mean."""

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

    `command` is the number of the command that it began last, if it began one.
    """

    reason: str | None
    message: str
    command: int | None


def run_batch(
    program: Path,
    commands: Sequence[Sequence[str]],
    folder: Path,
    *,
    timeout: float,
    variables: Mapping[str, str],
    limit_memory: bool,
) -> Ended:
    """Run a shard's program with `--batch` on `commands`, in the empty folder `folder`.

    The program has its own session; it and all processes of its group are killed when it ends or `timeout`
    (seconds) has passed. What it prints is kept for messages only: success means a zero exit status.
    """
    (folder / "batch").write_text("".join(" ".join(command) + "\n" for command in commands))
    return run_program(
        [str(program), "--batch", "batch"],
        folder,
        timeout=timeout,
        variables=variables,
        limit_memory=limit_memory,
    )


def run_program(
    command: Sequence[str],
    folder: Path,
    *,
    timeout: float,
    variables: Mapping[str, str],
    limit_memory: bool,
) -> Ended:
    """Run a program in `folder`, where its standard output and error are kept; limits as in `run_batch`."""
    environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    with (folder / "stdout").open("wb") as stdout, (folder / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        _limit(process.pid, timeout, limit_memory)
        in_time = _wait(process.pid, timeout)
        _kill_group(process.pid)
        status = process.wait()
    begun = _last_begun(folder / "stdout")
    if not in_time:
        return Ended("timeout", f"no end within {timeout:g} s", begun)
    if status == 0:
        return Ended(None, "", begun)
    words = _last_words(folder / "stderr")
    return Ended(_reason(status, words), _message(status, words), begun)


def _limit(pid: int, timeout: float, limit_memory: bool) -> None:
    seconds = math.ceil(timeout) + 1
    limits = [
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ]
    if limit_memory:
        limits.append((resource.RLIMIT_AS, MEMORY_BYTES))
    with contextlib.suppress(ProcessLookupError):
        for limit, value in limits:
            resource.prlimit(pid, limit, (value, value))


def _wait(pid: int, timeout: float) -> bool:
    """Wait for a child without reaping it; False if it still runs after `timeout` seconds."""
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(timeout * 1000))
    finally:
        os.close(handle)


def _kill_group(pid: int) -> None:
    """Kill a session's processes; the leader is not reaped yet, so that the number is still its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _reason(status: int, words: str) -> str:
    if status in DEVICE_REASONS and words.startswith("CPU device: "):
        return DEVICE_REASONS[status]
    if status == -signal.SIGXCPU:
        return "timeout"
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
