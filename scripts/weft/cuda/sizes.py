"""Size expressions of launch descriptions in the translator's tree and in C++."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from weft.cuda.analysis.linear import Linear, constant, linear
from weft.cuda.tree import INT, Binary, Call, Expression, Literal, Name, Unary
from weft.operator_symbols import SYMBOLS
from weft.sizes import Size, parse_size, size_text


def size_expression(size: Size, sizes: Mapping[str, Size]) -> Expression:
    """The tree of a size expression; a named size is the variable `size:{name}`, which is at least one.

    A name that only renames another size stands for that size. A name for an integer stays a name: two sizes
    that happen to be equal remain two.
    """
    return _expression(parse_size(size), sizes)


def at_least(size: Size, sizes: Mapping[str, Size]) -> Linear:
    """A linear form that `size` is never below: `(n + 63) // 64 * 64` is at least n."""
    match parse_size(size):
        case ast.BinOp(
            ast.BinOp(inner, ast.FloorDiv(), ast.Constant(value=int(step))),
            ast.Mult(),
            ast.Constant(value=int(factor)),
        ) if step == factor and step > 0:
            return linear(_expression(inner, sizes)) - constant(step - 1)
        case tree:
            return linear(_expression(tree, sizes))


def canonical_size(size: Size, sizes: Mapping[str, Size]) -> Size:
    """The size expression with names that only rename a size or an integer replaced by what they name."""
    text = size_text(_resolved(parse_size(size), sizes))
    return int(text) if text.isdigit() else text


def _resolved(node: ast.expr, sizes: Mapping[str, Size]) -> ast.expr:
    match node:
        case ast.Name(id=name) if name in sizes:
            definition = parse_size(sizes[name])
            return _resolved(definition, sizes) if isinstance(definition, ast.Constant | ast.Name) else node
        case ast.UnaryOp(op=op, operand=operand):
            return ast.UnaryOp(op, _resolved(operand, sizes))
        case ast.BinOp(left=left, op=op, right=right):
            return ast.BinOp(_resolved(left, sizes), op, _resolved(right, sizes))
        case ast.Call(func=function, args=arguments):
            return ast.Call(function, [_resolved(argument, sizes) for argument in arguments], [])
        case _:
            return node


def _expression(node: ast.expr, sizes: Mapping[str, Size]) -> Expression:
    match node:
        case ast.Constant(value=int(value)):
            return Literal(INT, value)
        case ast.Name(id=name):
            definition = sizes.get(name)
            if definition is not None and isinstance(parse_size(definition), ast.Name):
                return _expression(parse_size(definition), sizes)
            return Name(INT, f"size:{name}")
        case ast.UnaryOp(operand=operand):
            return Unary(INT, "-", _expression(operand, sizes))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _expression(left, sizes), _expression(right, sizes)
            if isinstance(op, ast.FloorDiv):
                return Call(INT, "floor_divide", [a, b], ("floor_divide", (INT, INT)))
            return Binary(INT, SYMBOLS[type(op)], a, b)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return Call(INT, name, [_expression(argument, sizes) for argument in arguments])
        case _:
            raise ValueError(f"not a size expression: {ast.unparse(node)}")
