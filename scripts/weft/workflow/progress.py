"""How far a build is: what its jobs have done, stage by stage, and about how long the others take."""

from __future__ import annotations

import collections
import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from weft.errors import UserError
from weft.reference.store import read_manifest
from weft.stats.tree import kernel_names, numbered

_FEWEST = 4
"""Jobs that have to have ended before anybody says how long the others take."""


@dataclasses.dataclass(frozen=True)
class Job:
    """A job of a stage: how many kernels it works on, and the files that it writes.

    Nobody knows how many kernels a source has until it is read: the file `source` then lists them.
    """

    stage: str
    kernels: int
    outputs: Sequence[Path] = ()
    source: Path | None = None


@dataclasses.dataclass
class _Stage:
    jobs: int = 0
    kernels: int = 0
    jobs_done: int = 0
    kernels_done: int = 0
    rejects: int = 0
    seconds: float = 0.0


class Progress:
    """What is known of the jobs of a build, by their numbers; `clock` tells the time in seconds."""

    def __init__(self, jobs: Mapping[int, Job], clock: Callable[[], float] = time.monotonic) -> None:
        self._jobs = jobs
        self._clock = clock
        self._begun: dict[int, float] = {}
        self._most = 1
        self._stages: dict[str, _Stage] = collections.defaultdict(_Stage)
        for job in jobs.values():
            self._stages[job.stage].jobs += 1
            self._stages[job.stage].kernels += job.kernels

    def started(self, number: int) -> None:
        """A job has started, perhaps once more."""
        if number in self._jobs:
            self._begun[number] = self._clock()
            self._most = max(self._most, len(self._begun))

    def finished(self, number: int) -> str | None:
        """A job has ended well: a line that says so if it was the last one of its stage."""
        if number not in self._jobs:
            return None
        job, now = self._jobs[number], self._clock()
        stage = self._stages[job.stage]
        stage.jobs_done += 1
        listed = kernels_in(job.source) if job.source else 0
        stage.kernels += listed
        stage.kernels_done += job.kernels + listed
        stage.seconds += now - self._begun.pop(number, now)
        stage.rejects += sum(map(rejects_in, job.outputs))
        if stage.jobs_done < stage.jobs:
            return None
        kernels = f"{stage.kernels:,} kernels in " * bool(stage.kernels)
        return f"{job.stage}: {kernels}{_counted(stage.jobs, 'job')}, {_counted(stage.rejects, 'reject')}"

    def seconds_left(self) -> float | None:
        """About how long the build still takes; None while nobody can tell.

        A job takes as long as those of its stage did, or, where none has ended, as long as all did.
        """
        done = sum(stage.jobs_done for stage in self._stages.values())
        if done < _FEWEST:
            return None
        mean = sum(stage.seconds for stage in self._stages.values()) / done
        work = sum(
            (stage.jobs - stage.jobs_done) * (stage.seconds / stage.jobs_done if stage.jobs_done else mean)
            for stage in self._stages.values()
        )
        return work / self._most

    def table(self) -> Table:
        """A row for each stage, in the order of its first job."""
        table = Table(box=None, pad_edge=False, header_style="dim")
        for column in ("stage", "jobs", "kernels", "kernels/s", "rejects"):
            table.add_column(column, justify="left" if column == "stage" else "right")
        for name, stage in self._stages.items():
            rate = stage.kernels_done / stage.seconds * self._most if stage.seconds and stage.kernels else 0
            style = "green" if stage.jobs_done == stage.jobs else "" if stage.jobs_done else "dim"
            table.add_row(
                name,
                f"{stage.jobs_done:,} of {stage.jobs:,}",
                f"{stage.kernels_done:,} of {stage.kernels:,}" if stage.kernels else "",
                f"{rate:.3g}" if rate else "",
                f"{stage.rejects:,}" if stage.rejects else "",
                style=style,
            )
        return table

    def summary(self) -> str:
        """How far the whole is."""
        done, left = sum(stage.jobs_done for stage in self._stages.values()), self.seconds_left()
        told = f", about {_duration(left)} left" if left else ""
        return f"{100 * done / max(1, len(self._jobs)):.0f} %{told}"


def kernels_in(path: Path) -> int:
    """How many kernels a source has, by its manifest (.py) or its IR (.json); 0 if it cannot be read.

    A manifest lists kernels alone: a program of several launches, which LAUNCH describes, counts from the
    IR on.
    """
    try:
        return len(kernel_names(path)) if path.suffix == ".py" else numbered(path)
    except UserError:
        return 0


def rejects_in(path: Path) -> int:
    """How many kernels the file of a stage rejects; 0 for a file without a list of them."""
    try:
        if path.suffix == ".npz":
            return len(read_manifest(path)["rejects"])
        # The list alone is looked at: files of large shards have megabytes.
        _, found, rest = path.read_bytes().rpartition(b'\n "rejects": [\n')
    except (OSError, UserError):
        return 0
    return rest.partition(b"\n ]")[0].count(b"\n  {") + rest.startswith(b"  {") if found else 0


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes >= 5 else f"{minutes} min {rest} s" if minutes else f"{rest} s"
