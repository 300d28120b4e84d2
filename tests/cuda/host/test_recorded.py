"""Programs run on recorded data: shapes and launch dimensions that no launch description promises."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from handmade import Input, device_of, parameter, record_of

from conftest import Executable
from weft.cuda.device_code import Axis, DeviceCode, KernelParameter, Section
from weft.cuda.formatting import format_texts
from weft.cuda.host import write_program
from weft.cuda.program import CudaProgram, write_programs
from weft.runs.arrays import PackedArray, read_arrays, write_arrays
from weft.types import parse_type

TABLE = {
    "table": Input("array<float32,2>", {"uniform": [0.0, 1.0]}, ["n", "n"]),
    "scale": Input("float32", {"constant": 2.0}),
    "sums": Input("array<float32,1>", None, ["n"], "out"),
}
STATE = {
    "state.x": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["n"], "inout"),
    "state.mask": Input("array<int32,1>"),
    "state.step": Input("float32", {"constant": 0.5}),
    "state.rate.value": Input("float64", {"uniform": [0.0, 1.0]}),
    "state.rate.curve": Input("array<float32,1>", {"constant": 1.0}, ["2"]),
    "count": Input("int32", {"size": "n"}),
}
NEIGHBORS = {
    "neighbors": Input("array<int32,1>", None, ["n"]),
    "out": Input("array<int32,1>", None, ["n"], "out"),
}


def extent(name: str, leaf: str | None, axis: int, *, stride: bool = False) -> KernelParameter:
    return KernelParameter("", name, "extent", None, "int", None, Axis(leaf, axis, stride))


def infer(record: dict[str, Any], inferred: list[str], dims: list[str]) -> dict[str, Any]:
    record["launch"] |= {"inferred": inferred, "inferred_dims": True, "dims": dims}
    return record


def with_parameters(device: DeviceCode, parameters: list[KernelParameter]) -> DeviceCode:
    """The device code with other parameters, and a kernel that declares them."""
    before, _, rest = device.kernel.partition("(")
    declarations = ", ".join(one.declaration for one in parameters)
    kernel = f"{before}({declarations}){rest[rest.index(')') + 1 :]}".rstrip()
    sections = (*device.sections[:-1], Section("kernel", "probe", kernel))
    return dataclasses.replace(device, parameters=tuple(parameters), sections=sections)


def table_program() -> tuple[dict[str, Any], DeviceCode]:
    record = infer(record_of(TABLE, {}, "probe-0000-0001"), list(TABLE), ["n"])
    body = "sums[i] = 0.0f; for (int j = 0; j < cols; ++j) sums[i] += scale * table[i * step + j];"
    parameters = [
        *(parameter(name, entry) for name, entry in TABLE.items()),
        extent("cols", "table", 1),
        extent("step", "table", 0, stride=True),
        extent("threads", None, 0),
    ]
    return record, with_parameters(device_of(TABLE, body), parameters)


def state_program() -> tuple[dict[str, Any], DeviceCode]:
    """A struct with an array, a null array, a number, and a struct in it."""
    record = record_of(STATE, {}, "probe-0000-0002")
    record["structs"] += [
        {
            "name": "Rate",
            "doc": "",
            "fields": [{"name": "value", "type": "float64"}, {"name": "curve", "type": "array<float32,1>"}],
        },
        {
            "name": "State",
            "doc": "",
            "fields": [
                {"name": "x", "type": "array<float32,1>"},
                {"name": "mask", "type": "array<int32,1>"},
                {"name": "step", "type": "float32"},
                {"name": "rate", "type": "struct<Rate>"},
            ],
        },
    ]
    record["signature"] = [{"name": "state", "type": "struct<State>"}, {"name": "count", "type": "int32"}]
    record["launch"]["parameters"]["state.mask"] = {"null": True}
    infer(record, ["state.x", "count"], ["n"])
    leaf = {name: parameter(name.rpartition(".")[2], entry) for name, entry in STATE.items()}
    members = [
        dataclasses.replace(leaf["state.x"], name="state.x"),
        extent("x_count", "state.x", 0),
        dataclasses.replace(leaf["state.mask"], name="state.mask"),
        extent("mask_count", "state.mask", 0),
        dataclasses.replace(leaf["state.step"], name="state.step"),
        KernelParameter(
            "state.rate",
            "rate",
            "struct",
            parse_type("struct<Rate>"),
            "Rate",
            members=(
                dataclasses.replace(leaf["state.rate.value"], name="state.rate.value"),
                dataclasses.replace(leaf["state.rate.curve"], name="state.rate.curve"),
            ),
        ),
    ]
    state = KernelParameter(
        "state",
        "state",
        "struct",
        parse_type("struct<State>"),
        "State",
        members=tuple(members),
    )
    device = device_of(
        {},
        "if (state.mask == nullptr && state.mask_count == 0 && i < state.x_count) "
        "state.x[i] += state.step + float(state.rate.value) * state.rate.curve[1] + count;",
    )
    definitions = (
        "struct Rate {\n    double value;\n    const float* curve;\n};\n\nstruct State {\n"
        "    float* x;\n    int x_count;\n    int* mask;\n    int mask_count;\n"
        "    float step;\n    Rate rate;\n};"
    )
    device = dataclasses.replace(
        device, sections=(Section("type", "State", definitions), *device.sections[-1:])
    )
    return record, with_parameters(device, [state, leaf["count"], extent("threads", None, 0)])


def undrawn_program() -> tuple[dict[str, Any], DeviceCode]:
    record = infer(record_of(NEIGHBORS, {}, "probe-0000-0003"), list(NEIGHBORS), ["n"])
    parameters = [
        *(parameter(name, entry) for name, entry in NEIGHBORS.items()),
        extent("threads", None, 0),
    ]
    return record, with_parameters(device_of(NEIGHBORS, "out[i] += neighbors[i];"), parameters)


def programs() -> list[CudaProgram]:
    made = [table_program(), state_program(), undrawn_program()]
    return write_programs([(record, write_program(record, device)) for record, device in made])


@pytest.fixture(scope="module")
def shard(compile_shard: Callable) -> Executable:
    return compile_shard(programs())


def packed(name: str, type: str, values: npt.NDArray[Any]) -> PackedArray:
    elements = np.ascontiguousarray(values).view(np.uint8).reshape(values.size, -1)
    return PackedArray(name, parse_type(type), values.shape, elements)


def ones(count: int) -> PackedArray:
    return packed("sums", "float32", np.ones(count, np.float32))


def test_programs_without_promises_are_formatted() -> None:
    texts = [program.text for program in programs()]
    assert format_texts(texts) == texts


def test_arrays_take_their_shapes_from_the_file(shard: Executable, tmp_path: Path) -> None:
    table = np.arange(15, dtype=np.float32).reshape(3, 5)
    scale = packed("scale", "float32", np.array(3, np.float32))
    write_arrays(tmp_path / "in", [packed("table", "float32", table), scale, ones(4)])
    shard.json("s0001", "--inputs", tmp_path / "in", "--dims", 3, "--outputs", tmp_path / "out")
    outputs = read_arrays(tmp_path / "out", {})
    assert outputs["table"].shape == (3, 5)
    assert outputs["sums"].shape == (4,)
    assert outputs["sums"].elements.view(np.float32).ravel().tolist() == [30.0, 105.0, 180.0, 1.0]


def test_without_a_file_the_defaults_hold(shard: Executable, tmp_path: Path) -> None:
    shard.json("s0001", "--size", 7, "--outputs", tmp_path / "out")
    outputs = read_arrays(tmp_path / "out", {})
    assert outputs["table"].shape == (7, 7)
    expected = 2 * outputs["table"].elements.view(np.float32).reshape(7, 7).sum(axis=1)
    assert np.allclose(outputs["sums"].elements.view(np.float32).ravel(), expected)


def test_the_rank_of_an_array_is_fixed(shard: Executable, tmp_path: Path) -> None:
    scale = packed("scale", "float32", np.array(3, np.float32))
    flat = packed("table", "float32", np.arange(15, dtype=np.float32))
    write_arrays(tmp_path / "in", [flat, scale, ones(3)])
    done = shard.run("s0001", "--inputs", tmp_path / "in")
    assert done.returncode == 1
    assert "in: array table has shape (15), not (1024, 1024)" in done.stderr


def test_an_inferred_array_that_the_file_lacks_is_an_error(shard: Executable, tmp_path: Path) -> None:
    scale = packed("scale", "float32", np.array(3, np.float32))
    write_arrays(tmp_path / "in", [packed("table", "float32", np.ones((3, 5), np.float32)), scale])
    done = shard.run("s0001", "--inputs", tmp_path / "in")
    assert done.returncode == 1
    assert "in: array sums is missing" in done.stderr


@pytest.mark.parametrize("dims", ["", "0", "3,4", "x", "-1", "2147483648", "3,"])
def test_wrong_launch_dimensions_are_a_bad_option(shard: Executable, dims: str) -> None:
    done = shard.run("s0001", "--dims", dims)
    assert done.returncode == 2
    assert f"s0001: bad option --dims {dims}" in done.stderr
    assert "[--dims A]" in done.stderr


def test_structs_are_assembled_from_their_leaves(shard: Executable, tmp_path: Path) -> None:
    leaves = [
        packed("state.x", "float32", np.zeros(3, np.float32)),
        packed("state.step", "float32", np.array(0.25, np.float32)),
        packed("state.rate.value", "float64", np.array(0.5, np.float64)),
        packed("state.rate.curve", "float32", np.array([0, 2], np.float32)),
        packed("count", "int32", np.array(9, np.int32)),
    ]
    write_arrays(tmp_path / "in", leaves)
    shard.json("s0002", "--inputs", tmp_path / "in", "--dims", 2, "--outputs", tmp_path / "out")
    outputs = read_arrays(tmp_path / "out", {})
    assert list(outputs) == ["state.x", "state.rate.curve"]
    assert outputs["state.x"].elements.view(np.float32).ravel().tolist() == [10.25, 10.25, 0.0]


def test_what_cannot_be_drawn_has_to_be_given(shard: Executable, tmp_path: Path) -> None:
    done = shard.run("s0003")
    assert done.returncode == 2
    assert "s0003: --inputs is needed: nothing says what neighbors may hold" in done.stderr
    given = [
        packed("neighbors", "int32", np.array([3, 4], np.int32)),
        packed("out", "int32", np.ones(2, np.int32)),
    ]
    write_arrays(tmp_path / "in", given)
    shard.json("s0003", "--inputs", tmp_path / "in", "--dims", 2, "--outputs", tmp_path / "out")
    assert read_arrays(tmp_path / "out", {})["out"].elements.view(np.int32).ravel().tolist() == [4, 5]


def test_no_memory_is_taken_for_shapes_that_a_file_replaces(shard: Executable, tmp_path: Path) -> None:
    """By default `table` has n² elements: with this n more than there is memory."""
    table = packed("table", "float32", np.ones((3, 5), np.float32))
    write_arrays(tmp_path / "in", [table, packed("scale", "float32", np.array(2, np.float32)), ones(3)])
    arguments = ["--inputs", tmp_path / "in", "--dims", 3, "--outputs", tmp_path / "out"]
    shard.json("s0001", *arguments, "--size", 40_000_000)
    assert read_arrays(tmp_path / "out", {})["sums"].elements.view(np.float32).ravel().tolist() == [10.0] * 3
