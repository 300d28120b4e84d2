"""`--keep-passes` writes the tree after every pass, so that one can see which pass did what."""

import subprocess
import sys
from pathlib import Path

from weft.files import write_json

ROOT = Path(__file__).resolve().parents[3]

KERNEL = """
import warp as wp

@wp.kernel
def halve(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = -x[i] / 2.0
"""


def test_the_tree_after_each_pass_is_written(tmp_path: Path) -> None:
    from weft.ir.build import build_ir

    (tmp_path / "k.py").write_text(KERNEL, encoding="utf-8")
    write_json(tmp_path / "k.json", build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda"))
    command = [sys.executable, "-P", ROOT / "scripts" / "cuda.py", tmp_path / "k.json"]
    command += ["-o", tmp_path / "k.cu", "--keep-passes", tmp_path / "passes"]
    subprocess.run(command, check=True)
    files = sorted((tmp_path / "passes" / "k-0000-0000").iterdir())
    assert files[0].name == "1-build.txt"
    assert files[-1].name.endswith("-rename.txt")
    first, last = files[0].read_text(encoding="utf-8"), files[-1].read_text(encoding="utf-8")
    assert "Threads names=['i']" in first and "Element" in first
    assert "blockIdx.x" in last and "Pointee" in last and "Element" not in last
