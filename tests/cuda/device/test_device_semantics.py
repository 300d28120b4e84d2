"""Translated programs compute what Warp computes, to the bit, where naive translations do not.

Each kernel of semantics_kernels.py is one trap; its docstring says which.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[2] / "scripts"
KERNELS = HERE / "semantics_kernels.py"


def _run(script: str, *arguments: object) -> None:
    command = [sys.executable, "-P", str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Verdicts and rejects of all kernels, by kernel name."""
    folder = tmp_path_factory.mktemp("semantics")
    ir, cuda, index = folder / "ir.json", folder / "shard.cu", folder / "index.json"
    reference, runs = folder / "reference.npz", folder / "runs.json"
    _run("ir.py", KERNELS, "-o", ir, "-c", "semantics", "-s", 0)
    _run("cuda.py", ir, "-o", cuda, "--index", index)
    _run("reference.py", KERNELS, ir, "-o", reference, "--sizes", 1, 33, "--seeds", 0, "--timeout", 60)
    _run("runs.py", cuda, reference, "-o", runs, "--device", "cpu", "--compiler", "g++", "--timeout", 60)
    found = {one["kernel_name"]: one for one in json.loads(runs.read_text())["samples"]}
    rejects = [*json.loads(ir.read_text())["rejects"], *json.loads(index.read_text())["rejects"]]
    return found | {one["kernel_name"]: {"verdict": "refused", "message": one["message"]} for one in rejects}


def _kernels() -> list[str]:
    lines = KERNELS.read_text(encoding="utf-8").splitlines()
    after = [lines[i + 1] for i, line in enumerate(lines) if line == "@wp.kernel"]
    return [line.removeprefix("def ").partition("(")[0] for line in after]


@pytest.mark.parametrize("kernel", _kernels())
def test_the_program_equals_warp_to_the_bit(results: dict[str, Any], kernel: str) -> None:
    result = results[kernel]
    assert result["verdict"] == "verified", result
