"""An edit rebuilds what it can change: the files behind each script are found by their imports."""

import re
from pathlib import Path

import pytest

from weft.workflow.dependencies import category_files, library_files

ROOT = Path(__file__).parents[2]
ON_FILES = ["cuda", "ptx", "runs", "stats", "limits", "samples", "dataset", "report"]
STAGES = ["kernels", "ir", "ir_check", "reference", "gradients", *ON_FILES]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    def write(path: str, text: str = "") -> None:
        file = tmp_path / "scripts" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    write("knit.py", "from weft.knit import rows")
    write("weft/__init__.py")
    write("weft/knit/__init__.py")
    write("weft/knit/rows.py", "def f():\n    from weft.yarn.spin import Thread")
    write("weft/knit/pattern.h")
    write("weft/knit/categories/__init__.py")
    write("weft/knit/categories/cable.py", "import weft.unused")
    write("weft/yarn/__init__.py", "from weft import fibre")
    write("weft/yarn/spin.py", "from weft.fibre import Fibre")
    write("weft/yarn/dye.py")
    write("weft/yarn/colours.json")
    write("weft/fibre.py")
    write("weft/unused.py")
    return tmp_path


def test_a_stage_depends_on_its_room_and_on_what_that_imports(tree: Path) -> None:
    files = [path.removeprefix("scripts/weft/") for path in library_files(tree, "knit")]
    assert files == [
        "__init__.py",
        "fibre.py",
        "knit/__init__.py",
        "knit/categories/__init__.py",
        "knit/pattern.h",
        "knit/rows.py",
        "yarn/__init__.py",
        "yarn/colours.json",
        "yarn/spin.py",
    ]


def test_a_new_import_is_seen(tree: Path) -> None:
    before = library_files(tree, "knit")
    (tree / "scripts/weft/knit/rows.py").write_text("from weft.yarn import dye, spin")
    assert set(library_files(tree, "knit")) - set(before) == {"scripts/weft/yarn/dye.py"}


def test_an_import_for_type_checkers_counts_for_nothing(tree: Path) -> None:
    before = library_files(tree, "knit")
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from weft.unused import Yarn\n"
    (tree / "scripts/weft/__init__.py").write_text(text)
    assert library_files(tree, "knit") == before


@pytest.mark.parametrize("stage", STAGES)
def test_no_stage_depends_on_one_category(stage: str) -> None:
    categories = "scripts/weft/kernels/categories/"
    files = [path for path in library_files(ROOT, stage) if path.startswith(categories)]
    assert all(path.removeprefix(categories).startswith("_") for path in files)


def test_a_category_depends_on_its_own_domains_and_no_other_category_does() -> None:
    stencil, particle = (set(category_files(ROOT, one)) for one in ("stencil", "particle"))
    assert "scripts/weft/kernels/categories/stencil.py" in stencil
    domains = {path for path in stencil if path.startswith("scripts/weft/kernels/domains/")}
    assert len(domains) > 3
    assert not domains & {one for one in particle if not one.endswith("__init__.py")}
    assert not (stencil | particle) & set(library_files(ROOT, "kernels"))


def test_a_workload_is_an_input_of_its_category_alone() -> None:
    stencil, particle = (set(category_files(ROOT, one)) for one in ("stencil", "particle"))
    workloads = "scripts/weft/kernels/workloads/"
    assert {path for path in stencil if path.startswith(workloads)}
    assert all(path.startswith(f"{workloads}stencil/") for path in stencil if path.startswith(workloads))
    assert all(path.startswith(f"{workloads}particle/") for path in particle if path.startswith(workloads))


def test_every_file_of_the_generator_is_an_input_of_some_shard() -> None:
    categories = [path.stem for path in (ROOT / "scripts/weft/kernels/categories").glob("[!_]*.py")]
    inputs = {path for one in categories for path in category_files(ROOT, one)}
    inputs |= set(library_files(ROOT, "kernels"))
    room = (ROOT / "scripts/weft/kernels").rglob("*.py")
    assert not {str(path.relative_to(ROOT)) for path in room} - inputs


@pytest.mark.parametrize("stage", ON_FILES)
def test_stages_that_work_from_files_do_not_import_warp(stage: str) -> None:
    files = [f"scripts/{stage}.py", *library_files(ROOT, stage)]
    python = [path for path in files if path.endswith(".py")]
    assert not [path for path in python if re.search(r"^ *(import|from) warp\b", read(path), re.MULTILINE)]


def read(path: str) -> str:
    return (ROOT / path).read_text()


def test_an_edit_of_the_translator_is_none_of_the_ir() -> None:
    assert not [path for path in library_files(ROOT, "ir") if "/cuda/" in path]
    assert [path for path in library_files(ROOT, "cuda") if "/cuda/" in path]
