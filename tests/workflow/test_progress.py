"""How far a build is, on a terminal and in a log."""

import io
import os
import pty
import re
import subprocess
import threading
from pathlib import Path

import pytest

from building import Build
from weft.files import write_json
from weft.reference.store import read_manifest
from weft.workflow.display import Display
from weft.workflow.progress import Job, Progress, rejects_in


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def ran(progress: Progress, clock: Clock, number: int, seconds: float) -> str | None:
    progress.started(number)
    clock.now += seconds
    return progress.finished(number)


def test_the_time_left_follows_from_the_jobs_that_have_ended() -> None:
    clock = Clock()
    jobs = {number: Job("ir" if number < 4 else "cuda", 5) for number in range(8)}
    progress = Progress(jobs, clock)
    for number in range(3):
        assert ran(progress, clock, number, 2) is None
    assert progress.seconds_left() is None
    assert ran(progress, clock, 3, 2) == "ir: 20 kernels in 4 jobs, 0 rejects"
    assert progress.seconds_left() == 4 * 2
    ran(progress, clock, 4, 1)
    assert progress.seconds_left() == 3 * 1
    # With two at a time it takes half as long.
    progress.started(5)
    progress.started(6)
    assert progress.seconds_left() == 1.5


def test_a_job_that_is_tried_again_counts_once() -> None:
    clock = Clock()
    progress = Progress({7: Job("runs on cpu", 0)}, clock)
    progress.started(7)
    assert ran(progress, clock, 7, 3) == "runs on cpu: 1 job, 0 rejects"
    assert progress.finished(99) is None


def test_kernels_of_a_source_are_counted_once_it_is_read(tmp_path: Path) -> None:
    listed, ir = tmp_path / "0.py", tmp_path / "0.json"
    jobs = {1: Job("kernels", 4), 2: Job("kernels", 0, source=listed), 3: Job("ir", 0, source=ir)}
    progress = Progress(jobs)
    listed.write_text('# weft shard\nSOURCE = {"kernels": ["one", "two"]}\n# end of weft shard\n')
    write_json(ir, {"records": [{}], "rejects": [{}, {}]})
    assert progress.finished(1) is None
    assert progress.finished(2) == "kernels: 6 kernels in 2 jobs, 0 rejects"
    assert progress.finished(3) == "ir: 3 kernels in 1 job, 0 rejects"


def test_rejects_are_counted_in_files_of_stages(small_build: Build, tmp_path: Path) -> None:
    reject = {"reason": "unsupported", "message": "no\n  {"}
    for count in range(3):
        content = {"samples": [reject] * 4, "rejects": [reject] * count, "seed": 0, "versions": {}}
        write_json(tmp_path / "shard.json", content)
        assert rejects_in(tmp_path / "shard.json") == count
    reference = small_build.results / "reference/loop/0.npz"
    assert rejects_in(reference) == len(read_manifest(reference)["rejects"])
    (tmp_path / "k.cu").write_text("")
    assert rejects_in(tmp_path / "k.cu") == rejects_in(tmp_path / "missing.json") == 0


def test_a_log_gets_a_line_a_stage() -> None:
    log = io.StringIO()
    display = Display(Progress({1: Job("ir", 4), 2: Job("ir", 4), 3: Job("cuda", 4)}), log, tells=True)
    display.start()
    for number in (1, 2, 3):
        display.started(number)
        display.finished(number)
    display.stop()
    assert log.getvalue() == "ir: 8 kernels in 2 jobs, 0 rejects\ncuda: 4 kernels in 1 job, 0 rejects\n"


def on_a_terminal(build: Build, *options: str) -> str:
    """What Snakemake shows on a terminal of 100 columns, without its colours and moves."""
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def read() -> None:
        while True:
            try:
                shown.append(os.read(ours, 1 << 16))
            except OSError:
                return

    reader = threading.Thread(target=read)
    reader.start()
    environment = build.environment(TERM="xterm-256color", COLUMNS="100", LINES="60")
    subprocess.run(
        build.command(*options),
        cwd=build.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        check=True,
        timeout=240,
    )
    os.close(theirs)
    reader.join()
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", b"".join(shown).decode())


@pytest.mark.workflow
def test_a_terminal_shows_a_table_of_stages_and_nothing_of_jobs(
    build_copy: Build, small_config: list[str]
) -> None:
    (build_copy.results / "cuda/loop/0.cu").unlink()
    shown = on_a_terminal(build_copy, "cuda", "--cores", "2", *small_config)
    assert re.search(r"^stage +jobs +kernels +kernels/s +rejects", shown, re.MULTILINE)
    assert re.search(r"^cuda +1 of 1 +2 of 2 ", shown, re.MULTILINE)
    assert "100 %" in shown
    assert "jobid" not in shown
    assert "Execute" not in shown
