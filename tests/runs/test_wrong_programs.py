"""Each deliberately wrong program gets the verdict that it deserves; the right one is verified."""

from pathlib import Path
from typing import Any

import pytest
from hand_written import KERNEL, LAUNCHED, MAIN, WRITTEN, evens_reference, judge, program, shard, with_value

from weft.runs.shard import parse_shard

VALUE = "max(2.0f * x[i] + y[i], 0.0f)"

PROGRAMS = {
    "right": (program(), "verified"),
    "zeros": (with_value("0.0f"), "wrong_output"),
    "a constant": (with_value("0.5f"), "wrong_output"),
    "a copy of an input": (with_value("x[i]"), "wrong_output"),
    "the kernel is never launched": (program(launch=""), "unwritten_output"),
    "the grid is too small": (program(launch=LAUNCHED.replace("(n + 255) / 256", "n / 256 + (n < 256)")), "unwritten_output"),
    "only part is written": (program(KERNEL.replace("i >= n", "i >= n - 2")), "unwritten_output"),
    "odd elements are written too": (program(KERNEL.replace(" || i % 2 != 0", "")), "wrote_too_much"),
    "off by one": (with_value(VALUE.replace("y[i]", "y[i > 0 ? i - 1 : i]")), "wrong_output"),
    "no bounds check": (program(KERNEL.replace("i >= n || ", "")), "out_of_bounds"),
    "reads past the end": (with_value(VALUE.replace("y[i]", "y[i] + 0.0f * x[n + 4]")), "out_of_bounds"),
    "writes past the end by one": (
        program(KERNEL.replace("out[i] =", "if (i == 0) out[n] = 1.0f;\n    out[i] =")),
        "out_of_bounds",
    ),
    "writes in front of the array": (
        program(KERNEL.replace("out[i] =", "if (i == 0) out[-1] = 1.0f;\n    out[i] =")),
        "out_of_bounds",
    ),
    "uses freed memory": (
        program(launch="float* kept = x.device; cudaFree(x.device); x.device = nullptr;\n"
                + LAUNCHED.replace("x.device", "kept")),
        "out_of_bounds",
    ),
    "modifies an input": (
        program(KERNEL.replace("const float* __restrict__ y", "float* y").replace(
            "if (i >= n ||", "if (i < n) y[i] = y[i] == 0.0f ? y[i] : y[i] * 1.0f + 1.0f;\n    if (i >= n ||").replace(
            "+ y[i]", "+ (y[i] - 1.0f)")),
        "input_modified",
    ),
    "reads an uninitialised variable": (
        program(KERNEL.replace("out[i] =", "float t;\n    if (n > 300) t = 2.0f;\n    out[i] =").replace("2.0f * x", "t * x")),
        "wrong_output",
    ),
    "reads device memory that nobody wrote": (
        program(launch='harness::Buffer t("t", n);\n    ' + LAUNCHED.replace("y.device", "t.device")), "wrong_output",
    ),
    "negative zero": (with_value("2.0f * x[i] + y[i] > 0.0f ? 2.0f * x[i] + y[i] : -0.0f"), "wrong_output"),
    "NaN in one element": (with_value("i == 30 ? nanf(\"\") : " + VALUE), "nan_mismatch"),
    "fused where it must not": (with_value("max(fmaf(x[i], 2.0f, y[i] * 1.0000001f), 0.0f)"), "wrong_output"),
    "the last thread to come wins": (
        program(KERNEL.replace("i % 2 != 0) return;", "i % 2 != 0) return;\n    float* scratch = last;\n    *scratch = float(i);")
                .replace("int n) {", "float* last, int n) {").replace(VALUE, VALUE + " * (i == 0 || i == n - 1 || *last >= 0.0f)")
                + "__global__ void finish(float* out, const float* last, int n) {\n"
                  "    const int end = (n - 1) / 2 * 2;\n    if (*last != float(end)) out[end] = 7.0f;\n}\n",
                launch='harness::Buffer last("last", 1);\n    '
                + LAUNCHED.replace(", n)", ", last.device, n)") + "\n    finish<<<1, 1>>>(out.device, last.device, n);"),
        "non_deterministic",
    ),
    "sleeps for ever": (program(launch="sleep(1000);"), "timeout"),
    "crashes": (program(launch="std::abort();"), "crash"),
    "divides by zero": (program(launch="volatile int zero = 0; std::printf(\"%d\", 1 / zero);"), "crash"),
    "follows a null pointer": (program(launch=LAUNCHED.replace("x.device", "nullptr")), "out_of_bounds"),
    "an error of CUDA": (program(launch=LAUNCHED.replace("256>>>", "2048>>>")), "cuda_error"),
    "an error of CUDA that is ignored": (
        program(launch=LAUNCHED.replace("256>>>", "2048>>>") + " cudaGetLastError();"), "unwritten_output"
    ),
    "copies from a pointer of the host": (
        program(launch="CHECK(cudaMemcpy(x.host.data(), y.host.data(), x.bytes(), cudaMemcpyDeviceToHost));"),
        "cuda_error",
    ),
    "waits where others never come": (
        program(KERNEL.replace("if (i >= n", "if (threadIdx.x % 2) __syncwarp(0x0000ffffu); else __syncwarp();\n    if (i >= n")),
        "deadlock",
    ),
    "prints PASS and writes nothing": (program(write='std::puts("PASS");'), "no_output"),
    "writes half a file": (program(write=WRITTEN + " if (options.outputs) truncate(options.outputs, 40);"), "no_output"),
    "writes more than was asked": (program(write='harness::write(options.outputs, {&x, &y, &out, &out});'), "bad_output"),
    "leaves out an input": (program(write="harness::write(options.outputs, {&x, &out});"), "bad_output"),
    "writes another shape": (program(write=WRITTEN.replace("&out}", "&out}, -1")), "bad_output"),
    "hands back the outputs of the run before": (
        program(write="static std::vector<float> kept;\n    std::swap(kept, out.host);\n"
                "    out.host.resize(n);\n    " + WRITTEN),
        "wrong_output",
    ),
    "does not compile": (with_value("no_such_name"), "compile_error"),
    "has no kernel in front of a launch": (program(launch="<<<1, 1>>>(n);"), "compile_error"),
    "right, once more": (program(), "verified"),
}  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("wrong")
    text = shard([source for source, _ in PROGRAMS.values()])
    runs = judge(folder, text, evens_reference(len(PROGRAMS)), "--timeout", "1")
    return dict(zip(PROGRAMS, runs["samples"], strict=True)) | {"": runs}


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict(results: dict[str, Any], name: str) -> None:
    result = results[name]
    expected = PROGRAMS[name][1]
    assert (result["reason"] or result["verdict"]) == expected, result["message"]


def test_every_rejected_sample_has_a_reject(results: dict[str, Any]) -> None:
    runs = results[""]
    rejected = [one["sample_id"] for one in runs["samples"] if one["verdict"] == "rejected"]
    assert [one["sample_id"] for one in runs["rejects"]] == rejected
    assert all(one["stage"] == "runs" and one["message"] for one in runs["rejects"])


def test_a_wrong_element_is_shown_with_its_distance(results: dict[str, Any]) -> None:
    failure = results["negative zero"]["failure"]
    assert failure["parameter"] == "out"
    assert (failure["expected"], failure["got"], failure["ulp"]) == (0.0, "-0.0", 1)


def test_an_access_out_of_bounds_is_shown_with_its_thread(results: dict[str, Any]) -> None:
    message = results["writes past the end by one"]["message"]
    assert "write" in message and "past the end of an allocation of" in message
    assert (
        "thread (0, 0, 0) of block (0, 0, 0)" in results["no bounds check"]["message"]
        or "thread (" in message
    )


def test_a_compile_error_is_the_first_with_the_line_of_the_shard(results: dict[str, Any]) -> None:
    message = results["does not compile"]["message"]
    assert message.startswith("shard.cu:") and "no_such_name" in message


def test_no_message_holds_a_path_or_an_address(results: dict[str, Any]) -> None:
    for one in results[""]["samples"]:
        assert "/tmp" not in one["message"] and "weft-" not in one["message"] and "0x" not in one["message"]
