"""Host code that samples of a shard have in common is compiled once: the compiler's time goes there.

Every sample carries the same classes for array files, buffers and options in its own namespace. Where the
text of such a group of definitions is that of an earlier sample, `using` declarations take its place. What
device code mentions stays as it is, and so does a group that mentions anything of its sample's own. Line
numbers stay.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

_SAMPLE = re.compile(r"^namespace (s\d+) \{\n(.*?)^\}  // namespace \1\n", re.MULTILINE | re.DOTALL)
_DEVICE = re.compile(r"__(?:device|global|constant|shared)__|<<<|^cudaError_t launch_", re.MULTILINE)
_NAME = re.compile(r"(?:class|struct) (\w+)|[^()=;]*?\b(\w+)\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SKIPPED = re.compile(r"//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|(?<!\w)'(?:[^'\\\n]|\\.)*'")
_ERROR_CHECK = "check_cuda"
"""The one function that groups may mention: it is the same in all samples."""


@dataclasses.dataclass(frozen=True)
class Definition:
    """A definition at the top of a sample: where its text stands in the sample, its name, and the names that
    it mentions.
    """

    start: int
    end: int
    name: str
    words: frozenset[str]
    is_type: bool
    on_device: bool


def share(text: str) -> str:
    """The text of a shard in which samples use the host code of the first sample that has it."""
    owners: dict[str, str] = {}

    def sample(match: re.Match[str]) -> str:
        namespace, body = match[1], match[2]
        return f"namespace {namespace} {{\n{_share(namespace, body, owners)}}}  // namespace {namespace}\n"

    return _SAMPLE.sub(sample, text)


def _share(namespace: str, body: str, owners: dict[str, str]) -> str:
    replaced: list[tuple[Definition, str]] = []
    for group in _groups(list(definitions(body))):
        key = "\n".join(body[one.start : one.end] for one in group)
        owner = owners.setdefault(key, namespace)
        if owner != namespace:
            replaced += [(one, owner) for one in group]
    for one, owner in sorted(replaced, key=lambda pair: -pair[0].start):
        lines = "\n" * body.count("\n", one.start, one.end)
        body = f"{body[: one.start]}using {owner}::{one.name};{lines}{body[one.end :]}"
    return body


def definitions(body: str) -> Iterator[Definition]:
    """The definitions of a sample in their order, which blank lines outside of all braces keep apart."""
    start = depth = position = 0
    for line in _SKIPPED.sub(lambda match: " " * len(match[0]), body).splitlines(keepends=True):
        depth += line.count("{") - line.count("}")
        if depth == 0 and not line.strip():
            if start < position:
                yield _definition(body, start, position)
            start = position + len(line)
        position += len(line)
    if start < position:
        yield _definition(body, start, position)


def _definition(body: str, start: int, end: int) -> Definition:
    text = body[start:end]
    code = _SKIPPED.sub("", text)
    head = "\n".join(line for line in code.splitlines() if line and not line.startswith(("template", "#")))
    found = _NAME.match(head)
    name = (found[1] or found[2]) if found else ""
    is_type = bool(found and found[1])
    return Definition(start, end, name, frozenset(_WORD.findall(code)), is_type, bool(_DEVICE.search(text)))


def _with_members(private: set[str], definitions: list[Definition]) -> set[str]:
    """Private names, and at any depth the types that private types mention.

    C++ also looks for functions where the types of arguments come from: calls on another sample's type would
    be ambiguous.
    """
    types = [one for one in definitions if one.is_type]
    words = {word for one in types if one.name in private for word in one.words}
    more = {one.name for one in types if one.name in words} - private
    return _with_members(private | more, definitions) if more else private


def _groups(definitions: list[Definition]) -> list[list[Definition]]:
    """Definitions that mention each other, for each group that can be shared, in order."""
    names = {one.name for one in definitions if one.name}
    private = {one.name for one in definitions if one.on_device or one.name == "main"} | {"main"}
    private |= {word for one in definitions if one.on_device for word in one.words & names} - {_ERROR_CHECK}
    private = _with_members(private, definitions)
    hosts = [one for one in definitions if one.name in names - private - {_ERROR_CHECK}]
    groups: list[list[Definition]] = []
    for one in hosts:
        related = [
            group
            for group in groups
            if any(one.name in other.words or other.name in one.words for other in group)
        ]
        groups = [group for group in groups if group not in related]
        groups.append([*(other for group in related for other in group), one])
    return [
        sorted(group, key=lambda one: one.start)
        for group in groups
        if all(one.words & names <= {_ERROR_CHECK, *(other.name for other in group)} for one in group)
    ]
