"""Last step of the translator: the text of everything that the passes have made of a record."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from weft.cuda import definitions
from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.helpers.text import renamed
from weft.cuda.host_layout import layout
from weft.cuda.names import global_name
from weft.cuda.parameters import kernel_parameters, struct_fields
from weft.cuda.passes.launch_place import BLOCKS
from weft.cuda.passes.memory import Table, require_constant_space
from weft.cuda.printer import Printer
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import Function, Name, Return
from weft.cuda.unit import Unit
from weft.launch import Launch, Recipe
from weft.sizes import Size
from weft.types import Array, Reference, Tile, Type, strip_reference

_DECLARED = re.compile(r"(\w+)((?:\)(?:\[\d+\])+)?)$")
"""The name that a declaration gives, and what follows it: `float (&tile)[8][4]`."""


def print_unit(unit: Unit) -> DeviceCode:
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
    signature = _parameter_list(unit.kernel, [one.declaration for one in parameters if not one.launches_only])
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
        wide=unit.wide,
        base_limit=unit.base_limit,
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


def _constant_table(unit: Unit, printer: Printer, table: Table) -> KernelParameter:
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


def _preconditions(unit: Unit) -> str:
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


def _grid_axes(unit: Unit) -> tuple[Size, ...]:
    """The launch sizes along x, y and z."""
    dims = [canonical_size(dim, unit.launch.sizes) for dim in unit.covered_dims]
    if len(unit.grid_dims) == len(dims):
        return tuple(reversed(dims))
    return (" * ".join(f"({dim})" for dim in dims),)


def _results(unit: Unit) -> dict[str, tuple[str, tuple[str, ...]]]:
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


def _result_type(unit: Unit, printer: Printer, function: Function, position: int, kind: Type) -> str:
    """The C++ type of a result; an array through which nobody writes is const."""
    assert unit.flows is not None
    constant = isinstance(kind, Array) and (function.key, f"return{position}") not in unit.flows.written
    return f"{'const ' if constant else ''}{printer.type(kind)}"


def _parameter_list(function: Function, declarations: Iterable[str]) -> str:
    """Parameters between their parentheses; those that the body has no use for are named in comments."""
    mentioned = {node.name for node in all_expressions(function.body) if isinstance(node, Name)}

    def declared(found: re.Match[str]) -> str:
        return found[0] if found[1] in mentioned else f"/*{found[1]}*/{found[2]}"

    return ", ".join(_DECLARED.sub(declared, declaration) for declaration in declarations)


def _device_function(unit: Unit, printer: Printer, function: Function) -> str:
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
    head = f"__device__ {result} {name}({_parameter_list(function, declarations)})"
    return f"{before}{definitions.comment(function.doc)}{head} {{\n{body}\n}}"
