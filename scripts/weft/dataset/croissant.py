"""The dataset's description for machines: Croissant 1.1, in JSON-LD."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mlcroissant as mlc
import pyarrow as pa

from weft.dataset.checksums import digest
from weft.dataset.reading import data_files
from weft.dataset.schema import CONFIGS, SCHEMAS
from weft.files import write_json

_TYPES = {"string": mlc.DataType.TEXT, "int64": mlc.DataType.INTEGER, "double": mlc.DataType.FLOAT}


def write_croissant(folder: Path, citation: Mapping[str, Any]) -> None:
    """Write `croissant.json` of the dataset whose `data` is in `folder`: its files, and the columns of each
    config. `citation` is Weft's.
    """
    files = data_files(folder)
    configs = list(dict.fromkeys(config for config in SCHEMAS for name, _ in files if name == config))
    metadata = mlc.Metadata(
        ctx=mlc.Context(conforms_to=["http://mlcommons.org/croissant/1.1"]),
        name="weft",
        description=citation["abstract"],
        license=[f"https://spdx.org/licenses/{citation['license']}"],
        cite_as=citation["title"],
        version=citation["version"],
        distribution=[
            *(_file(folder, path) for paths in files.values() for path in paths),
            *(_files_of(config) for config in configs),
        ],
        record_sets=[_records(config) for config in configs],
    )
    write_json(folder / "croissant.json", metadata.to_json())


def _file(folder: Path, path: Path) -> mlc.FileObject:
    name = str(path.relative_to(folder))
    return mlc.FileObject(
        id=name,
        name=name,
        content_url=name,
        content_size=f"{path.stat().st_size} B",
        encoding_formats=[mlc.EncodingFormat.PARQUET],
        sha256=digest(path),
    )


def _files_of(config: str) -> mlc.FileSet:
    return mlc.FileSet(
        id=f"{config}-files",
        name=f"{config}-files",
        encoding_formats=[mlc.EncodingFormat.PARQUET],
        includes=[f"data/{config}/*.parquet"],
    )


def _records(config: str) -> mlc.RecordSet:
    fields = [_field(config, one, []) for one in SCHEMAS[config]]
    return mlc.RecordSet(id=config, name=config, description=CONFIGS[config], fields=fields)


def _field(config: str, field: pa.Field, parents: list[str]) -> mlc.Field:
    """A column, or a part of one: `parents` are the column and the parts around it."""
    path = [*parents, field.name]
    type = field.type
    shape = {}
    if pa.types.is_list(type):
        type = type.value_type
        shape = {"is_array": True, "array_shape": "-1"}
    name = "/".join([config, *path])
    if pa.types.is_struct(type):
        return mlc.Field(id=name, name=name, sub_fields=[_field(config, one, path) for one in type], **shape)
    source = mlc.Source(
        file_set=f"{config}-files",
        extract=mlc.Extract(column=path[0]),
        transforms=[mlc.Transform(json_path=step) for step in path[1:]],
    )
    return mlc.Field(id=name, name=name, data_types=[_TYPES[str(type)]], source=source, **shape)
