"""A wrong, odd or malicious source costs only its kernels or its shard, and the message says where.

Each kernel is verified, or rejected at its place, or the shard fails with a message; never a traceback, and
never another's kernel lost. A build of such sources is in workflow/test_own_sources.py.
"""

import importlib.util
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hostile_sources import PLAIN, SOURCES, Hostile

from building import Build
from weft.cuda.index import translate_ir
from weft.errors import exit_status
from weft.files import sample_id, write_json
from weft.ir_check import check_ir
from weft.ptx.build import build_ptx
from weft.ptx.nvcc import find_toolkit
from weft.reference.stage import make_reference
from weft.reference.store import write
from weft.runs.stage import run_shard_cpu
from weft.source_files import read_source
from weft.source_spec import manifest_text, source_spec
from weft.stats.tree import kernel_names

SCRIPTS = Path(__file__).parents[2] / "scripts"
VERIFIED = [name for name, hostile in SOURCES.items() if hostile.verified]


def script(name: str) -> Any:
    """A script as a module: its process would take longer to start than its work."""
    spec = importlib.util.spec_from_file_location(f"script_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


IR = script("ir")


def written(folder: Path, hostile: Hostile) -> Path:
    """The file of a source, with those that it imports beside it."""
    for name, text in hostile.others.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / hostile.file
    source = hostile.source
    path.write_bytes(source.encode() if isinstance(source, str) else source)
    return path


def ir_of(folder: Path, hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict[str, Any]]:
    """The exit status of `ir`, and what it wrote."""
    path, output = written(folder, hostile), folder / "ir.json"
    options = ["-c", "own", "--timeout", str(hostile.seconds), "-o", str(output)]
    monkeypatch.setattr(sys, "argv", ["ir.py", str(path), *options])
    status = exit_status(IR.main)
    return status, json.loads(output.read_text()) if output.exists() else {}


@pytest.mark.parametrize("name", SOURCES)
def test_fate(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    hostile = SOURCES[name]
    status, ir = ir_of(tmp_path, hostile, monkeypatch)
    printed = capfd.readouterr().err
    assert "Traceback" not in printed
    if hostile.error:
        assert (status, ir) == (2, {})
        assert re.search(hostile.error, printed), printed
        return
    assert status == 0
    assert [record["kernel_name"] for record in ir["records"]] == list(hostile.made)
    rejects = {one["kernel_name"]: one for one in ir["rejects"]}
    assert rejects.keys() == hostile.rejects.keys()
    lines = read_source(tmp_path / hostile.file).split("\n")
    for kernel_name, (reason, line, column, message) in hostile.rejects.items():
        found = rejects[kernel_name]
        assert (found["reason"], found["line"], found["column"]) == (reason, line, column)
        assert found["source_line"] == lines[line - 1]
        assert message in found["message"]
    numbered = {one["index"]: one["kernel_name"] for one in [*ir["records"], *ir["rejects"]]}
    assert sorted(numbered) == list(range(len(numbered)))
    # Before there is an IR, the kernels of a source are counted without running it.
    manifest = tmp_path / "manifest.py"
    manifest.write_text(manifest_text(source_spec(str(tmp_path / hostile.file)), "own"), encoding="utf-8")
    for index, listed in enumerate(kernel_names(manifest)):
        assert numbered[index].startswith(listed)


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, Any]]:
    """The records of all sources that Weft verifies as one shard, and what each stage says of it."""
    records: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        for number, name in enumerate(VERIFIED):
            folder = tmp_path_factory.mktemp(f"source{number}")
            content = ir_of(folder, SOURCES[name], patch)[1]
            for record in content["records"]:
                index = len(records)
                records.append(record | {"index": index, "sample_id": sample_id("own", 0, index)})
    folder = tmp_path_factory.mktemp("chain")
    ir = content | {"category": "own", "seed": 0, "records": records, "rejects": []}
    write_json(folder / "ir.json", ir)
    shard = translate_ir(ir)
    (folder / "shard.cu").write_text(shard.text, encoding="utf-8")
    write_json(folder / "shard.json", shard.index)
    ptx = build_ptx(shard.text, find_toolkit("pinned", "g++", "sm_75"))
    # Named by its module, it is no generated file.
    spec = written(folder, Hostile(PLAIN)).with_suffix("")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(spec.parent)
        reference = make_reference(spec.name, folder / "ir.json", (1, 33), (0,), 20.0)
    write(folder / "reference.npz", reference)
    program, outputs = folder / "shard.cu", folder / "reference.npz"
    runs = run_shard_cpu(program, outputs, compiler="g++", timeout=20.0)
    stages = {
        "cuda": shard.index["rejects"],
        "ptx": ptx.report["rejects"],
        "reference": reference.rejects,
        "ir_check": check_ir(ir, "sm_75")["rejects"],
        "runs": runs["rejects"],
    }
    return [record["kernel_name"] for record in records], {"text": shard.text, **stages}


@pytest.mark.parametrize("stage", ["ir_check", "cuda", "ptx", "reference", "runs"])
def test_every_stage_takes_what_ir_takes(chain: tuple[list[str], dict[str, Any]], stage: str) -> None:
    assert len(chain[0]) >= 20
    assert [(one["kernel_name"], one["message"]) for one in chain[1][stage]] == []


def test_programs_have_no_name_outside_ascii(chain: tuple[list[str], dict[str, Any]]) -> None:
    code = re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', "", chain[1]["text"])
    assert code.isascii()
    for name in ("grosse", "korper", "Delta_t", "beta", "Zhe", "mu", "gamma", "hohe", "glatte"):
        assert re.search(rf"\b{name}_?\b", code), name


def test_a_kernel_that_takes_nvrtc_for_ever_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ir = ir_of(tmp_path, SOURCES["150 parentheses"], monkeypatch)
    types = (
        "template <unsigned long n, int d> struct T { T<2 * n, d - 1> a; T<2 * n + 1, d - 1> b; };\n"
        "template <unsigned long n> struct T<n, 0> { int value; };\nint size = sizeof(T<1, 40>);\n"
    )
    ir["records"][0]["cuda_forward"] += types
    checked = check_ir(ir, "sm_75", 3.0)
    assert [one["kernel_name"] for one in checked["samples"]] == ["deep"]
    assert [(one["kernel_name"], one["reason"]) for one in checked["rejects"]] == [("plain", "timeout")]


@pytest.mark.full
def test_thousands_of_terms_are_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, ir = ir_of(tmp_path, SOURCES["2,500 terms in one expression"], monkeypatch)
    shard = translate_ir(ir)
    (tmp_path / "shard.cu").write_text(shard.text, encoding="utf-8")
    write_json(tmp_path / "shard.json", shard.index)
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "r.npz", make_reference("kernels", tmp_path / "ir.json", (1, 33), (0,), 20.0))
    runs = run_shard_cpu(tmp_path / "shard.cu", tmp_path / "r.npz", compiler="g++", timeout=20.0)
    assert [one["verdict"] for one in runs["samples"]] == ["verified", "verified"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder.py", "Is a directory"),
        ("absent.py", "No such file or directory"),
        ("loop.py", "Too many levels of symbolic links"),
        (os.fsdecode(b"\xff.py"), "is not UTF-8"),
    ],
)
def test_what_is_no_file(
    name: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "loop.py").symlink_to("loop.py")
    monkeypatch.setattr(sys, "argv", ["ir.py", str(tmp_path / name), "-o", str(tmp_path / "ir.json")])
    assert exit_status(IR.main) == 2
    assert message in capfd.readouterr().err


def build_of(folder: Path, *names: str, share: int = 0) -> tuple[Build, dict[str, Any], str]:
    """A build of sources as categories s0, s1, …: its summary by category, unless it failed, and what
    was printed. `share` of the kernels is mutated, and differentiated.
    """
    build = Build.fresh(folder / "build")
    sources = {}
    for number, name in enumerate(names):
        place = build.folder / f"own{number}"
        place.mkdir()
        sources[f"s{number}"] = written(place, SOURCES[name]).relative_to(build.folder).as_posix()
    config = [
        f"categories=[{', '.join(sources)}]",
        f"sources={json.dumps(sources, ensure_ascii=False)}",
        "sizes=[1, 33]",
        "input_seeds=[0]",
        "devices=[cpu]",
        f"mutation={share}",
        f"gradients={share}",
        "reference_timeout=3",
    ]
    done = build.run("all", "samples", "--cores", "2", "--keep-going", "--config", *config, check=False)
    path = build.results / "stats/summary.json"
    summary = json.loads(path.read_text())["categories"] if path.is_file() else {}
    return build, summary, done.stdout + done.stderr


@pytest.mark.full
@pytest.mark.workflow
def test_a_bad_source_costs_its_shard_alone(tmp_path: Path) -> None:
    bad = [
        "an import that never ends",
        "SIGSEGV",
        "no UTF-8",
        "100,000 terms in one expression",
        "a syntax error",
    ]
    build, summary, printed = build_of(tmp_path, "names outside ASCII", *bad, share=1)
    assert "Traceback" not in printed
    assert not summary
    runs = json.loads((build.results / "runs/cpu/s0/0.json").read_text())
    assert [one["verdict"] for one in runs["samples"]] == ["verified"] * 6
    for message in (
        "importing own1/kernels.py took longer than 3 s of CPU time",
        "killed by SIGSEGV while importing own2/kernels.py",
        "own3/kernels.py:9: byte 0xf6 is not utf-8 text",
        "this is nested too deeply",
        "syntax error",
    ):
        assert message in printed
