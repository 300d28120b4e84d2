"""Grey images: filters, gradients, edges, corners, thresholds, morphology and labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.cells import Factor, Share, beside, define, radius, total, window, window_size
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.intervals import Interval
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

Little = Annotated[Expr, Setting(0.02, 0.2)]
Sigma = Annotated[Expr, Setting(0.8, 2.5)]
Moderate = Annotated[Expr, Setting(0.1, 0.4)]
High = Annotated[Expr, Setting(0.45, 0.9)]

images = Domain("pixel", ranks=(2,), half=True, bytes=True, things=False)

BORDER = ("clamped", "clamped", "zero", "periodic")
WITHIN = ("clamped", "clamped", "periodic")

intensity = Quantity("intensity", 0.0, 1.0, plural="intensities")
color = Quantity("color", 0.0, 1.0, vector(3))
smoothed = Quantity("smoothed_intensity", 0.0, 1.0, plural="smoothed_intensities")
row_smoothed = Quantity("row_mean", 0.0, 1.0)
local_mean = Quantity("local_mean", 0.0, 1.0)
local_deviation = Quantity("local_deviation", 0.0, 0.5, most=1.0)
sharpened = Quantity("sharpened_intensity", 0.0, 1.0, plural="sharpened_intensities")
gradient = Quantity("gradient", -1.0, 1.0, vector(2), derived=True)
magnitude = Quantity("magnitude", 0.0, 1.5, most=100.0, extremal=True)
second = Quantity("intensity_laplacian", -1.0, 1.0)
tensor = Quantity("structure_tensor", 0.0, 1.0, vector(3), least=-1e4, most=1e4)
corner = Quantity("corner_response", -0.5, 1.0, least=-1e9, most=1e9)
thinned = Quantity("thinned_magnitude", 0.0, 1.5, most=100.0, derived=True)
edge_class = Quantity("edge_class", 0, 2, whole, most=2, plural="edge_classes")
edge = Quantity("edge", 0, 1, whole)
threshold = Quantity("threshold", 0.2, 0.8, least=-10.0, most=10.0, derived=True)
mask = Quantity("mask", 0, 1, whole)
new_mask = Quantity("new_mask", 0, 1, whole)
code = Quantity("pattern_code", 0, 255, whole, most=255)
distance = Quantity("distance", 0.0, 20.0)
new_distance = Quantity("new_distance", 0.0, 20.0, updates=distance)
label = Quantity("label", 0, 5000, whole)
new_label = Quantity("new_label", 0, 5000, whole, most=1e6, updates=label)
variation = Quantity("variation", 0.0, 2.0, additive=True)
denoised = Quantity("denoised_intensity", 0.0, 1.0, plural="denoised_intensities", updates=intensity)
is_corner = Quantity("corner_flag", 0, 1, whole)

Color = Annotated[Expr, color]
Intensity = Annotated[Expr, intensity]
Intensities = Annotated[ArrayHandle, intensity]
Smoothed = Annotated[Expr, smoothed]
LocalMean = Annotated[Expr, local_mean]
LocalDeviation = Annotated[Expr, local_deviation]
Gradient = Annotated[Expr, gradient]
Gradients = Annotated[ArrayHandle, gradient]
Magnitude = Annotated[Expr, magnitude]
Magnitudes = Annotated[ArrayHandle, magnitude]
Laplacian = Annotated[Expr, second]
StructureTensor = Annotated[Expr, tensor]
CornerResponse = Annotated[Expr, corner]
CornerResponses = Annotated[ArrayHandle, corner]
Thinned = Annotated[Expr, thinned]
EdgeClass = Annotated[Expr, edge_class]
EdgeClasses = Annotated[ArrayHandle, edge_class]
Threshold = Annotated[Expr, threshold]
Mask = Annotated[Expr, mask]
Masks = Annotated[ArrayHandle, mask]
NewMask = Annotated[Expr, new_mask]
Distance = Annotated[Expr, distance]
Distances = Annotated[ArrayHandle, distance]
Label = Annotated[Expr, label]
Labels = Annotated[ArrayHandle, label]
Denoised = Annotated[Expr, denoised]
Extreme = Annotated[Expr, Quantity("extreme_intensity", 0.0, 1.0, plural="extreme_intensities")]


def averaged(k: Builder, array: ArrayHandle, name: str, term: Callable[[Expr], Expr]) -> Expr:
    """The mean of a term over a window."""
    summed = k.var(name, 0.0)
    reach = k.once("reach of means", lambda: radius(k, "pixels", 1, 2, 3))
    window(k, around(k, array, BORDER), reach, lambda a, b, one: k.add(summed, term(one)))
    return bounded(summed / window_size(k, reach), 0.0, 1.0)


@images.formula(goal=False)
def color_to_gray(k: Builder, color: Color) -> Intensity:
    """Convert colors to grayscale. Intensities are weighted sums of red, green and blue."""
    red, green, blue = k.rng.pick((0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722))  # Rec. 601 and Rec. 709
    return bounded(red * color[0] + green * color[1] + blue * color[2], 0.0, 1.0)


@images.formula()
def box_blur(k: Builder, intensities: Intensities) -> Smoothed:
    """Box blur. It averages a square window."""
    return averaged(k, intensities, "window_sum", lambda one: one)


@images.formula()
def binomial_blur(k: Builder, intensity: Intensity, intensities: Intensities) -> Smoothed:
    """3 x 3 binomial blur. Weights are 1, 2, 1 along both axes, over 16."""
    near = around(k, intensities, BORDER)
    sides = k.let("sides", total(beside(k, intensities)))
    corners = k.let("corners", total(near.at(a, b) for a in (-1, 1) for b in (-1, 1)))
    return bounded(0.25 * intensity + 0.125 * sides + 0.0625 * corners, 0.0, 1.0)


@images.formula()
def gaussian_blur(k: Builder, intensities: Intensities, sigma: Sigma) -> Smoothed:
    """Gaussian blur. Weights are divided by their sum."""
    weighed, weights = k.var("weighted_sum", 0.0), k.var("weight_sum", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        square = convert(k.real, a * a + b * b)
        weight = k.let("weight", ops.exp(-square / (2.0 * sigma * sigma)))
        k.add(weighed, weight * one)
        k.add(weights, weight)

    window(k, around(k, intensities, WITHIN), radius(k, "pixels", 1, 2, 3), visit)
    return bounded(weighed / bounded(weights, 0.5, 50.0), 0.0, 1.0)


def _blurred(k: Builder, of: ArrayHandle, axis: int, sigma: Expr) -> Expr:
    """The mean along one axis under a Gaussian."""
    near = around(k, of, WITHIN)
    weighed, weights = k.var("weighted_sum", 0.0), k.var("weight_sum", 0.0)
    reach = int(k.once("reach", lambda: k.rng.pick(2, 3, 4)))
    with k.loop("offset", -reach, reach + 1) as offset:
        weight = ops.exp(-convert(k.real, offset * offset) / (2.0 * sigma * sigma))
        weight = k.let("weight", weight)
        k.add(weighed, weight * near.along(axis, offset))
        k.add(weights, weight)
    return bounded(weighed / bounded(weights, 0.5, 50.0), 0.0, 1.0)


@images.formula(source="Szeliski 2010", teaches=("loop",))
def row_blur(k: Builder, intensities: Intensities, sigma: Sigma) -> Annotated[Expr, row_smoothed]:
    """Gaussian blur along the rows."""
    return _blurred(k, intensities, 1, sigma)


@images.formula(source="Szeliski 2010", teaches=("loop",))
def separable_blur(k: Builder, row_means: Annotated[ArrayHandle, row_smoothed], sigma: Sigma) -> Smoothed:
    """Gaussian blur along the columns."""
    return _blurred(k, row_means, 0, sigma)


@images.formula(source="Tomasi and Manduchi 1998")
def bilateral_filter(
    k: Builder, intensity: Intensity, intensities: Intensities, sigma: Sigma, range_sigma: Moderate
) -> Denoised:
    """Bilateral filter. Weights are Gaussians of the distance (`sigma`, in pixels) and of the difference of
    intensities (`range_sigma`).
    """
    weighed, weights = k.var("weighted_sum", 0.0), k.var("weight_sum", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        near = k.let("neighbor", one)
        away = k.let("spatial", convert(k.real, a * a + b * b) / (2.0 * sigma * sigma))
        contrast = k.let("contrast", (near - intensity) / range_sigma)
        weight = k.let("weight", ops.exp(-away - 0.5 * (contrast * contrast)))
        k.add(weighed, weight * near)
        k.add(weights, weight)

    window(k, around(k, intensities, WITHIN), radius(k, "pixels", 1, 2), visit)
    return bounded(weighed / bounded(weights, 1.0, 50.0), 0.0, 1.0)


@images.formula()
def cross_median(k: Builder, intensity: Intensity, intensities: Intensities) -> Denoised:
    """Median of the cross-shaped neighborhood. It is the middle one of five values."""
    around(k, intensities, WITHIN)
    up, down, left, right = beside(k, intensities)
    low = k.let("low", ops.max(ops.min(up, down), ops.min(left, right)))
    high = k.let("high", ops.min(ops.max(up, down), ops.max(left, right)))
    return ops.max(ops.min(low, high), ops.min(ops.max(low, high), intensity))


@images.formula(source="Perona and Malik 1990")
def perona_malik(
    k: Builder, intensity: Intensity, intensities: Intensities, edge_scale: Little, rate: Little
) -> Denoised:
    """Perona-Malik diffusion step. Edges with a large gradient hardly diffuse."""
    around(k, intensities, WITHIN)
    limits = {"change": (k.real, Interval(-1.0, 1.0)), "edge_scale": (k.real, edge_scale.interval)}
    flux = k.function(
        "edge_stopping_flux",
        "Return the flux of a change between neighbors, which edges reduce (Perona and Malik).",
        limits,
        lambda _, change, scale: change / (1.0 + change * change / (scale * scale)),
    )
    fluxes = [
        flux(k.let(f"change_{side}", there - intensity), edge_scale)
        for there, side in zip(beside(k, intensities), ("up", "down", "left", "right"), strict=True)
    ]
    return bounded(ops.clamp(intensity + rate * total(fluxes), 0.0, 1.0), 0.0, 1.0)


@images.formula(source="Rudin, Osher and Fatemi 1992")
def total_variation(k: Builder, intensity: Intensity, intensities: Intensities) -> Annotated[Expr, variation]:
    """Total variation. It is the length of the gradient by forward differences, kept above zero by 1e-6."""
    near = around(k, intensities, BORDER)
    rise_x = k.let("rise_x", near.side(1, 1) - intensity)
    rise_y = k.let("rise_y", near.side(0, 1) - intensity)
    return ops.sqrt(rise_x * rise_x + rise_y * rise_y + 1e-6)


@images.formula()
def mean_of_window(k: Builder, intensities: Intensities) -> LocalMean:
    """Local mean. It averages a square window."""
    return averaged(k, intensities, "window_sum", lambda one: one)


@images.formula()
def window_deviation(k: Builder, intensities: Intensities, local_mean: LocalMean) -> LocalDeviation:
    """Local standard deviation. The squares are divided by the number of pixels in the window."""
    squares = k.var("squares", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        offset = k.let("offset", one - local_mean)
        k.add(squares, offset * offset)

    reach = k.once("reach of means", lambda: radius(k, "pixels", 1, 2, 3))
    window(k, around(k, intensities, WITHIN), reach, visit)
    variance = k.let("variance", bounded(squares / window_size(k, reach), 0.0, 1.0))
    return ops.sqrt(variance)


@images.formula()
def unsharp_mask(
    k: Builder, intensity: Intensity, smoothed_intensity: Smoothed, amount: Factor
) -> Annotated[Expr, sharpened]:
    """Unsharp masking. The difference between the image and its blur is added."""
    return ops.clamp(intensity + amount * (intensity - smoothed_intensity), 0.0, 1.0)


@images.formula()
def laplacian_sharpening(
    k: Builder, intensity: Intensity, intensity_laplacian: Laplacian, amount: Share
) -> Annotated[Expr, sharpened]:
    """Laplacian sharpening. The Laplacian is subtracted from the image."""
    return ops.clamp(intensity - amount * intensity_laplacian, 0.0, 1.0)


GRADIENTS: tuple[tuple[str, str, float, float], ...] = (
    ("sobel", "Sobel", 2.0, 1.0),
    ("scharr", "Scharr", 10.0, 3.0),
    ("prewitt", "Prewitt", 1.0, 1.0),
)


def _across(k: Builder, intensities: ArrayHandle, middle: float, side: float) -> Expr:
    near = around(k, intensities, BORDER)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    upper_left, upper_right = near.corner(-1, -1), near.corner(-1, 1)
    lower_left, lower_right = near.corner(1, -1), near.corner(1, 1)
    rise_x = side * (upper_right - upper_left) + middle * (right - left) + side * (lower_right - lower_left)
    rise_y = side * (lower_left - upper_left) + middle * (down - up) + side * (lower_right - upper_right)
    return bounded(construct(Vector(2, k.real), rise_x, rise_y) / (2.0 * (middle + 2.0 * side)), -1.0, 1.0)


for _name, _how, _middle, _side in GRADIENTS:
    define(
        images,
        f"{_name}_gradient",
        f"{_how} gradient. Weights are scaled so that a ramp of slope 1 gives 1.",
        lambda k, intensities, _middle=_middle, _side=_side: _across(k, intensities, _middle, _side),
        Gradient,
        {"intensities": Intensities},
    )


@images.formula()
def central_gradient(k: Builder, intensities: Intensities) -> Gradient:
    """Image gradient by central differences. Components are along x, then y, and pixels are 1 apart."""
    near = around(k, intensities, BORDER)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    return construct(Vector(2, k.real), 0.5 * (right - left), 0.5 * (down - up))


@images.formula()
def gradient_length(k: Builder, gradient: Gradient) -> Magnitude:
    """Gradient magnitude. It is the Euclidean norm of both slopes."""
    return ops.length(gradient)


@images.formula()
def five_point_laplacian(k: Builder, intensity: Intensity, intensities: Intensities) -> Laplacian:
    """Five-point Laplacian. Pixels are 1 apart."""
    around(k, intensities, BORDER)
    return total(beside(k, intensities)) - 4.0 * intensity


@images.formula(source="Marr and Hildreth 1980")
def difference_of_gaussians(k: Builder, intensities: Intensities, sigma: Sigma) -> Laplacian:
    """Difference of Gaussians. The width of the narrow one is sigma, that of the wide one 1.6 sigma, so that
    blobs of about this size stand out.
    """
    near, far = k.var("near", 0.0), k.var("far", 0.0)
    near_weights, far_weights = k.var("near_weights", 0.0), k.var("far_weights", 0.0)

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        there, away = (
            k.let("value", one),
            k.let("exponent", convert(k.real, a * a + b * b) / (2.0 * sigma * sigma)),
        )
        narrow, wide = k.let("narrow_weight", ops.exp(-away)), k.let("wide_weight", ops.exp(-away / 2.56))
        k.add(near, narrow * there)
        k.add(far, wide * there)
        k.add(near_weights, narrow)
        k.add(far_weights, wide)

    window(k, around(k, intensities, WITHIN), radius(k, "pixels", 1, 2, 3), visit)
    difference = near / bounded(near_weights, 1.0, 50.0) - far / bounded(far_weights, 1.0, 50.0)
    return bounded(difference, -1.0, 1.0)


@images.formula(source="Förstner and Gülch 1987")
def windowed_tensor(k: Builder, gradients: Gradients) -> StructureTensor:
    """Structure tensor. Its entries xx, xy and yy average the products of the gradient's components over a
    square window.
    """
    summed = [k.var(name, 0.0) for name in ("sum_xx", "sum_xy", "sum_yy")]

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        slope = k.let("slope", one)
        for term, (first, second) in zip(summed, ((0, 0), (0, 1), (1, 1)), strict=True):
            k.add(term, slope[first] * slope[second])

    reach = radius(k, "pixels", 1, 2)
    window(k, around(k, gradients, BORDER), reach, visit)
    return bounded(construct(Vector(3, k.real), *summed) / window_size(k, reach), -1e4, 1e4)


@images.formula(source="Harris and Stephens 1988")
def harris_response(k: Builder, structure_tensor: StructureTensor, sensitivity: Little) -> CornerResponse:
    """Harris corner response. Positive values are corners, negative ones edges."""
    xx, xy, yy = (k.let(name, structure_tensor[at]) for at, name in enumerate(("xx", "xy", "yy")))
    trace = k.let("tensor_trace", xx + yy)
    return xx * yy - xy * xy - sensitivity * trace * trace


@images.formula(source="Shi and Tomasi 1994")
def shi_tomasi_response(k: Builder, structure_tensor: StructureTensor) -> CornerResponse:
    """Shi-Tomasi corner response. It is the smaller eigenvalue of the structure tensor."""
    xx, xy, yy = (k.let(name, structure_tensor[at]) for at, name in enumerate(("xx", "xy", "yy")))
    half = k.let("half_difference", 0.5 * (xx - yy))
    return 0.5 * (xx + yy) - ops.sqrt(half * half + xy * xy)


@images.formula()
def corner_maximum(
    k: Builder,
    corner_response: CornerResponse,
    corner_responses: CornerResponses,
    threshold: Annotated[Expr, Setting(0.85, 0.95)],
) -> Annotated[Expr, is_corner]:
    """Corner detection by non-maximum suppression. The result is 1 for a local maximum above the threshold,
    else 0.
    """
    flag = k.var("flag", conditional(corner_response > threshold, lift(1, I32), 0), (0, 1))

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        with k.when(one > corner_response):
            k.set(flag, 0)

    window(k, around(k, corner_responses, WITHIN), 1, visit)
    return flag


@images.formula(source="Canny 1986")
def non_maximum_suppression(
    k: Builder, magnitude: Magnitude, magnitudes: Magnitudes, gradient: Gradient
) -> Thinned:
    """Canny non-maximum suppression. Pixels that are no ridge of the gradient become 0."""
    near = around(k, magnitudes, BORDER)
    steep_x, steep_y = k.let("steep_x", ops.abs(gradient[0])), k.let("steep_y", ops.abs(gradient[1]))
    before, after = k.var("before", 0.0), k.var("after", 0.0)
    with k.when(steep_x > 2.4142 * steep_y + 1e-4):
        k.set(before, near.beside(1, -1))
        k.set(after, near.beside(1, 1))
    with k.orwhen(steep_y > 2.4142 * steep_x + 1e-4):
        k.set(before, near.beside(0, -1))
        k.set(after, near.beside(0, 1))
    with k.orwhen(gradient[0] * gradient[1] > 1e-6):
        k.set(before, near.at(-1, -1))
        k.set(after, near.at(1, 1))
    with k.otherwise():
        k.set(before, near.at(-1, 1))
        k.set(after, near.at(1, -1))
    return conditional((magnitude >= before) & (magnitude >= after), magnitude, 0.0)


@images.formula(source="Canny 1986")
def double_threshold(
    k: Builder, thinned_magnitude: Thinned, low_threshold: Moderate, high_threshold: High
) -> EdgeClass:
    """Canny double thresholding. The result is 2 for strong edges, 1 for weak ones and 0 elsewhere."""
    weak = conditional(thinned_magnitude >= low_threshold, lift(1, I32), 0)
    return conditional(thinned_magnitude >= high_threshold, lift(2, I32), weak)


@images.formula(source="Canny 1986")
def hysteresis_step(k: Builder, edge_class: EdgeClass, edge_classes: EdgeClasses) -> Annotated[Expr, edge]:
    """Canny hysteresis step. Strong edges stay, and so do weak ones beside them."""
    kept = k.var("kept", conditional(edge_class.equals(2), lift(1, I32), 0), (0, 1))
    with k.when(edge_class.equals(1)):

        def visit(a: Expr, b: Expr, one: Expr) -> None:
            with k.when(one.equals(2)):
                k.set(kept, 1)

        window(k, around(k, edge_classes, WITHIN), 1, visit)
    return kept


@images.formula()
def mean_threshold(k: Builder, local_mean: LocalMean, offset: Little) -> Threshold:
    """Local mean threshold. It is the local mean minus an offset."""
    return local_mean - offset


@images.formula(source="Sauvola and Pietikäinen 2000")
def sauvola_threshold(
    k: Builder, local_mean: LocalMean, local_deviation: LocalDeviation, weight: Moderate
) -> Threshold:
    """Sauvola threshold. It is m (1 + weight (s / R - 1)) for mean m, deviation s and R = 0.5."""
    return local_mean * (1.0 + weight * (local_deviation / 0.5 - 1.0))


@images.formula()
def thresholded_mask(k: Builder, intensity: Intensity, threshold: Threshold) -> Mask:
    """Threshold an image. Pixels above the threshold get 1, others 0."""
    return conditional(intensity > threshold, lift(1, I32), 0)


for _name, _how, _all, _set, _most in (
    ("eroded", "erosion", True, "all pixels that the shape covers are", "smallest"),
    ("dilated", "dilation", False, "any pixel that the shape covers is", "largest"),
):

    def _line(k: Builder, mask: Expr, masks: ArrayHandle, _all: bool = _all) -> Expr:
        left, right = around(k, masks, WITHIN).pair(1)
        return mask & left & right if _all else mask | left | right

    def _cross(k: Builder, mask: Expr, masks: ArrayHandle, _all: bool = _all) -> Expr:
        around(k, masks, WITHIN)
        found = mask
        for one in beside(k, masks):
            found = found & one if _all else found | one
        return found

    def _extreme(k: Builder, intensities: ArrayHandle, _all: bool = _all) -> Expr:
        found = k.var("extreme", float(_all), (0.0, 1.0))
        extreme = ops.min if _all else ops.max
        near = around(k, intensities, WITHIN)
        window(k, near, radius(k, "pixels", 1, 2), lambda a, b, one: k.set(found, extreme(found, one)))
        return found

    for _what, _function, _gives, _takes in (
        ("Binary {} along a line", _line, NewMask, {"mask": Mask, "masks": Masks}),
        ("Binary {} with a cross", _cross, NewMask, {"mask": Mask, "masks": Masks}),
        ("Grayscale {}", _extreme, Extreme, {"intensities": Intensities}),
    ):
        _shape = _what.rpartition(" ")[2].replace("{}", "intensity")
        binary = _what.startswith("Binary")
        _told = f"A pixel is set if {_set}" if binary else f"It is the {_most} value of a square window"
        define(images, f"{_name}_{_shape}", f"{_what.format(_how)}. {_told}.", _function, _gives, _takes)


@images.formula(source="Ojala, Pietikäinen and Harwood 1996")
def local_binary_pattern(k: Builder, intensity: Intensity, intensities: Intensities) -> Annotated[Expr, code]:
    """Local binary pattern. Each bit tells whether a neighbor is at least as bright."""
    near = around(k, intensities, WITHIN)
    ring = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
    pattern = k.var("pattern", lift(0, I32), (0, 255))
    for bit, (a, b) in enumerate(ring):
        with k.when(near.at(a, b) >= intensity):
            k.set(pattern, bounded(pattern | (1 << bit), 0, 255))
    return pattern


@images.formula(source="Zabih and Woodfill 1994")
def census_transform(k: Builder, intensity: Intensity, intensities: Intensities) -> Annotated[Expr, code]:
    """Census transform. Each of eight bits tells whether a neighbor is darker."""
    pattern = k.var("pattern", lift(0, I32), (0, 255))

    def visit(a: Expr, b: Expr, one: Expr) -> None:
        with k.when(a.differs(0) | b.differs(0)):
            darker = conditional(one < intensity, lift(1, I32), 0)
            k.set(pattern, bounded(2 * pattern + k.let("darker", darker), 0, 255))

    window(k, around(k, intensities, WITHIN), 1, visit)
    return pattern


@images.formula(source="Borgefors 1986")
def chamfer_step(
    k: Builder, mask: Mask, distance: Distance, distances: Distances
) -> Annotated[Expr, new_distance]:
    """Chamfer distance transform step. Pixels of the mask have distance 0, and each step adds 1 along
    the axes, or about sqrt(2) along diagonals.
    """
    near = around(k, distances, WITHIN)
    straight = k.let("straight", ops.min(ops.min(*near.pair(0)), ops.min(*near.pair(1))) + 1.0)
    diagonal = ops.min(ops.min(near.at(-1, -1), near.at(-1, 1)), ops.min(near.at(1, -1), near.at(1, 1)))
    nearest = k.let("nearest", ops.min(straight, diagonal + 1.4142))
    return conditional(mask.equals(1), lift(0.0, k.real), ops.min(distance, nearest))


@images.formula()
def label_step(k: Builder, mask: Mask, label: Label, labels: Labels) -> Annotated[Expr, new_label]:
    """8-connected component labeling step. Pixels of the mask take the smallest label around them. Labels
    outside the mask must be larger than all within.
    """
    smallest = k.var("smallest", label, (0, 1e6))
    with k.when(mask.equals(1)):
        window(k, around(k, labels, WITHIN), 1, lambda a, b, one: k.set(smallest, ops.min(smallest, one)))
    return smallest
