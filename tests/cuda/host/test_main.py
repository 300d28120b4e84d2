"""A program's own main: what it prints, how it ends, and that it is a program without the driver."""

from __future__ import annotations

import dataclasses
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade import Input, device_of, record_of

from conftest import UNUSED, Executable, main_problem
from strict import WARNINGS
from weft.cuda.host import write_program
from weft.cuda.program import CudaProgram, write_programs
from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.recipes import MAIN_SEED, MAIN_SIZE
from weft.runs.build import DEVICE_OBJECT, HERE, CpuToolchain, make_object
from weft.types import parse_type

ADDED = {
    "x": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["n"]),
    "y": Input("array<float32,1>", {"uniform": [-1.0, 1.0]}, ["n"], "inout"),
    "sums": Input("array<float32,1>", None, ["n"], "out"),
}
PARTICLE = {
    "members": {
        "alive": {"integers": [0, 2]},
        "mass": {"uniform": [0.0, 1.0]},
        "spring": {"uniform": [0.0, 1.0]},
        "color": {"integers": [0, 256]},
    }
}
KINDS = {
    "halves": "float16",
    "brains": "bfloat16",
    "floats": "float32",
    "doubles": "float64",
    "flags": "bool",
    "bytes": "int8",
    "large": "uint64",
    "points": "vec<3,float32>",
    "colors": "vec<4,uint8>",
    "matrices": "mat<2,3,float32>",
    "springs": "struct<Spring>",
    "particles": "struct<Particle>",
}
PRINTED = {
    name: Input(
        f"array<{kind},1>",
        PARTICLE
        if kind == "struct<Particle>"
        else {"integers": [0, 2**32 if name == "large" else 100]}
        if "int" in kind or kind == "bool"
        else {"uniform": [-1.0, 1.0]},
        ["n"],
        "inout",
    )
    for name, kind in KINDS.items()
}
NOTHING = {"x": Input("float32", {"constant": 1})}
HALVES = frozenset({"<cuda_fp16.h>", "<cuda_bf16.h>"})
SAMPLES = {"probe-0000-0001": (ADDED, "y[i] += x[i]; sums[i] = y[i];"), "probe-0000-0002": (PRINTED, ""),
           "probe-0000-0003": (NOTHING, "")}  # fmt: skip


def probe(sample: str, *, launcher: str | None = None) -> tuple[dict[str, Any], CudaProgram]:
    inputs, body = SAMPLES[sample]
    record = record_of(inputs, {}, sample)
    device = device_of(inputs, body or "(void)i;", HALVES if inputs is PRINTED else frozenset())
    if launcher is not None:
        device = dataclasses.replace(device, launcher=launcher)
    return record, write_programs([(record, write_program(record, device))])[0]


def standalone(program: CudaProgram, folder: Path) -> Path:
    """The program as it is shipped, compiled for the CPU device and linked without the driver."""
    toolchain = CpuToolchain("g++", folder, more=(*WARNINGS, UNUSED))
    make_object("g++", folder / DEVICE_OBJECT)
    assert toolchain.compile_object(program.standalone, folder / "program.o") is None
    script = f"-Wl,-T,{HERE / 'device' / 'constants.ld'}"
    command = ["g++", "program.o", DEVICE_OBJECT, script, "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "program"


@pytest.fixture(scope="module")
def shard(compile_shard: Callable) -> Executable:
    return compile_shard([probe(sample)[1] for sample in SAMPLES])


def test_a_line_of_each_output_has_its_first_and_last_number_and_the_sum(
    shard: Executable, tmp_path: Path
) -> None:
    record, _ = probe("probe-0000-0001")
    launch = parse_launch(record["launch"], "probe")
    x, y = (
        draw_parameter(
            launch, name, parse_type(ADDED[name].type), number, size=MAIN_SIZE, seed=MAIN_SEED, structs={}
        ).view(np.float32)
        for number, name in enumerate(("x", "y"))
    )
    total = x + y
    numbers = f"first {total[0]:.6g}, last {total[-1]:.6g}, sum {total.astype(float).cumsum()[-1]:.9g}"
    assert shard.main("s0001", tmp_path) == f"y: {numbers}\nsums: {numbers}\n"


@pytest.mark.parametrize("sample", SAMPLES)
def test_main_prints_what_the_launcher_leaves(shard: Executable, sample: str, tmp_path: Path) -> None:
    """Components of every type, those of structs with padding, too."""
    assert main_problem(shard, probe(sample)[0], tmp_path) is None
    lines = shard.main(f"s{sample[-4:]}", tmp_path).splitlines()
    wanted = [name for name, one in SAMPLES[sample][0].items() if one.role != "in"]
    assert [line.partition(":")[0] for line in lines] == wanted


def test_a_kernel_without_outputs_has_a_main_that_prints_nothing(shard: Executable, tmp_path: Path) -> None:
    _, program = probe("probe-0000-0003")
    assert "print_output" not in program.text
    assert "Array" not in program.text
    assert shard.main("s0003", tmp_path) == ""


def test_the_program_alone_runs_without_options_and_without_files(tmp_path: Path) -> None:
    """As g++ takes it without a warning."""
    done = subprocess.run([standalone(probe("probe-0000-0001")[1], tmp_path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"(\w+: first \S+, last \S+, sum \S+\n){2}", done.stdout)


def test_an_error_of_cuda_ends_the_program_with_status_1_and_is_said(tmp_path: Path) -> None:
    failing = "cudaError_t launch_probe(const float*, float*, float*, int) { return cudaErrorInvalidValue; }"
    program = standalone(probe("probe-0000-0001", launcher=failing)[1], tmp_path)
    done = subprocess.run([program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"\S+:\d+: invalid argument\n", done.stderr)


def test_a_failing_main_ends_the_driver_too(compile_shard: Callable, tmp_path: Path) -> None:
    failing = "cudaError_t launch_probe(const float*, float*, float*, int) { return cudaErrorInvalidValue; }"
    shard = compile_shard([probe("probe-0000-0001", launcher=failing)[1]])
    done = shard.run("s0001", "--main", tmp_path / "printed")
    assert done.returncode == 1
    assert "invalid argument" in done.stderr


def test_main_is_short(shard: Executable) -> None:
    text = probe("probe-0000-0001")[1].text
    host = [line for line in text[text.index("// Random bits") :].splitlines() if line]
    assert len(host) <= 45
    assert len(host) - host.index("int main() {") <= 10


def test_sizes_that_are_no_int_on_the_way_are_given_by_their_values() -> None:
    inputs = {
        "x": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["n * n * n * n // (n * n * n)"], "inout")
    }
    record = record_of(inputs, {}, "probe-0000-0009")
    program = write_programs([(record, write_program(record, device_of(inputs, "x[i] += 1.0f;")))])[0]
    assert "Array<float> x(1000);" in program.text
