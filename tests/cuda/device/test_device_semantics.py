"""Translated programs compute what Warp computes, to the bit, where naive translations do not.

Each kernel of the files `*_kernels.py` beside this one is one trap; its docstring says which.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from strict import strict_gxx, strict_nvcc
from weft.files import read_json, sample_id
from weft.ir.build import build_ir
from weft.workflow.machine import nvcc_path

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[2] / "scripts"
FILES = sorted(HERE.glob("*_kernels.py"))
CATEGORY = "semantics"
SHARD = "shard.cu"

SAME_ARRAY = "-Wno-tautological-compare"
"""One of the kernels compares an array with itself."""

Kernel = tuple[Path, str]


def _run(script: str, *arguments: object) -> None:
    command = [sys.executable, "-P", str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _verdicts(
    files: Iterable[Path], chosen: set[Kernel] | None, folder: Path, warp_headers: Iterable[str]
) -> dict[Kernel, dict[str, Any]]:
    """Verdicts of the chosen kernels of the files, None for all, and rejects. One shard in the folder holds
    all kernels of the files, since a shard costs seconds and a kernel milliseconds.
    """
    records: list[dict[str, Any]] = []
    kernels: dict[str, Kernel] = {}
    refused: dict[Kernel, dict[str, Any]] = {}
    content: dict[str, Any] = {}
    for path in files:
        content = build_ir(path, category=CATEGORY, seed=0, device="cuda")
        for record in content["records"]:
            identity = sample_id(CATEGORY, 0, len(records))
            kernels[identity] = (path, record["kernel_name"])
            records.append(record | {"sample_id": identity, "index": len(records)})
        refused |= {(path, one["kernel_name"]): _refusal(one) for one in content["rejects"]}
    ir, cuda, index = folder / "ir.json", folder / SHARD, (folder / SHARD).with_suffix(".json")
    manifest, reference, runs = folder / "manifest.py", folder / "reference.npz", folder / "runs.json"
    ir.write_text(json.dumps(content | {"records": records, "rejects": []}))
    _run("kernels.py", "--source", FILES[0], "-c", CATEGORY, "-o", manifest)
    _run("cuda.py", ir, "-o", cuda, "--index", index)
    executed = [one for one, kernel in kernels.items() if chosen is None or kernel in chosen]
    cases = ("--sizes", 1, 33, "--seeds", 0, "--timeout", 60, "--samples", *executed)
    _run("reference.py", manifest, ir, "-o", reference, *cases, *warp_headers)
    _run(
        SCRIPTS / "runs.py",
        cuda,
        reference,
        "-o",
        runs,
        "--device",
        "cpu",
        "--compiler",
        "g++",
        "--timeout",
        60,
    )
    refused |= {kernels[one["sample_id"]]: _refusal(one) for one in read_json(index)["rejects"]}
    judged = {kernels[one["sample_id"]]: one for one in read_json(runs)["samples"]}
    return judged | refused


def _refusal(reject: dict[str, Any]) -> dict[str, Any]:
    return {"verdict": "refused", "message": reject["message"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("semantics")


@pytest.fixture(scope="module")
def verdicts(
    request: pytest.FixtureRequest, folder: Path, warp_headers: tuple[str, ...]
) -> dict[Kernel, dict[str, Any]]:
    """Those of the files of which a kernel is to be tested now, or else of all."""
    tests = [item for item in request.session.items if item.path == Path(__file__)]
    calls = [getattr(test, "callspec", None) for test in tests]
    chosen = {(call.params["path"], call.params["kernel"]) for call in calls if call is not None}
    files = {path for path, _ in chosen} or FILES
    return _verdicts(sorted(files), chosen or None, folder, warp_headers)


def _kernels() -> list[Any]:
    """All kernels. Those with tiles take several times as long as others: `make test` judges every other
    one. It translates all, and compiles all without a warning.
    """
    found = []
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        after = [lines[i + 1] for i, line in enumerate(lines) if line == "@wp.kernel"]
        names = [line.removeprefix("def ").partition("(")[0] for line in after]
        for number, name in enumerate(names):
            left_out = path.stem.startswith("tile_") and number % 2
            marks = [pytest.mark.full] if left_out else []
            found.append(pytest.param(path, name, marks=marks, id=f"{path.stem}-{name}"))
    return found


@pytest.mark.parametrize(("path", "kernel"), _kernels())
def test_the_program_equals_warp_to_the_bit(
    verdicts: dict[Kernel, dict[str, Any]], path: Path, kernel: str
) -> None:
    verdict = verdicts[path, kernel]
    assert verdict["verdict"] == "verified", verdict


@pytest.mark.usefixtures("verdicts")
def test_gxx_has_nothing_to_warn_of(folder: Path, tmp_path: Path) -> None:
    shard = (folder / SHARD).read_text(encoding="utf-8")
    assert strict_gxx(shard, tmp_path, SAME_ARRAY) is None


@pytest.mark.needs("nvcc")
@pytest.mark.usefixtures("verdicts")
def test_nvcc_has_nothing_to_warn_of(folder: Path, tmp_path: Path) -> None:
    assert strict_nvcc(nvcc_path("pinned"), [folder / SHARD], tmp_path) == ""
