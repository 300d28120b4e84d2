"""A sample's program without its kernels and its `main`: what stays ours when a candidate brings the rest."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator

from weft.errors import UserError

_COMMENTS = re.compile(r"^[ \t]*//[^\n]*\n", re.MULTILINE)
_TABLE = re.compile(r"\b__constant__\s+")
_DEVICE = re.compile(r"__(?:device|global|constant|shared)__|<<<|^cudaError_t launch_", re.MULTILINE)
_NAME = re.compile(r"(?:class|struct) (\w+)|[^()=;]*?\b(\w+)\(")
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
    """`text` declares what the candidate defines: `declares` are the prototypes, for messages."""

    text: str
    declares: tuple[str, ...]


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


def launcher_name(program: str) -> str:
    """The name of the function that makes the launches of a sample's program. Raises UserError."""
    names = [one.name for one in definitions(program) if one.name.startswith("launch_")]
    if not names:
        raise UserError("the sample's program has no launcher")
    return names[-1]


def without_launcher(program: str) -> HostPart:
    """The program whose launcher, and with it every kernel, is defined elsewhere."""
    launcher = launcher_name(program)
    return _replaced(program, lambda one, text: _prototype(text) if one.name == launcher else "")


def without_kernels(program: str) -> HostPart:
    """The program whose kernels are defined elsewhere, and whose launchers launch them.

    Raises UserError if a kernel is a template, which has no prototype to link with.
    """
    return _replaced(program, _kernel_prototype)


def _kernel_prototype(one: Definition, text: str) -> str:
    if one.name.startswith("launch_"):
        return text
    if "__global__" not in text:
        return ""
    if text.lstrip().startswith("template"):
        raise UserError(f"the kernel {one.name} is a template: a candidate has to bring its launcher")
    return _prototype(text)


def _replaced(program: str, replace: Callable[[Definition, str], str]) -> HostPart:
    parts: list[str] = []
    declares: list[str] = []
    position = 0
    for one in definitions(program):
        text = _COMMENTS.sub("", program[one.start : one.end])
        if one.name != "main" and (not one.on_device or _is_for_both(text)):
            continue
        if one.name == "main":
            new = ""
        elif _TABLE.search(text):
            new = _TABLE.sub("extern ", text)
            declares += [line.strip() for line in text.splitlines() if line.strip()]
        else:
            new = replace(one, text)
            declares += [new] if new.endswith(");") else []
        lines = program.count("\n", one.start, one.end) - new.count("\n")
        parts += [program[position : one.start], new, "\n" * max(lines, 0)]
        position = one.end
    return HostPart("".join(parts) + program[position:], tuple(declares))


def _is_for_both(text: str) -> bool:
    """Types and macros, and functions for the host, too."""
    return (
        bool(re.match(r"\s*(?:template\s*<[^>]*>\s*)?(?:struct|class|#|using)\b", text)) or "__host__" in text
    )


def _prototype(text: str) -> str:
    """`T f(A a) { … }` becomes `T f(A a);`."""
    return text[: text.index("{")].strip() + ";"
