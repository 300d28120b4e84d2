"""Programs compile, without a warning, with the oldest toolkit of which PyPI has an nvcc and with the pinned
one; their device code with the compiler of CUDA 12.0, too, and their host code names nothing that CUDA 12.0's
headers lack. `make test-toolkits` installs the old ones.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest
from nvrtc import Nvrtc

from strict import strict_nvcc
from tools import oldest
from weft.cuda.index import translate_ir
from weft.cuda.program import device_code
from weft.cuda.shard import include_lines
from weft.cuda.source_map import unmarked
from weft.ir.build import build_ir
from weft.kernels import category_names, generate
from weft.workflow.machine import nvcc_path

KERNELS = 4
"""Of each category."""

TWELVE = ("cuda_nvrtc/lib/libnvrtc.so.12", "cuda_runtime/include")
"""The compiler of CUDA 12.0, and its headers."""

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def ir_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The IR of a category's first kernels."""

    @functools.cache
    def ir(category: str) -> dict[str, Any]:
        kernels = tmp_path_factory.mktemp(category) / "kernels.py"
        kernels.write_text(generate(category, 0, KERNELS), encoding="utf-8")
        return build_ir(kernels, category=category, seed=0, device="cuda")

    return ir


@pytest.mark.parametrize("category", category_names())
@pytest.mark.parametrize(
    "toolkit",
    [
        pytest.param("oldest", marks=pytest.mark.needs("oldest_cuda")),
        pytest.param("pinned", marks=pytest.mark.needs("nvcc")),
    ],
)
def test_a_shard_compiles_without_a_warning(ir_of: Any, tmp_path: Path, toolkit: str, category: str) -> None:
    nvcc = nvcc_path("pinned") if toolkit == "pinned" else str(oldest("cu13/bin/nvcc"))
    shard = tmp_path / "shard.cu"
    shard.write_text(translate_ir(ir_of(category)).text, encoding="utf-8")
    assert strict_nvcc(nvcc, [shard], tmp_path) == ""


# The device code of programs of several launches has their launchers in it.
@pytest.mark.needs("oldest_cuda")
@pytest.mark.parametrize("category", [one for one in category_names() if one != "multi_launch"])
def test_device_code_compiles_with_cuda_12(ir_of: Any, category: str) -> None:
    nvrtc = Nvrtc(*map(oldest, TWELVE))
    for record in ir_of(category)["records"]:
        device = device_code(record)
        headers = include_lines(header for header in device.includes if header.startswith("<cuda_"))
        text = unmarked(f"{headers}\n{device.definitions}\n{device.kernel}")
        assert nvrtc.messages(text, ["-std=c++17", "--gpu-architecture=compute_75"]) == ""


@pytest.mark.needs("oldest_cuda")
@pytest.mark.parametrize("category", category_names())
def test_the_headers_of_cuda_12_have_all_of_the_runtime_that_programs_name(ir_of: Any, category: str) -> None:
    headers = [path.read_text(errors="replace") for path in oldest(TWELVE[1]).glob("*.h*")]
    asked = re.findall(r"\bcuda[A-Z_]\w*", translate_ir(ir_of(category)).text)
    assert "cudaMemcpy" in asked
    assert set(asked) <= set(re.findall(r"\bcuda[A-Z_]\w*", "\n".join(headers)))
