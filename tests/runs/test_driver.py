"""The driver makes of an array file one launch, and an array file of what that left."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from hand_written import INTERFACE, cpu_device, program, sample_id, shard

from weft.runs.arrays import PackedArray, read_arrays, split_files, write_arrays
from weft.runs.build import CpuToolchain
from weft.runs.interface import command, parse_interface
from weft.runs.shard import parse_shard
from weft.types import parse_type

FLOAT = parse_type("float32")
MAIN = 'int main() { std::puts("said"); return 3; }\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program of two samples, of which the first has a `main`, and with inputs."""
    folder = tmp_path_factory.mktemp("driver")
    interface = parse_interface("evens", INTERFACE, "shard.json")
    interfaces = {sample_id(number): interface for number in range(2)}
    parsed = parse_shard(shard([program(main=MAIN), program()]), "shard.cu", interfaces)
    toolchain = CpuToolchain("g++", folder, cpu_device())
    assert toolchain.compile(parsed.program(parsed.samples), folder / "program") is None
    x, y = floats("x", 1.0, 2.0, 3.0), floats("y", 5.0, 5.0, 5.0)
    write_arrays(folder / "whole", [x, y, PackedArray("out", FLOAT, (3,), np.empty((0, 0), np.uint8))])
    write_arrays(folder / "given", [y, x, floats("out", 7.0, 8.0, 9.0)])
    write_arrays(folder / "short", [x, y])
    (folder / "cut").write_bytes((folder / "whole").read_bytes()[:-20])
    (folder / "text").write_text("evens")
    return folder


def floats(name: str, *values: float) -> PackedArray:
    elements = np.array(values, np.float32).view(np.uint8).reshape(-1, 4)
    return PackedArray(name, FLOAT, (len(values),), elements)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["./program", *words], cwd=folder, capture_output=True, text=True, timeout=60)


def launch(folder: Path, inputs: str, fill: int) -> list[float]:
    """What `out` holds after a launch."""
    (folder / "left").unlink(missing_ok=True)
    done = run(folder, *command("s0001", inputs, "left", fill=fill, numbers=[3]))
    assert done.returncode == 0, done.stderr
    before = {one.name: one.elements for one in (floats("x", 1.0, 2.0, 3.0), floats("y", 5.0, 5.0, 5.0))}
    left = read_arrays(folder / "left", {}, before=before)
    assert list(left) == ["x", "y", "out"]
    assert left["x"].elements is before["x"]  # the file has its shape alone
    return [float(value) for value in left["out"].elements.reshape(-1).view(np.float32)]


def test_arrays_without_elements_are_filled(folder: Path) -> None:
    assert launch(folder, "whole", 0) == [7.0, 0.0, 11.0]
    (filled,) = np.frombuffer(bytes([0x3F] * 4), np.float32)
    assert launch(folder, "whole", 0x3F) == [7.0, filled, 11.0]


def test_outputs_follow_one_another(folder: Path) -> None:
    launch(folder, "whole", 0)
    before = (folder / "left").read_bytes()
    run(folder, *command("s0001", "whole", "left", fill=0, numbers=[3])).check_returncode()
    assert list(split_files((folder / "left").read_bytes(), "left")) == [before, before]


def test_arrays_are_found_by_their_names(folder: Path) -> None:
    assert launch(folder, "given", 0) == [7.0, 8.0, 11.0]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ("missing", "missing cannot be read"),
        ("short", "short has no out of type float32"),
        ("cut", "cut ends early"),
        ("text", "text ends early"),
    ],
)
def test_inputs_that_are_none_end_it(folder: Path, inputs: str, message: str) -> None:
    done = run(folder, *command("s0000", inputs, "none", fill=0, numbers=[3]))
    assert (done.returncode, done.stderr.strip()) == (1, message)
    assert not (folder / "none").exists()


def test_a_batch_says_which_command_it_is_at(folder: Path) -> None:
    words = command("s0000", "whole", "left", fill=0, numbers=[3])
    lines = [words, ["s0000", "--main", "printed"], ["s0007", "--main", "printed"]]
    (folder / "batch").write_text("".join(" ".join(one) + "\n" for one in lines))
    done = run(folder, "--batch", "batch")
    said = [line.rpartition(" ") for line in done.stdout.splitlines() if line.startswith("end")]
    assert [(line, status) for line, _, status in said] == [("end 0", "0"), ("end 1", "3"), ("end 2", "2")]
    assert done.returncode != 0
    assert (folder / "printed").read_text() == "said\n"


def test_a_sample_without_main_has_none_to_run(folder: Path) -> None:
    done = run(folder, "s0001", "--main", "printed")
    assert (done.returncode, "there is no main" in done.stderr) == (1, True)


def test_launches_are_timed(folder: Path) -> None:
    (folder / "times").unlink(missing_ok=True)
    words = command("s0000", "whole", "-", fill=0, numbers=[3], repeat=4)
    assert run(folder, *words).returncode == 0
    assert len([float(line) for line in (folder / "times").read_text().splitlines()]) == 4
    assert not (folder / "-").exists()


def test_what_the_last_timed_launch_leaves_is_what_one_launch_leaves(folder: Path) -> None:
    for outputs, repeat in (("once", 0), ("timed", 3)):
        (folder / outputs).unlink(missing_ok=True)
        words = command("s0000", "whole", outputs, fill=0, numbers=[3], repeat=repeat)
        assert run(folder, *words).returncode == 0
    assert (folder / "timed").read_bytes() == (folder / "once").read_bytes()
