"""The kernel's parameters in `main`: which are variables there, and what the launcher is called with."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from weft.cuda.device_code import KernelParameter
from weft.cuda.fresh_names import take
from weft.launch import Launch, Parameter
from weft.sizes import Size
from weft.types import Array, Scalar, Type


@dataclasses.dataclass(frozen=True)
class Variable:
    """A leaf that `main` holds in a variable. `place` is its name there, such as `state.time_step` for a
    member of a struct. `type` is the type of one element. An array has the `shape` of what is stored.

    `promised` says that the launch description stands for it: else the caller gives its shape. `memory` is
    the kind of the kernel's parameter: 'array', 'texture' or 'constant' for arrays.
    """

    name: str
    place: str
    c_type: str
    type: Type
    described: Parameter
    shape: tuple[Size, ...] | None
    promised: bool
    memory: str = "array"

    @property
    def is_array(self) -> bool:
        return self.shape is not None

    @property
    def declared(self) -> bool:
        """Whether it is a variable of its own, no member."""
        return "." not in self.place


@dataclasses.dataclass(frozen=True)
class Variables:
    """Arrays and values in the order of the signature; `structs` that hold arrays, by name and type; `axes`
    of the launch, by number of the dimension, and the variables that hold them.
    """

    arrays: list[Variable]
    values: list[Variable]
    structs: list[tuple[str, str]]
    axes: dict[int, str]
    names: frozenset[str]


def collect_variables(
    parameters: tuple[KernelParameter, ...], launch: Launch, taken: frozenset[str]
) -> Variables:
    """The variables of `main` for a kernel's parameters, under names that are none of `taken`."""
    collector = _Collector(launch, set(taken))
    for parameter in parameters:
        collector.add(parameter, None, "")
    return Variables(
        collector.arrays, collector.values, collector.structs, collector.axes, frozenset(collector.taken)
    )


class _Collector:
    def __init__(self, launch: Launch, taken: set[str]) -> None:
        self.launch = launch
        self.taken = taken
        self.arrays: list[Variable] = []
        self.values: list[Variable] = []
        self.structs: list[tuple[str, str]] = []
        self.axes: dict[int, str] = {}

    def add(self, parameter: KernelParameter, place: str | None, prefix: str) -> None:
        """Take in one parameter, or the member of a struct that lies at `place`."""
        match parameter.kind:
            case "array" | "texture" | "constant" if not self.launch.parameters[parameter.name].null:
                self.arrays.append(self._array(parameter, self._fresh(prefix + parameter.c_name)))
            case "value" if not follows_from_size(parameter, self.launch):
                self.values.append(self._value(parameter, place or self._fresh(parameter.c_name)))
            case "struct":
                path = place or self._fresh(parameter.c_name)
                if place is None:
                    self.structs.append((path, parameter.c_type))
                for member in parameter.members:
                    self.add(member, f"{path}.{member.c_name}", f"{prefix}{parameter.c_name}_")
            case "extent" if parameter.axis is not None and parameter.axis.leaf is None:
                if parameter.axis.number not in self.axes:
                    self.axes[parameter.axis.number] = self._fresh(parameter.c_name)

    def _fresh(self, name: str) -> str:
        return take(name, self.taken)

    def _array(self, parameter: KernelParameter, place: str) -> Variable:
        assert isinstance(parameter.type, Array)
        described = self.launch.parameters[parameter.name]
        return Variable(
            parameter.name,
            place,
            parameter.c_type,
            parameter.type.element,
            described,
            _stored_shape(described),
            parameter.name not in self.launch.inferred,
            parameter.kind,
        )

    def _value(self, parameter: KernelParameter, place: str) -> Variable:
        assert parameter.type is not None
        described = self.launch.parameters[parameter.name]
        promised = parameter.name not in self.launch.inferred
        return Variable(parameter.name, place, parameter.c_type, parameter.type, described, None, promised)


def _stored_shape(described: Parameter) -> tuple[Size, ...]:
    """The shape of an array's storage: one dimension where there are strides."""
    if not described.strides:
        return described.shape
    steps = [
        f"(({extent}) - 1) * ({stride})"
        for extent, stride in zip(described.shape, described.strides, strict=True)
        if stride not in (0, "0")
    ]
    return (" + ".join([*steps, "1"]),)


def follows_from_size(parameter: KernelParameter, launch: Launch) -> bool:
    """True for a number that follows from the base size: it is not drawn, and no file can change it."""
    promised = parameter.name not in launch.inferred and isinstance(parameter.type, Scalar)
    return promised and launch.parameters[parameter.name].size is not None


def all_parameters(parameters: Iterable[KernelParameter]) -> Iterator[KernelParameter]:
    """Parameters, and members of structs at any depth."""
    for parameter in parameters:
        yield parameter
        yield from all_parameters(parameter.members)
