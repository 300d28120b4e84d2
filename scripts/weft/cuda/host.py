"""The host part of a program: the launcher, `main`, and what callers have to know of the launcher."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from weft.cuda import host_names
from weft.cuda.c_types import HALVES, c_type
from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.host_arguments import Caller
from weft.cuda.host_inputs import Filler
from weft.cuda.host_launcher import write_launcher
from weft.cuda.host_layout import layout
from weft.cuda.host_sizes import print_size
from weft.cuda.host_variables import Variable, Variables, collect_variables
from weft.cuda.interface import write_interface
from weft.cuda.names import local_name
from weft.cuda.sizes import canonical_size
from weft.cuda.templates import environment
from weft.launch import Launch, parse_launch
from weft.leaves import leaves, structs_of
from weft.recipes import MAIN_SEED, MAIN_SIZE
from weft.sizes import Size, evaluate_size, parse_size, size_names, size_text
from weft.types import component_scalars, parse_type

INT_MAX = 2**31 - 1
INCLUDES = frozenset({"<cuda_runtime.h>", "<cstdint>", "<cstdio>", "<cstdlib>"})


@dataclasses.dataclass(frozen=True)
class Draft:
    """A program in two parts that have yet to be formatted: `device`, with the launcher, and `main`.

    `kernel` is the kernel's name in C++, `constant_bytes` what its tables need of the constant memory, and
    `interface` what callers of the launcher have to know (weft.cuda.interface).
    """

    kernel: str
    includes: frozenset[str]
    device: str
    main: str
    interface: Mapping[str, Any]
    constant_bytes: int = 0


def write_program(record: Mapping[str, Any], device: DeviceCode) -> Draft:
    """The whole program of a record, and the headers that it includes."""
    launch = parse_launch(record["launch"], record["kernel_name"])
    launcher = None if device.launcher else write_launcher(device, launch)
    kernel = device.kernel_c_name
    context = {
        "kernel": kernel,
        "description": _description(record, device),
        "definitions": device.definitions.strip("\n"),
        "kernel_text": device.kernel.strip("\n"),
        "launcher": launcher,
        "launcher_text": device.launcher,
    }
    taken = host_names.MAIN_LOCALS | host_names.TOP_LEVEL | {section.name for section in device.types}
    taken |= {kernel, f"launch_{kernel}", *(table.c_name for table in device.tables)}
    variables = collect_variables((*device.parameters, *device.tables), launch, taken)
    main = _Main(record, device, launch, variables)
    main_text = environment().get_template("main.cu.j2").render(main.context())
    return Draft(
        kernel,
        INCLUDES | device.includes | main.includes | (launcher.includes if launcher else frozenset()),
        environment().get_template("device.cu.j2").render(context),
        main_text,
        write_interface(record, device, launch, variables),
        device.constant_bytes,
    )


def _description(record: Mapping[str, Any], device: DeviceCode) -> str:
    """What a program computes; nothing where the comment of its kernel says so."""
    description = " ".join(record["description"].split()).rstrip("\\")
    said = " ".join(
        " ".join(line.lstrip("/ ") for line in one.comment.splitlines()) for one in device.kernels
    )
    return "" if description in said else description


class _Main(Caller):
    """Collects what the template prints: `main` runs the launch of one case, of MAIN_SIZE and MAIN_SEED."""

    def __init__(
        self, record: Mapping[str, Any], device: DeviceCode, launch: Launch, variables: Variables
    ) -> None:
        super().__init__(device, launch, variables)
        self.structs = structs_of(record)
        self.sizes: dict[str, str] = {}
        for name in ("n", *launch.sizes):
            others = {*self.variables.names, *self.sizes.values()}
            self.sizes[name] = host_names.fresh_size(local_name(name, set()), others)
        self.used_sizes: set[str] = set()
        self.includes: frozenset[str] = frozenset()
        signature = [(entry["name"], parse_type(entry["type"])) for entry in record["signature"]]
        positions = {name: number for number, (name, _) in enumerate(leaves(signature, self.structs))}
        self.filler = Filler(
            self.structs,
            device.struct_fields,
            positions,
            self.size,
            self._evaluate,
            self._local,
            [*self._filled(), *self.variables.values],
        )

    def size(self, size: Size) -> str:
        """A size expression in the variables of `main`, which are constants; its value where that would take
        calls, or more than an int on the way.
        """
        try:
            printed = print_size(canonical_size(size, {}), self.sizes)
        except KeyError:
            printed = None
        if printed is None or printed.calls or not self._fits_int(size):
            return str(self._evaluate(size))
        self.used_sizes |= size_names(size)
        return printed.text

    def _evaluate(self, size: Size) -> int:
        return evaluate_size(size, self.launch.named_sizes(MAIN_SIZE))

    def _fits_int(self, size: Size) -> bool:
        parts = (one for one in ast.walk(parse_size(size)) if isinstance(one, ast.BinOp))
        return all(abs(self._evaluate(size_text(one))) <= INT_MAX for one in parts)

    def context(self) -> dict[str, Any]:
        """The variables of the template."""
        arrays = [(one.c_type, f"{one.place}({self._count(one)})") for one in self.variables.arrays]
        body = [
            *self._values(),
            *self._fills(),
            *self._uploads(),
            *self._tables(),
            *self._textures(),
            *self._structs(),
            self._launch(),
            *self._ends(),
        ]
        if "random_permutation" in self.filler.uses:
            self.includes |= {"<algorithm>", "<utility>", "<vector>"}
        outputs = self._outputs()
        return {
            "seed": MAIN_SEED,
            "sizes": [("int", self._sizes())] if self.used_sizes else [],
            "arrays": _grouped(arrays),
            "body": body,
            "uses": self.filler.uses,
            "real": self.filler.real,
            "integer": self.filler.integer,
            "uploads": any("upload()" in line for line in body),
            "prints": bool(outputs),
            "halves": sorted(
                {
                    c_type(scalar)
                    for one in outputs
                    if self._is_flat(one)
                    for scalar in component_scalars(one.type, self.structs)
                    if scalar.name in HALVES
                }
            ),
            "texture_ranks": {len(v.described.shape) for v in self.variables.arrays if v.memory == "texture"},
        }

    def _launch(self) -> str:
        return f"CUDA_CHECK(launch_{self.device.kernel_c_name}({', '.join(self.arguments())}));"

    def _count(self, variable: Variable) -> str:
        assert variable.shape is not None
        return self.size(" * ".join(f"({size})" for size in variable.shape))

    def _sizes(self) -> list[str]:
        known = self.launch.named_sizes(MAIN_SIZE)
        return [f"{local} = {known[name]}" for name, local in self.sizes.items() if name in self.used_sizes]

    def _filled(self) -> list[Variable]:
        """Arrays that hold something before the launch."""
        return [one for one in self.variables.arrays if one.described.role != "out"]

    def _outputs(self) -> list[Variable]:
        return [one for one in self.variables.arrays if one.memory == "array" and one.described.role != "in"]

    def _values(self) -> Iterator[str]:
        for name, struct in self.variables.structs:
            yield f"{struct} {name}{{}};"
        for one in self.variables.values:
            initial = self.filler.initial(one)
            if initial is not None:
                yield (
                    f"const {one.c_type} {one.place} = {initial};"
                    if one.declared
                    else f"{one.place} = {initial};"
                )
                continue
            if one.declared:
                yield f"{one.c_type} {one.place}{{}};"
            yield from self.filler.value(one)

    def _fills(self) -> Iterator[str]:
        """Loops that fill arrays: one for all of as many elements."""
        loops: dict[str, tuple[str, list[str]]] = {}
        for one in self._filled():
            yield from self.filler.whole(one)
            count, statements = self.filler.elements(one)
            if statements:
                length = count.replace(f"{one.place}.count", self._count(one))
                loops.setdefault(length, (count, []))[1].extend(statements)
        for count, statements in loops.values():
            lines = statements if len(statements) == 1 else ["{", *statements, "}"]
            yield from (f"for (size_t i = 0; i < {count}; ++i)", *lines)

    def _uploads(self) -> Iterator[str]:
        """Copies to the device, those of a type together."""
        arrays = [
            (one.c_type, one.place)
            for one in self.variables.arrays
            if one.memory == "array" or (one.memory == "texture" and len(one.described.shape) == 1)
        ]
        for _, places in _grouped(arrays):
            if len(places) < 3:
                yield from (f"{place}.upload();" for place in places)
            else:
                self.includes |= {"<initializer_list>"}
                yield f"for (auto* array : {{{', '.join(f'&{one}' for one in places)}}}) array->upload();"

    def _tables(self) -> Iterator[str]:
        for table in self.device.tables:
            place = self.known[table.name].place
            yield f"CUDA_CHECK(cudaMemcpyToSymbol({table.c_name}, {place}.host, sizeof({table.c_name})));"

    def _textures(self) -> Iterator[str]:
        for one in self.variables.arrays:
            if one.memory == "texture":
                yield from self._texture(
                    one.place, one.c_type, [self.size(size) for size in one.described.shape]
                )

    def _texture(self, place: str, c_type: str, extents: list[str]) -> Iterator[str]:
        """A texture object over linear memory, or over a copy of the rows in a CUDA array."""
        texels, texture = self._texels(place)
        yield f"cudaResourceDesc {texels}{{}};"
        if len(extents) == 1:
            yield f"{texels}.resType = cudaResourceTypeLinear;"
            yield f"{texels}.res.linear.devPtr = {place}.device;"
            yield f"{texels}.res.linear.desc = cudaCreateChannelDesc<{c_type}>();"
            yield f"{texels}.res.linear.sizeInBytes = {place}.count * sizeof({c_type});"
        else:
            rows, columns = extents
            array, width = f"{texels}.res.array.array", f"({columns}) * sizeof({c_type})"
            format = self._local(f"{place}_format")
            yield f"const cudaChannelFormatDesc {format} = cudaCreateChannelDesc<{c_type}>();"
            yield f"{texels}.resType = cudaResourceTypeArray;"
            yield f"CUDA_CHECK(cudaMallocArray(&{array}, &{format}, {columns}, {rows}));"
            copied = f"{array}, 0, 0, {place}.host, {width}, {width}, {rows}, cudaMemcpyHostToDevice"
            yield f"CUDA_CHECK(cudaMemcpy2DToArray({copied}));"
        yield f"const cudaTextureObject_t {texture} = make_texture({texels});"

    def _texels(self, place: str) -> tuple[str, str]:
        """The variables of a texture: what describes its memory, and its object."""
        return self._local(f"{place}_texels"), self._local(f"{place}_texture")

    def _structs(self) -> Iterator[str]:
        """Statements for the members that are not drawn: pointers, extents, sizes."""
        drawn = {variable.name for variable in self.variables.values}
        yield from (
            f"{place} = {value};" for place, value, member in self.assignments() if member.name not in drawn
        )

    def _ends(self) -> Iterator[str]:
        outputs = self._outputs()
        yield from (f"{one.place}.download();" for one in outputs)
        for one in outputs:
            yield from self._print(one)
        for one in self.variables.arrays:
            if one.memory == "texture":
                texels, texture = self._texels(one.place)
                yield f"CUDA_CHECK(cudaDestroyTextureObject({texture}));"
                if len(one.described.shape) > 1:
                    yield f"CUDA_CHECK(cudaFreeArray({texels}.res.array.array));"

    def _print(self, output: Variable) -> Iterator[str]:
        scalars = list(component_scalars(output.type, self.structs))
        if not self._is_flat(output):
            self.includes |= {"<vector>"}
            numbers = self._local(f"{output.place}_numbers")
            yield from (
                f"std::vector<double> {numbers};",
                f"for (size_t i = 0; i < {output.place}.count; ++i) {{",
                *self.filler.numbers(output, f"{output.place}.host[i]", numbers),
                "}",
                f'print_output("{output.name}", {numbers}.data(), {numbers}.size());',
            )
            return
        place = output.place
        if len(scalars) == 1:
            yield f'print_output("{output.name}", {place}.host, {place}.count);'
            return
        numbers = f"reinterpret_cast<{c_type(scalars[0])}*>({place}.host)"
        yield f'print_output("{output.name}", {numbers}, {len(scalars)} * {place}.count);'

    def _is_flat(self, output: Variable) -> bool:
        """Whether an element in memory is components of one scalar type, and nothing else."""
        scalars = set(component_scalars(output.type, self.structs))
        padded = layout(output.type, output.c_type, self.device.struct_fields).padded
        return len(scalars) == 1 and not padded

    def _local(self, name: str) -> str:
        """A variable's name, clear of all others."""
        return host_names.fresh(name, {*self.variables.names, *self.sizes.values()})

    def array(self, variable: Variable) -> str:
        return f"{variable.place}.device"

    def texture(self, variable: Variable) -> str:
        return self._texels(variable.place)[1]

    def value(self, variable: Variable) -> str:
        return variable.place

    def extent(self, variable: Variable, axis: Axis) -> str:
        shape = variable.described.shape
        if not axis.stride:
            return self.size(shape[axis.number])
        return self.size(" * ".join(f"({one})" for one in (*shape[axis.number + 1 :], 1)))

    def dimension(self, parameter: KernelParameter, axis: int) -> str:
        return self.size(self.launch.dims[axis])

    def number(self, parameter: KernelParameter, size: Size) -> str:
        """By the name that both have where that is so."""
        known = self.launch.named_sizes(MAIN_SIZE)
        for name, local in self.sizes.items():
            if local == parameter.c_name and known[name] == self._evaluate(size):
                self.used_sizes.add(name)
                return local
        return self.size(size)


def _grouped(declared: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Variables by their type, in the order of the first of each."""
    groups: dict[str, list[str]] = {}
    for kind, name in declared:
        groups.setdefault(kind, []).append(name)
    return list(groups.items())
