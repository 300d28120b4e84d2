"""What the syntax tree of a function says about its tiles before they are translated."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Collection, Iterator, Sequence

from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.changes import Functions, changed_arguments
from weft.cuda.tree import THREAD
from weft.function_source import FunctionSource, root_name
from weft.intrinsics import intrinsic
from weft.subscript_indices import items_of
from weft.types import Array, Tile

Changes = Callable[[str], Sequence[str | None]]
"""The parameters of a function, by its key: the names of those that it changes, None for others."""


@dataclasses.dataclass(frozen=True)
class TileFacts:
    """How a function uses its names of tiles.

    `types` has every tile type that a name takes, `assigned` how often it is, `read` how often it is read;
    `changed` are names whose elements change in place, `scattered` those that threads change each for itself.
    `varying` are names of values that differ between the threads of a block.
    """

    types: dict[str, list[Tile]]
    assigned: dict[str, int]
    read: dict[str, int]
    changed: set[str]
    scattered: set[str]
    varying: set[str]


def tile_facts(source: FunctionSource, lanes: set[str], changes: Changes, functions: Functions) -> TileFacts:
    """The facts of one function. `lanes` are the names that hold the thread's place in its block. `changes`
    says which parameters a user's function changes.
    """
    facts = TileFacts({}, {}, {}, set(), set(), varying_names(source, lanes, functions))
    for node in ast.walk(source.definition):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                facts.read[name] = facts.read.get(name, 0) + 1
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_tile(source, value):
                _assigned(facts, source, name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if is_tile(source, value):
                _assigned(facts, source, name, value)
            case ast.AugAssign(target=ast.Name(id=name)):
                facts.changed.add(name)
            case ast.AugAssign(target=ast.Subscript() as target) if place := root_name(target):
                facts.changed.add(place)
                facts.scattered.add(place)
            case ast.Assign(targets=[ast.Subscript() as target], value=value) if place := root_name(target):
                facts.changed.add(place)
                if depends(value, facts.varying, source) or depends(target.slice, facts.varying, source):
                    facts.scattered.add(place)
            case ast.Call():
                _changed_by_call(facts, source, node, changes)
    _change_viewed(facts, source)
    return facts


def _change_viewed(facts: TileFacts, source: FunctionSource) -> None:
    """What changes a view changes the tile that it is a view of."""
    views: list[tuple[str, set[str]]] = []
    for node in ast.walk(source.definition):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() | ast.Subscript() as value) if (
                is_tile(source, value)
            ):
                views.append((name, viewed(source, value)))
    while any(name in facts.changed and whole - facts.changed for name, whole in views):
        facts.changed.update(*(whole for name, whole in views if name in facts.changed))


def viewed(source: FunctionSource, node: ast.expr) -> set[str]:
    """The names whose tiles a tile may share its memory with."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Subscript(value=value):
            return viewed(source, value)
        case ast.Call(args=args, keywords=keywords):
            given = [*args, *(keyword.value for keyword in keywords)]
            callee = source.callee(node) or {}
            if intrinsic(callee.get("builtin")).view:
                return viewed(source, given[0])
            if "function" in callee:
                return set().union(*(viewed(source, one) for one in given if is_tile(source, one)))
    return set()


def _assigned(facts: TileFacts, source: FunctionSource, name: str, value: ast.expr) -> None:
    kind = source.type(value)
    assert isinstance(kind, Tile)
    facts.assigned[name] = facts.assigned.get(name, 0) + 1
    if kind not in facts.types.setdefault(name, []):
        facts.types[name].append(kind)


def _changed_by_call(facts: TileFacts, source: FunctionSource, call: ast.Call, changes: Changes) -> None:
    callee = source.callee(call) or {}
    builtin = str(callee.get("builtin", ""))
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if "function" in callee:
        changed = changes(str(callee["function"]))
        for place, parameter in enumerate(changed):
            argument = call.args[place] if place < len(call.args) else keywords.get(parameter)
            if parameter and argument is not None:
                facts.changed.update(part.id for part in ast.walk(argument) if isinstance(part, ast.Name))
    given = bound(builtin, call)
    for argument in filter(None, map(given.get, intrinsic(builtin).changed)):
        if is_tile(source, argument):
            facts.changed.update(viewed(source, argument))
            if intrinsic(builtin).own:
                facts.scattered.update(viewed(source, argument))


def is_tile(source: FunctionSource, node: ast.expr) -> bool:
    """Whether a node is a tile."""
    return isinstance(source.known_type(node), Tile)


def in_tile(source: FunctionSource, node: ast.expr) -> bool:
    """Whether a node is a part of a tile, or an element of one, in brackets."""
    return isinstance(node, ast.Subscript) and is_tile(source, _innermost(node))


def _innermost(target: ast.Subscript) -> ast.expr:
    value = target.value
    while isinstance(value, ast.Subscript):
        value = value.value
    return value


def depends(node: ast.AST, varying: set[str], source: FunctionSource) -> bool:
    """Whether a value may differ between the threads of a block; a tile does not."""
    if isinstance(node, ast.expr) and is_tile(source, node):
        return False
    if isinstance(node, ast.Name):
        return node.id in varying
    if isinstance(node, ast.Call):
        builtin = source.builtin(node)
        if not intrinsic(builtin).uniform and (builtin != "tid" or THREAD in varying):
            return True
        if function_name(str((source.callee(node) or {}).get("function", ""))) in varying:
            return True
    return any(depends(part, varying, source) for part in ast.iter_child_nodes(node))


def function_name(key: str) -> str:
    """How a function stands among the names of values that differ between threads."""
    return f"{key}()"


def differs_between_threads(function: FunctionSource, known: Collection[str]) -> bool:
    """Whether a function gives threads different results for equal arguments; `known` are those that do."""
    callees = function.callees.values()
    called = {function_name(str(callee["function"])) for callee in callees if "function" in callee}
    return (
        "threadIdx" in (function.snippet or "")
        or not all(intrinsic(callee.get("builtin")).uniform for callee in callees)
        or bool(called & set(known))
    )


def varying_names(source: FunctionSource, lanes: set[str], functions: Functions) -> set[str]:
    """Names whose value may differ between the threads of a block. What a tile holds is the same for all."""
    varying = set(lanes)
    while True:
        before = len(varying)
        for node, divergent in evaluated(source, source.definition, varying, False):
            varying.update(_varied(source, node, varying, divergent, functions))
        if len(varying) == before:
            return varying


def _varied(
    source: FunctionSource, node: ast.AST, varying: set[str], divergent: bool, functions: Functions
) -> Iterator[str]:
    """The variables that a node changes, each thread in its own way."""

    def differs(value: ast.AST) -> bool:
        return divergent or depends(value, varying, source)

    match node:
        case ast.Assign(value=value) if not is_tile(source, value) and differs(value):
            targets = node.targets
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
        ) if not is_tile(source, value) and differs(value):
            targets = [target]
        case ast.For(target=target, iter=iterable, body=body) if differs(iterable) or has_divergent_jump(
            source, body, varying
        ):
            targets = [target]
        case ast.Call() if differs(node):
            targets = list(changed_arguments(source, node, functions))
        case _:
            return
    parts = (part for target in targets for part in items_of(target))
    yield from filter(None, map(root_name, parts))


def evaluated(
    source: FunctionSource, node: ast.AST, varying: set[str], divergent: bool
) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes of a tree, and for each whether some threads may pass it by."""
    yield node, divergent
    first: ast.AST | None = None
    inner = divergent
    match node:
        case ast.If(test=first):
            inner = divergent or depends(first, varying, source)
        case ast.For(iter=first, body=body):
            inner = divergent or depends(first, varying, source) or has_divergent_jump(source, body, varying)
        case ast.While(test=test, body=body):
            inner = divergent or depends(test, varying, source) or has_divergent_jump(source, body, varying)
        case _:
            inner = divergent or has_divergent_operands(source, node, varying)
    for part in ast.iter_child_nodes(node):
        yield from evaluated(source, part, varying, divergent if part is first else inner)


def own_expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement, without those of statements in it."""
    return (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


def has_divergent_operands(source: FunctionSource, node: ast.AST, varying: set[str]) -> bool:
    """Whether only some threads evaluate an operand: `a if lane < 3 else b`, `lane < 3 and b`."""
    match node:
        case ast.IfExp(test=test):
            return depends(test, varying, source)
        case ast.BoolOp(values=operands):
            return any(depends(operand, varying, source) for operand in operands)
        case _:
            return False


def has_divergent_jump(
    source: FunctionSource, body: list[ast.stmt], varying: set[str], divergent: bool = False
) -> bool:
    """Whether only some threads may reach a `break` or `continue` of the loop with this body."""
    for node in body:
        match node:
            case ast.Break() | ast.Continue():
                if divergent:
                    return True
            case ast.If(test=test, body=then, orelse=otherwise):
                inner = divergent or depends(test, varying, source)
                if has_divergent_jump(source, [*then, *otherwise], varying, inner):
                    return True
    return False


def only_written(source: FunctionSource) -> set[str]:
    """Array parameters whose elements the function assigns, and that it uses in no other way."""
    arrays = {name for name, kind in source.parameters if isinstance(kind, Array)}
    stores = [
        target
        for node in ast.walk(source.definition)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Subscript) and root_name(target) in arrays
    ]
    uses: dict[str, int] = {}
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Name) and node.id in arrays:
            uses[node.id] = uses.get(node.id, 0) + 1
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Call) and source.builtin(node) == "tile_store" and node.args:
            name = root_name(node.args[0])
            if name in arrays:
                uses[name or ""] -= 1
    for target in stores:
        uses[root_name(target) or ""] -= 1
    return {name for name, count in uses.items() if count == 0}
