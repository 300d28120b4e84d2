"""`weft` on the command line: what it writes, what it says, and how it ends."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from building import Build
from tools import has_sandbox
from weft import command
from weft.command import SUBCOMMANDS

ROOT = Path(__file__).parents[2]
KERNELS = """\
import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=float), by: float, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * by


@wp.kernel
def listed(x: wp.array(dtype=float)):
    i = wp.tid()
    print([x[i]])


@wp.kernel
def pointed(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = float(wp.address_of(x[i]))
"""

Ended = tuple[int, str, str]
"""The exit status, and what was printed, on standard output and on standard error."""


@pytest.fixture
def weft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """Types `weft …` in a folder with the file kernels.py."""
    (tmp_path / "kernels.py").write_text(KERNELS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def typed(*words: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["weft", *words])
        try:
            status = command.main()
        except SystemExit as error:
            assert isinstance(error.code, int)
            status = error.code
        return status, *capfd.readouterr()

    return typed


@pytest.mark.full
@pytest.mark.parametrize("more", [[], ["--library"]])
def test_a_bug_in_weft_is_told_in_one_line(
    weft: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    def translate_device(*_: object) -> None:
        raise IndexError("no such thing")

    monkeypatch.setattr("weft.cuda.program.translate_device", translate_device)
    monkeypatch.setattr("weft.cuda.library.translate_device", translate_device)
    status, _, said = weft("translate", "kernels.py:scale", *more, "-o", "out")
    assert status == 1
    assert re.fullmatch(r"weft: a bug in Weft: IndexError: no such thing \(test_command.py:\d+\)\n", said)


def test_a_kernel_becomes_the_program_that_the_scripts_write(weft: Callable[..., Ended]) -> None:
    heat = f"{ROOT}/examples/heat.py:diffuse"
    assert weft("translate", heat, "-o", "k.cu") == (0, "", "")
    for words in (["ir.py", heat, "-o", "ir.json"], ["cuda.py", "ir.json", "-o", "s.cu"]):
        script = [sys.executable, "-P", str(ROOT / "scripts" / words[0]), *words[1:]]
        subprocess.run(script, check=True, stdout=subprocess.DEVNULL)
    assert Path("k.cu").read_text() == Path("s.cu").read_text()
    assert json.loads(Path("k.json").read_text()) == json.loads(Path("s.json").read_text())


def test_a_kernel_becomes_a_program(weft: Callable[..., Ended]) -> None:
    status, text, said = weft("translate", "kernels.py:scale")
    assert (status, said) == (0, "")
    assert "__global__ void scale(" in text and "int main(" in text


@pytest.mark.needs("nvcc")
def test_ptx_is_for_the_architecture_that_is_asked_for(weft: Callable[..., Ended]) -> None:
    assert weft("translate", "kernels.py:scale", "-o", "k.cu", "--ptx", "--arch", "sm_90")[0] == 0
    assert ".target sm_90\n" in Path("k.ptx").read_text()


def test_a_library_has_kernel_and_launcher(weft: Callable[..., Ended]) -> None:
    assert weft("translate", "kernels.py:scale", "--library", "-o", "made") == (0, "", "")
    assert sorted(path.name for path in Path("made").iterdir()) == ["scale.cu", "scale.cuh"]
    assert "int main(" not in Path("made/scale.cu").read_text()


def test_a_program_runs_on_arrays_from_a_file(weft: Callable[..., Ended]) -> None:
    weft("translate", "kernels.py:scale", "-o", "k.cu")
    x = np.arange(5, dtype=np.float32)
    np.savez("in.npz", x=x, by=0.5, y=np.zeros_like(x))
    run = ("run", "k.cu", "--inputs", "in.npz", "-o", "out.npz")
    assert weft(*run, "--dims", "5") == (0, "", "")
    with np.load("out.npz") as left:
        assert left["y"].tolist() == [0, 0.5, 1, 1.5, 2]
    assert weft(*run) == (
        2,
        "",
        "weft: dims: got nothing; expected one launch dimension, not negative\n",
    )
    np.savez("in.npz", x=np.arange(5), by=0.5, y=x)
    assert weft(*run, "--dims", "5") == (2, "", "weft: x: dtype int64; expected float32\n")
    Path("in.npz").write_text("no archive")
    assert weft(*run, "--dims", "5") == (2, "", "weft: in.npz: it is not an .npz file of arrays\n")
    Path("in.npz").unlink()
    assert weft(*run, "--dims", "5") == (2, "", "weft: in.npz: no such file or directory\n")


MISTAKES = {
    "translate nothing.py": "weft: cannot read nothing.py: No such file or directory\n",
    "translate no.package": "weft: there is no module 'no'; expected …\n",
    "translate kernels.py": "weft: kernels.py has 3 kernels, scale, listed, pointed: "
    "name one, as in kernels.py:scale, or write all as --library\n",
    "translate kernels.py:scales": "weft: kernels has no 'scales', did you mean 'scale'…\n",
    "translate kernels.py:listed": "weft: kernels.py:13:11\n"
    "        print([x[i]])\n"
    "              ^\n"
    "Construct `ast.List` not supported in kernels.\n",
    "translate kernels.py:pointed": "weft: kernels.py:19:18\n"
    "        x[i] = float(wp.address_of(x[i]))\n"
    "                     ^\n"
    "wp.address_of is not supported\n",
    "translate kernels.py:scale --ptx": "usage: …: error: --library and --ptx need --output\n",
    "translate kernels.py:scale -o k.cu --arch sm_90": "usage: …: error: --arch is for --ptx\n",
    "run k.cu --inputs in.npz -o out.npz": "weft: k.json: no such file; `weft translate` …\n",
    "run k.cu --inputs in.npz -o out.npz --dims 0": "usage: …--dims: got '0'; allowed: an integer …\n",
    "judge k.cu --sample vector": "weft: 'vector' is not a sample; expected …\n",
    "judge k.cu --sample vector-0000-0003": "weft: k.cu: No such file or directory\n",
    "judge answers:2": "weft: answers:2: has no sample (a number)\n",
    "judge answers:3": "weft: answers: has no answer in line 3\n",
    "judge program:3": "usage: …: error: the following arguments are required: --sample\n",
    "judge answers:2 --sample vector-0000-0003": "usage: …: error: a line of answers.jsonl names …\n",
    "replay vector": "weft: 'vector' is not a sample id such as vector-0000-0003\n",
    "replay vector-0000-0003": "weft: results/plan.json: there is no such file; …\n",
    "replay vector-0000-0003 --dataset dataset": "weft: dataset has no row 'vector-0000-0003' …\n",
    "weave": "usage: …invalid choice: 'weave' …\n",
    "": "usage: …the following arguments are required: COMMAND\n",
}
"""What is said to each command line; … stands for anything."""


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_said_in_a_line(weft: Callable[..., Ended], words: str) -> None:
    np.savez("in.npz", x=1)
    Path("answers").write_text('\n{"task_id": "vector-0000-0003"}\n', encoding="utf-8")
    Path("program:3").touch()
    status, printed, said = weft(*words.split())
    assert re.fullmatch(re.escape(MISTAKES[words]).replace("…", "(?s:.*)"), said), said
    assert status == (1 if "^" in said else 2)
    assert printed == ""


def test_version_and_help(weft: Callable[..., Ended]) -> None:
    assert re.fullmatch(r"weft \d+\.\d+\.\d+\n", weft("--version")[1])
    overview = weft("--help")[1]
    for name, line in SUBCOMMANDS.items():
        assert re.search(rf"^ +{name} +{line}$", overview, re.MULTILINE)
        status, shown, _ = weft(name, "--help")
        assert status == 0
        assert re.search(r"\n\nexamples:\n(  weft .*\n)+\n(?s:.*)exit status: 0", shown)
        assert f"  weft {name} " in shown


@pytest.mark.full
@pytest.mark.workflow
def test_a_right_and_a_wrong_program_are_judged(weft: Callable[..., Ended], small_build: Build) -> None:
    sample = small_build.results / "samples/loop-0000-0000"
    (right,) = sample.glob("*.cu")
    shutil.copy2(right, "right.cu")
    Path("wrong.cu").write_text(re.sub(r"^( +\w+\[[^\]]+\] = )", r"\g<1>2 * ", right.read_text(), flags=re.M))
    sandbox = [] if has_sandbox() else ["--without-sandbox"]
    status, printed, _ = weft(
        "judge", "right.cu", "wrong.cu", "--sample", str(sample), *sandbox, "-o", "v.json"
    )
    assert status == 1
    assert re.fullmatch(
        r"\d+ cases, --seed \d+: sizes \d+, .*\nright\.cu: verified\nwrong\.cu: rejected: wrong_output: .*\n",
        printed,
    )
    assert [one["verdict"] for one in json.loads(Path("v.json").read_text())["samples"]] == [
        "verified",
        "rejected",
    ]
