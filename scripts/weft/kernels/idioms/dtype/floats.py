"""Halves, doubles, and how they are rounded."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, lift, ops
from weft.kernels.idioms.dtype.precision import keep, mixed, row_sum
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.types import F16, F32, F64, I8, I16, I32, I64
from weft.kernels.vocabulary import coefficient, read, threads
from weft.types import Scalar


def _finish(k: Builder, name: str, value: Expr, doc: str, **options: bool) -> None:
    """As `finish`, with numbers of the result's own type."""
    if isinstance(value.type, Scalar) and value.type.is_float:
        k.real = value.type
    finish(k, name, value, doc, **options)


def half_storage(k: Builder) -> None:
    """Data stored as halves, computed with as floats."""
    k.real = k.rng.pick(F32, F32, F64)
    threads(k)
    x = k.let("x", convert(k.real, read(k, "input", -2.0, 2.0, F16, inline=True)))
    other = None
    if k.rng.chance(0.6):
        narrow = k.rng.chance(0.5)
        y = read(k, "other", -2.0, 2.0, F16 if narrow else k.real, inline=True)
        other = k.let("y", convert(k.real, y) if narrow else y)
    value = mixed(k, x, other)
    if other is not None:
        value = value + k.rng.number(0.1, 0.9) * other * k.rng.pick(x, other, lift(1, k.real))
    wide = "doubles" if k.real == F64 else "floats"
    if k.rng.chance(0.3):
        finish(k, "output", value, f"Computes with halves as {wide}, and stores them too")
    else:
        _finish(k, "output", convert(F16, value), f"Computes with halves as {wide}, and stores halves")


def half_math(k: Builder) -> None:
    """Arithmetic on halves."""
    k.real = F16
    threads(k)
    x = read(k, "x", -2.0, 2.0)
    y = read(k, "y", -2.0, 2.0) if k.rng.chance(0.7) else None
    value = mixed(k, x, y)
    if k.rng.chance(0.5):
        value = value * k.rng.number(0.5, 1.5) + k.rng.pick(x * x, ops.abs(x), x)
    if y is not None:
        value = k.rng.pick(value + y, value - y, ops.max(value, y), value * y)
    if k.rng.chance(0.4):
        _finish(k, "result", convert(F32, value), "Arithmetic in half precision, stored as floats")
    else:
        finish(k, "result", value, "Arithmetic in half precision")


def precise_sum(k: Builder) -> None:
    """Long sums of short numbers, with care for what rounds away."""
    total, doc = row_sum(k)
    _finish(k, "total", total, doc)


def split_double(k: Builder) -> None:
    """Doubles and what is left of them in single or half precision."""
    k.real = F64
    threads(k)
    narrow = k.rng.pick(F32, F32, F16)
    x = k.let("x", read(k, "x", -3.0, 3.0, inline=True) * coefficient(k, "unit", 0.3, 1.7))
    high = k.let("high", convert(narrow, x))
    back = convert(F64, high)
    error: Expr
    match k.rng.pick("pair", "pair", "error", "product", "sum"):
        case "pair":
            low = k.let("low", convert(narrow, x - back))
            k.store(k.array("leading_parts", narrow, k.shape, None, "out"), k.target, high)
            # As it is: a total of its squares would lose all of it.
            k.store(k.array("remainders", narrow, k.shape, None, "out"), k.target, low)
            describe(k, f"Splits each double into two {narrow} values")
        case "product":
            y = read(k, "y", -1.0, 1.0, narrow, inline=True)
            wide = k.let("product", back * convert(F64, y))
            error = (wide - convert(F64, convert(narrow, wide))) * (1000.0 if narrow == F16 else 1e6)
            finish(k, "product_error", error, f"Rounding error of products of {narrow} values, scaled")
        case "sum":
            offset = read(k, "offset", -1.0, 1.0, F32)
            finish(
                k, "total", back + convert(F64, offset), f"Sum of a {narrow} and a float32 value as doubles"
            )
        case _:
            error = ops.abs(x - back) * (1000.0 if narrow == F16 else 1e6)
            finish(k, "rounding_error", error, f"Rounding error of doubles stored as {narrow}, scaled")


def grid_number(k: Builder, name: str, span: int) -> tuple[Expr, bool]:
    """A number of at most `span` in magnitude, and whether products of a few digits with it are exact.

    It is a multiple of a power of two, or a double: any other would lie beside the middle of two whole
    numbers here and there, and go to another of them in another precision.
    """
    if k.real == F64:
        return read(k, name, -span, span) * coefficient(k, "scale", 0.2, 0.9), False
    part, word = k.rng.pick((4, "quarters"), (8, "eighths"), (16, "sixteenths"))
    ticks = read(k, "tick_count", -span * part, span * part, k.rng.pick(I32, I32, I16), inline=True)
    k.notes.append(f"Values are given in {word}")
    return convert(k.real, ticks) / float(part), True


def rounding_modes(k: Builder) -> None:
    """Floats on their way to integers."""
    threads(k)
    target = k.rng.pick(I8, I16, I32, I64)
    x, exact = grid_number(k, "measurement", 300 if target in (I32, I64) else 100)
    rounding, word = k.rng.pick(
        (ops.floor, "down"),
        (ops.ceil, "up"),
        (ops.round, "to nearest"),
        (ops.rint, "to nearest, halves to even numbers,"),
        (ops.trunc, "towards zero"),
    )
    x = x if isinstance(x, Name) else k.let("value", x)
    scaled = k.rng.pick(x, 0.5 * x, 0.75 * x, x + 0.5) if exact else x
    whole_part = k.let("rounded", rounding(scaled))
    level = convert(target, whole_part) if target in (I32, I64) else convert(target, convert(I32, whole_part))
    match k.rng.pick("level", "both", "digit", "even"):
        case "both":
            k.store(k.array("levels", target, k.shape, None, "out"), k.target, level)
            finish(
                k,
                "remainder",
                x - whole_part,
                f"Rounds {word} to {target}, and tells what is left of the value",
            )
        case "digit":
            digit = (ops.abs(convert(I32, whole_part))) % 10
            keep(k, "digit", convert(I8, digit), f"Last decimal digit of values that are rounded {word}")
        case "even":
            parity = (
                convert(I32, whole_part) & 1
                if whole_part.interval.lo >= 0
                else ops.abs(convert(I32, whole_part)) & 1
            )
            moved = convert(I32, whole_part) + parity
            keep(k, "even_level", moved, f"Rounds {word} and on to even numbers above")
        case _:
            keep(k, "level", level, f"Rounds scaled measurements {word} to {target}")
