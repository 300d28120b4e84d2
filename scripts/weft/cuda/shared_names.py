"""In Warp, after `a, b = c, d`, a is another name of c's variable and not a copy. This shows if a loop, or an
assignment to one component, changes the variable: then Warp and Python mean different things.

What follows keeps two things side by side, statement by statement: which variable each name stands for in
Warp's code (it gives every assignment a new variable, chooses between two where branches meet, and copies
back into the old ones where a loop ends), and which variables hold the value that the name has in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from weft.cuda.ranges import call_of_range
from weft.function_source import FunctionSource, root_name
from weft.subscript_indices import items_of

_Variable = tuple[object, ...]
_Names = dict[str, _Variable]
_Values = dict[str, frozenset[_Variable]]
"""For each name that has a value, the variables that hold it."""

_MOST_STEPS = 20_000
_LARGEST_LIMIT = 256


class _UnknownError(Exception):
    """What Warp makes of this cannot be told."""


@dataclass
class _Loop:
    """A loop of Warp's code: the variables that its names have where it begins, and how it is left."""

    names: _Names
    leaving: list[_Values] = field(default_factory=list)
    again: list[_Values] = field(default_factory=list)


class SharedNames:
    """Tells whether every name of a function has the value in Warp that it has in Python.

    `statements` are the assignments that give a name the variable of another.
    """

    def __init__(self, source: FunctionSource) -> None:
        self.source = source
        self.statements: list[tuple[ast.stmt, set[str]]] = []

    def share(self, node: ast.stmt, name: str, other: str) -> None:
        """Note that `name` is given the variable of `other`."""
        self.statements.append((node, {name, other}))

    def names(self) -> set[str]:
        """All names that share, or shared, a variable."""
        return {name for _, names in self.statements for name in names}

    def unlike(self) -> ast.stmt | None:
        """The assignment that makes Warp's values differ from Python's, if there is one.

        Warp unrolls loops of constant length up to a limit that each module sets: what depends on the limit
        is refused.
        """
        loops = [n for n in ast.walk(self.source.definition) if isinstance(n, ast.For)]
        try:
            counts = {len(c) for loop in loops if (c := _constant_range(self.source, loop, {})) is not None}
            for limit in [0, *sorted(count for count in counts if 0 < count <= _LARGEST_LIMIT)]:
                walk = _Walk(self.source, limit)
                walk.function()
                if walk.differs is not None:
                    return self._cause(*walk.differs)
        except _UnknownError:
            return self.statements[-1][0]
        return None

    def _cause(self, node: ast.AST, name: str) -> ast.stmt:
        """The last assignment with the name that stands before its use, or else the last one."""
        line = getattr(node, "lineno", 0)
        with_name = [s for s, names in self.statements if name in names] or [s for s, _ in self.statements]
        before = [s for s in with_name if s.lineno < line]
        return (before or with_name)[-1]


def _constant_range(source: FunctionSource, loop: ast.For, known: dict[str, int]) -> range | None:
    """The values of a loop's variable where Warp knows all bounds; `known` are those of unrolled loops."""
    found = call_of_range(loop.iter)
    if found is None or found[1]:
        return None
    values: list[int] = []
    for argument in found[0].args:
        value = _number(source, argument, known)
        if value is None:
            return None
        values.append(value)
    return range(*values) if 0 < len(values) < 4 and values[2:] != [0] else None


def _number(source: FunctionSource, node: ast.expr, known: dict[str, int]) -> int | None:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.Name(id=name) if name in known:
            return known[name]
        case _:
            if source.is_known(node) and source.value(node) is None:
                raise _UnknownError
            value = source.value(node)
            return value if isinstance(value, int) else None


class _Walk:
    """Follows one function in the order in which Warp makes code of it, loops of up to `limit` unrolled."""

    def __init__(self, source: FunctionSource, limit: int) -> None:
        self.source = source
        self.limit = limit
        self.names: _Names = {}
        self.values: _Values | None = {}
        self.loops: list[_Loop] = []
        self.unrolled: dict[str, int] = {}
        self.place: tuple[object, ...] = ()
        self.steps = 0
        self.differs: tuple[ast.AST, str] | None = None

    def function(self) -> None:
        for name, _ in self.source.parameters:
            self._give(name, ("parameter", name))
        self._block(self.source.definition.body)

    def _give(self, name: str, variable: _Variable) -> None:
        """A new variable, with a new value, for `name`."""
        self.names[name] = variable
        if self.values is None:
            return
        self.values = {n: v - {variable} for n, v in self.values.items()}
        self.values[name] = frozenset({variable})

    def _block(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise _UnknownError
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self._read(value)
                self._assign(node, target, value)
            case ast.AugAssign(target=ast.Name(id=name) as target, value=value):
                self._read(value)
                self._use(target, name)
                self._give(name, self._new(node, name))
            case ast.AugAssign(target=target, value=value):
                self._read(value)
                self._change(target)
            case ast.If():
                self._if(node)
            case ast.For():
                self._for(node)
            case ast.While():
                self._dynamic(node, None)
            case ast.Return():
                self._read(node)
                self.values = None
            case ast.Break() | ast.Continue():
                self._leave(node)
            case _:
                self._read(node)

    def _new(self, node: ast.AST, name: str) -> _Variable:
        return (*self.place, type(node).__name__, node.lineno, node.col_offset, name)  # type: ignore[attr-defined]

    def _read(self, node: ast.AST) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                self._use(part, part.id)

    def _use(self, node: ast.AST, name: str) -> None:
        """Note a name whose variable holds another value than Python gives the name."""
        if self.values is None or self.differs is not None or name not in self.names:
            return
        if self.names[name] not in self.values.get(name, {self.names[name]}):
            self.differs = (node, name)

    def _assign(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Name | ast.Tuple):
            self._change(target)
            return
        places = items_of(target)
        together = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        items = items_of(value) if together else [value] * len(places)
        names, values = dict(self.names), self.values or {}
        others: dict[str, str | None] = {}
        for place, item in zip(places, items, strict=True):
            if not isinstance(place, ast.Name):
                raise _UnknownError
            other = named(self.source, item) if together or isinstance(item, ast.IfExp) else None
            others[place.id] = other if other in names else None
        new = {name: self._new(node, name) for name in others}
        made = {new[name] for name, other in others.items() if other is None}
        if self.values is not None:
            self.values = {name: held - made for name, held in values.items()}
        for name, other in others.items():
            self.names[name] = new[name] if other is None else names[other]
            if self.values is not None:
                held = {new[name]} if other is None else values.get(other, {names[other]}) - made
                self.values[name] = frozenset(held)

    def _change(self, target: ast.expr) -> None:
        """A part of a value is assigned, in its variable."""
        self._read(target)
        root = root_name(target)
        variable = self.names.get(root or "")
        if variable is None or self.values is None:
            return
        self.values = {
            name: held & {variable} if name == root else held - {variable}
            for name, held in self.values.items()
        }

    def _if(self, node: ast.If) -> None:
        self._read(node.test)
        known = self._decided(node)
        if known is not None:
            self._block(node.body if known else node.orelse)
            return
        names, values = self.names, self.values
        self.names = dict(names)
        self._block(node.body)
        names_if, values_if = self.names, self.values
        self.names, self.values = dict(names), values
        self._block(node.orelse)
        names_else, values_else = self.names, self.values
        chosen: dict[_Variable, tuple[_Variable, _Variable]] = {}
        self.names = dict(names)
        for name in dict.fromkeys((*names_if, *names_else)):
            one = names_if.get(name, names.get(name))
            other = names_else.get(name, names.get(name))
            if one is not None and other is not None and one != other:
                self.names[name] = new = self._new(node, name)
                chosen[new] = (one, other)
            elif (found := one or other) is not None:
                self.names[name] = found
        self.values = _either(_chosen(values_if, chosen, 0), _chosen(values_else, chosen, 1))

    def _decided(self, node: ast.If) -> bool | None:
        """Which branch alone Warp makes code of, if it knows."""
        if isinstance(node.test, ast.Name) and node.test.id in self.unrolled:
            return bool(self.unrolled[node.test.id])
        if self.source.is_known(node.test) and self.source.value(node.test) is None:
            raise _UnknownError
        known = self.source.value(node.test)
        if known is None or self.source.has_types(node.orelse if known else node.body):
            return None
        return bool(known)

    def _for(self, node: ast.For) -> None:
        self._read(node.iter)
        if not isinstance(node.target, ast.Name):
            raise _UnknownError
        name = node.target.id
        counted = _constant_range(self.source, node, self.unrolled)
        jumps = {type(n) for s in node.body for n in _own(s)} & {ast.Break, ast.Continue}
        static = any(isinstance(n, ast.Call) and _is_static(n.func) for n in ast.walk(node))
        if counted is None or ((len(counted) > self.limit or ast.Break in jumps) and not static):
            self._dynamic(node, name)
            return
        if jumps:
            raise _UnknownError
        around, known = self.place, dict(self.unrolled)
        for number in counted:
            self.place = (*around, node.lineno, number)
            self.unrolled = {**known, name: number}
            self._give(name, self._new(node, name))
            self._block(node.body)
        self.place, self.unrolled = around, known

    def _dynamic(self, node: ast.For | ast.While, name: str | None) -> None:
        """A loop of Warp's code, followed until another turn tells nothing new."""
        if name is not None and name in self.unrolled:
            raise _UnknownError
        head, variable = self.values, self._new(node, name or "")
        names = dict(self.names)
        while True:
            self.names, self.values = dict(names), None if head is None else dict(head)
            if isinstance(node, ast.While):
                self._read(node.test)
            left = self.values
            if name is not None:
                self._give(name, variable)
            loop = _Loop(dict(self.names))
            self.loops.append(loop)
            self._block(node.body)
            self._copy_back(loop)
            self.loops.pop()
            following = head
            for values in (self.values, *loop.again):
                following = _either(following, values)
            if following == head:
                break
            head = following
        for values in loop.leaving:
            left = _either(left, values)
        self.values = left

    def _leave(self, node: ast.Break | ast.Continue) -> None:
        if not self.loops:
            raise _UnknownError
        loop = self.loops[-1]
        self._copy_back(loop)
        if self.values is not None:
            (loop.leaving if isinstance(node, ast.Break) else loop.again).append(self.values)
        self.values = None

    def _copy_back(self, loop: _Loop) -> None:
        """Where a turn of a loop ends: names that had a variable before it have their values there again."""
        for name, before in loop.names.items():
            now = self.names[name]
            if now == before:
                continue
            if self.values is not None:
                self.values = {
                    n: held | {before} if now in held else held - {before} for n, held in self.values.items()
                }
            self.names[name] = before


def _own(node: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, without those of loops within it."""
    yield node
    if isinstance(node, ast.If):
        for inner in (*node.body, *node.orelse):
            yield from _own(inner)


def named(source: FunctionSource, node: ast.expr) -> str | None:
    """The name whose variable Warp takes for the value of an expression."""
    while isinstance(node, ast.IfExp) and (known := source.value(node.test)) is not None:
        node = node.body if known else node.orelse
    return node.id if isinstance(node, ast.Name) else None


def _is_static(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "static"


def _chosen(
    values: _Values | None, chosen: dict[_Variable, tuple[_Variable, _Variable]], side: int
) -> _Values | None:
    """`values` with the variables that Warp chooses where branches meet."""
    if values is None:
        return None
    return {
        name: (held - chosen.keys()) | {new for new, pair in chosen.items() if pair[side] in held}
        for name, held in values.items()
    }


def _either(one: _Values | None, other: _Values | None) -> _Values | None:
    """What holds on both ways to a place; a name that one of them did not give a value has any."""
    if one is None or other is None:
        return other if one is None else one
    return {
        name: one[name] & other[name] if name in one and name in other else one.get(name, other.get(name))  # type: ignore[misc]
        for name in {**one, **other}
    }
