"""Astronomy: orbits by Kepler's equation, and the light of stars."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases
from weft.kernels.constants import PI, TWO_PI
from weft.kernels.domains.elementary import as_float
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

orbit = Domain("orbit", index=("i", "orbit", "body"))

axis = Quantity("semi_major_axis", 0.5, 5.0)
eccentricity = Quantity("eccentricity", 0.02, 0.7, plural="eccentricities")
elapsed = Quantity("elapsed_time", 0.0, 3.0)
mean_anomaly = Quantity("mean_anomaly", 0.1, 6.1, plural="mean_anomalies", least=-200.0, most=200.0)
eccentric_anomaly = Quantity(
    "eccentric_anomaly", 0.1, 6.1, plural="eccentric_anomalies", least=-250.0, most=250.0
)
true_anomaly = Quantity("true_anomaly", 0.1, 6.1, plural="true_anomalies", least=-250.0, most=250.0)
distance = Quantity("distance", 0.3, 8.0, least=0.05, most=100.0)
speed = Quantity("orbital_speed", 0.3, 2.0, least=0.0, most=100.0)
period = Quantity("period", 2.0, 70.0, least=0.1, most=1e4)
flux = Quantity("stellar_flux", 0.02, 10.0, plural="stellar_fluxes", least=0.0, most=1e4)
balance_temperature = Quantity("balance_temperature", 80.0, 500.0, least=0.0, most=1e4)
plane_x = Quantity("plane_x", -5.0, 5.0, plural="plane_x_values", least=-1e3, most=1e3)
plane_y = Quantity("plane_y", -5.0, 5.0, plural="plane_y_values", least=-1e3, most=1e3)
angular_momentum = Quantity("angular_momentum", 0.5, 3.0, plural="angular_momenta", least=0.0, most=1e3)
energy = Quantity(
    "orbital_energy", -1.0, -0.1, plural="orbital_energies", least=-100.0, most=0.0, additive=True
)
phase = Quantity("phase", 0.0, 1.0)
zone = Quantity("zone", -1, 1, whole, least=-1, most=1)

Axis = Annotated[Expr, axis]
Eccentricity = Annotated[Expr, eccentricity]
Elapsed = Annotated[Expr, elapsed]
MeanAnomaly = Annotated[Expr, mean_anomaly]
EccentricAnomaly = Annotated[Expr, eccentric_anomaly]
TrueAnomaly = Annotated[Expr, true_anomaly]
Distance = Annotated[Expr, distance]
Period = Annotated[Expr, period]
Flux = Annotated[Expr, flux]
CentralMass = Annotated[Expr, Setting(0.5, 2.0)]
Luminosity = Annotated[Expr, Setting(0.3, 3.0)]
_EXP = ("transcendental",)
VALLADO = "Vallado 2013"


@orbit.formula(source="Kepler 1619", goal=False)
def kepler_period(k: Builder, semi_major_axis: Axis, central_mass: CentralMass) -> Period:
    """Orbital period by Kepler's third law."""
    return bounded(TWO_PI * semi_major_axis * ops.sqrt(semi_major_axis / central_mass), 1.0, 200.0)


@orbit.formula(source=VALLADO, goal=False)
def period_anomaly(k: Builder, elapsed_time: Elapsed, period: Period) -> MeanAnomaly:
    """Mean anomaly from time and period."""
    return bounded(TWO_PI * elapsed_time / period, 0.0, 70.0)


@orbit.formula(source=VALLADO)
def wrapped_anomaly(
    k: Builder, elapsed_time: Elapsed, semi_major_axis: Axis, central_mass: CentralMass
) -> MeanAnomaly:
    """Mean anomaly, wrapped to one turn."""
    motion = ops.sqrt(central_mass / (semi_major_axis * semi_major_axis * semi_major_axis))
    turns = k.let("turns", motion * elapsed_time / TWO_PI)
    return bounded(TWO_PI * (turns - ops.floor(turns)), 0.0, 6.29)


@orbit.formula(source=VALLADO, teaches=("loop", "iteration", "transcendental"))
def kepler_newton(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    newton_steps: Annotated[Expr, Setting(3, 8, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by Newton's method."""
    guess = k.var("x", mean_anomaly + eccentricity * ops.sin(mean_anomaly), bounds=(-250.0, 250.0))
    with k.loop("_", 0, newton_steps):
        miss = k.let("residual", guess - eccentricity * ops.sin(guess) - mean_anomaly)
        k.set(guess, bounded(guess - miss / (1.0 - eccentricity * ops.cos(guess)), -250.0, 250.0))
    return guess


@orbit.formula(source="Danby 1987", teaches=("loop", "iteration", "transcendental"))
def kepler_halley(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    halley_steps: Annotated[Expr, Setting(2, 5, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by Halley's method."""
    guess = k.var("x", mean_anomaly + 0.85 * eccentricity, bounds=(-250.0, 250.0))
    with k.loop("_", 0, halley_steps):
        bend = k.let("bend", eccentricity * ops.sin(guess))
        miss = k.let("residual", guess - bend - mean_anomaly)
        slope = k.let("slope", 1.0 - eccentricity * ops.cos(guess))
        full = ops.max(slope - 0.5 * miss * bend / slope, 0.1)
        k.set(guess, bounded(guess - miss / full, -250.0, 250.0))
    return guess


@orbit.formula(source="Kepler 1609", teaches=("loop", "iteration", "transcendental"))
def kepler_fixed_point(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    rounds: Annotated[Expr, Setting(4, 12, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by fixed-point iteration."""
    guess = k.var("x", mean_anomaly, bounds=(-250.0, 250.0))
    with k.loop("_", 0, rounds):
        k.set(guess, bounded(mean_anomaly + eccentricity * ops.sin(guess), -250.0, 250.0))
    return guess


@orbit.formula(source="Meeus 1998", teaches=("loop", "iteration", "transcendental", "branch"))
def kepler_bisection(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    halvings: Annotated[Expr, Setting(8, 14, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by bisection."""
    low = k.var("low", mean_anomaly - 1.0, bounds=(-250.0, 250.0))
    high = k.var("high", mean_anomaly + 1.0, bounds=(-250.0, 250.0))
    with k.loop("_", 0, halvings):
        middle = k.let("mid", bounded(0.5 * (low + high), -250.0, 250.0))
        with k.when(middle - eccentricity * ops.sin(middle) < mean_anomaly):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return bounded(0.5 * (low + high), -250.0, 250.0)


@orbit.formula(source="Murray and Dermott 1999", teaches=_EXP)
def kepler_series(k: Builder, mean_anomaly: MeanAnomaly, eccentricity: Eccentricity) -> EccentricAnomaly:
    """Series solution of Kepler's equation in the eccentricity."""
    square = k.let("square", eccentricity * eccentricity)
    first = (eccentricity - square * eccentricity / 8.0) * ops.sin(mean_anomaly)
    return bounded(
        mean_anomaly + first + 0.5 * square * ops.sin(2.0 * mean_anomaly)
        + 0.375 * square * eccentricity * ops.sin(3.0 * mean_anomaly),
        -250.0, 250.0,
    )  # fmt: skip


@orbit.formula(source=VALLADO, teaches=_EXP)
def half_angle_anomaly(
    k: Builder, eccentric_anomaly: EccentricAnomaly, eccentricity: Eccentricity
) -> TrueAnomaly:
    """True anomaly from the eccentric anomaly."""
    half = k.let("half", 0.5 * eccentric_anomaly)
    upper = ops.sqrt(1.0 + eccentricity) * ops.sin(half)
    return bounded(2.0 * ops.atan2(upper, ops.sqrt(1.0 - eccentricity) * ops.cos(half)), -6.4, 6.4)


@orbit.formula(source="Murray and Dermott 1999", teaches=_EXP)
def center_anomaly(k: Builder, mean_anomaly: MeanAnomaly, eccentricity: Eccentricity) -> TrueAnomaly:
    """True anomaly by the equation of the center."""
    square = k.let("square", eccentricity * eccentricity)
    first = (2.0 * eccentricity - 0.25 * square * eccentricity) * ops.sin(mean_anomaly)
    return bounded(mean_anomaly + first + 1.25 * square * ops.sin(2.0 * mean_anomaly), -250.0, 250.0)


@orbit.formula(source=VALLADO, teaches=_EXP)
def conic_distance(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, true_anomaly: TrueAnomaly
) -> Distance:
    """Orbital radius from the true anomaly."""
    parameter = semi_major_axis * (1.0 - eccentricity * eccentricity)
    return bounded(parameter / ops.max(1.0 + eccentricity * ops.cos(true_anomaly), 0.1), 0.1, 9.0)


@orbit.formula(source=VALLADO, teaches=_EXP)
def eccentric_distance(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, eccentric_anomaly: EccentricAnomaly
) -> Distance:
    """Orbital radius from the eccentric anomaly."""
    return bounded(semi_major_axis * (1.0 - eccentricity * ops.cos(eccentric_anomaly)), 0.1, 9.0)


@orbit.formula(source=VALLADO, teaches=_EXP)
def plane_abscissa(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, eccentric_anomaly: EccentricAnomaly
) -> Annotated[Expr, plane_x]:
    """Orbital-plane x coordinate."""
    return semi_major_axis * (ops.cos(eccentric_anomaly) - eccentricity)


@orbit.formula(source=VALLADO, teaches=_EXP)
def plane_ordinate(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, eccentric_anomaly: EccentricAnomaly
) -> Annotated[Expr, plane_y]:
    """Orbital-plane y coordinate."""
    return semi_major_axis * ops.sqrt(1.0 - eccentricity * eccentricity) * ops.sin(eccentric_anomaly)


@orbit.formula(source="Newton 1687")
def vis_viva(
    k: Builder, distance: Distance, semi_major_axis: Axis, central_mass: CentralMass
) -> Annotated[Expr, speed]:
    """Orbital speed by the vis-viva equation."""
    square = central_mass * (2.0 / distance - 1.0 / semi_major_axis)
    return bounded(ops.sqrt(ops.max(square, 0.0)), 0.0, 30.0)


@orbit.formula(source=VALLADO)
def specific_energy(k: Builder, semi_major_axis: Axis, central_mass: CentralMass) -> Annotated[Expr, energy]:
    """Specific orbital energy."""
    return -0.5 * central_mass / semi_major_axis


@orbit.formula(source=VALLADO)
def specific_momentum(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, central_mass: CentralMass
) -> Annotated[Expr, angular_momentum]:
    """Specific angular momentum of an orbit."""
    return ops.sqrt(central_mass * semi_major_axis * (1.0 - eccentricity * eccentricity))


@orbit.formula(source="Carroll and Ostlie 2017", goal=False)
def inverse_square_flux(k: Builder, distance: Distance, luminosity: Luminosity) -> Flux:
    """Stellar flux by the inverse square law."""
    return bounded(luminosity / (distance * distance), 1e-4, 1e3)


@orbit.formula(source="Carroll and Ostlie 2017")
def equilibrium_temperature(
    k: Builder, stellar_flux: Flux, albedo: Annotated[Expr, Setting(0.1, 0.6)]
) -> Annotated[Expr, balance_temperature]:
    """Equilibrium temperature of a planet."""
    return 278.6 * ops.sqrt(ops.sqrt((1.0 - albedo) * stellar_flux))


@orbit.formula(source="Kopparapu et al. 2013", teaches=("branches",))
def habitable_zone(k: Builder, stellar_flux: Flux) -> Annotated[Expr, zone]:
    """Habitable-zone class of an orbit: too hot, habitable or too cold."""
    found = k.var("zone", 0, type=I32)
    with k.when(stellar_flux > 1.11):
        k.set(found, -1)
    with k.orwhen(stellar_flux < 0.36):
        k.set(found, 1)
    return found


@orbit.formula(source="Lambert 1760", teaches=_EXP)
def lambert_phase(
    k: Builder, true_anomaly: TrueAnomaly, inclination_sine: Annotated[Expr, Setting(0.3, 1.0)]
) -> Annotated[Expr, phase]:
    """Lambert phase function of a planet."""
    cosine = k.let("cosine", bounded(-inclination_sine * ops.sin(true_anomaly), -1.0, 1.0))
    angle = k.let("angle", ops.acos(cosine))
    lit = (ops.sin(angle) + (PI - angle) * cosine) / PI
    return bounded(lit, 0.0, 1.0)


# Stars.

star = Domain("star", index=("i", "star"))

apparent = Quantity("apparent_magnitude", 2.0, 16.0, least=-100.0, most=200.0)
parallax = Quantity("parallax", 0.005, 0.5, plural="parallaxes")
reddening = Quantity("reddening", 0.0, 0.6, plural="reddening_values")
star_distance = Quantity("star_distance", 2.0, 200.0, least=0.1, most=1e5)
extinction = Quantity("extinction", 0.0, 2.0, least=0.0, most=10.0)
absolute = Quantity("absolute_magnitude", -5.0, 15.0, least=-200.0, most=200.0)
star_luminosity = Quantity("star_luminosity", 0.001, 100.0, plural="star_luminosities", least=0.0, most=1e9)
star_temperature = Quantity("star_temperature", 3000.0, 12000.0, least=500.0, most=1e5)
peak_wavelength = Quantity("peak_wavelength", 0.2, 1.0, least=0.0)
star_radius = Quantity("star_radius", 0.1, 10.0, plural="star_radii", least=0.0, most=1e6)
star_mass = Quantity("star_mass", 0.2, 10.0, plural="star_masses", least=1e-4, most=1e3, additive=True)
lifetime = Quantity("lifetime", 0.1, 100.0, least=0.0, most=1e9)
color_index = Quantity("color_index", -0.2, 1.6, plural="color_indices")
star_count = Quantity("photon_count", 100.0, 5000.0)
brightness = Quantity(
    "brightness", 0.001, 10.0, plural="brightness_values", least=0.0, most=1e9, additive=True
)
spectral_class = Quantity("spectral_class", 0, 5, whole, plural="spectral_classes", least=0, most=5)
radial_velocity = Quantity(
    "radial_velocity",
    -300.0,
    300.0,
    plural="radial_velocities",
    most=1e6,
    least=-1e6,
    extremal=True,
    signed=True,
)
wavelength = Quantity("wavelength", 655.0, 658.0)
redshift = Quantity("redshift", 0.01, 1.0)
luminosity_distance = Quantity("luminosity_distance", 10.0, 5000.0, least=0.0, most=1e6)
proper_motion = Quantity("proper_motion", 0.0, 2.0)
space_velocity = Quantity(
    "space_velocity", 0.0, 300.0, plural="space_velocities", least=0.0, most=1e7, extremal=True
)

Apparent = Annotated[Expr, apparent]
StarDistance = Annotated[Expr, star_distance]
Extinction = Annotated[Expr, extinction]
Absolute = Annotated[Expr, absolute]
StarLuminosity = Annotated[Expr, star_luminosity]
StarTemperature = Annotated[Expr, star_temperature]
StarRadius = Annotated[Expr, star_radius]
StarMass = Annotated[Expr, star_mass]
ColorIndex = Annotated[Expr, color_index]
RadialVelocity = Annotated[Expr, radial_velocity]
CARROLL = "Carroll and Ostlie 2017"


@star.formula(source="Pogson 1856", teaches=_EXP)
def pogson_magnitude(
    k: Builder, photon_count: Annotated[Expr, star_count], zero_point: Annotated[Expr, Setting(18.0, 25.0)]
) -> Apparent:
    """Apparent magnitude from photon counts."""
    return zero_point - 2.5 * ops.log10(photon_count)


@star.formula(source=CARROLL, goal=False)
def parallax_distance(k: Builder, parallax: Annotated[Expr, parallax]) -> StarDistance:
    """Distance from the parallax."""
    return 1.0 / parallax


@star.formula(source="Cardelli, Clayton and Mathis 1989", goal=False)
def dust_extinction(
    k: Builder, reddening: Annotated[Expr, reddening], dust_ratio: Annotated[Expr, Setting(2.5, 4.0)]
) -> Extinction:
    """Extinction from reddening."""
    return dust_ratio * reddening


@star.formula(source=CARROLL, teaches=_EXP)
def distance_modulus(
    k: Builder, apparent_magnitude: Apparent, star_distance: StarDistance, extinction: Extinction
) -> Absolute:
    """Absolute magnitude from the distance modulus."""
    return bounded(apparent_magnitude - 5.0 * ops.log10(0.1 * star_distance) - extinction, -200.0, 200.0)


@star.formula(source=CARROLL, teaches=_EXP)
def magnitude_luminosity(k: Builder, absolute_magnitude: Absolute) -> StarLuminosity:
    """Luminosity from the absolute magnitude."""
    difference = ops.clamp(4.74 - absolute_magnitude, -20.0, 20.0)
    return bounded(ops.exp(0.921034 * difference), 1e-9, 1e9)


@star.formula(source="Ballesteros 2012")
def color_temperature(k: Builder, color_index: ColorIndex) -> StarTemperature:
    """Effective temperature from the color index."""
    scaled = k.let("scaled", 0.92 * color_index)
    return bounded(4600.0 * (1.0 / (scaled + 1.7) + 1.0 / (scaled + 0.62)), 3000.0, 2e4)


@star.formula(source="Stefan 1879", teaches=_EXP)
def stefan_radius(
    k: Builder, star_luminosity: StarLuminosity, star_temperature: StarTemperature
) -> StarRadius:
    """Stellar radius by the Stefan-Boltzmann law."""
    ratio = k.let("ratio", 5772.0 / star_temperature)
    return bounded(ops.sqrt(star_luminosity) * ratio * ratio, 0.0, 1e6)


@star.formula(source="Duric 2004", teaches=("branches", "transcendental"))
def luminosity_mass(k: Builder, star_luminosity: StarLuminosity) -> StarMass:
    """Stellar mass from the mass-luminosity relation."""
    level = k.let("level", ops.log(ops.max(star_luminosity, 1e-6)))
    dwarf, sunlike = star_luminosity < 0.033, star_luminosity < 16.0
    exponent = cases(
        k, "exponent", (dwarf, (level + 1.47) / 2.3), (sunlike, 0.25 * level), rest=(level - 0.34) / 3.5
    )
    return bounded(ops.exp(bounded(exponent, -8.0, 7.0)), 3e-4, 1e3)


@star.formula(source=CARROLL)
def fuel_lifetime(
    k: Builder, star_mass: StarMass, star_luminosity: StarLuminosity
) -> Annotated[Expr, lifetime]:
    """Main-sequence lifetime of a star."""
    return bounded(10.0 * star_mass / ops.max(star_luminosity, 1e-6), 0.0, 1e9)


@star.formula(source="Morgan and Keenan 1943", teaches=("branches",))
def spectral_type(k: Builder, star_temperature: StarTemperature) -> Annotated[Expr, spectral_class]:
    """Spectral class from the effective temperature."""
    found = k.var("spectral_index", 5, type=I32)
    with k.when(star_temperature > 10000.0):
        k.set(found, 1)
    for number, edge in enumerate((7500.0, 6000.0, 5200.0), 2):
        with k.orwhen(star_temperature > edge):
            k.set(found, number)
    return found


@star.formula(source="Planck 1900", teaches=_EXP)
def planck_brightness(
    k: Builder, star_temperature: StarTemperature, microns: Annotated[Expr, Setting(0.4, 2.0)]
) -> Annotated[Expr, brightness]:
    """Planck spectral radiance at one wavelength."""
    exponent = k.let("exponent", bounded(14388.0 / (microns * star_temperature), 0.05, 40.0))
    scaled = microns * microns * microns * microns * microns
    return bounded(0.119 / (scaled * (ops.exp(exponent) - 1.0)), 0.0, 1e9)


@star.formula(source="Wien 1893")
def blackbody_color(k: Builder, star_temperature: StarTemperature) -> Annotated[Expr, peak_wavelength]:
    """Peak wavelength of a black body, by Wien's law."""
    return 2897.8 / star_temperature


@star.formula(source="Doppler 1842")
def doppler_velocity(
    k: Builder,
    wavelength: Annotated[Expr, wavelength],
    rest_wavelength: Annotated[Expr, Setting(656.2, 656.4)],
) -> RadialVelocity:
    """Radial velocity from the Doppler shift."""
    return 299792.46 * ((wavelength - rest_wavelength) / rest_wavelength)


@star.formula(source="Einstein 1905")
def relativistic_velocity(
    k: Builder,
    wavelength: Annotated[Expr, wavelength],
    rest_wavelength: Annotated[Expr, Setting(656.2, 656.4)],
) -> RadialVelocity:
    """Radial velocity from the relativistic Doppler shift."""
    z = k.let("z", (wavelength - rest_wavelength) / rest_wavelength)
    growth = k.let("growth", z * (2.0 + z))
    return bounded(299792.46 * growth / (2.0 + growth), -1e5, 1e5)


@star.formula(source=CARROLL)
def total_velocity(
    k: Builder,
    radial_velocity: RadialVelocity,
    proper_motion: Annotated[Expr, proper_motion],
    star_distance: StarDistance,
) -> Annotated[Expr, space_velocity]:
    """Space velocity from radial and proper motion."""
    across = k.let("transverse", 4.74 * proper_motion * star_distance)
    return bounded(ops.sqrt(radial_velocity * radial_velocity + across * across), 0.0, 1e7)


@star.formula(source="Hogg 1999", teaches=("loop", "parameters"))
def comoving_distance(
    k: Builder,
    redshift: Annotated[Expr, redshift],
    matter_density: Annotated[Expr, Setting(0.2, 0.4)],
    hubble_distance: Annotated[Expr, Setting(4000.0, 4500.0)],
    intervals: Annotated[Expr, Setting(8, 24, kind=whole)],
) -> Annotated[Expr, luminosity_distance]:
    """Luminosity distance by integrating the Friedmann equation."""
    width = k.let("width", redshift / as_float(k, intervals))
    total = k.var("total", 0.0)
    with k.loop("s", 0, intervals) as s:
        growth = k.let("growth", 1.0 + (convert(k.real, s) + 0.5) * width)
        k.add(total, width / ops.sqrt(matter_density * growth * growth * growth + 1.0 - matter_density))
    return bounded(hubble_distance * (1.0 + redshift) * total, 0.0, 1e6)
