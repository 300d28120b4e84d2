"""Launch descriptions of a file's kernels, checked against their signatures."""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weft.array_parts import Part
from weft.errors import KernelError, UserError, did_you_mean
from weft.ir.kernel_sources import KernelSources
from weft.ir.launch_defaults import Completed, complete_launch, is_drawable, undrawable, without_launch
from weft.ir.launch_plan import CHECKED_SIZES
from weft.ir.launch_recipes import check_recipe, value_of
from weft.ir.launch_text import LaunchText
from weft.ir.slot_groups import slot_groups
from weft.ir.warp_inside.capture import BLOCK_DIM
from weft.launch import Launch, parse_launch
from weft.launch_source import launch_source
from weft.leaves import leaves, signature_of, structs_of, tables
from weft.sizes import Size, evaluate_size, size_names
from weft.types import Array, Structs, Type
from weft.written import Where, WrittenError

MOST_INDICES = 2**31 - 1
"""Extents and indices of one dimension are `int`."""


@dataclasses.dataclass(frozen=True)
class LaunchTable:
    """What a file's LAUNCH says of each kernel, and where."""

    text: LaunchText

    @classmethod
    def read(cls, path: Path, tree: ast.Module, text: str) -> LaunchTable:
        """The table of a parsed file, empty where it has none. Raises UserError if it is no dict literal."""
        return cls(LaunchText.read(path, tree, text))

    @property
    def entries(self) -> Mapping[str, Any]:
        """The descriptions as they are written, by name."""
        return self.text.entries

    def launch(self, name: str, record: Mapping[str, Any], rank: int) -> tuple[Launch, dict[str, Any] | None]:
        """The description of a kernel, completed from its record, and the record's `launch_problem`.

        Raises KernelError (`bad_launch`) at what is wrong in LAUNCH.
        """
        where = Where(f"LAUNCH[{name!r}]")
        given = self.entries.get(name)
        if name in self.entries:
            with self.placed(name):
                self.text.require_unique(name, where)
                described = {"dims": ["n"], **given} if isinstance(given, Mapping) else given
                check_described(parse_launch(described, str(where)), record, where)
        sources = KernelSources.read(record)
        completed = complete_launch(given, sources, rank, self.block_dim(name))
        try:
            launch = parse_launch(completed.description, str(where))
            check_launch(launch, record, rank, where)
        except WrittenError as error:
            if given is not None:
                raise self._bad(name, error, completed.description) from error
            why = f"no default launch fits ({error})"
            completed = without_launch(sources, rank, self.block_dim(name), why)
            launch = parse_launch(completed.description, str(where))
        if launch.equality == "permutation":
            launch = dataclasses.replace(launch, slots=slot_groups(sources, launch))
        return launch, _written(undrawable(sources) or _with_proposal(completed, record, rank, where))

    @contextmanager
    def placed(self, name: str) -> Iterator[None]:
        """Raise what is wrong with a description as KernelError (`bad_launch`), at its place."""
        try:
            yield
        except WrittenError as error:
            raise self._bad(name, error, {}) from error

    def _bad(self, name: str, error: WrittenError, completed: Mapping[str, Any]) -> KernelError:
        """The error of a kernel's description, or of what is `completed` from it."""
        inferred = ""
        match error.keys:
            case ("parameters", parameter, *_) if parameter in completed.get("inferred", ()):
                inferred = f"; Weft inferred what {parameter!r} is: describe it too"
            case ("sizes", size, *_) if completed and size not in self.entries[name].get("sizes", {}):
                inferred = f"; Weft inferred the size {size!r} of what is not described: describe it too"
            case ("dims", *_) if completed.get("inferred_dims"):
                inferred = "; Weft inferred these dims: describe them too"
        return KernelError("bad_launch", f"{error}{inferred}", self.text.place_of(name, error))

    def programs(self, kernels: Iterable[str]) -> dict[str, Mapping[str, Any]]:
        """The entries that describe programs of several launches.

        Raises UserError if a kernel has the name of one.
        """
        found = {n: e for n, e in self.entries.items() if isinstance(e, Mapping) and "steps" in e}
        for name in kernels:
            if name in found:
                place = self.text.place_of(name, WrittenError("", ("steps",), at_key=True))
                raise UserError(f"{place}\nsteps describe a program, not the kernel {name!r}")
        return found

    def block_dim(self, name: str) -> int:
        """The number of threads of a block of a kernel with tiles: what its own entry says, or the first step
        that launches it.
        """
        own = [given] if isinstance(given := self.entries.get(name), Mapping) else []
        steps = [step for step in _raw_steps([*self.entries.values()]) if step.get("kernel") == name]
        found = (one.get("block_dim") for one in (*own, *steps))
        return next((one for one in found if type(one) is int and 1 <= one <= 1024), BLOCK_DIM)

    def require_kernels(self, kernels: Collection[str]) -> None:
        """Raise UserError if the table describes a kernel that the file lacks."""
        for name in self.entries:
            if name not in kernels:
                raise UserError(
                    f"{self.text.place_of(name)}\n"
                    f"LAUNCH describes {name!r}, which is not a kernel of this file"
                    f"{did_you_mean(name, kernels)} (it has {', '.join(kernels)})"
                )


def _raw_steps(written: Any) -> Iterator[Mapping[str, Any]]:
    """All launches of programs, in their written form, whatever else is there."""
    if isinstance(written, Mapping):
        if "kernel" in written:
            yield written
        for key in ("steps", "parallel"):
            yield from _raw_steps(written.get(key))
    elif isinstance(written, list | tuple):
        for one in written:
            yield from _raw_steps(one)


def _with_proposal(
    completed: Completed, record: Mapping[str, Any], rank: int, where: Where
) -> KernelError | None:
    """The problem of a launch, if it has one, with the whole description that can be tried instead."""
    problem, proposal = completed.problem, completed.proposal
    if problem is None or proposal is None:
        return problem
    proposal |= {"inferred": [], "inferred_dims": False}
    try:
        check_launch(parse_launch(proposal, str(where)), record, rank, where)
    except WrittenError:
        return problem
    message = f"{problem.message}, as in\n{launch_source(record['kernel_name'], proposal)}"
    return KernelError(problem.reason, message, problem.place)


def _written(problem: KernelError | None) -> dict[str, Any] | None:
    if problem is None:
        return None
    assert problem.place is not None
    return {"message": problem.message, **dataclasses.asdict(problem.place)}


def check_launch(launch: Launch, record: Mapping[str, Any], rank: int, where: Where) -> None:
    """Raise WrittenError unless the description is whole, fits the kernel, and has sizes for all n tried."""
    check_described(launch, record, where)
    here = where / "dims"
    if launch.block_dim is not None and not launch.tiled and KernelSources.read(record).uses_tiles:
        for n in CHECKED_SIZES:
            require_whole_blocks(launch.dims, launch.block_dim, launch.named_sizes(n), here)
    if len(launch.dims) + int(launch.block_dim is not None and launch.tiled) < rank:
        raise here.error(f"the kernel asks wp.tid() for {rank} indices, got {len(launch.dims)} dims")
    types, structs, _ = _signature(record)
    for name, declared in types.items():
        here = where / "parameters" / name
        if name not in launch.parameters:
            raise here.error("missing; say its role, shape and values")
        parameter = launch.parameters[name]
        free = parameter.null or name in launch.inferred or not is_drawable(declared, structs)
        if parameter.values is None and parameter.role != "out" and not free:
            raise (here / "values").error(f"missing; an {parameter.role!r} parameter needs a recipe")


def require_whole_blocks(
    dims: Sequence[Size], block_dim: int, names: Mapping[str, int], where: Where
) -> None:
    """Raise WrittenError unless threads that share tiles make whole blocks."""
    if (threads := math.prod(evaluate_size(dim, names) for dim in dims)) % block_dim:
        message = f"{threads} threads for n = {names['n']}; must be a multiple of block_dim, {block_dim}"
        raise where.error(message)


def check_described(launch: Launch, record: Mapping[str, Any], where: Where) -> None:
    """Raise WrittenError unless what is described fits the kernel, and has sizes for all n tried."""
    types, structs, leading = _signature(record)
    for n in CHECKED_SIZES:
        names = {"n": n}
        for name, size in launch.sizes.items():
            names[name] = extent_of(size, names, n, where / "sizes" / name)
        for number, dim in enumerate(launch.dims):
            extent_of(dim, names, n, where / "dims" / number)
    for name, parameter in launch.parameters.items():
        here = where / "parameters" / name
        if name not in types:
            known = f"{did_you_mean(name, types)} (the kernel has {', '.join(types)})"
            raise here.error(f"no parameter {name!r}{known}", at_key=True)
        _check_parameter(launch, name, types[name], here)
        if name in leading:
            _check_table(launch, name, leading[name][1], here)
        for n in CHECKED_SIZES:
            for number, size in enumerate(parameter.shape):
                extent_of(size, launch.named_sizes(n), n, here / "shape" / number)
            _check_strides(launch, name, n, here / "strides")
        check_recipe(launch, name, types[name], structs, here / "values")


def _signature(record: Mapping[str, Any]) -> tuple[dict[str, Type], Structs, dict[str, tuple[str, Part]]]:
    """The types of a kernel's leaves, its structs, and the tables that lead to elements."""
    structs, signature = structs_of(record), signature_of(record)
    return dict(leaves(signature, structs)), structs, tables(signature, structs)


def extent_of(size: Size, names: Mapping[str, int], n: int, where: Where) -> int:
    """The size of something that is there. Raises WrittenError."""
    try:
        value = evaluate_size(size, names)
    except ValueError as error:
        raise where.error(f"{error}, for n = {n}") from error
    if value < 1:
        raise where.error(f"{size!r} is {value} for n = {n}; must be positive")
    if n == 1 and value > MOST_INDICES:
        raise where.error(f"{size!r} is {value} for n = {n}; must be at most {MOST_INDICES}")
    return value


def _check_parameter(launch: Launch, name: str, type: Type, here: Where) -> None:
    parameter = launch.parameters[name]
    if not isinstance(type, Array):
        written = parameter.to_json()
        for key, only in _BY_VALUE.items():
            if written[key] != only:
                raise (here / key).error(f"{type} is passed by value; it has no shape, and its role is 'in'")
    elif not parameter.null:
        if len(parameter.shape) != type.ndim:
            given = list(parameter.shape)
            raise (here / "shape").error(f"expected {type.ndim} sizes for {type}, got {given}")
        if parameter.memory == "constant" and any(size_names(size) for size in parameter.shape):
            raise (here / "shape").error(f"constant memory needs numbers, got {list(parameter.shape)}")


_BY_VALUE: Mapping[str, Any] = {"role": "in", "shape": [], "strides": [], "null": False, "memory": "global"}


def _check_table(launch: Launch, name: str, part: Part, here: Where) -> None:
    """Raise WrittenError for what Warp makes no array of."""
    described = launch.parameters[name]
    if described.role != "in" or described.strides:
        raise here.error("a table that leads to elements has the role 'in', and no strides", at_key=True)
    if described.null and part.kind != "indices":
        raise (here / "null").error("only lists of indices can be null")


def _check_strides(launch: Launch, name: str, n: int, here: Where) -> None:
    """Raise WrittenError for strides below 0, or of an array that is written if two elements share memory."""
    parameter = launch.parameters[name]
    strides = [value_of(launch, one, n, here / number) for number, one in enumerate(parameter.strides)]
    if min(strides, default=0) < 0:
        raise here.error(f"{strides} for n = {n}; must not be negative")
    if parameter.role == "in":
        return
    reach = 0
    for stride, size in sorted(zip(strides, launch.shape(name, n), strict=False)):
        if size > 1 and stride <= reach:
            raise here.error(
                f"{strides} for n = {n} let elements of {name!r} overlap, which only an 'in' array may"
            )
        reach += stride * (size - 1)
