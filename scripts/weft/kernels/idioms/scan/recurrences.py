"""What one thread carries along a line: running sums and extremes, filters, models, codes."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.constants import TWO_PI
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import doc_line
from weft.kernels.idioms.scan.lines import Line, Recurrence, Step, scan
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr
from weft.kernels.types import I32

RECURRENCES: list[Callable[[Builder], None]] = []


def along(*, source: str = "", backward: bool = False) -> Callable[[Recurrence], Recurrence]:
    """Add a recurrence, whose docstring is the kernel's, with {0} where the line is named.

    `source` is the paper or book that it is from.
    """

    def add(write: Recurrence) -> Recurrence:
        RECURRENCES.append(scan(write.__name__, doc_line(write), write, backward=backward))
        return write

    return add


Made = tuple[str, Step]


@along()
def running_total(line: Line) -> Made:
    """Compute the running total along {0}."""
    x, total = line.series("values", -1.0, 1.0), line.state("total", 0.0)
    return "running_totals", lambda j: line.add(total, x(j))


@along()
def exclusive_total(line: Line) -> Made:
    """Compute the sum of all elements before each one along {0}."""
    x, total = line.wholes("lengths", 0, 9), line.count("offset")
    k = line.k

    def step(j: Expr) -> Expr:
        before = k.let("before", total)
        line.add(total, x(j))
        return before

    return "offsets", step


@along(backward=True)
def suffix_total(line: Line) -> Made:
    """Compute the sum of each element and all after it along {0}."""
    x, total = line.series("values", -1.0, 1.0), line.state("total", 0.0)
    return "suffix_totals", lambda j: line.add(total, x(j))


@along(source="Kahan 1965")
def compensated_total(line: Line) -> Made:
    """Compute the running total along {0} with compensation of the rounding errors."""
    x, total, lost = line.series("values", 0.0, 1.0), line.state("total", 0.0), line.state("lost", 0.0)
    k = line.k

    def step(j: Expr) -> Expr:
        term = k.let("term", x(j) - lost)
        grown = k.let("grown", total + term)
        line.set(lost, (grown - total) - term)
        return line.set(total, grown)

    return "running_totals", step


@along()
def running_mean(line: Line) -> Made:
    """Compute the running mean along {0}."""
    x, total = line.series("readings", -1.0, 1.0), line.state("total", 0.0)
    return "means", lambda j: line.add(total, x(j)) / line.seen(j)


@along(source="Welford 1962")
def running_variance(line: Line) -> Made:
    """Compute the running variance along {0} by Welford's method."""
    x, mean, squares = line.series("readings", -1.0, 1.0), line.state("mean", 0.0), line.state("squares", 0.0)
    k = line.k

    def step(j: Expr) -> Expr:
        value = k.let("value", x(j))
        gap = k.let("gap", value - mean)
        line.add(mean, gap / line.seen(j))
        return line.add(squares, gap * (value - mean)) / line.seen(j)

    return "variances", step


@along()
def running_maximum(line: Line) -> Made:
    """Compute the running maximum along {0}."""
    x, highest = line.series("values", -1.0, 1.0), line.state("highest", -1.0, -1.0, 1.0)
    return "maxima", lambda j: line.set(highest, ops.max(highest, x(j)))


@along()
def drawdown(line: Line) -> Made:
    """Compute the drawdown from the highest price so far along {0}."""
    x, highest = line.series("prices", 50.0, 150.0), line.state("highest", 1.0, 1.0, 150.0)

    def step(j: Expr) -> Expr:
        price = line.k.let("price", x(j))
        line.set(highest, ops.max(highest, price))
        return 1.0 - price / highest

    return "drawdowns", step


@along()
def record_flags(line: Line) -> Made:
    """Mark the elements along {0} that exceed all before them."""
    x, highest = line.series("heights", 0.0, 1.0), line.state("highest", -1.0, -1.0, 1.0)
    k = line.k

    def step(j: Expr) -> Expr:
        height = k.let("height", x(j))
        flag = k.let("is_record", conditional(height > highest, lift(1, I32), 0))
        line.set(highest, ops.max(highest, height))
        return flag

    return "records", step


@along()
def smallest_so_far(line: Line) -> Made:
    """Find along {0} where the smallest element so far lies."""
    x, least, where = line.series("costs", 0.0, 1.0), line.state("least", 2.0), line.count("where")
    k = line.k

    def step(j: Expr) -> Expr:
        cost = k.let("cost", x(j))
        with k.when(cost < least):
            line.set(least, cost)
            line.set(where, j + 0)
        return where

    return "places", step


@along()
def compound_growth(line: Line) -> Made:
    """Compute the growth of an initial wealth of one along {0} from returns."""
    x, wealth = line.series("returns", -0.05, 0.06), line.state("wealth", 1.0)
    return "wealths", lambda j: line.set(wealth, wealth * (1.0 + x(j)))


@along()
def loan_balance(line: Line) -> Made:
    """Compute the balance of a loan along {0} after interest and payment."""
    rate, payment = line.series("rates", 0.002, 0.01), line.series("payments", 5.0, 20.0)
    balance = line.state("balance", line.own("principal", 200.0, 900.0), 0.0, 1e6)
    return "balances", lambda j: line.set(balance, ops.max(balance * (1.0 + rate(j)) - payment(j), 0.0))


@along()
def running_log_sum(line: Line) -> Made:
    """Compute the logarithm of the sum of exponentials up to each element along {0}."""
    x = line.series("logits", -4.0, 4.0)
    peak = line.state("peak", -INFINITY, -4.0, 4.0)
    total = line.state("total", 0.0, 0.0, 1e6)
    k = line.k

    def step(j: Expr) -> Expr:
        logit = k.let("logit", x(j))
        higher = k.let("higher", ops.max(peak, logit))
        line.set(
            total,
            total * ops.exp(bounded(peak - higher, -20.0, 0.0))
            + ops.exp(bounded(logit - higher, -20.0, 0.0)),
        )
        line.set(peak, higher)
        return peak + ops.log(bounded(total, 1.0, 1e6))

    return "log_sums", step


@along(source="Brown 1956")
def exponential_average(line: Line) -> Made:
    """Compute the exponential moving average along {0}."""
    x, share = line.series("readings", -1.0, 1.0), line.setting("smoothing", 0.05, 0.5)
    average = line.state("average", x(0))
    return "averages", lambda j: line.add(average, share * (x(j) - average))


@along(source="Holt 1957")
def holt_forecast(line: Line) -> Made:
    """Forecast the demand along {0} by Holt's smoothing of level and trend."""
    x = line.series("demands", 0.0, 10.0)
    share = line.setting("level_share", 0.2, 0.6)
    slope = line.setting("trend_share", 0.05, 0.3)
    level, trend = line.state("level", x(0)), line.state("trend", 0.0)
    k = line.k

    def step(j: Expr) -> Expr:
        before = k.let("before", level)
        line.set(level, share * x(j) + (1.0 - share) * (level + trend))
        line.set(trend, slope * (level - before) + (1.0 - slope) * trend)
        return level + trend

    return "forecasts", step


@along(source="Kingma and Ba 2015")
def debiased_average(line: Line) -> Made:
    """Compute the average of gradients along {0}, corrected for the start at zero."""
    x, decay = line.series("gradients", -1.0, 1.0), line.setting("decay", 0.8, 0.95)
    average, power = line.state("average", 0.0), line.state("decay_power", 1.0, 0.0, 1.0)

    def step(j: Expr) -> Expr:
        line.set(average, decay * average + (1.0 - decay) * x(j))
        line.set(power, power * decay)
        return average / bounded(1.0 - power, 0.04, 1.0)

    return "averages", step


@along()
def low_pass(line: Line) -> Made:
    """Filter the signal along {0} by a low-pass of first order."""
    x = line.series("samples", -1.0, 1.0)
    pole = line.setting("pole", 0.5, 0.95)
    y = line.state("filtered", 0.0)
    return "filtered_samples", lambda j: line.set(y, pole * y + (1.0 - pole) * x(j))


@along()
def high_pass(line: Line) -> Made:
    """Filter the signal along {0} by a high-pass of first order."""
    x, pole = line.series("samples", -1.0, 1.0), line.setting("pole", 0.7, 0.98)
    y, last = line.state("filtered", 0.0), line.state("last", 0.0)

    def step(j: Expr) -> Expr:
        sample = line.k.let("sample", x(j))
        line.set(y, pole * (y + sample - last))
        line.set(last, sample)
        return y

    return "filtered_samples", step


@along(source="Bristow-Johnson's cookbook")
def biquad(line: Line) -> Made:
    """Filter the signal along {0} by a biquad in transposed direct form."""
    x = line.series("samples", -1.0, 1.0)
    b0, b1, b2 = (line.setting(name, 0.05, 0.4) for name in ("b0", "b1", "b2"))
    a1, a2 = line.setting("a1", -0.9, 0.2), line.setting("a2", 0.05, 0.3)
    first, second = line.state("first", 0.0), line.state("second", 0.0)
    k = line.k

    def step(j: Expr) -> Expr:
        sample = k.let("sample", x(j))
        filtered = k.let("filtered", b0 * sample + first)
        line.set(first, b1 * sample - a1 * filtered + second)
        line.set(second, b2 * sample - a2 * filtered)
        return filtered

    return "filtered_samples", step


@along()
def envelope(line: Line) -> Made:
    """Follow the envelope of the signal along {0} with a fast attack and a slow release."""
    x = line.series("samples", -1.0, 1.0)
    attack = line.setting("attack", 0.3, 0.9)
    release = line.setting("release", 0.01, 0.2)
    level = line.state("level", 0.0)

    def step(j: Expr) -> Expr:
        size = line.k.let("size", ops.abs(x(j)))
        return line.add(level, ops.where(size > level, attack, release) * (size - level))

    return "envelopes", step


@along()
def slew_limit(line: Line) -> Made:
    """Limit how fast the signal along {0} changes."""
    x, most = line.series("targets", -1.0, 1.0), line.setting("max_step", 0.05, 0.4)
    y = line.state("position", x(0))
    return "positions", lambda j: line.add(y, ops.clamp(x(j) - y, -most, most))


@along(source="Schmitt 1938")
def schmitt_trigger(line: Line) -> Made:
    """Switch on above a high level and off below a low one along {0}."""
    x = line.series("voltages", -1.0, 1.0)
    high = line.setting("high_level", 0.2, 0.5)
    low = line.setting("low_level", -0.5, -0.2)
    on, k = line.count("on", 0, 0, 1), line.k

    def step(j: Expr) -> Expr:
        voltage = k.let("voltage", x(j))
        with k.when(voltage > high):
            line.set(on, lift(1, I32))
        with k.orwhen(voltage < low):
            line.set(on, lift(0, I32))
        return on

    return "states", step


@along()
def run_length(line: Line) -> Made:
    """Count along {0} for how long the signal has been above a level."""
    x, level, run = line.series("values", -1.0, 1.0), line.setting("level", -0.3, 0.1), line.count("run")
    return "run_lengths", lambda j: line.set(run, conditional(x(j) > level, run + 1, 0))


@along()
def since_event(line: Line) -> Made:
    """Count along {0} the steps since the last event."""
    x, age = line.wholes("events", 0, 1), line.count("age")
    return "ages", lambda j: line.set(age, conditional(x(j).equals(1), 0, age + 1))


@along()
def segment_number(line: Line) -> Made:
    """Number the segments along {0} that begin at flags."""
    x, number = line.wholes("head_flags", 0, 1), line.count("segment")
    return "segment_ids", lambda j: line.add(number, x(j))


@along(source="Blelloch 1990")
def segmented_total(line: Line) -> Made:
    """Sum the values along {0} within segments that begin at flags."""
    x = line.series("values", -1.0, 1.0)
    heads = line.wholes("head_flags", 0, 1)
    total = line.state("total", 0.0)

    def step(j: Expr) -> Expr:
        with line.k.when(heads(j).equals(1)):
            line.set(total, 0.0)
        return line.add(total, x(j))

    return "segment_totals", step


@along()
def total_by_key(line: Line) -> Made:
    """Sum the values of runs with the same key along {0}."""
    x, keys = line.series("values", -1.0, 1.0), line.wholes("keys", 0, 2)
    total, last, k = line.state("total", 0.0), line.count("last_key", -1, -1, 2), line.k

    def step(j: Expr) -> Expr:
        key = k.let("key", keys(j))
        with k.when(key.differs(last)):
            line.set(total, 0.0)
        line.set(last, key)
        return line.add(total, x(j))

    return "run_totals", step


@along()
def delta_decode(line: Line) -> Made:
    """Decode the differences along {0} to values."""
    x, value = line.wholes("deltas", -9, 9), line.count("value", 0, -100_000, 100_000)
    return "decoded_values", lambda j: line.add(value, x(j))


@along(source="Google's Protocol Buffers")
def zigzag_decode(line: Line) -> Made:
    """Decode zigzag codes of differences along {0}."""
    x, value, k = line.wholes("codes", 0, 63), line.count("value", 0, -100_000, 100_000), line.k

    def step(j: Expr) -> Expr:
        code = k.let("code", x(j))
        return line.add(value, conditional((code & 1).equals(1), -((code + 1) >> 1), code >> 1))

    return "decoded_values", step


@along(source="Gray 1953")
def prefix_parity(line: Line) -> Made:
    """Compute the parity of all bits up to each one along {0}, which decodes Gray codes."""
    x, parity = line.wholes("gray_bits", 0, 1), line.count("parity", 0, 0, 1)
    return "decoded_bits", lambda j: line.set(parity, parity ^ x(j))


@along()
def bracket_depth(line: Line) -> Made:
    """Compute how deep each place along {0} lies in nested brackets."""
    x, depth = line.wholes("brackets", -1, 1), line.count("depth", 0, -100_000, 100_000)
    return "depths", lambda j: line.add(depth, x(j))


@along()
def forward_fill(line: Line) -> Made:
    """Fill the gaps along {0} with the last valid reading."""
    x = line.series("readings", -1.0, 1.0)
    valid = line.wholes("valid_flags", 0, 1)
    last = line.state("last", 0.0)

    def step(j: Expr) -> Expr:
        with line.k.when(valid(j).equals(1)):
            line.set(last, x(j))
        return last

    return "filled_readings", step


@along(source="Kalman 1960")
def kalman_level(line: Line) -> Made:
    """Filter the readings along {0} by a Kalman filter for a level that drifts."""
    x = line.series("readings", -1.0, 1.0)
    drift = line.setting("drift", 0.01, 0.1)
    noise = line.setting("noise", 0.2, 1.0)
    level, variance, k = line.state("level", 0.0), line.state("variance", 1.0, 0.0, 1e3), line.k

    def step(j: Expr) -> Expr:
        predicted = k.let("predicted", variance + drift)
        gain = k.let("gain", predicted / (predicted + noise))
        line.add(level, gain * (x(j) - level))
        line.set(variance, (1.0 - gain) * predicted)
        return level

    return "levels", step


@along(source="Benedict and Bordner 1962")
def alpha_beta(line: Line) -> Made:
    """Track position and velocity along {0} by an alpha-beta filter."""
    x = line.series("measured_positions", -1.0, 1.0)
    alpha = line.setting("alpha", 0.3, 0.8)
    beta = line.setting("beta", 0.05, 0.3)
    position = line.state("position", 0.0)
    velocity = line.state("velocity", 0.0)
    dt = line.setting("dt", 0.1, 1.0)
    k = line.k

    def step(j: Expr) -> Expr:
        predicted = k.let("predicted", position + dt * velocity)
        residual = k.let("residual", x(j) - predicted)
        line.set(position, predicted + alpha * residual)
        line.add(velocity, beta * residual / dt)
        return position

    return "positions", step


@along(source="Bollerslev 1986")
def garch_variance(line: Line) -> Made:
    """Estimate the variance of returns along {0} by GARCH(1,1)."""
    x, base = line.series("returns", -0.3, 0.3), line.setting("base_variance", 0.001, 0.01)
    reaction, memory = line.setting("reaction", 0.05, 0.2), line.setting("memory", 0.6, 0.75)
    variance, k = line.state("variance", 0.02, 0.0, 10.0), line.k

    def step(j: Expr) -> Expr:
        jump = k.let("jump", x(j))
        return line.set(variance, base + reaction * jump * jump + memory * variance)

    return "variances", step


@along(source="Yule 1927")
def autoregression(line: Line) -> Made:
    """Simulate an autoregressive process of second order along {0} from shocks."""
    x = line.series("shocks", -1.0, 1.0)
    one = line.setting("first_weight", 0.3, 0.8)
    two = line.setting("second_weight", -0.4, 0.1)
    last, earlier, k = line.state("last", 0.0), line.state("earlier", 0.0), line.k

    def step(j: Expr) -> Expr:
        value = k.let("value", one * last + two * earlier + x(j))
        line.set(earlier, last)
        return line.set(last, value)

    return "simulated_values", step


@along(source="Sutton and Barto 2018", backward=True)
def discounted_return(line: Line) -> Made:
    """Compute the discounted return of each step along {0}."""
    x = line.series("rewards", -1.0, 1.0)
    discount = line.setting("discount", 0.9, 0.99)
    total = line.state("total", 0.0)
    return "discounted_returns", lambda j: line.set(total, x(j) + discount * total)


@along(source="Schulman, Moritz, Levine, Jordan and Abbeel 2016", backward=True)
def advantage_estimate(line: Line) -> Made:
    """Estimate the advantage of each step along {0} by generalised advantage estimation."""
    x = line.series("rewards", -1.0, 1.0)
    values = line.series("state_values", -2.0, 2.0)
    done = line.wholes("done_flags", 0, 1)
    discount, decay, k = line.setting("discount", 0.9, 0.99), line.setting("trace_decay", 0.9, 0.97), line.k
    advantage, following = line.state("advantage", 0.0), line.state("next_value", 0.0)

    def step(j: Expr) -> Expr:
        value = k.let("value", values(j))
        alive = k.let("alive", 1.0 - convert(k.real, done(j)))
        error = k.let("error", x(j) + discount * following * alive - value)
        line.set(advantage, error + discount * decay * alive * advantage)
        line.set(following, value)
        return advantage

    return "advantages", step


@along(source="Page 1954")
def cusum(line: Line) -> Made:
    """Compute the statistic of the cumulative sum test for a rise along {0}."""
    x = line.series("readings", -1.0, 1.0)
    slack = line.setting("slack", 0.05, 0.3)
    total = line.state("statistic", 0.0)
    return "statistics", lambda j: line.set(total, ops.max(total + x(j) - slack, 0.0))


@along(source="Lindley 1952")
def waiting_time(line: Line) -> Made:
    """Compute the waiting time of each customer along {0} by Lindley's recursion."""
    service = line.series("service_times", 0.1, 2.0)
    gaps = line.series("arrival_gaps", 0.2, 2.2)
    wait = line.state("wait", 0.0)

    def step(j: Expr) -> Expr:
        before = line.k.let("waited", wait)
        line.set(wait, ops.max(wait + service(j) - gaps(j), 0.0))
        return before

    return "waiting_times", step


@along()
def battery_charge(line: Line) -> Made:
    """Compute the charge of a battery along {0}, between empty and full."""
    x, capacity = line.series("power_flows", -1.0, 1.0), line.setting("capacity", 1.0, 4.0)
    charge, dt = line.state("charge", line.own("initial_charge", 0.2, 0.9)), line.setting("dt", 0.25, 1.0)
    return "charges", lambda j: line.set(charge, ops.clamp(charge + dt * x(j), 0.0, capacity))


@along(source="Arrow, Harris and Marschak 1951")
def reorder_stock(line: Line) -> Made:
    """Compute the stock along {0} when an order fills it up below the reorder point."""
    x = line.series("demands", 0.0, 4.0)
    low = line.setting("reorder_point", 4.0, 7.0)
    full = line.setting("order_up_to", 10.0, 20.0)
    stock = line.state("stock", full)

    def step(j: Expr) -> Expr:
        line.set(stock, stock - x(j))
        with line.k.when(stock < low):
            line.set(stock, full)
        return stock

    return "stocks", step


@along()
def pid_control(line: Line) -> Made:
    """Compute the control signal of a PID controller along {0}."""
    x, setpoint = line.series("measurements", -1.0, 1.0), line.setting("setpoint", -0.5, 0.5)
    gains = [
        line.setting(name, low, high)
        for name, low, high in (("kp", 0.5, 2.0), ("ki", 0.05, 0.5), ("kd", 0.05, 0.3))
    ]
    total, last, k = line.state("error_sum", 0.0), line.state("last_error", 0.0), line.k

    def step(j: Expr) -> Expr:
        error = k.let("error", setpoint - x(j))
        line.add(total, error)
        control = k.let("control", gains[0] * error + gains[1] * total + gains[2] * (error - last))
        line.set(last, error)
        return control

    return "controls", step


@along()
def cumulative_integral(line: Line) -> Made:
    """Integrate the samples along {0} by the trapezoidal rule."""
    x, spacing = line.series("samples", -1.0, 1.0), line.setting("spacing", 0.01, 0.2)
    total, last = line.state("integral", 0.0), line.state("last", x(0))

    def step(j: Expr) -> Expr:
        sample = line.k.let("sample", x(j))
        line.add(total, 0.5 * spacing * (last + sample))
        line.set(last, sample)
        return total

    return "integrals", step


@along()
def arc_length(line: Line) -> Made:
    """Compute the length of the path along {0} up to each point."""
    x, y = line.series("x_values", -1.0, 1.0), line.series("y_values", -1.0, 1.0)
    total = line.state("path_length", 0.0)
    last_x = line.state("last_x", x(0))
    last_y = line.state("last_y", y(0))
    k = line.k

    def step(j: Expr) -> Expr:
        dx, dy = k.let("dx", x(j) - last_x), k.let("dy", y(j) - last_y)
        line.add(total, ops.sqrt(bounded(dx * dx + dy * dy, 0.0, 1e6)))
        line.add(last_x, dx)
        line.add(last_y, dy)
        return total

    return "path_lengths", step


@along(source="Floyd and Steinberg 1976")
def error_diffusion(line: Line) -> Made:
    """Quantise the gray levels along {0} with diffusion of the error."""
    x, error, k = line.series("gray_levels", 0.0, 1.0), line.state("error", 0.0), line.k

    def step(j: Expr) -> Expr:
        wanted = k.let("wanted", x(j) + error)
        dot = k.let("dot", conditional(wanted > 0.5, lift(1, I32), 0))
        line.set(error, wanted - convert(k.real, dot))
        return dot

    return "dots", step


@along(source="Max 1995")
def compositing_weight(line: Line) -> Made:
    """Compute the weight of each sample along {0} by front-to-back compositing."""
    x, light, k = line.series("opacities", 0.0, 0.6), line.state("transmittance", 1.0, 0.0, 1.0), line.k

    def step(j: Expr) -> Expr:
        opacity = k.let("opacity", x(j))
        weight = k.let("weight", light * opacity)
        line.set(light, light * (1.0 - opacity))
        return weight

    return "weights", step


@along()
def transmitted_light(line: Line) -> Made:
    """Compute the transmittance behind each slab along {0} by Beer's law."""
    x, depth = line.series("extinctions", 0.0, 0.5), line.state("optical_depth", 0.0, 0.0, 100.0)
    thickness = line.setting("thickness", 0.1, 1.0)
    return "transmittances", lambda j: ops.exp(-line.add(depth, thickness * x(j)))


@along()
def line_of_sight(line: Line) -> Made:
    """Mark the places along {0} that are seen from the first one."""
    x, steepest, k = line.series("elevations", 0.0, 50.0), line.state("steepest", -1e3), line.k
    eye = k.let("eye", x(0) + line.setting("eye_height", 1.0, 3.0))

    def step(j: Expr) -> Expr:
        slope = k.let("slope", (x(j) - eye) / line.seen(j))
        visible = k.let("visible", conditional(slope >= steepest, lift(1, I32), 0))
        line.set(steepest, ops.max(steepest, slope))
        return visible

    return "visible_flags", step


@along(source="Itoh 1982")
def unwrapped_phase(line: Line) -> Made:
    """Unwrap the phases along {0} so that no step exceeds half a turn."""
    x, turn = line.series("phases", -3.1, 3.1), TWO_PI
    shift, last, k = line.state("shift", 0.0), line.state("last", x(0)), line.k

    def step(j: Expr) -> Expr:
        phase = k.let("phase", x(j))
        with k.when(phase - last > 0.5 * turn):
            line.add(shift, -turn)
        with k.orwhen(phase - last < -0.5 * turn):
            line.add(shift, turn)
        line.set(last, phase)
        return phase + shift

    return "unwrapped_phases", step


@along(source="Thomas 1949")
def thomas_forward(line: Line) -> Made:
    """Eliminate the lower diagonal of a tridiagonal system along {0}."""
    lower = line.series("lowers", -0.9, 0.9)
    upper = line.series("uppers", -0.9, 0.9)
    right = line.series("right_sides", -1.0, 1.0)
    diagonal, k = line.setting("diagonal", 2.5, 4.0), line.k
    ratio, value = line.state("ratio", 0.0, -1.0, 1.0), line.state("value", 0.0)

    def step(j: Expr) -> Expr:
        below = k.let("below", lower(j))
        pivot = k.let("pivot", bounded(diagonal - below * ratio, 1.5, 5.0))
        line.set(value, (right(j) - below * value) / pivot)
        line.set(ratio, upper(j) / pivot)
        return value

    return "reduced_sides", step


@along(source="Rabiner 1989")
def forward_belief(line: Line) -> Made:
    """Filter the belief in one of two states along {0} by the forward algorithm."""
    x, stay = line.series("likelihood_ratios", 0.2, 4.0), line.setting("stay_probability", 0.7, 0.95)
    belief, k = line.state("belief", 0.5, 0.0, 1.0), line.k

    def step(j: Expr) -> Expr:
        prior = k.let("prior", bounded(stay * belief + (1.0 - stay) * (1.0 - belief), 0.01, 1.0))
        odds = k.let("odds", prior * x(j))
        return line.set(belief, odds / (odds + bounded(1.0 - prior, 0.0, 1.0)))

    return "beliefs", step


@along(source="Lapicque 1907")
def spike_train(line: Line) -> Made:
    """Update the membrane potential along {0} and mark where a neuron fires."""
    x = line.series("currents", 0.0, 0.6)
    leak = line.setting("leak", 0.05, 0.2)
    threshold = line.setting("threshold", 0.8, 1.2)
    potential, k = line.state("potential", 0.0), line.k

    def step(j: Expr) -> Expr:
        line.set(potential, (1.0 - leak) * potential + x(j))
        spike = k.let("spike", conditional(potential > threshold, lift(1, I32), 0))
        with k.when(spike.equals(1)):
            line.set(potential, 0.0)
        return spike

    return "spikes", step


@along(source="Manabe 1969")
def bucket_moisture(line: Line) -> Made:
    """Compute the soil moisture along {0} from rain, evaporation and runoff."""
    rain, loss = line.series("rainfalls", 0.0, 6.0), line.series("evaporations", 0.5, 4.0)
    capacity, water = line.setting("capacity", 8.0, 15.0), line.state("water", 5.0, 0.0, 1e3)
    return "moistures", lambda j: line.set(water, ops.clamp(water + rain(j) - loss(j), 0.0, capacity))


@along(source="Réaumur 1735")
def degree_days(line: Line) -> Made:
    """Count the degree days above a base temperature along {0}."""
    x = line.series("temperatures", -5.0, 30.0)
    base = line.setting("base_temperature", 5.0, 15.0)
    total = line.state("total", 0.0)
    return "degree_days", lambda j: line.add(total, ops.max(x(j) - base, 0.0))


@along(source="Schaefer 1954")
def harvested_population(line: Line) -> Made:
    """Advance a logistic population along {0} with a harvest in each season."""
    x, growth = line.series("harvests", 0.0, 0.08), line.setting("growth", 0.3, 0.9)
    population = line.state("population", line.own("first_population", 0.3, 0.9), 0.0, 10.0)

    def step(j: Expr) -> Expr:
        grown = population + growth * population * (1.0 - population) - x(j)
        return line.set(population, ops.max(grown, 0.0))

    return "populations", step


@along()
def bit_rank(line: Line) -> Made:
    """Count the ones of a bit vector before each place along {0}."""
    x, ones, k = line.wholes("bit_flags", 0, 1), line.count("ones"), line.k

    def step(j: Expr) -> Expr:
        before = k.let("rank", ones)
        line.add(ones, x(j))
        return before

    return "bit_ranks", step
