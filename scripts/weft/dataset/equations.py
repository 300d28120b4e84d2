"""What functions and kernels compute, as lists of equations: enough to write them without their code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from weft.dataset.mathematics import UnsaidError, called, formula, less_one
from weft.dataset.numbers import parsed

_CHANGES = {
    ast.Add: "{} increases by {}",
    ast.Sub: "{} decreases by {}",
    ast.Mult: "{} is multiplied by {}",
    ast.Div: "{} is divided by {}",
}
_ATOMICS = {
    "atomic_add": "{} increases by {}",
    "atomic_sub": "{} decreases by {}",
    "atomic_max": "{0} = max({0}, {1})",
    "atomic_min": "{0} = min({0}, {1})",
    "atomic_and": "{0} = {0} AND {1}",
    "atomic_or": "{0} = {0} OR {1}",
    "atomic_xor": "{0} = {0} XOR {1}",
}
_SILENT = {"print", "printf"}


def equations(source: str) -> dict[str, tuple[list[str], list[str]]]:
    """The parameters and the lines of each function and kernel of a Python module, by name; nested lines are
    indented.

    Adjoints are left out, and so is all of a module that has anything without such a form.
    """
    module = parsed(source)
    try:
        return {
            one.name: ([argument.arg for argument in one.args.args], list(_function(one)))
            for one in module.body
            if isinstance(one, ast.FunctionDef) and _is_told(one)
        }
    except UnsaidError:
        return {}


def thread_indices(source: str, kernel: str) -> list[str]:
    """The names of the indices of a kernel's threads."""
    for one in parsed(source).body:
        if isinstance(one, ast.FunctionDef) and one.name == kernel:
            for node in ast.walk(one):
                match node:
                    case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(attr="tid"))):
                        elements = target.elts if isinstance(target, ast.Tuple) else [target]
                        return [ast.unparse(element) for element in elements]
    return []


def _is_told(one: ast.FunctionDef) -> bool:
    """Whether a function is a kernel or is called by one: adjoints and launchers are not."""
    return any(called(mark) in ("kernel", "func") for mark in one.decorator_list)


def _function(one: ast.FunctionDef) -> Iterator[str]:
    match [node for node in one.body if not _is_text(node)]:
        case [ast.Return(value=ast.expr() as value)]:
            yield f"{one.name}({', '.join(argument.arg for argument in one.args.args)}) = {formula(value)}"
        case body:
            yield from _statements(body)


def _statements(body: Sequence[ast.stmt]) -> Iterator[str]:
    loads: list[str] = []
    for node in body:
        if _is_load(node):
            loads.append(_assigned(node))
            continue
        if loads:
            yield ", ".join(loads)
            loads = []
        yield from _statement(node)
    if loads:
        yield ", ".join(loads)


def _statement(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Pass() | ast.Expr(ast.Constant(str())):
            return
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr="tid"))):
            return
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="atomic_add"), args=given)
        ):
            yield f"{name} = {_place(given)}, which then increases by {formula(given[-1])}"
        case ast.Assign():
            yield _assigned(node)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield f"{formula(target)} = {formula(value)}"
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in _CHANGES:
            yield _CHANGES[type(op)].format(formula(target), formula(value))
        case ast.AugAssign(target=target, op=op, value=value):
            yield f"{formula(target)} = {formula(ast.BinOp(target, op, value))}"
        case ast.Expr(ast.Call(func=func, args=given)) if called(func) in _ATOMICS:
            yield _ATOMICS[called(func)].format(_place(given), formula(given[-1]))
        case ast.Expr(ast.Call(func=func)) if called(func) in _SILENT:
            return
        case ast.Expr(ast.Call(func=func, args=given, keywords=keywords)) if called(func).startswith("tile"):
            yield _of_tile(called(func), given, {one.arg: one.value for one in keywords})
        case ast.If():
            yield from _branches(node)
        case ast.For(
            target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=given), body=body
        ):
            yield f"for {name} {_range(given)}:"
            yield from _nested(body)
        case ast.While(test=test, body=body):
            yield f"while {formula(test)}:"
            yield from _nested(body)
        case ast.Return(value=None):
            yield "the thread is done"
        case ast.Return(value=ast.expr() as value):
            yield f"the result is {formula(value)}"
        case ast.Break():
            yield "the loop ends"
        case ast.Continue():
            yield "continue with the next turn of the loop"
        case _:
            raise UnsaidError(ast.unparse(node))


def _branches(node: ast.If) -> Iterator[str]:
    yield f"if {formula(node.test)}:"
    yield from _nested(node.body)
    match node.orelse:
        case []:
            return
        case [ast.If() as other]:
            first, *rest = _branches(other)
            yield f"else {first}"
            yield from rest
        case other:
            yield "else:"
            yield from _nested(other)


def _nested(body: Sequence[ast.stmt]) -> Iterator[str]:
    return (f"  {line}" for line in _statements(body))


def _range(given: Sequence[ast.expr]) -> str:
    first, end, *step = [ast.Constant(0), *given] if len(given) == 1 else given
    if not step:
        return f"from {formula(first)} to {formula(less_one(end))}"
    return f"from {formula(first)} in steps of {formula(step[0])}, ending before {formula(end)}"


def _is_load(node: ast.stmt) -> bool:
    """Whether a statement only names an element of an array, at indices that have names or are numbers."""
    match node:
        case ast.Assign(targets=[ast.Name()], value=ast.Subscript(value=ast.Name(), slice=index)):
            indices = index.elts if isinstance(index, ast.Tuple) else [index]
            return all(isinstance(one, ast.Name | ast.Constant) for one in indices)
    return False


def _assigned(node: ast.stmt) -> str:
    match node:
        case ast.Assign(targets=[target], value=value):
            return f"{formula(target)} = {formula(value)}"
    raise UnsaidError(ast.unparse(node))


def _place(given: Sequence[ast.expr]) -> str:
    """The element that an atomic changes: its arguments are the array, the indices and the operand."""
    array, *indices, _ = given
    return f"{formula(array)}[{', '.join(map(formula, indices))}]"


def _of_tile(name: str, given: Sequence[ast.expr], named: Mapping[str | None, ast.expr]) -> str:
    """What a call does whose result is left in a tile or an array."""
    offset = f" at {formula(named['offset'])}" if "offset" in named else ""
    match name, [formula(one) for one in given]:
        case ("tile_store", [array, tile]):
            return f"{array} takes {tile}{offset}"
        case ("tile_atomic_add", [array, tile]):
            return f"{array} increases by {tile}{offset}"
        case ("tile_matmul", [left, right, total]):
            return f"{total} increases by {left} · {right}"
        case ("tile_scatter_add", [tile, place, value, condition]):
            return f"for each thread with {condition}, {tile}[{place}] increases by {value}"
    raise UnsaidError(name)


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
