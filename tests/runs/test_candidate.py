"""What strangers write for a sample is judged as the sample is, and reaches nothing but its arrays."""

import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hand_written import KERNEL, SCRIPTS, SIGNATURE, evens_reference, sample_id, shard, write_shard

from tools import has_sandbox
from weft.reference import store

_LIBC = ctypes.CDLL(None)
SOCKET_FROM_PUTS = (
    ctypes.cast(_LIBC.socket, ctypes.c_void_p).value - ctypes.cast(_LIBC.puts, ctypes.c_void_p).value
)
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
    "SOCKET_FROM_PUTS": f"{SOCKET_FROM_PUTS}l",
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
SAMPLED = [name for name, (_, verdict, _) in MORE_CANDIDATES.items() if verdict == "verified"][::2]
CANDIDATES |= {name: MORE_CANDIDATES.pop(name) for name in SAMPLED}


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
    if "SIGSYS" in CANDIDATES[name][2] and not has_sandbox():
        pytest.skip("needs bwrap")
    check(results[name], *CANDIDATES[name][1:])


@pytest.mark.full
def test_more_verdicts(tmp_path: Path) -> None:
    results = judge_all(tmp_path, MORE_CANDIDATES)
    for name, result in results.items():
        check(result, *MORE_CANDIDATES[name][1:])


def test_errors_have_the_line_of_the_candidate(results: dict[str, Any]) -> None:
    assert results["does not compile"]["message"].startswith("candidate.cu:2: ")
    assert results["a file of the system's"]["message"].startswith("candidate.cu:1: ")


PLACES = {
    "race": """
        EVENS {
            __shared__ float values[256];
            INDEX;
            if (i < n) out[i] = values[255 - threadIdx.x];
            values[threadIdx.x] = i < n ? x[i] : 0.0f;  // here
        }
        RIGHT_LAUNCHER
        """,
    "out_of_bounds": """
        __device__ void store(float* to, float value) {
            *to = value;  // here
        }
        EVENS {
            INDEX;
            if (i < n) store(out + i, VALUE(i));
            if (i == n - 1) store(out + n + 1000, 1.0f);
        }
        RIGHT_LAUNCHER
        """,
    "unwritten_read": """
        EVENS {
            __shared__ float value;
            INDEX;
            if (i < n) out[i] = VALUE(i) + 0.0f * value;  // here
        }
        RIGHT_LAUNCHER
        """,
    "race beside an atomic": """
        __device__ int count;
        EVENS {
            INDEX;
            if (i % 2) count = count + 1;  // here
            else atomicAdd(&count, 1);
            if (i < n) out[i] = VALUE(i);
        }
        RIGHT_LAUNCHER
        """,
}


WRONG_STORES = {
    "wrong_output": """
        __device__ void store(float* to, float value) {
            *to = value;
        }
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) store(out + i, VALUE(i));
            if (i < n && i % 2 == 0 && i >= 100) {
                out[i] = 0.5f;  // here
            }
        }
        RIGHT_LAUNCHER
        """,
    "wrong_output by an atomic": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) out[i] = VALUE(i);
            if (i == 66 && i < n) atomicAdd(out + i, 1.0f);  // here
        }
        RIGHT_LAUNCHER
        """,
    "wrong_output by the last of two kernels": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) out[i] = x[i];
        }
        __global__ void add(const float* y, float* out, int n) {
            INDEX;
            if (i < n && i % 2 == 0) out[i] += y[i];  // here
        }
        LAUNCHER {
            evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
            add<<<(n + 255) / 256, 256, 0, stream>>>(y, out, n);
            return cudaGetLastError();
        }
        """,
    "nan_mismatch": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) out[i] = VALUE(i) + (i < 200 ? 0.0f : nanf(""));  // here
        }
        RIGHT_LAUNCHER
        """,
    "wrote_too_much": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) out[i] = VALUE(i);
            if (i == 31 && i < n) out[i] = 0.0f;  // here
        }
        RIGHT_LAUNCHER
        """,
    "input_modified": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) out[i] = VALUE(i);
            if (i == 5 && i < n) *const_cast<float*>(x + i) = 2.0f;  // here
        }
        RIGHT_LAUNCHER
        """,
    "non_deterministic": """
        __device__ float last;
        EVENS {
            INDEX;
            if (i < n) atomicExch(&last, float(i));
            if (i < n && i % 2 == 0) out[i] = VALUE(i);
        }
        __global__ void spoil(float* out, int n) {
            if (last != float(n - 1)) out[0] = 7.0f;  // here
        }
        LAUNCHER {
            evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
            spoil<<<1, 1, 0, stream>>>(out, n);
            return cudaGetLastError();
        }
        """,
}
"""Candidates whose wrong element is stored where the line ends with `// here`."""

NO_STORES = {
    "wrong_output, of a copy after its kernel": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0) out[i] = VALUE(i);
        }
        LAUNCHER {
            evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
            return cudaMemcpyAsync(out, x, sizeof(float), cudaMemcpyDeviceToDevice, stream);
        }
        """,
    "unwritten_output": """
        EVENS {
            INDEX;
            if (i < n && i % 2 == 0 && i != 4) out[i] = VALUE(i);
        }
        RIGHT_LAUNCHER
        """,
}


def test_a_wrong_access_or_store_is_told_with_its_line(tmp_path: Path) -> None:
    candidates = {}
    for name, source in (PLACES | WRONG_STORES | NO_STORES).items():
        for word, meaning in WORDS.items():
            source = re.sub(rf"\b{re.escape(word)}(?!\w)", lambda _, meaning=meaning: meaning, source)
        candidates[name] = (source, re.split("[ ,]", name)[0], "")
    for name, result in judge_all(tmp_path, candidates).items():
        source, reason, _ = candidates[name]
        lines = [number for number, one in enumerate(source.splitlines(), 1) if one.endswith("// here")]
        told = [f"{line}: {source.splitlines()[line - 1].strip()}" for line in lines]
        assert result["reason"] == reason, (name, result["message"])
        assert result["message"].split("; candidate.cu:")[1:] == told, (name, result["message"])


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
        (["--candidate", "k.cu", "--sample", "NO_SUCH"], "'NO_SUCH' is not a sample"),
        (["--candidate", "k.cu", "--sample", "NO_SUCH"], "(nothing in results/cuda has a similar name)"),
        (["--candidate", "k.cu", "--sample", "evens"], "'evens' is not a sample"),
        (["--candidate", "k.cu", "--sample", "evens"], ", did you mean 'hand-0000-0000'?"),
        (
            ["--candidate", "k.cu", "--sample", "hand-0000-0007"],
            "results/reference/hand/0.npz: no sample hand-0000-0007 that can be run, did you mean",
        ),
        (
            ["--candidate", "k.cu", "--sample", "hand-0007-0000"],
            "results/cuda/hand/7.cu: no such file or directory, did you mean 'hand-0000-0000'?",
        ),
        (
            ["--candidate", "k.cu", "--sample", "empty/samples/hand-0000-0000"],
            "empty/cuda/hand/0.cu: no such file or directory (empty holds no programs of a build)",
        ),
        (["--candidate", "none.cu", "--sample", "hand-0000-0000"], "none.cu"),
        ([], "--candidate and --sample"),
    ],
)
def test_wrong_requests_end_with_status_2(tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    done = judge(tmp_path, *options, *(["--without-sandbox"] if options else []))
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
