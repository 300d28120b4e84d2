"""Warp's own text compiles to PTX, and a text that does not is found."""

import copy
import os
from pathlib import Path
from typing import Any

import pytest

from weft.errors import UserError
from weft.ir.build import build_ir
from weft.ir_check import check_ir
from weft.sampling import draw


@pytest.fixture(scope="module")
def ir() -> dict[str, Any]:
    return build_ir(
        Path(__file__).parents[2] / "examples" / "histogram.py", category="histogram", seed=0, device="cuda"
    )


def test_every_text_compiles_and_a_corrupted_one_costs_its_sample(ir: dict[str, Any]) -> None:
    corrupted = copy.deepcopy(ir)
    first = corrupted["records"][0]
    first["cuda_forward"] = first["cuda_forward"].replace("wp::atomic_add(", "wp::atomic_ad(")
    result = check_ir(corrupted, "sm_75")
    (sample,) = result["samples"]
    assert sample["compiled"] is True
    assert sample["entries"] == ["bin_extremes_cuda_kernel_forward", "bin_extremes_cuda_kernel_backward"]
    assert sample["ptx_bytes"] > 1000
    (reject,) = result["rejects"]
    assert (reject["sample_id"], reject["reason"]) == ("histogram-0000-0000", "compile_error")
    assert 'error: namespace "wp" has no member "atomic_ad"' in reject["message"]


def test_compiling_leaves_no_files_behind(
    ir: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert check_ir(ir, "sm_75")["samples"]
    assert os.environ["TMPDIR"] == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_share_leaves_the_other_samples_out(ir: dict[str, Any]) -> None:
    draws = {one["sample_id"]: draw(f"{one['sample_id']} ir_check") for one in ir["records"]}
    result = check_ir(ir, "sm_75", share=sum(draws.values()) / 2 / 2**64)
    assert [one["sample_id"] for one in result["samples"]] == [min(draws, key=draws.__getitem__)]
    assert result["rejects"] == check_ir(ir, "sm_75", share=0)["samples"] == []


def test_a_text_without_its_adjoint_is_found(ir: dict[str, Any]) -> None:
    record = ir["records"][0]
    halved = ir | {"records": [record | {"cuda_backward": "// nothing\n"}]}
    (reject,) = check_ir(halved, "sm_75")["rejects"]
    assert reject["reason"] == "missing_entry"


@pytest.mark.parametrize("arch", ["native", "75", "sm_"])
def test_the_architecture_is_checked(ir: dict[str, Any], arch: str) -> None:
    with pytest.raises(UserError, match=f"{arch!r} is not a GPU architecture"):
        check_ir(ir, arch)
