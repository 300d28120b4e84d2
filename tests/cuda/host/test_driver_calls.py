"""Launchers by the judge's driver: array files in, array files out, and what is wrong with either."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from handmade import Input, program_of, record_of
from test_inputs import PARTICLE, SIZES, SPRING

from conftest import Executable, drawn
from weft.runs.arrays import PackedArray, read_arrays, write_arrays
from weft.types import Array, Scalar, parse_type

COUNTS = {
    "counts": Input("array<int32,1>", {"constant": 0}, ["n"], "inout"),
    "untouched": Input("array<float32,1>", None, ["2", "n"], "out"),
}
AWKWARD = {
    "given": Input("array<int32,1>", {"integers": [0, 9]}, ["n"], "inout"),
    "numbers": Input("int32", {"integers": [3, 4]}),
    "held": Input("float32", {"constant": 1.0}),
    "stream": Input("int32", {"size": "rows"}),
    "block": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["rows"]),
    "weft_leaves": Input("array<int32,1>", None, ["rows"], "out"),
}
VALUES = {
    "scale": Input("float32", {"uniform": [0.05, 0.2]}),
    "offset": Input("int64", {"integers": [-5, 5]}),
    "enabled": Input("bool", {"constant": True}),
    "gravity": Input("vec<3,float32>", {"uniform": [-10.0, 0.0]}),
    "axes": Input("mat<2,3,float32>", {"constant": 2.0}),
    "settings": Input("struct<Particle>", PARTICLE),
    "rows": Input("int32", {"size": "rows"}),
}
ARRAYS = {
    "points": Input("array<vec<3,float32>,2>", {"uniform": [-1, 1]}, ["rows", "four"]),
    "flags": Input("array<bool,1>", {"integers": [0, 2]}, ["n"]),
    "words": Input("array<uint64,1>", {"integers": [5, 4294967301]}, ["n"]),
    "springs": Input("array<struct<Spring>,1>", SPRING, ["n"]),
    "particles": Input("array<struct<Particle>,1>", PARTICLE, ["n"]),
}
SEEN = {f"{name}_seen": Input(f"array<{one.type},1>", None, ["1"], "out") for name, one in VALUES.items()}
COPIED = ARRAYS | VALUES | SEEN


@pytest.fixture(scope="module")
def shard(compile_shard: Callable) -> Executable:
    counts = program_of(COUNTS, "counts[i] += i + 1;", sample="probe-0000-0002")
    awkward = program_of(
        AWKWARD, "given[i] += numbers + int(held) + stream;", {"rows": "n // 2 + 1"}, "probe-0000-0011"
    )
    copied = program_of(
        COPIED, " ".join(f"{name}_seen[0] = {name};" for name in VALUES), SIZES, "probe-0000-0003"
    )
    return compile_shard([counts, awkward, copied])


def array(name: str, values: list[float] | list[int]) -> PackedArray:
    numbers = np.array(values, dtype=np.float32 if isinstance(values[0], float) else np.int32)
    return PackedArray(
        name, Scalar(str(numbers.dtype)), (len(numbers),), numbers.view(np.uint8).reshape(len(numbers), -1)
    )


def shape(name: str, *extents: int) -> PackedArray:
    return PackedArray(name, Scalar("float32"), extents, np.empty((0, 0), np.uint8))


THREE = [array("counts", [0, 0, 0]), shape("untouched", 2, 3)]


def test_one_launch_writes_every_array(shard: Executable, tmp_path: Path) -> None:
    left = shard.launched("s0002", THREE, tmp_path, 3)
    assert list(left) == ["counts", "untouched"]
    assert left["counts"].elements.view(np.int32).ravel().tolist() == [1, 2, 3]


def test_arrays_of_which_the_shape_alone_is_given_hold_the_fill_byte(
    shard: Executable, tmp_path: Path
) -> None:
    untouched = shard.launched("s0002", THREE, tmp_path, 3, fill=203)["untouched"]
    assert untouched.shape == (2, 3)
    assert set(untouched.elements.ravel()) == {203}


def test_launches_that_are_timed_write_a_line_each(shard: Executable, tmp_path: Path) -> None:
    write_arrays(tmp_path / "in", THREE)
    done = shard.launch("s0002", tmp_path / "in", tmp_path / "out", 3, repeat=4)
    assert (done.returncode, done.stderr) == (0, "")
    assert len([float(line) for line in (tmp_path / "times").read_text().split()]) == 4


def test_arrays_and_values_of_every_type_go_through_unchanged(shard: Executable, tmp_path: Path) -> None:
    """Structs with padding are packed in files."""
    record = record_of(COPIED, SIZES, "probe-0000-0003")
    arrays = [one for one in drawn(record, 10, 3) if one.name != "rows"]
    left = shard.launched("s0003", arrays, tmp_path, 10)
    assert list(left) == [name for name, one in COPIED.items() if isinstance(parse_type(one.type), Array)]
    for one in arrays:
        seen = left.get(one.name) or left[f"{one.name}_seen"]
        if not one.name.endswith("_seen"):
            assert seen.elements.tobytes() == one.elements.tobytes(), one.name
            assert seen.type == one.type
    assert left["points"].shape == (4, 4)
    assert left["rows_seen"].elements.view(np.int32).item() == 4


def test_parameters_may_have_the_names_of_the_drivers_variables(shard: Executable, tmp_path: Path) -> None:
    record = record_of(AWKWARD, {"rows": "n // 2 + 1"}, "probe-0000-0011")
    arrays = {one.name: one for one in drawn(record, 4)}
    left = shard.launched("s0011", [one for one in arrays.values() if one.name != "stream"], tmp_path, 4)
    assert list(left) == ["given", "block", "weft_leaves"]
    before = arrays["given"].elements.view(np.int32)
    assert (left["given"].elements.view(np.int32) - before).ravel().tolist() == [3 + 1 + 3] * 4


def refusal(shard: Executable, arrays: list[PackedArray], folder: Path) -> str:
    write_arrays(folder / "given", arrays)
    done = shard.launch("s0002", folder / "given", folder / "out", 3)
    assert done.returncode == 1
    assert not (folder / "out").exists()
    return done.stderr


def test_an_array_that_the_input_file_lacks_is_an_error(shard: Executable, tmp_path: Path) -> None:
    said = refusal(shard, [array("count", [1, 2, 3]), THREE[1]], tmp_path)
    assert "given has no counts of type int32" in said
    said = refusal(shard, [array("counts", [1.0, 2.0, 3.0]), THREE[1]], tmp_path)
    assert "given has no counts of type int32" in said


def test_bytes_that_do_not_fit_the_shape_are_an_error(shard: Executable, tmp_path: Path) -> None:
    write_arrays(tmp_path / "in", THREE)
    content = (tmp_path / "in").read_bytes()
    extent = content.index((3).to_bytes(8, "little"))
    wrong = content[:extent] + (4).to_bytes(8, "little") + content[extent + 8 :]
    (tmp_path / "wrong").write_bytes(wrong)
    done = shard.launch("s0002", tmp_path / "wrong", tmp_path / "out", 3)
    assert done.returncode == 1
    assert "array counts has another size than its shape says" in done.stderr


def test_what_is_no_array_file_is_an_error(shard: Executable, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no array file, but long enough")
    done = shard.launch("s0002", tmp_path / "text", tmp_path / "out", 3)
    assert (done.returncode, "text is no array file" in done.stderr) == (1, True)
    done = shard.launch("s0002", tmp_path / "nowhere", tmp_path / "out", 3)
    assert (done.returncode, "nowhere cannot be read" in done.stderr) == (1, True)
    (tmp_path / "empty").write_text("")
    done = shard.launch("s0002", tmp_path / "empty", tmp_path / "out", 3)
    assert (done.returncode, "empty ends early" in done.stderr) == (1, True)


def test_a_truncated_input_file_is_an_error(shard: Executable, tmp_path: Path) -> None:
    write_arrays(tmp_path / "whole", THREE)
    content = (tmp_path / "whole").read_bytes()
    for end in range(0, len(content), 7):
        (tmp_path / "part").write_bytes(content[:end])
        done = shard.launch("s0002", tmp_path / "part", tmp_path / "out", 3)
        assert (done.returncode, "part ends early" in done.stderr) == (1, True), end


def test_outputs_that_cannot_be_written_are_an_error(shard: Executable, tmp_path: Path) -> None:
    write_arrays(tmp_path / "in", THREE)
    numbers = shard.interfaces["s0002"].numbers_for(3)
    for place in (tmp_path / "no" / "folder", Path("/dev/full")):
        done = shard.run("s0002", tmp_path / "in", place, 0, 0, *numbers)
        assert (done.returncode, f"{place} cannot be written" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "words", [[], ["s0002"], ["s0002", "in", "out", "0"], ["s0099", "in", "out", "0", "0"]]
)
def test_what_is_no_command_has_status_2(shard: Executable, words: list[str]) -> None:
    done = shard.run(*words)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_batch_marks_where_each_command_begins_and_ends(shard: Executable, tmp_path: Path) -> None:
    write_arrays(tmp_path / "in", THREE)
    (tmp_path / "batch").write_text("s0002 in a 0 0 3\ns0011 in\n\ns0099\ns0002 --main b\ns0002 in c 0 0 3\n")
    done = shard.run("--batch", "batch", folder=tmp_path)
    statuses = [0, 2, 2, 2, 0, 0]
    assert done.stdout.splitlines() == [
        line
        for number, status in enumerate(statuses)
        for line in (f"begin {number}", f"end {number} {status}")
    ]
    assert done.returncode == 2
    assert "no sample s0099" in done.stderr
    before = {array.name: array.elements for array in THREE}
    assert list(read_arrays(tmp_path / "c", {}, before=before)) == ["counts", "untouched"]


def test_a_missing_batch_file_is_an_error(shard: Executable, tmp_path: Path) -> None:
    assert shard.run("--batch", tmp_path / "none").returncode == 1
