"""Which arrays belong together where atomics hand out their places."""

from pathlib import Path
from typing import Any

import pytest
from ir_of import FLOATS, ir_of, record_of

TAKE = "@wp.func\ndef take(c: Ints, k: int):\n    return wp.atomic_add(c, k, 1)\n"
ONE = "i = wp.tid()\ns = wp.atomic_add(c, 0, 1)\n"
BY_BUCKET = "i = wp.tid()\ns = wp.atomic_add(c, b[i], 1)\n"
PARAMETERS = "x: Floats, b: Ints, c: Ints, n: int, u: Ints, v: Floats, w: wp.array2d(dtype=float), e: Edges"

Slots = list[dict[str, Any]]


def slots(folder: Path, body: str) -> Slots:
    """The groups of a kernel with these statements, less what is so by default."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    record = record_of(
        folder, f"{FLOATS}Edges = wp.array(dtype=wp.vec2i)\n{TAKE}\n@wp.kernel\ndef k({PARAMETERS}):\n{lines}"
    )
    assert record["launch"]["equality"] == "permutation"
    return list(record["launch"].get("slots", []))


def together(*names: str, **known: Any) -> dict[str, Any]:
    return {"arrays": {name: {"axis": 0} for name in names}, "counter": "c", "element": [0]} | known


def alone(name: str) -> dict[str, Any]:
    return {"arrays": {name: {"axis": None}}}


@pytest.mark.parametrize(
    "body",
    [
        ONE + "u[s] = i\nv[s] = x[i]",
        ONE + "if s < n:\n    u[s] = i\n    v[s] = x[i]",
        ONE + "if s >= n:\n    return\nu[s] = i\nv[s] = x[i]",
        "i = wp.tid()\nif x[i] > 0.5:\n    s = take(c, 0)\n    u[s] = i\n    v[s] = x[i]",
        ONE + "u[s] = i\nif x[i] > 0.5:\n    v[s] = x[i]",
        "i = wp.tid()\nfor j in range(3):\n    s = wp.atomic_add(c, 0, 1)\n    u[s] = i\n    v[s] = float(j)",
    ],
)
def test_what_is_stored_at_one_slot_belongs_together(tmp_path: Path, body: str) -> None:
    assert slots(tmp_path, body) == [together("u", "v")]


def test_a_slot_may_have_several_elements_and_rows(tmp_path: Path) -> None:
    body = ONE + "v[2 * s] = x[i]\nv[s * 2 + 1] = -x[i]\nfor j in range(4):\n    w[s, j] = x[i]\nu[s] = i"
    arrays = {"u": {"axis": 0}, "v": {"axis": 0, "stride": 2}, "w": {"axis": 0}}
    assert slots(tmp_path, body) == [together(arrays=arrays)]
    body = ONE + "for j in range(3):\n    v[3 * s + j] = x[i]\n    u[s] = i"
    arrays = {"u": {"axis": 0}, "v": {"axis": 0, "stride": 3}}
    assert slots(tmp_path, body) == [together(arrays=arrays)]


def test_slots_of_several_elements_need_no_array_of_one(tmp_path: Path) -> None:
    body = ONE + "at = 3 * s\nv[at] = x[i]\nv[at + 1] = -x[i]\nv[at + 2] = 0.5 * x[i]"
    assert slots(tmp_path, body) == [together(arrays={"v": {"axis": 0, "stride": 3}})]


def test_buckets_are_apart(tmp_path: Path) -> None:
    of_buckets = {"counter": "c", "element": [None]}
    body = BY_BUCKET + "w[b[i], s] = x[i]"
    assert slots(tmp_path, body) == [{"arrays": {"w": {"axis": 1, "apart": [0]}}, **of_buckets}]
    body = BY_BUCKET + "at = b[i] * 32 + s\nu[at] = i\nv[at] = x[i]"
    arrays = {name: {"axis": 0, "length": 32} for name in "uv"}
    assert slots(tmp_path, body) == [{"arrays": arrays, **of_buckets}]
    body = BY_BUCKET + "u[s] = i"
    assert slots(tmp_path, body) == [together("u", **of_buckets)]


def test_slots_may_be_counted_from_where_a_list_begins(tmp_path: Path) -> None:
    text = """
    Ints = wp.array(dtype=int)

    @wp.kernel
    def k(b: Ints, start: Ints, c: Ints, out: Ints):
        i = wp.tid()
        k = b[i]
        out[start[k] + wp.atomic_add(c, k, 1)] = i

    LAUNCH = {"k": {"dims": ["n"], "equality": "permutation", "parameters": {
        "b": {"shape": ["n"], "values": {"integers": [0, 2]}},
        "start": {"shape": [2], "values": {"list": [0, "n"]}},
        "c": {"role": "inout", "shape": [2], "values": {"constant": 0}},
        "out": {"role": "out", "shape": ["2 * n"]},
    }}}
    """
    found = record_of(tmp_path, text)["launch"]["slots"]
    assert found == [together("out", element=[None], base="start")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ONE + "u[s] = s\nv[s] = x[i]", [alone("u"), together("v")]),
        (ONE + "t = int(0)\nif s < 9:\n    t = 1\nu[s] = t\nv[s] = x[i]", [alone("u"), together("v")]),
        (ONE + "if s < 9:\n    u[s] = i\nv[s] = x[i]", [together("u"), together("v")]),
        (ONE + "u[s] = i\nu[0] = 1\nv[s] = x[i]", [alone("u"), together("v")]),
        (ONE + "u[i] = s\nv[s] = x[i]", [alone("u"), together("v")]),
        (ONE + "u[s] = i\nt = wp.atomic_add(c, 1, 1)\nv[t] = x[i]",
         [together("u"), together("v", element=[1])]),
        (ONE + "c[0] = 5\nu[s] = i", [alone("c"), {"arrays": {"u": {"axis": 0}}}]),
        (ONE + "u[wp.min(s, 9)] = i\nv[s] = x[i]", [alone("u"), together("v")]),
        (BY_BUCKET + "w[i, s] = x[i]", [alone("w")]),
        ("i = wp.tid()\ns = wp.atomic_add(c, e[i][0], 1)\nw[e[i][1], s] = x[i]", [alone("w")]),
    ],
)  # fmt: skip
def test_nothing_is_claimed_of_what_the_order_decides_otherwise(
    tmp_path: Path, body: str, expected: Slots
) -> None:
    assert slots(tmp_path, body) == expected


def test_what_has_places_of_its_own_keeps_them(tmp_path: Path) -> None:
    assert slots(tmp_path, ONE + "u[s] = i\nv[i] = x[i]\nwp.atomic_add(w, 0, 0, x[i])") == [together("u")]


def test_a_program_of_several_launches(tmp_path: Path) -> None:
    text = """
    Ints = wp.array(dtype=int)
    Floats = wp.array(dtype=float)

    @wp.kernel
    def fill(x: Floats, c: Ints, ids: Ints):
        i = wp.tid()
        ids[wp.atomic_add(c, 0, 1)] = i

    @wp.kernel
    def gather(x: Floats, ids: Ints, y: Floats, z: Floats):
        i = wp.tid()
        y[i] = x[ids[i]]
        z[i] = x[i]

    LAUNCH = {"sorted": {
        "steps": [
            {"zero": "c"},
            {"kernel": "fill", "dims": ["n"]},
            {"kernel": "gather", "dims": ["n"]},
        ],
        "equality": "permutation",
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "c": {"role": "out", "shape": [1]},
            "ids": {"role": "out", "shape": ["n"]},
            "y": {"role": "out", "shape": ["n"]},
            "z": {"role": "out", "shape": ["n"]},
        },
    }}
    """
    records = ir_of(tmp_path, text)["records"]
    (launch,) = [one["launch"] for one in records if one["kernel_name"] == "sorted"]
    assert launch["slots"] == [together("ids"), alone("y")]
