"""What small tables in constant memory are for: genes, transforms, contours, palettes, steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.along import at, each
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.kernels.types import I32

TABLE, LOOPED, BRANCHED = ("table",), ("table", "loop"), ("table", "branch")


def listed(k: Builder, name: str, values: Sequence[int]) -> ArrayHandle:
    """A table of whole numbers that are known."""
    return k.input(name, I32, [str(len(values))], {"list": list(values)}, "constant")


def weights(k: Builder, name: str, size: int, low: float = -1.0, high: float = 1.0) -> ArrayHandle:
    """A table of floats."""
    return k.input(name, k.real, [str(size)], uniform(low, high), "constant")


base = Quantity("base", 0, 3, whole, trailing=("bases",))


line = Domain("line", index=("i", "row", "line"), flexible=True, sizes={"samples": (8,)}, things=False)

sample = Quantity("sample", -128.0, 127.0, trailing=("samples",))
coefficient = Quantity("amplitude", -128.0, 127.0, least=-1e6, most=1e6)
energy = Quantity("band_energy", 0.0, 1e4, plural="band_energies", most=1e9, additive=True)
quantized = Quantity("quantized", -64, 64, whole, plural="quantized_levels", least=-(10**6), most=10**6)
bits_needed = Quantity("bit_length", 0, 11, whole, least=0, most=32, additive=True)

Samples = Annotated[ArrayHandle, sample]
Coefficient = Annotated[Expr, coefficient]
Quantized = Annotated[Expr, quantized]


@line.formula(source="Ahmed, Natarajan and Rao 1974", teaches=LOOPED)
def cosine_coefficient(k: Builder, samples: Samples) -> Coefficient:
    """DCT coefficient. The table `cosines` holds the basis function of that coefficient."""
    basis, total = weights(k, "cosines", 8), k.var("total", 0.0)
    with k.loop("j", 0, 8) as j:
        k.add(total, basis[j] * at(k, samples, j))
    return total


@line.formula(source="Ahmed, Natarajan and Rao 1974", teaches=("table", "loop", "nested loop"))
def cosine_band_energy(
    k: Builder, samples: Samples, first_band: Annotated[Expr, Setting(1, 4, kind=whole)]
) -> Annotated[Expr, energy]:
    """Energy in the higher DCT bands. The bands go from `first_band` to 7, the last of eight."""
    basis, total = weights(k, "cosine_basis", 64), k.var("total", 0.0)
    with k.loop("band", first_band, 8) as band:
        level = k.var("level", 0.0)
        with k.loop("j", 0, 8) as j:
            k.add(level, basis[bounded(8 * band + j, 0, 63)] * at(k, samples, j))
        k.add(total, level * level)
    return bounded(total, 0.0, 1e8)


@line.formula(source="ITU-T T.81", teaches=TABLE)
def quantized_by_table(
    k: Builder, amplitude: Coefficient, band: Annotated[Expr, Quantity("band", 0, 7, whole)]
) -> Quantized:
    """Quantize with a table of step sizes. Each band has its own step."""
    steps = listed(k, "step_sizes", (16, 11, 10, 16, 24, 40, 51, 61))
    scaled = k.let("scaled", amplitude / convert(k.real, bounded(steps[band] + 0, 10, 61)))
    return convert(I32, bounded(ops.round(scaled), -(10**5), 10**5))


@line.formula(source="ITU-T T.81", teaches=("loop",))
def magnitude_category(k: Builder, quantized: Quantized) -> Annotated[Expr, bits_needed]:
    """Size category of a quantized level. It is its number of magnitude bits in JPEG's Huffman codes."""
    rest, places = k.var("remaining", ops.abs(quantized), bounds=(0, 10**6)), k.var("places", 0, type=I32)
    with k.repeat(rest > 0, 20):
        k.set(rest, bounded(rest // 2, 0, 10**6))
        k.add(places, 1)
    return bounded(places, 0, 20)


@line.formula(source="Huffman 1952", teaches=TABLE)
def code_length(
    k: Builder, bit_length: Annotated[Expr, bits_needed]
) -> Annotated[Expr, Quantity("code_bits", 2, 20, whole, least=0, most=64, additive=True)]:
    """Huffman code length. It is the length of the code for the size category, plus the magnitude bits."""
    prefix = listed(k, "prefix_lengths", (2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9))
    return prefix[ops.min(bit_length, 11)] + bit_length


contour = Domain("cell", ranks=(2,), things=False)

elevation = Quantity("elevation", 0.0, 1.0)
case = Quantity("case_number", 0, 15, whole, least=0, most=15)
direction = Quantity("flow_direction", -1, 7, whole, least=-1, most=7)
shade = Quantity("shade", 0, 1, whole, additive=True)
lifted = Quantity("filtered_elevation", 0.0, 1.0, least=-100.0, most=100.0)

Elevations = Annotated[ArrayHandle, elevation]
Elevation = Annotated[Expr, elevation]
Case = Annotated[Expr, case]
Direction = Annotated[Expr, direction]
INSIDE = ("clamped", "periodic")
DX, DY = (1, 1, 0, -1, -1, -1, 0, 1), (0, 1, 1, 1, 0, -1, -1, -1)


@contour.formula(source="Lorensen and Cline 1987", teaches=("branch",))
def contour_case(k: Builder, elevations: Elevations, iso_level: Annotated[Expr, Setting(0.3, 0.7)]) -> Case:
    """Marching-squares case. Bits tell which corners are above the level, clockwise from the cell itself."""
    near = around(k, elevations, INSIDE)
    corners = (near.at(0, 0), near.at(0, 1), near.at(1, 1), near.at(1, 0))
    number = k.var("number", 0, type=I32, bounds=(0, 15))
    for bit, corner in enumerate(corners):
        with k.when(corner > iso_level):
            k.set(number, bounded(number | (1 << bit), 0, 15))
    return number


@contour.formula(source="O'Callaghan and Mark 1984", teaches=("table", "loop", "branch"))
def steepest_neighbor(k: Builder, elevations: Elevations) -> Direction:
    """D8 flow direction. It is -1 for a pit, which has no lower neighbor."""
    near = around(k, elevations, INSIDE)
    dx, dy = listed(k, "neighbor_dx", DX), listed(k, "neighbor_dy", DY)
    lowest, found = (
        k.var("lowest", near.at(0, 0), bounds=(0.0, 1.0)),
        k.var("direction", -1, type=I32, bounds=(-1, 7)),
    )
    with k.loop("n", 0, 8) as n:
        other = k.let("neighbor", near.moved(dy[n], dx[n]))
        with k.when(other < lowest):
            k.set(lowest, other)
            k.set(found, n)
    return found


@contour.formula(source="Bayer 1973", teaches=BRANCHED)
def bayer_dither(k: Builder, elevation: Elevation) -> Annotated[Expr, shade]:
    """Ordered dithering with a 4 x 4 Bayer matrix. The result is 1 where the elevation exceeds
    (rank + 0.5) / 16. The rank, from 0 to 15, is the entry at its place in the matrix.
    """
    matrix = listed(k, "thresholds", (0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5))
    row, column = k.index[0] % 4, k.index[1] % 4
    level = k.let("level", (convert(k.real, matrix[bounded(4 * row + column, 0, 15)]) + 0.5) / 16.0)
    return conditional(elevation > level, lift(1, I32), 0)


for _side, _how in ((3, "3 x 3"), (5, "5 x 5")):

    def _filtered(k: Builder, elevations: ArrayHandle, _side: int = _side) -> Expr:
        near, reach = around(k, elevations, INSIDE), _side // 2
        taps, total = weights(k, "filter_taps", _side * _side, -0.5, 0.5), k.var("total", 0.0)
        with k.loop("a", -reach, reach + 1) as a, k.loop("b", -reach, reach + 1) as b:
            k.add(
                total, taps[bounded((a + reach) * _side + b + reach, 0, _side * _side - 1)] * near.moved(a, b)
            )
        return total

    _filtered.__annotations__ = {"elevations": Elevations, "return": Annotated[Expr, lifted]}
    contour.formula(
        name=f"filter_{_side}x{_side}",
        doc=f"{_how} filter. Taps are stored row by row.",
        teaches=LOOPED,
    )(_filtered)


level = Quantity("value", -1.0, 1.0)


@contour.formula(teaches=TABLE)
def hypsometric_tint(
    k: Builder, elevation: Elevation
) -> Annotated[Expr, Quantity("tint", 0.0, 1.0, vector(3))]:
    """Hypsometric tint from a palette. Eight colors are interpolated linearly."""
    palette = k.input("palette", vector(3)(k), ["8"], uniform(0.0, 1.0), "constant")
    spot = k.let("spot", 7.0 * elevation)
    low = k.let("low", ops.min(convert(I32, spot), 6))
    share = k.let("share", bounded(spot - convert(k.real, low), 0.0, 1.0))
    return bounded((1.0 - share) * palette[low] + share * palette[low + 1], 0.0, 1.0)


@contour.formula(teaches=TABLE)
def toned_elevation(k: Builder, elevation: Elevation) -> Annotated[Expr, lifted]:
    """Tone curve. Sixteen points of the curve are interpolated linearly."""
    curve = weights(k, "tone_curve", 16, 0.0, 1.0)
    spot = k.let("spot", 15.0 * elevation)
    low = k.let("low", ops.min(convert(I32, spot), 14))
    return ops.lerp(curve[low], curve[low + 1], spot - convert(k.real, low))


sequence = Domain("sequence", index=("i", "row", "seq"), flexible=True, sizes={"bases": (12, 18, 24, 36)})
base = Quantity("base", 0, 3, whole, trailing=("bases",))
template = Quantity("template_base", 0, 3, whole, trailing=("bases",))
score = Quantity("score", -20, 60, whole, least=-1000, most=1000, extremal=True, additive=True)
melting = Quantity("stacking_energy", -60.0, 0.0, plural="stacking_energies")
tally = Quantity("base_count", 0, 36, whole, least=0, most=64, additive=True)
Bases = Annotated[ArrayHandle, base]
Templates = Annotated[ArrayHandle, template]
Score = Annotated[Expr, score]


def bases_of(k: Builder) -> int:
    """How many bases a sequence has."""
    return int(k.sizes[sequence.size(k, "bases")])


@sequence.formula(source="SantaLucia 1998", teaches=LOOPED)
def nearest_neighbor_energy(k: Builder, bases: Bases) -> Annotated[Expr, melting]:
    """DNA nearest-neighbor stacking energy. It is the sum of a table over all pairs of bases that follow each
    other.
    """
    energies, total = weights(k, "pair_energies", 16, -2.3, -0.5), k.var("total", 0.0)
    with each(k, "j", "bases", 1) as j:
        k.add(total, energies[4 * at(k, bases, j - 1) + at(k, bases, j)])
    return total


@sequence.formula(source="Needleman and Wunsch 1970", teaches=LOOPED)
def ungapped_score(k: Builder, bases: Bases, template_bases: Templates) -> Score:
    """Ungapped alignment score. A match counts 5, a transition -1 and a transversion -4."""
    scores = listed(k, "substitution_scores", (5, -4, -1, -4, -4, 5, -4, -1, -1, -4, 5, -4, -4, -1, -4, 5))
    total = k.var("total", 0, type=I32)
    with each(k, "j", "bases") as j:
        k.add(total, scores[4 * at(k, bases, j) + at(k, template_bases, j)])
    return bounded(total, -180, 180)


@sequence.formula(source="Smith and Waterman 1981", teaches=("table", "loop", "branch"))
def best_local_score(k: Builder, bases: Bases, template_bases: Templates) -> Score:
    """Best ungapped local alignment score. The score starts again at zero where it would be negative."""
    scores = listed(k, "substitution_scores", (5, -4, -1, -4, -4, 5, -4, -1, -1, -4, 5, -4, -4, -1, -4, 5))
    run, best = (k.var(name, 0, type=I32, bounds=(0, 1000)) for name in ("run", "best"))
    with each(k, "j", "bases") as j:
        pair = 4 * at(k, bases, j) + at(k, template_bases, j)
        k.set(run, bounded(ops.max(run + scores[pair], 0), 0, 1000))
        k.set(best, ops.max(best, run))
    return best


@sequence.formula(source="Felsenstein 1981", teaches=LOOPED)
def profile_score(
    k: Builder, bases: Bases
) -> Annotated[Expr, Quantity("log_odds", -20.0, 20.0, plural="log_odds_values", extremal=True)]:
    """Log-odds profile score. It is the sum of the scores of the first eight bases, each at its place in the
    profile.
    """
    profile, total = weights(k, "profile", 32, -2.0, 2.0), k.var("total", 0.0)
    with k.loop("j", 0, 8) as j:
        k.add(total, profile[4 * j + at(k, bases, j)])
    return total


motion = Domain("system", index=("i", "idx", "tid"))
level = Quantity("value", -1.0, 1.0)
series = Quantity("series_value", -5.0, 5.0, least=-1e4, most=1e4)
angle = Quantity("angle", -3.0, 3.0)
Level1 = Annotated[Expr, level]
Angle = Annotated[Expr, angle]


@motion.formula(source="Clenshaw 1955", teaches=LOOPED)
def chebyshev_series(k: Builder, value: Level1) -> Annotated[Expr, series]:
    """Chebyshev series by Clenshaw's recurrence. It has eight terms, beginning with the constant one."""
    factors = weights(k, "chebyshev_factors", 8)
    later, last = (k.var(name, 0.0, bounds=(-100.0, 100.0)) for name in ("later", "last"))
    with k.loop("n", 0, 7) as n:
        before = k.let("before", last)
        k.set(last, bounded(2.0 * value * last - later + factors[7 - n], -100.0, 100.0))
        k.set(later, before)
    return value * last - later + factors[0]


@motion.formula(source="Horner 1819", teaches=LOOPED)
def horner_series(k: Builder, value: Level1) -> Annotated[Expr, series]:
    """Polynomial by Horner's rule. It is of fifth degree."""
    factors = weights(k, "polynomial_factors", 6)
    total = k.var("total", factors[5], bounds=(-10.0, 10.0))
    with k.loop("n", 1, 6) as n:
        k.set(total, bounded(total * value + factors[5 - n], -10.0, 10.0))
    return total


@motion.formula(source="Fourier 1822", teaches=LOOPED)
def fourier_series(k: Builder, angle: Angle) -> Annotated[Expr, series]:
    """Fourier series of five harmonics. It has no constant term."""
    cosines, sines, total = (
        weights(k, "cosine_factors", 5),
        weights(k, "sine_factors", 5),
        k.var("total", 0.0),
    )
    with k.loop("n", 0, 5) as n:
        phase = k.let("phase", convert(k.real, n + 1) * angle)
        k.add(total, cosines[n] * ops.cos(phase) + sines[n] * ops.sin(phase))
    return total
