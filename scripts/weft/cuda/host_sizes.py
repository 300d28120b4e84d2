"""Size expressions in C++: `(n + 6) // 7` becomes `(n + 6) / 7`, the same since `n` is positive."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from weft.cuda.device_code import KernelParameter
from weft.cuda.sizes import canonical_size
from weft.launch import Launch
from weft.operator_symbols import SYMBOLS
from weft.sizes import Size, normal_size, parse_size, size_text

_Floors = ast.FloorDiv | ast.Mod

PRIMARY = 3

FLOOR_DIV = "floor_div"
FLOOR_MOD = "floor_mod"
MINIMUM = "std::min"
MAXIMUM = "std::max"


@dataclasses.dataclass(frozen=True)
class Printed:
    """A size expression in C++: its text, its operator precedence, its least value (None: unbounded below),
    and the functions that the text calls.
    """

    text: str
    precedence: int
    least: int | None
    calls: frozenset[str] = frozenset()


def print_size(
    size: Size, names: Mapping[str, str], *, wide: bool = False, divisors: Mapping[int, str] | None = None
) -> Printed:
    """A size in C++, as int64_t if `wide`, else as int. `names` gives, for the text of a size expression, the
    C++ name or call that has its value, `divisors` what numbers are called that something is divided by.
    Sizes are at least 1.

    Raises KeyError for a name that `names` lacks.
    """
    return _Printer(names, "<int64_t>" if wide else "", divisors or {}).print(parse_size(size))


def in_product(text: str) -> str:
    """A printed size as an operand of `*`, `/` or `%`."""
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def known_sizes(parameters: Iterable[KernelParameter], launch: Launch) -> dict[str, str]:
    """The parameter that holds each size, by the size's text: its name in the launch description, or an
    expression. A plain integer is left out, since equal integers can mean different things, unless the
    parameter was made for one name of it.
    """
    parameters = [one for one in parameters if one.size is not None and one.c_type == "int"]
    holders = [
        (parameter.c_name, normal_size(parameter.size))
        for parameter in parameters
        if parameter.size is not None
    ]
    known: dict[str, str] = {}
    for c_name, text in holders:
        if not text.isdigit():
            known.setdefault(text, c_name)
    named = {name: normal_size(canonical_size(name, launch.sizes)) for name in launch.sizes}
    for name, resolved in named.items():
        equal = [c_name for c_name, text in holders if text == resolved]
        if name in equal:
            known[name] = name
        elif equal and not (resolved.isdigit() and list(named.values()).count(resolved) > 1):
            known[name] = equal[0]
    for one in parameters:
        if isinstance(one.written, str) and one.written in launch.sizes:
            known.setdefault(one.written, one.c_name)
    return known


@dataclasses.dataclass(frozen=True)
class _Printer:
    names: Mapping[str, str]
    template: str
    divisors: Mapping[int, str]

    def print(self, node: ast.expr) -> Printed:
        known = self.names.get(size_text(node))
        if known is not None:
            return Printed(known, PRIMARY, 1)
        match node:
            case ast.Constant(value=int(value)):
                return Printed(str(value), PRIMARY, value)
            case ast.UnaryOp(_, operand):
                inner = self.print(operand)
                return Printed(f"-{_wrap(inner, PRIMARY)}", PRIMARY, None, inner.calls)
            case ast.BinOp(left, ast.FloorDiv() | ast.Mod() as op, ast.Constant(value=int(value))) if (
                value in self.divisors
            ):
                divisor = Printed(self.divisors[value], PRIMARY, value)
                return _print_operation(self._rounded_up(left, divisor) or self.print(left), op, divisor)
            case ast.BinOp(left, op, right):
                return _print_operation(self.print(left), op, self.print(right))
            case ast.Call(ast.Name(name)):
                function = {"min": MINIMUM, "max": MAXIMUM}[name]
                arguments = [self.print(one) for one in _arguments(node, name, self.names)]
                return _print_call(function, self.template, arguments)
            case ast.Name(name):
                raise KeyError(name)
            case _:
                raise ValueError(f"not a size expression: {ast.unparse(node)}")

    def _rounded_up(self, node: ast.expr, divisor: Printed) -> Printed | None:
        """What is divided, if it is there to be rounded up: `x + (TILE - 1)`."""
        match node:
            case ast.BinOp(left, ast.Add() as op, ast.Constant(value=int(rest))) if rest + 1 == divisor.least:
                return _print_operation(self.print(left), op, Printed(f"{divisor.text} - 1", 2, rest))
            case _:
                return None


def _wrap(operand: Printed, precedence: int) -> str:
    return operand.text if operand.precedence >= precedence else f"({operand.text})"


def _print_operation(left: Printed, op: ast.operator, right: Printed) -> Printed:
    calls = left.calls | right.calls
    floors = isinstance(op, _Floors)
    if floors and not (
        left.least is not None and left.least >= 0 and right.least is not None and right.least > 0
    ):
        function = FLOOR_DIV if isinstance(op, ast.FloorDiv) else FLOOR_MOD
        return Printed(f"{function}({left.text}, {right.text})", PRIMARY, None, calls | {function})
    precedence = 1 if isinstance(op, ast.Add | ast.Sub) else 2
    text = f"{_wrap(left, precedence)} {SYMBOLS[type(op)][0]} {_wrap(right, precedence + 1)}"
    return Printed(text, precedence, _least(left, op, right), calls)


def _least(left: Printed, op: ast.operator, right: Printed) -> int | None:
    """A lower bound of the operation's value, or None where none is known."""
    if isinstance(op, _Floors):
        return 0
    if left.least is None or right.least is None:
        return None
    if isinstance(op, ast.Add):
        return left.least + right.least
    if isinstance(op, ast.Mult):
        return left.least * right.least if left.least >= 0 and right.least >= 0 else None
    constant = right.text.isdigit()
    return left.least - right.least if constant else None


def _arguments(node: ast.expr, function: str, names: Mapping[str, str]) -> list[ast.expr]:
    """What the maximum or minimum is of: `max(max(a, b), c)` has three arguments."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
        inner = [[one] if size_text(one) in names else _arguments(one, function, names) for one in node.args]
        return [argument for several in inner for argument in several]
    return [node]


def _print_call(function: str, template: str, arguments: Sequence[Printed]) -> Printed:
    known = [argument.least for argument in arguments if argument.least is not None]
    if function == MINIMUM:
        least = min(known) if len(known) == len(arguments) else None
    else:
        least = max(known, default=None)
    listed = ", ".join(argument.text for argument in arguments)
    return Printed(
        f"{function}{template}({listed})" if len(arguments) == 2 else f"{function}{template}({{{listed}}})",
        PRIMARY,
        least,
        frozenset({function}).union(*(argument.calls for argument in arguments)),
    )
