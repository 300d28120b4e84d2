"""Laws of rows in any order: what is joined, what is apart, and how floats find their partners."""

import dataclasses
import itertools
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from weft.inputs import packed_dtype
from weft.launch import Launch, parse_launch
from weft.reference.rows import Rows, groups_of, rows_of
from weft.reference.store import NO_MARGIN, Packed, expect
from weft.runs.unordered import Column, misplaced
from weft.types import parse_type

FLOAT = parse_type("float32")
INT = parse_type("int32")
KEYS = [3, 1, 3, 0]
VALUES = [0.5, 0.25, 0.75, 1.0]


def packed(values: npt.ArrayLike, kind: str = "float32") -> Packed:
    found = np.asarray(values)
    result = np.zeros(found.size, packed_dtype(parse_type(kind), {}))
    result["c0"] = found.reshape(-1)
    return result


def launch(arrays: Mapping[str, object], shapes: Mapping[str, object], **known: object) -> Launch:
    parameters = {name: {"role": "out", "shape": shape} for name, shape in shapes.items()}
    written = {"dims": ["n"], "parameters": parameters, "equality": "permutation"}
    return parse_launch(written | {"slots": [{"arrays": arrays, **known}]}, "k")


def rows(
    described: Launch, n: int, after: Mapping[str, Packed], before: Mapping[str, Packed] | None = None
) -> Rows:
    (group,) = groups_of(described, [])
    return rows_of(described, group, n, before or {}, after)


PAIR = launch({"keys": {"axis": 0}, "values": {"axis": 0}}, {"keys": ["n"], "values": ["n"]})


def pairs(order: list[int], values: npt.ArrayLike = VALUES, near: bool = False) -> int | None:
    """The element of the first row that is missing where rows come in an order, with other values."""
    wanted = {"keys": packed(KEYS, "int32"), "values": packed(VALUES)}
    got = {"keys": wanted["keys"][order], "values": packed(values)}
    columns = {
        name: Column(expect(wanted[name], None, 0, 0), got[name], kind, near)
        for name, kind in (("keys", INT), ("values", FLOAT))
    }
    found = misplaced(rows(PAIR, 4, wanted), columns, {})
    return None if found is None else found[1].element


@given(st.permutations(range(4)))
def test_rows_may_come_in_any_order(order: list[int]) -> None:
    for near in (False, True):
        assert pairs(order, [VALUES[place] for place in order], near) is None


def test_a_row_of_two_others_is_none() -> None:
    for near in (False, True):
        assert pairs([0, 1, 2, 3], [0.5, 0.75, 0.25, 1.0], near) in (1, 2)


def test_a_row_that_the_reference_lacks_is_found() -> None:
    wanted = {"keys": packed(KEYS, "int32"), "values": packed(VALUES)}
    for near, value in itertools.product((False, True), (0.5, 7.0)):
        got = {"keys": packed([0, 3, 3, 1], "int32"), "values": packed([1.0, 0.75, value, 0.25])}
        got["keys"][2] = 3 if value == 7.0 else 2
        columns = {
            name: Column(expect(wanted[name], None, 0, 0), got[name], kind, near)
            for name, kind in (("keys", INT), ("values", FLOAT))
        }
        found = misplaced(rows(PAIR, 4, wanted), columns, {})
        assert found is not None and (found[1].element, found[1].stored) == (0, (2, None))


def test_floats_within_their_bounds_are_found_where_they_are_sorted_otherwise() -> None:
    changed = np.float32(VALUES) * np.float32(1 + 1e-6)
    assert pairs([0, 1, 2, 3], changed, near=True) is None
    assert pairs([0, 1, 2, 3], changed) == 0
    # By their first floats the rows of one side go 9, 1, those of the other 1, 9.
    near = 1 + 1e-6
    assert two_floats([1.0, near], [9.0, 1.0], [1.0, near], [1.0, 9.0]) is None
    assert two_floats([1.0, near, 1.0], [9.0, 1.0, 1.0], [1.0, near, 1.0], [1.0, 9.0, 9.0]) is not None


def test_a_row_gives_its_partner_to_one_that_has_no_other() -> None:
    # In the order of the first floats, (0, 0) is paired with (0, 0.4), all that (0.1, 0.8) is near.
    assert two_floats([0.0, 0.1], [0.0, 0.8], [0.0, 0.1], [0.4, 0.0], within=-1) is None
    assert two_floats([0.0, 0.1], [0.0, 0.8], [0.0, 0.1], [0.1, 0.0], within=-1) == 1


def two_floats(*sides: list[float], within: int = NO_MARGIN) -> int | None:
    """The missing row of two arrays of floats, of the reference and of a program."""
    wanted = {name: packed(side) for name, side in zip(("keys", "values"), sides, strict=False)}
    got = {name: packed(side) for name, side in zip(("keys", "values"), sides[2:], strict=True)}
    columns = {}
    for name, one in wanted.items():
        expected = expect(one, None, 0, 0)
        if within != NO_MARGIN:
            margin = np.full((len(one), 1), within - 3, np.int16)
            expected = dataclasses.replace(expected, margin=margin)
        columns[name] = Column(expected, got[name], FLOAT, True)
    found = misplaced(rows(PAIR, len(sides[0]), wanted), columns, {})
    return None if found is None else found[1].element


def test_strides_columns_and_arrays_of_other_lengths_make_one_row() -> None:
    arrays = {"one": {"axis": 0}, "two": {"axis": 0, "stride": 2}, "rows": {"axis": 1}}
    described = launch(arrays, {"one": ["n"], "two": ["2 * n + 1"], "rows": [3, "n + 2"]})
    found = rows(described, 2, {})
    assert found.places["one"].tolist() == [[0], [1], [-1], [-1]]
    assert found.places["two"].tolist() == [[0, 1], [2, 3], [4, -1], [-1, -1]]
    assert found.places["rows"].tolist() == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]


def test_lists_are_apart() -> None:
    arrays = {"a": {"axis": 1, "apart": [0]}, "b": {"axis": 0, "length": "n"}}
    found = rows(launch(arrays, {"a": [2, "n"], "b": ["2 * n"]}), 3, {})
    assert found.places["a"].tolist() == found.places["b"].tolist() == [[0], [1], [2], [3], [4], [5]]
    assert len(set(found.ranges[:3])) == len(set(found.ranges[3:])) == 1
    assert found.ranges[0] != found.ranges[3]


def test_what_was_handed_out_is_apart_from_what_was_not() -> None:
    described = launch(
        {"a": {"axis": 0}}, {"a": ["n"], "count": [2], "start": [2]}, counter="count", element=[0]
    )
    count = {"count": packed([3, 7], "int32")}
    assert rows(described, 5, count).ranges.tolist() == [0, 0, 0, 1, 1]
    before = {"count": packed([1, 7], "int32")}
    assert rows(described, 5, count, before).ranges.tolist() == [0, 1, 1, 2, 2]
    lists = launch(
        {"a": {"axis": 0}}, {"a": ["n"], "count": [2], "start": [2]},
        counter="count", element=[None], base="start",
    )  # fmt: skip
    before = {"count": packed([0, 0], "int32"), "start": packed([0, 4], "int32")}
    ends = {"count": packed([2, 2], "int32")}
    assert rows(lists, 8, ends, before).ranges.tolist() == [1, 1, 2, 2, 3, 3, 4, 4]


def test_a_hash_of_rows_is_the_same_in_every_order() -> None:
    arrays = {"keys": packed(KEYS, "int32"), "values": packed(VALUES)}
    found = rows(PAIR, 4, arrays)
    turned = {name: one[::-1] for name, one in arrays.items()}
    assert found.digest(turned) == found.digest(arrays)
    assert found.digest({**arrays, "keys": arrays["keys"][::-1]}) != found.digest(arrays)


def test_of_large_arrays_the_hash_of_their_rows_decides() -> None:
    wanted = {"keys": packed(np.arange(12_000), "int32"), "values": packed(np.arange(12_000))}
    found = rows(PAIR, 12_000, wanted)
    digest = found.digest(wanted)
    for values, is_right in ((wanted["values"], False), (wanted["values"][::-1], True)):
        columns = {
            name: Column(
                dataclasses.replace(expect(wanted[name], None, 0, 0), rows_sha256=digest), got, kind, False
            )
            for name, got, kind in (("keys", wanted["keys"][::-1], INT), ("values", values, FLOAT))
        }
        assert (misplaced(found, columns, {}) is None) == is_right
