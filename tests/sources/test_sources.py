"""A user's own file: what it imports, and the manifest that stands for it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import weft.source_spec
from weft.errors import UserError
from weft.source_files import Source, files_of
from weft.source_spec import manifest_text, read_manifest, source_spec

FILES = {
    "main.py": "import warp as wp\nimport numpy, helper\nfrom pkg.sub import tool\n\n"
    "@wp.kernel\ndef a(): ...\n\n"
    "@wp.kernel(enable_backward=False)\ndef b(): ...\n\n@wp.func\ndef c(): ...\n",
    "helper.py": "def late():\n    import deep\n",
    "deep.py": "import main\n",
    "unrelated.py": "",
    "pkg/__init__.py": "",
    "pkg/sub/__init__.py": "from . import tool\nfrom .. import other\n",
    "pkg/sub/tool.py": "from ..third import thing\n",
    "pkg/other.py": "",
    "pkg/third.py": "thing = 1\n",
    "pkg/unrelated.py": "",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_imports_are_followed_through_packages_and_functions(project: Path) -> None:
    names = [
        "deep",
        "helper",
        "main",
        "pkg/__init__",
        "pkg/other",
        "pkg/sub/__init__",
        "pkg/sub/tool",
        "pkg/third",
    ]
    assert sorted(files_of(Source.of(Path("own/main.py")))) == [Path(f"own/{name}.py") for name in names]


def test_a_file_within_a_package_sees_the_whole_package(project: Path) -> None:
    found = [path.as_posix() for path in files_of(Source.of(Path("own/pkg/sub/tool.py")))]
    assert found == ["own/pkg/sub/tool.py", "own/pkg/__init__.py", "own/pkg/third.py"]


def test_paths_are_as_they_were_given(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("own")
    assert files_of(Source.of(Path("deep.py")))[:2] == [Path("deep.py"), Path("main.py")]
    absolute = files_of(Source.of(project / "own" / "helper.py"))
    assert absolute[1] == project / "own" / "deep.py"


def test_a_broken_file_imports_nothing_but_a_missing_one_is_an_error(project: Path) -> None:
    Path("own/main.py").write_text("import helper\nimport (\n")
    assert files_of(Source.of(Path("own/main.py"))) == [Path("own/main.py")]
    with pytest.raises(UserError, match=r"own/main\.py:2:8\n    import \(\n           \^\nsyntax error"):
        manifest_text(source_spec("own/main.py"), "own")
    with pytest.raises(UserError, match=r"cannot read own/absent\.py"):
        files_of(Source.of(Path("own/absent.py")))


def test_the_manifest_lists_files_and_kernels(project: Path) -> None:
    names: dict[str, object] = {}
    exec(manifest_text(source_spec("own/main.py"), "own"), names)
    source = names["SOURCE"]
    assert isinstance(source, dict)
    assert source["source"] == "own/main.py"
    files = files_of(Source.of(Path("own/main.py")))
    assert list(source["files"]) == sorted(path.as_posix() for path in files)
    assert source["kernels"] == ["a", "b"]


def test_the_manifest_names_the_packages_that_are_imported_and_their_versions(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`wool` is an installed package, of version 1.2 and then 1.3, that a file imports in a function."""
    metadata = tmp_path / "installed" / "wool_yarn-1.2.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: wool-yarn\nVersion: 1.2\n")
    (metadata / "top_level.txt").write_text("wool\n")
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))
    Path("own/helper.py").write_text("def late():\n    import os, wool.dye as dye\n    import missing\n")
    text = manifest_text(source_spec("own/main.py"), "own")
    assert '        "wool-yarn": "1.2",\n' in text
    assert '"numpy": ' in text
    assert not any(f'"{name}": ' in text for name in ("os", "missing", "warp-lang"))
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: wool-yarn\nVersion: 1.3\n")
    weft.source_spec._versions.cache_clear()
    assert '        "wool-yarn": "1.3",\n' in manifest_text(source_spec("own/main.py"), "own")


@pytest.mark.parametrize(("name", "changes"), [("pkg/third.py", True), ("unrelated.py", False)])
def test_the_manifest_changes_with_what_is_imported(project: Path, name: str, changes: bool) -> None:
    before = manifest_text(source_spec("own/main.py"), "own")
    (project / "own" / name).write_text("thing = 2\n")
    assert (manifest_text(source_spec("own/main.py"), "own") != before) == changes


def test_a_manifest_leads_to_the_file_that_it_was_written_for(project: Path) -> None:
    manifest = Path("0000.py")
    manifest.write_text(manifest_text(source_spec("own/main.py"), "own"))
    assert read_manifest(manifest) == source_spec("own/main.py")
    assert read_manifest(Path("own/helper.py")) is None
    Path("own/pkg/third.py").write_text("thing = 3\n")
    with pytest.raises(UserError, match=r"own/pkg/third\.py has changed since 0000\.py was written"):
        read_manifest(manifest)
    Path("own/pkg/third.py").unlink()
    with pytest.raises(UserError, match=r"0000\.py lists own/pkg/third\.py, which does not exist"):
        read_manifest(manifest)


def test_an_installed_module_stands_for_its_package(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "installed" / "pack" / "inner"
    installed.mkdir(parents=True)
    (installed.parent / "__init__.py").write_text("import other\n")
    (installed / "kernels.py").write_text("import warp as wp\n@wp.kernel\ndef a(): pass\n")
    (tmp_path / "installed" / "other.py").write_text("thing = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))
    spec = source_spec("pack.inner.kernels:a")
    names: dict[str, Any] = {}
    exec(manifest_text(spec, "own"), names)
    assert list(names["SOURCE"]["files"]) == ["pack/__init__.py", "pack/inner/kernels.py"]
    assert names["SOURCE"]["kernels"] == ["a"]
    Path("0000.py").write_text(manifest_text(spec, "own"))
    assert read_manifest(Path("0000.py")) == spec
    (installed.parent / "version.py").write_text("NEW = 2\n")
    assert "pack/version.py" in manifest_text(spec, "own")


def test_nothing_of_warp_is_imported() -> None:
    script = "import sys, weft.source_spec; sys.exit('warp' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", script], check=False).returncode == 0
