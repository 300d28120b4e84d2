"""A kernel as a library: a header and a source file for a C++ code base, without `main`."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from weft.array_parts import Part
from weft.cuda.c_types import HEADERS, SCALARS
from weft.cuda.comments import harmless
from weft.cuda.device import translate_device
from weft.cuda.device_code import DeviceCode, KernelParameter, Key, Section, text_of
from weft.cuda.formatting import format_texts
from weft.cuda.host_launcher import dimensions, write_launcher
from weft.cuda.host_sizes import PRIMARY, known_sizes, print_size
from weft.cuda.host_variables import all_parameters
from weft.cuda.multi_launch import translate_program
from weft.cuda.names import reserved_at_namespace_scope
from weft.cuda.needed_extents import SHOWN, needed
from weft.cuda.shard import ordered_includes
from weft.cuda.shared_sections import alike
from weft.cuda.sizes import canonical_size
from weft.cuda.templates import environment
from weft.errors import UserError
from weft.function_source import read_function
from weft.launch import Launch, parse_launch
from weft.leaves import signature_of, structs_of, tables
from weft.plurals import listed
from weft.recursion import deep_recursion
from weft.sizes import Size, normal_size
from weft.types import Array

_WIDTH = 107
_TYPE_HEADERS = frozenset({"<cstdint>", "<cuda_fp16.h>", "<cuda_bf16.h>"})
_TABLE_SIZES = {
    "starts": "one more element than buckets",
    "places": "one element a bucket",
    "row_places": "one element a row",
    "row_lengths": "one element a row",
}
_ORIGIN = "// Translated from "


@dataclasses.dataclass(frozen=True)
class Library:
    """The files of one kernel: `{name}.cuh` and `{name}.cu`. A struct that several kernels share has only
    `{name}.cuh`. `origin` says which kernel of this name it is, and so does the header.
    """

    name: str
    header: str
    source: str | None
    origin: str

    @property
    def files(self) -> dict[str, str]:
        """Their texts by their names."""
        texts = {f"{self.name}.cuh": self.header, f"{self.name}.cu": self.source}
        return {name: text for name, text in texts.items() if text is not None}

    def require_own(self, folder: Path) -> None:
        """Raise UserError if the folder has a file of these names that does not come from the same kernel."""
        header = folder / f"{self.name}.cuh"
        there = [path for path in (folder / name for name in self.files) if path.exists()]
        if not there:
            return
        text = header.read_text(encoding="utf-8", errors="replace") if header.exists() else ""
        found = re.search(rf"^{_ORIGIN}(.*)\.$", text, re.MULTILINE)
        if found is None or found[1] != self.origin:
            other = f"holds {self.name} of {found[1]}" if found else "was not written by this command"
            raise UserError(
                f"{there[0]} {other}, and {self.name} of {self.origin} would overwrite it: "
                "remove it, or choose another --output"
            )


@dataclasses.dataclass(frozen=True)
class LibraryOptions:
    """`namespace` holds all that a library defines, None for one named after the kernel. `extern_c` gives the
    kernel the name that it has in the source instead of a mangled one, for the driver API.
    """

    namespace: str | None = None
    extern_c: bool = False


@dataclasses.dataclass(frozen=True)
class Translated:
    """A record and its device code, of which a library is to be made."""

    record: Mapping[str, Any]
    device: DeviceCode


def translate_library(record: dict[str, Any], options: LibraryOptions) -> Translated:
    """Raises KernelError for what cannot be translated, and UserError for what `options` do not allow."""
    with deep_recursion():
        several = bool(record["launch"].get("steps"))
        device = translate_program(record, defaults=False) if several else translate_device(record)
    if several and options.extern_c:
        raise UserError(
            f"{device.kernel_c_name}: a program of several launches has no kernel to name by --extern-c"
        )
    return Translated(record, device)


def write_libraries(translated: Sequence[Translated], options: LibraryOptions) -> list[Library]:
    """The header and the source of each kernel, and a header for each struct that several of them have: it is
    one type for their callers.

    All names of a kernel are in one namespace, so that libraries of several kernels link into one program,
    and none is local to its file, so that the same text gives the same PTX wherever it lies. Raises UserError
    for a namespace that C++ does not allow.
    """
    if not translated:
        return []
    sections = alike([one.device.sections for one in translated])
    translated = [
        dataclasses.replace(one, device=dataclasses.replace(one.device, sections=tuple(own)))
        for one, own in zip(translated, sections, strict=True)
    ]
    structs = SharedStructs(translated, options)
    libraries = [structs.library(one) for one in structs.sections]
    for one in translated:
        launch = parse_launch(one.record["launch"], one.record["kernel_name"])
        context = _context(one.record, one.device, launch, options, structs)
        header, source = format_texts([_render(f"library.{kind}.j2", context) for kind in ("cuh", "cu")])
        libraries.append(Library(one.device.kernel_c_name, header, source, context["origin"]))
    return libraries


def _render(template: str, context: Mapping[str, Any]) -> str:
    return environment().get_template(template).render(context)


class SharedStructs:
    """The structs that several kernels' launchers take and that are the same in all that have them."""

    def __init__(self, translated: Sequence[Translated], options: LibraryOptions) -> None:
        found: dict[Key, list[Section]] = {}
        for one in translated:
            for section in _public_types(one.device):
                found.setdefault(section.key, []).append(section)
        differing = [key for key, sections in found.items() if any(one != sections[0] for one in sections)]
        if differing and options.namespace:
            name = differing[0][0]
            raise UserError(f"two kernels have different structs named {name!r}: leave out --namespace")
        shared = {
            key: sections[0] for key, sections in found.items() if len(sections) > 1 and key not in differing
        }
        while apart := [key for key, one in shared.items() if (one.needs & found.keys()) - shared.keys()]:
            for key in apart:
                del shared[key]
        self.sections = list(shared.values())
        self.origin = _origin(translated[0].record)
        category = re.sub(r"\W", "_", translated[0].record["category"])
        self.namespace = options.namespace or f"{category}_types"
        self.prefix = options.namespace or category

    def library(self, section: Section) -> Library:
        """The header of one struct."""
        needed = [one for one in self.sections if one.key in section.needs]
        names = [HEADERS[name] for name in HEADERS if re.search(rf"\b{SCALARS[name]}\b", section.text)]
        context = {
            "name": section.name,
            "origin": self.origin,
            "includes": [*ordered_includes({"<cuda_runtime.h>", *names}), *self.includes(needed)],
            "namespace": self.namespace,
            "text": section.comment + section.text,
        }
        (header,) = format_texts([_render("library_struct.cuh.j2", context)])
        return Library(self._file(section), header, None, self.origin)

    def includes(self, sections: Iterable[Section]) -> list[str]:
        """The headers of these structs, as `#include` has them."""
        return [f'"{self._file(one)}.cuh"' for one in sections]

    def _file(self, section: Section) -> str:
        return f"{self.prefix}_{section.name}"


def _context(
    record: Mapping[str, Any],
    device: DeviceCode,
    launch: Launch,
    options: LibraryOptions,
    structs: SharedStructs,
) -> dict[str, Any]:
    """The variables of the templates."""
    name = device.kernel_c_name
    namespace = options.namespace or name
    if not namespace.isidentifier() or (namespace != name and reserved_at_namespace_scope(namespace)):
        raise UserError(f"{namespace!r} cannot name a namespace in C++")
    public = _public_types(device)
    shared = [one for one in public if one in structs.sections]
    own = [one for one in device.sections if one not in public and one.kind != "kernel"]
    launcher = None if device.launcher else write_launcher(device, launch, defaults=False)
    includes = device.includes | (launcher.includes if launcher else frozenset())
    linkage = 'extern "C" ' * options.extern_c
    kernels = [dataclasses.replace(one, text=f"{linkage}{one.text}") for one in device.kernels]
    description = f"{name}: {' '.join(record['description'].split())}"
    return {
        "header": f"{name}.cuh",
        "namespace": namespace,
        "kernel": name,
        "origin": _origin(record),
        "description": [harmless(line) for line in textwrap.wrap(description, _WIDTH)],
        "includes": [
            *ordered_includes({"<cuda_runtime.h>"} | (includes & _TYPE_HEADERS)),
            *structs.includes(shared),
        ],
        "source_includes": ordered_includes(includes - _TYPE_HEADERS),
        "shared": [f"{structs.namespace}::{one.name}" for one in shared if structs.namespace != namespace],
        "types": text_of(one for one in public if one not in shared),
        "definitions": text_of(own),
        "contract": [harmless(line) for line in _Contract(record, device, launch).lines()],
        "tables": device.tables,
        "kernel_text": text_of(kernels),
        "declarations": [dataclasses.replace(one, restrict=False).declaration for one in device.parameters],
        "stream": launcher.stream if launcher else "stream",
        "launcher": launcher,
        "launcher_text": device.launcher,
    }


def _origin(record: Mapping[str, Any]) -> str:
    """What tells a kernel from others of its name: its file, and its category where that is named otherwise,
    as for an instance that a factory gives. A file that lies elsewhere counts by its name.
    """
    file = PurePosixPath(record.get("kernels", [record])[0]["kernel"]["file"])
    shown = file.name if file.is_absolute() else str(file)
    return harmless(shown if record["category"] == file.stem else f"{shown} ({record['category']})")


def _public_types(device: DeviceCode) -> list[Section]:
    """The structs that a caller needs: types of parameters, of array elements, and of their members."""
    needed: set[Key] = {(parameter.c_type, ()) for parameter in (*device.parameters, *device.tables)}
    for section in reversed(device.types):
        if section.key in needed:
            needed |= section.needs
    return [section for section in device.types if section.key in needed]


def _tables(record: Mapping[str, Any]) -> dict[str, tuple[str, Part]]:
    """The tables that lead to the elements of arrays, by leaf; the array is its own leaf there."""
    return tables(signature_of(record), structs_of(record))


def _overlap(device: DeviceCode, launch: Launch) -> str:
    """Which arrays may overlap: those that nobody described."""
    if not any(
        one.kind == "array" and one.name in launch.inferred for one in all_parameters(device.parameters)
    ):
        return "do not overlap"
    apart = [one.c_name for one in device.parameters if one.restrict]
    return f"what is written does not overlap with {', '.join(apart)}" if apart else "may overlap"


class _Contract:
    """What a caller must know of a kernel's arrays."""

    def __init__(self, record: Mapping[str, Any], device: DeviceCode, launch: Launch) -> None:
        self.device = device
        self.launch = launch
        self.tables = _tables(record)
        self.kernel = read_function(record.get("kernels", [record])[0]["kernel"]).definition
        self.known = known_sizes(device.parameters, launch)
        texts = [one.text for one in dimensions(device, launch)]
        self.dims = [one if re.fullmatch(r"\w+", one) else f"({one})" for one in texts]
        self.held = {
            (axis.leaf, axis.number): one.c_name
            for one in all_parameters(device.parameters)
            if (axis := one.axis) is not None and not axis.stride
        }

    def lines(self) -> list[str]:
        """Lines of a comment: who checks errors, the shapes of arrays."""
        lines = textwrap.wrap(
            f"Launches {self.device.kernel_c_name} on a stream and does not wait for it. The result is that "
            "of the launch alone, for the caller to check; errors in the kernel show when the stream is "
            "synchronized.",
            _WIDTH,
        )
        parameters = self.device.parameters
        arrays = self._described(parameters, "")
        if arrays:
            width = max(len(name) for name, _ in arrays)
            overlap = _overlap(self.device, self.launch)
            text = f"Arrays are in device memory, row-major, and {overlap}; extents count elements:"
            lines += textwrap.wrap(text, _WIDTH)
            for name, text in arrays:
                indent = " " * (width + 4)
                lines += textwrap.wrap(f"  {name:<{width}}  {text}", _WIDTH, subsequent_indent=indent)
        computed = "; ".join(f"{name} is {value}" for name, value in self.device.computed.items())
        lines += textwrap.wrap(f"{computed}.", _WIDTH) if computed else []
        if any(parameter.kind == "texture" for parameter in parameters):
            lines.append(
                "Textures are read at points, without a filter, at coordinates that are not normalized."
            )
        for table in self.device.tables:
            lines.append(f"Before the first launch, set_{table.c_name} fills the table {table.c_name}.")
        return [*lines, *self.device.preconditions]

    def _described(self, parameters: Iterable[KernelParameter], prefix: str) -> list[tuple[str, str]]:
        """The arrays among parameters, and among members of structs, with what a caller must know of each."""
        lines = []
        for parameter in parameters:
            name = prefix + parameter.c_name
            if parameter.kind == "struct":
                lines += self._described(parameter.members, f"{name}.")
            elif parameter.kind == "array":
                text = f"{self._shape(parameter)}, {_access(parameter, self.launch)}"
                if parameter.name in self.tables:
                    array, part = self.tables[parameter.name]
                    text += f": {part.meaning(array)}"
                lines.append((name, text))
            elif parameter.kind == "texture":
                rank = len(self.launch.parameters[parameter.name].shape)
                memory = "linear memory" if rank == 1 else "a CUDA array"
                texels = f"{self._shape(parameter)} of {parameter.c_type}"
                lines.append((name, f"{texels}, a texture over {memory}"))
        return lines

    def _shape(self, parameter: KernelParameter) -> str:
        """`rows x cols`, `n elements`: extents in the launcher's parameters where they hold them."""
        described = self.launch.parameters[parameter.name]
        assert isinstance(parameter.type, Array)
        if described.null:
            return "may be null"
        if parameter.name in self.launch.inferred:
            return self._inferred(parameter.name, parameter.type.ndim)
        whole = canonical_size(" * ".join(f"({size})" for size in described.shape), self.launch.sizes)
        extents = [_extent(size, self.known) for size in described.shape]
        count = self.known.get(normal_size(whole))
        shape = _product(extents if count is None else [count])
        if described.strides:
            steps = [str(canonical_size(stride, self.launch.sizes)) for stride in described.strides]
            shape += f" with strides ({', '.join(steps)})"
        return shape

    def _inferred(self, leaf: str, rank: int) -> str:
        """The shape of an array that nobody described: the extents that the launcher is told, the least ones
        that the kernel's indices need, and the accesses of which nobody knows where they end.
        """
        array, part = self.tables.get(leaf, (leaf, None))
        if part is not None and part.kind != "indices":
            return _TABLE_SIZES[part.kind]
        if part is None and any(array == leaf for array, _ in self.tables.values()):
            return "all elements that its tables lead to"
        held = [self.held.get((leaf, axis)) for axis in range(rank)]
        axes = [part.axis] if part else [axis for axis in range(rank) if held[axis] is None]
        needs = needed(self.kernel, array, axes, self.dims)
        least = iter(needs.extents)
        unknown = "…" if needs.accesses else "any" if rank > 1 else "any number of"
        extents = [one or next(least) or unknown for one in held]
        shape = f"at least {_product(extents)}" if any(needs.extents) else _product(extents)
        if not needs.accesses:
            return shape
        more = ["more"] if len(needs.accesses) > SHOWN else []
        enough = f"enough for {listed([*needs.accesses[:SHOWN], *more])}"
        return enough if extents == ["…"] else f"{shape}, {enough}"


def _product(extents: list[str]) -> str:
    if len(extents) > 1:
        return " x ".join(extents)
    (extent,) = extents
    extent = extent[1:-1] if re.fullmatch(r"\([^()]*\)", extent) else extent
    return f"{extent} {'element' if extent == '1' else 'elements'}"


def _extent(size: Size, known: Mapping[str, str]) -> str:
    """An extent in the kernel's parameters, or as the launch description has it where none holds it."""
    try:
        printed = print_size(size, known)
    except KeyError:
        return f"({size})" if not str(size).isidentifier() else str(size)
    return printed.text if printed.precedence == PRIMARY else f"({printed.text})"


def _access(parameter: KernelParameter, launch: Launch) -> str:
    if parameter.const:
        return "read"
    return "written" if launch.parameters[parameter.name].role == "out" else "read and written"
