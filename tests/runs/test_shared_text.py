"""What the samples of a shard share is compiled once, and nothing else is changed."""

from __future__ import annotations

import pytest

from weft.runs.shared_text import share

CHECK = """\
#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status != cudaSuccess) std::exit(EXIT_FAILURE);
}
"""
KERNEL = """
__global__ void kernel(float* x) { x[threadIdx.x] = scaled(2.0f); }
"""
ARRAY = """
template <typename T>
struct Array {
    T* device = nullptr;
    Array() { CUDA_CHECK(cudaMalloc(&device, sizeof(T))); }
};
"""
FILL = """
void fill(Array<float>& x) {
    CUDA_CHECK(cudaMemset(x.device, 1, sizeof(float)));
}
"""
MAIN = """
int main() {
    Array<float> x;
    fill(x);
    return 0;
}
"""


def program(*samples: str) -> str:
    blocks = (
        f"// sample k-0000-{number:04d}\nnamespace s{number} {{\n{text}}}  // namespace s{number}\n"
        for number, text in enumerate(samples)
    )
    return "#include <cuda_runtime.h>\n" + "".join(blocks)


def test_what_two_samples_have_is_there_once_and_lines_stay() -> None:
    text = program(CHECK + KERNEL + ARRAY + FILL + MAIN, CHECK + ARRAY + FILL + KERNEL + MAIN)
    shared = share(text)
    for once in ("void check_cuda(", "struct Array {", "void fill("):
        assert (text.count(once), shared.count(once)) == (2, 1)
    assert shared.count("int main() {") == shared.count("__global__ void kernel") == 2
    for word in ("Array<float> x;", "scaled(2.0f);", "return 0;"):
        first, second = (
            [number for number, line in enumerate(one.splitlines()) if word in line] for one in (text, shared)
        )
        assert first == second


@pytest.mark.parametrize(
    "other",
    [
        ARRAY.replace("nullptr", "0") + FILL,
        ARRAY + FILL.replace("1, sizeof", "2, sizeof"),
        "\nconstexpr float fill_value = 1.0f, x = 2.0f;\n" + ARRAY + FILL,
    ],
    ids=["what it names differs", "it differs", "it names a constant of the sample"],
)
def test_what_says_something_else_stays(other: str) -> None:
    text = program(CHECK + ARRAY + FILL + MAIN, CHECK + other + MAIN)
    assert share(text).count("void fill(") == 2


@pytest.mark.parametrize("more", [KERNEL, "\nfloat scaled(double x) { return float(3.0 * x); }\n"])
def test_what_device_code_names_and_what_has_overloads_stay(more: str) -> None:
    text = program(*2 * [CHECK + "\nfloat scaled(float x) { return 3.0f * x; }\n" + more + MAIN])
    assert share(text).count("float scaled(float x)") == 2


def test_a_type_with_an_alignment_is_known_by_its_name() -> None:
    """Device code names it, and so it stays."""
    kernel = "\nstruct alignas(16) Pair {\n    double a, b;\n};\n" + KERNEL.replace("float*", "Pair*")
    shared = share(program(*2 * [CHECK + kernel + MAIN]))
    assert shared.count("struct alignas(16) Pair") == 2
    assert shared.count("void check_cuda(") == 1


def test_a_sample_alone_and_mutants_stay_as_they_are() -> None:
    alone = program(CHECK + KERNEL + ARRAY + FILL + MAIN)
    assert share(alone) == alone
    mutants = program(*3 * [CHECK + KERNEL])
    assert share(mutants) == mutants
