"""Prints definitions as Python text. Only here and in `emit_module`, which lays it out, are strings of code
made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Callee,
    Change,
    Conditional,
    Constant,
    ConstantDef,
    Evaluate,
    Expr,
    For,
    FunctionDef,
    GeneratedProgram,
    Group,
    If,
    Item,
    Jump,
    Literal,
    Member,
    Name,
    Stmt,
    StructDef,
    ThreadIndex,
    Unary,
    Undefined,
    Unpack,
    While,
)
from weft.kernels.types import ANY, F32, F64, I32, scalar_of, warp_name
from weft.literal import number
from weft.types import Array, Matrix, Scalar, Type, Vector

WIDTH = 100
INDENT = "    "

_NOT = 3
_COMPARISON = 4
_PRECEDENCE = {"or": 1, "and": 2, "|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8}
_PRECEDENCE |= dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), _COMPARISON)
_PRECEDENCE |= {"+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10, "@": 10}
_UNARY = 11
_ATOM = 13
_BITWISE = ("|", "^", "&", "<<", ">>")
_CHANGING = ("+", "-", "*", "/", "//", "%", *_BITWISE)
"""Operators of `x += y` and the like."""
_LOGICAL = ("and", "or")


def expression(node: Expr) -> str:
    """The text of an expression, with the parentheses that it needs."""
    return _printed(node)[0]


def _printed(node: Expr) -> tuple[str, int]:
    """The text of an expression, and the precedence of the operator that it is made with."""
    # The nodes that almost every tree is made of; `match` would take half as long again.
    if isinstance(node, Name):
        return node.name, _ATOM
    if isinstance(node, Binary):
        own = _PRECEDENCE[node.operator]
        left = _operand(node, node.left, own + (own == _COMPARISON))
        right = _operand(node, node.right, own + 1)
        return f"{left} {node.operator} {right}", own
    if isinstance(node, Literal):
        text = f"0x{node.value:X}" if node.hexadecimal else number(node.value).replace("inf", "wp.inf")
        if node.type not in (I32, F32):
            text = f"{warp_name(node.type)}({text})"
        return text, _UNARY if node.value < 0 else _ATOM
    if isinstance(node, Item):
        indices = ", ".join([_printed(one)[0] for one in node.indices])
        return f"{_within(node.value, _ATOM)}[{indices}]", _ATOM
    if isinstance(node, Call):
        return f"{_callee(node.function)}({', '.join(_arguments(node))})", _ATOM
    match node:
        case Member():
            return f"{_within(node.value, _ATOM)}.{node.field}", _ATOM
        case Unary(operator="not"):
            return f"not {_within(node.operand, _NOT)}", _NOT
        case Unary():
            return f"{node.operator}{_within(node.operand, _UNARY)}", _UNARY
        case Constant():
            return node.definition.name, _ATOM
        case Conditional(condition=condition, if_true=yes, if_false=no):
            return f"{_within(yes, 1)} if {_within(condition, 1)} else {_within(no, 1)}", 0
        case Callee():
            return _callee(node.function), _ATOM
        case Group(items=(one,), bare=bare):
            return expression(one) if bare else f"({expression(one)},)", _ATOM
        case Group():
            return f"({', '.join(map(expression, node.items))})", _ATOM
    raise Undefined(f"no text for {node!r}")


def _callee(function: str | FunctionDef | StructDef) -> str:
    return function if isinstance(function, str) else function.name


def _arguments(node: Call) -> list[str]:
    texts = [_printed(one)[0] for one in node.arguments]
    return texts + [f"{key}={_printed(one)[0]}" for key, one in node.keywords]


def _within(node: Expr, precedence: int) -> str:
    text, own = _printed(node)
    return f"({text})" if own < precedence else text


def _clearer(operator: str, inner: str) -> bool:
    """Bit operations beside other operators get parentheses, as few readers know their precedence."""
    if inner == operator:
        return False
    if inner in _LOGICAL and operator in _LOGICAL:
        return True
    return operator in _BITWISE or inner in _BITWISE


def _operand(node: Binary, operand: Expr, precedence: int) -> str:
    """An operand in parentheses where it binds less than `precedence`, or is clearer so."""
    text, own = _printed(operand)
    grouped = own < precedence or (isinstance(operand, Binary) and _clearer(node.operator, operand.operator))
    return f"({text})" if grouped else text


def statement_lines(statement: Stmt) -> list[str]:
    """The text of one statement, not indented: a line for each of its own, however long."""
    return _statement(statement, "")


def _statements(body: Sequence[Stmt], indent: str) -> list[str]:
    lines: list[str] = []
    for statement in body:
        lines += _statement(statement, indent)
    return lines


def _change(target: Expr, value: Expr) -> tuple[str, Expr] | None:
    """The operator and the operand of `x += y`, where a number, vector or matrix is assigned `x + y`."""
    match target, value:
        case Name(name=name, type=Scalar() | Vector() | Matrix()), Binary(left=Name(name=same), right=right):
            changes = name == same and value.operator in _CHANGING and value.type == target.type
            return (value.operator, right) if changes else None
        case Item(), Binary(left=Item() as left, operator="+" | "-" as operator, right=right):
            own = scalar_of(target.type) in (F32, F64, I32) and expression(target) == expression(left)
            return (operator, right) if own else None
    return None


def _statement(statement: Stmt, indent: str) -> list[str]:
    match statement:
        case Assign(target=target, value=value, operator=operator):
            if operator is None and (change := _change(target, value)) is not None:
                operator, value = change
            return [f"{indent}{expression(target)} {operator or ''}= {expression(value)}"]
        case Unpack(targets=targets, value=value):
            return [f"{indent}{', '.join([one.name for one in targets])} = {expression(value)}"]
        case ThreadIndex(names=names):
            return [f"{indent}{', '.join([one.name for one in names])} = wp.tid()"]
        case Evaluate(call=call) | Change(call=call):
            return [f"{indent}{expression(call)}"]
        case If(condition=condition, then=then, otherwise=otherwise):
            lines = _branch("if", condition, then, indent)
            while len(otherwise) == 1 and isinstance(otherwise[0], If):
                lines += _branch("elif", otherwise[0].condition, otherwise[0].then, indent)
                otherwise = otherwise[0].otherwise
            if otherwise:
                lines += [f"{indent}else:", *_statements(otherwise, indent + INDENT)]
            return lines
        case For(variable=variable, start=start, stop=stop, step=step, body=body):
            bounds = [expression(stop)]
            if step != 1 or not (isinstance(start, Literal) and start.value == 0):
                bounds.insert(0, expression(start))
            if step != 1:
                bounds.append(str(step) if isinstance(step, int) else expression(step))
            inner = _statements(body, indent + INDENT)
            unread = not re.search(rf"\b{variable.name}\b", "\n".join(inner))
            name = f"_{variable.name}" if unread else variable.name
            return [f"{indent}for {name} in range({', '.join(bounds)}):", *inner]
        case While(condition=condition, body=body):
            return _branch("while", condition, body, indent)
        case Jump(kind=kind, value=value):
            if value is None:
                return [f"{indent}{kind}"]
            if isinstance(value, Group):
                return [f"{indent}{kind} {', '.join(map(expression, value.items))}"]
            return [f"{indent}{kind} {expression(value)}"]


def _branch(keyword: str, condition: Expr, body: Sequence[Stmt], indent: str) -> list[str]:
    return [f"{indent}{keyword} {expression(condition)}:", *_statements(body, indent + INDENT)]


def annotation(type: Type) -> str:
    """A type hint, as in `wp.array2d(dtype=wp.vec3)` or `float`."""
    if isinstance(type, Array):
        rank = "" if type.ndim == 1 else f"{type.ndim}d"
        return f"wp.array{rank}(dtype={warp_name(type.element)})"
    if isinstance(type, Scalar) and type in (F32, I32):
        return "float" if type == F32 else "int"
    if type == ANY:
        return "Any"
    return warp_name(type)


def _definition(
    decorator: str,
    name: str,
    parameters: Sequence[tuple[str, Type]],
    doc: str,
    defaults: Mapping[str, int | float] | None = None,
) -> list[str]:
    given = {key: f" = {number(value)}" for key, value in (defaults or {}).items()}
    hints = [f"{key}: {annotation(of)}{given.get(key, '')}" for key, of in parameters]
    return [decorator, f"def {name}({', '.join(hints)}):", f'{INDENT}"""{doc}"""']


def constant(definition: ConstantDef) -> str:
    """A number that kernels name."""
    text = number(definition.value)
    if definition.type not in (F32, I32):
        text = f"{warp_name(definition.type)}({text})"
    return f"{definition.name} = wp.constant({text})"


def struct(definition: StructDef) -> str:
    """A `@wp.struct` class."""
    fields = [f"{INDENT}{name}: {annotation(of)}" for name, of in definition.fields]
    doc = f'{INDENT}"""{definition.doc}"""'
    return "\n".join(["@wp.struct", f"class {definition.name}:", doc, "", *fields])


def function(definition: FunctionDef) -> str:
    """A `@wp.func` with what belongs to it."""
    name = definition.name
    texts = [_function("@wp.func", name, one) for one in (definition, *definition.overloads)]
    if definition.gradient is not None:
        texts.append(_function(f"@wp.func_grad({name})", f"adj_{name}", definition.gradient))
    if definition.replay is not None:
        texts.append(_function(f"@wp.func_replay({name})", f"replay_{name}", definition.replay))
    return "\n\n\n".join(texts)


def _function(decorator: str, name: str, definition: FunctionDef) -> str:
    head = _definition(decorator, name, definition.parameters, definition.doc, definition.defaults)
    return "\n".join([*head, *_statements(definition.body, INDENT)])


def kernel(program: GeneratedProgram) -> str:
    """The `@wp.kernel` itself."""
    parameters = [(one.name, one.type) for one in program.parameters]
    head = _definition("@wp.kernel", program.name, parameters, program.doc)
    return "\n".join([*head, *_statements(program.body, INDENT)])
