"""Each pixel by itself: luminance, colors, layers, vignettes."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, curve, read, threads, through, uniform
from weft.types import Vector


def _pixel(k: Builder, name: str = "image") -> tuple[Expr, Expr, Expr]:
    """The three channels of this thread's pixel: planes, the last axis of an array, or a vector."""
    match k.rng.below(3):
        case 0:
            letters = k.rng.pick(("red", "green", "blue"), ("r", "g", "b"))
            planes = [
                k.array(f"{one}_plane" if len(one) == 1 else one, k.real, k.shape, uniform(0.0, 1.0))
                for one in letters
            ]
            values: list[Expr] = [
                k.let(one[0], plane[k.index]) for one, plane in zip(letters, planes, strict=True)
            ]
        case 1:
            handle = k.array(name, k.real, [*k.shape, "3"], uniform(0.0, 1.0))
            values = [k.let(one, handle[(*k.index, c)]) for c, one in enumerate("rgb")]
        case _:
            handle = k.array(
                k.rng.pick("pixels", "colors", "frame"), Vector(3, k.real), k.shape, uniform(0.0, 1.0)
            )
            color = k.let("color", handle[k.index])
            values = [color[c] for c in range(3)]
    return values[0], values[1], values[2]


def luminance(k: Builder) -> None:
    """Grey values and what follows from them."""
    threads(k, 2)
    r, g, b = _pixel(k)
    kind = k.rng.pick("rec709", "rec601", "mean", "lightness", "weights", "value")
    match kind:
        case "rec709":
            grey = 0.2126 * r + 0.7152 * g + 0.0722 * b
        case "rec601":
            grey = 0.299 * r + 0.587 * g + 0.114 * b
        case "mean":
            grey = (r + g + b) / 3.0
        case "lightness":
            grey = 0.5 * (ops.max(ops.max(r, g), b) + ops.min(ops.min(r, g), b))
        case "weights":
            w = k.scalar("channel_weights", Vector(3, k.real), uniform(0.1, 0.6))
            grey = w[0] * r + w[1] * g + w[2] * b
        case _:
            grey = ops.max(ops.max(r, g), b)
    words = {
        "rec709": "Luminance with the weights of Rec. 709",
        "rec601": "Luminance with the weights of Rec. 601",
        "mean": "Mean of the channels",
        "lightness": "Lightness: mean of the largest and the smallest channel",
        "weights": "Weighted sum of the channels",
        "value": "The largest channel",
    }
    doc = words[kind]
    if k.rng.chance(0.5):
        level = k.let("grey", grey)
        match k.rng.below(3):
            case 0:
                gamma = coefficient(k, "gamma", 0.4, 2.4)
                grey, doc = ops.pow(ops.max(level, 0.001), gamma), f"{doc}, gamma corrected"
            case 1:
                levels = k.rng.pick(4, 8, 16)
                grey = ops.floor(level * float(levels)) / float(levels)
                doc = f"{doc}, in {levels} steps"
            case _:
                grey, word = curve(k, level)
                k.notes.append(f"The grey value {through(word)}")
    finish(k, "luminance", grey, doc)


def color_change(k: Builder) -> None:
    """A pixel in other colours: matrices, saturation, tints, negatives, tone curves."""
    threads(k, 2)
    r, g, b = _pixel(k)
    kind = k.rng.pick("matrix", "saturation", "sepia", "negative", "tone", "balance", "chroma")
    new: list[Expr]
    match kind:
        case "matrix":
            m = k.array("color_matrix", k.real, ["3", "3"], uniform(0.0, 0.6))
            new = [m[c, 0] * r + m[c, 1] * g + m[c, 2] * b for c in range(3)]
            doc = "Colours through a matrix"
        case "saturation":
            grey = k.let("grey", k.rng.pick((r + g + b) / 3.0, 0.299 * r + 0.587 * g + 0.114 * b))
            amount = coefficient(k, "saturation", 0.2, 1.8)
            new = [grey + amount * (one - grey) for one in (r, g, b)]
            doc = "Colours drawn towards grey or away from it"
        case "sepia":
            grey = k.let("grey", 0.3 * r + 0.6 * g + 0.1 * b)
            new = [
                ops.min(grey * tint, 1.0)
                for tint in (k.rng.number(1.05, 1.3), k.rng.number(0.85, 0.98), k.rng.number(0.5, 0.8))
            ]
            doc = "A tinted grey image"
        case "negative":
            strength = coefficient(k, "strength", 0.3, 0.9)
            new = [one + strength * (1.0 - 2.0 * one) for one in (r, g, b)]
            doc = "Colours blended with their negative"
        case "tone":
            exposure = coefficient(k, "exposure", 0.5, 3.0)
            if k.rng.chance(0.5):
                new = [k.let(f"e{name}", exposure * one) for one, name in zip((r, g, b), "rgb", strict=True)]
                new = [one / (1.0 + one) for one in new]
                doc = "Tone mapping of Reinhard"
            else:
                new = [1.0 - ops.exp(-exposure * one) for one in (r, g, b)]
                doc = "Exponential tone mapping"
        case "balance":
            gains = [coefficient(k, f"{one}_gain", 0.6, 1.6, kinds="lp") for one in ("red", "green", "blue")]
            new = [ops.min(gain * one, 1.0) for gain, one in zip(gains, (r, g, b), strict=True)]
            doc = "White balance by a gain for each channel, clipped"
        case _:
            luma = k.let("luma", 0.299 * r + 0.587 * g + 0.114 * b)
            new = [luma, 0.564 * (b - luma), 0.713 * (r - luma)]
            doc = "Luma and two colour differences"
    finish(k, "shaded", construct(Vector(3, k.real), *new), doc)


def composite(k: Builder) -> None:
    """Layers over each other."""
    threads(k, 2)
    top = read(k, k.rng.pick("foreground", "overlay"), 0.0, 1.0)
    bottom = read(k, k.rng.pick("background", "base"), 0.0, 1.0)
    mode = k.rng.pick("over", "multiply", "screen", "overlay", "dodge", "difference", "lighten", "soft")
    first, second = k.let("top", top), k.let("bottom", bottom)
    match mode:
        case "over":
            mixed: Expr = first
        case "multiply":
            mixed = first * second
        case "screen":
            mixed = 1.0 - (1.0 - first) * (1.0 - second)
        case "overlay":
            mixed = conditional(
                second < 0.5, 2.0 * first * second, 1.0 - 2.0 * (1.0 - first) * (1.0 - second)
            )
        case "dodge":
            mixed = second / (1.05 - bounded(ops.min(first, 1.0), -1.0, 1.0))
        case "difference":
            mixed = ops.abs(first - second)
        case "lighten":
            mixed = k.rng.pick(ops.max, ops.min)(first, second)
        case _:
            mixed = (1.0 - 2.0 * first) * second * second + 2.0 * first * second
    word = {
        "over": "placed over",
        "dodge": "that brightens",
        "lighten": "compared with",
        "soft": "as a soft light on",
    }.get(mode, f"blended ({mode}) with")
    doc = f"A layer {word} another"
    if mode == "over" or k.rng.chance(0.6):
        alpha = coefficient(k, k.rng.pick("alpha", "opacity"), 0.2, 0.9)
        mixed = k.rng.pick(ops.lerp(second, mixed, alpha), alpha * mixed + (1.0 - alpha) * second)
        doc += ", by its opacity"
    finish(k, "composite", mixed, doc)


def vignette(k: Builder) -> None:
    """Patterns that follow from where a pixel is."""
    threads(k, 2)

    def centered(axis: int, name: str) -> Expr:
        size = bounded(convert(k.real, k.extent(axis)), 1.0, 7e4)
        return bounded(k.let(name, (convert(k.real, k.index[axis]) + 0.5) / size - 0.5), -0.5, 0.5)

    image = read(k, k.rng.pick("pixel", "light"), 0.1, 1.0)
    strength = coefficient(k, "strength", 0.3, 1.5)
    kind = k.rng.pick("radius", "bell", "waves", "falloff", "ramp", "column")
    v = centered(0, "v") if kind != "column" else centered(1, "v")
    u = v if kind == "column" or (kind == "waves" and k.rng.chance(0.5)) else centered(1, "u")
    square = u * u + v * v if u is not v else v * v
    match kind:
        case "radius":
            radius = bounded(k.let("radius", square), 0.0, 0.5)
            value, doc = image * (1.0 - strength * radius), "A vignette that darkens with the squared radius"
        case "bell":
            value, doc = image * ops.exp(-strength * square), "A bell-shaped vignette"
        case "waves":
            waves = k.rng.number(4.0, 14.0)
            along = v if u is v else k.rng.pick(u + v, u - v)
            value, doc = image + strength * ops.sin(waves * along), "Stripes added to an image"
        case "falloff":
            radius = k.let("radius", ops.sqrt(square))
            value, doc = (
                image / (1.0 + strength * radius),
                "Light that falls with the distance from the center",
            )
        case "ramp":
            slope = k.rng.number(0.2, 0.8) * u + k.rng.number(0.2, 0.8) * v
            value, doc = image + strength * slope, "A slanted ramp added to an image"
        case _:
            value, doc = (
                image * (1.0 - strength * ops.abs(v) * 0.5),
                "An image that darkens to its borders on the left and right",
            )
    finish(k, "shaded", value, doc)
