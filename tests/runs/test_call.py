"""A translated kernel called from Python, on arrays that no launch description made."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from weft.cuda.program import translate
from weft.errors import UserError
from weft.leaves import leaves, structs_of
from weft.runs.call import CallError, Program, call, compile_program
from weft.runs.interface import parse_interface
from weft.runs.numpy_arrays import ArgumentError, pack
from weft.types import Array, Scalar, Type, parse_type

SCRIPTS = Path(__file__).parents[2] / "scripts"
PRODUCTS = Path(__file__).parents[1] / "golden" / "products"
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


@wp.kernel
def mark(out: wp.array2d(dtype=wp.int8)):
    i, j = wp.tid()
    out[i, j] = wp.int8((i + 3 * j) % 7)


@wp.kernel
def gather(x: wp.array2d(dtype=float), index: wp.array(dtype=int), count: int, out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i >= count:
        return
    out[i, j] = x[index[i], j]


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


STRUCTS = """
@wp.struct
class Inner:
    linear: wp.mat22
    at: wp.quat


@wp.struct
class Outer:
    parts: Inner
    place: wp.transform
    flag: wp.bool
    small: wp.float16
    series: wp.types.vector(length=5, dtype=wp.float64)


@wp.struct
class Grid:
    cells: wp.array(dtype=Outer)
    origin: Inner


@wp.kernel
def mixed(outer: Outer, grid: Grid, flags: wp.array(dtype=wp.bool), halves: wp.array(dtype=wp.float16),
          frames: wp.array2d(dtype=wp.mat22), count: wp.uint8, brief: wp.bfloat16,
          out: wp.array(dtype=Outer)):
    i = wp.tid()
    one = grid.cells[i]
    one.flag = not flags[i] or outer.flag
    one.small = halves[i] + outer.small
    one.parts.linear = frames[i, 1] * outer.parts.linear * grid.origin.linear
    one.series[4] = wp.float64(count) + wp.float64(brief)
    out[i] = one
"""


def script(folder: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", str(SCRIPTS / name), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of several kernels, translated by hand."""
    folder = tmp_path_factory.mktemp("call")
    (folder / "k.py").write_text(f"{KERNELS}\n\n{STRUCTS}", encoding="utf-8")
    for done in (
        script(folder, "ir.py", "k.py", "-o", "ir.json"),
        script(folder, "cuda.py", "ir.json", "-o", "k.cu"),
    ):
        assert done.returncode == 0, done.stderr
    return folder / "k.cu"


@pytest.fixture(scope="module")
def programs(shard: Path) -> dict[str, Program]:
    names = ("pull", "shift", "mark", "gather", "look_up", "mixed")
    return {name: compile_program(shard, shard.parent, name=name, sample=name) for name in names}


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


GATHERED = {
    "x": np.arange(44, dtype=np.float32).reshape(11, 4),
    "index": np.array([10, 0, 3, -3, 7], dtype=np.int32),
    "count": 5,
    "out": np.zeros((5, 4), dtype=np.float32),
}


def test_a_launch_ends_where_the_kernels_own_check_does(programs: dict[str, Program]) -> None:
    index = GATHERED["index"]
    for rows in (5, 8):
        left = programs["gather"](GATHERED, dims=(rows, 4))
        assert np.array_equal(left["out"], GATHERED["x"][index])  # type: ignore[index]
    fewer = programs["gather"](GATHERED | {"count": 2}, dims=(5, 4))["out"]
    assert np.array_equal(fewer[:2], GATHERED["x"][index[:2]])  # type: ignore[index]
    assert not fewer[2:].any()
    assert not programs["gather"](GATHERED | {"count": -3}, dims=(5, 4))["out"].any()


@pytest.mark.parametrize("dims", [(600_000, 1), (1, 600_000)])
def test_a_launch_may_be_longer_than_a_grid(programs: dict[str, Program], dims: tuple[int, int]) -> None:
    """65,535 blocks of eight rows are fewer."""
    rows, cols = np.ogrid[: dims[0], : dims[1]]
    out = programs["mark"]({"out": np.zeros(dims, np.int8)}, dims=dims)["out"]
    assert np.array_equal(out, (rows + 3 * cols) % 7)


def test_a_launch_that_ends_before_the_kernels_own_check_is_refused(programs: dict[str, Program]) -> None:
    with pytest.raises(ArgumentError, match="dims: 4 along axis 0, but the kernel needs 5"):
        programs["gather"](GATHERED, dims=(4, 4))


def test_arrays_may_be_wider_than_the_launch(programs: dict[str, Program]) -> None:
    index = GATHERED["index"]
    narrow = programs["gather"](GATHERED | {"out": np.zeros((5, 3), np.float32)}, dims=(5, 3))["out"]
    assert np.array_equal(narrow, GATHERED["x"][index][:, :3])  # type: ignore[index]
    wide = programs["gather"](GATHERED | {"out": np.zeros((5, 6), np.float32)}, dims=(5, 2))["out"]
    assert np.array_equal(wide[:, :2], GATHERED["x"][index][:, :2])  # type: ignore[index]
    assert not wide[:, 2:].any()


def test_a_launch_of_no_threads_changes_nothing(programs: dict[str, Program]) -> None:
    assert not programs["gather"](GATHERED | {"count": 0}, dims=(0, 4))["out"].any()
    assert not programs["gather"](GATHERED, dims=(5, 0))["out"].any()


def springs(ends: str, kind: str, rest: str) -> npt.NDArray[Any]:
    return np.zeros(5, [(ends, "i4", (2,)), (rest, kind)])


SPRINGS: dict[str, Any] = {
    "springs": springs("ends", "f4", "rest"),
    "position": np.zeros((5, 3), np.float32),
    "frame": np.eye(3, dtype=np.float32),
    "gain": 1.0,
    "force": np.zeros((5, 3), np.float32),
}
LOOKED_UP = {
    "table.rows": np.zeros((4, 4), np.int32),
    "table.weight": None,
    "table.scale": 1.0,
    "index": np.zeros(5, np.int32),
    "out": np.zeros((5, 4), np.float32),
}
SHIFTED = {"x": np.zeros((7, 3)), "by": 1}
GIVEN = {"pull": (SPRINGS, 5), "shift": (SHIFTED, 7), "look_up": (LOOKED_UP, 5)}
WANTED = r"\[\('ends', 'int32', \(2,\)\), \('rest', 'float32'\)\]"


@pytest.mark.parametrize(
    ("kernel", "given", "message"),
    [
        ("shift", {"x": np.zeros((7, 3), np.float32)}, "x: dtype float32; expected float64"),
        ("shift", {"x": np.zeros(21)}, r"x: shape \(21,\) for array<float64,2>; expected \(…, …\)"),
        ("shift", {"x": np.zeros((6, 3))}, r"x: shape \(6, 3\), not \(7, 3\) .*size=7"),
        ("shift", {"x": [[1.0], [1.0, 2.0]]}, "x: .*inhomogeneous.*; expected dtype float64"),
        ("shift", {"by": 2**40}, "by: 1099511627776 is not int32"),
        ("shift", {"by": 0.5}, "by: 0.5 is not int32"),
        ("shift", {"by": float("nan")}, "by: nan is not int32"),
        ("shift", {"by": "one"}, "by: dtype <U3; expected int32"),
        ("shift", {"by": None}, "by: None is for arrays; this is int32, passed by value"),
        ("shift", {"y": 1}, r"no parameter 'y' \(the kernel has x: array<float64,2>, "),
        ("shift", {"columns": 3}, "columns: the launch description determines it; leave it out"),
        ("pull", {"gain": 1e300}, r"gain: 1e\+300 is not float32"),
        ("pull", {"springs": np.zeros(5, "f4")}, f"springs: dtype float32; expected the structured {WANTED}"),
        ("pull", {"springs": springs("ends", "f4", "rests")}, f"springs: .* structured {WANTED}"),
        ("pull", {"springs": springs("ends", "f8", "rest")}, "springs.rest: dtype float64; expected float32"),
        ("pull", {"springs": np.zeros(5, [("ends", "i4"), ("rest", "f4")])}, r"springs.ends: shape \(\)"),
        ("look_up", {"table": 1}, r"no parameter 'table' \(the kernel has table.rows: "),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    programs: dict[str, Program], kernel: str, given: dict[str, object], message: str
) -> None:
    arguments, size = GIVEN[kernel]
    with pytest.raises(ArgumentError, match=message):
        programs[kernel](arguments | given, size=size)


def test_what_is_missing_is_named(programs: dict[str, Program]) -> None:
    with pytest.raises(ArgumentError, match=r"missing: by \(the kernel has x: "):
        programs["shift"]({"x": np.zeros((7, 3))}, size=7)
    with pytest.raises(ArgumentError, match=r"missing: table.weight, out, table.scale \("):
        programs["look_up"]({"table.rows": None, "index": np.zeros(2, np.int32)}, dims=(1, 1))


@pytest.mark.parametrize(
    ("kernel", "dims", "message"),
    [
        (
            "shift",
            (7, 3),
            r"dims: got \(7, 3\); the launch description determines them; give size instead",
        ),
        ("look_up", None, "dims: got nothing; expected 2 launch dimensions"),
        ("look_up", (5,), r"dims: got \(5,\); expected 2 launch dimensions"),
        ("look_up", (5, -1), r"dims: got \(5, -1\); expected 2 launch dimensions, not negative"),
    ],
)
def test_launch_dimensions_are_given_where_nobody_described_them(
    programs: dict[str, Program], kernel: str, dims: tuple[int, ...] | None, message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        programs[kernel](GIVEN[kernel][0], dims=dims)


def test_how_a_program_fails_is_said(programs: dict[str, Program], shard: Path, tmp_path: Path) -> None:
    outside = SPRINGS["springs"].copy()
    outside["ends"] = 1000
    with pytest.raises(CallError) as raised:
        programs["pull"](SPRINGS | {"springs": outside}, size=5)
    assert raised.value.reason == "out_of_bounds"
    broken = tmp_path / "broken.cu"
    broken.write_text(shard.read_text().replace("return cudaGetLastError();", "return nothing;"))
    broken.with_suffix(".json").write_text(shard.with_suffix(".json").read_text())
    with pytest.raises(CallError, match=r"compile_error: .*nothing"):
        call(broken, SHIFTED, size=7, sample="shift")


def test_what_says_how_to_call_a_program_stands_beside_it(shard: Path, tmp_path: Path) -> None:
    alone, index = tmp_path / "alone.cu", tmp_path / "alone.json"
    alone.write_text(shard.read_text())
    with pytest.raises(UserError, match=r"alone\.json: no such file; `weft translate` writes it"):
        call(alone, SHIFTED, size=7, sample="shift")
    for content in ("{}", '{"samples": [{}]}', "[]"):
        index.write_text(content)
        with pytest.raises(UserError, match=r"alone\.json: is not an index of programs"):
            call(alone, SHIFTED, size=7, sample="shift")
    index.write_text(shard.with_suffix(".json").read_text())
    (tmp_path / "alone.cu").write_text("int main() {}\n")
    with pytest.raises(UserError, match=r"alone\.cu: is one kernel's program"):
        call(alone, SHIFTED, size=7)
    alone.write_text(shard.read_text())
    one = {"sample_id": "k-0000-0001", "kernel_name": "shift", "interface": {"leaves": []}}
    index.write_text(json.dumps({"samples": [one]}))
    with pytest.raises(UserError, match=r"alone\.json: holds no interface of shift"):
        call(alone, SHIFTED, size=7, sample="shift")


def test_an_index_takes_no_place_of_the_ir(shard: Path) -> None:
    done = script(shard.parent, "cuda.py", "ir.json", "-o", "ir.cu")
    assert (done.returncode, "ir.json: would be overwritten" in done.stderr) == (2, True), done.stderr
    assert not (shard.parent / "ir.cu").exists()


def test_a_file_of_several_kernels_needs_the_name_of_one(shard: Path) -> None:
    listed = r"the program has pull \(k-0000-0000\), shift \(k-0000-0001\), mark \(k-0000-0002\)"
    with pytest.raises(UserError, match=rf"which kernel\? Name it by sample=; {listed}"):
        call(shard, SHIFTED, size=7)
    with pytest.raises(UserError, match=f"no single kernel is 'shifted'; {listed}"):
        call(shard, SHIFTED, size=7, sample="shifted")
    for name in ("shift", "k-0000-0001"):
        assert (call(shard, SHIFTED, size=7, sample=name)["out"] == 1.0).all()


def test_the_program_of_one_kernel_needs_no_name(shard: Path) -> None:
    """Neither as a file of one kernel nor without its frame."""
    folder = shard.parent
    assert script(folder, "ir.py", "k.py:shift", "-o", "one.ir.json").returncode == 0
    assert script(folder, "cuda.py", "one.ir.json", "-o", "one.cu").returncode == 0
    assert script(folder, "cuda.py", "ir.json", "--sample", "k-0000-0001", "-o", "alone.cu").returncode == 0
    for name in ("one.cu", "alone.cu"):
        assert (call(folder / name, SHIFTED, size=7)["out"] == 1.0).all()
    with pytest.raises(UserError, match="the program has only one kernel"):
        call(str(folder / "alone.cu"), SHIFTED, size=7, sample="shift")


INNER = np.dtype([("at", np.float32, (4,)), ("linear", np.float32, (2, 2))])
OUTER = np.dtype(
    [
        ("series", np.float64, (5,)),
        ("flag", np.bool_),
        ("parts", INNER),
        ("place", np.float32, (7,)),
        ("small", np.float16),
    ],
    align=True,
)


def test_structs_in_structs_are_given_and_come_back_by_the_names_of_their_members(
    programs: dict[str, Program],
) -> None:
    """Members in any order, with padding, arrays that are no contiguous memory, all kinds of numbers."""
    generator = np.random.default_rng(2)
    cells = np.zeros(3, OUTER)
    for name in ("series", "place", "small"):
        cells[name] = generator.standard_normal(cells[name].shape)
    cells["parts"]["linear"] = generator.standard_normal((3, 2, 2))
    outer, origin = np.zeros((), OUTER), np.zeros((), INNER)
    outer["parts"]["linear"], origin["linear"] = [[1, 2], [0, 1]], [[0, 1], [1, 0]]
    outer["small"] = 0.5
    frames = generator.standard_normal((2, 3, 2, 2)).astype(np.float32).transpose(1, 0, 2, 3)
    flags, halves = np.array([True, False, True]), np.arange(6, dtype=np.float16)[::2]
    left = programs["mixed"](
        {
            "outer": outer, "grid.cells": cells, "grid.origin": origin, "flags": flags, "halves": halves,
            "frames": frames, "count": 200, "brief": 1.5, "out": np.zeros(3, OUTER),
        },
        dims=(3,),
    )  # fmt: skip
    out = left["out"]
    assert out.dtype.names == ("parts", "place", "flag", "small", "series")
    assert np.array_equal(out["flag"], ~flags)
    assert np.array_equal(out["small"], halves + np.float16(0.5))
    assert np.array_equal(out["place"], cells["place"])
    assert np.array_equal(out["series"], np.column_stack([cells["series"][:, :4], np.full(3, 201.5)]))
    expected = frames[:, 1] @ outer["parts"]["linear"] @ origin["linear"]
    assert np.allclose(out["parts"]["linear"], expected, rtol=1e-6)
    assert left["flags"].dtype == np.bool_ and left["halves"].dtype == np.float16
    assert left["frames"].shape == (3, 2, 2, 2)


def test_none_is_an_array_without_elements() -> None:
    packed = pack("x", None, parse_type("array<vec<3,float32>,2>"), {})
    assert (packed.shape, packed.elements.size) == ((0, 0), 0)


def expected_leaves(record: dict[str, Any]) -> dict[str, Type]:
    """What a record's program reads or writes: no null arrays, and no sizes."""
    expected = {}
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    for name, kind in leaves(signature, structs_of(record)):
        described = record["launch"]["parameters"][name]
        if described["null"] or (isinstance(kind, Scalar) and "size" in (described["values"] or {})):
            continue
        strided = isinstance(kind, Array) and described["strides"]
        expected[name] = Array(kind.element, 1) if strided else kind
    return expected


@pytest.mark.parametrize("product", sorted(PRODUCTS.iterdir()), ids=lambda folder: folder.name)
def test_the_interface_of_a_program_says_what_its_record_does(product: Path) -> None:
    record = json.loads((product / "ir.json").read_text(encoding="utf-8"))
    source = {"python_source": (product / "kernels.py").read_text(encoding="utf-8")}
    record |= source | {"kernels": [one | source for one in record.get("kernels", [])]}
    found = parse_interface(record["kernel_name"], translate(record).interface, "index")
    assert found.leaves == expected_leaves(record)
    fields = structs_of(record)
    assert found.structs == fields
    written = {
        name
        for name, kind in found.leaves.items()
        if isinstance(kind, Array) and record["launch"]["parameters"][name]["role"] != "in"
    }
    assert found.outputs == written
