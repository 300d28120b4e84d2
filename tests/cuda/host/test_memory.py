"""Programs with arrays in constant, texture and read-only memory: their text, their space, nvcc's opinion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import main_problem
from weft.cuda.formatting import format_texts
from weft.cuda.program import join, translate_shard
from weft.ir.build import build_ir
from weft.ptx.nvcc import find_toolkit

KERNELS = Path(__file__).parents[1] / "device" / "memory_kernels.py"


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return list(build_ir(KERNELS, category="memory", seed=0, device="cuda")["records"])


def test_the_programs_are_formatted(records: list[dict[str, Any]]) -> None:
    texts = [program.text for program in translate_shard(records)[0]]
    assert format_texts(texts) == texts


@pytest.mark.needs("nvcc")
def test_nvcc_reads_through_the_paths_that_were_asked_for(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    ptx = find_toolkit("pinned", "g++", "sm_75").ptx(join(translate_shard(records)[0]), tmp_path)
    for instruction in ("ld.global.nc.v4.f32", "ld.const", "tex.1d.v4", "tex.2d.v4"):
        assert instruction in ptx, instruction


def test_main_makes_tables_and_textures(
    records: list[dict[str, Any]], compile_shard: Callable, tmp_path: Path
) -> None:
    """Textures in linear memory and of images: main prints what the judge's driver leaves."""
    executable = compile_shard(translate_shard(records)[0])
    for record in records:
        folder = tmp_path / record["sample_id"]
        folder.mkdir()
        assert main_problem(executable, record, folder) is None, record["kernel_name"]


def test_a_table_is_copied_to_its_symbol(records: list[dict[str, Any]]) -> None:
    text = next(p.text for p in translate_shard(records)[0] if p.kernel_name == "constant_structs")
    assert "__constant__ Material materials[3];\n" in text
    assert "void constant_structs(const int* __restrict__ kind, float* __restrict__ out, int n)" in text
    assert "CUDA_CHECK(cudaMemcpyToSymbol(materials, materials_.host, sizeof(materials)));\n" in text


def test_the_tables_of_a_shard_share_its_constant_memory(records: list[dict[str, Any]]) -> None:
    """Materials take 32 bytes: a shard has room for two of these three samples."""
    record = next(one for one in records if one["kernel_name"] == "constant_structs")
    launch = record["launch"]
    materials = launch["parameters"]["materials"] | {"shape": [1000]}
    big = record | {"launch": launch | {"parameters": launch["parameters"] | {"materials": materials}}}
    programs, rejects = translate_shard([big, big, big])
    assert len(programs) == 2
    assert [(one["reason"], one["message"]) for one in rejects] == [
        (
            "constant_memory",
            "constant tables of 32000 bytes: of 65536 in a shard, those before it leave 1536",
        )
    ]
