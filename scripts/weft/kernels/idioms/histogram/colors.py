"""Histograms of the channels of pixels."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import F32, I32, U32
from weft.types import Vector

_NAMES = ("red", "green", "blue", "alpha")


@dataclasses.dataclass
class Pixel:
    """This thread's pixel: a word of bytes, planes of floats, or a vector, and how fine its levels are."""

    k: Builder
    bits: int
    packed: Name | None = None
    planes: list[ArrayHandle] = dataclasses.field(default_factory=list)
    color: Name | None = None

    def level(self, channel: int) -> Expr:
        """The bin of a channel that is known."""
        bins = 1 << self.bits
        if self.packed is not None:
            shift = channel * 8 + (8 - self.bits)
            return convert(I32, (self.packed >> shift) & (bins - 1))
        value = self.color[channel] if self.color is not None else self.planes[channel][self.k.index]
        scaled = convert(I32, value * float(bins))
        return ops.min(scaled, bins - 1)

    def level_at(self, channel: Name) -> Expr:
        """The bin of a channel that a loop counts."""
        bins = 1 << self.bits
        if self.packed is not None:
            return convert(I32, (self.packed >> (convert(U32, channel) * 8 + (8 - self.bits))) & (bins - 1))
        assert self.color is not None
        return ops.min(convert(I32, self.color[channel] * float(bins)), bins - 1)


def color_channels(k: Builder) -> None:
    """Pixels, one histogram for each channel or for what channels have in common."""
    k.real = F32
    threads(k, 1, 2)
    pixel = _pixel(k, k.rng.pick(2, 3, 4))
    bins = 1 << pixel.bits
    how = k.rng.pick("loop", "written", "luma", "range", "brightest", "joint", "steps")
    if how == "loop" and pixel.planes:
        how = "written"
    lines = len(k.shape) == 2 and k.rng.chance(0.4)
    row: tuple[Expr, ...] = (k.index[0],) if lines else ()
    tables = {"loop": 3, "written": 3, "luma": 3, "range": 2, "brightest": 3, "joint": bins, "steps": 2}[how]
    shape = [*([k.shape[0]] * lines), str(tables), str(bins)]
    name = k.rng.pick("channel_counts", "histograms", "color_counts")
    counts = k.array(name, I32, shape, {"constant": 0}, "inout")
    amount = _weight(k)

    def vote(table: Expr | int, level: Expr) -> None:
        k.atomic(k.rng.pick("add", "add", "+="), counts, (*row, table, level), amount)

    _skip(k)
    match how:
        case "loop":
            with k.loop("c", 0, 3) as c:
                level = pixel.level_at(c)
                vote(c, k.let("level", level) if k.rng.chance(0.7) else level)
            doc = "Histograms of the three channels"
        case "written":
            for one in range(3):
                level = pixel.level(one)
                vote(one, k.let(_NAMES[one], level) if k.rng.chance(0.4) else level)
            doc = "Histograms of the three channels, one by one"
        case _:
            doc = _common(k, pixel, how, vote)
    what = {"packed": "packed pixels", "planes": "planes", "color": "colors"}[
        "packed" if pixel.packed is not None else "planes" if pixel.planes else "color"
    ]
    describe(k, f"{doc} of {what}, {bins} bins each{', line by line' if lines else ''}")


def _pixel(k: Builder, bits: int) -> Pixel:
    """A pixel in one of the usual forms, in its own brightness or a changed one."""
    match k.rng.pick("packed", "packed", "planes", "vector"):
        case "packed":
            word: Expr = k.array("pixels", U32, k.shape, whole(0, 2**30 - 1))[k.index]
            if k.rng.chance(0.3):
                mask = k.array("toggles", U32, k.shape, whole(0, 2**24 - 1))[k.index]
                k.notes.append("Bits that toggles has are inverted first")
                word = word ^ mask
            return Pixel(k, bits, packed=k.let("pixel", word))
        case "planes":
            planes = [k.array(name, F32, k.shape, uniform(0.0, 1.0)) for name in ("reds", "greens", "blues")]
            return Pixel(k, bits, planes=planes)
        case _:
            color: Expr = k.array("colors", Vector(3, F32), k.shape, uniform(0.0, 1.0))[k.index]
            match k.rng.pick("plain", "exposed", "mixed"):
                case "exposed":
                    exposure = k.scalar("exposure", F32, uniform(0.5, 1.0))
                    k.notes.append("Colors are multiplied by exposure first")
                    color = bounded(exposure * color, 0.0, 1.0)
                case "mixed":
                    other = k.array("layers", Vector(3, F32), k.shape, uniform(0.0, 1.0))[k.index]
                    k.notes.append("Two layers are averaged first")
                    color = bounded(0.5 * (color + other), 0.0, 1.0)
            return Pixel(k, bits, color=k.let("color", color))


def _common(k: Builder, pixel: Pixel, how: str, vote: Callable[[Expr | int, Expr], None]) -> str:
    """Votes for what the channels of a pixel have in common."""
    red, green, blue = (k.let(name, pixel.level(at)) for at, name in enumerate(_NAMES[:3]))
    match how:
        case "luma":
            r, g, b = k.rng.pick((1, 2, 1), (2, 5, 1), (3, 4, 1), (1, 1, 2))
            luma = k.let("luma", (red * r + green * g + blue * b) // (r + g + b))
            vote(0, luma)
            extra = k.rng.pick((1,), (2,), (1, 2))
            for one in extra:
                vote(one, (red, green, blue)[one])
            if 2 not in extra and k.rng.chance(0.5):
                vote(2, ops.abs(luma - green))
                return f"Histograms of the luma, weighted {r}:{g}:{b}, of green, and of the gap between them,"
            return f"Histograms of the luma, weighted {r}:{g}:{b}, and of other channels"
        case "range":
            high = k.let("high", ops.max(red, ops.max(green, blue)))
            low = k.let("low", ops.min(ops.min(red, green), blue))
            vote(0, high)
            if k.rng.chance(0.5):
                vote(1, bounded(high - low, 0, (1 << pixel.bits) - 1))
                return "Histograms of the largest channel, and of its distance from the smallest,"
            vote(1, low)
            return "Histograms of the largest and the smallest channel"
        case "brightest":
            with k.when((red >= green) & (red >= blue)):
                vote(0, red)
            with k.orwhen(green >= blue):
                vote(1, green)
            with k.otherwise():
                vote(2, blue)
            return "Histograms of the channel that dominates"
        case "joint":
            first, second = k.rng.pick((red, green), (green, blue), (red, blue))
            third = next(one for one in (red, green, blue) if one is not first and one is not second)
            vote(bounded(first, 0, (1 << pixel.bits) - 1), second)
            with k.when(third > k.rng.integer(1, 2)):
                seen = k.array("third_counts", I32, ["1"], {"constant": 0}, "inout")
                k.atomic("add", seen, 0, 1)
            return "Joint histogram of two channels, with a count of where the third one is not dark,"
        case _:
            total = k.let("total", (red + green + blue) // 3)
            vote(0, total)
            vote(1, ops.abs(red - blue) if k.rng.chance(0.5) else ops.max(red - blue, 0))
            return "Histograms of the mean of the channels, and of the gap between red and blue,"


def _weight(k: Builder) -> Expr:
    """What a pixel counts for."""
    if k.rng.chance(0.65):
        return lift(1, I32)
    k.notes.append("Each pixel counts with its coverage")
    return k.let("coverage", k.array("coverages", I32, k.shape, whole(1, 4))[k.index])


def _skip(k: Builder) -> None:
    """Leave pixels out, count those that are left, or neither."""
    kind = k.rng.pick("all", "all", "masked", "counted", "dark")
    if kind == "all":
        return
    if kind == "dark":
        depths = k.array("depths", F32, k.shape, uniform(0.0, 1.0))
        limit = k.rng.number(0.5, 0.9)
        with k.when(depths[k.index] > limit):
            k.jump("return")
        k.notes.append(f"Pixels deeper than {limit} are left out")
        return
    visible = k.array("visible", I32, k.shape, whole(0, 1))[k.index]
    if kind == "masked":
        with k.when(visible.equals(0)):
            k.jump("return")
        k.notes.append("Pixels that are not visible are left out")
        return
    seen = k.array("number_visible", I32, ["1"], {"constant": 0}, "inout")
    with k.when(visible > 0):
        k.atomic("add", seen, 0, 1)
    k.notes.append("Visible pixels are counted as well")
