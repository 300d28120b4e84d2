"""The sample's own launcher, for candidates that bring the kernels alone."""

from weft.runs.candidate_host import own_launcher

SAMPLE = """
constexpr int TILE = 16;
constexpr int COLUMNS = 32;

constexpr int UNUSED = 3;

__global__ void k(const float* a) {
}

cudaError_t launch_k(const float* a, int rows, cudaStream_t stream = nullptr) {
    k<<<dim3(COLUMNS / 16, rows), 16, 0, stream>>>(a);
    return cudaGetLastError();
}

int main() {
}
"""


def test_it_comes_with_all_constants_of_a_paragraph_of_which_it_needs_one() -> None:
    launcher = own_launcher(SAMPLE, "__global__ void k(const float* a) {}")
    assert "COLUMNS = 32;" in launcher and "TILE = 16;" in launcher and "launch_k(float* a" in launcher
    assert "UNUSED" not in launcher and "__global__" not in launcher and "main" not in launcher
