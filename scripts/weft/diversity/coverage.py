"""Which parts of the language a set of kernels uses: in how many kernels each occurs."""

from __future__ import annotations

import ast
import collections
import re
from collections.abc import Iterator, Sequence

from weft.diversity.collect import Kernel

KINDS = ("builtin", "type", "rank", "statement")

_RANKED = re.compile(r"array([1-4])d$")
_STATEMENTS = {
    ast.If: "if",
    ast.IfExp: "conditional expression",
    ast.For: "for",
    ast.While: "while",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.AugAssign: "augmented assignment",
    ast.Assert: "assert",
    ast.BoolOp: "and/or",
}


def coverage(kernels: Sequence[Kernel]) -> dict[str, dict[str, dict[str, int]]]:
    """Kind → feature → group (a build's category) → number of kernels that use the feature."""
    table: dict[str, dict[str, collections.Counter[str]]] = {kind: {} for kind in KINDS}
    for kernel in kernels:
        for kind, feature in sorted(set(_features(kernel.definitions))):
            table[kind].setdefault(feature, collections.Counter())[kernel.group] += 1
    return {
        kind: {feature: dict(sorted(groups.items())) for feature, groups in sorted(features.items())}
        for kind, features in table.items()
    }


def _features(definitions: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Kinds and features; the types that the kernel defines itself are one feature, `struct`."""
    structs = {one.name for one in definitions if isinstance(one, ast.ClassDef)}
    for definition in definitions:
        if isinstance(definition, ast.ClassDef):
            yield "type", "struct"
        if isinstance(definition, ast.FunctionDef):
            body = definition.body
            if any(isinstance(one, ast.Return) for top in body[:-1] for one in ast.walk(top)):
                yield "statement", "early return"
            if definition is not definitions[-1]:
                yield "statement", "function"
        decorators = {id(one) for top in getattr(definition, "decorator_list", []) for one in ast.walk(top)}
        for node in ast.walk(definition):
            if id(node) not in decorators:
                yield from (one for one in _of_node(node) if one[1] not in structs)


def _of_node(node: ast.AST) -> Iterator[tuple[str, str]]:
    if type(node) in _STATEMENTS:
        yield "statement", _STATEMENTS[type(node)]
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="wp" | "warp"), attr=name), keywords=keywords):
            ranked = _RANKED.match(name)
            if name == "array" or ranked:
                ndim = next((ast.unparse(one.value) for one in keywords if one.arg == "ndim"), "1")
                yield "rank", f"array {ranked[1] if ranked else ndim}-D"
                for one in keywords:
                    if one.arg == "dtype":
                        yield "type", ast.unparse(one.value).removeprefix("wp.")
            else:
                yield "builtin", name
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(attr="tid"))):
            length = len(target.elts) if isinstance(target, ast.Tuple) else 1
            yield "rank", f"launch {length}-D"
        case ast.arg(annotation=ast.Attribute(attr=name)):
            yield "type", name
        case ast.arg(annotation=ast.Name(id=name)):
            yield "type", name
