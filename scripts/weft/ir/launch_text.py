"""The LAUNCH literal of a file: what it says, and where each part of it is."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from weft.errors import Place, UserError
from weft.source_lines import character, lines_of
from weft.written import Where, WrittenError

_CHANGES = ("update", "setdefault", "pop", "popitem", "clear", "__setitem__")


@dataclasses.dataclass(frozen=True)
class LaunchText:
    """The literal, None in a file that has none, and the lines around it."""

    path: Path
    lines: list[str]
    node: ast.Dict | None
    entries: Mapping[str, Any]

    @classmethod
    def read(cls, path: Path, tree: ast.Module, text: str) -> LaunchText:
        """The literal of a parsed file. Raises UserError if what the file calls LAUNCH is none."""
        found = cls(path, lines_of(text), None, {})
        values: list[ast.expr] = []
        for name, value in _uses(tree):
            if value is None:
                raise found.refusal(
                    name, "LAUNCH is read without running the file: write it as one literal, once"
                )
            if values:
                first = found.place(values[0])
                raise found.refusal(name, f"LAUNCH is assigned twice, first in line {first.line}")
            values.append(value)
        if not values:
            return found
        node = values[0]
        for part in ast.walk(node):
            if (wrong := _no_literal(part)) is not None:
                raise found.refusal(wrong, f"LAUNCH must be a literal, and this is {_kind(wrong)}")
        if not isinstance(node, ast.Dict):
            raise found.refusal(node, f"LAUNCH must be a dict of kernel names, got {_kind(node)}")
        for key in node.keys:
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                assert key is not None
                raise found.refusal(key, f"keys of LAUNCH must be kernel names, got {ast.unparse(key)}")
        try:
            entries = ast.literal_eval(node)
        except (ValueError, TypeError, MemoryError, RecursionError) as error:
            raise found.refusal(node, f"LAUNCH must be a literal: {error}") from error
        return dataclasses.replace(found, node=node, entries=entries)

    def refusal(self, node: ast.expr | ast.alias, message: str) -> UserError:
        """What is wrong with the whole file."""
        return UserError(f"{self.place(node)}\n{message}")

    def place(self, node: ast.expr | ast.alias) -> Place:
        """Where a part of the literal stands."""
        line = self.lines[node.lineno - 1]
        return Place(str(self.path), node.lineno, character(line, node.col_offset) + 1, line)

    def place_of(self, name: str, error: WrittenError | None = None) -> Place | None:
        """Where LAUNCH describes a kernel, or what of its description an error is about."""
        found = _entry(self.node, name)
        if found is None:
            return None
        keys, at_key = ((), True) if error is None else (error.keys, error.at_key)
        return self.place(_part(*found, keys, at_key))

    def require_unique(self, name: str, where: Where) -> None:
        """Raise WrittenError for a key that a dict of a kernel's description has twice: Python forgets the
        first.
        """
        if self.node is not None:
            keys = [key.value for key in self.node.keys if isinstance(key, ast.Constant)]
            if keys.count(name) > 1:
                raise where.error("LAUNCH describes this kernel twice", at_key=True)
        found = _entry(self.node, name)
        if found is not None:
            _require_unique(found[1], where)


def _require_unique(node: ast.expr, where: Where) -> None:
    for key, part in _children(node):
        there = where / key
        if isinstance(node, ast.Dict) and sum(_value(one) == key for one in node.keys) > 1:
            raise there.error(f"the key {key!r} appears twice", at_key=True)
        _require_unique(part, there)


def _children(node: ast.expr) -> Iterator[tuple[Any, ast.expr]]:
    """The parts of a dict or a list, with their keys."""
    if isinstance(node, ast.Dict):
        yield from ((_value(key), value) for key, value in zip(node.keys, node.values, strict=True))
    elif isinstance(node, ast.List | ast.Tuple):
        yield from enumerate(node.elts)


def _value(key: ast.expr | None) -> Any:
    if isinstance(key, ast.Constant):
        return key.value
    return None if key is None else ast.literal_eval(key)


def _entry(node: ast.Dict | None, name: str) -> tuple[ast.expr, ast.expr] | None:
    """The last key of a dict that is `name`, as Python takes it, and its value."""
    pairs = zip(node.keys, node.values, strict=True) if node is not None else ()
    found = [(key, value) for key, value in pairs if key is not None and _value(key) == name]
    return found[-1] if found else None


def _part(key: ast.expr, value: ast.expr, keys: tuple[Any, ...], at_key: bool) -> ast.expr:
    """The node that keys lead to, or that of the last key on the way that is there."""
    for step in keys:
        if isinstance(value, ast.Dict):
            pairs = zip(value.keys, value.values, strict=True)
            below = [(one, part) for one, part in pairs if one is not None and _value(one) == step]
            if not below:
                return key
            key, value = below[-1]
        elif isinstance(value, ast.List | ast.Tuple) and isinstance(step, int) and step < len(value.elts):
            key = value = value.elts[step]
        else:
            return key
    return key if at_key else value


def _uses(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.alias, ast.expr | None]]:
    """Where the file's body sets LAUNCH, with the value, or None where it does so in another way."""
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Name("LAUNCH") as name], value):
                yield name, value
            case ast.AnnAssign(ast.Name("LAUNCH") as name, _, ast.expr() as value):
                yield name, value
            case ast.AnnAssign(ast.Name("LAUNCH"), _, None) | ast.FunctionDef() | ast.ClassDef():
                pass
            case ast.ImportFrom(names=names) | ast.Import(names=names):
                yield from ((name, None) for name in names if "LAUNCH" in (name.asname, name.name))
            case _:
                yield from ((name, None) for name in _changes(statement))


def _changes(statement: ast.stmt) -> Iterator[ast.expr]:
    for node in ast.walk(statement):
        match node:
            case ast.Name("LAUNCH", ast.Store() | ast.Del()):
                yield node
            case ast.Subscript(ast.Name("LAUNCH"), _, ast.Store() | ast.Del()):
                yield node
            case ast.Call(ast.Attribute(ast.Name("LAUNCH"), method)) if method in _CHANGES:
                yield node


def _no_literal(node: ast.AST) -> ast.expr | None:
    """The node if it is no literal of JSON's types: a dict, a list, text, a number, True, False, None."""
    match node:
        case ast.Dict(keys, values) if None in keys:
            return values[keys.index(None)]
        case ast.expr() if not isinstance(node, ast.Constant | ast.Dict | ast.List | ast.Tuple):
            return None if _is_number(node) else node
    return None


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number with a sign."""
    match node:
        case ast.UnaryOp(ast.USub() | ast.UAdd(), ast.Constant(value=value)):
            return type(value) in (int, float)
    return False


def _kind(node: ast.expr) -> str:
    """What an expression is, in a word or two, with its text where that is short."""
    text = ast.unparse(node)
    words = {
        ast.Call: "a call",
        ast.Name: "a name",
        ast.List: "a list",
        ast.Set: "a set",
        ast.Constant: "a value",
    }
    kind = words.get(type(node), "an expression")
    return f"{kind}: {text}" if len(text) <= 60 else kind
