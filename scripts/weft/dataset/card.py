"""The dataset's card, citation and licences, with figures that are read from its files."""

from __future__ import annotations

import collections
import importlib.resources
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import pyarrow.parquet as pq
import yaml

from weft.dataset.origin import GENERATED_LICENSE
from weft.dataset.reading import data_files, read_rows
from weft.dataset.schema import CONFIGS, SCHEMAS, features
from weft.dataset.tokens import lengths
from weft.files import write_atomically
from weft.stats.tree import Plan

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
_ORDER = ("train", "validation", "test")


def write_card(
    folder: Path,
    summary: Mapping[str, Any],
    left_out: Mapping[str, int],
    plan: Plan,
    repository: Path,
    contamination: Mapping[str, Any] | None,
) -> None:
    """Write README.md, CITATION.cff, LICENSE and NOTICE of the dataset whose `data` is in `folder`.

    `summary` is the build's `summary.json`; `left_out` counts its verified samples that are not here;
    `contamination` is the content of `decontamination.json`.
    """
    splits = _splits(folder)
    categories, licenses, concepts = _described(folder)
    rows = {config: sum(one["num_examples"] for one in splits.get(config, [])) for config in SCHEMAS}
    header = {
        "license": _license(licenses),
        "pretty_name": "Weft: verified pairs of Warp Python and CUDA",
        "language": ["en"],
        "size_categories": [next((name for size, name in _SIZES.items() if rows["default"] < size), "n>1M")],
        "task_categories": ["text-generation"],
        "tags": ["code", "cuda", "gpu", "warp", "code-translation"],
        "configs": [_config(name, of_config) for name, of_config in splits.items()],
        "dataset_info": [_info(folder, name, of_config) for name, of_config in splits.items()],
    }
    names = [one["name"] for one in splits.get("default", [])]
    text = _template("README.md.j2").render(
        header=yaml.safe_dump(header, sort_keys=False, allow_unicode=True),
        split_names=names,
        counts={
            config: {one["name"]: one["num_examples"] for one in of_config}
            for config, of_config in splits.items()
        },
        configs=CONFIGS,
        rows=rows,
        lengths=lengths(folder),
        contamination=contamination,
        total=summary["total"],
        rejects=summary["rejects"],
        left_out=dict(sorted(left_out.items())),
        mutation=summary["mutation"],
        versions=summary["versions"],
        categories=categories,
        licenses=licenses,
        concepts=concepts,
        plan=plan,
        citation=citation(repository),
    )
    write_atomically(folder / "README.md", text)
    cited = (repository / "CITATION.cff").read_text(encoding="utf-8")
    write_atomically(folder / "CITATION.cff", cited.replace("type: software", "type: dataset"))
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(repository / name, folder / name)


def citation(repository: Path) -> dict[str, Any]:
    """Weft's citation: its title, version, licence, address."""
    content: dict[str, Any] = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))
    return content


def _splits(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """For each config, in the order of the schemas, its splits with their sizes."""
    found: dict[str, list[dict[str, Any]]] = {}
    files = data_files(folder)
    for config in SCHEMAS:
        names = sorted((split for name, split in files if name == config), key=_place)
        for split in names:
            metadata = [pq.read_metadata(path) for path in files[config, split]]
            groups = [one.row_group(number) for one in metadata for number in range(one.num_row_groups)]
            size = sum(group.total_byte_size for group in groups)
            examples = sum(one.num_rows for one in metadata)
            found.setdefault(config, []).append({"name": split, "num_bytes": size, "num_examples": examples})
    return found


def _place(split: str) -> tuple[int, str]:
    return (_ORDER.index(split) if split in _ORDER else len(_ORDER), split)


def _config(name: str, splits: list[dict[str, Any]]) -> dict[str, Any]:
    files = [{"split": one["name"], "path": f"data/{name}/{one['name']}-*.parquet"} for one in splits]
    return {"config_name": name, "data_files": files, **({"default": True} if name == "default" else {})}


def _info(folder: Path, name: str, splits: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "config_name": name,
        "features": features(SCHEMAS[name]),
        "splits": splits,
        "download_size": sum(path.stat().st_size for path in (folder / "data" / name).iterdir()),
        "dataset_size": sum(one["num_bytes"] for one in splits),
    }


def _described(folder: Path) -> tuple[dict[str, dict[str, int]], dict[str, int], dict[str, int]]:
    """How many samples of each category are in each split, how many are under which licence, and how many
    have which concept.
    """
    categories: dict[str, collections.Counter[str]] = {}
    licenses: collections.Counter[str] = collections.Counter()
    concepts: collections.Counter[str] = collections.Counter()
    for split, row in read_rows(folder, "default", ["category", "license", "concepts"]):
        categories.setdefault(row["category"], collections.Counter())[split] += 1
        licenses[row["license"] or "unknown"] += 1
        concepts.update(row["concepts"])
    counted = {name: dict(counts) for name, counts in sorted(categories.items())}
    return counted, dict(sorted(licenses.items())), dict(sorted(concepts.items()))


def _license(licenses: Mapping[str, int]) -> str | list[str]:
    """The licences as a card's header names them."""
    names = ["other" if name == "unknown" else name.lower() for name in licenses]
    return names[0] if len(names) == 1 else names or GENERATED_LICENSE.lower()


def _template(name: str) -> jinja2.Template:
    text = importlib.resources.files("weft.dataset").joinpath("templates", name).read_text(encoding="utf-8")
    return jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    ).from_string(text)
