"""Textures, and where their texels are fetched."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.holes import proved
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import F32, I32, scalar_of
from weft.types import Type, Vector

TEXELS: tuple[Type, ...] = (F32, F32, F32, Vector(2, F32), Vector(4, F32), I32)


def texture_image(k: Builder, texel: Type, name: str = "") -> tuple[ArrayHandle, Expr, Expr]:
    """A texture of a size of its own, and its height and width."""
    k.real = F32
    k.sizes["texture_height"] = k.rng.pick("(n + 7) // 8", "16", "24", "(n + 15) // 16", "max(n // 12, 1)")
    k.sizes["texture_width"] = k.rng.pick("8", "16", "20", "32")
    values = uniform(0.0, 1.0) if scalar_of(texel).is_float else {"integers": [0, 64]}
    name = name or k.rng.pick("image", "texture", "picture", "height_map", "atlas")
    image = k.array(name, texel, ["texture_height", "texture_width"], values, memory="texture")
    return image, k.size("texture_height", "texture_height"), k.size("texture_width", "texture_width")


def texel_axis(k: Builder, spot: Expr, size: Expr, name: str, kind: str) -> Expr:
    """A texel's number along an axis, from a coordinate of any size."""
    cell = convert(I32, ops.floor(bounded(spot, -5e4, 5e4)))
    match kind:
        case "clamp":
            place = ops.clamp(cell, 0, size - 1) if k.rng.chance(0.6) else ops.min(ops.max(cell, 0), size - 1)
        case "wrap":
            first = k.let(f"{name}_cell", cell)
            place = (first % size + size) % size
        case _:
            first = k.let(f"{name}_cell", ops.abs(cell))
            period = k.let(f"{name}_period", 2 * size)
            turn = k.let(f"{name}_turn", first % period)
            place = ops.clamp(ops.min(turn, period - 1 - turn), 0, size - 1)
    extent = size.interval
    return k.let(name, proved(place, Interval(0, extent.hi - 1, True, extent.size, -1)))


def texel_number(k: Builder, texel: Expr) -> tuple[Expr, str]:
    """A number from a texel, and its name."""
    match texel.type:
        case Vector(length=length):
            texel = texel if isinstance(texel, Name) else k.let("texel", texel)
            how = k.rng.pick("channel", "sum", "length", "weights")
            if how == "channel":
                c = k.rng.below(length)
                return texel[c], f"channel {c}"
            if how == "sum":
                total = texel[0]
                for c in range(1, length):
                    total = total + texel[c]
                return total, "sum of the channels"
            if how == "length":
                return ops.length(texel), "length of the texel"
            weights = k.scalar("channel_weights", texel.type, uniform(0.1, 0.8))
            return ops.dot(texel, weights), "weighted sum of the channels"
        case _ if texel.type == I32:
            return convert(F32, texel) * k.rng.pick(0.015625, 0.0625, 0.1), "scaled texel"
        case _:
            return texel, "texel"
