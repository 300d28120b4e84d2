"""Wrong programs that people wrote: those of examples/wrong, and what becomes of others."""

import functools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from building import ROOT, Build
from tools import has_sandbox
from weft.cuda.program import translate
from weft.dataset.answers import VERDICTS, read_answers
from weft.dataset.negatives import answered
from weft.dataset.views import kernel_view
from weft.errors import UserError
from weft.files import read_json, write_json
from weft.ir.build import build_ir

WRONG = ROOT / "examples/wrong"
SOURCES = yaml.safe_load((ROOT / "config.yaml").read_text())["sources"]
FOLDERS = sorted(path.parent for path in WRONG.rglob(VERDICTS))


@functools.cache
def right(source: str) -> dict[str, tuple[str, str]]:
    """The kernel and the view of each sample of a source of config.yaml."""
    ir = build_ir(ROOT / SOURCES[source], category=source, seed=0, device="cuda")
    programs = {record["sample_id"]: (record, translate(record)) for record in ir["records"]}
    return {
        sample: (record["kernel_name"], kernel_view(program.standalone, [], record["kernel_name"]))
        for sample, (record, program) in programs.items()
    }


def row(view: str) -> dict[str, Any]:
    """What `negatives` asks of a row of `default`."""
    return {"sample_id": "s", "category": "c", "difficulty": None, "python_source": "", "cuda_kernel": view}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_wrong_programs_are_rejected_and_fit_their_samples(folder: Path) -> None:
    ((sample, answers),) = read_answers(folder).items()
    kernel, view = right(sample.partition("-")[0])[sample]
    assert kernel == folder.name
    assert len(answers) == len(list(folder.glob("*.cu")))
    wrong = list(answered(row(view), kernel, answers))
    assert len(wrong) == len(answers)
    for one in wrong:
        assert one["mistake"] and one["explanation"] and one["verdict"] and one["input"]
        assert one["wrong"].splitlines()[one["line"] - 1].strip() == one["after"]
        assert "//!" not in one["wrong"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WRONG / "diffuse", tmp_path / "diffuse"))


def test_what_was_changed_since_it_was_judged_is_an_error(folder: Path) -> None:
    path = folder / "one_bound.cu"
    path.write_text(path.read_text() + "\n")
    with pytest.raises(UserError, match=r"one_bound\.cu: has changed since .*verdicts\.json was written"):
        read_answers(folder)


def test_right_answers_are_no_negatives(folder: Path) -> None:
    verdicts = read_json(folder / VERDICTS)
    verdicts["samples"] = [one for one in verdicts["samples"] if one["candidate"]["file"] != "one_bound.cu"]
    verdicts["samples"][0] |= {"verdict": "verified", "reason": None}
    write_json(folder / VERDICTS, verdicts)
    assert len(read_answers(folder)["heat-0000-0000"]) == 2


def test_an_answer_for_another_launcher_is_left_out(folder: Path) -> None:
    answers = read_answers(folder)["heat-0000-0000"]
    _, view = right("heat")["heat-0000-0000"]
    assert list(answered(row(view.replace("float time_step", "double time_step")), "diffuse", answers)) == []


def test_a_folder_without_verdicts_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no verdicts\.json in it"):
        read_answers(tmp_path)


@pytest.mark.full
@pytest.mark.workflow
def test_the_verdicts_are_those_of_the_judge(tmp_path: Path) -> None:
    build = Build.fresh(tmp_path / "build")
    categories = ", ".join(f"{name}: 1" for name in SOURCES)
    build.run("reference", "cuda", "--cores", "2", "--config", f"categories={{{categories}}}", timeout=900)
    options = ["--as-built", *([] if has_sandbox() else ["--without-sandbox"])]
    for folder in FOLDERS:
        judged = json.loads((folder / VERDICTS).read_text())["samples"]
        files = [str(folder / one["candidate"]["file"]) for one in judged]
        sample = judged[0]["sample_id"]
        done = build.script(
            "runs", "--candidate", *files, "--sample", sample, "--compiler", "g++", "-o", "now.json", *options
        )
        assert done.returncode == 0, done.stderr
        now = read_json(build.folder / "now.json")["samples"]
        assert [(one["reason"], one["failure"]) for one in now] == [
            (one["reason"], one["failure"]) for one in judged
        ]
