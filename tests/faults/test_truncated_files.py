"""A file of any kind is truncated, with its old time or a new one.

`validate` names it, a script that reads it ends with an error that does, and a build makes it again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from building import Build

pytestmark = pytest.mark.workflow

FILES = (
    "kernels/loop/0.py",
    "ir/loop/0.json",
    "ir_check/loop/0.json",
    "reference/loop/0.npz",
    "cuda/loop/0.cu",
    "cuda/loop/0.json",
    "ptx/sm_75/loop/0.ptx",
    "ptx/sm_75/loop/0.json",
    "runs/cpu/loop/0.json",
    "stats/summary.json",
)
MADE_AGAIN = (
    *FILES,
    "diversity/figures.json",
    "diversity/duplicates.json",
    "limits.json",
    "dataset/data/sft/train-00000-of-00001.parquet",
    "plan.json",
    "versions/warp.json",
    "versions/library/cuda.json",
    "samples/loop-0.json",
    "cpu_device/device.o",
    "warp_headers/digests.json",
)


def cut(path: Path, new_time: bool = True, share: float = 0.7) -> None:
    """Keep the first lines of a text, or the first bytes of another file."""
    content, times = path.read_bytes(), path.stat()
    kept = content[: int(share * len(content))]
    if kept and path.suffix in (".py", ".cu", ".ptx"):
        kept = kept[: kept.rindex(b"\n\n") + 1]
    path.unlink()  # copies of a build may share it
    path.write_bytes(kept)
    if not new_time:
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.fixture(scope="module", params=["old time", pytest.param("new time", marks=pytest.mark.full)])
def mended(
    request: pytest.FixtureRequest,
    small_build: Build,
    small_config: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Build, str]:
    """A build in which a file of each kind was cut off, and which was then built again; what that said."""
    build = small_build.copy(tmp_path_factory.mktemp("cut") / "build")
    for file in MADE_AGAIN:
        cut(build.results / file, new_time=request.param == "new time")
    done = build.run("all", "samples", "--cores", "2", *small_config)
    return build, done.stderr


@pytest.mark.parametrize("file", MADE_AGAIN)
def test_a_build_makes_it_again(file: str, mended: tuple[Build, str], small_build: Build) -> None:
    build, said = mended
    if not file.startswith(("plan", "versions")):  # which every build writes anew
        named = "dataset" if file.startswith("dataset") else file
        folder = file if file.startswith(("cpu", "warp")) else f"{named} was cut off and is removed"
        assert f"Weft: results/{folder}" in said
    made = build.results / file
    if file.startswith(("cpu", "warp")):
        assert made.exists() == (build.results / file).parent.is_dir()
    else:
        assert made.read_bytes() == (small_build.results / file).read_bytes()


@pytest.fixture(scope="module")
def trials(small_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A copy of the build, for tests each of which cuts one of its results."""
    return small_build.copy(tmp_path_factory.mktemp("trials") / "build")


@pytest.fixture
def trial(small_build: Build, trials: Build) -> Iterator[Build]:
    """The same copy, whose results are put back after the test."""
    yield trials
    shutil.rmtree(trials.results)
    shutil.copytree(small_build.results, trials.results, symlinks=True, copy_function=os.link)
    (trials.folder / "out").unlink(missing_ok=True)


@pytest.mark.parametrize("file", [*FILES, "dataset/README.md"])
def test_validate_names_it(file: str, trial: Build) -> None:
    cut(trial.results / file)
    done = trial.script("validate", "results", "--no-compile")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"{file}: " in done.stdout
    assert "cut off" in done.stdout


RESULTS = {
    "ir": ("kernels/loop/0.py",),
    "ir_check": ("ir/loop/0.json",),
    "reference": ("kernels/loop/0.py", "ir/loop/0.json"),
    "cuda": ("ir/loop/0.json",),
    "ptx": ("cuda/loop/0.cu",),
    "runs": ("cuda/loop/0.cu", "reference/loop/0.npz"),
    "mutation": ("ir/loop/0.json", "reference/loop/0.npz"),
    "gradients": ("kernels/loop/0.py", "ir/loop/0.json"),
    "diversity": ("",),
    "stats": ("",),
    "limits": ("stats/summary.json",),
    "report": ("",),
    "dataset": ("",),
}
"""What a script is given, of the results."""
OPTIONS = {
    "ptx": ("--report", "out.json"),
    "runs": ("--compiler", "g++"),
    "mutation": ("--compiler", "g++"),
    "stats": ("--show",),
}
READS = (
    ("ir", "kernels/loop/0.py"),
    ("ir_check", "ir/loop/0.json"),
    ("reference", "ir/loop/0.json"),
    ("cuda", "ir/loop/0.json"),
    ("ptx", "cuda/loop/0.cu"),
    ("runs", "cuda/loop/0.cu"),
    ("runs", "cuda/loop/0.json"),
    ("runs", "reference/loop/0.npz"),
    ("mutation", "ir/loop/0.json"),
    ("mutation", "reference/loop/0.npz"),
    ("gradients", "ir/loop/0.json"),
    ("diversity", "kernels/loop/0.py"),
    ("diversity", "ptx/sm_75/loop/0.ptx"),
    ("stats", "kernels/loop/0.py"),
    ("stats", "runs/cpu/loop/0.json"),
    ("stats", "reference/loop/0.npz"),
    ("limits", "stats/summary.json"),
    ("report", "ir/loop/0.json"),
    ("report", "stats/summary.json"),
    ("dataset", "ir/loop/0.json"),
)


@pytest.mark.parametrize(
    "share", [pytest.param(0.7, id="a part"), pytest.param(0.0, id="empty", marks=pytest.mark.full)]
)
@pytest.mark.parametrize(("script", "file"), READS)
def test_a_script_that_reads_it_names_it(script: str, file: str, share: float, trial: Build) -> None:
    cut(trial.results / file, share=share)
    inputs = [str(Path("results") / one) for one in RESULTS[script]]
    output = [] if script == "stats" else ["--output", "out"]
    done = trial.script(script, *inputs, *OPTIONS.get(script, ()), *output)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert f"results/{file}" in done.stderr
    assert "cut off or damaged" in done.stderr or "no kernel" in done.stderr
    assert not (trial.folder / "out").exists()


@pytest.mark.parametrize(
    ("folder", "file"), [("cpu_device", "device.o"), ("cpu_device", "driver.o"), ("warp_headers", "*.pch")]
)
def test_a_damaged_tool_is_named(folder: str, file: str, trial: Build) -> None:
    path = next(iter(sorted((trial.results / folder).glob(file))))
    cut(path)
    if folder == "cpu_device":
        inputs = ["runs", "results/cuda/loop/0.cu", "results/reference/loop/0.npz", "--compiler", "g++"]
        option = "--cpu-device"
    else:
        inputs, option = (
            ["reference", "results/kernels/loop/0.py", "results/ir/loop/0.json"],
            "--warp-headers",
        )
    done = trial.script(*inputs, option, f"results/{folder}", "--output", "out")
    assert done.returncode == 2, done.stdout + done.stderr
    assert (
        f"results/{folder}/{path.name}: missing, cut off or damaged; delete results/{folder}" in done.stderr
    )
