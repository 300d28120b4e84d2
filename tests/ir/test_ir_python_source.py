"""`python_source` is a module that stands alone and means the same."""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest
from ir_of import ir_of, record_of

from weft.ir.user_module import load_module
from weft.source_files import Source

KERNEL = """
        @wp.kernel
        def fill(x: wp.array(dtype=float)):
            i = wp.tid()
"""


def executed(record: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The names of the module that a record's python_source is, run in a folder of its own."""
    folder.mkdir()
    (folder / "alone.py").write_text(record["python_source"], encoding="utf-8")
    before = list(sys.modules)
    module = load_module(Source.of(folder / "alone.py")).module
    assert {name for name in sys.modules if name not in before} <= {"alone"}
    return vars(module)


def ir_again(record: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The record of a record's python_source."""
    (again,) = ir_of(folder, record["python_source"])["records"]
    return dict(again)


def code(text: str) -> list[str]:
    """Warp's text without comments, which name files and lines."""
    return [line for line in text.splitlines() if not line.lstrip().startswith("//")]


def test_only_what_the_kernel_needs_comes_along(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        import math
        import os

        # Of no use here.
        UNUSED = os.sep
        # Half a turn,
        # in radians.
        TURN = math.pi
        DOUBLE = 2.0 * TURN
        TABLE = [1.0]
        TABLE.append(DOUBLE)
        wp.set_module_options({"enable_backward": False})

        @wp.func
        def unused(x: float):
            return x

        @wp.func
        def turned(x: float):
            return x + wp.static(TABLE[1])

        # Turns everything.
        @wp.kernel
        def turn(x: wp.array(dtype=float)):
            \"\"\"Turn.\"\"\"
            i = wp.tid()
            # The comment stays,
            x[i] = turned(x[i])  # and so does this.
            # The end.

        if __name__ == "__main__":
            wp.launch(turn, dim=1, inputs=[])
        """,
    )
    assert record["python_source"] == (
        "import math\n"
        "import warp as wp\n"
        "\n"
        "# Half a turn,\n"
        "# in radians.\n"
        "TURN = math.pi\n"
        "DOUBLE = 2.0 * TURN\n"
        "TABLE = [1.0]\n"
        "TABLE.append(DOUBLE)\n"
        'wp.set_module_options({"enable_backward": False})\n'
        "\n\n"
        "@wp.func\n"
        "def turned(x: float):\n"
        "    return x + wp.static(TABLE[1])\n"
        "\n\n"
        "# Turns everything.\n"
        "@wp.kernel\n"
        "def turn(x: wp.array(dtype=float)):\n"
        '    """Turn."""\n'
        "    i = wp.tid()\n"
        "    # The comment stays,\n"
        "    x[i] = turned(x[i])  # and so does this.\n"
        "    # The end.\n"
    )
    assert record["description"] == "Turn."
    executed(record, tmp_path / "alone")


@pytest.mark.parametrize(
    ("imports", "use"),
    [
        ("from physics import pull", "pull(x[i])"),
        ("from physics import pull as tug", "tug(x[i])"),
        ("from physics import *", "pull(x[i])"),
        ("import physics", "physics.pull(x[i])"),
        ("import physics as p", "p.pull(x[i]) * p.STRENGTH"),
        ("from package.inner import pull", "pull(x[i])"),
        ("import package.inner", "package.inner.pull(x[i])"),
        ("from package import inner", "inner.pull(x[i])"),
        ("from package import pull", "pull(x[i])"),
    ],
)
def test_imported_functions_move_into_the_module(tmp_path: Path, imports: str, use: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("from .inner import pull\n")
    (tmp_path / "package" / "inner.py").write_text("from physics import *\n")
    record = record_of(
        tmp_path,
        f"{imports}\n{KERNEL}            x[i] = {use}\n".replace("\n        ", "\n"),
        physics="""
        STRENGTH = 2.0
        @wp.func
        def pull(x: float):
            return STRENGTH * x
        """,
    )
    assert "physics" not in record["python_source"]
    assert "package" not in record["python_source"]
    executed(record, tmp_path / "alone")
    again = ir_again(record, tmp_path / "again")
    assert again["python_source"] == record["python_source"]
    assert again["functions"][0]["source"] == record["functions"][0]["source"]


def test_two_definitions_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        from physics import pull
        STRENGTH = 5.0
        @wp.func
        def helper(x: float, STRENGTH: float):
            return x + STRENGTH
        @wp.kernel
        def fill(x: wp.array(dtype=float)):
            i = wp.tid()
            x[i] = pull(helper(x[i], STRENGTH))
        """,
        physics="""
        STRENGTH = 2.0
        @wp.func
        def helper(x: float):
            return STRENGTH * x
        @wp.func
        def pull(x: float):
            return helper(x)
        """,
    )
    source = record["python_source"]
    assert "physics_STRENGTH = 2.0" in source
    assert "def physics_helper(x: float):\n    return physics_STRENGTH * x\n" in source
    assert "def helper(x: float, STRENGTH: float):\n    return x + STRENGTH\n" in source
    names = executed(record, tmp_path / "alone")
    assert (names["STRENGTH"], names["physics_STRENGTH"]) == (5.0, 2.0)


def test_gradients_and_replays_of_the_users_come_with_their_function(tmp_path: Path) -> None:
    source = """
        SLOPE = 3.0
        OTHER_SLOPE = 5.0

        @wp.func
        def steep(x: float):
            return SLOPE * x

        @wp.func
        def ramp(x: float):
            return wp.max(x, 0.0)

        @wp.func_grad(ramp)
        def adj_ramp(x: float, adj_ret: float):
            wp.adjoint[x] += steep(adj_ret)

        @wp.func
        def unused(x: float):
            return OTHER_SLOPE * x

        @wp.func_grad(unused)
        def adj_unused(x: float, adj_ret: float):
            wp.adjoint[x] += adj_ret * OTHER_SLOPE

        @wp.kernel
        def ramps(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = ramp(x[i])
    """
    record = record_of(tmp_path, source)
    assert "def adj_ramp" in record["python_source"]
    assert "def steep" in record["python_source"]
    assert "unused" not in record["python_source"]
    again = ir_again(record, tmp_path / "again")
    assert code(again["cuda_backward"]) == code(record["cuda_backward"])


def test_structs_overloads_and_annotations_are_found(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        from __future__ import annotations
        from typing import Any
        import warp as wp
        Scalar = wp.float32
        @wp.struct
        class Inner:
            w: Scalar
        @wp.struct
        class Outer:
            inner: Inner
        @wp.func
        def weight(o: Outer):
            return o.inner.w
        @wp.func
        def weight(x: Any):
            return x
        @wp.kernel
        def fill(x: wp.array(dtype=Scalar), o: wp.array(dtype=Outer)):
            i = wp.tid()
            x[i] = weight(o[i]) + weight(x[i])
        """,
    )
    assert record["python_source"].startswith("from __future__ import annotations\n")
    assert record["python_source"].count("def weight(") == 2
    assert ir_again(record, tmp_path / "again")["kernel"]["calls"] == record["kernel"]["calls"]


def test_what_text_cannot_follow_is_written_as_warp_resolved_it(tmp_path: Path) -> None:
    text = f"import physics\nNAMES = [physics]\n{KERNEL}            x[i] = wp.static(NAMES[0].G)\n"
    record = record_of(tmp_path, text.replace("\n        ", "\n"), physics="G = 1.5\n")
    assert "    x[i] = 1.5\n" in record["python_source"]
    assert "physics" not in record["python_source"]


def test_the_examples_stand_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.ir.build import build_ir

    monkeypatch.chdir(Path(__file__).parents[2])
    for name in ("heat", "nbody", "histogram"):
        ir = build_ir(Path("examples") / f"{name}.py", category=name, seed=0, device="cuda")
        assert ir["rejects"] == []
        for record in ir["records"]:
            imported = [
                node
                for node in ast.parse(record["python_source"]).body
                if isinstance(node, ast.Import | ast.ImportFrom)
            ]
            assert [ast.unparse(node) for node in imported] == ["import warp as wp"]
            executed(record, tmp_path / record["kernel_name"])
