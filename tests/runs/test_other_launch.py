"""Fresh cases have other extents and constants than the description, where the caller chooses these."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_written import SCRIPTS

from tools import has_sandbox
from weft.edges import Kind, kind_of
from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.reference import store
from weft.runs.other_launch import other_launch
from weft.sizes import evaluate_size
from weft.types import parse_type

KERNELS = '''
import warp as wp


@wp.kernel
def fade(x: wp.array2d(dtype=float), weight: float, out: wp.array2d(dtype=float)):
    """Scale each element by a weight that falls from column to column."""
    i, j = wp.tid()
    out[i, j] = weight * x[i, j] / float(j + 1)


@wp.kernel
def pick(x: wp.array2d(dtype=float), cols: int, out: wp.array(dtype=float)):
    """Find the sum of the first seven columns, and the last one."""
    i = wp.tid()
    total = x[i, cols - 1]
    for j in range(7):
        total += x[i, j]
    out[i] = total


@wp.kernel
def blend(x: wp.array2d(dtype=float), count: int, out: wp.array(dtype=float)):
    """Add up the first rows of a column, up to six."""
    i = wp.tid()
    total = float(0.0)
    for k in range(count):
        total += x[k, i]
    out[i] = total


LAUNCH = {
    "blend": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["6", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "6"}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "fade": {
        "sizes": {"rows": "n // 64 + 1", "cols": "50"},
        "dims": ["rows", "cols"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "weight": {"values": {"constant": 2.0}},
            "out": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "pick": {
        "sizes": {"rows": "n // 64 + 1", "cols": "7"},
        "dims": ["rows"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "cols": {"values": {"size": "cols"}},
            "out": {"role": "out", "shape": ["rows"]},
        },
    },
}
'''
FADE = """
__global__ void k(const float* x, float weight, float* out, int rows, int cols) {
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        const int at = blockIdx.x * cols + j;
        out[at] = weight * x[at] / float(j + 1);
    }
}
cudaError_t launch_fade(const float* x, float weight, float* out, int rows, int cols, cudaStream_t stream) {
    k<<<rows, 64, 0, stream>>>(x, weight, out, rows, cols);
    return cudaGetLastError();
}
"""
PICK = """
__global__ void k(const float* x, int cols, float* out, int rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float total = x[i * cols + cols - 1];
    for (int j = 0; j < 7; ++j) total += x[i * cols + j];
    out[i] = total;
}
cudaError_t launch_pick(const float* x, int cols, float* out, int rows, cudaStream_t stream) {
    k<<<(rows + 255) / 256, 256, 0, stream>>>(x, cols, out, rows);
    return cudaGetLastError();
}
"""
BLEND = """
__global__ void blend(const float* x, int count, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float total = 0.0f;
    for (int k = 0; k < count; ++k) total += x[k * n + i];
    out[i] = total;
}
"""
PROGRAMS = {
    "right": (FADE, "verified"),
    "fifty columns by heart": (FADE.replace("j < cols", "j < 50"), "race"),
    "at most 64 columns": (
        FADE.replace("for (int j", "const int j").replace("j < cols; j += blockDim.x)", "if (j < cols)"),
        "unwritten_output",
    ),
    "at most 256 columns": (
        FADE.replace("for (int j", "const int j")
        .replace("j < cols; j += blockDim.x)", "if (j < cols)")
        .replace("rows, 64", "rows, 256"),
        "unwritten_output",
    ),
    "two columns at least": (
        FADE.replace("float(j + 1);", "float(j + 1) + (j == 0 ? 0.0f * x[at + 1] : 0.0f);"),
        "out_of_bounds",
    ),
    "the weight by heart": (FADE.replace("= weight", "= 2.0f"), "wrong_output"),
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build's folder with the kernels, and their sample of id hand-0000-000*."""
    results = tmp_path_factory.mktemp("build") / "results"
    for room in ("kernels", "ir", "cuda", "cases"):
        (results / room / "hand").mkdir(parents=True)
    (results / "kernels/hand/0.py").write_text(KERNELS)
    run("ir.py", results / "kernels/hand/0.py", "-c", "hand", "-s", "0", "-o", results / "ir/hand/0.json")
    run("cuda.py", results / "ir/hand/0.json", "-o", results / "cuda/hand/0.cu")
    return results


def run(script: str, *words: str | Path) -> None:
    subprocess.run([sys.executable, "-P", SCRIPTS / script, *words], check=True, timeout=300)


def judged(build: Path, sample: str, texts: list[str]) -> list[dict[str, Any]]:
    files = [build.parent / f"{sample}-{number}.cu" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    options = [] if has_sandbox() else ["--without-sandbox"]
    options += ["--sample", sample, "--results", str(build), "--seed", "1", "-o", str(build / "o.json")]
    run("runs.py", "--candidate", *files, *options, "--compiler", "g++")
    samples: list[dict[str, Any]] = json.loads((build / "o.json").read_text())["samples"]
    return samples


def test_what_the_caller_chooses_is_not_known_from_the_description(build: Path) -> None:
    found = judged(build, "hand-0000-0000", [text for text, _ in PROGRAMS.values()])
    got = {name: one["reason"] or one["verdict"] for name, one in zip(PROGRAMS, found, strict=True)}
    assert got == {name: verdict for name, (_, verdict) in PROGRAMS.items()}


def test_a_kernel_for_described_extents_alone_keeps_them(build: Path) -> None:
    (one,) = judged(build, "hand-0000-0001", [PICK])
    assert one["verdict"] == "verified"
    (path,) = (build / "cases").glob("hand-0000-0001-1-*.npz")
    assert [one.launch.sizes["cols"] for one in store.read(path).samples] == ["7"]


def test_how_much_of_an_array_counts_is_not_known_from_the_description(build: Path) -> None:
    found = judged(build, "hand-0000-0002", [BLEND, BLEND.replace("k < count", "k < 6")])
    assert [one["reason"] or one["verdict"] for one in found] == ["verified", "wrong_output"]


def test_other_extents() -> None:
    def parameter(*shape: str, **values: Any) -> dict[str, Any]:
        return {"role": "in", "shape": list(shape), "values": values}

    launch: dict[str, Any] = {
        "sizes": {"cols": "8", "one": "1", "cells": "cols * rows", "rows": "n + 2", "known": "5"},
        "dims": ["n"],
        "parameters": {
            "x": parameter("cells", constant=2.0),
            "count": parameter(size="6"),
            "length": parameter(size="n"),
        },
    }
    other = other_launch(launch, ["n", "rows", "cols", "one", "cells", {"dim": 0}])
    parse_launch(other, "hand")
    assert other["sizes"] == {
        "cols": "5 + n % 12",
        "one": "1",
        "cells": "cols * rows",
        "rows": "n + 2 + n % 5",
        "known": "5",
        "count": "5 + n % 2",
    }
    assert [other["parameters"][name]["values"]["size"] for name in ("count", "length")] == ["count", "n"]
    alone = other_launch(launch, ["rows", "cols"])
    assert alone["sizes"]["rows"] == "n + 2"


def test_small_base_sizes_have_extents_of_one_and_of_many() -> None:
    sizes = {"planes": "3", "rows": "8", "cols": "50"}
    described: dict[str, Any] = {"sizes": sizes, "dims": ["n"], "parameters": {}}

    def of(n: int, extremes: bool, parameters: dict[str, Any]) -> list[int]:
        launch = other_launch({**described, "parameters": parameters}, list(sizes), extremes)
        return [evaluate_size(size, {"n": n}) for size in launch["sizes"].values()]

    assert of(1, True, {}) == [260, 1, 1]
    assert of(2, True, {}) == of(30, True, {}) == [1, 265, 1]
    assert of(31, True, {}) == of(31, False, {})
    assert of(70_000, True, {}) == of(70_000, False, {})
    square = {"a": {"role": "in", "shape": ["n", "rows", "rows"], "values": {"constant": 0}}}
    assert [of(n, True, square) for n in (1, 2)] == [[260, 1, 1], [1, 1, 307]]


def test_constants_are_others_in_inputs_with_edges() -> None:
    constants = {"steps": 8, "weight": 2.0, "flag": 1}
    parameters = {name: {"values": {"constant": value}} for name, value in constants.items()}
    described: dict[str, Any] = {
        "sizes": {},
        "dims": ["n"],
        "parameters": {**parameters, "x": {"shape": ["n"]}},
    }
    described["parameters"]["x"]["values"] = {"constant": 4.0}
    launch = parse_launch({**other_launch(parse_launch(described, "k").to_json(), []), "compared": []}, "k")

    def values(seed: int) -> dict[str, float]:
        kinds = {"steps": "int32", "weight": "float32", "flag": "int32", "x": "array<float32,1>"}
        return {
            name: draw_parameter(launch, name, parse_type(kind), 0, size=3, seed=seed, structs={})["c0"][0]
            for name, kind in kinds.items()
        }

    assert values(3) == {**constants, "x": 4.0}
    assert values(5) == {"steps": 6, "weight": 1.5, "flag": 1, "x": 4.0}


def test_segments_may_be_empty_or_long() -> None:
    starts = {"shape": ["n"], "values": {"offsets": [4, 4]}}
    launch = other_launch({"sizes": {}, "dims": ["n"], "parameters": {"starts": starts}}, ["n"])
    assert launch["varies"]
    parsed = parse_launch({**launch, "compared": []}, "hand")
    kind = parse_type("array<int32,1>")
    lengths = [
        np.diff(draw_parameter(parsed, "starts", kind, 0, size=65, seed=seed, structs={})["c0"])
        for seed in (3, 5)
    ]
    assert kind_of(5, 0) is Kind.BELOW_ZERO
    assert (lengths[0].min() > 0, lengths[0].max() < 8) == (True, True)
    assert (lengths[1].min() == 0, lengths[1].max() > 24) == (True, True)
    assert (lengths[1] >= 0).all()
