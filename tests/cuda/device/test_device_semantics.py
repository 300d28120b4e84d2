"""Translated programs compute what Warp computes, to the bit, where naive translations do not.

Each kernel of the files `*_kernels.py` beside this one is one trap; its docstring says which.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[2] / "scripts"
FILES = sorted(HERE.glob("*_kernels.py"))


def _run(script: str, *arguments: object) -> None:
    command = [sys.executable, "-P", str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], dict[str, Any]]:
    """Verdicts and rejects of all kernels of a file, by kernel name."""

    @cache
    def of(kernels: Path) -> dict[str, Any]:
        folder = tmp_path_factory.mktemp(kernels.stem)
        ir, cuda, index = folder / "ir.json", folder / "shard.cu", folder / "index.json"
        reference, runs = folder / "reference.npz", folder / "runs.json"
        _run("ir.py", kernels, "-o", ir, "-c", "semantics", "-s", 0)
        _run("cuda.py", ir, "-o", cuda, "--index", index)
        _run("reference.py", kernels, ir, "-o", reference, "--sizes", 1, 33, "--seeds", 0, "--timeout", 60)
        _run("runs.py", cuda, reference, "-o", runs, "--device", "cpu", "--compiler", "g++", "--timeout", 60)
        found = {one["kernel_name"]: one for one in json.loads(runs.read_text())["samples"]}
        rejects = [*json.loads(ir.read_text())["rejects"], *json.loads(index.read_text())["rejects"]]
        refused = {one["kernel_name"]: {"verdict": "refused", "message": one["message"]} for one in rejects}
        return found | refused

    return of


def _kernels() -> list[Any]:
    found = []
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        after = [lines[i + 1] for i, line in enumerate(lines) if line == "@wp.kernel"]
        names = [line.removeprefix("def ").partition("(")[0] for line in after]
        found += [pytest.param(path, name, id=f"{path.stem}-{name}") for name in names]
    return found


@pytest.mark.parametrize(("path", "kernel"), _kernels())
def test_the_program_equals_warp_to_the_bit(
    results: Callable[[Path], dict[str, Any]], path: Path, kernel: str
) -> None:
    result = results(path)[kernel]
    assert result["verdict"] == "verified", result
