"""Bubblewrap round what a stranger wrote: its compiler and its program see the system's libraries and one
folder, and nothing else.

https://github.com/containers/bubblewrap; it needs unprivileged user namespaces, or root.
"""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from weft.errors import UserError
from weft.tools import run_tool

SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
"""What compilers and programs need of the system, read-only."""
PROBE_SECONDS = 20
MOST_PROCESSES = 64
"""Of a sandbox, its own and the compiler's included."""


@dataclasses.dataclass(frozen=True)
class Sandbox:
    """Where strangers' code runs: no network, no other processes, a read-only system without /home, /proc,
    /tmp or /etc, and one folder to write in, which is also the working directory. `readable` are more files
    and folders that can be read there.
    """

    bwrap: str
    readable: tuple[Path, ...] = ()

    def around(self, folder: Path, readable: Sequence[Path] = (), guard: Path | None = None) -> list[str]:
        """The words in front of a command that runs in `folder`. A `guard` (device/guard.cpp) limits its
        number of processes; the first word of the command must then be a path.
        """
        words = [self.bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        words += ["--dev", "/dev"]
        for path in map(Path, SYSTEM):
            if path.is_symlink():
                words += ["--symlink", str(path.readlink()), str(path)]
            elif path.exists():
                words += ["--ro-bind", str(path), str(path)]
        limited = [str(guard.resolve()), "processes", str(MOST_PROCESSES)] if guard else []
        for path in (*self.readable, *readable, *([guard] if guard else [])):
            words += ["--ro-bind", str(path.resolve()), str(path.resolve())]
        place = str(folder.resolve())
        return [*words, "--bind", place, place, "--remount-ro", "/", "--chdir", place, "--", *limited]


def find_sandbox() -> Sandbox:
    """The sandbox of this machine. Raises UserError if bubblewrap is missing or cannot work here."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise UserError("bubblewrap (bwrap) is not installed, and a stranger's code runs only in it")
    command = [*Sandbox(bwrap).around(Path("/usr")), "/usr/bin/env"]
    try:
        done = run_tool(command, seconds=PROBE_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise UserError("bubblewrap (bwrap) does not end on this machine") from error
    if done.returncode != 0:
        raise UserError(f"bubblewrap does not work on this machine: {done.stderr.strip() or 'no message'}")
    return Sandbox(bwrap)
