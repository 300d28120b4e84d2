"""Helpers with which the threads of a block combine their values: warp shuffles, then shared memory."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

from weft.cuda.c_types import c_type, is_cuda_vector
from weft.cuda.helpers.text import Helper, Request, define, lines_of, math_function, parts, scalar_of
from weft.types import Matrix, Scalar, Tile, Type, Vector

RESULTS = {"sum": "total", "min": "smallest", "max": "largest"}
"""What the result of a reduction is called, where its operation's name would hide a function's."""
SEVERAL = {"sum": "totals", "min": "least", "max": "largest"}
"""What several results are called."""


def _warp_step(type: Type, combine: str) -> list[str]:
    """Lines that combine `value` with that of the lane `offset` further: sums component by component."""
    if isinstance(type, Scalar):
        return [combine.format("__shfl_xor_sync(0xffffffffu, value, offset)")]
    add = "{0} += __shfl_xor_sync(0xffffffffu, {0}, offset);"
    each = f"for ({c_type(scalar_of(type))}& component :"
    match type:
        case Matrix():
            return ["for (auto& row : value.m) {", f"    {each} row) {add.format('component')}", "}"]
        case Vector() if not is_cuda_vector(type):
            return [f"{each} value.v) {add.format('component')}"]
        case _:
            return [add.format(part) for part in parts("value", type)]


def _of_lanes(name: str, what: str, combine: str, type: Type, *, group: bool) -> Helper:
    """A reduction over threads of a warp, or of each `group` of so many neighbours in it; `combine` makes
    `value` of `value` and {0}.
    """
    kind = c_type(type)
    body = [
        f"for (int offset = {'lanes / 2' if group else 16}; offset > 0; offset /= 2) {{",
        *(f"    {line}" for line in _warp_step(type, combine)),
        "}",
        "return value;",
    ]
    of = "each group of so many lanes (a power of two)" if group else "a warp"
    comment = f"{what} of the values of {of}, returned to all of its threads."
    who, given = ("lanes", ", int lanes") if group else ("warp", "")
    return define(f"{kind} {who}_{name}({kind} value{given})", body, comment)


_THREAD = (
    "threadIdx.x",
    "threadIdx.y * blockDim.x + threadIdx.x",
    "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
)
"""A thread's number in blocks of one to three dimensions."""


def _of_block(
    name: str,
    what: str,
    combine: str,
    type: Type,
    *,
    dimensions: int,
    for_all: bool,
) -> Helper:
    """A reduction over all threads of whole warps, for the first thread, whose warp combines what all warps
    have; `for_all` if each warp does, so that no thread waits for another's result.
    """
    kind = c_type(type)
    of_warps = _of_warps(name, type, dimensions, "partial")
    body = [
        f"__shared__ {kind} partial[32];",
        *_lane_and_warp(dimensions),
        f"value = warp_{name}(value);",
        "if (lane == 0) partial[warp] = value;",
        "__syncthreads();",
        f"return {of_warps};" if for_all else f"return warp == 0 ? {of_warps} : value;",
    ]
    who, c_name = (
        ("all of its threads", f"block_{name}") if for_all else ("its first thread", f"block_reduce_{name}")
    )
    comment = f"{what} of the values of a block, returned to {who}."
    return _shared(f"{kind} {c_name}({kind} value)", body, comment, ((f"warp_{name}", (type,)),))


def _several(name: str, what: str, type: Type, *, dimensions: int) -> Helper:
    """A reduction of several values, those of a tile of `type`, in which threads wait for each other once."""
    assert isinstance(type, Tile)
    (count,), kind = type.shape, c_type(type.element)
    body = [
        f"__shared__ {kind} partial[{count}][32];",
        *_lane_and_warp(dimensions),
        "#pragma unroll",
        f"for (int k = 0; k < {count}; ++k) {{",
        f"    values[k] = warp_{name}(values[k]);",
        "    if (lane == 0) partial[k][warp] = values[k];",
        "}",
        "__syncthreads();",
        "if (warp > 0) return;",
        "#pragma unroll",
        f"for (int k = 0; k < {count}; ++k) {{",
        f"    values[k] = {_of_warps(name, type.element, dimensions, 'partial[k]')};",
        "}",
    ]
    comment = f"{what} of each of the values over a block, returned to its first thread."
    head = f"void block_reduce_{name}s({kind} (&values)[{count}])"
    return define(head, body, comment, ((f"warp_{name}", (type.element,)),))


def _lane_and_warp(dimensions: int) -> list[str]:
    thread = "thread" if dimensions > 1 else "threadIdx.x"
    number = [f"const unsigned thread = {_THREAD[dimensions - 1]};"] if dimensions > 1 else []
    return [*number, f"const unsigned lane = {thread} % 32;", f"const unsigned warp = {thread} / 32;"]


def _of_warps(name: str, type: Type, dimensions: int, partial: str) -> str:
    """What a warp makes of what each warp of its block left in `partial`."""
    threads = " * ".join(f"blockDim.{axis}" for axis in "xyz"[:dimensions])
    own = f"lane < {threads} / 32 ? {partial}[lane] : {_zero(type)}"
    if name != "sum":
        # A value more changes no extreme.
        own = f"{partial}[lane < {threads} / 32 ? lane : 0]"
    return f"warp_{name}({own})"


def _shared(head: str, body: list[str], comment: str, needs: tuple[Request, ...] = ()) -> Helper:
    """A function with variables of the block."""
    made = define(head, body, needs=needs)
    section = dataclasses.replace(made.section, comment=lines_of(comment))
    return dataclasses.replace(made, section=section, again=lines_of(f"{comment} {_AGAIN}"))


def _zero(type: Type) -> str:
    if not isinstance(type, Scalar):
        return f"{c_type(type)}{{}}"
    known = {"int32": "0", "float32": "0.0f", "float64": "0.0"}
    return known.get(type.name, f"{c_type(type)}(0)")


_AGAIN = "A barrier must lie between two calls."


def _extreme(of: Callable[..., Helper], name: str, what: str) -> Callable[[Type], Helper]:
    """Warp: tile_min and tile_max, their last step."""

    def helper(type: Type) -> Helper:
        assert isinstance(type, Scalar)
        call = math_function(f"f{name}", type)
        return of(name, what, f"value = {call}(value, {{0}});", type)

    return helper


def _extremes(type: Type, *, block: bool) -> Helper:
    """Warp: tile_min and tile_max of one tile."""
    assert isinstance(type, Scalar)
    kind = c_type(type)
    least, most = (math_function(name, type) for name in ("fmin", "fmax"))
    if not block:
        body = [
            "for (int offset = 16; offset > 0; offset /= 2) {",
            f"    smallest = {least}(smallest, __shfl_xor_sync(0xffffffffu, smallest, offset));",
            f"    largest = {most}(largest, __shfl_xor_sync(0xffffffffu, largest, offset));",
            "}",
        ]
        comment = "Smallest and largest of the values of a warp, returned to all of its threads."
        return define(f"void warp_min_max({kind}& smallest, {kind}& largest)", body, comment)
    body = [
        f"__shared__ {kind} least[32];",
        f"__shared__ {kind} most[32];",
        "const unsigned lane = threadIdx.x % 32;",
        "warp_min_max(smallest, largest);",
        "if (lane == 0) {",
        "    least[threadIdx.x / 32] = smallest;",
        "    most[threadIdx.x / 32] = largest;",
        "}",
        "__syncthreads();",
        "const unsigned warp = lane < blockDim.x / 32 ? lane : 0;",
        "smallest = least[warp];",
        "largest = most[warp];",
        "warp_min_max(smallest, largest);",
    ]
    comment = "Smallest and largest of the values of a block, returned to all of its threads."
    needs = (("warp_min_max", (type,)),)
    return _shared(f"void block_min_max({kind}& smallest, {kind}& largest)", body, comment, needs)


def _place(name: str, what: str, symbol: str, block: bool) -> Callable[[Type], Helper]:
    """Warp: tile_argmin and tile_argmax, their last step."""

    def helper(type: Type) -> Helper:
        kind = c_type(type)
        assert isinstance(type, Scalar)
        limit = "-INFINITY" if symbol == ">" else "INFINITY"
        limit = limit if kind == "float" else f"{kind}({limit})"
        choose = math_function("fmax" if symbol == ">" else "fmin", type) if type.is_float else ""
        body = [
            *([f"value = {choose}(value, {limit});  // what is no number is last"] if type.is_float else []),
            "for (int offset = 1; offset < 32; offset *= 2) {",
            f"    const {kind} other = __shfl_down_sync(0xffffffffu, value, offset);",
            "    const int its_place = __shfl_down_sync(0xffffffffu, place, offset);",
            f"    if (other {symbol} value) {{",
            "        value = other;",
            "        place = its_place;",
            "    }",
            "}",
        ]
        if block:
            body = [
                f"__shared__ {kind} values[32];",
                "__shared__ int places[32];",
                *body,
                "if (threadIdx.x % 32 == 0) {",
                "    values[threadIdx.x / 32] = value;",
                "    places[threadIdx.x / 32] = place;",
                "}",
                "__syncthreads();",
                "const int warps = blockDim.x / 32;",
                "int best = 0;",
                "for (int warp = 1; warp < warps; ++warp) {",
                f"    if (values[warp] {symbol} values[best]) best = warp;",
                "}",
                "return places[best];",
            ]
        else:
            body.append("return __shfl_sync(0xffffffffu, place, 0);")
        where = "block" if block else "warp"
        comment = f"The `place` of the first thread of the {where} whose value is the {what}."
        defined = _shared if block else define
        return defined(f"int {where}_{name}({kind} value, int place)", body, comment)

    return helper


def _scan(name: str, what: str, block: bool) -> Callable[[Type], Helper]:
    """Warp: scans of tiles, of which each thread has one element."""

    def helper(type: Type) -> Helper:
        assert isinstance(type, Scalar)
        kind = c_type(type)
        choose = math_function(f"f{name}", type) if type.is_float and name != "sum" else name
        combine = "value += {0};" if name == "sum" else f"value = {choose}(value, {{0}});"
        body = [
            "for (unsigned offset = 1; offset < 32; offset *= 2) {",
            f"    const {kind} other = __shfl_up_sync(0xffffffffu, value, offset);",
            f"    if (threadIdx.x % 32 >= offset) {combine.format('other')}",
            "}",
        ]
        if block:
            body = [
                f"__shared__ {kind} partial[32];",
                *body,
                "if (threadIdx.x % 32 == 31) partial[threadIdx.x / 32] = value;",
                "__syncthreads();",
                "const int own = threadIdx.x / 32;",
                "for (int warp = 0; warp < own; ++warp) {",
                f"    {combine.format('partial[warp]')}",
                "}",
            ]
        where = "block" if block else "warp"
        comment = f"{what} of the values of this thread and all before it in the {where} (inclusive scan)."
        body.append("return value;")
        defined = _shared if block else define
        return defined(f"{kind} {where}_scan_{name}({kind} value)", body, comment)

    return helper


def _before(block: bool) -> Callable[[Type], Helper]:
    """Warp: tile_scan_exclusive of floats."""

    def helper(type: Type) -> Helper:
        kind = c_type(type)
        lane = "threadIdx.x % 32"
        shifted = [
            "value = __shfl_up_sync(0xffffffffu, value, 1);",
            f"if ({lane} == 0) value = {_zero(type)};",
        ]
        body = ["value = warp_scan_sum(value);"]
        if block:
            body = [
                f"__shared__ {kind} partial[32];",
                *body,
                f"if ({lane} == 31) partial[threadIdx.x / 32] = value;",
                "__syncthreads();",
                *shifted,
                "const int own = threadIdx.x / 32;",
                "for (int warp = 0; warp < own; ++warp) value += partial[warp];",
            ]
        else:
            body += shifted
        where = "block" if block else "warp"
        comment = f"Sum of the values of all threads before this one in the {where} (exclusive scan)."
        defined = _shared if block else define
        needs = (("warp_scan_sum", (type,)),)
        return defined(f"{kind} {where}_sum_before({kind} value)", [*body, "return value;"], comment, needs)

    return helper


def _running_sum(type: Type) -> Helper:
    kind = c_type(type)
    body = [
        f"__shared__ {kind} partial[32];",
        "const unsigned lane = threadIdx.x % 32;",
        "const unsigned warp = threadIdx.x / 32;",
        "value = warp_scan_sum(value);",
        "if (lane == 31) partial[warp] = value;",
        "__syncthreads();",
        "value += total;",
        "for (unsigned other = 0; other < blockDim.x / 32; ++other) {",
        "    if (other < warp) value += partial[other];",
        "    total += partial[other];",
        "}",
        "__syncthreads();",
        "return value;",
    ]
    comment = "Inclusive scan of the values of a block that starts at `total`, to which it adds all of them."
    head = f"{kind} block_running_sum({kind} value, {kind}& total)"
    return define(head, body, comment, (("warp_scan_sum", (type,)),))


def _sort(key: Type, value: Type | None = None, *, block: bool) -> Helper:
    """Warp: tile_sort; of keys alone if no type of values is given."""
    threads = "blockDim.x" if block else "32"
    kinds = {"key": key} if value is None else {"key": key, "value": value}
    body = [
        "for (int width = 2; width <= count; width *= 2) {",
        "    for (int stride = width / 2; stride > 0; stride /= 2) {",
        f"        for (int pair = threadIdx.x; pair < count / 2; pair += {threads}) {{",
        "            const int e = 2 * pair - (pair & (stride - 1));",
        "            const int other = e + stride;",
        "            const bool ascending = (e & width) == 0;",
        "            if (ascending ? keys[e] > keys[other] : keys[e] < keys[other]) {",
    ]
    for name, kind in kinds.items():
        body += [
            f"                const {c_type(kind)} {name} = {name}s[e];",
            f"                {name}s[e] = {name}s[other];",
            f"                {name}s[other] = {name};",
        ]
    body += [
        "            }",
        "        }",
        f"        {'__syncthreads' if block else '__syncwarp'}();",
        "    }",
        "}",
    ]
    what = "keys in shared memory" if value is None else "pairs in shared memory by their keys"
    arrays = ", ".join(f"{c_type(kind)}* {name}s" for name, kind in kinds.items())
    comment = f"Bitonic sort of {what}; count is a power of two."
    return define(f"void {'block' if block else 'warp'}_sort({arrays}, int count)", body, comment)


def reduction(operation: str, dimensions: int, *, for_all: bool = False) -> str:
    """The helper that combines values of blocks of so many dimensions, for the first thread or `for_all`. A
    block without any is a warp.
    """
    if not dimensions:
        return f"warp_{operation}"
    name = f"block_{operation}" if for_all else f"block_reduce_{operation}"
    return name if dimensions == 1 else f"{name}_{dimensions}d"


def reductions(operation: str, dimensions: int) -> str:
    """The helper that does so for several values, for the first thread."""
    return reduction(f"{operation}s", dimensions)


def first_threads(helper: str) -> str:
    """The helper that does for the first thread what another does for all, or ''."""
    return f"block_reduce_{operation}" if (operation := helper.removeprefix("block_")) in RESULTS else ""


def _reductions(of: Callable[..., Helper]) -> dict[str, Callable[[Type], Helper]]:
    return {
        "sum": functools.partial(of, "sum", "Sum", "value += {0};"),
        "min": _extreme(of, "min", "Smallest"),
        "max": _extreme(of, "max", "Largest"),
    }


def _exchanges(who: str, block: bool) -> dict[str, Callable[..., Helper]]:
    return {
        f"{who}_argmin": _place("argmin", "smallest", "<", block),
        f"{who}_argmax": _place("argmax", "largest", ">", block),
        f"{who}_min_max": functools.partial(_extremes, block=block),
        f"{who}_sort": functools.partial(_sort, block=block),
        f"{who}_scan_sum": _scan("sum", "Sum", block),
        f"{who}_sum_before": _before(block),
        f"{who}_scan_min": _scan("min", "Smallest", block),
        f"{who}_scan_max": _scan("max", "Largest", block),
    }


BLOCK_HELPERS: dict[str, Callable[..., Helper]] = {
    **{
        f"{who}_{name}": helper
        for who, group in (("warp", False), ("lanes", True))
        for name, helper in _reductions(functools.partial(_of_lanes, group=group)).items()
    },
    **{
        reduction(name, dimensions, for_all=for_all): helper
        for for_all, dimensions in ((True, 1), (False, 1), (False, 2), (False, 3))
        for name, helper in _reductions(
            functools.partial(_of_block, dimensions=dimensions, for_all=for_all)
        ).items()
    },
    **{
        reductions(name, dimensions): functools.partial(_several, name, what, dimensions=dimensions)
        for dimensions in (1, 2, 3)
        for name, what in (("sum", "Sum"), ("min", "Smallest"), ("max", "Largest"))
    },
    **_exchanges("warp", False),
    **_exchanges("block", True),
    "block_running_sum": _running_sum,
}
