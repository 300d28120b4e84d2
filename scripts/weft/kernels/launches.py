"""Programs of several launches: their kernels share arrays, and steps say which runs when, on what.

Names of the whole program are those of its parameters; what a kernel takes beside the arrays that it is given
becomes a parameter of the program under the kernel's own name for it, or another if that is taken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from weft.kernels import passes, rewrite, tidy
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.launched import Launched, Step
from weft.kernels.program import GeneratedProgram, Parameter, Undefined
from weft.types import Array, Type

LEVELS = ("easy", "medium", "hard", "expert")


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
    program.difficulty = passes.level(program, passes.check(program))
    k.parts.append(program)
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
    """The program is these steps; as hard as its hardest kernel, and a level more if it has many."""
    k.steps += steps
    k.doc = f"{doc}."


def difficulty(program: GeneratedProgram) -> str:
    """The level of a program of several launches."""
    hardest = max(LEVELS.index(one.difficulty) for one in program.parts)
    return LEVELS[min(hardest + (len(program.parts) > 2), len(LEVELS) - 1)]
