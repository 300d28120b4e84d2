"""The function that makes the launches of a program: its parameters and its statements."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.host_sizes import MAXIMUM, MINIMUM
from weft.cuda.literals import integer_literal
from weft.cuda.names import local_name
from weft.cuda.program_sizes import ProgramSizes, is_simple
from weft.cuda.sizes import canonical_size
from weft.errors import KernelError
from weft.launch import Launch
from weft.launch_sequence import (
    KernelStep,
    ParallelStep,
    RepeatStep,
    Step,
    ZeroStep,
    kernel_steps,
    placed_steps,
)
from weft.types import Array, Scalar, Type
from weft.written import Where

_CHECKED = "if (const cudaError_t status = ", ") return status;"
"""What stands around a call that ends the function with its error."""


@dataclasses.dataclass(frozen=True)
class LaunchSequence:
    """The parameters of the function, its statements, the headers that these need, and the values of its
    variables.
    """

    parameters: tuple[KernelParameter, ...]
    body: tuple[str, ...]
    includes: frozenset[str]
    computed: Mapping[str, str]


def launch_sequence(
    signature: Mapping[str, Type],
    launch: Launch,
    kernels: Mapping[str, DeviceCode],
    launchers: Mapping[str, str],
    tests: Mapping[str, Sequence[str]],
    fixed: Collection[str],
    places: Mapping[str, Mapping[str, Axis]],
    constants: Mapping[str, str],
) -> LaunchSequence:
    """The launches that `launch.steps` describe, made by `launchers`, one launcher for each of `kernels`. The
    last parameters are the sizes that the caller chooses. A kernel knows the `fixed` ones as numbers, and
    `places` are where its launches have sizes of its own. `constants` are names of the program for numbers
    that are extents. What the `tests` of launchers refuse is refused before the first launch.

    Raises KernelError for what a program of several launches cannot do.
    """
    taken = {code.kernel_c_name for code in kernels.values()} | {"stream", "status"}
    local: dict[str, str] = {}
    for name in signature:
        local[name] = local_name(name, taken)
        taken.add(local[name])
    parameters = [_parameter(name, kind, local[name], launch, kernels) for name, kind in signature.items()]
    sizes = ProgramSizes(launch, parameters, fixed, taken)
    writer = _Writer(launch, kernels, launchers, local, sizes, places, constants)
    body = list(writer.statements(launch.steps, 1, "stream", itertools.count()))
    sizes.refuse(writer.later_tests(tests), {*constants.values()})
    before = sizes.statements()
    includes = {"<algorithm>"} if sizes.calls & {MINIMUM, MAXIMUM} else set()
    includes |= {"<climits>", "<cstdint>"} if any("INT_MAX" in line for line in before) else set()
    *others, last = body
    call = last.removeprefix(_CHECKED[0]).removesuffix(_CHECKED[1])
    ends = [last, "return cudaSuccess;"] if call == last else [f"return {call};"]
    whole = (*before, *others, *ends)
    return LaunchSequence((*parameters, *sizes.parameters), whole, frozenset(includes), sizes.computed)


def _parameter(
    name: str, kind: Type, local: str, launch: Launch, kernels: Mapping[str, DeviceCode]
) -> KernelParameter:
    """A parameter of the function: const if no kernel writes through it."""
    uses = [
        one
        for step in kernel_steps(launch.steps)
        for one in kernels[step.kernel].parameters
        if one.kind in ("array", "value") and step.arguments[one.name] == name
    ]
    if isinstance(kind, Array):
        constant = all(one.const for one in uses)
        return KernelParameter(name, local, "array", kind, uses[0].c_type, const=constant)
    size = launch.parameters[name].size
    resolved = None if size is None else canonical_size(size, launch.sizes)
    return KernelParameter(name, local, "value", kind, uses[0].c_type, resolved, written=size)


@dataclasses.dataclass(frozen=True)
class _Writer:
    """Writes statements. `local` names the function's parameters, and `sizes` prints sizes."""

    launch: Launch
    kernels: Mapping[str, DeviceCode]
    launchers: Mapping[str, str]
    local: Mapping[str, str]
    sizes: ProgramSizes
    places: Mapping[str, Mapping[str, Axis]]
    constants: Mapping[str, str]

    def statements(
        self, steps: Sequence[Step], depth: int, stream: str, numbers: Iterator[int]
    ) -> Iterator[str]:
        """Statements; each that fails ends the function with its error. `numbers` tells branches apart."""
        for step in steps:
            match step:
                case KernelStep(kernel):
                    given = [self._argument(one, step) for one in self.kernels[kernel].parameters]
                    yield _checked(self.launchers[kernel], [*given, stream])
                case ZeroStep(array):
                    yield _checked("cudaMemsetAsync", [self.local[array], "0", self._bytes(array), stream])
                case RepeatStep(times, inner):
                    counter = "repetition" if depth == 1 else f"repetition_{depth}"
                    yield f"for (int {counter} = 0; {counter} < {times}; ++{counter}) {{"
                    yield from self.statements(inner, depth + 1, stream, numbers)
                    yield "}"
                case ParallelStep(branches):
                    yield from self._branches(branches, depth, stream, numbers)

    def later_tests(self, tests: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """The tests of all launches but the first, which nothing precedes, in the function's own words."""
        first, *others = (step for step, _ in placed_steps(self.launch.steps, Where("steps")))
        known = {*self._own_tests(first, tests)}
        for step in others:
            yield from (one for one in self._own_tests(step, tests) if one not in known)

    def _own_tests(self, step: Step, tests: Mapping[str, Sequence[str]]) -> Iterator[str]:
        if not isinstance(step, KernelStep):
            return
        given = {one.c_name: self._argument(one, step) for one in self.kernels[step.kernel].parameters}
        words = {name: text if is_simple(text) else f"({text})" for name, text in given.items()}
        for test in tests[step.kernel]:
            yield re.sub(r"[A-Za-z_]\w*", lambda found: words.get(found[0], found[0]), test)

    def _branches(
        self, branches: Sequence[Sequence[Step]], depth: int, stream: str, numbers: Iterator[int]
    ) -> Iterator[str]:
        names = [f"branch_{i}" if i else "branch" for i in itertools.islice(numbers, len(branches) - 1)]
        yield "{"
        for name in names:
            yield f"Branch {name}({stream});"
            yield _checked(f"{name}.fork", [])
        for branch, own in zip(branches, [stream, *(f"{name}.stream()" for name in names)], strict=True):
            yield from self.statements(branch, depth + 1, own, numbers)
        for name in names:
            yield _checked(f"{name}.join", [])
        yield "}"

    def _argument(self, parameter: KernelParameter, step: KernelStep) -> str:
        """What a kernel's launcher gets for one of its parameters."""
        match parameter:
            case KernelParameter(kind="array" | "value", type=kind):
                given = step.arguments[parameter.name]
                if isinstance(given, str):
                    return self.local[given]
                assert isinstance(kind, Scalar)
                return integer_literal(given, kind)
            case KernelParameter(kind="extent", written=str(name)) if name in self.places[step.kernel]:
                return self._extent(self.places[step.kernel][name], step)
            case KernelParameter(kind="extent", written=size) if size is not None:
                return self.sizes.text(size)
            case KernelParameter(kind="extent", axis=Axis() as axis):
                return self._extent(axis, step)
            case _:
                message = f"{step.kernel} takes a struct that holds arrays: pass the arrays one by one"
                raise KernelError("unsupported", message)

    def _extent(self, axis: Axis, step: KernelStep) -> str:
        """An extent or a stride in one launch."""
        if axis.leaf is None:
            return self.sizes.text(step.dims[axis.number])
        shape = self.launch.parameters[step.named[axis.leaf]].shape
        if not axis.stride:
            return self.sizes.text(shape[axis.number])
        return self.sizes.text(" * ".join(f"({extent})" for extent in shape[axis.number + 1 :]) or 1)

    def _bytes(self, array: str) -> str:
        """The size of an array in memory, a product in 64 bits."""
        sizes = [self.sizes.cleared(extent) for extent in self.launch.parameters[array].shape]
        factors = []
        for size in sizes:
            parts = size.split(" * ")
            factors += parts if all(map(is_simple, parts)) else [size]
        factors = sorted((one for one in factors if one != "1"), key=str.isdigit)
        factors = [self.constants.get(one, one) for one in factors]
        texts = [
            one if is_simple(one) and (i > 0 or len(factors) == 1) else f"size_t({one})"
            for i, one in enumerate(factors)
        ]
        return " * ".join([*texts, f"sizeof(*{self.local[array]})"])


def _checked(function: str, arguments: Sequence[str]) -> str:
    """A call that ends the function with its error."""
    return f"{function}({', '.join(arguments)})".join(_CHECKED)
