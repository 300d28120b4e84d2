"""The host part of a program: launcher, buffers, options and `main` round the device code."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import jinja2

from weft.cuda import host_names
from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.host_inputs import RANDOM, Filler, Target
from weft.cuda.host_launcher import write_launcher
from weft.cuda.host_layout import layout, packed_members
from weft.cuda.host_sizes import FLOOR_DIV, FLOOR_MOD, MAXIMUM, MINIMUM, print_size
from weft.errors import KernelError
from weft.launch import Launch, Recipe, parse_launch
from weft.sizes import Size, size_names
from weft.types import Array, Scalar, Structs, Type, parse_type

INCLUDES = frozenset(
    {
        "<cuda_runtime.h>",
        "<climits>",
        "<cstdint>",
        "<cstdio>",
        "<cstdlib>",
        "<cstring>",
        "<initializer_list>",
        "<vector>",
    }
)


@dataclasses.dataclass(frozen=True)
class Variable:
    """A kernel parameter as a variable of `main`: `local` is its name there, `type` that of one element."""

    name: str
    local: str
    c_type: str
    type: Type
    role: str
    shape: tuple[str, ...] = ()
    members: str | None = None
    initial: str | None = None


@dataclasses.dataclass(frozen=True)
class Draft:
    """A program in its three parts. `host` has its layout from the templates, which are written in the
    style of all programs; `device` and `main` have yet to be formatted. `kernel` is the kernel's name in
    C++.
    """

    kernel: str
    includes: frozenset[str]
    device: str
    host: str
    main: str


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of programs and libraries."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("weft.cuda"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def write_program(record: Mapping[str, Any], device: DeviceCode) -> Draft:
    """The whole program of a record, and the headers that it includes.

    Raises KernelError for a kernel without arrays.
    """
    program = _Program(record, device)
    context = program.context()
    device_part, host_part, main_part = (
        environment().get_template(f"{name}.cu.j2").render(context) for name in ("device", "host", "main")
    )
    includes = INCLUDES | device.includes
    if program.calls & {MINIMUM, MAXIMUM} or "permutation" in program.filler.uses:
        includes |= {"<algorithm>"}
    if program.padded:
        includes |= {"<cstddef>"}
    return Draft(device.kernel_c_name, includes, device_part, host_part, main_part)


class _Program:
    """Collects what the templates print, and which helper functions that takes."""

    def __init__(self, record: Mapping[str, Any], device: DeviceCode) -> None:
        self.record = record
        self.device = device
        self.launch: Launch = parse_launch(record["launch"], record["kernel_name"])
        self.structs: Structs = {
            struct["name"]: [(field["name"], parse_type(field["type"])) for field in struct["fields"]]
            for struct in record["structs"]
        }
        self.positions = {entry["name"]: i for i, entry in enumerate(record["signature"])}
        self.calls: set[str] = set()
        self.padded: dict[str, str] = {}
        self.launcher_name = f"launch_{device.kernel_c_name}"
        taken = host_names.MAIN_LOCALS | host_names.TOP_LEVEL | set(device.struct_fields)
        taken |= {device.kernel_c_name, self.launcher_name}
        self.locals = {
            parameter.name: host_names.fresh(parameter.c_name, taken)
            for parameter in device.parameters
            if parameter.kind == "array" or (parameter.kind == "value" and not self._is_size(parameter))
        }
        taken |= set(self.locals.values())
        self.sizes = {name: host_names.fresh_size(name, taken) for name in ("n", *self.launch.sizes)}
        self.used_sizes: set[str] = set()
        self.filler = Filler(self.structs, device.struct_fields, self.size)

    def size(self, size: Size) -> str:
        """A size expression in the variables of `main`."""
        printed = print_size(size, self.sizes)
        self.calls |= printed.calls
        self.used_sizes |= size_names(size)
        return printed.text

    def context(self) -> dict[str, Any]:
        """The variables of the templates."""
        arrays = [self._array(parameter) for parameter in self.device.parameters if parameter.kind == "array"]
        if not arrays:
            raise KernelError("unsupported", "the kernel has no array parameter: nothing can come out of it")
        values = [
            self._value(parameter)
            for parameter in self.device.parameters
            if parameter.kind == "value" and not self._is_size(parameter)
        ]
        return {
            "kernel": self.device.kernel_c_name,
            "description": " ".join(self.record["description"].split()).rstrip("\\"),
            "definitions": self.device.definitions.strip("\n"),
            "kernel_text": self.device.kernel.strip("\n"),
            "launcher": write_launcher(self.device, self.launch),
            "arrays": arrays,
            "values": values,
            "draws": [line for variable in (*arrays, *values) for line in self._draw(variable)],
            "reads": [self._read(variable) for variable in (*arrays, *values) if variable.role != "out"],
            "arguments": [self._argument(parameter) for parameter in self.device.parameters],
            "sizes": self._size_definitions(),
            "members": [
                {
                    "c_name": c_name,
                    "table": table,
                    "members": packed_members(c_name, self.device.struct_fields),
                }
                for c_name, table in self.padded.items()
            ],
            "random": sorted(self.filler.uses & {*RANDOM, "skip"}),
            "fill": "fill" in self.filler.uses,
            "floor": sorted(self.calls & {FLOOR_DIV, FLOOR_MOD}),
        }

    def _recipe(self, parameter: KernelParameter | Variable) -> Recipe | None:
        return self.launch.parameters[parameter.name].values

    def _is_size(self, parameter: KernelParameter) -> bool:
        """True for a number that follows from the base size: it is not drawn, and no file can change it."""
        recipe = self._recipe(parameter)
        return isinstance(parameter.type, Scalar) and recipe is not None and recipe.kind == "size"

    def _array(self, parameter: KernelParameter) -> Variable:
        assert isinstance(parameter.type, Array)
        described = self.launch.parameters[parameter.name]
        return Variable(
            name=parameter.name,
            local=self.locals[parameter.name],
            c_type=parameter.c_type,
            type=parameter.type.element,
            role=described.role,
            shape=tuple(self.size(extent) for extent in described.shape),
            members=self._member_table(parameter.type.element, parameter.c_type),
        )

    def _value(self, parameter: KernelParameter) -> Variable:
        assert parameter.type is not None
        recipe = self._recipe(parameter)
        initial = None
        if isinstance(parameter.type, Scalar) and recipe is not None and recipe.kind == "constant":
            initial = self.filler.literal(parameter.type, recipe)
        return Variable(
            name=parameter.name,
            local=self.locals[parameter.name],
            c_type=parameter.c_type,
            type=parameter.type,
            role="in",
            members=self._member_table(parameter.type, parameter.c_type),
            initial=initial,
        )

    def _member_table(self, type: Type, c_type: str) -> str | None:
        """Name of the table of members of a struct with padding, None for other types."""
        if not layout(type, c_type, self.device.struct_fields).padded:
            return None
        return self.padded.setdefault(c_type, f"{c_type}_members")

    def _draw(self, variable: Variable) -> list[str]:
        recipe = self._recipe(variable)
        if variable.role == "out" or variable.initial is not None:
            return []
        if recipe is None:
            raise KernelError("unsupported", f"parameter {variable.name!r} has no recipe for its values")
        target = Target(variable.type, variable.c_type, variable.local, self.positions[variable.name])
        return self.filler.array(target, recipe) if variable.shape else self.filler.value(target, recipe)

    def _read(self, variable: Variable) -> str:
        if variable.shape:
            return f"{variable.local}.read(options.inputs);"
        size = f"sizeof({variable.local})"
        place = f'options.inputs, "{variable.name}", "{variable.type}", &{variable.local}'
        if self.padded:
            return f"read_array({place}, 1, {size}, {variable.members or f'{{{{0, {size}}}}}'});"
        return f"read_array({place}, {size});"

    def _argument(self, parameter: KernelParameter) -> str:
        if parameter.kind == "array":
            return f"{self.locals[parameter.name]}.device()"
        if parameter.kind == "extent":
            assert parameter.size is not None
            return self.size(parameter.size)
        if parameter.name in self.locals:
            return self.locals[parameter.name]
        recipe = self._recipe(parameter)
        assert recipe is not None
        return self.size(recipe.arguments)

    def _size_definitions(self) -> list[tuple[str, str]]:
        """Variables of the sizes that the program uses, in order of definition."""
        definitions: list[tuple[str, str]] = []
        for name, size in reversed(list(self.launch.sizes.items())):
            if name in self.used_sizes:
                definitions.append((self.sizes[name], self.size(size)))
        if "n" in self.used_sizes:
            definitions.append((self.sizes["n"], "int(options.size)"))
        return definitions[::-1]
