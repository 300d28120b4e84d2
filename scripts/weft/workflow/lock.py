"""One build at a time in a folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class BuildLock:
    """A lock of the operating system on a file: it ends with the process, also when that is killed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def acquire(self) -> bool:
        """Take the lock. False if another process holds it."""
        if self.held:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Give the lock back; it is safe to call this without holding it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
