"""Programs of several launches: equal to Warp, one text with all kernels, and clear errors."""

import ast
import copy
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from stages import judged, translate_into

from weft.cuda.library import LibraryOptions, translate_library, write_libraries
from weft.cuda.program import CudaProgram, translate
from weft.errors import UserError
from weft.files import write_json
from weft.ir.build import build_ir
from weft.ptx.nvcc import find_toolkit
from weft.source_files import literal, parse_source, read_source

ROOT = Path(__file__).resolve().parents[3]
SOURCE = ROOT / "examples" / "smoothing.py"
LAUNCH = literal(parse_source(SOURCE, read_source(SOURCE)), "LAUNCH")


@pytest.fixture(scope="module")
def ir(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return build_ir(SOURCE, category="smoothing", seed=0, device="cuda")


@pytest.fixture(scope="module")
def program(ir: dict[str, Any]) -> CudaProgram:
    return translate(ir["records"][-1])


def test_the_program_is_a_sample_beside_its_kernels(ir: dict[str, Any]) -> None:
    names = [record["kernel_name"] for record in ir["records"]]
    assert names == ["smooth", "count_above", "largest_of_pair", "smooth_and_search"]
    record = ir["records"][-1]
    assert [kernel["kernel_name"] for kernel in record["kernels"]] == names[:3]
    text = record["python_source"]
    assert "def smooth_and_search(u, v, threshold, total, largest):" in text
    assert "    wp.launch(smooth, dim=u.shape[0], inputs=[u, v])" in text
    assert "    wp.launch(largest_of_pair, dim=largest.shape[0], inputs=[u, largest])" in text


def test_its_outputs_equal_those_of_warp(
    ir: dict[str, Any], tmp_path: Path, warp_headers: tuple[str, ...]
) -> None:
    write_json(tmp_path / "ir.json", ir)
    translate_into(tmp_path)
    assert judged(SOURCE, tmp_path, warp_headers) == [
        ("smooth", "verified", "bits"),
        ("count_above", "verified", "bits"),
        ("largest_of_pair", "verified", "bits"),
        ("smooth_and_search", "verified", "bits"),
    ]


def test_each_kernel_has_a_launcher_and_one_function_calls_them(program: CudaProgram) -> None:
    text = program.standalone
    for kernel in ("smooth", "count_above", "largest_of_pair"):
        assert text.count(f"cudaError_t launch_{kernel}(") == 1
    body = text[text.index("cudaError_t launch_smooth_and_search(") :]
    loop, rest = body.split("cudaMemsetAsync(total, 0, sizeof(*total), stream)")
    assert "repetition < 3" in loop
    assert loop.index("launch_smooth(u, v") < loop.index("launch_smooth(v, u")
    assert "Branch branch(stream);" in rest
    assert "branch.stream())" in rest


@pytest.mark.needs("nvcc")
def test_nvcc_takes_it(program: CudaProgram, tmp_path: Path) -> None:
    ptx = find_toolkit("pinned", "g++", "sm_75").ptx(program.standalone, tmp_path)
    assert ptx.count(".entry") == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e: e["steps"].append({"kernel": "blur", "dims": ["n"]}), "no kernel 'blur'"),
        (lambda e: e["parameters"].pop("largest"), "missing 'largest', which largest_of_pair takes"),
        (lambda e: e["parameters"].update(w={"role": "out", "shape": ["n"]}), "no kernel takes 'w'"),
        (lambda e: e["steps"].append({"zero": "threshold"}), "'threshold' cannot be set to zero"),
        (
            lambda e: e["steps"].append({"repeat": 0, "steps": []}),
            "expected a number from 1 to 1000000, got 0",
        ),
        (lambda e: e["steps"].append({"swap": ["u", "v"]}), "unknown key 'swap'"),
        (
            lambda e: e["steps"][0]["steps"][0].update(dims=["n - 1"]),
            "'n - 1' is 0 for n = 1; must be positive",
        ),
        (lambda e: e.update(dims=["n"]), "give either dims or steps, not both"),
    ],
)
def test_a_description_that_does_not_fit_is_refused(change: Any, message: str, tmp_path: Path) -> None:
    assert LAUNCH is not None
    described = copy.deepcopy(LAUNCH[0])
    change(described["smooth_and_search"])
    kernels = SOURCE.read_text(encoding="utf-8").split("LAUNCH = ")[0]
    (tmp_path / "k.py").write_text(f"{kernels}LAUNCH = {described!r}\n", encoding="utf-8")
    rejects = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")["rejects"]
    assert [reject["reason"] for reject in rejects] == ["bad_launch"]
    assert message in rejects[0]["message"]


OVERLAPPING = """
import warp as wp

HALF = wp.constant(0.5)
THIRD = wp.constant(0.25)


@wp.func
def squared(x: float):
    \"\"\"Opens a set: {x.\"\"\"
    return x * x


@wp.func
def successor(x: float):
    return x + 1.0


@wp.kernel
def measure(v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    if v[i][0] < 0.0:
        wp.printf("below {\\n")
    out[i] = squared(wp.length(v[i])) * HALF + successor(THIRD)


@wp.kernel
def turn(v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = out[i] + successor(wp.dot(wp.cross(v[i], v[i]), v[i])) * THIRD


LAUNCH = {"both": {
    "steps": [{"kernel": "measure", "dims": ["n"]}, {"kernel": "turn", "dims": ["n"]}],
    "parameters": {
        "v": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
        "out": {"role": "out", "shape": ["n"]},
    },
}}
"""


def program_of(folder: Path, source: str) -> str:
    (folder / "k.py").write_text(source, encoding="utf-8")
    return translate(build_ir(folder / "k.py", category="k", seed=0, device="cuda")["records"][-1]).standalone


@pytest.mark.needs("nvcc")
def test_what_kernels_have_in_common_is_there_once(tmp_path: Path) -> None:
    """Some of the constants, helpers and functions of one kernel are all that another has; a comment and a
    string hold braces.
    """
    program = program_of(tmp_path, OVERLAPPING)
    for definition in ("constexpr float THIRD", "float dot(", "float successor("):
        assert program.count(definition) == 1
    assert "_parts" not in program
    find_toolkit("pinned", "g++", "sm_75").ptx(program, tmp_path)


SCALED = """
import warp as wp


@wp.func
def halved(x: wp.vec3):
    return x * 0.5


@wp.func
def scaled(x: wp.vec3):
    return {factor} * wp.length(halved(x))
"""

TWO_MODULES = """
import warp as wp

import doubling
import halving


@wp.kernel
def add_double(values: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = doubling.scaled(values[i])


@wp.kernel
def add_half(values: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = out[i] + halving.scaled(values[i])


LAUNCH = {"both": {
    "steps": [{"kernel": "add_double", "dims": ["n"]}, {"kernel": "add_half", "dims": ["n"]}],
    "parameters": {
        "values": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
        "out": {"role": "out", "shape": ["n"]},
    },
}}
"""


@pytest.mark.needs("nvcc")
def test_functions_of_one_name_stand_apart(tmp_path: Path) -> None:
    """Two kernels call different functions that have one name: each keeps its own, and what both have in
    common stays shared. A call is not ambiguous where a vector's type brings in names of its namespace.
    """
    for name, factor in (("doubling", "2.0"), ("halving", "0.5")):
        (tmp_path / f"{name}.py").write_text(SCALED.format(factor=factor), encoding="utf-8")
    program = program_of(tmp_path, TWO_MODULES)
    for kernel in ("add_double", "add_half"):
        assert f"namespace {kernel}_parts {{" in program
        assert f"{kernel}_parts::launch_{kernel}(" in program
    assert program.count("float scaled(") == 2
    assert program.count("float3 halved(") == program.count("float length(") == 1
    find_toolkit("pinned", "g++", "sm_75").ptx(program, tmp_path)


def test_several_launches_are_a_library(ir: dict[str, Any]) -> None:
    record = ir["records"][-1]
    (library,) = write_libraries([translate_library(record, LibraryOptions())], LibraryOptions())
    launcher = f"cudaError_t launch_{library.name}("
    assert launcher in library.header and "cudaStream_t stream = nullptr)" in library.header
    assert launcher in library.source and "nullptr)" not in library.source
    assert library.source.count("__global__") == len(record["kernels"]) and "main(" not in library.source
    with pytest.raises(UserError, match="no kernel to name by --extern-c"):
        translate_library(record, LibraryOptions(extern_c=True))


@pytest.mark.needs("nvcc")
def test_a_library_of_several_launches_compiles(ir: dict[str, Any], tmp_path: Path) -> None:
    (library,) = write_libraries([translate_library(ir["records"][-1], LibraryOptions())], LibraryOptions())
    for name, text in library.files.items():
        (tmp_path / name).write_text(text)
    nvcc = find_toolkit("pinned", "g++", "sm_75").nvcc
    command = [nvcc, "-std=c++17", "-arch=sm_75", "-c", f"{library.name}.cu", "-o", "library.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


BY_GROUP = """
import warp as wp


@wp.kernel
def add_up(
    values: wp.array(dtype=float), groups_of: wp.array(dtype=int), count: int, totals: wp.array(dtype=float)
):
    i = wp.tid()
    if i < count:
        wp.atomic_add(totals, groups_of[i], values[i])


LAUNCH = {"totals_by_group": {
    "sizes": {"groups": "(n + 7) // 8"},
    "steps": [
        {"zero": "totals"},
        {"kernel": "add_up", "dims": ["(n + 31) // 32 * 32"]},
    ],
    "parameters": {
        "values": {"shape": ["n"], "values": {"integers": [0, 9]}},
        "groups_of": {"shape": ["n"], "values": {"integers": [0, "groups"]}},
        "count": {"values": {"size": "n"}},
        "totals": {"role": "out", "shape": ["groups"]},
    },
}}

PARTS = ["add_up"]
"""


def test_an_extent_of_an_array_is_a_parameter_however_it_is_described(tmp_path: Path) -> None:
    """As in Python, which reads it from the array's shape."""
    (tmp_path / "k.py").write_text(BY_GROUP, encoding="utf-8")
    built = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
    text = translate(built["records"][-1]).standalone
    assert "float* totals, int groups, cudaStream_t stream = nullptr)" in " ".join(text.split())
    assert "cudaMemsetAsync(totals, 0, groups * sizeof(*totals), stream)" in text


SQUARE = """
import warp as wp


@wp.kernel
def mark(grid: wp.array2d(dtype=float)):
    i, j = wp.tid()
    grid[i, j] = grid[i, j] + 1.0


LAUNCH = {"marked": {
    "steps": [{"zero": "grid"}, {"kernel": "mark", "dims": ["n", "n"]}],
    "parameters": {"grid": {"role": "out", "shape": ["n", "n"]}},
}}
"""


def test_the_bytes_of_a_large_array_are_no_int(tmp_path: Path) -> None:
    """From n = 46,341 on, n * n overflows one."""
    assert "cudaMemsetAsync(grid, 0, size_t(n) * n * sizeof(*grid), stream)" in program_of(tmp_path, SQUARE)


MOVED = """
import warp as wp


@wp.kernel
def grow(x: wp.array2d(dtype=float)):
    i, j = wp.tid()
    x[i, j] = 2.0 * x[i, j]


@wp.kernel
def shift(x: wp.array2d(dtype=float), rows: int, cols: int, y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[(i + 1) % rows, (j + 1) % cols]


LAUNCH = {"moved": {
    "sizes": {"rows": "(n + 63) // 64", "cols": "64"},
    "steps": [{"kernel": "grow", "dims": ["rows", "cols"]}, {"kernel": "shift", "dims": ["rows", "cols"]}],
    "parameters": {
        "x": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
        "rows": {"values": {"size": "rows"}},
        "cols": {"values": {"size": "cols"}},
        "y": {"role": "out", "shape": ["rows", "cols"]},
    },
}}
"""


def test_elements_that_an_int_cannot_count_are_refused_before_the_first_launch(tmp_path: Path) -> None:
    text = program_of(tmp_path, MOVED)
    body = text[text.index("cudaError_t launch_moved(") :]
    refusal = (
        "if (rows <= 0 || cols <= 0) return cudaSuccess;\n"
        "    if (int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;"
    )
    assert body.index(refusal) < body.index("launch_grow(x, rows * cols, stream)")


PADDED = """
import warp as wp


@wp.kernel
def copy(source: wp.array2d(dtype=float), target: wp.array2d(dtype=float)):
    i, j = wp.tid()
    target[i, j] = source[i, j]


LAUNCH = {"padded": {
    "sizes": {"rows": "(n + 7) // 8", "cols": "8"},
    "steps": [
        {"kernel": "copy", "dims": ["rows", "cols"], "arguments": {"source": "x", "target": "wide"}},
        {"kernel": "copy", "dims": ["rows", "cols"], "arguments": {"source": "wide", "target": "y"}},
    ],
    "parameters": {
        "x": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
        "wide": {"role": "inout", "shape": ["rows", "cols + 3"], "values": {"constant": 0.0}},
        "y": {"role": "out", "shape": ["rows", "cols"]},
    },
}}
"""


def test_launches_that_differ_share_no_extent(tmp_path: Path) -> None:
    text = program_of(tmp_path, PADDED)
    assert (
        "const float* source, float* target, int rows, int cols, int target_cols, int source_cols"
        in " ".join(text.split())
    )


def test_parts_are_no_samples_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(BY_GROUP, encoding="utf-8")
    built = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
    assert [(one["index"], one["kernel_name"]) for one in built["records"]] == [(0, "totals_by_group")]
    assert [one["kernel_name"] for one in built["records"][0]["kernels"]] == ["add_up"]


def test_writing_the_python_leaves_the_description_alone(tmp_path: Path) -> None:
    """The sizes of one program are read again for the next, under names of its own."""
    (tmp_path / "k.py").write_text(BY_GROUP, encoding="utf-8")
    for _ in range(2):
        built = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
        assert built["rejects"] == []
        assert "wp.launch(add_up, dim=(count + 31) // 32 * 32" in built["records"][0]["python_source"]


BANDS = """
import warp as wp


@wp.kernel
def fill(x: wp.array2d(dtype=float)):
    i, j = wp.tid()
    x[i, j] = float(i - j)


def fills(x):
    pass


LAUNCH = {{"fills": {{
    "sizes": {{"rows": "n // 2 + 4", "{name}": "24"}},
    "parameters": {{"x": {{"role": "inout", "shape": ["rows", "{name}"], "values": {{"constant": 0.0}}}}}},
    "steps": [{{"zero": "x"}}, {{"repeat": 2, "steps": [
        {{"kernel": "fill", "dims": ["rows", "{name}"], "arguments": {{"x": "x"}}}}]}}],
}}}}
"""


@pytest.mark.parametrize(("name", "local"), [("bands", "bands"), ("repetition", "repetition_size")])
def test_sizes_of_the_description_have_their_names(tmp_path: Path, name: str, local: str) -> None:
    """Those of expressions and of numbers; but none that a loop over steps counts with."""
    (tmp_path / "k.py").write_text(BANDS.format(name=name), encoding="utf-8")
    ir = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
    assert not ir["rejects"]
    text = translate(ir["records"][-1]).standalone.partition("cudaError_t launch_fills(")[2]
    assert text.startswith(f"float* x, int rows, int {local}, cudaStream_t stream = nullptr)")
    assert f"launch_fill(x, rows, {local}, stream)" in text


NODES = """
import warp as wp


@wp.kernel
def fill(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


@wp.kernel
def clear(x: wp.array2d(dtype=float)):
    i, j = wp.tid()
    x[i, j] = 0.0


LAUNCH = {"fills": {
    "sizes": {
        "rows": "n // 32 + 3", "cols": 24, "num_nodes": "rows * cols", "num_cells": "(rows - 1) * (cols - 1)",
    },
    "steps": [{"kernel": "clear", "dims": ["rows", "cols"], "arguments": {"x": "grid"}},
              {"kernel": "fill", "dims": ["num_nodes"], "arguments": {"x": "nodes"}},
              {"kernel": "fill", "dims": ["num_cells"], "arguments": {"x": "cells"}}],
    "parameters": {
        "grid": {"role": "out", "shape": ["rows", "cols"]},
        "nodes": {"role": "out", "shape": ["num_nodes"]},
        "cells": {"role": "out", "shape": ["num_cells"]},
    },
}}
"""


def test_sizes_that_follow_from_others_are_computed(tmp_path: Path) -> None:
    text = program_of(tmp_path, NODES).partition("cudaError_t launch_fills(")[2]
    body = " ".join(text.partition("}")[0].split())
    assert body.startswith("float* grid, float* nodes, float* cells, int rows, int cols, cudaStream_t stream")
    refusal = "if (int64_t(rows) * cols > INT_MAX || int64_t(rows - 1) * (cols - 1) "
    assert body.index("if (rows <= 0 || cols <= 0) return cudaSuccess;") < body.index(refusal)
    definitions = "const int num_nodes = rows * cols; const int num_cells = (rows - 1) * (cols - 1);"
    assert f"{refusal}> INT_MAX) return cudaErrorInvalidValue; {definitions}" in body


CONTENTS = """
import warp as wp


@wp.kernel
def largest(values: wp.array(dtype=float), found: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_max(found, 0, values[i])


@wp.kernel
def take_root(found: wp.array(dtype=float)):
    found[0] = wp.sqrt(found[0])


LAUNCH = {"program": {
    "steps": STEPS,
    "parameters": {
        "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "found": {"role": "ROLE", "shape": [1]},
    },
}}
"""
SEARCH = {"kernel": "largest", "dims": ["n"]}
ROOT_OF = {"kernel": "take_root", "dims": [1]}
ZERO = {"zero": "found"}

# What the steps say of the array where its largest value is searched for: that it holds numbers, or nothing.
KNOWN = {
    "zeros": ([ZERO, SEARCH], True),
    "zeros each time": ([{"repeat": 3, "steps": [ZERO, SEARCH, ROOT_OF]}], True),
    "zeros before a loop that changes them": ([ZERO, {"repeat": 3, "steps": [SEARCH, ROOT_OF]}], False),
    "a root": ([ZERO, ROOT_OF, SEARCH], False),
    "zeros once and a root once": ([ZERO, SEARCH, ROOT_OF, SEARCH], False),
    "what the description says": ([SEARCH, ROOT_OF], True),
    "that, before a loop that changes it": ([{"repeat": 2, "steps": [SEARCH, ROOT_OF]}], False),
    "zeros that another branch changes": ([ZERO, {"parallel": [[SEARCH], [ROOT_OF]]}], False),
}


@pytest.mark.parametrize(("steps", "known"), KNOWN.values(), ids=KNOWN)
def test_a_kernel_relies_on_zeros_before_all_its_launches(
    tmp_path: Path, steps: list[Any], known: bool
) -> None:
    steps = [*steps, *([ROOT_OF] if "take_root" not in repr(steps) else [])]
    role = '"out"' if "zero" in repr(steps) else '"inout", "values": {"uniform": [-1.0, 1.0]}'
    text = CONTENTS.replace("STEPS", repr(steps)).replace('"ROLE"', role)
    (tmp_path / "k.py").write_text(text, encoding="utf-8")
    built = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
    assert not built["rejects"]
    assert ("atomicCAS" not in translate(built["records"][-1]).standalone) == known


STRIDES = """
import warp as wp


@wp.kernel
def add_left(before: wp.array(dtype=int), stride: int, after: wp.array(dtype=int)):
    i = wp.tid()
    total = before[i]
    if i >= stride:
        total += before[i - stride]
    after[i] = total


PARTS = ["add_left"]
LAUNCH = {"scan_quads": {
    "steps": [
        {"kernel": "add_left", "dims": ["n"], "arguments": {"before": "x", "stride": 1, "after": "y"}},
        {"kernel": "add_left", "dims": ["n"], "arguments": {"before": "y", "stride": 2, "after": "x"}},
    ],
    "parameters": {
        "x": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 9]}},
        "y": {"role": "out", "shape": ["n"]},
    },
}}
"""


def test_a_step_passes_an_integer(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(STRIDES, encoding="utf-8")
    ir = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
    assert "wp.launch(add_left, dim=y.shape[0], inputs=[y, 2, x])" in ir["records"][0]["python_source"]
    text = translate(ir["records"][0]).standalone
    assert "launch_add_left(x, 1, y, n, stream)" in text
    assert "launch_add_left(y, 2, x, n, stream)" in text
    assert "before[i - stride]" in text


def test_warp_agrees_with_a_step_that_passes_an_integer(
    tmp_path: Path, warp_headers: tuple[str, ...]
) -> None:
    (tmp_path / "k.py").write_text(STRIDES, encoding="utf-8")
    write_json(tmp_path / "ir.json", build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda"))
    translate_into(tmp_path)
    samples = judged(tmp_path / "k.py", tmp_path, warp_headers)
    assert [verdict for _, verdict, _ in samples] == ["verified"]


def test_the_python_has_the_description_as_its_docstring(tmp_path: Path) -> None:
    told = 'Apply "two" steps of a scan, \\\\ and more of it, in words that go beyond the end of the line.'
    source = STRIDES.replace('"steps": [', f'"description": {told!r},\n    "steps": [')
    (tmp_path / "k.py").write_text(source, encoding="utf-8")
    text = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")["records"][0]["python_source"]
    function = ast.parse(text).body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert (ast.get_docstring(function) or "").split() == told.split()
    assert max(map(len, text.splitlines())) <= 100


LINKED = """
import warp as wp


@wp.kernel
def link(order: wp.array(dtype=int), next: wp.array(dtype=int)):
    i = wp.tid()
    next[i] = order[i] FIRST


@wp.kernel
def jump(next: wp.array(dtype=int), further: wp.array(dtype=int)):
    i = wp.tid()
    further[i] = next[next[i]] LATER


LAUNCH = {"jumped": {
    "steps": [{"kernel": "link", "dims": ["n"]}, {"repeat": 3, "steps": [
        {"kernel": "jump", "dims": ["n"]},
        {"kernel": "jump", "dims": ["n"], "arguments": {"next": "further", "further": "next"}}]}],
    "parameters": {
        "order": {"shape": ["n"], "values": {"permutation": "n"}},
        "next": {"role": "out", "shape": ["n"]},
        "further": {"role": "out", "shape": ["n"]},
    },
}}
"""


@pytest.mark.parametrize(("first", "later", "wraps"), [("", "", 0), ("- 1", "", 1), ("", "- 1", 1)])
def test_indices_that_kernels_leave_are_not_negative(
    tmp_path: Path, first: str, later: str, wraps: int
) -> None:
    """Through all repetitions, or in none."""
    text = program_of(tmp_path, LINKED.replace("FIRST", first).replace("LATER", later))
    assert text.count("next[wrap_index(") == wraps
    assert text.count("// Precondition: no element of next is negative.") == 1 - wraps


def test_no_negative_number_of_bytes_is_cleared(tmp_path: Path) -> None:
    text = program_of(tmp_path, SQUARE)
    assert text.index("if (n <= 0) return cudaSuccess;") < text.index("cudaMemsetAsync")


def test_the_last_launch_gives_the_result(tmp_path: Path) -> None:
    body = program_of(tmp_path, MOVED).partition("cudaError_t launch_moved(")[2]
    assert body.partition("\n}")[0].rstrip().endswith("return launch_shift(x, rows, cols, y, stream);")


EQUALIZED = """
import warp as wp

LEVELS = wp.constant(64)


@wp.kernel
def count(pixels: wp.array(dtype=int), counts: wp.array(dtype=int)):
    wp.atomic_add(counts, pixels[wp.tid()], 1)


@wp.kernel
def invert(counts: wp.array(dtype=int), inverted: wp.array(dtype=int)):
    level = wp.tid()
    inverted[level] = counts[LEVELS - 1 - level]


LAUNCH = {"histogram": {
    "steps": [
        {"zero": "counts"},
        {"kernel": "count", "dims": ["n"]},
        {"kernel": "invert", "dims": [64]},
    ],
    "parameters": {
        "pixels": {"shape": ["n"], "values": {"integers": [0, 64]}},
        "counts": {"role": "out", "shape": [64]},
        "inverted": {"role": "out", "shape": [64]},
    },
}}
"""


def test_a_size_has_one_name_in_all_kernels_of_a_program(tmp_path: Path) -> None:
    """The first kernel does not name the number itself."""
    text = program_of(tmp_path, EQUALIZED)
    assert re.findall(r"constexpr int (\w+) =", text) == ["LEVELS"]
    assert "__shared__ int shared_counts[LEVELS];" in text
    assert "cudaMemsetAsync(counts, 0, LEVELS * sizeof(*counts), stream)" in text
