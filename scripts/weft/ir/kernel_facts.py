"""The facts that a kernel's concepts follow from (`weft.concepts`), from what Warp made of its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from weft.concepts import ATOMICS, TILES, Access, Body, Kernel, concepts_of, concepts_of_launches
from weft.function_source import FunctionSource, read_function, root_name
from weft.launch import Launch
from weft.launch_sequence import RepeatStep, kernel_steps
from weft.leaves import structs_of
from weft.subscript_indices import items_of
from weft.types import Array

_GRADIENT = re.compile(r"^@(\w+\.)?func_grad\(", re.MULTILINE)


def record_concepts(record: Mapping[str, Any], launch: Launch) -> list[str]:
    """The concepts of a record's kernel, or of its program of several launches."""
    if "kernels" not in record:
        return concepts_of(_kernel(record, record, launch.dims, launch))
    steps = list(kernel_steps(launch.steps))
    dims = {step.kernel: step.dims for step in steps}
    kernels = {
        part["kernel_name"]: _kernel(part, record, dims[part["kernel_name"]], launch)
        for part in record["kernels"]
    }
    launches = [(kernels[step.kernel], step.named) for step in steps]
    return concepts_of_launches(launches, repeated=any(isinstance(one, RepeatStep) for one in launch.steps))


def _kernel(
    part: Mapping[str, Any], record: Mapping[str, Any], dims: Sequence[Any], launch: Launch
) -> Kernel:
    fields = [field for fields in structs_of(record).values() for field in fields]
    members = {f".{name}": kind for name, kind in fields if isinstance(kind, Array)}
    bodies = [_Reader(read_function(part["kernel"]), members).body]
    for function in part["functions"]:
        source = read_function(function)
        body = _Reader(source, members).body
        body.threads = {*source.parameter_names}
        bodies.append(body)
    bodies[0].types += [kind for _, kind in fields]
    memories = {one.memory for one in launch.parameters.values()}
    return Kernel(bodies, len(dims), memories, bool(_GRADIENT.search(record["python_source"])))


class _Reader:
    """Reads a function into `body`; `members` are the arrays that structs hold."""

    def __init__(self, source: FunctionSource, members: Mapping[str, Array]) -> None:
        self.source = source
        self.body = Body()
        given = {name: kind for name, kind in source.parameters if isinstance(kind, Array)}
        self.arrays = {**given, **members}
        self.body.arrays = {*self.arrays}
        self.body.types += [kind for _, kind in source.parameters]
        self.rows: dict[str, tuple[str, list[ast.expr]]] = {}
        self.block(source.definition.body, 0)

    def block(self, statements: Sequence[ast.stmt], loops: int) -> None:
        """Read a block within so many loops."""
        for statement in statements:
            self.statement(statement, loops)

    def statement(self, statement: ast.stmt, loops: int) -> None:
        body = self.body
        match statement:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, value)
            case ast.AugAssign(target=target, value=value):
                origins = self.read(value)
                place = self.element(target)
                if place is not None:
                    # Warp types no target of `+=`, which it makes an atomic of.
                    body.sums.append(
                        (place, self.source.known_type(target) or self.arrays[place.array].element)
                    )
                elif (name := root_name(target)) is not None:
                    body.origins.setdefault(name, set()).update(origins)
            case ast.If(test=test, body=then, orelse=otherwise):
                body.branches.append(self.read(test))
                self.block(then, loops)
                self.block(otherwise, loops)
            case ast.For(target=target, iter=over, body=inner):
                self.loop(target, over.args if isinstance(over, ast.Call) else [over])
                body.nesting = max(body.nesting, loops + 1)
                self.block(inner, loops + 1)
            case ast.While(test=test, body=inner):
                body.conditions.append(self.read(test))
                body.nesting = max(body.nesting, loops + 1)
                self.block(inner, loops + 1)
            case ast.Break():
                body.exits = True
            case ast.Return(value=value):
                body.exits = body.exits or loops > 0
                if value is not None:
                    self.read(value)
            case ast.Expr(value=value):
                self.read(value)

    def loop(self, target: ast.expr, limits: Sequence[ast.expr]) -> None:
        """Read the head of a loop over a range."""
        body = self.body
        first, rest = (limits[:1], limits[1:]) if len(limits) > 1 else ([], limits)
        begins = {name for one in first for name in self.read(one)}
        ends = {name for one in rest for name in self.read(one)}
        if not isinstance(target, ast.Name):
            return
        if first and isinstance(first[0], ast.Name) and first[0].id in body.threads:
            body.strides.add(target.id)
        else:
            body.counters.add(target.id)
            body.bounds += [begins, ends]
        body.origins.setdefault(target.id, set()).update(begins)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """Read `target = value`."""
        body = self.body
        if self.source.builtin(value) == "tid":
            body.threads.update(one.id for one in ast.walk(target) if isinstance(one, ast.Name))
            return
        if isinstance(target, ast.Name) and (row := self.row(value)) is not None:
            self.rows[target.id] = row
        origins = self.read(value)
        place = self.element(target)
        if place is not None:
            body.stores.append(place)
            return
        for one in items_of(target):
            if (name := root_name(one)) is not None:
                body.origins.setdefault(name, set()).update(origins)
        if isinstance(target, ast.Name):
            match value:
                case ast.BinOp(left=ast.Name(), op=ast.FloorDiv() | ast.Mod()):
                    body.parts.add(target.id)
            if (kind := self.source.known_type(value)) is not None:
                body.types.append(kind)

    def row(self, node: ast.expr) -> tuple[str, list[ast.expr]] | None:
        """The array in global memory that an expression names or is a row of, and the indices of that row."""
        match node:
            case ast.Name(id=name) if name in self.rows:
                return self.rows[name]
            case ast.Name(id=name) if name in self.body.arrays:
                return name, []
            case ast.Attribute(attr=name) if f".{name}" in self.body.arrays:
                return f".{name}", []
            case ast.Subscript(value=value, slice=index):
                found = self.row(value)
                # Of an element, a component may be taken in the same way.
                if found is None or (found[1] and not isinstance(self.source.known_type(value), Array)):
                    return None
                return found[0], [*found[1], *items_of(index)]
        return None

    def element(self, node: ast.expr) -> Access | None:
        """The element of an array in global memory that is a target, or a part of which is."""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node, ast.Subscript) and (row := self.row(node)) is not None:
                for one in row[1]:
                    self.read(one)
                return self.access(*row)
            node = node.value
        return None

    def access(self, array: str, indices: Sequence[ast.expr]) -> Access:
        plain = all(isinstance(one, (ast.Name, ast.Constant)) or self.is_thread(one) for one in indices)
        return Access(array, [name for one in indices for name in self.names(one)], plain)

    def is_thread(self, node: ast.expr) -> bool:
        return self.source.builtin(node) == "tid"

    def names(self, node: ast.expr) -> list[str]:
        """The variables, parameters and members (`.field`) in an expression, without extents of arrays."""
        found = []
        functions = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
        waiting: list[ast.AST] = [node]
        while waiting:
            one = waiting.pop()
            if isinstance(one, ast.Call) and self.is_thread(one):
                found.append("tid()")
                self.body.threads.add("tid()")
            elif isinstance(one, ast.Attribute) and one.attr == "shape":
                continue
            elif id(one) not in functions:
                if isinstance(one, ast.Name):
                    found.append(one.id)
                elif isinstance(one, ast.Attribute):
                    found.append(f".{one.attr}")
                waiting += ast.iter_child_nodes(one)
        return found

    def read(self, node: ast.expr) -> set[str]:
        """Note the builtins and the elements in an expression; the names in it."""
        waiting: list[ast.AST] = [node]
        while waiting:
            one = waiting.pop()
            if isinstance(one, ast.Call):
                self.call(one)
            row = self.row(one) if isinstance(one, ast.Subscript) else None
            if row is None:
                waiting += ast.iter_child_nodes(one)
                continue
            self.body.reads.append(self.access(*row))
            waiting += row[1]
        return {*self.names(node)}

    def call(self, call: ast.Call) -> None:
        """Note a call of a builtin, and which element it updates."""
        name = self.source.builtin(call)
        if not name:
            return
        self.body.builtins.add(name)
        row = self.row(call.args[0]) if name in ATOMICS and call.args else None
        if row is not None:
            kind = self.source.known_type(call.args[0])
            indices = [] if name in TILES or not isinstance(kind, Array) else call.args[1 : 1 + kind.ndim]
            element = kind.element if isinstance(kind, Array) else None
            self.body.atomics.append((self.access(row[0], [*row[1], *indices]), element))
