"""Textures: where a fragment's texel lies, how it is filtered, and what it is used for."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import INV_PI, INV_TWO_PI
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.program import Expr, Name
from weft.kernels.types import F32, I32
from weft.types import Type, Vector

fragment = Domain("fragment", index=("i", "idx", "fragment"))

coordinates = Quantity(
    "coordinates", 0.0, 1.0, vector(2), least=-100.0, most=100.0, plural="texture_coordinates"
)
surface = Quantity("surface_point", -1.0, 1.0, vector(3))
direction = Quantity("direction", -1.0, 1.0, vector(3))
mip_level = Quantity("mip_level", 0.0, 3.0, least=0.0, most=3.0)
texel = Quantity("texel", 0.0, 1.0, derived=True)
height = Quantity("height", 0.0, 1.0, least=-10.0, most=10.0, derived=True)
bump = Quantity("bump_normal", -1.0, 1.0, vector(3), least=-1.1, most=1.1)
light = Quantity("irradiance", 0.2, 2.0)
shade = Quantity("shade", 0.0, 2.0, most=1e3, additive=True)

Coordinates = Annotated[Expr, coordinates]
Surface = Annotated[Expr, surface]
Direction = Annotated[Expr, direction]
MipLevel = Annotated[Expr, mip_level]
Texel = Annotated[Expr, texel]
Height = Annotated[Expr, height]
Bump = Annotated[Expr, bump]
Light = Annotated[Expr, light]
Shade = Annotated[Expr, shade]
Tiling = Annotated[Expr, Setting(0.5, 3.0)]
Little = Annotated[Expr, Setting(0.02, 0.2)]
TEXTURE, LOOPED = ("texture",), ("texture", "loop")
WILLIAMS, PHARR = "Williams 1983", "Pharr, Jakob and Humphreys 2016"


def image(k: Builder, name: str, element: Type = F32) -> tuple[ArrayHandle, Expr, Expr]:
    """A texture of a size of its own, with its height and width."""
    k.sizes["height"] = k.once("height of textures", lambda: k.rng.pick("8", "16", "24"))
    k.sizes["width"] = k.once("width of textures", lambda: k.rng.pick("8", "16", "32"))
    handle = k.input(name, element, ["height", "width"], uniform(0.0, 1.0), "texture")
    return handle, k.size("height", "height"), k.size("width", "width")


def wrapped(k: Builder, name: str, cell: Expr, size: Expr, edge: str) -> Name:
    """A texel's number along an axis: of the edge, from the other side, or mirrored."""
    bounds = str(size.interval.size)
    if edge == "clamp":
        return k.let(name, ops.clamp(cell, 0, size - 1))
    if edge == "wrap":
        return k.let(name, within((cell % size + size) % size, bounds))
    axis = name.partition("_")[0]
    period = k.once(f"period of {axis}s", lambda: k.let(f"{axis}_period", 2 * size))
    turn = k.let(f"wrapped_{name}", (cell % period + period) % period)
    return k.let(name, within(ops.min(turn, period - 1 - turn), bounds))


def neighboring(k: Builder, axis: str, cell: Expr, size: Expr, edge: str) -> list[Name]:
    """The numbers of a texel and the next one along an axis."""
    first = wrapped(k, f"{axis}_0", cell, size, edge)
    if edge != "wrap":
        return [first, wrapped(k, f"{axis}_1", cell + 1, size, edge)]
    following = conditional(first + 1 < size, first + 1, 0)
    return [first, k.let(f"{axis}_1", within(following, str(size.interval.size)))]


def cells(k: Builder, coordinates: Expr, height: Expr, width: Expr) -> tuple[Expr, Expr]:
    """Coordinates in texels, row and column."""
    return coordinates[1] * convert(k.real, height), coordinates[0] * convert(k.real, width)


for _edge, _words in (
    ("clamp", "clamped"),
    ("wrap", "repeating"),
    ("mirror", "mirrored"),
):

    def _nearest(k: Builder, coordinates: Expr, _edge: str = _edge) -> Expr:
        texture, height, width = image(k, "image")
        y, x = cells(k, coordinates, height, width)
        row = wrapped(k, "row", convert(I32, ops.floor(bounded(y, -4e5, 4e5))), height, _edge)
        column = wrapped(k, "column", convert(I32, ops.floor(bounded(x, -1e4, 1e4))), width, _edge)
        return texture[row, column]

    def _bilinear(k: Builder, coordinates: Expr, _edge: str = _edge) -> Expr:
        texture, height, width = image(k, "image")
        y, x = (
            k.let(name, one - 0.5)
            for name, one in zip("yx", cells(k, coordinates, height, width), strict=True)
        )
        low_y, low_x = (
            k.let(f"low_{name}", ops.floor(bounded(one, -4e5, 4e5))) for name, one in (("y", y), ("x", x))
        )
        dy, dx = (bounded(one - low, 0.0, 1.0) for one, low in ((y, low_y), (x, low_x)))
        dy, dx = k.let("dy", dy), k.let("dx", dx)
        rows = neighboring(k, "row", convert(I32, low_y), height, _edge)
        columns = neighboring(k, "column", convert(I32, low_x), width, _edge)
        top, bottom = (ops.lerp(texture[row, columns[0]], texture[row, columns[1]], dx) for row in rows)
        return bounded(ops.lerp(top, bottom, dy), 0.0, 1.0)

    for _function, _name, _doc in (
        (
            _nearest,
            "nearest",
            f"Nearest lookup in a {_words} texture. Coordinates from 0 to 1 span the image.",
        ),
        (
            _bilinear,
            "bilinear",
            f"Bilinear lookup in a {_words} texture. "
            "Coordinates from 0 to 1 span the image, with texel centers at halves.",
        ),
    ):
        _function.__annotations__ = {"coordinates": Coordinates, "return": Texel}
        fragment.formula(name=f"{_name}_{_edge}", doc=_doc, source=WILLIAMS, teaches=TEXTURE)(_function)


@fragment.formula(source=WILLIAMS, teaches=TEXTURE)
def mip_texel(k: Builder, coordinates: Coordinates, mip_level: MipLevel) -> Texel:
    """Trilinear mip-map lookup. It blends the two nearest levels of the pyramid."""
    levels = k.input("mip_chain", F32, ["4", "64"], uniform(0.0, 1.0), "texture")
    low = k.let("low", ops.min(convert(I32, mip_level), 2))
    values = []
    for n in (0, 1):
        side = k.let(f"side_{n}", bounded(convert(k.real, lift(8, I32) >> (low + n)), 1.0, 8.0))
        row, column = (
            convert(I32, ops.floor(bounded(ops.clamp(coordinates[axis] * side, 0.0, side - 0.5), 0.0, 7.5)))
            for axis in (1, 0)
        )
        values.append(levels[low + n, bounded(row * 8 + column, 0, 63)])
    share = bounded(mip_level - convert(k.real, low), 0.0, 1.0)
    return bounded(ops.lerp(values[0], values[1], share), 0.0, 1.0)


@fragment.formula(source="Heckbert 1989", teaches=LOOPED)
def anisotropic_texel(
    k: Builder,
    coordinates: Coordinates,
    stretch: Little,
    probes: Annotated[Expr, Setting(4, 8, "l", kind=whole)],
) -> Texel:
    """Anisotropic filtering. It averages samples along the x axis."""
    texture, height, width = image(k, "image")
    total = k.var("total", 0.0, bounds=(0.0, 8.0))
    y = k.let("y", bounded(coordinates[1] * convert(k.real, height), -4e5, 4e5))
    row = wrapped(k, "row", convert(I32, ops.floor(y)), height, "clamp")
    with k.loop("probe", 0, probes) as probe:
        x = coordinates[0] + stretch * (convert(k.real, probe) - 2.0)
        cell = convert(I32, ops.floor(bounded(x * convert(k.real, width), -1e4, 1e4)))
        column = wrapped(k, "column", cell, width, "clamp")
        k.set(total, bounded(total + texture[row, column], 0.0, 8.0))
    return bounded(total / convert(k.real, probes), 0.0, 1.0)


@fragment.formula(source="Fernando 2004")
def planar_coordinates(k: Builder, surface_point: Surface, tiling: Tiling) -> Coordinates:
    """Planar texture coordinates. They are x and y times the tiling."""
    return tiling * construct(Vector(2, k.real), surface_point[0], surface_point[1])


@fragment.formula(source=PHARR)
def cylindrical_coordinates(k: Builder, surface_point: Surface) -> Coordinates:
    """Cylindrical texture coordinates. The first goes around the z axis, the second along it, both from 0 to
    1.
    """
    turn = 0.5 + INV_TWO_PI * ops.atan2(surface_point[1], surface_point[0])
    return construct(Vector(2, k.real), turn, 0.5 + 0.5 * surface_point[2])


@fragment.formula(source=PHARR, law="environment")
def spherical_coordinates(k: Builder, direction: Direction) -> Coordinates:
    """Equirectangular texture coordinates. The first goes around the z axis, the second from the upper pole
    to the lower, from 0 to 1.
    """
    unit = k.let("unit", ops.normalize(direction))
    turn = 0.5 + INV_TWO_PI * ops.atan2(unit[1], unit[0])
    return construct(Vector(2, k.real), turn, INV_PI * ops.acos(ops.clamp(unit[2], -1.0, 1.0)))


@fragment.formula(source="Greene 1986", teaches=("branch",), law="environment")
def cube_coordinates(k: Builder, direction: Direction) -> Coordinates:
    """Cube-map face coordinates. They go from 0 to 1 on the face that the direction points to."""
    size = k.let("abs_direction", ops.abs(direction))
    s, t, depth = (
        k.var(name, first, bounds=(-1.0, 1.0))
        for name, first in (("s", direction[0]), ("t", direction[1]), ("depth", size[2]))
    )
    with k.when((size[0] > size[1]) & (size[0] > size[2])):
        k.set(s, direction[1])
        k.set(t, direction[2])
        k.set(depth, size[0])
    with k.orwhen(size[1] > size[2]):
        k.set(t, direction[2])
        k.set(depth, size[1])
    half = k.let("half", 0.5 / ops.max(depth, 0.01))
    return bounded(construct(Vector(2, k.real), 0.5 + s * half, 0.5 + t * half), -100.0, 100.0)


@fragment.formula(source="Blinn 1978", teaches=TEXTURE, law="surface")
def bump_of_heights(k: Builder, coordinates: Coordinates, bumpiness: Tiling) -> Bump:
    """Normal from a height map. Slopes are differences to the next texels."""
    texture, height, width = image(k, "height_map")
    y, x = cells(k, coordinates, height, width)
    row = wrapped(k, "row", convert(I32, ops.floor(bounded(y, -4e5, 4e5))), height, "wrap")
    column = wrapped(k, "column", convert(I32, ops.floor(bounded(x, -1e4, 1e4))), width, "wrap")
    here = k.let("here", texture[row, column])
    slope_x = here - texture[row, within((column + 1) % width, "width")]
    slope_y = here - texture[within((row + 1) % height, "height"), column]
    return ops.normalize(construct(Vector(3, k.real), bumpiness * slope_x, bumpiness * slope_y, 1.0))


@fragment.formula(source="Kaneko et al. 2001", teaches=("texture", "loop", "branch"), law="surface")
def parallax_height(
    k: Builder,
    coordinates: Coordinates,
    slant: Little,
    steps: Annotated[Expr, Setting(6, 12, "l", kind=whole)],
) -> Height:
    """Parallax height. The view ray marches through the height map in equal steps of depth, and stops at the
    first texel above it, or at the last step. The slant is how far the ray moves along x
    over the whole depth.
    """
    texture, height, width = image(k, "height_map")
    found = k.var("texel", 0.0, bounds=(0.0, 1.0))
    y = k.let("y", bounded(coordinates[1] * convert(k.real, height), -4e5, 4e5))
    row = wrapped(k, "row", convert(I32, ops.floor(y)), height, "clamp")
    with k.loop("step", 0, steps) as step:
        depth = k.let("depth", bounded(convert(k.real, step) / convert(k.real, steps), 0.0, 1.0))
        x = (coordinates[0] + slant * depth) * convert(k.real, width)
        column = wrapped(k, "column", convert(I32, ops.floor(bounded(x, -1e4, 1e4))), width, "clamp")
        k.set(found, texture[row, column])
        with k.when(found > 1.0 - depth):
            k.jump("break")
    return found


@fragment.formula(source="Blinn 1978")
def bumped_shade(k: Builder, bump_normal: Bump, direction: Direction, irradiance: Light) -> Shade:
    """Bump-mapped Lambert shading. It is the irradiance times the cosine of the angle to the normal, or 0
    from behind.
    """
    return irradiance * bounded(ops.max(ops.dot(bump_normal, ops.normalize(direction)), 0.0), 0.0, 4.0)
