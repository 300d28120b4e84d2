"""Size expressions of launch descriptions in the translator's tree and in C++."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping

from weft.cuda.analysis.linear import Linear, constant, key_of, linear
from weft.cuda.tree import INT, Binary, Call, Expression, Literal, Name, Unary
from weft.operator_symbols import SYMBOLS
from weft.sizes import Size, parse_size, size_names, size_text


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
    text = size_text(_resolved(parse_size(size), sizes, (ast.Constant, ast.Name)))
    return int(text) if text.isdigit() else text


def renamed(size: Size, sizes: Mapping[str, Size]) -> ast.expr:
    """The size expression with names that only rename a size replaced by what they name."""
    return _resolved(parse_size(size), sizes, (ast.Name,))


@functools.lru_cache(maxsize=4096)
def multiplies(size: Size) -> bool:
    """Whether a size expression has a product of other than numbers."""
    return any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and bool(size_names(size_text(node)))
        for node in ast.walk(parse_size(size))
    )


def counts_blocks(size: Size) -> bool:
    """Whether a size says how many blocks there are for another: `rows // 16`, `(rows + 15) // 16`."""
    match parse_size(size):
        case ast.BinOp(
            ast.Name() | ast.BinOp(ast.Name(), ast.Add(), ast.Constant()), ast.FloorDiv(), ast.Constant()
        ):
            return True
        case _:
            return False


def exact_quotient(size: Size) -> Size:
    """A number of blocks without the rounding that it does not need: `(96 + 31) // 32` is `96 // 32`."""
    match parse_size(size):
        case ast.BinOp(
            ast.BinOp(ast.Constant(value=int(whole)), ast.Add(), ast.Constant()),
            ast.FloorDiv(),
            ast.Constant(value=int(step)),
        ) if whole % step == 0:
            return f"{whole} // {step}" if whole > step else 1
        case _:
            return size


def blocks_of(size: Size, sizes: Mapping[str, Size]) -> str | None:
    """The size of which there are no blocks only if it is zero: what is rounded up, or described as whole."""
    match parse_size(size):
        case ast.BinOp(
            ast.BinOp(ast.Name(id=name), ast.Add(), ast.Constant(value=int(rest))),
            ast.FloorDiv(),
            ast.Constant(value=int(step)),
        ) if rest == step - 1:
            return name
        case _:
            whole = whole_blocks(size, sizes)
            return whole and whole[0]


def rounds_up(blocks: Size, size: Size, step: int) -> bool:
    """Whether `blocks` is how many blocks of `step` there are for a size: `(n + 63) // 64`."""
    return key_of(size_expression(blocks, {})) == key_of(
        size_expression(f"({size} + {step - 1}) // {step}", {})
    )


def whole_blocks(size: Size, sizes: Mapping[str, Size]) -> tuple[str, int] | None:
    """What is a multiple of which number by its description, so that `rows // 16` leaves nothing out."""
    match parse_size(size):
        case ast.BinOp(ast.Name(id=name) as whole, ast.FloorDiv(), ast.Constant(value=int(step))):
            return (name, step) if _is_multiple(whole, step, sizes) else None
        case _:
            return None


def _is_multiple(node: ast.expr, step: int, sizes: Mapping[str, Size]) -> bool:
    match node:
        case ast.Constant(value=int(value)):
            return value % step == 0
        case ast.Name(id=name):
            return name in sizes and _is_multiple(parse_size(sizes[name]), step, sizes)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _is_multiple(left, step, sizes) or _is_multiple(right, step, sizes)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return _is_multiple(left, step, sizes) and _is_multiple(right, step, sizes)
        case _:
            return False


def _resolved(node: ast.expr, sizes: Mapping[str, Size], kinds: tuple[type[ast.expr], ...]) -> ast.expr:
    """The expression with names replaced by their definitions, where these are of the `kinds`."""
    match node:
        case ast.Name(id=name) if name in sizes:
            definition = parse_size(sizes[name])
            return _resolved(definition, sizes, kinds) if isinstance(definition, kinds) else node
        case ast.UnaryOp(op=op, operand=operand):
            return ast.UnaryOp(op, _resolved(operand, sizes, kinds))
        case ast.BinOp(left=left, op=op, right=right):
            return ast.BinOp(_resolved(left, sizes, kinds), op, _resolved(right, sizes, kinds))
        case ast.Call(func=function, args=arguments):
            return ast.Call(function, [_resolved(argument, sizes, kinds) for argument in arguments], [])
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
