"""What `make` asks of a machine, and what it installs there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from weft.samples.makefile import makefile

ROOT = Path(__file__).parents[2]
ENVS = ROOT / "envs"
PREFLIGHT = ROOT / "scripts/preflight.sh"


def pins(path: Path) -> dict[str, str]:
    """The pinned version of each package that a requirements file names."""
    return dict(re.findall(r"^ *-? ?([A-Za-z0-9][\w.-]*)==([^\s;]+)", path.read_text(), re.MULTILINE))


def test_the_lock_file_has_a_hash_for_every_package_and_names_no_registry() -> None:
    for name in ("build.lock", "requirements.lock", "oldest.lock", "docs.lock", "training.lock"):
        text = (ENVS / name).read_text()
        entries = re.split(r"\n(?=[a-z0-9])", text.split("\n", 2)[2])
        assert all("--hash=sha256:" in entry for entry in entries)
        assert "://" not in text
        assert "--index" not in text


def test_the_lock_file_holds_what_the_project_asks_for() -> None:
    for name in ("build", "requirements", "oldest", "docs", "training"):
        assert pins(ENVS / f"{name}.in").items() <= pins(ENVS / f"{name}.lock").items()


def test_the_documents_name_the_toolkits_that_are_tried() -> None:
    tried = [pins(ENVS / f"{name}.lock")["nvidia-cuda-nvcc"] for name in ("oldest", "requirements")]
    quickstart = (ROOT / "docs/quickstart.md").read_text(encoding="utf-8")
    assert all(version in quickstart for version in tried)
    releases = [version.rpartition(".")[0] for version in tried]
    said = makefile("kernel", "sm_75").replace("\n# ", " ")
    assert f"{' and '.join(releases)} were tried" in said


def test_the_conda_environment_has_the_versions_of_the_lock_file() -> None:
    locked = pins(ENVS / "requirements.lock") | pins(ENVS / "build.lock")
    conda = pins(ENVS / "environment.yaml")
    assert conda.items() <= locked.items()
    assert {"warp-lang", "numpy", "snakemake", "nvidia-cuda-nvcc"} <= conda.keys()
    assert yaml.safe_load((ENVS / "environment.yaml").read_text())["channels"]


def test_the_image_is_built_of_what_a_build_needs() -> None:
    """All that a build's own preflight asks for, and the lock files; a changed file makes another image."""
    definition = (ENVS / "weft.def").read_text(encoding="utf-8")
    copied = dict(re.findall(r"^    (envs/\S+) (/\S+)$", definition, re.MULTILINE))
    assert set(copied) == {"envs/build.lock", "envs/requirements.lock"}
    assert "--require-hashes" in definition
    for path in copied.values():
        assert re.search(rf"^    \$install .*-r {path}$", definition, re.MULTILINE)
    asked = re.findall(r"apt install ([^)]+)\)", PREFLIGHT.read_text(encoding="utf-8"))
    packages = definition.partition("--no-install-recommends")[2].partition("\n    apt-get clean")[0].split()
    assert set(" ".join(asked).split()) <= {*packages, "libc6-dev"}  # g++ brings it
    rule = re.search(r"^weft\.sif: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert rule and set(rule[1].split()) == {"envs/weft.def", *copied}


def test_the_image_comes_from_a_public_one() -> None:
    head = (ENVS / "weft.def").read_text(encoding="utf-8").partition("%files")[0]
    assert "\nBootstrap: docker\n" in head
    assert re.search(r"^From: [a-z]+:[a-z-]+$", head, re.MULTILINE)  # no registry


def fake(folder: Path, name: str, answers: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{answers}\n")
    path.chmod(0o755)


def preflight(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", PREFLIGHT, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_this_machine_passes(tmp_path: Path) -> None:
    result = preflight(tmp_path, sys.executable)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


MACHINES = {
    "another system": ("uname", '[ "$1" = -s ] && echo Darwin || echo arm64', "this is Darwin on arm64"),
    "another processor": ("uname", '[ "$1" = -s ] && echo Linux || echo aarch64', "this is Linux on aarch64"),
    "old Python": (
        "python3",
        '[ "$1" = --version ] && echo Python 3.9.2 || exit 1',
        "is Python 3.9.2; Python",
    ),
    "no venv": ("python3", 'case "$2" in *venv*) exit 1 ;; esac', "python3 has no venv module"),
    "no GLib": (
        "python3",
        'case "$2" in *ctypes*) echo libglib-2.0.so.0 && exit 1 ;; esac',
        "there is no libglib-2.0.so.0, which Graphviz needs; install it (Debian, Ubuntu: apt",
    ),
    "new g++": ("g++", "echo 99", "g++ is version 99; nvcc takes up to"),
    "no C library": ("g++", '[ "$1" = -dumpversion ] && echo 12 || exit 1', "g++ cannot link a program"),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_missing_is_said_in_one_line(machine: str, tmp_path: Path) -> None:
    program, answers, message = MACHINES[machine]
    fake(tmp_path, program, answers)
    python = "python3" if program == "python3" else sys.executable
    result = preflight(tmp_path, python)
    assert result.returncode == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_missing_programs_are_said_in_one_line_each(tmp_path: Path) -> None:
    result = preflight(tmp_path, "no-python", "no-compiler")
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert lines[0].startswith("weft: there is no no-python; install Python 3.11 or newer")
    assert lines[1].startswith("weft: there is no no-compiler; install it")


def test_the_newest_compiler_is_the_one_that_the_pinned_nvcc_takes() -> None:
    import nvidia

    header = next(Path(folder) for folder in nvidia.__path__) / "cu13/include/crt/host_config.h"
    (limit,) = re.findall(r"^#if __GNUC__ > (\d+)$", header.read_text(), re.MULTILINE)
    assert f"newest_compiler={limit} " in PREFLIGHT.read_text()
