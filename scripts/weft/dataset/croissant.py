"""The dataset's description for machines: Croissant 1.1, in JSON-LD."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from weft.dataset.checksums import digest
from weft.dataset.reading import data_files
from weft.dataset.schema import CONFIGS, SCHEMAS
from weft.files import write_json

_TERMS = """
    citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes
    isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
    samplingRate separator source subField transform
""".split()
_CONTEXT: dict[str, Any] = {term: f"cr:{term}" for term in _TERMS} | {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}
"""That of the specification: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html"""
_PARQUET = "application/x-parquet"
_TYPES = {"string": "sc:Text", "int64": "sc:Integer", "double": "sc:Float"}


def write_croissant(folder: Path, citation: Mapping[str, Any]) -> None:
    """Write `croissant.json` of the dataset whose `data` is in `folder`: its files, and the columns of each
    config. `citation` is Weft's.

    mlcroissant would import pandas to write it; a test reads it with mlcroissant.
    """
    files = data_files(folder)
    configs = list(dict.fromkeys(config for config in SCHEMAS for name, _ in files if name == config))
    metadata = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": "weft",
        "description": citation["abstract"],
        "license": f"https://spdx.org/licenses/{citation['license']}",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "citeAs": citation["title"],
        "version": citation["version"],
        "distribution": [
            *(_file(folder, path) for paths in files.values() for path in paths),
            *(_files_of(config) for config in configs),
        ],
        "recordSet": [_records(config) for config in configs],
    }
    write_json(folder / "croissant.json", metadata)


def _node(kind: str, name: str, **properties: Any) -> dict[str, Any]:
    return {"@id": name, "@type": f"cr:{kind}", "name": name, **properties}


def _file(folder: Path, path: Path) -> dict[str, Any]:
    name = str(path.relative_to(folder))
    size = f"{path.stat().st_size} B"
    return _node(
        "FileObject", name, contentUrl=name, contentSize=size, encodingFormat=_PARQUET, sha256=digest(path)
    )


def _files_of(config: str) -> dict[str, Any]:
    return _node("FileSet", f"{config}-files", encodingFormat=_PARQUET, includes=f"data/{config}/*.parquet")


def _records(config: str) -> dict[str, Any]:
    fields = [_field(config, one, []) for one in SCHEMAS[config]]
    return _node("RecordSet", config, description=CONFIGS[config], field=fields)


def _field(config: str, field: pa.Field, parents: list[str]) -> dict[str, Any]:
    """A column, or a part of one: `parents` are the column and the parts around it."""
    path = [*parents, field.name]
    type = field.type
    shape: dict[str, Any] = {}
    if pa.types.is_list(type):
        type = type.value_type
        shape = {"cr:isArray": True, "cr:arrayShape": "-1"}
    name = "/".join([config, *path])
    if pa.types.is_struct(type):
        return _node("Field", name, subField=[_field(config, one, path) for one in type], **shape)
    source: dict[str, Any] = {"fileSet": {"@id": f"{config}-files"}, "extract": {"column": path[0]}}
    steps = [{"jsonPath": step} for step in path[1:]]
    if steps:
        source["transform"] = steps if len(steps) > 1 else steps[0]
    return _node("Field", name, dataType=_TYPES[str(type)], source=source, **shape)
