"""A kernel's source as a module that stands alone: what it needs, found by dependency closure over the syntax.

Works on text and syntax trees; no module is imported. Comments above a definition and within it come along.
"""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Statement:
    """A top-level statement: its text, the names that it binds or changes, and those that it reads."""

    text: str
    node: ast.stmt
    binds: frozenset[str]
    reads: frozenset[str]


def standalone(path: Path, text: str, kernel: str) -> str:
    """The text of a module with `kernel` and everything that it uses, in the order of the file."""
    statements = top_level(text)
    needed: set[str] = set()
    pending = {kernel}
    while pending:
        name = pending.pop()
        needed.add(name)
        for statement in statements:
            if name in statement.binds:
                pending |= statement.reads - needed
    kept = [s for s in statements if _is_kept(s, needed)]
    return "".join(_spaced(kept))


def _is_kept(statement: Statement, needed: set[str]) -> bool:
    if statement.binds:
        return bool(statement.binds & needed)
    match statement.node:
        case ast.ImportFrom(module="__future__"):
            return True
        case ast.Expr(ast.Call(ast.Attribute(_, "set_module_options"))):
            return True
        case ast.Expr(ast.Call(ast.Attribute(_, "overload"), [ast.Name(kernel), *_])):
            return kernel in needed
    return False


def _spaced(statements: list[Statement]) -> list[str]:
    """Texts with the blank lines of PEP 8 between them."""
    texts: list[str] = []
    for i, statement in enumerate(statements):
        definition = isinstance(statement.node, ast.FunctionDef | ast.ClassDef)
        before = statements[i - 1].node if i else None
        if before is not None and (definition or isinstance(before, ast.FunctionDef | ast.ClassDef)):
            texts.append("\n\n")
        elif before is not None and _is_import(before) != _is_import(statement.node):
            texts.append("\n")
        texts.append(statement.text)
    return texts


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def top_level(text: str) -> list[Statement]:
    """The statements of a module with the comments that belong to them."""
    tree = ast.parse(text)
    lines = text.splitlines()
    statements = []
    for i, node in enumerate(tree.body):
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        limit = (tree.body[i - 1].end_lineno or 0) if i else 0
        while first - 1 > limit and lines[first - 2].startswith("#"):
            first -= 1
        last = node.end_lineno or node.lineno
        while last < len(lines) and _is_body_comment(lines[last:], node):
            last += 1
        body = "\n".join(lines[first - 1 : last]).rstrip() + "\n"
        statements.append(Statement(body, node, frozenset(_bound(node)), frozenset(_read(node))))
    return statements


def _is_body_comment(lines: list[str], node: ast.stmt) -> bool:
    """Whether the next line is a comment at the end of the definition's body."""
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and lines[0].startswith((" ", "\t"))


def _bound(node: ast.stmt) -> set[str]:
    names: set[str] = set()
    match node:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            names.add(name)
        case ast.Import(aliases):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        case ast.ImportFrom(module=module, names=aliases) if module != "__future__":
            names |= {alias.asname or alias.name for alias in aliases}
        case ast.Assign(targets):
            names |= {name for target in targets for name in _targets(target)}
        case ast.AnnAssign(target) | ast.AugAssign(target):
            names |= _targets(target)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method))) if method in (
            "append",
            "extend",
            "update",
        ):
            names.add(name)
        case ast.If() | ast.Try() | ast.For() | ast.With():
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    names |= _bound(child)
                elif isinstance(child, ast.ExceptHandler):
                    names |= {name for statement in child.body for name in _bound(statement)}
    return names


def _targets(target: ast.expr) -> set[str]:
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _read(node: ast.stmt) -> set[str]:
    """Names that a statement mentions; parameters and locals among them cost nothing but a look-up."""
    names = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            names.add(child.id)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str) and child.value.isidentifier():
            names.add(child.value)
    return names
