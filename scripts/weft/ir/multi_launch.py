"""Programs of several launches: their records, and their Python (docs/formats/launch.md, Steps)."""

from __future__ import annotations

import ast
import copy
import dataclasses
import keyword
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.array_parts import is_plain
from weft.errors import KernelError, did_you_mean
from weft.ir.kernel_sources import KernelSources
from weft.ir.launch import check_launch, extent_of, require_whole_blocks
from weft.ir.launch_plan import CHECKED_SIZES
from weft.ir.launch_recipes import require_fits
from weft.ir.slot_groups import slot_groups_of_steps
from weft.launch import Launch, parse_launch
from weft.launch_sequence import (
    KernelStep,
    ParallelStep,
    RepeatStep,
    Step,
    ZeroStep,
    kernel_steps,
    placed_steps,
)
from weft.paragraphs import broken
from weft.sizes import Size, normal_size, parse_size, size_names
from weft.types import Array, Scalar, parse_type
from weft.written import Where

_WIDTH = 100
"""Of a line of Python."""
_KERNEL_PARTS = (
    "kernel_name", "cuda_forward", "cuda_backward", "cpp_forward", "cpp_backward",
    "signature", "structs", "functions", "kernel",
)  # fmt: skip


def program_record(
    name: str, given: Mapping[str, Any], records: Mapping[str, Any], failed: Mapping[str, KernelError]
) -> dict[str, Any]:
    """The part of a program's record that comes from its description and from the records of the kernels.

    Raises WrittenError for a description that does not fit the kernels, and the error of a kernel that it
    launches and that `failed`.
    """
    where = Where(f"LAUNCH[{name!r}]")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise where.error("the name of a program must be one that a Python function can have", at_key=True)
    if given["steps"] == []:
        raise (where / "steps").error("expected a list of steps, got []")
    launch = parse_launch(given, str(where))
    if launch.block_dim is not None:
        message = "give the block_dim to each step that launches a kernel with tiles"
        raise (where / "block_dim").error(message, at_key=True)
    for step in kernel_steps(launch.steps):
        if step.kernel in failed:
            raise failed[step.kernel]
    _check_arguments(launch, records, where / "steps")
    _check_blocks(launch, records, where / "steps")
    complete = dataclasses.replace(launch, steps=tuple(_with_all_arguments(launch.steps, records)))
    kernels = dict.fromkeys(step.kernel for step in kernel_steps(complete.steps))
    structs: dict[str, Any] = {}
    for kernel in kernels:
        for struct in records[kernel]["structs"]:
            if structs.setdefault(struct["name"], struct) != struct:
                raise where.error(f"two kernels have different structs named {struct['name']!r}", at_key=True)
    types = _types(complete, records, where)
    for parameter in launch.parameters:
        if parameter not in types:
            hint = did_you_mean(parameter, types)
            here = where / "parameters" / parameter
            raise here.error(f"no kernel takes {parameter!r}{hint}", at_key=True)
    if complete.equality == "permutation":
        sources = {kernel: KernelSources.read(records[kernel]) for kernel in kernels}
        complete = dataclasses.replace(complete, slots=slot_groups_of_steps(sources, complete))
    record = {
        "description": launch.description
        or f"{name.replace('_', ' ').capitalize()}: {', then '.join(kernels)}.",
        "signature": [{"name": parameter, "type": types[parameter]} for parameter in launch.parameters],
        "structs": list(structs.values()),
        "kernels": [{part: records[kernel][part] for part in _KERNEL_PARTS} for kernel in kernels],
        "launch": complete.to_json(),
        "launch_problem": None,
    }
    check_launch(complete, record, 0, where)
    _check_dims(complete, where / "steps")
    return record


def _check_arguments(launch: Launch, records: Mapping[str, Any], where: Where) -> None:
    """Raise WrittenError for kernels and parameters that are not there."""
    for step, here in placed_steps(launch.steps, where):
        if not isinstance(step, KernelStep):
            continue
        if step.kernel not in records:
            known = f"{did_you_mean(step.kernel, records)} (the file has {', '.join(records)})"
            raise (here / "kernel").error(f"no kernel {step.kernel!r}{known}")
        names = [parameter["name"] for parameter in records[step.kernel]["signature"]]
        for name in step.arguments:
            if name not in names:
                hint = f"{did_you_mean(name, names)} (it has {', '.join(names)})"
                there = here / "arguments" / name
                raise there.error(f"{step.kernel} has no parameter {name!r}{hint}", at_key=True)


def _check_blocks(launch: Launch, records: Mapping[str, Any], where: Where) -> None:
    """Raise WrittenError unless kernels with blocks of their own, and no others, have one block_dim each."""
    tiled: dict[str, bool] = {}
    for step, here in placed_steps(launch.steps, where):
        if not isinstance(step, KernelStep):
            continue
        sources = KernelSources.read(records[step.kernel])
        if not (sources.uses_tiles or sources.asks_block_dim):
            if step.block_dim is not None:
                message = f"{step.kernel} has no tiles, so its launch takes no block_dim"
                raise (here / "block_dim").error(message, at_key=True)
            continue
        if step.block_dim is None:
            what = "has tiles" if sources.uses_tiles else "asks for wp.block_dim()"
            raise here.error(f"{step.kernel} {what}: the step needs a block_dim")
        one = records[step.kernel]["launch"]["block_dim"]
        if step.block_dim != one:
            message = f"{step.kernel} has {one} elsewhere; all its launches need the same"
            raise (here / "block_dim").error(f"{step.block_dim}, but {message}")
        if step.tiled != tiled.setdefault(step.kernel, step.tiled):
            raise (here / "tiled").error(f"all launches of {step.kernel} need the same")
        for n in CHECKED_SIZES:
            if not step.tiled and sources.uses_tiles:
                require_whole_blocks(step.dims, step.block_dim, launch.named_sizes(n), here / "dims")


def _with_all_arguments(steps: Sequence[Step], records: Mapping[str, Any]) -> Iterator[Step]:
    """Steps in which every parameter of every kernel has its argument."""
    for step in steps:
        match step:
            case KernelStep(kernel, _, arguments):
                names = [parameter["name"] for parameter in records[kernel]["signature"]]
                whole = {name: arguments.get(name, name) for name in names}
                yield dataclasses.replace(step, arguments=whole)
            case RepeatStep(times, inner):
                yield RepeatStep(times, tuple(_with_all_arguments(inner, records)))
            case ParallelStep(branches):
                yield ParallelStep(tuple(tuple(_with_all_arguments(b, records)) for b in branches))
            case ZeroStep():
                yield step


def _types(launch: Launch, records: Mapping[str, Any], where: Where) -> dict[str, str]:
    """The type of every parameter of the program, from the kernels that take it."""
    types: dict[str, str] = {}
    for step, here in placed_steps(launch.steps, where / "steps"):
        if isinstance(step, ZeroStep):
            continue
        assert isinstance(step, KernelStep)
        for parameter in records[step.kernel]["signature"]:
            name, kind = step.arguments[parameter["name"]], parameter["type"]
            there = here / "arguments" / parameter["name"]
            if isinstance(name, int):
                scalar = parse_type(kind)
                if not isinstance(scalar, Scalar) or not scalar.is_integer:
                    raise there.error(f"{step.kernel} takes {kind}; only an integer parameter takes a number")
                require_fits(name, scalar, there)
                continue
            if name not in launch.parameters:
                hint = did_you_mean(name, launch.parameters)
                raise there.error(f"missing {name!r}, which {step.kernel} takes, among the parameters{hint}")
            if isinstance(parsed := parse_type(kind), Array) and not is_plain(parsed):
                raise there.error(f"{step.kernel} takes {kind}; programs of steps take arrays")
            if types.setdefault(name, kind) != kind:
                raise there.error(f"{name!r} is {types[name]} for one kernel and {kind} for another")
    for step, here in placed_steps(launch.steps, where / "steps"):
        if isinstance(step, ZeroStep):
            known = [name for name, one in launch.parameters.items() if one.role != "in"]
            if step.array not in known:
                hint = did_you_mean(step.array, known)
                raise (here / "zero").error(
                    f"{step.array!r} cannot be set to zero: its role must be 'out' or 'inout'{hint}"
                )
    return types


def _check_dims(launch: Launch, where: Where) -> None:
    for step, here in placed_steps(launch.steps, where):
        if isinstance(step, KernelStep):
            for n in CHECKED_SIZES:
                for number, dim in enumerate(step.dims):
                    extent_of(dim, launch.named_sizes(n), n, here / "dims" / number)


def python_function(name: str, launch: Launch, signature: Sequence[str], source: str) -> str:
    """The Python function that makes the launches, to stand behind the kernels' `source`.

    It takes the parameters of the signature, and the base size last if neither a parameter nor the shape of
    an array tells a size that follows from it.
    """
    return _Writer(launch, signature, _alias(source)).function(name)


def _alias(source: str) -> str:
    """What the module calls Warp."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "warp":
                    return alias.asname or alias.name
    raise ValueError("the kernels' source does not import warp")


class _Writer:
    """`known` has the Python name of each size expression that a parameter or a variable holds, and `axes`
    that of each extent of an array.
    """

    def __init__(self, launch: Launch, signature: Sequence[str], warp: str) -> None:
        self.launch = launch
        self.signature = list(signature)
        self.warp = warp
        self.known: dict[str, str] = {}
        for name in signature:
            if (size := launch.parameters[name].size) is not None:
                self.known.setdefault(normal_size(size), name)
        self.axes = self._axes(signature)

    def _axes(self, names: Sequence[str]) -> dict[str, str]:
        """What Python calls the extents of arrays that are no numbers; the first array's name is taken."""
        axes: dict[str, str] = {}
        for name in names:
            for axis, extent in enumerate(self.launch.parameters[name].shape):
                if size_names(extent):
                    axes.setdefault(normal_size(extent), f"{name}.shape[{axis}]")
        return axes

    def function(self, name: str) -> str:
        used = self._used_sizes()
        parameters = list(self.signature)
        if "n" in used and "n" not in self.known:
            self.known["n"] = "n" if "n" not in parameters else "base_size"
            parameters.append(self.known["n"])
        lines = list(_wrapped("", f"def {name}(", parameters, "):"))
        if self.launch.description is not None:
            told = self.launch.description.replace("\\", r"\\").replace('"', r"\"")
            doc = f'    """{told}"""'
            lines += broken(doc, _WIDTH, "    ")
        for size, value in self.launch.sizes.items():
            if size in used and size not in self.known:
                variable = size if size not in parameters else f"{size}_size"
                lines.append(f"    {variable} = {self._size(value, self.axes)}")
                self.known[size] = variable
        return "\n".join([*lines, *self._steps(self.launch.steps, 1)]) + "\n"

    def _used_sizes(self) -> set[str]:
        used: set[str] = set()
        steps = kernel_steps(self.launch.steps)
        pending: list[Size] = [d for step in steps if not self._shape(step) for d in step.dims]
        while pending:
            size = pending.pop()
            if normal_size(size) in {*self.known, *self.axes}:
                continue
            for name in size_names(size) - used:
                if name not in {*self.known, *self.axes}:
                    used.add(name)
                    pending += [self.launch.sizes[name]] if name in self.launch.sizes else []
        return used

    def _size(self, size: Size, axes: Mapping[str, str]) -> str:
        known = {**axes, **self.known}
        if normal_size(size) in known:
            return known[normal_size(size)]
        # parse_size gives the same tree every time, so the names are replaced in a copy.
        return ast.unparse(_Rename(known).visit(copy.deepcopy(parse_size(size))))

    def _shape(self, step: KernelStep) -> str:
        """The array whose shape a launch has, of several dimensions or one that is a number above 1."""
        dims = [normal_size(dim) for dim in step.dims]
        shapes = {name: self.launch.parameters[name].shape for name in step.named.values()}
        fitting = (name for name, shape in shapes.items() if [normal_size(one) for one in shape] == dims)
        told = len(dims) > 1 or not (size_names(dims[0]) or dims == ["1"])
        return next(fitting, "") if told else ""

    def _dims(self, step: KernelStep) -> str:
        if array := self._shape(step):
            return f"{array}.shape" if len(step.dims) > 1 else f"{array}.shape[0]"
        axes = {**self.axes, **self._axes(list(step.named.values()))}
        sizes = [self._size(dim, axes) for dim in step.dims]
        return sizes[0] if len(sizes) == 1 else f"({', '.join(sizes)})"

    def _steps(self, steps: Sequence[Step], depth: int) -> Iterator[str]:
        pad = "    " * depth
        for step in steps:
            match step:
                case KernelStep(kernel, _, arguments):
                    inputs = f"inputs=[{', '.join(map(str, arguments.values()))}]"
                    given = [kernel, f"dim={self._dims(step)}", inputs]
                    in_tiles = step.block_dim is not None and step.tiled
                    given += [] if step.block_dim is None else [f"block_dim={step.block_dim}"]
                    yield from _wrapped(pad, f"{self.warp}.launch{'_tiled' * in_tiles}(", given, ")")
                case ZeroStep(array):
                    yield f"{pad}{array}.zero_()"
                case RepeatStep(times, inner):
                    yield f"{pad}for _ in range({times}):"
                    yield from self._steps(inner, depth + 1)
                case ParallelStep(branches):
                    for number, branch in enumerate(branches):
                        yield f"{pad}# independent of the other branches" if number else f"{pad}# branches"
                        yield from self._steps(branch, depth)


def _wrapped(pad: str, start: str, parts: Sequence[str], end: str) -> Iterator[str]:
    """A call or a head of a function on one line, or with its parts on lines of their own."""
    if len(line := f"{pad}{start}{', '.join(parts)}{end}") <= _WIDTH:
        yield line
        return
    yield f"{pad}{start}"
    for part in parts:
        yield from textwrap.wrap(
            f"{pad}    {part},", _WIDTH, subsequent_indent=f"{pad}        ", break_on_hyphens=False
        )
    yield f"{pad}{end}"


class _Rename(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)
