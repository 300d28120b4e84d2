"""Bubblewrap round what a stranger wrote: its compiler and its program see the system's libraries and the
files that they are given, may write one file, and make the system calls that they need (device/inside.h).

https://github.com/containers/bubblewrap; it needs root, or unprivileged user namespaces.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from weft.errors import UserError
from weft.scratch import scratch
from weft.tools import run_tool

SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
"""What compilers and programs need of the system, read-only."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
PROBE_SECONDS = 20
TEMPORARY = "/tmp"
TEMPORARY_BYTES = 1 << 28
"""Of a compiler's temporary files, which are in memory."""

Kind = Literal["compiler", "program"]
MOST_PROCESSES: dict[Kind, int] = {"compiler": 32, "program": 8}
"""Of a sandbox, its own included. A program on the CPU device has one beside its own while a kernel runs."""

_OWN_USER = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
)
"""For root: the guard then becomes a user of this sandbox alone."""
_NAMESPACE = ("--unshare-all", "--cap-drop", "ALL")


@dataclasses.dataclass(frozen=True)
class Sandbox:
    """Where strangers' code runs: no network, no other processes, a read-only system without /home, /proc or
    /etc, and a folder whose files it can read, which is the working directory. `has_own_user` says that root
    starts it.
    """

    bwrap: str
    has_own_user: bool

    def around(
        self,
        kind: Kind,
        folder: Path,
        writable: Sequence[str],
        guard: Path,
        readable: Sequence[Path] = (),
    ) -> list[str]:
        """The words in front of a command that runs in `folder` and may write there the files `writable`,
        which are made if they are not there. `readable` are more files and folders that can be read. The
        first word of the command must be a path.
        """
        temporary = ["--perms", "1777", "--size", str(TEMPORARY_BYTES), "--tmpfs", TEMPORARY]
        words = self.outer(folder, writable, [*readable, guard], temporary if kind == "compiler" else [])
        return [*words, str(guard.resolve()), "inside", kind, str(MOST_PROCESSES[kind])]

    def outer(
        self, folder: Path, writable: Sequence[str], readable: Sequence[Path], more: Sequence[str] = ()
    ) -> list[str]:
        """The part of bubblewrap: what there is inside. `more` are options for what comes first."""
        place = folder.resolve()
        words = [self.bwrap, *(_OWN_USER if self.has_own_user else _NAMESPACE)]
        words += ["--die-with-parent", "--new-session", *more]
        for device in DEVICES:
            words += _bound("--dev-bind", Path(device))
        for path in map(Path, SYSTEM):
            if path.is_symlink():
                words += ["--symlink", str(path.readlink()), str(path)]
            elif path.exists():
                words += _bound("--ro-bind", path)
        for path in (*readable, place):
            words += _bound("--ro-bind", path.resolve())
        for name in writable:
            (place / name).touch()
            words += _bound("--bind", place / name)
        if self.has_own_user:
            _open_to_all(place, writable, readable)
        return [*words, "--remount-ro", "/", "--chdir", str(place), "--"]


def _bound(how: str, path: Path) -> list[str]:
    """What is at `path` outside is there inside; folders above it can be passed by everybody."""
    above = [
        word for parent in list(path.parents)[-2::-1] for word in ("--perms", "0755", "--dir", str(parent))
    ]
    return [*above, how, str(path), str(path)]


def _open_to_all(folder: Path, writable: Sequence[str], others: Sequence[Path]) -> None:
    """Another user can read the folder, its files and those of the others, and write some; nobody comes to
    the folder but in the sandbox, since the one above it is closed.
    """
    folder.chmod(0o755)
    for path in (*folder.iterdir(), *others, *(inner for one in others for inner in one.glob("*"))):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode | mode >> 6 & 0o5 != mode:
            path.chmod(mode | mode >> 6 & 0o5)
    for name in writable:
        (folder / name).chmod(0o666)


def find_sandbox() -> Sandbox:
    """The sandbox of this machine. Raises UserError if bubblewrap is missing or cannot work here."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise UserError("bubblewrap (bwrap) is not installed, and programs of others run only inside it")
    said = ""
    for has_own_user in (True, False) if _has_users() else (False,):
        sandbox = Sandbox(bwrap, has_own_user)
        try:
            with scratch("probe") as folder:
                done = run_tool([*sandbox.outer(folder, [], []), "/usr/bin/env"], seconds=PROBE_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise UserError("bubblewrap (bwrap) hangs on this machine") from error
        if done.returncode == 0:
            return sandbox
        said = said or done.stderr.strip()
    raise UserError(f"bubblewrap does not work on this machine: {said or 'no message'}")


def _has_users() -> bool:
    """Whether this process can become any user, who could then read the CPU device's headers."""
    if os.geteuid() != 0 or not (Path(__file__).parent / "include").stat().st_mode & stat.S_IROTH:
        return False
    return Path("/proc/self/uid_map").read_text(encoding="ascii").split() == ["0", "0", str(2**32 - 1)]
