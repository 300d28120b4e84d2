"""Chemistry: rates of reactions, enzymes, acids, and gases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import either
from weft.kernels.constants import LN_2
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr

mixture = Domain("mixture", index=("i", "mixture", "cell"))

temperature = Quantity("temperature", 280.0, 400.0)
concentration = Quantity("concentration", 0.1, 3.0)
other_concentration = Quantity("other_concentration", 0.1, 3.0)
inhibitor = Quantity("inhibitor", 0.0, 2.0)
pressure = Quantity("pressure", 0.5, 5.0, least=1e-4, most=1e4)
molar_volume = Quantity("molar_volume", 5.0, 40.0)
rate_constant = Quantity("rate_constant", 0.01, 2.0, least=0.0, most=1e4)
limit_constant = Quantity("high_pressure_constant", 0.2, 2.0)
reaction_rate = Quantity("reaction_rate", 0.0, 3.0, least=-1e5, most=1e5)
enzyme_rate = Quantity("enzyme_rate", 0.0, 3.0, least=0.0)
new_concentration = Quantity("new_concentration", 0.0, 3.0, least=0.0, most=1e6, updates=concentration)
heat_release = Quantity("heat_release", -50.0, 50.0, least=-1e8, most=1e8, additive=True)
half_life = Quantity("half_life", 0.3, 70.0, plural="half_lives", least=0.0, most=1e6)
equilibrium_constant = Quantity("equilibrium_constant", 0.1, 10.0, least=1e-8, most=1e8)
extent = Quantity("extent", 0.0, 1.0, least=0.0, most=10.0)
acidity = Quantity("acidity", 1.0, 12.0, plural="acidities", least=-20.0, most=30.0)
hydrogen = Quantity("hydrogen_concentration", 1e-5, 1e-2, least=1e-8, most=10.0)
acid_constant = Quantity("acid_constant", 0.001, 0.02)
buffer_ratio = Quantity("buffer_ratio", 0.1, 10.0)
potential = Quantity("cell_potential", -1.0, 2.0, least=-1e3, most=1e3)
coverage = Quantity("coverage", 0.0, 1.0)
activity = Quantity("activity_coefficient", 0.3, 1.0, least=0.0, most=1.0)
ionic_strength = Quantity("ionic_strength", 0.0, 0.5)
compressibility = Quantity("compressibility_factor", 0.5, 1.5, least=-100.0, most=100.0)

Temperature = Annotated[Expr, temperature]
Concentration = Annotated[Expr, concentration]
OtherConcentration = Annotated[Expr, other_concentration]
Inhibitor = Annotated[Expr, inhibitor]
Pressure = Annotated[Expr, pressure]
MolarVolume = Annotated[Expr, molar_volume]
RateConstant = Annotated[Expr, rate_constant]
ReactionRate = Annotated[Expr, reaction_rate]
EnzymeRate = Annotated[Expr, enzyme_rate]
NewConcentration = Annotated[Expr, new_concentration]
EquilibriumConstant = Annotated[Expr, equilibrium_constant]
Hydrogen = Annotated[Expr, hydrogen]
Acidity = Annotated[Expr, acidity]
Activity = Annotated[Expr, activity]
Coverage = Annotated[Expr, coverage]
TopRate = Annotated[Expr, Setting(0.5, 4.0)]
HalfSaturation = Annotated[Expr, Setting(0.3, 2.0)]
Inhibition = Annotated[Expr, Setting(0.2, 2.0)]
Dt = Annotated[Expr, Setting(0.01, 0.1, "p")]
Activation = Annotated[Expr, Setting(20.0, 60.0)]
GAS = 0.008314
_EXP = ("transcendental",)


@mixture.formula(source="Arrhenius 1889", teaches=_EXP)
def arrhenius_constant(
    k: Builder,
    temperature: Temperature,
    frequency_factor: Annotated[Expr, Setting(100.0, 900.0)],
    activation_energy: Activation,
) -> RateConstant:
    """Arrhenius rate constant."""
    return frequency_factor * ops.exp(-activation_energy / (GAS * temperature))


@mixture.formula(source="Kooij 1893", teaches=("transcendental", "parameters"))
def modified_arrhenius(
    k: Builder,
    temperature: Temperature,
    frequency_factor: Annotated[Expr, Setting(100.0, 900.0)],
    temperature_exponent: Annotated[Expr, Setting(-1.0, 1.0)],
    activation_energy: Activation,
) -> RateConstant:
    """Modified Arrhenius rate constant."""
    scaled = k.let("scaled", temperature / 298.0)
    factor = frequency_factor * ops.pow(scaled, temperature_exponent)
    return bounded(factor * ops.exp(-activation_energy / (GAS * temperature)), 0.0, 1e4)


@mixture.formula(source="Eyring 1935", teaches=("transcendental", "parameters"))
def eyring_constant(
    k: Builder,
    temperature: Temperature,
    transmission: Annotated[Expr, Setting(0.5, 1.0)],
    activation_enthalpy: Annotated[Expr, Setting(70.0, 90.0)],
    activation_entropy: Annotated[Expr, Setting(-0.05, 0.01)],
) -> RateConstant:
    """Eyring rate constant."""
    exponent = activation_entropy / GAS - activation_enthalpy / (GAS * temperature)
    exponent = k.let("exponent", bounded(exponent, -60.0, -15.0))
    return bounded(transmission * 2.08e10 * temperature * ops.exp(exponent), 0.0, 1e4)


@mixture.formula(source="van 't Hoff 1884", teaches=_EXP)
def doubling_constant(
    k: Builder,
    temperature: Temperature,
    base_constant: Annotated[Expr, Setting(0.05, 0.2)],
    growth_factor: Annotated[Expr, Setting(1.5, 2.5)],
) -> RateConstant:
    """Rate constant by the Q10 temperature rule."""
    return bounded(base_constant * ops.exp(ops.log(growth_factor) * (temperature - 298.0) / 10.0), 0.0, 1e4)


@mixture.formula(source="Lindemann 1922")
def falloff_constant(
    k: Builder,
    low_pressure_constant: RateConstant,
    high_pressure_constant: Annotated[Expr, limit_constant],
    pressure: Pressure,
) -> RateConstant:
    """Lindemann falloff rate constant."""
    reduced = k.let("reduced", low_pressure_constant * pressure / high_pressure_constant)
    return bounded(high_pressure_constant * reduced / (1.0 + reduced), 0.0, 2.0)


@mixture.formula(source="Guldberg and Waage 1864", goal=False)
def second_order_rate(
    k: Builder,
    rate_constant: RateConstant,
    concentration: Concentration,
    other_concentration: OtherConcentration,
) -> ReactionRate:
    """Mass-action reaction rate."""
    return bounded(rate_constant * concentration * other_concentration, 0.0, 1e5)


@mixture.formula(source="Guldberg and Waage 1864", teaches=_EXP)
def power_rate(
    k: Builder,
    rate_constant: RateConstant,
    concentration: Concentration,
    order: Annotated[Expr, Setting(0.5, 2.5)],
) -> ReactionRate:
    """Power-law reaction rate."""
    return bounded(rate_constant * ops.pow(concentration, order), 0.0, 1e5)


@mixture.formula(source="Atkins and de Paula 2014")
def reversible_rate(
    k: Builder,
    rate_constant: RateConstant,
    concentration: Concentration,
    other_concentration: OtherConcentration,
    equilibrium_constant: EquilibriumConstant,
) -> ReactionRate:
    """Net rate of a reversible reaction."""
    backward = other_concentration / ops.max(equilibrium_constant, 0.001)
    return bounded(rate_constant * (concentration - backward), -1e5, 1e5)


@mixture.formula(source="Michaelis and Menten 1913")
def michaelis_menten_rate(
    k: Builder, concentration: Concentration, top_rate: TopRate, half_saturation: HalfSaturation
) -> EnzymeRate:
    """Michaelis-Menten rate."""
    return top_rate * concentration / (half_saturation + concentration)


@mixture.formula(source="Hill 1910", teaches=("transcendental", "parameters"))
def hill_rate(
    k: Builder,
    concentration: Concentration,
    top_rate: TopRate,
    half_saturation: HalfSaturation,
    hill_coefficient: Annotated[Expr, Setting(1.5, 4.0)],
) -> EnzymeRate:
    """Hill equation for a cooperative enzyme."""
    share = k.let("share", ops.pow(concentration / half_saturation, hill_coefficient))
    return bounded(top_rate * share / (1.0 + share), 0.0, 4.0)


INHIBITIONS = (
    ("competitive_rate", "Enzyme rate under competitive inhibition", lambda s, m, i: s / (m * (1.0 + i) + s)),
    (
        "uncompetitive_rate",
        "Enzyme rate under uncompetitive inhibition",
        lambda s, m, i: s / (m + s * (1.0 + i)),
    ),
    (
        "noncompetitive_rate",
        "Enzyme rate under noncompetitive inhibition",
        lambda s, m, i: s / ((m + s) * (1.0 + i)),
    ),
)


def _inhibited(name: str, kind: str, law: Callable[[Expr, Expr, Expr], Expr]) -> None:
    @mixture.formula(
        name=name,
        doc=f"{kind}.",
        source="Cornish-Bowden 2012",
        teaches=("parameters",),
    )
    def inhibited(
        k: Builder,
        concentration: Concentration,
        inhibitor: Inhibitor,
        top_rate: TopRate,
        half_saturation: HalfSaturation,
        inhibition_constant: Inhibition,
    ) -> EnzymeRate:
        share = law(concentration, half_saturation, inhibitor / inhibition_constant)
        return bounded(top_rate * share, 0.0, 4.0)


for _one in INHIBITIONS:
    _inhibited(*_one)


@mixture.formula(source="Haldane 1930", teaches=("parameters",))
def substrate_inhibited_rate(
    k: Builder,
    concentration: Concentration,
    top_rate: TopRate,
    half_saturation: HalfSaturation,
    inhibition_constant: Inhibition,
) -> EnzymeRate:
    """Enzyme rate under substrate inhibition."""
    crowding = concentration * concentration / inhibition_constant
    return top_rate * concentration / (half_saturation + concentration + crowding)


@mixture.formula(goal=False)
def explicit_decay(
    k: Builder, concentration: Concentration, reaction_rate: ReactionRate, dt: Dt
) -> NewConcentration:
    """Explicit Euler step of the concentration."""
    return ops.max(concentration - dt * reaction_rate, 0.0)


@mixture.formula()
def enzyme_step(
    k: Builder, concentration: Concentration, enzyme_rate: EnzymeRate, dt: Dt
) -> NewConcentration:
    """Advance the substrate concentration by one Euler step."""
    return ops.max(concentration - dt * enzyme_rate, 0.0)


@mixture.formula(teaches=_EXP)
def exact_decay(
    k: Builder, concentration: Concentration, rate_constant: RateConstant, dt: Dt
) -> NewConcentration:
    """Exact first-order decay of a concentration."""
    return concentration * ops.exp(-rate_constant * dt)


@mixture.formula(source="Hairer and Wanner 1996", teaches=("loop", "iteration", "parameters"))
def implicit_step(
    k: Builder,
    concentration: Concentration,
    top_rate: TopRate,
    half_saturation: HalfSaturation,
    dt: Dt,
    newton_steps: Annotated[Expr, Setting(2, 5, kind=whole)],
) -> NewConcentration:
    """Implicit Michaelis-Menten step, by Newton's method."""
    new = k.var("solution", concentration, bounds=(0.0, 10.0))
    with k.loop("_", 0, newton_steps):
        below = k.let("below", half_saturation + new)
        miss = k.let("f", new - concentration + dt * top_rate * new / below)
        slope = k.let("slope", 1.0 + dt * top_rate * half_saturation / (below * below))
        k.set(new, bounded(ops.max(new - miss / slope, 0.0), 0.0, 10.0))
    return new


@mixture.formula(source="Runge 1895", teaches=("loop", "parameters"))
def substepped_decay(
    k: Builder,
    concentration: Concentration,
    top_rate: TopRate,
    half_saturation: HalfSaturation,
    dt: Dt,
    substeps: Annotated[Expr, Setting(2, 8, kind=whole)],
) -> NewConcentration:
    """Michaelis-Menten kinetics by midpoint substeps."""
    value = k.var("value", concentration, bounds=(0.0, 10.0))
    with k.loop("_", 0, substeps):
        rate = k.let("rate", top_rate * value / (half_saturation + value))
        middle = k.let("mid_value", bounded(value - 0.5 * dt * rate, 0.0, 10.0))
        k.set(value, bounded(value - dt * top_rate * middle / (half_saturation + middle), 0.0, 10.0))
    return value


@mixture.formula(source="Atkins and de Paula 2014")
def released_heat(
    k: Builder,
    reaction_rate: ReactionRate,
    molar_volume: MolarVolume,
    reaction_enthalpy: Annotated[Expr, Setting(-80.0, -20.0)],
) -> Annotated[Expr, heat_release]:
    """Heat released by a reaction."""
    return bounded(-reaction_enthalpy * reaction_rate * molar_volume, -1e8, 1e8)


@mixture.formula(source="Atkins and de Paula 2014", goal=False)
def first_order_half_life(k: Builder, rate_constant: RateConstant) -> Annotated[Expr, half_life]:
    """Half-life of a first-order reaction."""
    return LN_2 / ops.max(rate_constant, 1e-4)


@mixture.formula(source="van 't Hoff 1884", teaches=_EXP)
def vant_hoff_constant(
    k: Builder,
    temperature: Temperature,
    reference_constant: Annotated[Expr, Setting(0.5, 2.0)],
    enthalpy: Annotated[Expr, Setting(-20.0, 20.0)],
) -> EquilibriumConstant:
    """Equilibrium constant by the van 't Hoff equation."""
    return bounded(reference_constant * ops.exp(enthalpy / GAS * (0.0033557 - 1.0 / temperature)), 1e-3, 1e3)


@mixture.formula(source="Atkins and de Paula 2014", teaches=_EXP)
def gibbs_constant(
    k: Builder,
    temperature: Temperature,
    enthalpy: Annotated[Expr, Setting(-20.0, 20.0)],
    entropy: Annotated[Expr, Setting(-0.02, 0.02)],
) -> EquilibriumConstant:
    """Equilibrium constant from the Gibbs energy."""
    energy = k.let("gibbs_energy", enthalpy - temperature * entropy)
    return bounded(ops.exp(bounded(-energy / (GAS * temperature), -14.0, 14.0)), 1e-7, 1e7)


@mixture.formula(source="Atkins and de Paula 2014")
def dimer_extent(
    k: Builder, equilibrium_constant: EquilibriumConstant, concentration: Concentration
) -> Annotated[Expr, extent]:
    """Equilibrium extent of a dimerization."""
    product = k.let("product", 8.0 * equilibrium_constant * concentration)
    return bounded((ops.sqrt(1.0 + product) - 1.0) / (ops.sqrt(1.0 + product) + 1.0), 0.0, 1.0)


@mixture.formula(source="Press et al. 2007", teaches=("loop", "iteration", "branch"))
def bisected_extent(
    k: Builder,
    equilibrium_constant: EquilibriumConstant,
    concentration: Concentration,
    other_concentration: OtherConcentration,
    halvings: Annotated[Expr, Setting(20, 26, kind=whole)],
) -> Annotated[Expr, extent]:
    """Equilibrium extent of reaction, by bisection."""
    low = k.var("low", 0.0, bounds=(0.0, 10.0))
    high = k.var("high", ops.min(concentration, other_concentration), bounds=(0.0, 10.0))
    with k.loop("_", 0, halvings):
        middle = k.let("mid", bounded(0.5 * (low + high), 0.0, 10.0))
        product = k.let("product", (concentration - middle) * (other_concentration - middle))
        with k.when(equilibrium_constant * product > middle * middle):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return bounded(0.5 * (low + high), 0.0, 10.0)


@mixture.formula(source="Atkins and de Paula 2014")
def weak_acid_hydrogen(
    k: Builder, acid_constant: Annotated[Expr, acid_constant], concentration: Concentration
) -> Hydrogen:
    """Hydrogen ion concentration of a weak acid."""
    root = ops.sqrt(acid_constant * acid_constant + 4.0 * acid_constant * concentration)
    return bounded(0.5 * (root - acid_constant), 1e-6, 1.0)


@mixture.formula(source="Newton 1711", teaches=("loop", "iteration"))
def newton_hydrogen(
    k: Builder, acid_constant: Annotated[Expr, acid_constant], concentration: Concentration,
    newton_steps: Annotated[Expr, Setting(3, 6, kind=whole)],
) -> Hydrogen:  # fmt: skip
    """Hydrogen ion concentration of a weak acid, by Newton's method."""
    guess = k.var("x", ops.sqrt(acid_constant * concentration), bounds=(1e-3, 1.0))
    with k.loop("_", 0, newton_steps):
        miss = k.let("f", guess * guess + acid_constant * guess - acid_constant * concentration)
        k.set(guess, bounded(ops.max(guess - miss / (2.0 * guess + acid_constant), 1e-3), 1e-3, 1.0))
    return guess


@mixture.formula(source="Sørensen 1909", teaches=_EXP)
def hydrogen_acidity(k: Builder, hydrogen_concentration: Hydrogen) -> Acidity:
    """pH from the hydrogen ion concentration."""
    return -ops.log10(hydrogen_concentration)


@mixture.formula(source="Henderson 1908", teaches=_EXP)
def buffer_acidity(
    k: Builder, buffer_ratio: Annotated[Expr, buffer_ratio], acid_strength: Annotated[Expr, Setting(3.0, 9.0)]
) -> Acidity:
    """pH of a buffer by the Henderson-Hasselbalch equation."""
    return acid_strength + ops.log10(buffer_ratio)


@mixture.formula(source="Nernst 1889", teaches=_EXP)
def nernst_potential(
    k: Builder,
    temperature: Temperature,
    concentration: Concentration,
    other_concentration: OtherConcentration,
    standard_potential: Annotated[Expr, Setting(-0.5, 1.5)],
    electrons: Annotated[Expr, Setting(1.0, 3.0)],
) -> Annotated[Expr, potential]:
    """Nernst potential."""
    quotient = k.let("quotient", concentration / other_concentration)
    return standard_potential - 8.617e-5 * temperature / electrons * ops.log(quotient)


@mixture.formula(source="Langmuir 1918")
def langmuir_coverage(
    k: Builder, pressure: Pressure, adsorption_constant: Annotated[Expr, Setting(0.2, 2.0)]
) -> Coverage:
    """Langmuir isotherm coverage."""
    loading = k.let("loading", adsorption_constant * pressure)
    return bounded(loading / (1.0 + loading), 0.0, 1.0)


@mixture.formula(source="Davies 1962", teaches=_EXP)
def davies_activity(
    k: Builder, ionic_strength: Annotated[Expr, ionic_strength], charge: Annotated[Expr, Setting(1.0, 2.0)]
) -> Activity:
    """Davies activity coefficient."""
    root = k.let("root", ops.sqrt(ionic_strength))
    exponent = -0.509 * charge * charge * (root / (1.0 + root) - 0.3 * ionic_strength)
    return bounded(ops.exp(2.302585 * bounded(exponent, -3.0, 0.0)), 0.0, 1.0)


@mixture.formula(source="Debye and Hückel 1923", teaches=("branch", "transcendental"))
def debye_activity(
    k: Builder, ionic_strength: Annotated[Expr, ionic_strength], charge: Annotated[Expr, Setting(1.0, 2.0)]
) -> Activity:
    """Debye-Hückel activity coefficient."""
    root = k.let("root", ops.sqrt(ionic_strength))
    dilute, dense = -0.509 * charge * charge * root, -0.509 * charge * charge * root / (1.0 + 1.5 * root)
    exponent = k.let("exponent", either(k, "exponent", ionic_strength < 0.01, dilute, dense))
    return bounded(ops.exp(2.302585 * bounded(exponent, -3.0, 0.0)), 0.0, 1.0)


@mixture.formula(source="Clapeyron 1834", goal=False)
def ideal_pressure(k: Builder, temperature: Temperature, molar_volume: MolarVolume) -> Pressure:
    """Ideal gas pressure."""
    return 0.08206 * temperature / molar_volume


GASES: tuple[tuple[str, str, tuple[str, ...], Callable[[Expr, Expr, Expr, Expr], Expr]], ...] = (
    ("van_der_waals_pressure", "Van der Waals equation of state", (),
     lambda t, v, a, b: 0.08206 * t / (v - b) - a / (v * v)),
    ("redlich_kwong_pressure", "Redlich-Kwong equation of state", _EXP,
     lambda t, v, a, b: 0.08206 * t / (v - b) - 17.0 * a / (ops.sqrt(t) * v * (v + b))),
    ("berthelot_pressure", "Berthelot equation of state", (),
     lambda t, v, a, b: 0.08206 * t / (v - b) - 300.0 * a / (t * v * v)),
    ("peng_robinson_pressure", "Peng-Robinson equation of state", (),
     lambda t, v, a, b: 0.08206 * t / (v - b) - a / (v * (v + b) + b * (v - b))),
)  # fmt: skip


def _gas(name: str, whose: str, teaches: tuple[str, ...], law: Callable[..., Expr]) -> None:
    @mixture.formula(
        name=name,
        doc=f"{whose}.",
        source="Poling, Prausnitz and O'Connell 2001",
        teaches=teaches,
    )
    def gas_pressure(
        k: Builder,
        temperature: Temperature,
        molar_volume: MolarVolume,
        attraction: Annotated[Expr, Setting(1.0, 5.0)],
        covolume: Annotated[Expr, Setting(0.03, 0.12)],
    ) -> Pressure:
        return bounded(law(temperature, molar_volume, attraction, covolume), 0.3, 10.0)


for _state in GASES:
    _gas(*_state)


@mixture.formula(source="Poling, Prausnitz and O'Connell 2001")
def compressed_factor(
    k: Builder, pressure: Pressure, molar_volume: MolarVolume, temperature: Temperature
) -> Annotated[Expr, compressibility]:
    """Compressibility factor of a real gas."""
    return bounded(pressure * molar_volume / (0.08206 * temperature), -100.0, 100.0)
