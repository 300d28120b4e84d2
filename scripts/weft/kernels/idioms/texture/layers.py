"""Rays through volumes, blended layers, tabulated responses."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.grids import threads
from weft.kernels.idioms.texture.images import TEXELS, texel_axis, texel_number, texture_image
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.signals import read
from weft.kernels.types import F32, I32
from weft.kernels.words import article, told
from weft.types import Vector


def ray_march(k: Builder) -> None:
    """A height map or density is fetched along a line."""
    image, height, width = texture_image(k, F32, k.rng.pick("height_map", "density", "terrain", "absorption"))
    threads(k, 1, 2)
    start = read(k, "origin", 0.0, 12.0, Vector(2, F32))
    step = read(k, "direction", -1.0, 1.0, Vector(2, F32))
    steps = k.rng.pick(6, 8, 12, 16)
    how = k.rng.pick("sum", "absorb", "largest", "until", "slope")
    total = k.var("total", 1.0 if how == "absorb" else 0.0, bounds=(0.0, 50.0))
    number = k.var("steps_taken", 0, type=I32) if how == "until" else None
    level = coefficient(k, "level", 0.5, 2.0, kinds="lp") if how == "until" else None
    pace = coefficient(k, "pace", 0.5, 1.5, kinds="lp")
    before = k.var("before", 0.5, bounds=(0.0, 1.0)) if how == "slope" else None
    edge = k.rng.pick("clamp", "wrap", "mirror")
    with k.loop("s", 0, steps) as s:
        far = k.let("far", pace * convert(F32, s))
        y = texel_axis(k, start[1] + far * step[1], height, "y", edge)
        x = texel_axis(k, start[0] + far * step[0], width, "x", edge)
        value = k.let("value", image[y, x])
        if how == "absorb":
            k.set(total, bounded(total * (1.0 - 0.3 * value), 0.0, 1.0))
        elif how == "largest":
            k.set(total, bounded(ops.max(total, value - 0.02 * far), 0.0, 50.0))
        elif how == "slope" and before is not None:
            k.set(total, bounded(ops.max(total, ops.abs(value - before)), 0.0, 50.0))
            k.set(before, value)
        else:
            k.set(total, bounded(total + value, 0.0, 50.0))
        if number is not None and level is not None:
            with k.when(total > level):
                k.jump("break")
            k.add(number, 1)
    ends = {"clamp": "edges repeat", "wrap": "the map repeats", "mirror": "the map is mirrored"}[edge]
    rest = f"along a line of {steps} steps; {ends}"
    if number is not None and level is not None:
        finish(
            k, "path_length", number, f"Steps until the sum of what is fetched exceeds {told(level)}, {rest}"
        )
    else:
        nouns = {
            "sum": "Sum of what is fetched",
            "absorb": "What is left of a ray",
            "largest": "Highest value, less a little for its distance,",
            "slope": "Steepest change",
        }
        finish(
            k,
            "visible_value",
            bounded(total, 0.0, float(steps) if how == "sum" else 1.0),
            f"{nouns[how]} {rest}",
        )


def blended_layers(k: Builder) -> None:
    """Textures that are laid over each other."""
    k.real = F32
    texel = k.rng.pick(*TEXELS[2:5])
    threads(k, 2)
    layers = k.rng.pick(2, 2, 3)
    value: Expr | None = None
    how = k.rng.pick("over", "add", "multiply", "darken", "screen")
    if isinstance(texel, Vector) and how in ("darken", "screen"):
        how = "over"
    extent = k.shape
    for number in range(layers):
        image = k.array(f"layer_{number}", texel, extent, uniform(0.0, 1.0), memory="texture")
        here = k.let(k.rng.pick("layer_value", "above"), image[k.index])
        if value is None:
            value = here
            continue
        alpha: Expr
        if k.rng.chance(0.5):
            alpha = coefficient(k, "opacity", 0.2, 0.8, kinds="lp")
        else:
            alpha = k.array(
                "masks", F32, extent, uniform(0.0, 1.0), memory="texture" if k.rng.chance(0.5) else "global"
            )[k.index]
        match how:
            case "add":
                value = value + alpha * here
            case "multiply":
                value = (ops.cw_mul(value, here) if isinstance(texel, Vector) else value * here) * (
                    0.5 + alpha
                )
            case "darken":
                value = ops.min(value, here + alpha)
            case "screen":
                value = 1.0 - (1.0 - value) * (1.0 - alpha * here)
            case _:
                value = (1.0 - alpha) * value + alpha * here
        value = k.let("blended", value)
    assert value is not None
    words = {
        "over": "over",
        "add": "added to",
        "multiply": "multiplied with",
        "darken": "darkened by",
        "screen": "screened with",
    }
    doc = f"{layers} layers of an image, each {words[how]} the one before"
    if isinstance(texel, Vector) and k.rng.chance(0.5):
        finish(k, "pixel", value, doc)
    else:
        number_of, word = texel_number(k, value)
        finish(k, "pixel", number_of, f"{doc}: the {word}")


def tabulated_response(k: Builder) -> None:
    """A two-dimensional table of a response, by two quantities of each thread."""
    image, height, width = texture_image(
        k, k.rng.pick(F32, F32, I32), k.rng.pick("response_table", "lut", "equation_of_state")
    )
    threads(k)
    # Read as they are: what rounds in a place between two texels decides which of them is taken.
    a = read(k, k.rng.pick("pressure", "load", "speed"), 0.0, 1.0)
    b = read(k, k.rng.pick("temperature", "humidity", "torque"), 0.0, 1.0)
    if k.rng.chance(0.2):
        shaped, word = curve(k, a)
        a = k.let("warped", bounded(shaped, -1.0, 2.0))
        k.notes.append(f"The first goes through {article(word)}")
    y = texel_axis(
        k,
        bounded(a, -1.0, 2.0) * convert(F32, height),
        height,
        "row_texel",
        k.rng.pick("clamp", "clamp", "mirror"),
    )
    x = texel_axis(k, bounded(b, -1.0, 2.0) * convert(F32, width), width, "column_texel", "clamp")
    value, word = texel_number(k, image[y, x])
    how = k.rng.pick("nearest", "slope", "along", "both", "nearest")
    if how in ("slope", "along", "both"):
        value = k.let("value", value)
        down, _ = texel_number(k, image[ops.min(y + 1, height - 1), x])
        right, _ = texel_number(k, image[y, ops.min(x + 1, width - 1)])
        share = k.rng.number(0.2, 0.7)
        value = {
            "slope": lambda: down - value,
            "along": lambda: value + share * (right - value),
            "both": lambda: ops.max(ops.abs(down - value), ops.abs(right - value)),
        }[how]()
    words = {
        "nearest": "Response",
        "slope": "Slope along the first axis",
        "along": "Response, moved towards the next column,",
        "both": "Steepest slope",
    }
    finish(k, "response", value, f"{words[how]} from a table of two quantities ({word})")
