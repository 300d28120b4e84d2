"""Rewrites a finished body the way that people differ: the order of statements, names, helper functions.

What is computed stays the same to the last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from weft.kernels.builder import Builder
from weft.kernels.emit import expression
from weft.kernels.passes import names_read
from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Conditional,
    Constant,
    Expr,
    FunctionDef,
    Group,
    Item,
    Jump,
    Literal,
    Member,
    Name,
    Stmt,
    Unary,
)
from weft.kernels.statements import blocks_of, is_let, reads
from weft.kernels.types import BOOL, scalar_of
from weft.kernels.words import enumerated, singular, tells, words
from weft.types import Array, Matrix, Scalar, Vector

LONGEST_INLINED = 45
VERBS = ("compute", "evaluate")
_UNCLEAR = ("adjusted", "final", "gated", "local", "new", "old", "other", "output")
"""How names begin that say when a value is made and not what it is."""
_VAGUE = ("above", "below", "far", "here", "inside", "near", "over", "there", "where")


def apply(k: Builder) -> None:
    """All rewrites that the policy draws, in place. Tiles stay as they are: what they share has an order."""
    if k.block_dim is not None:
        return
    blocks = list(blocks_of(k.body))
    if k.rng.chance(k.policy.shuffled):
        for block in blocks:
            _shuffle(k, block)
    if k.rng.chance(k.policy.inlined):
        _inline(k, blocks)


_DRAWING = ("wp.rand", "wp.sample_", "wp.poisson")


def _shuffle(k: Builder, block: list[Stmt]) -> None:
    """Another order of values that are named one after the other and do not need each other."""
    start = 0
    while start < len(block):
        stop = start
        while stop < len(block) and is_let(block[stop]):
            stop += 1
        if stop - start > 1:
            block[start:stop] = _ordered(k, block[start:stop])
        start = stop + 1


def _ordered(k: Builder, run: Sequence[Stmt]) -> list[Stmt]:
    waiting = [one for one in run if isinstance(one, Assign)]
    if any(_is_random(one.value) for one in waiting):
        return list(run)
    names = {one.target.name for one in waiting if isinstance(one.target, Name)}
    needs = {id(one): names.intersection(names_read(one.value)) for one in waiting}
    result: list[Stmt] = []
    while waiting:
        free = [one for one in waiting if not needs[id(one)] & names]
        chosen = free[k.rng.below(len(free))]
        waiting.remove(chosen)
        assert isinstance(chosen.target, Name)
        names.discard(chosen.target.name)
        result.append(chosen)
    return result


def _inline(k: Builder, blocks: Sequence[list[Stmt]]) -> None:
    """Values that are used once, by the statement after them, without a name; short ones only."""
    uses = Counter(name for block in blocks for statement in block for name in reads(statement))
    for block in blocks:
        at = 0
        while at + 1 < len(block):
            let, user = block[at], block[at + 1]
            at += 1
            if not (isinstance(let, Assign) and isinstance(user, Assign) and is_let(let)):
                continue
            assert isinstance(let.target, Name)
            name = let.target.name
            simple = uses[name] == 1 and not tells(k.doc, name) and not _is_random(let.value)
            if not simple or name not in names_read(user.value) or not k.rng.chance(0.5):
                continue
            if len(expression(let.value)) + len(expression(user.value)) > LONGEST_INLINED:
                continue
            user.value = replaced(user.value, name, let.value)
            at -= 1
            del block[at]


def _is_random(node: Expr) -> bool:
    """Does it draw a random number, which changes the state that it draws from?"""
    match node:
        case Call(function=function, arguments=arguments):
            drawn = isinstance(function, str) and function.startswith(_DRAWING)
            return drawn or any(map(_is_random, arguments))
        case Binary(left=left, right=right):
            return _is_random(left) or _is_random(right)
        case Unary(operand=operand):
            return _is_random(operand)
        case Conditional():
            return any(map(_is_random, (node.condition, node.if_true, node.if_false)))
        case _:
            return False


def replaced(node: Expr, name: str, value: Expr) -> Expr:
    """The expression with `value` in place of the variable."""
    match node:
        case Name(name=found):
            return value if found == name else node
        case Unary():
            return Unary(node.type, node.interval, node.operator, replaced(node.operand, name, value))
        case Binary():
            left, right = (replaced(one, name, value) for one in (node.left, node.right))
            return Binary(node.type, node.interval, node.operator, left, right)
        case Call():
            arguments = tuple(replaced(one, name, value) for one in node.arguments)
            keywords = tuple((key, replaced(one, name, value)) for key, one in node.keywords)
            return Call(node.type, node.interval, node.function, arguments, keywords)
        case Group(items=items):
            return Group(
                node.type, node.interval, tuple(replaced(one, name, value) for one in items), node.bare
            )
        case Item():
            indices = tuple(replaced(one, name, value) for one in node.indices)
            return Item(node.type, node.interval, replaced(node.value, name, value), indices)
        case Member():
            return Member(node.type, node.interval, replaced(node.value, name, value), node.field)
        case Conditional():
            parts = (replaced(one, name, value) for one in (node.condition, node.if_true, node.if_false))
            return Conditional(node.type, node.interval, *parts)
        case _:
            return node


def _extract(k: Builder, blocks: Sequence[list[Stmt]]) -> None:
    """One named value, of those that take some arithmetic, becomes a helper function."""
    candidates: list[tuple[Assign, Name, dict[str, Expr]]] = []
    for block in blocks:
        for statement in block:
            if not (isinstance(statement, Assign) and isinstance(statement.target, Name)):
                continue
            if not is_let(statement) or not _is_number(statement.value) or _is_random(statement.value):
                continue
            if not _names_a_function(statement.target.name):
                continue
            inputs: dict[str, Expr] = {}
            work = _gather_inputs(statement.value, inputs)
            if work >= 3 and 1 <= len(inputs) <= 4:
                candidates.append((statement, statement.target, inputs))
    if not candidates:
        return
    statement, target, inputs = k.rng.pick(*candidates)
    names = _parameter_names(inputs)
    if len(set(names.values())) < len(names):
        return
    verb = k.rng.pick(*VERBS)
    parameters = [(names[text], one.type) for text, one in inputs.items()]
    source = parameters[0][0]
    plain = len(parameters) == 1 and _names_a_function(source) and k.rng.chance(0.5)
    called = f"{target.name}_from_{source}" if plain else f"{verb}_{target.name}"
    body = helper_body(statement.value, names)
    title = words(target.name)
    doc = f"{title[0].upper()}{title[1:]} from {enumerated(name for name, _ in parameters)}."
    definition = FunctionDef(called, doc, parameters, [Jump("return", body)])
    k.functions.append(definition)
    value = statement.value
    statement.value = Call(value.type, value.interval, definition, tuple(inputs.values()))


def _names_a_function(name: str) -> bool:
    """Does a value's name say what a function of that name would give?"""
    first, _, _ = name.partition("_")
    last = name.rpartition("_")[2]
    return first not in _UNCLEAR and last not in _VAGUE and len(last) > 2 and last.isalpha()


def _is_number(value: Expr) -> bool:
    return isinstance(value.type, (Scalar, Vector, Matrix)) and scalar_of(value.type) != BOOL


def _gather_inputs(node: Expr, inputs: dict[str, Expr]) -> int:
    """Collect what an expression depends on by its text; the number of operations, 0 if it cannot move."""
    match node:
        case Literal() | Constant():
            return 0
        case Binary(operator=operator, left=left, right=right):
            gather = _gather_guarded if operator in ("and", "or") else _gather_inputs
            return 1 + _gather_inputs(left, inputs) + gather(right, inputs)
        case Unary(operand=operand):
            return 1 + _gather_inputs(operand, inputs)
        case Call(function=str(), arguments=arguments):
            return 1 + sum(_gather_inputs(one, inputs) for one in arguments)
        case Conditional(condition=condition, if_true=yes, if_false=no):
            guarded = sum(_gather_guarded(one, inputs) for one in (yes, no))
            return 2 + _gather_inputs(condition, inputs) + guarded
        case Item(value=Name(type=Vector() | Matrix()) as value, indices=indices):
            return _gather_inputs(value, inputs) + sum(_gather_inputs(one, inputs) for one in indices)
        case Name(type=Array()):
            return -1000
        case _:
            if not _is_number(node):
                return -1000
            inputs[expression(node)] = node
            return 0


def _gather_guarded(node: Expr, inputs: dict[str, Expr]) -> int:
    """The same of what is not always evaluated: its elements may not be there, so a caller reads none."""
    guarded: dict[str, Expr] = {}
    work = _gather_inputs(node, guarded)
    if any(_in_array(one) for one in guarded.values()):
        return -1000
    inputs.update(guarded)
    return work


def _in_array(node: Expr) -> bool:
    while isinstance(node, Item | Member):
        node = node.value
    return isinstance(node.type, Array)


def _parameter_names(inputs: dict[str, Expr]) -> dict[str, str]:
    """What the helper calls its inputs: as the kernel does, or after the array or member."""
    names = {}
    for text, node in inputs.items():
        while isinstance(node, Item):
            node = node.value
        name = node.field if isinstance(node, Member) else node.name if isinstance(node, Name) else "value"
        names[text] = singular(name) if isinstance(node.type, Array) else name
    return names


def helper_body(node: Expr, names: dict[str, str]) -> Expr:
    """The expression with the helper's parameters in place of what the kernel passes."""
    text = expression(node)
    if text in names and not isinstance(node, (Literal, Constant)):
        return Name(node.type, node.interval, names[text])
    match node:
        case Unary():
            return Unary(node.type, node.interval, node.operator, helper_body(node.operand, names))
        case Binary():
            left, right = (helper_body(one, names) for one in (node.left, node.right))
            return Binary(node.type, node.interval, node.operator, left, right)
        case Call():
            arguments = tuple(helper_body(one, names) for one in node.arguments)
            return Call(node.type, node.interval, node.function, arguments, node.keywords)
        case Conditional():
            parts = (helper_body(one, names) for one in (node.condition, node.if_true, node.if_false))
            return Conditional(node.type, node.interval, *parts)
        case Item():
            indices = tuple(helper_body(one, names) for one in node.indices)
            return Item(node.type, node.interval, helper_body(node.value, names), indices)
        case _:
            return node
