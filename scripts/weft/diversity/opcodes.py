"""The sequence of opcodes of each sample's PTX: what the compiler makes of a kernel, without registers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import Path

from weft.diversity.canonical import digest
from weft.files import read_json, read_shard

_ENTRY = re.compile(r"^(?:\.visible )?\.entry (?P<name>[\w$]+)\(.*?^\}", re.MULTILINE | re.DOTALL)
_OPCODE = re.compile(r"^\t(?:@!?%p\d+ )?\t?(?P<opcode>[a-z][\w.:]*)[ \t;]", re.MULTILINE)


def opcodes(entry: str) -> list[str]:
    """The opcodes of one entry of a PTX module, in order, predicates left out."""
    return [found["opcode"] for found in _OPCODE.finditer(entry)]


def opcode_hashes(results: Path, shards: Container[str] | None = None) -> Iterator[tuple[str, str]]:
    """Sample id and hash of its entries' opcode sequences, for every sample of the first architecture; with
    `shards` (`{category}/{seed}`), only for theirs.
    """
    archs = sorted(path for path in (results / "ptx").glob("*") if path.is_dir())
    for path in sorted(archs[0].rglob("*.ptx")) if archs else []:
        if shards is not None and str(path.relative_to(archs[0]).with_suffix("")) not in shards:
            continue
        entries = {found["name"]: found[0] for found in _ENTRY.finditer(read_shard(path))}
        for sample in read_json(path.with_suffix(".json"))["samples"]:
            sequences = [" ".join(opcodes(entries[one["entry"]])) for one in sample["entries"]]
            yield sample["sample_id"], digest("\n".join(sequences))
