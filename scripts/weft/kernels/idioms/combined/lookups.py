"""Shaded surfaces, and tables that are searched and interpolated."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, VEC3
from weft.kernels.vocabulary import (
    coefficient,
    read,
    threads,
    uniform,
)


def shade_sphere(k: Builder) -> None:
    """A ray against a sphere, shaded where it hits."""
    k.real = F32
    threads(k, name=k.rng.pick("ray", "i"))
    origin = (
        k.scalar("origin", VEC3, uniform(-0.2, 0.2))
        if k.rng.chance(0.5)
        else read(k, "origin", -0.3, 0.3, VEC3)
    )
    direction = k.let("direction", ops.normalize(read(k, "ray_direction", -1.0, 1.0, VEC3)))
    center = k.scalar("center", VEC3, uniform(0.8, 1.5))
    radius = coefficient(k, "radius", 0.6, 0.85)
    to_center = k.let("to_center", center - origin)
    along = k.let("along", ops.dot(to_center, direction))
    miss = k.let("miss", ops.dot(to_center, to_center) - along * along)
    color = k.var("color", coefficient(k, "background", 0.05, 0.3, kinds="lp"))
    with k.when((miss < radius * radius) & (along > 0.0)):
        depth = k.rng.pick(0.02, 0.03, 0.05)
        k.notes.append(f"The square of half the way through the sphere counts as {depth} at least")
        t = k.let("t", along - ops.sqrt(ops.max(radius * radius - miss, depth)))
        normal = k.let("normal", ops.normalize(origin + t * direction - center))
        light = k.let("to_light", ops.normalize(k.scalar("light", VEC3, uniform(0.2, 1.0))))
        diffuse = k.let("diffuse", 0.5 + 0.5 * ops.dot(normal, light))
        shaped = k.rng.pick(diffuse, diffuse * diffuse, ops.smoothstep(0.0, 1.0, diffuse))
        ambient = k.rng.number(0.1, 0.3)
        k.set(color, k.rng.pick(shaped, ambient + (1.0 - ambient) * shaped))
    if k.rng.chance(0.4):
        with k.orwhen(along < 0.0):
            k.set(color, color * k.rng.number(0.2, 0.7))
        k.notes.append("Behind the ray's origin the background is dimmed")
    finish(k, "shade", color, "Half-Lambert shade of a sphere where each ray hits it, background elsewhere")


def table_lookup(k: Builder) -> None:
    """Interpolation in a table with treatment of the ends."""
    threads(k)
    entries = k.rng.pick(8, 12, 16)
    k.sizes["entries"] = str(entries)
    table = k.array(k.rng.pick("table", "lut", "profile"), k.real, ["entries"], uniform(-1.0, 1.0))
    x = read(k, "x", -0.3, 1.3)
    place = k.let("place", x * float(entries - 1))
    value = k.var("value", 0.0)
    with k.when(place <= 0.0):
        start, note = k.rng.pick(
            (table[0], ""),
            (table[0] + 0.1 * place, "Before the first entry the value goes on with slope 0.1"),
            (0.5 * table[0], "Before the first entry the value is half of that"),
        )
        k.set(value, start)
    with k.orwhen(place >= float(entries - 1)):
        k.set(value, table[entries - 1])
    with k.otherwise():
        cell = k.let("cell", bounded(convert(I32, place), 0, entries - 2))
        t = k.let("t", place - convert(k.real, cell))
        match k.rng.below(3):
            case 0:
                k.set(
                    value,
                    k.rng.pick(
                        ops.lerp(table[cell], table[cell + 1], t),
                        (1.0 - t) * table[cell] + t * table[cell + 1],
                    ),
                )
            case 1:
                s = k.let("s", t * t * (3.0 - 2.0 * t))
                k.set(value, table[cell] + s * (table[cell + 1] - table[cell]))
            case _:
                total = k.var("total", 0.0)
                with k.loop("m", 0, 3) as m:
                    w = k.let("w", 1.0 / (0.2 + ops.abs(t - convert(k.real, m))))
                    k.add(total, w * table[ops.min(cell + m, entries - 1)])
                k.set(value, total * k.rng.number(0.2, 0.5))
                note = f"{note}. Inside, three entries are summed up, weighted by distance".removeprefix(". ")
    if note:
        k.notes.append(note)
    finish(k, "value", value, f"Value at each x from a table of {entries} entries")
