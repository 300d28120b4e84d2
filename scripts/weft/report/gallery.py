"""The samples of the gallery: an index of all, and their texts in compressed blocks."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import CudaLexer, PtxLexer, PythonLexer
from pygments.token import Operator, Punctuation, Text, Whitespace

from weft.concepts import LEVELS, in_program
from weft.cuda.shard import split
from weft.dataset.views import kernel_view
from weft.report.facts import details, facts
from weft.samples.export import Shard, sample_files, sample_metadata
from weft.sampling import chosen

_LEXERS = {"python": PythonLexer(), "cuda": CudaLexer(), "ptx": PtxLexer()}
_FORMATTER = HtmlFormatter(nowrap=True)
_UNCOLOURED = (Whitespace, Punctuation, Operator)
"""Tokens that are as plain as other text: spans around them would double the page."""
_FIRST = (*LEVELS, "generated", "verified")
"""Values of the index that stand first among those of their key, in this order."""
_BUILTIN = re.compile(r"\bwp\.(\w+)\(")


@dataclasses.dataclass(frozen=True)
class Sample:
    """A translated kernel: what the page's index says of it, its text in each language (none: empty), and
    which lines of the program come from which lines of Python, as in the index of `cuda`.
    """

    entry: Mapping[str, Any]
    texts: Mapping[str, str]
    source_lines: Sequence[Sequence[int]]

    def coloured(self) -> dict[str, str]:
        """Its texts as HTML."""
        return {language: coloured(text, language) for language, text in self.texts.items()}


def samples_of(
    shard: Shard, sources: Mapping[str, str], rejects: Sequence[Mapping[str, Any]] = (), share: float = 1
) -> Iterator[Sample]:
    """A share of the translated kernels of a shard, in order. `sources` are categories and their files,
    `rejects` those of the build.
    """
    reasons: dict[str, list[tuple[str, str]]] = {}
    for one in rejects:
        reasons.setdefault(one["sample_id"], []).append((one["stage"], one["reason"]))
    parts = {part.sample_id: part.text for part in split(shard.cuda)}
    records = {record["sample_id"]: record for record in shard.ir["records"]}
    for entry in shard.index["samples"]:
        if not chosen(entry["sample_id"], share, "report"):
            continue
        record = records[entry["sample_id"]]
        files = sample_files(shard, entry, record, parts[entry["sample_id"]])
        metadata = sample_metadata(shard, entry, record, files)
        texts = {language: files.get(metadata[f"{language}_file"], "") for language in _LEXERS}
        view = kernel_view(texts["cuda"], entry["includes"], entry["cuda_kernel_name"])
        told = {
            key: metadata[key]
            for key in ("category", "kernel_name", "description", "equality", "verdict", "runs", "mutation")
        }
        known = {
            "id": metadata["sample_id"],
            **told,
            "difficulty": (record["launch"] or {}).get("difficulty"),
            "origin": sources.get(metadata["category"], "generated"),
            "gradients": (metadata["gradients"] or {}).get("verdict"),
            "rejects": reasons.get(metadata["sample_id"], []),
            "builtins": sorted(set(_BUILTIN.findall(texts["python"]))),
            "concepts": [*record["concepts"], *in_program(view)],
            "lines": {language: text.count("\n") for language, text in texts.items()},
        }
        around = {"facts": list(facts(known)), "details": list(details(known, metadata["seed"]))}
        yield Sample({**known, **around}, texts, entry["source_lines"])


def blocks(samples: Sequence[Sample], size: int) -> Iterator[str]:
    """The highlighted texts, `size` samples at a time: HTML by language, and the lines that belong together,
    in the samples' order, packed.
    """
    for start in range(0, len(samples), size):
        shown = samples[start : start + size]
        yield packed([{**one.coloured(), "together": one.source_lines} for one in shown])


def packed(value: Any) -> str:
    """JSON as the page unpacks it: deflated, in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def coloured(text: str, language: str) -> str:
    """A text as HTML, its tokens in spans with the classes of pygments."""
    tokens = (
        (Text if kind in _UNCOLOURED else kind, value) for kind, value in _LEXERS[language].get_tokens(text)
    )
    return str(pygments.format(tokens, _FORMATTER)) if text else ""


def values_of(samples: Iterable[Sample], key: str) -> list[str]:
    """The different values of an entry's key, in the order in which a reader looks for them: levels of
    difficulty from the easiest, what is good or usual first, others by their letters.
    """
    values = [sample.entry[key] for sample in samples if sample.entry[key]]
    found = {one for value in values for one in (value if isinstance(value, list) else [value])}
    return [one for one in _FIRST if one in found] + sorted(found.difference(_FIRST))
