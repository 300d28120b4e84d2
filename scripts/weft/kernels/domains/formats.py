"""Number formats: what their codes stand for, conversions, arithmetic and sums of rows in them."""

import dataclasses
import itertools
from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.domains import along
from weft.kernels.domains.floats import as_float, cast, mask, to_nearest_even
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, of, single
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.telling import an
from weft.kernels.types import F16, F32, F64, I8, I16, I32, I64, U8, U16, U32
from weft.types import Scalar

Coding = Callable[[Builder, Expr], Expr]


@dataclasses.dataclass(frozen=True, eq=False)
class Format:
    """Codes of a type, which `decode` makes float32 numbers of and `encode` makes of float32 numbers.

    Codes of inputs lie in [low, high], and what they stand for in `span`. `unit` is what a code counts where
    numbers are proportional to codes, so that sums can be made of the codes.
    """

    name: str
    words: str
    type: Scalar
    low: float
    high: float
    span: tuple[float, float]
    decode: Coding
    encode: Coding | None = None
    unit: float | None = None
    source: str = ""
    limit: str = ""
    """What codes `decode` does not decode."""

    def number(self, k: Builder, code: Expr) -> Expr:
        """What a code stands for: by a function of the program's where that takes more than a line."""
        if self.encode is None or self.unit is not None or self.type == F16:
            return bounded(self.decode(k, code), *self.span)
        limits = Interval(self.low, self.high, True)
        doc = f"Return the value of {an(self.words)} code{self.limit}."
        call = k.once(
            f"decode_{self.name} in {k.name}",
            lambda: k.function(
                f"decode_{self.name}",
                doc,
                {"code": (self.type, limits)},
                lambda b, code: bounded(self.decode(b, code), *self.span),
            ),
        )
        return call(code)

    def code(self, k: Builder, number: Expr) -> Expr:
        """The code of a number, rounded to the nearest."""
        assert self.encode is not None
        return self.encode(k, number)


def e4m3_number(k: Builder, code: Expr) -> Expr:
    """A sign, four bits of exponent, and three of fraction. There is no infinity, and NaN is not decoded."""
    word = k.let("word", convert(U32, code))
    exponent, fraction = k.let("exponent", (word >> 3) & 15), k.let("fraction", word & 7)
    normal = as_float(((exponent + 120) << 23) | (fraction << 20), 0.0, 480.0)
    size = k.let("magnitude", conditional(exponent.equals(0), convert(F32, fraction) * 0.001953125, normal))
    return as_float(cast(size, U32) | ((word & 128) << 24), -480.0, 480.0)


def e4m3_code(k: Builder, number: Expr) -> Expr:
    """Subnormal codes count steps; others are the upper bits of the float with another exponent."""
    size = k.let("magnitude", ops.min(ops.abs(number), 448.0))
    code = k.var("encoded", lift(0, U32), bounds=(0, 126), type=U32)
    with k.when(size < 0.015625):
        k.set(code, convert(U32, bounded(ops.rint(size * 512.0), 0, 8)))
    with k.otherwise():
        nearest = to_nearest_even(k, k.let("size_word", cast(size, U32)), 20)
        k.set(code, bounded(nearest - 960, 0, 126))
    sign = k.let("sign", (cast(number, U32) >> 24) & mask(0x80))
    return convert(U8, bounded(sign | code, 0, 255))


def e5m2_code(k: Builder, number: Expr) -> Expr:
    """The upper byte of half precision, rounded to nearest even."""
    half = k.let("half_word", convert(U32, cast(convert(F16, number), U16)))
    return convert(U8, bounded((half + 127 + ((half >> 8) & 1)) >> 8, 0, 255))


def e2m1_number(k: Builder, code: Expr) -> Expr:
    """A sign, two bits of exponent, and one of fraction."""
    word = k.let("word", convert(U32, code))
    exponent, fraction = k.let("exponent", (word >> 1) & 3), k.let("fraction", word & 1)
    normal = as_float(((exponent + 126) << 23) | (fraction << 22), 0.0, 6.0)
    size = k.let("magnitude", conditional(exponent.equals(0), 0.5 * convert(F32, fraction), normal))
    return as_float(cast(size, U32) | ((word & 8) << 28), -6.0, 6.0)


def e2m1_code(k: Builder, number: Expr) -> Expr:
    """The nearest of eight magnitudes, and the sign."""
    size = k.let("magnitude", ops.abs(number))
    code = k.var("encoded", lift(0, I32), bounds=(0, 15), type=I32)
    middles = [one for one in (0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0) if one < size.interval.hi]
    for level in range(len(middles), 0, -1):
        beyond = size > middles[level - 1]
        with k.when(beyond) if level == len(middles) else k.orwhen(beyond):
            k.set(code, level)
    if number.interval.lo < 0.0:
        with k.when(number < 0.0):
            k.set(code, bounded(code | 8, 0, 15))
    return convert(U8, code)


def mu_law_number(k: Builder, code: Expr) -> Expr:
    """Eight segments of sixteen steps, whose bits are stored inverted."""
    turned = k.let("inverted", 255 - convert(I32, code))
    size = k.let("magnitude", bounded((((turned & 15) << 3) + 132) << ((turned >> 4) & 7), 132, 32256) - 132)
    return convert(F32, ops.where((turned & 128).differs(0), -size, size)) / 32768.0


def mu_law_code(k: Builder, number: Expr) -> Expr:
    """The segment is that of the leading bit."""
    sample = k.let("sample", convert(I32, ops.clamp(ops.rint(number * 32768.0), -32635.0, 32635.0)))
    size = k.let("magnitude", ops.abs(sample) + 132)
    segment = k.var("segment", 7, bounds=(0, 7), type=I32)
    with k.repeat((size < (lift(128, I32) << segment)) & (segment > 0), 8):
        k.set(segment, bounded(segment - 1, 0, 7))
    sign = k.let("sign", ops.where(sample < 0, lift(128, I32), lift(0, I32)))
    step = bounded((size >> (segment + 3)) & 15, 0, 15)
    return convert(U8, 255 - (sign | (segment << 4) | step))


def a_law_number(k: Builder, code: Expr) -> Expr:
    """Eight segments of sixteen steps, of which every other bit is stored inverted."""
    turned = k.let("toggled", convert(I32, code) ^ 85)
    segment = k.let("segment", (turned >> 4) & 7)
    size = k.var("magnitude", ((turned & 15) << 4) + 8, bounds=(0, 32767))
    with k.when(segment > 0):
        k.set(size, bounded((size + 256) << (segment - 1), 0, 32767))
    return convert(F32, ops.where((turned & 128).differs(0), size, -size)) / 32768.0


def counted(name: str, words: str, type: Scalar, low: int, high: int, unit: float) -> Format:
    """A format whose codes count a unit."""

    def decode(_: Builder, code: Expr) -> Expr:
        return (
            convert(F32, code) * unit if unit > 1e-4 and unit != 1 / 255 else convert(F32, code) / (1 / unit)
        )

    def encode(k: Builder, number: Expr) -> Expr:
        count = k.let("count", ops.clamp(ops.rint(number * round(1 / unit)), float(low), float(high)))
        return convert(type, convert(I32, count))

    return Format(name, words, type, low, high, (low * unit, high * unit), decode, encode, unit)


HALF = Format(
    "half",
    "half precision",
    F16,
    -4.0,
    4.0,
    (-4.0, 4.0),
    lambda _, x: convert(F32, x),
    lambda _, x: convert(F16, x),
)
BFLOAT16 = Format(
    "bfloat16", "bfloat16", U16, 0x3C00, 0x4100, (0.0, 8.1),
    lambda _, code: as_float(convert(U32, code) << 16, 0.0, 8.1),
    lambda k, x: convert(U16, bounded(to_nearest_even(k, k.let("word", cast(x, U32)), 16), 0, 2**16 - 1)),
    source="Kalamkar et al. 2019",
)  # fmt: skip
E4M3 = Format(
    "e4m3", "E4M3", U8, 0, 104, (0.0, 64.0), e4m3_number, e4m3_code,
    source="Micikevicius et al. 2022", limit=", unless it is NaN",
)  # fmt: skip
E5M2 = Format(
    "e5m2", "E5M2", U8, 0, 80, (0.0, 32.0),
    lambda _, code: convert(F32, cast(convert(U16, code) << 8, F16, Interval(0.0, 32.0))),
    e5m2_code, source="Micikevicius et al. 2022",
)  # fmt: skip
E2M1 = Format("e2m1", "E2M1", U8, 0, 15, (-6.0, 6.0), e2m1_number, e2m1_code, source="Rouhani et al. 2023")
MU_LAW = Format("mu_law", "mu-law", U8, 0, 255, (-1.0, 1.0), mu_law_number, mu_law_code, source="ITU-T G.711")
A_LAW = Format("a_law", "A-law", U8, 0, 255, (-1.0, 1.0), a_law_number, source="ITU-T G.711")
Q15 = counted("q15", "Q15", I16, -32768, 32767, 2.0**-15)
Q7 = counted("q7", "Q7", I8, -128, 127, 2.0**-7)
Q8_8 = counted("q8_8", "Q8.8", I16, -2048, 2047, 2.0**-8)
UNORM8 = counted("unorm8", "8-bit fractions", U8, 0, 255, 1 / 255)
UNORM16 = counted("unorm16", "16-bit fractions", U16, 0, 65535, 1 / 65535)

FORMATS = (HALF, BFLOAT16, E4M3, E5M2, E2M1, MU_LAW, A_LAW, Q15, Q7, Q8_8, UNORM8, UNORM16)
GROUPS = (
    (HALF, BFLOAT16, E4M3, E5M2, E2M1, Q7),
    (MU_LAW, A_LAW, Q15, Q7, HALF),
    (UNORM8, UNORM16, Q8_8, HALF),
)
"""Formats that meet in one program: of networks, of sound, of images."""
PAIRS = tuple(dict.fromkeys(pair for group in GROUPS for pair in itertools.product(group, repeat=2)))
DYADIC = (HALF, BFLOAT16, E4M3, E5M2, E2M1, MU_LAW, A_LAW, Q15, Q7, Q8_8)
"""Numbers of these have so few bits that products of two are exact in float32."""

# Elements.

tensor = Domain(
    "element",
    index=("i", "idx"),
    ranks=(1, 2, 3),
    single=True,
    things=False,
)

TOLD = {
    "half": "Half precision has 5 bits of exponent and 10 of fraction",
    "bfloat16": "A bfloat16 has 8 bits of exponent and 7 of fraction",
    "e4m3": "E4M3 has a sign bit, 4 bits of exponent, and 3 of fraction",
    "e5m2": "E5M2 is the upper byte of half precision",
    "e2m1": "E2M1 has a sign bit, 2 bits of exponent, and 1 of fraction, in the lower half of a byte",
    "mu_law": "Codes are logarithmic, as in G.711",
    "a_law": "Codes are logarithmic, as in G.711",
    "q15": "Q15 numbers are in units of 2^-15",
    "q7": "Q7 numbers are in units of 2^-7",
    "q8_8": "Q8.8 numbers are in units of 2^-8",
    "unorm8": "Codes of 8 bits are in units of 1/255",
    "unorm16": "Codes of 16 bits are in units of 1/65535",
}
"""What a reader should know of each format."""

ARITHMETIC: tuple[tuple[str, str, Callable[[Expr, Expr], Expr]], ...] = (
    ("sum", "Sum", lambda a, b: a + b),
    ("difference", "Difference", lambda a, b: a - b),
    ("product", "Product", lambda a, b: a * b),
)


def _codes(one: Format, name: str) -> Quantity:
    return Quantity(name, one.low, one.high, of(one.type), least=-1e6, most=1e6)


CODES = {one: _codes(one, "code") for one in FORMATS}
OTHERS = {one: _codes(one, "other_code") for one in FORMATS}
RESULTS = {one: _codes(one, f"{one.name}_code") for one in FORMATS if one.encode is not None}


def _conversion(source: Format, target: Format) -> None:
    @tensor.formula(
        name=f"{target.name}_from_{source.name}",
        doc=f"Convert {source.words} to {target.words}. "
        f"{TOLD[(source if target.name == 'half' else target).name]}.",
        source=target.source or source.source,
        teaches=("conversion",),
    )
    def converted(k: Builder, code: Annotated[Expr, CODES[source]]) -> Annotated[Expr, RESULTS[target]]:
        return target.code(k, k.let("number", source.number(k, code)))


def _arithmetic(name: str, words: str, work: Callable[[Expr, Expr], Expr], one: Format) -> None:
    @tensor.formula(
        name=f"{one.name}_{name}",
        doc=f"{words} of two {one.words} numbers. {TOLD[one.name]}.",
        source=one.source,
    )
    def combined(
        k: Builder, code: Annotated[Expr, CODES[one]], other_code: Annotated[Expr, OTHERS[one]]
    ) -> Annotated[Expr, RESULTS[one]]:
        a, b = k.let("number", one.number(k, code)), k.let("other_number", one.number(k, other_code))
        return one.code(k, k.let(name, work(a, b)))


for _source, _target in PAIRS:
    _inexact = _source in (UNORM8, UNORM16) and _target in (UNORM8, UNORM16)
    if _source is not _target and _target in RESULTS and not _inexact:
        _conversion(_source, _target)
for _work, _one in itertools.product(ARITHMETIC, DYADIC):
    if _one in RESULTS:
        _arithmetic(*_work, _one)

# Rows.

row = Domain(
    "row",
    index=("i", "row"),
    single=True,
    flexible=True,
    sizes={"features": (64, 96, 128, 200, 256)},
    things=False,
)

product = Quantity("product", -50.0, 50.0, single)
total = Quantity("total", -50.0, 50.0, single)
squared_norm = Quantity("squared_norm", 0.0, 50.0, single, least=0.0)
distance = Quantity("squared_distance", 0.0, 50.0, single, least=0.0)
peak = Quantity("peak", 0.0, 4.0, single, least=0.0, extremal=True)
scale = Quantity("row_scale", 0.01, 0.2, of(F16))
score = Quantity("score", -10.0, 10.0, single)
ROWS = {
    one: Quantity(f"{one.name}_code", one.low, one.high, of(one.type), trailing=("features",))
    for one in FORMATS
}

Total = Annotated[Expr, total]
Product = Annotated[Expr, product]
Distance = Annotated[Expr, distance]
SquaredNorm = Annotated[Expr, squared_norm]
Scale = Annotated[Expr, scale]


def added(k: Builder, term: Callable[[Expr], Expr]) -> Expr:
    """The sum of a term along a row, by one of the ways that keep more or less of what rounds away."""
    match k.rng.pick("plain", "double", "double", "kahan", "neumaier"):
        case "plain":
            return bounded(along.summed(k, "total", "features", term), -1e5, 1e5)
        case "double":
            total = k.var("total", 0.0, type=F64)
            with along.each(k, "j", "features") as j:
                k.add(total, convert(F64, term(j)))
            k.notes.append("The sum is in double precision")
            return bounded(convert(F32, total), -1e5, 1e5)
        case "kahan":
            total, carry = (k.var(one, 0.0, bounds=(-1e5, 1e5)) for one in ("total", "carry"))
            with along.each(k, "j", "features") as j:
                part = k.let("part", term(j) - carry)
                raised = k.let("new_total", bounded(total + part, -1e5, 1e5))
                k.set(carry, bounded((raised - total) - part, -1e5, 1e5))
                k.set(total, raised)
            k.notes.append("Kahan summation keeps what rounding loses")
            return total
        case _:
            total, lost = (k.var(one, 0.0, bounds=(-1e5, 1e5)) for one in ("total", "lost"))
            with along.each(k, "j", "features") as j:
                part = k.let("part", term(j))
                raised = k.let("new_total", bounded(total + part, -1e5, 1e5))
                larger = ops.abs(total) >= ops.abs(part)
                rest = ops.where(larger, (total - raised) + part, (part - raised) + total)
                k.set(lost, bounded(lost + rest, -1e5, 1e5))
                k.set(total, raised)
            k.notes.append("Neumaier summation keeps what rounding loses")
            return bounded(total + lost, -1e5, 1e5)


def counted_sum(k: Builder, unit: float, bytes: int, term: Callable[[Scalar, Expr], Expr]) -> Expr:
    """The sum of a term of whole codes along a row, in a type that holds it; it is scaled once."""
    wide = I64 if bytes > 2 else I32
    total = k.var("code_total", 0, type=wide)
    with along.each(k, "j", "features") as j:
        k.add(total, term(wide, j))
    k.notes.append(f"Codes are summed in {wide} and scaled once")
    return bounded(convert(F32, total) / float(round(1.0 / unit)), -1e5, 1e5)


def shared_codes(k: Builder, name: str, one: Format) -> ArrayHandle:
    """A row of codes that all threads read."""
    k.once(f"extent of {name}", lambda: row.size(k, "features"))
    return k.input(
        name,
        one.type,
        ["features"],
        whole(int(one.low), int(one.high)) if one.type.is_integer else uniform(one.low, one.high),
    )


def _sums_of_one(one: Format) -> None:
    @row.formula(name=f"{one.name}_row_total", doc=f"Sum of a row in {one.words}. {TOLD[one.name]}.")
    def row_total(k: Builder, codes: Annotated[ArrayHandle, ROWS[one]]) -> Total:
        if one.unit is not None:
            return counted_sum(k, one.unit, one.type.bytes, lambda of, j: convert(of, along.at(k, codes, j)))
        return added(k, lambda j: one.number(k, along.at(k, codes, j)))

    @row.formula(
        name=f"{one.name}_squared_norm",
        doc=f"Squared norm of a row in {one.words}. {TOLD[one.name]}.",
    )
    def squares(k: Builder, codes: Annotated[ArrayHandle, ROWS[one]]) -> SquaredNorm:
        def term(j: Expr) -> Expr:
            number = k.let("number", one.number(k, along.at(k, codes, j)))
            return number * number

        return bounded(added(k, term), 0.0, 5e4)

    if one is E2M1:  # Of its eight magnitudes, most rows have the largest.
        return

    @row.formula(name=f"{one.name}_peak", doc=f"Largest magnitude of a row in {one.words}. {TOLD[one.name]}.")
    def largest(k: Builder, codes: Annotated[ArrayHandle, ROWS[one]]) -> Annotated[Expr, peak]:
        found = k.var("peak", 0.0, bounds=(0.0, 1e5))
        with along.each(k, "j", "features") as j:
            k.set(found, ops.max(found, ops.abs(one.number(k, along.at(k, codes, j)))))
        return found


def _sums_of_two(first: Format, second: Format) -> None:
    kinds = first.words if first is second else f"{first.words} and {second.words}"
    product_title = (
        f"Matrix-vector product in {kinds}"
        if first is second
        else f"Multiply a matrix in {first.words} by a vector in {second.words}"
    )

    @row.formula(
        name=f"{first.name}_{second.name}_product",
        doc=f"{product_title}. {TOLD[second.name]}.",
    )
    def dot(k: Builder, codes: Annotated[ArrayHandle, ROWS[first]]) -> Product:
        weights = shared_codes(k, "weight_codes", second)
        if first.unit is not None and second.unit is not None:
            bytes = first.type.bytes + second.type.bytes
            return counted_sum(
                k,
                first.unit * second.unit,
                bytes,
                lambda of, j: convert(of, along.at(k, codes, j)) * convert(of, weights[j]),
            )
        return added(k, lambda j: first.number(k, along.at(k, codes, j)) * second.number(k, weights[j]))

    @row.formula(
        name=f"{first.name}_{second.name}_distance",
        doc=f"Squared distance to a query in {kinds}. {TOLD[second.name]}.",
    )
    def apart(k: Builder, codes: Annotated[ArrayHandle, ROWS[first]]) -> Distance:
        query = shared_codes(k, "query_codes", second)

        def term(j: Expr) -> Expr:
            gap = k.let("diff", first.number(k, along.at(k, codes, j)) - second.number(k, query[j]))
            return gap * gap

        return bounded(added(k, term), 0.0, 5e4)


for _one in FORMATS:
    _sums_of_one(_one)
for _first, _second in PAIRS:
    if _first is _second or _second in (E2M1, E4M3, Q7):
        _sums_of_two(_first, _second)


@row.formula(source="llama.cpp Q8_0")
def scaled_product(k: Builder, product: Product, row_scale: Scale) -> Annotated[Expr, score]:
    """Scaled score with a half-precision scale per row."""
    return product * convert(F32, row_scale)
