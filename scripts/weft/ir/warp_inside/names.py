"""Warp's types and constants in the language of docs/formats/types.md."""

from __future__ import annotations

import math
import re
import typing
from typing import Any

import numpy as np
import warp
from warp._src import codegen, context
from warp._src import types as warp_types

from weft.types import SCALAR_BYTES

_ARRAYS = {
    warp.array: "array",
    warp.indexedarray: "indexed_array",
    warp.fabricarray: "bucket_array",
    warp.indexedfabricarray: "indexed_bucket_array",
}


def key_of(thing: Any, definition: Any) -> str:
    """The key of a kernel, function or struct of the user's; Warp's own drops letters outside ASCII."""
    name = definition.__qualname__
    return str(thing.key) if name.isascii() else re.sub(r"\W+", "", name.replace(".", "__"))


class Names:
    """Unique names of the structs and functions of one record, given in the order of first use."""

    def __init__(self) -> None:
        self.structs: dict[Any, str] = {}
        self.functions: dict[Any, str] = {}

    @staticmethod
    def _give(table: dict[Any, str], thing: Any, name: str, separator: str) -> str:
        if thing not in table:
            taken = set(table.values())
            candidates = (name if i == 1 else f"{name}{separator}{i}" for i in range(1, len(table) + 2))
            table[thing] = next(candidate for candidate in candidates if candidate not in taken)
        return table[thing]

    def struct(self, struct: Any) -> str:
        """A C identifier; structs of one name with the same fields are one struct."""
        for known, name in self.structs.items():
            if known.hash == struct.hash:
                return name
        return self._give(self.structs, struct, key_of(struct, struct.cls), "_")

    def function(self, function: Any) -> str:
        """`scale`, and `scale.2` for the second overload: the dot keeps it apart from any Python name."""
        return self._give(self.functions, function, key_of(function, function.func), ".")

    def type(self, warp_type: Any) -> str:
        """A Warp type in the language of docs/formats/types.md; what it lacks is written opaque<name>."""
        t: Any = warp_type
        if codegen.is_reference(t):
            return f"ref<{self.type(t.value_type)}>"
        if isinstance(t, codegen.Struct):
            return f"struct<{self.struct(t)}>"
        if warp_types.is_struct(t):
            return f"struct<{self.struct(t._cls)}>"
        if isinstance(t, context.Function):
            return f"func<{t.key}>"
        if warp_types.is_array(t):
            plain = isinstance(t, warp_types.fixedarray)
            kind = warp.array if plain else warp_types.concrete_array_type(t)
            if kind not in _ARRAYS:
                return f"opaque<{kind.__name__}>"
            return f"{_ARRAYS[kind]}<{self.type(t.dtype)},{t.ndim}>"
        if warp_types.is_tile(t) and all(isinstance(extent, int) for extent in t.shape):
            return f"tile<{self.type(t.dtype)},{','.join(map(str, t.shape))}>"
        if isinstance(t, warp_types.tuple_t):
            return f"tuple<{','.join(self.type(item) for item in t.types)}>"
        if typing.get_origin(t) is tuple and ... not in typing.get_args(t):
            return f"tuple<{','.join(self.type(item) for item in typing.get_args(t))}>"
        t = warp_types.type_to_warp(t)
        name = getattr(t, "__name__", type(t).__name__)
        if name in SCALAR_BYTES:
            return str(name)
        kind = getattr(t, "_wp_generic_type_str_", None)
        if kind == "vec_t":
            return f"vec<{t._length_},{t._wp_scalar_type_.__name__}>"
        if kind == "mat_t":
            return f"mat<{t._shape_[0]},{t._shape_[1]},{t._wp_scalar_type_.__name__}>"
        if kind in ("quat_t", "transform_t"):
            return f"{kind[:-2]}<{t._wp_scalar_type_.__name__}>"
        return f"opaque<{name}>"

    def value(self, value: Any) -> Any:
        """A constant as JSON (docs/formats/ir.md): numbers that JSON lacks are strings.

        None for what is no constant.
        """
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, bool | str):
            return value
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if type(value) in warp_types.scalar_and_bool_types:
            return self.value(value.value)
        if isinstance(value, codegen.StructInstance):
            members = [getattr(value, name) for name in value._cls.vars]
            components = [component for member in members for component in self._components(member)]
            return {"type": self.type(value._cls), "components": components}
        if not hasattr(value, "_length_"):
            return None
        return {"type": self.type(type(value)), "components": self._components(value)}

    def _components(self, value: Any) -> list[Any]:
        converted: Any
        if hasattr(value, "_shape_") and len(value._shape_) == 2:
            return [self.value(value[i][j]) for i in range(value._shape_[0]) for j in range(value._shape_[1])]
        if hasattr(value, "_length_"):
            return [self.value(value[i]) for i in range(value._length_)]
        converted = self.value(value)
        return list(converted["components"]) if isinstance(converted, dict) else [converted]

    def constructor(self, warp_type: Any) -> str:
        """The name that users write for a type: vec3, vec2i, mat33d, quat, transform, float32."""
        text = self.type(warp_type)
        head, _, parameters = text.removesuffix(">").partition("<")
        if head not in ("vec", "mat", "quat", "transform"):
            return text
        *sizes, scalar = parameters.split(",")
        suffixes = {"float32": "", "float64": "d", "float16": "h", "int32": "i", "uint32": "u", "int64": "l"}
        suffixes |= {"uint64": "ul", "int16": "s", "uint16": "us", "int8": "b", "uint8": "ub"}
        return head + "".join(sizes) + suffixes.get(scalar, f"_{scalar}")
