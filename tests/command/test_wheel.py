"""The wheel that `pip install .` makes: whole, and enough with the packages that it asks for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
USE = """
import numpy as np
import weft
from halves import halve

program = weft.translate(halve)
x = np.arange(4, dtype=np.float32)
print(weft.call(program, {"x": x, "y": np.zeros_like(x)}, dims=(4,))["y"])
"""
HALVES = """
import warp as wp


@wp.kernel
def halve(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 0.5 * x[i]
"""


def requirements() -> dict[str, list[Requirement]]:
    """What the project asks for: by extra, "" without any; itself left out."""
    given = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    return {
        extra: [one for one in map(Requirement, texts) if one.name != "weft"]
        for extra, texts in given.items()
    }


def packages(name: str) -> Iterator[str]:
    """A package, and all that it needs."""
    yield name
    for text in distribution(name).requires or ():
        needed = Requirement(text)
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            yield from packages(needed.name)


def test_bounds_are_the_pinned_versions() -> None:
    """And every package that Weft uses is asked for, but those of its tests."""
    text = (ROOT / "envs/requirements.in").read_text(encoding="utf-8").partition("# tests and lint\n")[0]
    text += (ROOT / "envs/inspect.in").read_text(encoding="utf-8").partition("# to install Weft\n")[0]
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE))
    asked = [one for several in requirements().values() for one in several]
    assert sorted(one.name for one in asked) == sorted(pins)
    for one in asked:
        (bound,) = one.specifier
        assert bound.operator in (">=", "==")
        assert f"{pins[one.name]}.".startswith(f"{bound.version}."), one


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: setuptools leaves files in the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy2(ROOT / name, folder / name)
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "scripts", folder / "scripts", ignore=left_out)
    pip = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder]
    subprocess.run([*pip, "wheel", *options, folder], check=True, timeout=300)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_has_every_file(wheel: Path) -> None:
    package = ROOT / "scripts/weft"
    files = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == files


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel, and links to the packages that it asks for, and nothing else."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    for requirement in requirements()[""]:
        for name in packages(requirement.name):
            found = distribution(name)
            for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
                if not (site / top).exists():
                    (site / top).symlink_to(Path(str(found.locate_file(top))))
    pip = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    python = ["--python", folder / "bin/python"]
    subprocess.run([*pip, *python, "install", "--no-deps", "--no-index", "--no-compile", wheel], check=True)
    return folder


Run = Callable[..., str]
"""Runs a program of the environment, and gives what it prints."""


@pytest.fixture
def run(environment: Path, tmp_path: Path) -> Run:
    (tmp_path / "halves.py").write_text(HALVES, encoding="utf-8")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")

    def run(*command: str, status: int = 0) -> str:
        done = subprocess.run(
            [environment / "bin" / command[0], *command[1:]],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_the_command_works_where_nothing_else_is_installed(run: Run) -> None:
    assert "No module named 'snakemake'" in run("python", "-c", "import snakemake", status=1)
    assert run("weft", "--version") == f"weft {PROJECT['version']}\n"
    rooms = "weft.scoring.score, weft.scoring.tasks, weft.scoring.leaderboard"
    assert run("python", "-c", f"import {rooms}") == ""
    assert "__global__ void halve(" in run("weft", "translate", "halves.py")
    needs = "weft: reading a dataset needs pyarrow: pip install 'weft[dataset]'\n"
    assert run("weft", "replay", "loop-0000-0000", "--dataset", "dataset", status=2) == needs


@pytest.mark.full
def test_a_program_is_called_where_nothing_else_is_installed(run: Run) -> None:
    """The files that the CPU device is made of are all in the wheel."""
    assert run("python", "use.py") == "[0.  0.5 1.  1.5]\n"
