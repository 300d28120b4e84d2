"""Sample folders: complete, with the text that was compiled, and with what was found about it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from building import Build
from weft.cuda.shard import split
from weft.reference.cases import cases
from weft.samples.makefile import makefile

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def folders(small_build: Build) -> list[Path]:
    return sorted(path for path in (small_build.results / "samples").iterdir() if path.is_dir())


def metadata(folder: Path) -> dict[str, object]:
    return dict(json.loads((folder / "metadata.json").read_text()))


def test_every_sample_has_a_folder(folders: list[Path]) -> None:
    assert [folder.name for folder in folders] == [
        "loop-0000-0000",
        "loop-0000-0001",
        "matrix-0000-0000",
        "matrix-0000-0001",
    ]


def test_a_folder_holds_what_its_metadata_name(folders: list[Path]) -> None:
    for folder in folders:
        data = metadata(folder)
        kernel = data["kernel_name"]
        named = {data[key] for key in ("python_file", "cuda_file", "index_file", "makefile", "ptx_file")}
        assert named == {f"{kernel}.py", f"{kernel}.cu", f"{kernel}.json", "Makefile", f"{kernel}.ptx"}
        assert {path.name for path in folder.iterdir()} == {*named, "metadata.json"}


def test_metadata_say_what_the_sample_is_and_what_was_found(folders: list[Path]) -> None:
    for folder in folders:
        data = metadata(folder)
        assert data["sample_id"] == folder.name
        assert data["category"] == folder.name.split("-")[0]
        assert data["ptx_generated"] is True
        assert data["verdict"] == "verified"
        assert str(data["description"]).endswith(".")
        assert data["runs"]["cpu"]["cases"] == len(cases((1, 33), (0,)))  # type: ignore[index]


def test_the_program_is_the_one_that_was_compiled_and_run(small_build: Build, folders: list[Path]) -> None:
    for folder in folders:
        data = metadata(folder)
        shard = small_build.results / f"cuda/{data['category']}/0.cu"
        (text,) = [part.text for part in split(shard.read_text()) if part.sample_id == folder.name]
        includes, _, program = (folder / str(data["cuda_file"])).read_text().partition("\n\n")
        assert program == text
        assert all(line.startswith("#include <") for line in includes.splitlines())


def test_a_sample_alone_is_what_the_translator_gives(
    small_build: Build, folders: list[Path], tmp_path: Path
) -> None:
    for folder in folders:
        data = metadata(folder)
        ir = f"results/ir/{data['category']}/0.json"
        alone = small_build.script("cuda", ir, "--sample", folder.name)
        assert alone.stdout == (folder / str(data["cuda_file"])).read_text()
        program = tmp_path / str(data["cuda_file"])
        small_build.script("cuda", ir, "--sample", folder.name, "-o", str(program))
        for key in ("cuda_file", "index_file"):
            name = str(data[key])
            assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_the_ptx_has_the_samples_entry_alone(folders: list[Path]) -> None:
    for folder in folders:
        data = metadata(folder)
        text = (folder / str(data["ptx_file"])).read_text()
        assert text.count(".visible .entry ") == 1
        assert f".target {data['arch']}" in text


def test_folders_of_samples_that_are_no_more_are_removed(build_copy: Build, small_config: list[str]) -> None:
    samples = build_copy.results / "samples"
    shutil.copytree(samples / "loop-0000-0001", samples / "loop-0000-0007")
    shutil.copytree(samples / "loop-0000-0001", samples / "loop-0001-0000")
    build_copy.run("samples", "--cores", "1", "--forcerun", "samples_shard", *small_config)
    assert not (samples / "loop-0000-0007").exists()
    assert (samples / "loop-0001-0000").exists()


def test_the_makefile_builds_the_program_and_its_ptx(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(makefile("clean", "sm_75"))
    (tmp_path / "clean.cu").write_text("int main() {}\n")
    compiler = tmp_path / "fake-nvcc"
    compiler.write_text('#!/bin/sh\necho "$@" >>calls\n')
    compiler.chmod(0o755)
    for target in ("all", "ptx"):
        subprocess.run(["make", "-s", target, f"NVCC={compiler}", "ARCH=sm_90"], cwd=tmp_path, check=True)
    assert (tmp_path / "calls").read_text().splitlines() == [
        "-O3 -std=c++17 -arch=sm_90 -o clean.out clean.cu",
        "-O3 -std=c++17 -arch=sm_90 -ptx -o clean.sm_90.ptx clean.cu",
    ]
