"""Offsets and thread numbers past what an int counts are right.

The translated kernel runs as a plain C++ function, for one thread, on memory that is reserved only.
"""

import subprocess
from pathlib import Path

import pytest
from translated import device_of, record_of

from weft.cuda.device import translate_device
from weft.runs.build import CPU_FLAGS, SYSTEM_HEADERS

KERNELS = """
@wp.func
def middle(rows: wp.array2d(dtype=wp.int8), i: int):
    return rows[i, 1]


@wp.kernel
def shift(a: wp.array2d(dtype=wp.int8), out: wp.array2d(dtype=wp.int8)):
    i, j = wp.tid()
    row = a[i]
    column = a[:, j]
    out[i, j] = a[i, j] + middle(a, i) + row[-1] + column[i]
"""

DESCRIBED = """

LAUNCH = {"shift": {"dims": ["n", "n"], "parameters": {
    "a": {"shape": ["n", "n"], "values": {"integers": [0, 9]}},
    "out": {"role": "out", "shape": ["n", "n"]},
}}}
"""

STRIDED = DESCRIBED.replace('"a": {"shape": ["n", "n"],', '"a": {"shape": ["n", "n"], "strides": ["n", 1],')

MAIN = """
#include <sys/mman.h>
#include <cstdio>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

int main() {
    const long long n = 70000, i = 69998, j = 69990;
    const auto reserve = [&] {
        return static_cast<int8_t*>(mmap(nullptr, n * n, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    };
    int8_t *a = reserve(), *out = reserve();
    a[i * n + j] = 1;
    a[i * n + 1] = 2;
    a[i * n + n - 1] = 4;
    PLACE
    shift(a, out, ARGUMENTS);
    std::printf("%d\\n", out[i * n + j]);
}
"""

# A launch that folds puts all its threads along x.
FOLDED = "blockDim.x = 256; threadIdx.x = (i * n + j) % 256; blockIdx.x = unsigned((i * n + j) / 256);"
SQUARE = "threadIdx.x = unsigned(j); threadIdx.y = unsigned(i);"


@pytest.mark.parametrize(
    ("launch", "place", "arguments"),
    [("", FOLDED, 6 * ["n"]), (DESCRIBED, SQUARE, ["n"]), (STRIDED, SQUARE, ["n"])],
    ids=["inferred", "described", "strided"],
)
def test_an_element_past_two_billion_is_found(
    tmp_path: Path, launch: str, place: str, arguments: list[str]
) -> None:
    device = device_of(tmp_path, KERNELS + launch)
    extents = sum(parameter.kind == "extent" for parameter in device.parameters)
    values = ", ".join(f"int({argument})" for argument in arguments[:extents])
    main = MAIN.replace("PLACE", place).replace("ARGUMENTS", values)
    text = f"#include <cuda_runtime.h>\n#include <cstdint>\n{device.definitions}\n{device.kernel}\n{main}"
    source, program = tmp_path / "large.cpp", tmp_path / "large"
    source.write_text(text, encoding="utf-8")
    command = ["g++", *CPU_FLAGS, *SYSTEM_HEADERS, "-DWEFT_CPU_DEVICE", str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "8\n")


def test_offsets_that_fit_into_an_int_are_ints(tmp_path: Path) -> None:
    bounded = DESCRIBED.replace('["n", "n"]', '["7", "(n + 6) // 7"]')
    kernel = device_of(tmp_path, KERNELS + bounded).kernel
    assert "size_t" not in kernel
    assert "int64_t" not in kernel


def test_a_launch_that_nobody_described_is_counted_in_64_bits(tmp_path: Path) -> None:
    kernel = device_of(tmp_path, KERNELS).kernel
    assert "const int64_t thread = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;" in kernel
    assert "if (thread >= int64_t(i_count) * j_count) return;" in kernel


def test_rows_that_may_be_more_than_a_grid_has_go_along_x(tmp_path: Path) -> None:
    record = record_of(tmp_path, KERNELS + DESCRIBED.replace('["n", "n"]', '["n", 64]'))
    assert translate_device(record).grid_dims == ((0, 1),)
    record["launch"]["dims"] = ["n // 1000000 + 1", 64]
    assert translate_device(record).grid_dims == ((1,), (0,))


def test_a_folded_launch_stops_where_the_kernels_own_check_does(tmp_path: Path) -> None:
    padded = """
@wp.kernel
def copy(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i >= a.shape[0] or j >= a.shape[1]:
        return
    out[i, j] = a[i, j]


LAUNCH = {"copy": {"dims": ["(n + 16) // 17 + 3", 19], "parameters": {
    "a": {"shape": ["(n + 16) // 17", 17], "values": {"uniform": [0.0, 1.0]}},
    "out": {"role": "out", "shape": ["(n + 16) // 17", 17]},
}}}
"""
    device = device_of(tmp_path, padded)
    assert device.covered_dims == ("(n + 16) // 17", 17)
    assert "if (thread >= a_rows * 17) return;" in device.kernel
    assert device.kernel.count("return;") == 1


def test_sizes_that_are_zero_for_a_small_base_size_are_judged_by_large_ones(tmp_path: Path) -> None:
    record = record_of(tmp_path, KERNELS + DESCRIBED)
    record["launch"]["sizes"] = {"quarter": "n // 4"}
    record["launch"]["dims"] = ["quarter", 64]
    assert translate_device(record).grid_dims == ((0, 1),)
