"""Kernel parameters one by one: structs that hold arrays count as their fields, arrays as their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weft.array_parts import Part, array_parts
from weft.types import Array, Fields, Struct, Structs, Type, parse_type


def holds_arrays(type: Type, structs: Structs) -> bool:
    """Whether a type is a struct with an array in it, at any depth."""
    if not isinstance(type, Struct):
        return False
    return any(isinstance(field, Array) or holds_arrays(field, structs) for _, field in structs[type.name])


def leaves(signature: Fields, structs: Structs) -> list[tuple[str, Type]]:
    """The signature in leaves. A struct that holds arrays is replaced by its fields, named `state.position`,
    and an array of several parts by its parts (weft.array_parts), named `state.position.indices`.

    Launch descriptions, array files and references name parameters so. A leaf's place in this list is the
    number under which its values are drawn (docs/formats/inputs.md).
    """
    return with_parts(whole_leaves(signature, structs))


def whole_leaves(signature: Fields, structs: Structs) -> list[tuple[str, Type]]:
    """The signature with every struct that holds arrays replaced by its fields; arrays are whole."""
    return [leaf for name, type in signature for leaf in _whole_leaves(name, type, structs)]


def _whole_leaves(name: str, type: Type, structs: Structs) -> Iterator[tuple[str, Type]]:
    if isinstance(type, Struct) and holds_arrays(type, structs):
        for field, inner in structs[type.name]:
            yield from _whole_leaves(f"{name}.{field}", inner, structs)
    else:
        yield name, type


def with_parts(fields: Fields) -> list[tuple[str, Type]]:
    """Parameters, or the fields of a struct, with every array replaced by its parts."""
    result: list[tuple[str, Type]] = []
    for name, type in fields:
        if isinstance(type, Array):
            result += [(part.leaf(name), part.type) for part in array_parts(type)]
        else:
            result.append((name, type))
    return result


def tables(signature: Fields, structs: Structs) -> dict[str, tuple[str, Part]]:
    """The leaves that lead to the elements of an array: which array's leaf, and how."""
    arrays = [(name, type) for name, type in whole_leaves(signature, structs) if isinstance(type, Array)]
    return {
        part.leaf(name): (name, part)
        for name, type in arrays
        for part in array_parts(type)
        if part.kind != "elements"
    }


def signature_of(record: Mapping[str, Any]) -> list[tuple[str, Type]]:
    """The parameters of a record's kernel or program, with their types."""
    return [(one["name"], parse_type(one["type"])) for one in record["signature"]]


def structs_of(record: Mapping[str, Any]) -> Structs:
    """Fields of each struct of a record, by its name."""
    return {
        struct["name"]: [(field["name"], parse_type(field["type"])) for field in struct["fields"]]
        for struct in record["structs"]
    }
