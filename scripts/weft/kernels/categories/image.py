"""Image processing: colours, filters, compositing, geometry, statistics of pixels."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops, within
from weft.kernels.idioms import coefficient, curve, signal, threads, through, uniform, whole
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.types import Vector

REVISION = 1
TEACHES = "images: colour spaces, filters, compositing, resampling, thresholds, histograms of pixels"


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


def convolution(k: Builder) -> None:
    """Small kernels of fixed weights, written out or from a table."""
    threads(k, 2)
    f = field(k, k.rng.pick("image", "luma", "depth"), 0.0, 1.0, boundaries=("clamped", "periodic"))
    kind = k.rng.pick("sharpen", "emboss", "blur", "edge", "table", "prewitt", "unsharp")
    center = f.array[k.index]
    doc = ""
    match kind:
        case "sharpen":
            amount = coefficient(k, "amount", 0.1, 0.8)
            here = k.let("center", center)
            around = k.let("around", f.at(-1, 0) + f.at(1, 0) + f.at(0, -1) + f.at(0, 1))
            value, doc = here + amount * (4.0 * here - around), "Sharpening by the Laplacian"
        case "emboss":
            depth = coefficient(k, "depth_scale", 0.3, 1.5)
            corner, other = k.rng.pick(((-1, -1), (1, 1)), ((-1, 1), (1, -1)))
            value, doc = 0.5 + depth * (f.at(*corner) - f.at(*other)), "Embossing along a diagonal"
        case "blur":
            corners = k.let("corners", f.at(-1, -1) + f.at(-1, 1) + f.at(1, -1) + f.at(1, 1))
            edges = k.let("edges", f.at(-1, 0) + f.at(1, 0) + f.at(0, -1) + f.at(0, 1))
            value, doc = (4.0 * center + 2.0 * edges + corners) / 16.0, "Binomial blur of nine pixels"
        case "edge":
            near = [
                k.let(name, f.at(*shift))
                for name, shift in (("up", (-1, 0)), ("down", (1, 0)), ("left", (0, -1)), ("right", (0, 1)))
            ]
            up, down, left, right = near
            value, doc = (
                ops.abs(down - up) + ops.abs(right - left),
                "Strength of edges, by absolute differences",
            )
        case "prewitt":
            gx, gy = k.var("gx", 0.0), k.var("gy", 0.0)
            with k.loop("t", -1, 2) as t:
                k.add(gx, f.moved(t, lift(1, I32)) - f.moved(t, lift(-1, I32)))
                k.add(gy, f.moved(lift(1, I32), t) - f.moved(lift(-1, I32), t))
            value, doc = ops.sqrt(gx * gx + gy * gy), "Strength of edges, by Prewitt's operator"
        case "unsharp":
            radius = k.rng.pick(1, 2)
            total = k.var("total", 0.0)
            with k.loop("dy", -radius, radius + 1) as dy, k.loop("dx", -radius, radius + 1) as dx:
                k.add(total, f.moved(dy, dx))
            amount = coefficient(k, "amount", 0.2, 1.0)
            here = k.let("center", center)
            value, doc = (
                here + amount * (here - total / float((2 * radius + 1) ** 2)),
                f"Unsharp mask with a box of radius {radius}",
            )
        case _:
            size = k.rng.pick(3, 5)
            taps = k.array("taps", k.real, [str(size), str(size)], uniform(-0.3, 0.4))
            total = k.var(
                "total", coefficient(k, "bias", -0.2, 0.2, kinds="lp") if k.rng.chance(0.4) else 0.0
            )
            half = size // 2
            with k.loop("dy", 0, size) as dy, k.loop("dx", 0, size) as dx:
                k.add(total, taps[dy, dx] * f.moved(dy - half, dx - half))
            value, doc = total, f"Convolution with a table of {size} by {size} weights"
    if k.rng.chance(0.3):
        value, doc = ops.clamp(value, 0.0, 1.0), f"{doc}, clipped to the range of the image"
    finish(k, "filtered", value, doc)


def composite(k: Builder) -> None:
    """Layers over each other."""
    threads(k, 2)
    top = signal(k, k.rng.pick("foreground", "overlay"), 0.0, 1.0)
    bottom = signal(k, k.rng.pick("background", "base"), 0.0, 1.0)
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


def warp_image(k: Builder) -> None:
    """Geometry: each pixel of the result looks for its source."""
    threads(k, 2)
    row, col = k.index
    image = k.array(k.rng.pick("image", "texture", "frame_in"), k.real, k.shape, uniform(0.0, 1.0))
    y, x, doc = _source(k, row, col)
    y = y if y is row else k.let("src_y", y)
    x = x if x is col else k.let("src_x", x)
    value = image[y, x]
    if k.rng.chance(0.5):
        share = coefficient(k, "share", 0.3, 0.9)
        value, doc = ops.lerp(image[row, col], value, share), f"{doc}; blended with the image itself"
    if k.rng.chance(0.3):
        value, doc = value * signal(k, "shading", 0.3, 1.0), f"{doc}; shaded"
    finish(k, "warped", value, doc)


def _source(k: Builder, row: Expr, col: Expr) -> tuple[Expr, Expr, str]:
    """Where a pixel comes from, and what that makes of the image."""

    def last(axis: int) -> Expr:
        return k.extent(axis) - 1

    match k.rng.pick("flip", "turn", "shift", "roll", "mirror", "zoom", "shear", "mosaic", "wave"):
        case "flip":
            if k.rng.chance(0.5):
                return last(0) - row, col, "The image upside down"
            return row, last(1) - col, "The image, left and right exchanged"
        case "turn":
            return last(0) - row, last(1) - col, "The image turned by 180 degrees"
        case "shift":
            dy, dx = k.scalar("dy", I32, whole(0, 5)), k.scalar("dx", I32, whole(0, 5))
            return (
                ops.min(row + dy, last(0)),
                ops.min(col + dx, last(1)),
                "The image shifted; the border repeats",
            )
        case "roll":
            dy, dx = k.scalar("dy", I32, whole(0, 5)), k.scalar("dx", I32, whole(0, 5))
            return (row + dy) % k.extent(0), (col + dx) % k.extent(1), "The image shifted around its border"
        case "mirror":
            if k.rng.chance(0.5):
                return row, ops.min(col, last(1) - col), "The left half of the image, mirrored"
            return ops.min(row, last(0) - row), col, "The upper half of the image, mirrored"
        case "zoom":
            factor = k.rng.pick(2, 3, 4)
            doc = f"The upper left corner of the image, {factor} times as large"
            return within(row // factor, k.shape[0]), within(col // factor, k.shape[1]), doc
        case "shear":
            slope = k.rng.pick(1, 2, 3)
            turned = (col + (row if slope == 1 else slope * row)) % k.extent(1)
            return row, turned, f"Each row is turned by {slope} more than the one above"
        case "mosaic":
            block = k.rng.pick(2, 3, 4, 5)
            places = [one // block * block if k.rng.chance(0.5) else one - one % block for one in (row, col)]
            doc = f"Blocks of {block} by {block} pixels show their first pixel"
            return within(places[0], k.shape[0]), within(places[1], k.shape[1]), doc
        case _:
            amplitude = coefficient(k, "amplitude", 1.0, 4.0, kinds="lp")
            angle = convert(k.real, row) * k.rng.number(0.2, 0.9)
            offset = k.let("offset", convert(I32, ops.floor(amplitude * ops.sin(angle))))
            return row, ops.clamp(col + offset, 0, last(1)), "Rows are moved by a sine wave"


def threshold_image(k: Builder) -> None:
    """Masks and labels from grey values."""
    threads(k, 2)
    grey = k.let("grey", signal(k, k.rng.pick("image", "brightness", "score"), 0.0, 1.0, spread=True))
    kind = k.rng.pick("binary", "band", "hysteresis", "adaptive", "dither", "levels", "soft")
    match kind:
        case "binary":
            cut = coefficient(k, "cut", 0.35, 0.65)
            dark, bright = k.rng.number(0.0, 0.2), k.rng.number(0.7, 0.95)
            value = conditional(grey > cut, lift(bright, k.real), lift(dark, k.real))
            doc = "Two grey values, by a threshold"
        case "band":
            low, high = coefficient(k, "low", 0.2, 0.35), coefficient(k, "high", 0.6, 0.8)
            value = conditional((grey > low) & (grey < high), grey, 0.0)
            doc = "Grey values within a band; others are zero"
        case "hysteresis":
            before = k.let("before", k.array("before", I32, k.shape, whole(0, 1))[k.index])
            low, high = coefficient(k, "low", 0.2, 0.4), coefficient(k, "high", 0.6, 0.8)
            state = k.var("state", before)
            with k.when(grey > high):
                k.set(state, 1)
            with k.orwhen(grey < low):
                k.set(state, 0)
            value, doc = state, "A mask that switches on above one level and off below another"
        case "adaptive":
            mean = k.let("local_mean", k.array("means", k.real, k.shape, uniform(0.3, 0.7))[k.index])
            value = conditional(
                grey > mean - coefficient(k, "offset", 0.02, 0.1, kinds="lp"), grey - mean, mean - grey
            )
            doc = "Distance from the local mean, by the side of a threshold"
        case "dither":
            size = k.rng.pick(2, 4, 8)
            pattern = k.array("pattern", k.real, [str(size), str(size)], uniform(0.1, 0.9))
            limit = pattern[k.index[0] % size, k.index[1] % size]
            value = conditional(grey > limit, lift(1, I32), lift(0, I32))
            doc = f"Ordered dithering with a pattern of {size} by {size}"
        case "levels":
            label = k.var("label", 0, type=I32)
            cuts = sorted(k.rng.number(0.1, 0.9) for _ in range(k.rng.integer(2, 4)))
            for level in dict.fromkeys(cuts):
                with k.when(grey > level):
                    k.add(label, 1)
            value, doc = label, "Labels by several thresholds"
        case _:
            steepness = coefficient(k, "steepness", 4.0, 12.0, kinds="lp")
            value = 1.0 / (1.0 + ops.exp(-steepness * (grey - coefficient(k, "cut", 0.3, 0.7))))
            doc = "A soft threshold"
    finish(k, "mask_value", value, doc)


def _level(k: Builder, levels: int) -> Expr:
    """A pixel's grey level, a whole number below `levels`, stored or computed."""

    def stored(name: str) -> Expr:
        return k.array(name, I32, k.shape, whole(0, levels - 1))[k.index]

    match k.rng.pick("stored", "computed", "channels", "difference", "computed", "rounded"):
        case "stored":
            return stored(k.rng.pick("image", "grey_levels"))
        case "computed":
            light = k.let("light", signal(k, "light", 0.0, 1.0))
            return ops.clamp(convert(I32, light * float(levels)), 0, levels - 1)
        case "rounded":
            shade = k.let("shade", signal(k, "shade", 0.0, 1.0))
            return ops.clamp(convert(I32, ops.round(shade * float(levels - 1))), 0, levels - 1)
        case "channels":
            first, second = stored("red_levels"), stored("green_levels")
            k.notes.append("The level of a pixel is the larger of two channels")
            return k.rng.pick(ops.max(first, second), ops.max(second, first))
        case _:
            k.notes.append("The level of a pixel is the difference of two images")
            return ops.abs(stored("image") - stored("background"))


def pixel_statistics(k: Builder) -> None:
    """Histograms, sums and extents of pixels, by atomics on whole numbers."""
    threads(k, 2)
    levels = k.rng.pick(16, 32, 64, 256)
    level = k.let("level", _level(k, levels))
    kind = k.rng.pick("histogram", "rows", "box", "above", "joint")
    doc = ""
    if kind != "joint" and k.rng.chance(0.4):
        match k.rng.below(3):
            case 0:
                mask = k.array("mask_flags", I32, k.shape, whole(0, 1))
                with k.when(mask[k.index].equals(0)):
                    k.jump("return")
                k.notes.append("Pixels whose mask is zero do not count")
            case 1:
                with k.when(level < k.rng.integer(1, levels // 4)):
                    k.jump("return")
                k.notes.append("Dark pixels do not count")
            case _:
                labels = k.array("labels", I32, k.shape, whole(0, 5))
                wanted = k.scalar("wanted", I32, whole(1, 4))
                with k.when(labels[k.index].differs(wanted)):
                    k.jump("return")
                k.notes.append("Only pixels of the wanted label count")
    match kind:
        case "histogram":
            width = k.rng.pick(1, 2, 4)
            bins = k.array("histogram", I32, [str(levels // width)], {"constant": 0}, "inout")
            k.atomic(k.rng.pick("add", "+="), bins, level if width == 1 else level // width, 1)
            doc = f"Histogram of {levels // width} bins"
            if k.rng.chance(0.5):
                k.atomic("add", k.array("grey_sum", I32, ["1"], {"constant": 0}, "inout"), 0, level)
                doc += ", and the sum of the levels"
        case "rows":
            axis = k.rng.below(2)
            sums = k.array("line_sums", I32, [k.shape[axis]], {"constant": 0}, "inout")
            k.atomic("add", sums, k.index[axis], level)
            peaks = k.array("line_peaks", I32, [k.shape[axis]], {"constant": 0}, "inout")
            k.atomic("max", peaks, k.index[axis], level)
            doc = f"Sum and largest level of each {'row' if axis == 0 else 'column'}"
        case "box":
            cut = k.scalar("cut", I32, whole(levels // 4, levels // 2))
            with k.when(level > cut):
                for name, axis in (("top", 0), ("left", 1)):
                    k.atomic("min", k.array(name, I32, ["1"], {"constant": 10**6}, "inout"), 0, k.index[axis])
                k.atomic("add", k.array("bright_sum", I32, ["1"], {"constant": 0}, "inout"), 0, level)
                if k.rng.chance(0.6):
                    k.atomic("max", k.array("bottom", I32, ["1"], {"constant": -1}, "inout"), 0, k.index[0])
            doc = "First row and column with a level above a cut, and the sum of those levels"
        case "above":
            cuts = k.array("cuts", I32, ["4"], whole(1, levels - 2))
            counts = k.array("counts", I32, ["4"], {"constant": 0}, "inout")
            with k.loop("c", 0, 4) as c, k.when(level > cuts[c]):
                k.atomic("add", counts, c, 1)
            doc = "Number of pixels above each of four cuts"
        case _:
            other = k.array("other_image", I32, k.shape, whole(0, levels - 1))[k.index]
            step = levels // 8
            bins = k.array("joint", I32, ["8", "8"], {"constant": 0}, "inout")
            k.atomic("add", bins, (level // step, other // step), 1)
            doc = "Joint histogram of two images in 8 by 8 bins"
    describe(k, doc)


def vignette(k: Builder) -> None:
    """Patterns that follow from where a pixel is."""
    threads(k, 2)

    def centered(axis: int, name: str) -> Expr:
        size = bounded(convert(k.real, k.extent(axis)), 1.0, 7e4)
        return bounded(k.let(name, (convert(k.real, k.index[axis]) + 0.5) / size - 0.5), -0.5, 0.5)

    image = signal(k, k.rng.pick("image", "light"), 0.1, 1.0)
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
