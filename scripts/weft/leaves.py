"""Kernel parameters one by one: structs that hold arrays count as their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.types import Array, Struct, Structs, Type, parse_type


def holds_arrays(type: Type, structs: Structs) -> bool:
    """Whether a type is a struct with an array in it, at any depth."""
    if not isinstance(type, Struct):
        return False
    return any(isinstance(field, Array) or holds_arrays(field, structs) for _, field in structs[type.name])


def leaves(signature: Sequence[tuple[str, Type]], structs: Structs) -> list[tuple[str, Type]]:
    """The signature with every struct that holds arrays replaced by its fields, named `state.position`.

    Launch descriptions, array files and references name parameters so. A leaf's place in this list is the
    number under which its values are drawn (docs/formats.md, Drawn inputs).
    """
    return [leaf for name, type in signature for leaf in _leaves(name, type, structs)]


def _leaves(name: str, type: Type, structs: Structs) -> Iterator[tuple[str, Type]]:
    if isinstance(type, Struct) and holds_arrays(type, structs):
        for field, inner in structs[type.name]:
            yield from _leaves(f"{name}.{field}", inner, structs)
    else:
        yield name, type


def structs_of(record: Mapping[str, Any]) -> Structs:
    """Fields of each struct of a record, by its name."""
    return {
        struct["name"]: [(field["name"], parse_type(field["type"])) for field in struct["fields"]]
        for struct in record["structs"]
    }
