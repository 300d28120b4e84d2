"""What strangers write for a sample is judged as the sample is, and reaches nothing but its arrays."""

import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hand_written import KERNEL, SCRIPTS, SIGNATURE, evens_reference, sample_id, shard, write_shard

from tools import has_sandbox
from weft.reference import store
from weft.runs.build import make_guard
from weft.runs.execute import Ended, guard_beside, run_guarded
from weft.runs.sandbox import find_sandbox

NOBODY = 65534
LAUNCHER = f"cudaError_t launch_evens({SIGNATURE}, cudaStream_t stream = nullptr)"
RIGHT_LAUNCHER = f"""
{LAUNCHER} {{
    evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
    return cudaGetLastError();
}}
"""
SAMPLE = KERNEL + RIGHT_LAUNCHER
WORDS = {
    "RIGHT_KERNEL": KERNEL,
    "RIGHT_LAUNCHER": RIGHT_LAUNCHER,
    "LAUNCHER": LAUNCHER,
    "EVENS": f"__global__ void evens({SIGNATURE})",
    "INDEX": "const int i = blockIdx.x * blockDim.x + threadIdx.x",
    "VALUE(i)": "fmaxf(2.0f * x[i] + y[i], 0.0f)",
}


def read_candidates(file: str) -> dict[str, tuple[str, str, str]]:
    """Text, verdict and a part of the message of each candidate of a file, by name."""
    text = (Path(__file__).parent / file).read_text()
    found = {}
    for part in re.split(r"^//// ", text, flags=re.MULTILINE)[1:]:
        title, source = part.split("\n", 1)
        name, verdict, *message = title.split(": ", 2)
        for word, meaning in WORDS.items():
            source = re.sub(rf"\b{re.escape(word)}(?!\w)", lambda match, meaning=meaning: meaning, source)
        found[name] = (source, verdict, "".join(message))
    return found


CANDIDATES = read_candidates("wrong/candidates.cu") | read_candidates("right/styles.cu")
MORE_CANDIDATES = read_candidates("wrong/more_candidates.cu")


def judge(folder: Path, *options: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    """Run scripts/runs.py in a folder that has a build with the sample."""
    for name in ("cuda", "reference"):
        (folder / "results" / name / "hand").mkdir(parents=True, exist_ok=True)
    write_shard(folder / "results/cuda/hand/0.cu", shard([SAMPLE]))
    store.write(folder / "results/reference/hand/0.npz", evens_reference(1))
    command = [
        sys.executable,
        "-P",
        str(SCRIPTS / "runs.py"),
        "--compiler",
        "g++",
        "-o",
        "runs.json",
        *options,
    ]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=900, env={**os.environ, "PATH": path}
    )


def judge_all(folder: Path, candidates: dict[str, tuple[str, str, str]]) -> dict[str, Any]:
    """The entries of the candidates, by name."""
    files = []
    for number, (source, _, _) in enumerate(candidates.values()):
        files.append(f"{number}.cu")
        (folder / files[-1]).write_text(source)
    options = [] if has_sandbox() else ["--without-sandbox"]
    done = judge(folder, "--candidate", *files, "--sample", sample_id(0), *options)
    assert done.returncode == 0, done.stderr
    runs = json.loads((folder / "runs.json").read_text())
    assert [one["candidate"]["file"] for one in runs["samples"]] == files
    return dict(zip(candidates, runs["samples"], strict=True))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return judge_all(tmp_path_factory.mktemp("candidates"), CANDIDATES)


def check(result: dict[str, Any], verdict: str, message: str) -> None:
    assert (result["reason"] or result["verdict"]) == verdict, result["message"]
    assert message in result["message"]
    assert "/tmp" not in result["message"]


@pytest.mark.parametrize("name", CANDIDATES)
def test_verdict(results: dict[str, Any], name: str) -> None:
    check(results[name], *CANDIDATES[name][1:])


@pytest.mark.full
def test_more_verdicts(tmp_path: Path) -> None:
    results = judge_all(tmp_path, MORE_CANDIDATES)
    for name, result in results.items():
        check(result, *MORE_CANDIDATES[name][1:])


def test_errors_have_the_line_of_the_candidate(results: dict[str, Any]) -> None:
    assert results["does not compile"]["message"].startswith("candidate.cu:2: ")
    assert results["a file of the system's"]["message"].startswith("candidate.cu:1: ")


def test_without_bubblewrap_nothing_runs(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "bin").mkdir()
    for tool in ("g++", "as", "ld"):
        found = subprocess.run(["which", tool], capture_output=True, text=True, check=True).stdout.strip()
        (tmp_path / "bin" / tool).symlink_to(found)
    done = judge(tmp_path, "--candidate", "k.cu", "--sample", sample_id(0), path=f"{tmp_path}/bin")
    assert done.returncode == 2
    assert "bubblewrap (bwrap) is not installed" in done.stderr and "--without-sandbox" in done.stderr
    assert not (tmp_path / "runs.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--candidate", "k.cu"], "--candidate needs --sample"),
        (["--candidate", "k.cu", "--sample", "evens"], "'evens' is no sample"),
        (["--candidate", "k.cu", "--sample", "hand-0000-0007"], "has no sample hand-0000-0007"),
        (["--candidate", "k.cu", "--sample", "hand-0007-0000"], "results/cuda/hand/7.cu"),
        (["--candidate", "none.cu", "--sample", "hand-0000-0000"], "none.cu"),
        ([], "--candidate and --sample"),
    ],
)
def test_wrong_requests_end_with_status_2(tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    done = judge(tmp_path, *options, *(["--without-sandbox"] if options else []))
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("box")
    make_guard("g++", folder / "program")
    (folder / "secret").write_text("expected outputs")
    return folder


def in_sandbox(box: Path, script: str, name: str) -> Ended:
    work = box / f"work-{name}"
    work.mkdir()
    around = find_sandbox().around(work, guard=guard_beside(box / "program"))
    command = [*around, "/bin/sh", "-c", script]
    return run_guarded(
        guard_beside(box / "program"), command, work, box, timeout=20, variables={}, limit_memory=True
    )


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize(
    ("name", "script", "status"),
    [
        ("own", "echo here > file && cat file", 0),
        ("secret", "cat ../secret", 1),
        ("passwd", "cat /etc/passwd", 1),
        ("system", "echo x > /usr/file", 2),
        ("beside", "echo x > ../file", 2),
        ("home", "ls /root /home", 2),
        ("processes", "ls /proc/self", 2),
        ("network", "exec 3<>/dev/tcp/127.0.0.1/22", 2),
        ("memory", "ulimit -v", 0),
    ],
)
def test_the_sandbox_shows_one_folder(box: Path, name: str, script: str, status: int) -> None:
    ended = in_sandbox(box, script, name)
    assert (ended.reason is None) == (status == 0), ended.message
    assert name != "own" or (box / "work-own" / "file").read_text() == "here\n"


@pytest.mark.needs("bwrap")
def test_nobody_leaves_the_sandbox(box: Path) -> None:
    ended = in_sandbox(box, "(setsid sleep 60; echo late > late) & kill -9 -1; sleep 60", "leaves")
    assert ended.reason is not None
    assert not (box / "work-leaves" / "late").exists()


@pytest.mark.needs("bwrap")
def test_a_sandbox_has_a_limited_number_of_processes(box: Path) -> None:
    # The kernel limits no processes of root, who gives the sandbox to somebody without rights.
    script = "for i in $(seq 200); do sleep 5 & done; echo all > all"
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        shutil.copy2(guard_beside(box / "program"), place)
        place.chmod(0o777)
        if os.geteuid() == 0:
            with multiprocessing.get_context("fork").Pool(1, os.setuid, (NOBODY,)) as pool:
                ended = pool.apply(in_sandbox, (place, script, "forks"))
        else:
            ended = in_sandbox(place, script, "forks")
        assert ended.reason is not None
        assert "fork" in (place / "stderr").read_text()
        assert not (place / "work-forks" / "all").exists()
