"""A sample's program without its kernels and its `main`: what stays ours when a candidate brings the rest."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from weft.runs.device_text import split
from weft.runs.shard import ShardSample

ENTRY = "weft_entry"
"""The function by which our host code calls a candidate's launcher, or with its kernels the sample's own."""

_COMMENTS = re.compile(r"^[ \t]*//[^\n]*\n", re.MULTILINE)
_TABLE = re.compile(r"\b__constant__\s+")
_DEVICE = re.compile(r"__(?:device|global|constant|shared)__|<<<|^cudaError_t launch_", re.MULTILINE)
_TABLE_NAME = re.compile(r"\b(\w+)\s*(?:\[[^;]*)?;")
_PARAMETER = re.compile(r"[A-Za-z_]\w*")
_DECLARED = re.compile(r"\b(\w+)\s*(?:=|\[|\{|;)")
_CONST_POINTER = re.compile(r"\bconst\s+(?=[\w:]+\s*\*)")
_SEVERAL = re.compile(r"\((\w+) \+ (\d+) \* block - 1\) / \(\2 \* block\)")
_PLAIN = """\
template <typename T>
T* weft_plain(const T* pointer) {
    return const_cast<T*>(pointer);
}
template <typename T>
T& weft_plain(T& value) {
    return value;
}
"""
_NAME = re.compile(r"(?:class|struct) (?:alignas\(\d+\) )?(\w+)|[^()=;]*?\b(\w+)\(")
_SKIPPED = re.compile(r"//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|(?<!\w)'(?:[^'\\\n]|\\.)*'")


@dataclasses.dataclass(frozen=True)
class Definition:
    """A definition at the top of a sample: where its text stands in the sample, and its name."""

    start: int
    end: int
    name: str
    on_device: bool


@dataclasses.dataclass(frozen=True)
class HostPart:
    """What `declares` has, the candidate defines, for the reader of messages: the launcher, and `tables`, by
    name. `text` knows of ENTRY alone.
    """

    text: str
    launcher: str
    declares: tuple[str, ...]
    tables: tuple[str, ...]


def definitions(body: str) -> Iterator[Definition]:
    """The definitions of a sample in their order; blank lines outside of all braces separate them."""
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
    return Definition(start, end, (found[1] or found[2]) if found else "", bool(_DEVICE.search(text)))


def host_part(part: ShardSample) -> HostPart:
    """The program whose launches are made by ENTRY, and whose tables are defined elsewhere."""
    program, launcher = part.text, part.interface.launcher
    parts: list[str] = []
    declares: list[str] = []
    tables: list[str] = []
    position = 0
    for one in definitions(program):
        text = _COMMENTS.sub("", program[one.start : one.end])
        if one.name != "main" and (not one.on_device or _is_for_both(text)):
            continue
        new = ""
        if one.name == launcher:
            declares.append(_prototype(text))
            new = _renamed(declares[-1], launcher)
        elif one.name != "main" and _TABLE.search(text):
            new = _TABLE.sub("extern ", text)
            tables += _TABLE_NAME.findall(new)
            declares += [line.strip() for line in text.splitlines() if line.strip()]
        lines = program.count("\n", one.start, one.end) - new.count("\n")
        parts += [program[position : one.start], new, "\n" * max(lines, 0)]
        position = one.end
    text = "".join(parts) + program[position:]
    return HostPart(text, launcher, tuple(declares), tuple(tables))


def entry(part: ShardSample) -> str:
    """ENTRY, for a program that defines the launcher: pointers to const may be pointers there."""
    program, launcher = part.text, part.interface.launcher
    (prototype,) = (
        _prototype(_COMMENTS.sub("", program[one.start : one.end]))
        for one in definitions(program)
        if one.name == launcher
    )
    inside = prototype[prototype.index("(") + 1 : prototype.rindex(")")]
    names = [_PARAMETER.findall(one.partition("=")[0])[-1] for one in split(inside)]
    given = ", ".join(f"weft_plain({name})" for name in names)
    head = _renamed(prototype, launcher).rstrip(";")
    return f"{_PLAIN}{head} {{\n    return {launcher}({given});\n}}\n"


def own_launcher(program: str, text: str) -> str:
    """The launchers of a program and what they need of it, for a program `text` that brings the kernels: in a
    namespace of their own, their pointers to const plain ones. There is a thread for each element, though the
    sample's own stride over several: who writes a kernel alone need not know that.
    """
    found = [
        (one, _COMMENTS.sub("", program[one.start : one.end]))
        for one in definitions(program)
        if one.name != "main" and "__global__" not in program[one.start : one.end]
    ]
    kept = {one.start for one, _ in found if one.name.startswith("launch_")}
    words = {word for one, part in found if one.start in kept for word in re.findall(r"\w+", part)}
    for one, part in reversed(found):
        names = {one.name} if one.name else set(_DECLARED.findall(part))
        is_there = _TABLE.search(part) or re.search(
            rf"\b(?:struct|class)\s+(?:alignas\(\d+\)\s+)?{one.name}\b", text
        )
        if words & names and not is_there:
            kept.add(one.start)
            words |= set(re.findall(r"\w+", part))
    parts = [
        _CONST_POINTER.sub("", _SEVERAL.sub(r"(\1 + block - 1) / block", part))
        if one.name.startswith("launch_")
        else part
        for one, part in found
        if one.start in kept
    ]
    return "namespace weft_sample {\n" + "\n".join(parts) + "\n}\nusing namespace weft_sample;\n"


def driver_part(part: ShardSample) -> str:
    """How the driver calls ENTRY, and its table of samples, for a program that is in no namespace."""
    call = _renamed(part.interface.call, part.interface.launcher)
    row = dataclasses.replace(part, text="").row.replace(f"{part.namespace}::", "")
    return f"{call}const weft_driver::Sample weft_driver::samples[] = {{\n{row}    {{}},\n}};\n"


def kernel_prototypes(program: str) -> dict[str, str]:
    """The prototypes of the program's kernels, by name."""
    texts = {one.name: _COMMENTS.sub("", program[one.start : one.end]) for one in definitions(program)}
    return {name: _prototype(text) for name, text in texts.items() if "__global__" in text}


def _renamed(text: str, launcher: str) -> str:
    return re.sub(rf"\b{launcher}\b", ENTRY, text)


def _is_for_both(text: str) -> bool:
    """Types and macros, and functions for the host, too."""
    return (
        bool(re.match(r"\s*(?:template\s*<[^>]*>\s*)?(?:struct|class|#|using)\b", text)) or "__host__" in text
    )


def _prototype(text: str) -> str:
    """`T f(A a) { … }` becomes `T f(A a);`."""
    return text[: text.index("{")].strip() + ";"
