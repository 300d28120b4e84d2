"""The names of a module that stands alone, and the constants, types and structs that it defines by them."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import warp
from warp._src import codegen
from warp._src import types as warp_types

from weft.ir.warp_inside.outside import is_type, own_names
from weft.ir.warp_inside.python_text import InexpressibleError, type_text, value_text
from weft.ir.warp_inside.recorder import LIBRARY, Recorder, span


@dataclasses.dataclass(frozen=True)
class Parts:
    """What a kernel is made of: its functions are those that it calls, callees first, by key."""

    kernel: Any
    functions: Mapping[str, Any]
    recorder: Recorder

    def adjoints(self) -> Iterator[Any]:
        """The functions' and the kernel's."""
        yield from (function.adj for function in self.functions.values())
        yield self.kernel.adj


class ModuleNames:
    """Names and definitions of the module, in the order in which the functions come to need them."""

    def __init__(self, parts: Parts, name: str) -> None:
        self.parts = parts
        self.imports: set[str] = set()
        self.aliases: list[str] = []
        self.constants: list[str] = []
        self.structs_text: list[str] = []
        self.constants_of_structs: list[str] = []
        self.structs: dict[Any, str] = {}
        self.locals = {local for adjoint in parts.adjoints() for local in own_names(adjoint)}
        self.taken: dict[str, Any] = {"wp": warp, "Any": Any, name: parts.kernel}
        self.vectors: dict[str, str] = {}
        self.kernel_name = name
        operators = set(self._operators())
        self.functions: dict[str, str] = {}
        for key, function in parts.functions.items():
            plain = function.adj.fun_name
            self.functions[key] = plain if key in operators else self.unique(plain, function)
            self.taken.setdefault(self.functions[key], function)
        for struct in parts.recorder.names.structs:
            self.struct(struct)

    def _operators(self) -> Iterator[str]:
        """Functions that stand for an operator, which Warp finds by their names."""
        for adjoint in self.parts.adjoints():
            calls = self.parts.recorder.recording(adjoint).calls
            for node in ast.walk(adjoint.tree):
                where = span(node)
                if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp) and where in calls:
                    call = calls[where]
                    if call.kind == "function":
                        yield call.name

    def unique(self, plain: str, thing: Any, derived: bool = False) -> str:
        """`plain`, or numbered where it stands for another thing; `derived` names are no function's local."""
        number, name = 1, plain
        while (name in self.taken and self.taken[name] is not thing) or (
            (derived or number > 1) and (name in self.locals or hasattr(builtins, name))
        ):
            number += 1
            name = f"{plain}_{number}"
        self.taken[name] = thing
        return name

    def struct(self, struct: Any) -> str:
        """The name of a struct, defined after those that its fields have."""
        if struct.hash in self.structs:
            return self.structs[struct.hash]
        for var in struct.vars.values():
            for part in (var.type, getattr(var.type, "dtype", None)):
                inner: Any = part
                if part is not None and warp_types.is_struct(part):
                    inner = part._cls
                if isinstance(inner, codegen.Struct):
                    self.struct(inner)
        name = self.unique(struct.cls.__name__, struct.hash)
        self.structs[struct.hash] = name
        fields = [f"    {label}: {self.annotation(var.type)}\n" for label, var in struct.vars.items()]
        doc = inspect.cleandoc(struct.cls.__doc__) if struct.cls.__doc__ else ""
        quoted = [f"    {line}".rstrip() + "\n" for line in f'"""{doc}"""'.splitlines()] if doc else []
        body = "".join(quoted) + ("\n" if quoted and fields else "") + ("".join(fields) or "    pass\n")
        self.structs_text.append(f"@wp.struct\nclass {name}:\n{body}")
        return name

    def annotation(self, warp_type: Any) -> str:
        """An annotation; a vector type that Warp has no name for gets one. Raises InexpressibleError."""
        t: Any = warp_type
        if warp_types.is_struct(warp_type):
            t = warp_type._cls
        for part in (t, getattr(t, "dtype", None), getattr(t, "value_type", None)):
            if isinstance(part, codegen.Struct):
                self.struct(part)
        text = type_text(t, self.structs)
        if "Any" in text:
            self.imports.add("from typing import Any")
        if "wp.types." not in text:
            return text
        start = text.index("wp.types.")
        end = _closing(text, start)
        return text[:start] + self._alias(text[start:end], t) + text[end:]

    def _alias(self, text: str, t: Any) -> str:
        if text not in self.vectors:
            inner = getattr(t, "dtype", None) or getattr(t, "value_type", None) or t
            hint = self.parts.recorder.names.constructor(inner if hasattr(inner, "_wp_scalar_type_") else t)
            hint = "".join(character if character.isalnum() else "_" for character in hint).strip("_")
            self.vectors[text] = self.unique(hint, text, derived=True)
            self.aliases.append(f"{self.vectors[text]} = {text}")
        return self.vectors[text]

    def constant(self, value: Any, hint: str, plain: bool) -> str:
        """The name of a module-level constant with this value. Raises InexpressibleError."""
        if isinstance(value, codegen.StructInstance):
            return self._struct_constant(value, hint)
        text = self.annotation(value) if is_type(value) else value_text(value, self.structs)
        if is_type(value) and (text.startswith("wp.") or text in ("int", "float", "bool")):
            return text
        if is_type(value) and text in self.vectors.values():
            return text
        if is_type(value) and isinstance(value, codegen.Struct):
            return text
        thing = (type(value).__name__, text)
        known = [name for name, taken in self.taken.items() if taken == thing and name == hint]
        if known:
            return known[0]
        name = self.unique(hint, thing, derived=not plain)
        line = f"{name} = {text}"
        if "wp.types." in text:
            start = text.index("wp.types.")
            alias = self._alias(text[start : _closing(text, start)], type(value))
            line = f"{name} = {text[:start]}{alias}{text[_closing(text, start) :]}"
        self.constants.append(line)
        return name

    def _struct_constant(self, value: Any, hint: str) -> str:
        """A module-level struct with these members, made by assignments, as Warp's structs are."""
        known = [name for name, taken in self.taken.items() if taken is value]
        if known:
            return known[0]
        name = self.unique(hint, value, derived=True)
        self.constants_of_structs.append(f"{name} = {self.struct(value._cls)}()")
        self._assign_members(name, value)
        return name

    def _assign_members(self, name: str, value: Any) -> None:
        for label in value._cls.vars:
            member = getattr(value, label)
            if isinstance(member, codegen.StructInstance):
                self._assign_members(f"{name}.{label}", member)
            else:
                self.constants_of_structs.append(f"{name}.{label} = {value_text(member, self.structs)}")

    def function_value(self, function: Any) -> str:
        """The name of a function that is passed as a value. Raises InexpressibleError where several fit."""
        if function.is_builtin() or getattr(function.func, "__module__", None) == LIBRARY:
            return f"wp.{function.key}"
        found = {
            self.functions[key]
            for key, known in self.parts.functions.items()
            if known is function or getattr(known, "func", None) is function.func
        }
        if len(found) != 1:
            raise InexpressibleError(f"the function {function.key}, which is passed as a value")
        return found.pop()


def _closing(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if text[index] == ")" and depth == 0:
            return index + 1
    return len(text)
