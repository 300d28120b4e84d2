"""Tidies a finished body: no second name for one value, and no element that is looked up again and again.

Idioms and the holes that they share don't know of each other, so one may name what the other has named.
What is computed stays the same to the last bit.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

from weft.kernels import fusion
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
    If,
    Item,
    Literal,
    Member,
    Name,
    Stmt,
    Unary,
)
from weft.kernels.rewrite import helper_body, replaced
from weft.kernels.statements import (
    assigned_names,
    change_own,
    every_statement,
    is_let,
    names_in,
    own_expressions,
    parts,
    reads,
)
from weft.kernels.words import singular
from weft.types import Array, Scalar, Vector


def apply(k: Builder) -> None:
    """Tidy bodies, in place. Tiles stay as they are: a second name may be a tile of its own."""
    for function in k.functions:
        _drop_overwritten(function.body)
        _drop_aliases(function.body, function.doc)
    for statement in k.body:
        if isinstance(statement, If):
            _join_results(k.body, statement.then)
    if k.block_dim is None:
        _drop_overwritten(k.body)
        _drop_aliases(k.body, k.doc)
        fusion.apply(k.body)
        _name_lookups(k)
    _define_known(k)


def _define_known(k: Builder) -> None:
    """Numbers that have a name become constants of the module."""
    defined = {one.name for one in k.constants}
    waiting: list[Expr] = []
    for body in (k.body, *(one.body for one in k.functions)):
        for statement in every_statement(body):
            waiting += own_expressions(statement)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Constant) and node.definition.name not in defined:
            defined.add(node.definition.name)
            k.constants.append(node.definition)
        elif not isinstance(node, (Name, Literal)):
            waiting += parts(node)


def _drop_aliases(body: list[Stmt], doc: str) -> None:
    """`b = a` goes where neither changes afterwards, and `a` stands for `b` from there on.

    What the docstring tells of keeps its name.
    """

    def told(name: str) -> bool:
        return f"`{name}`" in doc

    copies = [one for one in body if isinstance(one, Assign) and isinstance(one.value, Name)]
    if not any(isinstance(one.target, Name) for one in copies):
        return
    assigned = Counter(assigned_names(body))
    uses = Counter(name for one in every_statement(body) for name in names_in(one))
    at = 0
    while at < len(body):
        statement = body[at]
        at += 1
        if not (isinstance(statement, Assign) and isinstance(statement.value, Name)):
            continue
        source = statement.value.name
        if not is_let(statement):
            once = uses[source] == 1 and not told(source)
            start = _let_before(body[: at - 1], source) if once else None
            if start is not None and isinstance(statement.target, Name) and statement.operator is None:
                statement.value = start.value
                body.remove(start)
                at -= 1
            continue
        alias, value = statement.target, statement.value
        assert isinstance(alias, Name)
        if told(alias.name) or isinstance(value.type, Array) or assigned[alias.name] > 1:
            continue
        if value.name in assigned_names(body[at:]):
            continue
        at -= 1
        del body[at]
        stand_in = functools.partial(replaced, name=alias.name, value=value)
        for later in every_statement(body[at:]):
            change_own(later, stand_in)


def _join_results(outer: list[Stmt], body: list[Stmt]) -> None:
    """A variable of a block that ends as another one's value is that variable from the beginning."""
    last = body[-1] if body else None
    if not (isinstance(last, Assign) and isinstance(last.target, Name) and isinstance(last.value, Name)):
        return
    kept, inner = last.target, last.value
    begins = [one for one in body if isinstance(one, Assign) and one.target is inner and one.operator is None]
    used = [name for one in every_statement(body[:-1]) for name in (*reads(one), *assigned_names([one]))]
    if last.operator or not inner.mutable or not begins or kept.name in used:
        return
    del body[-1]
    stand_in = functools.partial(replaced, name=inner.name, value=kept)
    for one in every_statement(body):
        change_own(one, stand_in)
        if isinstance(one, Assign) and isinstance(one.target, Name) and one.target.name == inner.name:
            one.target = kept
    first = next((one for one in outer if isinstance(one, Assign) and one.target is kept), None)
    if first is not None and expression(first.value) == expression(begins[0].value):
        body.remove(begins[0])


def _drop_overwritten(body: list[Stmt]) -> None:
    """A variable gets no first value where it gets another before anything reads it."""
    at = 0
    while at < len(body):
        first = body[at]
        at += 1
        if not (isinstance(first, Assign) and isinstance(first.target, Name) and first.target.mutable):
            continue
        name = first.target.name
        for later in body[at:]:
            read = any(name in names_in(one) for one in every_statement([later]))
            if read or (not isinstance(later, Assign) and name in assigned_names([later])):
                break
            if isinstance(later, Assign) and isinstance(later.target, Name) and later.target.name == name:
                if later.operator is None:
                    at -= 1
                    del body[at]
                    if isinstance(first.value, Name):
                        at -= _drop_unread(body, first.value.name)
                break


def _drop_unread(body: list[Stmt], name: str) -> int:
    """A value that nothing reads gets no name; how many statements that takes away."""
    if any(name in names_in(one) for one in every_statement(body)):
        return 0
    for at, one in enumerate(body):
        if isinstance(one, Assign) and isinstance(one.target, Name) and one.target.name == name:
            del body[at]
            return 1
    return 0


def _let_before(body: Sequence[Stmt], name: str) -> Assign | None:
    """The statement that names a value, if nothing but others of its kind stands after it."""
    for one in reversed(body):
        if not (isinstance(one, Assign) and is_let(one)):
            return None
        if isinstance(one.target, Name) and one.target.name == name:
            return one
    return None


def _name_lookups(k: Builder) -> None:
    """An input's element gets a name where it is read three times, or twice through another array."""
    inputs = {one.name for one in k.parameters if one.role == "in" and isinstance(one.type, Array)}
    found: dict[str, list[Item]] = {}
    for statement in every_statement(k.body):
        for one in own_expressions(statement):
            _lookups(one, inputs, found)
    counts: Counter[str] = Counter()
    items: dict[str, Item] = {}
    for several in found.values():
        if len(several) > 1:
            texts = [expression(one) for one in several]
            counts.update(texts)
            items |= dict(zip(texts, several, strict=True))
    assigned: Counter[str] | None = None
    for text, item in sorted(items.items(), key=lambda one: -len(one[0])):
        if counts[text] < (2 if text.count("[") > 1 else 3):
            continue
        assigned = assigned or Counter(assigned_names(k.body))
        fixed = all(assigned[name] < 2 for name in names_read(item))
        assert isinstance(item.value, Name)
        name = singular(item.value.name)
        if not fixed or name in k.names or not isinstance(item.type, Scalar | Vector):
            continue
        first = next((at for at, one in enumerate(k.body) if text in _texts(one, inputs)), len(k.body))
        if first == len(k.body) or text not in _texts(k.body[first], inputs, certain=True):
            continue
        variable = Name(item.type, item.interval, k.fresh(name))
        for later in every_statement(k.body[first:]):
            change_own(later, functools.partial(helper_body, names={text: variable.name}))
        k.body.insert(first, Assign(variable, item))
        for inner in counts:
            if inner != text and inner in text:
                counts[inner] -= counts[text] - 1


def _texts(statement: Stmt, inputs: set[str], *, certain: bool = False) -> set[str]:
    """The lookups of a statement and of blocks in it; only those that always happen if `certain`."""
    found: dict[str, list[Item]] = {}
    for inner in [statement] if certain else every_statement([statement]):
        for one in own_expressions(inner):
            _lookups(one, inputs, found, certain=certain)
    return {expression(item) for several in found.values() for item in several}


def _lookups(node: Expr, inputs: set[str], found: dict[str, list[Item]], *, certain: bool = False) -> None:
    """Collect elements of input arrays, by array; without what a condition guards if `certain`."""
    if isinstance(node, (Name, Literal)):
        return
    match node:
        case Item(value=value, indices=indices):
            if not isinstance(value, Name):
                _lookups(value, inputs, found, certain=certain)
            elif value.name in inputs:
                found.setdefault(value.name, []).append(node)
            for one in indices:
                _lookups(one, inputs, found, certain=certain)
        case Binary(operator=operator, left=left, right=right):
            _lookups(left, inputs, found, certain=certain)
            if not (certain and operator in ("and", "or")):
                _lookups(right, inputs, found, certain=certain)
        case Call(arguments=arguments):
            for one in arguments:
                _lookups(one, inputs, found, certain=certain)
        case Unary(operand=inner) | Member(value=inner):
            _lookups(inner, inputs, found, certain=certain)
        case Conditional(condition=condition, if_true=yes, if_false=no):
            for one in (condition,) if certain else (condition, yes, no):
                _lookups(one, inputs, found, certain=certain)
