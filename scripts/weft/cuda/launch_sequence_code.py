"""The function that makes the launches of a program: its parameters and its statements."""

from __future__ import annotations

import ast
import copy
import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence

from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.host_launcher import exceed_int
from weft.cuda.host_sizes import FLOOR_DIV, FLOOR_MOD, MAXIMUM, MINIMUM, PRIMARY, print_size
from weft.cuda.literals import integer_literal
from weft.cuda.names import local_name
from weft.cuda.sizes import canonical_size
from weft.errors import KernelError
from weft.launch import Launch
from weft.launch_sequence import KernelStep, ParallelStep, RepeatStep, Step, ZeroStep, kernel_steps
from weft.sizes import Size, evaluate_size, parse_size, size_names, size_text
from weft.types import Array, Scalar, Type

_SMALL = 4
"""Below it, a number is as clear as a name."""


@dataclasses.dataclass(frozen=True)
class LaunchSequence:
    """The parameters of the function, its statements, and the headers that these need."""

    parameters: tuple[KernelParameter, ...]
    body: tuple[str, ...]
    includes: frozenset[str]


def launch_sequence(
    signature: Mapping[str, Type],
    launch: Launch,
    kernels: Mapping[str, DeviceCode],
    launchers: Mapping[str, str],
) -> LaunchSequence:
    """The launches that `launch.steps` describe, made by `launchers`, one launcher for each of `kernels`. If
    a size needs the base size, that is the last parameter.

    Raises KernelError for what a program of several launches cannot do.
    """
    taken = {code.kernel_c_name for code in kernels.values()} | {"stream", "status"}
    local: dict[str, str] = {}
    for name in signature:
        local[name] = local_name(name, taken)
        taken.add(local[name])
    parameters = [_parameter(name, kind, local[name], launch, kernels) for name, kind in signature.items()]
    known: dict[str, str] = {}
    for one in parameters:
        if one.size is not None:
            known.setdefault(str(one.size), one.c_name)
    writer = _Writer(launch, kernels, launchers, local, known, local_name("n", taken), taken)
    body = list(writer.statements(launch.steps, 1, "stream", itertools.count()))
    body[:0] = writer.named.values()
    used = frozenset[str]().union(*(line.uses for line in body))
    refused = writer.refusals()
    if writer.base in used:
        parameters.append(KernelParameter("", writer.base, "extent", None, "int", "n"))
    includes = frozenset({"<algorithm>"} if used & {MINIMUM, MAXIMUM} else ())
    includes |= {"<climits>", "<cstdint>"} if refused else set()
    return LaunchSequence(tuple(parameters), (*refused, *(line.text for line in body)), includes)


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
    values, size = launch.parameters[name].values, None
    if values is not None and values.kind == "size":
        size = canonical_size(values.arguments, launch.sizes)
    return KernelParameter(name, local, "value", kind, uses[0].c_type, size)


@dataclasses.dataclass(frozen=True)
class _Text:
    """Part of a statement, or all of it, with what it `uses`: functions on sizes, and the base size. `simple`
    if it is a name or a number.
    """

    text: str
    uses: frozenset[str] = frozenset()
    simple: bool = False


@dataclasses.dataclass(frozen=True)
class _Writer:
    """Writes statements. `local` names the function's parameters, `known` those that hold sizes, by the
    size's text, and `base` the one that holds the base size. `named` are the definitions of sizes that
    have a name in the description, by what they are called here; all other names are `taken`.
    """

    launch: Launch
    kernels: Mapping[str, DeviceCode]
    launchers: Mapping[str, str]
    local: Mapping[str, str]
    known: Mapping[str, str]
    base: str
    taken: set[str]
    named: dict[str, _Text] = dataclasses.field(default_factory=dict)

    def statements(
        self, steps: Sequence[Step], depth: int, stream: str, numbers: Iterator[int]
    ) -> Iterator[_Text]:
        """Statements; each that fails ends the function with its error. `numbers` tells branches apart."""
        for step in steps:
            match step:
                case KernelStep(kernel):
                    given = [self._argument(one, step) for one in self.kernels[kernel].parameters]
                    yield _checked(self.launchers[kernel], [*given, _Text(stream)])
                case ZeroStep(array):
                    given = [_Text(self.local[array]), _Text("0"), self._bytes(array), _Text(stream)]
                    yield _checked("cudaMemsetAsync", given)
                case RepeatStep(times, inner):
                    counter = "repetition" if depth == 1 else f"repetition_{depth}"
                    yield _Text(f"for (int {counter} = 0; {counter} < {times}; ++{counter}) {{")
                    yield from self.statements(inner, depth + 1, stream, numbers)
                    yield _Text("}")
                case ParallelStep(branches):
                    yield from self._branches(branches, depth, stream, numbers)

    def refusals(self) -> list[str]:
        """The refusal of products that launchers get as ints and that are larger than any int."""
        tests = []
        for step in kernel_steps(self.launch.steps):
            for one in self.kernels[step.kernel].parameters:
                factors = self._argument(one, step).text.split(" * ") if one.kind == "extent" else []
                if len(factors) > 1 and all(map(_is_simple, factors)) and not all(map(str.isdigit, factors)):
                    tests.append(exceed_int(factors, ()))
        if not tests:
            return []
        return [f"if ({' || '.join(dict.fromkeys(tests))}) return cudaErrorInvalidValue;"]

    def _branches(
        self, branches: Sequence[Sequence[Step]], depth: int, stream: str, numbers: Iterator[int]
    ) -> Iterator[_Text]:
        names = [f"branch_{i}" if i else "branch" for i in itertools.islice(numbers, len(branches) - 1)]
        yield _Text("{")
        for name in names:
            yield _Text(f"Branch {name}({stream});")
            yield _checked(f"{name}.fork", [])
        for branch, own in zip(branches, [stream, *(f"{name}.stream()" for name in names)], strict=True):
            yield from self.statements(branch, depth + 1, own, numbers)
        for name in names:
            yield _checked(f"{name}.join", [])
        yield _Text("}")

    def _argument(self, parameter: KernelParameter, step: KernelStep) -> _Text:
        """What a kernel's launcher gets for one of its parameters."""
        match parameter:
            case KernelParameter(kind="array" | "value", type=kind):
                given = step.arguments[parameter.name]
                if isinstance(given, str):
                    return _Text(self.local[given])
                assert isinstance(kind, Scalar)
                return _Text(integer_literal(given, kind), simple=True)
            case KernelParameter(kind="extent", size=size) if size is not None:
                return self._size(size)
            case KernelParameter(kind="extent", axis=Axis(leaf=None, number=number)):
                return self._size(step.dims[number])
            case KernelParameter(kind="extent", axis=Axis(leaf=str(leaf), number=number, stride=stride)):
                shape = self.launch.parameters[step.named[leaf]].shape
                if not stride:
                    return self._size(shape[number])
                return self._size(" * ".join(f"({extent})" for extent in shape[number + 1 :]) or 1)
            case _:
                message = f"{step.kernel} takes a struct that holds arrays: pass the arrays one by one"
                raise KernelError("unsupported", message)

    def _bytes(self, array: str) -> _Text:
        """The size of an array in memory, a product in 64 bits."""
        sizes = [self._size(extent) for extent in self.launch.parameters[array].shape]
        factors = [size for size in sizes if size.text != "1"]
        narrow = [one.simple and (i > 0 or len(factors) == 1) for i, one in enumerate(factors)]
        texts = [
            one.text if simple else f"size_t({one.text})" for one, simple in zip(factors, narrow, strict=True)
        ]
        uses = frozenset[str]().union(*(factor.uses for factor in factors))
        return _Text(" * ".join([*texts, f"sizeof(*{self.local[array]})"]), uses)

    def _size(self, size: Size) -> _Text:
        """A size expression in the function's parameters."""
        resolved = self._resolved(size)
        name = self._described(size, resolved)
        text, known, uses = resolved, dict(self.known), frozenset[str]()
        if name and size_names(resolved):
            # A definition has the names of other sizes, where these are one word here.
            definition = self.launch.sizes[name]
            for inner in sorted(size_names(definition) & self.launch.sizes.keys() - known.keys()):
                if (one := self._size(inner)).simple:
                    known[inner], uses = one.text, uses | one.uses
            if len(known) > len(self.known):
                text = self._in_terms_of(known, definition)
        try:
            printed = print_size(text, known)
        except KeyError:
            printed, uses = print_size(text, {**known, "n": self.base}), uses | {self.base}
        if printed.calls & {FLOOR_DIV, FLOOR_MOD}:
            message = f"the size {size!r} divides what may be negative: give it a name in `sizes`"
            raise KernelError("unsupported", message)
        simple = printed.precedence == PRIMARY and not printed.calls
        simple_product = all(map(_is_simple, printed.text.split(" * ")))
        if not name or (text == resolved and simple_product and not printed.text.isdigit()):
            return _Text(printed.text, uses | printed.calls, simple)
        local = local_name(name, self.taken)
        kind = "constexpr" if printed.text.isdigit() else "const"
        self.named[local] = _Text(f"{kind} int {local} = {printed.text};", uses | printed.calls)
        return _Text(local, simple=True)

    def _in_terms_of(self, known: Mapping[str, str], size: Size) -> str:
        """A size expression without the names of other sizes than those."""
        definitions = {name: one for name, one in self.launch.sizes.items() if name not in known}
        return size_text(_Defined(definitions).visit(copy.deepcopy(parse_size(size))))

    def _resolved(self, size: Size) -> str:
        """A size expression in the function's parameters and the base size, or its value."""
        resolved = self._in_terms_of(self.known, size)
        if not size_names(resolved):
            return str(evaluate_size(resolved, {}))
        return str(canonical_size(resolved, self.launch.sizes))

    def _described(self, size: Size, resolved: str) -> str:
        """The name of a size in the description; '' if it has none, or one that counts repetitions here."""
        names = [str(size)] if str(size) in self.launch.sizes else []
        if not names and not (resolved.isdigit() and int(resolved) < _SMALL):
            names = [name for name in self.launch.sizes if self._resolved(name) == resolved]
        alone = names[0] if len(names) == 1 else ""
        return "" if alone.startswith(("repetition", "branch")) else alone


def _is_simple(text: str) -> bool:
    return text.isidentifier() or text.isdigit()


class _Defined(ast.NodeTransformer):
    """Puts what names of sizes mean in their place."""

    def __init__(self, definitions: Mapping[str, Size]) -> None:
        self.definitions = definitions

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.definitions:
            return node
        meaning: ast.expr = self.visit(copy.deepcopy(parse_size(self.definitions[node.id])))
        return meaning


def _checked(function: str, arguments: Sequence[_Text]) -> _Text:
    """A call that ends the function with its error."""
    call = f"{function}({', '.join(argument.text for argument in arguments)})"
    uses = frozenset[str]().union(*(argument.uses for argument in arguments))
    return _Text(f"if (const cudaError_t status = {call}) return status;", uses)
