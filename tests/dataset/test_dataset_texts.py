"""What rows say: views of programs, the task in words, what code is made of."""

import pytest

from weft.dataset.explanation import explanation
from weft.dataset.views import declarations, kernel_view, launcher_declaration
from weft.dataset.words import instruction, request
from weft.errors import UserError

PROGRAM = """\
__global__ void tally(const float* values, float* total, int n) {
    __shared__ float sums[32];
    __syncthreads();
    atomicAdd(total, values[0]);
}

cudaError_t launch_tally(const float* values, float* total, int n,
                         cudaStream_t stream = nullptr) {
    tally<<<1, 32, 0, stream>>>(values, total, n);
    return cudaGetLastError();
}

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::exit(EXIT_FAILURE);
}

int main() { return 0; }
"""
SOURCE = """\
import warp as wp

STIFFNESS = wp.constant(wp.float64(2.5e3))
AXIS = wp.constant(wp.vec3(0.0, 1.0, 0.0))


@wp.func
def bend(x: float):
    return -0.7 * x + 2.0


@wp.kernel
def tally(values: wp.array(dtype=wp.vec3), total: wp.array(dtype=float), count: int, spring: Spring):
    i = wp.tid()
    state = wp.rand_init(17, i)
    wp.atomic_add(total, 0, bend(values[i][9]) * 0.7 * wp.randf(state))
"""
RECORD = {
    "kernel_name": "tally",
    "description": "Adds up.",
    "python_source": SOURCE,
    "signature": [
        {"name": "values", "type": "array<vec<3,float32>,1>"},
        {"name": "total", "type": "array<float32,1>"},
        {"name": "count", "type": "int32"},
        {"name": "spring", "type": "struct<Spring>"},
    ],
    "structs": [{"name": "Spring", "doc": "", "fields": [{"name": "rest", "type": "float32"}]}],
    "functions": [{"name": "bend", "doc": "A bend of\n    its argument."}],
    "kernel": {
        "name": "tally", "doc": "Adds up.\n\nAll of it.", "source": SOURCE[SOURCE.index("def tally") :],
    },
    "launch": {
        "sizes": {"rows": "n // 2"},
        "dims": ["rows", 4],
        "steps": [],
        "block_dim": None,
        "tiled": True,
        "equality": "bounded",
        "parameters": {
            "values": {
                "role": "in", "memory": "global", "shape": ["rows"], "strides": [], "null": False,
                "values": {"uniform": [0.0, 1.0]},
            },
            "total": {
                "role": "inout", "memory": "global", "shape": [1], "strides": [], "null": False,
                "values": {"constant": 0.0},
            },
            "count": {"role": "in", "shape": [], "strides": [], "null": False, "values": {"size": "rows"}},
            "spring": {
                "role": "in", "shape": [], "strides": [], "null": False,
                "values": {"members": {"rest": {"uniform": [1.0, 2.0]}}},
            },
        },
    },
}  # fmt: skip
INSTRUCTION = """\
Given `values`, and the value `spring`: Adds up. Write the result to `total`.
All of it.
`bend`: A bend of its argument.

Parameters:
- `values`: 1-dimensional array of vec3 of float32, input of shape (rows), values from 0.0 to 1.0
- `total`: 1-dimensional array of float32, input and output of shape (1), \
with any initial values: results are added to them, or compared with them
- `count`: int32, equal to the size rows
- `spring`: struct `Spring`, rest: values from 1.0 to 2.0
- struct `Spring` has the fields `rest` (float32)

Sizes: rows = ⌊n / 2⌋; n is any positive number.
Constants: `STIFFNESS` = 2500.0, `AXIS` = (0.0, 1.0, 0.0).
Random numbers come from Warp's generator, a 32-bit PCG hash.

- bend(x) = -0.7 · x + 2.0
For each `i` from 0 to rows - 1 and `_` from 0 to 3:
- state = the random numbers of seed 17 and sequence i
- total[0] increases by bend(values[i][9]) · 0.7 · (a random number in [0, 1))
Floating-point numbers may be added in any order."""


def test_the_view_is_what_is_needed_of_a_program_without_its_main() -> None:
    view = kernel_view(PROGRAM, ["<cstdio>", "<cstdlib>", "<cuda_runtime.h>", "<cmath>"], "tally")
    assert view.startswith("#include <cuda_runtime.h>\n#include <cmath>\n\n__global__ void tally(")
    assert view.endswith("    return cudaGetLastError();\n}\n")


def test_a_header_that_the_kernel_needs_stays() -> None:
    program = PROGRAM.replace("__syncthreads();", 'printf("%d", n);')
    view = kernel_view(program, ["<cstdio>", "<cuda_runtime.h>"], "tally")
    assert "#include <cstdio>\n" in view


def test_a_program_without_a_launcher_is_an_error() -> None:
    with pytest.raises(UserError, match="its program has no launch_other"):
        kernel_view(PROGRAM, [], "other")


def test_the_launcher_is_declared_on_one_line() -> None:
    assert launcher_declaration(PROGRAM, "tally") == (
        "cudaError_t launch_tally(const float* values, float* total, int n, cudaStream_t stream = nullptr)"
    )


def test_the_task_is_told_in_words() -> None:
    assert instruction(RECORD) == INSTRUCTION


def test_a_request_is_a_sentence_where_a_description_is_an_imperative() -> None:
    asked = RECORD | {"description": "Sum the areas.", "made_of": {"goal": "shapes.area", "formulas": []}}
    assert (
        request(asked)
        == "Given `values`, and the value `spring`, sum the areas. Write the result to `total`."
    )


def test_what_has_no_equations_is_told_by_its_numbers() -> None:
    source = SOURCE.replace("wp.randf(state)", "wp.static(17.5)")
    told = instruction(RECORD | {"python_source": source}).splitlines()
    assert "The computation also uses the numbers 0.7, 17, 17.5." in told
    assert "The launch has rows x 4 threads." in told
    assert not any(line.startswith("For each") for line in told)


def test_of_whole_numbers_no_order_is_told() -> None:
    whole = {
        "signature": [{"name": "values", "type": "array<int32,1>"}],
        "structs": [],
        "launch": RECORD["launch"] | {"equality": "bits"},
    }
    assert "Floating-point" not in instruction(RECORD | whole)
    assert instruction(RECORD | {"launch": whole["launch"]}).endswith("made in the order given here.")


EXPLANATION = """\
`tally`: Adds up. All of it.
`bend`: A bend of its argument.

- bend(x) = -0.7 · x + 2.0
For each `i` from 0 to rows - 1 and `_` from 0 to 3:
- state = the random numbers of seed 17 and sequence i
- total[0] increases by bend(values[i][9]) · 0.7 · (a random number in [0, 1))

Blocks have 256 threads. The threads of a block share `sums` in shared memory, with barriers between \
writing and reading it. Several threads may update the same element of `total`, so they use atomics.

`launch_tally` takes pointers to device memory, and may return before the work is done:
- `values`: float, of shape (rows), read
- `total`: float, of shape (1), read and changed
- `n`: int, a size
- `table` is in constant memory; the caller fills it with `cudaMemcpyToSymbol`
Nothing is launched if `n == 0`.
It returns `cudaErrorInvalidValue` if `n > 64`.
The caller must make sure that elements of values lie in [0, n)."""


def test_an_explanation_says_how_threads_work_together_and_how_to_call_them() -> None:
    program = PROGRAM.replace(
        "__global__",
        "__constant__ float table[8];\n\n// Precondition: elements of values lie in [0, n).\n__global__",
    )
    program = program.replace(
        "    tally<<<1, 32, 0",
        "    if (n == 0) return cudaSuccess;\n    if (n > 64) return cudaErrorInvalidValue;\n"
        "    constexpr unsigned block = 256;\n    tally<<<1, block, 0",
    )
    assert explanation(RECORD, kernel_view(program, [], "tally"), "tally") == EXPLANATION


def test_what_callers_fill_is_declared_too() -> None:
    view = "__constant__ float table[8];\n__constant__ int own[2] = {1, 2};\n\n" + PROGRAM
    assert declarations(view, "tally").splitlines()[:2] == ["__constant__ float table[8];", ""]
    assert "own" not in declarations(view, "tally")
