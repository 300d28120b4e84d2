"""The reference file: expected outputs of a shard's samples, written and read with NumPy alone.

docs/formats.md, section "reference", defines the layout.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.errors import UserError
from weft.files import canonical_json, write_atomically
from weft.inputs import draw_bits, packed_dtype
from weft.launch import Launch, parse_launch
from weft.reference.cases import LARGE, Case
from weft.types import Array, Structs, Type, component_scalars, parse_type

SCHEMA = 3
SAMPLED = 256
"""Elements kept of an array of more than LARGE."""

NO_MARGIN = -32768
"""The exponent of a margin that is 0."""

Packed = npt.NDArray[Any]
"""Packed elements, flat: the structured type of weft.inputs.packed_dtype."""


@dataclasses.dataclass(frozen=True)
class Expected:
    """What one array parameter holds after the launch of one case.

    Either `value` (uint8 [elements, packed bytes per element]) and, for `out` arrays, `written`
    (bool [elements, components per element]); or, for arrays of more than LARGE elements, `sha256` of all
    packed bytes, and `sample_index` (int64 [256]) with `sample_value` (uint8 [256, packed bytes]).
    Every NaN in them is the canonical one (see `canonical`). `margin` is there where
    the kernel has a float64 twin: exponents, int16 [elements, or 256, components] (weft.reference.rounding).
    """

    value: npt.NDArray[np.uint8] | None = None
    written: npt.NDArray[np.bool_] | None = None
    sha256: bytes | None = None
    sample_index: npt.NDArray[np.int64] | None = None
    sample_value: npt.NDArray[np.uint8] | None = None
    margin: npt.NDArray[np.int16] | None = None


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

    @property
    def structs(self) -> Structs:
        """Fields of each struct, by its name."""
        return parse_structs(self.structs_json)

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


def sample_indices(elements: int, seed: int, position: int) -> npt.NDArray[np.int64]:
    """The elements kept of a large array: bits(seed, position, i) % elements for i = 0 … 255."""
    bits = draw_bits(seed, position, np.arange(SAMPLED, dtype=np.uint64))
    return bits.astype(np.int64) % elements


def expect(packed: Packed, written: npt.NDArray[np.bool_] | None, seed: int, position: int) -> Expected:
    """What is kept of an array after the launch (`written` is None for `inout`).

    `seed` is the case's input seed and `position` the parameter's place in the signature.
    """
    packed = canonical(packed)
    if len(packed) <= LARGE:
        return Expected(value=as_bytes(packed), written=written)
    index = sample_indices(len(packed), seed, position)
    digest = hashlib.sha256(packed.tobytes()).digest()
    return Expected(sha256=digest, sample_index=index, sample_value=as_bytes(packed[index]))


def write(path: Path, reference: Reference) -> None:
    """Write a reference file; equal content has equal bytes."""
    entries: dict[str, npt.NDArray[Any]] = {"manifest": _manifest(reference)}
    for sample in reference.samples:
        for _, name, _, _ in sample.outputs:
            expected = [case[name] for case in sample.expected]
            key = f"{sample.sample_id}/{name}"
            small = [one.value for one in expected if one.value is not None]
            if small:
                entries[f"{key}/value"] = np.concatenate(small)
            written = [one.written.reshape(-1) for one in expected if one.written is not None]
            if written:
                entries[f"{key}/written"] = np.packbits(np.concatenate(written))
            margins = [one.margin.reshape(-1) for one in expected if one.margin is not None]
            if margins:
                entries[f"{key}/margin"] = np.concatenate(margins)
            large = [one for one in expected if one.sha256 is not None]
            if large:
                digests = b"".join(one.sha256 or b"" for one in large)
                entries[f"{key}/sha256"] = np.frombuffer(digests, dtype=np.uint8).reshape(-1, 32)
                entries[f"{key}/sample_index"] = np.stack(
                    [one.sample_index for one in large if one.sample_index is not None]
                )
                entries[f"{key}/sample_value"] = np.stack(
                    [one.sample_value for one in large if one.sample_value is not None]
                )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for key in sorted(entries):
            info = zipfile.ZipInfo(f"{key}.npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if key == "manifest" else zipfile.ZIP_DEFLATED
            with archive.open(info, "w") as entry:
                np.lib.format.write_array(entry, entries[key], allow_pickle=False)
    write_atomically(path, buffer.getvalue())


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
    try:
        with np.load(path, allow_pickle=False) as archive:
            manifest = json.loads(archive["manifest"].tobytes())
            if manifest["schema"] != SCHEMA:
                raise UserError(
                    f"{path}: reference schema {manifest['schema']}, expected {SCHEMA}: rebuild this file"
                )
            samples = [_read_sample(one, archive) for one in manifest["samples"]]
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise UserError(f"{path} is not a reference file: {error}") from error
    return Reference(
        manifest["category"], manifest["seed"], manifest["versions"], samples, manifest["rejects"]
    )


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
        name: _read_parameter(sample, name, kind, role, archive) for _, name, kind, role in sample.outputs
    }
    expected = [
        {name: per_case[number] for name, per_case in per_parameter.items()}
        for number in range(len(sample.cases))
    ]
    return dataclasses.replace(sample, expected=expected)


def _read_parameter(
    sample: Sample, name: str, type: Array, role: str, archive: Mapping[str, npt.NDArray[Any]]
) -> list[Expected]:
    """One parameter's expectations, case by case, out of the entries that hold all its cases."""
    key = f"{sample.sample_id}/{name}"
    components = sum(1 for _ in component_scalars(type.element, sample.structs))
    counts = [math.prod(sample.launch.storage_shape(name, case.size)) for case in sample.cases]
    small = sum(count for count in counts if count <= LARGE)
    if small:
        value = archive[f"{key}/value"]
        if role == "out":
            bits = np.unpackbits(archive[f"{key}/written"], count=small * components)
            written = bits.astype(np.bool_).reshape(small, components)
    if any(count > LARGE for count in counts):
        digests, index, kept = (
            archive[f"{key}/{what}"] for what in ("sha256", "sample_index", "sample_value")
        )
    result = []
    offset = large = 0
    for count in counts:
        if count <= LARGE:
            part = slice(offset, offset + count)
            result.append(Expected(value[part], written[part] if role == "out" else None))
            offset += count
        else:
            result.append(
                Expected(sha256=digests[large].tobytes(), sample_index=index[large], sample_value=kept[large])
            )
            large += 1
    if sample.no_twin is None:
        lengths = [count if count <= LARGE else SAMPLED for count in counts]
        margins = archive[f"{key}/margin"].reshape(-1, components)
        ends = np.cumsum(lengths)
        result = [
            dataclasses.replace(one, margin=margins[end - length : end])
            for one, length, end in zip(result, lengths, ends, strict=True)
        ]
    return result


def packed_elements(value: npt.NDArray[np.uint8], element: Type, structs: Structs) -> Packed:
    """Stored bytes (uint8 [elements, packed bytes]) as packed elements."""
    dtype = packed_dtype(element, structs)
    return np.ascontiguousarray(value).reshape(-1).view(dtype)
