"""Programs of several launches: a kernel and a launcher each, and one function that makes all launches."""

from __future__ import annotations

import ast
import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from weft.cuda import launch_assumptions
from weft.cuda.definitions import comment
from weft.cuda.device import Observer, ignore, translate_device
from weft.cuda.device_code import DeviceCode, Section, text_of
from weft.cuda.general_launch import GeneralLaunch, general_launch
from weft.cuda.host_launcher import Launcher, write_launcher
from weft.cuda.launch_sequence_code import launch_sequence
from weft.cuda.names import global_name
from weft.cuda.shared_sections import place_sections
from weft.cuda.templates import environment
from weft.cuda.tree import INT
from weft.errors import KernelError
from weft.function_source import read_function
from weft.launch import Launch, Parameter, Recipe, parse_launch
from weft.launch_sequence import KernelStep, ParallelStep, RepeatStep, Step, ZeroStep, placed_steps
from weft.leaves import signature_of
from weft.types import Array
from weft.written import Where


def translate_program(
    record: Mapping[str, Any], observe: Observer = ignore, *, defaults: bool = True
) -> DeviceCode:
    """The device code of all kernels of a program, with a launcher that runs its steps; `defaults` if its
    text declares the default of its parameters, too.

    Raises KernelError with reason 'unsupported' for what cannot be translated.
    """
    launch = parse_launch(record["launch"], record["kernel_name"])
    for name, parameter in launch.parameters.items():
        if parameter.memory in ("constant", "texture"):
            message = (
                f"{name!r}: a program of several launches has no {parameter.memory} memory, use read_only"
            )
            raise KernelError("unsupported", message)
    kernels = _translated(record, launch, observe)
    codes = {name: kernel.code for name, kernel in kernels.items()}
    placed = place_sections({name: code.sections for name, code in codes.items()})
    spaces = {
        name: global_name(f"{code.kernel_c_name}_parts", set()) if placed.own[name] else ""
        for name, code in codes.items()
    }
    launchers = {
        name: write_launcher(one.code, one.general.launch, defaults=False) for name, one in kernels.items()
    }
    signature = dict(signature_of(record))
    called = {
        name: f"{f'{spaces[name]}::' * bool(spaces[name])}launch_{code.kernel_c_name}"
        for name, code in codes.items()
    }
    fixed = set[str]().union(
        *(launch_assumptions.fixed_sizes(one.general.launch) for one in kernels.values())
    )
    places = {name: kernel.general.places for name, kernel in kernels.items()}
    constants = _extent_names(codes, {section.name for section in placed.shared})
    tests = {name: launcher.tests for name, launcher in launchers.items()}
    sequence = launch_sequence(signature, launch, codes, called, tests, fixed, places, constants)
    taken = {code.kernel_c_name for code in codes.values()} | {"stream", "status"}
    c_name = global_name(record["kernel_name"], taken)
    return DeviceCode(
        includes=sequence.includes.union(
            *(code.includes for code in codes.values()), *(one.includes for one in launchers.values())
        ),
        sections=(
            *placed.shared,
            *(_kernel(code, launchers[name], spaces[name], placed.own[name]) for name, code in codes.items()),
        ),
        kernel_c_name=c_name,
        parameters=sequence.parameters,
        computed=sequence.computed,
        struct_fields={
            name: fields for code in codes.values() for name, fields in code.struct_fields.items()
        },
        launcher=environment()
        .get_template("multi_launch.cu.j2")
        .render(
            comment=comment(record["description"]),
            name=c_name,
            declarations=[
                *(one.declaration for one in sequence.parameters),
                f"cudaStream_t stream{' = nullptr' * defaults}",
            ],
            body=sequence.body,
            branch=_runs_branches(launch.steps),
        ),
    )


def _extent_names(codes: Mapping[str, DeviceCode], shared: Collection[str]) -> dict[str, str]:
    """What numbers that are extents are called in all kernels that have a name for them."""
    found: dict[str, set[str]] = {}
    for code in codes.values():
        for number, name in code.extent_names.fixed.items():
            if number.isdigit():
                found.setdefault(number, set()).add(name)
    return {number: min(names) for number, names in found.items() if len(names) == 1 and names <= {*shared}}


@dataclasses.dataclass(frozen=True)
class _Kernel:
    """A translated kernel, and the launch description that it was translated for."""

    code: DeviceCode
    general: GeneralLaunch


def _translated(record: Mapping[str, Any], launch: Launch, observe: Observer) -> dict[str, _Kernel]:
    """The kernels, each of which relies on what the descriptions of all its launches say.

    At first every kernel is taken to leave no negative number in arrays of integers that hold none. Where one
    may, those that read its numbers are translated again, until all that is relied on is so.
    """
    parts = {part["kernel_name"]: part for part in record["kernels"]}
    constants = _constants(record)
    passed_on = _passed_on(launch.steps)
    natural = {
        kernel: {name for name in _integer_arrays(part) if (kernel, name) in passed_on}
        for kernel, part in parts.items()
    }
    begin = {
        name: one.values
        for name, one in launch.parameters.items()
        if one.role == "inout" and one.values is not None
    }
    # What a program only writes is not read before.
    begin |= dict.fromkeys(
        (
            name
            for name in _integer_arrays(record) & {*passed_on.values()}
            if launch.parameters[name].role == "out"
        ),
        _NATURAL,
    )
    done: dict[str, _Kernel] = {}
    while True:
        launches = [*_with_contents(launch.steps, dict(begin), natural)]
        general = {kernel: _in_common(kernel, launch, launches) for kernel in parts}
        changed = [
            kernel for kernel in parts if kernel not in done or general[kernel] != done[kernel].general
        ]
        if not changed:
            return done
        for kernel in changed:
            code = _code(record, parts[kernel], general[kernel].launch, observe, constants)
            done[kernel] = _Kernel(code, general[kernel])
            written = {one.name for one in code.parameters if one.kind == "array" and not one.const}
            natural[kernel] &= {name for name in natural[kernel] if name not in written or name in code.held}


def _passed_on(steps: Sequence[Step]) -> dict[tuple[str, str], str]:
    """The arrays of which one launch may read what another wrote, by kernel and parameter."""
    found = [
        (step.kernel, name, array)
        for step, _ in placed_steps(steps, Where("steps"))
        if isinstance(step, KernelStep)
        for name, array in step.named.items()
    ]
    often = Counter(array for *_, array in found)
    return {(kernel, name): array for kernel, name, array in found if often[array] > 1}


def _integer_arrays(record: Mapping[str, Any]) -> set[str]:
    return {name for name, kind in signature_of(record) if isinstance(kind, Array) and kind.element == INT}


def _code(
    record: Mapping[str, Any],
    part: Mapping[str, Any],
    launch: Launch,
    observe: Observer,
    constants: Mapping[str, int],
) -> DeviceCode:
    shared = ("sample_id", "index", "category", "seed", "python_source")
    identity = {key: record[key] for key in shared}
    return translate_device({**identity, **part, "launch": launch.to_json()}, observe, constants)


def _constants(record: Mapping[str, Any]) -> dict[str, int]:
    """The whole numbers that functions of a program have names for."""
    found: dict[str, int] = {}
    for part in record["kernels"]:
        for one in (*part["functions"], part["kernel"]):
            source = read_function(one)
            names = [node for node in ast.walk(source.definition) if isinstance(node, ast.Name)]
            own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
            for node in names:
                value = source.value(node)
                if type(value) is int and node.id not in own:
                    found.setdefault(node.id, value)
    return found


def _in_common(
    kernel: str, launch: Launch, launches: Sequence[tuple[KernelStep, Mapping[str, Recipe]]]
) -> GeneralLaunch:
    """What the launches of a kernel have in common."""
    own = [(step, contents) for step, contents in launches if step.kernel == kernel]
    numbers = _numbers([step for step, _ in own])
    return general_launch([_launch_of(step, launch, contents, numbers) for step, contents in own])


_NATURAL = Recipe("integers", (0, launch_assumptions.LARGEST_INT))
"""Any indices."""


def _with_contents(
    steps: Sequence[Step], known: dict[str, Recipe], natural: Mapping[str, Collection[str]]
) -> Iterator[tuple[KernelStep, dict[str, Recipe]]]:
    """Each launch, with what arrays hold before it: what is `known` at first, or zeros, until another launch
    has them. Afterwards `known` is what they hold after the steps. A kernel leaves no negative number in its
    `natural` arrays if there was none.
    """
    for step in steps:
        match step:
            case ZeroStep(array=array):
                known[array] = Recipe("constant", 0)
            case KernelStep():
                yield step, dict(known)
                _forget(known, [step], natural)
            case RepeatStep(steps=inner):
                _forget(known, inner, natural)
                yield from _with_contents(inner, known, natural)
            case ParallelStep(branches=branches):
                for number, branch in enumerate(branches):
                    own = dict(known)
                    for other in (*branches[:number], *branches[number + 1 :]):
                        _forget(own, other, natural)
                    yield from _with_contents(branch, own, natural)
                for branch in branches:
                    _forget(known, branch, natural)


def _forget(known: dict[str, Recipe], steps: Sequence[Step], natural: Mapping[str, Collection[str]]) -> None:
    """Drop what arrays hold that the steps may change, but for the sign of what stays natural."""
    for step, _ in placed_steps(steps, Where("steps")):
        arrays = [("", step.array)] if isinstance(step, ZeroStep) else _arguments(step)
        for name, array in arrays:
            match known.pop(array, None):
                case Recipe("constant", int(least)) | Recipe("integers", (int(least), _)) if least >= 0:
                    if isinstance(step, KernelStep) and name in natural[step.kernel]:
                        known[array] = _NATURAL


def _arguments(step: Step) -> list[tuple[str, str]]:
    return [*step.named.items()] if isinstance(step, KernelStep) else []


_NUMBER = Parameter("in", (), None)


def _numbers(steps: Sequence[KernelStep]) -> dict[str, Parameter]:
    """The parameters that get a number in every launch, as integers between the least and the greatest."""
    return {
        name: Parameter("in", (), Recipe("integers", (min(given), max(given) + 1)))
        for name in steps[0].arguments
        if (given := [one for step in steps if isinstance(one := step.arguments[name], int)])
        and len(given) == len(steps)
    }


def _launch_of(
    step: KernelStep, launch: Launch, contents: Mapping[str, Recipe], numbers: Mapping[str, Parameter]
) -> Launch:
    """The description of one launch, as that of a kernel alone, where arrays hold these `contents`, with what
    is known of `numbers`.
    """
    named = step.named
    parameters = {
        name: _before(launch.parameters[given], contents.get(given))
        if (given := named.get(name)) is not None
        else numbers.get(name, _NUMBER)
        for name in step.arguments
    }
    passed = list(named.values())
    # One array under two names overlaps with itself, which no description of a kernel's parameters allows.
    twice = {name for name, one in named.items() if passed.count(one) > 1 and parameters[name].shape}
    return Launch(
        launch.sizes,
        step.dims,
        parameters,
        launch.equality,
        step.block_dim,
        step.tiled,
        inferred=frozenset(twice),
    )


def _before(parameter: Parameter, contents: Recipe | None) -> Parameter:
    """What is known of a parameter before a launch: other kernels may have written what is not 'in'."""
    if parameter.role == "in":
        return parameter
    return dataclasses.replace(parameter, role="inout", values=contents)


def _kernel(code: DeviceCode, launcher: Launcher, space: str, own: Sequence[Section]) -> Section:
    """A kernel and its launcher, in the namespace `space` with sections of its own if there are any."""
    template = environment().get_template("launcher.cu.j2")
    rendered = template.render(kernel=code.kernel_c_name, launcher=launcher)
    text = f"{code.kernel.strip()}\n\n{rendered.strip()}"
    if space:
        others = text_of(section for section in own if section.kind != "kernel")
        text = f"namespace {space} {{\n\n{others}\n\n{text}\n\n}}  // namespace {space}"
    return Section("kernel", code.kernel_c_name, text)


def _runs_branches(steps: Sequence[Step]) -> bool:
    """Whether some of the steps run beside others."""
    return any(
        isinstance(step, ParallelStep) or (isinstance(step, RepeatStep) and _runs_branches(step.steps))
        for step in steps
    )
