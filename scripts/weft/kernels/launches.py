"""Programs of several launches: their kernels share arrays, and steps say which runs when, on what.

Names of the whole program are those of its parameters; what a kernel takes beside the arrays that it is given
becomes a parameter of the program under the kernel's own name for it, or another if that is taken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from weft.concepts import concepts_of_launches
from weft.kernels import passes, rewrite, tidy
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.launched import Launched, Parallel, Repeated, Step
from weft.kernels.program import GeneratedProgram, Parameter, Undefined
from weft.types import Array, Type


@dataclasses.dataclass(slots=True, eq=False)
class Part:
    """A kernel of the program under construction, and what its parameters are in the program."""

    whole: Builder
    k: Builder
    given: dict[str, str] = dataclasses.field(default_factory=dict)

    def use(
        self, name: str, shared: Parameter, role: str = "in", values: dict[str, Any] | None = None
    ) -> ArrayHandle:
        """An array of the program as the kernel sees it; `values` bound what is in it by then."""
        assert isinstance(shared.type, Array)
        recipe = None if role == "out" else values or shared.values or {"uniform": [-1.0, 1.0]}
        handle = self.k.array(name, shared.type.element, shared.shape, recipe, role)
        self.given[handle.parameter.name] = shared.name
        return handle


def shared(
    k: Builder,
    name: str,
    element: Type,
    shape: list[str],
    values: dict[str, Any] | None = None,
    role: str = "in",
) -> Parameter:
    """An array of the whole program."""
    return k.array(name, element, shape, values, role).parameter


def kernel(k: Builder, name: str, write: Callable[[Part], None]) -> Callable[..., Launched]:
    """A kernel of the program, written by `write`; the result makes a launch of it.

    A launch may name other arrays of the program for some of the kernel's.
    """
    inner = Builder(k.fresh(name), k.rng, k.policy)
    inner.real, inner.dimension, inner.in_struct = k.real, k.dimension, False
    inner.sizes, inner.drawn = k.sizes, k.drawn
    part = Part(k, inner)
    write(part)
    tidy.apply(inner)
    rewrite.apply(inner)
    program = inner.program()
    program.facts = passes.check(program)
    k.parts.append(program)
    k.formulas += inner.formulas
    for parameter in program.parameters:
        if parameter.name not in part.given:
            part.given[parameter.name] = _lifted(k, parameter)

    def launch(**other: Parameter) -> Launched:
        unknown = other.keys() - part.given.keys()
        if unknown:
            raise Undefined(f"{name} takes no {', '.join(sorted(unknown))}")
        return Launched(program, part.given | {key: one.name for key, one in other.items()})

    return launch


def _lifted(k: Builder, parameter: Parameter) -> str:
    """The program's parameter for one that a kernel brings: an equal input of the same name is the same."""
    for one in k.parameters:
        if one.role == parameter.role == "in" and _alike(one, parameter):
            return one.name
    copy = dataclasses.replace(parameter, name=k.fresh(parameter.name))
    k.parameters.append(copy)
    return copy.name


def _alike(one: Parameter, other: Parameter) -> bool:
    return (one.name, one.type, one.shape, one.values) == (other.name, other.type, other.shape, other.values)


def finish(k: Builder, doc: str, *steps: Step) -> None:
    """The program is these steps."""
    k.steps += steps
    k.doc = f"{doc}."


def concepts(program: GeneratedProgram) -> list[str]:
    """The concepts of a program of several launches."""
    launches = [(one.part.facts, one.arguments) for one in _launched(program.steps)]
    repeated = any(isinstance(one, Repeated) for one in program.steps)
    return concepts_of_launches([(facts, given) for facts, given in launches if facts], repeated=repeated)


def _launched(steps: Sequence[Step]) -> Iterator[Launched]:
    """All launches, those that are repeated once."""
    for step in steps:
        match step:
            case Launched():
                yield step
            case Repeated(steps=inner):
                yield from _launched(inner)
            case Parallel(branches=branches):
                for branch in branches:
                    yield from _launched(branch)
