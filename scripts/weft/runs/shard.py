"""A shard's program as the sum of its samples: where each stands, and the same program with some taken out.

The layout is defined in docs/formats.md, section "cuda".
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection

from weft.errors import UserError

_SAMPLE = re.compile(
    r"^// sample (?P<id>[^\s:]+): (?P<kernel>\S+)\nnamespace (?P<namespace>\w+) \{\n"
    r"(?P<text>.*?)^\}  // namespace (?P=namespace)\n",
    re.MULTILINE | re.DOTALL,
)


@dataclasses.dataclass(frozen=True)
class ShardSample:
    """One sample's part: its text without includes, between two offsets of the shard; lines count from 1."""

    sample_id: str
    kernel_name: str
    namespace: str
    text: str
    start: int
    end: int
    first_line: int
    last_line: int


@dataclasses.dataclass(frozen=True)
class Shard:
    """The text of a shard, and its samples in their order."""

    text: str
    samples: tuple[ShardSample, ...]

    @property
    def includes(self) -> str:
        """What stands before the first sample."""
        marker = f"// sample {self.samples[0].sample_id}:"
        return self.text[: self.text.index(marker)]

    def alone(self, sample: ShardSample) -> str:
        """The program of one sample alone, on the lines that it has in the shard."""
        lines = sample.first_line - 1 - self.includes.count("\n")
        return self.includes + "\n" * lines + sample.text

    def without(self, sample_ids: Collection[str]) -> str:
        """The shard with the named samples' programs replaced by ones that fail, line numbers kept."""
        parts = []
        position = 0
        for sample in self.samples:
            if sample.sample_id in sample_ids:
                parts += [self.text[position : sample.start], "int main(int, char**) { return 1; }"]
                parts.append("\n" * (sample.last_line - sample.first_line + 1))
                position = sample.end
        return "".join(parts) + self.text[position:]


def parse_shard(text: str, name: str) -> Shard:
    """Find the samples of a shard's text. Raises UserError, naming the file `name`, if there are none."""
    samples = []
    line = 1
    position = 0
    for match in _SAMPLE.finditer(text):
        start, end = match.span("text")
        line += text.count("\n", position, start)
        last = line + match["text"].count("\n") - 1
        samples.append(
            ShardSample(
                match["id"], match["kernel"], match["namespace"], match["text"], start, end, line, last
            )
        )
        line, position = last + 1, end
    if not samples and "// sample " in text:
        raise UserError(f"{name}: a sample begins, but no namespace of it ends")
    return Shard(text, tuple(samples))
