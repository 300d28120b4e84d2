"""Which names a statement binds, and which names of its module it refers to."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

MUTATORS = ("append", "extend", "update", "insert", "add", "setdefault")

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclasses.dataclass(frozen=True)
class Reference:
    """A use of a module-level name: `node` spans `name.attributes…`, the longest such chain."""

    node: ast.expr
    name: str
    attributes: tuple[str, ...]

    def end_of(self, count: int) -> ast.expr:
        """The node that spans the name and the first `count` attributes."""
        node = self.node
        for _ in range(len(self.attributes) - count):
            assert isinstance(node, ast.Attribute)
            node = node.value
        return node


def bound_names(node: ast.stmt) -> set[str]:
    """The module-level names that a statement binds or changes; for an import, none of its own."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return {name}
        case ast.Assign(targets):
            return {name for target in targets for name in _targets(target)}
        case ast.AnnAssign(target) | ast.AugAssign(target):
            return _targets(target)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method))) if method in MUTATORS:
            return {name}
        case ast.Import(aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        case ast.If() | ast.Try() | ast.For() | ast.While() | ast.With():
            names: set[str] = set()
            for child in _statements(node):
                names |= bound_names(child)
            return names
    return set()


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    for field in ("body", "orelse", "finalbody"):
        yield from getattr(node, field, [])
    for handler in getattr(node, "handlers", []):
        yield from handler.body


def _targets(target: ast.expr) -> set[str]:
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def references(node: ast.AST, local: frozenset[str] = frozenset()) -> Iterator[Reference]:
    """Every use or binding of a module-level name in a statement; names that `local` has are not."""
    match node:
        case ast.Name(name):
            if name not in local:
                yield Reference(node, name, ())
            return
        case ast.Attribute():
            root, attributes = chain(node)
            if isinstance(root, ast.Name):
                if root.id not in local:
                    yield Reference(node, root.id, attributes)
                return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            yield from _function(node, local)
            return
        case ast.ClassDef(bases=bases, keywords=keywords, body=body, decorator_list=decorators):
            fields = local | {name for statement in body for name in bound_names(statement)}
            for outer in (*bases, *keywords, *decorators):
                yield from references(outer, local)
            for statement in body:
                yield from references(statement, frozenset(fields))
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            stored = {name for generator in node.generators for name in _targets(generator.target)}
            local |= stored
    for child in ast.iter_child_nodes(node):
        yield from references(child, local)


def _function(node: _Function, local: frozenset[str]) -> Iterator[Reference]:
    arguments = node.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    for parameter in parameters:
        yield from _annotation(parameter.annotation, local)
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            yield from references(default, local)
    inner = local | {parameter.arg for parameter in parameters}
    if isinstance(node, ast.Lambda):
        yield from references(node.body, frozenset(inner))
        return
    for decorator in node.decorator_list:
        yield from references(decorator, local)
    yield from _annotation(node.returns, local)
    exposed: set[str] = set()
    for inside in ast.walk(node):
        if isinstance(inside, ast.Name) and isinstance(inside.ctx, ast.Store):
            inner |= {inside.id}
        elif isinstance(inside, ast.Global):
            exposed.update(inside.names)
    inner -= exposed
    for statement in node.body:
        yield from references(statement, frozenset(inner))


def _annotation(annotation: ast.expr | None, local: frozenset[str]) -> Iterator[Reference]:
    if annotation is not None:
        yield from references(annotation, local)


def chain(node: ast.expr) -> tuple[ast.expr, tuple[str, ...]]:
    """What attributes are taken of, and their names."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    return node, tuple(attributes)
