"""Laws in several pieces: one formula for each regime of a flow, a material, a device or a tariff."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.cases import cases
from weft.kernels.constants import GRAVITY, PI, ZERO_CELSIUS, Known
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.formulas import Domain, whole
from weft.kernels.program import Expr, Number
from weft.kernels.types import I32

CASES = ("branches",)
CASE = ("branch",)


def terms(element: str, *index: str) -> Terms:
    """The terms of a new domain of elements that lie on a line."""
    return Terms(Domain(element, index=("i", *index)))


# Pipes: friction and heat in laminar, transitional and turbulent flow.

pipe = terms("pipe", "pipe")
pipe.quantities(velocity=(0.02, 3.0), diameter=(0.01, 0.3), pipe_length=(5.0, 200.0))
pipe.quantity(
    "reynolds", 500.0, 60_000.0, least=50.0, most=1e7, plural="reynolds_numbers", told="Reynolds number"
)
pipe.quantity("friction_factor", 0.01, 0.08, least=1e-4, most=10.0)
pipe.quantity("nusselt", 3.66, 200.0, least=1.0, most=1e5, told="Nusselt number")
pipe.quantities(
    pressure_drop=(1.0, 1e4), head_loss=(0.01, 2.0), wall_shear_stress=(0.01, 50.0), heat_flux=(1.0, 1e5)
)
pipe.quantity("heat_transfer_coefficient", 10.0, 5000.0)
pipe.quantity("pumping_power", 0.0, 1000.0, additive=True)
pipe.quantity("temperature_difference", 1.0, 40.0)
pipe.settings(
    dynamic_viscosity=(8e-4, 1.5e-3),
    fluid_density=(950.0, 1000.0),
    prandtl=(2.0, 9.0),
    relative_roughness=(1e-4, 5e-3),
    conductivity=(0.5, 0.7),
)

LAMINAR_LIMIT = Known("LAMINAR_LIMIT", 2300.0)
TURBULENT_LIMIT = Known("TURBULENT_LIMIT", 4000.0)
LAMINAR_NUSSELT = Known("LAMINAR_NUSSELT", 3.66)


def _in_pipe(k: Builder, name: str, reynolds: Expr, laminar: Expr | Number, turbulent: Expr) -> Expr:
    """A law of laminar and one of turbulent flow, blended in the transition."""
    slow = k.let("laminar", laminar) if isinstance(laminar, Expr) else lift(laminar, k.real)
    fast = k.let("turbulent", turbulent)
    weight = (reynolds - LAMINAR_LIMIT) / (lift(TURBULENT_LIMIT, k.real) - LAMINAR_LIMIT)
    blend = slow + weight * (fast - slow)
    return cases(k, name, (reynolds < LAMINAR_LIMIT, slow), (reynolds > TURBULENT_LIMIT, fast), rest=blend)


def _swamee_jain(k: Builder, reynolds: Expr, relative_roughness: Expr) -> Expr:
    log_term = ops.log10(relative_roughness / 3.7 + 5.74 / ops.pow(reynolds, 0.9))
    log_term = k.let("log_term", bounded(log_term, -5.0, -0.7))
    return 0.25 / (log_term * log_term)


IN_PIPES = "beyond 4000, with a blend in between"
pipe.table(
    ("reynolds_number", "reynolds", "Reynolds number of a pipe",
     lambda velocity, diameter, fluid_density, dynamic_viscosity: (
         fluid_density * velocity * diameter / dynamic_viscosity
     ),
     {"goal": False, "within": (50.0, 1e7)}),
    ("blasius_friction", "friction_factor",
     f"Darcy friction factor of a smooth pipe. It is 64 / Re below Re = 2300 and Blasius' law {IN_PIPES}",
     lambda k, reynolds: _in_pipe(k, "friction", reynolds, 64.0 / reynolds, 0.316 * ops.pow(reynolds, -0.25)),
     {"source": "Blasius 1913", "teaches": CASES, "within": (1e-3, 2.0)}),
    ("rough_friction", "friction_factor",
     f"Darcy friction factor of a rough pipe. It is 64 / Re below Re = 2300 and the law of Swamee and "
     f"Jain {IN_PIPES}",
     lambda k, reynolds, relative_roughness: _in_pipe(
         k, "friction", reynolds, 64.0 / reynolds, _swamee_jain(k, reynolds, relative_roughness)
     ),
     {"source": "Swamee and Jain 1976", "teaches": CASES, "within": (1e-3, 2.0)}),
    ("pipe_nusselt", "nusselt",
     f"Nusselt number of a heated pipe. It is 3.66 below Re = 2300 and the law of Dittus and Boelter "
     f"{IN_PIPES}",
     lambda k, reynolds, prandtl: _in_pipe(
         k, "nusselt_number", reynolds, LAMINAR_NUSSELT,
         0.023 * ops.pow(reynolds, 0.8) * ops.pow(prandtl, 0.4),
     ),
     {"source": "Dittus and Boelter 1930", "teaches": CASES, "within": (1.0, 1e5)}),
    ("heat_transfer", "heat_transfer_coefficient",
     "Heat transfer coefficient of a pipe. The result is in W/(m² K)",
     lambda nusselt, conductivity, diameter: nusselt * conductivity / diameter, {"within": (1.0, 1e8)}),
    ("convective_heat_flux", "heat_flux", "Convective heat flux at the wall. The result is in W/m²",
     lambda heat_transfer_coefficient, temperature_difference: (
         heat_transfer_coefficient * temperature_difference
     ), {"within": (1e-3, 1e9)}),
    ("darcy_pressure_drop", "pressure_drop", "Darcy-Weisbach pressure drop. The result is in pascals",
     lambda friction_factor, pipe_length, diameter, fluid_density, velocity: (
         0.5 * friction_factor * pipe_length / diameter * fluid_density * velocity * velocity
     ), {"source": "Weisbach 1845", "within": (1e-3, 1e9)}),
    ("darcy_head_loss", "head_loss", "Darcy-Weisbach head loss. The result is in meters of fluid",
     lambda friction_factor, pipe_length, diameter, velocity: (
         friction_factor * pipe_length / diameter * velocity * velocity / (2.0 * lift(GRAVITY, velocity.type))
     ), {"source": "Weisbach 1845", "within": (1e-5, 1e6)}),
    ("wall_shear", "wall_shear_stress", "Wall shear stress of a pipe. The result is in pascals",
     lambda friction_factor, fluid_density, velocity: (
         0.125 * friction_factor * fluid_density * velocity * velocity
     ),
     {"within": (1e-5, 1e6)}),
    ("pump_power", "pumping_power", "Pumping power of a pipe. The result is in watts",
     lambda pressure_drop, velocity, diameter: (
         0.25 * lift(PI, diameter.type) * diameter * diameter * velocity * pressure_drop
     ), {"within": (0.0, 1e9)}),
)  # fmt: skip


# Grains in water: drag, settling and the onset of motion.

grain = terms("grain", "grain")
grain.quantities(slip_speed=(0.001, 1.0), diameter=(5e-5, 5e-3))
grain.quantity(
    "reynolds", 0.05, 5000.0, least=0.01, most=1e5, plural="reynolds_numbers", told="Reynolds number"
)
grain.quantity("drag_coefficient", 0.4, 50.0, least=0.1, most=1e4)
grain.quantity("drag_force", 1e-6, 1e-3, least=0.0)
grain.quantity("settling_speed", 1e-3, 0.5, least=0.0, extremal=True)
grain.quantity("grain_number", 1.5, 120.0, least=0.5, most=1e3, told="dimensionless grain diameter")
grain.quantity(
    "critical_shields",
    0.03,
    0.1,
    least=0.01,
    most=1.0,
    plural="critical_shields_parameters",
    told="critical Shields parameter",
)
grain.quantity("critical_stress", 0.05, 5.0, least=0.0, told="critical shear stress")
grain.quantity("bed_stress", 0.05, 20.0, told="bed shear stress")
grain.quantity("bedload", 0.0, 1e-3, least=0.0, additive=True, told="bed load")
grain.settings(
    dynamic_viscosity=(8e-4, 1.3e-3), fluid_density=(990.0, 1025.0), grain_density=(2500.0, 2700.0)
)

MORSI_ALEXANDER = (
    (0.1, 0.0, 24.0, 0.0),
    (1.0, 3.69, 22.73, 0.0903),
    (10.0, 1.222, 29.1667, -3.8889),
    (100.0, 0.6167, 46.5, -116.67),
    (1000.0, 0.3644, 98.33, -2778.0),
)
"""Each piece of the curve: where it ends, and its coefficients of 1, 1/Re and 1/Re²."""


def _morsi_alexander(k: Builder, reynolds: Expr) -> Expr:
    inverse = k.let("inv_re", 1.0 / reynolds)
    pieces = [
        (reynolds < end, a + (b + c * inverse) * inverse if c else b * inverse)
        for end, a, b, c in MORSI_ALEXANDER
    ]
    return cases(k, "drag", *pieces, rest=0.357 + (148.62 - 4.75e4 * inverse) * inverse)


def _grain_number(
    k: Builder, diameter: Expr, grain_density: Expr, fluid_density: Expr, dynamic_viscosity: Expr
) -> Expr:
    inverse = k.let("inv_viscosity", fluid_density / dynamic_viscosity)
    reduced = GRAVITY * (grain_density / fluid_density - 1.0)
    return diameter * ops.cbrt(reduced * inverse * inverse)


def _van_rijn_speed(
    k: Builder, diameter: Expr, grain_density: Expr, fluid_density: Expr, dynamic_viscosity: Expr
) -> Expr:
    inverse = k.let("inv_viscosity", fluid_density / dynamic_viscosity)
    reduced = k.let("reduced_gravity", GRAVITY * (grain_density / fluid_density - 1.0))
    cube = k.let("archimedes", reduced * diameter * diameter * diameter * inverse * inverse)
    medium = 10.0 / (inverse * diameter) * (ops.sqrt(1.0 + 0.01 * cube) - 1.0)
    fine = (diameter < 1e-4, reduced * diameter * diameter * inverse / 18.0)
    return cases(k, "speed", fine, (diameter < 1e-3, medium), rest=1.1 * ops.sqrt(reduced * diameter))


def _bedload(
    k: Builder, bed_stress: Expr, critical_stress: Expr, grain_density: Expr, fluid_density: Expr
) -> Expr:
    excess = k.let("excess", ops.max(bed_stress - critical_stress, 0.0) / fluid_density)
    return 8.0 * excess * ops.sqrt(excess) / (GRAVITY * (grain_density / fluid_density - 1.0))


grain.table(
    ("grain_reynolds", "reynolds", "Reynolds number of a grain",
     lambda slip_speed, diameter, fluid_density, dynamic_viscosity: (
         fluid_density * slip_speed * diameter / dynamic_viscosity
     ),
     {"goal": False, "within": (0.01, 1e5)}),
    ("three_regime_drag", "drag_coefficient",
     "Drag coefficient of a sphere in three regimes. Stokes' law holds up to Re = 2, 18.5 / Re^0.6 up to "
     "500, and Newton's constant 0.44 above",
     lambda k, reynolds: cases(
         k, "drag", (reynolds < 2.0, 24.0 / reynolds),
         (reynolds < 500.0, 18.5 / ops.pow(reynolds, 0.6)), rest=0.44,
     ),
     {"source": "Bird, Stewart and Lightfoot 1960", "teaches": CASES, "within": (0.1, 3e3)}),
    ("morsi_alexander_drag", "drag_coefficient",
     "Morsi-Alexander drag coefficient. Each range of the Reynolds number has coefficients of its own",
     _morsi_alexander, {"source": "Morsi and Alexander 1972", "teaches": CASES, "within": (0.1, 3e3)}),
    ("quadratic_drag_force", "drag_force", "Drag force on a sphere. The result is in newtons",
     lambda drag_coefficient, fluid_density, slip_speed, diameter: (
         0.125 * lift(PI, diameter.type) * diameter * diameter
         * fluid_density * drag_coefficient * slip_speed * slip_speed
     ), {"within": (0.0, 1e4)}),
    ("van_rijn_settling", "settling_speed",
     "Settling speed of sand (van Rijn). Silt follows Stokes' law, and coarse sand a square root",
     _van_rijn_speed, {"source": "van Rijn 1984", "teaches": CASES, "within": (0.0, 100.0)}),
    ("dimensionless_diameter", "grain_number", "Dimensionless grain diameter", _grain_number,
     {"source": "van Rijn 1984", "within": (0.5, 1e3)}),
    ("shields_curve", "critical_shields",
     "Critical Shields parameter. It has five power laws of the dimensionless grain diameter",
     lambda k, grain_number: cases(
         k, "shields",
         (grain_number < 4.0, 0.24 / grain_number),
         (grain_number < 10.0, 0.14 * ops.pow(grain_number, -0.64)),
         (grain_number < 20.0, 0.04 * ops.pow(grain_number, -0.1)),
         (grain_number < 150.0, 0.013 * ops.pow(grain_number, 0.29)), rest=0.055,
     ), {"source": "van Rijn 1984", "teaches": CASES, "within": (0.01, 1.0)}),
    ("critical_shear_stress", "critical_stress", "Critical shear stress of a bed. The result is in pascals",
     lambda critical_shields, grain_density, fluid_density, diameter: (
         critical_shields * (grain_density - fluid_density) * GRAVITY * diameter
     ), {"within": (0.0, 100.0)}),
    ("excess_bedload", "bedload",
     "Meyer-Peter and Müller bed load. The rate per unit width is in m²/s, and nothing moves below the "
     "critical shear stress",
     _bedload, {"source": "Meyer-Peter and Müller 1948", "within": (0.0, 1e3)}),
)  # fmt: skip


# Transistors: cutoff, triode and saturation.

transistor = terms("transistor", "t")
transistor.quantity("v_gs", 0.0, 3.0, plural="gate_voltages")
transistor.quantity("v_ds", 0.0, 3.0, plural="drain_voltages")
transistor.quantity("v_sb", 0.0, 1.0, plural="source_body_voltages")
transistor.quantity("v_th", 0.4, 0.9, told="threshold voltage")
transistor.quantity("overdrive", -1.0, 2.5)
transistor.quantity("drain_current", 0.0, 2e-3, additive=True)
transistor.quantity("transconductance", 0.0, 2e-3)
transistor.quantity("output_conductance", 0.0, 2e-3)
transistor.quantity("dissipated_power", 0.0, 6e-3, additive=True)
transistor.settings(
    beta=(2e-4, 1e-3),
    channel_modulation=(0.01, 0.1),
    v_th0=(0.4, 0.6),
    body_effect=(0.3, 0.5),
    phi=(0.6, 0.8),
)
LEVEL_1 = (
    "By the overdrive, the gate voltage above threshold, SPICE's level 1 model tells cutoff, triode and "
    "saturation apart"
)


def _mosfet(k: Builder, name: str, overdrive: Expr, v_ds: Expr, triode: Expr, saturation: Expr) -> Expr:
    return cases(k, name, (overdrive <= 0.0, 0.0), (v_ds < overdrive, triode), rest=saturation)


transistor.table(
    ("threshold_with_body", "v_th", "MOSFET threshold voltage with the body effect",
     lambda v_sb, v_th0, body_effect, phi: v_th0 + body_effect * (ops.sqrt(v_sb + phi) - ops.sqrt(phi)),
     {"within": (1e-3, 10.0)}),
    ("gate_overdrive", "overdrive", "Gate overdrive voltage",
     lambda v_gs, v_th: v_gs - v_th, {"goal": False}),
    ("level_1_current", "drain_current",
     f"Shichman-Hodges drain current. {LEVEL_1}. The result is in amperes",
     lambda k, overdrive, v_ds, beta, channel_modulation: _mosfet(
         k, "current", overdrive, v_ds,
         beta * (overdrive - 0.5 * v_ds) * v_ds * (1.0 + channel_modulation * v_ds),
         0.5 * beta * overdrive * overdrive * (1.0 + channel_modulation * v_ds),
     ), {"source": "Shichman and Hodges 1968", "teaches": CASES, "within": (0.0, 100.0)}),
    ("level_1_transconductance", "transconductance",
     f"Transconductance of a MOSFET. {LEVEL_1}. The result is in siemens",
     lambda k, overdrive, v_ds, beta, channel_modulation: _mosfet(
         k, "gm", overdrive, v_ds,
         beta * v_ds * (1.0 + channel_modulation * v_ds),
         beta * overdrive * (1.0 + channel_modulation * v_ds),
     ), {"source": "Shichman and Hodges 1968", "teaches": CASES, "within": (0.0, 100.0)}),
    ("level_1_conductance", "output_conductance",
     f"Output conductance of a MOSFET. {LEVEL_1}. The result is in siemens",
     lambda k, overdrive, v_ds, beta, channel_modulation: _mosfet(
         k, "gds", overdrive, v_ds,
         beta * (overdrive - v_ds + channel_modulation * v_ds * (2.0 * overdrive - 1.5 * v_ds)),
         0.5 * beta * channel_modulation * overdrive * overdrive,
     ), {"source": "Shichman and Hodges 1968", "teaches": CASES, "within": (0.0, 100.0)}),
    ("drain_power", "dissipated_power", "Dissipated power of a transistor. The result is in watts",
     lambda drain_current, v_ds: drain_current * v_ds),
)  # fmt: skip


# Wind turbines: below cut-in, between cut-in and rated wind, at rated power, and shut down.

turbine = terms("turbine", "turbine")
turbine.quantities(wind_speed=(0.0, 30.0), air_temperature=(-10.0, 35.0))
turbine.quantity("air_pressure", 90_000.0, 103_000.0)
turbine.quantity("air_density", 1.0, 1.35, plural="air_densities", least=0.5, most=2.0)
turbine.quantity("power", 0.0, 3e6)
turbine.quantity("thrust", 0.0, 1e6, plural="thrusts", extremal=True)
turbine.settings(
    rated_power=(1.5e6, 3e6),
    cut_in=(2.5, 4.0),
    rated_speed=(11.0, 14.0),
    cut_out=(24.0, 26.0),
    rotor_area=(4000.0, 8000.0),
)

DRY_AIR_GAS_CONSTANT = Known("DRY_AIR_GAS_CONSTANT", 287.05)
REFERENCE_DENSITY = Known("REFERENCE_DENSITY", 1.225)
BETZ_THRUST = Known("BETZ_THRUST", 8.0 / 9.0)


def _power_curve(exponent: int) -> Callable[..., Expr]:
    def raised(v: Expr) -> Expr:
        return v if exponent == 1 else v * v * v

    def curve(
        k: Builder,
        wind_speed: Expr,
        air_density: Expr,
        rated_power: Expr,
        cut_in: Expr,
        rated_speed: Expr,
        cut_out: Expr,
    ) -> Expr:
        reached = k.let("plateau", rated_power * ops.min(air_density / REFERENCE_DENSITY, 1.0))
        span = bounded(raised(rated_speed) - raised(cut_in), 1.0, 1e5)
        rising = bounded((raised(wind_speed) - raised(cut_in)) / span, 0.0, 1.0)
        partial = ((wind_speed >= cut_in) & (wind_speed < rated_speed), reached * rising)
        full = ((wind_speed >= rated_speed) & (wind_speed < cut_out), reached)
        return cases(k, "output", partial, full, rest=0.0)

    return curve


def _rotor_thrust(
    k: Builder,
    wind_speed: Expr,
    air_density: Expr,
    cut_in: Expr,
    rated_speed: Expr,
    cut_out: Expr,
    rotor_area: Expr,
) -> Expr:
    factor = k.let("factor", 0.5 * lift(BETZ_THRUST, k.real) * air_density * rotor_area)
    falling = rated_speed * rated_speed * rated_speed / bounded(wind_speed, 1.0, 100.0)
    rising = ((wind_speed >= cut_in) & (wind_speed < rated_speed), factor * wind_speed * wind_speed)
    limited = ((wind_speed >= rated_speed) & (wind_speed < cut_out), factor * falling)
    return cases(k, "force", rising, limited, rest=0.0)


turbine.table(
    ("gas_law_density", "air_density", "Air density by the ideal gas law. Temperatures are in °C",
     lambda air_pressure, air_temperature: (
         air_pressure / (DRY_AIR_GAS_CONSTANT * (air_temperature + ZERO_CELSIUS))
     ), {"within": (0.5, 2.0)}),
    ("cubic_power_curve", "power",
     "Cubic power curve of a wind turbine. The result is in watts, and zero below the cut-in and beyond the "
     "cut-out speed",
     _power_curve(3), {"teaches": CASES, "within": (0.0, 1e7)}),
    ("linear_power_curve", "power",
     "Linear power curve of a wind turbine. The result is in watts, and zero below the cut-in and beyond the "
     "cut-out speed",
     _power_curve(1), {"teaches": CASES, "within": (0.0, 1e7)}),
    ("rotor_thrust", "thrust",
     "Thrust on a wind turbine. The result is in newtons. The thrust coefficient is 8/9 from the cut-in to "
     "the rated speed. Above that, thrust times wind speed is constant. The thrust is zero below the cut-in "
     "and beyond the cut-out speed",
     _rotor_thrust, {"teaches": CASES, "within": (0.0, 1e9)}),
)  # fmt: skip


# Weather stations: phases of water, and how warm it feels.

station = terms("station", "s")
station.quantity("air_temperature", -40.0, 42.0)
station.quantity("relative_humidity", 10.0, 100.0, plural="relative_humidities", most=100.0)
station.quantities(wind_speed=(0.0, 20.0), precipitation=(0.0, 20.0))
station.quantity("vapor_pressure", 50.0, 6000.0, told="saturation vapor pressure", least=1.0, most=1e5)
station.quantity("vapor_pressure_deficit", 0.0, 5000.0)
station.quantity("snow_fraction", 0.0, 1.0)
station.quantities(snowfall=(0.0, 20.0), rainfall=(0.0, 20.0), additive=True)
station.quantity("apparent_temperature", -30.0, 60.0, extremal=True)
station.quantity("thermal_time", 0.0, 30.0, additive=True)
station.quantity(
    "beaufort", 0, 12, whole, least=0, most=12, plural="beaufort_numbers", told="Beaufort number"
)
station.quantity("pm25", 0.0, 220.0, plural="pm25_levels", told="PM2.5 concentration")
station.quantity("air_quality_index", 0.0, 300.0, plural="air_quality_indices", extremal=True)
station.settings(
    all_snow=(-1.0, 0.0),
    all_rain=(1.5, 3.0),
    base_temperature=(8.0, 10.0),
    optimum=(28.0, 32.0),
    ceiling=(38.0, 41.0),
)


def _magnus(k: Builder, air_temperature: Expr) -> Expr:
    water = k.let("over_water", 611.2 * ops.exp(17.62 * air_temperature / (243.12 + air_temperature)))
    ice = k.let("over_ice", 611.2 * ops.exp(22.46 * air_temperature / (272.62 + air_temperature)))
    share = k.let("liquid_fraction", (ops.clamp(air_temperature, -23.0, 0.0) + 23.0) / 23.0)
    mixed = ice + share * share * (water - ice)
    return cases(k, "e_sat", (air_temperature >= 0.0, water), (air_temperature <= -23.0, ice), rest=mixed)


def _feels_like(k: Builder, air_temperature: Expr, relative_humidity: Expr, wind_speed: Expr) -> Expr:
    t, rh = air_temperature, relative_humidity
    factor = k.let("wind_factor", ops.pow(ops.max(3.6 * wind_speed, 1.0), 0.16))
    chill = 13.12 + 0.6215 * t + (0.3965 * t - 11.37) * factor
    linear = -8.78469475556 + 1.61139411 * t + 2.33854883889 * rh - 0.14611605 * t * rh
    squares = -0.012308094 * t * t - 0.0164248277778 * rh * rh
    crossed = 0.002211732 * t * t * rh + 0.00072546 * t * rh * rh - 0.000003582 * t * t * rh * rh
    cold, hot = (t <= 10.0) & (wind_speed > 1.34), (t >= 27.0) & (rh >= 40.0)
    return cases(k, "felt", (cold, chill), (hot, linear + squares + crossed), rest=t)


BEAUFORT = (0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2)
PM25_BREAKPOINTS = (
    (9.0, 0.0, 0.0, 50.0),
    (35.4, 9.0, 50.0, 100.0),
    (55.4, 35.4, 100.0, 150.0),
    (125.4, 55.4, 150.0, 200.0),
)
"""Pieces of the index: where each ends and begins, and its first and last value."""


def _beaufort(k: Builder, wind_speed: Expr) -> Expr:
    force = k.var("force", len(BEAUFORT), type=I32, bounds=(0, len(BEAUFORT)))
    for number, limit in enumerate(BEAUFORT):
        with k.orwhen(wind_speed < limit) if number else k.when(wind_speed < limit):
            k.set(force, number)
    return force


def _air_quality(k: Builder, pm25: Expr) -> Expr:
    pieces = [
        (pm25 <= end, first + round((last - first) / (end - begin), 4) * (pm25 - begin))
        for end, begin, first, last in PM25_BREAKPOINTS
    ]
    return cases(k, "index", *pieces, rest=200.0 + (pm25 - 125.4))


station.table(
    ("mixed_phase_saturation", "vapor_pressure",
     "Saturation vapor pressure over water and ice. The result is in pascals. Between -23 °C and 0 °C "
     "both phases are mixed",
     _magnus, {"source": "ECMWF, IFS documentation, part IV", "teaches": CASES, "within": (1.0, 1e5)}),
    ("humidity_deficit", "vapor_pressure_deficit",
     "Vapor pressure deficit. The result is in pascals. The relative humidity is in percent",
     lambda vapor_pressure, relative_humidity: vapor_pressure * (1.0 - 0.01 * relative_humidity),
     {"within": (0.0, 1e5)}),
    ("mixed_precipitation", "snow_fraction",
     "Snow fraction of precipitation. It falls linearly between two temperatures in °C",
     lambda k, air_temperature, all_snow, all_rain: cases(
         k, "fraction", (air_temperature <= all_snow, 1.0), (air_temperature >= all_rain, 0.0),
         rest=(all_rain - air_temperature) / (all_rain - all_snow),
     ),
     {"source": "US Army Corps of Engineers 1956, Snow Hydrology", "teaches": CASES, "within": (0.0, 1.0)}),
    ("snow_water", "snowfall", "Snowfall in water equivalent",
     lambda snow_fraction, precipitation: snow_fraction * precipitation),
    ("rain_water", "rainfall", "Rainfall from mixed precipitation",
     lambda snow_fraction, precipitation: (1.0 - snow_fraction) * precipitation, {"within": (0.0, 1e5)}),
    ("felt_temperature", "apparent_temperature",
     "Apparent temperature. The result is in °C: the wind chill when cold, the heat index when hot and humid",
     _feels_like, {"source": "US National Weather Service", "teaches": CASES, "within": (-1e3, 1e3)}),
    ("crop_thermal_time", "thermal_time",
     "Thermal time of a crop in a day. It grows linearly from the base temperature to the optimum, "
     "then falls to zero at the ceiling",
     lambda k, air_temperature, base_temperature, optimum, ceiling: cases(
         k, "degree_days", (air_temperature <= base_temperature, 0.0),
         (air_temperature < optimum, air_temperature - base_temperature),
         (air_temperature < ceiling,
          (optimum - base_temperature) * (ceiling - air_temperature) / (ceiling - optimum)),
         rest=0.0,
     ), {"source": "Yan and Hunt 1999", "teaches": CASES, "within": (0.0, 100.0)}),
    ("beaufort_force", "beaufort", "Beaufort number of the wind. Wind speeds are in m/s",
     _beaufort, {"teaches": CASES}),
    ("pm25_index", "air_quality_index",
     "Air quality index of fine particles. The concentration is in µg/m³. The index is linear "
     "between breakpoints",
     _air_quality, {"source": "US EPA 2024", "teaches": CASES, "within": (0.0, 1e3)}),
)  # fmt: skip


# Fibers of a beam's cross-section: stresses of steel and concrete.

fiber = terms("fiber", "f")
fiber.quantity("fiber_height", -0.25, 0.25)
fiber.quantity("fiber_area", 1e-4, 1e-2)
fiber.quantity("strain", -0.006, 0.006, plural="strains", least=-1.0, most=1.0)
fiber.quantity("stress", -400.0, 400.0, plural="stresses", least=-1e5, most=1e5)
fiber.quantity("tangent_modulus", 0.0, 200_000.0, plural="tangent_moduli", least=-1e6, most=1e6)
fiber.quantity("fiber_force", -1e6, 1e6, additive=True)
fiber.quantity("fiber_moment", -1e6, 1e6, additive=True)
fiber.settings(
    axial_strain=(-0.001, 0.001),
    curvature=(0.005, 0.02),
    elastic_modulus=(195_000.0, 205_000.0),
    yield_stress=(350.0, 500.0),
    hardening_modulus=(1000.0, 4000.0),
    concrete_strength=(25.0, 50.0),
)
PEAK_STRAIN = Known("PEAK_STRAIN", 0.002)
CRUSHING_STRAIN = Known("CRUSHING_STRAIN", 0.0035)


def _bilinear(
    k: Builder, strain: Expr, elastic_modulus: Expr, yield_stress: Expr, hardening: Expr | float
) -> Expr:
    limit = k.let("yield_strain", yield_stress / elastic_modulus)
    above, below = yield_stress, -yield_stress
    if isinstance(hardening, Expr):
        above, below = above + hardening * (strain - limit), below + hardening * (strain + limit)
    return cases(k, "sigma", (strain > limit, above), (strain < -limit, below), rest=elastic_modulus * strain)


def _hognestad(k: Builder, strain: Expr, concrete_strength: Expr) -> Expr:
    ratio = k.let("strain_ratio", -strain / PEAK_STRAIN)
    softened = 1.0 - 0.15 * (-strain - PEAK_STRAIN) / float(CRUSHING_STRAIN - PEAK_STRAIN)
    rising = (strain > -PEAK_STRAIN, -concrete_strength * ratio * (2.0 - ratio))
    falling = (strain > -CRUSHING_STRAIN, -concrete_strength * softened)
    return cases(k, "sigma", (strain >= 0.0, 0.0), rising, falling, rest=0.0)


fiber.table(
    ("plane_section_strain", "strain", "Strain of a plane section",
     lambda fiber_height, axial_strain, curvature: axial_strain - curvature * fiber_height, {"goal": False}),
    ("perfectly_plastic_stress", "stress",
     "Elastic-perfectly plastic steel stress. Stresses and moduli are in MPa",
     lambda k, strain, elastic_modulus, yield_stress: _bilinear(
         k, strain, elastic_modulus, yield_stress, 0.0
     ),
     {"teaches": CASES, "within": (-1e5, 1e5)}),
    ("hardening_stress", "stress", "Bilinear steel stress with hardening. Stresses and moduli are in MPa",
     lambda k, strain, elastic_modulus, yield_stress, hardening_modulus: _bilinear(
         k, strain, elastic_modulus, yield_stress, hardening_modulus
     ), {"teaches": CASES, "within": (-1e5, 1e5)}),
    ("hognestad_stress", "stress",
     "Hognestad concrete stress. The result is in megapascals, negative in compression, and zero in "
     "tension and once crushed",
     _hognestad, {"source": "Hognestad 1951", "teaches": CASES, "within": (-1e5, 1e5)}),
    ("steel_tangent", "tangent_modulus", "Tangent modulus of bilinear steel. The result is in megapascals",
     lambda k, strain, elastic_modulus, yield_stress, hardening_modulus: cases(
         k, "modulus", (ops.abs(strain) > k.let("yield_strain", yield_stress / elastic_modulus),
         hardening_modulus), rest=elastic_modulus,
     ), {"teaches": CASE}),
    ("axial_fiber_force", "fiber_force", "Axial force of a fiber. The result is in MN. Areas are in m²",
     lambda stress, fiber_area: stress * fiber_area, {"within": (-1e5, 1e5)}),
    ("bending_fiber_moment", "fiber_moment",
     "Bending moment of a fiber. The result is in MN m, about the section's axis",
     lambda stress, fiber_area, fiber_height: -stress * fiber_area * fiber_height, {"within": (-1e5, 1e5)}),
)  # fmt: skip


# Stars of the main sequence: power laws of the mass in several pieces.

star = terms("star", "s")
star.quantity("mass", 0.1, 80.0, plural="masses", least=0.1, most=100.0)
star.quantity("luminosity", 1e-3, 1e5, plural="luminosities", least=1e-4, most=1e9)
star.quantity("radius", 0.1, 12.0, plural="radii", least=0.05, most=100.0)
star.quantities(lifetime=(1e-3, 1000.0), initial_mass_function=(1e-5, 1.0))
star.quantity("effective_temperature", 2500.0, 40_000.0)
star.quantity("habitable_distance", 0.02, 300.0)
SUN_TEMPERATURE = Known("SUN_TEMPERATURE", 5772.0)

star.table(
    ("mass_luminosity", "luminosity",
     "Mass-luminosity relation. It gives the luminosity of a main-sequence star by four power laws, in solar "
     "units",
     lambda k, mass: cases(
         k, "lum", (mass < 0.43, 0.23 * ops.pow(mass, 2.3)), (mass < 2.0, mass * mass * mass * mass),
         (mass < 55.0, 1.4 * ops.pow(mass, 3.5)), rest=32_000.0 * mass,
     ), {"source": "Salaris and Cassisi 2005", "teaches": CASES, "within": (1e-4, 1e9)}),
    ("mass_radius", "radius",
     "Mass-radius relation. It gives the radius of a main-sequence star by two power laws, in solar units",
     lambda k, mass: ops.pow(mass, cases(k, "exponent", (mass < 1.0, 0.8), rest=0.57)),
     {"source": "Demircan and Kahraman 1991", "teaches": CASE, "within": (0.1, 100.0)}),
    ("main_sequence_lifetime", "lifetime", "Main-sequence lifetime. The result is in billions of years",
     lambda mass, luminosity: 10.0 * mass / luminosity, {"within": (1e-6, 1e9)}),
    ("stefan_boltzmann_temperature", "effective_temperature",
     "Effective temperature of a star. The result is in kelvin",
     lambda luminosity, radius: SUN_TEMPERATURE * ops.sqrt(ops.sqrt(luminosity) / radius),
     {"within": (3.0, 1e9)}),
    ("habitable_zone", "habitable_distance",
     "Inner radius of the habitable zone. The result is in astronomical units",
     lambda luminosity: ops.sqrt(luminosity / 1.1),
     {"within": (1e-4, 1e9)}),
    ("kroupa_function", "initial_mass_function",
     "Kroupa initial mass function. It has a power law for each of three ranges of the mass",
     lambda k, mass: cases(
         k, "density", (mass < 0.5, 0.035 * ops.pow(mass, -1.3)), (mass < 1.0, 0.019 * ops.pow(mass, -2.2)),
         rest=0.019 * ops.pow(mass, -2.7),
     ), {"source": "Kroupa, Tout and Gilmore 1993", "teaches": CASES, "within": (1e-8, 1e3)}),
)  # fmt: skip


# Households and their claims: taxes, credits and insurance, in pieces of an income or a loss.

household = terms("household", "h")
household.quantities(income=(0.0, 150_000.0), loss=(0.0, 60_000.0), energy_use=(0.0, 1500.0))
household.quantity("income_tax", 0.0, 60_000.0, plural="income_taxes", additive=True)
household.quantity("tax_credit", 0.0, 6000.0, additive=True)
household.quantity("net_income", -10_000.0, 120_000.0)
household.quantity("payment", 0.0, 10_000.0, additive=True, told="own payment")
household.quantity("covered_loss", 0.0, 60_000.0, plural="covered_losses", additive=True)
household.quantity("bill", 0.0, 500.0, additive=True, told="energy bill")
household.settings(
    low_rate=(0.1, 0.15),
    middle_rate=(0.2, 0.25),
    top_rate=(0.35, 0.45),
    allowance=(8_000.0, 12_000.0),
    middle_bracket=(35_000.0, 45_000.0),
    top_bracket=(80_000.0, 110_000.0),
    credit_rate=(0.3, 0.4),
    phase_in_end=(9_000.0, 12_000.0),
    phase_out_start=(18_000.0, 24_000.0),
    phase_out_rate=(0.15, 0.21),
    deductible=(500.0, 2000.0),
    coinsurance=(0.1, 0.3),
    out_of_pocket_limit=(4000.0, 8000.0),
    first_block=(200.0, 300.0),
    second_block=(500.0, 800.0),
    first_price=(0.1, 0.15),
    second_price=(0.18, 0.25),
    third_price=(0.3, 0.4),
)


def _brackets(
    k: Builder,
    income: Expr,
    allowance: Expr,
    middle_bracket: Expr,
    top_bracket: Expr,
    low_rate: Expr,
    middle_rate: Expr,
    top_rate: Expr,
) -> Expr:
    low = k.let("low_tax", low_rate * (middle_bracket - allowance))
    middle = k.let("middle_tax", middle_rate * (top_bracket - middle_bracket))
    return cases(
        k,
        "tax",
        (income <= allowance, 0.0),
        (income <= middle_bracket, low_rate * (income - allowance)),
        (income <= top_bracket, low + middle_rate * (income - middle_bracket)),
        rest=low + middle + top_rate * (income - top_bracket),
    )


def _earned_credit(
    k: Builder,
    income: Expr,
    credit_rate: Expr,
    phase_in_end: Expr,
    phase_out_start: Expr,
    phase_out_rate: Expr,
) -> Expr:
    most = k.let("max_credit", credit_rate * phase_in_end)
    reduced = ops.max(most - phase_out_rate * (income - phase_out_start), 0.0)
    rising = (income < phase_in_end, credit_rate * income)
    return cases(k, "credit", rising, (income < phase_out_start, most), rest=reduced)


def _own_payment(
    k: Builder, loss: Expr, deductible: Expr, coinsurance: Expr, out_of_pocket_limit: Expr
) -> Expr:
    share = k.let("shared", deductible + coinsurance * (loss - deductible))
    own = (loss <= deductible, loss)
    return cases(k, "paid", own, (share < out_of_pocket_limit, share), rest=out_of_pocket_limit)


def _block_tariff(
    k: Builder,
    energy_use: Expr,
    first_block: Expr,
    second_block: Expr,
    first_price: Expr,
    second_price: Expr,
    third_price: Expr,
) -> Expr:
    first = k.let("first_cost", first_price * first_block)
    second = k.let("second_cost", second_price * (second_block - first_block))
    return cases(
        k,
        "cost",
        (energy_use <= first_block, first_price * energy_use),
        (energy_use <= second_block, first + second_price * (energy_use - first_block)),
        rest=first + second + third_price * (energy_use - second_block),
    )


household.table(
    ("bracket_tax", "income_tax",
     "Progressive income tax. Each bracket's rate applies to the income within it",
     _brackets, {"teaches": CASES, "within": (0.0, 1e7)}),
    ("earned_income_credit", "tax_credit",
     "Earned income tax credit. It is phased in, stays at its maximum, and is phased out",
     _earned_credit, {"teaches": CASES, "within": (0.0, 1e5)}),
    ("income_after_tax", "net_income", "Income after tax and credit",
     lambda income, income_tax, tax_credit: income - income_tax + tax_credit),
    ("insured_payment", "payment",
     "Own payment of an insured loss. It is all up to the deductible, then a share, up to the "
     "out-of-pocket limit",
     _own_payment, {"teaches": CASES, "within": (0.0, 1e6)}),
    ("insurer_share", "covered_loss", "Loss that the insurer covers",
     lambda loss, payment: loss - payment, {"within": (0.0, 1e6)}),
    ("increasing_block_bill", "bill", "Energy bill of an increasing block tariff. Consumption is in kWh",
     _block_tariff, {"teaches": CASES, "within": (0.0, 1e6)}),
)  # fmt: skip


# Soil layers: water and roots.

layer = terms("soil layer", "layer")
layer.quantity("suction", 0.0, 18_000.0)
layer.quantity("saturation", 0.05, 1.0, least=0.0, most=1.0)
layer.quantity("stress_factor", 0.0, 1.0)
layer.quantity("potential_uptake", 0.0, 1.0)
layer.quantity("root_uptake", 0.0, 1.0, additive=True)
layer.quantity("soil_conductivity", 1e-6, 10.0, plural="soil_conductivities", least=0.0)
layer.settings(
    anaerobic_suction=(5.0, 15.0),
    wet_suction=(20.0, 40.0),
    dry_suction=(400.0, 800.0),
    wilting_suction=(12_000.0, 16_000.0),
    air_entry=(10.0, 40.0),
    pore_index=(0.4, 0.7),
    saturated_conductivity=(1.0, 50.0),
)
layer.table(
    ("feddes_stress", "stress_factor",
     "Feddes water stress factor. Roots take up nothing from soil that is too wet or drier than the "
     "wilting point. Suctions are in cm of water",
     lambda k, suction, anaerobic_suction, wet_suction, dry_suction, wilting_suction: cases(
         k, "factor", (suction <= anaerobic_suction, 0.0),
         (suction < wet_suction, (suction - anaerobic_suction) / (wet_suction - anaerobic_suction)),
         (suction <= dry_suction, 1.0),
         (suction < wilting_suction, (wilting_suction - suction) / (wilting_suction - dry_suction)),
         rest=0.0,
     ), {"source": "Feddes, Kowalik and Zaradny 1978", "teaches": CASES, "within": (0.0, 1.0)}),
    ("stressed_uptake", "root_uptake", "Root water uptake. The result is in cm per day",
     lambda stress_factor, potential_uptake: stress_factor * potential_uptake),
    ("brooks_corey_saturation", "saturation",
     "Brooks-Corey effective saturation. Soil is saturated up to the air entry suction, in cm of water",
     lambda k, suction, air_entry, pore_index: cases(
         k, "effective", (suction <= air_entry, 1.0),
         rest=ops.pow(bounded(air_entry / ops.max(suction, 1.0), 5e-4, 40.0), pore_index),
     ), {"source": "Brooks and Corey 1964", "teaches": CASE, "within": (0.0, 1.0)}),
    ("brooks_corey_conductivity", "soil_conductivity",
     "Brooks-Corey hydraulic conductivity. The result is in cm per day",
     lambda saturation, saturated_conductivity, pore_index: (
         saturated_conductivity * ops.pow(ops.max(saturation, 0.01), 3.0 + 2.0 / pore_index)
     ), {"source": "Brooks and Corey 1964", "within": (0.0, 1e3)}),
)  # fmt: skip


# Castings: temperature and phase of a cell by the enthalpy in it.

casting = terms("cell", "cell")
casting.quantity("enthalpy", 1e5, 1.4e6, plural="enthalpies")
casting.quantity("temperature", 300.0, 1200.0, least=1.0, most=1e5)
casting.quantity("liquid_fraction", 0.0, 1.0)
casting.quantity("conductivity", 80.0, 240.0, plural="conductivities")
casting.quantity("water_enthalpy", -2e5, 3.3e6, plural="water_enthalpies")
casting.quantity("water_temperature", -80.0, 200.0)
casting.settings(
    solid_heat_capacity=(850.0, 950.0),
    liquid_heat_capacity=(1050.0, 1200.0),
    latent_heat=(3.8e5, 4.0e5),
    solidus=(810.0, 830.0),
    liquidus=(880.0, 900.0),
    solid_conductivity=(180.0, 240.0),
    liquid_conductivity=(80.0, 100.0),
)
ICE_HEAT_CAPACITY = Known("ICE_HEAT_CAPACITY", 2100.0)
WATER_HEAT_CAPACITY = Known("WATER_HEAT_CAPACITY", 4186.0)
STEAM_HEAT_CAPACITY = Known("STEAM_HEAT_CAPACITY", 2010.0)
FUSION_HEAT = Known("FUSION_HEAT", 3.34e5)
BOILING_ENTHALPY = Known("BOILING_ENTHALPY", 7.526e5)
DRY_STEAM_ENTHALPY = Known("DRY_STEAM_ENTHALPY", 3.0096e6)


def _mushy(
    k: Builder, enthalpy: Expr, heat_capacity: Expr, latent_heat: Expr, solidus: Expr, liquidus: Expr
) -> tuple[Expr, Expr, Expr]:
    """The enthalpies where melting begins and ends, and the share of the enthalpy between them."""
    start = k.let("solid_enthalpy", heat_capacity * solidus)
    width = k.let("melting_enthalpy", latent_heat + heat_capacity * (liquidus - solidus))
    return start, k.let("liquid_enthalpy", start + width), (enthalpy - start) / width


def _alloy_temperature(
    k: Builder,
    enthalpy: Expr,
    solid_heat_capacity: Expr,
    liquid_heat_capacity: Expr,
    latent_heat: Expr,
    solidus: Expr,
    liquidus: Expr,
) -> Expr:
    start, end, share = _mushy(k, enthalpy, solid_heat_capacity, latent_heat, solidus, liquidus)
    melting = (enthalpy < end, solidus + share * (liquidus - solidus))
    molten = liquidus + (enthalpy - end) / liquid_heat_capacity
    return cases(k, "kelvin", (enthalpy <= start, enthalpy / solid_heat_capacity), melting, rest=molten)


def _liquid_fraction(
    k: Builder, enthalpy: Expr, solid_heat_capacity: Expr, latent_heat: Expr, solidus: Expr, liquidus: Expr
) -> Expr:
    start, end, share = _mushy(k, enthalpy, solid_heat_capacity, latent_heat, solidus, liquidus)
    return cases(k, "fraction", (enthalpy <= start, 0.0), (enthalpy >= end, 1.0), rest=share)


def _water_phases(k: Builder, water_enthalpy: Expr) -> Expr:
    return cases(
        k,
        "celsius",
        (water_enthalpy < 0.0, water_enthalpy / ICE_HEAT_CAPACITY),
        (water_enthalpy < FUSION_HEAT, 0.0),
        (water_enthalpy < BOILING_ENTHALPY, (water_enthalpy - FUSION_HEAT) / WATER_HEAT_CAPACITY),
        (water_enthalpy < DRY_STEAM_ENTHALPY, 100.0),
        rest=100.0 + (water_enthalpy - DRY_STEAM_ENTHALPY) / STEAM_HEAT_CAPACITY,
    )


casting.table(
    ("alloy_temperature", "temperature",
     "Temperature of an alloy from its enthalpy. The result is in kelvin, and linear while the alloy melts",
     _alloy_temperature, {"source": "Voller and Prakash 1987", "teaches": CASES, "within": (1.0, 1e5)}),
    ("alloy_liquid_fraction", "liquid_fraction",
     "Liquid fraction of an alloy from its enthalpy. Enthalpies are in J/kg", _liquid_fraction,
     {"source": "Voller and Prakash 1987", "teaches": CASES, "within": (0.0, 1.0)}),
    ("mixed_conductivity", "conductivity", "Thermal conductivity of a mushy alloy. The result is in W/(m K)",
     lambda liquid_fraction, solid_conductivity, liquid_conductivity: (
         solid_conductivity + liquid_fraction * (liquid_conductivity - solid_conductivity)
     ), {"within": (1.0, 1e4)}),
    ("water_heating_curve", "water_temperature",
     "Heating curve of water. It gives the temperature in °C from the enthalpy above ice at 0 °C in J/kg",
     _water_phases, {"teaches": CASES, "within": (-1e3, 1e4)}),
)  # fmt: skip

REGIMES = (
    pipe.domain,
    grain.domain,
    transistor.domain,
    turbine.domain,
    station.domain,
    fiber.domain,
    star.domain,
    household.domain,
    layer.domain,
    casting.domain,
)
