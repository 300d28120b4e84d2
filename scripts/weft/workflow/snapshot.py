"""Files as they were before a look at a build."""

from __future__ import annotations

import os
from pathlib import Path

from weft.files import write_atomically


class Snapshot:
    """What is at some places now, files and folders of small files, so that it can be put back."""

    def __init__(self, *places: Path) -> None:
        self._places = places
        self._folders = {path for place in places for path in _parents(place) if path.is_dir()}
        self._files = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in self._now()}

    def restore(self) -> None:
        """Put back what was changed or removed, with its time, and remove what is new."""
        for path in self._now() - self._files.keys():
            path.unlink()
        for path, (content, time) in self._files.items():
            if not path.is_file() or (path.read_bytes(), path.stat().st_mtime_ns) != (content, time):
                write_atomically(path, content)
                os.utime(path, ns=(time, time))
        for folder in sorted({one for place in self._places for one in _parents(place)}, reverse=True):
            if folder.is_dir() and folder not in self._folders and not any(folder.iterdir()):
                folder.rmdir()

    def _now(self) -> set[Path]:
        found = [[place] if place.is_file() else place.rglob("*") for place in self._places]
        return {path for paths in found for path in paths if path.is_file()}


def _parents(place: Path) -> set[Path]:
    """The folders at a place, and those that it is in, down from the current one."""
    inside = {path for path in place.rglob("*") if path.is_dir()} if place.is_dir() else set()
    return {place, *inside, *(path for path in place.parents if path != Path())}
