"""Programs that mean to be taken for right get the verdict they deserve; what only looks odd is verified.

They stand in `wrong/`: kernels that take the place of `evens` (hand_written.py), and launchers that launch it
in their own way, or write the outputs in place of the judge's driver.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from hand_written import KERNEL, LAUNCHED, WRITTEN, evens_reference, judge, program, shard

WORDS = """
#define EVENS \\
    __global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n)
#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x
#define VALUE(i) max(2.0f * x[i] + y[i], 0.0f)
#define PARTS \\
    __global__ void twice(const float* x, float* u, int n) { INDEX; if (i < n) u[i] = 2.0f * x[i]; } \\
    __global__ void add(const float* u, const float* y, float* out, int n) { \\
        INDEX; \\
        if (i < n && i % 2 == 0) out[i] = max(u[i] + y[i], 0.0f); \\
    }
#define TWO_STREAMS \\
    cudaStream_t a, b; \\
    cudaEvent_t event; \\
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking)); \\
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking)); \\
    CHECK(cudaEventCreate(&event)); \\
    static float* u = nullptr; \\
    if (!u) CHECK(cudaMalloc(&u, 4 * 20000)); \\
    CHECK(cudaMemset(u, 0, 4 * n)); \\
    CHECK(cudaDeviceSynchronize());
"""
HEADERS = "#include <fenv.h>\n#include <signal.h>\n#include <sys/stat.h>\n#include <thread>\n"


def sections(text: str) -> dict[str, str]:
    """The parts of a file that begin with a line `//// title`, by title."""
    parts = re.split(r"^//// (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def read(name: str) -> dict[str, tuple[str, str]]:
    """The programs of a file: text and verdict by name."""
    text = (Path(__file__).parent / "wrong" / name).read_text()
    found = {}
    for part in re.split(r"^(?=//// .*: \w+$)", text, flags=re.MULTILINE)[1:]:
        (title, source), *others = sections(part).items()
        title, _, verdict = title.rpartition(": ")
        replaced = dict(others)
        launch = re.sub(r"\bRIGHT;", LAUNCHED, replaced.get("launch", LAUNCHED))
        write = replaced.get("write")
        if write is not None:
            write = re.sub(r"\bRIGHT_WRITE;", WRITTEN, write)
        kernel = source if re.search(r"\bEVENS\b", source) else KERNEL + source
        found[title] = (program(WORDS + kernel, launch, write), verdict)
    return found


PROGRAMS = {**read("kernels.cu"), **read("hosts.cu"), **read("races.cu"), **read("streams.cu")}
STATIC_OBJECTS = read("static_objects.cu")


def judge_all(folder: Path, programs: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """The entries of the programs of one shard, by name."""
    text = HEADERS + shard([text for text, _ in programs.values()])
    runs = judge(folder, text, evens_reference(len(programs)))
    return dict(zip(programs, runs["samples"], strict=True))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Programs that no compiler takes have a shard of their own: among all, they cost 40 compilers."""
    refused = {name: one for name, one in PROGRAMS.items() if one[1] == "compile_error"}
    others = {name: one for name, one in PROGRAMS.items() if name not in refused}
    make = tmp_path_factory.mktemp
    return judge_all(make("refused"), refused) | judge_all(make("adversaries"), others)


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict(results: dict[str, Any], name: str) -> None:
    result = results[name]
    assert (result["reason"] or result["verdict"]) == PROGRAMS[name][1], result["message"]


def test_static_objects_cost_their_own_sample(tmp_path: Path) -> None:
    for name, result in judge_all(tmp_path, STATIC_OBJECTS).items():
        assert (result["reason"] or result["verdict"]) == STATIC_OBJECTS[name][1], result["message"]
