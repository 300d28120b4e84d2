"""A stranger's program finds no way out of its sandbox, and its compiler neither."""

import multiprocessing
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from weft.runs.build import make_guard
from weft.runs.execute import Ended, guard_beside, run_guarded
from weft.runs.sandbox import Kind, Sandbox, find_sandbox

NOBODY = 65534
HERE = Path(__file__).parent
WAYS = (
    *("another file", "a file beside", "temporary files", "shared memory", "a device", "pseudo terminals"),
    *("a secret", "users", "processes", "home", "forks", "a socket", "a pair of sockets", "to trace"),
    *("memory of the parent", "to signal the parent", "a namespace", "the calls of 32 bits", "other calls"),
)
OF_COMPILERS = {"temporary files", "forks"}
"""Which a compiler has, within limits."""

pytestmark = pytest.mark.needs("bwrap")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("box")
    make_guard("g++", folder / "program")
    subprocess.run(["g++", "-O1", HERE / "escapes.cpp", "-o", folder / "program"], check=True)
    (folder / "secret").write_text("expected outputs")
    return folder


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return find_sandbox()


def run(sandbox: Sandbox, place: Path, kind: Kind, way: str) -> Ended:
    """How `escapes WAY` ends, status 0 if the way is open."""
    work = place / "work"
    work.mkdir(exist_ok=True)
    program = place / "program"
    around = sandbox.around(kind, work, ["outputs"], guard_beside(program), [program])
    command = [*around, str(program), way]
    return run_guarded(
        guard_beside(program),
        command,
        work,
        place,
        timeout=1,
        variables={},
        limit_memory=True,
        sandboxed=True,
    )


@pytest.mark.parametrize("kind", ["program", "compiler"])
def test_what_it_needs(sandbox: Sandbox, place: Path, kind: Kind) -> None:
    assert run(sandbox, place, kind, "nothing").reason is None
    assert run(sandbox, place, kind, "outputs").reason is None


def test_what_only_its_owner_reads(sandbox: Sandbox, place: Path) -> None:
    folder = place / "closed"
    folder.mkdir(mode=0o700)
    (folder / "file").touch(mode=0o600)
    around = sandbox.around("compiler", place / "work", [], guard_beside(place / "program"), [folder])
    assert subprocess.run([*around, "/bin/cat", str(folder / "file")], check=False).returncode == 0


def test_how_it_ends(sandbox: Sandbox, place: Path) -> None:
    assert run(sandbox, place, "program", "a socket").message == "ended by SIGSYS"
    assert run(sandbox, place, "program", "time").message == "no end within 1 s of CPU time"


def test_nobody_stays(sandbox: Sandbox, place: Path) -> None:
    assert run(sandbox, place, "program", "to stay").reason is None
    time.sleep(0.6)
    assert (place / "work" / "outputs").read_text() == ""


@pytest.mark.parametrize("way", WAYS)
def test_ways_out(sandbox: Sandbox, place: Path, way: str) -> None:
    kinds: tuple[Kind, ...] = ("program", "compiler")
    for kind in kinds:
        if kind == "program" or way not in OF_COMPILERS:
            assert run(sandbox, place, kind, way).reason == "crash", kind


def test_who_is_not_root(place: Path) -> None:
    """Root becomes another user for it."""
    become: dict[str, Any] = {"initializer": os.setuid, "initargs": (NOBODY,)} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory() as name:
        open_place = Path(name)
        open_place.chmod(0o777)
        for file in ("guard", "program"):
            shutil.copy2(place / file, open_place)
        with multiprocessing.get_context("fork").Pool(1, **become) as pool:
            others = Sandbox(str(shutil.which("bwrap")), has_own_user=False)
            assert pool.apply(run, (others, open_place, "program", "outputs")).reason is None
            for way in ("another file", "forks"):
                assert pool.apply(run, (others, open_place, "program", way)).reason == "crash", way
