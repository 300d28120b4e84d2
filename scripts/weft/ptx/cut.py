"""One sample's part of a shard's PTX: its entries, and the functions and variables that they use.

Names lose the sample's namespace: they become those of the program of the sample alone (weft.ptx.mangled).
Numbers that nvcc counts through a module (labels `$L__BB3_1`, stack frames `__local_depot3`, calls) start
anew.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Sequence

from weft.ptx.mangled import outer_namespace, parse_symbol, without_namespace

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_DECLARED = re.compile(
    r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?(?P<function>[A-Za-z_$][\w$]*)"
    r"|\.(?:global|const|shared)\b[^;={]*?(?P<variable>[A-Za-z_$][\w$]*)\s*(?:\[[^\]]*\]\s*)*(?:=|;)"
)
_MANGLED = re.compile(r"\b_Z\w+")
_PARAMETER = re.compile(r"(_Z\w+?)(_param_\d+)")
_NUMBERED = re.compile(r"(\$L__BB|__local_depot)(\d+)")
_DEMOTED = re.compile(r"// (?P<variable>_Z\w+) has been demoted")
_CALL = re.compile(r"(// callseq )(\d+)")
_ASSEMBLY = {"// begin inline asm": True, "// end inline asm": False}


@dataclasses.dataclass(frozen=True)
class Item:
    """A declaration or definition at the top of a module: its name, text, and the names that it mentions."""

    name: str
    text: str
    mentions: frozenset[str]
    is_entry: bool

    @property
    def rank(self) -> int:
        """Its place in a module: declared functions, variables, shared variables, defined functions."""
        if self.text.rstrip().endswith("}") and "{" in self.text.splitlines():
            return 3
        if self.text.startswith(".func"):
            return 0
        return 2 if ".shared" in self.text or self.text.startswith("//") else 1


@dataclasses.dataclass(frozen=True)
class Module:
    """A PTX module: its header (version, target, address size), and its items in order."""

    header: str
    items: tuple[Item, ...]


@functools.lru_cache(maxsize=2)
def parse_module(ptx: str) -> Module:
    """The items of a module. Raises ValueError for text that is no PTX as nvcc writes it."""
    header, separator, body = ptx.partition(".address_size")
    if not separator:
        raise ValueError("no PTX module: it has no .address_size")
    size, _, body = body.partition("\n")
    return Module(f"{header}{separator}{size}\n", tuple(_items(body)))


def _items(body: str) -> list[Item]:
    items: list[Item] = []
    lines: list[str] = []
    in_assembly = False  # its lines stand as they do in the C++ source, braces in the first column included
    for line in body.splitlines():
        code = line.partition("//")[0].rstrip()
        if line.strip() in _ASSEMBLY:
            in_assembly = _ASSEMBLY[line.strip()]
        if not lines and (demoted := _DEMOTED.fullmatch(line)):
            items.append(Item(demoted["variable"], f"{line}\n", frozenset(), False))
            continue
        if not lines and not code:
            continue
        lines.append(line)
        if not in_assembly and _ends(code, lines):
            items.append(_item("\n".join(lines) + "\n"))
            lines = []
    if lines:
        raise ValueError(f"PTX module ends within an item: {lines[0]!r}")
    return items


def _ends(code: str, lines: list[str]) -> bool:
    """True if an item ends with this line: a body's `}`, or the `;` of a declaration, both in the first
    column or of an item that has one line.
    """
    return code == "}" or code == ";" or (len(lines) == 1 and code.endswith(";"))


def _item(text: str) -> Item:
    declared = _DECLARED.search(text)
    if declared is None:
        raise ValueError(f"PTX item without a name: {text.splitlines()[0]!r}")
    name = declared["function"] or declared["variable"]
    return Item(name, text, frozenset(_NAME.findall(text)), ".entry" in text[: declared.end()])


def entries(ptx: str) -> list[str]:
    """Names of the kernels of a module, in order."""
    return [item.name for item in parse_module(ptx).items if item.is_entry]


def cut(ptx: str, sample: Sequence[str]) -> str:
    """The module of a sample's entries, in their order in `ptx`, under the names that they have outside its
    shard.

    Raises ValueError if there is no such entry.
    """
    module = parse_module(ptx)
    needed = _needed(module, sample)
    items = sorted((item for item in module.items if item.name in needed), key=lambda item: item.rank)
    namespace = outer_namespace(parse_symbol(sample[0])) or ""
    first = next(item.name for item in module.items if item.name in sample)
    parts = [module.header, "\n", f"\t// .globl\t{first}\n"]
    for item in items:
        parts += ["\n" if item.is_entry else "", item.text]
    return _renumber(_rename("".join(parts), namespace)) + "\n"


def _needed(module: Module, sample: Sequence[str]) -> set[str]:
    mentions: dict[str, set[str]] = {}
    for item in module.items:
        mentions.setdefault(item.name, set()).update(item.mentions)
    for entry in sample:
        if entry not in mentions:
            raise ValueError(f"the PTX has no entry {entry}")
    needed, open_names = set(sample), list(sample)
    while open_names:
        found = (mentions[open_names.pop()] & mentions.keys()) - needed
        needed |= found
        open_names += sorted(found)
    return needed


def _rename(text: str, namespace: str) -> str:
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        parameter = _PARAMETER.fullmatch(match[0])
        name, suffix = parameter.groups() if parameter else (match[0], "")
        if name not in names:
            names[name] = without_namespace(name, namespace)
        return names[name] + suffix

    return _MANGLED.sub(rename, text)


def _renumber(text: str) -> str:
    """Number functions, and the calls of the module, from 0 in order of appearance."""
    functions: dict[str, int] = {}
    calls: dict[str, int] = {}
    text = _NUMBERED.sub(lambda match: f"{match[1]}{functions.setdefault(match[2], len(functions))}", text)
    return _CALL.sub(lambda match: f"{match[1]}{calls.setdefault(match[2], len(calls))}", text)
