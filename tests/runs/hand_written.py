"""Shards of hand-written programs, right and wrong, and the reference that they are judged by.

All programs claim to compute `evens`: out[i] = max(2 x[i] + y[i], 0) for even i; odd elements are left alone.
"""

import functools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from weft.cuda.shard import Part, join_parts
from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.reference import store
from weft.reference.cases import MAIN, Case
from weft.runs.build import cached_device
from weft.types import parse_type

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "scripts"
LAUNCH = {
    "dims": ["n"],
    "parameters": {
        "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "y": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "out": {"role": "out", "shape": ["n"]},
    },
}
CASES = (Case(1, 0), Case(1, 2), Case(31, 0), Case(32, 0), Case(33, 1), Case(257, 0), Case(12000, 0), MAIN)

KERNEL = """
__global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i % 2 != 0) return;
    out[i] = max(2.0f * x[i] + y[i], 0.0f);
}
"""
LAUNCHED = "evens<<<(n + 255) / 256, 256>>>(x, y, out, n);"
WRITTEN = 'harness::write(path, {{"x", x}, {"y", y}, {"out", out}});'
SIGNATURE = "const float* x, const float* y, float* out, int n"
LAUNCHER = f"""
cudaError_t launch_evens({SIGNATURE}, cudaStream_t stream = nullptr) {{
    {{
        @launch@
    }}
    CHECK(cudaGetLastError());
    @write@
    return cudaSuccess;
}}
"""
FORGED = """harness::forge(x, y, out, n, [](const char* path, auto& x, auto& y, auto& out) {
        @write@
    });"""
INTERFACE = {
    "leaves": [
        {"name": name, "type": "array<float32,1>", "needed": name != "out"} for name in ("x", "y", "out")
    ],
    "outputs": ["out"],
    "structs": [],
    "launch": LAUNCH,
    "numbers": ["n"],
    "derived": [],
    "ends": [],
    "dims": 0,
    "strides": "",
    "breaks_ties": False,
    "launcher": "launch_evens",
    "call": """\
const weft_driver::Leaf weft_leaves[] = {
    {"x", "float32", sizeof(float), weft_driver::Kind::array, nullptr, 0},
    {"y", "float32", sizeof(float), weft_driver::Kind::array, nullptr, 0},
    {"out", "float32", sizeof(float), weft_driver::Kind::array, nullptr, 0},
};
cudaError_t weft_launch(const weft_driver::Arguments& given) {
    const int n = int(given.numbers[0]);
    return launch_evens(given.array<float>(0), given.array<float>(1), given.array<float>(2), n);
}
""",
}


def program(kernel: str = KERNEL, launch: str = LAUNCHED, write: str | None = None, main: str = "") -> str:
    """The text of one sample. `launch` is what its launcher does; with `write`, the launcher writes the
    outputs itself, one array file after the other, in the driver's place.
    """
    forged = "" if write is None else FORGED.replace("@write@", write)
    return kernel + LAUNCHER.replace("@launch@", launch).replace("@write@", forged) + main


def changed(old: str, new: str, **parts: str) -> str:
    """A program whose kernel has `new` where the right one has `old`."""
    assert KERNEL.count(old) == 1
    return program(KERNEL.replace(old, new), **parts)


def with_value(expression: str) -> str:
    """A program whose kernel writes `expression` into even elements."""
    return changed("max(2.0f * x[i] + y[i], 0.0f)", expression)


def sample_id(index: int) -> str:
    return f"hand-0000-{index:04d}"


def shard(programs: list[str]) -> str:
    """The shard of these programs, in this order."""
    parts = [Part(sample_id(i), "evens", f"s{i:04d}", text) for i, text in enumerate(programs)]
    return join_parts((HERE / "harness.cu").read_text(), parts)


def write_shard(path: Path, text: str) -> None:
    """Write a shard, and its index beside it."""
    path.write_text(text)
    samples = [
        {"sample_id": sample_id, "kernel_name": "evens", "interface": INTERFACE}
        for sample_id in re.findall(r"^// sample (\S+):", text, re.MULTILINE)
    ]
    path.with_suffix(".json").write_text(json.dumps({"samples": samples}))


def with_main(text: str) -> str:
    """A text whose `main` is that of the only sample that the driver knows: `program sample --main FILE`."""
    assert text.count("int main(") == 1
    table = (
        'const weft_driver::Sample weft_driver::samples[] = {{"sample", nullptr, 0, nullptr, own_main}, {}};'
    )
    return f"{text.replace('int main(', 'int own_main(')}\n{table}\n"


@functools.cache
def evens_reference(count: int) -> store.Reference:
    """The same reference for `count` samples."""
    signature = [(name, parse_type("array<float32,1>")) for name in ("x", "y", "out")]
    launch = parse_launch(LAUNCH, "evens")
    expected = []
    for case in CASES:
        x, y, out = (
            draw_parameter(launch, name, kind, position, size=case.size, seed=case.seed, structs={})
            for position, (name, kind) in enumerate(signature)
        )
        even = np.arange(case.size) % 2 == 0
        out["c0"] = np.where(even, np.maximum(np.float32(2) * x["c0"] + y["c0"], np.float32(0)), out["c0"])
        expected.append({"out": store.expect(out, even[:, np.newaxis], case.seed, 2)})
    samples = [
        store.Sample(sample_id(i), "evens", i, [], signature, launch, CASES, expected) for i in range(count)
    ]
    return store.Reference("hand", 0, {}, samples, [])


def cpu_device() -> Path:
    """A folder with the CPU device, which is compiled once for all tests."""
    return cached_device("g++")


def judge(folder: Path, shard_text: str, reference: store.Reference, *options: str) -> dict[str, Any]:
    """Run scripts/runs.py on a shard, as a user would; the runs file."""
    write_shard(folder / "shard.cu", shard_text)
    store.write(folder / "reference.npz", reference)
    command = [sys.executable, "-P", str(SCRIPTS / "runs.py"), "shard.cu", "reference.npz", "-o", "runs.json"]
    command += ["--compiler", "g++", "--cpu-device", str(cpu_device()), *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads((folder / "runs.json").read_text())
    return result
