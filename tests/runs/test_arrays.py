"""Array files: what is written is read, and what is malformed is refused with what is wrong."""

import contextlib
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.errors import UserError
from weft.runs.arrays import PackedArray, TruncatedError, parse_arrays, read_arrays, write_arrays
from weft.types import packed_bytes, parse_type

STRUCTS = {"Spring": [("rest", parse_type("float32")), ("ends", parse_type("vec<2,int32>"))]}
TYPES = ["bool", "int8", "float16", "float64", "vec<3,float32>", "mat<2,3,float32>", "struct<Spring>"]


def array(name: str, type: str, shape: tuple[int, ...], seed: int = 0) -> PackedArray:
    element = parse_type(type)
    size = (int(np.prod(shape, dtype=int)), packed_bytes(element, STRUCTS))
    data = np.random.default_rng(seed).integers(0, 256, size, dtype=np.uint8)
    return PackedArray(name, element, shape, data)


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=8),
        st.tuples(st.sampled_from(TYPES), st.lists(st.integers(0, 4), max_size=4).map(tuple)),
        max_size=4,
    )
)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, content: dict) -> None:
    path = tmp_path_factory.getbasetemp() / "arrays"
    arrays = [array(name, kind, shape) for name, (kind, shape) in content.items()]
    write_arrays(path, arrays)
    read = read_arrays(path, STRUCTS)
    assert list(read) == [one.name for one in arrays]
    for one in arrays:
        assert (read[one.name].type, read[one.name].shape) == (one.type, one.shape)
        assert np.array_equal(read[one.name].elements, one.elements)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    write_arrays(tmp_path / "a", [array("u", "vec<3,float32>", (2, 2)), array("alpha", "float32", ())])
    return (tmp_path / "a").read_bytes()


def test_the_layout_is_the_documented_one(tmp_path: Path) -> None:
    write_arrays(tmp_path / "a", [PackedArray("n", parse_type("int32"), (2,), np.zeros((2, 4), np.uint8))])
    fields = [b"WEFTARR1", struct.pack("<I", 1), struct.pack("<I", 1), b"n", struct.pack("<I", 5), b"int32"]
    fields += [struct.pack("<I", 1), struct.pack("<Q", 2), struct.pack("<Q", 8), bytes(8)]
    assert (tmp_path / "a").read_bytes() == b"".join(fields)


@given(st.data())
def test_every_cut_is_noticed(data: st.DataObject) -> None:
    whole = b"WEFTARR1" + struct.pack("<I", 1) + struct.pack("<I", 1) + b"n" + struct.pack("<I", 5) + b"int32"
    whole += struct.pack("<IQQ", 1, 2, 8) + bytes(8)
    parse_arrays(whole, "whole", {})
    with pytest.raises(TruncatedError, match="cut: ends within"):
        parse_arrays(whole[: data.draw(st.integers(0, len(whole) - 1))], "cut", {})


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(noise: bytes) -> None:
    for content in (noise, b"WEFTARR1" + noise):
        with contextlib.suppress(UserError):
            parse_arrays(content, "noise", {})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"WEFTARR1", b"WEFTARR2", "does not begin with WEFTARR1"),
        (b"float32>", b"float33>", "unknown element type"),
        (struct.pack("<I", 5) + b"alpha", struct.pack("<I", 5) + b"\xff" * 5, "not UTF-8"),
        (struct.pack("<I", 5) + b"alpha", struct.pack("<I", 1) + b"u", "occurs twice"),
        (struct.pack("<IQQ", 2, 2, 2), struct.pack("<IQQ", 2, 2, 3), "bytes; \\(2, 3\\)"),
        (struct.pack("<IQQ", 2, 2, 2), struct.pack("<IQQ", 9, 2, 2), "9 dimensions; at most 4 are allowed"),
    ],
)
def test_what_is_malformed_is_said(content: bytes, old: bytes, new: bytes, message: str) -> None:
    assert content.count(old) == 1
    with pytest.raises(UserError, match=message):
        parse_arrays(content.replace(old, new), "file", STRUCTS)


def test_what_follows_the_last_array_is_refused(content: bytes) -> None:
    with pytest.raises(UserError, match="3 bytes follow the last array"):
        parse_arrays(content + b"abc", "file", STRUCTS)


def test_only_whole_regular_files_are_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with pytest.raises(UserError, match="not a regular file"):
        read_arrays(tmp_path / "link", STRUCTS)
    with pytest.raises(UserError, match="more than the 10 expected"):
        read_arrays(tmp_path / "a", STRUCTS, max_bytes=10)
    with pytest.raises(UserError, match="missing: No such file"):
        read_arrays(tmp_path / "missing", STRUCTS)
