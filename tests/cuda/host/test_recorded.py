"""Programs run on recorded data: shapes and launch dimensions that no launch description promises."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade import Input, device_of, parameter, record_of

from conftest import Executable, drawn, main_problem
from weft.cuda.device_code import Axis, DeviceCode, KernelParameter, Section
from weft.cuda.formatting import format_texts
from weft.cuda.host import write_program
from weft.cuda.program import CudaProgram, write_programs
from weft.runs.numpy_arrays import ArgumentError
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


def records() -> list[dict[str, Any]]:
    return [table_program()[0], state_program()[0], undrawn_program()[0]]


def test_programs_without_promises_are_formatted() -> None:
    texts = [program.text for program in programs()]
    assert format_texts(texts) == texts


def test_extents_are_those_of_the_arrays_that_are_given(shard: Executable) -> None:
    table = np.arange(15, dtype=np.float32).reshape(3, 5)
    given = {"table": table, "scale": 3.0, "sums": np.ones(4, np.float32)}
    left = shard.program("s0001")(given, dims=(3,))
    assert left["table"].shape == (3, 5)
    assert left["sums"].tolist() == [30.0, 105.0, 180.0, 1.0]


def test_no_memory_is_taken_for_shapes_that_are_given(shard: Executable) -> None:
    """By default `table` has n² elements: with this n more than there is memory."""
    given = {"table": np.ones((3, 5), np.float32), "scale": 2.0, "sums": np.ones(3, np.float32)}
    left = shard.program("s0001")(given, dims=(3,), size=40_000_000)
    assert left["sums"].tolist() == [10.0] * 3


@pytest.mark.parametrize("number", [0, 1, 2])
def test_main_takes_the_shapes_that_are_derived(shard: Executable, tmp_path: Path, number: int) -> None:
    """Numbers that nobody described are drawn between 0 and 1, whole ones are 0."""
    record = records()[number]
    values = {name: one.get("values") for name, one in record["launch"]["parameters"].items()}
    record["launch"]["parameters"] |= {
        name: one | {"values": {"constant": 0}}
        for name, one in record["launch"]["parameters"].items()
        if values[name] is None and one.get("role") == "in" and not one.get("null")
    }
    assert main_problem(shard, record, tmp_path) is None


def test_main_says_what_the_kernel_makes_of_derived_shapes(shard: Executable, tmp_path: Path) -> None:
    record, _ = table_program()
    arrays = {one.name: one.elements.view(np.float32) for one in drawn(record) if one.name != "sums"}
    sums = np.zeros(1000, np.float32)
    for column in arrays["table"].reshape(1000, 1000).T:
        sums += np.float32(2.0) * column
    line = f"sums: first {sums[0]:.6g}, last {sums[-1]:.6g}, sum {sums.astype(float).cumsum()[-1]:.9g}\n"
    assert shard.main("s0001", tmp_path) == line


def test_the_rank_of_an_array_is_fixed(shard: Executable) -> None:
    flat = {"table": np.arange(15, dtype=np.float32), "scale": 3.0, "sums": np.ones(3, np.float32)}
    with pytest.raises(ArgumentError, match="table: "):
        shard.program("s0001")(flat, dims=(3,))


def test_an_inferred_array_that_is_not_given_is_an_error(shard: Executable) -> None:
    with pytest.raises(ArgumentError, match=r"missing: sums "):
        shard.program("s0001")({"table": np.ones((3, 5), np.float32), "scale": 1.0}, dims=(3,))


@pytest.mark.parametrize("dims", [None, (), (3, 4), (-1,)])
def test_wrong_launch_dimensions_are_an_error(shard: Executable, dims: tuple[int, ...] | None) -> None:
    given = {"table": np.ones((3, 5), np.float32), "scale": 1.0, "sums": np.ones(3, np.float32)}
    with pytest.raises(ArgumentError, match=r"dims: got .*; expected one launch dimension, not negative"):
        shard.program("s0001")(given, dims=dims)


def test_launch_dimensions_that_are_no_int_are_an_error(shard: Executable) -> None:
    given = {"table": np.ones((3, 5), np.float32), "scale": 1.0, "sums": np.ones(3, np.float32)}
    with pytest.raises(ArgumentError, match="too large: the kernel takes sizes as int"):
        shard.program("s0001")(given, dims=(2**31,))


def test_structs_are_assembled_from_their_leaves(shard: Executable) -> None:
    given = {
        "state.x": np.zeros(3, np.float32),
        "state.step": 0.25,
        "state.rate.value": 0.5,
        "state.rate.curve": np.array([0, 2], np.float32),
        "count": 9,
    }
    left = shard.program("s0002")(given, dims=(2,))
    assert list(left) == ["state.x", "state.rate.curve"]
    assert left["state.x"].tolist() == [10.25, 10.25, 0.0]


def test_what_cannot_be_drawn_has_to_be_given(shard: Executable) -> None:
    program = shard.program("s0003")
    out = np.ones(2, np.int32)
    with pytest.raises(ArgumentError, match=r"missing: neighbors "):
        program({"out": out}, dims=(2,))
    left = program({"neighbors": np.array([3, 4], np.int32), "out": out}, dims=(2,))
    assert left["out"].tolist() == [4, 5]


def test_the_interface_says_what_callers_give(shard: Executable) -> None:
    table, state, neighbors = (shard.interfaces[name] for name in ("s0001", "s0002", "s0003"))
    assert {name: str(kind) for name, kind in table.leaves.items()} == {
        "table": "array<float32,2>",
        "sums": "array<float32,1>",
        "scale": "float32",
    }
    assert table.outputs == {"sums"}
    assert (table.dims, list(table.numbers), table.derived) == (1, [{"dim": 0}], frozenset())
    assert table.needed == {"table", "sums", "scale"}
    assert "state.mask" not in state.leaves
    assert state.outputs == {"state.x"}
    assert state.needed == set(state.leaves)
    assert neighbors.numbers_for(1000) == [1000]
    assert neighbors.numbers_for(1000, (5,)) == [5]
