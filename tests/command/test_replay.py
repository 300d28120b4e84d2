"""Samples are made again from their seed or source, and whatever is no longer the same is named."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from building import ROOT, Build
from weft.dataset.build import Options, build_dataset
from weft.errors import UserError
from weft.files import read_json, write_json
from weft.kernels import category_names, generate
from weft.replay.compare import compare
from weft.replay.make import Tools, make_again
from weft.replay.recorded import Recorded, recorded_in_dataset, recorded_in_results


def test_a_difference_is_named_with_its_line() -> None:
    long = "x" * 500
    recorded = {"kernel": "a\nb\n", "cuda": f"{long} 1 {long}\n", "call": "same", "verdict cuda": "of a GPU"}
    made = {"kernel": "a\nc\n", "cuda": f"{long} 2 {long}\n", "call": "same", "reject runs": "why"}
    kernel, cuda, call, gpu, rejected = compare(recorded, made)
    assert kernel.differs
    assert re.fullmatch(
        r"kernel: \w{16} was recorded, \w{16} came out; first in line 2:\n      b\n      c", str(kernel)
    )
    assert cuda.differs and "…" + "x" * 49 + " 1 " in str(cuda) and len(str(cuda)) < 400
    assert not call.differs and str(call).endswith(", the same")
    assert not gpu.differs and str(gpu) == "verdict cuda: not made again: it needs a GPU"
    assert rejected.differs and "None was recorded" in str(rejected)


def test_a_shard_that_is_cut_behind_a_sample_begins_as_the_whole() -> None:
    """Names depend on the kernels before, so that a sample can be made without those behind it."""
    for category in ("struct", "grid_2d"):
        whole, part = (generate(category, 0, count).partition("\nLAUNCH = ") for count in (4, 2))
        assert whole[0].startswith(part[0].rstrip())
        assert whole[2].startswith(part[2].partition("\n}\n")[0])


DATASET = Options(
    shares={"train": 1.0}, held_out=(), devices=("cpu",), mutation_score=0.0, licenses={}, repository=ROOT
)


def tools(build: Build) -> Tools:
    """What the build has made once."""
    headers = (build.results / "warp_headers", build.results / "warp_tile_headers")
    return Tools(cpu_device=build.results / "cpu_device", headers=headers)


def differing(sample: Recorded, folder: Path, build: Build) -> list[str]:
    found = compare(sample.parts, make_again(sample, folder, tools(build)))
    return [one.part for one in found if one.differs]


@pytest.mark.workflow
@pytest.mark.needs("nvcc")
def test_a_sample_of_a_build_and_a_row_are_the_same_again(small_build: Build, tmp_path: Path) -> None:
    sample = recorded_in_results(small_build.results, "loop-0000-0001")
    assert [*sample.parts] == ["kernel", "ir", "tree", "cuda", "call", "ptx sm_75", "verdict cpu"]
    assert differing(sample, tmp_path / "build", small_build) == []
    rows = (small_build.results / "dataset/data/default").glob("*.parquet")
    names = [name for file in sorted(rows) for name in pq.read_table(file)["sample_id"].to_pylist()]
    row = recorded_in_dataset(
        small_build.results / "dataset", next(n for n in names if n.startswith("matrix"))
    )
    assert [*row.parts] == ["kernel", "ir", "cuda", "ptx sm_75", "verdict cpu"]
    assert differing(row, tmp_path / "row", small_build) == []


@pytest.mark.workflow
@pytest.mark.needs("nvcc")
def test_whatever_was_recorded_otherwise_is_found(build_copy: Build, tmp_path: Path) -> None:
    """A changed program and verdict; other weights of difficulties give another kernel."""
    program = build_copy.results / "cuda/loop/0.cu"
    program.write_text(program.read_text().replace("    const int ", "    const int  "))
    runs = build_copy.results / "runs/cpu/loop/0.json"
    verdicts = read_json(runs)
    for one in verdicts["samples"]:
        one["max_ulp"] = 7
    write_json(runs, verdicts)
    sample = recorded_in_results(build_copy.results, "loop-0000-0000")
    assert differing(sample, tmp_path / "changed", build_copy) == ["cuda", "verdict cpu"]


def test_what_is_no_sample_is_said(small_build: Build) -> None:
    with pytest.raises(UserError, match=r"has no sample 'loop-0000-0009'$"):
        recorded_in_results(small_build.results, "loop-0000-0009")
    with pytest.raises(UserError, match=r"the last build did not include shard loop/3$"):
        recorded_in_results(small_build.results, "loop-0003-0000")


SOURCES = "{heat: examples/heat.py, smoothing: examples/smoothing.py}"
SAMPLED = ("custom_gradient", "multi_launch", "shared_tile", "texture")
"""Categories whose rows have what no other has: adjoints, steps, tiles, textures."""


@pytest.mark.workflow
@pytest.mark.needs("nvcc")
@pytest.mark.parametrize(
    ("category", "levels"),
    [
        *(
            pytest.param(name, {}, marks=() if name in SAMPLED else pytest.mark.full, id=name)
            for name in category_names()
        ),
        ("vector", {"hard": 1.0, "expert": 3.0}),
    ],
)
def test_a_row_of_each_category_is_the_same_again(
    small_build: Build, tmp_path: Path, category: str, levels: dict[str, float]
) -> None:
    """The first verified kernel of the category becomes a dataset of one row, which is replayed."""
    results = tmp_path / "recorded/results"
    for index in range(8):
        sample = Recorded(
            f"{category}-0000-{index:04d}", category, 0, index, None, levels, (1, 67), (0,), ("sm_75",), {}
        )
        made = make_again(sample, tmp_path / "recorded", tools(small_build))
        if json.loads(made.get("verdict cpu", "{}")).get("verdict") == "verified":
            break
    plan = read_json(small_build.results / "plan.json")
    shard = {"category": category, "seed": 0, "kernels": sample.index + 1}
    own = {"shards": [shard], "sizes": [1, 67], "input_seeds": [0], "difficulty": levels}
    write_json(results / "plan.json", plan | own)
    shutil.copytree(small_build.results / "stats", results / "stats")
    build_dataset(results, tmp_path / "dataset", DATASET)
    row = recorded_in_dataset(tmp_path / "dataset", sample.sample_id)
    assert [*row.parts] == ["kernel", "ir", "cuda", "ptx sm_75", "verdict cpu"]
    assert differing(row, tmp_path / "again", small_build) == []


@pytest.mark.full
@pytest.mark.workflow
@pytest.mark.needs("nvcc")
def test_samples_of_a_build_of_all_categories_are_the_same_again(
    small_build: Build, small_config: list[str], tmp_path: Path
) -> None:
    """Generated ones and users'; rejected samples from the build alone."""
    build = small_build.without_results(tmp_path / "build")
    config = [one for one in small_config if not one.startswith(("categories=", "--config"))]
    build.run(
        "all", "--cores", "2", "--config", *config, "categories=all", f"sources={SOURCES}", timeout=1800
    )
    rows = sorted((build.results / "dataset/data/default").glob("*.parquet"))
    in_dataset = {name for file in rows for name in pq.read_table(file)["sample_id"].to_pylist()}
    plan = json.loads((build.results / "plan.json").read_text())
    first = [f"{shard['category']}-0000-0000" for shard in plan["shards"]]
    second = [f"{shard['category']}-0000-0001" for shard in plan["shards"] if shard["kernels"] > 1]
    for samples, where in (
        ([*first, *second], []),
        ([name for name in first if name in in_dataset], ["--dataset", "results/dataset"]),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "weft", "replay", *samples, *where],
            cwd=build.folder, env=build.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert len(re.findall(r"^[\w-]+: the same$", done.stdout, re.MULTILINE)) == len(samples) > 30
