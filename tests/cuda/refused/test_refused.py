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


def test_the_command_shows_file_line_and_caret(
    ir: dict[str, Any], rejects: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "ir.json").write_text(json.dumps(ir), encoding="utf-8")
    command = [sys.executable, "-P", str(SCRIPTS / "cuda.py"), "ir.json", "-o", "refused.cu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    for record in ir["records"]:
        reject = rejects[record["category"]]
        place = f"{reject['file']}:{reject['line']}:{reject['column']}"
        caret = " " * (reject["column"] - 1) + "^"
        shown = f"{place}: {reject['message']}\n    {reject['source_line']}\n    {caret}\n"
        assert f"{record['sample_id']} is rejected: {shown}" in done.stderr


def test_a_refused_kernel_alone_is_a_mistake_of_the_users(ir: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "ir.json").write_text(json.dumps(ir), encoding="utf-8")
    sample = ir["records"][0]["sample_id"]
    command = [sys.executable, "-P", str(SCRIPTS / "cuda.py"), "ir.json", "--sample", sample]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"cuda: {sample} cannot be translated (unsupported):\n")
    assert "Traceback" not in done.stderr and "^\n" in done.stderr
