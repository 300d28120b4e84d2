"""From one IR record to device code: the driver of the translator.

`translate_device` is a straight line of passes over a small tree; each pass is a module that says what holds
before and after it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from weft.cuda import definitions
from weft.cuda.build import build_function
from weft.cuda.c_types import SCALARS
from weft.cuda.calls import Program
from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.helpers import collect
from weft.cuda.helpers.text import Helper, Request, defined_names, renamed, scalar_of
from weft.cuda.host_layout import layout
from weft.cuda.names import global_name
from weft.cuda.parameters import kernel_parameters, struct_fields, with_shapes
from weft.cuda.passes.bounds import Bounds
from weft.cuda.passes.declare import declare
from weft.cuda.passes.explain import explain_negation
from weft.cuda.passes.extent_parameters import ExtentParameter
from weft.cuda.passes.flows import Flows
from weft.cuda.passes.launch_place import BLOCKS
from weft.cuda.passes.layout import Layout
from weft.cuda.passes.loops import prepare_loops
from weft.cuda.passes.memory import (
    Table,
    constant_tables,
    move_tables,
    require_constant_space,
    require_unwritten,
    use_read_only,
    use_textures,
)
from weft.cuda.passes.ownership import use_plain_updates, use_plain_updates_of_own_arrays
from weft.cuda.passes.parts import use_parts
from weft.cuda.passes.rename import Names, choose_names, rename
from weft.cuda.passes.sequence import mark_user_effects, sequence
from weft.cuda.passes.shapes import Needs
from weft.cuda.passes.threads import begin_with_threads
from weft.cuda.printer import Printer
from weft.cuda.sizes import canonical_size
from weft.cuda.source import FunctionSource, read_function
from weft.cuda.tiles.in_range import drop_known_tests
from weft.cuda.traverse import Contents, contents, copy_function, statements
from weft.cuda.tree import Function, Name, Return
from weft.launch import Launch, Recipe, parse_launch
from weft.leaves import holds_arrays, structs_of, with_parts
from weft.sizes import Size
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Reference,
    Scalar,
    Struct,
    Structs,
    Tile,
    Transform,
    Type,
    Vector,
    strip_reference,
)

__all__ = ["DeviceCode", "KernelParameter", "translate_device"]


Observer = Callable[[str, Sequence[Function]], None]
"""Is shown the functions after each pass, with its name; what it changes in them goes on to the next."""

LAST_EDIT = "explain"
"""The last pass before names, helpers and headers are chosen for what the functions then hold."""


def ignore(name: str, functions: Sequence[Function]) -> None:
    """The observer that looks at nothing."""


def translate_device(record: dict[str, Any], observe: Observer = ignore) -> DeviceCode:
    """Device code of an IR record (docs/formats.md).

    Raises KernelError with reason 'unsupported' and the place in the user's file for what cannot be
    translated.
    """
    unit = _read(record)
    for name, run_pass in _PASSES.items():
        run_pass(unit)
        observe(name, unit.functions)
    return _print(unit)


@dataclasses.dataclass
class _Unit:
    """One record on its way: what was read, and what each pass adds. The kernel is the last function."""

    record: dict[str, Any]
    launch: Launch
    structs: Structs
    sources: list[FunctionSource]
    program: Program
    functions: list[Function] = dataclasses.field(default_factory=list)
    flows: Flows | None = None
    preconditions: set[str] = dataclasses.field(default_factory=set)
    extents: dict[str, list[ExtentParameter]] = dataclasses.field(default_factory=dict)
    needs: Needs = dataclasses.field(default_factory=Needs)
    shaped: Structs = dataclasses.field(default_factory=dict)
    grid_dims: tuple[tuple[int, ...], ...] = ()
    covered_dims: tuple[Size, ...] = ()
    contents: list[Contents] = dataclasses.field(default_factory=list)
    helpers: dict[Request, Helper] = dataclasses.field(default_factory=dict)
    tables: list[Table] = dataclasses.field(default_factory=list)
    names: Names = dataclasses.field(default_factory=lambda: Names({}, {}, {}, {}))

    @property
    def kernel(self) -> Function:
        return self.functions[-1]


def _read(record: dict[str, Any]) -> _Unit:
    """Parse the launch description, types and sources. Refuses parameters that have no C++ form."""
    launch = parse_launch(record["launch"], record["kernel_name"])
    structs = structs_of(record)
    sources = [read_function(function) for function in (*record["functions"], record["kernel"])]
    for source in sources:
        for name, kind in source.parameters:
            _require_parameter(source, name, kind, structs)
    functions = {source.key: source for source in sources[:-1]}
    block_dim = launch.block_dim or 0
    if not launch.tiled and not any(source.has_tiles for source in sources):
        # Its threads share nothing, so that the last block may be short.
        launch = dataclasses.replace(launch, block_dim=None)
    return _Unit(
        record,
        launch,
        {name: with_parts(fields) for name, fields in structs.items()},
        sources,
        Program(structs, functions, _block_dims(launch), block_dim, sources[-1]),
    )


def _block_dims(launch: Launch) -> int | None:
    """How many names of `tid()` are the block's place; None for kernels without blocks of their own."""
    if launch.block_dim is None:
        return None
    return len(launch.dims) if launch.tiled else 0


def _require_parameter(source: FunctionSource, name: str, type: Type, structs: Structs) -> None:
    """Refuse a parameter whose type has no form in C++."""
    type = strip_reference(type)
    element = type.element if isinstance(type, Array | Tile) else type
    if isinstance(type, Array) and holds_arrays(element, structs):
        raise source.refusal(
            source.parameter(name),
            f"parameter {name!r} is an array of structs that hold arrays, which is not supported: "
            "pass their arrays as parameters",
        )
    if (unsupported := _unsupported(element, structs)) is not None:
        raise source.refusal(
            source.parameter(name), f"parameter {name!r} of type {type} is not supported: {unsupported}"
        )


def _unsupported(type: Type, structs: Structs) -> str | None:
    """What there is no C++ for in a type of values; None if there is."""
    match type:
        case Struct(name=name):
            for _, inner in structs[name]:
                if isinstance(inner, Array):
                    inner = inner.element
                    if holds_arrays(inner, structs):
                        return "an array of structs that hold arrays; pass their arrays as parameters"
                if (found := _unsupported(inner, structs)) is not None:
                    return found
            return None
        case Scalar() | Vector() | Matrix() | Quaternion() | Transform():
            scalar = scalar_of(type)
            return None if scalar.name in SCALARS else f"use float32, not {scalar}"
        case _:
            return "pass values, and arrays of values"


def _build(unit: _Unit) -> None:
    """Trees of all functions, the kernel last."""
    for source in unit.sources:
        unit.functions.append(build_function(unit.program, source, kernel=source is unit.sources[-1]))
    begin_with_threads(unit.kernel, unit.sources[-1], len(unit.launch.dims), unit.program.blocks)


def _use_parts(unit: _Unit) -> None:
    """Plain arrays in place of indexed ones and of those in buckets."""
    use_parts(unit.functions, unit.sources, unit.program.structs, unit.launch)


def _order_and_declare(unit: _Unit) -> None:
    """Side effects in Warp's order, then declarations."""
    built = [contents(function) for function in unit.functions]
    mark_user_effects(built)
    for one, source in zip(built, unit.sources, strict=True):
        prepare_loops(sequence(one), source)
        declare(one.function, source)
        use_plain_updates_of_own_arrays(one.function)
    if unit.launch.block_dim is None:
        use_plain_updates(unit.kernel)
    unit.flows = Flows(unit.functions, unit.structs, unit.launch)


def _prove(unit: _Unit) -> None:
    """Indices that cannot be negative; the kernel first, for its calls bound the functions' parameters."""
    assert unit.flows is not None
    bounds = Bounds(unit.launch, unit.flows.written_leaves(), unit.program.constants)
    for function in reversed(unit.functions):
        bounds.run(function)
        drop_known_tests(function.body)
    unit.preconditions = bounds.preconditions


def _use_textures(unit: _Unit) -> None:
    """Fetches for the elements of textures; tables for constant memory."""
    assert unit.flows is not None
    kernel, source = unit.kernel, unit.sources[-1]
    require_unwritten(source, unit.launch, unit.flows.written_leaves())
    use_textures(kernel, source, unit.launch)
    unit.tables = constant_tables(kernel, source, unit.launch, unit.program.constants)


def _use_read_only(unit: _Unit) -> None:
    """Loads through the read-only path."""
    use_read_only(unit.kernel, unit.launch)


def _lay_out(unit: _Unit) -> None:
    """Pointers, offsets and extents. What variables and fields must keep shows as shapes are asked for."""
    assert unit.flows is not None
    while True:
        unit.needs.grown = False
        functions = [copy_function(function) for function in unit.functions]
        layout = Layout(unit.launch, unit.flows, unit.structs, unit.needs)
        for function, source in zip(functions, unit.sources, strict=True):
            layout.run(function, source)
        if not unit.needs.grown:
            break
    assert layout.place is not None
    unit.functions = functions
    unit.extents = layout.extents
    unit.grid_dims, unit.covered_dims = layout.place.dims, layout.place.covered
    unit.shaped = {name: with_shapes(unit.structs, unit.needs, name) for name in unit.structs}


def _explain(unit: _Unit) -> None:
    """Comments where the code does what a reader would not expect."""
    for function in unit.functions:
        explain_negation(function)


def _rename(unit: _Unit) -> None:
    """C++ names."""
    move_tables(unit.kernel, unit.tables)
    constants = [*unit.program.constants, *(table.constant for table in unit.tables)]
    unit.contents = [contents(function) for function in unit.functions]
    unit.helpers = collect(definitions.helper_requests(unit.contents))
    unit.names = choose_names(unit.contents, unit.shaped, constants, defined_names(unit.helpers.values()))
    for one in unit.contents:
        rename(one, unit.names, [extent.name for extent in unit.extents[one.function.key]])


_PASSES: dict[str, Callable[[_Unit], None]] = {
    "build": _build,
    "use_parts": _use_parts,
    "order_and_declare": _order_and_declare,
    "prove": _prove,
    "use_textures": _use_textures,
    "lay_out": _lay_out,
    "use_read_only": _use_read_only,
    "explain": _explain,
    "rename": _rename,
}


def _print(unit: _Unit) -> DeviceCode:
    """The text of everything."""
    printer = Printer(unit.names.structs, _results(unit))
    assert unit.flows is not None
    fields = struct_fields(unit.shaped, unit.names, unit.flows, printer)
    helpers = unit.helpers
    types = definitions.own_types(unit.contents, unit.structs, helpers)
    docs = {unit.names.structs[struct["name"]]: struct["doc"] for struct in unit.record["structs"]}
    structs = {printer.type(kind): definitions.own_type(kind) for kind in types} | {
        name: definitions.user_struct(name, docs[name], [(member, c_type) for member, c_type, _ in members])
        for name, members in fields.items()
    }
    sections = [
        definitions.constants(unit.program.constants, unit.contents, unit.names, printer),
        *_paragraphs([renamed(helper.text, unit.names.helpers) for helper in helpers.values()]),
        *(_device_function(unit, printer, function) for function in unit.functions[:-1]),
    ]
    parameters = kernel_parameters(
        unit.kernel, unit.structs, unit.needs, unit.names, unit.flows, unit.extents[unit.kernel.key], printer
    )
    parameters = tuple(_as_texture(one, unit.launch) for one in parameters)
    tables = tuple(_constant_table(unit, printer, table) for table in unit.tables)
    sizes = {
        table.name: layout(table.type.element, printer.type(table.type.element), fields).bytes * table.count
        for table in unit.tables
    }
    require_constant_space(unit.sources[-1], sizes)
    signature = ", ".join(one.declaration for one in parameters if not one.launches_only)
    name = unit.names.functions[unit.kernel.key]
    body = "\n".join(printer.block(unit.kernel.body, 1))
    doc = definitions.comment(unit.kernel.doc) + _preconditions(unit)
    block_dim = unit.launch.block_dim
    block, reason = BLOCKS[len(unit.grid_dims)], _BLOCK_REASONS[len(unit.grid_dims)]
    if block_dim or (unit.program.block_dim and len(unit.grid_dims) == 1):
        block, reason = (unit.program.block_dim, 1, 1), _TILED_REASON if block_dim else _CHOSEN_REASON
    return DeviceCode(
        includes=definitions.includes(unit.contents, helpers.values(), types),
        structs=structs,
        functions="\n\n".join(section for section in sections if section),
        kernel=f"{doc}__global__ void {name}({signature}) {{\n{body}\n}}\n",
        kernel_c_name=name,
        parameters=parameters,
        grid_axes=_grid_axes(unit),
        block=block,
        block_reason=reason,
        struct_fields=fields,
        grid_dims=unit.grid_dims,
        covered_dims=unit.covered_dims,
        tiled=block_dim is not None and unit.launch.tiled,
        tables=tables,
        constant_bytes=sum(sizes.values()),
    )


def _as_texture(parameter: KernelParameter, launch: Launch) -> KernelParameter:
    """A texture object in place of the pointer, where the launch description asks for it."""
    if parameter.kind != "array" or launch.parameters[parameter.name].memory != "texture":
        return parameter
    declaration = f"cudaTextureObject_t {parameter.c_name}"
    return dataclasses.replace(parameter, kind="texture", declaration=declaration)


def _constant_table(unit: _Unit, printer: Printer, table: Table) -> KernelParameter:
    c_name, element = unit.names.constants[table.constant], printer.type(table.type.element)
    declaration = f"__constant__ {element} {c_name}[{table.count}]"
    return KernelParameter(table.name, c_name, "constant", table.type, declaration, element, None)


def _paragraphs(texts: list[str]) -> list[str]:
    """Neighbouring functions of one line each stand together."""
    result: list[list[str]] = []
    for text in texts:
        if result and "\n" not in text and "\n" not in result[-1][-1]:
            result[-1].append(text)
        else:
            result.append([text])
    return ["\n".join(group) for group in result]


def _preconditions(unit: _Unit) -> str:
    """Comments that say what the arrays must hold for no index to be negative: Warp would wrap those."""
    local = unit.names.parameters[unit.kernel.key]
    names_by_bound: dict[str, list[str]] = {}
    for name, _ in unit.kernel.parameters:
        if name in unit.preconditions:
            bound = _lowest(unit.launch.parameters[name].values)
            names_by_bound.setdefault(bound, []).append(local[name])
    comment = ""
    for bound, names in names_by_bound.items():
        listed = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        comment += f"// Precondition: no element of {listed} is {bound}.\n"
    return comment


def _lowest(recipe: Recipe | None) -> str:
    """What no component that a recipe draws is, in words."""
    match recipe:
        case Recipe("uniform" | "integers", (low, _)) if low not in (0, "0"):
            return f"below {low:g}" if isinstance(low, int | float) else f"below {low}"
        case Recipe("members", members):
            bounds = {_lowest(member) for member in members.values()} - {"negative"}
            return " or ".join(sorted(bounds)) or "negative"
        case _:
            return "negative"


_BLOCK_REASONS = {
    1: "256 divides the number of threads that a multiprocessor of any architecture holds.",
    2: "A warp spans 32 neighbours along x, the fastest dimension in memory.",
    3: "A warp spans 32 neighbours along x, the fastest dimension in memory.",
}


_TILED_REASON = "The threads of a block work on one tile together."
_CHOSEN_REASON = "The kernel counts on blocks of this size."


def _grid_axes(unit: _Unit) -> tuple[Size, ...]:
    """The launch sizes along x, y and z."""
    dims = [canonical_size(dim, unit.launch.sizes) for dim in unit.covered_dims]
    if len(unit.grid_dims) == len(dims):
        return tuple(reversed(dims))
    return (" * ".join(f"({dim})" for dim in dims),)


def _results(unit: _Unit) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Name and members of the result struct of each function that returns several values."""
    results = {}
    names = unit.names
    taken = {*names.structs.values(), *names.functions.values(), *names.constants.values()}
    for function in unit.functions:
        if isinstance(function.result, tuple):
            name = unit.names.functions[function.key]
            stem = "".join(part[:1].upper() + part[1:] for part in name.split("_")) + "Result"
            struct = global_name(stem, taken)
            taken.add(struct)
            results[function.key] = (struct, _members(function))
    return results


def _members(function: Function) -> tuple[str, ...]:
    """Members of a result struct: the names that every `return` gives, else first, second, …"""
    assert isinstance(function.result, tuple)
    found: set[tuple[str | None, ...]] = set()
    for statement in statements(function.body):
        if isinstance(statement, Return):
            found.add(tuple(v.name if isinstance(v, Name) else None for v in statement.values))
    if len(found) == 1:
        names = next(iter(found))
        if len(set(names)) == len(names) and all(names):
            return tuple(name or "" for name in names)
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    return tuple(ordinals[i] if i < 8 else f"value{i + 1}" for i in range(len(function.result)))


def _result_type(unit: _Unit, printer: Printer, function: Function, position: int, kind: Type) -> str:
    """The C++ type of a result; an array through which nobody writes is const."""
    assert unit.flows is not None
    constant = isinstance(kind, Array) and (function.key, f"return{position}") not in unit.flows.written
    return f"{'const ' if constant else ''}{printer.type(kind)}"


def _device_function(unit: _Unit, printer: Printer, function: Function) -> str:
    """A device function, after the struct of its results if it returns several."""
    name = unit.names.functions[function.key]
    local = unit.names.parameters[function.key]
    assert unit.flows is not None
    access = unit.flows.access(function)
    declarations = []
    for parameter, kind in function.parameters:
        constant = "const " if isinstance(kind, Array) and parameter not in access.written else ""
        reference = "&" if isinstance(kind, Reference) else ""
        if isinstance(kind, Tile):
            extents = "".join(f"[{extent}]" for extent in kind.shape)
            declarations.append(f"{printer.type(kind.element)} (&{local[parameter]}){extents}")
            continue
        declarations.append(f"{constant}{printer.type(strip_reference(kind))}{reference} {local[parameter]}")
    declarations += [f"int {local[extent.name]}" for extent in unit.extents[function.key]]
    before = ""
    if function.result is None:
        result = "void"
    elif isinstance(function.result, tuple):
        result, members = printer.results[function.key]
        kinds = [_result_type(unit, printer, function, *item) for item in enumerate(function.result)]
        before = definitions.user_struct(result, "", zip(members, kinds, strict=True)) + "\n\n"
    else:
        result = _result_type(unit, printer, function, 0, function.result)
    body = "\n".join(printer.block(function.body, 1))
    head = f"__device__ {result} {name}({', '.join(declarations)})"
    return f"{before}{definitions.comment(function.doc)}{head} {{\n{body}\n}}"
