"""A program's `main` draws the inputs that weft.inputs draws, to the bit: the launchers here write into the
file `given` what they get.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from handmade import Input, device_of, program_of, record_of

from conftest import Executable, drawn
from weft.cuda.device_code import KernelParameter, Section
from weft.cuda.host import write_program
from weft.cuda.host_layout import layout, packed_members
from weft.cuda.literals import float_literal
from weft.cuda.program import CudaProgram, write_programs
from weft.inputs import array_seed, draw_parameter
from weft.launch import parse_launch
from weft.recipes import MAIN_SEED, MAIN_SIZE
from weft.types import Array, Scalar, parse_type

SIZES = {"rows": "(n + 2) // 3", "four": "4"}

SPRING = {"members": {"rest": {"constant": 0.1}, "stiffness": {"uniform": [1.0, 2.0]}}}
PARTICLE = {
    "members": {
        "alive": {"integers": [0, 2]},
        "mass": {"size": "rows * 2"},
        "spring": SPRING,
        "color": {"integers": [0, 256]},
    }
}

ARRAYS = {
    "halves": Input("array<float16,1>", {"uniform": [-0.1, 0.7]}, ["n"]),
    "brains": Input("array<bfloat16,1>", {"uniform": [-300.0, 0.7]}, ["n"]),
    "half_ones": Input("array<float16,1>", {"constant": 0.1}, ["n"]),
    "half_steps": Input("array<float16,1>", {"integers": [-9, 9]}, ["n"]),
    "brain_sizes": Input("array<bfloat16,1>", {"size": "four"}, ["n"]),
    "half_order": Input("array<float16,1>", {"permutation": "n"}, ["n"]),
    "floats": Input("array<float32,1>", {"uniform": [-0.1, 0.7]}, ["n"]),
    "doubles": Input("array<float64,1>", {"uniform": [1e-3, 1e3]}, ["n"]),
    "points": Input("array<vec<3,float32>,2>", {"uniform": [-1, 1]}, ["rows", "four"]),
    "wide_points": Input("array<vec<2,float64>,1>", {"uniform": [-1, 1]}, ["rows"]),
    "flags": Input("array<bool,1>", {"integers": [0, 2]}, ["n"]),
    "all_true": Input("array<bool,1>", {"constant": True}, ["n"]),
    "bytes": Input("array<int8,1>", {"integers": [-100, 100]}, ["n"]),
    "words": Input("array<uint64,1>", {"integers": [5, 4294967301]}, ["n"]),
    "whole": Input("array<float32,1>", {"integers": [-16777216, "n + 16777217"]}, ["n"]),
    "links": Input("array<vec<2,int32>,1>", {"integers": [0, "rows * four"]}, ["n"]),
    "order": Input("array<int32,1>", {"permutation": "n"}, ["n"]),
    "some": Input("array<int64,1>", {"permutation": "n"}, ["rows"]),
    "starts": Input("array<int32,1>", {"offsets": ["rows", 3]}, ["n"]),
    "listed": Input("array<int32,1>", {"list": [3, "rows + 1", "-n"]}, ["3"]),
    "listed_floats": Input("array<float32,1>", {"list": [3, "rows", -1]}, ["3"]),
    "matrices": Input("array<mat<2,3,float32>,1>", {"uniform": [0.0, 2.5]}, ["rows"]),
    "ones": Input("array<vec<3,float32>,1>", {"constant": 0.1}, ["n"], "inout"),
    "zeros": Input("array<vec<3,float32>,1>", {"constant": 0}, ["n"], "inout"),
    "sizes": Input("array<int32,1>", {"size": "rows + 1"}, ["n"]),
    "springs": Input("array<struct<Spring>,1>", SPRING, ["n"]),
    "slack": Input("array<struct<Spring>,1>", {"constant": 0}, ["n"]),
    "particles": Input("array<struct<Particle>,1>", PARTICLE, ["n"]),
    "columns": Input(
        "array<float32,2>", {"uniform": [0.0, 1.0]}, ["rows", "four"], more={"strides": ["9", "2"]}
    ),
    "nothing": Input("array<float32,1>", more={"null": True}),
}
VALUES = {
    "scale": Input("float32", {"uniform": [0.05, 0.2]}),
    "half_scale": Input("float16", {"uniform": [0.05, 0.2]}),
    "precise": Input("float64", {"uniform": [0.05, 0.2]}),
    "offset": Input("int64", {"integers": [-5, 5]}),
    "half": Input("float32", {"constant": 0.5}),
    "enabled": Input("bool", {"constant": True}),
    "gravity": Input("vec<3,float32>", {"uniform": [-10.0, 0.0]}),
    "still": Input("vec<3,float32>", {"constant": 0}),
    "axes": Input("mat<2,3,float32>", {"constant": 2.0}),
    "settings": Input("struct<Particle>", PARTICLE),
    "rows": Input("int32", {"size": "rows"}),
    "grid": Input("vec<2,int32>", {"size": "rows"}),
    "extents": Input("vec<3,float64>", {"size": "rows * 2"}),
    "spans": Input("mat<2,3,float32>", {"size": "n"}),
}
INPUTS = ARRAYS | VALUES
PLAIN = {
    "x": Input("array<float32,1>", {"uniform": [-1.0, 3.0]}, ["2", "n"]),
    "y": Input("array<vec<2,float32>,1>", {"uniform": [0.1, 0.7]}, ["n"]),
    "at": Input("array<int32,1>", {"integers": ["-n", "n"]}, ["n"]),
    "most": Input("array<int32,1>", {"integers": [0, 2147483647]}, ["n"]),
    "below": Input("array<int32,1>", {"integers": [-2147483648, -5]}, ["n"]),
    "turn": Input("vec<3,float32>", {"uniform": [0.0, 6.0]}),
    "count": Input("int32", {"integers": [3, 7]}),
}
"""Numbers of which each kind has one type: the functions that fill arrays take that."""
WIDE = {
    "most": Input("array<int32,1>", {"integers": [-2147483648, 2147483647]}, ["n"]),
    "wraps": Input("array<uint32,1>", {"integers": [0, 4294967296]}, ["n"]),
}
"""Ranges that are none of an int."""
UNIT = {
    "normals": Input("array<vec<3,float32>,2>", {"unit": [-1, 1]}, ["rows", "four"]),
    "attitudes": Input("array<quat<float64>,1>", {"unit": [0.1, 1]}, ["n"]),
    "poses": Input("array<transform<float32>,1>", {"unit": [-2, 3]}, ["n"]),
    "rays": Input(
        "array<struct<Ray>,1>",
        {
            "members": {
                "pose": {"unit": [-2, 3]},
                "direction": {"unit": [-1, 1]},
                "length": {"uniform": [0, 1]},
            }
        },
        ["n"],
    ),
    "axis": Input("vec<3,float32>", {"unit": [-1, 1]}),
    "camera": Input("transform<float32>", {"unit": [-2, 3]}),
}
HALVES = {"steps": Input("array<bfloat16,1>", {"integers": [0, 9]}, ["n"])}
TABLE = {
    "table": Input("array<struct<Particle>,1>", PARTICLE, ["9"], more={"memory": "constant"}),
    "weights": Input("array<float32,2>", {"uniform": [0.0, 1.0]}, ["3", "four"], more={"memory": "constant"}),
}
NAMED = {
    "n": Input("array<int32,1>", {"integers": [0, 9]}, ["n"]),
    "array": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["rows"]),
    "i": Input("array<int32,1>", {"list": [7]}, ["1"]),
    "i_values": Input("array<int32,1>", {"permutation": "n"}, ["n"]),
    "k": Input("float32", {"uniform": [0.0, 1.0]}),
    "size_t": Input("int32", {"size": "rows"}),
    "random_uniform": Input("vec<3,float32>", {"uniform": [0.0, 1.0]}),
    "launch_probe": Input("mat<2,3,float32>", {"uniform": [0.0, 1.0]}),
    "rows": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["rows"]),
    "rows_size": Input("int32", {"integers": [0, 9]}),
    "pcg": Input("array<struct<Particle>,1>", PARTICLE, ["four"]),
}
"""Names of variables and functions of `main`."""
PROGRAMS = {
    "probe-0000-0000": INPUTS,
    "probe-0000-0001": PLAIN,
    "probe-0000-0002": WIDE,
    "probe-0000-0003": TABLE,
    "probe-0000-0004": NAMED,
    "probe-0000-0005": HALVES,
    "probe-0000-0006": UNIT,
}


def writing_program(sample: str, inputs: Mapping[str, Input]) -> tuple[dict[str, Any], CudaProgram]:
    """A record, and a program whose launcher writes all that it gets, packed."""
    record = record_of(inputs, SIZES, sample)
    device = device_of(inputs, "(void)i;", frozenset({"<cuda_fp16.h>", "<cuda_bf16.h>", "<memory>"}))
    tables = tuple(
        dataclasses.replace(one, kind="constant")
        for one in device.parameters
        if one.name in inputs and inputs[one.name].more.get("memory") == "constant"
    )
    parameters = tuple(one for one in device.parameters if one.name not in {table.name for table in tables})
    launch = parse_launch(record["launch"], "probe")
    lines = ['std::FILE* file = std::fopen("given", "wb");']
    for one in (*parameters, *tables):
        if one.kind == "extent" or launch.parameters[one.name].null:
            continue
        shape = launch.storage_shape(one.name, MAIN_SIZE) if isinstance(one.type, Array) else ()
        lines += _write(one, math.prod(shape), device.struct_fields)
    declarations = ", ".join(one.declaration for one in parameters)
    body = "\n".join([*lines, "std::fclose(file);", "return cudaSuccess;"])
    defined = [
        Section("table", one.c_name, f"__constant__ {one.c_type} {one.c_name}[{MAIN_SIZE}];")
        for one in tables
    ]
    kernel = Section("kernel", "probe", "__global__ void probe() {}")
    device = dataclasses.replace(
        device,
        sections=(device.sections[0], *defined, kernel),
        parameters=parameters,
        tables=tables,
        launcher=f"cudaError_t launch_probe({declarations}) {{\n{body}\n}}\n",
    )
    return record, write_programs([(record, write_program(record, device))])[0]


def _write(parameter: KernelParameter, count: int, fields: Any) -> Iterator[str]:
    """C++ that writes an argument's packed elements."""
    name, kind = parameter.c_name, parameter.c_type
    element = parameter.type.element if isinstance(parameter.type, Array) else parameter.type
    assert element is not None
    padded = layout(element, kind, fields).padded
    paths = [f".{path}" for path, _ in packed_members(kind, fields)] if padded else [""]
    held, count = (f"{name}_held", count) if isinstance(parameter.type, Array) else (name, 1)
    if parameter.kind == "constant":
        yield f"std::unique_ptr<{kind}[]> {held}(new {kind}[{count}]);"
        yield f"cudaMemcpyFromSymbol({held}.get(), {name}, {count} * sizeof({kind}));"
    elif isinstance(parameter.type, Array):
        yield f"std::unique_ptr<{kind}[]> {held}(new {kind}[{count}]);"
        yield f"cudaMemcpy({held}.get(), {name}, {count} * sizeof({kind}), cudaMemcpyDeviceToHost);"
    yield f"for (int e = 0; e < {count}; ++e) {{"
    for path in paths:
        place = f"{held}[e]{path}" if isinstance(parameter.type, Array) else f"{held}{path}"
        yield f"std::fwrite(&{place}, sizeof({place}), 1, file);"
    yield "}"


@pytest.fixture(scope="module")
def written() -> dict[str, tuple[dict[str, Any], CudaProgram]]:
    return {sample: writing_program(sample, inputs) for sample, inputs in PROGRAMS.items()}


@pytest.fixture(scope="module")
def shard(written: Any, compile_shard: Callable) -> Executable:
    return compile_shard([program for _, program in written.values()])


@pytest.mark.parametrize("sample", PROGRAMS)
def test_main_draws_what_numpy_draws(shard: Executable, written: Any, sample: str, tmp_path: Path) -> None:
    record, _ = written[sample]
    shard.main(f"s{sample[-4:]}", tmp_path)
    given = (tmp_path / "given").read_bytes()
    tables = [name for name, one in PROGRAMS[sample].items() if one.more.get("memory") == "constant"]
    arrays = {one.name: one.elements.tobytes() for one in drawn(record)}
    for name in [*(name for name in arrays if name not in tables), *tables]:
        assert given[: len(arrays[name])] == arrays[name], name
        given = given[len(arrays[name]) :]
    assert given == b""


def test_the_functions_that_fill_take_what_they_are_given(written: Any) -> None:
    text = written["probe-0000-0001"][1].text
    assert "template <typename T>\nvoid fill_uniform(Array<T, float>& x, unsigned seed, double low" in text
    assert "void fill_integers(Array<int>& x, unsigned seed, int low, int high) {" in text
    assert f"fill_uniform(x, {array_seed(MAIN_SEED, 0):#010x}, -1.0, 3.0);" in text
    text = written["probe-0000-0000"][1].text
    assert "template <typename T, typename Number>\nvoid fill_uniform(Array<T, Number>& x" in text
    assert "fill_uniform(Array<T, double>& x" in text
    assert "long long low, long long high" in text
    assert "long long low, long long high" in written["probe-0000-0002"][1].text
    text = written["probe-0000-0003"][1].text
    assert "void fill_uniform(Array<float>& x, unsigned seed, double low, double high) {" in text


def test_whole_numbers_from_zero_are_remainders() -> None:
    one = {"at": Input("array<int32,1>", {"integers": [0, "n"]}, ["n"])}
    text = program_of(one, "(void)i;").text
    seed = f"{array_seed(MAIN_SEED, 0):#010x}"
    assert f"for (size_t i = 0; i < at.count; ++i) at.host[i] = pcg({seed} + i) % n;" in text
    two = program_of({**one, "to": Input("array<int32,1>", {"integers": [0, 5]}, ["n"])}, "(void)i;").text
    assert "void fill_integers(Array<int>& x, unsigned seed, int end) {" in two
    assert f"fill_integers(at, {seed}, n);" in two


def test_what_is_passed_by_value_is_drawn_in_python(written: Any) -> None:
    text = written["probe-0000-0001"][1].text
    launch = parse_launch(written["probe-0000-0001"][0]["launch"], "probe")
    for number, name in ((5, "turn"), (6, "count")):
        kind = parse_type(PLAIN[name].type)
        values = draw_parameter(
            launch, name, kind, number, size=MAIN_SIZE, seed=MAIN_SEED, structs={}
        ).tolist()[0]
        listed = ", ".join(float_literal(value, Scalar("float32")) for value in values)
        wanted = f"float3 turn = make_float3({listed});" if name == "turn" else f"int count = {values[0]};"
        assert f"const {wanted}" in text
