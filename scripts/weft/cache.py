"""Folders that take seconds to make and are the same for all of a user's builds: they are made once."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from weft.errors import UserError
from weft.files import check_folder, fill_folder, made_files


def cached_folder(name: str, key: bytes, make: Callable[[Path], None]) -> Path:
    """The folder in the user's cache that `make` has filled for this key, filled if need be.

    The cache is `WEFT_CACHE`, or `weft` in `XDG_CACHE_HOME` or in `~/.cache`. Raises UserError if the cache
    cannot be written, and what `make` raises.
    """
    cache = _user_cache()
    folder = cache / f"{name}-{hashlib.sha256(key).hexdigest()[:16]}"
    if folder.exists():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".making-", dir=cache) as temporary:
            made = Path(temporary, "made")
            fill_folder(made, make)
            try:
                made.rename(folder)
            except OSError:
                # Another process was first, if its folder is there.
                if not folder.exists():
                    raise
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        raise UserError(f"{cache} cannot be written: {problem}; WEFT_CACHE names another folder") from error
    return folder


def fill_from_cache(folder: Path, name: str, key: bytes, make: Callable[[Path], None]) -> None:
    """Fill `folder` as `fill_folder` does, with a copy of what the cache has. Where the cache cannot be
    written, or is damaged, all is made anew.
    """
    try:
        cached = cached_folder(name, key, make)
        check_folder(cached)
    except UserError:
        fill_folder(folder, make)
        return

    def copy(to: Path) -> None:
        for file in made_files(cached):
            shutil.copyfile(file, to / file.name)
            shutil.copymode(file, to / file.name)

    fill_folder(folder, copy)


def _user_cache() -> Path:
    if own := os.environ.get("WEFT_CACHE"):
        return Path(own)
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path("~/.cache").expanduser()) / "weft"
