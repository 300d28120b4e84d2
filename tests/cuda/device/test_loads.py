"""What a thread's loops read again and again of its own element is loaded once."""

from pathlib import Path

import pytest
from translated import text_of

KERNEL = """
@wp.kernel
def nearest(points: wp.array(dtype=wp.vec3), corners: wp.array(dtype=wp.vec3), sums: wp.array(dtype=float)):
    i = wp.tid()
    BODY


LAUNCH = {"nearest": {"sizes": {"corners": "n // 2 + 3"}, "dims": ["n"], "parameters": {
    "points": {"role": "ROLE", "shape": ["EXTENT"], "values": {"uniform": [0.0, 1.0]}},
    "corners": {"shape": ["corners"], "values": {"uniform": [0.0, 1.0]}},
    "sums": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
}}}
"""
LOOP = "for k in range(corners.shape[0]):\n        "
ADD = "sums[i] += wp.length(points[i] - corners[k])"


def text(folder: Path, body: str, role: str = "in", extent: str = "n") -> str:
    source = KERNEL.replace("BODY", body).replace("ROLE", role).replace("EXTENT", extent)
    return text_of(folder, source)


def test_an_element_has_the_name_of_one(tmp_path: Path) -> None:
    found = text(tmp_path, LOOP + ADD)
    assert found.index("const float3 point = inside ? points[i] : ") < found.index("for (int k")
    assert "length(point - shared_corners[k - start])" in found


@pytest.mark.parametrize(
    ("body", "role", "extent"),
    [
        (LOOP + ADD + "\n        points[i] *= 2.0", "inout", "n"),
        ("if i < 3:\n        sums[i] = points[i][0]\n    " + LOOP + ADD, "in", "n // 2 + 1"),
        ("point = 2.0\n    " + LOOP + ADD + " * point", "in", "n"),
        ("sums[i] = points[i][0]", "in", "n"),
        ("rows = points\n    " + LOOP + ADD.replace("points", "rows"), "in", "n"),
    ],
    ids=["what is written", "what may not be there", "a name that is taken", "no loop", "a view"],
)
def test_an_element_is_loaded_where_it_is_read(tmp_path: Path, body: str, role: str, extent: str) -> None:
    assert "const float3 point = " not in text(tmp_path, body, role, extent)
