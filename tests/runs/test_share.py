"""Samples use the host code of the first sample that has it; everything of their own stays."""

from __future__ import annotations

import subprocess
from pathlib import Path

from weft.runs.build import CpuToolchain
from weft.runs.share import share

SAMPLE = """\
// sample {number}
namespace s000{number} {{
#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {{
    if (status != cudaSuccess) std::exit(1);
}}

struct Pair {{
    int a, b;
}};

__device__ inline int sum(Pair pair) {{ return pair.a + pair.b; }}

__global__ void kernel(int* out) {{ out[0] = sum(Pair{{1, {number}}}); }}

cudaError_t launch_kernel(int* out) {{
    kernel<<<1, 1>>>(out);
    return cudaGetLastError();
}}

// Memory on the device; '}}' and "{{" in text do not count.
class Array {{
public:
    Array() {{ CUDA_CHECK(cudaMalloc(&device_, 4)); }}

    ~Array() {{ cudaFree(device_); }}

protected:
    void* device_ = nullptr;
}};

// An array of T.
template <typename T>
class Buffer : public Array {{
public:
    T* device() {{ return static_cast<T*>(device_); }}
}};

{tail}

int main(int, char**) {{
    Buffer<int> out;
    CUDA_CHECK(launch_kernel(out.device()));
    int sum = 0;
    CUDA_CHECK(cudaMemcpy(&sum, out.device(), 4, cudaMemcpyDeviceToHost));
    return shown(sum);
}}
}}  // namespace s000{number}

"""
PLAIN = "int shown(int value) { return value; }"
OTHER = "int shown(int value) { return -value; }"
HEAD = "#include <cuda_runtime.h>\n\n#include <cstdio>\n#include <cstdlib>\n\n"
MAIN = 'int main() { std::printf("%d %d\\n", s0000::main(0, nullptr), s0001::main(0, nullptr)); }\n'


def shard(first: str = PLAIN, second: str = PLAIN) -> str:
    return HEAD + SAMPLE.format(number=0, tail=first) + SAMPLE.format(number=1, tail=second) + MAIN


def usings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("using ")]


def test_host_code_is_that_of_the_first_sample() -> None:
    names = ["Array", "Buffer", "shown"]
    assert usings(share(shard())) == [f"using s0000::{name};" for name in names]


def test_lines_stay_where_they_are() -> None:
    before, after = shard().splitlines(), share(shard()).splitlines()
    assert len(before) == len(after)
    assert [i for i, line in enumerate(before) if "int main" in line] == [
        i for i, line in enumerate(after) if "int main" in line
    ]


def test_other_text_stays() -> None:
    assert "shown" not in "".join(usings(share(shard(second=OTHER))))


def test_what_device_code_mentions_stays() -> None:
    """A type of the first sample would bring in its operators, too."""
    assert "Pair" not in "".join(usings(share(shard())))
    host = "int shown(int value) { return Pair{value, 0}.a; }"
    assert "shown" not in "".join(usings(share(shard(host, host))))


def test_members_of_what_device_code_mentions_stay() -> None:
    """With `using s0000::Inner`, a call on an Inner in `main` would find the functions of both samples."""
    types = "struct Inner {\n    int a;\n};\n\nstruct Outer {\n    const Inner* inner;\n};\n\n"
    tail = f"{types}__global__ void other(Outer outer) {{}}\n\n{PLAIN}"
    assert "Inner" not in "".join(usings(share(shard(tail, tail))))


def test_definitions_that_mention_each_other_stay_together() -> None:
    """`twice` is the same in both samples, but what it calls is not."""
    twice = "int twice(int value) { return 2 * value; }\n\nint shown(int value) { return twice(value); }"
    changed = twice.replace("2 * value", "3 * value")
    assert "shown" not in "".join(usings(share(shard(twice, changed))))


def test_a_sample_alone_stays_as_it_is() -> None:
    alone = HEAD + SAMPLE.format(number=0, tail=PLAIN)
    assert share(alone) == alone


def test_the_shared_program_does_what_the_samples_do(tmp_path: Path) -> None:
    errors = CpuToolchain("g++", tmp_path).compile(shard(second=OTHER), tmp_path / "program")
    assert errors is None, errors
    assert subprocess.run([tmp_path / "program"], capture_output=True, text=True).stdout == "1 -2\n"
