"""Forms of a kernel that forget what does not matter: layout, names, or names and constants.

Trees are written out field by field, without the fields that differ between Python versions.
"""

from __future__ import annotations

import ast
import builtins
import functools
import hashlib
import io
import tokenize
from collections.abc import Sequence

_NO_MEANING = frozenset({"type_comment", "type_params", "kind", "ctx", "decorator_list"})
_KEPT = frozenset({"wp", "warp", "math", "np", *vars(builtins)})
_LAYOUT = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


def digest(text: str) -> str:
    """A short hash of a form."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def tokens(definitions: Sequence[ast.stmt]) -> list[str]:
    """The tokens of Python text, without layout and comments."""
    return [token for node in definitions for token in _tokens(node)]


def renamed_tokens(definitions: Sequence[ast.stmt]) -> list[str]:
    """The tokens with the k-th new name called v<k>.

    Names of Python, of Warp and of modules stay, as do components (`.x`): they say what is computed. Fields
    of the definitions' own structs are renamed.
    """
    namer = _Namer(definitions)
    namer.written()
    texts = tokens(definitions)
    before = ["", *texts]
    return [
        one
        if (last == "." and one not in namer.fields) or (last == "." and before[at - 1] in _KEPT)
        else namer.numbers.get(one, one)
        for at, (last, one) in enumerate(zip(before, texts, strict=False))
    ]


def renamed_tree(definitions: Sequence[ast.stmt]) -> str:
    """The trees as one text, with names numbered as in `renamed_tokens`; the same on every Python version."""
    return _Namer(definitions).written()


def skeleton(definitions: Sequence[ast.stmt]) -> str:
    """The trees as one text without identifiers and constants: only which constructs stand where."""
    return ";".join(_shape(node) for node in definitions)


@functools.lru_cache(maxsize=1024)
def _tokens(node: ast.stmt) -> tuple[str, ...]:
    lines = io.StringIO(ast.unparse(node))
    return tuple(one.string for one in tokenize.generate_tokens(lines.readline) if one.type not in _LAYOUT)


class _Namer:
    """Numbers names in the order in which the trees are written."""

    def __init__(self, definitions: Sequence[ast.stmt]) -> None:
        self.definitions = definitions
        self.numbers: dict[str, str] = {}
        self.fields = {
            one.target.id
            for node in definitions
            if isinstance(node, ast.ClassDef)
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        }

    def written(self) -> str:
        return ";".join(self._write(node) for node in self.definitions)

    def _new(self, name: str) -> str:
        return name if name in _KEPT else self.numbers.setdefault(name, f"v{len(self.numbers)}")

    def _write(self, node: object) -> str:
        match node:
            case ast.Name(id=name):
                return self._new(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in _KEPT:
                return f"{module}.{name}"
            case ast.Attribute(value=value, attr=name) if name in self.fields:
                return f"{self._write(value)}.{self._new(name)}"
            case ast.arg(arg=name, annotation=annotation):
                return f"{self._new(name)}:{self._write(annotation)}"
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                parts = [self._write(value) for key, value in _fields(node) if key != "name"]
                return f"{type(node).__name__}({self._new(name)},{','.join(parts)})"
            case ast.AST():
                return f"{type(node).__name__}({','.join(self._write(value) for _, value in _fields(node))})"
            case list():
                return f"[{','.join(map(self._write, node))}]"
            case _:
                return repr(node)


def _shape(node: object) -> str:
    match node:
        case ast.Name() | ast.Constant() | ast.arg():
            return type(node).__name__
        case ast.AST():
            return f"{type(node).__name__}({','.join(_shape(value) for _, value in _fields(node))})"
        case list():
            return f"[{','.join(map(_shape, node))}]"
        case _:
            return ""


def _fields(node: ast.AST) -> list[tuple[str, object]]:
    found = [(name, getattr(node, name, None)) for name in node._fields if name not in _NO_MEANING]
    return [(name, value) for name, value in found if value is not None and value != []]
