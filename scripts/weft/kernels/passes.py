"""What is checked on a finished tree: all that is there is used, and reads as if a person had written it.

`survey` reads a program once; `check` judges what it found and `level` says how hard the kernel is. Branches
that bounds decide and loops that run once are refused while the kernel is being written (`builder`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Change,
    Conditional,
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
    Rejected,
    Stmt,
    ThreadIndex,
    Unary,
    Undefined,
    Unpack,
    While,
)
from weft.types import Array, Struct, Vector

LONGEST = 140
"""Lines of a kernel, from its decorator on, without the docstring."""
DEEPEST = 4
"""Calls of functions within each other."""
_WITH_ZERO = ("+", "-", "*", "|", "^", "&", "<<", ">>")
_WITH_ONE = ("*", "/", "//", "%")


@dataclasses.dataclass(slots=True)
class Survey:
    """What one body holds. Names of members have a dot in front.

    `flows` gives for each variable the names that its values, and the conditions around them, come from;
    `outputs` the same for each array that is written (and "return"); `jumps` those that jumps, and calls for
    other effects, depend on.
    """

    flows: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    outputs: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    jumps: set[str] = dataclasses.field(default_factory=set)
    counters: set[str] = dataclasses.field(default_factory=set)
    statements: int = 0
    branches: int = 0
    loops: int = 0
    depth: int = 0
    operations: int = 0
    indirect: int = 0
    atomics: int = 0

    def live(self) -> set[str]:
        """The names on which some output, or whether a jump is taken, depends."""
        return self.closure({*self.outputs, *self.jumps}.union(*self.outputs.values()))

    def closure(self, names: Iterable[str]) -> set[str]:
        """`names`, and all that they come from."""
        found = set(names)
        waiting = list(found)
        while waiting:
            new = self.flows.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found


def names_read(node: Expr) -> list[str]:
    """The variables, parameters and members (`.field`) that an expression reads, with repetitions."""
    names: list[str] = []
    _collect(node, names)
    return names


def _collect(node: Expr, names: list[str]) -> None:
    # Every tree is walked here several times: `isinstance` takes two thirds of the time of `match`.
    if isinstance(node, Name):
        names.append(node.name)
    elif isinstance(node, Binary):
        _collect(node.left, names)
        _collect(node.right, names)
    elif isinstance(node, Literal):
        pass
    elif isinstance(node, Item):
        _collect(node.value, names)
        for one in node.indices:
            _collect(one, names)
    elif isinstance(node, Call):
        for one in node.arguments:
            _collect(one, names)
        for _, one in node.keywords:
            _collect(one, names)
    elif isinstance(node, Member):
        _collect(node.value, names)
        names.append(f".{node.field}")
    elif isinstance(node, Unary):
        _collect(node.operand, names)
    elif isinstance(node, Group):
        for one in node.items:
            _collect(one, names)
    elif isinstance(node, Conditional):
        for one in (node.condition, node.if_true, node.if_false):
            _collect(one, names)


class _Reader:
    """Reads one body into a survey. Raises Undefined for a name that is not in scope."""

    def __init__(self, parameters: Iterable[str]) -> None:
        self.survey = Survey(flows={name: set() for name in parameters})

    def block(self, body: Sequence[Stmt], scope: set[str], guards: set[str], depth: int) -> None:
        survey = self.survey
        survey.depth = max(survey.depth, depth)
        for statement in body:
            survey.statements += 1
            match statement:
                case Assign(target=target, value=value, operator=operator):
                    self._assign(target, self.use(scope, value) | guards, scope, guards, operator)
                case Unpack(targets=targets, value=value):
                    sources = self.use(scope, value) | guards
                    for one in targets:
                        scope.add(one.name)
                        survey.flows.setdefault(one.name, set()).update(sources)
                case ThreadIndex(names=names):
                    for one in names:
                        scope.add(one.name)
                        survey.flows[one.name] = set()
                case Evaluate(call=call):
                    survey.atomics += 1
                    sources = self.use(scope, call) | guards
                    array = call.arguments[0] if call.arguments else call
                    if isinstance(array, Name) and isinstance(array.type, Array):
                        survey.outputs.setdefault(array.name, set()).update(sources)
                    else:
                        survey.jumps |= sources
                case Change(call=call):
                    variable = call.arguments[0]
                    assert isinstance(variable, Name)
                    survey.flows[variable.name] |= self.use(scope, call) | guards
                case If(condition=condition, then=then, otherwise=otherwise):
                    survey.branches += 1
                    inside = guards | self.use(scope, condition)
                    self.block(then, set(scope), inside, depth + 1)
                    self.block(otherwise, set(scope), inside, depth + 1)
                case For(variable=variable, start=start, stop=stop, step=step, body=inner):
                    survey.loops += 1
                    bounds = self.use(scope, start, stop, *([step] if isinstance(step, Expr) else []))
                    survey.flows.setdefault(variable.name, set()).update(bounds)
                    survey.counters.add(variable.name)
                    self.block(inner, scope | {variable.name}, guards | bounds, depth + 1)
                case While(condition=condition, body=inner):
                    survey.loops += 1
                    inside = guards | self.use(scope, condition)
                    self.block(inner, set(scope), inside, depth + 1)
                case Jump(value=value):
                    survey.jumps |= guards
                    if value is not None:
                        result = self.use(scope, value) | guards
                        survey.outputs.setdefault("return", set()).update(result)

    def _assign(
        self, target: Expr, sources: set[str], scope: set[str], guards: set[str], operator: str | None
    ) -> None:
        base: Expr = target
        stored = False
        while isinstance(base, (Item, Member)):
            base = base.value
            own = isinstance(base, Name) and base.mutable
            stored = stored or (isinstance(base.type, Array) and not own)
        assert isinstance(base, Name)
        if target is base:
            if operator is None:
                scope.add(base.name)
            self.survey.flows.setdefault(base.name, set()).update(sources)
            return
        if operator is not None and not stored:
            sources = sources | {base.name}
        sources = sources | self.use(scope, target)
        if stored:
            self.survey.outputs.setdefault(base.name, set()).update(sources)
        else:
            self.survey.flows.setdefault(base.name, set()).update(sources)

    def use(self, scope: set[str], *nodes: Expr) -> set[str]:
        """The names that expressions read, which are in scope."""
        names: list[str] = []
        for node in nodes:
            self.read(node, names)
        found = set(names)
        if not found <= scope:
            for name in names:
                if name not in scope and name[0] != ".":
                    raise Undefined(f"{name} is used outside its scope")
        return found

    def read(self, node: Expr, names: list[str]) -> int:
        """Append the names that an expression reads (`names_read`); how deeply calls are nested in it.

        Raises Rejected for what nobody writes.
        """
        if isinstance(node, Name):
            names.append(node.name)
            return 0
        if isinstance(node, Binary):
            self.survey.operations += 1
            _judge_binary(node)
            left, right = self.read(node.left, names), self.read(node.right, names)
            return left if left > right else right
        if isinstance(node, Literal):
            return 0
        if isinstance(node, Item):
            deepest = self.read(node.value, names)
            for one in node.indices:
                if isinstance(one, Item) or (isinstance(one, Binary) and _reads_array(one)):
                    self.survey.indirect += 1
                deepest = max(deepest, self.read(one, names))
            return deepest
        if isinstance(node, Call):
            self.survey.operations += 1
            parts = [*node.arguments, *[one for _, one in node.keywords]]
            deepest = max([self.read(one, names) for one in parts], default=0) + _is_function(node)
            if deepest > DEEPEST:
                raise Rejected("nested_calls", f"more than {DEEPEST} calls within each other")
            return deepest
        if isinstance(node, Member):
            deepest = self.read(node.value, names)
            names.append(f".{node.field}")
            return deepest
        if isinstance(node, Unary):
            if isinstance(node.operand, Unary) and node.operand.operator == node.operator:
                raise Rejected("silly", f"{node.operator} twice")
            return self.read(node.operand, names)
        if isinstance(node, Group):
            return max((self.read(one, names) for one in node.items), default=0)
        if isinstance(node, Conditional):
            self.survey.branches += 1
            return max(self.read(one, names) for one in (node.condition, node.if_true, node.if_false))
        return 0


def _is_function(call: Call) -> bool:
    """Is it more than a conversion or the making of a vector?"""
    function = call.function
    if isinstance(function, str):
        return function.startswith("wp.") and function[3:7] not in (
            "vec2",
            "vec3",
            "vec4",
            "floa",
            "int6",
            "uint",
        )
    return isinstance(function, FunctionDef)


def _reads_array(node: Expr) -> bool:
    match node:
        case Item():
            return True
        case Binary(left=left, right=right):
            return _reads_array(left) or _reads_array(right)
        case _:
            return False


def _judge_binary(node: Binary) -> None:
    operator, left, right = node.operator, node.left, node.right
    if isinstance(right, Literal):
        value = right.value
        if isinstance(left, Literal) and node.type == left.type and operator != "<<":
            raise Rejected("silly", f"{left.value} {operator} {value} is a number")
        if operator in (_WITH_ZERO if value == 0 else _WITH_ONE if value == 1 else ()):
            raise Rejected("silly", f"something {operator} {value}")
    elif isinstance(left, Literal) and (
        (left.value == 0 and operator in ("+", "*", "/")) or (left.value == 1 and operator == "*")
    ):
        raise Rejected("silly", f"{left.value} {operator} something")
    if operator in ("-", "/", "^", "<", ">", "==", "%") and same(left, right):
        raise Rejected("silly", f"something {operator} itself")


def same(a: Expr, b: Expr) -> bool:
    """Do two expressions have the same text?"""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    match a, b:
        case (Name(), Name()):
            return a.name == b.name
        case (Literal(), Literal()):
            return a.value == b.value
        case (Item(), Item()):
            if len(a.indices) != len(b.indices):
                return False
            return same(a.value, b.value) and all(map(same, a.indices, b.indices))
        case (Binary(), Binary()):
            return a.operator == b.operator and same(a.left, b.left) and same(a.right, b.right)
        case (Call(), Call()):
            return a.function == b.function and all(map(same, a.arguments, b.arguments))
        case (Member(), Member()):
            return a.field == b.field and same(a.value, b.value)
        case _:
            return False


def survey(parameters: Sequence[str], body: Sequence[Stmt]) -> Survey:
    """What a body holds. Raises Undefined for a name out of scope, Rejected for what nobody writes."""
    reader = _Reader(parameters)
    reader.block(body, set(parameters), set(), 0)
    return reader.survey


def check(program: GeneratedProgram) -> Survey:
    """Judge a program, and give what its kernel holds.

    Raises Rejected where something is never used (`unused`) or an output does not depend on anything
    (`constant_output`), or where a person would not write so (`silly`, `nested_calls`).
    """
    if not program.doc:
        raise Undefined(f"{program.name} has no docstring")
    found = survey([one.name for one in program.parameters], program.body)
    live = _check_use(program.name, found)
    for function in program.functions:
        inner = survey([name for name, _ in function.parameters], function.body)
        live |= _check_use(function.name, inner)
        found.statements += inner.statements
        found.operations += inner.operations
    for struct in program.structs:
        for field, _ in struct.fields:
            if f".{field}" not in live:
                raise Rejected("unused", f"member {field} of {struct.name} is never read")
    for array, sources in found.outputs.items():
        unsure = {array} | {name for name in sources if name[0] == "."}
        if sources <= unsure and found.closure(sources - {array}) <= unsure:
            raise Rejected("constant_output", f"{array} does not depend on anything")
    return found


def _check_use(name: str, found: Survey) -> set[str]:
    live = found.live()
    unused = [one for one in found.flows if one not in live and one not in found.counters]
    if unused:
        raise Rejected("unused", f"{name}: {', '.join(unused)} is never read")
    return live


def check_text(text: str, doc: str) -> None:
    """Raise Rejected (`too_long`) for a kernel of too many lines."""
    lines = text.count("\n") + 1 - (len(doc) // 90 + 1)
    if lines > LONGEST:
        raise Rejected("too_long", f"{lines} lines, at most {LONGEST} are allowed")


_LEVELS = ((13, "easy"), (19, "medium"), (26, "hard"))


def level(program: GeneratedProgram, found: Survey) -> str:
    """How hard a kernel is to translate: its size, nesting, types and memory pattern."""
    types = {one.type.element if isinstance(one.type, Array) else one.type for one in program.parameters}
    ranks = sum(one.type.ndim - 1 for one in program.parameters if isinstance(one.type, Array))
    points = 0.6 * found.statements + 0.3 * found.operations + 2.0 * found.depth
    points += 1.5 * found.loops + found.branches + 1.5 * found.indirect + 2.0 * found.atomics
    points += 2.0 * len(program.functions) + 2.0 * len(program.structs) + 0.4 * ranks
    points += 1.0 * len(types) + sum(isinstance(one, (Vector, Struct)) for one in types)
    return next((name for limit, name in _LEVELS if points < limit), "expert")
