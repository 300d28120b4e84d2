"""Tiles with a rim."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import lift
from weft.kernels.idioms.shared_tile.endings import conclude
from weft.kernels.idioms.shared_tile.grids import tile_grid
from weft.kernels.idioms.slabs import Slab, launch
from weft.kernels.program import Expr
from weft.kernels.results import describe, unused
from weft.kernels.words import told

_COMPASS: dict[tuple[int, ...], str] = {
    (-1,): "left", (1,): "right", (0, -1): "west", (0, 1): "east", (-1, 0): "north", (1, 0): "south",
}  # fmt: skip


def halo_stencil(k: Builder) -> None:
    """A tile with a rim is loaded once; shifted views of it are combined."""
    flat, radius = k.rng.chance(0.5), k.rng.pick(1, 1, 2)
    name = k.rng.pick("field", "temperature", "heights", "signal" if flat else "image")
    rate = coefficient(k, k.rng.pick("rate", "strength", "diffusivity"), 0.1, 0.6, kinds="lp")
    if flat:
        width = k.rng.pick(32, 64, 96)
        i = launch(k, k.rng.pick("tile", "segment"))
        data = k.array(name, k.real, [f"{width} * {k.dims[0]} + {2 * radius}"], uniform(-1.0, 1.0))
        halo = k.let(k.rng.pick("halo", "padded"), tiles.load(data, (width + 2 * radius,), (i * width,)))
        shape: tuple[int, ...] = (width,)
        moves: list[tuple[int, ...]] = [(d,) for d in range(-radius, radius + 1)]
        corner: tuple[Expr, ...] = (i * width,)
        extents = [f"{width} * {k.dims[0]}"]
    else:
        rows, columns = k.rng.pick((8, 8), (8, 16), (16, 16), (4, 16))
        i, j = tile_grid(k, rows, columns)
        extents = [f"{rows} * {k.dims[0]}", f"{columns} * {k.dims[1]}"]
        data = k.array(name, k.real, [f"{one} + {2 * radius}" for one in extents], uniform(-1.0, 1.0))
        corner = (i * rows, j * columns)
        halo = k.let(
            k.rng.pick("halo", "padded"), tiles.load(data, (rows + 2 * radius, columns + 2 * radius), corner)
        )
        shape = (rows, columns)
        cross: list[tuple[int, ...]] = [
            (0, 0),
            *[(0, d) for d in (-radius, radius)],
            *[(d, 0) for d in (-radius, radius)],
        ]
        corners: list[tuple[int, ...]] = [
            (-radius, -radius),
            (-radius, radius),
            (radius, -radius),
            (radius, radius),
        ]
        moves = k.rng.pick(
            cross, cross, cross + corners, [*corners, (0, 0)], [(0, 0), (0, radius), (radius, 0)]
        )
    rests = [one for one in moves if any(one)]
    center: Expr = tiles.view(halo, [radius] * len(shape), shape)
    what = k.rng.pick("laplacian", "mean", "weighted", "largest", "gradient", "smallest", "sharpened")
    if (what != "mean" and k.rng.chance(0.6)) or what in ("sharpened", "gradient"):
        center = k.let("center", center)

    def shifted(move: tuple[int, ...]) -> Expr:
        return tiles.view(halo, [radius + d for d in move], shape)

    views: list[Expr] = []
    if k.rng.chance(0.5):
        signs = [tuple((d > 0) - (d < 0) for d in one) for one in rests]
        views += [k.let(_COMPASS.get(s, "corner"), shifted(one)) for s, one in zip(signs, rests, strict=True)]
    else:
        views += [shifted(one) for one in rests]
    total = views[0]
    if what in ("largest", "smallest"):
        for number, one in enumerate(views[1:], 1):
            total = tiles.mapped("max" if what == "largest" else "min", total, one)
            if number % 2 == 0 or number == len(views) - 1:
                total = k.let("extreme", total)
        total = tiles.mapped("max" if what == "largest" else "min", total, center)
        result: Expr = total if k.rng.chance(0.4) else (1.0 - rate) * center + rate * total
        doc = f"The {what} value around each place" + (
            "" if result is total else f", mixed in by {told(rate)}"
        )
    elif what == "gradient":
        result = tiles.mapped("abs", views[0] - center)
        for one in views[1:]:
            result = result + tiles.mapped("abs", one - center)
        doc = "Sum of the magnitudes of the differences from the neighbors"
    elif what == "weighted":
        for one in views[1:]:
            total = total + k.rng.pick(
                one, coefficient(k, unused(k, "weight", "share", "factor"), 0.2, 1.5, kinds="l") * one
            )
        result, doc = (
            rate * total + center,
            f"Each value plus {told(rate)} times a weighted sum of its neighbors",
        )
    else:
        for one in views[1:]:
            total = total + one
        total = k.let("around", total) if k.rng.chance(0.5) else total
        if what == "mean":
            result, doc = lift(round(1.0 / len(rests), 6), k.real) * total, "Mean of the neighbors"
        elif what == "sharpened":
            result, doc = center + rate * (float(len(rests)) * center - total), f"Sharpened by {told(rate)}"
        else:
            result, doc = (
                center + rate * (total - float(len(rests)) * center),
                f"One step of diffusion by {told(rate)}",
            )
    if (
        what in ("mean", "largest", "gradient", "smallest")
        and rate.type
        and "rate" not in doc
        and told(rate) not in doc
    ):
        result = rate * result
        k.notes.append(f"The result is multiplied by {told(rate)}")
    result = k.let("stencil_value", result) if k.rng.chance(0.3) else result
    conclude(
        k, Slab(k, tuple(extents), shape, corner), k.rng.pick("update", "filtered", f"next_{name}"), result
    )
    describe(
        k,
        f"{doc}, in {'one dimension' if flat else 'two dimensions'}, {len(rests)} neighbors, {radius} away",
    )
