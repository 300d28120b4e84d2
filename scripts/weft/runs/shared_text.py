"""What the programs of a shard have in common, compiled once: host functions that most `main`s bring along.

A definition is shared if two samples have it with the same text, and so has all that it names of the sample.
It is left where it stands first, in a namespace of its own, by which the other samples know it.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence

from weft.runs.candidate_host import Definition, definitions

_SAMPLE = re.compile(r"^namespace (\w+) \{\n(.*?)^\}  // namespace \1\n", re.MULTILINE | re.DOTALL)
_MAIN = re.compile(r"^int main\(", re.MULTILINE)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"//[^\n]*")
_CHECK = "#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)"
_MACRO, _MEANS = "CUDA_CHECK", "check_cuda"
"""The macro that all programs have, and the function that it calls."""


@dataclasses.dataclass(frozen=True)
class _Part:
    """A definition that may be shared. `needs` are the names of those that it names; `key` is its text, and
    after it theirs.
    """

    definition: Definition
    key: tuple[str, ...]
    needs: tuple[str, ...]


def share(program: str) -> str:
    """A shard's program in which what its samples share is compiled once. Lines stay where they are."""
    samples = [match for match in _SAMPLE.finditer(program) if _MAIN.search(match[2])]
    found = [_parts(match[2]) for match in samples]
    times = Counter(part.key for parts in found for part in parts)
    namespaces: dict[tuple[str, ...], str] = {}
    pieces, position = [], 0
    for match, parts in zip(samples, found, strict=True):
        of = {part.definition.name: part.key for part in parts}
        for part in parts:
            if times[part.key] == 1:
                continue
            name = part.definition.name
            start, end = (match.start(2) + at for at in (part.definition.start, part.definition.end))
            text = program[start:end]
            if part.key in namespaces:
                new = f"using {namespaces[part.key]}::{name};" + "\n" * text.count("\n")
            else:
                own = namespaces[part.key] = f"weft_shared_{len(namespaces)}"
                uses = "".join(f"using {namespaces[of[need]]}::{need}; " for need in part.needs)
                opened = f"}} namespace {own} {{ {uses}"
                new = f"{opened}{text.rstrip()} }} namespace {match[1]} {{ using {own}::{name};\n"
            pieces += [program[position:start], new]
            position = end
    return "".join(pieces) + program[position:]


def _parts(sample: str) -> Sequence[_Part]:
    """The definitions of a sample's host code that device code does not name, and that name nothing of the
    sample but one another.
    """
    named = Counter[str]()
    closed: set[str] = set()  # what has no name of its own, as constants, and what device code names
    on_device: set[str] = set()
    every = [(one, _COMMENT.sub("", sample[one.start : one.end])) for one in definitions(sample)]
    words = [set(_IDENTIFIER.findall(text)) for _, text in every]
    for (one, text), own in zip(every, words, strict=True):
        named[one.name] += 1
        if one.on_device:
            on_device |= own
        elif not one.name and text.strip() != _CHECK:
            closed |= own
    found: dict[str, _Part] = {}
    for (one, text), own in zip(every, words, strict=True):
        names = {_MEANS if name == _MACRO else name for name in own} - {one.name}
        needs = tuple(sorted(names & named.keys()))
        alone = one.name and one.name != "main" and named[one.name] == 1 and one.name not in on_device
        if one.on_device or not alone or (names | {one.name}) & closed or "operator" in names:
            continue
        if all(need in found for need in needs):
            key = (text, *(other for need in needs for other in found[need].key))
            found[one.name] = _Part(one, key, needs)
    return list(found.values())
