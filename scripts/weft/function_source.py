"""One function of a record: its syntax tree, with Warp's types, values and callees by source span."""

from __future__ import annotations

import ast
import dataclasses
import functools
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from weft.errors import KernelError, Place
from weft.source_lines import character, lines_of
from weft.types import Array, Reference, Tile, Tuple, Type, parse_type, strip_reference

Span = tuple[int, int, int, int]

_SPELLED = re.compile("0[xXbB][0-9a-fA-F_]+")


@dataclasses.dataclass(frozen=True)
class Comment:
    """A comment of the source, without its `#`. `alone` if nothing else stands on its line."""

    line: int
    column: int
    text: str
    alone: bool


@dataclasses.dataclass(frozen=True)
class FunctionSource:
    """A function record, parsed. Spans are (line, column, end line, end column) within `text`.

    A tuple among several results stands with its values in `result`; `groups` says how many values each of
    the results has, where one is a tuple. So does a parameter that is a tuple; `tuples` has the names that
    stand for its values.
    """

    key: str
    name: str
    doc: str
    text: str
    file: str
    first_line: int
    first_column: int
    definition: ast.FunctionDef
    parameters: tuple[tuple[str, Type], ...]
    tuples: Mapping[str, tuple[tuple[str, Type], ...]]
    defaults: Mapping[str, Any]
    result: Type | tuple[Type, ...] | None
    groups: tuple[int, ...]
    types: Mapping[Span, Type]
    has_tiles: bool
    values: Mapping[Span, Any]
    callees: Mapping[Span, Mapping[str, Any]]
    snippet: str | None
    comments: tuple[Comment, ...]
    blank_lines: frozenset[int]

    @property
    def names(self) -> frozenset[str]:
        """All that the text names."""
        return frozenset(node.id for node in ast.walk(self.definition) if isinstance(node, ast.Name))

    def place(self, node: ast.AST) -> Place:
        """Where `node` stands in the user's file."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        lines = lines_of(self.text)
        source_line = lines[line - 1] if line <= len(lines) else ""
        return Place(
            self.file,
            self.first_line + line - 1,
            self.first_column + character(source_line, column) + 1,
            " " * self.first_column + source_line,
        )

    def parameter(self, name: str) -> ast.AST:
        """Where a parameter is declared."""
        return next((a for a in self.definition.args.args if a.arg == name), self.definition)

    def refusal(self, node: ast.AST, message: str) -> KernelError:
        """The error that refuses `node`, to be raised."""
        return KernelError("unsupported", message, self.place(node))

    def has_type(self, node: ast.expr) -> bool:
        """True if Warp evaluated `node` to a value."""
        return span(node) in self.types

    def has_types(self, nodes: Iterable[ast.stmt]) -> bool:
        """Whether Warp evaluated anything in these statements."""
        inner = (one for node in nodes for one in ast.walk(node))
        return any(isinstance(one, ast.expr) and self.has_type(one) for one in inner)

    def known_type(self, node: ast.expr) -> Type | None:
        """The type of the value that `node` stands for; None where Warp gave it none."""
        kind = self.types.get(span(node))
        return None if kind is None else strip_reference(kind)

    def type(self, node: ast.expr) -> Type:
        """The same. Refuses nodes that Warp gave no type."""
        if (kind := self.known_type(node)) is None:
            raise self.refusal(node, "this expression has no type in the record, so it cannot be translated")
        return kind

    def is_known(self, node: ast.expr) -> bool:
        """True if Warp knows what `node` is, always or in each iteration."""
        return span(node) in self.values

    def value(self, node: ast.expr) -> Any:
        """The value that Warp knows for `node`, or None."""
        known = self.values.get(span(node))
        return None if isinstance(known, dict) and "iterations" in known else known

    def iterations(self, node: ast.expr) -> list[Any] | None:
        """The values that Warp knows for `node` in each iteration of loops that it unrolls, or None."""
        known = self.values.get(span(node))
        return known["iterations"] if isinstance(known, dict) and "iterations" in known else None

    def spelling(self, node: ast.expr) -> str:
        """How the source writes an integer, if that is hexadecimal or binary."""
        if not isinstance(node, ast.Constant) or type(node.value) is not int or node.value < 0:
            return ""
        text = self.lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
        return text if _SPELLED.fullmatch(text) and int(text, 0) == node.value else ""

    @functools.cached_property
    def lines(self) -> list[bytes]:
        """The lines of the text, whose bytes are what columns count."""
        return [line.encode() for line in lines_of(self.text)]

    def callee(self, node: ast.AST) -> Mapping[str, Any] | None:
        """What the call (or overloaded operator) at `node` resolved to, or None."""
        return self.callees.get(span(node))

    def builtin(self, node: ast.AST) -> str:
        """The builtin that the call at `node` resolved to, or ''."""
        callee = self.callee(node) if isinstance(node, ast.Call) else None
        return str((callee or {}).get("builtin", ""))

    @property
    def parameter_names(self) -> list[str]:
        """The names of all parameters, of those that take functions, too."""
        return [argument.arg for argument in self.definition.args.args]

    def given(self, call: ast.Call) -> dict[str, ast.expr]:
        """What a call gives the parameters of this function, starred arguments aside."""
        plain = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
        given = dict(zip(self.parameter_names, plain, strict=False))
        return given | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def root_name(node: ast.expr) -> str | None:
    """The name that a place is a part of."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def span(node: ast.AST) -> Span:
    """The span of a node."""
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def stored_names(body: Iterable[ast.stmt]) -> set[str]:
    """Names that statements assign, loop variables of loops within them included."""
    names: set[str] = set()
    pending: list[ast.AST] = list(body)
    while pending:
        match pending.pop():
            case ast.Name(id=name):
                names.add(name)
            case ast.Tuple(elts=targets) | ast.List(elts=targets) | ast.Assign(targets=targets):
                pending += targets
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.Starred(value=target):
                pending.append(target)
            case ast.For(target=target, body=inner, orelse=otherwise):
                pending += [target, *inner, *otherwise]
            case ast.If(body=inner, orelse=otherwise) | ast.While(body=inner, orelse=otherwise):
                pending += [*inner, *otherwise]
            case _:
                pass
    return names


def read_function(record: Mapping[str, Any]) -> FunctionSource:
    """Parse a function record (docs/formats/ir.md). Raises KernelError if its source is no function."""
    text = record["source"]
    tree = ast.parse(text)
    definition = next((node for node in tree.body if isinstance(node, ast.FunctionDef)), None)
    if definition is None:
        place = Place(record["file"], record["line"], 1, text.split("\n", 1)[0])
        raise KernelError("unsupported", "only functions written with `def` can be translated", place)
    types: dict[Span, Type] = {}
    values: dict[Span, Any] = {}
    names: dict[int, Type | None] = {}
    for line, column, end_line, end_column, index, *known in record["expressions"]:
        where = (line, column, end_line, end_column)
        if index is not None:
            if index not in names:
                names[index] = _parse(record["types"][index])
            if (kind := names[index]) is not None:
                types[where] = kind
        if known:
            values[where] = known[0]
    callees = {(call[0], call[1], call[2], call[3]): call[4] for call in record["calls"]}
    result = record["result"]
    parameters: list[tuple[str, Type]] = []
    tuples: dict[str, tuple[tuple[str, Type], ...]] = {}
    for parameter in record["parameters"]:
        if parameter["type"] == "opaque<Function>" or parameter["type"].startswith("func<"):
            # A function that is passed: calls of it say themselves which function they mean.
            continue
        kind = _parse(parameter["type"])
        if kind is None:
            place = Place(record["file"], record["line"], 1, text.split("\n", 1)[0])
            message = f"parameter {parameter['name']!r} has type {parameter['type']}, which is not supported"
            raise KernelError("unsupported", message, place)
        if isinstance(kind, Reference) and isinstance(kind.value, Array):
            kind = kind.value
        if isinstance(kind, Tuple) and not any(isinstance(item, Tuple) for item in kind.items):
            tuples[parameter["name"]] = _named(parameter["name"], kind, definition)
            parameters += tuples[parameter["name"]]
        else:
            parameters.append((parameter["name"], kind))
    return FunctionSource(
        key=record["key"],
        name=record["name"],
        doc=record["doc"],
        text=text,
        file=record["file"],
        first_line=record["line"],
        first_column=record["column"],
        definition=definition,
        parameters=tuple(parameters),
        tuples=tuples,
        defaults=record["defaults"],
        result=_result(result),
        groups=_groups(result),
        types=types,
        has_tiles=any(isinstance(kind, Tile) for kind in names.values()),
        values=values,
        callees=callees,
        snippet=record.get("native_snippet"),
        comments=tuple(_comments(text)),
        blank_lines=frozenset(i + 1 for i, line in enumerate(text.split("\n")) if not line.strip()),
    )


def _named(name: str, kind: Tuple, definition: ast.FunctionDef) -> tuple[tuple[str, Type], ...]:
    """A name for each value of a tuple that is a parameter."""
    taken = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    taken |= {argument.arg for argument in definition.args.args}
    stem = name
    while any(f"{stem}_{i}" in taken for i in range(len(kind.items))):
        stem += "_part"
    return tuple((f"{stem}_{i}", strip_reference(item)) for i, item in enumerate(kind.items))


def _parse(text: str) -> Type | None:
    """The type that `text` writes, or None for one that the type language lacks."""
    try:
        return parse_type(text)
    except ValueError:
        return None


def _result(result: Any) -> Type | tuple[Type, ...] | None:
    if result is None:
        return None
    if isinstance(result, str):
        return strip_reference(parse_type(result))
    return tuple(value for item in result for value in _values(item))


def _groups(result: Any) -> tuple[int, ...]:
    counts = tuple(len(_values(item)) for item in result) if isinstance(result, list) else ()
    return counts if any(count != 1 for count in counts) else ()


def _values(item: str) -> list[Type]:
    """The types of the values in a result: of a tuple's, one each. Raises ValueError for tuples in tuples."""
    parsed = strip_reference(parse_type(item))
    values = parsed.items if isinstance(parsed, Tuple) else (parsed,)
    if any(isinstance(strip_reference(value), Tuple) for value in values):
        raise ValueError(item)
    return [strip_reference(value) for value in values]


_TOOL_COMMENTS = ("noqa", "type:", "fmt:", "pylint", "mypy", "ruff", "isort", "pragma", "%%")


_OF_WARP = re.compile(r"\b(wp|warp)\.\w")
"""What calls something of Warp's is mostly code that was put out of use; the program has no such name."""


def _comments(text: str) -> Iterator[Comment]:
    """The comments of a source, without those that are addressed to tools or name what is Warp's."""
    if "#" not in text:
        return
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            # A backslash at the end would make the next line of the program part of the comment.
            body = token.string.lstrip("#").rstrip("\\ ").strip()
            if body and not body.startswith(_TOOL_COMMENTS) and not _OF_WARP.search(body):
                yield Comment(line, column, body, not lines[line - 1][:column].strip())
