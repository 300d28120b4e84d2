"""The reference file without Warp: what is written can be read, and equal content has equal bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from weft.errors import UserError
from weft.inputs import packed_dtype
from weft.launch import parse_launch
from weft.reference.cases import MAIN, Case, cases
from weft.reference.store import (
    KEPT_BYTES,
    Expected,
    Reference,
    Sample,
    canonical,
    expect,
    read,
    sample_indices,
    shortened,
    write,
)
from weft.types import parse_type

LAUNCH = {
    "dims": ["n"],
    "parameters": {
        "x": {"shape": ["n"], "values": {"uniform": [0, 1]}},
        "points": {"role": "out", "shape": ["n"]},
        "counts": {"role": "inout", "shape": ["n", "2"], "values": {"constant": 0}},
    },
}
SIGNATURE = [
    ("x", parse_type("array<float32,1>")),
    ("points", parse_type("array<vec<3,float32>,1>")),
    ("counts", parse_type("array<int32,2>")),
]


def a_sample() -> Sample:
    """Arrays below, around and above the size from which only samples are kept."""
    generator = np.random.default_rng(1)
    all_cases = cases([1, 31, 6000, 20000], [0, 1])
    expected = []
    for case in all_cases:
        points = generator.random((case.size, 3), dtype=np.float32).view(packed_dtype(VEC3, {})).reshape(-1)
        counts = generator.integers(0, 9, 2 * case.size, dtype=np.int32).view(packed_dtype(INT, {}))
        mask = generator.random((case.size, 3)) < 0.5
        expected.append(
            {"points": expect(points, mask, case.seed, 1), "counts": expect(counts, None, case.seed, 2)}
        )
    return Sample("t-0000-0003", "k", 3, [], SIGNATURE, parse_launch(LAUNCH, "t"), all_cases, expected)


VEC3 = parse_type("vec<3,float32>")
INT = parse_type("int32")


def equal(a: Expected, b: Expected) -> bool:
    def same(x: npt.NDArray[np.uint8] | None, y: npt.NDArray[np.uint8] | None) -> bool:
        return (x is None and y is None) or (x is not None and y is not None and np.array_equal(x, y))

    return (a.sha256, a.zero_sha256) == (b.sha256, b.zero_sha256) and all(
        same(getattr(a, name), getattr(b, name))
        for name in ("value", "written", "sample_index", "sample_value", "sample_written")
    )


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    sample = a_sample()
    rejects = [{"sample_id": "t-0000-0004", "reason": "timeout"}]
    write(tmp_path / "r.npz", Reference("t", 0, {"warp": "1"}, [sample], rejects))
    got = read(tmp_path / "r.npz")
    assert (got.category, got.seed, got.versions, got.rejects) == ("t", 0, {"warp": "1"}, rejects)
    one = got.samples[0]
    assert (one.sample_id, one.kernel_name, one.index) == ("t-0000-0003", "k", 3)
    assert (one.signature, one.launch, one.cases) == (SIGNATURE, sample.launch, sample.cases)
    for case, before, after in zip(sample.cases, sample.expected, one.expected, strict=True):
        assert equal(shortened(before["points"], VEC3, {}, "bits", case.seed, 1), after["points"])
        assert equal(shortened(before["counts"], INT, {}, "bits", case.seed, 2), after["counts"])


def test_what_no_hash_can_judge_is_kept_whole(tmp_path: Path) -> None:
    sample = a_sample()
    bounded = dataclasses.replace(sample, launch=parse_launch(LAUNCH | {"equality": "bounded"}, "t"))
    for one in (sample, bounded):
        write(tmp_path / "r.npz", Reference("t", 0, {}, [one], []))
        case = [case.size for case in one.cases].index(6000)
        points = read(tmp_path / "r.npz").samples[0].expected[case]["points"]
        assert (points.value is not None) == (one is bounded)


def test_a_large_array_is_known_for_either_poison() -> None:
    values = np.arange(1, KEPT_BYTES, dtype=np.int32)
    mask = values % 3 == 0
    poisoned = np.where(mask, values, np.int32(-0x34343435))
    one = expect(poisoned.view(packed_dtype(INT, {})), mask[:, None], 5, 1)
    assert one.sha256 is not None  # more than LARGE elements: one poison only
    assert one.zero_sha256 is None
    values, mask, poisoned = values[:5000], mask[:5000], poisoned[:5000]
    one = expect(poisoned.view(packed_dtype(INT, {})), mask[:, None], 5, 1)
    kept = shortened(one, INT, {}, "bits", 5, 1)
    assert kept.value is None
    assert kept.sha256 == hashlib.sha256(poisoned.tobytes()).digest()
    assert kept.zero_sha256 == hashlib.sha256(np.where(mask, values, 0).tobytes()).digest()
    assert kept.sample_written is not None
    assert kept.sample_index is not None
    assert (kept.sample_written[:, 0] == mask[kept.sample_index]).all()


def test_the_ends_of_a_large_array_are_among_the_elements_kept() -> None:
    for elements, element_bytes in ((65537, 4), (4097, 4), (300, 64), (20, 4096), (2, 9000)):
        index = sample_indices(elements, element_bytes, 3, 1)
        assert {0, 1, elements - 2, elements - 1} <= set(index.tolist()) <= set(range(elements))
        assert len(index) >= 64
    assert {31, 32, 255, 256} <= set(sample_indices(4097, 4, 3, 1).tolist())


def test_large_arrays_keep_a_hash_and_small_ones_do_not() -> None:
    by_case = dict(zip(a_sample().cases, a_sample().expected, strict=True))
    assert by_case[Case(6000, 5)]["points"].value is not None
    assert by_case[Case(6000, 5)]["counts"].value is None
    assert by_case[Case(20000, 6)]["points"].sha256 is not None


def test_equal_content_has_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        write(tmp_path / name, Reference("t", 0, {}, [a_sample()], []))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_every_nan_is_stored_as_the_same_one() -> None:
    odd = np.array([0x7FC00001, 0xFFC00000, 0x7F800000, 0x3F800000], dtype=np.uint32)
    packed = odd.view(packed_dtype(parse_type("float32"), {}))
    assert canonical(packed).view(np.uint32).tolist() == [0x7FC00000, 0x7FC00000, 0x7F800000, 0x3F800000]
    assert packed.view(np.uint32).tolist() == odd.tolist()


def test_each_size_has_seeds_of_its_own_and_a_large_one_has_one() -> None:
    assert cases([1, 10_000, 10_001], [5, 6]) == (
        Case(1, 5),
        Case(1, 6),
        Case(10_000, 12),
        Case(10_000, 13),
        Case(10_001, 19),
        MAIN,
    )


def test_the_case_of_a_programs_own_main_is_there_once() -> None:
    assert (MAIN.size, MAIN.seed) == (1000, 1)
    assert cases([1000], [1, 6]) == (MAIN, Case(1000, 6))
    assert cases([1, 2000], [0]) == (Case(1, 0), Case(2000, 1), MAIN)
    assert cases([1, 999], [0]) == (Case(1, 0), Case(999, 1))


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.npz"
    path.write_bytes(b"no archive")
    with pytest.raises(UserError, match="not a reference file"):
        read(path)
    manifest = np.frombuffer(json.dumps({"schema": 999}).encode(), dtype=np.uint8)
    np.savez(path, manifest=manifest)
    with pytest.raises(UserError, match="schema 999, expected 10"):
        read(path)


def test_reading_needs_no_warp() -> None:
    code = "import sys, weft.reference.store; sys.exit('warp' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code]).returncode == 0
