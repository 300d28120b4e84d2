"""Helpers with which the threads of a block combine their values: warp shuffles, then shared memory."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, Request, function, math_function, parts
from weft.types import Scalar, Type


def _warp_step(type: Type, combine: str) -> list[str]:
    """Lines that combine `value` with that of the lane `offset` further, component by component."""
    if isinstance(type, Scalar):
        return [combine.format("__shfl_down_sync(0xffffffffu, value, offset)")]
    lines = [f"{c_type(type)} other;"]
    for mine, theirs in zip(parts("value", type), parts("other", type), strict=True):
        lines.append(f"{theirs} = __shfl_down_sync(0xffffffffu, {mine}, offset);")
    return [*lines, combine.format("other")]


def _block(name: str, what: str, combine: str, type: Type, needs: tuple[Request, ...] = ()) -> Helper:
    """A reduction over all threads; `combine` makes `value` of `value` and {0}. Whole warps only."""
    kind = c_type(type)
    body = [
        f"__shared__ {kind} partial[32];",
        "for (int offset = 16; offset > 0; offset /= 2) {",
        *(f"    {line}" for line in _warp_step(type, combine)),
        "}",
        "if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;",
        "__syncthreads();",
        "value = partial[0];",
        "for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) {",
        f"    {combine.format('partial[warp]')}",
        "}",
        "__syncthreads();  // before the next call writes partial",
        "return value;",
    ]
    comment = f"{what} of the values of all threads of the block, for each of them."
    return Helper(function(kind, name, [(kind, "value")], body, comment), needs)


def block_sum(type: Type) -> Helper:
    """Warp: tile_sum, its last step."""
    needs: tuple[Request, ...] = () if isinstance(type, Scalar) else (("operator+=", (type, type)),)
    return _block("block_sum", "Sum", "value += {0};", type, needs)


def block_extreme(name: str, what: str) -> Callable[[Type], Helper]:
    """Warp: tile_min and tile_max, their last step."""

    def helper(type: Type) -> Helper:
        assert isinstance(type, Scalar)
        call = math_function(f"f{name}", type) if type.is_float else name
        return _block(f"block_{name}", what, f"value = {call}(value, {{0}});", type)

    return helper


def block_scan(name: str, what: str) -> Callable[[Type], Helper]:
    """Warp: scans of tiles of integers, of which each thread has one element."""

    def helper(type: Type) -> Helper:
        kind = c_type(type)
        combine = "value += {0};" if name == "sum" else f"value = {name}(value, {{0}});"
        body = [
            f"__shared__ {kind} partial[32];",
            "for (unsigned offset = 1; offset < 32; offset *= 2) {",
            f"    const {kind} other = __shfl_up_sync(0xffffffffu, value, offset);",
            f"    if (threadIdx.x % 32 >= offset) {combine.format('other')}",
            "}",
            "if (threadIdx.x % 32 == 31) partial[threadIdx.x / 32] = value;",
            "__syncthreads();",
            "for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp) {",
            f"    {combine.format('partial[warp]')}",
            "}",
            "__syncthreads();  // before the next call writes partial",
            "return value;",
        ]
        comment = f"{what} of the values of this thread and all before it in the block."
        return Helper(function(kind, f"block_scan_{name}", [(kind, "value")], body, comment))

    return helper


def block_sort(key: Type, value: Type) -> Helper:
    """Warp: tile_sort."""
    k, v = c_type(key), c_type(value)
    body = [
        "for (int width = 2; width <= count; width *= 2) {",
        "    for (int stride = width / 2; stride > 0; stride /= 2) {",
        "        for (int e = threadIdx.x; e < count; e += blockDim.x) {",
        "            const int other = e ^ stride;",
        "            if (other < e) continue;",
        "            const bool ascending = (e & width) == 0;",
        "            if (ascending ? keys[e] > keys[other] : keys[e] < keys[other]) {",
        f"                const {k} key = keys[e];",
        "                keys[e] = keys[other];",
        "                keys[other] = key;",
        f"                const {v} value = values[e];",
        "                values[e] = values[other];",
        "                values[other] = value;",
        "            }",
        "        }",
        "        __syncthreads();",
        "    }",
        "}",
    ]
    parameters = [(f"{k}*", "keys"), (f"{v}*", "values"), ("int", "count")]
    comment = "Bitonic sort of pairs in shared memory by their keys; count is a power of two."
    return Helper(function("void", "block_sort", parameters, body, comment))


BLOCK_HELPERS: dict[str, Callable[..., Helper]] = {
    "block_sum": block_sum,
    "block_min": block_extreme("min", "Smallest"),
    "block_max": block_extreme("max", "Largest"),
    "block_sort": block_sort,
    "block_scan_sum": block_scan("sum", "Sum"),
    "block_scan_min": block_scan("min", "Smallest"),
    "block_scan_max": block_scan("max", "Largest"),
}
