"""Many programs as one that compiles as it is, a namespace each; and back again (docs/formats/cuda.md)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

_SAMPLE = re.compile(
    r"^// sample (?P<sample_id>\S+): (?P<kernel_name>\S+)\n"
    r"namespace (?P<namespace>s\d+) \{\n"
    r"(?P<text>.*?)"
    r"^\}  // namespace (?P=namespace)\n",
    re.MULTILINE | re.DOTALL,
)


@dataclasses.dataclass(frozen=True)
class Part:
    """One sample's part of a shard. `text` is the sample's program without includes."""

    sample_id: str
    kernel_name: str
    namespace: str
    text: str


def namespace(sample_id: str) -> str:
    """The namespace of a sample: `s0003` for `vector-0000-0003`."""
    return f"s{sample_id.rpartition('-')[2]}"


def include_lines(includes: Iterable[str]) -> str:
    """`#include` lines of headers, in order."""
    return "".join(f"#include {header}\n" for header in ordered_includes(includes))


def ordered_includes(includes: Iterable[str]) -> list[str]:
    """Headers: CUDA's first, then the others, sorted."""
    return sorted(includes, key=lambda header: (not header.startswith("<cuda"), header))


def join_parts(includes: str, parts: Sequence[Part]) -> str:
    """The text of a shard of `parts`, under the lines of `includes`."""
    blocks = [
        f"// sample {part.sample_id}: {part.kernel_name}\n"
        f"namespace {part.namespace} {{\n{part.text}}}  // namespace {part.namespace}\n"
        for part in parts
    ]
    return "\n".join([includes, *blocks])


def split(text: str) -> list[Part]:
    """The samples of a shard's text."""
    return [
        Part(match["sample_id"], match["kernel_name"], match["namespace"], match["text"])
        for match in _SAMPLE.finditer(text)
    ]


def includes_of(text: str) -> str:
    """The include lines of a shard's text."""
    return "".join(line for line in text.splitlines(keepends=True) if line.startswith("#include "))
