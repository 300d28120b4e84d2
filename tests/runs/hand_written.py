"""Shards of hand-written programs, right and wrong, and the reference that they are judged by.

All programs claim to compute `evens`: out[i] = max(2 x[i] + y[i], 0) for even i; odd elements are left alone.
"""

import atexit
import functools
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from weft.cuda.shard import Part, join_parts
from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.reference import store
from weft.reference.cases import Case
from weft.runs.build import make_device
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
CASES = (Case(1, 0), Case(1, 2), Case(31, 0), Case(32, 0), Case(33, 1), Case(257, 0), Case(12000, 0))

KERNEL = """
__global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i % 2 != 0) return;
    out[i] = max(2.0f * x[i] + y[i], 0.0f);
}
"""
LAUNCHED = "evens<<<(n + 255) / 256, 256>>>(x.device, y.device, out.device, n);"
WRITTEN = "harness::write(options.outputs, {&x, &y, &out});"
MAIN = """
int main(int argc, char** argv) {
    const harness::Options options(argc, argv);
    const int n = options.size;
    harness::Buffer x("x", n), y("y", n), out("out", n);
    x.draw(options.seed, 0, -1.0, 1.0);
    y.draw(options.seed, 1, -1.0, 1.0);
    out.fill(options.fill);
    @launch@
    CHECK(cudaGetLastError());
    x.download(), y.download(), out.download();
    @write@
    return 0;
}
"""


def program(kernel: str = KERNEL, launch: str = LAUNCHED, write: str = WRITTEN, main: str = MAIN) -> str:
    """The text of one sample."""
    return kernel + main.replace("@launch@", launch).replace("@write@", write)


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


@functools.cache
def cpu_device() -> Path:
    """A folder with the CPU device, which is compiled once for all tests of a process."""
    folder = Path(tempfile.mkdtemp(prefix="cpu-device-"))
    atexit.register(shutil.rmtree, folder)
    make_device("g++", folder)
    return folder


def judge(folder: Path, shard_text: str, reference: store.Reference, *options: str) -> dict[str, Any]:
    """Run scripts/runs.py on a shard, as a user would; the runs file."""
    (folder / "shard.cu").write_text(shard_text)
    store.write(folder / "reference.npz", reference)
    command = [sys.executable, "-P", str(SCRIPTS / "runs.py"), "shard.cu", "reference.npz", "-o", "runs.json"]
    command += ["--compiler", "g++", "--cpu-device", str(cpu_device()), *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads((folder / "runs.json").read_text())
    return result
