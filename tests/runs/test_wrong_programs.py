"""Each deliberately wrong program gets the verdict that it deserves; the right one is verified."""

from typing import Any

import pytest
from hand_written import (
    KERNEL,
    LAUNCHED,
    WRITTEN,
    changed,
    evens_reference,
    judge,
    program,
    shard,
    with_value,
)

VALUE = "max(2.0f * x[i] + y[i], 0.0f)"
RETURN = "if (i >= n || i % 2 != 0) return;"
STORE = "out[i] ="

LAST_WRITER_WINS = """
__global__ void mark(float* last, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicExch(last, float(i));
}
__global__ void spoil(float* out, const float* last, int n) {
    if (*last != float(n - 1)) out[0] = 7.0f;
}
"""

WRONG = {
    "zeros": (with_value("0.0f"), "wrong_output"),
    "a constant": (with_value("0.5f"), "wrong_output"),
    "a copy of an input": (with_value("x[i]"), "wrong_output"),
    "the kernel is never launched": (program(launch=""), "unwritten_output"),
    "the grid is too small": (
        program(launch=LAUNCHED.replace("(n + 255) / 256", "n / 256 + (n < 256)")),
        "unwritten_output",
    ),
    "only part is written": (changed("i >= n", "i >= n - 2"), "unwritten_output"),
    "odd elements are written too": (changed(" || i % 2 != 0", ""), "wrote_too_much"),
    "off by one": (with_value(VALUE.replace("y[i]", "y[i > 0 ? i - 1 : i]")), "wrong_output"),
    "negative zero": (with_value("2.0f * x[i] + y[i] > 0.0f ? 2.0f * x[i] + y[i] : -0.0f"), "wrong_output"),
    "NaN in one element": (with_value(f'i == 30 ? nanf("") : {VALUE}'), "nan_mismatch"),
    "a constant is off by a bit": (with_value(VALUE.replace("2.0f", "2.0000002f")), "wrong_output"),
    "no bounds check": (changed("i >= n || ", ""), "out_of_bounds"),
    "reads past the end": (with_value(VALUE.replace("y[i]", "y[i] + 0.0f * x[n + 4]")), "out_of_bounds"),
    "writes past the end by one": (changed(STORE, f"if (i == 0) out[n] = 1.0f;\n{STORE}"), "out_of_bounds"),
    "writes in front of the array": (
        changed(STORE, f"if (i == 0) out[-1] = 1.0f;\n{STORE}"),
        "out_of_bounds",
    ),
    "uses freed memory": (
        program(launch=f"cudaFree(const_cast<float*>(x)); {LAUNCHED}"),
        "out_of_bounds",
    ),
    "follows a null pointer": (program(launch=LAUNCHED.replace("(x,", "(nullptr,")), "out_of_bounds"),
    "reads vectors from where no vector may be": (
        with_value(f"{VALUE} + 0.0f * reinterpret_cast<const float2*>(x + 1)->x"),
        "misaligned",
    ),
    "modifies an input": (
        changed(RETURN, f"{RETURN}\n    const_cast<float*>(x)[i] = 0.25f;"),
        "input_modified",
    ),
    "reads an uninitialised variable": (
        changed(STORE, f"float t;\n    if (n > 300) t = 0.0f;\n    {STORE} t +"),
        "non_deterministic",
    ),
    "reads device memory that nobody wrote": (
        program(launch="harness::Buffer t(n);" + LAUNCHED.replace("y,", "t.device,")),
        "wrong_output",
    ),
    "the last thread to come wins": (
        program(
            KERNEL + LAST_WRITER_WINS,
            LAUNCHED
            + "harness::Buffer last(1);"
            + "mark<<<(n + 255) / 256, 256>>>(last.device, n);"
            + "spoil<<<1, 1>>>(out, last.device, n);",
        ),
        "non_deterministic",
    ),
    "sleeps for ever": (program(launch="sleep(1000);"), "timeout"),
    "computes for ever": (program(launch="for (volatile int i = 0;; ++i) {}"), "timeout"),
    "waits where others never come": (
        changed(RETURN, f"if (threadIdx.x % 2) __syncwarp(0x0000ffffu); else __syncwarp();\n{RETURN}"),
        "deadlock",
    ),
    "allocates without end": (
        program(launch="for (;;) if (!std::malloc(1 << 26)) std::abort();"),
        "crash",
    ),
    "writes a huge file": (
        program(launch='if (ftruncate(fileno(std::fopen("huge", "w")), 1L << 40)) std::abort();'),
        "crash",
    ),
    "crashes": (program(launch="std::abort();"), "crash"),
    "divides by zero": (program(launch='volatile int zero = 0; std::printf("%d", 7 / zero);'), "crash"),
    "an error of CUDA": (program(launch=LAUNCHED.replace("256>>>", "2048>>>")), "cuda_error"),
    "an error of CUDA that is ignored": (
        program(launch=LAUNCHED.replace("256>>>", "2048>>>") + "cudaGetLastError();"),
        "unwritten_output",
    ),
    "copies from a pointer of the host": (
        program(
            launch="harness::Floats a(n), b(n);"
            "CHECK(cudaMemcpy(&a[0], &b[0], 4 * n, cudaMemcpyDeviceToHost));"
        ),
        "cuda_error",
    ),
    "prints PASS and writes nothing": (program(write='std::puts("PASS");'), "no_output"),
    "writes half a file": (
        program(write=f"{WRITTEN} if (truncate(path, 40)) std::abort();"),
        "no_output",
    ),
    "writes an array twice": (program(write=WRITTEN.replace('{"out"', '{"out", out}, {"out"')), "bad_output"),
    "leaves out an input": (program(write=WRITTEN.replace('{"y", y}, ', "")), "bad_output"),
    "writes another shape": (program(write=f"out.resize(out.size() - 1); {WRITTEN}"), "bad_output"),
    "hands back the outputs of the case before": (
        program(
            launch=f"static harness::Floats kept; {LAUNCHED} auto left = harness::on_host(out, n);"
            "std::swap(kept, left); left.resize(n); harness::to_device(left, out);"
        ),
        "wrong_output",
    ),
    "does not compile": (with_value("no_such_name"), "compile_error"),
    "has no kernel in front of a launch": (program(launch="<<<1, 1>>>(n);"), "compile_error"),
}
RIGHT = {"right": (program(), "verified"), "right once more": (program(), "verified")}
PROGRAMS = {"right": RIGHT["right"], **WRONG, "right once more": RIGHT["right once more"]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    text = shard([source for source, _ in PROGRAMS.values()])
    return judge(tmp_path_factory.mktemp("wrong"), text, evens_reference(len(PROGRAMS)), "--timeout", "2")


@pytest.fixture(scope="module")
def results(runs: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(PROGRAMS, runs["samples"], strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict(results: dict[str, Any], name: str) -> None:
    result = results[name]
    assert (result["reason"] or result["verdict"]) == PROGRAMS[name][1], result["message"]


def test_every_rejected_sample_has_a_reject(runs: dict[str, Any]) -> None:
    rejected = [one["sample_id"] for one in runs["samples"] if one["verdict"] == "rejected"]
    assert [one["sample_id"] for one in runs["rejects"]] == rejected
    assert len(rejected) == len(WRONG)
    assert all(one["stage"] == "runs" and one["message"] for one in runs["rejects"])


def test_a_wrong_element_is_shown_with_its_distance(results: dict[str, Any]) -> None:
    failure = results["negative zero"]["failure"]
    assert failure["parameter"] == "out"
    assert (failure["expected"], failure["got"], failure["ulp"]) == (0.0, "-0.0", 1)


def test_an_access_out_of_bounds_is_shown_with_its_place(results: dict[str, Any]) -> None:
    message = results["writes past the end by one"]["message"]
    assert "a write of element 1 of an array of 1 (x or y or out) (size 1, seed 0)" in message
    message = results["no bounds check"]["message"]
    assert "of an array of 1 (x or y or out), thread (4, 0, 0) of block (0, 0, 0)" in message


def test_a_compile_error_is_the_first_with_its_line(results: dict[str, Any]) -> None:
    message = results["does not compile"]["message"]
    assert message.startswith("shard.cu:") and "no_such_name" in message


def test_no_message_holds_a_path_or_an_address(results: dict[str, Any]) -> None:
    for one in results.values():
        assert "/tmp" not in one["message"] and "weft-" not in one["message"] and "0x" not in one["message"]
