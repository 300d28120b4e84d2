"""A kernel as a library: a header and a source file for a C++ code base, without `main`."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from weft.cuda.device import translate_device
from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.formatting import format_texts
from weft.cuda.host_launcher import known_sizes, write_launcher
from weft.cuda.host_sizes import PRIMARY, print_size
from weft.cuda.host_variables import all_parameters
from weft.cuda.names import reserved_at_namespace_scope
from weft.cuda.program import ordered_includes
from weft.cuda.sizes import canonical_size
from weft.cuda.templates import environment
from weft.errors import KernelError, UserError
from weft.launch import Launch, parse_launch
from weft.leaves import structs_of, tables
from weft.recursion import deep_recursion
from weft.sizes import Size
from weft.types import Array, parse_type

_WIDTH = 107
_TYPE_HEADERS = frozenset({"<cstdint>", "<cuda_fp16.h>", "<cuda_bf16.h>"})
_PRECONDITION = re.compile(r"^// (Precondition: .*)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Library:
    """The files of one kernel: `{name}.cuh` and `{name}.cu`."""

    name: str
    header: str
    source: str


@dataclasses.dataclass(frozen=True)
class LibraryOptions:
    """`namespace` holds all that a library defines, None for one named after the kernel. `extern_c` gives the
    kernel the name that it has in the source instead of a mangled one, for the driver API.
    """

    namespace: str | None = None
    extern_c: bool = False


def write_library(record: dict[str, Any], options: LibraryOptions) -> Library:
    """The header and the source of one record.

    All names are in one namespace, so that libraries of several kernels link into one program, and none is
    local to its file, so that the same text gives the same PTX wherever it lies. Raises KernelError for what
    cannot be translated, and UserError for a namespace that C++ does not allow.
    """
    if record["launch"].get("steps"):
        raise KernelError("unsupported", "a library holds one kernel, not a program of several launches")
    with deep_recursion():
        device = translate_device(record)
    launch = parse_launch(record["launch"], record["kernel_name"])
    context = _context(record, device, launch, options)
    templates = (environment().get_template(f"library.{kind}.j2") for kind in ("cuh", "cu"))
    header, source = format_texts([template.render(context) for template in templates])
    return Library(device.kernel_c_name, header, source)


def _context(
    record: Mapping[str, Any], device: DeviceCode, launch: Launch, options: LibraryOptions
) -> dict[str, Any]:
    """The variables of the templates."""
    name = device.kernel_c_name
    namespace = options.namespace or name
    if not namespace.isidentifier() or (namespace != name and reserved_at_namespace_scope(namespace)):
        raise UserError(f"{namespace!r} cannot name a namespace in C++")
    public = _public_structs(device)
    launcher = write_launcher(device, launch, defaults=False)
    includes = device.includes | launcher.includes
    kernel = device.kernel.strip("\n")
    if options.extern_c:
        kernel = kernel.replace("__global__ void", 'extern "C" __global__ void', 1)
    description = " ".join(record["description"].split()).rstrip("\\")
    return {
        "header": f"{name}.cuh",
        "namespace": namespace,
        "kernel": name,
        "description": textwrap.wrap(f"{name}: {description}", _WIDTH),
        "includes": ordered_includes({"<cuda_runtime.h>"} | (includes & _TYPE_HEADERS)),
        "source_includes": ordered_includes(includes - _TYPE_HEADERS),
        "structs": [text for struct, text in device.structs.items() if struct in public],
        "own_structs": [text for struct, text in device.structs.items() if struct not in public],
        "contract": _contract(device, launch, _meanings(record)),
        "tables": device.tables,
        "functions": device.functions,
        "kernel_text": kernel,
        "launcher": launcher,
    }


def _public_structs(device: DeviceCode) -> set[str]:
    """The structs that a caller needs: types of parameters, of array elements, and of their members."""
    public: set[str] = set()
    pending = [parameter.c_type for parameter in (*device.parameters, *device.tables)]
    while pending:
        c_type = pending.pop().removesuffix("*").removeprefix("const ").strip()
        if c_type in device.structs and c_type not in public:
            public.add(c_type)
            # A struct's members are its own, but those of a transform are structs of the program, too.
            pending += [member for _, member, _ in device.struct_fields.get(c_type, ())]
            pending += [other for other in device.structs if f" {other} " in device.structs[c_type]]
    return public


def _meanings(record: Mapping[str, Any]) -> dict[str, str]:
    """What the tables hold that lead to the elements of arrays, by leaf; the array is its own leaf there."""
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    leading = tables(signature, structs_of(record))
    return {leaf: part.meaning(array) for leaf, (array, part) in leading.items()}


def _contract(device: DeviceCode, launch: Launch, meanings: Mapping[str, str]) -> list[str]:
    """What a caller must know, as lines of a comment: who checks errors, the shapes of arrays."""
    lines = textwrap.wrap(
        f"Launches {device.kernel_c_name} on a stream and does not wait for it. The result is that of the "
        "launch alone, for the caller to check; errors in the kernel show when the stream is synchronized.",
        _WIDTH,
    )
    arrays = _described(device.parameters, device, launch, meanings, "")
    if arrays:
        width = max(len(name) for name, _ in arrays)
        overlap = _overlap(device, launch)
        text = f"Arrays are in device memory, row-major, and {overlap}; extents count elements:"
        lines += textwrap.wrap(text, _WIDTH)
        for name, text in arrays:
            indent = " " * (width + 4)
            lines += textwrap.wrap(f"  {name:<{width}}  {text}", _WIDTH, subsequent_indent=indent)
    if any(parameter.kind == "texture" for parameter in device.parameters):
        lines.append("Textures are read at points, without a filter, at coordinates that are not normalized.")
    for table in device.tables:
        lines.append(f"Before the first launch, set_{table.c_name} fills the table {table.c_name}.")
    return lines + _PRECONDITION.findall(device.kernel)


def _overlap(device: DeviceCode, launch: Launch) -> str:
    """Which arrays may overlap: those that nobody described."""
    if not any(
        one.kind == "array" and one.name in launch.inferred for one in all_parameters(device.parameters)
    ):
        return "do not overlap"
    apart = [one.c_name for one in device.parameters if "__restrict__" in one.declaration]
    return f"what is written does not overlap with {', '.join(apart)}" if apart else "may overlap"


def _described(
    parameters: Iterable[KernelParameter],
    device: DeviceCode,
    launch: Launch,
    meanings: Mapping[str, str],
    prefix: str,
) -> list[tuple[str, str]]:
    """The arrays among parameters, and among members of structs, with what a caller must know of each."""
    lines = []
    for parameter in parameters:
        name = prefix + parameter.c_name
        if parameter.kind == "struct":
            lines += _described(parameter.members, device, launch, meanings, f"{name}.")
        elif parameter.kind == "array":
            text = f"{_shape(parameter, device, launch)}, {_access(parameter, launch)}"
            if meaning := meanings.get(parameter.name):
                text += f": {meaning}"
            lines.append((name, text))
        elif parameter.kind == "texture":
            rank = len(launch.parameters[parameter.name].shape)
            memory = "linear memory" if rank == 1 else "a CUDA array"
            texels = f"{_shape(parameter, device, launch)} of {parameter.c_type}"
            lines.append((name, f"{texels}, a texture over {memory}"))
    return lines


def _shape(parameter: KernelParameter, device: DeviceCode, launch: Launch) -> str:
    """`rows x cols`, `n elements`: extents in the launcher's parameters where they hold them."""
    described = launch.parameters[parameter.name]
    assert isinstance(parameter.type, Array)
    if described.null:
        return "may be null"
    if parameter.name in launch.inferred:
        held = {
            (one.axis.leaf, one.axis.number): one.c_name
            for one in all_parameters(device.parameters)
            if one.axis is not None and not one.axis.stride
        }
        extents = [held.get((parameter.name, axis), "any") for axis in range(parameter.type.ndim)]
    else:
        known = known_sizes(device, launch)
        extents = [_extent(size, known) for size in described.shape]
    shape = (
        " x ".join(extents)
        if len(extents) > 1
        else f"{extents[0]} elements".replace("any ", "any number of ")
    )
    if described.strides and parameter.name not in launch.inferred:
        steps = ", ".join(str(canonical_size(stride, launch.sizes)) for stride in described.strides)
        shape += f" with strides ({steps})"
    return shape


def _extent(size: Size, known: Mapping[str, str]) -> str:
    """An extent in the kernel's parameters, or as the launch description has it where none holds it."""
    try:
        printed = print_size(size, known)
    except KeyError:
        return f"({size})" if not str(size).isidentifier() else str(size)
    return printed.text if printed.precedence == PRIMARY else f"({printed.text})"


def _access(parameter: KernelParameter, launch: Launch) -> str:
    if parameter.declaration.startswith("const "):
        return "read"
    return "written" if launch.parameters[parameter.name].role == "out" else "read and written"
