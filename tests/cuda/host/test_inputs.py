"""Programs draw the inputs that weft.inputs draws, and read and write array files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from handmade import STRUCTS, Input, program_of, record_of

from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.runs.arrays import PackedArray, read_arrays, write_arrays
from weft.types import Array, parse_type

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
    "halves": Input("array<float32,1>", {"uniform": [-0.1, 0.7]}, ["n"]),
    "doubles": Input("array<float64,1>", {"uniform": [1e-3, 1e3]}, ["n"]),
    "points": Input("array<vec<3,float32>,2>", {"uniform": [-1, 1]}, ["rows", "four"]),
    "flags": Input("array<bool,1>", {"integers": [0, 2]}, ["n"]),
    "bytes": Input("array<int8,1>", {"integers": [-100, 100]}, ["n"]),
    "words": Input("array<uint64,1>", {"integers": [5, 4294967301]}, ["n"]),
    "whole": Input("array<float32,1>", {"integers": [-16777216, "n + 16777217"]}, ["n"]),
    "links": Input("array<vec<2,int32>,1>", {"integers": [0, "rows * four"]}, ["n"]),
    "order": Input("array<int32,1>", {"permutation": "n"}, ["n"]),
    "starts": Input("array<int32,1>", {"offsets": ["rows", 3]}, ["n"]),
    "matrices": Input("array<mat<2,3,float32>,1>", {"uniform": [0.0, 2.5]}, ["rows"]),
    "ones": Input("array<vec<3,float32>,1>", {"constant": 0.1}, ["n"], "inout"),
    "sizes": Input("array<int32,1>", {"size": "rows + 1"}, ["n"]),
    "springs": Input("array<struct<Spring>,1>", SPRING, ["n"]),
    "zeros": Input("array<struct<Spring>,1>", {"constant": 0}, ["n"]),
    "particles": Input("array<struct<Particle>,1>", PARTICLE, ["n"]),
}
VALUES = {
    "scale": Input("float32", {"uniform": [0.05, 0.2]}),
    "offset": Input("int64", {"integers": [-5, 5]}),
    "half": Input("float32", {"constant": 0.5}),
    "enabled": Input("bool", {"constant": True}),
    "gravity": Input("vec<3,float32>", {"uniform": [-10.0, 0.0]}),
    "axes": Input("mat<2,3,float32>", {"constant": 2.0}),
    "settings": Input("struct<Particle>", PARTICLE),
    "rows": Input("int32", {"size": "rows"}),
}
OUTPUTS = {
    f"{name}_seen": Input(f"array<{entry.type},1>", None, ["1"], "out") for name, entry in VALUES.items()
}
INPUTS = ARRAYS | VALUES | OUTPUTS
BODY = " ".join(f"{name}_seen[0] = {name};" for name in VALUES)
FIELDS = {name: [(field, parse_type(kind)) for field, kind in fields] for name, fields in STRUCTS.items()}


def drawn(name: str, size: int, seed: int) -> bytes:
    launch = parse_launch(record_of(INPUTS, SIZES)["launch"], "probe")
    position = list(INPUTS).index(name)
    kind = parse_type(INPUTS[name].type)
    return draw_parameter(launch, name, kind, position, size=size, seed=seed, structs=FIELDS).tobytes()


@pytest.fixture(scope="module")
def probe(compile_shard: Callable) -> Callable[..., dict[str, PackedArray]]:
    executable = compile_shard([program_of(INPUTS, BODY, SIZES)])

    def outputs(folder: Path, *options: object) -> dict[str, PackedArray]:
        path = folder / "outputs"
        executable.json("s0000", *options, "--outputs", path)
        return read_arrays(path, FIELDS)

    return outputs


@pytest.mark.parametrize(("size", "seed"), [(1, 0), (31, 7), (1000, 4294967295)])
def test_programs_draw_what_numpy_draws(probe: Callable, tmp_path: Path, size: int, seed: int) -> None:
    outputs = probe(tmp_path, "--size", size, "--seed", seed)
    for name in ARRAYS:
        assert outputs[name].elements.tobytes() == drawn(name, size, seed), name
    for name in VALUES:
        assert outputs[f"{name}_seen"].elements.tobytes() == drawn(name, size, seed), name


def test_outputs_say_shape_and_type(probe: Callable, tmp_path: Path) -> None:
    outputs = probe(tmp_path, "--size", 31)
    assert list(outputs) == [
        name for name, entry in INPUTS.items() if isinstance(parse_type(entry.type), Array)
    ]
    assert outputs["points"].shape == (11, 4)
    assert str(outputs["points"].type) == "vec<3,float32>"
    assert str(outputs["particles"].type) == "struct<Particle>"


def test_inputs_from_a_file_replace_the_drawn_ones(probe: Callable, tmp_path: Path) -> None:
    size = 10
    generator = np.random.default_rng(0)
    given = {}
    for name in reversed([*ARRAYS, *(name for name in VALUES if name != "rows")]):
        content = bytearray(drawn(name, size, 0))
        if name not in ("flags", "enabled", "particles", "settings"):
            content = bytearray(generator.bytes(len(content)))
        kind = parse_type(INPUTS[name].type)
        launch = parse_launch(record_of(INPUTS, SIZES)["launch"], "probe")
        shape = launch.shape(name, size) if isinstance(kind, Array) else ()
        count = int(np.prod(shape, dtype=int))
        elements = np.frombuffer(bytes(content), dtype=np.uint8).reshape(count, -1)
        given[name] = PackedArray(name, kind.element if isinstance(kind, Array) else kind, shape, elements)
    write_arrays(tmp_path / "inputs", list(given.values()))

    outputs = probe(tmp_path, "--size", size, "--seed", 3, "--inputs", tmp_path / "inputs")
    for name, array in given.items():
        seen = outputs[name if name in ARRAYS else f"{name}_seen"]
        assert seen.elements.tobytes() == array.elements.tobytes(), name
    assert outputs["rows_seen"].elements.view(np.int32).item() == 4


def test_outputs_serve_as_inputs_but_for_the_values(compile_shard: Callable, tmp_path: Path) -> None:
    inputs = {"x": Input("array<float32,1>", {"uniform": [0, 1]}, ["n"], "inout")}
    executable = compile_shard([program_of(inputs, "x[i] += 1.0f;")])
    executable.json("s0000", "--size", 5, "--outputs", tmp_path / "once")
    executable.json("s0000", "--size", 5, "--inputs", tmp_path / "once", "--outputs", tmp_path / "twice")
    once, twice = (
        read_arrays(tmp_path / name, {})["x"].elements.view(np.float32) for name in ("once", "twice")
    )
    assert np.array_equal(twice, once + np.float32(1))
