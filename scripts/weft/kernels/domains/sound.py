"""Sound: frames of samples with their levels, spectra and filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.constants import TWO_PI
from weft.kernels.domains.along import at, each, extent, number_of, summed, summed_squares
from weft.kernels.domains.elementary import sigmoid
from weft.kernels.expressions import bounded, convert, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr
from weft.kernels.types import I32

frame = Domain(
    "frame",
    index=("i", "frame"),
    half=True,
    flexible=True,
    sizes={"samples": (32, 48, 64, 96), "lags": (8, 16), "bands": (4, 6, 8)},
    things=False,
)

signal = Quantity("signal", -1.0, 1.0, trailing=("samples",))
frame_power = Quantity("frame_power", 0.05, 0.6, least=0.0, most=1e4, additive=True)
peak = Quantity("peak", 0.01, 1.0, least=0.0, most=1e3, extremal=True)
level = Quantity("level", -40.0, 0.0, least=-200.0, most=100.0, extremal=True)
gain = Quantity("gain", 0.1, 2.0, least=0.0, most=1e4)
envelope = Quantity("envelope", 0.0, 1.0)
crest = Quantity("crest_factor", 1.0, 4.0, least=0.0, most=1e4)
crossing_rate = Quantity("crossing_rate", 0.0, 1.0)
tone_power = Quantity("tone_power", 0.0, 1.0, least=0.0, most=1e5, additive=True)
weighting = Quantity("weighting", 0.0, 1.2, most=2.0)
centroid = Quantity("spectral_centroid", 0.0, 8.0, least=0.0, most=100.0)
pitch_lag = Quantity("pitch_lag", 2, 8, whole, least=0, most=100)
filtered_end = Quantity("filtered_end", -1.0, 1.0, least=-1e4, most=1e4)
filtered_power = Quantity("filtered_power", 0.0, 1.0, least=0.0, most=1e8, additive=True)
voiced = Quantity("voiced", 0, 1, whole, plural="voiced_flags", least=0, most=1)
onset = Quantity("onset_place", 0, 15, whole, least=0, most=100)
prediction_gain = Quantity("prediction_gain", 0.1, 1.0, least=0.0, most=1e4)
time = Quantity("time", 0.0, 2.0)
frequency = Quantity("frequency", 50.0, 4000.0)
pitch = Quantity("pitch", 20.0, 110.0, plural="pitches", least=-100.0, most=300.0)
mel = Quantity("mel_frequency", 50.0, 2500.0, plural="mel_frequencies", least=0.0, most=1e4)

Signal = Annotated[ArrayHandle, signal]
FramePower = Annotated[Expr, frame_power]
Peak = Annotated[Expr, peak]
Level = Annotated[Expr, level]
Gain = Annotated[Expr, gain]
Envelope = Annotated[Expr, envelope]
TonePower = Annotated[Expr, tone_power]
FilteredEnd = Annotated[Expr, filtered_end]
FilteredPower = Annotated[Expr, filtered_power]
CrossingRate = Annotated[Expr, crossing_rate]
PitchLag = Annotated[Expr, pitch_lag]
Frequency = Annotated[Expr, frequency]
Threshold = Annotated[Expr, Setting(-7.0, -4.5)]
Angular = Annotated[Expr, Setting(0.2, 2.5)]
_LOOP = ("loop",)


@frame.formula(teaches=_LOOP)
def mean_square(k: Builder, signal: Signal) -> FramePower:
    """Frame power."""
    return summed_squares(k, "entry", "samples", lambda j: at(k, signal, j)) / number_of(k, "samples")


WINDOWS: tuple[tuple[str, str, Callable[[Expr], Expr]], ...] = (
    ("hann_power", "Power under a Hann window", lambda a: 0.5 - 0.5 * ops.cos(a)),
    ("hamming_power", "Power under a Hamming window", lambda a: 0.54 - 0.46 * ops.cos(a)),
    (
        "blackman_power",
        "Power under a Blackman window",
        lambda a: 0.42 - 0.5 * ops.cos(a) + 0.08 * ops.cos(2.0 * a),
    ),
    ("sine_power", "Power under a sine window", lambda a: ops.sin(0.5 * a)),
)


def _windowed(name: str, what: str, window: Callable[[Expr], Expr]) -> None:
    @frame.formula(name=name, doc=f"{what}.", source="Harris 1978", teaches=_LOOP)
    def windowed(k: Builder, signal: Signal) -> FramePower:
        total = k.var("total", 0.0)
        with each(k, "j", "samples") as j:
            angle = k.let("angle", TWO_PI * convert(k.real, j) / (number_of(k, "samples") - 1.0))
            value = k.let("value", at(k, signal, j) * window(angle))
            k.add(total, value * value)
        return bounded(total / number_of(k, "samples"), 0.0, 4.0)


for _one in WINDOWS:
    _windowed(*_one)


@frame.formula(teaches=_LOOP)
def frame_peak(k: Builder, signal: Signal) -> Peak:
    """Peak of a frame."""
    best = k.var("best", 0.0, bounds=(0.0, 1.0))
    with each(k, "j", "samples") as j:
        k.set(best, ops.max(best, ops.abs(at(k, signal, j))))
    return best


@frame.formula(source="Smith 1997")
def power_level(k: Builder, frame_power: FramePower) -> Level:
    """Level in decibels."""
    return 10.0 * ops.log10(ops.max(frame_power, 1e-6))


@frame.formula(source="Smith 1997")
def peak_level(k: Builder, peak: Peak) -> Level:
    """Peak level in decibels."""
    return 20.0 * ops.log10(ops.max(peak, 1e-4))


@frame.formula(source="ITU-R BS.1770", teaches=_LOOP)
def weighted_level(k: Builder, signal: Signal, shelf: Annotated[Expr, Setting(0.3, 0.8)]) -> Level:
    """Level behind a low-shelf filter."""
    total = k.var("total", 0.0)
    with each(k, "j", "samples", 1) as j:
        value = k.let("value", at(k, signal, j) - shelf * at(k, signal, j - 1))
        k.add(total, value * value)
    return 10.0 * ops.log10(ops.max(bounded(total, 0.0, 200.0) / number_of(k, "samples"), 1e-6)) - 0.691


@frame.formula(source="Zölzer 2011", teaches=("branch",))
def compressor_gain(
    k: Builder,
    level: Level,
    threshold: Threshold,
    ratio: Annotated[Expr, Setting(2.0, 8.0)],
    makeup: Annotated[Expr, Setting(0.0, 6.0)],
) -> Gain:
    """Compressor gain."""
    excess = k.let("excess", level - threshold)
    reduced = either(k, "change", excess > 0.0, excess * (1.0 / ratio - 1.0), 0.0)
    change = k.let("change", bounded(reduced, min(reduced.interval.lo, 0.0), 0.0))
    return ops.exp(0.115129 * ops.min(change + makeup, 20.0))


@frame.formula(source="Zölzer 2011", teaches=("branches",))
def soft_knee_gain(
    k: Builder,
    level: Level,
    threshold: Threshold,
    ratio: Annotated[Expr, Setting(2.0, 8.0)],
    knee_width: Annotated[Expr, Setting(4.0, 12.0)],
) -> Gain:
    """Soft-knee compressor gain."""
    excess = k.let("excess", level - threshold)
    bend = k.let("bend", excess + 0.5 * knee_width)
    slope = 1.0 / ratio - 1.0
    below, inside = (
        (2.0 * excess < -knee_width, 0.0),
        (2.0 * excess < knee_width, slope * bend * bend / (2.0 * knee_width)),
    )
    change = cases(k, "change", below, inside, rest=slope * excess)
    return bounded(ops.exp(0.115129 * bounded(change, -300.0, 0.0)), 0.0, 1.0)


@frame.formula(source="Zölzer 2011")
def noise_gate(
    k: Builder, level: Level, threshold: Threshold, floor_gain: Annotated[Expr, Setting(0.01, 0.2)]
) -> Gain:
    """Noise gate with a soft knee."""
    open_share = k.let("open_share", sigmoid(ops.max(0.5 * (level - threshold), -20.0)))
    return bounded(floor_gain + (1.0 - floor_gain) * open_share, 0.0, 1.0)


@frame.formula(goal=False)
def peak_normalization(k: Builder, peak: Peak, target_peak: Annotated[Expr, Setting(0.5, 0.95)]) -> Gain:
    """Peak normalization gain."""
    return target_peak / ops.max(peak, 0.001)


@frame.formula(source="Zölzer 2011", teaches=("loop", "branch"))
def followed_envelope(
    k: Builder,
    signal: Signal,
    gain: Gain,
    attack: Annotated[Expr, Setting(0.3, 0.8)],
    release: Annotated[Expr, Setting(0.02, 0.1)],
) -> Envelope:
    """Envelope follower."""
    value = k.var("value", 0.0, bounds=(0.0, 1.0))
    with each(k, "j", "samples") as j:
        size = k.let("magnitude", bounded(ops.min(gain * ops.abs(at(k, signal, j)), 1.0), 0.0, 1.0))
        with k.when(size > value):
            k.set(value, bounded(value + attack * (size - value), 0.0, 1.0))
        with k.otherwise():
            k.set(value, bounded(value + release * (size - value), 0.0, 1.0))
    return value


@frame.formula(goal=False)
def peak_to_average(k: Builder, peak: Peak, frame_power: FramePower) -> Annotated[Expr, crest]:
    """Crest factor."""
    return bounded(peak / ops.sqrt(ops.max(frame_power, 1e-4)), 0.0, 1e4)


@frame.formula(source="Kedem 1986", teaches=("loop", "branch"))
def zero_crossing_rate(k: Builder, signal: Signal) -> CrossingRate:
    """Zero-crossing rate."""
    count = k.var("crossings", 0.0)
    with each(k, "j", "samples", 1) as j, k.when(at(k, signal, j) * at(k, signal, j - 1) < 0.0):
        k.add(count, 1.0)
    return bounded(count / number_of(k, "samples"), 0.0, 1.0)


@frame.formula(source="Rabiner and Schafer 1978", teaches=("branches",))
def voicing(k: Builder, level: Level, crossing_rate: CrossingRate) -> Annotated[Expr, voiced]:
    """Voicing decision from level and zero crossings."""
    found = k.var("peak_lag", 0, type=I32)
    with k.when((level > -6.0) & (crossing_rate < 0.55)):
        k.set(found, 1)
    with k.orwhen((level > -12.0) & (crossing_rate < 0.45)):
        k.set(found, 1)
    return found


@frame.formula(source="Goertzel 1958", teaches=_LOOP)
def goertzel_tone(k: Builder, signal: Signal, angular_frequency: Angular) -> TonePower:
    """Tone power by Goertzel's recurrence."""
    factor = k.let("factor", 2.0 * ops.cos(angular_frequency))
    last, before = k.var("last", 0.0, bounds=(-1e3, 1e3)), k.var("before", 0.0, bounds=(-1e3, 1e3))
    with each(k, "j", "samples") as j:
        state = k.let("state", bounded(at(k, signal, j) + factor * last - before, -1e3, 1e3))
        k.set(before, last)
        k.set(last, state)
    return bounded(last * last + before * before - factor * last * before, 0.0, 1e5)


@frame.formula(source="Oppenheim and Schafer 2010", teaches=_LOOP)
def correlated_tone(k: Builder, signal: Signal, angular_frequency: Angular) -> TonePower:
    """Tone power by quadrature correlation."""
    real, imaginary = k.var("cosine_part", 0.0), k.var("sine_part", 0.0)
    with each(k, "j", "samples") as j:
        angle = k.let("angle", angular_frequency * convert(k.real, j))
        k.add(real, at(k, signal, j) * ops.cos(angle))
        k.add(imaginary, at(k, signal, j) * ops.sin(angle))
    return bounded((real * real + imaginary * imaginary) / number_of(k, "samples"), 0.0, 1e5)


@frame.formula(source="Oppenheim and Schafer 2010", teaches=("loop", "nested loop"))
def band_centroid(k: Builder, signal: Signal) -> Annotated[Expr, centroid]:
    """Spectral centroid."""
    total, moment = k.var("power_sum", 0.0), k.var("moment", 0.0)
    frame.size(k, "bands")
    with each(k, "band", "bands", 1) as band:
        real, imaginary = k.var("cosine_part", 0.0), k.var("sine_part", 0.0)
        with each(k, "j", "samples") as j:
            angle = k.let("angle", TWO_PI * convert(k.real, band * j) / number_of(k, "samples"))
            k.add(real, at(k, signal, j) * ops.cos(angle))
            k.add(imaginary, at(k, signal, j) * ops.sin(angle))
        power = k.let("power", real * real + imaginary * imaginary)
        k.add(total, power)
        k.add(moment, convert(k.real, band) * power)
    return bounded(moment / bounded(ops.max(total, 1e-6), 1e-6, 1e6), 0.0, 100.0)


@frame.formula(source="Rabiner 1977", teaches=("loop", "nested loop", "branch"))
def autocorrelation_pitch(k: Builder, signal: Signal) -> PitchLag:
    """Pitch lag by autocorrelation."""
    return _best_lag(k, signal, lambda a, b: a * b)


@frame.formula(source="Ross et al. 1974", teaches=("loop", "nested loop", "branch"))
def magnitude_difference_pitch(k: Builder, signal: Signal) -> PitchLag:
    """Pitch lag by the average magnitude difference."""
    return _best_lag(k, signal, lambda a, b: -ops.abs(a - b))


def _best_lag(k: Builder, signal: ArrayHandle, likeness: Callable[[Expr, Expr], Expr]) -> Expr:
    frame.size(k, "lags")
    best, found = (
        k.var("best", -INFINITY, bounds=(-1e3, 1e3)),
        k.var("lag_found", 2, type=I32, bounds=(0, 100)),
    )
    with each(k, "lag", "lags", 2) as lag:
        total = k.var("correlation", 0.0)
        with k.loop("j", 0, extent(k, "samples") - lag) as j:
            k.add(total, likeness(at(k, signal, j), at(k, signal, within(j + lag, "samples"))))
        with k.when(total > best):
            k.set(best, bounded(total, -1e3, 1e3))
            k.set(found, lag)
    return found


@frame.formula(
    source="de Cheveigné and Kawahara 2002", teaches=("loop", "nested loop", "iteration", "branch")
)
def yin_pitch(k: Builder, signal: Signal, dip: Annotated[Expr, Setting(0.7, 1.0)]) -> PitchLag:
    """YIN pitch lag."""
    frame.size(k, "lags")
    found, summed_up = (
        k.var("lag_found", 0, type=I32, bounds=(0, 100)),
        k.var("so_far", 1e-3, bounds=(0.0, 1e4)),
    )
    with each(k, "lag", "lags", 1) as lag:
        total = k.var("difference", 0.0)
        with k.loop("j", 0, extent(k, "samples") - lag) as j:
            gap = k.let("diff", at(k, signal, j) - at(k, signal, within(j + lag, "samples")))
            k.add(total, gap * gap)
        k.set(summed_up, bounded(summed_up + total, 1e-3, 1e4))
        with k.when(total * convert(k.real, lag) < dip * summed_up):
            k.set(found, lag)
            k.jump("break")
    return found


@frame.formula(source="Smith 1997", teaches=_LOOP)
def low_passed_end(k: Builder, signal: Signal, cutoff: Annotated[Expr, Setting(0.1, 0.6)]) -> FilteredEnd:
    """One-pole low-pass filter."""
    state = k.var("state", 0.0, bounds=(-1.0, 1.0))
    with each(k, "j", "samples") as j:
        k.set(state, bounded(state + cutoff * (at(k, signal, j) - state), -1.0, 1.0))
    return state


@frame.formula(source="Smith 2007", teaches=("loop",))
def biquad_power(
    k: Builder,
    signal: Signal,
    forward0: Annotated[Expr, Setting(0.2, 0.6)],
    forward1: Annotated[Expr, Setting(-0.4, 0.4)],
    back1: Annotated[Expr, Setting(-0.8, 0.8)],
    back2: Annotated[Expr, Setting(0.1, 0.5)],
) -> FilteredPower:
    """Power behind a biquad filter."""
    first, second = (
        k.var("first_state", 0.0, bounds=(-100.0, 100.0)),
        k.var("second_state", 0.0, bounds=(-100.0, 100.0)),
    )
    total = k.var("total", 0.0)
    with each(k, "j", "samples") as j:
        entry = k.let("entry", at(k, signal, j))
        out = k.let("filtered", forward0 * entry + first)
        k.set(first, bounded(forward1 * entry - back1 * out + second, -100.0, 100.0))
        k.set(second, bounded(forward0 * entry - back2 * out, -100.0, 100.0))
        k.add(total, out * out)
    return bounded(total / number_of(k, "samples"), 0.0, 1e8)


@frame.formula(source="Julius O. Smith 2007", teaches=_LOOP)
def blocked_power(k: Builder, signal: Signal, pole: Annotated[Expr, Setting(0.8, 0.98)]) -> FilteredPower:
    """Power behind a DC blocker."""
    state = k.var("state", 0.0, bounds=(-100.0, 100.0))
    total = k.var("total", 0.0)
    with each(k, "j", "samples", 1) as j:
        k.set(state, bounded(at(k, signal, j) - at(k, signal, j - 1) + pole * state, -100.0, 100.0))
        k.add(total, state * state)
    return bounded(total / number_of(k, "samples"), 0.0, 1e8)


@frame.formula(source="Schroeder 1962", teaches=_LOOP)
def comb_power(k: Builder, signal: Signal, feedforward: Annotated[Expr, Setting(0.3, 0.9)]) -> FilteredPower:
    """Power behind a comb filter."""
    total = k.var("total", 0.0)
    with each(k, "j", "samples", 4) as j:
        value = k.let("value", at(k, signal, j) + feedforward * at(k, signal, j - 4))
        k.add(total, value * value)
    return bounded(total / number_of(k, "samples"), 0.0, 1e8)


@frame.formula(source="Kaiser 1990", teaches=_LOOP)
def teager_power(k: Builder, signal: Signal) -> TonePower:
    """Teager energy."""
    total = k.var("total", 0.0)
    with k.loop("j", 1, extent(k, "samples") - 1) as j:
        entry = k.let("entry", at(k, signal, j))
        k.add(total, ops.abs(entry * entry - at(k, signal, j - 1) * at(k, signal, j + 1)))
    return bounded(total / number_of(k, "samples"), 0.0, 1e5)


@frame.formula(source="Makhoul 1975", teaches=_LOOP)
def first_prediction_gain(k: Builder, signal: Signal) -> Annotated[Expr, prediction_gain]:
    """First-order linear prediction gain."""
    energy, product = k.var("energy", 1e-3), k.var("product", 0.0)
    with each(k, "j", "samples", 1) as j:
        k.add(energy, at(k, signal, j) * at(k, signal, j))
        k.add(product, at(k, signal, j) * at(k, signal, j - 1))
    reflection = k.let("reflection", bounded(product / bounded(energy, 1e-3, 100.0), -1e3, 1e3))
    return 1.0 / ops.max(1.0 - reflection * reflection, 0.01)


@frame.formula(source="Bello et al. 2005", teaches=("loop", "iteration", "branch"))
def onset_sample(
    k: Builder, signal: Signal, onset_level: Annotated[Expr, Setting(0.4, 0.9)]
) -> Annotated[Expr, onset]:
    """Onset detection."""
    smoothed = k.var("smoothed", 0.0, bounds=(0.0, 1.0))
    place = k.var("onset", 0, type=I32, bounds=(0, 100))
    with k.repeat((place < extent(k, "samples")) & (smoothed < 0.6 * onset_level), int(k.sizes["samples"])):
        k.set(smoothed, bounded(0.7 * smoothed + 0.3 * ops.abs(at(k, signal, place)), 0.0, 1.0))
        k.set(place, bounded(place + 1, 0, 100))
    return place


@frame.formula(source="Roads 1996", teaches=("branches",))
def adsr_envelope(
    k: Builder,
    time: Annotated[Expr, time],
    attack_time: Annotated[Expr, Setting(0.1, 0.3)],
    decay_time: Annotated[Expr, Setting(0.1, 0.4)],
    sustain: Annotated[Expr, Setting(0.4, 0.8)],
    release_start: Annotated[Expr, Setting(1.0, 1.5)],
) -> Envelope:
    """ADSR envelope."""
    rising = (time < attack_time, time / attack_time)
    falling = (time < attack_time + decay_time, 1.0 - (1.0 - sustain) * (time - attack_time) / decay_time)
    held = (time < release_start, sustain)
    fading = sustain * ops.max(1.0 - (time - release_start) / 0.4, 0.0)
    return bounded(cases(k, "envelope", rising, falling, held, rest=fading), 0.0, 1.0)


@frame.formula(source="ISO 16")
def midi_pitch(
    k: Builder, frequency: Frequency, tuning: Annotated[Expr, Setting(435.0, 445.0)]
) -> Annotated[Expr, pitch]:
    """MIDI pitch."""
    return 69.0 + 12.0 * ops.log2(frequency / tuning)


@frame.formula(source="O'Shaughnessy 1987")
def mel_scale(k: Builder, frequency: Frequency) -> Annotated[Expr, mel]:
    """Mel scale."""
    return 2595.0 * ops.log10(1.0 + frequency / 700.0)


@frame.formula(source="IEC 61672")
def a_weighting(k: Builder, frequency: Frequency) -> Annotated[Expr, weighting]:
    """A-weighting curve."""
    square = k.let("square", 1e-6 * frequency * frequency)
    lower = (square + 0.000424) * ops.sqrt((square + 0.011599) * (square + 0.544496))
    return bounded(1.2589 * 148.84 * square * square / (lower * (square + 148.84)), 0.0, 2.0)


@frame.formula(teaches=_LOOP)
def mixed_power(
    k: Builder, signal: Signal, other_signal: Signal, mix: Annotated[Expr, Setting(0.2, 0.8)]
) -> FramePower:
    """Loudness of a mix of two signals."""
    total = summed(
        k,
        "total",
        "samples",
        lambda j: ops.abs(mix * at(k, signal, j) + (1.0 - mix) * at(k, other_signal, j)),
    )
    return bounded(total / number_of(k, "samples"), 0.0, 1.0)
