"""Launch descriptions of a file's kernels, checked against their signatures."""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from weft.array_parts import Part
from weft.errors import KernelError, Place, UserError
from weft.inputs import component_recipes
from weft.ir.launch_defaults import complete_launch, is_drawable, undrawable, without_launch
from weft.ir.launch_plan import CHECKED_SIZES
from weft.ir.tile_launches import uses_tiles
from weft.ir.warp_inside.capture import BLOCK_DIM
from weft.launch import Launch, parse_launch
from weft.leaves import leaves, structs_of, tables
from weft.sizes import Size, evaluate_size, size_names
from weft.source_files import literal
from weft.source_lines import character, lines_of
from weft.types import Array, Scalar, Structs, Type, parse_type


@dataclasses.dataclass(frozen=True)
class LaunchTable:
    """The LAUNCH literal of a file: what it says of each kernel, and where."""

    path: Path
    lines: list[str]
    entries: Mapping[str, Any]
    nodes: Mapping[str, ast.expr]

    @classmethod
    def read(cls, path: Path, tree: ast.Module, text: str) -> LaunchTable:
        """The table of a parsed file, empty where it has none. Raises UserError if it is no dict literal."""
        lines = lines_of(text)
        try:
            found = literal(tree, "LAUNCH")
        except ValueError as error:
            raise UserError(f"{path}: LAUNCH must be a literal: {error}") from error
        if found is None:
            return cls(path, lines, {}, {})
        entries, node = found
        if not isinstance(entries, dict) or not isinstance(node, ast.Dict):
            raise UserError(
                f"{path}:{node.lineno}: LAUNCH must be a dict of kernel names, got {type(entries).__name__}"
            )
        keys: dict[str, ast.expr] = {str(ast.literal_eval(key)): key for key in node.keys if key is not None}
        return cls(path, lines, entries, keys)

    def launch(self, name: str, record: Mapping[str, Any], rank: int) -> tuple[Launch, dict[str, Any] | None]:
        """The description of a kernel, completed from its record, and the record's `launch_problem`.

        Raises KernelError (`bad_launch`) at its line in LAUNCH.
        """
        where = f"LAUNCH[{name!r}]"
        given = self.entries.get(name)
        try:
            if isinstance(given, Mapping):
                parse_launch({"dims": ["n"], **given}, where)
            elif name in self.entries:
                parse_launch(given, where)
            completed = complete_launch(given, record, rank)
            try:
                launch = parse_launch(completed.description, where)
                check_launch(launch, record, rank, where)
            except ValueError as error:
                if given is not None:
                    raise
                completed = without_launch(record, rank, f"no default launch fits ({error})")
                launch = parse_launch(completed.description, where)
        except (ValueError, TypeError) as error:
            raise KernelError("bad_launch", str(error), self.place(name)) from error
        return launch, _written(undrawable(record) or completed.problem)

    def programs(self, kernels: Iterable[str]) -> dict[str, Mapping[str, Any]]:
        """The entries that describe programs of several launches.

        Raises UserError if a kernel has the name of one.
        """
        found = {n: e for n, e in self.entries.items() if isinstance(e, Mapping) and e.get("steps")}
        for name in kernels:
            if name in found:
                raise UserError(
                    f"{self.place(name) or self.path}\nsteps describe a program, not the kernel {name!r}"
                )
        return found

    def block_dim(self, name: str) -> int:
        """The number of threads of a block of a kernel with tiles."""
        given = self.entries.get(name)
        found = given.get("block_dim") if isinstance(given, Mapping) else None
        return found if isinstance(found, int) and 1 <= found <= 1024 else BLOCK_DIM

    def require_kernels(self, kernels: Iterable[str]) -> None:
        """Raise UserError if the table describes a kernel that the file lacks."""
        for name in self.entries:
            if name not in kernels:
                raise UserError(
                    f"{self.place(name) or self.path}\n"
                    f"LAUNCH describes {name!r}, no kernel of this file (it has {', '.join(kernels)})"
                )

    def place(self, name: str) -> Place | None:
        """Where LAUNCH describes a kernel."""
        node = self.nodes.get(name)
        if node is None:
            return None
        line = self.lines[node.lineno - 1]
        return Place(str(self.path), node.lineno, character(line, node.col_offset) + 1, line)


def _written(problem: KernelError | None) -> dict[str, Any] | None:
    if problem is None:
        return None
    assert problem.place is not None
    return {"message": problem.message, **dataclasses.asdict(problem.place)}


def check_launch(launch: Launch, record: Mapping[str, Any], rank: int, where: str) -> None:
    """Raise ValueError unless the description fits the kernel and its sizes are positive for all n tried."""
    structs = structs_of(record)
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    types, leading = dict(leaves(signature, structs)), tables(signature, structs)
    if launch.block_dim is not None and not launch.tiled and uses_tiles(record):
        for n in CHECKED_SIZES:
            if (threads := math.prod(launch.launch_dims(n))) % launch.block_dim:
                raise ValueError(
                    f"{where}.dims: {threads} threads for n = {n}; must be a multiple of block_dim, "
                    f"{launch.block_dim}"
                )
    if len(launch.dims) + int(launch.block_dim is not None and launch.tiled) < rank:
        raise ValueError(
            f"{where}.dims: the kernel asks wp.tid() for {rank} indices, got {len(launch.dims)} dims"
        )
    for name in launch.parameters:
        if name not in types:
            raise ValueError(f"{where}.parameters: no parameter {name!r} (the kernel has {', '.join(types)})")
    for name, declared in types.items():
        here = f"{where}.parameters.{name}"
        if name not in launch.parameters:
            raise ValueError(f"{here}: missing; say its role, shape and values")
        _check_parameter(launch, name, declared, structs, here)
        if name in leading:
            _check_table(launch, name, leading[name][1], here)
    for n in CHECKED_SIZES:
        for dim in launch.dims:
            size = evaluate_size(dim, launch.named_sizes(n))
            if size < 1:
                raise ValueError(f"{where}.dims: {dim!r} is {size} for n = {n}; must be positive")
        for name, declared in types.items():
            if isinstance(declared, Array) and min(launch.shape(name, n), default=1) < 1:
                raise ValueError(
                    f"{where}.parameters.{name}.shape: {launch.shape(name, n)} for n = {n}; must be positive"
                )
            _check_strides(launch, name, n, f"{where}.parameters.{name}")


def _check_parameter(launch: Launch, name: str, type: Type, structs: Structs, here: str) -> None:
    parameter = launch.parameters[name]
    if parameter.null:
        if not isinstance(type, Array):
            raise ValueError(f"{here}.null: {type} is passed by value; only arrays can be None")
        return
    if parameter.memory == "constant" and any(size_names(size) for size in parameter.shape):
        raise ValueError(f"{here}.shape: constant memory needs numbers, got {list(parameter.shape)}")
    if isinstance(type, Array):
        if len(parameter.shape) != type.ndim:
            raise ValueError(
                f"{here}.shape: expected {type.ndim} sizes for {type}, got {list(parameter.shape)}"
            )
    elif parameter.shape or parameter.role != "in" or parameter.memory != "global":
        raise ValueError(f"{here}: {type} is passed by value; it has no shape, and its role is 'in'")
    if parameter.role == "out":
        return
    if parameter.values is None and (name in launch.inferred or not is_drawable(type, structs)):
        return
    if parameter.values is None:
        raise ValueError(f"{here}.values: missing; an {parameter.role!r} parameter needs a recipe")
    element = type.element if isinstance(type, Array) else type
    recipes = component_recipes(element, parameter.values, structs)
    if any(recipe.kind == "list" for recipe in recipes):
        _check_list(launch, name, type, here)
    for recipe in recipes:
        if recipe.kind in ("offsets", "permutation") and recipe is not parameter.values:
            raise ValueError(
                f"{here}.values: {recipe.kind!r} describes a list of integers, not a part of {type}"
            )
    if parameter.values.kind == "offsets":
        _check_offsets(launch, type, parameter.values.arguments, here)
    if parameter.values.kind == "permutation":
        _check_permutation(launch, name, parameter.values.arguments, here)
    for recipe in recipes:
        if recipe.kind == "integers":
            for n in CHECKED_SIZES:
                low, high = (evaluate_size(bound, launch.named_sizes(n)) for bound in recipe.arguments)
                if low >= high:
                    raise ValueError(
                        f"{here}.values: integers in [{low}, {high}) for n = {n}: an empty range"
                    )


def _check_permutation(launch: Launch, name: str, total: Size, here: str) -> None:
    """Raise ValueError if an array has more elements than there are different indices."""
    for n in CHECKED_SIZES:
        count = math.prod(launch.storage_shape(name, n))
        if evaluate_size(total, launch.named_sizes(n)) < count:
            raise ValueError(f"{here}.values: a permutation of {total!r} has no {count} elements for n = {n}")


def _check_offsets(launch: Launch, type: Type, arguments: tuple[Size, Size], here: str) -> None:
    """Raise ValueError unless offsets do not decrease, and are those of an array of integers."""
    if not isinstance(type, Array) or type.ndim != 1 or not isinstance(type.element, Scalar):
        raise ValueError(f"{here}.values: 'offsets' describes a list of integers, not {type}")
    for n in CHECKED_SIZES:
        stride, below = (evaluate_size(one, launch.named_sizes(n)) for one in arguments)
        if stride < 0 or below < 1:
            raise ValueError(f"{here}.values: offsets of stride {stride}, range {below} for n = {n}")


def _check_table(launch: Launch, name: str, part: Part, here: str) -> None:
    """Raise ValueError for what Warp makes no array of."""
    described = launch.parameters[name]
    if described.role != "in" or described.strides:
        raise ValueError(f"{here}: a table that leads to elements has the role 'in', and no strides")
    if described.null and part.kind != "indices":
        raise ValueError(f"{here}: only lists of indices can be null")


def _check_list(launch: Launch, name: str, type: Type, here: str) -> None:
    """Raise ValueError unless a list has the elements of an array of integers, one by one."""
    recipe = launch.parameters[name].values
    assert recipe is not None
    if recipe.kind != "list" or not isinstance(type, Array) or not isinstance(type.element, Scalar):
        raise ValueError(f"{here}.values: 'list' describes an array of numbers, not a part of {type}")
    for n in CHECKED_SIZES:
        if launch.storage_shape(name, n) != (len(recipe.arguments),):
            raise ValueError(
                f"{here}.values: a list of {len(recipe.arguments)} elements for an array of shape "
                f"{list(launch.parameters[name].shape)}"
            )


def _check_strides(launch: Launch, name: str, n: int, here: str) -> None:
    """Raise ValueError for strides below 0, or of an array that is written if two elements share memory."""
    strides = launch.strides(name, n)
    if min(strides, default=0) < 0:
        raise ValueError(f"{here}.strides: {strides} for n = {n}; must not be negative")
    if launch.parameters[name].role == "in":
        return
    reach = 0
    for stride, size in sorted(zip(strides, launch.shape(name, n), strict=False)):
        if size > 1 and stride <= reach:
            raise ValueError(
                f"{here}.strides: {strides} for n = {n} let elements of {name!r} overlap, which only an 'in' "
                "array may"
            )
        reach += stride * (size - 1)
