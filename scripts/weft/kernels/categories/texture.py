"""Arrays that are fetched through textures: image warps, lookups, gathers at places that data decide.

The launch description asks for texture memory; fetches take the texel itself, without filtering.
"""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.grids import threads
from weft.kernels.holes import BOUNDARIES, boundary, neighbor, proved, term
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.signals import read, signal
from weft.kernels.types import F32, I32, scalar_of
from weft.kernels.words import article, told
from weft.types import Type, Vector

REVISION = 1
TEACHES = "textures: image warps, resampling, lookups by place, angle and level, cached gathers"

TEXELS: tuple[Type, ...] = (F32, F32, F32, Vector(2, F32), Vector(4, F32), I32)


def _image(k: Builder, texel: Type, name: str = "") -> tuple[ArrayHandle, Expr, Expr]:
    """A texture of a size of its own, and its height and width."""
    k.real = F32
    k.sizes["texture_height"] = k.rng.pick("(n + 7) // 8", "16", "24", "(n + 15) // 16", "max(n // 12, 1)")
    k.sizes["texture_width"] = k.rng.pick("8", "16", "20", "32")
    values = uniform(0.0, 1.0) if scalar_of(texel).is_float else {"integers": [0, 64]}
    name = name or k.rng.pick("image", "texture", "picture", "height_map", "atlas")
    image = k.array(name, texel, ["texture_height", "texture_width"], values, memory="texture")
    return image, k.size("texture_height", "texture_height"), k.size("texture_width", "texture_width")


def _axis(k: Builder, spot: Expr, size: Expr, name: str, kind: str) -> Expr:
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


def _number(k: Builder, texel: Expr) -> tuple[Expr, str]:
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


def image_warp(k: Builder) -> None:
    """A pixel takes the texel at a moved, turned, scaled or bent place."""
    texel = k.rng.pick(*TEXELS)
    image, height, width = _image(k, texel)
    threads(k, 2)
    row, col = k.index
    y0, x0 = convert(F32, row), convert(F32, col)
    how = k.rng.pick("shift", "turn", "zoom", "wave", "swirl", "affine", "flow", "shear", "lens")
    amount = coefficient(
        k, {"turn": "angle", "zoom": "zoom", "wave": "amplitude"}.get(how, "strength"), 0.2, 1.4, kinds="lp"
    )
    if how in ("turn", "swirl", "zoom", "lens", "affine"):
        cy = coefficient(k, "center_y", 2.0, 8.0, kinds="lp")
        cx = coefficient(k, "center_x", 2.0, 8.0, kinds="lp")
        dy, dx = k.let("dy", y0 - cy), k.let("dx", x0 - cx)
    if how in ("turn", "swirl"):
        angle: Expr = amount
        if how == "swirl":
            angle = amount / (1.0 + 0.1 * (dx * dx + dy * dy))
        angle = k.let("turned_by", angle)
        c, s = k.let("cosine", ops.cos(angle)), k.let("sine", ops.sin(angle))
        sy, sx = cy + s * dx + c * dy, cx + c * dx - s * dy
    elif how == "zoom":
        sy, sx = cy + amount * dy, cx + amount * dx
    elif how == "wave":
        rate = k.rng.number(0.2, 0.9)
        sy, sx = (
            y0 + 3.0 * amount * ops.sin(bounded(rate * x0, -9e3, 9e3)),
            x0 + k.rng.number(0.5, 2.0) * ops.cos(bounded(rate * y0, -9e3, 9e3)),
        )
    elif how == "flow":
        flow = k.array("flow", Vector(2, F32), k.shape, uniform(-3.0, 3.0))
        move = k.let("move", flow[k.index])
        sy, sx = y0 + amount * move[1], x0 + amount * move[0]
    elif how == "shear":
        sy, sx = y0 + amount * (x0 - k.rng.number(2.0, 8.0)), x0
    elif how == "lens":
        bulge = k.let("bulge", 1.0 - amount * ops.exp(-0.05 * bounded(dx * dx + dy * dy, 0.0, 1500.0)))
        sy, sx = cy + bulge * dy, cx + bulge * dx
    elif how == "affine":
        m = k.scalar("linear", k.rng.pick(Vector(4, F32)), uniform(-1.0, 1.0))
        sy, sx = cy + m[0] * dy + m[1] * dx, cx + amount * (m[2] * dy + m[3] * dx)
    else:
        sy, sx = y0 - 2.0 * amount, x0 + amount
    edge = k.rng.pick("clamp", "wrap", "mirror")
    other = k.rng.pick(edge, edge, "clamp")
    y, x = _axis(k, sy, height, "y_texel", edge), _axis(k, sx, width, "x_texel", other)
    value: Expr = image[y, x]
    names = {
        "shift": "shifted",
        "turn": "turned",
        "zoom": "scaled",
        "wave": "rippled",
        "swirl": "swirled",
        "affine": "mapped",
        "flow": "moved by a flow field",
        "shear": "sheared",
        "lens": "seen through a lens",
    }
    ends = {
        "clamp": "edges repeat",
        "wrap": "the image repeats",
        "mirror": "the image is mirrored at its edges",
    }
    doc = f"An image, {names[how]}; {ends[edge]}" + (f" in y, {ends[other]} in x" if other != edge else "")
    if isinstance(texel, Vector) and k.rng.chance(0.5):
        finish(k, "pixel", k.let("texel", value), doc)
    else:
        number, word = _number(k, value)
        finish(k, "pixel", number, f"{doc}: the {word}")


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
    k.sizes["texels"] = k.rng.pick("n", "(n + 3) // 4", "2 * n", "64", "100")
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
        value, noun = _number(k, fetch(place))
        if number == 0 and count > 1:
            value = k.let("first", value)
        total = value if total is None else _joined(how, total, value)
    assert total is not None
    if k.rng.chance(0.5):
        total = total - signal(k, "baseline", -0.5, 0.5)
        k.notes.append("A baseline is subtracted")
    words = {"sum": "sum", "difference": "difference", "larger": "largest", "product": "growing product"}
    doc = (
        f"The {noun} at a place that an array names"
        if count == 1
        else f"The {words[how]} of {count} texels at places that arrays name"
    )
    finish(k, k.rng.pick("fetched", "gathered"), total, doc)


def polar_lookup(k: Builder) -> None:
    """A texture whose axes are an angle and a distance."""
    image, height, width = _image(
        k, k.rng.pick(*TEXELS[2:4]), k.rng.pick("radial_map", "panorama", "pattern")
    )
    threads(k)
    how = k.rng.pick("angle", "direction", "sphere", "angle")
    if how == "sphere":
        d = read(k, "direction", -1.0, 1.0, Vector(3, F32))
        long = k.let("longitude", ops.atan2(d[1], d[0]))
        lat = k.let("latitude", ops.asin(bounded(d[2] / (ops.length(d) + 0.01), -1.0, 1.0)))
        u, v = long * 0.159155 + 0.5, lat * 0.31831 + 0.5
        doc = "A panorama, looked up by direction"
    else:
        p = read(k, k.rng.pick("position", "offset"), -1.0, 1.0, Vector(2, F32))
        turn = k.let("turn", ops.atan2(p[1], p[0]) * 0.159155 + 0.5)
        far = k.let("far", ops.length(p))
        stretch = coefficient(k, "stretch", 0.4, 0.9, kinds="lp")
        if how == "direction":
            u, v = turn, far / (1.0 + stretch * far)
        else:
            u, v = turn, stretch * (ops.log(1.0 + far) if k.rng.chance(0.4) else far)
        doc = "A pattern, looked up by angle and distance"
    swap = k.rng.chance(0.3)
    a, b = (v, u) if swap else (u, v)
    scale_y, scale_x = convert(F32, height), convert(F32, width)
    y = _axis(k, bounded(b, -1.0, 2.0) * scale_y, height, "y", k.rng.pick("clamp", "clamp", "mirror"))
    x = _axis(k, bounded(a, -1.0, 2.0) * scale_x, width, "x", k.rng.pick("wrap", "clamp"))
    number, word = _number(k, image[y, x])
    if k.rng.chance(0.4):
        number = number * read(k, "exposure", 0.3, 2.0, F32)
        k.notes.append("It is multiplied by an exposure")
    finish(
        k,
        k.rng.pick("radiance", "brightness"),
        number,
        f"{doc}{', its axes swapped' if swap else ''}: the {word}",
    )


def window_sums(k: Builder) -> None:
    """Texels around a pixel."""
    k.real = F32
    texel = k.rng.pick(*TEXELS)
    threads(k, 2, indirect=False)
    (row, col), (rows, cols) = k.index, k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    values = uniform(0.0, 1.0) if scalar_of(texel).is_float else {"integers": [0, 64]}
    image = k.array(k.rng.pick("image", "field", "heights"), texel, k.shape, values, memory="texture")
    radius = k.rng.pick(1, 1, 2)
    how = k.rng.pick("sum", "weighted", "largest", "contrast", "cross", "near")
    total = k.var("total", 0.0)
    norm = k.var("norm", 0.1) if how in ("weighted", "near") else None
    here = None
    if how in ("contrast", "near"):
        here, _ = _number(k, image[row, col])
        here = k.let("here", here)
    first, second = boundary(k), boundary(k)
    noun = "texels"

    def visit(y: Expr, x: Expr, far: Expr | None) -> None:
        nonlocal noun
        value: Expr = image[y, x]
        if isinstance(value.type, Vector):
            value = k.let("texel", value)
            value = value[0] - value[1] if k.rng.chance(0.3) else value[k.rng.below(2)]
            noun = "channels"
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
        "contrast": "Differences to the",
        "cross": "Sum over a cross of",
        "near": "Mean, weighted by likeness, of the",
    }
    finish(k, k.rng.pick("pixel", "response"), result, f"{verbs[how]} {noun} up to {radius} away, {where}")


def ray_march(k: Builder) -> None:
    """A height map or density is fetched along a line."""
    image, height, width = _image(k, F32, k.rng.pick("height_map", "density", "terrain", "absorption"))
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
        y = _axis(k, start[1] + far * step[1], height, "y", edge)
        x = _axis(k, start[0] + far * step[0], width, "x", edge)
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
        finish(k, "seen", bounded(total, 0.0, float(steps) if how == "sum" else 1.0), f"{nouns[how]} {rest}")


def iterated_map(k: Builder) -> None:
    """Each fetch says where the next one is."""
    k.real = F32
    threads(k)
    size = k.rng.pick(16, 32, 64)
    hops = k.rng.pick(2, 3, 4, 5)
    k.sizes["nodes"] = str(size)
    links = k.array(
        k.rng.pick("links", "next_nodes", "parents"),
        I32,
        ["nodes"],
        {"integers": [0, "nodes"]},
        memory="texture",
    )
    costs = k.array(
        k.rng.pick("costs", "rewards"),
        F32,
        ["nodes"],
        uniform(-1.0, 1.0),
        memory="texture" if k.rng.chance(0.6) else "global",
    )
    start = k.array("start_nodes", I32, k.shape, {"integers": [0, "nodes"]})[k.index]
    node = k.var("node", start, type=I32, bounds=(0, size - 1))
    total = k.var("total", 0.0, bounds=(-20.0, 20.0))
    how = k.rng.pick("sum", "discounted", "until", "largest", "sum")
    discount = coefficient(k, "discount", 0.4, 0.95, kinds="lp") if how == "discounted" else None
    power = k.var("power", 1.0, bounds=(0.0, 1.0)) if how == "discounted" else None
    with k.loop("hop", 0, hops):
        cost = k.let("cost", costs[node])
        value, word = term(k, cost, "costs", simple=k.rng.chance(0.5))
        if how == "until":
            with k.when(cost > k.rng.number(0.3, 0.7)):
                k.jump("break")
        if power is not None and discount is not None:
            k.set(total, bounded(total + power * value, -20.0, 20.0))
            k.set(power, bounded(power * discount, 0.0, 1.0))
        elif how == "largest":
            k.set(total, bounded(ops.max(total, value), -20.0, 20.0))
        else:
            k.set(total, bounded(total + value, -20.0, 20.0))
        k.set(node, links[node])
    if k.rng.chance(0.5):
        k.store(k.array("last_nodes", I32, k.shape, None, "out"), k.target, node)
        k.notes.append("The last node is stored as well")
    words = {
        "sum": "Sum",
        "discounted": "Discounted sum",
        "until": "Sum, until one is high,",
        "largest": "Largest",
    }
    finish(
        k,
        "path_cost",
        bounded(total, -4.0, 4.0),
        f"{words[how]} of the {word.rstrip(',')} on {hops} hops through a linked texture",
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
        number_of, word = _number(k, value)
        finish(k, "pixel", number_of, f"{doc}: the {word}")


def tabulated_response(k: Builder) -> None:
    """A two-dimensional table of a response, by two quantities of each thread."""
    image, height, width = _image(
        k, k.rng.pick(F32, F32, I32), k.rng.pick("response_table", "lut", "equation_of_state")
    )
    threads(k)
    a = signal(k, k.rng.pick("pressure", "load", "speed"), 0.0, 1.0)
    b = signal(k, k.rng.pick("temperature", "humidity", "torque"), 0.0, 1.0)
    if k.rng.chance(0.5):
        shaped, word = curve(k, a)
        a = k.let("warped", bounded(shaped, -1.0, 2.0))
        k.notes.append(f"The first goes through {article(word)}")
    y = _axis(
        k,
        bounded(a, -1.0, 2.0) * convert(F32, height),
        height,
        "row_texel",
        k.rng.pick("clamp", "clamp", "mirror"),
    )
    x = _axis(k, bounded(b, -1.0, 2.0) * convert(F32, width), width, "column_texel", "clamp")
    value, word = _number(k, image[y, x])
    how = k.rng.pick("nearest", "slope", "along", "both", "nearest")
    if how in ("slope", "along", "both"):
        value = k.let("value", value)
        down, _ = _number(k, image[ops.min(y + 1, height - 1), x])
        right, _ = _number(k, image[y, ops.min(x + 1, width - 1)])
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
