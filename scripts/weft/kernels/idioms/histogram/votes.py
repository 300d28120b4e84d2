"""What is counted, in which bin, and how a vote is cast."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.program import Expr, Name
from weft.kernels.types import F32, I32
from weft.kernels.words import plural, singular, told
from weft.types import Scalar


def own_bin(k: Builder, x: Expr, low: float, high: float, bins: int) -> tuple[Expr, str]:
    """The bin of a float in [low, high), and how a sentence calls the bins."""
    how = k.rng.pick("linear", "linear", "floor", "log", "root", "squashed", "wrapped")
    x = x if isinstance(x, Name) else k.let("x", x)
    span = high - low
    match how:
        case "linear":
            unit = (x - low) / span if low else x * round(1.0 / span, 4)
            place, word = convert(I32, bounded(unit, 0.0, 1.0) * float(bins)), f"{bins} linear bins"
        case "floor":
            place = convert(I32, ops.floor((x - low) / span * float(bins)))
            word = f"{bins} linear bins"
        case "log":
            level = k.let("level", ops.log2(1.0 + ops.abs(x)))
            place, word = convert(I32, level * float(bins) / 2.4), f"{bins} logarithmic bins"
        case "root":
            place, word = (
                convert(I32, ops.sqrt(ops.abs(x) / max(abs(low), high)) * float(bins)),
                f"{bins} bins by square roots of magnitudes",
            )
        case "squashed":
            place = convert(I32, (0.5 + 0.5 * ops.tanh(x)) * float(bins))
            word = f"{bins} squashed bins"
        case _:
            width = k.rng.number(0.05, 0.2)
            turns = k.let("turns", convert(I32, ops.floor(bounded(x - low, 0.0, 100.0) / width)))
            word = f"{bins} bins of width {width} that wrap around"
            return k.let(k.rng.pick("bin_index", "slot"), turns % bins), word
    last = bins - 1
    place = ops.clamp(place, 0, last) if k.rng.chance(0.5) else ops.min(ops.max(place, 0), last)
    return k.let(k.rng.pick("bin_index", "slot", "b"), place), word


def own_sample(k: Builder, kind: Scalar = F32) -> tuple[Expr, str, float, float]:
    """A number of each thread, what it is, and its bounds."""
    k.real = F32
    low, high = k.rng.pick((0.0, 1.0), (-1.0, 1.0), (0.0, 4.0), (-3.0, 3.0))
    name = k.rng.pick("sample", "intensity", "energy", "speed", "residual")
    x: Expr = k.array(plural(name), kind, k.shape, uniform(low, high))[k.index]
    if k.rng.chance(0.3):
        other = k.array("baselines", kind, k.shape, uniform(0.4 * low, 0.4 * high))[k.index]
        gain = coefficient(k, "gain", 0.5, 0.95, kinds="lp")
        x = k.let("shifted", bounded(x - gain * other, low, high))
        k.notes.append(f"{told(gain)} times a baseline is subtracted first")
    return x, name, low, high


def cast_vote(k: Builder, counts: ArrayHandle, place: tuple[Expr | int, ...] | Expr, kind: Scalar) -> None:
    """One vote, a weight, or a vote under a condition."""
    amount: Expr | int = 1
    match k.rng.pick("one", "one", "weight", "tested", "square", "marked", "listed", "between"):
        case "weight":
            amount = k.array(k.rng.pick("weights", "charges"), kind, k.shape, {"integers": [1, 9]})[k.index]
            k.notes.append("Each counts with its weight")
        case "square":
            size = k.let("size", k.array("sizes", kind, k.shape, {"integers": [1, 7]})[k.index])
            amount = size * size
            k.notes.append("Each counts with the square of its size")
        case "tested":
            level = k.rng.number(0.2, 0.8)
            scores = k.array(k.rng.pick("scores", "confidences"), F32, k.shape, uniform(0.0, 1.0))
            with k.when(scores[k.index] > level):
                k.atomic(k.rng.pick("add", "+="), counts, place, 1)
            k.notes.append(f"Only those with a {singular(scores.parameter.name)} above {level} count")
            return
        case "listed":
            count = k.rng.pick(3, 4, 5)
            table = k.array("class_weights", kind, [str(count)], {"integers": [1, 6]})
            amount = table[k.array("classes", I32, k.shape, {"integers": [0, count]})[k.index]]
            k.notes.append("Each counts with the weight of its class")
        case "between":
            low, high = k.rng.number(0.1, 0.4), k.rng.number(0.6, 0.9)
            age = k.let("age", k.array("ages", F32, k.shape, uniform(0.0, 1.0))[k.index])
            with k.when((age > low) & (age < high)):
                k.atomic(k.rng.pick("add", "+="), counts, place, 1)
            k.notes.append(f"Only those of an age between {low} and {high} count")
            return
        case "marked":
            group = k.rng.below(3)
            with k.when(k.array("groups", I32, k.shape, {"integers": [0, 3]})[k.index].equals(group)):
                k.atomic("add", counts, place, 1)
            k.notes.append(f"Only those of group {group} count")
            return
        case _:
            pass
    k.atomic(k.rng.pick("add", "add", "+="), counts, place, amount)
