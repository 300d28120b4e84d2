"""A barrier that the translator places is needed: without it, the CPU device finds a race."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from test_device_semantics import HERE, _run

from weft.files import read_json
from weft.ir.build import build_ir

FILE = HERE / "tile_register_kernels.py"
KERNELS = (
    "two_sums",
    "transposed_loads",
    "fewer_rows_than_threads",
    "more_rows_than_threads",
    "places_of_equals",
)
BARRIER = re.compile(r"^ *__sync(threads|warp)\(\);\n", re.MULTILINE)


def _without(text: str, number: int) -> tuple[str, set[str]]:
    """The shard without the barrier of this number in each sample that has so many, and those samples."""
    samples, changed = re.split(r"(?m)^(?=// sample )", text), set()
    for place, sample in enumerate(samples):
        device = sample.partition("cudaError_t launch_")[0]
        found = list(BARRIER.finditer(device))
        if number < len(found):
            start, end = found[number].span()
            samples[place] = sample[:start] + sample[end:]
            changed.add(re.match(r"// sample (\S+):", sample)[1])  # type: ignore[index]
    return "".join(samples), changed


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...]) -> Path:
    """A folder with the program and the reference of the kernels."""
    folder = tmp_path_factory.mktemp("barriers")
    ir: dict[str, Any] = build_ir(FILE, category="tiles", seed=0, device="cuda")
    records = [record for record in ir["records"] if record["kernel_name"] in KERNELS]
    (folder / "ir.json").write_text(json.dumps(ir | {"records": records}))
    _run("kernels.py", "--source", FILE, "-c", "tiles", "-o", folder / "manifest.py")
    _run("cuda.py", folder / "ir.json", "-o", folder / "shard.cu")
    cases = ("--sizes", 3, "--seeds", 0, "--timeout", 60, *warp_headers)
    _run("reference.py", folder / "manifest.py", folder / "ir.json", "-o", folder / "reference.npz", *cases)
    return folder


def test_no_barrier_can_be_left_out(shard: Path) -> None:
    text, number = (shard / "shard.cu").read_text(encoding="utf-8"), 0
    shutil.copy(shard / "shard.json", shard / "less.json")
    while (found := _without(text, number))[1]:
        program, changed = found
        (shard / "less.cu").write_text(program, encoding="utf-8")
        options = ("--device", "cpu", "--compiler", "g++", "--timeout", 60)
        _run("runs.py", shard / "less.cu", shard / "reference.npz", "-o", shard / "runs.json", *options)
        verdicts = {one["sample_id"]: one["verdict"] for one in read_json(shard / "runs.json")["samples"]}
        assert [one for one in changed if verdicts[one] == "verified"] == []
        assert all(verdicts[one] == "verified" for one in verdicts.keys() - changed)
        number += 1
    assert number >= 3
