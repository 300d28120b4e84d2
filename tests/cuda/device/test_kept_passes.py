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

REVERSE = """
import warp as wp

@wp.kernel
def reverse(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=32, offset=i * 32)
    wp.tile_store(y, t[::-1] + wp.tile_load(x, shape=32, offset=i * 32), offset=i * 32)

LAUNCH = {"reverse": {"dims": ["n"], "block_dim": 32, "parameters": {
    "x": {"shape": ["32 * n"], "values": {"integers": [0, 9]}}, "y": {"role": "out", "shape": ["32 * n"]}}}}
"""


def _kept(folder: Path, kernels: str) -> list[Path]:
    from weft.ir.build import build_ir

    (folder / "k.py").write_text(kernels, encoding="utf-8")
    write_json(folder / "ir.json", build_ir(folder / "k.py", category="k", seed=0, device="cuda"))
    command = [sys.executable, "-P", ROOT / "scripts" / "cuda.py", folder / "ir.json"]
    command += ["-o", folder / "k.cu", "--keep-passes", folder / "passes"]
    subprocess.run(command, check=True)
    return sorted((folder / "passes" / "k-0000-0000").iterdir())


def test_the_tree_after_each_pass_is_written(tmp_path: Path) -> None:
    files = _kept(tmp_path, KERNEL)
    assert files[0].name == "01-build.txt"
    assert files[-1].name.endswith("-rename.txt")
    first, last = files[0].read_text(encoding="utf-8"), files[-1].read_text(encoding="utf-8")
    assert "Threads names=['i']" in first and "Element" in first
    assert "blockIdx.x" in last and "Pointee" in last and "Element" not in last


def test_one_pass_places_the_barriers_of_tiles_and_one_spreads_the_work(tmp_path: Path) -> None:
    texts = {path.stem[3:]: path.read_text(encoding="utf-8") for path in _kept(tmp_path, REVERSE)}
    assert next(name for name, text in texts.items() if "__syncwarp" in text) == "place_barriers"
    assert next(name for name, text in texts.items() if "Share " not in text) == "spread_shares"
