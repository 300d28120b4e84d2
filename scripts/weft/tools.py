"""Running other programs: what they print may be any bytes, and one that is killed has said nothing."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from weft.errors import KilledError

_PART_KILLED = re.compile(
    r"^[^\s:]+: fatal error: Killed signal terminated program (\w+)"
    r"|^nvcc error\s*: '(\w+)' died due to signal 9\b",
    re.MULTILINE,
)
"""How g++ and nvcc say that one of the programs that they consist of was killed."""


def run_tool(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    seconds: float | None = None,
    text: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end in `folder`, with `text` as its input, and keep what it prints.

    Raises OSError or subprocess.TimeoutExpired, and KilledError if something has killed it.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )
    if done.returncode == -signal.SIGKILL:
        raise KilledError(Path(command[0]).name)
    require_parts_alive(command[0], done.stderr + done.stdout)
    return done


def require_parts_alive(tool: str, messages: str) -> None:
    """Raises KilledError if a compiler tells that a part of it was killed."""
    if killed := _PART_KILLED.search(messages):
        raise KilledError(f"{killed[1] or killed[2]} of {Path(tool).name}")


def is_out_of_time(messages: str) -> bool:
    """Whether g++ tells that a part of it has come to the limit of its CPU time."""
    return "CPU time limit exceeded signal terminated program" in messages


def out_of_memory_kills() -> str:
    """How many processes the system has killed for want of memory so far; empty if it does not say."""
    try:
        counters = Path("/proc/vmstat").read_text(encoding="ascii").splitlines()
    except OSError:
        return ""
    return next((line for line in counters if line.startswith("oom_kill ")), "")
