"""Arguments beyond plain arrays: structs that hold arrays, None, strides, 16-bit floats, tiles."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from weft import bfloat16
from weft.inputs import draw_parameter
from weft.reference.layout import Packed
from weft.reference.store import Reference, Sample, packed_elements, read
from weft.types import Array

SCRIPTS = Path(__file__).parents[2] / "scripts"
KERNELS = """
import warp as wp


@wp.struct
class Grid:
    values: wp.array2d(dtype=float)
    shift: wp.vec2i
    on: bool


@wp.struct
class State:
    position: wp.array(dtype=wp.vec3)
    half: wp.float16
    grid: Grid
    weight: wp.array(dtype=float)


@wp.kernel
def holder(state: State, scale: float):
    i = wp.tid()
    p = state.position[i] * scale * float(state.half)
    if state.weight:
        p *= state.weight[i]
    if state.grid.on:
        state.grid.values[i, 0] = p[0] + float(state.grid.shift[0])
        state.grid.values[i, 2] = p[1] + float(state.grid.shift[1])


@wp.kernel
def strided(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float), extra: wp.array(dtype=float)):
    i, j = wp.tid()
    out[i, j] = x[i, j] + 0.5
    if extra:
        out[i, j] += extra[i]


@wp.kernel
def narrow(a: wp.array(dtype=wp.bfloat16), b: wp.bfloat16, h: wp.array(dtype=wp.float16), out: wp.array(
        dtype=wp.bfloat16)):
    i = wp.tid()
    out[i] = a[i] * b + wp.bfloat16(h[i])


@wp.kernel
def tiled(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=64, offset=i * 64)
    wp.tile_store(out, wp.tile_sum(t), offset=i)


@wp.kernel
def chatty(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    wp.printf("x is %f\\\\n", x[i])
    print(x[i])
    assert x[i] > 5.0
    out[i] = x[i] * 2.0


LAUNCH = {
    "holder": {
        "dims": ["n"],
        "parameters": {
            "state.position": {"shape": ["n"], "values": UNIT},
            "state.half": {"values": {"constant": 0.5}},
            "state.grid.values": {"role": "out", "shape": ["n", 3]},
            "state.grid.shift": {"values": {"integers": [3, 50]}},
            "state.grid.on": {"values": {"constant": 1}},
            "state.weight": {"null": True},
            "scale": {"values": {"constant": 2}},
        },
    },
    "strided": {
        "dims": [3, "n"],
        "parameters": {
            "x": {"shape": [3, "n"], "strides": [0, 2], "values": UNIT},
            "out": {"role": "out", "shape": [3, "n"], "strides": [1, 4]},
            "extra": {"null": True},
        },
    },
    "narrow": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": UNIT},
            "b": {"values": UNIT},
            "h": {"shape": ["n"], "values": UNIT},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "tiled": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["64 * n"], "values": UNIT},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "chatty": {
        "dims": ["n"],
        "parameters": {"x": {"shape": ["n"], "values": UNIT}, "out": {"role": "out", "shape": ["n"]}},
    },
}
"""


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    folder = tmp_path_factory.mktemp("leaves")
    source = KERNELS.replace("UNIT", '{"uniform": [0.0, 1.0]}')
    (folder / "k.py").write_text(source, encoding="utf-8")
    options = ["--sizes", "1", "9", "--seeds", "0", "1", "--timeout", "20"]
    for script, *arguments in (
        ("ir", "k.py", "-o", "k.json"),
        ("reference", "k.py", "k.json", "-o", "k.npz", *options),
    ):
        command = [sys.executable, "-P", SCRIPTS / f"{script}.py", *arguments]
        subprocess.run(command, check=True, cwd=folder, timeout=300, stdout=subprocess.DEVNULL)
    return read(folder / "k.npz")


LAST = 3


def case_of(reference: Reference, name: str) -> tuple[Sample, dict[str, Packed], dict[str, Packed]]:
    """A sample with its inputs and outputs in the last case, of size 9."""
    assert [(one["kernel_name"], one["message"]) for one in reference.rejects] == []
    sample = next(one for one in reference.samples if one.kernel_name == name)
    last = sample.cases[LAST]
    inputs = {
        leaf: draw_parameter(sample.launch, leaf, kind, p, size=9, seed=last.seed, structs=sample.structs)
        for p, (leaf, kind) in enumerate(sample.signature)
    }
    outputs = {}
    for leaf, expected in sample.expected[LAST].items():
        kind = dict(sample.signature)[leaf]
        assert isinstance(kind, Array) and expected.value is not None
        outputs[leaf] = packed_elements(expected.value, kind.element, sample.structs)
    return sample, inputs, outputs


def floats(packed: Packed) -> npt.NDArray[np.float32]:
    return packed.view(np.float32)


def test_structs_are_filled_leaf_by_leaf(reference: Reference) -> None:
    sample, inputs, outputs = case_of(reference, "holder")
    assert [name for name, _ in sample.signature] == [
        "state.position",
        "state.half",
        "state.grid.values",
        "state.grid.shift",
        "state.grid.on",
        "state.weight",
        "scale",
    ]
    position = floats(inputs["state.position"]).reshape(-1, 3)
    shift = inputs["state.grid.shift"].view(np.int32).astype(np.float32)
    values = floats(outputs["state.grid.values"]).reshape(-1, 3)
    assert np.array_equal(values[:, 0], position[:, 0] + shift[0])
    assert np.array_equal(values[:, 2], position[:, 1] + shift[1])
    written = sample.expected[LAST]["state.grid.values"].written
    assert written is not None
    assert written.reshape(-1, 3).all(axis=0).tolist() == [True, False, True]


def test_strided_arrays_are_stored_as_their_storage(reference: Reference) -> None:
    sample, inputs, outputs = case_of(reference, "strided")
    assert len(inputs["x"]) == 1 + 8 * 2
    assert len(outputs["out"]) == 1 + 2 * 1 + 8 * 4
    assert len(inputs["extra"]) == 0
    x = floats(inputs["x"])
    stored = floats(outputs["out"])
    written = sample.expected[LAST]["out"].written
    assert written is not None
    for i in range(3):
        for j in range(9):
            assert stored[i + 4 * j] == x[2 * j] + np.float32(0.5)
    assert [index for index in range(35) if not written[index]] == [3 + 4 * j for j in range(8)]


def test_bfloat16_rounds_to_nearest_even(reference: Reference) -> None:
    _, inputs, outputs = case_of(reference, "narrow")

    def wide(packed: Packed) -> npt.NDArray[np.float32]:
        column: npt.NDArray[np.float32] = bfloat16.as_floats(packed["c0"])
        return column

    def rounded(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return bfloat16.as_floats(bfloat16.to_bits(values))

    half = inputs["h"]["c0"].astype(np.float32)
    expected = rounded(rounded(wide(inputs["a"]) * wide(inputs["b"])) + rounded(half))
    assert np.array_equal(wide(outputs["out"]), expected)


def test_one_block_works_on_one_tile(reference: Reference) -> None:
    _, inputs, outputs = case_of(reference, "tiled")
    sums = floats(inputs["x"]).reshape(-1, 64).astype(np.float64).sum(axis=1)
    assert np.allclose(floats(outputs["out"]), sums, rtol=1e-6)


def test_what_kernels_print_or_assert_does_not_disturb(reference: Reference) -> None:
    _, inputs, outputs = case_of(reference, "chatty")
    assert np.array_equal(floats(outputs["out"]), 2 * floats(inputs["x"]))
