"""Several cases: chains of elif, nested decisions, tables of regimes."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, convert, lift, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, curve, read, threads, uniform
from weft.types import Vector

REVISION = 4
TEACHES = "chains of if, elif and else, nested decisions, and combined conditions"
ALIASES = ("multi_cond",)


def _chain(k: Builder, result: Expr, cases: list[tuple[Expr, Expr]], rest: Expr | float) -> None:
    """`if … elif … else …` that assigns one of several values."""
    with k.when(cases[0][0]):
        k.set(result, cases[0][1])
    for condition, value in cases[1:]:
        with k.orwhen(condition):
            k.set(result, value)
    with k.otherwise():
        k.set(result, rest)


def tax_brackets(k: Builder) -> None:
    """A piecewise linear schedule."""
    threads(k)
    income = read(k, "income", 0.0, 100.0)
    edges = k.rng.pick((20.0, 50.0), (15.0, 40.0, 75.0), (25.0, 60.0), (10.0, 30.0, 60.0, 85.0))
    rates = [k.rng.number(0.05 + 0.1 * step, 0.13 + 0.1 * step) for step in range(len(edges) + 1)]
    tax = k.var("tax", 0.0)
    base, cases = 0.0, []
    low = 0.0
    for edge, rate in zip(edges, rates, strict=False):
        over = income * rate if low == 0.0 else round(base, 3) + (income - low) * rate
        cases.append((k.rng.pick(income < edge, income <= edge), over))
        base, low = base + (edge - low) * rate, edge
    _chain(k, tax, cases, round(base, 3) + (income - low) * rates[-1])
    result: Expr = tax
    if k.rng.chance(0.4):
        with k.when(
            (income > k.rng.number(30.0, 60.0)) & (read(k, "children", 0, 3, I32, array="children") > 0)
        ):
            k.set(tax, tax * coefficient(k, "relief", 0.7, 0.9, kinds="lp"))
            k.notes.append("Larger incomes with children have a relief")
    if k.rng.chance(0.4):
        result = result / (income + 1.0)
        k.notes.append("The tax is divided by one more than the income")
    finish(k, "tax", result, f"Progressive tax in {len(edges) + 1} brackets")


def apply_operation(k: Builder) -> None:
    """An operation picked by a code."""
    threads(k)
    code = read(k, k.rng.pick("opcode", "mode", "op"), 0, 3, I32)
    a, b = read(k, "left", -2.0, 2.0), read(k, "right", 0.5, 2.0, array="right_values")
    result = k.var("result", 0.0)
    shaped, _ = curve(k, a)
    options = [a + b, a - b, a * b, a / b, ops.max(a, b), ops.min(a, b), shaped, shaped * b, ops.abs(a - b)]
    chosen = k.rng.shuffled(options)[: k.rng.integer(3, 4)]
    cases = [(code.equals(number), value) for number, value in enumerate(chosen[:-1])]
    _chain(k, result, cases, chosen[-1])
    finish(k, "result", result, f"One of {len(chosen)} operations per element, picked by a code")


def material_response(k: Builder) -> None:
    """Stress regimes: elastic, plastic, broken."""
    threads(k)
    strain = read(k, "strain", -0.1, 0.1)
    size = k.let("size", ops.abs(strain))
    modulus = coefficient(k, "modulus", 50.0, 200.0)
    yielding, breaking = k.rng.number(0.02, 0.04), k.rng.number(0.06, 0.08)
    hardening = coefficient(k, "hardening", 0.05, 0.4)
    stress = k.var("stress", 0.0)
    plastic = modulus * yielding + hardening * modulus * (size - yielding)
    cases = [(size < yielding, modulus * size), (size < breaking, plastic)]
    rest: Expr = modulus * breaking * k.rng.number(0.05, 0.3) * ops.exp(-(size * k.rng.number(1.0, 9.0)))
    if k.rng.chance(0.4):
        softening = k.rng.number(0.084, 0.095)
        cases.append((size < softening, plastic * k.rng.number(0.5, 0.9)))
    _chain(k, stress, cases, rest)
    signed, word = k.rng.pick((stress * ops.sign(strain), "Stress"), (stress, "Magnitude of the stress"))
    finish(k, "stress", signed, f"{word} of an elastic, then plastic, then broken material")


def implicit_shape(k: Builder) -> None:
    """Functions that are negative inside a shape and positive outside."""
    threads(k, name=k.rng.pick("i", "p"))
    space = Vector(3, k.real)
    p = read(k, "point", -2.0, 2.0, space)
    kind = read(k, "shape", 0, 3, I32, array="shapes")
    radius = coefficient(k, "radius", 0.4, 1.2)
    level = k.var("level", 0.0)
    x, y, z = (k.let(f"p{name}", p[axis]) for axis, name in enumerate("xyz"))
    largest = ops.max(ops.abs(x), ops.max(ops.abs(y), ops.abs(z)))
    options = {
        "sphere": ops.length(p) - radius,
        "plane": 0.57735 * (x + y - z) - radius,
        "box": largest - radius,
        "cylinder": ops.max(ops.sqrt(x * x + z * z), ops.abs(y)) - radius,
        "diamond": ops.abs(x) + ops.abs(y) + ops.abs(z) - radius,
        "tube": ops.sqrt(x * x + y * y) - 0.5 * radius,
    }
    names = k.rng.shuffled(list(options))[: k.rng.integer(3, 4)]
    _chain(
        k,
        level,
        [(kind.equals(number), options[name]) for number, name in enumerate(names[:-1])],
        options[names[-1]],
    )
    result: Expr = level
    if k.rng.chance(0.4):
        result = conditional(level < 0.0, level * k.rng.number(0.3, 0.8), level)
        k.notes.append("Depths inside are reduced")
    shapes = f"{', '.join(names[:-1])} or {names[-1]}"
    finish(
        k, "shape_level", result, f"Level of each point in its {shapes}: negative inside, positive outside"
    )


def thermostat(k: Builder) -> None:
    """A controller with a dead band and states."""
    threads(k, name=k.rng.pick("zone", "i"))
    temperature = read(k, "temperature", 10.0, 30.0)
    setpoint = coefficient(k, "setpoint", 18.0, 22.0)
    band = k.rng.number(0.5, 2.0)
    error = k.let("error", setpoint - temperature)
    was = read(k, "heating", 0, 1, I32, array="heating")
    power = k.var("power", 0.0)
    gain, low = coefficient(k, "gain", 0.1, 0.6), k.rng.number(0.05, 0.3)
    full = ops.min(gain * error, k.rng.number(2.0, 4.0))
    if k.rng.chance(0.5):
        with k.when(was.equals(1)):
            with k.when(error > -band):
                k.set(power, full)
            with k.otherwise():
                k.set(power, low)
        with k.orwhen(error > band):
            k.set(power, gain * band)
        if k.rng.chance(0.5):
            with k.otherwise():
                k.set(power, -low * error)
    else:
        _chain(
            k,
            power,
            [((error > band) & was.equals(0), full), ((error > 0.0) | was.equals(1), gain * error * 0.5)],
            k.rng.number(0.1, 0.9) * error,
        )
    finish(k, "power", power, "Heating power of each zone, with a dead band and memory of the last state")


def sector_code(k: Builder) -> None:
    """Sectors, quadrants and regions of the plane."""
    threads(k)
    x, y = read(k, "x", -2.0, 2.0), read(k, "y", -2.0, 2.0)
    inner, outer = k.rng.number(0.4, 0.9), k.rng.number(1.3, 1.8)
    code = k.var("code", 0, type=I32)
    square = k.let("r2", x * x + y * y)
    if k.rng.chance(0.5):
        with k.when(square < round(inner * inner, 4)):
            k.set(code, k.rng.pick(9, 7))
        with k.orwhen((x >= 0.0) & (y >= 0.0)):
            k.set(code, conditional(square < round(outer * outer, 4), lift(1, I32), 5))
        with k.orwhen(x >= 0.0):
            k.set(code, k.rng.pick(4, 2))
        with k.orwhen(k.rng.pick(y >= 0.0, y > x)):
            k.set(code, 3)
    else:
        with k.when(x > k.rng.number(0.2, 0.8)):
            k.set(code, 1)
        with k.orwhen(x < -inner):
            k.set(code, 2)
        for bit, test in ((16, square > round(outer * outer, 4)), (4, y > outer), (8, y < -inner))[
            : k.rng.integer(2, 3)
        ]:
            with k.when(test):
                k.add(code, bit)
    weighted = k.rng.chance(0.4)
    if weighted:
        power = k.var("weight", square, bounds=(-20.0, 20.0))
        with k.when(code > 3):
            k.set(power, square * coefficient(k, "outer_weight", 0.1, 0.8, kinds="lp"))
        with k.orwhen(code > 0):
            k.set(power, square - x)
        finish(k, "weight", power, "Weight of each point by its region of the plane")
    else:
        finish(k, "region", code, "Code of the region of the plane in which each point lies")


def boundary_update(k: Builder) -> None:
    """A line of cells with different rules at its ends."""
    threads(k, 1, name=k.rng.pick("i", "cell"))
    (i,) = k.index
    count = k.size(k.rng.pick("count", "num_cells"), "n")
    u = k.array(k.rng.pick("u", "field"), k.real, ["n"], uniform(-1.0, 1.0))
    rate = coefficient(k, "rate", 0.1, 0.45, kinds="lp")
    value = k.var("value", 0.0)
    left = k.rng.pick(
        u[i],
        coefficient(k, "inflow", -1.0, 1.0, kinds="l") * u[i],
        u[i] + rate * (u[ops.min(i + 1, count - 1)] - u[i]),
    )
    with k.when(i.equals(0)):
        k.set(value, left)
    with k.orwhen(i.equals(count - 1)):
        k.set(value, k.rng.pick(u[i] * 0.5, (1.0 - rate) * u[i]))
    if k.rng.chance(0.4):
        period = k.rng.pick(4, 8, 16)
        k.notes.append(f"Every {period}th cell is damped")
        with k.orwhen((i % period).equals(0)):
            k.set(value, u[i] * k.rng.number(0.3, 0.9))
    with k.otherwise():
        before, after = u[i - 1], u[i + 1]
        k.set(
            value,
            k.rng.pick(
                u[i] + rate * (before - 2.0 * u[i] + after),
                u[i] - rate * (u[i] - before),
                u[i] - 0.5 * rate * (after - before),
            ),
        )
    finish(k, "next_value", value, "One step on a line of cells, with rules of their own at both ends")


def quality_grade(k: Builder) -> None:
    """Grades from two measurements, with exceptions."""
    threads(k)
    first = read(k, "strength", 0.0, 10.0)
    second = read(k, k.rng.pick("purity", "finish"), 0.0, 1.0)
    edges = sorted(k.rng.shuffled([2.0, 3.5, 5.0, 6.5, 8.0])[: k.rng.integer(2, 4)])
    grade = k.var("grade", 0, type=I32)
    strict = k.rng.chance(0.5)
    need = coefficient(k, "needed", 0.3, 0.6) if strict else None
    downwards = k.rng.chance(0.5)
    order = list(enumerate(edges, 1))[::-1] if downwards else list(enumerate(edges))
    for number, (level, edge) in enumerate(order):
        condition = first >= edge if downwards else first < edge
        if need is not None and downwards:
            condition = condition & (second > need)
        with k.when(condition) if number == 0 else k.orwhen(condition):
            k.set(grade, level)
    if not downwards:
        with k.otherwise():
            k.set(grade, len(edges))
        if need is not None:
            with k.when(second < need):
                k.set(grade, k.rng.pick(0, -1))
    word = " if a second measurement suffices" if strict else ""
    if k.rng.chance(0.4):
        price = coefficient(k, "price", 0.5, 3.0)
        value = price * convert(k.real, grade) + second
        finish(k, "value", value, f"Price of each item by grade{word}, plus the second measurement")
    else:
        if not strict:
            margin = k.let("margin", second - coefficient(k, "wished", 0.3, 0.6))
            k.store(k.array("margins", k.real, k.shape, None, "out"), k.target, margin)
        finish(k, "grade", grade, f"Grade of each item among {len(edges) + 1}{word}")


IDIOMS = (
    tax_brackets,
    apply_operation,
    material_response,
    implicit_shape,
    thermostat,
    sector_code,
    boundary_update,
    quality_grade,
)
