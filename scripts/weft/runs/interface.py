"""What a program of Weft's takes and hands back, read from its text: leaves, the members of structs, options.

A `.cu` is all that somebody has who calls a kernel by hand, so its text has to be enough.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping

from weft.cuda.c_types import value_type
from weft.errors import UserError
from weft.runs.shard import parse_shard
from weft.types import Array, Struct, Structs, Transform, Type, parse_type

_BUFFER = re.compile(
    r'Buffer<(?P<c_type>\w+)>\s+(?P<place>\w+)\(\s*"(?P<name>[^"]+)",\s*"(?P<type>[^"]+)",\s*(?P<shape>\{[^{}]*\})'
)
_VALUE = re.compile(
    r'read_value\(\s*options\.inputs,\s*"(?P<name>[^"]+)",\s*"(?P<type>[^"]+)",\s*&(?P<place>[\w.]+)'
)
_NEEDED = re.compile(r"(\w+)\.(?:read|read_any_shape)\(options\.inputs\)")
_STRUCT = re.compile(r"^struct (?P<name>\w+) \{\n(?P<members>(?:    .*;\n)*)\};", re.MULTILINE)
_MEMBER = re.compile(r"^    (?:const )?(?P<type>\w+\*?) (?P<name>\w+);$", re.MULTILINE)
_DIMS = re.compile(r"parse_dims\(value, options->dims, (\d)\)")
_LAUNCHER = re.compile(r"cudaError_t launch_\w+\((?P<parameters>[^)]*)\)")


@dataclasses.dataclass(frozen=True)
class Interface:
    """The leaves (weft.leaves) that a program reads or writes, by name, and the fields of the structs among
    them. `needed` are those that have to be given. `derived` are parameters that follow from the base size.
    `dims` is the number of launch dimensions where nobody described them, else 0.
    """

    leaves: Mapping[str, Type]
    structs: Structs
    needed: frozenset[str]
    derived: frozenset[str]
    dims: int


def one_program(text: str, sample: str | None) -> str:
    """The program of one sample: `text` itself, or that part of a shard which `sample` names by its id or its
    kernel. Raises UserError, with the names, unless that is exactly one.
    """
    shard = parse_shard(text, "the program")
    if not shard.samples:
        if sample is not None:
            raise UserError(f"sample={sample!r}: the program is one kernel's alone; leave it out")
        return text
    found = [one for one in shard.samples if sample in (None, one.sample_id, one.kernel_name)]
    if len(found) != 1:
        which = "which kernel? Name it by sample=" if sample is None else f"no single kernel is {sample!r}"
        listed = ", ".join(f"{one.kernel_name} ({one.sample_id})" for one in shard.samples)
        raise UserError(f"{which}; the program has {listed}")
    return shard.alone(found[0])


def read_interface(text: str) -> Interface:
    """The interface of the program of one kernel."""
    definitions = dict(_definitions(text))
    arrays = {match["name"]: match for match in _BUFFER.finditer(text)}
    values = {match["name"]: match for match in _VALUE.finditer(text)}
    leaves: dict[str, Type] = {
        name: Array(parse_type(match["type"]), _items(match["shape"])) for name, match in arrays.items()
    }
    leaves |= {name: parse_type(match["type"]) for name, match in values.items()}
    structs: dict[str, list[tuple[str, Type]]] = {}
    for name, match in (arrays | values).items():
        kind = leaves[name]
        element = kind.element if isinstance(kind, Array) else kind
        if isinstance(element, Struct):
            c_type = match["c_type"] if name in arrays else _type_of(match["place"], text, definitions)
            structs[element.name] = _fields(c_type, definitions, structs)
    read = set(_NEEDED.findall(text))
    needed = {name for name, match in arrays.items() if match["place"] in read} | values.keys()
    launcher = _LAUNCHER.search(text)
    parameters = set(re.findall(r"(\w+)(?: = \w+)?(?:,|$)", launcher["parameters"]) if launcher else ())
    dims = _DIMS.search(text)
    return Interface(
        leaves,
        structs,
        frozenset(needed),
        frozenset(parameters - {name.partition(".")[0] for name in leaves}),
        int(dims[1]) if dims else 0,
    )


def _definitions(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The structs of the text: members as (name, C++ type). Those that stand for vectors and the like are
    left out: their members are arrays, or several in a line.
    """
    for match in _STRUCT.finditer(text):
        members = [(member["name"], member["type"]) for member in _MEMBER.finditer(match["members"])]
        own = len(members) != match["members"].count("\n")
        if not own and not isinstance(value_type(match["name"]), Transform):
            yield match["name"], members


def _fields(
    c_type: str, definitions: Mapping[str, list[tuple[str, str]]], structs: dict[str, list[tuple[str, Type]]]
) -> list[tuple[str, Type]]:
    """The fields of a struct; those of structs within it are added to `structs`, under their C++ names."""
    fields: list[tuple[str, Type]] = []
    for name, member in definitions[c_type]:
        if member in definitions:
            structs[member] = _fields(member, definitions, structs)
        fields.append((name, Struct(member) if member in definitions else _value(member)))
    return fields


def _value(c_type: str) -> Type:
    kind = value_type(c_type)
    if kind is None:
        raise UserError(f"the program has a member of type {c_type}, which it does not define")
    return kind


def _type_of(place: str, text: str, definitions: Mapping[str, list[tuple[str, str]]]) -> str:
    """The C++ type of a variable, or of a member of one: `frame`, `state.grid`."""
    variable, *path = place.split(".")
    declared = re.search(rf"^    (\w+) {variable}(?:\{{\}}| = .*);$", text, re.MULTILINE)
    if declared is None:
        raise UserError(f"the program does not declare {variable!r}")
    found = declared[1]
    for member in path:
        found = dict(definitions[found])[member]
    return found


def _items(braced: str) -> int:
    """The number of items between braces, whose items may have parentheses."""
    depth, commas = 0, 0
    for letter in braced:
        depth += (letter == "(") - (letter == ")")
        commas += letter == "," and depth == 0
    return commas + 1
