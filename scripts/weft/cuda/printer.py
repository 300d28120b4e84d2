"""The last pass: the tree as C++ text, with the parentheses that precedence demands and no others.

Lines are not wrapped here: clang-format lays out the whole program.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence

from weft.cuda.c_types import c_type
from weft.cuda.comments import harmless
from weft.cuda.helpers.files import RESULTS
from weft.cuda.helpers.text import WIDTH, construct
from weft.cuda.literals import float_literal, integer_literal
from weft.cuda.names import local_name
from weft.cuda.source_map import continued, marked
from weft.cuda.traverse import blocks, names_of, walk
from weft.cuda.tree import (
    BOOL,
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Construct,
    Declare,
    Evaluate,
    Expression,
    For,
    If,
    Jump,
    Literal,
    LocalArray,
    Member,
    Name,
    Native,
    Pointee,
    Registers,
    Remark,
    Result,
    Return,
    Shared,
    Statement,
    Table,
    Unary,
    Unpack,
    While,
)
from weft.types import Array, Scalar, Struct, Tile, Transform, Type

_Operation = Binary | Unary | Conditional
_Arithmetic = Binary | Unary
_Braced = Struct | Transform

_PRECEDENCE = {
    "*": 12,
    "/": 12,
    "%": 12,
    "+": 11,
    "-": 11,
    "<<": 10,
    ">>": 10,
    "<": 9,
    "<=": 9,
    ">": 9,
    ">=": 9,
    "==": 8,
    "!=": 8,
    "&": 7,
    "^": 6,
    "|": 5,
    "&&": 4,
    "||": 3,
}
_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), 127)}
_ESCAPES |= str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})
_DOUBT = re.compile(r"\?(?=\?)")
"""Until C++17 two question marks begin a trigraph."""
_CONDITIONAL, _UNARY, _POSTFIX = 2, 13, 14

_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}

# Mixtures that compilers warn about, for readers get them wrong: such operands are parenthesised.
_CLARIFY = dict.fromkeys(_COMPARISONS, _COMPARISONS) | {
    "||": {"&&"},
    "&": {"+", "-", "<<", ">>"} | _COMPARISONS,
    "^": {"+", "-", "&", "<<", ">>"},
    "|": {"+", "-", "&", "^", "<<", ">>"} | _COMPARISONS,
    "<<": {"+", "-", "*"},
    ">>": {"+", "-", "*"},
    "+": {"<<", ">>"},
    "-": {"<<", ">>"},
}


class Printer:
    """Prints the functions of one record; `structs` maps names of structs to their C++ names."""

    def __init__(
        self, structs: Mapping[str, str], results: Mapping[str, tuple[str, tuple[str, ...]]]
    ) -> None:
        self.structs = structs
        self.results = results

    def type(self, type: Type) -> str:
        """The C++ type of a value."""
        match type:
            case Struct(name=name):
                return self.structs[name]
            case Array(element=element):
                return f"{self.type(element)}*"
            case _:
                return c_type(type)

    def expression(self, expression: Expression, context: int = 0) -> str:
        """An expression, parenthesised if it binds less tightly than `context`."""
        text, precedence = self._print(expression)
        return f"({text})" if precedence < context else text

    def _print(self, expression: Expression) -> tuple[str, int]:
        match expression:
            case Literal():
                return self._literal(expression)
            case Name(name=name):
                return name, _POSTFIX
            case Unary() | Binary():
                text, precedence = self._arithmetic(expression)
                if _is_small(expression.type):
                    # C++ computes small integers as int; Warp keeps their width.
                    return f"{c_type(expression.type)}({text})", _POSTFIX
                return text, precedence
            case Conditional(test=test, then=then, otherwise=otherwise):
                texts = [
                    self.expression(test, _CONDITIONAL + 1),
                    self.expression(then, _CONDITIONAL),
                    self.expression(otherwise, _CONDITIONAL),
                ]
                return f"{texts[0]} ? {texts[1]} : {texts[2]}", _CONDITIONAL
            case Call(function=function, arguments=arguments):
                return f"{function}({', '.join(self._argument(a) for a in arguments)})", _POSTFIX
            case Cast(type=kind, operand=operand):
                return self._cast(kind, operand)
            case Construct(type=kind, arguments=arguments):
                return self._construct(kind, arguments), _POSTFIX
            case Member(value=value, path=path):
                return f"{self.expression(value, _POSTFIX)}{path}", _POSTFIX
            case Result(call=call, index=index):
                return f"{self.expression(call, _POSTFIX)}.{self._members(call)[index]}", _POSTFIX
            case Component(value=value, member=member, indices=indices):
                subscripts = "".join(f"[{self.expression(index)}]" for index in indices)
                return f"{self.expression(value, _POSTFIX)}{member}{subscripts}", _POSTFIX
            case Pointee(base=base, offset=offset, address=address):
                text = f"{self.expression(base, _POSTFIX)}[{self.expression(offset)}]"
                return (f"&{text}", _UNARY) if address else (text, _POSTFIX)
            case AddressOf(place=place, by_reference=True):
                return self._print(place)
            case AddressOf(place=Pointee(base=base, offset=Literal(value=0))):
                return self._print(base)
            case AddressOf(
                place=Component(value=Name(type=Tile(shape=(_,))) as row, indices=[Literal(value=0)])
            ):
                return self._print(row)
            case AddressOf(place=place):
                return f"&{self.expression(place, _UNARY)}", _UNARY
            case _:
                raise TypeError(f"{expression.__class__.__name__} cannot be printed")

    def _literal(self, literal: Literal) -> tuple[str, int]:
        value = literal.value
        if isinstance(value, str):
            escaped = _DOUBT.sub(r"?\\", value.translate(_ESCAPES))
            return f'"{escaped}"', _POSTFIX
        scalar = literal.type
        assert isinstance(scalar, Scalar)
        if scalar == BOOL:
            return ("true" if value else "false"), _POSTFIX
        is_float = scalar.is_float
        if is_float:
            text = float_literal(float(value), scalar)
        else:
            text = integer_literal(int(value), scalar, literal.spelling)
        if "<<" in text:
            return text, _PRECEDENCE["<<"]
        return text, _UNARY if text.startswith("-") else _POSTFIX

    def _argument(self, argument: Expression) -> str:
        """An argument: an integer literal of another type than `int` says its type, for overloads."""
        kind = argument.type
        if not isinstance(kind, Scalar) or not kind.is_integer:
            return self.expression(argument)
        if isinstance(argument, _Operation) and kind.bytes == 8:
            # Where int64_t is long, arithmetic with literals of type long long is no int64_t.
            mixed = any(isinstance(part, Literal) and part.type == kind for part in walk(argument))
            return f"{c_type(kind)}({self.expression(argument)})" if mixed else self.expression(argument)
        if not isinstance(argument, Literal):
            return self.expression(argument)
        if kind.name in ("int32", "uint32") or isinstance(argument.value, str):
            return self.expression(argument)
        return f"{c_type(kind)}({integer_literal(int(argument.value), Scalar('int32'), argument.spelling)})"

    def _arithmetic(self, expression: _Arithmetic) -> tuple[str, int]:
        """An operation as C++ computes it, small integers as `int`."""
        if isinstance(expression, Binary):
            return self._binary(expression)
        inner = self.expression(expression.operand, _UNARY)
        if expression.operator == "-" and inner.startswith("-"):
            inner = f"({inner})"
        return f"{expression.operator}{inner}", _UNARY

    def _binary(self, binary: Binary) -> tuple[str, int]:
        precedence = _PRECEDENCE[binary.operator]
        left = self._operand(binary, binary.left, precedence)
        right = self._operand(binary, binary.right, precedence + 1)
        if right.startswith("-") and binary.operator == "-":
            right = f"({right})"
        return f"{left} {binary.operator} {right}", precedence

    def _operand(self, binary: Binary, operand: Expression, context: int) -> str:
        text = self.expression(operand, context)
        unclear = isinstance(operand, Binary) and operand.operator in _CLARIFY.get(binary.operator, ())
        if unclear and self._print(operand)[1] in range(context, _UNARY):
            return f"({text})"
        if isinstance(operand, Literal) and binary.operator in ("<<", ">>"):
            if operand is binary.right:
                return str(operand.value)
            if isinstance(operand.type, Scalar) and operand.type.bytes == 8 and not operand.spelling:
                return f"{c_type(operand.type)}({operand.value})"
        other = binary.right if operand is binary.left else binary.left
        widened = _is_widened(operand) and other.type == operand.type and not _is_constant(other)
        return text.removesuffix("ll") if widened else text

    def _cast(self, type: Type, operand: Expression) -> tuple[str, int]:
        if isinstance(operand, Binary) and isinstance(type, Scalar) and operand.type == type:
            return self._print(operand)
        return f"{self.type(type)}({self.expression(operand)})", _POSTFIX

    def _construct(self, type: Type, arguments: Sequence[Expression], *, named: bool = True) -> str:
        """A value from its components; `named` if its type is to be seen where there are braces."""
        if isinstance(type, Array):
            return "nullptr"
        texts = [self.expression(argument) for argument in arguments]
        if isinstance(type, _Braced) or not texts:
            return f"{self.type(type) * named}{{{', '.join(texts)}}}"
        return construct(type, texts, named=named)

    def block(self, block: list[Statement], indent: int) -> list[str]:
        """The lines of a block, marked with where they come from."""
        lines: list[str] = []
        before: Statement | None = None
        for statement in block:
            text = self.statement(statement, indent)
            if _continues(before, statement):
                assert isinstance(statement, Declare)
                lines[-1] = lines[-1].replace(";", f", {statement.name};", 1)
                text = []
            before = statement
            if statement.trailing and text:
                text[0] += f"  // {harmless(statement.trailing)}"
            lines += marked(text, _origin(statement))
        return lines

    def statement(self, statement: Statement, indent: int) -> list[str]:
        """The lines of one statement."""
        pad = "    " * indent
        match statement:
            case Remark(text=text):
                return [f"{pad}// {harmless(text)}" if text else ""]
            case Shared(type=kind, name=name, shape=shape, padded=padded):
                named = [self.expression(extent) for extent in statement.extents]
                sizes = "".join(f"[{one}]" for one in named or (*shape[:-1], shape[-1] + padded))
                remark = "  // padded: the elements of a column lie in different banks" if padded else ""
                return [f"{pad}__shared__ {self.type(kind)} {name}{sizes};{remark}"]
            case Registers(type=kind, name=name, shape=shape, zeros=zeros):
                named = [self.expression(extent) for extent in statement.extents]
                sizes = "".join(f"[{extent}]" for extent in named or shape)
                return [f"{pad}{self.type(kind)} {name}{sizes}{' = {}' if zeros else ''};"]
            case Declare():
                return [pad + self._declare(statement)]
            case Table(type=kind, name=name, values=values):
                listed = ", ".join(self.expression(value) for value in values)
                const = "const " * statement.constant
                return [f"{pad}{const}{self.type(kind)} {name}[{len(values)}] = {{{listed}}};"]
            case Assign():
                return [pad + self._assign(statement)]
            case Unpack():
                return [pad + line for line in self._unpack(statement)]
            case Evaluate(value=value):
                return [f"{pad}{self.expression(value)};"]
            case If():
                return self._if(statement, indent)
            case For(type=kind, name=name, start=start, body=body):
                test, advance = self._range(statement)
                head = f"for ({self.type(kind)} {name} = {self.expression(start)}; {test}; {advance}) {{"
                unroll = ["#pragma unroll"] if statement.unrolled else []
                return [*unroll, pad + head, *self.block(body, indent + 1), f"{pad}}}"]
            case While(test=test, body=body):
                return [f"{pad}while ({self.expression(test)}) {{", *self.block(body, indent + 1), f"{pad}}}"]
            case Return(values=values):
                return [pad + self._return(values)]
            case Native(parts=parts, values=values):
                texts = [self.expression(value, _POSTFIX) for value in values]
                text = parts[0] + "".join(map("".join, zip(texts, parts[1:], strict=True)))
                return [f"{pad}{line}" if line.strip() else "" for line in text.split("\n")]
            case Jump(keyword=keyword):
                return [f"{pad}{keyword};"]
            case _:
                raise TypeError(f"{statement.__class__.__name__} cannot be printed")

    def _range(self, loop: For) -> tuple[str, str]:
        """The test and the step of a loop over a range."""
        name, stop = loop.name, self.expression(loop.stop, _PRECEDENCE["<"] + 1)
        last = _last(loop) if loop.stride is None else None
        if loop.stride is None:
            step = loop.step
            sign = "+" if step > 0 else "-"
            advance = {1: f"++{name}", -1: f"--{name}"}.get(step, f"{name} {sign}= {abs(step)}")
            if last is not None:
                test = f"{name} {'<=' if step > 0 else '>='} {self.expression(last, _PRECEDENCE['<'] + 1)}"
                return test, advance
            return f"{name} {'<' if step > 0 else '>'} {stop}", advance
        stride = self.expression(loop.stride, _PRECEDENCE["<"] + 1)
        advance = f"{name} += {self.expression(loop.stride)}"
        if loop.step > 0:
            return f"{name} < {stop}", advance
        return f"{stride} > 0 ? {name} < {stop} : {stride} < 0 && {name} > {stop}", advance

    def _declare(self, statement: Declare) -> str:
        type, name, value = statement.type, statement.name, statement.value
        if isinstance(value, LocalArray):
            assert isinstance(type, Array)
            return f"{self.type(type.element)} {name}[{math.prod(value.shape)}] = {{}};"
        if isinstance(type, Array):
            if value is not None and statement.constant:
                return f"const auto {name} = {self.expression(value)};"
            pointer = f"{'const ' if statement.read_only else ''}{self.type(type)} {name}"
            return f"{pointer};" if value is None else f"{pointer} = {self.expression(value)};"
        qualifier = "const " if statement.constant else ""
        if value is None:
            return f"{self.type(type)} {name};"
        if isinstance(value, Construct) and not value.arguments:
            return f"{qualifier}{self.type(type)} {name}{{}};"
        if isinstance(value, Construct):
            text = self._construct(value.type, value.arguments, named=value.type != type)
        else:
            text = self._stored(value)
        return f"{qualifier}{self.type(type)} {name} = {text};"

    def _stored(self, value: Expression) -> str:
        """A value on its way into a place of its type: the conversion of small integers is implied."""
        return self._arithmetic(value)[0] if isinstance(value, _Arithmetic) else self.expression(value)

    def _assign(self, statement: Assign) -> str:
        target = self.expression(statement.target)
        # Of these, unlike of the others, a wider operand would change the result.
        divides = statement.operator in {"/", "%", "<<", ">>"}
        value = self.expression(statement.value) if divides else self._stored(statement.value)
        if isinstance(statement.value, Literal) and statement.operator in ("<<", ">>"):
            value = str(statement.value.value)
        if statement.operator and _is_widened(statement.value):
            value = value.removesuffix("ll")
        return f"{target} {statement.operator}= {value};"

    def _unpack(self, statement: Unpack) -> list[str]:
        call = self.expression(statement.value)
        if statement.declares:
            return [f"{'const ' if statement.constant else ''}auto [{', '.join(statement.names)}] = {call};"]
        members = self._members(statement.value)
        used = names_of(walk(statement.value))
        used |= {part.function for part in walk(statement.value) if isinstance(part, Call)}
        result = local_name("result", used | set(statement.names))
        lines = ["{", f"    const auto {result} = {call};"]
        lines += [
            f"    {name} = {result}.{member};"
            for name, member in zip(statement.names, members, strict=True)
            if name
        ]
        return [*lines, "}"]

    def _members(self, call: Expression) -> tuple[str, ...]:
        """The members of what a call with several results returns."""
        assert isinstance(call, Call)
        if call.user is not None:
            return self.results[call.user][1]
        assert call.helper is not None
        return RESULTS[call.helper[0]]

    def _if(self, statement: If, indent: int) -> list[str]:
        pad = "    " * indent
        test = self.expression(statement.test)
        if statement.guard:
            (leave,) = self.statement(statement.body[0], 0)
            return [f"{pad}if ({test}) {leave}"]
        if statement.divergent and len(statement.body) == 1 and not blocks(statement.body[0]):
            line = f"{pad}if ({test}) {self.statement(statement.body[0], 0)[0]}"
            if len(line) <= WIDTH:
                return [line]
        lines = [f"{pad}if ({test}) {{", *self.block(statement.body, indent + 1)]
        otherwise = statement.otherwise
        if len(otherwise) == 1 and isinstance(otherwise[0], If):
            inner = self.block(otherwise, indent)
            return [*lines, pad + continued("} else ", inner[0].lstrip()), *inner[1:]]
        if otherwise:
            lines += [f"{pad}}} else {{", *self.block(otherwise, indent + 1)]
        return [*lines, f"{pad}}}"]

    def _return(self, values: list[Expression]) -> str:
        if not values:
            return "return;"
        if len(values) == 1:
            return f"return {self.expression(values[0])};"
        return f"return {{{', '.join(self.expression(value) for value in values)}}};"


def _continues(before: Statement | None, statement: Statement) -> bool:
    """Whether both declare a variable without a value for the same line of the source."""
    return (
        isinstance(before, Declare)
        and isinstance(statement, Declare)
        and before.value is statement.value is None
        and before.type == statement.type
        and not isinstance(statement.type, Array)
        and before.node is statement.node is not None
        and not (before.trailing or statement.trailing)
    )


def _origin(statement: Statement) -> ast.AST | None:
    """Of which statement of the source this is; what has no origin of its own has that of all its parts."""
    if statement.node is not None or isinstance(statement, Remark):
        return statement.node
    parts = {id(origin): origin for block in blocks(statement) for part in block if (origin := _origin(part))}
    return next(iter(parts.values())) if len(parts) == 1 else None


def _last(loop: For) -> Expression | None:
    """What a loop reaches last, where its text says so: `0` if it counts down and stops before -1, `a` before
    `a - 1`; `a` if it counts up and stops at `a + 1`, and `2` where one from -2 stops at 3.
    """
    match loop.stop:
        case Literal(type=kind, value=-1) if loop.step < 0:
            return Literal(kind, 0)
        case Binary(operator="-", left=left, right=Literal(value=1)) if loop.step < 0:
            return left
        case Binary(operator="+", left=left, right=Literal(value=1)) if loop.closed and loop.step > 0:
            return left
        case Literal(type=kind, value=int(value)) if loop.step == 1 and _is_below_zero(loop.start):
            return Literal(kind, value - 1)
        case _:
            return None


def _is_below_zero(start: Expression) -> bool:
    return isinstance(start, Literal) and int(start.value) < 0


def _is_small(type: Type) -> bool:
    """Whether C++ would compute values of this type as `int`."""
    return isinstance(type, Scalar) and type.is_integer and type.bytes < 4


def _is_widened(value: Expression) -> bool:
    """Whether an integer of 64 bits may be written as an int beside another of 64 bits."""
    return isinstance(value, Literal) and value.type == Scalar("int64") and abs(int(value.value)) < 2**31


def _is_constant(value: Expression) -> bool:
    return all(isinstance(node, Literal | Unary | Binary) for node in walk(value))
