"""Windows around a pixel, thresholds, statistics."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform, whole


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


def threshold_image(k: Builder) -> None:
    """Masks and labels from grey values."""
    threads(k, 2)
    grey = k.let("grey", read(k, k.rng.pick("pixel", "brightness", "score"), 0.0, 1.0))
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
    """A pixel's grey level, a whole number below `levels`, stored or computed.

    `levels` is a power of two, so that its product with what is read is exact, and no rounding decides.
    """

    def stored(name: str) -> Expr:
        return k.array(name, I32, k.shape, whole(0, levels - 1))[k.index]

    match k.rng.pick("stored", "computed", "channels", "difference", "computed", "rounded"):
        case "stored":
            return stored(k.rng.pick("image", "grey_levels"))
        case "computed":
            light = read(k, "light", 0.0, 1.0)
            return bounded(convert(I32, light * float(levels)), 0, levels - 1)
        case "rounded":
            shade = read(k, "shade", 0.0, 1.0)
            return ops.min(convert(I32, ops.round(shade * float(levels))), levels - 1)
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
            # So high that the first row and column are not always those of the whole image.
            cut = k.scalar("cut", I32, whole(levels - max(4, levels // 8), levels - 3))
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
