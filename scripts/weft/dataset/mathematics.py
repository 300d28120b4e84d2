"""Python expressions of kernels in the notation of mathematics."""

from __future__ import annotations

import ast

_CONDITION, _OR, _AND, _NOT, _COMPARE, _SELDOM_BINDS, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(11)
_SELDOM = {
    ast.BitOr: "OR", ast.BitXor: "XOR", ast.BitAnd: "AND", ast.LShift: "≪", ast.RShift: "≫", ast.Mod: "mod",
}  # fmt: skip
"""Signs of which nobody remembers how strongly they bind: their operands stand in parentheses."""
_BINARY = {
    ast.Add: ("+", _SUM),
    ast.Sub: ("-", _SUM),
    ast.Mult: ("·", _PRODUCT),
    ast.MatMult: ("·", _PRODUCT),
    ast.Div: ("/", _PRODUCT),
}
_COMPARISONS = {
    ast.Eq: "=", ast.NotEq: "≠", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥",
}  # fmt: skip
_BETWEEN = {
    "abs": "|{}|",
    "length": "‖{}‖",
    "length_sq": "‖{}‖²",
    "floor": "⌊{}⌋",
    "ceil": "⌈{}⌉",
    "dot": "⟨{}, {}⟩",
}
_INFIX = {"cw_mul": "⊙", "cw_div": "⊘", "ddot": ":", "mul": "·", "add": "+", "sub": "-"}
_NAMES = {"log": "ln", "sqrt": "√"}
_WHOLE = {"floor", "ceil", "rint", "round", "trunc"}
_REAL = {"float", "float16", "float32", "float64", "bfloat16"}
_INTEGER = {"int8", "uint8", "int16", "uint16", "uint32", "int64", "uint64"}
_ROWS = ("vec", "spatial_vector")


_OF_TILE = {
    "tile": "{} of each thread of the block",
    "untile": "the thread's own element of {}",
    "tile_sum": "the sum of {}",
    "tile_max": "the largest of {}",
    "tile_min": "the smallest of {}",
    "tile_argmax": "the place of the largest of {}",
    "tile_argmin": "the place of the smallest of {}",
    "tile_scan_exclusive": "for each of {}, the sum of those before it",
    "tile_scan_inclusive": "for each of {}, the sum up to it",
    "tile_scan_max_inclusive": "for each of {}, the largest up to it",
    "tile_scan_min_inclusive": "for each of {}, the smallest up to it",
}


class UnsaidError(Exception):
    """An expression or a statement that has no form in mathematics."""


def formula(node: ast.expr) -> str:
    """The expression as mathematics: `·` multiplies, `⟨a, b⟩` is the dot product, `⊙` and `⊘` multiply and
    divide components, `a : b` adds up products of components. Raises UnsaidError for what has no such form.
    """
    return _written(node)[0]


def less_one(node: ast.expr) -> ast.expr:
    """The expression minus one."""
    match node:
        case ast.Constant(value=int() as number):
            return ast.Constant(number - 1)
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
            return left
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int() as number)):
            return ast.BinOp(left, ast.Add(), ast.Constant(number - 1))
    return ast.BinOp(node, ast.Sub(), ast.Constant(1))


def called(node: ast.expr) -> str:
    """The name of what is called or decorates, without its module."""
    match node:
        case ast.Attribute(value=ast.Name(), attr=name) | ast.Name(id=name):
            return name
        case ast.Call(func=func):
            return called(func)
    raise UnsaidError(ast.unparse(node))


def _within(node: ast.expr, least: int) -> str:
    """The text of an operand that binds at least as strongly as `least`, or stands in parentheses."""
    text, binding = _written(node)
    return text if binding >= least else f"({text})"


def _written(node: ast.expr) -> tuple[str, int]:
    """The text of an expression, and how strongly it binds."""
    match node:
        case ast.Name(id=name):
            return name, _ATOM
        case ast.Constant(value=bool() as value):
            return str(value).lower(), _ATOM
        case ast.Constant(value=int() | float() as value):
            return repr(value), _ATOM
        case ast.Attribute(value=ast.Name(id="wp" | "warp" | "math"), attr=name):
            return name, _ATOM
        case ast.Attribute(value=value, attr=name):
            return f"{_within(value, _ATOM)}.{name}", _ATOM
        case ast.Subscript(value=ast.Call() as value, slice=ast.Constant(value=0)) if (
            called(value) in _OF_TILE
        ):
            return f"({formula(value)})", _ATOM
        case ast.Subscript(value=value, slice=ast.Tuple(elts=indices)):
            return f"{_within(value, _ATOM)}[{_listed(indices)}]", _ATOM
        case ast.Subscript(value=value, slice=index):
            return f"{_within(value, _ATOM)}[{formula(index)}]", _ATOM
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return f"({_listed(elements)})", _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_within(operand, _SIGN)}", _SIGN
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"not {_within(operand, _NOT)}", _NOT
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return f"NOT {_within(operand, _SIGN)}", _SIGN
        case ast.BinOp(left=ast.Name(id=left), op=ast.Mult(), right=ast.Name(id=right)) if left == right:
            return f"{left}²", _POWER
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"{_within(left, _ATOM)}^{_within(right, _ATOM)}", _POWER
        case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
            return f"⌊{_within(left, _PRODUCT)} / {_within(right, _SIGN)}⌋", _ATOM
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SELDOM:
            return f"{_within(left, _POWER)} {_SELDOM[type(op)]} {_within(right, _POWER)}", _SELDOM_BINDS
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            sign, binding = _BINARY[type(op)]
            return f"{_within(left, binding)} {sign} {_within(right, binding + 1)}", binding
        case ast.BoolOp(op=op, values=values):
            word, binding = ("or", _OR) if isinstance(op, ast.Or) else ("and", _AND)
            return f" {word} ".join(_within(one, binding + 1) for one in values), binding
        case ast.Compare(left=left, ops=ops, comparators=others) if all(
            type(op) in _COMPARISONS for op in ops
        ):
            pairs = zip(ops, others, strict=True)
            rest = [f"{_COMPARISONS[type(op)]} {_within(one, _SUM)}" for op, one in pairs]
            return " ".join([_within(left, _SUM), *rest]), _COMPARE
        case ast.IfExp(test=test, body=yes, orelse=no):
            return _choice(test, yes, no)
        case ast.Call(args=arguments, keywords=keywords) if called(node).startswith(("tile", "untile")):
            named = {one.arg: one.value for one in keywords if one.arg is not None}
            return _tile(called(node), arguments, named), _CONDITION
        case ast.Call(args=arguments) if not any(isinstance(one, ast.Starred) for one in arguments):
            return _call(called(node), arguments)
    raise UnsaidError(ast.unparse(node))


def _call(name: str, arguments: list[ast.expr]) -> tuple[str, int]:
    match name, arguments:
        case ("where" | "select", [test, yes, no]):
            return _choice(test, yes, no)
        case ("pow", [left, right]):
            return f"{_within(left, _ATOM)}^{_within(right, _ATOM)}", _POWER
        case ("transpose", [one]):
            return f"{_within(one, _ATOM)}ᵀ", _ATOM
        case ("identity", _):
            return "I", _ATOM
        case ("rand_init", [seed, *of]):
            sequence = f" and sequence {formula(of[0])}" if of else ""
            return f"the random numbers of seed {formula(seed)}{sequence}", _CONDITION
        case ("randf", [_, *limits]):
            return f"a random number in [{_listed(limits) or '0, 1'})", _CONDITION
        case ("randn", [_]):
            return "a standard normal random number", _CONDITION
        case ("int", [ast.Call() as inner]) if called(inner) in _WHOLE:
            return _written(inner)
        case ("int", [ast.Constant() as inner]):
            return _written(inner)
        case ("int" | "int32", [inner]):
            return f"int({formula(inner)})", _ATOM
        case (_, [inner]) if name in _REAL or (name in _INTEGER and isinstance(inner, ast.Constant)):
            return _written(inner)
        case (_, [left, right]) if name in _INFIX:
            return f"{_within(left, _SIGN)} {_INFIX[name]} {_within(right, _SIGN)}", _PRODUCT
        case _ if name in _BETWEEN and _BETWEEN[name].count("{}") == len(arguments):
            return _BETWEEN[name].format(*map(formula, arguments)), _ATOM
        case ("static", _):
            raise UnsaidError(name)
        case _ if name.startswith(_ROWS) and len(arguments) > 1:
            return f"({_listed(arguments)})", _ATOM
    return f"{_NAMES.get(name, name)}({_listed(arguments)})", _ATOM


def _tile(name: str, arguments: list[ast.expr], named: dict[str, ast.expr]) -> str:
    """What a call that makes a tile gives."""
    along = f" along axis {formula(named['axis'])}" if "axis" in named else ""
    shape = f"of shape {formula(named['shape'])}" if "shape" in named else ""
    match name, arguments:
        case (_, [one]) if name in _OF_TILE:
            tile = _within(one, _CONDITION if isinstance(one, ast.Call) else _PRODUCT)
            return f"{_OF_TILE[name].format(tile)}{along}"
        case ("tile_map", [function, *tiles]):
            return f"{formula(ast.Call(function, tiles, []))} for each element"
        case ("tile_reduce", [function, one]):
            return f"{formula(function)} of {formula(one)}{along}"
        case ("tile_matmul", [left, right]):
            return f"{_within(left, _PRODUCT)} · {_within(right, _PRODUCT)}"
        case ("tile_transpose", [one]):
            return f"{_within(one, _ATOM)}ᵀ"
        case ("tile_astype" | "tile_reshape", [one]):
            return formula(one)
        case ("tile_broadcast", [one]):
            return f"{_within(one, _SUM)} repeated as a tile {shape}"
        case ("tile_load", [array]):
            offset = f" at {formula(named['offset'])}" if "offset" in named else ""
            return f"the tile {shape} of {formula(array)}{offset}"
        case ("tile_zeros", []):
            return f"a tile of zeros {shape}"
        case ("tile_full", []):
            return f"a tile of {formula(named['value'])} {shape}"
    raise UnsaidError(name)


def _choice(test: ast.expr, yes: ast.expr, no: ast.expr) -> tuple[str, int]:
    return f"{_within(yes, _OR)} if {_within(test, _OR)}, else {_within(no, _CONDITION)}", _CONDITION


def _listed(nodes: list[ast.expr]) -> str:
    return ", ".join(map(formula, nodes))
