"""What runs a program: limits that hold from its first instruction on, and nobody left behind."""

import os
import time
from pathlib import Path

import pytest

from weft.runs.build import make_guard
from weft.runs.execute import FILE_BYTES, MEMORY_BYTES, Ended, run_program


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guarded")
    make_guard("g++", folder / "program")
    return folder


def run(place: Path, script: str, timeout: float = 20.0, limit_memory: bool = True) -> Ended:
    program = place / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return run_program([str(program)], place, timeout=timeout, variables={}, limit_memory=limit_memory)


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_limits_hold_from_the_start(place: Path) -> None:
    assert run(place, "ulimit -t; ulimit -f; ulimit -c; ulimit -v") == Ended(None, "", None, status=0)
    said = (place / "stdout").read_text().split()
    assert said == ["20", str(FILE_BYTES // 512), "0", str(MEMORY_BYTES // 1024)]


def test_the_guard_says_how_a_program_ended(place: Path) -> None:
    assert run(place, "echo 'CPU device: a race' >&2; exit 85").reason == "race"
    assert run(place, "kill -ABRT $$").message == "ended by SIGABRT"
    assert run(place, "sleep 30", timeout=0.2).message == "no end within 1 s"


def test_limits_are_of_processor_time(place: Path) -> None:
    assert run(place, "sleep 0.5", timeout=0.2).reason is None
    assert run(place, "while :; do :; done", timeout=1.0) == Ended(
        "timeout", "no end within 1 s of CPU time", None
    )


@pytest.mark.parametrize("leaves", ["setsid sleep 60 & echo $! > left", "(setsid sleep 60 & echo $! > left)"])
def test_who_leaves_the_session_ends_with_the_program(place: Path, leaves: str) -> None:
    assert run(place, leaves).reason is None
    assert is_gone(int((place / "left").read_text()))


def test_who_leaves_the_session_ends_at_a_timeout(place: Path) -> None:
    assert run(place, "setsid sleep 60 & echo $! > left; sleep 60", timeout=0.5).reason == "timeout"
    assert is_gone(int((place / "left").read_text()))


def test_a_program_that_ends_its_guard_gains_nothing(place: Path) -> None:
    start = time.monotonic()
    ended = run(place, "kill -9 $PPID; sleep 60")
    assert (ended.reason, time.monotonic() - start < 10) == ("crash", True)


def test_a_program_cannot_speak_for_its_guard(place: Path) -> None:
    ended = run(place, 'for fd in /proc/$$/fd/*; do echo "exit 0" > "$fd"; done 2>/dev/null; exit 7')
    assert ended.reason == "crash"
