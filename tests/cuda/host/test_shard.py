from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path
from typing import Any

import pytest
import test_inputs
from handmade import Input, device_of, program_of, record_of

import weft.cuda.program
from weft.cuda.device_code import KernelParameter
from weft.cuda.formatting import format_texts
from weft.cuda.grid import Grid, GridAxis
from weft.cuda.host import write_program
from weft.cuda.index import translate_ir
from weft.cuda.program import CudaProgram, join, translate, write_programs
from weft.cuda.shard import includes_of, split
from weft.errors import KernelError, Place
from weft.ptx.nvcc import find_toolkit

SQUARES = {
    "x": Input("array<float32,1>", {"uniform": [0, 1]}, ["n"]),
    "y": Input("array<float32,1>", None, ["n"], "out"),
}
SPRINGS = {
    "springs": Input(
        "array<struct<Particle>,1>",
        {
            "members": {
                "alive": {"constant": 1},
                "mass": {"uniform": [1, 2]},
                "spring": {"constant": 0.5},
                "color": {"integers": [0, 256]},
            }
        },
        ["n", "(n - 7) // 2 + 4"],
        "inout",
    ),
    "order": Input("array<int64,1>", {"permutation": "n"}, ["n"]),
}


def programs() -> list[CudaProgram]:
    samples = [
        (record_of(SQUARES, {}, "mixed-0001-0000"), device_of(SQUARES, "y[i] = x[i] * x[i];")),
        (record_of(SPRINGS, {}, "mixed-0001-0004"), device_of(SPRINGS, "springs[i].mass += order[i];")),
    ]
    return write_programs([(record, write_program(record, device)) for record, device in samples])


def test_programs_are_formatted_as_a_whole() -> None:
    everything = program_of(test_inputs.INPUTS, "(void)i;", test_inputs.SIZES)
    texts = [program.text for program in (*programs(), everything)]
    assert format_texts(texts) == texts


def test_the_text_of_a_sample_is_the_same_alone_and_in_its_shard() -> None:
    alone = program_of(SPRINGS, "springs[i].mass += order[i];", sample="mixed-0001-0004")
    parts = split(join(programs()))
    assert [part.sample_id for part in parts] == ["mixed-0001-0000", "mixed-0001-0004"]
    assert [part.namespace for part in parts] == ["s0000", "s0004"]
    assert parts[1].text == alone.text
    assert alone.standalone.endswith(f"\n\n{alone.text}")
    assert includes_of(alone.standalone) + "\n" + alone.text == alone.standalone


def test_a_shard_includes_what_any_of_its_samples_includes() -> None:
    first, second = programs()
    assert "<algorithm>" in second.includes - first.includes
    includes = includes_of(join([first, second])).splitlines()
    assert set(includes) == {f"#include {header}" for header in first.includes | second.includes}
    assert includes[0] == "#include <cuda_runtime.h>"
    assert includes[1:] == sorted(includes[1:])


def test_programs_hold_only_the_helpers_that_they_use() -> None:
    first, second = programs()
    for helper in ("pcg(", "struct Array", "upload()", "download()"):
        assert helper in first.text
        assert helper in second.text
    for helper in ("random_integer(", "fill_permutation(", "std::vector"):
        assert helper not in first.text
        assert helper in second.text
    for helper in ("random_uniform(", "print_output(", "to_double("):
        assert helper not in first.text
    assert "fill_uniform(" in first.text
    assert "fill_uniform(" not in second.text
    none = program_of({"x": Input("float32", {"uniform": [0, 1]})}, "(void)x;").text
    assert "pcg" not in none and "Array" not in none
    written = {"x": Input("array<float32,1>", None, ["n"], "out")}
    only_written = program_of(written, "x[i] = 1.0f;").text
    assert "upload" not in only_written and "x.download();" in only_written
    read = {"x": Input("array<float32,1>", {"uniform": [0, 1]}, ["n"])}
    only_read = program_of(read, "(void)x;").text
    assert "download" not in only_read and 'printf("' not in only_read
    several = program_of({**written, "y": written["x"]}, "x[i] = y[i] = 1.0f;").text
    assert several.count("print_output(") == 3


def test_headers_are_included_where_they_are_needed() -> None:
    plain = program_of(SQUARES, "y[i] = x[i];").standalone
    assert "<cstdint>" not in plain
    assert "<cstdint>" in program_of(SQUARES, "y[i] = float(int64_t(i));").standalone


@pytest.mark.parametrize("shape", ["alone", "every", "shard"])
@pytest.mark.needs("nvcc")
def test_nvcc_takes_programs_without_a_warning(tmp_path: Path, shape: str) -> None:
    toolkit = find_toolkit("pinned", "g++", "sm_75")
    every = program_of(
        test_inputs.INPUTS,
        "(void)i;",
        test_inputs.SIZES,
        "mixed-0001-0007",
        frozenset({"<cuda_fp16.h>", "<cuda_bf16.h>"}),
    )
    texts = {
        "shard": join([*programs(), every]),
        "alone": programs()[1].standalone,
        "every": every.standalone,
    }
    (tmp_path / "program.cu").write_text(texts[shape])
    warnings = ["-Xcompiler", "-Wall,-Wextra,-Werror,-Wno-unused-parameter", "-Werror", "all-warnings"]
    # A shard has no main: it is compiled, and its samples are linked.
    target = ["-c"] if shape == "shard" else ["-cudart", "static"]
    command = [toolkit.nvcc, "-arch=sm_75", *warnings, *target, "program.cu", "-o", "program"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "program").is_file()


def test_a_sample_that_cannot_be_translated_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place("mixed.py", 12, 5, "    x = wp.svd3(m)")

    def device(record: dict[str, Any], observe: Any) -> Any:
        if record["index"] == 1:
            raise KernelError("unsupported", "no svd3", place)
        if record["index"] == 2:
            raise AssertionError("a bug")
        return device_of(SQUARES, "y[i] = x[i];")

    monkeypatch.setattr(weft.cuda.program, "translate_device", device)
    records = [record_of(SQUARES, {}, f"mixed-0001-{index:04d}") for index in range(4)]
    shard = translate_ir({"category": "mixed", "seed": 1, "records": records})
    assert [sample["sample_id"] for sample in shard.index["samples"]] == [
        "mixed-0001-0000",
        "mixed-0001-0003",
    ]
    assert [part.sample_id for part in split(shard.text)] == ["mixed-0001-0000", "mixed-0001-0003"]
    unsupported, fault = shard.index["rejects"]
    assert (unsupported["stage"], unsupported["reason"], unsupported["line"]) == ("cuda", "unsupported", 12)
    assert fault["reason"] == "internal_error"
    assert fault["message"].startswith("a bug in Weft: AssertionError: a bug (test_shard.py:")
    with pytest.raises(KernelError, match="no svd3"):
        translate(records[1])


def test_a_shard_without_samples_holds_nothing() -> None:
    shard = translate_ir({"category": "mixed", "seed": 1, "records": []})
    assert split(shard.text) == []
    assert shard.text.strip() == ""
    assert shard.index["samples"] == []


def launcher_of(dims: list[str], extents: dict[str, str], limits: tuple[str, ...] = ()) -> str:
    """The launcher of a kernel with a launch of `dims`, whose extents have these sizes by name."""
    device = device_of(SQUARES, "y[i] = x[i];")
    parameters = [one for one in device.parameters if one.kind != "extent"]
    parameters += [KernelParameter("", name, "extent", None, "int", size) for name, size in extents.items()]
    axes = [
        GridAxis((dim,), threads) for dim, threads in zip(reversed(range(len(dims))), "xyz", strict=False)
    ]
    block = (32, 4, 2) if len(dims) > 1 else (256, 1, 1)
    device = dataclasses.replace(
        device,
        parameters=tuple(parameters),
        grid=Grid(tuple(axes), block, "A warp spans 32 neighbours along x."),
        covered_dims=limits,
    )
    record = record_of(SQUARES, {"rows": "n + 2", "cols": "2 * n", "grid": "n + 1", "planes": "4"})
    record["launch"]["dims"] = dims
    text = write_programs([(record, write_program(record, device))])[0].text
    begin = text.index("cudaError_t launch_probe(")
    return text[begin : text.index("\n}\n", begin) + 3]


def test_a_launcher_computes_the_grid_from_the_extents() -> None:
    assert (
        launcher_of(["4", "rows", "cols + 1"], {"rows": "rows", "cols": "cols"})
        == """\
cudaError_t launch_probe(const float* x, float* y, int rows, int cols, cudaStream_t stream = nullptr) {
    const int threads_x = cols + 1;
    if (rows <= 0 || threads_x <= 0) return cudaSuccess;
    // A warp spans 32 neighbours along x.
    const dim3 block(32, 4, 2);
    const dim3 grid((threads_x + block.x - 1) / block.x, (rows + block.y - 1) / block.y, 2);
    probe<<<grid, block, 0, stream>>>(x, y, rows, cols);
    return cudaGetLastError();
}
"""
    )


def test_a_launcher_uses_the_sizes_that_are_parameters_already() -> None:
    text = launcher_of(["rows + 1", "cols"], {"rows": "rows", "cols": "cols"})
    assert "const int threads_y = rows + 1;" in text
    assert "if (threads_y <= 0 || cols <= 0) return cudaSuccess;" in text
    text = launcher_of(["planes * 3"], {"other": "4", "planes": "4"})
    assert "const int64_t threads_x = int64_t(planes) * 3;" in text


def test_a_launcher_starts_no_threads_that_the_kernels_own_check_stops() -> None:
    limited = launcher_of(["(rows + 63) // 64 * 64"], {"rows": "rows"}, limits=("rows",))
    assert "threads_x" not in limited
    assert "const unsigned grid = (rows + block - 1) / block;" in limited


def test_the_variables_of_a_launcher_keep_clear_of_the_parameters() -> None:
    text = launcher_of(["grid"], {"grid": "grid", "block": "n", "stream": "n"})
    assert "int grid, int block, int stream, cudaStream_t launch_stream = nullptr" in " ".join(text.split())
    assert "const unsigned num_blocks = (grid + threads_per_block - 1) / threads_per_block;" in text
    assert "probe<<<num_blocks, threads_per_block, 0, launch_stream>>>(x, y, grid, block, stream);" in text
