"""Colours of pixels: spaces, tone mapping, corrections, blending."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from weft.kernels.builder import Builder
from weft.kernels.domains.cells import Factor, Share, define, total
from weft.kernels.expressions import bounded, conditional, construct, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.words import lowered
from weft.types import Vector

colors = Domain("pixel", ranks=(2,), half=True, bytes=True, things=False)


def light(name: str, high: float = 1.0, **other: Any) -> Quantity:
    """A colour of three channels, none of them negative."""
    return Quantity(name, 0.0, high, vector(3), **other)


color = light("color")
linear_color = light("linear_color")
exposed_color = light("exposed_color", 4.0, most=60.0)
display_color = light("display_color")
adjusted_color = light("adjusted_color", updates=color)
blended_color = light("blended_color")
foreground = light("foreground")
background = light("background")
luminance = Quantity("luminance", 0.0, 1.0)
hue = Quantity("hue", 0.0, 6.0, most=6.0)
saturation = Quantity("saturation", 0.0, 1.0)
brightness = Quantity("brightness", 0.0, 1.0, plural="brightness_values")
chroma = Quantity("chroma", 0.0, 1.0, most=2e3, plural="chroma_values")
ycbcr = Quantity("ycbcr", -0.5, 1.0, vector(3), plural="ycbcr_values")
xyz = Quantity("xyz", 0.01, 1.0, vector(3), least=0.0, most=2.0, plural="xyz_values")
lab = Quantity("lab", 0.0, 100.0, vector(3), least=-1e3, most=1e3, plural="lab_values")
alpha = Quantity("alpha", 0.0, 1.0)

Color = Annotated[Expr, color]
LinearColor = Annotated[Expr, linear_color]
ExposedColor = Annotated[Expr, exposed_color]
DisplayColor = Annotated[Expr, display_color]
AdjustedColor = Annotated[Expr, adjusted_color]
BlendedColor = Annotated[Expr, blended_color]
Foreground = Annotated[Expr, foreground]
Background = Annotated[Expr, background]
Hue = Annotated[Expr, hue]
Saturation = Annotated[Expr, saturation]
Brightness = Annotated[Expr, brightness]
Ycbcr = Annotated[Expr, ycbcr]
Xyz = Annotated[Expr, xyz]
Lab = Annotated[Expr, lab]
Alpha = Annotated[Expr, alpha]


def rgb(k: Builder, channels: list[Expr] | tuple[Expr, ...]) -> Expr:
    """A colour of its channels."""
    return construct(Vector(3, k.real), *channels)


def weighed(color: Expr, weights: tuple[float, float, float]) -> Expr:
    """A weighted sum of the channels."""
    return total(weight * color[at] for at, weight in enumerate(weights))


def each_channel(
    k: Builder, name: str, doc: str, curve: Callable[..., Expr], *values: Expr, **settings: Expr
) -> Expr:
    """A function of one channel for all three, with limits of the channels as those of the function."""
    given = dict(zip(("x", "y"), values, strict=False)) | settings
    limits = {key: (k.real, Interval(one.interval.lo, one.interval.hi)) for key, one in given.items()}
    call = k.function(name, doc, limits, lambda _, *names: curve(*names))
    return rgb(k, [call(*(one[at] for one in values), *settings.values()) for at in range(3)])


def smooth(k: Builder, value: Expr, low: Expr | float, width: float) -> Expr:
    """A smooth step from zero at `low` to one that much higher."""
    share = k.let("t", ops.clamp((value - low) / width, 0.0, 1.0))
    return bounded(share * share * (3.0 - 2.0 * share), 0.0, 1.0)


TONES = {
    "reinhard": "It is x / (1 + x) of each channel",
    "aces": "It is Narkowicz's fit, clamped to 1",
    "hable": "The curve is scaled, then clamped to 1",
    "exponential": "It is 1 - exp(-x) of each channel",
    "filmic": "The curve includes the display gamma, but not the black offset of 0.004",
    "logarithmic": "It is ln(1 + x) / 2 of each channel, clamped to 1",
}

for _name, _how, _weights in (
    ("rec709", "Rec. 709", (0.2126, 0.7152, 0.0722)),
    ("rec601", "Rec. 601", (0.299, 0.587, 0.114)),
    ("rec2020", "Rec. 2020", (0.2627, 0.678, 0.0593)),
):
    define(
        colors,
        f"{_name}_luminance",
        f"{_how} luminance. Channels are linear.",
        lambda k, linear_color, _weights=_weights: bounded(weighed(linear_color, _weights), 0.0, 1.0),
        Annotated[Expr, luminance],
        {"linear_color": LinearColor},
        undoes=tuple(f"{one}_tone_mapping" for one in TONES),
    )


def _channels(color: Expr) -> tuple[Expr, Expr, Expr]:
    return color[0], color[1], color[2]


def srgb_to_linear(x: Expr) -> Expr:
    """Decode one channel of sRGB."""
    return bounded(conditional(x <= 0.04045, x / 12.92, ops.pow((x + 0.055) / 1.055, 2.4)), 0.0, 1.0)


def linear_to_srgb(x: Expr) -> Expr:
    """SRGB channel of linear light."""
    bright = 1.055 * ops.pow(ops.max(x, 0.0031308), 0.416667) - 0.055
    return bounded(conditional(x <= 0.0031308, 12.92 * x, bright), 0.0, 1.0)


@colors.formula(source="IEC 61966-2-1", undoes=("srgb_encoded", "gamma_encoded"))
def srgb_decoded(k: Builder, color: Color) -> LinearColor:
    """Decode sRGB colors. Channels are from 0 to 1, and linear below 0.04045."""
    return each_channel(k, "srgb_to_linear", "Decode one channel of sRGB.", srgb_to_linear, color)


@colors.formula(undoes=("srgb_encoded", "gamma_encoded"))
def gamma_decoded(k: Builder, color: Color, gamma: Annotated[Expr, Setting(1.8, 2.6)]) -> LinearColor:
    """Gamma decoding. Each channel is raised to the power gamma, and counts as at least 1e-4."""

    def curve(x: Expr, gamma: Expr) -> Expr:
        return bounded(ops.pow(ops.max(x, 1e-4), gamma), 0.0, 1.0)

    return each_channel(k, "gamma_decode", "Decode one channel.", curve, color, gamma=gamma)


@colors.formula(source="IEC 61966-2-1")
def srgb_encoded(k: Builder, linear_color: LinearColor) -> DisplayColor:
    """Encode linear light as sRGB. Channels are from 0 to 1, and linear below 0.0031308."""
    return each_channel(k, "linear_to_srgb", "Encode one channel as sRGB.", linear_to_srgb, linear_color)


@colors.formula()
def gamma_encoded(
    k: Builder, linear_color: LinearColor, gamma: Annotated[Expr, Setting(1.8, 2.6)]
) -> DisplayColor:
    """Gamma encoding. Each channel is raised to the power 1 / gamma, and counts as at least 1e-4."""

    def curve(x: Expr, gamma: Expr) -> Expr:
        return bounded(ops.pow(ops.max(x, 1e-4), 1.0 / gamma), 0.0, 1.0)

    return each_channel(k, "gamma_encode", "Encode one channel.", curve, linear_color, gamma=gamma)


def hable(x: Expr) -> Expr:
    """Hable's curve, before it is scaled to white."""
    return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.0666


BLENDS = {
    "multiply": "It is the product of both colors",
    "screen": "It multiplies the complements of both colors",
    "overlay": "Dark backgrounds are multiplied, bright ones screened",
    "hard_light": "Dark foregrounds multiply, bright ones screen",
    "soft_light": "It is the formula of Pegtop, without a jump at one half",
    "color_dodge": "It is min(background / (1 - foreground), 1) in each channel",
    "color_burn": "It is 1 - min((1 - background) / foreground, 1) in each channel",
    "difference": "It is the absolute difference of both colors",
    "exclusion": "It is a + b - 2 a b",
    "darken": "It keeps the smaller channel",
    "lighten": "It keeps the larger channel",
}
"""What a reader should know of each curve and mode."""


for _name, _how, _source, _curve in (
    ("reinhard", "Reinhard", "Reinhard et al. 2002", lambda x: x / (1.0 + x)),
    (
        "aces",
        "ACES filmic",
        "Narkowicz 2015",
        lambda x: ops.min(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 1.0),
    ),
    ("hable", "Hable filmic", "Hable 2010", lambda x: ops.min(1.379 * hable(x), 1.0)),
    ("exponential", "Exponential", "", lambda x: 1.0 - ops.exp(-x)),
    (
        "filmic",
        "Hejl-Burgess-Dawson filmic",
        "Hejl and Burgess-Dawson 2010",
        lambda x: x * (6.2 * x + 0.5) / (x * (6.2 * x + 1.7) + 0.06),
    ),
    ("logarithmic", "Logarithmic", "", lambda x: ops.min(ops.log(1.0 + x) / 2.0, 1.0)),
):

    def _mapped(
        k: Builder, exposed_color: Expr, _curve: Any = _curve, _name: str = _name, _how: str = _how
    ) -> Expr:
        def curve(x: Expr) -> Expr:
            return bounded(_curve(x), 0.0, 1.0)

        doc = f"Apply the {lowered(_how)} tone curve to one channel."
        return each_channel(k, f"{_name}_curve", doc, curve, exposed_color)

    define(
        colors,
        f"{_name}_tone_mapping",
        f"{_how} tone mapping. {TONES[_name]}.",
        _mapped,
        LinearColor,
        {"exposed_color": ExposedColor},
        source=_source,
    )


@colors.formula(source="Smith 1978", law="hsv")
def hsv_decoded(k: Builder, hue: Hue, saturation: Saturation, brightness: Brightness) -> AdjustedColor:
    """HSV to RGB conversion. Hue is in sextants, from 0 to 6."""

    def body(b: Builder, hue: Expr, saturation: Expr, brightness: Expr, shift: Expr) -> Expr:
        place = b.let("sector", hue + shift - 6.0 * ops.floor((hue + shift) / 6.0))
        level = bounded(ops.clamp(ops.min(place, 4.0 - place), 0.0, 1.0), 0.0, 1.0)
        return brightness * (1.0 - saturation * level)

    given = {"hue": hue, "saturation": saturation, "brightness": brightness}
    limits = {name: (k.real, Interval(0.0, one.interval.hi)) for name, one in given.items()}
    limits["shift"] = (k.real, Interval(1.0, 5.0))
    call = k.function("hue_channel", "Return one channel of a color, by the shift of its hue.", limits, body)
    return bounded(rgb(k, [call(*given.values(), shift) for shift in (5.0, 3.0, 1.0)]), 0.0, 1.0)


@colors.formula(source="ITU-R BT.601")
def luma_and_chroma(k: Builder, color: Color) -> Ycbcr:
    """RGB to YCbCr conversion. The blue and the red difference are centered at 0."""
    luma = k.let("luma", weighed(color, (0.299, 0.587, 0.114)))
    return bounded(rgb(k, [luma, 0.564 * (color[2] - luma), 0.713 * (color[0] - luma)]), -0.75, 1.0)


@colors.formula(source="ITU-R BT.601", undoes=("luma_and_chroma",))
def ycbcr_decoded(k: Builder, ycbcr: Ycbcr, boost: Annotated[Expr, Setting(0.5, 2.0)]) -> AdjustedColor:
    """YCbCr to RGB conversion with boosted chroma. Chroma is centered at 0, and colors are clamped to [0,
    1].
    """
    luma, blueness, redness = (
        ycbcr[0],
        k.let("blueness", boost * ycbcr[1]),
        k.let("redness", boost * ycbcr[2]),
    )
    green = luma - 0.344 * blueness - 0.714 * redness
    channels = (luma + 1.402 * redness, green, luma + 1.772 * blueness)
    return rgb(k, [ops.clamp(one, 0.0, 1.0) for one in channels])


@colors.formula(source="CIE 1931")
def tristimulus(k: Builder, linear_color: LinearColor) -> Xyz:
    """Linear RGB to XYZ conversion. Primaries are those of sRGB, with D65 white."""
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    return rgb(k, [weighed(linear_color, row) for row in rows])


@colors.formula(source="CIE 1976")
def lab_coordinates(k: Builder, xyz: Xyz) -> Lab:
    """XYZ to CIELAB conversion. The white point is D65, and Y = 1 for white."""

    def curve(t: Expr) -> Expr:
        root = ops.cbrt(t)
        return bounded(conditional(t > 0.008856, root, 7.787 * t + 0.137931), 0.0, 1.5)

    limits = {"t": (k.real, Interval(0.0, 3.0))}
    call = k.function(
        "lab_curve", "Return the cube root, or a line near zero.", limits, lambda _, t: curve(t)
    )
    names = ("fx", "fy", "fz")
    x, y, z = (
        k.let(name, call(xyz[at] / white))
        for at, (name, white) in enumerate(zip(names, (0.9505, 1.0, 1.089), strict=True))
    )
    return rgb(k, [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


@colors.formula()
def contrasted_color(k: Builder, color: Color, contrast: Factor, pivot: Share) -> AdjustedColor:
    """Contrast adjustment about a pivot. Colors are clamped to [0, 1]."""
    return rgb(k, [ops.clamp(pivot + contrast * (one - pivot), 0.0, 1.0) for one in _channels(color)])


@colors.formula(ranks=(2,))
def vignetted_color(
    k: Builder, color: Color, strength: Share, radius: Annotated[Expr, Setting(0.3, 0.6)]
) -> AdjustedColor:
    """Vignetting. Colors darken beyond a radius about the center."""
    across, down = (
        k.let(name, (convert(k.real, k.index[axis]) + 0.5) / convert(k.real, k.extent(axis)) - 0.5)
        for name, axis in (("across", 1), ("down", 0))
    )
    distance = k.let("distance", ops.sqrt(across * across + down * down + 1e-6))
    shade = k.let("shade", 1.0 - strength * smooth(k, distance, radius, 0.3))
    return bounded(shade * color, 0.0, 1.0)


for _name, _mode in (
    ("multiply", lambda a, b: a * b),
    ("screen", lambda a, b: 1.0 - (1.0 - a) * (1.0 - b)),
    ("overlay", lambda a, b: conditional(b < 0.5, 2.0 * a * b, 1.0 - 2.0 * (1.0 - a) * (1.0 - b))),
    ("hard_light", lambda a, b: conditional(a < 0.5, 2.0 * a * b, 1.0 - 2.0 * (1.0 - a) * (1.0 - b))),
    ("soft_light", lambda a, b: (1.0 - 2.0 * a) * b * b + 2.0 * a * b),
    ("color_dodge", lambda a, b: ops.min(b / ops.max(1.0 - a, 1e-3), 1.0)),
    ("color_burn", lambda a, b: 1.0 - ops.min((1.0 - b) / ops.max(a, 1e-3), 1.0)),
    ("difference", lambda a, b: ops.abs(a - b)),
    ("exclusion", lambda a, b: a + b - 2.0 * a * b),
    ("darken", lambda a, b: ops.min(a, b)),
    ("lighten", lambda a, b: ops.max(a, b)),
):

    def _blended(
        k: Builder, foreground: Expr, background: Expr, _mode: Any = _mode, _name: str = _name
    ) -> Expr:
        def body(_: Builder, a: Expr, b: Expr) -> Expr:
            return bounded(_mode(a, b), 0.0, 1.0)

        limits = {"front": (k.real, Interval(0.0, 1.0)), "back": (k.real, Interval(0.0, 1.0))}
        doc = f"Return one channel of the {_name.replace('_', ' ')} blend."
        call = k.function(f"{_name}_channel", doc, limits, body)
        return rgb(k, [call(foreground[at], background[at]) for at in range(3)])

    define(
        colors,
        f"{_name}_blend",
        f"{_name.replace('_', ' ').capitalize()} blend. {BLENDS[_name]}.",
        _blended,
        BlendedColor,
        {"foreground": Foreground, "background": Background},
    )


@colors.formula(source="Porter and Duff 1984")
def composite_over(k: Builder, foreground: Foreground, background: Background, alpha: Alpha) -> BlendedColor:
    """Porter-Duff source-over compositing. The foreground covers its alpha of the background."""
    return bounded(alpha * foreground + (1.0 - alpha) * background, 0.0, 1.0)


@colors.formula(source="Porter and Duff 1984", law="layer")
def faded_blend(
    k: Builder, blended_color: BlendedColor, background: Background, opacity: Share
) -> DisplayColor:
    """Layer opacity blend. An opacity of 0 shows the background alone."""
    return bounded(opacity * blended_color + (1.0 - opacity) * background, 0.0, 1.0)
