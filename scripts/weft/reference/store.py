"""The reference file: expected outputs of a shard's samples, written and read with NumPy alone.

docs/formats/reference.md defines the layout.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.errors import UserError
from weft.files import canonical_json, damaged, write_atomically
from weft.inputs import draw_bits, packed_dtype
from weft.launch import Launch, parse_launch
from weft.reference.cases import LARGE, Case
from weft.types import Array, Structs, Type, component_scalars, packed_bytes, parse_type

SCHEMA = 10
KEPT_BYTES = 16384
"""Arrays of more bytes, judged bit for bit, are stored as a hash and some elements."""
SAMPLED = 256
"""Elements kept of an array of more than LARGE; of others that are not kept whole at least LEAST_SAMPLED, and
as many up to here as take SAMPLE_BYTES."""
LEAST_SAMPLED = 64
SAMPLE_BYTES = 8192
_BORDERS = (0, 1, 31, 32, 255, 256)
"""Elements, from either end, that are kept always: there mistakes of bounds, warps and blocks show."""

NO_MARGIN = -32768
"""The exponent of a margin that is 0."""

Packed = npt.NDArray[Any]
"""Packed elements, flat: the structured type of weft.inputs.packed_dtype."""


@dataclasses.dataclass(frozen=True)
class Expected:
    """What one array parameter holds after the launch of one case.

    Either `value` (uint8 [elements, packed bytes per element]) and, for `out` arrays, `written`
    (bool [elements, components per element]); or, for large arrays, `sha256` of all packed bytes, and
    `sample_index` (int64 [kept]) with `sample_value` (uint8 [kept, packed bytes]). Of those with at most
    LARGE elements also `zero_sha256`, which it would be had zeros filled the array before, and, for `out`
    arrays, `sample_written` (bool [kept, components]).
    Every NaN in them is the canonical one (see `canonical`). `margin` is there where
    the kernel has a float64 twin: exponents, int16 [elements, or kept, components] (weft.reference.rounding).
    `rows_sha256` is the same in every order of the elements (weft.reference.rows): of large arrays whose
    elements may come in any.
    """

    value: npt.NDArray[np.uint8] | None = None
    written: npt.NDArray[np.bool_] | None = None
    sha256: bytes | None = None
    sample_index: npt.NDArray[np.int64] | None = None
    sample_value: npt.NDArray[np.uint8] | None = None
    margin: npt.NDArray[np.int16] | None = None
    zero_sha256: bytes | None = None
    sample_written: npt.NDArray[np.bool_] | None = None
    rows_sha256: bytes | None = None


@dataclasses.dataclass(frozen=True)
class Sample:
    """One sample: what is needed to run it again, and `expected[case number][parameter]`.

    The signature has leaves (weft.leaves), and `expected` knows parameters by these names. `no_twin` is null
    where margins are known; `unstable` says what makes results depend on rounding, null if nothing does.
    """

    sample_id: str
    kernel_name: str
    index: int
    structs_json: Sequence[Mapping[str, Any]]
    signature: Sequence[tuple[str, Type]]
    launch: Launch
    cases: tuple[Case, ...]
    expected: Sequence[Mapping[str, Expected]]
    no_twin: str | None = "exact"
    unstable: str | None = None

    def only(self, cases: Sequence[int]) -> Sample:
        """The sample with these of its cases, by their numbers."""
        return dataclasses.replace(
            self,
            cases=tuple(self.cases[number] for number in cases),
            expected=[self.expected[number] for number in cases],
        )

    @functools.cached_property
    def structs(self) -> Structs:
        """Fields of each struct, by its name."""
        return parse_structs(self.structs_json)

    @functools.cached_property
    def shapes(self) -> Mapping[int, Mapping[str, tuple[int, ...]]]:
        """The shapes in memory of all array parameters, by the base size of a case and by name."""
        arrays = [name for name, kind in self.signature if isinstance(kind, Array)]
        return {
            size: {name: self.launch.storage_shape(name, size) for name in arrays}
            for size in {case.size for case in self.cases}
        }

    @property
    def outputs(self) -> list[tuple[int, str, Array, str]]:
        """Position, name, type and role of every array that the kernel may write."""
        return [
            (position, name, kind, self.launch.parameters[name].role)
            for position, (name, kind) in enumerate(self.signature)
            if isinstance(kind, Array) and self.launch.parameters[name].role != "in"
        ]


@dataclasses.dataclass(frozen=True)
class Reference:
    """A whole reference file."""

    category: str
    seed: int
    versions: Mapping[str, Any]
    samples: Sequence[Sample]
    rejects: Sequence[Mapping[str, Any]]


def parse_structs(structs: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[str, Type]]]:
    """Struct fields by struct name, from their form in an IR record or a reference manifest."""
    return {
        one["name"]: [(field["name"], parse_type(field["type"])) for field in one["fields"]]
        for one in structs
    }


def as_bytes(packed: Packed) -> npt.NDArray[np.uint8]:
    """The bytes of packed elements: uint8 [elements, packed bytes per element]."""
    flat = np.ascontiguousarray(packed)
    return flat.view(np.uint8).reshape(len(flat), flat.dtype.itemsize)


def canonical(packed: Packed) -> Packed:
    """`packed`, or if NaNs are in it, a copy in which each is the positive quiet one without payload."""
    result = packed
    for name in packed.dtype.names or ():
        if bfloat16.is_float(packed.dtype[name]):
            where = np.isnan(bfloat16.as_floats(packed[name]))
            if where.any():
                result = packed.copy() if result is packed else result
                nan = bfloat16.NAN_BITS if bfloat16.is_bfloat16(packed.dtype[name]) else np.nan
                result[name][where] = nan
    return result


def margin_values(exponents: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """The margins that binary exponents stand for; NO_MARGIN stands for 0."""
    values: npt.NDArray[np.float64] = np.ldexp(1.0, exponents.astype(np.int32))
    return np.where(exponents == NO_MARGIN, 0.0, values)


def sample_indices(elements: int, element_bytes: int, seed: int, position: int) -> npt.NDArray[np.int64]:
    """The elements kept of a large array: _BORDERS from either end, and drawn ones."""
    count = SAMPLED
    if elements <= LARGE:
        count = max(LEAST_SAMPLED, min(SAMPLED, SAMPLE_BYTES // element_bytes))
    near = [one for one in _BORDERS if one < elements]
    borders = np.array(sorted({*near, *(elements - 1 - one for one in near)}), dtype=np.int64)
    bits = draw_bits(seed, position, np.arange(count - len(borders), dtype=np.uint64))
    return np.concatenate([borders, bits.astype(np.int64) % elements])


def expect(packed: Packed, written: npt.NDArray[np.bool_] | None, seed: int, position: int) -> Expected:
    """What is kept of an array after the launch (`written` is None for `inout`).

    `seed` is the case's input seed and `position` the parameter's place in the signature.
    """
    packed = canonical(packed)
    if len(packed) <= LARGE:
        return Expected(value=as_bytes(packed), written=written)
    index = sample_indices(len(packed), packed.dtype.itemsize, seed, position)
    digest = hashlib.sha256(packed.tobytes()).digest()
    return Expected(sha256=digest, sample_index=index, sample_value=as_bytes(packed[index]))


def shortened(
    one: Expected, element: Type, structs: Structs, equality: str, seed: int, position: int
) -> Expected:
    """The expectation as a file keeps it: an array judged by `bits` of more than KEPT_BYTES without `value`.

    `seed` is the case's input seed and `position` the parameter's place in the signature.
    """
    if one.value is None:
        return one
    elements, element_bytes = one.value.shape
    if _is_whole(elements, element_bytes, equality):
        return one
    index = sample_indices(elements, element_bytes, seed, position)
    digest = hashlib.sha256(one.value.tobytes()).digest()
    return Expected(
        sha256=digest,
        zero_sha256=hashlib.sha256(refilled(one.value, one.written, element, structs, 0).tobytes()).digest(),
        sample_index=index,
        sample_value=one.value[index],
        sample_written=None if one.written is None else one.written[index],
        margin=None if one.margin is None else one.margin[index],
    )


def _is_whole(elements: int, element_bytes: int, equality: str) -> bool:
    """Whether a file keeps all elements of an array: where nothing but they can tell, or they are small."""
    return elements <= LARGE and (equality != "bits" or elements * element_bytes <= KEPT_BYTES)


def refilled(
    value: npt.NDArray[np.uint8],
    written: npt.NDArray[np.bool_] | None,
    element: Type,
    structs: Structs,
    fill: int,
) -> npt.NDArray[np.uint8]:
    """Stored elements with the byte `fill` in the components that are not written (None: all are)."""
    if written is None or written.all():
        return value
    packed = packed_elements(value, element, structs).copy()
    for number, name in enumerate(packed.dtype.names or ()):
        other = np.full(packed.dtype[name].itemsize, fill, dtype=np.uint8).view(packed.dtype[name])[0]
        packed[name][~written[:, number]] = other
    return as_bytes(packed)


def write(path: Path, reference: Reference) -> None:
    """Write a reference file; equal content has equal bytes."""
    entries: dict[str, npt.NDArray[Any]] = {"manifest": _manifest(reference)}
    for sample in reference.samples:
        structs, equality = sample.structs, sample.launch.equality
        for position, name, kind, _ in sample.outputs:
            expected = [
                shortened(one[name], kind.element, structs, equality, case.seed, position)
                for case, one in zip(sample.cases, sample.expected, strict=True)
            ]
            entries |= {f"{sample.sample_id}/{name}/{what}": one for what, one in _entries(expected)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for key in sorted(entries):
            info = zipfile.ZipInfo(f"{key}.npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w") as entry:
                np.lib.format.write_array(entry, entries[key], allow_pickle=False)
    write_atomically(path, buffer.getvalue())


def _entries(expected: Sequence[Expected]) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """What a file holds of one parameter: each entry has all cases that have such a thing, in their order."""
    for what in ("value", "sample_value"):
        parts = [part for one in expected if (part := getattr(one, what)) is not None]
        if parts:
            yield what, np.concatenate(parts)
    for what in ("written", "sample_written"):
        parts = [part.reshape(-1) for one in expected if (part := getattr(one, what)) is not None]
        if parts:
            yield what, np.packbits(np.concatenate(parts))
    for what in ("sha256", "zero_sha256", "rows_sha256"):
        digests = [digest for one in expected if (digest := getattr(one, what)) is not None]
        if digests:
            yield what, np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, 32)
    margins = [one.margin.reshape(-1) for one in expected if one.margin is not None]
    if margins:
        yield "margin", np.concatenate(margins)


def _manifest(reference: Reference) -> npt.NDArray[np.uint8]:
    content = {
        "schema": SCHEMA,
        "category": reference.category,
        "seed": reference.seed,
        "versions": reference.versions,
        "samples": [
            {
                "sample_id": sample.sample_id,
                "index": sample.index,
                "kernel_name": sample.kernel_name,
                "equality": sample.launch.equality,
                "structs": list(sample.structs_json),
                "signature": [{"name": name, "type": str(kind)} for name, kind in sample.signature],
                "launch": sample.launch.to_json(),
                "cases": [dataclasses.asdict(case) for case in sample.cases],
                "no_twin": sample.no_twin,
                "unstable": sample.unstable,
            }
            for sample in reference.samples
        ],
        "rejects": list(reference.rejects),
    }
    return np.frombuffer(canonical_json(content).encode(), dtype=np.uint8)


def read(path: Path) -> Reference:
    """Read a reference file. Raises UserError if it cannot be read, is none, or is of another schema."""
    with _opened(path) as archive:
        manifest = json.loads(archive["manifest"].tobytes())
        if manifest["schema"] != SCHEMA:
            raise UserError(
                f"{path}: reference schema {manifest['schema']}, expected {SCHEMA}: rebuild this file"
            )
        samples = [_read_sample(one, archive) for one in manifest["samples"]]
    return Reference(
        manifest["category"], manifest["seed"], manifest["versions"], samples, manifest["rejects"]
    )


def read_manifest(path: Path) -> Any:
    """The manifest of a reference file alone. Raises UserError as `read` does."""
    with _opened(path) as archive:
        return json.loads(archive["manifest"].tobytes())


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Mapping[str, npt.NDArray[Any]]]:
    """The entries of a reference file, while what reads them may fail. Raises UserError."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            yield archive
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise damaged(path, f"it is not a reference file ({error})") from error


def _read_sample(manifest: Mapping[str, Any], archive: Mapping[str, npt.NDArray[Any]]) -> Sample:
    sample = Sample(
        sample_id=manifest["sample_id"],
        kernel_name=manifest["kernel_name"],
        index=manifest["index"],
        structs_json=manifest["structs"],
        signature=[(one["name"], parse_type(one["type"])) for one in manifest["signature"]],
        launch=parse_launch(manifest["launch"], manifest["sample_id"]),
        cases=tuple(Case(one["size"], one["seed"]) for one in manifest["cases"]),
        expected=[],
        no_twin=manifest["no_twin"],
        unstable=manifest["unstable"],
    )
    per_parameter = {
        name: _read_parameter(sample, position, name, kind, role, archive)
        for position, name, kind, role in sample.outputs
    }
    expected = [
        {name: per_case[number] for name, per_case in per_parameter.items()}
        for number in range(len(sample.cases))
    ]
    return dataclasses.replace(sample, expected=expected)


def _read_parameter(
    sample: Sample,
    position: int,
    name: str,
    type: Array,
    role: str,
    archive: Mapping[str, npt.NDArray[Any]],
) -> list[Expected]:
    """One parameter's expectations, case by case, out of the entries that hold all its cases."""
    entries = _Entries(archive, f"{sample.sample_id}/{name}")
    components = sum(1 for _ in component_scalars(type.element, sample.structs))
    width = packed_bytes(type.element, sample.structs)
    result = []
    for case in sample.cases:
        count = math.prod(sample.launch.storage_shape(name, case.size))
        kept = count
        if _is_whole(count, width, sample.launch.equality):
            written = entries.bits("written", count, components) if role == "out" else None
            one = Expected(value=entries.rows("value", count), written=written)
        else:
            index = sample_indices(count, width, case.seed, position)
            kept = len(index)
            one = Expected(
                sha256=entries.rows("sha256", 1).tobytes(),
                sample_index=index,
                sample_value=entries.rows("sample_value", kept),
            )
            if count <= LARGE:
                known = entries.bits("sample_written", kept, components) if role == "out" else None
                zero = entries.rows("zero_sha256", 1).tobytes()
                one = dataclasses.replace(one, zero_sha256=zero, sample_written=known)
            elif sample.launch.equality_of(name) == "permutation":
                one = dataclasses.replace(one, rows_sha256=entries.rows("rows_sha256", 1).tobytes())
        if sample.no_twin is None:
            margin = entries.rows("margin", kept * components).reshape(kept, components)
            one = dataclasses.replace(one, margin=margin)
        result.append(one)
    return result


class _Entries:
    """The entries of one parameter, read on from where the last case ended."""

    def __init__(self, archive: Mapping[str, npt.NDArray[Any]], key: str) -> None:
        self._archive = archive
        self._key = key
        self._entries: dict[str, npt.NDArray[Any]] = {}
        self._read: dict[str, int] = {}

    def rows(self, what: str, count: int) -> npt.NDArray[Any]:
        """The next `count` rows of an entry."""
        if what not in self._entries:
            self._entries[what] = self._archive[f"{self._key}/{what}"]
        return self._next(what, count)

    def bits(self, what: str, elements: int, components: int) -> npt.NDArray[np.bool_]:
        """The next packed booleans of an entry: [elements, components]."""
        if what not in self._entries:
            self._entries[what] = np.unpackbits(self._archive[f"{self._key}/{what}"]).astype(np.bool_)
        return self._next(what, elements * components).reshape(elements, components)

    def _next(self, what: str, count: int) -> npt.NDArray[Any]:
        start = self._read.get(what, 0)
        self._read[what] = start + count
        part = self._entries[what][start : start + count]
        if len(part) < count:
            raise ValueError(f"{self._key}/{what} is too short")
        return part


def packed_elements(value: npt.NDArray[np.uint8], element: Type, structs: Structs) -> Packed:
    """Stored bytes (uint8 [elements, packed bytes]) as packed elements."""
    dtype = packed_dtype(element, structs)
    return np.ascontiguousarray(value).reshape(-1).view(dtype)
