"""The host part of a program: launcher, buffers, options and `main` round the device code."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from weft.cuda import host_names
from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.host_inputs import RANDOM, UNIFORM_DOUBLE, Filler, Target
from weft.cuda.host_launcher import write_launcher
from weft.cuda.host_layout import layout, packed_members
from weft.cuda.host_sizes import FLOOR_DIV, FLOOR_MOD, MAXIMUM, MINIMUM, may_exceed, may_overflow, print_size
from weft.cuda.host_variables import Variable, all_parameters, collect_variables
from weft.cuda.names import local_name
from weft.cuda.sizes import canonical_size
from weft.cuda.templates import environment
from weft.launch import Launch, parse_launch
from weft.launch_sequence import kernel_steps
from weft.leaves import leaves
from weft.sizes import Size, size_names
from weft.types import Scalar, Structs, parse_type

INCLUDES = frozenset(
    {
        "<cuda_runtime.h>",
        "<climits>",
        "<cstdint>",
        "<cstdio>",
        "<cstdlib>",
        "<cstring>",
        "<initializer_list>",
        "<string>",
        "<vector>",
    }
)


@dataclasses.dataclass(frozen=True)
class Draft:
    """A program in its three parts. `host` has its layout from the templates, which are written in the
    style of all programs; `device` and `main` have yet to be formatted. `kernel` is the kernel's name in
    C++, `constant_bytes` what its tables need of the constant memory.
    """

    kernel: str
    includes: frozenset[str]
    device: str
    host: str
    main: str
    constant_bytes: int = 0


def write_program(record: Mapping[str, Any], device: DeviceCode) -> Draft:
    """The whole program of a record, and the headers that it includes."""
    program = _Program(record, device)
    context = program.context()
    device_part, host_part, main_part = (
        environment().get_template(f"{name}.cu.j2").render(context) for name in ("device", "host", "main")
    )
    includes = INCLUDES | device.includes | (program.launcher.includes if program.launcher else frozenset())
    if program.calls & {MINIMUM, MAXIMUM} or "permutation" in program.filler.uses:
        includes |= {"<algorithm>"}
    if program.padded:
        includes |= {"<cstddef>"}
    return Draft(device.kernel_c_name, includes, device_part, host_part, main_part, device.constant_bytes)


@dataclasses.dataclass(frozen=True)
class _Array:
    """What the templates print of an array; `members` is the name of the table of its struct's members."""

    name: str
    local: str
    type: str
    c_type: str
    filled: bool
    memory: str
    shape: list[str]
    members: str | None


@dataclasses.dataclass(frozen=True)
class _Value:
    """What the templates print of a value; `initial` is the number that it starts with, if it is known."""

    declared: bool
    local: str
    c_type: str
    initial: str | None


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
        signature = [(entry["name"], parse_type(entry["type"])) for entry in record["signature"]]
        self.positions = {name: i for i, (name, _) in enumerate(leaves(signature, self.structs))}
        self.launcher = None if device.launcher else write_launcher(device, self.launch)
        taken = host_names.MAIN_LOCALS | host_names.TOP_LEVEL | {section.name for section in device.types}
        taken |= {device.kernel_c_name, f"launch_{device.kernel_c_name}"}
        taken |= {table.c_name for table in device.tables}
        self.variables = collect_variables((*device.parameters, *device.tables), self.launch, taken)
        self.places = {v.name: v.place for v in (*self.variables.arrays, *self.variables.values)}
        self.sizes: dict[str, str] = {}
        for name in ("n", *self.launch.sizes):
            others = {*self.variables.names, *self.sizes.values()}
            self.sizes[name] = host_names.fresh_size(local_name(name, set()), others)
        self.textures = {
            variable.name: host_names.fresh(f"{variable.place}_texture", self.variables.names)
            for variable in self.variables.arrays
            if variable.memory == "texture"
        }
        self.wide = self._needs_wide_sizes()
        self.calls: set[str] = set()
        self.padded: dict[str, str] = {}
        self.used_sizes: set[str] = set()
        self.filler = Filler(self.structs, device.struct_fields, self.size)

    def size(self, size: Size) -> str:
        """A size expression in the variables of `main`."""
        printed = print_size(size, self.sizes, wide=self.wide)
        self.calls |= printed.calls
        self.used_sizes |= size_names(size)
        return printed.text

    def context(self) -> dict[str, Any]:
        """The variables of the templates."""
        arrays, values = self.variables.arrays, self.variables.values
        dims = [self.size(dim) for dim in self.launch.dims] if self.launch.inferred_dims else []
        undrawn = [v.name for v in (*arrays, *values) if v.described.role != "out" and not v.described.values]
        for variable in (*arrays, *values):
            self._member_table(variable)
        printed_arrays = [self._array(variable) for variable in arrays]
        draws = [] if undrawn else [line for v in (*arrays, *values) for line in self._draw(v)]
        reads = [self._read(variable) for variable in (*arrays, *values)]
        arguments = [self._argument(parameter) for parameter in self.device.parameters]
        axes = [parameter.axis for parameter in all_parameters(self.device.parameters) if parameter.axis]
        return {
            "kernel": self.device.kernel_c_name,
            "description": " ".join(self.record["description"].split()).rstrip("\\"),
            "definitions": self.device.definitions.strip("\n"),
            "kernel_text": self.device.kernel.strip("\n"),
            "launcher": self.launcher,
            "launcher_text": self.device.launcher,
            "arrays": printed_arrays,
            "values": [self._value(variable) for variable in values],
            "structs": self.variables.structs,
            "draws": draws,
            "reads": reads,
            "reads_values": bool(values),
            "undrawn": undrawn[0] if undrawn else None,
            "assignments": [
                line
                for parameter in self.device.parameters
                if parameter.kind == "struct"
                for line in self._assignments(parameter, self._place(parameter))
            ],
            "arguments": arguments,
            "tables": [(table.c_name, self._known(table.name)) for table in self.device.tables],
            "textures": [self._texture(v) for v in arrays if v.memory == "texture"],
            "texture_ranks": {len(v.described.shape) for v in arrays if v.memory == "texture"},
            "dims": [(i, self.variables.axes.get(i), dim) for i, dim in enumerate(dims)],
            "held": self._held(),
            "equal": [
                (self._known(other.leaf), other.number, self._argument(one))
                for one in self.device.parameters
                for other in one.others
                if other.leaf is not None
            ],
            "growing": [self.size(size) for size in self._growing()],
            "sizes": self._size_definitions(),
            "size_type": "int64_t" if self.wide else "int",
            "members": [
                {
                    "c_name": c_name,
                    "table": table,
                    "members": packed_members(c_name, self.device.struct_fields),
                }
                for c_name, table in self.padded.items()
            ],
            "random": sorted(self.filler.uses & {*RANDOM, UNIFORM_DOUBLE, "skip"}),
            "fill": "fill" in self.filler.uses,
            "set_values": "set_values" in self.filler.uses,
            "floor": sorted(self.calls & {FLOOR_DIV, FLOOR_MOD}),
            "fills": any(variable.described.role == "out" for variable in arrays),
            "loads": any(not variable.promised for variable in arrays),
            "optional": any(v.promised and v.described.role == "out" for v in arrays),
            "extents": any(axis.leaf and not axis.stride for axis in axes),
            "strides": any(axis.leaf and axis.stride for axis in axes),
        }

    def _held(self) -> list[str]:
        """The values at which the launch ends along its axes, 0 for none; nothing if there are none."""
        values = [one for one in self.device.parameters if one.kind == "value" and one.axis is not None]
        held = {one.axis.number: self.places[one.name] for one in values if one.axis is not None}
        return [held.get(axis, "0") for axis in range(len(self.launch.dims))] if held else []

    def _array(self, variable: Variable) -> _Array:
        assert variable.shape is not None
        return _Array(
            name=variable.name,
            local=variable.place,
            type=str(variable.type),
            c_type=variable.c_type,
            filled=variable.promised and variable.described.role == "out",
            memory=variable.memory,
            shape=[self.size(extent) for extent in variable.shape],
            members=self._member_table(variable),
        )

    def _value(self, variable: Variable) -> _Value:
        return _Value(variable.declared, variable.place, variable.c_type, self._initial(variable))

    def _initial(self, variable: Variable) -> str | None:
        """The value that a number starts with, if its recipe is one; None for what is drawn."""
        recipe = variable.described.values
        if recipe is None or recipe.kind not in ("constant", "size") or not isinstance(variable.type, Scalar):
            return None
        return self.filler.literal(variable.type, recipe)

    def _member_table(self, variable: Variable) -> str | None:
        """Name of the table of members of a struct with padding, None for other types."""
        if not layout(variable.type, variable.c_type, self.device.struct_fields).padded:
            return None
        return self.padded.setdefault(variable.c_type, f"{variable.c_type}_members")

    def _draw(self, variable: Variable) -> list[str]:
        recipe = variable.described.values
        if recipe is None:
            # A file replaces an array whose shape nobody promises: only without one it is filled.
            loaded = variable.is_array and not variable.promised
            return [f"{variable.place}.fill(options.fill);"] if loaded else []
        initial = self._initial(variable) if not variable.is_array else None
        if initial is not None:
            return [] if variable.declared else [f"{variable.place} = {initial};"]
        target = Target(variable.type, variable.c_type, variable.place, self.positions[variable.name])
        return self.filler.array(target, recipe) if variable.is_array else self.filler.value(target, recipe)

    def _read(self, variable: Variable) -> str:
        place = variable.place
        if variable.is_array:
            if not variable.promised:
                return f"{place}.read_any_shape(options.inputs);"
            optional = variable.described.role == "out"
            return f"{place}.{'read_if_given' if optional else 'read'}(options.inputs);"
        table = self._member_table(variable)
        layout_text = f"sizeof({place})"
        if self.padded:
            layout_text = table or f"{{{{0, {layout_text}}}}}"
        return f'read_value(options.inputs, "{variable.name}", "{variable.type}", &{place}, {layout_text});'

    def _place(self, parameter: KernelParameter) -> str:
        """The variable of a struct that holds arrays."""
        number = [p for p in self.device.parameters if p.kind == "struct"].index(parameter)
        return self.variables.structs[number][0]

    def _known(self, leaf: str) -> str:
        """The variable of an array."""
        return next(variable.place for variable in self.variables.arrays if variable.name == leaf)

    def _texture(self, variable: Variable) -> tuple[str, str, list[str]]:
        """Element type and name of a texture's variable, and what it is made of."""
        extents = [self.size(extent) for extent in variable.described.shape]
        shape = [f"{variable.place}.count()"] if len(extents) == 1 else extents
        return variable.c_type, self.textures[variable.name], [f"{variable.place}.device()", *shape]

    def _argument(self, parameter: KernelParameter) -> str:
        """What the launcher gets for a parameter, or a member of a struct."""
        known = self.places
        match parameter.kind:
            case "struct":
                return self._place(parameter)
            case "array":
                return f"{known[parameter.name]}.device()" if parameter.name in known else "nullptr"
            case "texture":
                return f"{self.textures[parameter.name]}.object()"
            case "extent" if parameter.axis is not None:
                axis = parameter.axis
                if axis.leaf is None:
                    return self.variables.axes[axis.number]
                method = "stride" if axis.stride else "extent"
                return f"{known[axis.leaf]}.{method}({axis.number})" if axis.leaf in known else "0"
            case "extent":
                assert parameter.size is not None
                return self.size(parameter.size)
            case _ if parameter.name in known:
                return known[parameter.name]
            case _:
                recipe = self.launch.parameters[parameter.name].values
                assert recipe is not None
                return self.size(recipe.arguments)

    def _assignments(self, struct: KernelParameter, place: str) -> list[str]:
        """Statements for the members that are neither drawn nor read: pointers, extents, sizes."""
        drawn = {variable.name for variable in self.variables.values}
        lines = []
        for member in struct.members:
            here = f"{place}.{member.c_name}"
            if member.kind == "struct":
                lines += self._assignments(member, here)
            elif member.name not in drawn:
                lines.append(f"{here} = {self._argument(member)};")
        return lines

    def _int_sizes(self) -> list[Size]:
        """The sizes that are ints in the kernel or in `main`: named ones, launch dimensions, parameters."""
        steps = kernel_steps(self.launch.steps)
        dims = (
            *(self.device.covered_dims or self.launch.dims),
            *(dim for step in steps for dim in step.dims),
        )
        parameters = [one.size for one in all_parameters(self.device.parameters) if one.size is not None]
        return [*self.launch.sizes.values(), *dims, *parameters]

    def _needs_wide_sizes(self) -> bool:
        """Whether sizes have to be computed in 64 bits."""
        shapes = [extent for variable in self.variables.arrays for extent in variable.shape or ()]
        return any(may_overflow(size, self.launch.sizes) for size in (*self._int_sizes(), *shapes))

    def _growing(self) -> list[Size]:
        """Sizes that can be too large for an int where the base size is not, each once."""
        known = self.launch.sizes
        named = {size: name for name, size in reversed(list(known.items()))}
        sizes = [canonical_size(size, known) for size in self._int_sizes() if may_exceed(size, known)]
        return list(dict.fromkeys(named.get(size, size) for size in sizes))

    def _size_definitions(self) -> list[tuple[str, str]]:
        """Variables of the sizes that the program uses, in order of definition."""
        definitions: list[tuple[str, str]] = []
        for name, size in reversed(list(self.launch.sizes.items())):
            if name in self.used_sizes:
                definitions.append((self.sizes[name], self.size(size)))
        if "n" in self.used_sizes:
            definitions.append((self.sizes["n"], "options.size" if self.wide else "int(options.size)"))
        return definitions[::-1]
