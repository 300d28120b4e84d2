"""LAUNCH is checked against the kernel; what it says stands."""

from pathlib import Path
from typing import Any

import pytest
from ir_of import PLAIN, record_of, reject_of

SCALE = """
@wp.kernel
def scale(x: wp.array2d(dtype=float), out: wp.array(dtype=float), factor: float):
    i = wp.tid()
    out[i] = x[i, 0] * factor
"""
GOOD: dict[str, Any] = {
    "sizes": {"width": "rows // 3 + 1", "rows": "n + 1"},
    "dims": ["rows"],
    "parameters": {
        "x": {"shape": ["rows", "width"], "values": {"uniform": [-1, 1]}},
        "out": {"role": "out", "shape": ["rows"]},
        "factor": {"values": {"constant": 2}},
    },
}


def parameter(name: str, **changes: Any) -> dict[str, Any]:
    changed = GOOD["parameters"] | {name: GOOD["parameters"][name] | changes}
    return GOOD | {"parameters": changed}


def test_the_record_has_every_field(tmp_path: Path) -> None:
    record = record_of(tmp_path, SCALE + f"LAUNCH = {{'scale': {GOOD!r}}}\n")
    assert record["launch"] == {
        "sizes": {"rows": "n + 1", "width": "rows // 3 + 1"},
        "dims": ["rows"],
        "equality": "bits",
        "block_dim": None,
        "difficulty": None,
        "inferred": [],
        "inferred_dims": False,
        "steps": [],
        "tiled": True,
        "parameters": {
            "x": PLAIN | {"role": "in", "shape": ["rows", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "out": PLAIN | {"role": "out", "shape": ["rows"], "values": None},
            "factor": PLAIN | {"role": "in", "shape": [], "values": {"constant": 2}},
        },
    }
    assert record["launch_problem"] is None


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        (GOOD | {"dims": []}, ".dims: expected one to four size expressions, got []"),
        (GOOD | {"dims": ["rows - 5"]}, ".dims: 'rows - 5' is -3 for n = 1; must be positive"),
        (GOOD | {"sizes": {"rows": "n - 1"}}, "size 'rows' = 'n - 1' is 0 for n = 1"),
        (GOOD | {"sizes": {"rows": "width", "width": "rows"}}, "'rows' uses 'width', which is not a size"),
        (GOOD | {"size": {}}, "unknown key 'size' (allowed: sizes, dims, parameters, equality, "),
        (
            GOOD | {"parameters": GOOD["parameters"] | {"y": {}}},
            "no parameter 'y' (the kernel has x, out, factor)",
        ),
        (parameter("x", shape=["rows"]), ".x.shape: expected 2 sizes for array<float32,2>, got ['rows']"),
        (parameter("x", shape=["rows", "n - 1"]), ".x.shape: (2, 0) for n = 1; must be positive"),
        (parameter("x", values=None), ".x.values: missing"),
        (
            parameter("x", values={"integers": ["n", "rows - 1"]}),
            "integers in [1, 1) for n = 1: an empty range",
        ),
        (parameter("x", values={"gauss": [0, 1]}), "unknown recipe 'gauss' (allowed: uniform, integers"),
        (
            parameter("x", values={"offsets": [3, 3]}),
            "'offsets' describes a list of integers, not array<float32,2>",
        ),
        (parameter("x", values={"offsets": [3]}), "'offsets' takes [stride, range], got [3]"),
        (parameter("x", values={"members": {}}), "recipe 'members' describes a struct, not float32"),
        (parameter("factor", role="out", values=None), "float32 is passed by value"),
        ([], "expected a mapping, got []"),
    ],
)
def test_a_mistake_in_launch_is_a_reject_that_points_there(tmp_path: Path, launch: Any, message: str) -> None:
    reject = reject_of(tmp_path, SCALE + f"LAUNCH = {{\n    'scale': {launch!r},\n}}\n")
    assert reject["reason"] == "bad_launch"
    assert message in reject["message"]
    assert reject["source_line"].startswith("    'scale': ")
    assert (reject["file"], reject["column"]) == (str(tmp_path / "kernels.py"), 5)


def test_too_few_dims_for_tid(tmp_path: Path) -> None:
    text = SCALE.replace("i = wp.tid()", "i, j = wp.tid()") + f"LAUNCH = {{'scale': {GOOD!r}}}\n"
    assert "wp.tid() for 2 indices, got 1 dims" in reject_of(tmp_path, text)["message"]


def test_what_the_user_says_stands_and_the_rest_follows(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.kernel
        def k(x: wp.array(dtype=float), w: int, y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
            i, j = wp.tid()
            out[i, j] = x[i * w + j] + x[y[i]]
        LAUNCH = {"k": {
            "sizes": {"w": "5"},
            "dims": ["n", "w"],
            "parameters": {
                "x": {"shape": ["n * w"], "values": {"constant": 1}},
                "w": {"values": {"size": "w"}},
            },
        }}
        """,
    )
    parameters = record["launch"]["parameters"]
    assert parameters["x"]["values"] == {"constant": 1}
    assert parameters["y"]["shape"] == ["n"]
    assert parameters["y"]["values"] == {"integers": [0, "n * w"]}
    assert parameters["out"]["shape"] == ["n", "w"]
    assert record["launch"]["inferred"] == ["out", "y"]
    assert record["launch"]["inferred_dims"] is False
