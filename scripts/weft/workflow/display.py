"""A build's progress on the terminal: a table that is drawn anew each second; in a log, a line a stage."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from weft.workflow.progress import Progress


class Display:
    """Shows `progress` on a stream from `start` to `stop`; tells of stages that are done where `stream` is no
    terminal, if `tells`.
    """

    def __init__(self, progress: Progress, stream: TextIO, *, tells: bool) -> None:
        self._progress = progress
        self._console = Console(file=stream, highlight=False)
        self._tells = tells
        self._begun = ""
        self._live = Live(
            get_renderable=self._drawn,
            console=self._console,
            refresh_per_second=1,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )

    @property
    def live(self) -> bool:
        """Whether there is a terminal to draw on."""
        return self._console.is_terminal and not self._console.is_dumb_terminal

    def start(self) -> None:
        """Begin to draw."""
        if self.live:
            self._live.start()

    def stop(self) -> None:
        """Leave the last table where it is; it is safe to call this twice."""
        self._live.stop()

    def started(self, job: int) -> None:
        """A job has started."""
        self._progress.started(job)

    def finished(self, job: int) -> None:
        """A job has ended well."""
        line = self._progress.finished(job)
        if line and self._tells and not self.live:
            self.write(f"{line}\n")

    def write(self, text: str) -> int:
        """Print text above the table: what a stream does, for those who write to one."""
        *lines, self._begun = f"{self._begun}{text}".split("\n")
        for line in lines:
            self._console.print(Text.from_ansi(line), soft_wrap=True)
        return len(text)

    def flush(self) -> None:
        """Lines are printed when they end."""

    def _drawn(self) -> RenderableType:
        return Group("", self._progress.table(), Text(self._progress.summary(), end=""))
