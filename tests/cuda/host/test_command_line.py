from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from handmade import Input, program_of

from conftest import Executable
from weft.runs.arrays import PackedArray, read_arrays, write_arrays
from weft.types import Scalar

COUNTS = {
    "counts": Input("array<int32,1>", {"constant": 0}, ["n"], "inout"),
    "untouched": Input("array<float32,1>", None, ["2", "n"], "out"),
}
AWKWARD = {
    "n": Input("array<int32,1>", {"integers": [0, 9]}, ["n"], "inout"),
    "options": Input("int32", {"integers": [3, 4]}),
    "run": Input("float32", {"constant": 1.0}),
    "stream": Input("int32", {"size": "rows"}),
    "block": Input("array<float32,1>", {"uniform": [0.0, 1.0]}, ["rows"]),
    "rows": Input("array<int32,1>", None, ["rows"], "out"),
}


TRIPLED = {"x": Input("array<int32,1>", {"constant": 0}, ["rows"], "inout")}


def array(name: str, values: list[float]) -> PackedArray:
    numbers = np.array(values, dtype=np.float32 if isinstance(values[0], float) else np.int32)
    return PackedArray(
        name, Scalar(str(numbers.dtype)), (len(numbers),), numbers.view(np.uint8).reshape(len(numbers), -1)
    )


@pytest.fixture(scope="module")
def shard(compile_shard: Callable) -> Executable:
    counts = program_of(COUNTS, "counts[i] += i + 1;", sample="probe-0000-0002")
    awkward = program_of(
        AWKWARD, "n[i] += options + int(run) + stream;", {"rows": "n // 2 + 1"}, "probe-0000-0011"
    )
    tripled = program_of(TRIPLED, "x[i] += i;", {"rows": "3 * n"}, "probe-0000-0012")
    return compile_shard([counts, awkward, tripled])


def test_the_last_line_tells_what_ran(shard: Executable) -> None:
    answer = shard.json("s0002", "--size", 5, "--seed", 9)
    assert answer.pop("milliseconds") >= 0
    assert answer == {"kernel": "probe", "size": 5, "seed": 9}


def test_outputs_are_those_of_the_first_launch(shard: Executable, tmp_path: Path) -> None:
    shard.json("s0002", "--size", 3, "--repeat", 4, "--outputs", tmp_path / "out")
    assert read_arrays(tmp_path / "out", {})["counts"].elements.view(np.int32).ravel().tolist() == [1, 2, 3]


def test_out_arrays_hold_the_fill_byte(shard: Executable, tmp_path: Path) -> None:
    shard.json("s0002", "--size", 3, "--fill", 203, "--outputs", tmp_path / "out")
    untouched = read_arrays(tmp_path / "out", {})["untouched"]
    assert untouched.shape == (2, 3)
    assert set(untouched.elements.ravel()) == {203}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--sise", "3"],
        ["--size", "0"],
        ["--size", "x"],
        ["--size", "3x"],
        ["--size", ""],
        ["--size"],
        ["--size", "2147483648"],
        ["--seed", "-1"],
        ["--seed", "4294967296"],
        ["--fill", "256"],
        ["--repeat", "0"],
        ["--outputs", ""],
        ["3"],
    ],
)
def test_a_bad_option_is_named_and_the_status_is_2(shard: Executable, arguments: list[str]) -> None:
    done = shard.run("s0002", *arguments)
    assert done.returncode == 2
    assert f"s0002: bad option {arguments[0]}" in done.stderr
    assert "usage: s0002 [--size N] [--seed S]" in done.stderr
    assert done.stdout == ""


def test_an_array_that_the_input_file_lacks_is_an_error(shard: Executable, tmp_path: Path) -> None:
    shard.json("s0002", "--size", 3, "--outputs", tmp_path / "three")
    wrong_size = shard.run("s0002", "--size", 4, "--inputs", tmp_path / "three")
    assert wrong_size.returncode == 1
    assert "three: array counts has shape (3), not (4)" in wrong_size.stderr
    write_arrays(tmp_path / "other", [array("count", [1, 2, 3])])
    lacks = shard.run("s0002", "--size", 3, "--inputs", tmp_path / "other")
    assert lacks.returncode == 1
    assert "other: array counts is missing" in lacks.stderr
    write_arrays(tmp_path / "float", [array("counts", [1.0, 2.0, 3.0])])
    wrong_type = shard.run("s0002", "--size", 3, "--inputs", tmp_path / "float")
    assert wrong_type.returncode == 1
    assert "float: array counts is of type float32, not int32" in wrong_type.stderr


def test_what_is_no_array_file_is_an_error(shard: Executable, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no array file")
    done = shard.run("s0002", "--inputs", tmp_path / "text")
    assert done.returncode == 1
    assert "text: array counts: the file ends early, or is no array file" in done.stderr
    done = shard.run("s0002", "--inputs", tmp_path / "nowhere")
    assert done.returncode == 1
    assert "nowhere: No such file or directory" in done.stderr


def test_a_truncated_input_file_is_an_error(shard: Executable, tmp_path: Path) -> None:
    shard.json("s0002", "--size", 3, "--outputs", tmp_path / "file")
    content = (tmp_path / "file").read_bytes()
    end = content.index(b"untouched") - 5
    (tmp_path / "file").write_bytes(content[:end])
    done = shard.run("s0002", "--size", 3, "--inputs", tmp_path / "file")
    assert done.returncode == 1
    assert "file: array counts: the file ends early, or is no array file" in done.stderr


def test_outputs_that_cannot_be_written_are_an_error(shard: Executable, tmp_path: Path) -> None:
    assert shard.run("s0002", "--outputs", tmp_path / "no" / "folder").returncode == 1
    assert shard.run("s0002", "--outputs", "/dev/full").returncode == 1


def test_parameters_may_have_the_names_of_the_programs_variables(shard: Executable, tmp_path: Path) -> None:
    shard.json("s0011", "--size", 4, "--outputs", tmp_path / "out")
    outputs = read_arrays(tmp_path / "out", {})
    assert list(outputs) == ["n", "block", "rows"]
    drawn = outputs["n"].elements.view(np.int32).ravel() - (3 + 1 + 3)
    assert np.all((drawn >= 0) & (drawn < 9))


def test_a_size_that_is_no_int_is_refused_before_anything_is_allocated(shard: Executable) -> None:
    done = shard.run("s0012", "--size", 715827883)
    assert done.returncode == 2
    assert done.stderr == "s0012: --size 715827883 is too large: the kernel takes sizes as int\n"


def test_a_shard_runs_all_its_samples(shard: Executable) -> None:
    done = shard.run()
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 3


def test_a_batch_marks_where_each_command_begins_and_ends(shard: Executable, tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    batch.write_text("s0002 --size 3\ns0011 --size x\n\ns0099\ns0011 --size 7\n")
    done = shard.run("--batch", batch)
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith("{")] == [
        "begin 0",
        "end 0 0",
        "begin 1",
        "end 1 2",
        "begin 2",
        "end 2 2",
        "begin 3",
        "end 3 2",
        "begin 4",
        "end 4 0",
    ]
    assert '"size": 7' in lines[-2]
    assert done.returncode == 2
    assert "no sample s0099" in done.stderr


def test_a_missing_batch_file_is_an_error(shard: Executable, tmp_path: Path) -> None:
    assert shard.run("--batch", tmp_path / "none").returncode == 1
