"""The host part of a program: the launcher, `main`, and what callers have to know of the launcher."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

from weft.cuda import host_names
from weft.cuda.c_types import HALVES, SCALARS
from weft.cuda.device_code import Axis, DeviceCode, KernelParameter
from weft.cuda.fresh_names import fresh
from weft.cuda.host_arguments import Caller
from weft.cuda.host_arrays import form
from weft.cuda.host_inputs import Filler
from weft.cuda.host_launcher import write_launcher
from weft.cuda.host_sizes import in_product, print_size
from weft.cuda.host_variables import Variable, Variables, collect_variables
from weft.cuda.interface import write_interface
from weft.cuda.names import local_name
from weft.cuda.sizes import canonical_size
from weft.cuda.source_map import unmarked
from weft.cuda.templates import environment
from weft.cuda.tree import INT
from weft.launch import Launch, parse_launch
from weft.leaves import leaves, signature_of, structs_of
from weft.recipes import MAIN_SIZE
from weft.sizes import Size, evaluate_size, parse_size, size_names, size_text
from weft.types import Scalar, Struct

INT_MAX = 2**31 - 1
INCLUDES = frozenset({"<cuda_runtime.h>", "<cstdio>", "<cstdlib>"})
_FIXED_WIDTH = re.compile(r"\bu?int\d+_t\b")


@dataclasses.dataclass(frozen=True)
class Draft:
    """A program in two parts that have yet to be formatted: `device`, with the launcher, and `main`.

    `kernel` is the kernel's name in C++, `constant_bytes` what its tables need of the constant memory, and
    `interface` what callers of the launcher have to know (weft.cuda.interface). `marked` is `device` with the
    marks that say where its lines come from (weft.cuda.source_map).
    """

    kernel: str
    includes: frozenset[str]
    device: str
    main: str
    interface: Mapping[str, Any]
    constant_bytes: int = 0
    marked: str = dataclasses.field(default="", compare=False)


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
    device_text = environment().get_template("device.cu.j2").render(context)
    includes = INCLUDES | device.includes | main.includes | (launcher.includes if launcher else frozenset())
    if _FIXED_WIDTH.search(device_text) or _FIXED_WIDTH.search(main_text):
        includes |= {"<cstdint>"}
    return Draft(
        kernel,
        includes,
        unmarked(device_text),
        main_text,
        write_interface(record, device, launch, variables),
        device.constant_bytes,
        device_text,
    )


def _description(record: Mapping[str, Any], device: DeviceCode) -> str:
    """What a program computes; empty if a comment says so already, or if it only repeats the name."""
    if device.launcher:
        return ""
    description = " ".join(record["description"].split()).rstrip("\\")
    said = " ".join(
        " ".join(line.lstrip("/ ") for line in one.comment.splitlines()) for one in device.kernels
    )
    name = record["kernel_name"].replace("_", " ").strip()
    return "" if description in said or description.rstrip(".").lower() == name.lower() else description


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
        found = leaves(signature_of(record), self.structs)
        positions = {name: number for number, (name, _) in enumerate(found)}
        self.written = self._written_sizes()
        self.filler = Filler(
            self.structs, device.struct_fields, positions, launch, self.size, self._local, self._filled()
        )
        self.types = {one.name: self.filler.number_type(one) for one in variables.arrays}

    def _written_sizes(self) -> dict[str, str]:
        """Sizes as the launch description has them, by what remains of them where names of integers are
        replaced: `ny * nx` by `ny * 10`.
        """
        shapes = [one.shape for one in self.variables.arrays if one.shape]
        written = [
            " * ".join(f"({size})" for size in shape) for shape in (*shapes, self.launch.dims) if shape
        ]
        written += [str(size) for shape in (*shapes, self.launch.dims) for size in shape]
        return {str(canonical_size(size, self.launch.sizes)): size for size in reversed(written)}

    def size(self, size: Size) -> str:
        """A size expression in the variables of `main`, which are constants; its value where that would take
        calls, or more than an int on the way.
        """
        text = str(canonical_size(size, self.launch.sizes))
        if not text.isdigit():
            size = self.written.get(text, size)
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
        arrays = [(str(self.types[one.name]), f"{one.place}({self._count(one)})") for one in self._arrays()]
        body = [
            *self._values(),
            *self._fills(),
            *self._tables(),
            *self._textures(),
            *self._structs(),
            self._launch(),
            *self._ends(),
        ]
        forms = self.filler.forms()
        if "permutation" in forms:
            self.includes |= {"<algorithm>", "<numeric>", "<vector>"}
        if "scale_to_unit_length" in self.filler.functions:
            self.includes |= {"<cmath>"}
        printed = self._printed()
        return {
            "sizes": [("int", self._sizes())] if self.used_sizes else [],
            "arrays": _grouped(arrays),
            "plain": all(one.is_plain for one in self.types.values()),
            "body": body,
            "functions": self.filler.functions,
            "forms": forms,
            "integer": self.filler.integer,
            "from_zero": self.filler.from_zero,
            "casts_integers": self.filler.casts_integers,
            "uploads": forms or any("upload()" in line for line in body),
            "downloads": bool(self._outputs()),
            "prints": form(self.types[one.name] for one in printed) if len(printed) > 1 else None,
            "halves": sorted(
                {self.types[one.name].number for one in printed} & set(map(SCALARS.get, HALVES))
            ),
        }

    def _launch(self) -> str:
        return f"CUDA_CHECK(launch_{self.device.kernel_c_name}({', '.join(self.arguments())}));"

    def _count(self, variable: Variable) -> str:
        assert variable.shape is not None
        return self.size(" * ".join(f"({size})" for size in variable.shape))

    def _sizes(self) -> list[str]:
        known = self.launch.named_sizes(MAIN_SIZE)
        return [f"{local} = {known[name]}" for name, local in self.sizes.items() if name in self.used_sizes]

    def _arrays(self) -> list[Variable]:
        """Those in memory: given numbers of a constant table are copied from where they are given."""
        tables = {table.name for table in self.device.tables}
        return [
            one
            for one in self.variables.arrays
            if one.name not in tables or one.described.values is None or one.described.values.kind != "list"
        ]

    def _filled(self) -> list[Variable]:
        """Arrays that hold something before the launch."""
        return [one for one in self._arrays() if one.described.role != "out"]

    def _outputs(self) -> list[Variable]:
        return [one for one in self.variables.arrays if one.memory == "array" and one.described.role != "in"]

    def _printed(self) -> list[Variable]:
        """The outputs that `print_output` is for, if there are several."""
        outputs = [one for one in self._outputs() if not isinstance(one.type, Struct)]
        return [one for one in outputs if not self._is_number(one)]

    def _is_number(self, output: Variable) -> bool:
        return isinstance(output.type, Scalar) and self._count(output) == "1"

    def _values(self) -> Iterator[str]:
        for name, struct in self.variables.structs:
            yield f"{struct} {name}{{}};"
        declared: list[tuple[str, str]] = []
        for one in self.variables.values:
            if isinstance(one.type, Struct):
                if one.declared:
                    yield f"{one.c_type} {one.place}{{}};"
                yield from self.filler.members(one)
            elif one.declared:
                declared.append((one.c_type, f"{one.place} = {self.filler.initial(one) or '{}'}"))
            elif initial := self.filler.initial(one):
                yield f"{one.place} = {initial};"
        yield from (f"const {kind} {', '.join(names)};" for kind, names in _grouped(declared))

    def _fills(self) -> Iterator[str]:
        for one in self._filled():
            yield from self.filler.array(one)

    def _tables(self) -> Iterator[str]:
        for table in self.device.tables:
            host = f"{self.known[table.name].place}.host"
            for one in self.variables.arrays:
                if one.name == table.name and one not in self._arrays():
                    host = self._local(f"{table.c_name}_values")
                    yield self.filler.listed(one, host)
            yield f"CUDA_CHECK(cudaMemcpyToSymbol({table.c_name}, {host}, sizeof({table.c_name})));"

    def _texture_arrays(self) -> list[Variable]:
        return [one for one in self.variables.arrays if one.memory == "texture"]

    def _textures(self) -> Iterator[str]:
        """Texture objects over linear memory, or over copies of rows in CUDA arrays."""
        for one in self._texture_arrays():
            place, kind = one.place, one.c_type
            name = {
                word: self._texture_name(one, word) for word in ("texels", "resource", "sampling", "texture")
            }
            resource = name["resource"]
            if len(one.described.shape) == 1:
                yield f"cudaResourceDesc {resource}{{}};"
                yield f"{resource}.resType = cudaResourceTypeLinear;"
                yield f"{resource}.res.linear.devPtr = {place}.device;"
                yield f"{resource}.res.linear.desc = cudaCreateChannelDesc<{kind}>();"
                yield f"{resource}.res.linear.sizeInBytes = {place}.bytes;"
                yield f"const cudaTextureDesc {name['sampling']}{{}};"
            else:
                rows, columns = map(self.size, one.described.shape)
                width = f"{in_product(columns)} * sizeof({kind})"
                format = self._texture_name(one, "format")
                copied = (
                    f"{name['texels']}, 0, 0, {place}.host, {width}, {width}, {rows}, cudaMemcpyHostToDevice"
                )
                yield f"const cudaChannelFormatDesc {format} = cudaCreateChannelDesc<{kind}>();"
                yield f"cudaArray_t {name['texels']};"
                yield f"CUDA_CHECK(cudaMallocArray(&{name['texels']}, &{format}, {columns}, {rows}));"
                yield f"CUDA_CHECK(cudaMemcpy2DToArray({copied}));"
                yield f"cudaResourceDesc {resource}{{}};"
                yield f"{resource}.resType = cudaResourceTypeArray;"
                yield f"{resource}.res.array.array = {name['texels']};"
                modes = f"{name['sampling']}.addressMode[0] = {name['sampling']}.addressMode[1]"
                yield f"cudaTextureDesc {name['sampling']}{{}};"
                yield f"{modes} = cudaAddressModeClamp;"
            made = f"&{name['texture']}, &{resource}, &{name['sampling']}, nullptr"
            yield f"cudaTextureObject_t {name['texture']};"
            yield f"CUDA_CHECK(cudaCreateTextureObject({made}));"

    def _texture_name(self, array: Variable, word: str) -> str:
        """A variable of a texture: `texels` where there is one texture."""
        return self._local(word if len(self._texture_arrays()) == 1 else f"{array.place}_{word}")

    def _structs(self) -> Iterator[str]:
        """Statements for the members that are not drawn: pointers, extents, sizes."""
        drawn = {variable.name for variable in self.variables.values}
        yield from (
            f"{place} = {value};" for place, value, member in self.assignments() if member.name not in drawn
        )

    def _ends(self) -> Iterator[str]:
        together = self._printed()
        for one in self._outputs():
            if self._is_number(one):
                yield from self._print_number(one)
            elif len(together) > 1 and one in together:
                yield f'print_output("{one.name}", {one.place});'
            else:
                yield from self._print(one)
        for one in self._texture_arrays():
            yield f"CUDA_CHECK(cudaDestroyTextureObject({self._texture_name(one, 'texture')}));"
            if len(one.described.shape) > 1:
                yield f"CUDA_CHECK(cudaFreeArray({self._texture_name(one, 'texels')}));"

    def _print_number(self, output: Variable) -> Iterator[str]:
        """An array of one number."""
        assert isinstance(output.type, Scalar)
        whole = output.type == INT
        number = _number(
            f"{output.place}.host[0]", output.type, "" if output.type.is_float or whole else "double"
        )
        yield f"{output.place}.download();"
        yield f'std::printf("{output.name}: %{"d" if whole else ".9g"}\\n", {number});'

    def _print(self, output: Variable) -> Iterator[str]:
        """What `print_output` does for several arrays."""
        place = output.place
        others = [one for one in self._outputs() if one is not output and not self._is_number(one)]
        total = self._local(f"{place}_sum" if others else "sum")
        numbers = list(self.filler.paths(output))
        added = [f"{total} += {_number(f'{place}.host[i]{path}', scalar)};" for path, scalar in numbers]
        first, last = (
            _number(f"{place}.host[{index}]{path}", scalar, "" if scalar.is_float else "double")
            for index, (path, scalar) in (("0", numbers[0]), (f"{place}.count - 1", numbers[-1]))
        )
        yield f"{place}.download();"
        yield f"double {total} = 0.0;"
        yield f"for (size_t i = 0; i < {place}.count; ++i)"
        yield from added if len(added) == 1 else ("{", *added, "}")
        yield f'std::printf("{output.name}: first %g, last %g, sum %.9g\\n", {first}, {last}, {total});'

    def _local(self, name: str) -> str:
        """A variable's name, clear of all others."""
        return fresh(name, {*self.variables.names, *self.sizes.values()})

    def array(self, variable: Variable) -> str:
        return f"{variable.place}.device"

    def texture(self, variable: Variable) -> str:
        return self._texture_name(variable, "texture")

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


def _number(place: str, scalar: Scalar, cast: str = "") -> str:
    """What stands at `place`, of a type that C++ takes for a number."""
    cast = "float" if scalar.name in HALVES else cast
    return f"{cast}({place})" if cast else place


def _grouped(declared: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Variables by their type, in the order of the first of each."""
    groups: dict[str, list[str]] = {}
    for kind, name in declared:
        groups.setdefault(kind, []).append(name)
    return list(groups.items())
