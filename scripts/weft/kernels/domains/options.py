"""Options: prices, sensitivities, implied volatilities, payoffs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.constants import PI, SQRT_TWO_PI
from weft.kernels.domains.elementary import as_float, normal_cdf, normal_pdf, square
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr, Literal

option = Domain("option", index=("i", "option", "contract"))

spot = Quantity("spot", 60.0, 140.0)
strike = Quantity("strike", 70.0, 130.0)
maturity = Quantity("maturity", 0.1, 2.0)
volatility = Quantity("volatility", 0.1, 0.6, plural="volatilities", least=0.05, most=2.0)
log_moneyness = Quantity("log_moneyness", -0.7, 0.7, plural="log_moneyness_values")
forward = Quantity("forward", 60.0, 150.0, least=10.0, most=1e3)
discount = Quantity("discount", 0.85, 1.0, least=0.1, most=1.0)
deviation = Quantity("deviation", 0.05, 0.8, least=0.01, most=4.0)
d1 = Quantity("d1", -3.0, 3.0, plural="d1_values", least=-1e3, most=1e3)
d2 = Quantity("d2", -3.0, 3.0, plural="d2_values", least=-1e3, most=1e3)
call_price = Quantity("call_price", 0.0, 40.0, least=0.0, most=1e4)
put_price = Quantity("put_price", 0.0, 40.0, least=0.0, most=2e4)
market_price = Quantity("market_price", 4.0, 25.0)
delta = Quantity("delta", -1.0, 1.0, least=-1.0, most=1.0)
gamma = Quantity("gamma", 0.001, 0.05, least=0.0, most=1e3)
vega = Quantity("vega", 1.0, 40.0, least=0.0, most=1e3)
vanna = Quantity("vanna", -2.0, 2.0, plural="vannas", least=-1e4, most=1e4)
theta = Quantity("theta", -20.0, 0.0, least=-1e4, most=1e4)
rho = Quantity("rho", -100.0, 100.0, least=-1e3, most=1e3)
implied_volatility = Quantity(
    "implied_volatility", 0.1, 0.6, plural="implied_volatilities", least=0.005, most=5.0
)
total_variance = Quantity("total_variance", 0.01, 0.5, least=0.0)
payoff = Quantity("payoff", 0.0, 40.0, least=-1e4, most=1e4, additive=True)
time_value = Quantity("time_value", 0.0, 20.0, least=-1e4, most=1e4)
hedge_cost = Quantity("hedge_cost", 0.0, 50.0, least=-1e5, most=1e5, additive=True)
premium = Quantity("premium", 3.0, 15.0)
contracts = Quantity("contracts", -10.0, 10.0)
lowest_price = Quantity("lowest_price", 50.0, 90.0)

Spot = Annotated[Expr, spot]
Strike = Annotated[Expr, strike]
Maturity = Annotated[Expr, maturity]
Volatility = Annotated[Expr, volatility]
LogMoneyness = Annotated[Expr, log_moneyness]
Forward = Annotated[Expr, forward]
Discount = Annotated[Expr, discount]
Deviation = Annotated[Expr, deviation]
D1 = Annotated[Expr, d1]
D2 = Annotated[Expr, d2]
CallPrice = Annotated[Expr, call_price]
PutPrice = Annotated[Expr, put_price]
Premium = Annotated[Expr, premium]
MarketPrice = Annotated[Expr, market_price]
Delta = Annotated[Expr, delta]
Gamma = Annotated[Expr, gamma]
Vega = Annotated[Expr, vega]
ImpliedVolatility = Annotated[Expr, implied_volatility]
TotalVariance = Annotated[Expr, total_variance]
Payoff = Annotated[Expr, payoff]
Rate = Annotated[Expr, Setting(0.01, 0.08)]
Dividend = Annotated[Expr, Setting(0.005, 0.05)]
BLACK_SCHOLES = "Black and Scholes 1973"


@option.formula(source="Hull 2021", goal=False)
def spot_moneyness(k: Builder, spot: Spot, strike: Strike) -> LogMoneyness:
    """Log-moneyness."""
    return ops.log(spot / strike)


@option.formula(source="Hull 2021")
def forward_moneyness(k: Builder, forward: Forward, strike: Strike) -> LogMoneyness:
    """Log-moneyness against the forward price."""
    return ops.log(forward / strike)


@option.formula(source="Hull 2021")
def dividend_forward(
    k: Builder, spot: Spot, maturity: Maturity, rate: Rate, dividend_yield: Dividend
) -> Forward:
    """Forward price under a dividend yield."""
    return spot * ops.exp((rate - dividend_yield) * maturity)


@option.formula(source="Hull 2021", goal=False)
def continuous_discount(k: Builder, maturity: Maturity, rate: Rate) -> Discount:
    """Continuously compounded discount factor."""
    return ops.exp(-rate * maturity)


@option.formula(goal=False)
def root_time_deviation(k: Builder, volatility: Volatility, maturity: Maturity) -> Deviation:
    """Volatility over the square root of time."""
    return volatility * ops.sqrt(maturity)


@option.formula(source="Gatheral 2004")
def svi_variance(
    k: Builder,
    log_moneyness: LogMoneyness,
    svi_level: Annotated[Expr, Setting(0.02, 0.1)],
    svi_slope: Annotated[Expr, Setting(0.05, 0.3)],
    svi_tilt: Annotated[Expr, Setting(-0.6, 0.6)],
    svi_width: Annotated[Expr, Setting(0.1, 0.4)],
) -> TotalVariance:
    """SVI total variance."""
    wing = k.let("wing", ops.sqrt(log_moneyness * log_moneyness + svi_width * svi_width))
    return bounded(svi_level + svi_slope * (svi_tilt * log_moneyness + wing), 0.02, 1.5)


@option.formula()
def quadratic_smile(
    k: Builder,
    log_moneyness: LogMoneyness,
    base_volatility: Annotated[Expr, Setting(0.15, 0.3)],
    skew: Annotated[Expr, Setting(-0.1, 0.1)],
    smile_curvature: Annotated[Expr, Setting(0.1, 0.4)],
) -> Volatility:
    """Quadratic volatility smile."""
    smile = base_volatility + skew * log_moneyness + smile_curvature * log_moneyness * log_moneyness
    return bounded(smile, 0.05, 1.0)


@option.formula(source="Gatheral 2004")
def variance_volatility(k: Builder, total_variance: TotalVariance, maturity: Maturity) -> Volatility:
    """Volatility from the total variance."""
    return bounded(ops.clamp(ops.sqrt(total_variance / maturity), 0.05, 2.0), 0.05, 2.0)


@option.formula(source=BLACK_SCHOLES)
def black_scholes_d1(
    k: Builder,
    spot: Spot,
    strike: Strike,
    rate: Rate,
    volatility: Volatility,
    maturity: Maturity,
    deviation: Deviation,
) -> D1:
    """Black-Scholes d1."""
    drift = (rate + 0.5 * volatility * volatility) * maturity
    return bounded((ops.log(spot / strike) + drift) / deviation, -500.0, 1e3)


@option.formula(source="Black 1976")
def forward_d1(k: Builder, log_moneyness: LogMoneyness, deviation: Deviation) -> D1:
    """Black d1 from the log-moneyness."""
    return bounded(log_moneyness / deviation + 0.5 * deviation, -500.0, 500.0)


@option.formula(source=BLACK_SCHOLES, goal=False)
def shifted_d2(k: Builder, d1: D1, deviation: Deviation) -> D2:
    """Black-Scholes d2."""
    return bounded(d1 - deviation, -1e3, 1e3)


@option.formula(source=BLACK_SCHOLES)
def black_scholes_call(
    k: Builder, spot: Spot, strike: Strike, discount: Discount, d1: D1, d2: D2
) -> CallPrice:
    """Black-Scholes call price."""
    return ops.max(spot * normal_cdf(k, d1) - strike * discount * normal_cdf(k, d2), 0.0)


@option.formula(source=BLACK_SCHOLES)
def black_scholes_put(k: Builder, spot: Spot, strike: Strike, discount: Discount, d1: D1, d2: D2) -> PutPrice:
    """Black-Scholes put price."""
    return ops.max(strike * discount * normal_cdf(k, -d2) - spot * normal_cdf(k, -d1), 0.0)


@option.formula(source="Black 1976")
def black_call(k: Builder, forward: Forward, strike: Strike, discount: Discount, d1: D1, d2: D2) -> CallPrice:
    """Black-76 call price."""
    return ops.max(discount * (forward * normal_cdf(k, d1) - strike * normal_cdf(k, d2)), 0.0)


@option.formula(source="Bachelier 1900")
def bachelier_call(
    k: Builder,
    forward: Forward,
    strike: Strike,
    maturity: Maturity,
    normal_volatility: Annotated[Expr, Setting(10.0, 30.0)],
) -> CallPrice:
    """Bachelier call price."""
    spread = k.let("spread", normal_volatility * ops.sqrt(maturity))
    score = k.let("score", (forward - strike) / spread)
    return ops.max((forward - strike) * normal_cdf(k, score) + spread * normal_pdf(k, score), 0.0)


@option.formula(source="Reiner and Rubinstein 1991")
def digital_call(
    k: Builder, discount: Discount, d2: D2, cash: Annotated[Expr, Setting(5.0, 20.0)]
) -> CallPrice:
    """Cash-or-nothing call price."""
    return cash * discount * normal_cdf(k, d2)


@option.formula(source="Margrabe 1978")
def exchange_option(
    k: Builder, spot: Spot, other_spot: Spot, volatility: Volatility, other_volatility: Volatility,
    maturity: Maturity,
    correlation: Annotated[Expr, Setting(-0.8, 0.8)],
) -> CallPrice:  # fmt: skip
    """Margrabe exchange option."""
    variance = volatility * volatility + other_volatility * other_volatility
    variance = k.let("variance", variance - 2.0 * correlation * volatility * other_volatility)
    spread = k.let("spread", ops.sqrt(ops.max(variance, 1e-4) * maturity))
    upper = k.let("upper", bounded(ops.log(spot / other_spot) / spread + 0.5 * spread, -1e3, 1e3))
    return ops.max(spot * normal_cdf(k, upper) - other_spot * normal_cdf(k, upper - spread), 0.0)


@option.formula(source="Stoll 1969")
def parity_put(k: Builder, call_price: CallPrice, spot: Spot, strike: Strike, discount: Discount) -> PutPrice:
    """Put price by put-call parity."""
    return ops.max(call_price - spot + strike * discount, 0.0)


@option.formula(source="Cox, Ross and Rubinstein 1979", teaches=("loop",))
def binomial_call(
    k: Builder, spot: Spot, strike: Strike, discount: Discount, deviation: Deviation,
    steps: Annotated[Expr, Setting(6, 16, kind=whole)],
) -> CallPrice:  # fmt: skip
    """Call price on a binomial tree."""
    count = k.let("count", as_float(k, steps))
    up = k.let("up", ops.exp(deviation / ops.sqrt(count)))
    growth = k.let("growth", bounded(ops.exp(-ops.log(discount) / count), 1.0, 2.0))
    rise = k.let("rise", ops.clamp((growth - 1.0 / up) / ops.max(up - 1.0 / up, 1e-3), 0.01, 0.99))
    chance = k.var("chance", ops.exp(count * ops.log(1.0 - rise)), bounds=(0.0, 1.0))
    price = k.var(
        "price", bounded(spot * ops.exp(-deviation * ops.sqrt(count)), 1e-6, 1e9), bounds=(1e-6, 1e9)
    )
    total = k.var("total", 0.0)
    with k.loop("node", 0, steps + 1 if not isinstance(steps, Literal) else int(steps.value) + 1) as node:
        k.add(total, chance * ops.max(price - strike, 0.0))
        odds = (count - convert(k.real, node)) / (convert(k.real, node) + 1.0) * rise / (1.0 - rise)
        k.set(chance, bounded(chance * odds, 0.0, 1.0))
        k.set(price, bounded(price * up * up, 1e-6, 1e9))
    return bounded(discount * total, 0.0, 1e4)


@option.formula(source="Merton 1976", teaches=("loop",))
def jump_diffusion_call(
    k: Builder, spot: Spot, strike: Strike, maturity: Maturity, volatility: Volatility, rate: Rate,
    jump_rate: Annotated[Expr, Setting(0.2, 1.0)],
    jump_deviation: Annotated[Expr, Setting(0.1, 0.3)],
    terms: Annotated[Expr, Setting(6, 12, kind=whole)],
) -> CallPrice:  # fmt: skip
    """Merton jump-diffusion call price."""
    expected = k.let("expected_jumps", jump_rate * maturity)
    weight = k.var("weight", ops.exp(-expected), bounds=(0.0, 10.0))
    paid = k.let("discounted_strike", strike * ops.exp(-rate * maturity))
    total = k.var("total", 0.0)
    with k.loop("jumps", 0, terms) as jumps:
        count = k.let("count", convert(k.real, jumps))
        variance = volatility * volatility * maturity + count * jump_deviation * jump_deviation
        spread = k.let("spread", ops.sqrt(variance))
        upper = k.let("upper", ops.log(spot / paid) / spread + 0.5 * spread)
        k.add(total, weight * (spot * normal_cdf(k, upper) - paid * normal_cdf(k, upper - spread)))
        k.set(weight, bounded(weight * expected / (count + 1.0), 0.0, 10.0))
    return bounded(ops.max(total, 0.0), 0.0, 1e4)


@option.formula(source="Reiner and Rubinstein 1991", teaches=("branch",))
def down_and_out_call(
    k: Builder, spot: Spot, strike: Strike, discount: Discount, deviation: Deviation, call_price: CallPrice,
    barrier: Annotated[Expr, Setting(65.0, 69.0)],
) -> CallPrice:  # fmt: skip
    """Down-and-out call price."""
    image = k.let("image", bounded(barrier * barrier / spot, 10.0, 200.0))
    upper = k.let("image_d1", ops.log(image / (strike * discount)) / deviation + 0.5 * deviation)
    reflected = image * normal_cdf(k, upper) - strike * discount * normal_cdf(k, upper - deviation)
    alive = ops.max(call_price - spot / barrier * reflected, 0.0)
    return bounded(either(k, "price", spot > barrier, alive, 0.0), 0.0, 1e4)


@option.formula(source="Merton 1973", teaches=("branch",))
def perpetual_put(k: Builder, spot: Spot, strike: Strike, volatility: Volatility, rate: Rate) -> PutPrice:
    """Perpetual American put price."""
    power = k.let("power", ops.min(2.0 * rate / (volatility * volatility), 6.0))
    boundary = k.let("boundary", strike * power / (1.0 + power))
    ratio = k.let("ratio", ops.max(spot / ops.max(boundary, 0.5), 1.0))
    waiting = bounded((strike - boundary) * ops.pow(bounded(ratio, 1.0, 300.0), -power), 0.0, 200.0)
    return bounded(ops.max(either(k, "price", spot <= boundary, strike - spot, waiting), 0.0), 0.0, 1e4)


GREEKS = "Hull 2021"


@option.formula(source=GREEKS)
def call_delta(k: Builder, d1: D1) -> Delta:
    """Black-Scholes call delta."""
    return normal_cdf(k, d1)


@option.formula(source=GREEKS)
def put_delta(k: Builder, d1: D1) -> Delta:
    """Black-Scholes put delta."""
    return bounded(normal_cdf(k, d1) - 1.0, -1.0, 0.0)


@option.formula(source=GREEKS)
def option_gamma(k: Builder, d1: D1, spot: Spot, deviation: Deviation) -> Gamma:
    """Black-Scholes gamma."""
    return normal_pdf(k, d1) / (spot * deviation)


@option.formula(source=GREEKS)
def option_vega(k: Builder, d1: D1, spot: Spot, maturity: Maturity) -> Vega:
    """Black-Scholes vega."""
    return bounded(spot * normal_pdf(k, d1) * ops.sqrt(maturity), 0.0, 1e3)


@option.formula(source=GREEKS)
def option_vanna(k: Builder, d1: D1, d2: D2, deviation: Deviation) -> Annotated[Expr, vanna]:
    """Black-Scholes vanna."""
    return bounded(-normal_pdf(k, d1) * d2 / deviation, -1e4, 1e4)


@option.formula(source=GREEKS)
def call_theta(
    k: Builder,
    spot: Spot,
    strike: Strike,
    d1: D1,
    d2: D2,
    volatility: Volatility,
    maturity: Maturity,
    discount: Discount,
    rate: Rate,
) -> Annotated[Expr, theta]:
    """Black-Scholes call theta."""
    decay = 0.5 * spot * normal_pdf(k, d1) * volatility / ops.sqrt(maturity)
    return bounded(-decay - rate * strike * discount * normal_cdf(k, d2), -1e4, 0.0)


@option.formula(source=GREEKS)
def call_rho(
    k: Builder, strike: Strike, maturity: Maturity, discount: Discount, d2: D2
) -> Annotated[Expr, rho]:
    """Black-Scholes call rho."""
    return bounded(strike * maturity * discount * normal_cdf(k, d2), 0.0, 1e3)


@option.formula(source="Brenner and Subrahmanyam 1988")
def brenner_volatility(
    k: Builder, market_price: MarketPrice, spot: Spot, maturity: Maturity
) -> ImpliedVolatility:
    """Brenner-Subrahmanyam implied volatility."""
    return bounded(SQRT_TWO_PI * market_price / (spot * ops.sqrt(maturity)), 0.01, 5.0)


@option.formula(source="Corrado and Miller 1996")
def corrado_miller_volatility(
    k: Builder, market_price: MarketPrice, spot: Spot, strike: Strike, discount: Discount, maturity: Maturity
) -> ImpliedVolatility:
    """Corrado-Miller implied volatility."""
    paid = k.let("discounted_strike", strike * discount)
    excess = k.let("excess", market_price - 0.5 * (spot - paid))
    root = ops.sqrt(ops.max(excess * excess - square(k, spot - paid, "gap") / PI, 0.0))
    sigma = SQRT_TWO_PI / ((spot + paid) * ops.sqrt(maturity)) * (excess + root)
    return bounded(ops.clamp(sigma, 0.01, 5.0), 0.01, 5.0)


def priced(k: Builder, sigma: Expr, spot: Expr, paid: Expr, maturity: Expr) -> tuple[Expr, Expr]:
    """The price of a call under a volatility, and the argument d1."""
    spread = k.let("spread", bounded(sigma * ops.sqrt(maturity), 1e-3, 10.0))
    upper = k.let("upper", bounded(ops.log(spot / paid) / spread + 0.5 * spread, -1e4, 1e4))
    return spot * normal_cdf(k, upper) - paid * normal_cdf(k, upper - spread), upper


@option.formula(source="Manaster and Koehler 1982", teaches=("loop", "iteration"))
def newton_volatility(
    k: Builder, premium: Premium, spot: Spot, strike: Strike, discount: Discount, maturity: Maturity,
    iterations: Annotated[Expr, Setting(3, 6, kind=whole)],
) -> ImpliedVolatility:  # fmt: skip
    """Implied volatility by Newton's method."""
    paid = k.let("discounted_strike", strike * discount)
    market_price = k.let("market_price", ops.max(spot - paid, 0.0) + premium)
    sigma = k.var("sigma", 0.3, bounds=(0.05, 2.0))
    with k.loop("_", 0, iterations):
        price, upper = priced(k, sigma, spot, paid, maturity)
        slope = k.let("slope", ops.max(spot * normal_pdf(k, upper) * ops.sqrt(maturity), 1.0))
        k.set(sigma, ops.clamp(sigma - (price - market_price) / slope, 0.05, 2.0))
    return sigma


@option.formula(source="Press et al. 2007", teaches=("loop", "iteration", "branch"))
def bisected_volatility(
    k: Builder, premium: Premium, spot: Spot, strike: Strike, discount: Discount, maturity: Maturity,
    halvings: Annotated[Expr, Setting(20, 26, kind=whole)],
) -> ImpliedVolatility:  # fmt: skip
    """Implied volatility by bisection."""
    paid = k.let("discounted_strike", strike * discount)
    market_price = k.let("market_price", ops.max(spot - paid, 0.0) + premium)
    low, high = k.var("low", 0.01, bounds=(0.01, 3.0)), k.var("high", 3.0, bounds=(0.01, 3.0))
    with k.loop("_", 0, halvings):
        middle = k.let("mid", bounded(0.5 * (low + high), 0.01, 3.0))
        price, _ = priced(k, middle, spot, paid, maturity)
        with k.when(price < market_price):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return bounded(0.5 * (low + high), 0.01, 3.0)


PayoffCurve = Callable[[Builder, Expr, Expr, Expr], Expr]
PAYOFFS: tuple[tuple[str, str, tuple[str, ...], PayoffCurve], ...] = (
    ("strangle_payoff", "Strangle payoff", (),
     lambda k, s, x, w: ops.max(s - (x + w), 0.0) + ops.max(x - w - s, 0.0)),
    ("call_spread_payoff", "Call spread payoff", (), lambda k, s, x, w: ops.clamp(s - x, 0.0, w)),
    ("butterfly_payoff", "Butterfly payoff", (), lambda k, s, x, w: ops.max(w - ops.abs(s - x), 0.0)),
    ("risk_reversal_payoff", "Risk reversal payoff", ("branches",),
     lambda k, s, x, w: cases(k, "payoff", (s > x + w, s - x - w), (s < x - w, s - x + w), rest=0.0)),
    ("condor_payoff", "Iron condor payoff", ("branches",),
     lambda k, s, x, w: cases(
         k,
         "payoff",
         (s > x + w, ops.max(x + 2.0 * w - s, 0.0)),
         (s < x - w, ops.max(s - x + 2.0 * w, 0.0)),
         rest=w)),
)  # fmt: skip


def _payoff(name: str, what: str, teaches: tuple[str, ...], curve: PayoffCurve) -> None:
    @option.formula(
        name=name,
        doc=f"{what}.",
        source="Hull 2021",
        teaches=teaches,
    )
    def strategy(
        k: Builder, spot: Spot, strike: Strike, strike_width: Annotated[Expr, Setting(5.0, 15.0)]
    ) -> Payoff:
        return curve(k, spot, strike, strike_width)


for _one in PAYOFFS:
    _payoff(*_one)


@option.formula(source="Hull 2021")
def straddle_payoff(k: Builder, spot: Spot, strike: Strike) -> Payoff:
    """Straddle payoff."""
    return ops.abs(spot - strike)


@option.formula(source="Hull 2021", teaches=("branch",))
def knocked_out_payoff(
    k: Builder,
    spot: Spot,
    strike: Strike,
    lowest_price: Annotated[Expr, lowest_price],
    barrier: Annotated[Expr, Setting(65.0, 69.0)],
) -> Payoff:
    """Down-and-out call payoff."""
    return either(k, "payoff", lowest_price > barrier, ops.max(spot - strike, 0.0), 0.0)


@option.formula()
def call_time_value(
    k: Builder, call_price: CallPrice, spot: Spot, strike: Strike
) -> Annotated[Expr, time_value]:
    """Time value of a call."""
    return call_price - ops.max(spot - strike, 0.0)


@option.formula(source="Leland 1985")
def rehedging_cost(
    k: Builder, delta: Delta, gamma: Gamma, spot: Spot, contracts: Annotated[Expr, contracts],
    price_move: Annotated[Expr, Setting(0.5, 3.0, "p")],
    cost_rate: Annotated[Expr, Setting(0.001, 0.01, "p")],
) -> Annotated[Expr, hedge_cost]:  # fmt: skip
    """Delta-hedging cost after a price move."""
    new_delta = k.let("new_delta", delta + gamma * price_move)
    return bounded(cost_rate * ops.abs(contracts * new_delta) * spot, 0.0, 1e5)


@option.formula(source="Hull 2021")
def delta_gamma_profit(
    k: Builder, delta: Delta, gamma: Gamma, vega: Vega,
    price_move: Annotated[Expr, Setting(-3.0, 3.0, "p")],
    volatility_move: Annotated[Expr, Setting(-0.05, 0.05, "p")],
) -> Payoff:  # fmt: skip
    """Delta-gamma-vega profit."""
    return bounded(
        delta * price_move + 0.5 * gamma * price_move * price_move + vega * volatility_move, -1e4, 1e4
    )
