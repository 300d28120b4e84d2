"""Meteorology: humidity, comfort, radiation and wind at stations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.constants import ZERO_CELSIUS, Known
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

station = Domain("station", index=("i", "s", "station"))

air_temperature = Quantity("air_temperature", -15.0, 40.0)
humidity = Quantity("humidity", 15.0, 98.0, plural="humidities", least=1.0, most=100.0)
measured_wind = Quantity("measured_wind", 0.0, 24.0)
wind_speed = Quantity("wind_speed", 0.0, 25.0, least=0.0, most=200.0, extremal=True)
pressure = Quantity("pressure", 850.0, 1040.0, least=300.0, most=1200.0)
altitude = Quantity("altitude", 0.0, 2500.0)
saturation_pressure = Quantity("saturation_pressure", 2.0, 70.0, least=0.5, most=200.0)
vapor_pressure = Quantity("vapor_pressure", 1.0, 50.0, least=0.005, most=200.0)
dew_point = Quantity("dew_point", -20.0, 30.0, least=-100.0, most=100.0)
mixing_ratio = Quantity("mixing_ratio", 0.001, 0.03, least=1e-6, most=1.0)
air_density = Quantity("air_density", 0.9, 1.4, plural="air_densities", least=0.1, most=5.0)
virtual_temperature = Quantity("virtual_temperature", 250.0, 320.0, least=150.0, most=500.0)
potential_temperature = Quantity("potential_temperature", 250.0, 340.0, least=150.0, most=600.0)
felt_temperature = Quantity("felt_temperature", -40.0, 60.0, least=-500.0, most=1e4)
cloud_base = Quantity("cloud_base", 0.0, 4000.0, least=-1e4, most=1e5)
heat_flux = Quantity("heat_flux", -200.0, 400.0, plural="heat_fluxes", least=-1e6, most=1e6, additive=True)
evaporation = Quantity("evaporation", 0.0, 10.0, least=0.0, most=1e4, additive=True)
surface_temperature = Quantity("surface_temperature", -10.0, 50.0)
net_radiation = Quantity("net_radiation", -50.0, 600.0, least=-1e4, most=1e4, extremal=True)
cloud_cover = Quantity("cloud_cover", 0.0, 1.0)
sun_height = Quantity("sun_height", 0.05, 1.5)
stability_class = Quantity("stability_class", 0, 5, whole, plural="stability_classes", least=0, most=5)
wind_power = Quantity("wind_power", 0.0, 2000.0, least=0.0, most=1e9, additive=True)
sighting_range = Quantity("visibility", 0.5, 50.0, plural="visibilities", least=0.0, most=1e3)
precipitation = Quantity("precipitation", 0.0, 20.0)
snowfall = Quantity("snowfall", 0.0, 20.0, least=0.0, most=1e3, additive=True)

AirTemperature = Annotated[Expr, air_temperature]
Humidity = Annotated[Expr, humidity]
WindSpeed = Annotated[Expr, wind_speed]
Pressure = Annotated[Expr, pressure]
Altitude = Annotated[Expr, altitude]
SaturationPressure = Annotated[Expr, saturation_pressure]
VaporPressure = Annotated[Expr, vapor_pressure]
DewPoint = Annotated[Expr, dew_point]
MixingRatio = Annotated[Expr, mixing_ratio]
AirDensity = Annotated[Expr, air_density]
VirtualTemperature = Annotated[Expr, virtual_temperature]
PotentialTemperature = Annotated[Expr, potential_temperature]
FeltTemperature = Annotated[Expr, felt_temperature]
HeatFlux = Annotated[Expr, heat_flux]
SurfaceTemperature = Annotated[Expr, surface_temperature]
NetRadiation = Annotated[Expr, net_radiation]
CloudCover = Annotated[Expr, cloud_cover]
SunHeight = Annotated[Expr, sun_height]
Evaporation = Annotated[Expr, evaporation]
_EXP = ("transcendental",)


def _coefficients(whose: str, pressure: float, slope: float, offset: float) -> tuple[Known, Known, Known]:
    """A law's pressure at zero degrees, and what it has in the exponent."""
    names = (f"{whose}_{one}" for one in ("PRESSURE", "SLOPE", "OFFSET"))
    first, second, third = map(Known, names, (pressure, slope, offset))
    return first, second, third


MAGNUS = _coefficients("MAGNUS", 6.1094, 17.625, 243.04)
TETENS = _coefficients("TETENS", 6.1078, 17.2694, 237.29)
BOLTON = _coefficients("BOLTON", 6.112, 17.67, 243.5)
ICE = _coefficients("ICE", 6.1078, 21.8746, 265.5)
BUCK_CURVE = Known("BUCK_CURVE", 234.5)
BUCK = _coefficients("BUCK", 6.1121, 18.678, 257.14)
SEA_LEVEL_PRESSURE = Known("SEA_LEVEL_PRESSURE", 1013.25)
LAPSE_SHARE = Known("LAPSE_SHARE", 2.25577e-5)
LAPSE_EXPONENT = Known("LAPSE_EXPONENT", 5.25588)
METERS_PER_KELVIN = Known("METERS_PER_KELVIN", 29.27)
VAPOR_MASS_RATIO = Known("VAPOR_MASS_RATIO", 0.622)
VIRTUAL_SHARE = Known("VIRTUAL_SHARE", 0.61)
DRY_AIR_CONSTANT = Known("DRY_AIR_CONSTANT", 2.8705)
POISSON_EXPONENT = Known("POISSON_EXPONENT", 0.2854)
LATENT_RATIO = Known("LATENT_RATIO", 2490.0)
AIR_HEAT_CAPACITY = Known("AIR_HEAT_CAPACITY", 1005.0)
STEFAN_BOLTZMANN = Known("STEFAN_BOLTZMANN", 5.67)
PSYCHROMETRIC_SHARE = Known("PSYCHROMETRIC_SHARE", 0.000665)


def _over(law: tuple[Known, Known, Known], t: Expr) -> Expr:
    pressure, slope, offset = law
    return pressure * ops.exp(slope * t / (t + offset))


def _buck(t: Expr) -> Expr:
    pressure, slope, offset = BUCK
    return pressure * ops.exp((slope - t / BUCK_CURVE) * (t / (offset + t)))


SATURATIONS: tuple[tuple[str, str, Callable[[Expr], Expr]], ...] = (
    ("magnus_pressure", "Magnus saturation vapor pressure", lambda t: _over(MAGNUS, t)),
    ("tetens_pressure", "Tetens saturation vapor pressure", lambda t: _over(TETENS, t)),
    ("bolton_pressure", "Bolton saturation vapor pressure", lambda t: _over(BOLTON, t)),
    ("buck_pressure", "Buck saturation vapor pressure", _buck),
)


def _saturation(name: str, whose: str, law: Callable[[Expr], Expr]) -> None:
    @station.formula(
        name=name,
        doc=f"{whose}.",
        source="Alduchov and Eskridge 1996",
        teaches=_EXP,
    )
    def saturation(k: Builder, air_temperature: AirTemperature) -> SaturationPressure:
        return bounded(law(air_temperature), 1.0, 120.0)


for _one in SATURATIONS:
    _saturation(*_one)


@station.formula(source="Murray 1967", teaches=("branch", "transcendental"))
def phase_saturation(k: Builder, air_temperature: AirTemperature) -> SaturationPressure:
    """Saturation vapor pressure over ice or water."""
    over_ice, over_water = _over(ICE, air_temperature), _over(TETENS, air_temperature)
    return bounded(either(k, "saturation", air_temperature < 0.0, over_ice, over_water), 1.0, 120.0)


@station.formula(goal=False)
def humid_vapor_pressure(
    k: Builder, humidity: Humidity, saturation_pressure: SaturationPressure
) -> VaporPressure:
    """Vapor pressure from the relative humidity."""
    return bounded(0.01 * humidity * saturation_pressure, 0.05, 120.0)


@station.formula(source="Alduchov and Eskridge 1996", teaches=_EXP)
def magnus_dew_point(k: Builder, vapor_pressure: VaporPressure) -> DewPoint:
    """Dew point by Magnus' formula."""
    pressure, slope, offset = MAGNUS
    level = k.let("level", ops.log(vapor_pressure / pressure))
    return bounded(offset * level / (slope - level), -80.0, 60.0)


@station.formula(source="Lawrence 2005")
def simple_dew_point(k: Builder, air_temperature: AirTemperature, humidity: Humidity) -> DewPoint:
    """Dew point by the five-percent rule."""
    return air_temperature - (100.0 - humidity) / 5.0


@station.formula(source="Espy 1836")
def lifted_cloud_base(
    k: Builder, air_temperature: AirTemperature, dew_point: DewPoint, altitude: Altitude
) -> Annotated[Expr, cloud_base]:
    """Cloud base from the dew-point spread."""
    return bounded(altitude + 125.0 * ops.max(air_temperature - dew_point, 0.0), 0.0, 1e5)


@station.formula(source="Wallace and Hobbs 2006", teaches=_EXP)
def barometric_pressure(
    k: Builder,
    altitude: Altitude,
    air_temperature: AirTemperature,
    sea_level_pressure: Annotated[Expr, Setting(990.0, 1030.0)],
) -> Pressure:
    """Barometric formula."""
    scale = k.let("scale_height", METERS_PER_KELVIN * (air_temperature + ZERO_CELSIUS))
    return bounded(sea_level_pressure * ops.exp(-altitude / scale), 600.0, 1050.0)


@station.formula(source="ICAO 1993", teaches=_EXP)
def standard_pressure(k: Builder, altitude: Altitude) -> Pressure:
    """Standard atmosphere pressure."""
    return bounded(SEA_LEVEL_PRESSURE * ops.pow(1.0 - LAPSE_SHARE * altitude, LAPSE_EXPONENT), 700.0, 1020.0)


@station.formula(source="Wallace and Hobbs 2006", goal=False)
def vapor_mixing_ratio(k: Builder, vapor_pressure: VaporPressure, pressure: Pressure) -> MixingRatio:
    """Mixing ratio."""
    return bounded(VAPOR_MASS_RATIO * vapor_pressure / (pressure - vapor_pressure), 1e-5, 0.5)


@station.formula(source="Wallace and Hobbs 2006", goal=False)
def moist_temperature(
    k: Builder, air_temperature: AirTemperature, mixing_ratio: MixingRatio
) -> VirtualTemperature:
    """Virtual temperature."""
    return bounded((air_temperature + ZERO_CELSIUS) * (1.0 + VIRTUAL_SHARE * mixing_ratio), 250.0, 480.0)


@station.formula(source="Wallace and Hobbs 2006")
def moist_air_density(k: Builder, pressure: Pressure, virtual_temperature: VirtualTemperature) -> AirDensity:
    """Density of moist air."""
    return bounded(pressure / (DRY_AIR_CONSTANT * virtual_temperature), 0.2, 3.0)


@station.formula(source="Poisson 1823", teaches=_EXP)
def poisson_temperature(
    k: Builder, air_temperature: AirTemperature, pressure: Pressure
) -> PotentialTemperature:
    """Potential temperature."""
    return bounded(
        (air_temperature + ZERO_CELSIUS) * ops.pow(1000.0 / pressure, POISSON_EXPONENT), 200.0, 500.0
    )


@station.formula(source="Bolton 1980", teaches=_EXP)
def equivalent_temperature(
    k: Builder,
    potential_temperature: PotentialTemperature,
    mixing_ratio: MixingRatio,
    air_temperature: AirTemperature,
) -> FeltTemperature:
    """Equivalent potential temperature."""
    latent = k.let("latent", LATENT_RATIO * mixing_ratio / (air_temperature + ZERO_CELSIUS))
    return bounded(potential_temperature * ops.exp(ops.min(latent, 2.0)), 200.0, 5e3)


@station.formula(source="Rothfusz 1990", teaches=("branch",))
def heat_index(k: Builder, air_temperature: AirTemperature, humidity: Humidity) -> FeltTemperature:
    """Heat index."""
    hot = (
        -8.785 + 1.6114 * air_temperature + 2.3385 * humidity - 0.14612 * air_temperature * humidity
        - 0.012308 * air_temperature * air_temperature - 0.016425 * humidity * humidity
        + 0.0022117 * air_temperature * air_temperature * humidity
        + 0.00072546 * air_temperature * humidity * humidity
        - 0.000003582 * air_temperature * air_temperature * humidity * humidity
    )  # fmt: skip
    return bounded(either(k, "felt", air_temperature > 27.0, hot, air_temperature), -500.0, 1e3)


@station.formula(source="Osczevski and Bluestein 2005", teaches=("branch", "transcendental"))
def wind_chill(k: Builder, air_temperature: AirTemperature, wind_speed: WindSpeed) -> FeltTemperature:
    """Wind chill."""
    power = k.let("power", ops.pow(ops.max(3.6 * wind_speed, 0.01), 0.16))
    cold = 13.12 + 0.6215 * air_temperature - 11.37 * power + 0.3965 * air_temperature * power
    chilly = (air_temperature < 10.0) & (wind_speed > 1.34)
    return bounded(either(k, "felt", chilly, cold, air_temperature), -500.0, 500.0)


@station.formula(source="Masterton and Richardson 1979", teaches=_EXP)
def humidex(k: Builder, air_temperature: AirTemperature, dew_point: DewPoint) -> FeltTemperature:
    """Humidex."""
    moist = k.let("moist", 6.11 * ops.exp(5417.753 * (0.00366 - 1.0 / (dew_point + ZERO_CELSIUS))))
    return bounded(air_temperature + 0.5555 * (moist - 10.0), -100.0, 1e4)


@station.formula(source="Steadman 1984")
def apparent_temperature(
    k: Builder, air_temperature: AirTemperature, vapor_pressure: VaporPressure, wind_speed: WindSpeed
) -> FeltTemperature:
    """Apparent temperature."""
    return bounded(air_temperature + 0.33 * vapor_pressure - 0.7 * wind_speed - 4.0, -300.0, 200.0)


@station.formula(source="Stull 2011", teaches=_EXP)
def stull_wet_bulb(k: Builder, air_temperature: AirTemperature, humidity: Humidity) -> FeltTemperature:
    """Stull wet-bulb temperature."""
    first = air_temperature * ops.atan(0.151977 * ops.sqrt(humidity + 8.313659))
    second = ops.atan(air_temperature + humidity) - ops.atan(humidity - 1.676331)
    third = 0.00391838 * humidity * ops.sqrt(humidity) * ops.atan(0.023101 * humidity)
    return bounded(first + second + third - 4.686035, -100.0, 100.0)


@station.formula(source="Monteith 1965", teaches=("loop", "iteration", "transcendental"))
def newton_wet_bulb(
    k: Builder, air_temperature: AirTemperature, vapor_pressure: VaporPressure, pressure: Pressure,
    newton_steps: Annotated[Expr, Setting(3, 6, kind=whole)],
) -> FeltTemperature:  # fmt: skip
    """Wet-bulb temperature by Newton's method."""
    guess = k.var("wet_bulb", air_temperature, bounds=(-60.0, 60.0))
    gamma = k.let("gamma", PSYCHROMETRIC_SHARE * pressure)
    with k.loop("_", 0, newton_steps):
        warmth = k.let("shifted_temperature", guess + MAGNUS[2])
        saturated = k.let("saturated", MAGNUS[0] * ops.exp(MAGNUS[1] * guess / warmth))
        miss = saturated - gamma * (air_temperature - guess) - vapor_pressure
        slope = saturated * MAGNUS[1] * MAGNUS[2] / (warmth * warmth) + gamma
        k.set(guess, ops.clamp(guess - miss / slope, -60.0, 60.0))
    return guess


@station.formula(source="Hellmann 1916", teaches=_EXP)
def power_law_wind_speed(
    k: Builder,
    measured_wind: Annotated[Expr, measured_wind],
    height: Annotated[Expr, Setting(2.0, 100.0)],
    shear_exponent: Annotated[Expr, Setting(0.1, 0.3)],
) -> WindSpeed:
    """Power-law wind profile."""
    return measured_wind * ops.pow(height / 10.0, shear_exponent)


@station.formula(source="Prandtl 1932", teaches=_EXP)
def logarithmic_wind_speed(
    k: Builder,
    measured_wind: Annotated[Expr, measured_wind],
    height: Annotated[Expr, Setting(2.0, 100.0, "p")],
    roughness: Annotated[Expr, Setting(0.01, 0.5, "p")],
) -> WindSpeed:
    """Logarithmic wind profile."""
    return measured_wind * ops.log(height / roughness) / ops.log(10.0 / roughness)


@station.formula(source="Manwell, McGowan and Rogers 2010", teaches=("branches",))
def turbine_power(
    k: Builder,
    wind_speed: WindSpeed,
    air_density: AirDensity,
    rated_speed: Annotated[Expr, Setting(11.0, 14.0)],
) -> Annotated[Expr, wind_power]:
    """Wind turbine power curve."""
    idle, full = (wind_speed < 3.0) | (wind_speed > 24.0), wind_speed > rated_speed
    rated = 0.5 * air_density * rated_speed * rated_speed * rated_speed
    rising = 0.5 * air_density * wind_speed * wind_speed * wind_speed
    return bounded(cases(k, "power", (idle, 0.0), (full, rated), rest=rising), 0.0, 1e9)


@station.formula(source="Pasquill 1961", teaches=("branches",))
def pasquill_class(
    k: Builder, wind_speed: WindSpeed, net_radiation: NetRadiation
) -> Annotated[Expr, stability_class]:
    """Pasquill stability class."""
    found = k.var("stability", 3, type=I32)
    with k.when((wind_speed < 3.0) & (net_radiation > 300.0)):
        k.set(found, 0)
    with k.orwhen((wind_speed < 5.0) & (net_radiation > 150.0)):
        k.set(found, 1)
    with k.orwhen((wind_speed < 3.0) & (net_radiation < 20.0)):
        k.set(found, 5)
    return found


@station.formula(source="Stull 1988")
def bulk_heat_flux(
    k: Builder, surface_temperature: SurfaceTemperature, air_temperature: AirTemperature,
    wind_speed: WindSpeed, air_density: AirDensity,
    exchange_coefficient: Annotated[Expr, Setting(0.001, 0.003)],
) -> HeatFlux:  # fmt: skip
    """Bulk sensible heat flux."""
    difference = surface_temperature - air_temperature
    return bounded(
        AIR_HEAT_CAPACITY * air_density * exchange_coefficient * wind_speed * difference, -1e6, 1e6
    )


@station.formula(source="Brutsaert 1975", teaches=_EXP)
def longwave_radiation(
    k: Builder, air_temperature: AirTemperature, vapor_pressure: VaporPressure, cloud_cover: CloudCover
) -> NetRadiation:
    """Net longwave radiation."""
    kelvin = k.let("scaled", 0.01 * (air_temperature + ZERO_CELSIUS))
    square = k.let("square", kelvin * kelvin)
    emissivity = 1.24 * ops.pow(vapor_pressure / (air_temperature + ZERO_CELSIUS), 0.142857)
    sky = k.let("sky", emissivity * (1.0 + 0.22 * cloud_cover * cloud_cover) - 1.0)
    return bounded(STEFAN_BOLTZMANN * square * square * sky, -1e4, 1e4)


@station.formula(source="Haurwitz 1945", teaches=_EXP)
def clear_sky_radiation(
    k: Builder, sun_height: SunHeight, cloud_cover: CloudCover, albedo: Annotated[Expr, Setting(0.1, 0.4)]
) -> NetRadiation:
    """Net shortwave radiation under clouds."""
    sine = k.let("sine", ops.max(ops.sin(sun_height), 0.04))
    clear = k.let("clear", 1098.0 * sine * ops.exp(-0.057 / sine))
    return bounded((1.0 - albedo) * clear * (1.0 - 0.75 * cloud_cover), 0.0, 1200.0)


@station.formula(source="Priestley and Taylor 1972")
def priestley_taylor(
    k: Builder,
    net_radiation: NetRadiation,
    air_temperature: AirTemperature,
    saturation_pressure: SaturationPressure,
) -> Evaporation:
    """Priestley-Taylor evaporation."""
    warmth = k.let("shifted_temperature", air_temperature + MAGNUS[2])
    slope = k.let("slope", MAGNUS[1] * (MAGNUS[2] * saturation_pressure / (warmth * warmth)))
    return bounded(0.0441 * ops.max(net_radiation, 0.0) * slope / (slope + 0.66), 0.0, 1e4)


@station.formula(source="Dalton 1802")
def dalton_evaporation(
    k: Builder, saturation_pressure: SaturationPressure, vapor_pressure: VaporPressure, wind_speed: WindSpeed
) -> Evaporation:
    """Dalton evaporation."""
    deficit = k.let("deficit", ops.max(saturation_pressure - vapor_pressure, 0.0))
    return bounded((0.13 + 0.14 * wind_speed) * deficit, 0.0, 1e4)


@station.formula(source="Auer 1974", teaches=("branches",))
def snow_share(
    k: Builder,
    precipitation: Annotated[Expr, precipitation],
    air_temperature: AirTemperature,
    melting_range: Annotated[Expr, Setting(1.0, 4.0)],
) -> Annotated[Expr, snowfall]:
    """Snowfall from precipitation and temperature."""
    mixed = precipitation * (1.0 - air_temperature / melting_range)
    snow, rain = (air_temperature < 0.0, precipitation), (air_temperature > melting_range, 0.0)
    return bounded(cases(k, "snowfall", snow, rain, rest=mixed), 0.0, 100.0)


@station.formula(source="Hock 2003", teaches=("branch",))
def degree_day_melt(
    k: Builder,
    air_temperature: AirTemperature,
    snow_depth: Annotated[Expr, precipitation],
    melt_factor: Annotated[Expr, Setting(1.0, 5.0)],
) -> Annotated[Expr, snowfall]:
    """Degree-day snow melt."""
    melt = ops.min(melt_factor * air_temperature, snow_depth)
    return bounded(either(k, "melt", air_temperature > 0.0, melt, 0.0), 0.0, 100.0)


@station.formula(source="Koschmieder 1924", teaches=_EXP)
def koschmieder_range(
    k: Builder, humidity: Humidity, haze: Annotated[Expr, Setting(0.05, 0.3)]
) -> Annotated[Expr, sighting_range]:
    """Koschmieder visibility."""
    extinction = k.let("extinction", haze * ops.pow(ops.max(1.0 - 0.01 * humidity, 0.01), -0.5))
    return bounded(3.912 / extinction, 0.1, 100.0)
