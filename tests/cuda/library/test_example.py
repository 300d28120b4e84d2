"""examples/cpp: a C++ project that calls two translated kernels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from strict import WARNINGS
from weft.ptx.nvcc import find_toolkit
from weft.runs.build import CPU_FLAGS, SYSTEM_HEADERS, CpuToolchain
from weft.runs.rewrite import rewrite

REPOSITORY = Path(__file__).parents[3]
EXAMPLE = REPOSITORY / "examples" / "cpp"


def run(*command: object, folder: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def has_gpu() -> bool:
    return Path("/dev/nvidiactl").exists()


@pytest.mark.needs("cmake", "nvcc")
def test_the_project_builds_with_cmake(tmp_path: Path) -> None:
    """Compiled and linked; run where there is a GPU."""
    nvcc = find_toolkit("pinned", "g++", "sm_75").nvcc
    run(
        "cmake",
        "-S",
        EXAMPLE,
        "-B",
        tmp_path,
        f"-DCMAKE_CUDA_COMPILER={nvcc}",
        f"-DPython3_EXECUTABLE={sys.executable}",
        folder=tmp_path,
    )
    run("cmake", "--build", tmp_path, folder=tmp_path)
    assert (tmp_path / "heat").is_file()
    if has_gpu():
        assert "largest difference" in run("./heat", folder=tmp_path)


def test_the_program_agrees_with_its_host_code_on_the_cpu_device(tmp_path: Path) -> None:
    scripts = REPOSITORY / "scripts"
    heat = REPOSITORY / "examples" / "heat.py"
    run(sys.executable, "-P", scripts / "ir.py", heat, "-o", "heat.json", folder=tmp_path)
    run(sys.executable, "-P", scripts / "cuda.py", "heat.json", "--library", "-o", ".", folder=tmp_path)
    CpuToolchain("g++", tmp_path).prepare()
    sources = [tmp_path / "diffuse.cu", tmp_path / "heat_sources.cu", EXAMPLE / "main.cpp"]
    for source in sources:
        (tmp_path / f"{source.stem}.cpp").write_text(rewrite(source.read_text()))
    files = [f"{source.stem}.cpp" for source in sources]
    flags = [*CPU_FLAGS, *SYSTEM_HEADERS, *WARNINGS]
    run("g++", *flags, "-I.", *files, "device.o", "-o", "heat", folder=tmp_path)
    assert run("./heat", folder=tmp_path) == "hottest cell 80.00, largest difference to the host 0\n"
