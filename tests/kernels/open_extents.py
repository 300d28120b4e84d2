"""Extents that a launch description states as a number although the source leaves them open.

Where a kernel has `board.shape[0]`, and LAUNCH says 64, the translator takes 64 as a promise: the program
works for this size alone. A size with a name becomes a parameter of the launcher.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from texts import flattened, launch_of

Axis = tuple[str, int]
"""An axis of an array. What stands for a row of an array begins at its axis 1."""
Arrays = Mapping[str, list[Axis]]


def open_extents(text: str) -> dict[str, dict[str, str]]:
    """For what each entry of LAUNCH has numbers that the source has not, as {"boards.shape[0]": "64"}:
    extents that threads span, that the source asks for or that are the length of rows, and scalar sizes.

    Numbers that belong to the program anyway do not count: the extents of arrays in constant memory, and of
    those that builtins take whole, as tiles are loaded and atomics fill histograms in shared memory.
    """
    nodes = ast.parse(text).body
    source: dict[str, ast.AST] = {one.name: one for one in nodes if isinstance(one, ast.FunctionDef)}
    source |= {ast.unparse(one.targets[0]): one.value for one in nodes if isinstance(one, ast.Assign)}
    return {name: dict(_Entry(name, entry, source).found()) for name, entry in launch_of(text).items()}


class _Entry:
    """What the kernels of an entry do with its arrays. `numbers` are those that the program has anyway."""

    def __init__(self, name: str, entry: Mapping[str, Any], source: Mapping[str, ast.AST]) -> None:
        self.source, self.parameters = source, entry["parameters"]
        self.shapes = {one: list(map(str, what.get("shape", ()))) for one, what in self.parameters.items()}
        self.numbers, self.dims = {1}, set[str]()
        self.read, self.indexed = set[Axis](), set[Axis]()
        self._fix((one, 0) for one, what in self.parameters.items() if "memory" in what)
        for launch in flattened(entry.get("steps", [{"kernel": name, **entry}])):
            self.dims |= set(launch["dims"])
            kernel, given = source[launch["kernel"]], launch.get("arguments", {})
            assert isinstance(kernel, ast.FunctionDef)
            self._visit(kernel, {one.arg: [(given.get(one.arg, one.arg), 0)] for one in kernel.args.args})

    def found(self) -> Iterator[tuple[str, str]]:
        for name, shape in self.shapes.items():
            used = [(axis, extent) for axis, extent in enumerate(shape) if self._uses(name, axis)]
            sizes = [(f"{name}.shape[{axis}]", extent) for axis, extent in used]
            scalar = str(self.parameters[name].get("values", {}).get("size", ""))
            for what, size in [*sizes, *([(name, scalar)] if scalar.isdigit() else [])]:
                if not {int(one) for one in re.findall(r"\b\d+", size)} <= self.numbers:
                    yield what, size

    def _uses(self, array: str, axis: int) -> bool:
        extent = self.shapes[array][axis]
        is_spanned = extent.isdigit() and (axis > 0 or extent in self.dims)
        return (array, axis) in self.read or (is_spanned and (array, axis) in self.indexed)

    def _fix(self, places: Iterable[Axis]) -> None:
        whole = [array for array, first in places if first < len(self.shapes[array])]
        self.numbers |= {int(one) for array in whole for one in self.shapes[array] if one.isdigit()}

    def _visit(self, part: ast.AST, arrays: Arrays) -> None:
        """Note what a function or a constant has, where the parameters are `arrays`."""
        for node in ast.walk(part):
            match node:
                case ast.Constant(value=int(number)):
                    self.numbers.add(number)
                case ast.Name(id=name) if isinstance(self.source.get(name), ast.expr):
                    self._visit(self.source[name], {})
                case ast.Subscript(ast.Attribute(value, "shape"), ast.Constant(int(axis))):
                    self.read |= {(array, first + axis) for array, first in self._place(value, arrays)}
                case ast.Subscript(value, index):
                    indices = enumerate(_indices(index))
                    axes = [axis for axis, one in indices if not isinstance(one, ast.Constant)]
                    places = self._place(value, arrays)
                    self.indexed |= {(array, first + axis) for array, first in places for axis in axes}
                case ast.Call(ast.Name(id=name), given):
                    match self.source.get(name):
                        case ast.FunctionDef() as called:
                            passed = zip(called.args.args, given, strict=False)
                            self._visit(called, {one.arg: self._place(each, arrays) for one, each in passed})
                case ast.Call(args=given):
                    self._fix(place for one in given for place in self._place(one, arrays))

    def _place(self, node: ast.expr, arrays: Arrays) -> list[Axis]:
        """The array that an expression is, or of which it is a row; none if it is no array."""
        match node:
            case ast.Subscript(value, index):
                return [(array, first + len(_indices(index))) for array, first in self._place(value, arrays)]
            case ast.Name(name):
                return [place for place in arrays.get(name, []) if self.shapes.get(place[0])]
            case ast.Attribute(_, member):
                return [(array, 0) for array in self.shapes if array.endswith(f".{member}")]
        return []


def _indices(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]
