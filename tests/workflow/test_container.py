"""Jobs in a container. A stand-in for Apptainer notes each call, and runs the command without a container."""

import re
import sys
from pathlib import Path

import pytest

from building import REPRODUCIBLE, ROOT, Build

pytestmark = pytest.mark.workflow

APPTAINER = """\
#!/bin/sh
if [ "$1" = --version ]; then echo "apptainer version 1.4.5"; exit; fi
printf '%s %s\\0' "$PYTHONPATH" "$*" >>"$0.log"
while [ "$1" != weft.sif ]; do shift; done
shift
exec "$@"
"""
SCRIPT = re.compile(r"scripts/(\w+)\.py")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """PATH with the stand-in, and the tools that a build needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "apptainer").write_text(APPTAINER)
    (folder / "apptainer").chmod(0o755)
    return f"{folder}:{Path(sys.executable).parent}:/usr/bin:/bin"


def test_no_rule_is_left_out_of_the_image() -> None:
    """Snakemake's directive holds for the rules that come after it and name no image of their own."""
    snakefile = (ROOT / "Snakefile").read_text(encoding="utf-8")
    before, directive, _ = snakefile.partition("\ncontainer: SETTINGS.container\n")
    assert directive
    assert re.findall(r"rules/(\w+)\.smk", before) == ["settings"]
    for path in (ROOT / "rules").glob("*.smk"):
        rules = path.read_text(encoding="utf-8")
        assert not re.search(r"^ *(container|containerized|singularity):", rules, re.MULTILINE), path.name
        assert path.name != "settings.smk" or "\nrule " not in rules


def test_jobs_and_questions_to_tools_go_into_the_image_with_this_code(
    build_copy: Build, small_config: list[str], path: str, tmp_path: Path
) -> None:
    (build_copy.folder / "weft.sif").touch()
    before = build_copy.hashes("kernels", "versions")
    options = ("--cores", "2", "--sdm", "apptainer", "--apptainer-args=--nv")
    build_copy.run("kernels", *options, *small_config, PATH=path)
    assert build_copy.hashes("kernels", "versions") == before
    calls = calls_of_apptainer(tmp_path)
    assert {script(call) for call in calls} == {"kernels", "versions"}
    start = f"{build_copy.folder / 'scripts'}:"
    for call in calls:
        assert call.startswith(start)
        assert f"exec --home {build_copy.folder} --nv " in call
        assert re.search(r" weft\.sif (ba)?sh -c ", call)


@pytest.mark.full
def test_a_whole_build_in_a_container_has_the_same_bytes(
    small_build: Build, small_config: list[str], path: str, tmp_path: Path
) -> None:
    build = small_build.without_results(tmp_path / "build")
    (build.folder / "weft.sif").touch()
    planned = {job.partition(" ")[0] for job in build.planned("all", *small_config)}
    build.run("all", "--cores", "2", "--sdm", "apptainer", *small_config, PATH=path)
    assert build.hashes(*REPRODUCIBLE) == small_build.hashes(*REPRODUCIBLE)
    texts = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "rules").glob("*.smk"))
    rules = [rule for rule in re.split(r"^rule ", texts, flags=re.MULTILINE) if "shell:" in rule]
    scripts = {
        found[1] for rule in rules if rule.partition(":")[0] in planned for found in SCRIPT.finditer(rule)
    }
    assert {script(call) for call in calls_of_apptainer(tmp_path)} == scripts | {"versions"}


def calls_of_apptainer(folder: Path) -> list[str]:
    """What the stand-in has noted: PYTHONPATH and the arguments of each call."""
    return (folder / "bin/apptainer.log").read_text(encoding="utf-8").split("\0")[:-1]


def script(call: str) -> str:
    """The script that a call runs."""
    found = SCRIPT.search(call)
    assert found, call
    return found[1]


@pytest.mark.parametrize(
    ("image", "compiler", "message"),
    [
        ("none.sif", "g++", "config: container: got 'none.sif', which is not here; allowed: an image"),
        (
            "weft.sif",
            "no-such",
            "in the container 'weft.sif': versions: config: host_compiler: got 'no-such', which",
        ),
    ],
)
def test_what_does_not_work_in_the_container_is_said(
    image: str, compiler: str, message: str, small_config: list[str], path: str, tmp_path: Path
) -> None:
    build = Build.fresh(tmp_path / "build")
    (build.folder / "weft.sif").touch()
    settings = [*small_config, f"container={image}", f"host_compiler={compiler}"]
    done = build.run("--dry-run", "--sdm", "apptainer", *settings, check=False, PATH=path)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_without_apptainer_its_name_is_said(small_config: list[str], tmp_path: Path) -> None:
    build = Build.fresh(tmp_path / "build")
    done = build.run("--dry-run", "--sdm", "apptainer", *small_config, check=False, PATH="/usr/bin:/bin")
    assert done.returncode != 0
    assert "apptainer or singularity command has to be available" in done.stderr
    assert "Traceback" not in done.stderr
