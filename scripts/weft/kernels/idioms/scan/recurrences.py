"""What one thread carries along a line: running sums and extremes, filters, models, codes."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.constants import PI, TWO_PI
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
    """Compute the running population variance along {0} by Welford's method."""
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
    """Compute the running maximum of -1 and the values along {0}."""
    x, highest = line.series("values", -1.0, 1.0), line.state("highest", -1.0, -1.0, 1.0)
    return "maxima", lambda j: line.set(highest, ops.max(highest, x(j)))


@along()
def drawdown(line: Line) -> Made:
    """Compute the drawdown from the highest price so far along {0}. The highest price starts at 1."""
    x, highest = line.series("prices", 50.0, 150.0), line.state("highest", 1.0, 1.0, 150.0)

    def step(j: Expr) -> Expr:
        price = line.k.let("price", x(j))
        line.set(highest, ops.max(highest, price))
        return 1.0 - price / highest

    return "drawdowns", step


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


@along()
def low_pass(line: Line) -> Made:
    """Apply a first-order low-pass along {0}: y[j] = pole * y[j - 1] + (1 - pole) * x[j], from y = 0."""
    x = line.series("samples", -1.0, 1.0)
    pole = line.setting("pole", 0.5, 0.95)
    y = line.state("filtered", 0.0)
    return "filtered_samples", lambda j: line.set(y, pole * y + (1.0 - pole) * x(j))


@along()
def high_pass(line: Line) -> Made:
    """Apply a first-order high-pass along {0}: y[j] = pole * (y[j - 1] + x[j] - x[j - 1]), from zeros."""
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
    """Follow the envelope of the signal along {0}, by the share attack where it rises, else by release."""
    x = line.series("samples", -1.0, 1.0)
    attack = line.setting("attack", 0.3, 0.9)
    release = line.setting("release", 0.01, 0.2)
    level = line.state("level", 0.0)

    def step(j: Expr) -> Expr:
        magnitude = line.k.let("magnitude", ops.abs(x(j)))
        return line.add(level, ops.where(magnitude > level, attack, release) * (magnitude - level))

    return "envelopes", step


@along()
def run_length(line: Line) -> Made:
    """Count along {0} for how long the signal has been above a level."""
    x, level, run = line.series("values", -1.0, 1.0), line.setting("level", -0.3, 0.1), line.count("run")
    return "run_lengths", lambda j: line.set(run, conditional(x(j) > level, run + 1, 0))


@along()
def segment_number(line: Line) -> Made:
    """Number the segments along {0} that begin where head_flags is 1."""
    x, number = line.wholes("head_flags", 0, 1), line.count("segment")
    return "segment_ids", lambda j: line.add(number, x(j))


@along(source="Blelloch 1990")
def segmented_total(line: Line) -> Made:
    """Compute the running total along {0}, which starts again where head_flags is 1."""
    x = line.series("values", -1.0, 1.0)
    heads = line.wholes("head_flags", 0, 1)
    total = line.state("total", 0.0)

    def step(j: Expr) -> Expr:
        with line.k.when(heads(j).equals(1)):
            line.set(total, 0.0)
        return line.add(total, x(j))

    return "segment_totals", step


@along()
def delta_decode(line: Line) -> Made:
    """Decode the differences along {0} to values."""
    x, value = line.wholes("deltas", -9, 9), line.count("value", 0, -100_000, 100_000)
    return "decoded_values", lambda j: line.add(value, x(j))


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
    """Compute generalized advantage estimates backward along {0}. An episode ends where done_flags is 1,
    and the value after the last step is zero.
    """
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


@along()
def pid_control(line: Line) -> Made:
    """Compute what a PID controller does at recorded measurements along {0}, with gains per sample."""
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
    """Compute the running integral of the samples along {0} by the trapezoidal rule, zero at the first."""
    x, spacing = line.series("samples", -1.0, 1.0), line.setting("spacing", 0.01, 0.2)
    total, last = line.state("integral", 0.0), line.state("last", x(0))

    def step(j: Expr) -> Expr:
        sample = line.k.let("sample", x(j))
        with line.k.when(j > 0):
            line.add(total, 0.5 * spacing * (last + sample))
        line.set(last, sample)
        return total

    return "integrals", step


@along(source="Floyd and Steinberg 1976")
def error_diffusion(line: Line) -> Made:
    """Quantize the gray levels along {0} with diffusion of the error."""
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
def unwrap_phases(line: Line) -> Made:
    """Unwrap the phases along {0}. Phases are in radians and within one turn, and a turn is added or
    subtracted where a step exceeds half a turn.
    """
    x = line.series("phases", -3.1, 3.1)
    shift, last, k = line.state("shift", 0.0), line.state("last", x(0)), line.k

    def step(j: Expr) -> Expr:
        phase = k.let("phase", x(j))
        with k.when(phase - last > PI):
            line.add(shift, TWO_PI, "-")
        with k.orwhen(last - phase > PI):
            line.add(shift, TWO_PI)
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


@along()
def bit_rank(line: Line) -> Made:
    """Compute the rank of each bit, the number of ones before it along {0}."""
    x, ones, k = line.wholes("bit_flags", 0, 1), line.count("ones"), line.k

    def step(j: Expr) -> Expr:
        before = k.let("rank", ones)
        line.add(ones, x(j))
        return before

    return "bit_ranks", step
