"""Where the sections of several kernels stand when they become one program."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from weft.cuda.device_code import Key, Section
from weft.cuda.section_order import ordered
from weft.errors import KernelError


@dataclasses.dataclass(frozen=True)
class Placed:
    """Sections that all kernels share, each once; and for each kernel those that stand in its own namespace,
    itself among them if there are any.
    """

    shared: tuple[Section, ...]
    own: Mapping[str, tuple[Section, ...]]


def place_sections(kernels: Mapping[str, Sequence[Section]]) -> Placed:
    """Share what is the same in all kernels that have it; the sections of each are in the order of a program.

    What differs under one name and one signature is shared by none of them, nor is what refers to it: beside
    a function of an outer namespace, a call would be ambiguous wherever an argument's type is of that one.
    Raises KernelError for structs that differ.
    """
    kernels = dict(zip(kernels, alike([*kernels.values()]), strict=True))
    texts: dict[Key, set[str]] = {}
    for sections in kernels.values():
        for section in sections:
            texts.setdefault(section.key, set()).add(section.text)
            if section.kind == "type" and len(texts[section.key]) > 1:
                message = f"two kernels have different structs named {section.name!r}"
                raise KernelError("unsupported", message)
    shared: dict[Key, Section] = {}
    own: dict[str, tuple[Section, ...]] = {}
    for name, sections in kernels.items():
        apart: dict[Key, Section] = {}
        for section in sections:
            differs = len(texts[section.key]) > 1 or not section.needs.isdisjoint(apart)
            # The comment that says most is true for all of them.
            other = section if differs else shared.get(section.key, section)
            (apart if differs else shared)[section.key] = max(
                section, other, key=lambda one: len(one.comment)
            )
        own[name] = tuple(apart.values())
    return Placed(ordered(one for one in shared.values() if one.kind != "kernel"), own)


def alike(kernels: Sequence[Sequence[Section]]) -> list[list[Section]]:
    """The sections of each kernel, with structs that some of the kernels do not align aligned by none."""
    plain = {
        section.key: section.text
        for sections in kernels
        for section in sections
        if section.kind == "type" and _not_aligned(section.text) == section.text
    }
    return [
        [
            dataclasses.replace(one, text=plain[one.key])
            if one.kind == "type" and _not_aligned(one.text) == plain.get(one.key)
            else one
            for one in sections
        ]
        for sections in kernels
    ]


def _not_aligned(struct: str) -> str:
    return re.sub(r"^struct alignas\(\d+\) ", "struct ", struct, flags=re.MULTILINE)
