"""What a thread reads several times is loaded once, and has the name of one of several."""

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
    ("body", "load", "use"),
    [
        ("sums[i] = points[i][0] * points[i][1]", "point = points[i]", "point.x * point.y"),
        ("j = i // 2\n    sums[i] = points[j][0] * points[j][1]", "point = points[j]", "point.x * point.y"),
        (
            "for k in range(i):\n        sums[i] += points[k][0] * points[k][2]",
            "point = points[k]",
            "point.x * point.z",
        ),
        ("p = points[i]\n    sums[i] = p[0] * points[i][1]", "p = points[i]", "p.x * p.y"),
        (
            "point = 2.0\n    sums[i] = points[i][0] * points[i][1] * point",
            "point_i = points[i]",
            "point_i.x * point_i.y",
        ),
    ],
    ids=["its own", "another", "in a loop", "what has a name", "a name that is taken"],
)
def test_an_element_of_which_parts_are_read(tmp_path: Path, body: str, load: str, use: str) -> None:
    found = text(tmp_path, body)
    assert f"const float3 {load};" in found and use in found


@pytest.mark.parametrize(
    ("body", "role", "extent"),
    [
        (LOOP + ADD + "\n        points[i] *= 2.0", "inout", "n"),
        ("if i < 3:\n        sums[i] = points[i][0]\n    " + LOOP + ADD, "in", "n // 2 + 1"),
        ("sums[i] = points[i][0]", "in", "n"),
        ("if sums[i] > 0.0 and points[i][0] > 0.0:\n        sums[i] = points[i][1]", "in", "n"),
        ("sums[i] = points[i // 2][0] - points[i // 2][1] * points[i // 3][2]", "in", "n"),
        ("j = i // 2\n    sums[i] = points[j][0]\n    j = i // 3\n    sums[i] += points[j][0]", "in", "n"),
        ("sums[i] = points[0][0] * points[0][1]", "in", "n"),
        ("rows = points\n    " + LOOP + ADD.replace("points", "rows"), "in", "n"),
    ],
    ids=[
        "what is written",
        "what may not be there",
        "what is read once",
        "what may not be read at all",
        "one of several places",
        "a place that changes",
        "an element that is not one of several",
        "a view",
    ],
)
def test_an_element_is_loaded_where_it_is_read(tmp_path: Path, body: str, role: str, extent: str) -> None:
    assert "const float3 point = " not in text(tmp_path, body, role, extent)


GRID = """
@wp.kernel
def smooth(
    psi: wp.array2d(dtype=float),
    plates: wp.array2d(dtype=float),
    solid: wp.array3d(dtype=float),
    sums: wp.array2d(dtype=float),
):
    i, j = wp.tid()
    north = wp.max(i - 1, 0)
    w = wp.max(j - 1, 0)
    BODY


LAUNCH = {"smooth": {"sizes": {"rows": "n", "cols": "n + 20"}, "dims": ["rows", "cols"], "parameters": {
    "psi": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
    "plates": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
    "solid": {"shape": ["rows", "cols", "rows"], "values": {"uniform": [0.0, 1.0]}},
    "sums": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
}}}
"""


@pytest.mark.parametrize(
    ("body", "loads"),
    [
        ("sums[i, j] = solid[i, w, 0] * solid[i, w, north] * solid[i, w, north]", {"solid_w_north"}),
        ("sums[i, j] = psi[north, j] * psi[north, j] + psi[i, w]", {"psi_north"}),
        ("sums[i, j] = psi[north, w] * psi[north, w] - psi[i, j] * psi[i, j]", {"psi_north_w", "psi_ij"}),
        ("sums[i, j] = psi[w, w] * psi[w, w] - psi[i, w] * psi[i, w]", {"psi_ww", "psi_w"}),
        ("sums[i, j] = plates[i, j] * plates[i, j] + plates[north, w]", {"plate"}),
        ("sums[i, j] = psi[north, w] * psi[north, w]; p = psi[north, w]; sums[i, j] *= p", {"p"}),
        ("sums[i, j] = psi[i - 1, j] * psi[i - 1, j] + psi[i, w]", set()),
    ],
    ids=[
        "more dimensions",
        "a neighbor",
        "a corner",
        "single letters",
        "one of several",
        "a name of its own",
        "no coordinate",
    ],
)
def test_an_element_of_a_grid_is_called_after_its_coordinates(
    tmp_path: Path, body: str, loads: set[str]
) -> None:
    found = text_of(tmp_path, GRID.replace("BODY", body))
    assert {line.split()[2] for line in found.splitlines() if line.startswith("    const float ")} == loads


def test_the_thread_s_own_vector_is_loaded_once_until_it_is_stored(tmp_path: Path) -> None:
    found = text(tmp_path, "h = points[i][0] * points[i][1]\n    points[i] = wp.vec3(h, h, h)", "inout")
    assert "const float3 point = points[i];" in found and "point.x * point.y" in found
    assert "points[i] = make_float3(" in found


@pytest.mark.parametrize(
    "body",
    [
        "points[i] *= 0.5\n    sums[i] = points[i][0] * points[i][1]",
        "sums[i] = points[i][0] * points[i][1]\n    points[i + 1] = wp.vec3()",
        "wp.atomic_add(points, i, wp.vec3(1.0))\n    sums[i] = points[i][0] * points[i][1]",
        "for k in range(2):\n        sums[i] += points[i][0] * points[i][1]\n        points[i] *= 0.5",
    ],
    ids=["stored before", "another element", "added to before", "stored in a loop"],
)
def test_a_vector_that_changes_is_loaded_anew(tmp_path: Path, body: str) -> None:
    found = text(tmp_path, body, "inout")
    assert "points[i].x" in found and "points[i].y" in found
