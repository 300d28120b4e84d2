"""Images that are warped, iterated, unrolled."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.idioms.texture.images import TEXELS, texel_axis, texel_number, texture_image
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.signals import read
from weft.kernels.types import F32, I32
from weft.types import Vector


def image_warp(k: Builder) -> None:
    """A pixel takes the texel at a moved, turned, scaled or bent place."""
    texel = k.rng.pick(*TEXELS)
    image, height, width = texture_image(k, texel)
    threads(k, 2)
    row, col = k.index
    y0, x0 = convert(F32, row), convert(F32, col)
    how = k.rng.pick("shift", "turn", "zoom", "wave", "swirl", "affine", "flow", "shear", "lens")
    # Multiples of a short decimal lie beside whole numbers, and rounding would decide between two texels.
    amount = coefficient(
        k,
        {"turn": "angle", "zoom": "zoom", "wave": "amplitude"}.get(how, "strength"),
        0.2,
        1.4,
        kinds="p" if how in ("zoom", "shear") else "lp",
    )
    # Far from the center of a swirl or a lens places are nearly whole numbers: they take the nearest texel.
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
        if how == "swirl":
            sy, sx = sy + 0.5, sx + 0.5
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
        sy, sx = cy + bulge * dy + 0.5, cx + bulge * dx + 0.5
    elif how == "affine":
        m = k.scalar("linear", k.rng.pick(Vector(4, F32)), uniform(-1.0, 1.0))
        sy, sx = cy + m[0] * dy + m[1] * dx, cx + amount * (m[2] * dy + m[3] * dx)
    else:
        sy, sx = y0 - 2.0 * amount, x0 + amount
    # Where an image repeats, places far away count, of which float32 knows little behind the point.
    edge = k.rng.pick("clamp", "wrap", "mirror") if how == "shift" else "clamp"
    other = k.rng.pick(edge, edge, "clamp")
    y, x = texel_axis(k, sy, height, "y_texel", edge), texel_axis(k, sx, width, "x_texel", other)
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
        number, word = texel_number(k, value)
        finish(k, "pixel", number, f"{doc}: the {word}")


def polar_lookup(k: Builder) -> None:
    """A texture whose axes are an angle and a distance."""
    image, height, width = texture_image(
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
    y = texel_axis(k, bounded(b, -1.0, 2.0) * scale_y, height, "y", k.rng.pick("clamp", "clamp", "mirror"))
    x = texel_axis(k, bounded(a, -1.0, 2.0) * scale_x, width, "x", k.rng.pick("wrap", "clamp"))
    number, word = texel_number(k, image[y, x])
    if k.rng.chance(0.4):
        number = number * read(k, "exposure", 0.3, 2.0, F32)
        k.notes.append(f"The {word} is multiplied by an exposure")
    finish(
        k,
        k.rng.pick("radiance", "brightness"),
        number,
        f"{doc}{', its axes swapped' if swap else ''}: the {word}",
    )


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
