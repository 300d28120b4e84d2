"""Each program of this folder is refused, with the message and at the place that its first comment lines say.

A program is a kernels file with one kernel. Its first line is `# refused: MESSAGE`; the second may be
`# at LINE:COLUMN`. What Warp itself refuses first has no program here. Whatever else the stages `ir` and `cuda` do with it, they never fail with a traceback.
"""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft.cuda.index import translate_ir
from weft.ir.build import build_ir

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[2] / "scripts"
PROGRAMS = sorted(path for path in HERE.glob("*.py") if path.name != Path(__file__).name)


@dataclasses.dataclass(frozen=True)
class Expected:
    """What the comments at the top of a program promise."""

    message: str
    place: str | None

    @classmethod
    def of(cls, program: Path) -> "Expected":
        first, second = program.read_text(encoding="utf-8").split("\n", 2)[:2]
        assert first.startswith("# refused: "), f"{program.name} does not say how it is refused"
        place = second.removeprefix("# at ") if second.startswith("# at ") else None
        return cls(first.removeprefix("# refused: "), place)


@pytest.fixture(scope="module")
def ir() -> dict[str, Any]:
    """One IR of all programs; the category of a record is its program's name."""
    parts = [build_ir(path, category=path.stem, seed=0, device="cuda") for path in PROGRAMS]
    merged = {key: [one for part in parts for one in part[key]] for key in ("records", "rejects")}
    return parts[0] | merged


@pytest.fixture(scope="module")
def rejects(ir: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The reject of each program, by the program's name."""
    found = [*ir["rejects"], *translate_ir(ir).index["rejects"]]
    return {reject["category"]: reject for reject in found}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_is_refused_as_it_says(rejects: dict[str, dict[str, Any]], program: Path) -> None:
    assert program.stem in rejects, "this program is translated: move it to the kernels that are compared"
    reject = rejects[program.stem]
    expected = Expected.of(program)
    assert reject["message"] == expected.message
    assert reject["reason"] != "internal_error"
    assert Path(reject["file"]).name == program.name
    if expected.place is not None:
        assert f"{reject['line']}:{reject['column']}" == expected.place
    lines = program.read_text(encoding="utf-8").splitlines()
    assert reject["source_line"] == lines[reject["line"] - 1]


def cuda(folder: Path, ir: dict[str, Any], *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "ir.json").write_text(json.dumps(ir), encoding="utf-8")
    command = [sys.executable, "-P", str(SCRIPTS / "cuda.py"), "ir.json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert "Traceback" not in done.stderr
    return done


def shown(reject: dict[str, Any]) -> str:
    place = f"{reject['file']}:{reject['line']}:{reject['column']}"
    caret = " " * (reject["column"] - 1) + "^"
    who = f"{reject['sample_id']} {reject['kernel_name']}: {reject['stage']}: {reject['reason']}"
    lines = [place, f"    {reject['source_line']}", f"    {caret}"]
    return f"  {who}: {reject['message']}\n" + "".join(f"    {line}\n" for line in lines)


def test_the_command_shows_file_line_and_caret(
    ir: dict[str, Any], rejects: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """With an index, as in a build, where rejects are data."""
    done = cuda(tmp_path, ir, "-o", "refused.cu", "--index", "refused.json")
    assert done.returncode == 0, done.stderr
    for record in ir["records"]:
        assert shown(rejects[record["category"]]) in done.stderr
    assert json.loads((tmp_path / "refused.json").read_text())["samples"] == []


@pytest.mark.parametrize(
    "options",
    [["-o", "out"], ["-o", "out", "--library"], ["-o", "out", "--sample"], ["--sample"]],
    ids=" ".join,
)
@pytest.mark.parametrize("stage", ["cuda", "ir"])
def test_by_hand_nothing_translated_is_nothing_written(
    ir: dict[str, Any], rejects: dict[str, dict[str, Any]], tmp_path: Path, options: list[str], stage: str
) -> None:
    """Be it that the translator refuses all, or that no kernel came as far."""
    record = ir["records"][0]
    reject = rejects[record["category"]] | {"stage": stage}
    alone = ir | (
        {"records": [record], "rejects": []} if stage == "cuda" else {"records": [], "rejects": [reject]}
    )
    name = [record["kernel_name"]] if options[-1] == "--sample" else []
    done = cuda(tmp_path, alone, *options, *name)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{shown(reject)}cuda: ir.json: nothing is translated, so nothing is written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["ir.json"]


@pytest.mark.parametrize("library", [False, True])
def test_by_hand_a_refused_kernel_costs_the_exit_status_and_no_other_kernel(
    ir: dict[str, Any], rejects: dict[str, dict[str, Any]], tmp_path: Path, library: bool
) -> None:
    record = ir["records"][0]
    heat = f"{SCRIPTS.parent}/examples/heat.py:diffuse"
    (right,) = build_ir(heat, category="heat", seed=0, device="cuda")["records"]
    done = cuda(tmp_path, ir | {"records": [record, right]}, "-o", "out", *(["--library"] if library else []))
    assert (done.returncode, done.stderr) == (1, shown(rejects[record["category"]]))
    written = tmp_path / "out" / "diffuse.cu" if library else tmp_path / "out"
    assert "__global__ void diffuse(" in written.read_text(encoding="utf-8")


def test_a_sample_that_is_not_there_is_told_from_those_that_are(ir: dict[str, Any], tmp_path: Path) -> None:
    record = ir["records"][0]
    listed = f"{record['kernel_name']} ({record['sample_id']})"
    done = cuda(tmp_path, ir | {"records": [record]}, "--sample", "vector-0000-0003")
    assert done.returncode == 2
    assert done.stderr == f"cuda: ir.json: no sample 'vector-0000-0003', or several (it has: {listed})\n"
