"""Pixels that come from elsewhere."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, ops, within
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform, whole


def warp_image(k: Builder) -> None:
    """Geometry: each pixel of the result looks for its source."""
    threads(k, 2)
    row, col = k.index
    image = k.array(k.rng.pick("image", "texture", "frame_in"), k.real, k.shape, uniform(0.0, 1.0))
    y, x, doc = _source(k, row, col)
    y = y if y is row else k.let("src_y", y)
    x = x if x is col else k.let("src_x", x)
    value = image[y, x]
    if k.rng.chance(0.5):
        share = coefficient(k, "share", 0.3, 0.9)
        value, doc = ops.lerp(image[row, col], value, share), f"{doc}; blended with the image itself"
    if k.rng.chance(0.3):
        value, doc = value * read(k, "shading", 0.3, 1.0), f"{doc}; shaded"
    finish(k, "warped", value, doc)


def _source(k: Builder, row: Expr, col: Expr) -> tuple[Expr, Expr, str]:
    """Where a pixel comes from, and what that makes of the image."""

    def last(axis: int) -> Expr:
        return k.extent(axis) - 1

    match k.rng.pick("flip", "turn", "shift", "roll", "mirror", "zoom", "shear", "mosaic", "wave"):
        case "flip":
            if k.rng.chance(0.5):
                return last(0) - row, col, "The image upside down"
            return row, last(1) - col, "The image, left and right exchanged"
        case "turn":
            return last(0) - row, last(1) - col, "The image turned by 180 degrees"
        case "shift":
            dy, dx = k.scalar("dy", I32, whole(0, 5)), k.scalar("dx", I32, whole(0, 5))
            return (
                ops.min(row + dy, last(0)),
                ops.min(col + dx, last(1)),
                "The image shifted; the border repeats",
            )
        case "roll":
            dy, dx = k.scalar("dy", I32, whole(0, 5)), k.scalar("dx", I32, whole(0, 5))
            return (row + dy) % k.extent(0), (col + dx) % k.extent(1), "The image shifted around its border"
        case "mirror":
            if k.rng.chance(0.5):
                return row, ops.min(col, last(1) - col), "The left half of the image, mirrored"
            return ops.min(row, last(0) - row), col, "The upper half of the image, mirrored"
        case "zoom":
            factor = k.rng.pick(2, 3, 4)
            doc = f"The upper left corner of the image, {factor} times as large"
            return within(row // factor, k.shape[0]), within(col // factor, k.shape[1]), doc
        case "shear":
            slope = k.rng.pick(1, 2, 3)
            turned = (col + (row if slope == 1 else slope * row)) % k.extent(1)
            return row, turned, f"Each row is turned by {slope} more than the one above"
        case "mosaic":
            block = k.rng.pick(2, 3, 4, 5)
            places = [one // block * block if k.rng.chance(0.5) else one - one % block for one in (row, col)]
            doc = f"Blocks of {block} by {block} pixels show their first pixel"
            return within(places[0], k.shape[0]), within(places[1], k.shape[1]), doc
        case _:
            amplitude = coefficient(k, "amplitude", 1.0, 4.0, kinds="lp")
            angle = convert(k.real, row) * k.rng.number(0.2, 0.9)
            offset = k.let("offset", convert(I32, ops.floor(amplitude * ops.sin(angle))))
            return row, ops.clamp(col + offset, 0, last(1)), "Rows are moved by a sine wave"
