"""A folder that is there as a whole, or not at all."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from weft.errors import UserError


@contextlib.contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """An empty folder that takes the place of `folder` if the block ends well, and else is removed.

    Raises UserError where nothing can be written (a full disk).
    """
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir(parents=True)
        yield new
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
