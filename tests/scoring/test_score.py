"""Answers become verdicts: each is judged once, whatever comes between, and none costs another."""

import dataclasses
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from building import ROOT
from tools import has_sandbox
from weft.child import Send
from weft.errors import KilledError, UserError
from weft.reference import store
from weft.runs import verdict
from weft.runs.build import CpuToolchain, SharedPart
from weft.runs.candidate import Bench
from weft.runs.candidate_host import host_part
from weft.runs.candidate_stage import find_sample
from weft.runs.execute import GUARD_SECONDS, Ended
from weft.runs.interface import parse_interface
from weft.runs.mathematics import Mathematics
from weft.runs.shard import parse_shard
from weft.runs.verdict import CPU, Left
from weft.scoring import score as scoring
from weft.scoring import worker
from weft.scoring.judges import Outcome, Settings
from weft.scoring.score import Options, score
from weft.scoring.summary import summary
from weft.scoring.verdicts import read_verdicts

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from hand_written import INTERFACE, KERNEL, SIGNATURE, evens_reference, sample_id, shard, write_shard

LAUNCHER = f"""
cudaError_t launch_evens({SIGNATURE}, cudaStream_t stream = nullptr) {{
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}}
"""
TASK = sample_id(0)
SOURCES = yaml.safe_load((ROOT / "config.yaml").read_text())["sources"]
WRONG = KERNEL.replace("2.0f", "3.0f")
ANSWERS: list[object] = [
    {"task_id": TASK, "sample": 0, "completion": f"So:\n```cuda\n{KERNEL}```\n"},
    {"task_id": TASK, "sample": 1, "completion": KERNEL},
    {"task_id": TASK, "sample": 2, "completion": f"```cuda\n{WRONG}```"},
    {"task_id": TASK, "sample": 3, "completion": KERNEL.replace("2.0f", "two")},
    {"task_id": "no such task", "sample": 0, "completion": ""},
    {"task_id": "hand-0000-0007", "sample": 0, "completion": ""},
    "cut off",
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with answers and a build of one sample, whose host code candidates do without."""
    folder = tmp_path_factory.mktemp("score")
    for name in ("cuda", "reference"):
        (folder / "results" / name / "hand").mkdir(parents=True)
    write_shard(folder / "results/cuda/hand/0.cu", shard([KERNEL + LAUNCHER]))
    store.write(folder / "results/reference/hand/0.npz", evens_reference(1))
    lines = [json.dumps(one) for one in ANSWERS]
    (folder / "answers.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "results/plan.json").write_text('{"sources": {}}')
    return folder


def options(build: Path) -> Options:
    return Options(build / "results", jobs=2, sandboxed=has_sandbox())


@pytest.fixture(scope="module")
def verdicts(build: Path) -> list[dict[str, Any]]:
    return score(build / "answers.jsonl", build / "verdicts.jsonl", options(build))


def test_every_line_has_its_verdict(verdicts: list[dict[str, Any]]) -> None:
    assert [one["line"] for one in verdicts] == list(range(1, len(ANSWERS) + 1))
    assert [one["reason"] or one["verdict"] for one in verdicts] == [
        "verified", "verified", "wrong_output", "compile_error", "no_task", "no_task", "bad_line",
    ]  # fmt: skip
    assert [one["verdict"] for one in verdicts[-3:]] == ["error"] * 3


@pytest.mark.parametrize("rest", [{"completion": ""}, {}], ids=["whole", "cut_off"])
@pytest.mark.parametrize(
    "task",
    ["foo", "a\0b-0000-0003", f"hand-{'9' * 5000}-0003", "hand-\u0660\u0660\u0660\u0660-0000"],
    ids=range(4),
)
def test_what_the_build_lacks_is_no_task_whatever_else_is_wrong(
    build: Path, tmp_path: Path, task: str, rest: dict[str, str]
) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"task_id": task, "sample": 0, **rest}))
    found = score(answers, tmp_path / "verdicts.jsonl", options(build))
    assert [one["reason"] for one in found] == ["no_task"]
    assert summary(found, build / "results")["tasks"] == 0


def test_a_bad_line_counts_for_a_task_of_the_build(build: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"task_id": TASK, "sample": 0}))
    (bad,) = score(answers, tmp_path / "verdicts.jsonl", options(build))
    assert (bad["task_id"], bad["reason"]) == (TASK, "bad_line")


@pytest.mark.parametrize("category", ["vector", *SOURCES, "a_b2", "my-kernels", "a.b+c"])
def test_a_category_and_a_source_have_samples(category: str) -> None:
    files = find_sample(f"{category}-0012-10000", Path("results"), None, None)
    assert files.cuda == Path("results/cuda") / category / "12.cu"


def test_equal_programs_are_judged_once(verdicts: list[dict[str, Any]]) -> None:
    first, second = verdicts[:2]
    assert first["key"] == second["key"]
    assert {**first, "line": 2, "sample": 1, "again": second["again"]} == second


def test_a_verdict_says_where_and_how_to_see_it_again(build: Path, verdicts: list[dict[str, Any]]) -> None:
    wrong, refused = verdicts[2:4]
    assert wrong["failure"]["parameter"] == "out"
    assert wrong["case"] == wrong["failure"]["case"]
    size, seed = wrong["case"]["size"], wrong["case"]["seed"]
    answers, results = build / "answers.jsonl", build / "results"
    options = "" if has_sandbox() else " --without-sandbox"
    assert (
        wrong["again"]
        == f"weft judge {answers}:3 --results {results}{options} --as-built --case {size} {seed}"
    )
    assert refused["source"]["line"] == 4 and "two" in refused["source"]["text"]


def test_the_file_holds_what_was_returned(build: Path, verdicts: list[dict[str, Any]]) -> None:
    assert read_verdicts(build / "verdicts.jsonl") == verdicts


def test_a_run_that_was_cut_off_goes_on(
    build: Path, tmp_path: Path, verdicts: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has a verdict is not judged: here nothing can be."""
    monkeypatch.setattr(scoring, "judges", None)
    whole = (build / "verdicts.jsonl").read_bytes()
    kept = whole.splitlines(keepends=True)[:4]
    left = tmp_path / "verdicts.jsonl"
    left.write_bytes(b"".join(reversed(kept)) + whole.splitlines()[4][:40])
    assert score(build / "answers.jsonl", left, options(build)) == verdicts
    assert left.read_bytes() == whole


@pytest.mark.needs("nvcc")
def test_nvcc_is_asked_of_what_is_verified(build: Path, tmp_path: Path) -> None:
    """Two types of one `extern __shared__` array: g++ takes them, and nvcc does not."""
    other = KERNEL.replace("const int i =", "extern __shared__ float tile[];\n    const int i =")
    first = "__global__ void unused() {\n    extern __shared__ int tile[];\n    tile[0] = 0;\n}\n"
    lines = [{"task_id": TASK, "sample": 0, "completion": first + other}, ANSWERS[1]]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    asked = dataclasses.replace(options(build), nvcc="pinned")
    refused, verified = score(tmp_path / "answers.jsonl", tmp_path / "verdicts.jsonl", asked)
    assert (refused["reason"], verified["verdict"]) == ("compile_error", "verified")
    assert refused["message"].startswith("nvcc: candidate.cu:")
    assert "nvcc" in verified["checks"] and refused["again"].count("--nvcc pinned") == 1
    without = score(tmp_path / "answers.jsonl", tmp_path / "without.jsonl", options(build))
    assert [one["verdict"] for one in without] == ["verified", "verified"]
    assert {one["key"] for one in without}.isdisjoint({refused["key"], verified["key"]})


def test_another_time_limit_judges_anew(build: Path, tmp_path: Path, verdicts: list[dict[str, Any]]) -> None:
    keys = {
        scoring._Digests(Options(build / "results", jobs=1, timeout=timeout)).of_sample(TASK)
        for timeout in (5, 20)
    }
    assert len(keys) == 2


def test_code_that_decides_cases_judges_anew(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "weft"
    shutil.copytree(scoring.LIBRARY, library, ignore=shutil.ignore_patterns("*.pyc", "cuda", "kernels"))
    monkeypatch.setattr(scoring, "LIBRARY", library)
    keys = [scoring._Digests(options(build)).of_sample(TASK)]
    for name in (
        "inputs.py",
        "edges.py",
        "sampling.py",
        "scoring/worker.py",
        "runs/fresh.py",
        "reference/job.py",
    ):
        with (library / name).open("a") as file:
            file.write("# changed")
        keys.append(scoring._Digests(options(build)).of_sample(TASK))
    assert len(set(keys)) == len(keys)
    (library / "scoring/leaderboard.py").unlink()
    assert scoring._Digests(options(build)).of_sample(TASK) == keys[-1]


def test_what_cases_of_a_seed_are_made_of_judges_anew(build: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    shutil.copytree(build / "results", results)

    def keys() -> tuple[str, str]:
        as_built, seeded = (
            scoring._Digests(Options(results, jobs=1, seed=seed)).of_sample(TASK) for seed in (None, 7)
        )
        return as_built, seeded

    found = [keys()]
    for name in ("kernels/hand/0.py", "ir/hand/0.json"):
        (results / name).parent.mkdir(parents=True)
        (results / name).write_text("{}")
        found.append(keys())
    assert len({as_built for as_built, _ in found}) == 1
    assert len({seeded for _, seeded in found}) == 3


def test_a_file_of_something_else_is_not_overwritten(build: Path) -> None:
    with pytest.raises(UserError, match=r"answers\.jsonl:1: is not a verdict"):
        score(build / "answers.jsonl", build / "answers.jsonl", options(build))


def _harm(bench: Bench, program: str, folder: Path, timeout: float) -> dict[str, Any]:
    """What a text may do to its judge."""
    if program == "loop":
        while True:
            pass
    if program == "sleep":
        time.sleep(60)
    if program == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if program == "killed":
        raise KilledError("g++")
    if program == "memory":
        os.kill(os.getpid(), signal.SIGKILL)
    if program == "mistake":
        raise ValueError("a mistake")
    return {"verdict": "verified"}


@pytest.fixture
def harmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str]], list[Outcome]]:
    """What the worker says of each text."""
    sample = evens_reference(1).samples[0]
    whole = parse_shard(
        shard([KERNEL + LAUNCHER]), "hand", {TASK: parse_interface("evens", INTERFACE, "hand")}
    )
    part, toolchain = whole.samples[0], CpuToolchain("g++", tmp_path)
    nothing = SharedPart((), ())
    bounds = Mathematics(sample, part.text, lambda _: [])
    bench = Bench(sample, part, toolchain, None, host_part(part), tmp_path, (), nothing, bounds)
    monkeypatch.setattr(worker, "_bench", lambda *_: bench)
    monkeypatch.setattr(worker, "judge_candidate", _harm)
    monkeypatch.setattr(worker, "JUDGE_SECONDS", 0.2)
    settings = Settings("", "", "g++", 0.01, sandboxed=False, seed=None)

    def judged(programs: Sequence[str]) -> list[Outcome]:
        outcomes = list(worker._judged(settings, TASK, programs, tmp_path))
        assert [place for place, _ in outcomes] == list(range(len(programs)))
        return [outcome for _, outcome in outcomes]

    return judged


def test_a_text_that_ends_its_judge_costs_one_verdict(
    harmed: Callable[[Sequence[str]], list[Outcome]],
) -> None:
    outcomes = harmed(["right", "loop", "crash", "right", "killed", "memory", "mistake", "right"])
    said = [(one.get("entry") or one["error"]).get("reason", "verified") for one in outcomes]
    assert said == [
        "verified", "timeout", "crash", "verified", "killed", "killed", "internal_error", "verified",
    ]  # fmt: skip
    assert "SIGSEGV" in outcomes[2]["entry"]["message"]


def test_lost_patience_is_no_verdict(
    harmed: Callable[[Sequence[str]], list[Outcome]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "PATIENCE", 1.0)
    late, right = harmed(["sleep", "right"])
    assert late["error"]["reason"] == "not_judged"
    assert right == {"entry": {"verdict": "verified"}}


@pytest.mark.parametrize("timeout", [0.1, 20, 300, 86_400])
def test_patience_is_longer_than_four_executions_may_last(timeout: float) -> None:
    assert worker.patience(timeout) > 4 * (5 * timeout + GUARD_SECONDS)
    # Waiting for longer than so many milliseconds is an error of the system's.
    assert worker.patience(timeout) * 1000 < 2**31


def test_who_is_killed_behind_the_last_message_has_said_all(
    harmed: Callable[[Sequence[str]], list[Outcome]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge_each(send: Send, programs: Sequence[tuple[int, str]], *_: object) -> None:
        for _, program in programs:
            send({"entry": program})
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(worker, "_judge_each", judge_each)
    assert harmed(["first", "second"]) == [{"entry": "first"}, {"entry": "second"}]


def test_a_sample_without_cases_of_a_seed_is_still_a_task(build: Path, tmp_path: Path) -> None:
    """Here the build lacks what Warp needs."""
    settings = Settings(str(build / "results"), "", "g++", 1.0, sandboxed=False, seed=7)
    said = {
        sample: [
            outcome["error"]["reason"] for _, outcome in worker._judged(settings, sample, [""], tmp_path)
        ]
        for sample in (TASK, sample_id(1))
    }
    assert said == {TASK: ["no_cases"], sample_id(1): ["no_task"]}


def test_a_candidate_that_is_wrong_at_once_is_run_again_in_that_case_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong in only one order of threads is still found to be so."""
    sample = evens_reference(1).samples[0]
    whole = parse_shard(
        shard([KERNEL + LAUNCHER]), "hand", {TASK: parse_interface("evens", INTERFACE, "hand")}
    )
    device = dataclasses.replace(CPU, hurries=True, idle=None, runs_main=False)
    ran = []

    def run_batch(*_: object, variables: dict[str, str], **__: object) -> Ended:
        ran.append(variables["WEFT_THREAD_ORDER"])
        return Ended(None, "", None)

    def contents(_: Path, sample: store.Sample, cases: list[int]) -> list[bytes]:
        return [f"{ran[-1]} {case}".encode() for case in cases]

    def judge(_: store.Sample, case: int, left: Left, *__: object) -> int:
        if left.content == b"forward 3":
            raise verdict._RejectedError("wrong_output", "wrong")
        ran.append(left.content.decode())
        return 0

    monkeypatch.setattr(verdict, "run_batch", run_batch)
    monkeypatch.setattr(verdict, "_contents", contents)
    monkeypatch.setattr(verdict, "_judge_execution", judge)
    result = verdict.judge_sample(sample, whole.samples[0], tmp_path / "program", device, 1.0)
    assert result["reason"] == "non_deterministic"
    assert [one for one in ran if one.startswith(("reverse ", "random "))] == ["reverse 3", "random 3"]
