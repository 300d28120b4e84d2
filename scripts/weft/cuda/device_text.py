"""Last step of the translator: the text of everything that the passes have made of a record."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set

from weft.cuda import definitions, traverse
from weft.cuda.analysis.intervals import UNKNOWN, Interval
from weft.cuda.contents import Contents
from weft.cuda.device_code import DeviceCode, KernelParameter, Key, Section
from weft.cuda.grid import LINEAR, linear_grid, names_block, without_reason
from weft.cuda.helpers.text import Request, renamed
from weft.cuda.host_layout import layout
from weft.cuda.host_sizes import known_sizes
from weft.cuda.launch_assumptions import Bound
from weft.cuda.names import global_name
from weft.cuda.parameters import StructFields, kernel_parameters, struct_fields
from weft.cuda.passes.block_bins import NUM_BINS
from weft.cuda.passes.launch_place import strided_axes
from weft.cuda.passes.memory import Table, require_constant_space
from weft.cuda.preconditions import delimited, least_values, says_zero, sentences
from weft.cuda.printer import Printer
from weft.cuda.section_order import ordered
from weft.cuda.source_map import END, marked, within_module
from weft.cuda.traverse import all_expressions, clone, mentions, rewrite, statements, walk
from weft.cuda.tree import (
    Binary,
    Call,
    Declare,
    Expression,
    For,
    Function,
    Literal,
    Name,
    Registers,
    Return,
    Shared,
    While,
)
from weft.cuda.unit import Unit
from weft.types import Array, Reference, Tile, Type, strip_reference

_OF_CMATH = re.compile(r"\b(INFINITY|NAN|signbit)\b")

_FEW, _SHORT = 3, 50
"""Of so many expressions, so long, a comment says that they could overflow."""


def print_unit(unit: Unit) -> DeviceCode:
    """The text of everything."""
    printer = Printer(unit.names.structs, _results(unit))
    fields = struct_fields(unit.shaped, unit.names, unit.points_to, printer)
    types = definitions.own_types(unit.contents, unit.structs, unit.helpers)
    tables = tuple(_constant_table(unit, printer, table) for table in unit.tables)
    sizes = {
        table.name: layout(table.type.element, printer.type(table.type.element), fields).bytes * table.count
        for table in unit.tables
    }
    require_constant_space(unit.sources[-1], sizes)
    parameters = kernel_parameters(
        unit.kernel,
        unit.structs,
        unit.needs,
        unit.names,
        unit.points_to,
        unit.extents[unit.kernel.key],
        printer,
    )
    local = unit.names.parameters[unit.kernel.key]
    relied_on = {name: local[name] for name, _ in unit.kernel.parameters if name in unit.preconditions}
    least = least_values(relied_on, parameters, unit.launch)
    preconditions = (
        *_textures(unit, parameters),
        *sentences(
            {
                name: c_name
                for name, c_name in relied_on.items()
                if name not in least and not says_zero(unit.kernel.doc, name, unit.launch)
            },
            parameters,
            unit.launch,
            unit.contents[-1],
            unit.indexed,
            _fixed_extents(unit),
        ),
    )
    block_dim = unit.launch.block_dim
    grid = linear_grid(unit.module.block_dim) if unit.module.block_dim and unit.grid == LINEAR else unit.grid
    tiles = any(isinstance(one, Shared | Registers) for one in statements(unit.kernel.body))
    if unit.extent_names.threads or (not tiles and not names_block(grid, _numbers(unit.kernel))):
        grid = without_reason(grid)
    sections = ordered(
        [
            *definitions.own_type_sections(types, unit.structs),
            *_structs(unit, printer, fields),
            *_table_sections(tables, unit),
            *definitions.constants(
                unit.module.constants, unit.contents, unit.names, printer, unit.module.text
            ),
            *_code(unit, printer, parameters, preconditions),
        ]
    )
    headers = definitions.includes(unit.contents, unit.helpers.values(), types)
    return DeviceCode(
        includes=headers | ({"<cmath>"} if any(_OF_CMATH.search(one.text) for one in sections) else set()),
        sections=sections,
        kernel_c_name=unit.names.functions[unit.kernel.key],
        parameters=parameters,
        grid=grid,
        struct_fields=fields,
        covered_dims=unit.covered_dims,
        limits=unit.limits,
        overflowing=_overflowing(unit, printer),
        tiled=block_dim is not None and unit.launch.tiled,
        preconditions=preconditions,
        strides=strided_axes(unit.kernel),
        tables=tables,
        constant_bytes=sum(sizes.values()),
        extent_names=unit.extent_names.in_words_of(unit.names.constants),
        allowed=_allowed(unit, parameters, least),
        bounds=tuple(_bounds(unit, parameters)),
        held=unit.held,
        delimited=frozenset(
            array
            for name, one in unit.launch.parameters.items()
            if one.values is not None and one.values.kind == "offsets" and name in local
            for array in delimited(local[name], unit.contents[-1])
        ),
    )


def _overflowing(unit: Unit, printer: Printer) -> tuple[str, ...]:
    """What could be too large for an int beyond the limits, in C++, if the functions' own names say it."""
    found = []
    for key, value in unit.overflowing:
        names = unit.names.parameters[key]
        if any(not isinstance(one, Literal | Binary) and not _is_in(one, names) for one in walk(value)):
            return ()
        named = functools.partial(traverse.renamed, names=names)
        found.append(printer.expression(rewrite(clone(value), named)))
    found = [*dict.fromkeys(found)]
    return tuple(found) if len(found) <= _FEW and all(len(one) <= _SHORT for one in found) else ()


def _is_in(node: Expression, names: Mapping[str, str]) -> bool:
    return isinstance(node, Name) and node.name in names


def _fixed_extents(unit: Unit) -> dict[str, str]:
    """The constants that the kernel has for extents, by the size's text or by its number."""
    found = dict(unit.extent_names.in_words_of(unit.names.constants).fixed)
    if (bins := unit.extent_names.fixed.get(NUM_BINS)) is not None:
        found.setdefault(str(unit.module.constants[bins].value), found[NUM_BINS])
    return {size: name for size, name in found.items() if name in unit.contents[-1].mentioned}


def _textures(unit: Unit, parameters: Sequence[KernelParameter]) -> Iterator[str]:
    """What the kernel needs of texture objects, in CUDA's words."""
    for one in parameters:
        if one.kind == "texture":
            assert isinstance(one.type, Array)
            needs = "is bound to linear memory"
            if one.type.ndim > 1:
                clamped = one.name in unit.clamped
                filters = (
                    ", cudaFilterModePoint and cudaAddressModeClamp"
                    if clamped
                    else " and cudaFilterModePoint"
                )
                needs = f"has unnormalized coordinates{filters}"
            yield f"Precondition: {one.c_name} {needs}."


def _allowed(
    unit: Unit, parameters: Sequence[KernelParameter], least: Mapping[str, int]
) -> dict[str, Interval]:
    """Between which numbers the launcher's parameters have to lie, by their C++ names; `least` has those
    passed by value that the proofs need not to be less.
    """
    names = _given(unit, parameters)
    wanted: list[tuple[str, Interval]] = [(name, (low, math.inf)) for name, low in least.items()]
    wanted += [(f"size:{size}", (low, math.inf)) for size, low in unit.limits.least.items()]
    found: dict[str, Interval] = {}
    for name, (low, high) in [*wanted, *unit.demands.intervals.items()]:
        if (c_name := names.get(name)) is not None:
            before = found.get(c_name, UNKNOWN)
            found[c_name] = max(before[0], low), min(before[1], high)
    return found


def _bounds(unit: Unit, parameters: Sequence[KernelParameter]) -> Iterator[Bound]:
    """What bounds parameters from above, by their C++ names; the kernel itself has those in its loops."""
    names = _given(unit, parameters)
    read = unit.contents[-1].mentioned
    for one in unit.demands.bounds:
        name, other = names.get(one.name), names.get(one.other)
        # A number that has two names in the description may be one parameter.
        if name and other and name != other and (one.room is not None or other in read):
            yield dataclasses.replace(one, name=name, other=other)


def _given(unit: Unit, parameters: Sequence[KernelParameter]) -> dict[str, str]:
    """The C++ names of sizes and of numbers passed by value."""
    held = known_sizes(parameters, unit.launch)
    sizes = {f"size:{size}": c_name for size, c_name in held.items()}
    return {one.name: one.c_name for one in parameters if one.kind == "value"} | sizes


def _numbers(kernel: Function) -> set[int]:
    """The whole numbers in a kernel's text."""
    literals = [one.value for one in all_expressions(kernel.body) if isinstance(one, Literal)]
    # No fraction is a block's last thread: 127.0 is the largest of 8-bit integers.
    found = {int(one) for one in literals if isinstance(one, float) and one % 2 == 0}
    found |= {one for one in literals if isinstance(one, int)}
    found |= {one.step for one in statements(kernel.body) if isinstance(one, For)}
    return found


def _structs(unit: Unit, printer: Printer, fields: StructFields) -> Iterator[Section]:
    """The user's structs; those of which there are arrays are loaded as a whole."""
    docs = {unit.names.structs[struct["name"]]: struct["doc"] for struct in unit.record["structs"]}
    inner = [kind for members in fields.values() for _, _, kind in members]
    given = [*inner, *(kind for _, kind in unit.kernel.parameters)]
    loaded = {printer.type(kind.element): kind.element for kind in given if isinstance(kind, Array)}
    for name, members in fields.items():
        whole = loaded.get(name)
        aligned = (
            "" if whole is None or whole in inner else definitions.alignment(layout(whole, name, fields))
        )
        declared = [(member, c_type) for member, c_type, _ in members]
        text = definitions.user_struct(name, docs[name], declared, aligned)
        held = [kind.element if isinstance(kind, Array) else kind for _, _, kind in members]
        yield Section("type", name, text, needs=frozenset((printer.type(kind), ()) for kind in held))


def _constant_table(unit: Unit, printer: Printer, table: Table) -> KernelParameter:
    c_name, element = unit.names.constants[table.constant], printer.type(table.type.element)
    return KernelParameter(table.name, c_name, "constant", table.type, element)


def _table_sections(parameters: Sequence[KernelParameter], unit: Unit) -> Iterator[Section]:
    """The tables in constant memory, below one comment."""
    comment = "// Filled before the launch (cudaMemcpyToSymbol).\n"
    names = unit.extent_names.in_words_of(unit.names.constants).fixed
    for one, table in zip(parameters, unit.tables, strict=True):
        factors = [names.get(str(size)) for size in unit.launch.parameters[table.name].shape]
        count = str(table.count)
        if any(factors):
            count = " * ".join(name or str(size) for name, size in zip(factors, table.shape, strict=True))
        text = f"__constant__ {one.c_type} {one.c_name}[{count}];"
        yield Section("table", one.c_name, text, comment)
        comment = ""


def _code(
    unit: Unit, printer: Printer, parameters: Sequence[KernelParameter], preconditions: Sequence[str]
) -> Iterator[Section]:
    """Helpers, device functions and the kernel, each after what it calls."""
    keys: dict[Request | str, Key] = {}
    for request, helper in unit.helpers.items():
        section = renamed(helper.section, unit.names.helpers)
        if helper.again and _is_called_again(unit, request):
            section = dataclasses.replace(section, comment=helper.again)
        keys[request] = section.key
        yield dataclasses.replace(section, needs=frozenset(keys[need] for need in helper.needs))
    constants = set(unit.names.constants.values())
    for one in unit.contents:
        needs = {keys[node.user] for node in one.nodes if isinstance(node, Call) and node.user}
        needs |= {keys[request] for request in definitions.helper_requests([one])}
        needs |= {(name, ()) for name in one.mentioned & constants}
        if one.function.kernel:
            section = _kernel(unit, printer, parameters, preconditions)
        else:
            section = _device_function(unit, printer, one)
            keys[one.function.key] = section.key
        yield dataclasses.replace(section, needs=frozenset(needs))


def _is_called_again(unit: Unit, request: Request) -> bool:
    """Whether a helper may be called more than once, not just by one call in the kernel, in no loop."""
    calls = [id(node) for one in unit.contents for node in one.nodes if _calls(node, request)]
    loops = [one for one in unit.contents[-1].statements if isinstance(one, For | While)]
    own = {id(node) for node in unit.contents[-1].nodes} - {id(node) for node in all_expressions([*loops])}
    return len(calls) != 1 or calls[0] not in own


def _calls(node: Expression, request: Request) -> bool:
    return isinstance(node, Call) and node.helper == request


def _kernel(
    unit: Unit, printer: Printer, parameters: Sequence[KernelParameter], preconditions: Sequence[str]
) -> Section:
    read = unit.contents[-1].mentioned
    taken = [
        dataclasses.replace(one, c_name=_name(one.c_name, read))
        for one in parameters
        if not one.launches_only
    ]
    name = unit.names.functions[unit.kernel.key]
    head = f"__global__ void {name}({', '.join(one.declaration for one in taken)})"
    text = _definition(unit, printer, unit.kernel, head)
    lines = [*_mapping(unit), *preconditions]
    comment = definitions.comment(unit.kernel.doc) + "".join(f"// {line}\n" for line in lines)
    return Section("kernel", name, text, comment)


def _definition(unit: Unit, printer: Printer, function: Function, head: str) -> str:
    """A function, its lines marked with where they come from in the module."""
    source = next(one for one in unit.sources if one.key == function.key)
    lines = [f"{head} {{", *printer.block(function.body, 1), "}"]
    text = "\n".join(marked(lines, source.definition))
    return within_module(text, source, unit.module.text) + END


def _mapping(unit: Unit) -> list[str]:
    """How blocks and their threads lie on the work, in a sentence."""
    work, threads = unit.work, unit.module.block_dim
    strides = work is not None and work.threads > threads
    if unit.warps > 1:
        share = "" if work is None or strides else f"; {work.share('thread')}"
        return [f"A warp for each {_warps_part(unit)}, {unit.warps} in a block{share}."]
    if work is None:
        return []
    if strides and work.threads % threads == 0 and work.each == 1:
        return [f"Blocks of {threads} threads, each for {work.threads // threads} of {work.parts}."]
    if work.threads == threads and work.each == 1:
        return [f"Blocks of {threads} threads, one per {work.part}."]
    share = f"which stride over {work.parts}" if strides else work.share()
    return [f"Blocks of {threads} threads, {share}."]


def _warps_part(unit: Unit) -> str:
    """What the kernel calls the place of its warp, if that is a word."""
    numbers = [
        one.name
        for one in unit.kernel.body
        if isinstance(one, Declare) and one.value is not None and mentions([one], "blockIdx.x")
    ]
    is_word = len(numbers) == 1 and len(numbers[0]) > 2 and numbers[0] != "block"
    return numbers[0] if is_word else "tile"


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
    constant = isinstance(kind, Array) and (function.key, f"return{position}") not in unit.points_to.written
    return f"{'const ' if constant else ''}{printer.type(kind)}"


def _name(parameter: str, read: Set[str]) -> str:
    """The name of a parameter where it is declared: a comment, if the body reads others only."""
    return parameter if parameter in read else f"/*{parameter}*/"


def _device_function(unit: Unit, printer: Printer, contents: Contents) -> Section:
    """A device function, after the struct of its results if it returns several."""
    function, read = contents.function, contents.mentioned
    name = unit.names.functions[function.key]
    local = {one: _name(c_name, read) for one, c_name in unit.names.parameters[function.key].items()}
    access = unit.points_to.access(function)
    # The type of each parameter, and how it is declared.
    parameters: list[tuple[str, str]] = []
    for parameter, kind in function.parameters:
        if isinstance(kind, Tile):
            element, extents = printer.type(kind.element), "".join(f"[{extent}]" for extent in kind.shape)
            declared = f"{element} (&{local[parameter]}){extents}"
            parameters.append((f"{element} (&){extents}", declared))
            continue
        constant = "const " if isinstance(kind, Array) and parameter not in access.written else ""
        reference = "&" if isinstance(kind, Reference) else ""
        c_type = f"{constant}{printer.type(strip_reference(kind))}{reference}"
        parameters.append((c_type, f"{c_type} {local[parameter]}"))
    parameters += [("int", f"int {local[extent.name]}") for extent in unit.extents[function.key]]
    before = ""
    if function.result is None:
        result = "void"
    elif isinstance(function.result, tuple):
        result, members = printer.results[function.key]
        kinds = [_result_type(unit, printer, function, *item) for item in enumerate(function.result)]
        before = definitions.user_struct(result, "", zip(members, kinds, strict=True)) + "\n\n"
    else:
        result = _result_type(unit, printer, function, 0, function.result)
    head = f"__device__ {result} {name}({', '.join(declared for _, declared in parameters)})"
    text = f"{before}{definitions.comment(function.doc)}{_definition(unit, printer, function, head)}"
    return Section("function", name, text, types=tuple(c_type for c_type, _ in parameters))
