"""A kernel's record, read once: its function and those that it calls, and its parameters."""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

from weft.errors import Place
from weft.function_source import FunctionSource, read_function
from weft.ir.index_references import PlaceUses
from weft.leaves import leaves, signature_of, structs_of
from weft.types import Fields, Structs, Type


@dataclasses.dataclass(frozen=True)
class KernelSources:
    """A kernel's function, those that it calls, by their keys, and what it is given.

    `uses_tiles` counts tiles, too, whose elements have no type of the type language.
    """

    kernel: FunctionSource
    functions: Mapping[str, FunctionSource]
    signature: Fields
    structs: Structs
    uses_tiles: bool

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> KernelSources:
        """The sources of a record (docs/formats/ir.md)."""
        types = [text for one in (record["kernel"], *record["functions"]) for text in one["types"]]
        return cls(
            read_function(record["kernel"]),
            {function["key"]: read_function(function) for function in record["functions"]},
            signature_of(record),
            structs_of(record),
            any(text.startswith("tile<") for text in types),
        )

    @functools.cached_property
    def types(self) -> dict[str, Type]:
        """The types of the leaves."""
        return dict(leaves(self.signature, self.structs))

    @functools.cached_property
    def builtins(self) -> frozenset[str]:
        """The builtins that are called."""
        sources = (self.kernel, *self.functions.values())
        return frozenset(
            str(callee["builtin"])
            for source in sources
            for callee in source.callees.values()
            if "builtin" in callee
        )

    @functools.cached_property
    def place_uses(self) -> PlaceUses:
        return PlaceUses(self.functions)

    @property
    def asks_block_dim(self) -> bool:
        """Whether the number of threads of a block is asked for."""
        return "block_dim" in self.builtins

    def place(self, leaf: str) -> Place:
        """Where the kernel names a parameter, or the one that a leaf is of."""
        return self.kernel.place(self.kernel.parameter(leaf.partition(".")[0]))

    def uses(self, leaf: str) -> bool:
        """Whether the kernel's code names a parameter, and some code the member of it that a leaf is."""
        parameter, *members = leaf.split(".")
        kernel = self.kernel.definition
        if not any(isinstance(node, ast.Name) and node.id == parameter for node in ast.walk(kernel)):
            return False
        trees = [kernel, *(function.definition for function in self.functions.values() if members)]
        named = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        return named.issuperset(members)
