"""Epidemics and populations: their growth, and steps of the equations that they follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import either
from weft.kernels.constants import TWO_PI
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

# Epidemics, in shares of a region's people.

region = Domain("region", index=("i", "region"))

susceptible = Quantity("susceptible", 0.3, 0.7, plural="susceptible_shares", least=0.0, most=1.0)
exposed = Quantity("exposed", 0.0, 0.2, plural="exposed_shares", least=0.0, most=1.0)
infected = Quantity("infected", 0.001, 0.3, plural="infected_shares", least=0.0, most=1.0)
vaccinated = Quantity("vaccinated", 0.0, 0.6, plural="vaccinated_shares", least=0.0, most=1.0)
mobility = Quantity("mobility", 0.2, 1.2, plural="mobilities")
season = Quantity("season", 0.0, 1.0)
contact_rate = Quantity("contact_rate", 0.1, 0.8, least=0.0, most=10.0)
infection_force = Quantity("infection_force", 0.0, 0.2, least=0.0, most=10.0)
new_susceptible = Quantity(
    "new_susceptible", 0.0, 1.0, plural="new_susceptible_shares", least=0.0, most=1.0, updates=susceptible
)
new_exposed = Quantity(
    "new_exposed", 0.0, 1.0, plural="new_exposed_shares", least=0.0, most=1.0, updates=exposed
)
new_infected = Quantity(
    "new_infected", 0.0, 1.0, plural="new_infected_shares", least=0.0, most=1.0, updates=infected
)
new_cases = Quantity("new_cases", 0.0, 0.2, plural="new_case_shares", least=0.0, most=10.0, additive=True)
reproduction = Quantity("reproduction_number", 0.5, 4.0, least=0.0, most=1e3)
final_size = Quantity("final_size", 0.0, 1.0)
alert_level = Quantity("alert_level", 0, 3, whole, least=0, most=3)

Susceptible = Annotated[Expr, susceptible]
Exposed = Annotated[Expr, exposed]
Infected = Annotated[Expr, infected]
ContactRate = Annotated[Expr, contact_rate]
InfectionForce = Annotated[Expr, infection_force]
NewSusceptible = Annotated[Expr, new_susceptible]
NewExposed = Annotated[Expr, new_exposed]
NewInfected = Annotated[Expr, new_infected]
NewCases = Annotated[Expr, new_cases]
Reproduction = Annotated[Expr, reproduction]
BaseContact = Annotated[Expr, Setting(0.2, 0.6)]
Recovery = Annotated[Expr, Setting(0.05, 0.3)]
Incubation = Annotated[Expr, Setting(0.1, 0.5)]
Dt = Annotated[Expr, Setting(0.05, 0.5, "p")]
KERMACK = "Kermack and McKendrick 1927"


@region.formula(source="Keeling and Rohani 2008", teaches=("transcendental",))
def seasonal_contact(
    k: Builder,
    season: Annotated[Expr, season],
    base_contact: BaseContact,
    amplitude: Annotated[Expr, Setting(0.1, 0.4)],
) -> ContactRate:
    """Seasonally forced contact rate."""
    return base_contact * (1.0 + amplitude * ops.cos(TWO_PI * season))


@region.formula()
def mobile_contact(k: Builder, mobility: Annotated[Expr, mobility], base_contact: BaseContact) -> ContactRate:
    """Contact rate from mobility."""
    return base_contact * (mobility * mobility)


@region.formula(teaches=("branch", "parameters"))
def locked_contact(
    k: Builder, infected: Infected, base_contact: BaseContact,
    lockdown_level: Annotated[Expr, Setting(0.05, 0.2)],
    lockdown_effect: Annotated[Expr, Setting(0.3, 0.7)],
) -> ContactRate:  # fmt: skip
    """Contact rate under a lockdown."""
    locked = base_contact * (1.0 - lockdown_effect)
    return either(k, "contact_rate", infected > lockdown_level, locked, base_contact)


@region.formula(source=KERMACK, goal=False)
def mass_action_force(k: Builder, contact_rate: ContactRate, infected: Infected) -> InfectionForce:
    """Force of infection."""
    return contact_rate * infected


@region.formula(source="Capasso and Serio 1978")
def saturated_force(
    k: Builder, contact_rate: ContactRate, infected: Infected, saturation: Annotated[Expr, Setting(1.0, 10.0)]
) -> InfectionForce:
    """Force of infection with saturating contacts."""
    return bounded(contact_rate * infected / (1.0 + saturation * infected), 0.0, 10.0)


@region.formula(source=KERMACK, goal=False)
def infections(k: Builder, susceptible: Susceptible, infection_force: InfectionForce, dt: Dt) -> NewCases:
    """New infections."""
    return susceptible * infection_force * dt


@region.formula(source="Keeling and Rohani 2008", teaches=("transcendental",))
def escaped_infections(
    k: Builder, susceptible: Susceptible, infection_force: InfectionForce, dt: Dt
) -> NewCases:
    """New infections by the escape probability."""
    return bounded(susceptible * (1.0 - ops.exp(-infection_force * dt)), 0.0, 1.0)


@region.formula(source="Anderson and May 1991", teaches=("parameters",))
def vaccine_cases(
    k: Builder, susceptible: Susceptible, vaccinated: Annotated[Expr, vaccinated],
    infection_force: InfectionForce,
    efficacy: Annotated[Expr, Setting(0.5, 0.95)], dt: Dt,
) -> NewCases:  # fmt: skip
    """New infections with a leaky vaccine."""
    return bounded(susceptible * (1.0 - efficacy * vaccinated) * infection_force * dt, 0.0, 10.0)


@region.formula(source=KERMACK)
def susceptible_step(k: Builder, susceptible: Susceptible, new_cases: NewCases) -> NewSusceptible:
    """Remove new cases from the susceptible fraction."""
    return ops.clamp(susceptible - new_cases, 0.0, 1.0)


@region.formula(source=KERMACK)
def infected_step(
    k: Builder, infected: Infected, new_cases: NewCases, recovery_rate: Recovery, dt: Dt
) -> NewInfected:
    """Advance the infected fraction by one Euler step."""
    return ops.clamp(infected + new_cases - dt * recovery_rate * infected, 0.0, 1.0)


@region.formula(source="Anderson and May 1991", teaches=("parameters",))
def exposed_step(
    k: Builder, exposed: Exposed, new_cases: NewCases, incubation_rate: Incubation, dt: Dt
) -> NewExposed:
    """Advance the exposed fraction by one Euler step."""
    return ops.clamp(exposed + new_cases - dt * incubation_rate * exposed, 0.0, 1.0)


@region.formula(source="Anderson and May 1991", teaches=("parameters",))
def incubated_step(
    k: Builder,
    infected: Infected,
    exposed: Exposed,
    incubation_rate: Incubation,
    recovery_rate: Recovery,
    dt: Dt,
) -> NewInfected:
    """Advance the infected fraction of an SEIR model."""
    change = incubation_rate * exposed - recovery_rate * infected
    return ops.clamp(infected + dt * change, 0.0, 1.0)


@region.formula(source="Hethcote 2000", teaches=("loop", "parameters"))
def simulated_infected(
    k: Builder, susceptible: Susceptible, infected: Infected, contact_rate: ContactRate,
    recovery_rate: Recovery, dt: Dt,
    days: Annotated[Expr, Setting(5, 20, kind=whole)],
) -> NewInfected:  # fmt: skip
    """SIR model over several days."""
    s, i = k.var("s", susceptible, bounds=(0.0, 1.0)), k.var("infected_share", infected, bounds=(0.0, 1.0))
    with k.loop("_", 0, days):
        caught = k.let("infected", dt * contact_rate * s * i)
        k.set(s, bounded(s - caught, 0.0, 1.0))
        k.set(i, bounded(i + caught - dt * recovery_rate * i, 0.0, 1.0))
    return i


@region.formula(source="Kutta 1901", teaches=("parameters",))
def midpoint_infected(
    k: Builder,
    susceptible: Susceptible,
    infected: Infected,
    contact_rate: ContactRate,
    recovery_rate: Recovery,
    dt: Dt,
) -> NewInfected:
    """Midpoint step of the SIR model."""
    caught = k.let("infected", contact_rate * susceptible * infected)
    half_s = k.let("half_susceptible", susceptible - 0.5 * dt * caught)
    half_i = k.let("half_infected", infected + 0.5 * dt * (caught - recovery_rate * infected))
    change = contact_rate * half_s * half_i - recovery_rate * half_i
    return ops.clamp(infected + dt * change, 0.0, 1.0)


@region.formula(source="Diekmann and Heesterbeek 2000")
def effective_reproduction(
    k: Builder, contact_rate: ContactRate, susceptible: Susceptible, recovery_rate: Recovery
) -> Reproduction:
    """Effective reproduction number."""
    return contact_rate * susceptible / recovery_rate


@region.formula(source="Wallinga and Lipsitch 2007", teaches=("transcendental", "parameters"))
def growth_reproduction(
    k: Builder, infected: Infected, new_infected: NewInfected,
    incubation_rate: Incubation, recovery_rate: Recovery,
    observed_days: Annotated[Expr, Setting(3.0, 10.0)],
) -> Reproduction:  # fmt: skip
    """Reproduction number from the growth of cases."""
    growth = ops.log(ops.max(new_infected, 1e-4) / ops.max(infected, 1e-4)) / observed_days
    growth = k.let("growth", growth)
    product = (1.0 + growth / incubation_rate) * (1.0 + growth / recovery_rate)
    return bounded(ops.clamp(product, 0.0, 100.0), 0.0, 100.0)


@region.formula(source=KERMACK, teaches=("loop", "iteration", "transcendental"))
def epidemic_final_size(
    k: Builder, reproduction_number: Reproduction, rounds: Annotated[Expr, Setting(5, 15, kind=whole)]
) -> Annotated[Expr, final_size]:
    """Final size of an SIR epidemic."""
    size = k.var("final_size", 0.8, bounds=(0.0, 1.0))
    with k.loop("_", 0, rounds):
        k.set(size, bounded(1.0 - ops.exp(-reproduction_number * size), 0.0, 1.0))
    return size


@region.formula(teaches=("branches",))
def warning_level(k: Builder, infected: Infected, new_cases: NewCases) -> Annotated[Expr, alert_level]:
    """Alert level from infections and new cases."""
    level = k.var("level", 0, type=I32)
    with k.when(infected > 0.2):
        k.set(level, 3)
    with k.orwhen((infected > 0.1) | (new_cases > 0.01)):
        k.set(level, 2)
    with k.orwhen(infected > 0.05):
        k.set(level, 1)
    return level


# Populations of prey, predators and plants.

patch = Domain("patch", index=("i", "patch"))

prey = Quantity("prey", 0.2, 3.0, plural="prey_densities", least=0.0, most=100.0)
predator = Quantity("predator", 0.1, 2.0, plural="predator_densities", least=0.0, most=100.0)
capacity = Quantity("capacity", 1.0, 4.0, plural="capacities")
growth_rate = Quantity("growth_rate", -1.0, 1.0, least=-1e4, most=1e4)
intake = Quantity("intake", 0.0, 1.5, least=0.0, most=1e3)
predator_growth = Quantity("predator_growth", -1.0, 1.0, least=-1e5, most=1e5)
new_prey = Quantity("new_prey", 0.0, 4.0, plural="new_prey_densities", least=0.0, most=1e3, updates=prey)
new_predator = Quantity(
    "new_predator", 0.0, 4.0, plural="new_predator_densities", least=0.0, most=1e3, updates=predator
)
yield_ = Quantity("harvest", 0.0, 1.0, least=0.0, most=1e3, additive=True)
recovery = Quantity("recovery_time", 0, 40, whole, least=0, most=40)
rainfall = Quantity("rainfall", 0.0, 2.0)

Prey = Annotated[Expr, prey]
Predator = Annotated[Expr, predator]
Capacity = Annotated[Expr, capacity]
GrowthRate = Annotated[Expr, growth_rate]
Intake = Annotated[Expr, intake]
PredatorGrowth = Annotated[Expr, predator_growth]
NewPrey = Annotated[Expr, new_prey]
NewPredator = Annotated[Expr, new_predator]
Harvest = Annotated[Expr, yield_]
TopGrowth = Annotated[Expr, Setting(0.3, 1.2)]
Attack = Annotated[Expr, Setting(0.3, 1.0)]
Handling = Annotated[Expr, Setting(0.2, 1.0)]
Mortality = Annotated[Expr, Setting(0.1, 0.5)]
Efficiency = Annotated[Expr, Setting(0.2, 0.8)]


@patch.formula(source="Verhulst 1838", goal=False)
def logistic_growth(k: Builder, prey: Prey, capacity: Capacity, top_growth: TopGrowth) -> GrowthRate:
    """Logistic growth rate."""
    return top_growth * prey * (1.0 - prey / capacity)


@patch.formula(source="Gompertz 1825", teaches=("transcendental",))
def gompertz_growth(k: Builder, prey: Prey, capacity: Capacity, top_growth: TopGrowth) -> GrowthRate:
    """Gompertz growth rate."""
    return top_growth * prey * ops.log(capacity / ops.max(prey, 0.001))


@patch.formula(source="Allee 1931")
def allee_growth(
    k: Builder,
    prey: Prey,
    capacity: Capacity,
    top_growth: TopGrowth,
    allee_threshold: Annotated[Expr, Setting(0.2, 0.8)],
) -> GrowthRate:
    """Growth rate with an Allee effect."""
    return top_growth * prey * (1.0 - prey / capacity) * (prey / allee_threshold - 1.0)


@patch.formula(source="Richards 1959", teaches=("transcendental", "parameters"))
def richards_growth(
    k: Builder,
    prey: Prey,
    capacity: Capacity,
    top_growth: TopGrowth,
    shape: Annotated[Expr, Setting(0.5, 2.0)],
) -> GrowthRate:
    """Richards growth rate."""
    return bounded(top_growth * prey * (1.0 - ops.pow(ops.max(prey, 0.001) / capacity, shape)), -1e4, 1e4)


RESPONSES: tuple[tuple[str, str, tuple[str, ...], Callable[[Expr, Expr, Expr], Expr]], ...] = (
    ("linear_intake", "Linear functional response", (), lambda x, a, h: ops.min(a * x, 1.0 / h)),
    ("holling_intake", "Holling type II functional response", (), lambda x, a, h: a * x / (1.0 + a * h * x)),
    ("sigmoid_intake", "Holling type III functional response", (),
     lambda x, a, h: a * (x * x) / (1.0 + a * h * (x * x))),
    ("ivlev_intake", "Ivlev functional response", ("transcendental",),
     lambda x, a, h: (1.0 - ops.exp(-a * x)) / h),
)  # fmt: skip


def _response(name: str, how: str, teaches: tuple[str, ...], law: Callable[[Expr, Expr, Expr], Expr]) -> None:
    @patch.formula(name=name, doc=f"{how}.", source="Holling 1959", teaches=teaches)
    def response(k: Builder, prey: Prey, attack_rate: Attack, handling_time: Handling) -> Intake:
        return bounded(law(prey, attack_rate, handling_time), 0.0, 100.0)


for _one in RESPONSES:
    _response(*_one)


@patch.formula(source="Beddington 1975", teaches=("parameters",))
def crowded_intake(
    k: Builder, prey: Prey, predator: Predator, attack_rate: Attack, handling_time: Handling,
    interference: Annotated[Expr, Setting(0.1, 0.8)],
) -> Intake:  # fmt: skip
    """Beddington-DeAngelis functional response."""
    return bounded(
        attack_rate * prey / (1.0 + attack_rate * handling_time * prey + interference * predator), 0.0, 100.0
    )


@patch.formula(source="Lotka 1925", goal=False)
def converted_growth(
    k: Builder, predator: Predator, intake: Intake, efficiency: Efficiency, mortality: Mortality
) -> PredatorGrowth:
    """Predator growth rate."""
    return predator * (efficiency * intake - mortality)


@patch.formula(source="Lotka 1925")
def prey_step(
    k: Builder, prey: Prey, predator: Predator, growth_rate: GrowthRate, intake: Intake, dt: Dt
) -> NewPrey:
    """Advance the prey by one Euler step."""
    return bounded(ops.max(prey + dt * (growth_rate - intake * predator), 0.0), 0.0, 1e3)


@patch.formula(source="Lotka 1925")
def predator_step(k: Builder, predator: Predator, predator_growth: PredatorGrowth, dt: Dt) -> NewPredator:
    """Advance the predators by one Euler step."""
    return bounded(ops.max(predator + dt * predator_growth, 0.0), 0.0, 1e3)


@patch.formula(teaches=("branch", "parameters"))
def harvested_prey(
    k: Builder, prey: Prey, growth_rate: GrowthRate, quota: Annotated[Expr, Setting(0.1, 0.5)],
    protected_density: Annotated[Expr, Setting(0.5, 1.5)], dt: Dt,
) -> NewPrey:  # fmt: skip
    """Harvested population with a protected minimum."""
    taken = k.let("harvest", either(k, "taken", prey > protected_density, quota, 0.0))
    return bounded(ops.max(prey + dt * (growth_rate - taken), 0.0), 0.0, 1e3)


def prey_slope(k: Builder, settings: Sequence[Expr], x: Expr, y: Expr, number: int) -> Expr:
    """The growth of the prey in the Lotka-Volterra equations."""
    growth, attack, _, _ = settings
    return k.let(f"prey_slope{number}", growth * x - attack * x * y)


def predator_slope(k: Builder, settings: Sequence[Expr], x: Expr, y: Expr, number: int) -> Expr:
    """The growth of the predators in the Lotka-Volterra equations."""
    _, attack, efficiency, mortality = settings
    return k.let(f"predator_slope{number}", efficiency * attack * x * y - mortality * y)


def _runge_kutta(name: str, how: str, stages: Sequence[tuple[float, float]]) -> None:
    """Each stage's place in the step, and how much of the result it is."""

    @patch.formula(
        name=name,
        doc=f"Lotka-Volterra step by {how}.",
        source="Lotka 1925",
        teaches=("parameters",),
    )
    def advanced(
        k: Builder, prey: Prey, predator: Predator, top_growth: TopGrowth, attack_rate: Attack,
        efficiency: Efficiency, mortality: Mortality, dt: Dt,
    ) -> NewPrey:  # fmt: skip
        settings = (top_growth, attack_rate, efficiency, mortality)
        x, y = prey, predator
        slope = prey_slope(k, settings, x, y, 1)
        total = stages[0][1] * slope
        for number, (place, share) in enumerate(stages[1:], 1):
            other = predator_slope(k, settings, x, y, number)
            x = k.let(f"prey{number}", prey + place * dt * slope)
            y = k.let(f"predator{number}", predator + place * dt * other)
            slope = prey_slope(k, settings, x, y, number + 1)
            total = total + share * slope
        return bounded(ops.max(prey + dt * total, 0.0), 0.0, 1e3)


_runge_kutta("heun_prey", "Heun's method", ((0.0, 0.5), (1.0, 0.5)))
_runge_kutta("ralston_prey", "Ralston's method", ((0.0, 0.25), (0.666667, 0.75)))
_runge_kutta(
    "runge_kutta_prey", "the classical Runge-Kutta method",
    ((0.0, 0.166667), (0.5, 0.333333), (0.5, 0.333333), (1.0, 0.166667)),
)  # fmt: skip


@patch.formula(source="May 1976", teaches=("loop",))
def mapped_prey(
    k: Builder,
    prey: Prey,
    capacity: Capacity,
    top_growth: TopGrowth,
    generations: Annotated[Expr, Setting(3, 12, kind=whole)],
) -> NewPrey:
    """Iterate the logistic map."""
    share = k.var("share", bounded(ops.min(prey / capacity, 0.95), 0.0, 1.0), bounds=(0.0, 1.0))
    with k.loop("_", 0, generations):
        k.set(share, bounded(ops.clamp(share + top_growth * share * (1.0 - share), 0.0, 1.0), 0.0, 1.0))
    return bounded(share * capacity, 0.0, 4.0)


@patch.formula(source="Ricker 1954", teaches=("loop", "transcendental"))
def ricker_prey(
    k: Builder,
    prey: Prey,
    capacity: Capacity,
    top_growth: TopGrowth,
    generations: Annotated[Expr, Setting(3, 12, kind=whole)],
) -> NewPrey:
    """Iterate the Ricker model."""
    value = k.var("density", prey, bounds=(0.0, 100.0))
    with k.loop("_", 0, generations):
        k.set(value, bounded(value * ops.exp(top_growth * (1.0 - value / capacity)), 0.0, 100.0))
    return value


@patch.formula(source="Schaefer 1954")
def sustained_harvest(
    k: Builder,
    prey: Prey,
    effort: Annotated[Expr, Setting(0.1, 0.5)],
    catchability: Annotated[Expr, Setting(0.2, 0.9)],
) -> Harvest:
    """Harvest from fishing effort and stock."""
    return effort * catchability * prey
