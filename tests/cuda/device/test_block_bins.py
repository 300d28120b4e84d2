"""Which arrays a block adds to in shared memory. That the results are right is for bin_kernels.py to show."""

from pathlib import Path

import pytest
from translated import device_of, text_of

KERNEL = """
@wp.kernel
def count(a: wp.array(dtype=int), b: wp.array(dtype={element}), bins: wp.array(dtype={element}), size: int):
    i = wp.tid()
    {body}
"""
DESCRIBED = """
LAUNCH = {{"count": {{"sizes": {{"eight": "8", "large": "8192"}}, "dims": ["n"], "equality": "{equality}",
"parameters": {{
    "a": {{"shape": ["n"], "values": {{"integers": [0, 8]}}}},
    "b": {{"shape": ["n"], "values": {{"integers": [0, 9]}}}},
    "bins": {{"role": "inout", "shape": [{shape}], "values": {{"constant": 1}}}},
    "size": {{"values": {{"size": "eight"}}}},
}}}}}}
"""
ADD = "wp.atomic_add(bins, a[i], b[i])"


def kernel(folder: Path, body: str, element: str, equality: str, shape: str) -> str:
    text = KERNEL.format(body=body.replace("\n", "\n    "), element=element)
    if equality:
        text += DESCRIBED.format(equality=equality, shape=shape)
    return text_of(folder, text)


BINS = [
    (ADD, "int", "bits", "8"),
    (ADD, "int", "bits", "64"),
    (ADD, "int", "bits", "256"),
    (
        "if b[i] == 3:\n    return\nwp.atomic_sub(bins, a[i], 2)\nwp.atomic_add(bins, 0, 1)",
        "int",
        "bits",
        "8",
    ),
]


@pytest.mark.parametrize(("body", "element", "equality", "shape"), BINS)
def test_a_block_adds_to_each_bin_once(
    tmp_path: Path, body: str, element: str, equality: str, shape: str
) -> None:
    text = kernel(tmp_path, body, element, equality, shape)
    assert f"constexpr int NUM_BINS = {shape};" in text
    assert f"__shared__ {element} shared_bins[NUM_BINS];" in text
    check = f"if ({'shared_bins[threadIdx.x] != 0' if shape == '256' else 'threadIdx.x < NUM_BINS'}) "
    assert f"\n    {check}atomicAdd(&bins[threadIdx.x], shared_bins[threadIdx.x]);" in text
    assert text.count("&bins[") == 1
    assert "return;" not in text


def test_each_warp_adds_floats_to_bins_of_its_own(tmp_path: Path) -> None:
    text = kernel(tmp_path, ADD, "float", "bounded", "16")
    assert "__shared__ float shared_bins[WARPS][NUM_BINS];" in text
    assert "atomicAdd(&shared_bins[warp][a[i]], b[i]);" in text
    assert text.count("&bins[") == 1
    assert "constexpr int WARPS = 8;" in text and "copy < WARPS;" in text
    assert "__shared__ float shared_bins[NUM_BINS];" in kernel(tmp_path, ADD, "float", "bounded", "300")


@pytest.mark.parametrize(
    ("element", "empty", "shared", "last"),
    [
        ("int", "INT_MIN", "atomicMax(&shared_bins[a[i]]", "atomicMax(&bins[threadIdx.x]"),
        ("float", "-INFINITY", "max_atomically(&shared_bins[a[i]]", "max_atomically(&bins[threadIdx.x]"),
    ],
)
def test_a_block_has_extremes_of_its_own(
    tmp_path: Path, element: str, empty: str, shared: str, last: str
) -> None:
    text = kernel(tmp_path, "wp.atomic_max(bins, a[i], b[i])", element, "bits", "16")
    assert f"shared_bins[threadIdx.x] = {empty};" in text
    assert shared in text and last in text and "CAS" not in text


def test_a_block_adds_vectors(tmp_path: Path) -> None:
    text = kernel(tmp_path, ADD, "wp.vec2i", "bits", "16")
    assert "__shared__ int2 shared_bins[NUM_BINS];" in text
    assert "add_atomically(&shared_bins[a[i]], b[i]);" in text
    text = kernel(tmp_path, ADD, "wp.vec3", "bounded", "16")
    assert "__shared__ float3 shared_bins[WARPS][NUM_BINS];" in text
    assert "float3 bin_total = make_float3(0.0f, 0.0f, 0.0f);" in text


def test_a_number_of_bins_has_a_name_that_no_size_has(tmp_path: Path) -> None:
    described = DESCRIBED.format(equality="bits", shape="16").replace('"eight": "8"', '"num_bins": "8"')
    source = KERNEL.format(body=ADD, element="int") + described.replace(
        '"size": "eight"', '"size": "num_bins"'
    )
    assert "__shared__ int shared_bins[16];" in text_of(tmp_path, source)


def test_threads_stride_over_more_bins_than_they_are(tmp_path: Path) -> None:
    text = kernel(tmp_path, ADD, "int", "bits", "300")
    strides = "for (int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) "
    flush = "if (shared_bins[bin] != 0) atomicAdd(&bins[bin], shared_bins[bin]);"
    for work in ("shared_bins[bin] = 0;", flush):
        assert f"{strides}{{\n        {work}\n    }}\n" in text


PLANE = """
@wp.kernel
def joint(a: wp.array2d(dtype=int), b: wp.array2d(dtype=int), bins: wp.array2d(dtype=int)):
    y, x = wp.tid()
    wp.atomic_add(bins, a[y, x], b[y, x], 1)


LAUNCH = {"joint": {"sizes": {"rows": "n // 64 + 2", "cols": "100"}, "dims": ["rows", "cols"], "parameters": {
    "a": {"shape": ["rows", "cols"], "values": {"integers": [0, 16]}},
    "b": {"shape": ["rows", "cols"], "values": {"integers": [0, 16]}},
    "bins": {"role": "inout", "shape": [16, 16], "values": {"constant": 0}},
}}}
"""


def test_a_block_has_several_rows_for_its_bins(tmp_path: Path) -> None:
    text = text_of(tmp_path, PLANE)
    assert "__shared__ int shared_bins[NUM_BINS];" in text
    loop = "for (uint32_t y = blockIdx.y * blockDim.y + threadIdx.y; y < uint32_t(rows);\n             "
    assert f"    if (x < cols) {{\n        {loop}y += gridDim.y * blockDim.y) {{" in text
    device = device_of(tmp_path, PLANE)
    assert [(axis.dims, axis.filled, axis.elements) for axis in device.grid.axes] == [
        ((1,), False, 1),
        ((0,), True, 4),
    ]


def test_blocks_of_two_dimensions_stride_over_more_bins_than_threads(tmp_path: Path) -> None:
    text = text_of(tmp_path, PLANE.replace("[16, 16]", "[16, 20]"))
    assert "for (int bin = thread_in_block; bin < NUM_BINS; bin += blockDim.x * blockDim.y)" in text


def test_a_block_has_bins_beside_a_total(tmp_path: Path) -> None:
    source = KERNEL.format(body=f"{ADD}\n    wp.atomic_add(totals, 0, b[i])", element="int")
    source = source.replace("size: int", "totals: wp.array(dtype=int)")
    described = DESCRIBED.format(equality="bits", shape="256").replace(
        '"size": {"values": {"size": "eight"}}',
        '"totals": {"role": "inout", "shape": [1], "values": {"constant": 0}}',
    )
    device = device_of(tmp_path, source + described)
    assert "shared_bins[a[i]]" in device.kernel and "thread_total += b[i];" in device.kernel
    assert [(axis.filled, axis.elements) for axis in device.grid.axes] == [(True, 4)]


OWN = {
    "bins[a[i], i] += 1": True,
    "bins[i, a[i]] += 2\nbins[i, 0] -= bins[i, 1]": True,
    "bins[a[i], i] += 1\nb[i] = bins[0, i]": True,
    "bins[a[i], i] += 1\nbins[i, 0] += 1": False,
    "bins[a[i], i] += 1\nb[i] = bins[0, a[i]]": False,
    "bins[a[i], a[i]] += 1": False,
}


@pytest.mark.parametrize(("body", "own"), OWN.items())
def test_a_thread_needs_no_atomic_in_a_row_or_column_of_its_own(tmp_path: Path, body: str, own: bool) -> None:
    source = KERNEL.format(body=body.replace("\n", "\n    "), element="int")
    source = source.replace("bins: wp.array(", "bins: wp.array2d(")
    text = text_of(tmp_path, source + DESCRIBED.format(equality="bits", shape='"n", "n"'))
    assert ("atomicAdd" not in text) == own


KEPT = {
    "nobody said how large the array is": (ADD, "int", "", "8"),
    "a caller says how large it is": (ADD, "int", "bits", '"eight"'),
    "it grows with the launch": (ADD, "int", "bits", '"n"'),
    "it has too many bins for a block": (ADD, "int", "bits", '"large"'),
    "the order of floats is that of Warp": (ADD, "float", "bits", "8"),
    "the old value is used": ("b[i] = wp.atomic_add(bins, a[i], 1)", "int", "bits", "8"),
    "the array is read elsewhere": (f"b[i] = bins[2]\n{ADD}", "int", "bits", "8"),
    "the largest and a sum are kept": (f"wp.atomic_max(bins, a[i], b[i])\n{ADD}", "int", "bits", "8"),
    "the largest may meet a NaN": ("wp.atomic_max(bins, a[i], b[i])", "float", "", "8"),
    "one element is a total": ("wp.atomic_add(bins, 3, b[i])", "int", "bits", "8"),
    "a loop is left by a return": (
        f"for k in range(5):\n    if a[i] == k:\n        return\n    {ADD}",
        "int",
        "bits",
        "8",
    ),
}


@pytest.mark.parametrize(("body", "element", "equality", "shape"), KEPT.values(), ids=KEPT)
def test_threads_add_in_global_memory(
    tmp_path: Path, body: str, element: str, equality: str, shape: str
) -> None:
    text = kernel(tmp_path, body, element, equality, shape)
    assert "shared_bins" not in text
    assert "atomic" in text


def test_sums_of_several_arrays_have_names_of_their_own(tmp_path: Path) -> None:
    source = KERNEL.format(body=ADD + "\n    wp.atomic_add(weights, a[i], b[i])", element="float")
    source = source.replace("size: int", "weights: wp.array(dtype=float)")
    described = DESCRIBED.format(equality="bounded", shape="8")
    size, weights = '"size": {"values": {"size": "eight"}}', '"weights": {"role": "out", "shape": [8]}'
    described = described.replace(size, weights)
    text = text_of(tmp_path, source + described)
    assert "float shared_bins_total = 0.0f;" in text and "float shared_weights_total = 0.0f;" in text
