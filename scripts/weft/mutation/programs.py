"""A program and its mutants as parts of one shard. Host code is compiled once, for it is the same in all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.cuda.host import Draft
from weft.cuda.shard import Part

_LAUNCHED = "launched"
"""Points to the launcher that the common `main` calls."""


def program_text(draft: Draft) -> str:
    """A draft's program without includes; its layout is of no concern to a compiler."""
    return "\n".join([draft.device, draft.host, draft.main])


def program_parts(name: str, kernel: str, drafts: Sequence[Draft], first: int) -> list[Part]:
    """Drafts that differ in device code alone, as parts `{name}/{number}` in namespaces from number `first`
    on. All run by the `main` of the first.

    A mutant's launcher goes under the type of the first one's: their structs have the same members in
    namespaces of their own. Tables in constant memory belong to a namespace, so that programs with such
    tables stay whole.
    """
    original, *others = drafts
    call = re.compile(rf"\blaunch_{re.escape(original.kernel)}\((.*)\)\);$", re.MULTILINE)
    main, calls = call.subn(rf"{_LAUNCHED}(\1, nullptr));", original.main)
    if calls != 1 or original.constant_bytes:
        return [
            Part(f"{name}/{number}", kernel, _namespace(first + number), program_text(draft))
            for number, draft in enumerate(drafts)
        ]
    pointer = f"auto* {_LAUNCHED} = &launch_{original.kernel};\n"
    own = "\n".join([original.device, pointer, original.host, main])
    parts = [Part(f"{name}/0", kernel, _namespace(first), own)]
    for number, draft in enumerate(others, 1):
        text = f"{draft.device}\n{_entry(_namespace(first), draft.kernel)}"
        parts.append(Part(f"{name}/{number}", kernel, _namespace(first + number), text))
    return parts


def _entry(host: str, kernel: str) -> str:
    """The `main` of a mutant."""
    return (
        "int main(int argc, char** argv) {\n"
        f"    const auto original = {host}::{_LAUNCHED};\n"
        f"    {host}::{_LAUNCHED} = reinterpret_cast<decltype(original)>(&launch_{kernel});\n"
        f"    const int status = {host}::main(argc, argv);\n"
        f"    {host}::{_LAUNCHED} = original;\n"
        "    return status;\n"
        "}\n"
    )


def _namespace(number: int) -> str:
    return f"s{number:04d}"
