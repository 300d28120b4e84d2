"""A chain of hundreds of `elif`, each nested in the one before, is translated."""

from pathlib import Path

from weft.cuda.program import translate
from weft.ir.build import build_ir

BRANCHES = 400


def test_a_chain_of_hundreds_of_branches(tmp_path: Path) -> None:
    lines = [
        "import warp as wp",
        "",
        "",
        "@wp.kernel",
        "def classify(x: wp.array(dtype=int), y: wp.array(dtype=int)):",
    ]
    lines += ["    i = wp.tid()", "    k = x[i]", "    if k == 0:", "        y[i] = 5"]
    for branch in range(1, BRANCHES):
        lines += [f"    elif k == {branch}:", f"        y[i] = {branch * 7 % 13}"]
    (tmp_path / "k.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ir = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")
    assert ir["rejects"] == []
    assert translate(ir["records"][0]).text.count("else if (k == ") == BRANCHES - 1
