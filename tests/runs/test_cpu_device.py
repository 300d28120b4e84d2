"""The CPU device behaves as CUDA documents, in all orders of threads."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hand_written import with_main

from weft.cache import cached_folder, fill_from_cache
from weft.errors import UserError
from weft.files import check_folder, made_files
from weft.runs import build
from weft.runs.build import WATCH_FLAGS, CpuToolchain, cached_device, make_device

CHECKS = Path(__file__).parent / "device_checks.cu"
NAMES = sorted(re.findall(r'check\("(\w+)"', CHECKS.read_text()))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("device")
    errors = CpuToolchain("g++", folder).compile(with_main(CHECKS.read_text()), folder / "program")
    assert errors is None, errors
    return folder / "program"


def run(program: Path, order: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "WEFT_THREAD_ORDER": order}
    command = [program, "sample", "--main", "/dev/stdout"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module", params=["forward", "reverse", "random"])
def printed(program: Path, request: pytest.FixtureRequest) -> list[str]:
    done = run(program, request.param)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_check(printed: list[str], name: str) -> None:
    assert f"{name} ok" in printed


def test_orders_are_forward_and_reverse(program: Path) -> None:
    assert run(program, "forward").stdout.splitlines()[-1] == "order 0 79"
    assert run(program, "reverse").stdout.splitlines()[-1] == "order 79 0"


def test_a_random_order_is_always_the_same(program: Path) -> None:
    drawn = run(program, "random").stdout.splitlines()[-1]
    assert drawn not in ("order 0 79", "order 79 0")
    assert run(program, "random").stdout.splitlines()[-1] == drawn


def test_an_unknown_order_is_refused(program: Path) -> None:
    done = run(program, "sideways")
    assert done.returncode != 0
    assert "WEFT_THREAD_ORDER is 'sideways' (allowed: forward, reverse, random)" in done.stderr


@pytest.mark.parametrize(
    "statement",
    [
        "atomicAdd(static_cast<long long*>(nullptr), 1ll);",
        "atomicMin(static_cast<float*>(nullptr), 1.0f);",
        "threadIdx.x = 1;",
    ],
)
def test_what_cuda_refuses_does_not_compile(program: Path, statement: str) -> None:
    text = f"#include <cuda_runtime.h>\n__global__ void kernel() {{ {statement} }}\nint main() {{}}\n"
    errors = CpuToolchain("g++", program.parent).compile(text, program.parent / "refused")
    assert errors is not None and "shard.cu:2" in errors


def test_a_compiler_that_fortifies_by_default_compiles_it(tmp_path: Path) -> None:
    """As Ubuntu's does: the headers of its C library then need the compiler's builtins."""
    compiler = tmp_path / "g++"
    compiler.write_text('#!/bin/sh\nexec g++ -D_FORTIFY_SOURCE=3 -fstack-clash-protection "$@"\n')
    compiler.chmod(0o755)
    make_device(str(compiler), tmp_path)
    assert (tmp_path / "driver.o").exists()


def test_the_device_is_compiled_once_for_all_programs(program: Path, tmp_path: Path) -> None:
    device = (program.parent / "device.o").resolve().parent
    made = (device / "device.o").stat().st_mtime_ns
    assert cached_device("g++") == device
    assert (device / "device.o").stat().st_mtime_ns == made
    own = CpuToolchain("g++", tmp_path, more=(*WATCH_FLAGS, "-Werror=invalid-pch"))
    assert own.compile_object("#include <cuda_runtime.h>\n", tmp_path / "own.o") is None
    other = CpuToolchain("g++", tmp_path, more=("-Werror=invalid-pch",))
    refused = other.compile_object("#include <cuda_runtime.h>\n", tmp_path / "other.o")
    assert refused is not None and "weft_program.h.gch" in refused


def test_processes_may_fill_the_cache_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one finds that the first has filled it in the meantime."""
    made = made_files(cached_device("g++"))
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))

    def make(compiler: str, folder: Path) -> None:
        for file in made:
            shutil.copy2(file, folder)

    def make_late(compiler: str, folder: Path) -> None:
        monkeypatch.setattr(build, "make_device", make)
        cached_device(compiler)
        make(compiler, folder)

    monkeypatch.setattr(build, "make_device", make_late)
    device = cached_device("g++")
    assert [path.name for path in tmp_path.iterdir()] == [device.name]


def test_a_cache_that_is_damaged_or_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(cached_device("g++").parent, cache)
    monkeypatch.setenv("WEFT_CACHE", str(cache))
    damaged = cached_device("g++") / "driver.o"
    damaged.write_bytes(damaged.read_bytes()[:1000])
    with pytest.raises(
        UserError, match=rf"^{damaged}: missing, cut off or damaged; delete .* to rebuild it$"
    ):
        CpuToolchain("g++", tmp_path).prepare()
    (tmp_path / "file").touch()
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"file cannot be written: .*; WEFT_CACHE names another folder$"):
        CpuToolchain("g++", tmp_path).prepare()


def test_a_build_copies_what_the_cache_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    made = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "guard").write_text("#!/bin/sh\n")
        (folder / "guard").chmod(0o755)

    for name in ("first", "second"):
        fill_from_cache(tmp_path / name, "device", b"key", make)
        check_folder(tmp_path / name)
        assert os.access(tmp_path / name / "guard", os.X_OK)
    assert len(made) == 1
    fill_from_cache(tmp_path / "other", "device", b"other key", make)
    assert len(made) == 2


@pytest.mark.parametrize("fault", ["damaged", "cannot be written"])
def test_a_build_does_without_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))

    def make(folder: Path) -> None:
        (folder / "guard").write_text("whole")

    if fault == "damaged":
        (cached_folder("device", b"key", make) / "guard").write_text("ha")
    else:
        (tmp_path / "cache").touch()
    fill_from_cache(tmp_path / "build", "device", b"key", make)
    check_folder(tmp_path / "build")
    assert (tmp_path / "build" / "guard").read_text() == "whole"
