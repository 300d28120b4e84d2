"""Temporary folders of jobs, and the disk that they lie on."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from weft.errors import UserError

LEAST_FREE = 16 * 2**20
"""Bytes. Tools end in many ways on a full disk and seldom say why: below this, a fault may be the disk's."""


@contextlib.contextmanager
def scratch(prefix: str) -> Iterator[Path]:
    """A temporary folder.

    Raises UserError where it cannot be made, or when its disk, or the one that TMPDIR names, is nearly full
    at the end: a reject, a mutant that did not compile, or a crash there may not be the program's fault.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=f"weft-{prefix}-") as name:
            try:
                yield Path(name)
            finally:
                for folder in {name, os.environ.get("TMPDIR", name)}:
                    _check_space(Path(folder))
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise UserError(_message(Path(error.filename or tempfile.gettempdir()))) from error


def _check_space(folder: Path) -> None:
    if folder.is_dir() and shutil.disk_usage(folder).free < LEAST_FREE:
        raise UserError(_message(folder))


def _message(folder: Path) -> str:
    return (
        f"the disk of {folder} is full, so that nothing can be said about the kernels; "
        "free some space, or let TMPDIR name another folder, and the same command goes on"
    )
