"""A finished tree passes; every kind of damage is named with its file."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import Build
from weft.errors import UserError
from weft.files import sha256
from weft.stats.summary import checksums
from weft.stats.tree import read_plan
from weft.validate.run import validate

pytestmark = pytest.mark.workflow

SAMPLE = "matrix-0000-0001"


@pytest.fixture
def results(small_build: Build, tmp_path: Path) -> Path:
    """The results of a finished build alone, as somebody receives them."""
    return Path(shutil.copytree(small_build.results, tmp_path / "received"))


def problems(results: Path, compiler: str | None = None) -> list[str]:
    return [str(problem) for problem in validate(results, compiler)]


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Change the JSON content of a file."""
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def accept(results: Path) -> None:
    """Let the checksums agree with the files, so that what is left is for the other checks to find."""
    (results / "stats/SHA256SUMS").write_text(checksums(results, read_plan(results)))


def test_a_finished_tree_passes_and_its_programs_compile(small_build: Build) -> None:
    done = small_build.script("validate", "results")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout == "4 kernels in 2 shards: all checks hold\n"


def test_a_changed_file_does_not_have_its_checksum(results: Path) -> None:
    path = results / "cuda/loop/0.cu"
    path.write_text(path.read_text().replace("#include <cstdio>", "#include\t<cstdio>"))
    assert problems(results) == ["cuda/loop/0.cu: has other bytes than stats/SHA256SUMS says"]


def test_a_missing_file_is_named(results: Path) -> None:
    (results / "reference/loop/0.npz").unlink()
    assert "reference/loop/0.npz: missing" in problems(results)


def test_a_file_that_is_not_what_it_should_be_is_named(results: Path) -> None:
    (results / "runs/cpu/loop/0.json").write_text("{")
    accept(results)
    assert "runs/cpu/loop/0.json: is cut off; delete it, and the build makes it again" in problems(results)


def test_another_schema_is_named(results: Path) -> None:
    edit(results / "ir/loop/0.json", lambda data: data.update(schema=9))
    accept(results)
    assert "ir/loop/0.json: schema is 9; this Weft reads 3" in problems(results)


def test_a_shard_without_kernels_is_named(results: Path) -> None:
    """test_own_sources.py has one whose kernels show only in the IR."""
    (results / "kernels/loop/0.py").write_text("# weft shard\n# end of weft shard\n")
    accept(results)
    assert "kernels/loop/0.py: holds no kernel" in problems(results)


def test_a_lost_sample_is_named(results: Path) -> None:
    edit(results / "runs/cpu/matrix/0.json", lambda data: data["samples"].pop(1))
    accept(results)
    message = f"runs/cpu/matrix/0.json: {SAMPLE}: is neither among the samples nor among the rejects"
    assert message in problems(results)


def test_a_sample_that_a_stage_does_not_take_is_not_lost(results: Path) -> None:
    edit(results / "ir_check/matrix/0.json", lambda data: data["samples"].pop(1))
    accept(results)
    lost = f"ir_check/matrix/0.json: {SAMPLE}: is neither among the samples nor among the rejects"
    assert lost in problems(results)
    edit(results / "plan.json", lambda data: data.update(ir_check=0))
    assert lost not in problems(results)


def test_a_strange_sample_is_named(results: Path) -> None:
    edit(results / "cuda/matrix/0.json", lambda data: data["samples"][0].update(sample_id="matrix-0000-0099"))
    accept(results)
    assert "cuda/matrix/0.json: matrix-0000-0099: is not a sample of this shard" in problems(results)


def test_a_sample_under_another_name_is_named(results: Path) -> None:
    edit(results / "cuda/matrix/0.json", lambda data: data["samples"][1].update(kernel_name="other"))
    accept(results)
    assert any(p.startswith(f"cuda/matrix/0.json: {SAMPLE}: is other here and ") for p in problems(results))


def test_an_ir_without_its_adjoint_is_named(results: Path) -> None:
    edit(results / "ir/matrix/0.json", lambda data: data["records"][1].update(cuda_backward=""))
    accept(results)
    assert f"ir/matrix/0.json: {SAMPLE}: cuda_backward has no backward entry point" in problems(results)


def test_a_program_without_thread_indexing_is_named(results: Path) -> None:
    text = (results / "cuda/loop/0.cu").read_text()
    (results / "cuda/loop/0.cu").write_text(text.replace("threadIdx", "thread").replace("blockIdx", "block"))
    accept(results)
    assert "cuda/loop/0.cu: loop-0000-0000: has no thread indexing" in problems(results)


def test_a_program_without_its_kernel_is_named(results: Path) -> None:
    replace(results / "cuda/loop/0.cu", "__global__ ", "")
    accept(results)
    assert any(p.startswith("cuda/loop/0.cu: loop-0000-0000: has no kernel ") for p in problems(results))


def test_ptx_without_an_entry_is_named(results: Path) -> None:
    replace(results / "ptx/sm_75/loop/0.ptx", ".visible .entry ", ".visible .func ")
    accept(results)
    assert any(p.startswith("ptx/sm_75/loop/0.ptx: loop-0000-0000: has no entry ") for p in problems(results))


def test_ptx_for_another_architecture_is_named(results: Path) -> None:
    replace(results / "ptx/sm_75/loop/0.ptx", ".target sm_75", ".target sm_90")
    accept(results)
    assert "ptx/sm_75/loop/0.ptx: is not for sm_75" in problems(results)


def test_a_program_that_does_not_compile_is_named(results: Path) -> None:
    path = results / "cuda/loop/0.cu"
    text = path.read_text()
    at = text.index("__global__", text.index("namespace s0001"))
    path.write_text(text[:at] + "nonsense " + text[at:])
    accept(results)
    found = [p for p in problems(results, "g++") if "does not compile" in p]
    assert len(found) == 1
    assert found[0].startswith("cuda/loop/0.cu: loop-0000-0001: does not compile: ")


def test_counts_that_are_not_those_of_the_files_are_named(results: Path) -> None:
    edit(results / "stats/summary.json", lambda data: data["total"].update(verified=5))
    assert problems(results) == ["stats/summary.json: total is not what the files of the stages say"]


@pytest.mark.parametrize("name", ["by_category.csv", "rejects.jsonl"])
def test_a_changed_table_is_named(results: Path, name: str) -> None:
    (results / "stats" / name).write_text("\n")
    assert problems(results) == [f"stats/{name}: is not what the files of the stages say"]


def test_a_changed_sample_is_named(results: Path) -> None:
    folder = results / "samples" / SAMPLE
    (program,) = folder.glob("*.cu")
    with program.open("a") as file:
        file.write("// mine\n")
    (folder / "Makefile").unlink()
    prefix = f"samples/{SAMPLE}"
    assert problems(results) == [
        f"{prefix}/{program.name}: {SAMPLE}: has other bytes than metadata.json says",
        f"{prefix}/Makefile: {SAMPLE}: missing",
        f"{prefix}/{program.name}: {SAMPLE}: is not the program in cuda/",
    ]


def test_an_interface_that_is_not_the_programs_is_named(results: Path) -> None:
    folder = results / "samples" / SAMPLE
    data = json.loads((folder / "metadata.json").read_text())
    index = folder / data["index_file"]
    edit(index, lambda data: data["samples"][0]["interface"].update(dims=3))
    edit(
        folder / "metadata.json", lambda data: data["sha256"].update({index.name: sha256(index.read_bytes())})
    )
    assert problems(results) == [f"samples/{SAMPLE}/{index.name}: {SAMPLE}: is not the entry in cuda/"]


def test_a_sample_without_a_folder_is_named(results: Path) -> None:
    shutil.rmtree(results / "samples" / SAMPLE)
    assert problems(results) == [f"samples/{SAMPLE}/metadata.json: {SAMPLE}: missing"]


def test_a_folder_that_no_build_wrote_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a folder that a build wrote"):
        problems(tmp_path)


def test_problems_are_printed_and_the_exit_status_tells(build_copy: Build) -> None:
    (build_copy.results / "ir/loop/0.json").unlink()
    done = build_copy.script("validate", "results", "--no-compile")
    assert done.returncode == 1
    assert "ir/loop/0.json: missing" in done.stdout
    assert done.stderr.endswith("problems\n")
