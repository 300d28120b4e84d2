"""Users' own files as categories: every kernel has its own fate."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from building import Build, rules, shards

pytestmark = pytest.mark.workflow

HERE = Path(__file__).parent

CONFIG = [
    "--config",
    "categories=[own, made, letters, twice]",
    "sources={own: own/five_kernels.py, made: pack.factory:make(3), "
    "letters: own/letters_kernels.py, twice: own/two_of_one_name.py}",
    "sizes=[1, 33]",
    "input_seeds=[0]",
    "devices=[cpu]",
    "reference_timeout=2",
]


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> tuple[Build, str]:
    """A finished build of five kernels, three of which cannot go through, and of others; what was printed."""
    build = Build.fresh(tmp_path_factory.mktemp("five") / "build")
    shutil.copytree(HERE / "source", build.folder / "own")
    shutil.copy2(HERE.parent / "faults/letters_kernels.py", build.folder / "own")
    shutil.copytree(HERE / "package", build.folder / "pack")
    done = build.run("all", "samples", "--cores", "2", *CONFIG)
    return build, done.stdout + done.stderr


def rejects(build: Build) -> dict[str, dict[str, Any]]:
    lines = (build.results / "stats/rejects.jsonl").read_text().splitlines()
    return {reject["kernel_name"]: reject for reject in map(json.loads, lines)}


def test_a_bad_kernel_costs_one_sample(five: tuple[Build, str]) -> None:
    categories = json.loads((five[0].results / "stats/summary.json").read_text())["categories"]
    own, made = categories["own"], categories["made"]
    assert (own["made"], own["verified"], own["rejected"], own["not_run"]) == (5, 2, 3, 0)
    assert (made["made"], made["verified"]) == (1, 1)


def test_a_kernel_that_a_module_of_a_package_makes_is_a_source(five: tuple[Build, str]) -> None:
    manifest: dict[str, Any] = {}
    exec((five[0].results / "kernels/made/0.py").read_text(), manifest)
    assert manifest["SOURCE"]["source"] == "pack.factory:make(3)"
    assert list(manifest["SOURCE"]["files"]) == ["pack/__init__.py", "pack/constants.py", "pack/factory.py"]
    (record,) = json.loads((five[0].results / "ir/made/0.json").read_text())["records"]
    assert record["kernel_name"] == "fill"
    assert record["kernel"]["file"] == "pack/factory.py"
    assert "count = 3\n" in record["python_source"]


def test_each_reject_has_its_stage_and_reason(five: tuple[Build, str]) -> None:
    found = {name: (reject["stage"], reject["reason"]) for name, reject in rejects(five[0]).items()}
    assert found == {
        "refused_by_warp": ("ir", "warp_error"),
        "refused_by_the_translator": ("cuda", "unsupported"),
        "runs_too_long": ("reference", "timeout"),
        "plain": ("ir", "duplicate_name"),
    }


def test_names_outside_ascii_are_verified_and_the_last_of_two_kernels_of_one_name(
    five: tuple[Build, str],
) -> None:
    build, printed = five
    categories = json.loads((build.results / "stats/summary.json").read_text())["categories"]
    letters, twice = categories["letters"], categories["twice"]
    assert (letters["made"], letters["verified"], letters["rejected"]) == (6, 6, 0)
    assert (twice["made"], twice["verified"], twice["rejected"]) == (3, 2, 1)
    assert rejects(build)["plain"]["sample_id"] == "twice-0000-0000"
    assert "Traceback" not in printed
    validated = build.script("validate", "results")
    assert validated.returncode == 0, validated.stdout


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        ("refused_by_warp", "values[i] + wp.vec3(1.0, 2.0, 3.0)"),
        ("refused_by_the_translator", "wp.mesh_get_point(mesh, i)"),
    ],
)
def test_a_refusal_points_at_the_line_of_the_users_file(
    five: tuple[Build, str], kernel: str, text: str
) -> None:
    reject = rejects(five[0])[kernel]
    line = (five[0].folder / "own/five_kernels.py").read_text().splitlines()[reject["line"] - 1]
    assert reject["file"] == "own/five_kernels.py"
    assert reject["source_line"] == line
    assert line[reject["column"] - 1 :].startswith(text)


def test_the_table_says_so(five: tuple[Build, str]) -> None:
    printed = five[1]
    assert "own-0000-0003 runs_too_long: reference: timeout: " in printed
    lines = printed.splitlines()
    at = next(number for number, line in enumerate(lines) if "own/five_kernels.py:" in line)
    assert "values[i] + wp.vec3" in lines[at + 1]
    assert lines[at + 2].strip() == "^"
    assert lines[at + 2].index("^") == lines[at + 1].index("values[i] + wp.vec3")


def test_an_edited_import_of_the_file_rebuilds_the_shard(five: tuple[Build, str], tmp_path: Path) -> None:
    build = five[0].copy(tmp_path / "edited")
    assert build.planned("all", *CONFIG) == set()
    with (build.folder / "own/helper.py").open("a") as helper:
        helper.write("\nLIMIT = 1\n")
    assert {"kernels_source", "ir_shard", "cuda_shard", "runs_cpu"} <= rules(build.planned("all", *CONFIG))


def test_an_edited_module_of_the_package_rebuilds_the_shard(five: tuple[Build, str], tmp_path: Path) -> None:
    build = five[0].copy(tmp_path / "edited")
    with (build.folder / "pack/constants.py").open("a") as constants:
        constants.write("LIMIT = 1\n")
    assert {"kernels_source", "ir_shard"} <= rules(build.planned("results/cuda/made/0.cu", *CONFIG))


ALONE = ["--config", "sources={plate: own/five_kernels.py}"]
WITH_OTHERS = {
    "with categories": ["--config", "sources={plate: own/five_kernels.py}", "categories=[plate, matrix]"],
    "a file of settings": ["--configfile", "sources.yaml"],
}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Build:
    build = Build.fresh(tmp_path_factory.mktemp("named") / "build")
    shutil.copytree(HERE / "source", build.folder / "own")
    (build.folder / "sources.yaml").write_text("sources: {plate: own/five_kernels.py}\n")
    return build


def test_sources_on_the_command_line_are_all_that_is_built(named: Build) -> None:
    assert shards(named.planned("all", *ALONE)) == {"plate"}
    assert "\nWeft: 1 of your sources; devices: " in named.run("--dry-run", "all", *ALONE).stderr


@pytest.mark.parametrize("options", WITH_OTHERS.values(), ids=WITH_OTHERS)
def test_elsewhere_a_source_is_one_more_category(named: Build, options: list[str]) -> None:
    planned = shards(named.planned("kernels", *options))
    assert {"plate", "matrix"} <= planned
    assert ("heat" in planned) == (options[0] == "--configfile")


def test_a_job_of_such_a_build_sees_the_same_settings(named: Build, tmp_path: Path) -> None:
    """As an executor starts it, in a process of its own."""
    build = named.copy(tmp_path / "build")
    build.run("kernels", "--cores", "2", *ALONE)
    manifest = build.results / "kernels/plate/0.py"
    text, plan = manifest.read_text(), (build.results / "plan.json").read_text()
    manifest.unlink()
    job = ["--target-jobs", "kernels_source:category=plate,seed=0", "--allowed-rules", "kernels_source"]
    build.run(*job, "--mode", "subprocess", "--no-hooks", "--force", "--cores", "1", *ALONE)
    assert manifest.read_text() == text
    assert (build.results / "plan.json").read_text() == plan
    (made,) = json.loads(plan)["shards"]
    assert made == {"category": "plate", "seed": 0, "kernels": 0}
