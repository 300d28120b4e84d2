"""Records of geometry and numbers: settings, hits, boxes, pairs with an arithmetic of their own."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.idioms.struct.structs import (
    Record,
    loaded,
    new_record,
    record_array,
    record_parameter,
    schema,
    some,
    space_of,
)
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32, MAT33, VEC2, VEC3
from weft.kernels.vocabulary import coefficient, enumerated, read, threads, uniform
from weft.types import Matrix, Type, Vector


def settings(k: Builder) -> None:
    """A struct of vectors and matrices that all threads share."""
    k.real = F32
    threads(k)
    kind = k.rng.pick("camera", "affine", "grading", "field")
    if kind == "camera":
        fields = some(
            k,
            {
                "eye": (VEC3, -1.0, 1.0),
                "forward": (VEC3, 0.2, 1.0),
                "right": (VEC3, 0.1, 1.0),
                "zoom": (F32, 0.5, 2.0),
                "center": (VEC2, -0.2, 0.2),
            },
            ("eye", "forward", "right"),
        )
        of = record_parameter(k, "camera", schema(k, "Camera", "Where a picture is taken from.", fields))
        ray = k.let("ray", read(k, "point", 2.0, 6.0, VEC3) - of["eye"])
        depth = k.let("depth", bounded(ops.dot(ray, of["forward"]), 0.4, 30.0) + k.rng.number(0.1, 0.5))
        value = ops.dot(ray, of["right"]) / depth
        if "zoom" in fields:
            value = value * of["zoom"]
        if "center" in fields:
            value = value + k.rng.pick(of["center"][0], of["center"][1], of["center"][0] + of["center"][1])
        finish(k, "column", value, "Horizontal place of each point in a picture")
    elif kind == "affine":
        size = k.rng.pick(2, 3)
        space, square = Vector(size, F32), Matrix(size, size, F32)
        fields = some(
            k,
            {"linear": (square, -1.0, 1.0), "shift": (space, -1.0, 1.0), "scale": (F32, 0.5, 2.0)},
            ("linear", "shift"),
        )
        of = record_parameter(
            k, k.rng.pick("frame", "pose"), schema(k, "AffineMap", "A linear map and a shift.", fields)
        )
        point = read(k, "point", -1.0, 1.0, space)
        inverse = k.rng.chance(0.4)
        moved = (
            ops.transpose(of["linear"]) @ (point - of["shift"])
            if inverse
            else of["linear"] @ point + of["shift"]
        )
        moved = moved * of["scale"] if "scale" in fields else moved
        finish(
            k,
            "image",
            moved,
            "Each point, shifted and seen along the columns of a matrix"
            if inverse
            else "Affine image of each point",
        )
    elif kind == "grading":
        fields = some(
            k,
            {
                "gain": (VEC3, 0.5, 1.5),
                "lift": (VEC3, -0.1, 0.1),
                "mixing": (MAT33, 0.0, 0.5),
                "contrast": (F32, 0.5, 2.0),
            },
            ("gain",),
        )
        of = record_parameter(k, "look", schema(k, "Look", "How colors are graded.", fields))
        color = read(k, "color", 0.0, 1.0, VEC3)
        color = ops.cw_mul(of["gain"], color)
        color = color + of["lift"] if "lift" in fields else color
        color = of["mixing"] @ color if "mixing" in fields else color
        color = k.let("graded", color * of["contrast"] if "contrast" in fields else color)
        finish(k, "graded_color", color, f"Grades colors by {enumerated(fields)}")
    else:
        space = space_of(k)
        fields = some(
            k,
            {
                "center": (space, -1.0, 1.0),
                "strength": (F32, 0.5, 3.0),
                "core": (F32, 0.1, 0.5),
                "drift": (space, -0.3, 0.3),
            },
            ("center", "strength", "core"),
        )
        of = record_parameter(k, "source", schema(k, "Source", "What a field comes from.", fields))
        offset = k.let("offset", read(k, "place", -1.0, 1.0, space) - of["center"])
        near = k.let("near", ops.length_sq(offset) + of["core"])
        value = of["strength"] * offset / near
        finish(
            k,
            "field",
            value + of["drift"] if "drift" in fields else value,
            "Field around a source at each place",
        )


def closest_hit(k: Builder) -> None:
    """Functions that return a record: distances, normals, flags."""
    k.real = F32
    space = Vector(3, F32)
    fields = some(
        k,
        {
            "distance": (F32, -9.0, 9.0),
            "normal": (space, -1.0, 1.0),
            "inside": (I32, 0, 1),
            "point": (space, -9.0, 9.0),
        },
        ("distance", "normal"),
    )
    of = schema(k, k.rng.pick("Hit", "Contact"), "How a point lies to a shape.", fields)
    shape = k.rng.pick("sphere", "plane", "box", "capsule")

    def measure(b: Builder, p: Expr, size: Expr) -> Expr:
        hit = new_record(b, "hit", of)
        if shape == "sphere":
            length = b.let("length", ops.length(p))
            distance, normal = b.let("distance", length - size), p / ops.max(length, 0.001)
        elif shape == "plane":
            normal = construct(space, 0.0, 0.6, 0.8)
            distance = b.let("distance", ops.dot(p, normal) - size)
        elif shape == "box":
            q = b.let("q", construct(space, *(ops.max(ops.abs(p[n]) - size, 0.0) for n in range(3))))
            distance = b.let("distance", ops.length(q))
            normal = ops.normalize(construct(space, *(q[n] * ops.sign(p[n]) for n in range(3))))
        else:
            nearest = b.let(
                "nearest", construct(space, lift(0.0, F32), ops.clamp(p[1], -0.5, 0.5), lift(0.0, F32))
            )
            away = b.let("away", p - nearest)
            distance, normal = b.let("distance", ops.length(away) - size), ops.normalize(away)
        if "point" in fields:
            normal = b.let("direction", normal)
        hit.put("distance", distance)
        hit.put("normal", normal)
        if "inside" in fields:
            hit.put("inside", conditional(distance < k.rng.number(0.01, 0.2), lift(1, I32), lift(0, I32)))
        if "point" in fields:
            hit.put("point", p - distance * normal)
        return hit.value

    doc = f"Distance and normal of a {shape} around the origin."
    parameters: dict[str, tuple[Type, Interval]] = {
        "p": (space, Interval(-9.0, 9.0)),
        "size": (F32, Interval(0.0, 2.0)),
    }
    query = k.function(f"{shape}_{of.definition.name.lower()}", doc, parameters, measure)
    threads(k, 1, 2)
    point = read(k, "point", -2.0, 2.0, space)
    if k.rng.chance(0.5):
        center = (
            k.scalar("center", space, uniform(-0.5, 0.5))
            if k.rng.chance(0.5)
            else read(k, "center", -0.5, 0.5, space)
        )
        point = point - center
    hit = loaded(k, "hit", of, query(point, coefficient(k, "size", 0.3, 0.9)))
    depth = k.let("depth", ops.max(k.rng.number(0.5, 2.0) - hit["distance"], 0.0))
    value = depth * hit["normal"]
    if "point" in fields:
        value = value + k.rng.number(0.05, 0.3) * hit["point"]
    if "inside" in fields:
        value = value * (1.0 + convert(F32, hit["inside"]))
    finish(k, "push", value, f"Push away from a {shape}, stronger near it")


def box_records(k: Builder) -> None:
    """Boxes that join, overlap, grow and hold points."""
    k.real = F32
    space = space_of(k)
    of = schema(
        k,
        k.rng.pick("Box", "Bounds"),
        "A box with sides along the axes.",
        {"lower": (space, -1.0, 0.0), "upper": (space, 0.1, 1.0)},
    )
    threads(k, 1, 2)
    boxes = record_array(k, "boxes", of, k.shape)
    box = loaded(k, "box", of, boxes[k.index])
    if k.rng.chance(0.5):
        pad = coefficient(k, "padding", 0.02, 0.3)
        sides = construct(space, *[pad] * space.length)
        box.put("lower", box["lower"] - sides)
        box.put("upper", box["upper"] + sides)
        k.notes.append("The boxes are padded first")
    if k.rng.chance(0.4):
        shift = read(k, "shift", -0.5, 0.5, space)
        for field in k.rng.shuffled(("lower", "upper")):
            box.put(field, box[field] + shift)
        k.notes.append("Each box is shifted")
    if k.rng.chance(0.35):
        middle = k.let("box_middle", 0.5 * (box["lower"] + box["upper"]))
        zoom = coefficient(k, "zoom", 0.5, 1.5)
        for field in ("lower", "upper"):
            box.put(field, middle + zoom * (box[field] - middle))
        k.notes.append("Each box is scaled about its middle")
    kind = k.rng.pick("join", "overlap", "contains", "closest", "volume")
    if kind in ("join", "overlap"):
        others = record_array(k, "others", of, k.shape)
        other = loaded(k, "other", of, others[k.index])
        result = new_record(k, "result", of)
        small, large = (ops.min, ops.max) if kind == "join" else (ops.max, ops.min)
        for field, choose in (("lower", small), ("upper", large)):
            parts = [choose(box[field][n], other[field][n]) for n in range(space.length)]
            result.put(field, construct(space, *parts))
        if k.rng.chance(0.6):
            k.store(record_array(k, "results", of, k.shape, "out"), k.target, result.value)
            describe(
                k,
                "Smallest box around each two boxes"
                if kind == "join"
                else "What each two boxes have in common",
            )
        else:
            size = k.let("extent", result["upper"] - result["lower"])
            product = ops.max(size[0], 0.0) * ops.max(size[1], 0.0)
            product = product * ops.max(size[2], 0.0) if space.length == 3 else product
            finish(
                k,
                "volume",
                product,
                f"Volume of the {'hull' if kind == 'join' else 'overlap'} of each two boxes",
            )
        return
    point = read(k, "point", -1.5, 1.5, space)
    lower, upper = box["lower"], box["upper"]
    if kind == "contains":
        inside = (point[0] >= lower[0]) & (point[0] <= upper[0])
        for n in range(1, space.length):
            inside = inside & (point[n] >= lower[n]) & (point[n] <= upper[n])
        yes, no, word = k.rng.pick((1, 0, ""), (1, -1, ", as 1 or -1"), (0, 1, ", as 0 for yes"))
        answer = conditional(inside, lift(yes, I32), no)
        finish(k, "inside", answer, f"Whether each point lies in its box{word}")
    elif kind == "closest":
        parts = [ops.min(ops.max(point[n], lower[n]), upper[n]) for n in range(space.length)]
        nearest = k.let("nearest", construct(space, *parts))
        if k.rng.chance(0.5):
            finish(k, "distance", ops.length(point - nearest), "Distance of each point from its box")
        else:
            finish(k, "nearest_point", nearest, "Nearest point of each box")
    else:
        middle = k.let("middle", 0.5 * (lower + upper))
        scale = ops.length(upper - lower)
        finish(
            k,
            "share",
            ops.length(point - middle) / (scale + 0.05),
            "Distance of points from the middle of boxes, by their size",
        )


def dual_numbers(k: Builder) -> None:
    """Pairs of numbers with an arithmetic of their own."""
    k.real = F32
    kind = k.rng.pick("dual", "complex", "interval")
    names = {"dual": ("value", "slope"), "complex": ("re", "im"), "interval": ("low", "high")}[kind]
    title = {"dual": "Dual", "complex": "Complex", "interval": "Range"}[kind]
    docs = {
        "dual": "A number and its derivative.",
        "complex": "A complex number.",
        "interval": "A range of numbers.",
    }
    limits = {
        names[0]: (F32, -1.0, 1.0),
        names[1]: (F32, -1.0, 1.0) if kind != "interval" else (F32, 1.0, 2.0),
    }
    of = schema(k, title, docs[kind], limits)
    first, second = names

    def product(b: Builder, x: Expr, y: Expr) -> Expr:
        p, q, result = Record(b, of, x), Record(b, of, y), new_record(b, "result", of)
        wide = Interval(-1e4, 1e4)
        p.bounds = q.bounds = dict.fromkeys(names, wide)
        if kind == "interval":
            ends = [
                b.let(name, p[i] * q[j])
                for name, i, j in (
                    ("ll", first, first),
                    ("lh", first, second),
                    ("hl", second, first),
                    ("hh", second, second),
                )
            ]
            result.put(first, ops.min(ops.min(ends[0], ends[1]), ops.min(ends[2], ends[3])))
            result.put(second, ops.max(ops.max(ends[0], ends[1]), ops.max(ends[2], ends[3])))
        elif kind == "complex":
            result.put(first, p[first] * q[first] - p[second] * q[second])
            result.put(second, p[first] * q[second] + p[second] * q[first])
        else:
            result.put(first, p[first] * q[first])
            result.put(second, p[first] * q[second] + p[second] * q[first])
        return result.value

    pair = {"p": (of.type, EVERYTHING), "q": (of.type, EVERYTHING)}
    multiply = k.function(
        "multiply", f"Product of two {'ranges' if kind == 'interval' else kind + ' numbers'}.", pair, product
    )
    threads(k, 1, 2)
    if k.rng.chance(0.5):
        x = loaded(k, "x", of, record_array(k, "numbers", of, k.shape)[k.index])
    else:
        x = new_record(k, "x", of)
        base = read(k, "base", -0.9, 0.9)
        x.put(first, base)
        if kind == "dual":
            x.put(second, lift(1.0, F32))
        else:
            x.put(second, read(k, "other", 1.0, 1.5) if kind == "interval" else read(k, "other", -0.4, 0.4))
    power = loaded(k, "power", of, multiply(x.value, x.value))
    for _ in range(k.rng.pick(0, 1, 1, 2)):
        if k.rng.chance(0.5):
            power.put(first, bounded(power[first], -5.0, 5.0) + k.rng.number(-0.5, 0.5))
        power = loaded(k, "power", of, multiply(power.value, k.rng.pick(power.value, x.value)))
    a, b = bounded(power[first], -100.0, 100.0), bounded(power[second], -100.0, 100.0)
    match k.rng.pick("store", "first", "second", "size"):
        case "store":
            k.store(record_array(k, "powers", of, k.shape, "out"), k.target, power.value)
            describe(k, f"Power of each {kind} number" if kind != "interval" else "Power of each range")
        case "first":
            finish(k, "result", a + 0.5 * b, f"Sum of both parts of a power, computed with {kind} arithmetic")
        case "second":
            finish(k, "result", b, f"Second part of a power, computed with {kind} arithmetic")
        case _:
            finish(
                k, "size", ops.sqrt(a * a + b * b + 0.01), f"Size of a power, computed with {kind} arithmetic"
            )
