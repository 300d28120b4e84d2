"""Which atomics a block makes for its threads. That the results are right is for total_kernels.py to show."""

import re
from pathlib import Path

import pytest
from translated import device_of, text_of

KERNEL = """
@wp.kernel
def total(a: wp.array(dtype={element}), sums: wp.array(dtype={element}), out: wp.array(dtype={element})):
    i = wp.tid()
    {body}
"""
DESCRIBED = """
LAUNCH = {{"total": {{"dims": ["n"], "equality": "{equality}", "parameters": {{
    "a": {{"shape": ["n"], "values": {{"integers": [0, 9]}}}},
    "sums": {{"role": "inout", "shape": [4], "values": {{"constant": 1}}}},
    "out": {{"role": "inout", "shape": ["n"], "values": {{"constant": 2}}}},
}}}}}}
"""


def kernel(folder: Path, body: str, element: str = "int", equality: str = "") -> str:
    text = KERNEL.format(body=body.replace("\n", "\n    "), element=element)
    return text_of(folder, text + (DESCRIBED.format(equality=equality) if equality else ""))


REDUCED = [
    ("out[i] = a[i]\nwp.atomic_add(sums, 0, a[i])", "int", "bits"),
    ("wp.atomic_add(sums, 3, a[i])\nout[i] = a[i]", "int", "bits"),
    ("wp.atomic_add(sums, 0, a[i])", "float", "bounded"),
    ("wp.atomic_add(sums, 0, a[i])", "float", ""),
    ("wp.atomic_add(sums, 0, a[i])", "wp.mat33", "bounded"),
    ("wp.atomic_min(sums, 0, a[i])", "float", "bits"),
    ("value = a[i]\nout[i] = value\nif value > 3:\n    wp.atomic_max(sums, 1, value)", "int", ""),
    ("if a[i] > 3:\n    out[i] = 1\n    return\nwp.atomic_add(sums, 0, a[i])", "int", "bits"),
]


@pytest.mark.parametrize(("body", "element", "equality"), REDUCED)
def test_a_block_makes_one_atomic(tmp_path: Path, body: str, element: str, equality: str) -> None:
    text = kernel(tmp_path, body, element, equality)
    assert "if (threadIdx.x == 0) " in text
    assert "each block makes one." in text or "One atomic per block: " in text
    assert len(re.findall(r"\((?:&sums\[|sums,)", text)) == 1
    loop = r"for \(\w+ i = blockIdx.x \* blockDim.x \+ threadIdx.x; i < (\S+);\s"
    assert re.findall(loop, text) in (["uint32_t(n)"], ["thread_count"], ["uint32_t(thread_count)"])


@pytest.mark.parametrize("count", [2, 4, 9])
def test_several_totals_of_one_kind_are_one_reduction(tmp_path: Path, count: int) -> None:
    body = "\n".join(f"wp.atomic_add(sums, {number}, a[i] * float({number}))" for number in range(count))
    text = kernel(tmp_path, body, "float", "bounded")
    listed = ", ".join(f"thread_sums_{number}" for number in range(count))
    totals = f"float block_sums[{count}] = {{{listed}}};\n    block_reduce_sums(block_sums);"
    assert totals in re.sub(r"\s*\n\s+(?=thread_)", " ", text)
    assert text.count("__syncthreads();") == 1
    assert text.count("#pragma unroll\n    for (int k = 0;") == 2
    assert "// One atomic per block for each total: " in text
    assert re.findall(r"atomicAdd\((.*?)\);", text) == [
        f"sums, block_sums[{number}]" if number == 0 else f"&sums[{number}], block_sums[{number}]"
        for number in range(count)
    ]


def test_totals_of_several_kinds_are_reduced_apart(tmp_path: Path) -> None:
    body = "wp.atomic_max(sums, 0, a[i])\nwp.atomic_add(sums, 1, a[i])\nwp.atomic_add(sums, 2, 2 * a[i])"
    text = kernel(tmp_path, body, "int", "bits")
    assert "const int block_largest = block_reduce_max(thread_largest);" in text
    assert "int block_sums[2] = {thread_sums_1, thread_sums_2};" in text
    assert "atomicMax(sums, block_largest);" in text and "atomicAdd(&sums[2], block_sums[1]);" in text


def test_a_thread_has_several_elements_before_its_block_has_a_total(tmp_path: Path) -> None:
    text = kernel(tmp_path, "if a[i] > 2:\n    wp.atomic_add(sums, 1, a[i])", "int", "bits")
    loop = text[text.index("    int thread_total = 0;") : text.index("\n    // One atomic per block")]
    assert (
        loop.strip("\n")
        == """\
    int thread_total = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < uint32_t(n); i += gridDim.x * blockDim.x) {
        if (a[i] > 2) {
            thread_total += a[i];
        }
    }"""
    )


COUNTED = {
    "out[i] = a[i]": True,
    "out[i] = int(float(i))": True,
    "if i > 0:\n    out[i] = 1": False,
    "out[i] = i // 2": False,
    "out[i] = min(i, 5)": False,
}


@pytest.mark.parametrize(("body", "unsigned"), COUNTED.items())
def test_a_thread_counts_without_a_sign_only_what_needs_none(
    tmp_path: Path, body: str, unsigned: bool
) -> None:
    body = f"{body}\nwp.atomic_add(sums, 0, a[i])"
    source = KERNEL.format(body=body.replace("\n", "\n    "), element="int") + DESCRIBED.format(
        equality="bits"
    )
    device = device_of(tmp_path, source)
    assert [axis.unsigned for axis in device.grid.axes] == [unsigned]


def test_the_grid_is_no_larger_than_a_gpu(tmp_path: Path) -> None:
    body = "wp.atomic_add(sums, 0, a[i])"
    device = device_of(tmp_path, KERNEL.format(body=body, element="int") + DESCRIBED.format(equality="bits"))
    assert [axis.filled for axis in device.grid.axes] == [True]
    few = DESCRIBED.format(equality="bits").replace('["n"], "eq', '[999], "eq')
    device = device_of(tmp_path, KERNEL.format(body=body, element="int") + few)
    assert [axis.filled for axis in device.grid.axes] == [False]


def test_threads_of_a_plane_have_several_rows(tmp_path: Path) -> None:
    source = """
    @wp.kernel
    def total(a: wp.array2d(dtype=int), sums: wp.array(dtype=int)):
        y, x = wp.tid()
        if a[y, x] > 2:
            wp.atomic_add(sums, 0, a[y, x])


    LAUNCH = {"total": {"dims": ["n", "n"], "parameters": {
        "a": {"shape": ["n", "n"], "values": {"integers": [0, 9]}},
        "sums": {"role": "inout", "shape": [4], "values": {"constant": 1}},
    }}}
    """
    text = text_of(tmp_path, source)
    assert "y += gridDim.y * blockDim.y" in text and "thread_total += " in text
    assert [axis.filled for axis in device_of(tmp_path, source).grid.axes] == [False, True]


KEPT = {
    "the order of floats is that of Warp": ("wp.atomic_add(sums, 0, a[i])", "float", "bits"),
    "extremes of floats may meet a NaN": ("wp.atomic_max(sums, 0, a[i])", "float", ""),
    "the old value is used": ("out[i] = wp.atomic_add(sums, 0, a[i])", "int", "bits"),
    "each thread has an element of its own": ("wp.atomic_add(out, i, a[i])", "int", "bits"),
    "the array is read elsewhere": ("out[i] = sums[1]\nwp.atomic_add(sums, 0, a[i])", "int", "bits"),
    "the element depends on the thread": ("wp.atomic_add(sums, a[i] % 4, 1)", "int", "bits"),
    "nobody said that out is another array": ("wp.atomic_add(sums, 0, a[i])\nout[i] = 1", "int", ""),
    "two operations on an element": (
        "wp.atomic_add(sums, 0, a[i])\nwp.atomic_max(sums, 0, a[i])",
        "int",
        "bits",
    ),
    "a loop is left by a return": (
        "for k in range(5):\n    if a[i] == k:\n        return\n    wp.atomic_add(sums, 0, k)",
        "int",
        "bits",
    ),
}


@pytest.mark.parametrize(("body", "element", "equality"), KEPT.values(), ids=KEPT)
def test_threads_make_their_own(tmp_path: Path, body: str, element: str, equality: str) -> None:
    text = kernel(tmp_path, body, element, equality)
    assert "block_" not in text
    assert "atomic" in text


def test_bits_are_compared_where_no_nan_is_in_memory(tmp_path: Path) -> None:
    body = "wp.atomic_max(sums, int(a[i]), a[i])"
    described, undescribed = (kernel(tmp_path, body, "float", equality) for equality in ("bits", ""))
    assert "reinterpret_cast<int*>(address)" in described and "atomicCAS" not in described
    assert "atomicCAS" in undescribed
    assert "if (v > 0.0f) atomicMax(" in described
    assert "// Precondition: no element of sums is negative." in described
    signed = KERNEL.format(body=body, element="float") + DESCRIBED.format(equality="bits")
    assert "if (signbit(v)) {" in text_of(tmp_path, signed.replace('{"constant": 1}', '{"constant": -1}'))
    # Old values, and elements that are read, are those of a float.
    assert "atomicCAS" in kernel(tmp_path, f"out[i] = {body}", "float", "bits")
    assert "atomicCAS" in kernel(tmp_path, f"out[i] = sums[0]\n{body}", "float", "bits")


BLOCKS = """
@wp.kernel
def total(a: wp.array(dtype=float), count: int, sums: wp.array(dtype=float)):
    block, thread = wp.tid()
    i = block * 64 + thread
    value = float(0.0)
    if i < count:
        value = {value}
    {after}{end}

LAUNCH = {{"total": {{"dims": ["{dims}"], "block_dim": 64, "equality": "{equality}", "parameters": {{
    "a": {{"shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "count": {{"values": {{"size": "n"}}}},
    "sums": {{"role": "inout", "shape": [1], "values": {{"constant": 0.0}}}},
}}}}}}
"""
STRIDING = {
    "value": "a[i] * a[i]",
    "after": "",
    "end": "wp.tile_atomic_add(sums, wp.tile_sum(wp.tile(value)), offset=0)",
    "dims": "(n + 63) // 64",
    "equality": "bounded",
}
BY_FIRST = "total = wp.tile_sum(wp.tile(value))[0]\n    if {}:\n        wp.atomic_add(sums, 0, {})"


@pytest.mark.parametrize(
    ("change", "strides"),
    [
        ({}, True),
        ({"equality": "bits"}, False),
        ({"dims": "(n + 31) // 32"}, False),
        ({"value": "a[i] + float(i // 2)"}, False),
        ({"value": "a[i] + value"}, False),
        ({"after": "value = 2.0 * value\n    "}, False),
        ({"end": BY_FIRST.format("thread == 0", "total")}, True),
        ({"end": BY_FIRST.format("thread == 0", "total * total")}, False),
        ({"end": BY_FIRST.format("thread == 1", "total")}, False),
    ],
)
def test_blocks_stride_where_they_add_up_what_their_threads_have(
    tmp_path: Path, change: dict[str, str], strides: bool
) -> None:
    text = text_of(tmp_path, BLOCKS.format(**STRIDING | change))
    assert ("value += a[i] * a[i];" in text) == strides
    assert ("gridDim.x" in text) == strides


def test_totals_are_declared_after_tiles(tmp_path: Path) -> None:
    body = "b = out[i]\nfor j in range(out.shape[0]):\n    b += a[j]\nwp.atomic_add(sums, 0, b)"
    text = kernel(tmp_path, body, "int", "bits")
    assert "at a time.\n    __shared__ int shared_a[TILE_SIZE];\n    int thread_total = 0;\n    for (" in text


def test_what_every_thread_of_one_block_adds_has_one_line(tmp_path: Path) -> None:
    described = DESCRIBED.format(equality="bits").replace('["n"], "eq', '[64], "eq')
    text = text_of(tmp_path, KERNEL.format(body="wp.atomic_add(sums, 0, a[i])", element="int") + described)
    assert "const int thread_total = a[i];" in text


def test_a_block_of_one_warp_needs_no_shared_memory(tmp_path: Path) -> None:
    """What a thread has in a variable goes to the shuffles at once."""
    body = "above = a[i] * 2\n    wp.atomic_add(sums, 0, above)"
    described = DESCRIBED.format(equality="bits").replace('["n"], "eq', '[32], "eq')
    text = text_of(tmp_path, KERNEL.format(body=body, element="int") + described)
    assert "const int block_total = warp_sum(above);\n    if (threadIdx.x == 0) atomicAdd(" in text
    assert "__shared__" not in text and "thread_total" not in text
