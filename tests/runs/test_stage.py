"""The command line: a whole shard, what is not run, what is insensitive, what is not there."""

import dataclasses
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hand_written import (
    CASES,
    INTERFACE,
    KERNEL,
    LAUNCHED,
    SCRIPTS,
    evens_reference,
    judge,
    program,
    sample_id,
    shard,
    with_value,
    write_shard,
)

from weft.cuda import shard as cuda_shard
from weft.errors import UserError
from weft.inputs import packed_dtype
from weft.reference import store
from weft.runs.interface import Interface, parse_interface
from weft.runs.shard import parse_shard
from weft.types import parse_type


def zeros_reference(count: int) -> store.Reference:
    """The reference of a kernel that writes zero into even elements, whatever its inputs."""
    reference = evens_reference(count)
    dtype = packed_dtype(parse_type("float32"), {})
    expected = []
    for case in CASES:
        even = np.arange(case.size) % 2 == 0
        fill = np.frombuffer(bytes([0xCB] * 4 * case.size), dtype=dtype).copy()
        fill["c0"][even] = 0.0
        written = np.ones((case.size, 1), dtype=np.bool_)
        zeros = np.zeros(case.size, dtype=dtype)
        expected.append({"out": store.expect(zeros, written, case.seed, 2)})
    samples = [dataclasses.replace(sample, expected=expected) for sample in reference.samples]
    return dataclasses.replace(reference, samples=samples)


def test_same_inputs_same_bytes(tmp_path: Path) -> None:
    text = shard([program(), with_value("0.0f")])
    written = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        judge(tmp_path / name, text, evens_reference(2))
        written.append((tmp_path / name / "runs.json").read_bytes())
    assert written[0] == written[1]


def test_a_kernel_that_null_programs_replace_is_insensitive(tmp_path: Path) -> None:
    writes_zeros = program(
        KERNEL.replace(" || i % 2 != 0", "").replace("max(2.0f * x[i] + y[i], 0.0f)", "0.0f")
    )
    runs = judge(tmp_path, shard([writes_zeros]), zeros_reference(1))
    (result,) = runs["samples"]
    assert (result["verdict"], result["reason"]) == ("rejected", "insensitive")
    assert "out: zeros" in result["message"]


def test_a_sample_without_a_program_is_not_run(tmp_path: Path) -> None:
    runs = judge(tmp_path, shard([program()]), evens_reference(2))
    assert [one["verdict"] for one in runs["samples"]] == ["verified", "not_run"]
    assert runs["rejects"] == []


def test_an_empty_shard_has_no_verdicts(tmp_path: Path) -> None:
    runs = judge(tmp_path, shard([]), evens_reference(0))
    assert runs["samples"] == [] and runs["rejects"] == []
    assert runs["versions"]["compiler"].startswith("g++")


def test_without_a_gpu_device_cuda_ends_in_one_clear_line(tmp_path: Path) -> None:
    write_shard(tmp_path / "shard.cu", shard([program()]))
    store.write(tmp_path / "reference.npz", evens_reference(1))
    command = [sys.executable, "-P", str(SCRIPTS / "runs.py"), "shard.cu", "reference.npz", "-o", "runs.json"]
    options = ["--device", "cuda", "--compiler", "nvcc", "--arch", "native"]
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}  # the driver then shows no GPU, if there is one
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, env=hidden)
    assert (done.returncode, done.stderr, done.stdout) == (1, "no CUDA device\n", "")
    assert not (tmp_path / "runs.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["shard.cu", "missing.npz", "--compiler", "g++"], "missing.npz"),
        (["missing.cu", "reference.npz", "--compiler", "g++"], "missing.cu"),
        (
            ["shard.cu", "shard.cu", "--compiler", "g++"],
            "shard.cu: cut off or damaged: it is not",
        ),
        (
            ["shard.cu", "reference.npz", "--compiler", "no-such-g++"],
            "got 'no-such-g++', which does not run",
        ),
    ],
)
def test_wrong_requests_end_with_status_2(tmp_path: Path, options: list[str], message: str) -> None:
    write_shard(tmp_path / "shard.cu", shard([program()]))
    store.write(tmp_path / "reference.npz", evens_reference(1))
    command = [sys.executable, "-P", str(SCRIPTS / "runs.py"), *options, "-o", "runs.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr


def interfaces(count: int) -> dict[str, Interface]:
    return {sample_id(i): parse_interface("evens", INTERFACE, "shard.json") for i in range(count)}


def test_runs_reads_shards_as_cuda_writes_them() -> None:
    text = shard([program(), with_value("0.0f")])
    ours, theirs = parse_shard(text, "shard.cu", interfaces(2)), cuda_shard.split(text)
    assert [(one.sample_id, one.kernel_name, one.namespace, one.text) for one in ours.samples] == [
        (one.sample_id, one.kernel_name, one.namespace, one.text) for one in theirs
    ]
    for one in ours.samples:
        lines = text.splitlines(keepends=True)
        assert "".join(lines[one.first_line - 1 : one.last_line]) == one.text


def test_samples_are_taken_out_without_moving_lines() -> None:
    whole = parse_shard(shard([program(), with_value("0.0f"), program()]), "shard.cu", interfaces(3))
    first, _, last = whole.samples
    text = whole.program([first, last])
    lines = text.splitlines(keepends=True)
    for one in (first, last):
        assert "".join(lines[one.first_line - 1 : one.last_line]) == one.text
    assert whole.samples[1].text not in text and "s0001::" not in text


def test_a_sample_whose_call_nobody_knows_is_named() -> None:
    with pytest.raises(UserError, match="nothing says how to call hand-0000-0001"):
        parse_shard(shard([program(), program()]), "shard.cu", interfaces(1))


@pytest.mark.parametrize("broken", ["}", "/*", "#if 1"])
def test_a_broken_sample_costs_only_itself(tmp_path: Path, broken: str) -> None:
    runs = judge(tmp_path, shard([program(), f"{program()}{broken}\n", program()]), evens_reference(3))
    verdicts = [(one["verdict"], one["reason"]) for one in runs["samples"]]
    assert verdicts == [("verified", None), ("rejected", "compile_error"), ("verified", None)]


def test_a_program_that_leaves_processes_behind_ends_with_them(tmp_path: Path) -> None:
    leaves = program(launch=f"if (fork() == 0) sleep(30); {LAUNCHED}")
    start = time.monotonic()
    judge(tmp_path, shard([leaves]), evens_reference(1))
    assert time.monotonic() - start < 25


def test_runs_needs_neither_warp_nor_a_template_engine() -> None:
    code = "import sys, weft.runs.stage; print(sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    for module in ("warp", "jinja2", "snakemake"):
        assert f"'{module}'" not in done.stdout
