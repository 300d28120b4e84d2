"""Scattered fetches, and sums over windows."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.grids import threads
from weft.kernels.holes import BOUNDARIES, boundary, neighbor
from weft.kernels.idioms.texture.images import TEXELS, texel_number
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.signals import read
from weft.kernels.types import F32, I32, scalar_of
from weft.types import Vector


def _joined(how: str, total: Expr, value: Expr) -> Expr:
    match how:
        case "sum":
            return total + value
        case "difference":
            return total - value
        case "larger":
            return ops.max(total, value)
        case _:
            return total * (1.0 + value)


def scattered_fetch(k: Builder) -> None:
    """Texels at places that an array names."""
    k.real = F32
    texel = k.rng.pick(*TEXELS)
    threads(k)
    flat = k.rng.chance(0.5)
    values = uniform(-1.0, 1.0) if scalar_of(texel).is_float else {"integers": [0, 64]}
    count = k.rng.pick(1, 1, 2, 3, 4)
    # A texture has at most 65,536 rows (CUDA programming guide, technical specifications).
    k.sizes["texels"] = k.rng.pick("min(n, 65536)", "(n + 3) // 4", "min(2 * n, 65536)", "64", "100")
    shape = ["texels"] if flat else ["texels", str(k.rng.pick(4, 6, 8))]
    table = k.array(k.rng.pick("samples", "points", "lookup_texture"), texel, shape, values, memory="texture")

    def fetch(place: Expr) -> Expr:
        return table[place] if flat else table[place, k.rng.below(int(shape[1]))]

    total: Expr | None = None
    how = k.rng.pick("sum", "difference", "larger", "product")
    noun = "one"
    for number in range(count):
        places = k.array(
            k.rng.pick("indices", "neighbors", "links"), I32, k.shape, {"integers": [0, "texels"]}
        )
        place: Expr = places[k.index]
        place = k.let("place", place) if k.rng.chance(0.6) else place
        value, noun = texel_number(k, fetch(place))
        if number == 0 and count > 1:
            value = k.let("first", value)
        total = value if total is None else _joined(how, total, value)
    assert total is not None
    if k.rng.chance(0.5):
        total = total - read(k, "baseline", -0.5, 0.5)
        k.notes.append("A baseline is subtracted")
    words = {"sum": "sum", "difference": "difference", "larger": "largest", "product": "growing product"}
    doc = (
        f"The {noun} at a place that an array names"
        if count == 1
        else f"The {words[how]} of {count} texels at places that arrays name"
    )
    finish(k, k.rng.pick("fetched", "gathered"), total, doc)


def window_sums(k: Builder) -> None:
    """Texels around a pixel."""
    k.real = F32
    texel = k.rng.pick(*TEXELS)
    threads(k, 2)
    (row, col), (rows, cols) = k.index, k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    values = uniform(0.0, 1.0) if scalar_of(texel).is_float else {"integers": [0, 64]}
    image = k.array(k.rng.pick("image", "field", "heights"), texel, k.shape, values, memory="texture")
    radius = k.rng.pick(1, 1, 2)
    how = k.rng.pick("sum", "weighted", "largest", "contrast", "cross", "near")
    total = k.var("total", 0.0)
    norm = k.var("norm", 0.1) if how in ("weighted", "near") else None
    here, channel = None, k.rng.below(2)
    if how in ("contrast", "near"):
        center: Expr = image[row, col]
        if isinstance(texel, Vector):
            center = center[channel]
        here = k.let("here", convert(F32, center) * 0.0625 if texel == I32 else center)
    first, second = boundary(k), boundary(k)
    noun = "texels"

    def visit(y: Expr, x: Expr, far: Expr | None) -> None:
        nonlocal noun
        value: Expr = image[y, x]
        if isinstance(value.type, Vector):
            value = k.let("texel", value)
            value = value[channel]
            noun = f"values of channel {channel}"
        elif value.type == I32:
            value = convert(F32, value) * 0.0625
        if how == "largest":
            k.set(total, ops.max(total, value))
        elif how == "contrast" and here is not None:
            k.add(total, ops.abs(value - here))
        elif norm is not None:
            value = k.let("value", value)
            gap = ops.abs(value - here) if here is not None else far
            assert gap is not None
            weight = k.let("weight", k.rng.pick(1.0 / (1.0 + gap), ops.exp(-bounded(gap, 0.0, 20.0))))
            k.add(total, weight * value)
            k.add(norm, weight)
        else:
            k.add(total, value)

    with k.loop("dy", -radius, radius + 1) as dy:
        if how == "cross":
            neighbor(k, first, row + dy, height, radius, lambda y: visit(y, col, None), "y")
            neighbor(k, second, col + dy, width, radius, lambda x: visit(row, x, None), "x")
        else:

            def use_row(y: Expr) -> None:
                with k.loop("dx", -radius, radius + 1) as dx:
                    far = convert(F32, ops.abs(dy) + ops.abs(dx))
                    neighbor(k, second, col + dx, width, radius, lambda x: visit(y, x, far), "x")

            neighbor(k, first, row + dy, height, radius, use_row, "y")
    result: Expr = bounded(total, -10.0, 10.0)
    if norm is not None:
        result = result / bounded(norm, 0.1, 30.0)
    where = BOUNDARIES[first] if first == second else f"in y {BOUNDARIES[first]}, in x {BOUNDARIES[second]}"
    verbs = {
        "sum": "Sum of the",
        "weighted": "Distance-weighted mean of the",
        "largest": "Largest of the",
        "contrast": "Sum of the differences from the",
        "cross": "Sum over a cross of the",
        "near": "Mean, weighted by likeness, of the",
    }
    finish(k, k.rng.pick("pixel", "response"), result, f"{verbs[how]} {noun} up to {radius} away, {where}")
