"""If a compiler, program or child process is killed from outside, its job fails and no sample is blamed."""

import os
import signal
import stat
from pathlib import Path

import pytest

from weft.child import Child, Send, each_in_order
from weft.cuda import formatting
from weft.errors import KilledError
from weft.kernels import emit_module
from weft.ptx.nvcc import Toolkit
from weft.runs import execute
from weft.runs.build import CpuToolchain, make_guard
from weft.runs.execute import Ended, run_program
from weft.tools import run_tool

KILL = "kill -9 $$"
GCC_PART = "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1"
NVCC_PART = "echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\" >&2; exit 9"
SAYS_SO = r"was killed by SIGKILL \(out of memory\?\); the same command tries again"


def tool(folder: Path, name: str, commands: str) -> str:
    """A program of that name that does what the shell's commands say."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{commands}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize("commands", [KILL, GCC_PART])
def test_the_compiler_of_a_shard(commands: str, tmp_path: Path) -> None:
    make_guard("g++", tmp_path / "program")
    for name in ("device.o", "driver.o"):
        (tmp_path / name).touch()
    toolchain = CpuToolchain(tool(tmp_path, "g++", commands), tmp_path, tmp_path)
    with pytest.raises(KilledError, match=SAYS_SO):
        toolchain.compile_object("int main() {}", tmp_path / "shard.o")


@pytest.mark.parametrize("commands", [KILL, NVCC_PART, GCC_PART])
def test_the_compiler_of_ptx(commands: str, tmp_path: Path) -> None:
    nvcc = tool(tmp_path, "nvcc", commands)
    with pytest.raises(KilledError, match=SAYS_SO):
        Toolkit(nvcc, nvcc, "g++", "sm_75").ptx("", tmp_path)


def test_the_formatter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formatter = tool(tmp_path, "clang-format", KILL)
    monkeypatch.setattr(formatting.clang_format, "get_executable", lambda _: formatter)
    with pytest.raises(KilledError, match=f"clang-format {SAYS_SO}"):
        formatting.format_texts(["int i;"])


def test_the_formatter_of_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formatter = tool(tmp_path, "ruff", KILL)
    monkeypatch.setattr(emit_module, "find_ruff_bin", lambda: formatter)
    with pytest.raises(KilledError, match=f"ruff {SAYS_SO}"):
        emit_module.laid_out(["i = 1"])


def kill_itself(send: Send, *_: object) -> None:
    """The work of a child that something kills."""
    send("begun")
    os.kill(os.getpid(), signal.SIGKILL)


def watch_one_that_is_killed(send: Send) -> None:
    """The work of a child that has a child of its own."""
    with Child(kill_itself) as grandchild:
        for message in grandchild.messages(None):
            send(message)


@pytest.mark.parametrize("work", [kill_itself, watch_one_that_is_killed])
def test_a_child_and_a_childs_child(work: object) -> None:
    with Child(work) as child, pytest.raises(KilledError, match=SAYS_SO):  # type: ignore[arg-type]
        assert list(child.messages(None)) == ["begun"]


def test_what_kills_a_child_is_no_item_of_its_work() -> None:
    with pytest.raises(KilledError, match=SAYS_SO):
        list(each_in_order(kill_itself, [1, 2], patience=20.0))


def test_a_program_that_was_killed_runs_again(tmp_path: Path) -> None:
    """From outside: the first time only."""
    make_guard("g++", tmp_path / "program")
    once = tool(tmp_path, "once", f'test -e "{tmp_path}/before" && exit 0; touch "{tmp_path}/before"; {KILL}')
    assert ended_of(once, tmp_path) == Ended(None, "", None, 0)


def test_a_program_that_kills_itself_does_so_again(tmp_path: Path) -> None:
    make_guard("g++", tmp_path / "program")
    ended = ended_of(tool(tmp_path, "always", KILL), tmp_path)
    assert (ended.reason, ended.message) == ("crash", "ended by SIGKILL")


def test_a_program_that_was_killed_for_want_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = iter(["oom_kill 1", "oom_kill 2", "oom_kill 2"])
    monkeypatch.setattr(execute, "out_of_memory_kills", lambda: next(counts))
    make_guard("g++", tmp_path / "program")
    with pytest.raises(KilledError, match=f"a program {SAYS_SO}"):
        ended_of(tool(tmp_path, "always", KILL), tmp_path)


def ended_of(program: str, folder: Path) -> Ended:
    """How a program ended, run as the programs of samples are."""
    return run_program([program], folder, timeout=20.0, variables={}, limit_memory=True)


@pytest.mark.parametrize("bytes_", [b"\xff\xfe", b"gr\xf6\xdfe", bytes(range(128, 256))])
def test_no_byte_that_a_tool_prints_ends_the_job(bytes_: bytes, tmp_path: Path) -> None:
    (tmp_path / "said").write_bytes(bytes_)
    done = run_tool([tool(tmp_path, "says", f'cat "{tmp_path}/said"; cat "{tmp_path}/said" >&2')])
    assert done.stdout == done.stderr == bytes_.decode(errors="replace")
