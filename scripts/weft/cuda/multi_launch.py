"""Programs of several launches: a kernel and a launcher each, and one function that makes all launches."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.cuda.device import Observer, ignore, translate_device
from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.host_launcher import write_launcher
from weft.cuda.host_sizes import FLOOR_DIV, FLOOR_MOD, MAXIMUM, MINIMUM, print_size
from weft.cuda.names import global_name, local_name
from weft.cuda.sizes import canonical_size
from weft.cuda.templates import environment
from weft.errors import KernelError
from weft.launch import Launch, Parameter, parse_launch
from weft.sizes import Size, parse_size, size_text
from weft.steps import KernelStep, ParallelStep, RepeatStep, Step, ZeroStep, kernel_steps
from weft.types import Array, Type, parse_type


def translate_program(record: Mapping[str, Any], observe: Observer = ignore) -> DeviceCode:
    """The device code of all kernels of a program, with a launcher that runs its steps.

    Raises KernelError with reason 'unsupported' for what cannot be translated.
    """
    launch = parse_launch(record["launch"], record["kernel_name"])
    for name, parameter in launch.parameters.items():
        if parameter.memory in ("constant", "texture"):
            message = (
                f"{name!r}: a program of several launches has no {parameter.memory} memory, use read_only"
            )
            raise KernelError("unsupported", message)
    kernels = {part["kernel_name"]: _translated(record, part, launch, observe) for part in record["kernels"]}
    return _Program(record, launch, kernels).code()


@dataclasses.dataclass(frozen=True)
class _Kernel:
    """A translated kernel and the launch description that it was translated for."""

    code: DeviceCode
    launch: Launch


def _translated(
    record: Mapping[str, Any], part: Mapping[str, Any], launch: Launch, observe: Observer
) -> _Kernel:
    """One kernel. Where its launches have descriptions that differ, the kernel relies on none of them."""
    steps = [step for step in kernel_steps(launch.steps) if step.kernel == part["kernel_name"]]
    described = [_launch_of(step, launch) for step in steps]
    own = described[0]
    if any(other != own for other in described):
        own = dataclasses.replace(own, inferred=frozenset(own.parameters), inferred_dims=True)
    shared = ("sample_id", "index", "category", "seed", "python_source")
    identity = {key: record[key] for key in shared}
    return _Kernel(translate_device({**identity, **part, "launch": own.to_json()}, observe), own)


def _launch_of(step: KernelStep, launch: Launch) -> Launch:
    """The description of one launch, as that of a kernel alone."""
    parameters = {name: _before(launch.parameters[given]) for name, given in step.arguments.items()}
    given = list(step.arguments.values())
    # One array under two names overlaps with itself, which no description of a kernel's parameters allows.
    twice = {name for name, one in step.arguments.items() if given.count(one) > 1 and parameters[name].shape}
    return Launch(launch.sizes, step.dims, parameters, launch.equality, inferred=frozenset(twice))


def _before(parameter: Parameter) -> Parameter:
    """What is known of a parameter before any launch: other kernels may have written what is not 'in'."""
    if parameter.role == "in":
        return parameter
    return dataclasses.replace(parameter, role="inout", values=None)


class _Program:
    """Collects the parameters of the function that makes the launches, and prints it."""

    def __init__(self, record: Mapping[str, Any], launch: Launch, kernels: Mapping[str, _Kernel]) -> None:
        self.record = record
        self.launch = launch
        self.kernels = kernels
        self.calls: set[str] = set()
        self.signature: dict[str, Type] = {
            entry["name"]: parse_type(entry["type"]) for entry in record["signature"]
        }
        taken = {kernel.code.kernel_c_name for kernel in kernels.values()} | {"stream", "status"}
        self.name = global_name(record["kernel_name"], set(taken))
        self.locals: dict[str, str] = {}
        for name in self.signature:
            self.locals[name] = local_name(name, taken)
            taken.add(self.locals[name])
        self.known = self._known_sizes()
        self.base = local_name("n", taken)
        self.uses_base = False
        self.branches = 0
        self.qualified: dict[str, str] = {}

    def _known_sizes(self) -> dict[str, str]:
        """The parameter that holds a size, by the size's text."""
        known: dict[str, str] = {}
        for name in self.signature:
            values = self.launch.parameters[name].values
            if values is not None and values.kind == "size":
                known.setdefault(str(canonical_size(values.arguments, self.launch.sizes)), self.locals[name])
        return known

    def code(self) -> DeviceCode:
        """Everything, as the host half takes it."""
        codes = [kernel.code for kernel in self.kernels.values()]
        functions, texts = self._texts()
        body = list(self._steps(self.launch.steps, 1))
        parameters = self._parameters()
        declarations = [*(one.declaration for one in parameters), "cudaStream_t stream = nullptr"]
        branch = any(isinstance(step, ParallelStep) for step in _all_steps(self.launch.steps))
        launcher = environment().get_template("multi_launch.cu.j2")
        includes = frozenset[str]().union(*(code.includes for code in codes), self.includes)
        return DeviceCode(
            includes=includes,
            structs=self._structs(codes),
            functions=functions,
            kernel="\n\n".join(texts) + "\n",
            kernel_c_name=self.name,
            parameters=parameters,
            struct_fields={name: fields for code in codes for name, fields in code.struct_fields.items()},
            launcher=launcher.render(name=self.name, declarations=declarations, body=body, branch=branch),
        )

    def _structs(self, codes: Sequence[DeviceCode]) -> dict[str, str]:
        structs: dict[str, str] = {}
        for code in codes:
            for name, text in code.structs.items():
                if structs.setdefault(name, text) != text:
                    raise KernelError("unsupported", f"two kernels have different structs named {name!r}")
        return structs

    def _texts(self) -> tuple[str, list[str]]:
        """Functions that the kernels share, and the text of each kernel with its launcher.

        A kernel whose function differs from one of the same name stands in a namespace with its functions.
        """
        shared: dict[str, str] = {}
        texts = []
        self.includes: frozenset[str] = frozenset()
        for name, kernel in self.kernels.items():
            code = kernel.code
            sections = {_head(section): section for section in _sections(code.functions)}
            launcher = write_launcher(code, kernel.launch, defaults=False)
            self.includes |= launcher.includes
            template = environment().get_template("launcher.cu.j2")
            rendered = template.render(kernel=code.kernel_c_name, launcher=launcher)
            text = f"{code.kernel.strip()}\n\n{rendered.strip()}"
            clash = any(shared.get(head, section) != section for head, section in sections.items())
            if clash:
                space = global_name(f"{code.kernel_c_name}_parts", set())
                self.qualified[name] = f"{space}::"
                own = "\n\n".join(sections.values())
                text = f"namespace {space} {{\n\n{own}\n\n{text}\n\n}}  // namespace {space}"
            else:
                shared |= sections
            texts.append(text)
        return "\n\n".join(shared.values()), texts

    def _parameters(self) -> tuple[KernelParameter, ...]:
        """The program's parameters, the base size last if a size needs it."""
        parameters = []
        for name, kind in self.signature.items():
            local = self.locals[name]
            uses = [one for step in kernel_steps(self.launch.steps) for one in self._uses(step, name)]
            element = uses[0].c_type
            if isinstance(kind, Array):
                constant = "const " if all(one.declaration.startswith("const ") for one in uses) else ""
                declaration = f"{constant}{element}* {local}"
                parameters.append(KernelParameter(name, local, "array", kind, declaration, element, None))
                continue
            values = self.launch.parameters[name].values
            size = None
            if values is not None and values.kind == "size":
                size = canonical_size(values.arguments, self.launch.sizes)
            text = f"{element} {local}"
            parameters.append(KernelParameter(name, local, "value", kind, text, element, size))
        if self.uses_base:
            text = f"int {self.base}"
            parameters.append(KernelParameter("", self.base, "extent", None, text, "int", "n"))
        return tuple(parameters)

    def _uses(self, step: KernelStep, name: str) -> Iterator[KernelParameter]:
        """The kernel's parameters that take `name` in a launch."""
        for one in self.kernels[step.kernel].code.parameters:
            if one.kind in ("array", "value") and step.arguments[one.name] == name:
                yield one

    def _size(self, size: Size) -> str:
        """A size expression in the program's parameters."""
        definitions = {name: one for name, one in self.launch.sizes.items() if name not in self.known}
        resolved = size_text(_Defined(definitions).visit(copy.deepcopy(parse_size(size))))
        resolved = str(canonical_size(resolved, self.launch.sizes))
        try:
            printed = print_size(resolved, self.known)
        except KeyError:
            self.uses_base = True
            printed = print_size(resolved, self.known | {"n": self.base})
        if printed.calls & {FLOOR_DIV, FLOOR_MOD}:
            message = f"the size {size!r} divides what may be negative: give it a name in `sizes`"
            raise KernelError("unsupported", message)
        if printed.calls & {MINIMUM, MAXIMUM}:
            self.includes |= {"<algorithm>"}
        return printed.text

    def _argument(self, parameter: KernelParameter, step: KernelStep) -> str:
        """What a kernel's launcher gets for one of its parameters."""
        match parameter.kind:
            case "array" | "value":
                return self.locals[step.arguments[parameter.name]]
            case "extent" if parameter.axis is None:
                assert parameter.size is not None
                return self._size(parameter.size)
            case "extent":
                assert parameter.axis is not None
                return self._axis(parameter.axis, step)
            case _:
                message = f"{step.kernel} takes a struct that holds arrays: pass the arrays one by one"
                raise KernelError("unsupported", message)

    def _axis(self, axis: Axis, step: KernelStep) -> str:
        if axis.leaf is None:
            return self._size(step.dims[axis.number])
        shape = self.launch.parameters[step.arguments[axis.leaf]].shape
        if not axis.stride:
            return self._size(shape[axis.number])
        return self._size(" * ".join(f"({extent})" for extent in shape[axis.number + 1 :]) or 1)

    def _steps(self, steps: Sequence[Step], depth: int, stream: str = "stream") -> Iterator[str]:
        """Statements; each that fails ends the function with its error."""
        for step in steps:
            match step:
                case KernelStep(kernel):
                    code = self.kernels[kernel].code
                    arguments = [self._argument(one, step) for one in code.parameters]
                    launcher = f"{self.qualified.get(kernel, '')}launch_{code.kernel_c_name}"
                    yield _checked(f"{launcher}({', '.join([*arguments, stream])})")
                case ZeroStep(array):
                    yield _checked(
                        f"cudaMemsetAsync({self.locals[array]}, 0, {self._bytes(array)}, {stream})"
                    )
                case RepeatStep(times, inner):
                    counter = "repetition" if depth == 1 else f"repetition_{depth}"
                    yield f"for (int {counter} = 0; {counter} < {times}; ++{counter}) {{"
                    yield from self._steps(inner, depth + 1, stream)
                    yield "}"
                case ParallelStep(branches):
                    yield from self._branches(branches, depth, stream)

    def _branches(self, branches: Sequence[Sequence[Step]], depth: int, stream: str) -> Iterator[str]:
        names = [
            f"branch_{self.branches + i}" if self.branches + i else "branch" for i in range(len(branches) - 1)
        ]
        self.branches += len(names)
        yield "{"
        for name in names:
            yield f"Branch {name}({stream});"
            yield _checked(f"{name}.fork()")
        for branch, own in zip(branches, [stream, *(f"{name}.stream()" for name in names)], strict=True):
            yield from self._steps(branch, depth + 1, own)
        for name in names:
            yield _checked(f"{name}.join()")
        yield "}"

    def _bytes(self, array: str) -> str:
        kind = self.signature[array]
        assert isinstance(kind, Array)
        factors = [self._size(extent) for extent in self.launch.parameters[array].shape]
        factors = [factor if factor.isalnum() else f"size_t({factor})" for factor in factors if factor != "1"]
        return " * ".join([*factors, f"sizeof(*{self.locals[array]})"])


class _Defined(ast.NodeTransformer):
    """Puts what names of sizes mean in their place."""

    def __init__(self, definitions: Mapping[str, Size]) -> None:
        self.definitions = definitions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.definitions:
            return node
        meaning: ast.expr = self.visit(copy.deepcopy(parse_size(self.definitions[node.id])))
        return meaning


def _checked(call: str) -> str:
    return f"if (const cudaError_t status = {call}) return status;"


def _all_steps(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        inner: Sequence[Sequence[Step]] = ()
        if isinstance(step, RepeatStep):
            inner = [step.steps]
        elif isinstance(step, ParallelStep):
            inner = step.branches
        for branch in inner:
            yield from _all_steps(branch)


def _sections(text: str) -> Iterator[str]:
    """The definitions of a text, split at blank lines outside of all braces."""
    current: list[str] = []
    depth = 0
    for line in text.split("\n"):
        if not line and depth == 0:
            if current:
                yield "\n".join(current)
            current = []
            continue
        current.append(line)
        depth += line.count("{") - line.count("}")
    if current:
        yield "\n".join(current)


def _head(section: str) -> str:
    """What a definition declares: its first line that is no comment, up to the brace."""
    line = next((line for line in section.split("\n") if not line.startswith("//")), "")
    return line.split("{")[0].strip()
