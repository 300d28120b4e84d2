"""Bonds and loans: prices, yields, durations, credit risk, repayment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases
from weft.kernels.domains.elementary import as_float, normal_cdf
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

bond = Domain("bond", index=("i", "bond"))

coupon_rate = Quantity("coupon_rate", 0.01, 0.08)
yield_rate = Quantity("yield_rate", 0.005, 0.09, least=0.0001, most=0.5)
periods = Quantity("periods", 2, 30, whole, plural="period_counts")
years = Quantity("years", 0.5, 20.0, plural="years_left")
bond_price = Quantity("bond_price", 60.0, 140.0, least=0.0, most=1e4)
duration = Quantity("duration", 1.0, 15.0, least=0.0, most=1e3)
modified_duration = Quantity("modified_duration", 1.0, 15.0, least=0.0, most=1e3)
convexity = Quantity("convexity", 1.0, 300.0, plural="convexities", least=0.0)
quoted_price = Quantity("quoted_price", 80.0, 120.0)
face_value = Quantity("face_value", 50.0, 150.0)
accrued = Quantity("accrued_interest", 0.0, 5.0, plural="accrued_interest", least=0.0, most=1e3)
rate_risk = Quantity("rate_risk", 0.0, 0.2, least=-1e3, most=1e3, additive=True)
price_change = Quantity(
    "price_change", -10.0, 10.0, least=-1e6, most=1e6, additive=True, extremal=True, signed=True
)
hazard_rate = Quantity("hazard_rate", 0.001, 0.1, least=1e-6, most=1e3)
survival = Quantity("survival_probability", 0.3, 1.0, plural="survival_probabilities", least=0.0, most=1.0)
default_probability = Quantity(
    "default_probability", 0.001, 0.5, plural="default_probabilities", least=0.0, most=1.0
)
expected_loss = Quantity("expected_loss", 0.0, 20.0, plural="expected_losses", least=0.0, additive=True)
exposure = Quantity("exposure", 10.0, 100.0)
credit_spread = Quantity("credit_spread", 0.002, 0.04)
asset_value = Quantity("asset_value", 60.0, 200.0)
repayment_count = Quantity("repayment_count", 5, 30, whole, least=0, most=40)
risk_weight = Quantity("risk_weight", 0.0, 1.5, least=0.0, most=20.0)
balance = Quantity("balance", 20.0, 100.0, least=-1e6, most=1e6, additive=True)
installment = Quantity("installment", 8.0, 30.0)
payment = Quantity("payment", 2.0, 20.0, least=0.0, most=1e6, additive=True)

CouponRate = Annotated[Expr, coupon_rate]
Yield = Annotated[Expr, yield_rate]
Periods = Annotated[Expr, periods]
Years = Annotated[Expr, years]
BondPrice = Annotated[Expr, bond_price]
Duration = Annotated[Expr, duration]
ModifiedDuration = Annotated[Expr, modified_duration]
Convexity = Annotated[Expr, convexity]
QuotedPrice = Annotated[Expr, quoted_price]
FaceValue = Annotated[Expr, face_value]
HazardRate = Annotated[Expr, hazard_rate]
Survival = Annotated[Expr, survival]
DefaultProbability = Annotated[Expr, default_probability]
ExpectedLoss = Annotated[Expr, expected_loss]
Exposure = Annotated[Expr, exposure]
Payment = Annotated[Expr, payment]
Recovery = Annotated[Expr, Setting(0.2, 0.6)]
Shift = Annotated[Expr, Setting(-0.01, 0.01, "p")]
LevelRate = Annotated[Expr, Setting(0.03, 0.06)]
SlopeRate = Annotated[Expr, Setting(-0.02, 0.02)]
CurveDecay = Annotated[Expr, Setting(0.3, 1.0)]


@bond.formula(source="Nelson and Siegel 1987", teaches=("transcendental", "parameters"))
def nelson_siegel_yield(
    k: Builder, years: Years, level_rate: LevelRate, slope_rate: SlopeRate,
    hump_rate: Annotated[Expr, Setting(-0.02, 0.02)], curve_decay: CurveDecay,
) -> Yield:  # fmt: skip
    """Nelson-Siegel yield curve."""
    scaled = k.let("scaled", years * curve_decay)
    fade = k.let("fade", ops.exp(-scaled))
    loading = k.let("loading", (1.0 - fade) / scaled)
    curve = level_rate + slope_rate * loading + hump_rate * (loading - fade)
    return bounded(ops.max(curve, 0.0005), 0.0005, 0.2)


@bond.formula(source="Fabozzi 2021")
def current_yield(k: Builder, coupon_rate: CouponRate, quoted_price: QuotedPrice) -> Yield:
    """Current yield."""
    return 100.0 * coupon_rate / quoted_price


@bond.formula(source="Fabozzi 2021", teaches=("transcendental",))
def zero_coupon_price(k: Builder, years: Years, yield_rate: Yield) -> BondPrice:
    """Zero-coupon bond price."""
    return bounded(100.0 * ops.exp(-years * ops.log(1.0 + yield_rate)), 0.0, 100.0)


def discounted(
    k: Builder, yield_rate: Expr, periods: Expr, each_period: Callable[[Expr, Expr], None]
) -> Expr:
    """Visit each period with the discount factor of it; the last factor."""
    factor = k.let("factor", 1.0 / (1.0 + yield_rate))
    present = k.var("present", 1.0, bounds=(0.0, 1.0))
    with k.loop("period", 0, periods) as period:
        k.set(present, bounded(present * factor, 0.0, 1.0))
        each_period(present, period)
    return present


@bond.formula(source="Fabozzi 2021", teaches=("loop",))
def coupon_bond_price(k: Builder, coupon_rate: CouponRate, yield_rate: Yield, periods: Periods) -> BondPrice:
    """Coupon bond price from its discounted cash flows."""
    total = k.var("total", 0.0)
    last = discounted(k, yield_rate, periods, lambda present, _: k.add(total, 100.0 * coupon_rate * present))
    return bounded(total + 100.0 * last, 0.0, 1e4)


@bond.formula(source="Fabozzi 2021", teaches=("transcendental",))
def annuity_bond_price(k: Builder, coupon_rate: CouponRate, yield_rate: Yield, years: Years) -> BondPrice:
    """Coupon bond price by the annuity formula."""
    last = k.let("last", ops.exp(-years * ops.log(1.0 + yield_rate)))
    return bounded(100.0 * (coupon_rate * (1.0 - last) / ops.max(yield_rate, 1e-4) + last), 0.0, 1e4)


@bond.formula(source="Macaulay 1938", teaches=("loop",))
def macaulay_duration(k: Builder, coupon_rate: CouponRate, yield_rate: Yield, periods: Periods) -> Duration:
    """Macaulay duration."""
    value, timed = k.var("value", 0.0), k.var("timed", 0.0)

    def add(present: Expr, period: Expr) -> None:
        k.add(value, coupon_rate * present)
        k.add(timed, coupon_rate * present * (convert(k.real, period) + 1.0))

    last = discounted(k, yield_rate, periods, add)
    return bounded((timed + convert(k.real, periods) * last) / ops.max(value + last, 1e-3), 0.0, 100.0)


@bond.formula(source="Fabozzi 2021", goal=False)
def divided_duration(k: Builder, duration: Duration, yield_rate: Yield) -> ModifiedDuration:
    """Modified duration."""
    return duration / (1.0 + yield_rate)


@bond.formula(source="Fabozzi 2021", teaches=("loop",))
def payment_convexity(k: Builder, coupon_rate: CouponRate, yield_rate: Yield, periods: Periods) -> Convexity:
    """Bond convexity from all cash flows."""
    value, bent = k.var("value", 0.0), k.var("second_moment", 0.0)

    def add(present: Expr, period: Expr) -> None:
        count = k.let("count", convert(k.real, period) + 1.0)
        k.add(value, coupon_rate * present)
        k.add(bent, coupon_rate * present * count * (count + 1.0))

    last = discounted(k, yield_rate, periods, add)
    count = k.let("all_periods", convert(k.real, periods))
    growth = k.let("growth", (1.0 + yield_rate) * (1.0 + yield_rate))
    return bounded((bent + count * (count + 1.0) * last) / (ops.max(value + last, 1e-3) * growth), 0.0, 2e3)


@bond.formula(source="Fabozzi 2021", teaches=("loop", "nested loop", "iteration"))
def newton_yield(
    k: Builder, quoted_price: QuotedPrice, coupon_rate: CouponRate, periods: Periods,
    iterations: Annotated[Expr, Setting(4, 8, kind=whole)],
) -> Yield:  # fmt: skip
    """Yield to maturity by Newton's method."""
    rate = k.var("rate", 0.05, bounds=(0.0001, 0.5))
    with k.loop("_", 0, iterations):
        value, slope = k.var("value", 0.0), k.var("slope", 1.0)
        factor = k.let("factor", 1.0 / (1.0 + rate))
        present = k.var("present", 1.0, bounds=(0.0, 1.0))
        with k.loop("period", 0, periods) as period:
            k.set(present, bounded(present * factor, 0.0, 1.0))
            k.add(value, 100.0 * coupon_rate * present)
            k.add(slope, 100.0 * coupon_rate * present * factor * (convert(k.real, period) + 1.0))
        miss = value + 100.0 * present - quoted_price
        full = ops.max(slope + 100.0 * present * factor * convert(k.real, periods), 1.0)
        k.set(rate, ops.clamp(rate + miss / full, 0.0001, 0.5))
    return rate


@bond.formula(source="Press et al. 2007", teaches=("loop", "nested loop", "iteration", "branch"))
def bisected_yield(
    k: Builder, quoted_price: QuotedPrice, coupon_rate: CouponRate, periods: Periods,
    halvings: Annotated[Expr, Setting(20, 26, kind=whole)],
) -> Yield:  # fmt: skip
    """Yield to maturity by bisection."""
    low, high = k.var("low", 0.0001, bounds=(0.0001, 0.5)), k.var("high", 0.5, bounds=(0.0001, 0.5))
    with k.loop("_", 0, halvings):
        middle = k.let("mid", bounded(0.5 * (low + high), 0.0001, 0.5))
        value = k.var("value", 0.0)
        last = discounted(k, middle, periods, lambda present, _: k.add(value, 100.0 * coupon_rate * present))
        with k.when(value + 100.0 * last > quoted_price):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return bounded(0.5 * (low + high), 0.0001, 0.5)


@bond.formula(source="Fabozzi 2021", goal=False)
def basis_point_value(
    k: Builder, modified_duration: ModifiedDuration, bond_price: BondPrice
) -> Annotated[Expr, rate_risk]:
    """Basis point value."""
    return bounded(0.0001 * modified_duration * bond_price, 0.0, 1e3)


@bond.formula(source="Fabozzi 2021")
def taylor_price_change(
    k: Builder,
    bond_price: BondPrice,
    modified_duration: ModifiedDuration,
    convexity: Convexity,
    yield_shift: Shift,
) -> Annotated[Expr, price_change]:
    """Bond price change from duration and convexity."""
    bend = 0.5 * convexity * yield_shift * yield_shift
    return bounded(bond_price * (bend - modified_duration * yield_shift), -1e6, 1e6)


@bond.formula(source="ISDA 2006", teaches=("parameters",))
def accrued_coupon(
    k: Builder, coupon_rate: CouponRate, face_value: FaceValue, years: Years,
    payments_a_year: Annotated[Expr, Setting(1, 4, kind=whole)],
) -> Annotated[Expr, accrued]:  # fmt: skip
    """Accrued interest since the last coupon."""
    count = k.let("count", as_float(k, payments_a_year))
    share = k.let("share", ops.ceil(years * count) - years * count)
    return bounded(face_value * coupon_rate / count * share, 0.0, 1e3)


@bond.formula(source="O'Kane 2008", goal=False)
def spread_hazard(
    k: Builder, credit_spread: Annotated[Expr, credit_spread], recovery: Recovery
) -> HazardRate:
    """Hazard rate from the credit spread."""
    return credit_spread / (1.0 - recovery)


@bond.formula(source="O'Kane 2008", teaches=("transcendental",))
def exponential_survival(k: Builder, hazard_rate: HazardRate, years: Years) -> Survival:
    """Survival probability under a constant hazard rate."""
    return bounded(ops.exp(-hazard_rate * years), 0.0, 1.0)


@bond.formula(goal=False)
def complement_default(k: Builder, survival: Survival) -> DefaultProbability:
    """Default probability."""
    return bounded(1.0 - survival, 0.0, 1.0)


@bond.formula(source="Merton 1974", teaches=("transcendental", "parameters"))
def merton_default(
    k: Builder, asset_value: Annotated[Expr, asset_value], face_value: FaceValue, years: Years,
    asset_volatility: Annotated[Expr, Setting(0.15, 0.4)],
    asset_drift: Annotated[Expr, Setting(0.0, 0.08)],
) -> DefaultProbability:  # fmt: skip
    """Default probability in Merton's model."""
    spread = k.let("spread", asset_volatility * ops.sqrt(years))
    drift = (asset_drift - 0.5 * asset_volatility * asset_volatility) * years
    distance = k.let("distance", (ops.log(asset_value / face_value) + drift) / spread)
    return normal_cdf(k, -distance)


@bond.formula(source="Basel Committee 2006")
def credit_loss(
    k: Builder, exposure: Exposure, default_probability: DefaultProbability, recovery: Recovery
) -> ExpectedLoss:
    """Expected credit loss."""
    return exposure * default_probability * (1.0 - recovery)


@bond.formula(source="Basel Committee 2006", teaches=("branches",))
def standard_risk_weight(k: Builder, default_probability: DefaultProbability) -> Annotated[Expr, risk_weight]:
    """Risk weight from a table of default probabilities."""
    steps = [(0.01, 0.2), (0.05, 0.5), (0.2, 1.0)]
    return cases(k, "risk_weight", *[(default_probability < edge, w) for edge, w in steps], rest=1.5)


@bond.formula(source="O'Kane 2008", teaches=("loop", "transcendental"))
def protection_leg(
    k: Builder, hazard_rate: HazardRate, yield_rate: Yield, periods: Periods, recovery: Recovery
) -> ExpectedLoss:
    """Present value of a credit default swap's protection leg."""
    decay = k.let("decay", ops.exp(-hazard_rate))
    alive = k.var("alive", 1.0, bounds=(0.0, 1.0))
    total = k.var("total", 0.0)

    def add(present: Expr, _: Expr) -> None:
        k.add(total, 100.0 * (1.0 - recovery) * alive * (1.0 - decay) * present)
        k.set(alive, bounded(alive * decay, 0.0, 1.0))

    discounted(k, yield_rate, periods, add)
    return bounded(total, 0.0, 1e4)


@bond.formula(source="Brealey, Myers and Allen 2020", teaches=("loop",))
def level_payment(k: Builder, face_value: FaceValue, yield_rate: Yield, periods: Periods) -> Payment:
    """Level payment of an annuity loan."""
    annuity = k.var("annuity", 0.0)
    discounted(k, yield_rate, periods, lambda present, _: k.add(annuity, present))
    return bounded(face_value / ops.max(annuity, 0.5), 0.0, 1e3)


@bond.formula(source="Brealey, Myers and Allen 2020", teaches=("loop", "iteration", "branch"))
def months_to_repay(
    k: Builder, face_value: FaceValue, coupon_rate: CouponRate, installment: Annotated[Expr, installment]
) -> Annotated[Expr, repayment_count]:
    """Number of payments until a loan is repaid."""
    rest = k.var("balance", face_value, bounds=(-1e6, 1e6))
    count = k.var("count", 0, type=I32, bounds=(0, 40))
    with k.repeat((rest > 0.0) & (count < 40), 40):
        k.set(rest, bounded(rest * (1.0 + coupon_rate) - installment, -1e6, 1e6))
        k.set(count, bounded(count + 1, 0, 40))
    return count


@bond.formula(source="Brealey, Myers and Allen 2020", teaches=("loop",))
def remaining_balance(
    k: Builder,
    face_value: FaceValue,
    yield_rate: Yield,
    payment: Payment,
    paid_periods: Annotated[Expr, Setting(2, 10, kind=whole)],
) -> Annotated[Expr, balance]:
    """Remaining balance of an annuity loan."""
    rest = k.var("balance", face_value, bounds=(-1e6, 1e6))
    with k.loop("_", 0, paid_periods):
        interest = k.let("interest", rest * yield_rate)
        k.set(rest, bounded(ops.max(rest + interest - payment, 0.0), 0.0, 1e6))
    return rest
