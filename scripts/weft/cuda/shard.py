"""Many programs as one that compiles as it is, a namespace each; and back again (docs/formats.md)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from weft.cuda.program import CudaProgram, include_lines

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


def join(programs: Sequence[CudaProgram]) -> str:
    """The text of a shard."""
    includes = frozenset[str]().union(*(program.includes for program in programs))
    parts = [
        Part(program.sample_id, program.kernel_name, namespace(program.sample_id), program.text)
        for program in programs
    ]
    return join_parts(include_lines(includes), parts)


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
