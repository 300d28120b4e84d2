"""What one processor hides, threads run one after the other, gets its verdict all the same; what is in order
stays verified.

All programs are ways to `evens` (hand_written.py) by shared memory, atomics or several launches.
"""

import dataclasses
from typing import Any

import pytest
from hand_written import LAUNCH, LAUNCHED, evens_reference, judge, program, shard

from weft.launch import parse_launch
from weft.reference.cases import Case
from weft.runs.verdict import CPU, watched_size

HEAD = """
__global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int t = threadIdx.x;
    const bool kept = i < n && i % 2 == 0;
    const float value = i < n ? max(2.0f * x[i] + y[i], 0.0f) : 0.0f;
"""


def kernel(body: str, before: str = "", launch: str = LAUNCHED) -> str:
    """A program whose kernel is `body`, which knows i, t, kept and value."""
    return program(f"{before}{HEAD}{body}\n}}\n", launch)


def without(text: str, part: str) -> str:
    assert text.count(part) == 1
    return text.replace(part, "")


# Each thread takes its neighbour's value, and hands it back.
EXCHANGE = """
    __shared__ float tile[256];
    tile[t] = value;
    __syncthreads(); // filled
    const float other = tile[t ^ 1];
    __syncthreads(); // read
    tile[t] = other;
    __syncthreads();
    if (kept) out[i] = tile[t ^ 1];
"""

TREE = """
    __shared__ float tile[256];
    tile[t] = t == 0 ? 0.0f : 1.0f;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads(); // level
    }
    if (kept) out[i] = tile[0] == 255.0f ? value : -1.0f;
"""

# A product of 16 x 16 matrices by tiles of 16 x 4, all ones: 16 everywhere.
MATMUL = """
    __shared__ float a[16][4], b[4][16];
    const int row = t / 16, column = t % 16;
    float sum = 0.0f;
    for (int k = 0; k < 16; k += 4) {
        if (column < 4) a[row][column] = 1.0f + 0.0f * k;
        if (row < 4) b[row][column] = k < 12 ? 1.0f : 1.0f;
        __syncthreads(); // loaded
        for (int j = 0; j < 4; ++j) sum += a[row][j] * b[j][column];
        __syncthreads(); // used
    }
    if (kept) out[i] = sum == 16.0f ? value : -1.0f;
"""

COUNT = """
__global__ void count(int* counts, const float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) @add@;
}
__global__ void evens(const float* x, const float* y, float* out, const int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int total = 0;
    for (int j = 0; j < 64; ++j) total += counts[j];
    if (i < n && i % 2 == 0) out[i] = total == n ? max(2.0f * x[i] + y[i], 0.0f) : -1.0f;
}
"""
COUNT_LAUNCHED = """
    int* counts;
    CHECK(cudaMalloc(&counts, 64 * sizeof(int)));
    CHECK(cudaMemset(counts, 0, 64 * sizeof(int)));
    count<<<(n + 255) / 256, 256>>>(counts, x, n);
    evens<<<(n + 255) / 256, 256>>>(x, y, out, counts, n);
    CHECK(cudaFree(counts));
"""


def counted(add: str) -> str:
    """A program that counts its threads in 64 places."""
    return program(COUNT.replace("@add@", add), COUNT_LAUNCHED)


def two_launches(kernels: str, launches: str) -> str:
    """A program with a scratch array `u` of n + 1 floats, which are zero."""
    scratch = "harness::Buffer u(n + 1);\n    u.fill(0);\n    "
    return program(f"{kernels}\n{HEAD}if (kept) out[i] = value; }}", f"{scratch}{launches}\n    {LAUNCHED}")


def on_scratch(body: str) -> str:
    index = "const int i = blockIdx.x * 256 + threadIdx.x;"
    kernel = f"__global__ void work(float* u, int n) {{\n    {index}\n{body}}}"
    return two_launches(kernel, "work<<<(n + 255) / 256, 256>>>(u.device, n);")


RACE = {
    "no barrier after shared memory is filled": kernel(without(EXCHANGE, "__syncthreads(); // filled")),
    "no barrier before shared memory is filled anew": kernel(without(EXCHANGE, "__syncthreads(); // read")),
    "no barrier between the levels of a reduction": kernel(without(TREE, "__syncthreads(); // level")),
    "no barrier after a tile is loaded": kernel(without(MATMUL, "__syncthreads(); // loaded")),
    "no barrier at the end of a loop": kernel(without(MATMUL, "__syncthreads(); // used")),
    "a warp's barrier where the block's is needed": kernel(
        TREE.replace("__syncthreads(); // level", "__syncwarp();")
    ),
    "plain adds that rarely collide": counted("counts[i % 61] += 1"),
    "plain adds in shared memory": kernel(
        """
    __shared__ int total;
    if (t == 0) total = 0;
    __syncthreads();
    total += 1;
    __syncthreads();
    if (kept) out[i] = total == 256 ? value : -1.0f;
"""
    ),
    "an atomic add beside a plain one": counted("if (i % 2) atomicAdd(&counts[0], 1); else counts[0] += 1"),
    "a neighbour is read in place": on_scratch("    if (i < n) u[i] = u[i + 1];\n"),
    "other values to one place": on_scratch("    if (i < n) u[i / 2] = float(i);\n"),
    "blocks that read what other blocks write": on_scratch(
        "    if (i < n && threadIdx.x == 0) u[i] = 1.0f;\n    if (i < n && u[0] > 2.0f) u[n] = 1.0f;\n"
    ),
    "a barrier does not order blocks": on_scratch(
        "    if (i == 0) u[n] = 1.0f;\n    __syncthreads();\n    if (i < n) u[i] = u[n];\n"
    ),
    "a device variable": program(
        f"__device__ float latest;\n{HEAD}latest = value;\n if (kept && latest == value) out[i] = value; }}"
    ),
}

UNWRITTEN = {
    "shared memory that nobody wrote": kernel(
        "__shared__ float tile[256];\n if (t < 255) tile[t] = value;\n __syncthreads();\n"
        "if (kept) out[i] = value + 0.0f * tile[255];"
    ),
    "an atomic add to shared memory that nobody wrote": kernel(
        "__shared__ int total;\n atomicAdd(&total, 1);\n __syncthreads();\n if (kept) out[i] = value;"
    ),
    "what another block left in shared memory": kernel(
        "__shared__ float tile[256];\n if (blockIdx.x == 0) tile[t] = 0.0f;\n __syncthreads();\n"
        "if (kept) out[i] = value + 0.0f * tile[t];"
    ),
    "dynamic shared memory that nobody wrote": program(
        f"{HEAD} extern __shared__ int words[];\n if (t > 0) words[t] = t;\n __syncthreads();\n"
        "if (kept) out[i] = words[0] == 123 ? 0.0f : value; }",
        LAUNCHED.replace("256>>>", "256, 1024>>>"),
    ),
}

MISALIGNED = {
    "four floats at once from an odd place": kernel(
        "const float* const odd = x + 2 * (i / 2) + 1;\n"
        "if (kept) out[i] = i + 8 < n ? value + 0.0f * reinterpret_cast<const float4*>(odd)->x : value;"
    ),
    "four floats at once to an odd place": kernel(
        "__shared__ __align__(16) float tile[260];\n"
        "reinterpret_cast<float4*>(tile + t)[0] = make_float4(value, 0.0f, 0.0f, 0.0f);\n"
        "if (kept) out[i] = tile[t];"
    ),
}

LAST_BLOCK = """
__global__ void evens(const float* x, const float* y, float* out, float* u, unsigned int* finished, int n) {
    __shared__ bool last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) u[i] = max(2.0f * x[i] + y[i], 0.0f);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        for (int j = threadIdx.x; j < n; j += 256) if (j % 2 == 0) out[j] = u[j];
    }
}
"""
LAST_BLOCK_LAUNCHED = """
    harness::Buffer u(n);
    unsigned int* finished;
    CHECK(cudaMalloc(&finished, 4));
    CHECK(cudaMemset(finished, 0, 4));
    evens<<<(n + 255) / 256, 256>>>(x, y, out, u.device, finished, n);
    CHECK(cudaFree(finished));
"""

IN_ORDER = {
    "an exchange": kernel(EXCHANGE),
    "a reduction": kernel(TREE),
    "a product by tiles": kernel(MATMUL),
    "a warp's own barrier": kernel(
        "__shared__ float tile[256];\n tile[t ^ 1] = value;\n __syncwarp();\n"
        "const float mine = tile[t ^ 1];\n"
        "__syncwarp();\n tile[t] = mine;\n __syncwarp();\n if (kept) out[i] = tile[t];"
    ),
    "atomic adds": counted("atomicAdd(&counts[i % 61], 1)"),
    "one value to one place": on_scratch("    if (i < n) u[n] = 1.0f;\n"),
    "bytes side by side": kernel(
        "__shared__ bool flags[256];\n flags[t] = kept;\n if (flags[t]) out[i] = value;"
    ),
    "half of a struct": kernel(
        "struct Pair { float first; double second; };\n __shared__ Pair pairs[256];\n"
        "pairs[t].first = value;\n const Pair mine = pairs[t];\n if (kept) out[i] = mine.first;"
    ),
    "halves in shared memory": kernel(
        "__shared__ __half tile[16][16];\n tile[t / 16][t % 16] = __half(1.0f);\n __syncthreads();\n"
        "if (kept) out[i] = float(tile[t % 16][t / 16]) * value;",
    ),
    "a volatile read before a compare and swap": counted(
        "for (int old = *(volatile int*)&counts[0], seen;; old = seen)"
        " if ((seen = atomicCAS(&counts[0], old, old + 1)) == old) break"
    ),
    "an exchange with shared memory that nobody wrote": kernel(
        "__shared__ int flag;\n atomicExch(&flag, 1);\n __syncthreads();\n if (kept) out[i] = flag * value;"
    ),
    "the last block reads what all have written": program(LAST_BLOCK, LAST_BLOCK_LAUNCHED),
    "the next launch reads what this one has written": two_launches(
        "__global__ void first(float* u) { u[threadIdx.x] = 1.0f; }\n"
        "__global__ void second(float* u) { u[0] += u[threadIdx.x / 2] * (threadIdx.x == 1); }",
        "first<<<1, 1>>>(u.device);\n    second<<<1, 2>>>(u.device);",
    ).replace("u[0] +=", "if (threadIdx.x == 1) u[0] +="),
    "a load that only one thread of a loop makes": kernel(
        "__shared__ float sum;\n for (int j = 0; j < 4; ++j) if (t == 0) sum = j ? sum + 1.0f : 0.0f;\n"
        "__syncthreads();\n if (kept) out[i] = sum == 3.0f ? value : -1.0f;"
    ),
}

GROUPS = (("race", RACE), ("unwritten_read", UNWRITTEN), ("misaligned", MISALIGNED), ("verified", IN_ORDER))
PROGRAMS = {name: (text, verdict) for verdict, programs in GROUPS for name, text in programs.items()}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    text = shard([text for text, _ in PROGRAMS.values()])
    runs = judge(tmp_path_factory.mktemp("concurrency"), text, evens_reference(len(PROGRAMS)))
    return dict(zip(PROGRAMS, runs["samples"], strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict(results: dict[str, Any], name: str) -> None:
    result = results[name]
    assert (result["reason"] or result["verdict"]) == PROGRAMS[name][1], result["message"]


def test_a_race_is_shown_with_both_threads(results: dict[str, Any]) -> None:
    message = results["an atomic add beside a plain one"]["message"]
    assert "race: " in message and "of an allocation of 256 bytes" in message
    assert "that nothing orders, thread (" in message and "in random order" in message


def test_what_was_verified_says_what_was_looked_for(results: dict[str, Any]) -> None:
    assert {"no_race", "no_unwritten_read"} <= set(results["a reduction"]["checks"])


@pytest.mark.parametrize(
    ("dims", "watched"),
    [(["n"], 257), (["(n + 1) // 2"], 997), (["n", 12], 257), (["n // 32"], 257), (["1"], 257)],
)
def test_threads_of_two_blocks_are_watched(dims: list[str | int], watched: int) -> None:
    launch = parse_launch({**LAUNCH, "dims": dims}, "evens")
    cases = tuple(Case(size, 0) for size in (1, 33, 257, 997, 1000, 65537))
    sample = dataclasses.replace(evens_reference(1).samples[0], launch=launch, cases=cases)
    assert watched_size(sample) == watched
    watching = [one for one in CPU.executions if "WEFT_SHADOW_MEMORY" in one.variables]
    assert [max(sample.cases[case].size for case in one.cases(sample)) for one in watching] == [watched]
