"""Mathematical functions of one or two numbers, each within its domain."""

import math

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, ops
from weft.kernels.idioms.math.special import normal_quantiles, signed_response
from weft.kernels.results import finish, output
from weft.kernels.vocabulary import article, coefficient, curve, read, threads

REVISION = 5
TEACHES = "mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation"


def damped_oscillation(k: Builder) -> None:
    """A decaying wave."""
    threads(k)
    time = read(k, "time", 0.0, 4.0)
    decay, frequency = coefficient(k, "decay", 0.1, 1.0), coefficient(k, "frequency", 1.0, 6.0)
    wave = k.rng.pick(ops.sin, ops.cos)(frequency * time + read(k, "phase", -1.5, 1.5))
    envelope = k.rng.pick(ops.exp(-decay * time), 1.0 / (1.0 + decay * time), 1.0 / ops.cosh(decay * time))
    if k.rng.chance(0.5):
        envelope = k.let("envelope", envelope)
    finish(k, "displacement", envelope * wave, "Displacement of a damped oscillator")


def polar_coordinates(k: Builder) -> None:
    """Radius and angle of points."""
    threads(k)
    x, y = read(k, "x", -2.0, 2.0), read(k, "y", 0.1, 2.0)
    match k.rng.below(3):
        case 0:
            angle = ops.atan2(y, x)
            finish(
                k,
                "bearing",
                ops.degrees(angle) * coefficient(k, "unit", 0.5, 2.0),
                "Bearing of each point, from degrees to another unit",
            )
        case 1:
            radius = k.let("radius", ops.sqrt(x * x + y * y))
            finish(
                k,
                "winding",
                radius + coefficient(k, "pitch", 0.1, 0.8) * ops.atan2(y, x),
                "Spiral coordinate of each point",
            )
        case _:
            lobes = k.rng.integer(2, 5)
            shape, word = curve(k, k.let("radius", ops.sqrt(x * x + y * y)))
            finish(
                k,
                "petal",
                shape * ops.cos(float(lobes) * ops.atan2(y, x)),
                f"Rose with {lobes} lobes and a profile from {article(word)}",
            )


def normal_distribution(k: Builder) -> None:
    """Gaussian densities, mixtures and the normal distribution function."""
    threads(k)
    x, mean = read(k, "x", -2.0, 2.0), coefficient(k, "mean", -0.5, 0.5)
    sigma = coefficient(k, "sigma", 0.5, 1.5)
    z = k.let("score", (x - mean) / sigma)
    match k.rng.below(4):
        case 0:
            finish(k, "density", ops.exp(-0.5 * z * z) / (sigma * 2.5066), "Normal density at each x")
        case 1:
            finish(
                k, "probability", 0.5 * (1.0 + ops.erf(z * 0.7071)), "Normal distribution function at each x"
            )
        case 2:
            finish(
                k,
                "log_density",
                -0.5 * z * z - ops.log(sigma) - 0.9189,
                "Logarithm of the normal density at each x",
            )
        case _:
            share = coefficient(k, "share", 0.2, 0.8)
            second = ops.exp(-(x * x) / k.rng.number(0.5, 3.0))
            finish(
                k,
                "mixture",
                share * ops.exp(-0.5 * z * z) + (1.0 - share) * second,
                "Mixture of two bell curves",
            )


def great_circle(k: Builder) -> None:
    """Angles on a sphere."""
    threads(k)
    latitude, other = read(k, "latitude", -1.2, 1.2), read(k, "other_latitude", -1.2, 1.2)
    turn = k.let("turn", read(k, "longitude", -1.5, 1.5) - coefficient(k, "meridian", -0.5, 0.5))
    match k.rng.below(3):
        case 0:
            half, swing = ops.sin(0.5 * (other - latitude)), ops.sin(0.5 * turn)
            h = k.let("h", half * half + ops.cos(latitude) * ops.cos(other) * swing * swing)
            finish(
                k,
                "distance",
                2.0 * ops.asin(ops.sqrt(ops.clamp(h, 0.0, 1.0))),
                "Great-circle distance by the haversine formula",
            )
        case 1:
            cosine = ops.sin(latitude) * ops.sin(other) + ops.cos(latitude) * ops.cos(other) * ops.cos(turn)
            finish(
                k,
                "separation",
                ops.acos(ops.clamp(cosine, -1.0, 1.0)),
                "Angle between two directions on the sphere",
            )
        case _:
            east = k.let("east", ops.sin(turn) * ops.cos(other))
            north = ops.cos(latitude) * ops.sin(other) - ops.sin(latitude) * ops.cos(other) * ops.cos(turn)
            finish(k, "course", ops.atan2(east, north), "Initial course from one place to another")


def level_scale(k: Builder) -> None:
    """Powers, decibels and gamma curves."""
    threads(k)
    level, exponent = read(k, "level", 0.1, 2.0), coefficient(k, "exponent", 0.4, 2.5)
    match k.rng.below(4):
        case 0:
            finish(
                k,
                "response",
                coefficient(k, "prefactor", 0.5, 3.0) * ops.pow(level, exponent),
                "Power law of each level",
            )
        case 1:
            decibels = 10.0 * ops.log10(level / coefficient(k, "reference", 0.5, 1.5))
            finish(k, "decibel", decibels * exponent, "Level above a reference in weighted decibels")
        case 2:
            linear = conditional(level < 0.4, level * k.rng.number(0.3, 0.9), ops.pow(level, exponent))
            finish(k, "encoded", linear, "Gamma curve with a linear start")
        case _:
            octave = k.let("octave", ops.log2(level))
            finish(
                k, "pitch", octave * exponent + ops.floor(octave), "Pitch in octaves, and its whole octave"
            )


def grid_position(k: Builder) -> None:
    """Rounding, fractions and phases."""
    threads(k)
    x, cell = read(k, "x", -5.0, 5.0), coefficient(k, "cell", 0.2, 1.5)
    scaled = k.let("scaled", x / cell)
    base = k.rng.pick(ops.floor, ops.round, ops.ceil, ops.trunc)(scaled)
    match k.rng.below(4):
        case 0:
            finish(k, "snapped", base * cell, "Each x snapped to a grid")
        case 1:
            shape, word = curve(k, k.let("inside", scaled - base))
            finish(k, "ripple", shape, f"Position within the grid cell, through {article(word)}")
        case 2:
            wave = 2.0 * ops.abs(scaled - ops.floor(scaled) - 0.5)
            finish(k, "triangle", wave * coefficient(k, "height", 0.5, 2.0), "Triangle wave over the grid")
        case _:
            t = k.let("t", ops.smoothstep(0.0, 1.0, scaled - ops.floor(scaled)))
            finish(k, "eased", (ops.floor(scaled) + t) * cell, "Staircase with smooth steps")


def boltzmann_law(k: Builder) -> None:
    """Laws of statistical physics in the ratio of an energy to a temperature."""
    threads(k)
    energy, temperature = read(k, "energy", 0.2, 3.0), coefficient(k, "temperature", 0.4, 2.0)
    ratio = k.let("ratio", energy / temperature)
    match k.rng.below(4):
        case 0:
            finish(
                k,
                "occupation",
                1.0 / (ops.exp(ratio) + k.rng.pick(1.0, 1.0, 0.5)),
                "Fermi-like occupation of each level",
            )
        case 1:
            finish(
                k,
                "radiance",
                energy * energy * energy / (ops.exp(ratio) - 0.9),
                "Planck-like radiance of each energy",
            )
        case 2:
            weight = k.let("weight", read(k, "degeneracy", 1.0, 4.0) * ops.exp(-ratio))
            finish(
                k,
                "population",
                weight / (1.0 + weight),
                "Population of a degenerate level above a single ground state",
            )
        case _:
            finish(
                k,
                "rate",
                ops.exp(-ratio) * ops.sqrt(temperature * energy),
                "Arrhenius rate with a root prefactor",
            )


def tone_mapping(k: Builder) -> None:
    """Brightness to display: exposure, curves and gamma."""
    threads(k)
    light = read(k, "radiance", 0.05, 4.0)
    exposed = k.let("exposed", light * coefficient(k, "exposure", 0.4, 1.6))
    kind = k.rng.pick("Reinhard", "exponential", "logarithmic", "filmic", "power")
    match kind:
        case "Reinhard":
            white = coefficient(k, "white", 2.0, 5.0)
            mapped = exposed * (1.0 + exposed / (white * white)) / (1.0 + exposed)
        case "exponential":
            mapped = 1.0 - ops.exp(-exposed)
        case "logarithmic":
            mapped = ops.log(1.0 + exposed) / round(math.log(1.0 + k.rng.number(4.0, 8.0)), 4)
        case "filmic":
            mapped = exposed * (2.51 * exposed + 0.03) / (exposed * (2.43 * exposed + 0.59) + 0.14)
        case _:
            mapped = exposed / (exposed + coefficient(k, "midpoint", 0.3, 1.0))
    if k.rng.chance(0.5):
        mapped = k.let("mapped", mapped)
        mapped = ops.pow(ops.max(mapped, 0.001), round(1.0 / k.rng.number(1.8, 2.6), 3))
        k.notes.append("A gamma curve follows")
    finish(k, "display_value", mapped, f"{kind[0].upper()}{kind[1:]} tone mapping of each radiance")


def wave_superposition(k: Builder) -> None:
    """Sums of waves at points of a plane."""
    threads(k)
    x, y = read(k, "x", -3.0, 3.0), read(k, "y", -3.0, 3.0)
    options = k.rng.shuffled(
        [k.rng.pick(x + y, x - y), k.rng.number(0.3, 0.9) * x + k.rng.number(0.3, 0.9) * y, x, y]
    )
    time = k.scalar("time", k.real, {"uniform": [0.0, 2.0]})
    waves = k.rng.integer(2, 3)
    total = None
    for number in range(waves):
        along = options[number] if number else k.rng.pick(x + y, x - y, 0.5 * x + y)
        speed = coefficient(k, f"speed{number}", 0.5, 3.0, kinds="lp")
        phase = k.rng.number(0.5, 3.0) * along - speed * time
        wave = k.rng.pick(ops.sin, ops.cos)(phase)
        if k.rng.chance(0.3):
            wave = k.rng.pick(wave * wave, ops.abs(wave))
        part = k.rng.number(0.2, 1.5) * wave
        total = part if total is None else total + k.let(f"wave{number}", part)
    assert total is not None
    finish(k, "elevation", total, f"Height of {waves} superposed waves")


def rounding_modes(k: Builder) -> None:
    """Numbers split into a whole part and a rest."""
    threads(k)
    value = read(k, "value", -6.0, 6.0)
    scaled = k.let("scaled", value * coefficient(k, "scale", 0.5, 3.0))
    kind = k.rng.pick("floor", "ceil", "round", "trunc")
    whole_part = k.let("whole", getattr(ops, kind)(scaled))
    rest = scaled - whole_part
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "rest",
                k.rng.pick(rest, rest * rest, ops.abs(rest)),
                f"What {kind} takes from each number, or its size",
            )
        case 1:
            shaped, word = curve(k, k.let("rest", rest))
            finish(
                k, "step", whole_part + shaped, f"Staircase by {kind}, with {article(word)} between its steps"
            )
        case _:
            k.store(output(k, "wholes", k.real), k.target, whole_part)
            finish(
                k,
                "wobble",
                rest * ops.cos(whole_part),
                f"Parts of each number by {kind}, one modulated by the other",
            )


IDIOMS = (
    damped_oscillation,
    polar_coordinates,
    normal_distribution,
    great_circle,
    level_scale,
    grid_position,
    boltzmann_law,
    tone_mapping,
    wave_superposition,
    rounding_modes,
    normal_quantiles,
    signed_response,
)
