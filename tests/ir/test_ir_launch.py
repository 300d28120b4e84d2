"""LAUNCH is checked against the kernel; what it says stands."""

from pathlib import Path
from typing import Any

from ir_of import PLAIN, record_of

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
