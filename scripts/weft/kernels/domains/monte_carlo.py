"""Monte Carlo: prices from paths, integrals, Markov chains, spins, walkers and events in time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.draws import drawn, drawn_int, stream
from weft.kernels.domains.elementary import as_float
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.neighbors import Field, around
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.types import Vector

HULL, GLASSERMAN, HAMMERSLEY = "Hull 2021", "Glasserman 2003", "Hammersley and Handscomb 1964"
Paths = Annotated[Expr, Setting(6, 16, "p", whole)]
Steps = Annotated[Expr, Setting(4, 8, "p", whole)]
Samples = Annotated[Expr, Setting(8, 32, "p", whole)]
Rate = Annotated[Expr, Setting(0.01, 0.08)]
Unit = Annotated[Expr, Setting(0.2, 0.8)]
Scale = Annotated[Expr, Setting(0.5, 2.0)]


def add(
    domain: Domain,
    name: str,
    doc: str,
    source: str,
    gives: Any,
    function: Callable[..., Expr],
    takes: Mapping[str, Any],
) -> None:
    """A formula of a table."""
    function.__annotations__ = {**takes, "return": gives}
    domain.formula(name=name, doc=doc, source=source, teaches=("loop",))(function)


def mean(k: Builder, name: str, count: Expr, term: Callable[[], Expr], high: float = 1e9) -> Expr:
    """The mean of a term that is drawn so many times."""
    stream(k)
    total = k.var("total", 0.0, bounds=(-high, high))
    with k.loop(name, 0, count):
        k.set(total, bounded(total + term(), -high, high))
    return total / as_float(k, count)


priced = Domain("option", index=("i", "option", "idx"))

spot = Quantity("spot", 80.0, 125.0, least=75.0, most=130.0)
strike = Quantity("strike", 80.0, 120.0, least=1.0, most=2e3)
volatility = Quantity("volatility", 0.1, 0.5, plural="volatilities", least=0.01, most=2.0)
maturity = Quantity("maturity", 0.25, 2.0, plural="maturities", least=0.2, most=2.1)
price = Quantity("price", 1.0, 30.0, least=0.0, most=1e9)

Spot = Annotated[Expr, spot]
Strike = Annotated[Expr, strike]
Volatility = Annotated[Expr, volatility]
Maturity = Annotated[Expr, maturity]
Price = Annotated[Expr, price]
MARKET: dict[str, Any] = {
    "spot": Spot,
    "strike": Strike,
    "volatility": Volatility,
    "maturity": Maturity,
    "rate": Rate,
}


Step = Callable[[Name], None]
Begin = Callable[[], Step]
Model = Callable[[Builder, Expr, Expr, Expr], Begin]


def positive(value: Expr) -> Expr:
    """A simulated price."""
    return bounded(value, 1e-6, 1e8)


def grown(price: Expr, growth: Expr) -> Expr:
    """A price after a logarithmic growth."""
    return positive(price * ops.exp(bounded(growth, -20.0, 20.0)))


def geometric(k: Builder, rate: Expr, volatility: Expr, dt: Expr) -> Begin:
    """Steps of geometric Brownian motion, which are exact."""
    drift = k.let("drift", (rate - 0.5 * volatility * volatility) * dt)
    spread = k.let("spread", volatility * ops.sqrt(dt))

    def step(price: Name) -> None:
        k.set(price, grown(price, drift + spread * drawn(k, "randn")))

    return lambda: step


def heston(k: Builder, rate: Expr, volatility: Expr, dt: Expr) -> Begin:
    """Euler steps of Heston's model with full truncation."""
    root = k.let("root_dt", ops.sqrt(dt))

    def begin() -> Step:
        variance = k.var("variance", volatility * volatility, bounds=(-100.0, 100.0))

        def step(price: Name) -> None:
            first, second = k.let("first", drawn(k, "randn")), k.let("second", drawn(k, "randn"))
            held = k.let("positive_variance", ops.max(variance, 0.0))
            shock = k.let("shock", root * ops.sqrt(held))
            k.set(price, grown(price, (rate - 0.5 * held) * dt + shock * first))
            kick = 0.3 * shock * (0.8 * second - 0.6 * first)
            k.set(variance, bounded(variance + 2.0 * (0.06 - held) * dt + kick, -100.0, 100.0))

        return step

    return begin


def jumps(k: Builder, rate: Expr, volatility: Expr, dt: Expr) -> Begin:
    """Steps of Merton's jump diffusion, at most one jump a step."""
    diffuse = geometric(k, rate, volatility, dt)()
    chance = k.let("jump_chance", 0.8 * dt)

    def step(price: Name) -> None:
        diffuse(price)
        with k.when(drawn(k) < chance):
            k.set(price, grown(price, 0.15 * drawn(k, "randn") - 0.05))

    return lambda: step


def local(k: Builder, rate: Expr, volatility: Expr, dt: Expr) -> Begin:
    """Euler steps with a volatility that falls with the root of the price."""
    spread = k.let("spread", 10.0 * volatility * ops.sqrt(dt))

    def step(price: Name) -> None:
        change = rate * price * dt + spread * ops.sqrt(price) * drawn(k, "randn")
        k.set(price, positive(ops.max(price + change, 1e-6)))

    return lambda: step


Track = Callable[[Builder, Name, Expr], tuple[Callable[[], None], Callable[[], Expr]]]


def nothing() -> None:
    """Payoffs of the last price keep nothing."""


def average(k: Builder, price: Name, count: Expr) -> tuple[Callable[[], None], Callable[[], Expr]]:
    """Keep the sum of prices, for their mean."""
    total = k.var("price_sum", 0.0, bounds=(0.0, 1e9))
    return lambda: k.set(total, bounded(total + price, 0.0, 1e9)), lambda: total / as_float(k, count)


def extreme(kind: str) -> Track:
    """Keep the largest or smallest price."""

    def track(k: Builder, price: Name, _: Expr) -> tuple[Callable[[], None], Callable[[], Expr]]:
        found = k.var("peak" if kind == "max" else "trough", price, bounds=(1e-6, 1e8))
        return lambda: k.set(found, getattr(ops, kind)(found, price)), lambda: found

    return track


def last(_: Builder, price: Name, __: Expr) -> tuple[Callable[[], None], Callable[[], Expr]]:
    """The last price alone."""
    return nothing, lambda: price


Payoff = Callable[[Builder, Expr, Expr, Expr], Expr]
_MODELS: tuple[tuple[str, str, str, Model], ...] = (
    ("gbm", "geometric Brownian motion", "Boyle 1977", geometric),
    ("heston", "Heston's model", "Heston 1993", heston),
    ("merton", "Merton's jump diffusion", "Merton 1976", jumps),
    ("root", "the square-root CEV model", "Cox 1975", local),
)
_TOLD = {
    "gbm": "Steps of the logarithm are exact",
    "heston": "The variance reverts to 0.06 at rate 2, with volatility 0.3 and correlation -0.6",
    "merton": "Jumps of the logarithm come at rate 0.8, with mean -0.05 and deviation 0.15",
    "root": "The volatility is the given one at a price of 100",
}
_PAYOFFS: tuple[tuple[str, str, Track, Payoff], ...] = (
    ("call", "a call", last, lambda k, seen, price, strike: ops.max(price - strike, 0.0)),
    ("put", "a put", last, lambda k, seen, price, strike: ops.max(strike - price, 0.0)),
    ("digital", "a digital call that pays 10", last,
     lambda k, seen, price, strike: conditional(price > strike, lift(10.0, k.real), 0.0)),
    ("asian", "an Asian call", average, lambda k, seen, price, strike: ops.max(seen - strike, 0.0)),
    ("floating_asian", "an Asian call with floating strike", average,
     lambda k, seen, price, _: ops.max(price - seen, 0.0)),
    ("lookback", "a lookback put", extreme("max"), lambda k, seen, price, _: seen - price),
    ("fixed_lookback", "a lookback call with fixed strike", extreme("max"),
     lambda k, seen, price, strike: ops.max(seen - strike, 0.0)),
    ("up_and_out", "an up-and-out call with a barrier at 1.5 strikes", extreme("max"),
     lambda k, seen, price, strike: conditional(seen < 1.5 * strike, ops.max(price - strike, 0.0), 0.0)),
    ("down_and_in", "a down-and-in put with a barrier at 0.8 strikes", extreme("min"),
     lambda k, seen, price, strike: conditional(seen < 0.8 * strike, ops.max(strike - price, 0.0), 0.0)),
)  # fmt: skip

for _name, _by, _source, _model in _MODELS:
    for _payoff, _what, _track, _value in _PAYOFFS:

        def _simulated(
            k: Builder, spot: Expr, volatility: Expr, maturity: Expr, rate: Expr, paths: Expr, steps: Expr,
            strike: Expr | None = None,
            _model: Model = _model, _track: Track = _track, _value: Payoff = _value,
        ) -> Expr:  # fmt: skip
            dt = k.let("dt", bounded(maturity / as_float(k, steps), 0.02, 1.0))
            begin = _model(k, rate, volatility, dt)

            def payoff() -> Expr:
                asset = k.var("asset", spot, bounds=(1e-6, 1e8))
                step = begin()
                update, seen = _track(k, asset, steps)
                with k.loop("step", 0, steps):
                    step(asset)
                    update()
                return bounded(_value(k, seen(), asset, spot if strike is None else strike), 0.0, 1e8)

            return bounded(ops.exp(-rate * maturity) * mean(k, "path", paths, payoff), 0.0, 1e9)

        _takes: dict[str, Any] = {**MARKET, "paths": Paths, "steps": Steps}
        if "strike" not in _value.__code__.co_varnames:
            del _takes["strike"]
        _doc = f"Monte Carlo price of {_what} under {_by}. {_TOLD[_name]}."
        add(priced, f"{_name}_{_payoff}", _doc, _source, Price, _simulated, _takes)

_ENDS: tuple[tuple[str, str, Payoff], ...] = (
    ("call", "a call", _PAYOFFS[0][3]),
    ("put", "a put", _PAYOFFS[1][3]),
)


for _payoff, _what, _value in _ENDS:
    for _technique, _words, _opposed, _told in (
        ("direct", "Monte Carlo", False, "Final prices are lognormal, so that one step is exact"),
        ("antithetic", "Antithetic Monte Carlo", True, "Each normal number is used with both signs"),
    ):

        def _drawn_end(
            k: Builder, spot: Expr, strike: Expr, volatility: Expr, maturity: Expr, rate: Expr, paths: Expr,
            _value: Payoff = _value, _opposed: bool = _opposed,
        ) -> Expr:  # fmt: skip
            drift = k.let("drift", (rate - 0.5 * volatility * volatility) * maturity)
            spread = k.let("spread", volatility * ops.sqrt(maturity))

            def value(shock: Expr) -> Expr:
                price = k.let("asset", grown(spot, drift + spread * shock))
                return bounded(_value(k, price, price, strike), 0.0, 1e7)

            def term() -> Expr:
                shock = k.let("shock", drawn(k, "randn"))
                return 0.5 * (value(shock) + value(-shock)) if _opposed else value(shock)

            return bounded(ops.exp(-rate * maturity) * mean(k, "path", paths, term), 0.0, 1e9)

        _doc = f"{_words} price of {_what}. {_told}."
        _takes = {**MARKET, "paths": Paths}
        add(priced, f"{_technique}_{_payoff}", _doc, GLASSERMAN, Price, _drawn_end, _takes)

region = Domain("interval", index=("i", "idx", "interval"))

lower = Quantity("lower", 0.0, 1.0)
width = Quantity("width", 0.5, 2.0, least=0.1, most=10.0)
steepness = Quantity("steepness", 0.5, 2.0, plural="steepness_values")
integral = Quantity("integral", 0.0, 2.0, least=-1e4, most=1e4)

Lower = Annotated[Expr, lower]
Width = Annotated[Expr, width]
Integral = Annotated[Expr, integral]
Integrand = Callable[[Expr, Expr], Expr]


@region.formula(goal=False)
def width_between(k: Builder, lower: Lower, upper: Annotated[Expr, Quantity("upper", 1.5, 3.0)]) -> Width:
    """Width of the interval."""
    return upper - lower


_INTEGRANDS: tuple[tuple[str, str, Integrand], ...] = (
    ("gaussian", "a bell curve", lambda x, a: ops.exp(-a * x * x)),
    ("decaying_wave", "a decaying wave", lambda x, a: ops.exp(-a * x) * ops.cos(4.0 * x)),
    ("planck", "Planck's law", lambda x, a: x * x * x / (ops.exp(a * x + 0.01) - 1.0)),
    ("lorentzian", "a Lorentz curve", lambda x, a: 1.0 / (1.0 + a * x * x)),
)


def _uniform(k: Builder, value: Callable[[Expr], Expr], sample: Name, count: Expr) -> Expr:
    return value(k.let("u", drawn(k)))


def _antithetic(k: Builder, value: Callable[[Expr], Expr], sample: Name, count: Expr) -> Expr:
    u = k.let("u", drawn(k))
    return 0.5 * (value(u) + value(1.0 - u))


def _stratified(k: Builder, value: Callable[[Expr], Expr], sample: Name, count: Expr) -> Expr:
    return value(k.let("u", bounded((convert(k.real, sample) + drawn(k)) / as_float(k, count), 0.0, 1.0)))


for _curve, _what, _integrand in _INTEGRANDS:
    for _technique, _words, _draw, _told in (
        ("uniform", "Monte Carlo", _uniform, "The mean of the samples is multiplied by the width"),
        ("antithetic", "Antithetic Monte Carlo", _antithetic,
         "Each sample is paired with its mirror image in the interval"),
        ("stratified", "Stratified Monte Carlo", _stratified,
         "The interval is divided into as many equal parts as there are samples"),
    ):  # fmt: skip

        def _integrated(
            k: Builder, lower: Expr, width: Expr, steepness: Expr, samples: Expr,
            _integrand: Integrand = _integrand, _draw: Callable[..., Expr] = _draw,
        ) -> Expr:  # fmt: skip
            stream(k)
            total = k.var("total", 0.0, bounds=(-1e6, 1e6))

            def value(u: Expr) -> Expr:
                x = k.let("x", bounded(lower + width * u, 0.0, 5.0))
                return bounded(_integrand(x, steepness), -100.0, 100.0)

            with k.loop("sample", 0, samples) as sample:
                k.set(total, bounded(total + _draw(k, value, sample, samples), -1e6, 1e6))
            return bounded(width * total / as_float(k, samples), -1e4, 1e4)

        _doc = f"{_words} integral of {_what}. {_told}."
        _takes = {"lower": Lower, "width": Width, "steepness": Annotated[Expr, steepness], "samples": Samples}
        add(region, f"{_technique}_{_curve}", _doc, HAMMERSLEY, Integral, _integrated, _takes)

square = Domain("square", index=("i", "idx", "square"))

side = Quantity("side", 0.5, 2.0)
area = Quantity("area", 0.1, 2.0, least=0.0, most=100.0)
Shape = Callable[[Expr, Expr, Expr], Expr]
_SHAPES: tuple[tuple[str, str, Shape], ...] = (
    ("ellipse", "an ellipse", lambda x, y, a: x * x + y * y / (a * a) < 1.0),
    ("lens", "a lens of two disks", lambda x, y, a: (ops.abs(x) + a) * (ops.abs(x) + a) + y * y < 1.0),
    ("astroid", "an astroid", lambda x, y, a: ops.sqrt(ops.abs(x)) + ops.sqrt(ops.abs(y)) < a),
    ("ring", "a ring", lambda x, y, a: (x * x + y * y < 1.0) & (x * x + y * y > a * a)),
)

for _shape, _what, _inside in _SHAPES:

    def _covered(k: Builder, side: Expr, opening: Expr, samples: Expr, _inside: Shape = _inside) -> Expr:
        def hit() -> Expr:
            x, y = k.let("x", drawn(k, "randf", -1.0, 1.0)), k.let("y", drawn(k, "randf", -1.0, 1.0))
            return conditional(_inside(x, y, opening), lift(1.0, k.real), 0.0)

        return bounded(side * side * mean(k, "sample", samples, hit), 0.0, 100.0)

    add(square, f"{_shape}_area", f"Area of {_what} by Monte Carlo. "
                                  "It is the share of random points inside, times the area of the square.",
        HAMMERSLEY, Annotated[Expr, area], _covered,
        {"side": Annotated[Expr, side], "opening": Unit, "samples": Samples})  # fmt: skip

lattice = Domain("spin", ranks=(2,))

spin = Quantity("state", 0, 1, whole)
new_spin = Quantity("new_state", 0, 1, whole, least=0, most=1, updates=spin)
color = Quantity("color", 0, 3, whole)
new_color = Quantity("new_color", 0, 3, whole, least=0, most=3, updates=color)

Spin = Annotated[Expr, spin]
Spins = Annotated[ArrayHandle, spin]
NewSpin = Annotated[Expr, new_spin]
Color = Annotated[Expr, color]
Colors = Annotated[ArrayHandle, color]
INSIDE = ("periodic", "clamped")


def sum_of(near: Field) -> Expr:
    """The sum of the four neighbours."""
    (up, down), (left, right) = near.pair(0), near.pair(1)
    return up + down + left + right


def same(k: Builder, one: Expr, other: Expr) -> Expr:
    """One where two colors are the same, else zero."""
    return conditional(one.equals(other), lift(1.0, k.real), 0.0)


def rise(k: Builder, state: Expr, states: ArrayHandle, field: Expr) -> Expr:
    """The energy that it takes to turn a spin of the Ising model, stored as 0 or 1."""
    total = k.let("neighbor_sum", sum_of(around(k, states, INSIDE)))
    pull = k.let("local_field", convert(k.real, 2 * total - 4) + field)
    return k.let("energy_rise", 2.0 * convert(k.real, 2 * state - 1) * pull)


@lattice.formula(source="Metropolis et al. 1953", teaches=("branch",))
def metropolis_flip(k: Builder, state: Spin, states: Spins, beta: Unit, field: Unit) -> NewSpin:
    """Metropolis update of an Ising spin. Spins are stored as 0 and 1, and `beta` is the inverse
    temperature.
    """
    flips = drawn(k) < ops.exp(-beta * ops.max(rise(k, state, states, field), 0.0))
    return bounded(conditional(flips, 1 - state, state), 0, 1)


@lattice.formula(source="Glauber 1963", teaches=("branch",))
def glauber_flip(k: Builder, state: Spin, states: Spins, beta: Unit, field: Unit) -> NewSpin:
    """Glauber update of an Ising spin. Spins are stored as 0 and 1, and `beta` is the inverse temperature."""
    flips = drawn(k) < 1.0 / (1.0 + ops.exp(beta * rise(k, state, states, field)))
    return bounded(conditional(flips, 1 - state, state), 0, 1)


@lattice.formula(source="Preis et al. 2009", teaches=("branch",))
def checkerboard_flip(k: Builder, state: Spin, states: Spins, beta: Unit, field: Unit) -> NewSpin:
    """Heat-bath update of the even Ising sites. Spins are stored as 0 and 1, and odd sites keep theirs."""
    total = k.let("neighbor_sum", sum_of(around(k, states, INSIDE)))
    pull = k.let("local_field", convert(k.real, 2 * total - 4) + field)
    up = k.let("up", 1.0 / (1.0 + ops.exp(-2.0 * beta * pull)))
    found = k.var("new_state", state, bounds=(0, 1))
    with k.when(((k.index[0] + k.index[1]) % 2).equals(0)):
        k.set(found, conditional(drawn(k) < up, lift(1, I32), 0))
    return found


@lattice.formula(source="Potts 1952", teaches=("branch",))
def potts_step(k: Builder, color: Color, colors: Colors, beta: Scale) -> Annotated[Expr, new_color]:
    """Metropolis update of a four-state Potts spin. A random color is accepted by the change in the number of
    equal neighbors.
    """
    near = around(k, colors, INSIDE)
    trial = k.let("trial", drawn_int(k, 0, 4))
    gain = k.var("gain", 0.0)
    for axis in (0, 1):
        for one in near.pair(axis):
            k.add(gain, same(k, one, trial) - same(k, one, color))
    accepted = drawn(k) < ops.exp(bounded(beta * gain, -8.0, 8.0))
    return conditional(accepted, trial, color)


walker = Domain("walker", index=("i", "walker", "idx"))

passed = Quantity("step_count", 0, 40, whole, least=0, most=64, additive=True)
StepCount = Annotated[Expr, passed]
fate = Quantity("fate", 0, 2, whole, least=0, most=2)
thickness = Quantity("thickness", 0.5, 3.0, plural="thicknesses")


@walker.formula(source="Metropolis and Ulam 1949", teaches=("loop", "branch"))
def photon_fate(
    k: Builder, thickness: Annotated[Expr, thickness], albedo: Unit, collisions: Samples
) -> Annotated[Expr, fate]:
    """Fate of a photon in a scattering slab. It is 1 for a reflected photon, 2 for a transmitted one, and 0
    otherwise.
    """
    stream(k)
    depth, cosine = k.var("depth", 0.0, bounds=(-1e3, 1e3)), k.var("cosine", 1.0, bounds=(-1.0, 1.0))
    found = k.var("fate", 0, type=I32, bounds=(0, 2))
    with k.loop("_", 0, collisions):
        k.set(depth, bounded(depth - cosine * ops.log(1.0 - drawn(k)), -1e3, 1e3))
        with k.when(depth < 0.0):
            k.set(found, 1)
            k.jump("break")
        with k.when(depth > thickness):
            k.set(found, 2)
            k.jump("break")
        with k.when(drawn(k) > albedo):
            k.jump("break")
        k.set(cosine, drawn(k, "randf", -1.0, 1.0))
    return found


@lattice.formula(source="Clifford and Sudbury 1973", teaches=("branch",))
def voter_step(k: Builder, colors: Colors) -> Annotated[Expr, new_color]:
    """Voter model step. Each cell takes the color of a random neighbor."""
    near = around(k, colors, INSIDE)
    offset = k.let("offset", 2 * drawn_int(k, 0, 2) - 1)
    chosen = k.var("chosen", 0, type=I32, bounds=(0, 3))
    with k.when(drawn(k) < 0.5):
        k.set(chosen, near.along(1, offset))
    with k.otherwise():
        k.set(chosen, near.along(0, offset))
    return chosen


@lattice.formula(source="Grassberger 1983", teaches=("branch",))
def epidemic_step(k: Builder, state: Spin, states: Spins, infection: Unit) -> NewSpin:
    """Contact process step. Infected cells stay so, and each infects a healthy neighbor with the given
    probability.
    """
    total = k.let("neighbor_sum", sum_of(around(k, states, INSIDE)))
    escape = k.let("escape", ops.pow(1.0 - infection, convert(k.real, total)))
    return conditional(state.equals(1) | (drawn(k) > escape), lift(1, I32), 0)


waited = Quantity("mean_wait", 0.0, 5.0, least=0.0, most=1e4, additive=True)
population = Quantity("population", 5, 20, whole, least=0, most=500)
new_population = Quantity(
    "new_population", 0, 40, whole, least=0, most=500, updates=population, additive=True
)


@walker.formula(source="Huygens 1657", teaches=("loop",))
def ruin_time(k: Builder, fortune: Annotated[Expr, Setting(2, 6, kind=whole)], winning: Unit) -> StepCount:
    """Number of rounds until a gambler's ruin, at most 40."""
    stream(k)
    held, rounds = k.var("fortune", fortune, bounds=(0, 64)), k.var("rounds", 0, type=I32, bounds=(0, 40))
    with k.repeat((held > 0) & (rounds < 40), 40):
        k.set(held, bounded(held + conditional(drawn(k) < winning, lift(1, I32), -1), 0, 64))
        k.set(rounds, bounded(rounds + 1, 0, 40))
    return rounds


@walker.formula(source="Lindley 1952", teaches=("loop",))
def queue_wait(k: Builder, load: Unit, customers: Samples) -> Annotated[Expr, waited]:
    """Mean waiting time in a queue by Lindley's recursion. The mean time between customers is 1, and the mean
    service time is `load`.
    """
    stream(k)
    wait = k.var("wait", 0.0, bounds=(0.0, 1e3))

    def term() -> Expr:
        service, gap = -load * ops.log(1.0 - drawn(k)), -ops.log(1.0 - drawn(k))
        k.set(wait, bounded(ops.max(wait + service - gap, 0.0), 0.0, 1e3))
        return wait

    return bounded(mean(k, "customer", customers, term, 1e6), 0.0, 1e4)


@walker.formula(source="Gillespie 1977", teaches=("loop", "branch"))
def birth_and_death(
    k: Builder, population: Annotated[Expr, population], birth_share: Unit, events: Samples
) -> Annotated[Expr, new_population]:
    """Population after a birth-death process. An extinct population stays at 0."""
    stream(k)
    count = k.var("count", population, bounds=(0, 500))
    with k.loop("_", 0, events):
        with k.when(count.equals(0)):
            k.jump("break")
        k.set(count, bounded(count + conditional(drawn(k) < birth_share, lift(1, I32), -1), 0, 500))
    return count


position = Quantity("position", -1.0, 1.0, vector(2))
new_position = Quantity("new_position", -1.0, 1.0, vector(2), least=-1e4, most=1e4, updates=position)
Place = Annotated[Expr, position]
NewPlace = Annotated[Expr, new_position]


@walker.formula(source="Pólya 1921", teaches=("loop", "branch"))
def return_time(k: Builder, longest: Samples) -> StepCount:
    """Return time of a random walk on the square lattice. Walks that do not return in time count their full
    length.
    """
    stream(k)
    x, y, steps = (k.var(name, 0, type=I32, bounds=(-64, 64)) for name in ("x", "y", "steps"))
    with k.loop("_", 0, longest):
        change = k.let("change", 2 * drawn_int(k, 0, 2) - 1)
        with k.when(drawn(k) < 0.5):
            k.set(x, bounded(x + change, -64, 64))
        with k.otherwise():
            k.set(y, bounded(y + change, -64, 64))
        k.set(steps, bounded(steps + 1, 0, 64))
        with k.when(x.equals(0) & y.equals(0)):
            k.jump("break")
    return bounded(steps, 0, 64)


@walker.formula(source="Einstein 1905", teaches=("loop",))
def boxed_diffusion(k: Builder, position: Place, step_size: Unit, steps: Samples) -> NewPlace:
    """Position after diffusion between reflecting walls. Walls are at -1 and 1 along both axes."""
    stream(k)
    x, y = (k.var(name, position[axis], bounds=(-100.0, 100.0)) for axis, name in enumerate("xy"))
    with k.loop("_", 0, steps):
        for one in (x, y):
            moved = k.let("proposal", one + 0.2 * step_size * drawn(k, "randn"))
            folded = conditional(ops.abs(moved) > 1.0, 2.0 * ops.sign(moved) - moved, moved)
            k.set(one, bounded(folded, -100.0, 100.0))
    return construct(Vector(2, k.real), x, y)


@walker.formula(source="Uhlenbeck and Ornstein 1930", teaches=("loop",))
def trapped_diffusion(
    k: Builder, position: Place, pull: Annotated[Expr, Setting(0.05, 0.3)], noise: Unit, steps: Samples
) -> NewPlace:
    """Position after Ornstein-Uhlenbeck diffusion in a harmonic trap. Each step pulls the walker towards the
    origin and adds a normal kick.
    """
    stream(k)
    place = k.var("x", position, bounds=(-100.0, 100.0))
    with k.loop("_", 0, steps):
        kick = construct(Vector(2, k.real), drawn(k, "randn"), drawn(k, "randn"))
        k.set(place, bounded((1.0 - pull) * place + noise * kick, -100.0, 100.0))
    return place
