"""What of an answer is its program."""

import pytest

from weft.scoring.extraction import program_in

KERNEL = "__global__ void k(float* x) {\n    x[0] = 1.0f;\n}\n"
LAUNCHER = "cudaError_t launch_k(float* x, cudaStream_t stream) {\n    return cudaSuccess;\n}\n"
ANSWERS = {
    "a program": (KERNEL, KERNEL),
    "a fence": (f"Here:\n\n```cuda\n{KERNEL}```\nThis sets `x[0]`.\n", KERNEL),
    "a fence without a word": (f"```\n{KERNEL}```", KERNEL),
    "tildes": (f"~~~~ cpp\n{KERNEL}~~~~\n", KERNEL),
    "a fence in a list": (f"1. So:\n   ```cuda\n{KERNEL}   ```\n", KERNEL),
    "lines that end as on Windows": (f"```cuda\n{KERNEL}```\n".replace("\n", "\r\n"), KERNEL),
    "a fence that was cut off": (f"```cuda\n{KERNEL}", KERNEL),
    "a draft, then the program": (f"```cuda\n{LAUNCHER}```\nBetter:\n```cuda\n{KERNEL}```\n", KERNEL),
    "how to compile it, last": (f"```cuda\n{KERNEL}```\n```sh\nnvcc k.cu\n```\n", KERNEL),
    "only what is no kernel": ("```python\nprint()\n```\n", "print()\n"),
    "thoughts": (f"<think>\n```cuda\n{LAUNCHER}{KERNEL}```\n</think>\n```cuda\n{KERNEL}```\n", KERNEL),
    "a longer fence holds a shorter one": (f"````cuda\n// ```\n{KERNEL}````\n", f"// ```\n{KERNEL}"),
    "prose around": (f"Sure, here it is:\n\n{KERNEL}\nIt sets one element (the first).\n", KERNEL),
    "a heading": (f"# The kernel\n\n#include <cuda_fp16.h>\n{KERNEL}", f"#include <cuda_fp16.h>\n{KERNEL}"),
    "a function first": (f"float2 f(\n    float2 x) {{\n    return x;\n}}\n{KERNEL}",) * 2,
    "no program": ("I cannot do that.\n", "I cannot do that.\n"),
    "nothing": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_program(name: str) -> None:
    completion, program = ANSWERS[name]
    assert program_in(completion) == program
