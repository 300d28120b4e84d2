"""What the launcher of a program takes: the sizes of a caller's arrays, none of the description's own."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from strict import WARNINGS
from weft.cuda.device_code import KernelParameter
from weft.cuda.program import translate
from weft.cuda.program_sizes import ProgramSizes
from weft.cuda.tree import INT
from weft.ir.build import build_ir
from weft.launch import Launch, Parameter
from weft.runs.build import DEVICE_OBJECT, HERE, CpuToolchain, make_object

KERNELS = """
import warp as wp


@wp.kernel
def twice(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]


@wp.kernel
def add_neighbor(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] + x[(i + 1) % x.shape[0]]


@wp.kernel
def number_nodes(grid: wp.array2d(dtype=float), nodes: wp.array(dtype=float)):
    i, j = wp.tid()
    nodes[i * grid.shape[1] + j] = grid[i, j]


@wp.kernel
def collect(keys: wp.array(dtype=int), sums: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_add(sums, keys[i], 1)


@wp.kernel
def scale(shift: int, grid: wp.array2d(dtype=float)):
    i, j = wp.tid()
    grid[i, j] *= float(1 << shift)


@wp.kernel
def shrink(shift: int, x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] /= float(1 << (shift + 4))


@wp.kernel
def double_nodes(grid: wp.array2d(dtype=float)):
    i, j = wp.tid()
    grid[i, j] *= 2.0


@wp.kernel
def add_up(nodes: wp.array(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(total, 0, nodes[i])


LAUNCH = {
    "capped": {
        "sizes": {"size": "min(n, 251) + 3"},
        "steps": [{"kernel": "twice", "dims": ["size"]}, {"kernel": "add_neighbor", "dims": ["size"]}],
        "parameters": {
            "x": {"role": "inout", "shape": ["size"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["size"]},
        },
    },
    "apart": {
        "sizes": {"count": "n // 4 + 3"},
        "steps": [{"zero": "sums"}, {"kernel": "collect", "dims": ["n"]}],
        "parameters": {
            "keys": {"shape": ["n"], "values": {"integers": [0, "count"]}},
            "sums": {"role": "out", "shape": ["count"]},
        },
    },
    "flat": {
        "sizes": {"rows": "(n + 63) // 64 + 2", "cols": 24, "num_nodes": "rows * cols"},
        "steps": [
            {"zero": "nodes"},
            {"kernel": "number_nodes", "dims": ["rows", "cols"]},
            {"kernel": "twice", "dims": ["num_nodes"], "arguments": {"x": "nodes"}},
        ],
        "parameters": {
            "grid": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "nodes": {"role": "out", "shape": ["num_nodes"]},
        },
    },
    "whole": {
        "sizes": {"rows": "n + 2", "cols": "n + 1", "num_nodes": "rows * cols"},
        "steps": [
            {"kernel": "double_nodes", "dims": ["rows", "cols"]},
            {"zero": "nodes"},
            {"kernel": "twice", "dims": ["num_nodes"], "arguments": {"x": "nodes"}},
        ],
        "parameters": {
            "grid": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "nodes": {"role": "out", "shape": ["num_nodes"]},
        },
    },
    "fourfold": {
        "sizes": {"count": "4 * n"},
        "steps": [
            {"zero": "x"},
            {"kernel": "twice", "dims": ["n"]},
            {"kernel": "twice", "dims": ["count"], "arguments": {"x": "y"}},
        ],
        "parameters": {
            "x": {"role": "out", "shape": ["n"]},
            "y": {"role": "inout", "shape": ["count"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "counted": {
        "sizes": {"rows": "n + 2", "cols": "n + 1", "num_nodes": "rows * cols"},
        "steps": [
            {"zero": "total"},
            {"kernel": "number_nodes", "dims": ["rows", "cols"]},
            {"kernel": "add_up", "dims": ["num_nodes"]},
        ],
        "parameters": {
            "grid": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "nodes": {"role": "out", "shape": ["num_nodes"]},
            "total": {"role": "out", "shape": [1]},
        },
    },
    "late": {
        "sizes": {"cols": "min(n, 16)"},
        "steps": [
            {"kernel": "twice", "dims": ["n"]},
            {"kernel": "scale", "dims": ["n", "cols"]},
            {"kernel": "shrink", "dims": ["n"]},
        ],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "shift": {"values": {"integers": [0, 8]}},
            "grid": {"role": "inout", "shape": ["n", "cols"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
}

PARTS = ["twice", "add_neighbor", "number_nodes", "collect", "scale", "shrink", "add_up", "double_nodes"]
"""

# Arrays by their elements, and how a person calls the launcher for them.
CALLS = {
    "capped": ("Array<float> x(40), y(40);", "x.device, y.device, 40"),
    "apart": ("Array<int> keys(1000), sums(1);", "keys.device, sums.device, 1000, 1"),
    "late": ("Array<float> x(10), grid(70);", "x.device, 3, grid.device, 10, 7"),
    "flat": ("Array<float> grid(5 * 7), nodes(5 * 7);", "grid.device, nodes.device, 5, 7"),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("programs") / "k.py"
    path.write_text(KERNELS, encoding="utf-8")
    ir = build_ir(path, category="k", seed=0, device="cuda")
    assert not ir["rejects"]
    return {record["kernel_name"]: record for record in ir["records"]}


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("device") / DEVICE_OBJECT
    make_object("g++", path)
    return path


@pytest.mark.parametrize("name", CALLS)
def test_a_launcher_accesses_nothing_outside_arrays_of_the_sizes_it_is_given(
    programs: dict[str, Any], device: Path, name: str, tmp_path: Path
) -> None:
    arrays, arguments = CALLS[name]
    text, _, main = translate(programs[name]).standalone.partition("int main() {")
    assert main
    call = f"CUDA_CHECK(launch_{name}({arguments}));\n    CUDA_CHECK(cudaDeviceSynchronize());"
    own = f"{text}int main() {{\n    {arrays}\n    {call}\n    return 0;\n}}\n"
    toolchain = CpuToolchain("g++", tmp_path, more=WARNINGS)
    assert toolchain.compile_object(own, tmp_path / "program.o") is None
    script = f"-Wl,-T,{HERE / 'device' / 'constants.ld'}"
    command = ["g++", "program.o", str(device), script, "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True)
    ended = subprocess.run([tmp_path / "program"], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_a_later_launch_would_refuse_is_refused_before_the_first(programs: dict[str, Any]) -> None:
    text = translate(programs["late"]).text
    body = text[text.index("cudaError_t launch_late(") :]
    before = body[: body.index("launch_twice(")]
    assert "shift < 0 || shift > 27" in before


@pytest.mark.parametrize(
    ("name", "checks"),
    [
        ("whole", "if (rows <= 0 || cols <= 0) return cudaSuccess;"),
        (
            "counted",
            "if (rows < 0 || cols < 0 || int64_t(rows) * cols > INT_MAX) return cudaErrorInvalidValue;",
        ),
    ],
    ids=["nothing to do", "a total to clear"],
)
def test_sizes_of_zero_are_no_error(programs: dict[str, Any], name: str, checks: str) -> None:
    """A launcher returns at once where no launch has a thread, but clears what the caller reads."""
    text = translate(programs[name]).text
    body = text[text.index(f"cudaError_t launch_{name}(") :]
    assert body[body.index("{\n") + 2 :].startswith(f"    {checks}\n")
    assert " < 1" not in body[: body.index("int main")]


def test_a_size_of_zero_leaves_out_no_launch_of_another_size(programs: dict[str, Any]) -> None:
    """Arrays tell n and 4 n apart, whatever the description says."""
    text = translate(programs["fourfold"]).text
    body = text[text.index("cudaError_t launch_fourfold(") :]
    assert "int n, int count, cudaStream_t" in body
    assert "cudaSuccess" not in body[: body.index("launch_twice")]


@pytest.mark.parametrize(
    ("tests", "refused"),
    [
        (["a > INT_MAX / 4", "a > (1 << 20)", "a < 0", "a < 2"], "a > (1 << 20) || a < 2"),
        (["a > INT_MAX - b"], "int64_t(a) + b > INT_MAX"),
        (["a > INT_MAX / b"], ""),
        (["b < 1", "a > INT_MAX / b"], "b < 1 || a > INT_MAX / b"),
        (["other > 4", "4 < 1"], ""),
    ],
    ids=["the stricter", "a sum", "a divisor that may be zero", "a divisor", "what nobody is told"],
)
def test_tests_of_launches_in_the_words_of_the_program(tests: list[str], refused: str) -> None:
    given = [KernelParameter(name, name, "value", INT, "int") for name in "ab"]
    launch = Launch({}, (), {name: Parameter("in", (), None) for name in "ab"})
    sizes = ProgramSizes(launch, given, (), ())
    sizes.refuse(tests, ())
    assert sizes.statements() == ([f"if ({refused}) return cudaErrorInvalidValue;"] if refused else [])
