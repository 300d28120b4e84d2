"""A shard's program as the sum of its samples: where each stands, and the same program with some taken out.

The layout is defined in docs/formats/cuda.md.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from weft.errors import UserError
from weft.runs.interface import Interface

_SAMPLE = re.compile(
    r"^// sample (?P<id>[^\s:]+): (?P<kernel>\S+)\nnamespace (?P<namespace>\w+) \{\n"
    r"(?P<text>.*?)^\}  // namespace (?P=namespace)\n",
    re.MULTILINE | re.DOTALL,
)
_MAIN = re.compile(r"^int main\(", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class ShardSample:
    """One sample's part: its text without includes, between two offsets of the shard; lines count from 1."""

    sample_id: str
    kernel_name: str
    namespace: str
    text: str
    interface: Interface
    start: int
    end: int
    first_line: int
    last_line: int

    @property
    def has_main(self) -> bool:
        """Whether it has a `main`: mutants have none."""
        return _MAIN.search(self.text) is not None

    @property
    def call(self) -> str:
        """The C++ by which the driver calls the launcher, in the sample's namespace."""
        return f"namespace {self.namespace} {{\n{self.interface.call}}}\n"

    @property
    def row(self) -> str:
        """Its row in the driver's table."""
        leaves, main = len(self.interface.leaves), f"{self.namespace}::main" if self.has_main else "nullptr"
        table = f"{self.namespace}::weft_leaves" if leaves else "nullptr"
        return f'    {{"{self.namespace}", {table}, {leaves}, {self.namespace}::weft_launch, {main}}},\n'


@dataclasses.dataclass(frozen=True)
class Shard:
    """The text of a shard, and its samples in their order."""

    text: str
    samples: tuple[ShardSample, ...]

    @property
    def includes(self) -> str:
        """What stands before the first sample."""
        return self.text[: self.text.index(f"// sample {self.samples[0].sample_id}:")]

    def program(self, chosen: Sequence[ShardSample]) -> str:
        """The text of a program with some samples, in their order, on the lines that they have in the shard,
        and with what the driver must know of them.
        """
        parts = [self.includes]
        line = parts[0].count("\n") + 1
        for one in chosen:
            block = f"namespace {one.namespace} {{\n{one.text}}}  // namespace {one.namespace}\n"
            # Two lines stand before a sample's text.
            parts += ["\n" * (one.first_line - 2 - line), f"// sample {one.sample_id}\n", block]
            line = one.last_line + 2
        return "".join(parts) + driver_table(chosen)


def driver_table(samples: Sequence[ShardSample]) -> str:
    """How the driver calls these samples, and the driver's table of them."""
    rows = "".join(one.row for one in samples)
    table = f"const weft_driver::Sample weft_driver::samples[] = {{\n{rows}    {{}},\n}};\n"
    return "".join(one.call for one in samples) + table


def alone(text: str, sample_id: str, interface: Interface) -> Shard:
    """A program of one kernel, in a file of its own, as a shard of one sample."""
    includes = re.match(r"(?:#include [^\n]*\n)*", text)
    assert includes is not None
    body = text[includes.end() :]
    marked = f"{includes[0]}// sample {sample_id}: kernel\nnamespace s0 {{\n{body}}}  // namespace s0\n"
    return parse_shard(marked, "the program", {sample_id: interface})


def parse_shard(text: str, name: str, interfaces: Mapping[str, Interface]) -> Shard:
    """Find the samples of a shard's text. Raises UserError, naming the file `name`, if there are none, or if
    one has no interface.
    """
    samples = []
    line = 1
    position = 0
    for match in _SAMPLE.finditer(text):
        start, end = match.span("text")
        line += text.count("\n", position, start)
        last = line + match["text"].count("\n") - 1
        if match["id"] not in interfaces:
            raise UserError(f"{name}: nothing says how to call {match['id']}")
        samples.append(
            ShardSample(
                match["id"],
                match["kernel"],
                match["namespace"],
                match["text"],
                interfaces[match["id"]],
                start,
                end,
                line,
                last,
            )
        )
        line, position = last + 1, end
    if not samples and "// sample " in text:
        raise UserError(f"{name}: a sample begins, but its namespace does not end")
    return Shard(text, tuple(samples))
