"""Random kernels: what Warp takes is translated, compiles, and computes the same to the bit."""

import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_kernels import module_text

from weft.files import read_json

ROOT = Path(__file__).resolve().parents[3]
KERNELS = 16

NOT_THE_TRANSLATION = ("insensitive",)
"""Verdicts on the kernel itself: a null program passes, for the random kernel computes next to nothing."""


def script(name: str, *arguments: object) -> None:
    command = [sys.executable, "-P", ROOT / "scripts" / f"{name}.py", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def check(text: str, folder: Path) -> None:
    """Take a module through the stages; fail on a fault of the translator or another outcome than Warp's."""
    source, ir, cuda = folder / "fuzz.py", folder / "ir.json", folder / "program.cu"
    source.write_text(text, encoding="utf-8")
    script("kernels", "--source", source, "-c", "fuzz", "-o", folder / "manifest.py")
    script("ir", folder / "manifest.py", "-c", "fuzz", "-o", ir)
    script("cuda", ir, "-o", cuda, "--index", folder / "program.json")
    faults = [r for r in read_json(folder / "program.json")["rejects"] if r["reason"] != "unsupported"]
    assert faults == []
    script("reference", folder / "manifest.py", ir, "-o", folder / "r.npz", "--sizes", 1, 70, "--seeds", 0, 1,
           "--timeout", 20)  # fmt: skip
    script("runs", cuda, folder / "r.npz", "-o", folder / "runs.json", "--device", "cpu", "--compiler", "g++",
           "--timeout", 60)  # fmt: skip
    samples = read_json(folder / "runs.json")["samples"]
    wrong = [
        one for one in samples if one["verdict"] == "rejected" and one["reason"] not in NOT_THE_TRANSLATION
    ]
    assert wrong == []
    assert sum(one["verdict"] == "verified" for one in samples) >= len(samples) // 2


@settings(
    max_examples=1,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(st.randoms(use_true_random=False))
def test_some_random_kernels_equal_warp(random: Random) -> None:
    """Tens; `make fuzz` takes thousands."""
    with tempfile.TemporaryDirectory() as folder:
        check(module_text(random, [f"kernel_{place}" for place in range(KERNELS)]), Path(folder))
