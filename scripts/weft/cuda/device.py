"""From one IR record to device code: the driver of the translator.

`translate_device` is a straight line of passes over a small tree; each pass is a module that says what holds
before and after it.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from weft.cuda import definitions, launch_assumptions
from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.analysis.intervals import UNKNOWN
from weft.cuda.build import build_function
from weft.cuda.c_types import SCALARS
from weft.cuda.calls import ModuleContext
from weft.cuda.contents import contents
from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.device_text import print_unit
from weft.cuda.grid import ExtentNames
from weft.cuda.helpers import collect
from weft.cuda.helpers.text import scalar_of
from weft.cuda.launch_assumptions import Limits
from weft.cuda.parameters import with_shapes
from weft.cuda.passes.addresses import clamp_by_address_mode
from weft.cuda.passes.bit_order import compare_bits
from weft.cuda.passes.block_bins import add_in_blocks
from weft.cuda.passes.block_columns import add_up_columns
from weft.cuda.passes.block_loops import share_loops
from weft.cuda.passes.block_products import share_products
from weft.cuda.passes.block_rows import add_up_rows
from weft.cuda.passes.block_shape import shape_block
from weft.cuda.passes.block_strides import stride_blocks
from weft.cuda.passes.block_totals import reduce_in_blocks
from weft.cuda.passes.clamps import drop_idle_clamps
from weft.cuda.passes.components import write_out_components
from weft.cuda.passes.compound import use_compound_assignments
from weft.cuda.passes.declare import declare
from weft.cuda.passes.demands import demands
from weft.cuda.passes.direct_stores import store_changed_members, store_directly
from weft.cuda.passes.evaluation_order import mark_user_effects, order_evaluation
from weft.cuda.passes.explain import explain
from weft.cuda.passes.extent_names import (
    name_own_elements,
    name_sizes,
    name_tiles,
    shape_constants,
    share_extents,
    use_own_names,
)
from weft.cuda.passes.first_thread import reduce_for_first_thread
from weft.cuda.passes.invariants import move_before_strides, move_invariants
from weft.cuda.passes.layout import Layout
from weft.cuda.passes.limits import name_limits
from weft.cuda.passes.loads import load_once
from weft.cuda.passes.loops import prepare_loops
from weft.cuda.passes.memory import (
    constant_tables,
    move_tables,
    require_unwritten,
    use_read_only,
    use_textures,
)
from weft.cuda.passes.numbered_names import drop_numbers
from weft.cuda.passes.one_turn import take_one_turn
from weft.cuda.passes.ownership import use_plain_updates, use_plain_updates_of_own_arrays
from weft.cuda.passes.parts import use_parts
from weft.cuda.passes.periodic import compare_borders
from weft.cuda.passes.points_to import PointsTo, asked_extents
from weft.cuda.passes.prove import named_integers, prove
from weft.cuda.passes.rename import choose_names, rename
from weft.cuda.passes.repeated_offsets import name_offsets
from weft.cuda.passes.running_sums import add_up_in_scans
from weft.cuda.passes.scans import scan_in_blocks
from weft.cuda.passes.sine_cosine import join_sine_and_cosine
from weft.cuda.passes.staged_loops import TILE_SIZE, most_turns
from weft.cuda.passes.thread_number import count_threads
from weft.cuda.passes.threads import begin_with_threads
from weft.cuda.passes.transposed_stores import transpose_in_tiles
from weft.cuda.passes.unroll import unroll_loops
from weft.cuda.passes.unused import drop_unused
from weft.cuda.passes.updates import keep_own_sums
from weft.cuda.passes.zero_signs import drop_zero_signs
from weft.cuda.preconditions import only_indices
from weft.cuda.tiles.accesses import AccessFinder, uniform_names
from weft.cuda.tiles.barriers import place_barriers
from weft.cuda.tiles.block_size import block_size
from weft.cuda.tiles.copies import (
    add_nothing_back,
    drop_unit_axes,
    join_guards,
    load_under_guards,
    remove_copies,
    update_in_place,
)
from weft.cuda.tiles.direct import load_directly
from weft.cuda.tiles.extremes import reduce_extremes_together
from weft.cuda.tiles.first_warp import reduce_in_first_warp
from weft.cuda.tiles.merging import merge_shares
from weft.cuda.tiles.payloads import drop_payloads
from weft.cuda.tiles.registers import SHARED_BYTES, fit_shared, use_registers
from weft.cuda.tiles.rows import keep_in_lanes
from weft.cuda.tiles.side_by_side import join_sums
from weft.cuda.tiles.spread import spread_shares
from weft.cuda.tiles.sums import sum_together
from weft.cuda.tiles.warps import warps_of_block
from weft.cuda.traverse import all_blocks, copy_function
from weft.cuda.tree import INT, Function, Literal
from weft.cuda.unit import Unit
from weft.function_source import FunctionSource, read_function
from weft.intrinsics import Effect, intrinsic
from weft.launch import Launch, parse_launch
from weft.leaves import holds_arrays, structs_of, with_parts
from weft.sizes import Size, normal_size
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Scalar,
    Struct,
    Structs,
    Tile,
    Transform,
    Type,
    Vector,
    strip_reference,
)

_Memory = Array | Tile

__all__ = ["DeviceCode", "KernelParameter", "translate_device"]


Observer = Callable[[str, Sequence[Function]], None]
"""Is shown the functions after each pass, with its name; what it changes in them goes on to the next."""

_NO_CONSTANTS: Mapping[str, int] = types.MappingProxyType({})

LAST_EDIT = "explain"
"""The last pass before names, helpers and headers are chosen for what the functions then hold."""


def ignore(name: str, functions: Sequence[Function]) -> None:
    """The observer that looks at nothing."""


def translate_device(
    record: dict[str, Any], observe: Observer = ignore, constants: Mapping[str, int] = _NO_CONSTANTS
) -> DeviceCode:
    """Device code of an IR record (docs/formats/ir.md). `constants` are whole numbers that other kernels of
    its program have names for.

    Raises KernelError with reason 'unsupported' and the place in the user's file for what cannot be
    translated.
    """
    unit = _read(record)
    unit.constants = constants
    for name, run_pass in _PASSES.items():
        run_pass(unit)
        observe(name, unit.functions)
    return print_unit(unit)


def _read(record: dict[str, Any]) -> Unit:
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
    work = None
    if launch.tiled and block_dim:
        block_dim, work = block_size(launch, sources)
        launch = dataclasses.replace(launch, block_dim=block_dim)
    return Unit(
        record,
        launch,
        {name: with_parts(fields) for name, fields in structs.items()},
        sources,
        ModuleContext(
            structs,
            functions,
            _block_dims(launch),
            block_dim,
            sources[-1],
            text=record["python_source"],
            launch=launch,
        ),
        work=work,
    )


def _block_dims(launch: Launch) -> int | None:
    """How many names of `tid()` are the block's place; None for kernels without blocks of their own."""
    if launch.block_dim is None:
        return None
    return len(launch.dims) if launch.tiled else 0


def _require_parameter(source: FunctionSource, name: str, type: Type, structs: Structs) -> None:
    """Refuse a parameter whose type has no form in C++."""
    type = strip_reference(type)
    element = type.element if isinstance(type, _Memory) else type
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


def _build(unit: Unit) -> None:
    """Trees of all functions, the kernel last."""
    for source in unit.sources:
        unit.functions.append(build_function(unit.module, source, kernel=source is unit.sources[-1]))
    begin_with_threads(unit.kernel, unit.sources[-1], len(unit.launch.dims), unit.module.blocks)


def _merge_shares(unit: Unit) -> None:
    """What threads do with the elements of one tile after another, in one loop."""
    for function in unit.tiled:
        apart, block_dim = launch_assumptions.lie_apart(unit.launch), unit.module.block_dim
        drop_payloads(function)
        load_directly(function, _accesses(unit, function, apart), block_dim, _noisy(unit))
        keep_in_lanes(function, block_dim)
        merge_shares(function, _accesses(unit, function, apart), block_dim)
        reduce_in_first_warp(function)
        reduce_extremes_together(function)
        sum_together(function)


def _use_registers(unit: Unit) -> None:
    """Variables for tiles of which threads access their own elements alone."""
    for function, source in zip(unit.tiled, unit.sources, strict=False):
        use_registers(function, unit.module.block_dim, unit.module.structs)
        if (total := fit_shared(function, unit.module.structs)) > SHARED_BYTES:
            message = f"the tiles take {total} bytes of shared memory, more than {SHARED_BYTES}"
            raise source.refusal(source.definition, f"{message}: use smaller ones")


def _place_barriers(unit: Unit) -> None:
    """Barriers where a thread needs what another wrote."""
    for function in unit.tiled:
        place_barriers(function, _accesses(unit, function, apart=True), unit.module.block_dim)
    if unit.launch.tiled and any(normal_size(dim) != "1" for dim in unit.launch.dims):
        unit.warps = warps_of_block(unit.tiled, unit.module.block_dim)


def _spread_shares(unit: Unit) -> None:
    """Statements of each thread in place of what the block does together."""
    for function in unit.tiled:
        spread_shares(function, unit.module.blocks or 0, unit.module.block_dim)


def _remove_copies(unit: Unit) -> None:
    """No variables that only hand on what was in a tile, and one loop for sums that take the same turns."""
    for_all = _noisy(unit) | unit.module.block_collective
    for function, source in zip(unit.tiled, unit.sources, strict=False):
        drop_unit_axes(function)
        remove_copies(function, source.names, for_all)
        for block in all_blocks(function.body):
            join_sums(block)


def _noisy(unit: Unit) -> set[str]:
    """The functions that print. Callees come before callers."""
    noisy: set[str] = set()
    for source in unit.sources:
        for one in source.callees.values():
            if intrinsic(one.get("builtin")).effect & Effect.PRINTS or one.get("function") in noisy:
                noisy.add(source.key)
    return noisy


def _accesses(unit: Unit, function: Function, apart: bool) -> AccessFinder:
    module = unit.module
    varying = (module.varying or {}).get(function.key, set())
    uniform = uniform_names(function, module.blocks or 0, varying)
    return AccessFinder(function, uniform, module.block_collective, may_overlap=not apart)


def _use_parts(unit: Unit) -> None:
    """Plain arrays in place of indexed ones and of those in buckets."""
    use_parts(unit.functions, unit.sources, unit.module.structs, unit.launch)


def _order_evaluation_and_declare(unit: Unit) -> None:
    """Nothing that nobody reads, side effects in Warp's order, then declarations."""
    built = [contents(function) for function in unit.functions]
    mark_user_effects(built)
    for one, source in zip(built, unit.sources, strict=True):
        prepare_loops(order_evaluation(drop_unused(one)), source)
        declare(one.function, source)
        use_plain_updates_of_own_arrays(one.function)
    unit.points_to = PointsTo(unit.functions, unit.structs, unit.launch)


def _take_one_turn(unit: Unit) -> None:
    """A thread for each turn of a loop; then plain updates of what only one thread has."""
    if unit.launch.block_dim is not None:
        return
    if not unit.module.block_dim:
        unit.launch = take_one_turn(unit.kernel, unit.launch, unit.written)
    use_plain_updates(unit.kernel)
    unit.points_to = PointsTo(unit.functions, unit.structs, unit.launch)


def _compare_borders_of_any_size(unit: Unit) -> None:
    """Comparisons in place of remainders where they need no limits of sizes, and no values of parameters."""
    largest, *_ = launch_assumptions.size_limits(unit.launch, asked_extents(unit.functions))
    _compare(unit, largest, frozenset(unit.launch.parameters))


def _drop_idle_clamps(unit: Unit) -> None:
    """No `max(i - 1, 0)` where i is above zero."""
    launch, written, ignored = unit.launch, unit.written, frozenset(unit.launch.parameters)
    largest, *_ = launch_assumptions.size_limits(launch, asked_extents(unit.functions))
    for function in unit.functions:
        drop_idle_clamps(function, launch, Analyzer(launch, function, written, largest, ignored))


def _prove(unit: Unit) -> None:
    """Indices that cannot be negative, divisions that need not round down; what a launcher has to refuse."""
    written = unit.written
    found = prove(unit.functions, unit.launch, written, unit.module.constants)
    unit.functions, unit.preconditions = found.functions, set(found.preconditions)
    unit.limits, unit.held, unit.overflowing = found.limits, found.contents, found.overflowing
    unit.indexed = only_indices(unit.kernel)
    constants = named_integers(unit.module.constants)
    unit.demands = demands(unit.functions, unit.launch, written, unit.limits, unit.preconditions, constants)


def _compare_borders(unit: Unit) -> None:
    """The same of others, within the limits and with the values that the proofs rely on."""
    _compare(unit, unit.limits, frozenset(unit.launch.parameters) - unit.preconditions)


def _compare(unit: Unit, limits: Limits, ignored: frozenset[str]) -> None:
    launch, written = unit.launch, unit.written
    for function in unit.functions:
        compare_borders(function, launch, Analyzer(launch, function, written, limits, ignored))


def _move_invariants(unit: Unit) -> None:
    """What does not change in a loop, before the loop. Work on tiles has passes of its own for that."""
    if unit.has_any_blocks:
        for function in unit.functions:
            move_invariants(function)
        load_once(unit.kernel, unit.launch, unit.written)


def _use_textures(unit: Unit) -> None:
    """Fetches for the elements of textures; tables for constant memory."""
    kernel, source = unit.kernel, unit.sources[-1]
    require_unwritten(source, unit.launch, unit.written)
    unit.clamped = clamp_by_address_mode(kernel, unit.launch)
    if unit.clamped:
        drop_unused(contents(kernel))
    use_textures(kernel, source, unit.launch)
    unit.tables = constant_tables(kernel, source, unit.launch, unit.module.constants)


def _update_in_place(unit: Unit) -> None:
    """Updates of elements that threads load and store again, and one `if` for what the same threads do."""
    for function in unit.tiled:
        load_under_guards(function)
        update_in_place(function)
        add_nothing_back(function)
        join_guards(function)


def _reduce_for_first_thread(unit: Unit) -> None:
    """Results of reductions for the first thread where no other needs them."""
    if unit.has_block_a_tile:
        reduce_for_first_thread(unit.kernel)


def _shape_block(unit: Unit) -> None:
    """Blocks of two dimensions where threads have a row and a column."""
    if unit.has_block_a_tile:
        unit.grid = shape_block(unit.kernel, unit.grid, unit.module.block_collective)


def _count_threads(unit: Unit) -> None:
    """A thread's number in the launch without the numbers that it is made of."""
    if unit.has_block_a_tile:
        count_threads(unit.kernel, unit.grid)


def _share_loops(unit: Unit) -> None:
    """Tiles in shared memory for what several threads of a block read in a loop."""
    if unit.has_any_blocks:
        written, sizes = unit.written, _sizes(unit)
        for share in (share_loops, share_products):
            unit.grid = share(unit.kernel, unit.launch, unit.grid, written, sizes, unit.structs)
        for name, most in most_turns(unit.kernel).items():
            key = name if name in unit.launch.parameters else f"size:{normal_size(sizes[name])}"
            low, high = unit.demands.intervals.get(key, UNKNOWN)
            unit.demands.intervals[key] = low, min(high, most)


def _transpose_in_tiles(unit: Unit) -> None:
    """Tiles in shared memory where threads read rows and write columns."""
    if unit.has_any_blocks:
        unit.grid = transpose_in_tiles(unit.kernel, unit.launch, unit.grid)


def _use_read_only(unit: Unit) -> None:
    """Loads through the read-only path."""
    use_read_only(unit.kernel, unit.launch)


def _lay_out(unit: Unit) -> None:
    """Pointers, offsets, extents and those coordinates of the thread that are read. What variables and fields
    must keep shows as shapes are asked for.
    """
    while True:
        unit.needs.grown = False
        functions = [copy_function(function) for function in unit.functions]
        layout = Layout(unit.launch, unit.points_to, unit.structs, unit.needs, unit.warps)
        for function, source in zip(functions, unit.sources, strict=True):
            layout.run(function, source)
        if not unit.needs.grown:
            break
    assert layout.place is not None
    unit.functions = functions
    drop_unused(contents(unit.kernel))
    unit.extents = layout.extents
    unit.grid, unit.covered_dims = layout.place.grid, layout.place.covered
    unit.shaped = {name: with_shapes(unit.structs, unit.needs, name) for name in unit.structs}


def _use_own_names(unit: Unit) -> None:
    """The source's own names for extents."""
    share_extents(unit.functions, unit.extents)
    for function, source in zip(unit.functions, unit.sources, strict=True):
        use_own_names(function, source, unit.extents[function.key])


def _name_offsets(unit: Unit) -> None:
    """Names for offsets that several elements share."""
    for function in unit.functions:
        name_offsets(function, [extent.name for extent in unit.extents[function.key]])


def _scan_in_blocks(unit: Unit) -> None:
    """Scans by the threads of a block together, where one thread adds up what stands before it; totals with
    scans of tiles.
    """
    if unit.has_any_blocks:
        unit.grid = scan_in_blocks(unit.kernel, unit.launch, unit.grid, unit.module.constants)
    else:
        add_up_in_scans(unit.kernel)


def _reduce_in_blocks(unit: Unit) -> None:
    """One atomic a block in place of one a thread, where all of them update one element; one a column or a
    row where all of its threads do.
    """
    if unit.has_any_blocks:
        written = unit.written
        unit.grid = reduce_in_blocks(unit.kernel, unit.launch, written, unit.grid)
        unit.grid = add_up_columns(unit.kernel, unit.launch, written, unit.grid)
        add_up_rows(unit.kernel, unit.launch, written, unit.grid)
        keep_own_sums(unit.kernel)


def _stride_blocks(unit: Unit) -> None:
    """No more blocks than keep a GPU busy, where each adds up what its threads have."""
    if unit.has_block_a_tile:
        unit.grid = stride_blocks(unit.kernel, unit.launch, unit.grid, _sizes(unit))


def _sizes(unit: Unit) -> dict[str, Size]:
    """The parameters of the kernel that are sizes, and which."""
    described = unit.launch.parameters.items()
    sizes = {name: one.size for name, one in described if one.size is not None}
    return sizes | {one.name: one.size for one in unit.extents[unit.kernel.key] if one.size is not None}


def _add_in_blocks(unit: Unit) -> None:
    """Bins of each block in shared memory, where all threads update a few elements."""
    if unit.has_any_blocks:
        held = [extent.size for extent in unit.extents[unit.kernel.key] if extent.size is not None]
        unit.grid = add_in_blocks(unit.kernel, unit.launch, unit.grid, unit.written, held)


def _move_before_strides(unit: Unit) -> None:
    """What does not change in a grid-stride loop, before the loop."""
    unwritten = {
        name
        for name, kind in unit.kernel.parameters
        if isinstance(kind, Array) and name not in unit.written
        if not launch_assumptions.may_overlap(unit.launch, name, unit.written)
    }
    move_before_strides(unit.kernel, unwritten)


def _compare_bits(unit: Unit) -> None:
    """Integer atomics for the extremes of floats."""
    unit.preconditions |= compare_bits(unit.functions, unit.launch)


def _name_extents(unit: Unit) -> None:
    """Constants for extents that are numbers."""
    constants, tiles, lengths = unit.module.constants, ExtentNames(), dict[str, Literal]()
    for name, value in unit.constants.items():
        constants.setdefault(name, Literal(INT, value))
    if unit.has_block_a_tile:
        sizes = {extent.name for extent in unit.extents[unit.kernel.key]}
        tiles = name_tiles(unit.kernel, unit.sources[-1], constants, unit.grid, sizes)
    elif unit.launch.tiled:
        lengths = shape_constants(unit.sources[-1], contents(unit.kernel).taken - {*constants})
        constants |= lengths
    fixed = name_sizes(unit.functions, constants, unit.grid.block, unit.launch)
    name_own_elements(unit.kernel, lengths)
    threads = {unit.grid.block[0]: fixed[TILE_SIZE]} if TILE_SIZE in fixed.keys() - unit.launch.sizes else {}
    unit.extent_names = dataclasses.replace(
        tiles, fixed={**tiles.fixed, **fixed}, threads={**tiles.threads, **threads}
    )


def _rename(unit: Unit) -> None:
    """C++ names."""
    move_tables(unit.kernel, unit.tables)
    constants = [*unit.module.constants, *(table.constant for table in unit.tables)]
    unit.contents = [contents(function) for function in unit.functions]
    unit.helpers = collect(definitions.helper_requests(unit.contents))
    helpers = {helper.section.name for helper in unit.helpers.values()}
    unit.names = choose_names(unit.contents, unit.shaped, constants, helpers)
    for one in unit.contents:
        rename(one, unit.names, [extent.name for extent in unit.extents[one.function.key]])


def _for_each(run_pass: Callable[[Function], None]) -> Callable[[Unit], None]:
    """A pass on one function, for all of them."""

    def run(unit: Unit) -> None:
        for function in unit.functions:
            run_pass(function)

    return run


def _drop_numbers(unit: Unit) -> None:
    """No `total2` among the names of work on tiles."""
    for function, source in zip(unit.tiled, unit.sources, strict=False):
        extents = {extent.name for extent in unit.extents[function.key]}
        drop_numbers(function, source.names, extents)


def _unroll_loops(unit: Unit) -> None:
    """Short loops that index what should stay in registers."""
    for function in unit.functions:
        unroll_loops(function, unit.module.constants)


_PASSES: dict[str, Callable[[Unit], None]] = {
    "build": _build,
    "merge_shares": _merge_shares,
    "use_registers": _use_registers,
    "place_barriers": _place_barriers,
    "spread_shares": _spread_shares,
    "remove_copies": _remove_copies,
    "use_parts": _use_parts,
    "order_evaluation_and_declare": _order_evaluation_and_declare,
    "take_one_turn": _take_one_turn,
    "compare_borders_of_any_size": _compare_borders_of_any_size,
    "drop_idle_clamps": _drop_idle_clamps,
    "prove": _prove,
    "compare_borders": _compare_borders,
    "drop_zero_signs": lambda unit: drop_zero_signs(unit.functions, unit.launch),
    "write_out_components": _for_each(write_out_components),
    "move_invariants": _move_invariants,
    "use_textures": _use_textures,
    "lay_out": _lay_out,
    "use_own_names": _use_own_names,
    "update_in_place": _update_in_place,
    "reduce_for_first_thread": _reduce_for_first_thread,
    "shape_block": _shape_block,
    "count_threads": _count_threads,
    "share_loops": _share_loops,
    "transpose_in_tiles": _transpose_in_tiles,
    "use_read_only": _use_read_only,
    "name_offsets": _name_offsets,
    "scan_in_blocks": _scan_in_blocks,
    "reduce_in_blocks": _reduce_in_blocks,
    "stride_blocks": _stride_blocks,
    "compare_bits": _compare_bits,
    "add_in_blocks": _add_in_blocks,
    "move_before_strides": _move_before_strides,
    "store_directly": _for_each(store_directly),
    "store_changed_members": lambda unit: store_changed_members(unit.kernel, unit.launch, unit.structs),
    "use_compound_assignments": _for_each(use_compound_assignments),
    "join_sine_and_cosine": _for_each(join_sine_and_cosine),
    "drop_numbers": _drop_numbers,
    "unroll_loops": _unroll_loops,
    "name_limits": _for_each(name_limits),
    "name_extents": _name_extents,
    "explain": _for_each(explain),
    "rename": _rename,
}
