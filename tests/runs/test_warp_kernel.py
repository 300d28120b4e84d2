"""Warp's own kernel becomes a program for the driver where it stands alone."""

from pathlib import Path
from typing import Any

import pytest
from hand_written import program, shard, write_shard

from weft.runs.build import CudaToolchain
from weft.runs.shard import ShardSample
from weft.runs.stage import read_shard
from weft.runs.warp_kernel import FLAGS, installed_headers, stands_alone, warp_program
from weft.workflow.machine import nvcc_path

FORWARD = """\
#define WP_NO_BFLOAT16

#define WP_TILE_BLOCK_DIM 256
#define WP_NO_CRT
#include "builtin.h"
#define builtin_tid2d(x, y) wp::tid(x, y, _idx, dim)
#define float(x) cast_float(x)
#define int(x) cast_int(x)

extern "C" __global__ void rows_cuda_kernel_forward(
    wp::launch_bounds_t<2> dim,
    wp::array_t<wp::vec_t<3,wp::float32>> var_x,
    wp::float32 var_factor,
    wp::vec_t<3,wp::float32> var_shift,
    wp::array_t<wp::float32> var_out)
{
    wp::tile_shared_storage_t tile_mem;

    for (size_t _idx = static_cast<size_t>(blockDim.x) * static_cast<size_t>(blockIdx.x) + threadIdx.x;
         _idx < dim.size;
         _idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x))
    {
        wp::int32 var_0, var_1;
        builtin_tid2d(var_0, var_1);
        wp::float32 var_2 = wp::dot(*wp::address(var_x, var_0), var_shift);
        wp::array_store(var_out, var_0, var_1, wp::mul(var_factor, var_2));
    }
}
"""
RECORD: dict[str, Any] = {
    "cuda_forward": FORWARD,
    "signature": [
        {"name": "x", "type": "array<vec<3,float32>,1>"},
        {"name": "factor", "type": "float32"},
        {"name": "shift", "type": "vec<3,float32>"},
        {"name": "out", "type": "array<float32,2>"},
    ],
    "launch": {
        "dims": ["n", "3"],
        "block_dim": 128,
        "steps": [],
        "parameters": {"x": {"null": False, "strides": []}},
    },
}


@pytest.fixture
def part(tmp_path: Path) -> ShardSample:
    write_shard(tmp_path / "hand.cu", shard([program()]))
    return read_shard(tmp_path / "hand.cu").samples[0]


def test_arguments_are_those_of_the_signature(part: ShardSample) -> None:
    text, its_part = warp_program(RECORD, part)
    assert '{"x", "vec<3,float32>", sizeof(wp::vec_t<3,wp::float32>), weft_driver::Kind::array,' in text
    assert '{"factor", "float32", sizeof(wp::float32), weft_driver::Kind::value,' in text
    assert (
        "wp::array_t<wp::float32>(given.array<wp::float32>(3), given.extent(3, 0), given.extent(3, 1))"
        in text
    )
    assert "given.value<wp::vec_t<3,wp::float32>>(2)" in text
    assert f'{{"{part.namespace}", weft_leaves, 4, weft_launch, nullptr}}' in text
    assert its_part.interface.numbers_for(1000, (7, 9)) == [7, 9]
    assert "rows_cuda_kernel_forward<<<grid, 128>>>(dim, " in text


@pytest.mark.needs("nvcc")
def test_nvcc_compiles_it_with_warps_headers(part: ShardSample, tmp_path: Path) -> None:
    headers = installed_headers()
    assert headers is not None
    toolchain = CudaToolchain(
        nvcc_path("pinned"), tmp_path, "sm_75", prelude=None, more=(f"-I{headers}", *FLAGS)
    )
    text, _ = warp_program(RECORD, part)
    assert toolchain.compile(text, tmp_path / "program") is None


@pytest.mark.parametrize(
    "changed",
    [
        {"cuda_forward": None},
        {"cuda_forward": FORWARD.replace("wp::mul(", "wp::tile_sum(")},
        {"launch": None},
        {"launch": RECORD["launch"] | {"steps": [{}]}},
        {"launch": RECORD["launch"] | {"dims": ["n"]}},
        {"launch": RECORD["launch"] | {"parameters": {"x": {"null": True, "strides": []}}}},
        {"launch": RECORD["launch"] | {"parameters": {"x": {"null": False, "strides": [2]}}}},
        {"signature": [{"name": "x", "type": "array<struct<Body>,1>"}]},
        {"signature": [{"name": "x", "type": "texture2d<float32>"}]},
    ],
    ids=["steps alone", "tiles", "not described", "steps", "dims", "null", "strides", "struct", "texture"],
)
def test_others_do_not_stand_alone(changed: dict[str, Any]) -> None:
    assert stands_alone(RECORD)
    assert not stands_alone(RECORD | changed)
