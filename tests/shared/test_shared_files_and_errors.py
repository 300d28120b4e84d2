"""Artifacts appear whole or not at all; equal values have equal bytes; rejects say all that they must."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import KernelError, Place, UserError, reject
from weft.files import canonical_json, read_json, sample_id, write_atomically, write_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_equal_values_have_equal_json(value: dict[str, object]) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical_json(value) == canonical_json(backwards)
    assert canonical_json(value).endswith("\n")


def test_json_survives_a_file(tmp_path: Path) -> None:
    value = {"ä": [1, 2.5, None, True], "a": {}}
    write_json(tmp_path / "below" / "x.json", value)
    assert read_json(tmp_path / "below" / "x.json") == value


def test_nan_is_no_json() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"x": float("nan")})


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    write_atomically(path, "old")

    def refuse(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(UserError, match=r"x\.txt cannot be written: disk full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["x.txt"]


def test_sample_ids_keep_their_order_when_sorted() -> None:
    assert sample_id("vector", 0, 3) == "vector-0000-0003"
    assert sample_id("vector", 0, 9) < sample_id("vector", 0, 10)


def test_a_place_points_at_its_column() -> None:
    text = str(Place("heat.py", 3, 5, "x = y / z"))
    assert text.splitlines() == ["heat.py:3:5", "    x = y / z", "        ^"]


def test_a_reject_says_who_where_and_why() -> None:
    sample = {
        "sample_id": "a-0000-0001",
        "category": "a",
        "seed": 0,
        "index": 1,
        "kernel_name": "k",
        "more": 1,
    }
    place = Place("heat.py", 3, 5, "x = y / z")
    got = reject(sample, "ir", KernelError("unsupported", "no division", place))
    assert got == {
        "sample_id": "a-0000-0001",
        "category": "a",
        "seed": 0,
        "index": 1,
        "kernel_name": "k",
        "stage": "ir",
        "reason": "unsupported",
        "message": "no division",
        "file": "heat.py",
        "line": 3,
        "column": 5,
        "source_line": "x = y / z",
    }
    nowhere = reject(sample, "ir", KernelError("timeout", "too long"))
    assert [nowhere[key] for key in ("file", "line", "column", "source_line")] == [None] * 4
