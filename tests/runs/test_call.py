"""A translated kernel called from Python, on arrays that no launch description made."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from weft.cuda.program import translate
from weft.runs.call import CallError, Interface, Program, call, compile_program
from weft.runs.numpy_arrays import pack
from weft.types import parse_type

SCRIPTS = Path(__file__).parents[2] / "scripts"
KERNELS = """
import warp as wp


@wp.struct
class Spring:
    ends: wp.vec2i
    rest: float


@wp.kernel
def pull(springs: wp.array(dtype=Spring), position: wp.array(dtype=wp.vec3), frame: wp.mat33, gain: float,
         force: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    s = springs[i]
    d = position[s.ends[1]] - position[s.ends[0]]
    wp.atomic_add(force, s.ends[0], frame * d * (gain * (wp.length(d) - s.rest)))


@wp.kernel
def shift(x: wp.array2d(dtype=wp.float64), by: int, out: wp.array2d(dtype=wp.float64)):
    i, j = wp.tid()
    out[i, j] = x[i, j] + wp.float64(by)


@wp.struct
class Table:
    rows: wp.array2d(dtype=int)
    weight: wp.array(dtype=float)
    scale: float


@wp.kernel
def look_up(table: Table, index: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    value = float(table.rows[index[i], j]) * table.scale
    if table.weight:
        value += table.weight[index[i]]
    out[i, j] = value


LAUNCH = {
    "pull": {
        "dims": ["n"],
        "parameters": {
            "springs": {
                "shape": ["n"],
                "values": {"members": {"ends": {"integers": [0, "n"]}, "rest": {"uniform": [0.5, 1.0]}}},
            },
            "position": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "frame": {"values": {"uniform": [-1.0, 1.0]}},
            "gain": {"values": {"uniform": [0.5, 1.0]}},
            "force": {"role": "inout", "shape": ["n"], "values": {"constant": 0}},
        },
        "equality": "bounded",
    },
    "shift": {
        "sizes": {"columns": "3"},
        "dims": ["n", "columns"],
        "parameters": {
            "x": {"shape": ["n", "columns"], "values": {"uniform": [-1.0, 1.0]}},
            "by": {"values": {"integers": [0, 9]}},
            "out": {"role": "out", "shape": ["n", "columns"]},
        },
    },
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Program]:
    folder = tmp_path_factory.mktemp("call")
    (folder / "k.py").write_text(KERNELS, encoding="utf-8")
    command = [sys.executable, "-P", SCRIPTS / "ir.py", "k.py", "-o", "k.json"]
    subprocess.run(command, check=True, cwd=folder, timeout=120, stdout=subprocess.DEVNULL)
    records = json.loads((folder / "k.json").read_text(encoding="utf-8"))["records"]
    result = {}
    for record in records:
        name, text = record["kernel_name"], translate(record).alone
        result[name] = compile_program(text, folder, name=name, interface=Interface.of_record(record))
    return result


def test_structs_vectors_and_matrices_go_in_and_come_out(programs: dict[str, Program]) -> None:
    generator = np.random.default_rng(1)
    springs = np.zeros(5, dtype=np.dtype([("ends", np.int32, (2,)), ("rest", np.float32)], align=True))
    springs["ends"] = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]
    springs["rest"] = 0.25
    position = generator.standard_normal((5, 3)).astype(np.float32)
    frame = generator.standard_normal((3, 3)).astype(np.float32)
    force = np.ones((5, 3), dtype=np.float32)
    given = {"springs": springs, "position": position, "frame": frame, "gain": 2, "force": force}
    left = programs["pull"](given, size=5)
    d = position[springs["ends"][:, 1]] - position[springs["ends"][:, 0]]
    stretch = 2.0 * (np.linalg.norm(d, axis=1) - 0.25)
    assert np.allclose(left["force"], 1.0 + d @ frame.T * stretch[:, None], rtol=1e-5)
    assert (force == 1.0).all()
    assert np.array_equal(left["springs"]["ends"], springs["ends"])
    assert left["springs"].dtype.itemsize == 12


def test_arrays_that_are_only_written_need_not_be_given(programs: dict[str, Program]) -> None:
    x = np.arange(21.0).reshape(7, 3)
    assert np.array_equal(programs["shift"]({"x": x, "by": -3}, size=7)["out"], x - 3.0)


@pytest.mark.parametrize("weighted", [True, False])
def test_what_nobody_described_takes_its_shapes_from_the_arrays(
    programs: dict[str, Program], weighted: bool
) -> None:
    rows = np.arange(44, dtype=np.int32).reshape(11, 4)
    weight = np.linspace(0.0, 10.0, 11, dtype=np.float32)
    index = np.array([10, 0, 3, 3, 7], dtype=np.int32)
    given = {
        "table.rows": rows,
        "table.weight": weight if weighted else None,
        "table.scale": 0.5,
        "index": index,
        "out": np.zeros((5, 4), dtype=np.float32),
    }
    left = programs["look_up"](given, dims=(5, 4))
    expected = rows[index] * np.float32(0.5) + (weight[index][:, None] if weighted else 0)
    assert np.array_equal(left["out"], expected)
    assert np.array_equal(left["table.rows"], rows)
    with pytest.raises(CallError):
        programs["look_up"]({**given, "index": index + 5}, dims=(5, 4))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x": np.zeros((7, 3), dtype=np.float32)}, "x: dtype float32; expected float64"),
        ({"x": np.zeros(21)}, r"x: shape \(21,\) for array<float64,2>; expected \(…, …\)"),
        ({"by": 2**40}, "by: 1099511627776 is no int32"),
        ({"by": None}, "by: None is for arrays; this is int32, passed by value"),
        ({"y": 1}, r"no parameter 'y' \(the kernel has x, by, out\)"),
    ],
)
def test_what_does_not_fit_is_refused(
    programs: dict[str, Program], changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        programs["shift"]({"x": np.zeros((7, 3)), "by": 1} | changes, size=7)


def test_how_a_program_fails_is_said(programs: dict[str, Program]) -> None:
    with pytest.raises(CallError, match=r"crash: exit status 1: .*\bby\b"):
        programs["shift"]({"x": np.zeros((7, 3))}, size=7)
    springs = np.zeros(5, dtype=np.dtype([("ends", np.int32, (2,)), ("rest", np.float32)]))
    springs["ends"] = 1000
    ones = np.ones((5, 3), dtype=np.float32)
    given = {"springs": springs, "position": ones, "frame": ones[:3], "gain": 1.0, "force": ones}
    with pytest.raises(CallError) as raised:
        programs["pull"](given, size=5)
    assert raised.value.reason == "out_of_bounds"


def test_without_structs_the_text_of_a_program_is_enough() -> None:
    text = 'Buffer<float3> x("x", "vec<3,float32>", {n, min(7, n)});\nread("s.dt", "float32", &dt);'
    leaves = Interface.of_program(text).leaves
    assert {name: str(kind) for name, kind in leaves.items()} == {
        "x": "array<vec<3,float32>,2>",
        "s.dt": "float32",
    }
    with pytest.raises(CallError, match="compile_error"):
        call("int main() { return nothing; }", {})


def test_none_is_an_array_without_elements() -> None:
    packed = pack("x", None, parse_type("array<vec<3,float32>,2>"), {})
    assert (packed.shape, packed.elements.size) == ((0, 0), 0)
