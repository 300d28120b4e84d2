"""What is checked on a finished tree: all that is there is used, and reads as if a person had written it.

`survey` reads a program once; `check` judges what it found, and gives the facts that concepts follow from
(`weft.concepts`). Branches that bounds decide and loops that run once are refused while the kernel is being
written (`builder`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from weft.concepts import ATOMICS, TILES, Access, Body, Kernel
from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Change,
    Conditional,
    Constant,
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
from weft.types import Array

LONGEST = 140
"""Lines of a kernel, from its decorator on, without the docstring."""
DEEPEST = 4
"""Calls of functions within each other."""
_WITH_ZERO = ("+", "-", "*", "|", "^", "&", "<<", ">>")
_WITH_ONE = ("*", "/", "//", "%")
_PLAIN = (Name, Literal, Constant)


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
    facts: Body = dataclasses.field(default_factory=Body)

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

    def block(self, body: Sequence[Stmt], scope: set[str], guards: set[str], loops: int) -> None:
        """Read a block within so many loops."""
        survey, facts = self.survey, self.survey.facts
        facts.statements += len(body)
        for statement in body:
            match statement:
                case Assign(target=target, value=value, operator=operator):
                    self._assign(target, self.use(scope, value), scope, guards, operator, value)
                case Unpack(targets=targets, value=value):
                    origins = self.use(scope, value)
                    for one in targets:
                        scope.add(one.name)
                        survey.flows.setdefault(one.name, set()).update(origins, guards)
                        facts.origins.setdefault(one.name, set()).update(origins)
                        facts.types.append(one.type)
                case ThreadIndex(names=names):
                    facts.threads.update([one.name for one in names])
                    for one in names:
                        scope.add(one.name)
                        survey.flows[one.name] = set()
                case Evaluate(call=call):
                    sources = self.use(scope, call) | guards
                    array = call.arguments[0] if call.arguments else call
                    if isinstance(array, Name) and isinstance(array.type, Array):
                        survey.outputs.setdefault(array.name, set()).update(sources)
                    else:
                        survey.jumps |= sources
                case Change(call=call):
                    variable = call.arguments[0]
                    assert isinstance(variable, Name)
                    origins = self.use(scope, call)
                    survey.flows[variable.name] |= origins | guards
                    facts.origins.setdefault(variable.name, set()).update(origins)
                case If(condition=condition, then=then, otherwise=otherwise):
                    used = self.use(scope, condition)
                    facts.branches.append(used)
                    inside = guards | used
                    self.block(then, set(scope), inside, loops)
                    self.block(otherwise, set(scope), inside, loops)
                case For(variable=variable, start=start, stop=stop, step=step, body=inner):
                    first = self.use(scope, start)
                    limits = self.use(scope, stop, *([step] if isinstance(step, Expr) else []))
                    if isinstance(start, Name) and start.name in facts.threads:
                        facts.strides.add(variable.name)
                    else:
                        facts.counters.add(variable.name)
                        facts.bounds += [first, limits]
                    facts.origins.setdefault(variable.name, set()).update(first)
                    facts.nesting = max(facts.nesting, loops + 1)
                    bounds = first | limits
                    survey.flows.setdefault(variable.name, set()).update(bounds)
                    survey.counters.add(variable.name)
                    self.block(inner, scope | {variable.name}, guards | bounds, loops + 1)
                case While(condition=condition, body=inner):
                    used = self.use(scope, condition)
                    facts.conditions.append(used)
                    facts.nesting = max(facts.nesting, loops + 1)
                    self.block(inner, set(scope), guards | used, loops + 1)
                case Jump(kind=kind, value=value):
                    facts.exits = facts.exits or (loops > 0 and kind != "continue")
                    survey.jumps |= guards
                    if value is not None:
                        result = self.use(scope, value) | guards
                        survey.outputs.setdefault("return", set()).update(result)

    def _assign(
        self,
        target: Expr,
        origins: set[str],
        scope: set[str],
        guards: set[str],
        operator: str | None,
        value: Expr,
    ) -> None:
        base: Expr = target
        stored = False
        facts, sources = self.survey.facts, origins | guards
        while isinstance(base, (Item, Member)):
            base = base.value
            own = isinstance(base, Name) and base.mutable
            stored = stored or (isinstance(base.type, Array) and not own)
        assert isinstance(base, Name)
        if not stored:
            facts.origins.setdefault(base.name, set()).update(origins)
        if target is base:
            if operator is None:
                scope.add(base.name)
                facts.types.append(value.type)
                if (
                    isinstance(value, Binary)
                    and value.operator in ("//", "%")
                    and isinstance(value.left, Name)
                ):
                    facts.parts.add(base.name)
            self.survey.flows.setdefault(base.name, set()).update(sources)
            return
        if operator is not None and not stored:
            sources = sources | {base.name}
        sources = sources | self.use(scope, target)
        if stored:
            # The last that was read of the target is the element itself.
            access = facts.reads.pop()
            if operator is None:
                facts.stores.append(access)
            else:
                facts.sums.append((access, value.type))
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
            _judge_binary(node)
            left, right = self.read(node.left, names), self.read(node.right, names)
            return left if left > right else right
        if isinstance(node, Literal):
            return 0
        if isinstance(node, Item):
            deepest = self.read(node.value, names)
            before = len(names)
            for one in node.indices:
                deepest = max(deepest, self.read(one, names))
            array = _global_array(node.value)
            if array is not None:
                self.survey.facts.reads.append(_access(array, node.indices, names[before:]))
            return deepest
        if isinstance(node, Call):
            parts = [*node.arguments, *[one for _, one in node.keywords]]
            deepest = max([self.read(one, names) for one in parts], default=0) + _is_function(node)
            if isinstance(node.function, str):
                self._builtin(node.function[3:], node.arguments)
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
            return max(self.read(one, names) for one in (node.condition, node.if_true, node.if_false))
        return 0

    def _builtin(self, name: str, arguments: Sequence[Expr]) -> None:
        """Note a call of a builtin, and which element it updates."""
        facts = self.survey.facts
        facts.builtins.add(name)
        array = _global_array(arguments[0]) if name in ATOMICS else None
        if array is not None:
            kind = arguments[0].type
            assert isinstance(kind, Array)
            indices = () if name in TILES else arguments[1 : 1 + kind.ndim]
            found = [one for index in indices for one in names_read(index)]
            facts.atomics.append((_access(array, indices, found), kind.element))


def _global_array(node: Expr) -> str | None:
    """What an array in global memory is called; None for all else, and for a thread's own array."""
    if not isinstance(node.type, Array):
        return None
    if isinstance(node, Member):
        return f".{node.field}"
    assert isinstance(node, Name)
    return None if node.mutable else node.name


def _access(array: str, indices: Sequence[Expr], names: list[str]) -> Access:
    for one in indices:
        if not isinstance(one, _PLAIN):
            return Access(array, names, False)
    return Access(array, names, True)


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


def check(program: GeneratedProgram) -> Kernel:
    """Judge a program, and give what its concepts follow from.

    Raises Rejected where something is never used (`unused`) or an output does not depend on anything
    (`constant_output`), or where a person would not write so (`silly`, `nested_calls`).
    """
    if not program.doc:
        raise Undefined(f"{program.name} has no docstring")
    found = survey([one.name for one in program.parameters], program.body)
    live = _check_use(program.name, found)
    bodies = [found.facts]
    for function in program.functions:
        inner = survey([name for name, _ in function.parameters], function.body)
        inner.facts.threads = {name for name, _ in function.parameters}
        live |= _check_use(function.name, inner)
        bodies.append(inner.facts)
    for struct in program.structs:
        for field, _ in struct.fields:
            if f".{field}" not in live:
                raise Rejected("unused", f"member {field} of {struct.name} is never read")
    for array, sources in found.outputs.items():
        unsure = {array} | {name for name in sources if name[0] == "."}
        if sources <= unsure and found.closure(sources - {array}) <= unsure:
            raise Rejected("constant_output", f"{array} does not depend on anything")
    facts, leaves = found.facts, [leaf for one in program.parameters for leaf in one.leaves or [one]]
    facts.arrays.update(_in_text(one.name) for one in leaves if isinstance(one.type, Array))
    facts.types += [one.type for one in program.parameters]
    facts.types += [type for struct in program.structs for _, type in struct.fields]
    facts.types += [type for one in program.functions for _, type in one.parameters]
    has_gradient = any(one.gradient is not None for one in program.functions)
    return Kernel(bodies, len(program.dims), {one.memory for one in leaves}, has_gradient)


def _in_text(leaf: str) -> str:
    """What an array is called where it is read: a member of a struct has a dot in front."""
    _, dot, name = leaf.rpartition(".")
    return dot + name


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
