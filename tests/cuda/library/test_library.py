"""A translated kernel is used from C++: a header, a source, and no `main`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from strict import NVCC_WARNINGS, WARNINGS
from weft.ptx.nvcc import find_toolkit
from weft.runs.build import CPU_FLAGS, SYSTEM_HEADERS, CpuToolchain
from weft.runs.rewrite import rewrite

FOLDER = Path(__file__).parent
SCRIPTS = FOLDER.parents[2] / "scripts"
EXPECTED = ["0 24 32", "-1 0 0", "0", "40", "0"]


def script(name: str, *arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(SCRIPTS / name), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def ir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ir") / "k.json"
    done = script("ir.py", FOLDER / "library_kernels.py", "-o", path, folder=path.parent)
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture(scope="module")
def library(ir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    done = script("cuda.py", ir, "--library", "-o", folder)
    assert done.returncode == 0, done.stderr
    return folder


def check(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_kernel_is_a_header_and_a_source(library: Path) -> None:
    assert sorted(path.name for path in library.iterdir()) == [
        "library_kernels_Spring.cuh",
        "pull.cu",
        "pull.cuh",
        "stretch.cu",
        "stretch.cuh",
    ]


def test_the_header_declares_the_launcher_and_its_types_and_states_the_contract(library: Path) -> None:
    assert (
        (library / "pull.cuh").read_text()
        == """\
// pull: Force of each spring on its first end.
// Translated from library_kernels.py.
#pragma once

#include <cuda_runtime.h>
#include "library_kernels_Spring.cuh"

namespace pull {

using library_kernels_types::Spring;

// Launches pull on a stream and does not wait for it. The result is that of the launch alone, for the caller
// to check; errors in the kernel show when the stream is synchronized.
// Arrays are in device memory, row-major, and do not overlap; extents count elements:
//   position  points elements, read
//   ends      n elements, read
//   springs   n elements, read
//   forces    n elements, written
// Precondition: elements of ends are indices of position.
cudaError_t launch_pull(const float3* position, const int2* ends, const Spring* springs, float3* forces,
                        int n, cudaStream_t stream = nullptr);

}  // namespace pull
"""
    )


def test_a_struct_of_several_kernels_has_a_header_of_its_own(library: Path) -> None:
    assert (
        (library / "library_kernels_Spring.cuh").read_text()
        == """\
// The struct Spring of several kernels.
// Translated from library_kernels.py.
#pragma once

#include <cuda_runtime.h>

namespace library_kernels_types {

// A linear spring.
struct Spring {
    float rest;
    float stiffness;
};

}  // namespace library_kernels_types
"""
    )


def test_a_struct_of_one_kernel_is_in_its_header(ir: Path, tmp_path: Path) -> None:
    assert script("cuda.py", ir, "--library", "--sample", "pull", "-o", tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pull.cu", "pull.cuh"]
    assert "struct alignas(8) Spring {" in (tmp_path / "pull.cuh").read_text()


def test_libraries_of_one_namespace_are_included_together(ir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    assert script("cuda.py", ir, "--library", "--namespace", "springs", "-o", folder).returncode == 0
    text = tmp_path / "caller.cpp"
    text.write_text(
        '#include "stretch.cuh"\n#include "pull.cuh"\n'
        "extern const springs::Spring given = {1.0f, 2.0f};\n"
        "auto* pull = springs::launch_pull;\nauto* stretch = springs::launch_stretch;\n"
    )
    flags = [*CPU_FLAGS, *SYSTEM_HEADERS, *WARNINGS, f"-I{folder}", "-fsyntax-only"]
    check(["g++", *flags, str(text)], tmp_path)


ARRAYS_IN_STRUCTS = """\
import warp as wp


@wp.struct
class Inner:
    weight: float


@wp.struct
class Grid:
    values: wp.array2d(dtype=float)
    inner: Inner


@wp.kernel
def whole(grid: Grid, inner: Inner):
    i, j = wp.tid()
    grid.values[i, j] = inner.weight * float(grid.values.shape[0])


@wp.kernel
def first(grid: Grid, inner: Inner):
    i = wp.tid()
    grid.values[0, i] = grid.inner.weight + inner.weight
"""


def test_a_struct_that_differs_stays_apart(tmp_path: Path) -> None:
    """A struct that holds arrays has members for what the kernel asks of them."""
    (tmp_path / "k.py").write_text(ARRAYS_IN_STRUCTS)
    assert script("ir.py", "k.py", "-o", "k.json", folder=tmp_path).returncode == 0
    done = script("cuda.py", "k.json", "--library", "-o", "apart", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "apart"
    assert [path.name for path in folder.glob("k_*")] == ["k_Inner.cuh"]
    for kernel in ("whole", "first"):
        assert "struct Grid {" in (folder / f"{kernel}.cuh").read_text()
    done = script("cuda.py", "k.json", "--library", "--namespace", "grids", "-o", "one", folder=tmp_path)
    assert done.returncode == 2
    assert "two kernels have different structs named 'Grid'" in done.stderr


def test_the_source_has_neither_main_nor_macros(library: Path) -> None:
    text = (library / "stretch.cu").read_text()
    assert text.startswith('#include "stretch.cuh"\n')
    assert not re.search(r"\bmain\b|#define|CUDA_CHECK|<cstdio>|exit", text)


def test_two_libraries_run_in_one_program(library: Path, tmp_path: Path) -> None:
    """On the CPU device; each file is compiled apart."""
    CpuToolchain("g++", tmp_path).prepare()
    objects = []
    for source in (library / "pull.cu", library / "stretch.cu", FOLDER / "caller.cpp"):
        text = tmp_path / f"{source.stem}.cpp"
        text.write_text(rewrite(source.read_text()))
        objects.append(f"{source.stem}.o")
        flags = [*CPU_FLAGS, *SYSTEM_HEADERS, *WARNINGS, f"-I{library}"]
        check(["g++", *flags, "-c", str(text), "-o", objects[-1]], tmp_path)
    check(["g++", *objects, "device.o", "-o", "program"], tmp_path)
    assert check(["./program"], tmp_path).splitlines() == EXPECTED


@pytest.mark.needs("nvcc")
def test_two_libraries_link_with_nvcc(library: Path, tmp_path: Path) -> None:
    nvcc = find_toolkit("pinned", "g++", "sm_75").nvcc
    sources = [str(path) for path in (library / "pull.cu", library / "stretch.cu", FOLDER / "caller.cpp")]
    check([nvcc, "-arch=sm_75", *NVCC_WARNINGS, f"-I{library}", *sources, "-o", "program"], tmp_path)


@pytest.mark.needs("nvcc")
def test_extern_c_gives_the_driver_api_a_plain_name(ir: Path, tmp_path: Path) -> None:
    options = ["--sample", "library_kernels-0000-0000", "--extern-c", "--namespace", "springs"]
    assert script("cuda.py", ir, "--library", "-o", tmp_path, *options).returncode == 0
    assert "namespace springs {" in (tmp_path / "pull.cuh").read_text()
    nvcc = find_toolkit("pinned", "g++", "sm_75").nvcc
    check([nvcc, "-arch=sm_75", *NVCC_WARNINGS, "-c", "pull.cu", "-o", "pull.o"], tmp_path)
    check([nvcc, "-arch=sm_75", "-ptx", "pull.cu", "-o", "pull.ptx"], tmp_path)
    assert ".visible .entry pull(" in (tmp_path / "pull.ptx").read_text()


def test_a_namespace_must_be_a_name(ir: Path, tmp_path: Path) -> None:
    done = script("cuda.py", ir, "--library", "-o", tmp_path, "--namespace", "namespace")
    assert (done.returncode, done.stderr) == (2, "cuda: 'namespace' cannot name a namespace in C++\n")


def test_two_kernels_of_one_name_are_an_error(ir: Path, tmp_path: Path) -> None:
    content = json.loads(ir.read_text())
    content["records"].append(content["records"][0] | {"sample_id": "library_kernels-0000-0009"})
    (tmp_path / "twice.json").write_text(json.dumps(content))
    done = script("cuda.py", tmp_path / "twice.json", "--library", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "two kernels are named 'pull': choose one with --sample" in done.stderr
    assert not (tmp_path / "out").exists()


def write_library(folder: Path, file: str, selection: str = "") -> subprocess.CompletedProcess[str]:
    """The library of a file's kernels, in the folder `out`."""
    assert script("ir.py", f"{file}{selection}", "-o", "k.json", folder=folder).returncode == 0
    return script("cuda.py", "k.json", "--library", "-o", "out", folder=folder)


FACTORY = """
import warp as wp

def make(count):
    @wp.kernel
    def scale_by(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * float(count)
    return scale_by
"""
PLAIN = """
import warp as wp

@wp.kernel
def scale_by(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
"""


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        (("a.py", ":make(3)"), ("a.py", ":make(4)"), ("a.py (a_make_3)", "a.py (a_make_4)")),
        (("a.py", ":make(3)"), ("b.py", ""), ("a.py (a_make_3)", "b.py")),
        (("b.py", ""), ("inner/b.py", ""), ("b.py", "inner/b.py")),
    ],
)
def test_a_library_is_not_overwritten_by_another_kernel_of_its_name(
    tmp_path: Path, first: tuple[str, str], second: tuple[str, str], named: tuple[str, str]
) -> None:
    (tmp_path / "inner").mkdir()
    for file, text in (("a.py", FACTORY), ("b.py", PLAIN), ("inner/b.py", PLAIN)):
        (tmp_path / file).write_text(text)
    assert write_library(tmp_path, *first).returncode == 0
    before = (tmp_path / "out/scale_by.cu").read_text()
    done = write_library(tmp_path, *second)
    message = (
        f"cuda: out/scale_by.cuh holds scale_by of {named[0]}, and scale_by of {named[1]} would overwrite "
        "it: remove it, or choose another --output\n"
    )
    assert (done.returncode, done.stderr) == (2, message)
    assert (tmp_path / "out/scale_by.cu").read_text() == before


def test_a_library_is_written_anew_for_its_own_kernel(tmp_path: Path) -> None:
    """After an edit, and whether the kernel is named alone or with its file."""
    (tmp_path / "b.py").write_text(PLAIN)
    assert write_library(tmp_path, "b.py").returncode == 0
    (tmp_path / "b.py").write_text(PLAIN.replace("2.0", "3.0"))
    assert write_library(tmp_path, "b.py", ":scale_by").returncode == 0
    assert "3.0f" in (tmp_path / "out/scale_by.cu").read_text()


@pytest.mark.parametrize("file", ["scale_by.cu", "scale_by.cuh"])
def test_files_of_the_users_own_are_not_overwritten(tmp_path: Path, file: str) -> None:
    (tmp_path / "b.py").write_text(PLAIN)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / file).write_text("// mine\n")
    done = write_library(tmp_path, "b.py")
    assert done.returncode == 2
    assert f"out/{file} was not written by this command, and scale_by of b.py would" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == [file]


@pytest.mark.needs("nvcc")
def test_the_header_says_what_structs_textures_and_tables_need(tmp_path: Path) -> None:
    """Arrays in a struct that nobody described, a texture, a table: one header each."""
    (tmp_path / "memory.py").write_text(MEMORY)
    assert script("ir.py", tmp_path / "memory.py", "-o", tmp_path / "k.json").returncode == 0
    done = script("cuda.py", tmp_path / "k.json", "--library", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    header = (tmp_path / "out" / "advance.cuh").read_text()
    assert "struct State {\n    float3* x;\n    float step;\n};" in header
    assert (
        "//   state.x  at least thread_count elements, read and written\n"
        "//   grid     at least thread_count x grid_cols, read\n" in header
    )
    header = (tmp_path / "out" / "look_up.cuh").read_text()
    assert "//   image  rows x cols of float4, a texture over a CUDA array\n" in header
    assert "// Before the first launch, set_weights fills the table weights.\n" in header
    assert "cudaError_t set_weights(const float* values, cudaStream_t stream = nullptr);\n" in header
    nvcc = find_toolkit("pinned", "g++", "sm_75").nvcc
    check([nvcc, "-arch=sm_75", "-c", "out/look_up.cu", "-o", "look_up.o"], tmp_path)


MEMORY = """\
import warp as wp


@wp.struct
class State:
    x: wp.array(dtype=wp.vec3)
    step: float


@wp.kernel
def advance(state: State, grid: wp.array2d(dtype=float)):
    i = wp.tid()
    state.x[i] = state.x[i] * state.step * grid[i, 0]


@wp.kernel
def look_up(image: wp.array2d(dtype=wp.vec4), weights: wp.array(dtype=float), out: wp.array2d(dtype=wp.vec4)):
    i, j = wp.tid()
    out[i, j] = image[i, j] * weights[j % 3]


LAUNCH = {
    "look_up": {
        "sizes": {"rows": "n", "cols": "2 * n"},
        "dims": ["rows", "cols"],
        "parameters": {
            "image": {"shape": ["rows", "cols"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "weights": {"shape": [3], "memory": "constant", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["rows", "cols"]},
        },
    }
}
"""
