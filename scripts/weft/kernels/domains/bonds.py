"""Bonds and loans: prices, yields, durations, credit risk, repayment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr

bond = Domain("bond", index=("i", "bond"))

coupon_rate = Quantity("coupon_rate", 0.01, 0.08)
yield_rate = Quantity("yield_rate", 0.005, 0.09, least=0.0001, most=0.5)
periods = Quantity("periods", 2, 30, whole, plural="period_counts")
years = Quantity("years", 0.5, 20.0, plural="years_left")
bond_price = Quantity("bond_price", 60.0, 140.0, least=0.0, most=1e4)
duration = Quantity("duration", 1.0, 15.0, least=0.0, most=1e3)
modified_duration = Quantity("modified_duration", 1.0, 15.0, least=0.0, most=1e3)
convexity = Quantity("convexity", 1.0, 300.0, plural="convexities", least=0.0)
quoted_price = Quantity("quoted_price", 60.0, 100.0)
"""At most par: a positive yield fits every coupon."""
face_value = Quantity("face_value", 50.0, 150.0)
rate_risk = Quantity("rate_risk", 0.0, 0.2, least=-1e3, most=1e3, additive=True)
price_change = Quantity(
    "price_change", -10.0, 10.0, least=-1e6, most=1e6, additive=True, extremal=True, signed=True
)
hazard_rate = Quantity("hazard_rate", 0.001, 0.1, least=1e-6, most=1e3)
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
Convexity = Annotated[Expr, convexity]
QuotedPrice = Annotated[Expr, quoted_price]
FaceValue = Annotated[Expr, face_value]
HazardRate = Annotated[Expr, hazard_rate]
ExpectedLoss = Annotated[Expr, expected_loss]
Payment = Annotated[Expr, payment]
Recovery = Annotated[Expr, Setting(0.2, 0.6)]
LevelRate = Annotated[Expr, Setting(0.03, 0.06)]
SlopeRate = Annotated[Expr, Setting(-0.02, 0.02)]
CurveDecay = Annotated[Expr, Setting(0.3, 1.0)]


@bond.formula(source="Nelson and Siegel 1987")
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


@bond.formula(source="Macaulay 1938", teaches=("loop",))
def macaulay_duration(k: Builder, coupon_rate: CouponRate, yield_rate: Yield, periods: Periods) -> Duration:
    """Macaulay duration."""
    value, timed = k.var("value", 0.0), k.var("timed", 0.0)

    def add(present: Expr, period: Expr) -> None:
        k.add(value, coupon_rate * present)
        k.add(timed, coupon_rate * present * (convert(k.real, period) + 1.0))

    last = discounted(k, yield_rate, periods, add)
    return bounded((timed + convert(k.real, periods) * last) / ops.max(value + last, 1e-3), 0.0, 100.0)


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


@bond.formula(source="O'Kane 2008", teaches=("loop",))
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
