"""Arrays in any order: rows that belong together stay so, and lists that are apart keep what is theirs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hand_written import SCRIPTS, cpu_device

from tools import has_sandbox

KERNELS = """
import warp as wp

Ints = wp.array(dtype=int)
Floats = wp.array(dtype=float)


@wp.kernel
def pack(x: Floats, ids: Ints, roots: Floats, count: Ints):
    i = wp.tid()
    if x[i] > 0.5:
        slot = wp.atomic_add(count, 0, 1)
        ids[slot] = i % 4
        roots[slot] = wp.sqrt(x[i]) * 3.0 + x[i]


@wp.kernel
def fill(bucket: Ints, rows: wp.array2d(dtype=int), used: Ints, room: int):
    i = wp.tid()
    slot = wp.atomic_add(used, bucket[i], 1)
    if slot < room:
        rows[bucket[i], slot] = i


@wp.kernel
def sort(bucket: Ints, start: Ints, ids: Ints, used: Ints):
    i = wp.tid()
    ids[start[bucket[i]] + wp.atomic_add(used, bucket[i], 1)] = i


LAUNCH = {
    "pack": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "ids": {"role": "out", "shape": ["n"]},
            "roots": {"role": "out", "shape": ["n"]},
            "count": {"role": "inout", "shape": [1], "values": {"constant": 0}},
        },
        "equality": "permutation",
    },
    "fill": {
        "dims": ["n"],
        "parameters": {
            "bucket": {"shape": ["n"], "values": {"integers": [0, 3]}},
            "rows": {"role": "out", "shape": [3, "n"]},
            "used": {"role": "inout", "shape": [3], "values": {"constant": 0}},
            "room": {"values": {"size": "n"}},
        },
        "equality": "permutation",
    },
    "sort": {
        "dims": ["n"],
        "parameters": {
            "bucket": {"shape": ["n"], "values": {"integers": [0, 3]}},
            "start": {"shape": [3], "values": {"list": [0, "n", "2 * n"]}},
            "ids": {"role": "out", "shape": ["3 * n"]},
            "used": {"role": "inout", "shape": [3], "values": {"constant": 0}},
        },
        "equality": "permutation",
    },
}
"""
ROOT = "fmaf(sqrtf(x[j]), 3.0f, x[j])"
"""What is within its bound."""
EXACT = "sqrtf(x[j]) * 3.0f + x[j]"
"""What has the reference's bits."""
EACH = "const int j = blockIdx.x * blockDim.x + threadIdx.x; if (j >= n) return; "
LAST_FIRST = "const int j = n - 1 - int(blockIdx.x * blockDim.x + threadIdx.x); if (j < 0) return; "
ONE = "if (blockIdx.x + threadIdx.x > 0) return; "
FILLED = ONE + "for (int j = 0; j < n; ++j) rows[bucket[j] * n + used[bucket[j]]++] = j; "
SORTED = ONE + "for (int j = 0; j < n; ++j) ids[start[bucket[j]] + used[bucket[j]]++] = j; "


def packed(root: str, place: str, each: str = LAST_FIRST) -> str:
    return each + (
        "if (!(x[j] > 0.5f)) return; const int slot = atomicAdd(count, 1);"
        f"ids[slot] = j % 4; roots[{place}] = {root};"
    )


def turned(root: str, from_size: int) -> str:
    """The roots in the other order, from a size on."""
    return ONE + (
        "int kept = 0; for (int j = 0; j < n; ++j) if (x[j] > 0.5f) ids[kept++] = j % 4;"
        "int last = 0; for (int j = 0; j < n; ++j) if (x[j] > 0.5f) {"
        f"++last; roots[n < {from_size} ? last - 1 : kept - last] = {root}; }} *count = kept;"
    )


PROGRAMS = {
    "pack": {
        "as it is": (packed(EXACT, "slot", EACH), "verified"),
        "the last first": (packed(EXACT, "slot"), "verified"),
        "numbers with others": (turned(EXACT, 0), "wrong_output"),
        "one place too far": (
            ONE + "int kept = 0; for (int j = 0; j < n; ++j) if (x[j] > 0.5f) kept += 1; *count = kept;"
            "int at = kept < n; for (int j = 0; j < n; ++j) if (x[j] > 0.5f) {"
            f"ids[at] = j % 4; roots[at++] = {EXACT}; }}",
            "wrong_output",
        ),
    },
    "fill": {
        "the last first": (
            LAST_FIRST + "const int k = bucket[j]; rows[k * n + atomicAdd(&used[k], 1)] = j;",
            "verified",
        ),
        "an element of another list": (
            FILLED + "if (used[0] && used[1]) { int one = rows[0]; rows[0] = rows[n]; rows[n] = one; }",
            "wrong_output",
        ),
        "counts of other lists": (
            FILLED + "int one = used[0]; used[0] = used[1]; used[1] = one;",
            "wrong_output",
        ),
    },
    "sort": {
        "the last first": (
            LAST_FIRST + "const int k = bucket[j]; ids[start[k] + atomicAdd(&used[k], 1)] = j;",
            "verified",
        ),
        "an element of another list": (
            SORTED + "if (used[0] && used[1]) { int one = ids[0]; ids[0] = ids[n]; ids[n] = one; }",
            "wrong_output",
        ),
    },
}
OWN = PROGRAMS["pack"] | {"numbers with others where there are many": (turned(EXACT, 10_000), "wrong_output")}
STRANGE = PROGRAMS["pack"] | {
    "numbers within their bounds": (packed(ROOT, "slot"), "verified"),
    "numbers within their bounds with others": (turned(ROOT, 0), "wrong_output"),
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...]) -> Path:
    """A folder with the kernels' programs and their reference."""
    folder = tmp_path_factory.mktemp("slots")
    (folder / "kernels.py").write_text(KERNELS)
    run(folder, "ir.py", "kernels.py", "-o", "ir.json")
    sizes = ["--sizes", "1", "33", "300", "12000", "--seeds", "0", "1"]
    run(folder, "reference.py", "kernels.py", "ir.json", "-o", "r.npz", *sizes, *warp_headers)
    run(folder, "cuda.py", "ir.json", "-o", "k.cu")
    return folder


def head(text: str, kernel: str) -> str:
    """What stands before the body of a kernel."""
    found = re.search(rf"__global__ void {kernel}\([^)]*\) {{", text)
    assert found is not None
    return found[0]


def judge(build: Path, *options: str) -> list[dict[str, Any]]:
    sandbox = [] if has_sandbox() else ["--without-sandbox"]
    device = ["--compiler", "g++", "--cpu-device", str(cpu_device())]
    run(
        build,
        "runs.py",
        "changed.cu",
        "r.npz",
        *options,
        *device,
        *(sandbox if options else []),
        "-o",
        "o.json",
    )
    return list(json.loads((build / "o.json").read_text())["samples"])


@pytest.mark.parametrize("program", OWN)
def test_a_samples_own_program(build: Path, program: str) -> None:
    body, verdict = OWN[program]
    text = (build / "k.cu").read_text()
    start = head(text, "pack")
    kernel = text[text.index(start) : text.index("\n}", text.index(start)) + 2]
    changed = text.replace(kernel, f"{start}\n{body}\n}}")
    (build / "changed.cu").write_text(changed)
    (build / "changed.json").write_text((build / "k.json").read_text())
    (result,) = [one for one in judge(build) if one["kernel_name"] == "pack"]
    assert (result["reason"] or result["verdict"]) == verdict, result["message"]


@pytest.mark.parametrize("kernel", ["pack", "fill", "sort"])
def test_programs_of_others(build: Path, kernel: str) -> None:
    programs = STRANGE if kernel == "pack" else PROGRAMS[kernel]
    (build / "changed.cu").write_text((build / "k.cu").read_text())
    (build / "changed.json").write_text((build / "k.json").read_text())
    index = json.loads((build / "k.json").read_text())["samples"]
    (sample,) = (one["sample_id"] for one in index if one["kernel_name"] == kernel)
    files = [f"{kernel}-{number}.cu" for number in range(len(programs))]
    for file, (body, _) in zip(files, programs.values(), strict=True):
        (build / file).write_text(candidate(kernel, body))
    results = judge(build, "--candidate", *files, "--sample", sample)
    got = {name: one["reason"] or one["verdict"] for name, one in zip(programs, results, strict=True)}
    assert got == {name: verdict for name, (_, verdict) in programs.items()}


def candidate(kernel: str, body: str) -> str:
    """A launcher and a kernel with `n`, which the sample's parameters may call otherwise."""
    parameters, arguments = {
        "pack": ("const float* x, int* ids, float* roots, int* count, int n", "x, ids, roots, count, n"),
        "fill": ("const int* bucket, int* rows, int* used, int n", "bucket, rows, used, n"),
        "sort": (
            "const int* bucket, const int* start, int* ids, int* used, int n",
            "bucket, start, ids, used, n",
        ),
    }[kernel]
    return f"""
__global__ void mine({parameters}) {{ {body} }}
cudaError_t launch_{kernel}({parameters}, cudaStream_t stream) {{
    mine<<<(n + 255) / 256, 256, 0, stream>>>({arguments});
    return cudaGetLastError();
}}
"""


def run(folder: Path, script: str, *options: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPTS / script), *options],
        cwd=folder, capture_output=True, text=True, env=os.environ, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
