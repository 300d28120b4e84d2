"""Answers on a GPU, with the CPU device in its place: what is run there, what is timed, what is known again.

No figure of a GPU is tested here.
"""

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tools import has_sandbox
from weft.inputs import packed_dtype
from weft.reference import store
from weft.reference.store import Packed, Sample
from weft.runs.build import CpuToolchain, CudaToolchain, first_error
from weft.runs.candidate_gpu import FLAGS, gpu_program
from weft.runs.stage import read_shard
from weft.scoring import gpu
from weft.scoring import score as scoring
from weft.scoring.gpu import Gpu, other_work, speed_of
from weft.scoring.score import OnGpu, Options, score
from weft.scoring.verdicts import read_verdicts
from weft.speed.measure import Measured
from weft.speed.stage import CPU_FLAGS
from weft.types import parse_type
from weft.workflow.machine import nvcc_path

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from hand_written import KERNEL, SIGNATURE, cpu_device, evens_reference, sample_id, shard, write_shard

LAUNCHER = f"""
cudaError_t launch_evens({SIGNATURE}, cudaStream_t stream = nullptr) {{
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}}
"""
TASK = sample_id(0)
SIZES = (1000, 20_000)
WRONG = KERNEL.replace("2.0f", "3.0f")
SMALL = KERNEL + LAUNCHER.replace("evens<<<", "if (n > 12000) return cudaSuccess;\n    evens<<<")
WITH_MAIN = f"#include <cstdio>\n{KERNEL}{LAUNCHER}int main() {{ return 0; }}\n"
ANSWERS = [
    f"So:\n```cuda\n{KERNEL}```\n",
    KERNEL,
    WITH_MAIN,
    SMALL,
    WRONG,
    KERNEL.replace("2.0f", "two"),
]


@dataclasses.dataclass(frozen=True)
class StandIn:
    """The CPU device in the place of nvcc and a GPU."""

    compiler: str
    folder: Path
    arch: str
    prelude: Path | None = None
    more: tuple[str, ...] = ()

    def _toolchain(self, folder: Path) -> CpuToolchain:
        return CpuToolchain("g++", folder, cpu_device(), CPU_FLAGS)

    def version(self) -> str:
        return "a stand-in"

    def prepare(self) -> None:
        self._toolchain(self.folder).prepare()

    def compile_object(self, text: str, path: Path) -> str | None:
        folder = path.with_suffix(".host")
        folder.mkdir()
        return self._toolchain(folder).compile_object(text, path)

    def link(self, compiled: Path, program: Path) -> str | None:
        return self._toolchain(self.folder).link([compiled], program)

    @property
    def guard(self) -> Path:
        return self._toolchain(self.folder).guard


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with answers, a build of one sample, and the CPU's verdicts, which say that all is verified
    but the last answer.
    """
    folder = tmp_path_factory.mktemp("gpu")
    for name in ("cuda", "reference"):
        (folder / "results" / name / "hand").mkdir(parents=True)
    write_shard(folder / "results/cuda/hand/0.cu", shard([KERNEL + LAUNCHER]))
    store.write(folder / "results/reference/hand/0.npz", evens_reference(1))
    (folder / "results/plan.json").write_text('{"sources": {}}')
    lines = [
        json.dumps({"task_id": TASK, "sample": number, "completion": text})
        for number, text in enumerate(ANSWERS)
    ]
    (folder / "answers.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def believed(build: Path) -> Path:
    """The CPU's verdicts, in which what it has rejected but the last one is verified."""
    path = build / "believed.jsonl"
    if not path.exists():
        options = Options(build / "results", jobs=2, sandboxed=has_sandbox())
        verdicts = score(build / "answers.jsonl", build / "verdicts.jsonl", options)
        assert [one["reason"] for one in verdicts] == [None] * 4 + ["wrong_output", "compile_error"]
        verdicts[4] |= {"verdict": "verified", "reason": None}
        path.write_text("".join(json.dumps(one) + "\n" for one in verdicts))
    return path


def on_gpu(build: Path, **changed: Any) -> Options:
    where = OnGpu(Gpu("nvcc", "sm_90", SIZES), "some GPU", believed(build))
    return Options(build / "results", jobs=2, sandboxed=False, on_gpu=where, **changed)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (gpu, scoring):
        monkeypatch.setattr(module, "CudaToolchain", StandIn)


def test_what_the_cpu_has_verified_is_judged_and_timed_on_the_gpu(
    build: Path, stand_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = build / "gpu.jsonl"
    verdicts = score(build / "answers.jsonl", output, on_gpu(build))
    said = [one["message"] for one in verdicts]
    assert [one["reason"] for one in verdicts] == [None] * 4 + ["wrong_output", "compile_error"], said
    assert [one["device"] for one in verdicts] == ["cuda"] * 5 + ["cpu"]
    assert [one["again"] is None for one in verdicts] == [True] * 5 + [False]
    for one in verdicts[:3]:
        speed = one["speed"]
        assert (speed["size"], speed["problem"]) == (SIZES[-1], "")
        assert speed["speedup"] == pytest.approx(speed["own_seconds"] / speed["seconds"])
    assert verdicts[0]["speed"] == verdicts[1]["speed"]  # the same program
    lazy = verdicts[3]["speed"]
    assert lazy["speedup"] is None
    assert lazy["problem"] == "size 20000: out is not what the sample's own program leaves"
    assert [one["speed"] for one in verdicts[4:]] == [None, None]

    assert read_verdicts(output) == verdicts
    monkeypatch.setattr(scoring, "gpu_judges", None)  # what has a verdict is not judged
    output.write_bytes(b"".join(reversed(output.read_bytes().splitlines(keepends=True))))
    assert score(build / "answers.jsonl", output, on_gpu(build)) == verdicts


def test_what_the_cpu_has_not_judged_is_not_run(build: Path, tmp_path: Path, stand_in: None) -> None:
    options = on_gpu(build)
    (tmp_path / "none.jsonl").write_text("")
    assert options.on_gpu is not None
    options = dataclasses.replace(
        options, on_gpu=dataclasses.replace(options.on_gpu, cpu=tmp_path / "none.jsonl")
    )
    verdicts = score(build / "answers.jsonl", tmp_path / "gpu.jsonl", options)
    assert {one["reason"] for one in verdicts} == {"not_judged"}
    assert verdicts[0]["message"] == "the CPU's verdicts have none on this program"


def test_another_gpu_size_or_compiler_judges_anew(build: Path, stand_in: None) -> None:
    where = on_gpu(build).on_gpu
    assert where is not None
    others = [
        where,
        dataclasses.replace(where, name="another GPU"),
        dataclasses.replace(where, gpu=dataclasses.replace(where.gpu, arch="sm_100")),
        dataclasses.replace(where, gpu=dataclasses.replace(where.gpu, sizes=(1000,))),
        None,
    ]
    keys = {
        scoring._Digests(Options(build / "results", 1, sandboxed=False, on_gpu=one)).of_sample(TASK)
        for one in others
    }
    assert len(keys) == len(others)


@pytest.mark.needs("nvcc")
def test_nvcc_compiles_candidates_once_for_both_drivers(build: Path, tmp_path: Path) -> None:
    whole = read_shard(build / "results/cuda/hand/0.cu")
    toolchains = []
    for name in ("judging", "timing"):
        (tmp_path / name).mkdir()
        toolchains.append(CudaToolchain(nvcc_path("pinned"), tmp_path / name, "sm_75", more=FLAGS))
    for number, text in enumerate((KERNEL, WITH_MAIN)):
        here = tmp_path / str(number)
        here.mkdir()
        for toolchain in toolchains:
            toolchain.prepare()
        compiled = here / "shard.o"
        assert toolchains[0].compile_object(gpu_program(whole, whole.samples[0], text), compiled) is None
        assert [one.link(compiled, here / "program") for one in toolchains] == [None, None]
    wrong = gpu_program(whole, whole.samples[0], f"// a comment\n{KERNEL.replace('2.0f', 'two')}")
    errors = toolchains[0].compile_object(wrong, tmp_path / "shard.o")
    assert first_error(errors or "") == 'candidate.cu:6: identifier "two" is undefined'


def _sample(equality: str = "bits") -> Sample:
    (sample,) = evens_reference(1).samples
    return dataclasses.replace(sample, launch=dataclasses.replace(sample.launch, equality=equality))


def _outputs(values: list[float]) -> Mapping[str, Packed]:
    out = np.zeros(len(values), packed_dtype(parse_type("float32"), {}))
    out["c0"] = values
    return {"out": out}


def measured(seconds: list[float], values: list[float]) -> Measured:
    sizes = [{"size": 10 ** (3 + place), "median": one} for place, one in enumerate(seconds)]
    return Measured(sizes, "size 9: timeout", None, [_outputs(values)] * len(sizes))


ONES = [1.0] * 2000


def test_the_speedup_is_that_of_the_largest_size_of_both() -> None:
    found = speed_of(_sample(), measured([1e-5, 3e-5], ONES), measured([2e-5], ONES))
    assert found == {
        "size": 10_000, "seconds": 2e-5, "own_seconds": 3e-5, "speedup": pytest.approx(1.5), "problem": "",
        "warp_seconds": None, "warp_speedup": None,
    }  # fmt: skip


def test_warps_kernel_counts_if_it_has_done_the_same() -> None:
    own, found = measured([1e-5], ONES), measured([2e-5], ONES)
    speed = speed_of(_sample(), own, found, measured([6e-5], ONES))
    assert (speed["warp_seconds"], speed["warp_speedup"]) == (6e-5, pytest.approx(3.0))
    speed = speed_of(_sample(), own, measured([], ONES), measured([6e-5], ONES))
    assert (speed["warp_seconds"], speed["warp_speedup"]) == (6e-5, None)
    speed = speed_of(_sample(), own, found, measured([6e-5], [0.0] * 2000))
    assert (speed["warp_seconds"], speed["warp_speedup"]) == (None, None)


def test_what_was_not_timed_has_no_speedup() -> None:
    late = speed_of(_sample(), measured([1e-5], ONES), measured([], ONES))
    assert (late["speedup"], late["own_seconds"], late["problem"]) == (None, 1e-5, "size 9: timeout")
    own = speed_of(_sample(), measured([], ONES), measured([], ONES))
    assert own["problem"] == "the sample's own program could not be timed: size 9: timeout"


def test_work_that_was_left_out_shows_and_rounding_does_not() -> None:
    own = _outputs([float(value) for value in range(2000)])
    near = _outputs([value * 1.0001 for value in range(2000)])
    one_off = _outputs([0.0, *map(float, range(1, 1999)), -7.0])
    half = _outputs([float(value) if value < 1000 else 0.0 for value in range(2000)])
    assert other_work(_sample(), own, near) is None
    assert other_work(_sample(), own, one_off) is None
    assert other_work(_sample(), own, half) == "out"
    turned = _outputs([float(value) for value in reversed(range(2000))])
    assert other_work(_sample(), own, turned) == "out"
    assert other_work(_sample("permutation"), own, turned) is None


SCORE = "import sys, runpy; sys.modules |= {name: None for name in ('warp', 'jinja2', 'snakemake', 'rich')}; "


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--device", "cuda"], 2, "needs --cpu"),
        (["--device", "cuda", "--cpu", "verdicts.jsonl"], 2, "needs --without-sandbox"),
        (["--device", "cuda", "--cpu", "none", "--without-sandbox"], 2, "none: no such file"),
        (["--device", "cuda", "--cpu", "answers.jsonl", "--without-sandbox"], 1, "no CUDA device"),
    ],
)
def test_it_needs_numpy_alone_and_says_what_is_missing(
    build: Path, options: list[str], status: int, said: str
) -> None:
    words = ["weft", "score", "answers.jsonl", "-o", "gpu.jsonl", *options]
    code = f"{SCORE}sys.argv = {words!r}; runpy.run_module('weft', run_name='__main__')"
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}  # the driver then shows no GPU, if there is one
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=build, capture_output=True, text=True, env=hidden
    )
    assert done.returncode == status, done.stderr
    assert said in done.stderr
