"""What a program does to its data before its first own launch."""

from __future__ import annotations

import dataclasses

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, ops
from weft.kernels.launched import Step
from weft.kernels.launches import Part, kernel, shared
from weft.kernels.program import Expr, Parameter
from weft.kernels.results import describe
from weft.kernels.types import I32
from weft.types import Array


@dataclasses.dataclass(frozen=True)
class Prepared:
    """Data in the same bounds as before, and the launches that made them."""

    data: Parameter
    given: Parameter
    steps: list[Step]

    def read(self, part: Part, name: str) -> ArrayHandle:
        """The data as a kernel of the program reads it."""
        return part.use(name, self.data, "in", self.given.values)


def prepared(k: Builder, data: Parameter, low: float, high: float) -> Prepared:
    """One-dimensional numbers in [low, high], put in another order or changed within these bounds; or not.

    Whole numbers stay whole.
    """
    assert isinstance(data.type, Array) and data.values is not None
    whole = "integers" in data.values
    kinds = ["nothing", "nothing", "reordered", "limited", "larger", "mirrored", "chosen"]
    kinds += [] if whole else ["smoothed", "shrunk"]
    kinds += ["magnitude"] if low < 0 <= high and high >= -low else []
    how = k.rng.pick(*kinds)
    if how == "nothing":
        return Prepared(data, data, [])
    (size,) = data.shape
    result = shared(k, k.rng.pick("prepared", "cleaned", "staged"), k.real, [size], None, "out")
    order = shared(k, "order", I32, [size], {"integers": [0, size]}) if how == "reordered" else None
    second = shared(k, "others", k.real, [size], data.values) if how == "chosen" else None

    def prepare(part: Part) -> None:
        b = part.k
        (i,) = b.threads([size], [b.rng.pick("i", "element", "item")])
        source = part.use("raw", data)
        value: Expr
        match how:
            case "reordered":
                assert order is not None
                value, doc = source[part.use("order_in", order)[i]], "Values in another order"
            case "limited":
                top = round(high - (high - low) / 4) if whole else b.rng.number(0.5 * high, 0.8 * high)
                value, doc = ops.min(source[i], top), f"Values, {top} at most"
            case "mirrored":
                value, doc = low + high - source[i], f"Values, subtracted from {low + high}"
                if low + high == 0:
                    value, doc = -source[i], "Values with the other sign"
            case "magnitude":
                value, doc = ops.abs(source[i]), "Magnitudes of the values"
            case "chosen":
                assert second is not None
                other = part.use("others_in", second)
                value, word = b.rng.pick(
                    (ops.max(source[i], other[i]), "larger"), (ops.min(source[i], other[i]), "smaller")
                )
                doc = f"The {word} of two values each"
            case "shrunk":
                share = b.scalar("share", k.real, uniform(0.4, 0.9))
                value, doc = share * source[i], "Values, scaled down"
            case _:
                after = source[(i + 1) % b.size("count", size)]
                value, doc = ops.max(source[i], after), "The larger of each value and the next"
                if how == "smoothed":
                    value, doc = 0.5 * (source[i] + after), "The mean of each value and the next"
        b.store(part.use("out", result, "out"), i, bounded(value, low, high))
        describe(b, doc)

    return Prepared(result, data, [kernel(k, k.rng.pick("prepare", "clean", "stage_values"), prepare)()])
