"""The survey: what it counts, what it leaves out, and that the kernels which ship with Warp come through."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft.errors import UserError
from weft.survey.modules import modules_of
from weft.survey.self_contained import excluded

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = {
    "__init__": "",
    "plain": """
        import warp as wp

        @wp.kernel
        def double(x: wp.array(dtype=float), y: wp.array(dtype=float)):
            i = wp.tid()
            y[i] = 2.0 * x[i]

        @wp.kernel
        def nearest(mesh: wp.uint64, y: wp.array(dtype=float)):
            i = wp.tid()
            query = wp.mesh_query_point_no_sign(mesh, wp.vec3(y[i]), 1.0)
            y[i] = query.u
    """,
    "racing": """
        import warp as wp

        @wp.kernel
        def scatter(x: wp.array(dtype=float), place: wp.array(dtype=int), y: wp.array(dtype=float)):
            i = wp.tid()
            y[place[i]] = x[i] * y[i]
    """,
    "again": "from surveyed.plain import double",
    "broken": "import a_module_that_nobody_has",
    "deep.inner": """
        import warp as wp

        @wp.kernel
        def stray(y: wp.array(dtype=float)):
            y[wp.tid()] = wp.tile_cholesky(wp.tile_zeros(shape=(2, 2), dtype=float))[0, 0]
    """,
}


def write_package(folder: Path) -> Path:
    import textwrap

    for name, text in PACKAGE.items():
        path = folder / "surveyed" / (name.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    (folder / "surveyed" / "deep" / "__init__.py").write_text("", encoding="utf-8")
    return folder


def survey(tmp_path: Path, *arguments: str, paths: str = "") -> tuple[dict[str, Any], str]:
    """The counts and the printed text of a survey."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "scripts"), paths])}
    command = [sys.executable, "-P", str(ROOT / "scripts" / "survey.py"), *arguments]
    done = subprocess.run(
        [*command, "--output", str(tmp_path / "counts.json")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return json.loads((tmp_path / "counts.json").read_text()), done.stdout


def test_modules_are_found_without_importing_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(write_package(tmp_path)))
    names = ["", ".again", ".broken", ".deep", ".deep.inner", ".plain", ".racing"]
    assert modules_of("surveyed") == [f"surveyed{name}" for name in names]
    assert "surveyed.broken" not in sys.modules


def test_an_unknown_package_is_an_error_that_names_it() -> None:
    with pytest.raises(UserError, match="no_such_package"):
        modules_of("no_such_package")


def test_a_package_that_fails_when_it_is_imported_is_an_error_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "raising").mkdir()
    (tmp_path / "raising" / "__init__.py").write_text("None.shape", encoding="utf-8")
    (tmp_path / "raising" / "kernels.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match=r"'raising.kernels' fails .*'NoneType' object has no attribute"):
        modules_of("raising.kernels")


@pytest.mark.parametrize(
    ("builtin", "group"),
    [
        ("mesh_query_point", "mesh"), ("tile_bvh_query_next", "bvh"), ("hash_grid_query", "hash grid"),
        ("volume_lookup_f", "volume"), ("texture_sample", "texture"), ("tile_cholesky", "tile"),
        ("tile_load", None), ("tile_matmul", None), ("matrix_from_rows", None), ("sin", None),
    ],
)  # fmt: skip
def test_what_keeps_a_kernel_from_being_self_contained(builtin: str, group: str | None) -> None:
    call = [1, 0, 1, 1, {"builtin": builtin, "arguments": [], "result": None}]
    kernel = {"file": "kernels.py", "types": [], "parameters": [], "calls": [call]}
    assert excluded({"functions": [], "kernel": kernel}) == group


def test_a_function_of_fem_excludes_its_kernel() -> None:
    function = {"file": "warp/_src/fem/field.py", "types": [], "parameters": [], "calls": []}
    assert excluded({"functions": [function], "kernel": function | {"file": "k.py"}}) == "warp.fem"


def test_every_kernel_is_counted_once_and_a_survey_goes_on_where_it_was(tmp_path: Path) -> None:
    arguments, folder = ("surveyed", "--folder", str(tmp_path / "kept")), str(write_package(tmp_path))
    counts, printed = survey(tmp_path, *arguments, paths=folder)
    assert counts["collected"] == 4
    assert counts["excluded"] == {"mesh": 1, "tile": 1}
    assert (counts["self_contained"], counts["translated"], counts["equal"]) == (2, 2, 1)
    assert counts["different"] == 0
    assert "race" in printed
    assert counts["modules_failed"] == 1
    assert "a_module_that_nobody_has" in printed
    reference = tmp_path / "kept" / "shard-000" / "reference.npz"
    reference.unlink()
    assert survey(tmp_path, *arguments, paths=folder) == (counts, printed)
    assert not reference.exists(), "a second survey computes nothing again"
    plain = tmp_path / "surveyed" / "plain.py"
    plain.write_text(plain.read_text().replace("2.0", "3.0"))
    assert survey(tmp_path, *arguments, paths=folder) == (counts, printed)
    assert reference.exists(), "but what has changed"


def test_the_kernels_that_ship_with_warp_come_through(tmp_path: Path) -> None:
    """A sample of 25; `make survey` takes all."""
    counts, printed = survey(tmp_path, "warp.tests", "--every", "24", "--limit", "25")
    assert counts["collected"] >= 25, printed
    assert counts["different"] == 0, printed
    assert counts["compiled"] == counts["translated"], printed
    assert counts["compiled"] >= 0.95 * counts["self_contained"], printed


@pytest.mark.full
def test_all_kernels_that_ship_with_warp_come_through(tmp_path: Path) -> None:
    counts, printed = survey(tmp_path, "warp.tests", "warp.examples")
    assert counts["different"] == 0, printed
    assert counts["compiled"] == counts["translated"], printed
    assert counts["compiled"] >= 0.95 * counts["self_contained"], printed
