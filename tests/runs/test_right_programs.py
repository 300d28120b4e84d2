"""What people write is judged by the mathematics: right in any style, wrong where digits are lost, or where a
rare case shows it.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hand_written import SCRIPTS

from tools import has_sandbox
from weft.runs.fresh import fresh_seeds, fresh_sizes

HERE = Path(__file__).parent
RIGHT = HERE / "right"
Programs = dict[str, dict[str, tuple[str, str, str]]]
INDEX = "const int i = blockIdx.x * blockDim.x + threadIdx.x"
LAUNCHED = r"\1<<<(n + 255) / 256, 256, 0, stream>>>"


def read_programs(path: Path) -> Programs:
    """By kernel and name: the text of each program, its verdict and a part of the message."""
    found: Programs = {}
    for part in re.split(r"^//// ", path.read_text(), flags=re.MULTILINE)[1:]:
        title, source = part.split("\n", 1)
        kernel, name, verdict, *message = title.split(": ")
        source = re.sub(r"LAUNCHED\((\w+)\)", LAUNCHED, source.replace("INDEX", INDEX))
        assert name not in found.get(kernel, {})
        found.setdefault(kernel, {})[name] = (source, verdict, "".join(message))
    return found


PROGRAMS = read_programs(RIGHT / "programs.cu")
SAMPLED: Programs = {
    kernel: dict([(name, one) for name, one in PROGRAMS[kernel].items() if one[1] == "verified"][-2:])
    for kernel in ("unit", "total", "standardize", "growth")
}
"""A few right programs, for where all would take too long."""
RARE = read_programs(HERE / "wrong/rare_cases.cu")
SIZES, SEEDS = ("1", "33", "257", "12000"), ("0", "1")
FRESH_SIZES, FRESH_SEEDS = [*map(str, fresh_sizes(1))], [*map(str, fresh_seeds(1))]


def run(folder: Path, script: str, *options: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPTS / script), *options],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...]) -> Path:
    """A folder with the kernels' programs and two references: `right.npz` and `fresh.npz`."""
    folder = tmp_path_factory.mktemp("right")
    (folder / "right.py").write_text((RIGHT / "kernels.py").read_text())
    run(folder, "ir.py", "right.py", "-o", "ir.json")
    reference = ["reference.py", "right.py", "ir.json", *warp_headers, "-o"]
    run(folder, *reference, "right.npz", "--sizes", *SIZES, "--seeds", *SEEDS)
    run(folder, "cuda.py", "ir.json", "-o", "right.cu")
    fresh = ["--sizes", *FRESH_SIZES, "--seeds", *FRESH_SEEDS]
    run(folder, *reference, "fresh.npz", *fresh, "--samples", *(sample_of(folder, kernel) for kernel in RARE))
    return folder


def sample_of(build: Path, kernel: str) -> str:
    index = json.loads((build / "right.json").read_text())["samples"]
    (sample,) = (one["sample_id"] for one in index if one["kernel_name"] == kernel)
    assert isinstance(sample, str)
    return sample


@pytest.mark.full
@pytest.mark.parametrize("kernel", PROGRAMS)
def test_verdict(build: Path, kernel: str) -> None:
    judge(build, kernel, PROGRAMS, "right.npz")


@pytest.mark.parametrize("kernel", SAMPLED)
def test_some_right_programs_are_verified(build: Path, kernel: str) -> None:
    judge(build, kernel, SAMPLED, "right.npz")


@pytest.mark.parametrize("kernel", RARE)
def test_rare_cases_are_among_the_fresh_ones(build: Path, kernel: str) -> None:
    judge(build, kernel, RARE, "fresh.npz")


def judge(build: Path, kernel: str, programs_of: Programs, reference: str) -> None:
    """See that the programs for a kernel get their verdicts."""
    programs = list(programs_of[kernel].items())
    files = [f"{kernel}-{number}.cu" for number in range(len(programs))]
    for file, (_, (source, _, _)) in zip(files, programs, strict=True):
        (build / file).write_text(source)
    options = ["--compiler", "g++", *([] if has_sandbox() else ["--without-sandbox"])]
    run(
        build,
        "runs.py",
        "right.cu",
        reference,
        "--candidate",
        *files,
        "--sample",
        sample_of(build, kernel),
        "-o",
        "o.json",
        *options,
    )
    results: list[dict[str, Any]] = json.loads((build / "o.json").read_text())["samples"]
    got = {
        name: (one["reason"] or one["verdict"], one["message"] if message not in one["message"] else message)
        for (name, (_, _, message)), one in zip(programs, results, strict=True)
    }
    assert got == {name: (verdict, message or got[name][1]) for name, (_, verdict, message) in programs}
