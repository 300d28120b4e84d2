"""Jumps: early returns, break, continue, while loops with several exits."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, read, threads, uniform
from weft.kernels.operators import ops
from weft.kernels.types import I32

REVISION = 1
TEACHES = "early returns, break, continue, while loops and guards"


def escape_time(k: Builder) -> None:
    threads(k)
    cx, cy = read(k, "real", -2.0, 0.6), read(k, "imaginary", -1.2, 1.2)
    limit = k.rng.pick(16, 24, 32)
    x, y = k.var("x", 0.0, bounds=(-50.0, 50.0)), k.var("y", 0.0, bounds=(-50.0, 50.0))
    count = k.var("count", 0, type=I32)
    with k.loop("step", 0, limit):
        with k.when(x * x + y * y > 4.0):
            k.jump("break")
        new = k.let("new_x", ops.clamp(x * x - y * y + cx, -50.0, 50.0))
        k.set(y, ops.clamp(2.0 * x * y + cy, -50.0, 50.0))
        k.set(x, new)
        k.add(count, 1)
    finish(k, "escape", count, f"Escape time of the Mandelbrot iteration, at most {limit}")


def first_above(k: Builder) -> None:
    (row,) = threads(k, 1, name="row")
    width = k.rng.pick(8, 10, 16)
    k.sizes["width"] = str(width)
    data = k.array("samples", k.real, ["n", "width"], uniform(-1.0, 1.0))
    level = coefficient(k, "level", 0.5, 0.9)
    found = k.var("found", -1, type=I32)
    with k.loop("j", 0, width) as j, k.when(data[row, j] > level):
        k.set(found, j)
        k.jump("break")
    finish(k, "first", found, "First position in each row above a level, or -1")
