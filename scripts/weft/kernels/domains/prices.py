"""Series of prices, one for each asset: averages, risk, signals, costs."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.domains.along import at, each, number_of
from weft.kernels.domains.elementary import as_float
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

asset = Domain("asset", index=("i", "asset"), flexible=True, sizes={"days": (60, 90)})

price = Quantity("price", 20.0, 120.0, trailing=("days",))
volume = Quantity("volume", 1.0, 20.0, trailing=("days",))
mean_price = Quantity("mean_price", 50.0, 100.0, least=1.0, most=500.0)
highest = Quantity("highest_average", 50.0, 100.0, least=0.0, most=500.0, extremal=True)
daily_range = Quantity("daily_range", 1.0, 20.0, least=0.0, most=500.0, extremal=True)
price_deviation = Quantity("price_deviation", 5.0, 30.0, least=0.0, most=500.0, extremal=True)
last_price = Quantity("last_price", 20.0, 120.0)
band_place = Quantity("band_place", -2.0, 2.0)
momentum_signal = Quantity("momentum_signal", -50.0, 50.0)
strength_index = Quantity("strength_index", 10.0, 90.0, plural="strength_indices", least=-1.0, most=101.0)
realized_variance = Quantity("realized_variance", 0.05, 0.6, least=0.0, most=1e3)
conditional_variance = Quantity("conditional_variance", 0.01, 0.4, least=0.0, most=1e3)
drawdown = Quantity("drawdown", 0.0, 1.0, extremal=True)
trade_signal = Quantity("trade_signal", -1, 1, whole, least=-1, most=1)
position_size = Quantity("position_size", -10.0, 10.0)
value_at_risk = Quantity("value_at_risk", 0.0, 50.0, plural="values_at_risk", least=-1e5, most=1e6)
trade_cost = Quantity("trade_cost", 0.0, 5.0, least=0.0, most=1e6, additive=True)
profit = Quantity("profit", -100.0, 100.0, additive=True)
holding = Quantity("holding", -10.0, 10.0)
entry_price = Quantity("entry_price", 20.0, 120.0)
order_size = Quantity("order_size", 0.5, 60.0)
trigger_day = Quantity("trigger_day", 0, 15, whole, least=0, most=100)
sharpe_ratio = Quantity("sharpe_ratio", -2.0, 2.0, least=-1e5, most=1e5, extremal=True)

Prices = Annotated[ArrayHandle, price]
Volumes = Annotated[ArrayHandle, volume]
MeanPrice = Annotated[Expr, mean_price]
PriceDeviation = Annotated[Expr, price_deviation]
LastPrice = Annotated[Expr, last_price]
RealizedVariance = Annotated[Expr, realized_variance]
ConditionalVariance = Annotated[Expr, conditional_variance]
Drawdown = Annotated[Expr, drawdown]
Holding = Annotated[Expr, holding]
EntryPrice = Annotated[Expr, entry_price]
OrderSize = Annotated[Expr, order_size]
TriggerDay = Annotated[Expr, trigger_day]
Profit = Annotated[Expr, profit]


@asset.formula(teaches=("loop",))
def average_price(k: Builder, prices: Prices) -> MeanPrice:
    """Mean price."""
    total = k.var("total", 0.0)
    with each(k, "day", "days") as day:
        k.add(total, at(k, prices, day))
    return bounded(total / number_of(k, "days"), 20.0, 120.0)


@asset.formula(source="Berkowitz, Logue and Noser 1988", teaches=("loop",))
def volume_weighted_price(k: Builder, prices: Prices, volumes: Volumes) -> MeanPrice:
    """Volume-weighted average price."""
    paid, traded = k.var("paid", 0.0), k.var("traded", 0.0)
    with each(k, "day", "days") as day:
        k.add(paid, at(k, prices, day) * at(k, volumes, day))
        k.add(traded, at(k, volumes, day))
    return bounded(paid / bounded(traded, 1.0, 1e4), 20.0, 120.0)


@asset.formula(source="Hunter 1986", teaches=("loop",))
def exponential_average(
    k: Builder, prices: Prices, smoothing: Annotated[Expr, Setting(0.05, 0.4)]
) -> MeanPrice:
    """Exponential moving average."""
    mean = k.var("mean", at(k, prices, 0), bounds=(20.0, 120.0))
    with each(k, "day", "days", 1) as day:
        k.set(mean, bounded(mean + smoothing * (at(k, prices, day) - mean), 20.0, 120.0))
    return mean


@asset.formula(teaches=("loop",))
def price_spread(k: Builder, prices: Prices, mean_price: MeanPrice) -> PriceDeviation:
    """Standard deviation of the price."""
    total = k.var("total", 0.0)
    with each(k, "day", "days") as day:
        gap = k.let("deviation", at(k, prices, day) - mean_price)
        k.add(total, gap * gap)
    return bounded(ops.sqrt(bounded(total, 0.0, 1e7) / number_of(k, "days")), 0.0, 500.0)


@asset.formula(source="Wilder 1978", teaches=("loop",))
def true_range(k: Builder, prices: Prices) -> Annotated[Expr, daily_range]:
    """Mean daily range."""
    total = k.var("total", 0.0)
    with each(k, "day", "days", 1) as day:
        k.add(total, ops.abs(at(k, prices, day) - at(k, prices, day - 1)))
    return bounded(total / (number_of(k, "days") - 1.0), 0.0, 100.0)


@asset.formula(source="Bollinger 2001")
def bollinger_place(
    k: Builder,
    last_price: LastPrice,
    mean_price: MeanPrice,
    price_deviation: PriceDeviation,
    band_width: Annotated[Expr, Setting(1.5, 2.5)],
) -> Annotated[Expr, band_place]:
    """Position within the Bollinger bands."""
    return bounded((last_price - mean_price) / ops.max(band_width * price_deviation, 0.1), -1e4, 1e4)


@asset.formula(source="Appel 2005", teaches=("loop", "parameters"))
def convergence_signal(
    k: Builder, prices: Prices,
    fast_rate: Annotated[Expr, Setting(0.12, 0.3)],
    slow_rate: Annotated[Expr, Setting(0.05, 0.1)],
    signal_rate: Annotated[Expr, Setting(0.15, 0.3)],
) -> Annotated[Expr, momentum_signal]:  # fmt: skip
    """MACD signal."""
    start = k.let("start", at(k, prices, 0))
    fast, slow = k.var("fast", start, bounds=(20.0, 120.0)), k.var("slow", start, bounds=(20.0, 120.0))
    signal = k.var("signal", 0.0, bounds=(-100.0, 100.0))
    with each(k, "day", "days", 1) as day:
        today = k.let("today", at(k, prices, day))
        k.set(fast, bounded(fast + fast_rate * (today - fast), 20.0, 120.0))
        k.set(slow, bounded(slow + slow_rate * (today - slow), 20.0, 120.0))
        k.set(signal, bounded(signal + signal_rate * (fast - slow - signal), -100.0, 100.0))
    return fast - slow - signal


@asset.formula(source="Wilder 1978", teaches=("loop", "branch"))
def relative_strength(k: Builder, prices: Prices) -> Annotated[Expr, strength_index]:
    """Relative strength index."""
    gains, losses = k.var("gains", 0.0), k.var("losses", 0.0)
    with each(k, "day", "days", 1) as day:
        change = k.let("change", at(k, prices, day) - at(k, prices, day - 1))
        with k.when(change > 0.0):
            k.add(gains, change)
        with k.otherwise():
            k.add(losses, -change)
    return bounded(100.0 * gains / ops.max(gains + losses, 0.001), 0.0, 100.0)


@asset.formula(source="Andersen and Bollerslev 1998", teaches=("loop", "transcendental"))
def summed_log_returns(k: Builder, prices: Prices) -> RealizedVariance:
    """Realized variance."""
    total = k.var("total", 0.0)
    with each(k, "day", "days", 1) as day:
        change = k.let("log_return", ops.log(at(k, prices, day) / at(k, prices, day - 1)))
        k.add(total, change * change)
    return bounded(total / (number_of(k, "days") - 1.0), 0.0, 10.0)


@asset.formula(source="Sortino 1994", teaches=("loop", "branch"))
def downside_variance(
    k: Builder, prices: Prices, target_return: Annotated[Expr, Setting(-0.02, 0.02)]
) -> RealizedVariance:
    """Downside variance."""
    total = k.var("total", 0.0)
    with each(k, "day", "days", 1) as day:
        excess = k.let("excess", at(k, prices, day) / at(k, prices, day - 1) - 1.0 - target_return)
        with k.when(excess < 0.0):
            k.add(total, excess * excess)
    return bounded(total / (number_of(k, "days") - 1.0), 0.0, 100.0)


@asset.formula(source="Bollerslev 1986", teaches=("loop", "parameters", "transcendental"))
def garch_variance(
    k: Builder,
    prices: Prices,
    realized_variance: RealizedVariance,
    reaction: Annotated[Expr, Setting(0.05, 0.15)],
    persistence: Annotated[Expr, Setting(0.7, 0.84)],
) -> ConditionalVariance:
    """GARCH(1, 1) variance."""
    base = k.let("base", (1.0 - reaction - persistence) * realized_variance)
    variance = k.var("variance", realized_variance, bounds=(0.0, 1e3))
    with each(k, "day", "days", 1) as day:
        change = k.let("log_return", ops.log(at(k, prices, day) / at(k, prices, day - 1)))
        k.set(variance, bounded(base + reaction * change * change + persistence * variance, 0.0, 1e3))
    return variance


@asset.formula(source="RiskMetrics 1996", teaches=("loop", "transcendental"))
def riskmetrics_variance(
    k: Builder, prices: Prices, memory: Annotated[Expr, Setting(0.9, 0.97)]
) -> ConditionalVariance:
    """RiskMetrics variance."""
    variance = k.var("variance", 0.01, bounds=(0.0, 100.0))
    with each(k, "day", "days", 1) as day:
        change = k.let("log_return", ops.log(at(k, prices, day) / at(k, prices, day - 1)))
        k.set(variance, bounded(memory * variance + (1.0 - memory) * change * change, 0.0, 100.0))
    return variance


@asset.formula(source="Magdon-Ismail and Atiya 2004", teaches=("loop",))
def price_drawdown(k: Builder, prices: Prices) -> Drawdown:
    """Maximum drawdown."""
    top, worst = k.var("top", at(k, prices, 0), bounds=(20.0, 120.0)), k.var("worst", 0.0, bounds=(0.0, 1.0))
    with each(k, "day", "days", 1) as day:
        today = k.let("today", at(k, prices, day))
        k.set(top, ops.max(top, today))
        k.set(worst, bounded(ops.max(worst, 1.0 - today / top), 0.0, 1.0))
    return worst


@asset.formula(source="Bailey and Lopez de Prado 2014", teaches=("loop", "nested loop"))
def best_trade(k: Builder, prices: Prices) -> Profit:
    """Best single trade."""
    best = k.var("best", 0.0, bounds=(0.0, 100.0))
    with each(k, "sold", "days", 1) as sold:
        today = k.let("today", at(k, prices, sold))
        with k.loop("bought", 0, sold) as bought:
            k.set(best, bounded(ops.max(best, today - at(k, prices, bought)), 0.0, 100.0))
    return best


@asset.formula(teaches=("loop", "nested loop"))
def highest_average(
    k: Builder, prices: Prices, window: Annotated[Expr, Setting(5, 20, kind=whole)]
) -> Annotated[Expr, highest]:
    """Highest moving average."""
    best = k.var("best", 0.0, bounds=(0.0, 130.0))
    with k.loop("start", 0, 40) as start:
        total = k.var("total", 0.0)
        with k.loop("offset", 0, window) as offset:
            k.add(total, at(k, prices, start + offset))
        k.set(best, bounded(ops.max(best, total / as_float(k, window)), 0.0, 130.0))
    return best


@asset.formula(teaches=("loop", "iteration", "branch"))
def stop_day(
    k: Builder, prices: Prices, entry_price: EntryPrice, stop_share: Annotated[Expr, Setting(0.4, 0.8)]
) -> TriggerDay:
    """First day on which a stop is hit."""
    stop = k.let("stop", stop_share * entry_price)
    found = k.var("day_found", 0, type=I32, bounds=(0, 100))
    with each(k, "day", "days") as day, k.when(at(k, prices, day) < stop):
        k.set(found, bounded(day + 1, 0, 100))
        k.jump("break")
    return found


@asset.formula(teaches=("loop", "iteration", "branch"))
def trailing_stop_day(
    k: Builder, prices: Prices, trail_share: Annotated[Expr, Setting(0.4, 0.8)]
) -> TriggerDay:
    """First day on which a trailing stop is hit."""
    top = k.var("top", at(k, prices, 0), bounds=(20.0, 120.0))
    found = k.var("day_found", 0, type=I32, bounds=(0, 100))
    with each(k, "day", "days", 1) as day:
        today = k.let("today", at(k, prices, day))
        with k.when(today < trail_share * top):
            k.set(found, day)
            k.jump("break")
        k.set(top, ops.max(top, today))
    return found


@asset.formula(teaches=("branches",))
def band_signal(
    k: Builder,
    last_price: LastPrice,
    mean_price: MeanPrice,
    price_deviation: PriceDeviation,
    band_width: Annotated[Expr, Setting(0.5, 1.0)],
) -> Annotated[Expr, trade_signal]:
    """Bollinger band trade signal."""
    band = k.let("band", band_width * price_deviation)
    signal = k.var("signal", 0, type=I32)
    with k.when(last_price > mean_price + band):
        k.set(signal, -1)
    with k.orwhen(last_price < mean_price - band):
        k.set(signal, 1)
    return signal


@asset.formula(source="Kelly 1956")
def kelly_position(
    k: Builder,
    last_price: LastPrice,
    mean_price: MeanPrice,
    realized_variance: RealizedVariance,
    leverage_limit: Annotated[Expr, Setting(1.0, 4.0)],
) -> Annotated[Expr, position_size]:
    """Kelly position size."""
    edge = k.let("edge", mean_price / last_price - 1.0)
    return ops.clamp(edge / ops.max(realized_variance, 0.001), -leverage_limit, leverage_limit)


@asset.formula(source="Jorion 2006", teaches=("transcendental",))
def normal_value_at_risk(
    k: Builder,
    holding: Holding,
    last_price: LastPrice,
    conditional_variance: ConditionalVariance,
    quantile_score: Annotated[Expr, Setting(1.3, 2.6)],
) -> Annotated[Expr, value_at_risk]:
    """Normal value at risk."""
    exposure = k.let("exposure", ops.abs(holding * last_price))
    return bounded(exposure * quantile_score * ops.sqrt(conditional_variance), 0.0, 1e6)


@asset.formula(source="Almgren et al. 2005", teaches=("transcendental", "parameters"))
def impact_cost(
    k: Builder, order_size: OrderSize, realized_variance: RealizedVariance, last_price: LastPrice,
    daily_volume: Annotated[Expr, Setting(20.0, 80.0, "p")],
    half_spread: Annotated[Expr, Setting(0.001, 0.01)],
) -> Annotated[Expr, trade_cost]:  # fmt: skip
    """Square-root market impact."""
    impact = ops.sqrt(realized_variance * order_size / daily_volume)
    return bounded(order_size * last_price * (half_spread + impact), 0.0, 1e6)


@asset.formula(teaches=("branches",))
def tiered_fee(k: Builder, order_size: OrderSize, last_price: LastPrice) -> Annotated[Expr, trade_cost]:
    """Tiered trading fee."""
    value = k.let("value", order_size * last_price)
    small, middle = (value < 1000.0, 0.005 * value), (value < 3000.0, 5.0 + 0.002 * (value - 1000.0))
    return bounded(cases(k, "fee", small, middle, rest=9.0 + 0.001 * (value - 3000.0)), 0.0, 1e6)


@asset.formula(teaches=("branch",))
def funded_profit(
    k: Builder,
    holding: Holding,
    entry_price: EntryPrice,
    last_price: LastPrice,
    funding_rate: Annotated[Expr, Setting(0.0005, 0.01)],
) -> Profit:
    """Profit after funding costs."""
    gain = k.let("gain", holding * (last_price - entry_price))
    return bounded(
        either(k, "profit", holding > 0.0, gain - funding_rate * holding * entry_price, gain), -1e4, 1e4
    )


@asset.formula(source="Sharpe 1966", teaches=("loop",))
def sharpe_of_returns(
    k: Builder, prices: Prices, riskless_return: Annotated[Expr, Setting(0.0001, 0.005)]
) -> Annotated[Expr, sharpe_ratio]:
    """Sharpe ratio."""
    total, squares = k.var("total", 0.0), k.var("squares", 0.0)
    with each(k, "day", "days", 1) as day:
        excess = k.let("excess", at(k, prices, day) / at(k, prices, day - 1) - 1.0 - riskless_return)
        k.add(total, excess)
        k.add(squares, excess * excess)
    count = number_of(k, "days") - 1.0
    mean = k.let("mean", total / count)
    spread = ops.max(squares / count - mean * mean, 1e-6)
    return bounded(mean / ops.sqrt(spread), -1e5, 1e5)
