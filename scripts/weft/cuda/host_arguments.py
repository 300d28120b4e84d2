"""What a launcher is called with, by `main` and by the judge's driver: one walk over its parameters."""

from __future__ import annotations

import abc
from collections.abc import Iterator

from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.host_variables import Variable, Variables
from weft.launch import Launch
from weft.sizes import Size


class Caller(abc.ABC):
    """Says how the caller writes each kind of argument."""

    def __init__(self, device: DeviceCode, launch: Launch, variables: Variables) -> None:
        self.device = device
        self.launch = launch
        self.variables = variables
        self.known = {one.name: one for one in (*variables.arrays, *variables.values)}

    @abc.abstractmethod
    def array(self, variable: Variable) -> str:
        """The pointer to an array on the device."""

    @abc.abstractmethod
    def texture(self, variable: Variable) -> str:
        """The texture object over an array."""

    @abc.abstractmethod
    def value(self, variable: Variable) -> str:
        """What is passed by value."""

    @abc.abstractmethod
    def extent(self, variable: Variable, axis: Axis) -> str:
        """An extent, or a stride, that only the array itself tells."""

    @abc.abstractmethod
    def dimension(self, parameter: KernelParameter, axis: int) -> str:
        """An extent of the launch that nobody described."""

    @abc.abstractmethod
    def number(self, parameter: KernelParameter, size: Size) -> str:
        """A number that follows from the base size."""

    def arguments(self) -> list[str]:
        """The arguments of the launcher, in their order."""
        return [self.argument(one) for one in self.device.parameters]

    def assignments(self) -> Iterator[tuple[str, str, KernelParameter]]:
        """Place, value and parameter of each member of the structs that hold arrays."""
        structs = [one for one in self.device.parameters if one.kind == "struct"]
        for parameter, (place, _) in zip(structs, self.variables.structs, strict=True):
            yield from self._members(parameter, place)

    def _members(self, struct: KernelParameter, place: str) -> Iterator[tuple[str, str, KernelParameter]]:
        for member in struct.members:
            here = f"{place}.{member.c_name}"
            if member.kind == "struct":
                yield from self._members(member, here)
            else:
                yield here, self.argument(member), member

    def argument(self, parameter: KernelParameter) -> str:
        """What the launcher gets for a parameter, or for a member of a struct."""
        variable, axis = self.known.get(parameter.name), parameter.axis
        match parameter.kind:
            case "struct":
                structs = [one for one in self.device.parameters if one.kind == "struct"]
                return self.variables.structs[structs.index(parameter)][0]
            case "array":
                return "nullptr" if variable is None else self.array(variable)
            case "texture":
                assert variable is not None
                return self.texture(variable)
            case "extent" if axis is not None and axis.leaf is not None:
                return self.extent(self.known[axis.leaf], axis) if axis.leaf in self.known else "0"
            case "extent" if axis is not None:
                return self.dimension(parameter, axis.number)
            case "extent":
                assert parameter.size is not None
                return self.number(parameter, parameter.size)
            case _ if variable is not None:
                return self.value(variable)
            case _:
                recipe = self.launch.parameters[parameter.name].values
                assert recipe is not None
                return self.number(parameter, recipe.arguments)
