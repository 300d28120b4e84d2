"""Where products cancel, a GPU keeps a rounding error. Margins hold it, and nothing else."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hand_written import INTERFACE, cpu_device, evens_reference, sample_id, shard, with_value

from weft.reference.store import NO_MARGIN, Sample, margin_values
from weft.runs.build import WATCH_FLAGS, CpuToolchain, build_shard
from weft.runs.fused import FUSES, with_fused_products
from weft.runs.interface import parse_interface
from weft.runs.shard import parse_shard
from weft.runs.verdict import CPU, judge_sample

CANCELS = "max(2.0f * x[i] + y[i], 0.0f) + ((2.0f * x[i]) * y[i] - x[i] * (2.0f * y[i]))"
SHARD = parse_shard(
    shard([with_value(CANCELS), with_value(f"{CANCELS} + 3e-6f")]),
    "shard.cu",
    {sample_id(i): parse_interface("evens", INTERFACE, "shard.json") for i in range(2)},
)
DEVICE = dataclasses.replace(CPU, bits=False)


def with_twin(sample: Sample) -> Sample:
    """The sample as if its float64 twin were equal."""
    expected = []
    for one in (one["out"] for one in sample.expected):
        kept = one.sample_value if one.value is None else one.value
        assert kept is not None
        expected.append(
            {"out": dataclasses.replace(one, margin=np.full((len(kept), 1), NO_MARGIN, np.int16))}
        )
    return dataclasses.replace(sample, expected=expected)


@pytest.fixture(scope="module")
def fused_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fused")
    toolchain = CpuToolchain("g++", folder, cpu_device(), more=(*WATCH_FLAGS, *FUSES))
    return build_shard(SHARD, toolchain, {sample_id(0), sample_id(1)}).program


def test_margins_hold_what_fused_products_come_to(fused_program: Path) -> None:
    right, wrong = SHARD.samples
    exact, other = (with_twin(one) for one in evens_reference(2).samples)
    assert judge_sample(exact, right, fused_program, DEVICE, 20.0)["reason"] == "wrong_output"

    wider = with_fused_products(exact, SHARD, right, 20.0)
    assert judge_sample(wider, right, fused_program, DEVICE, 20.0)["verdict"] == "verified"

    margins = [one["out"].margin for one in wider.expected]
    largest = max(margin_values(margin).max() for margin in margins if margin is not None)
    assert 2**-28 < largest <= 2**-22  # of one rounding of a product below two, twice at most

    wider = dataclasses.replace(other, expected=wider.expected)
    assert judge_sample(wider, wrong, fused_program, DEVICE, 20.0)["reason"] == "wrong_output"
