"""Where the results of threads go: alone or with a companion, in place, transposed, packed, or counted."""

from __future__ import annotations

from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.program import Binary, Expr, Literal, Name
from weft.kernels.types import I32, scalar_of
from weft.kernels.vocabulary import coefficient, curve, opening, plural, told, uniform, whole, words
from weft.types import Matrix, Scalar, Type, Vector


def output(
    k: Builder, name: str, type: Type, role: str = "out", values: dict[str, Any] | None = None
) -> ArrayHandle:
    """An output array with one element for each thread."""
    return k.array(name, type, k.shape, values, role)


def result(k: Builder, name: str, value: Expr) -> Expr:
    """The value, named where a person would name it."""
    if isinstance(value, Name) or name in k.names or k.rng.chance(k.policy.inline_result):
        return value
    return k.let(name, value)


def unused(k: Builder, *names: str) -> str:
    """One of the names that nothing in the kernel has yet, alone, in the plural, or as a setting."""
    taken = k.names | {field for one in k.structs for field, _ in one.fields}
    free = [one for one in names if one not in taken and plural(one) not in taken]
    return k.rng.pick(*free) if free else f"output_{names[0]}"


def named(k: Builder, name: str, value: Expr) -> Name:
    """The value under a name, as it is used more than once."""
    if isinstance(value, Name):
        return value
    return k.let(name if name not in k.names else f"final_{name}", value)


def companion(k: Builder, name: str, value: Name) -> tuple[Expr, str, str]:
    """Something that people store beside a number; its name, and how a sentence calls it."""
    low, high = value.interval.lo, value.interval.hi
    options = ["square", "curve", "cube"]
    if low < 0.0 < high:
        options += ["magnitude", "positive", "negative"]
    match k.rng.pick(*options):
        case "square":
            return value * value, f"squared_{name}", "its square"
        case "cube":
            return value * value * value, f"cubed_{name}", "its third power"
        case "magnitude":
            return ops.abs(value), f"{name}_magnitude", "its magnitude"
        case "positive":
            return ops.max(value, 0.0), f"positive_{name}", "its positive part"
        case "negative":
            return ops.min(value, 0.0), f"negative_{name}", "its negative part"
        case _:
            shaped, word = curve(k, value)
            return shaped, f"shaped_{name}", f"its {word}"


def _beside(name: str, what: str) -> str:
    """The array of what is kept of a result: `pressure_levels`, but `running_totals` of totals."""
    return f"running_{name}s" if name.endswith(what) else f"{name}_{what}s"


def store_number(k: Builder, name: str, value: Expr, it: str) -> None:
    """Store a float in one of the usual ways; `it` is how the docstring calls the value."""
    kind = k.rng.weighted(k.policy.store)
    out, top, rank = plural(name), opening(it), len(k.shape)
    bounded = value.interval.magnitude < 1e6
    own = k.target == k.index and not k.structs
    match kind:
        case "blended":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            rate = coefficient(k, unused(k, "blend", "rate", "smoothing"), 0.05, 0.6)
            old, new = handle[k.target], result(k, name, value)
            mixed = ops.lerp(old, new, rate) if k.rng.chance(0.5) else (1.0 - rate) * old + rate * new
            k.store(handle, k.target, mixed)
            k.notes.append(f"The stored value moves towards {it} by the factor {told(rate)}")
        case "accumulated":
            handle = output(k, _beside(name, "total"), value.type, "inout", uniform(-1.0, 1.0))
            operator, word = k.rng.pick(("+", "added to"), ("-", "subtracted from"))
            k.store(handle, k.target, value, operator)
            k.notes.append(f"{top} is {word} a running total")
        case "leveled" if bounded:
            new = named(k, name, value)
            k.store(output(k, out, value.type), k.target, new)
            level, word = _level(k, new)
            k.store(output(k, _beside(name, "level"), I32), k.target, level)
            k.notes.append(f"The level of {it} in {word}, is stored as well")
        case ("transposed" | "flat") as layout if rank > 1 and len(k.target) == rank:
            _store_in_layout(k, layout, out, name, value)
        case "interleaved" if rank == 1 and bounded and k.target[0].interval.size == k.shape[0]:
            new = named(k, name, value)
            other, _, word = companion(k, name, new)
            handle = k.array(f"{name}_pairs", value.type, [f"2 * {k.shape[0]}"], None, "out")
            k.store(handle, 2 * k.target[0], new)
            k.store(handle, 2 * k.target[0] + 1, other)
            k.notes.append(f"{top} and {word} alternate in the output")
        case "packed" if bounded:
            new = named(k, name, value)
            other, _, word = companion(k, name, new)
            parts, length = [new, other], 2
            if k.rng.chance(0.3):
                third, _, further = companion(k, name, new)
                if further != word:
                    parts, length, word = [new, other, third], 3, f"{word} and {further}"
            packed = construct(Vector(length, scalar_of(value.type)), *parts)
            k.store(
                output(k, f"{name}_pairs" if length == 2 else f"{name}_triples", packed.type),
                k.target,
                packed,
            )
            k.notes.append(f"{top} is stored with {word} in one vector")
        case "record" if bounded and own:
            _store_record(k, name, value, it)
        case "counted" if value.interval.magnitude < 500.0:
            new = named(k, name, value)
            k.store(output(k, out, value.type), k.target, new)
            _count(k, name, new, it)
        case "extreme" if bounded:
            new = named(k, name, value)
            k.store(output(k, out, value.type), k.target, new)
            kind, word = k.rng.pick(("max", "largest"), ("min", "smallest"))
            level, steps = _level(k, new)
            # Of few values: of very many, an extreme is mostly the same, at the end of what they can be.
            lines = len(k.shape) > 1
            shape, place, of = _gathered(k, -1 if lines else None)
            first = {"constant": -(10**6) if kind == "max" else 10**6}
            handle = k.array(f"{word}_levels" if lines else f"{word}_level", I32, shape, first, "inout")
            k.atomic(kind, handle, place, level)
            k.notes.append(f"The {word} level of {it} in {steps}, is kept for {of}")
        case _:
            k.store(output(k, out, value.type), k.target, result(k, name, value))


def _level(k: Builder, value: Name, fine: int = 64) -> tuple[Expr, str]:
    """The level of a value among equal steps, and how a sentence calls them.

    There are `fine` of them in one at most. Steps are halves of halves, and levels change in the middle
    between two: no constant of few digits lies on such an edge, from where rounding leads to either side.
    """
    steps = float(k.rng.pick(*(one for one in (4, 8, 16, 32, 64) if one <= fine)))
    match k.rng.below(4):
        case 0:
            level = ops.round(value * steps)
        case 1:
            level = ops.rint(value * steps)
        case 2:
            level = ops.floor(value * steps + 0.5)
        case _:
            level = ops.ceil(value * steps - 0.5)
    return convert(I32, level), f"steps of 1/{steps:.0f}, rounded"


def _count(k: Builder, name: str, value: Name, it: str) -> None:
    """A whole number of all threads, or of each line: the sum of levels, or how many levels are odd.

    Levels tell values apart wherever they lie; a cutoff could be one that no value reaches. A number of all
    threads changes with any of theirs, so the steps are coarse: few values lie where rounding decides.
    """
    span = value.interval.hi - value.interval.lo
    level, steps = _level(k, value, 4 if span > 4.0 else 8 if span > 1.0 else 16)
    lines = len(k.shape) > 1 and k.rng.chance(0.6)
    shape, place, of = _gathered(k, 0 if lines else None)
    where = f" for {of}" if lines else ""
    if k.rng.chance(0.5):
        handle = k.array(f"{name}_level_totals", I32, shape, {"constant": 0}, "inout")
        k.atomic(k.rng.pick("add", "+="), handle, place, level)
        k.notes.append(f"The levels of {it}, in {steps}, are added up{where}")
        return
    handle = k.array(f"odd_{name}_counts", I32, shape, {"constant": 0}, "inout")
    new = k.let(unused(k, f"{name}_level", "level"), level)
    with k.when((ops.abs(new) % 2).equals(1)):
        k.atomic(k.rng.pick("add", "+="), handle, place, 1)
    k.notes.append(f"Odd levels of {it}, in {steps}, are counted{where}")


def _gathered(k: Builder, axis: int | None) -> tuple[list[str], Expr | int, str]:
    """Where a number of each line along an axis goes, or one of all threads: shape, place, whose it is."""
    if axis is None:
        return ["1"], 0, "all threads"
    return [k.shape[axis]], k.index[axis], f"each {k.axes[axis]}"


def _store_record(k: Builder, name: str, value: Expr, it: str) -> None:
    """An array of structs: the number, and a companion or a level."""
    new = named(k, name, value)
    if k.rng.chance(0.5):
        other, label, word = companion(k, name, new)
    else:
        other, steps = _level(k, new)
        label, word = "level", f"its level in {steps}"
    title = "".join(part.capitalize() for part in k.name.split("_")) + "Result"
    fields = {"value": new, label if label != name else "other": other}
    doc = f"Result of {words(k.name)} for one element."
    struct = k.struct(title, doc, [(field, one.type) for field, one in fields.items()])
    k.fill(k.array("results", struct, k.shape, None, "out"), k.target, fields, k.rng.chance(0.5))
    k.notes.append(f"{opening(it)} is stored in a struct with {word}")


def store_vector(k: Builder, name: str, value: Expr, it: str, measured: bool) -> None:
    """Store a vector or matrix of floats in one of the usual ways."""
    out, top, rank = plural(name), opening(it), len(k.shape)
    scalar = scalar_of(value.type)
    small = value.interval.magnitude < 1e6
    plain = k.policy.difficulty == "easy"
    match (
        "plain"
        if plain and k.rng.chance(0.6)
        else k.rng.pick(
            "plain", "plain", "added", "kept", "measured", "transposed", "flat", "split", "numbers", "blended"
        )
    ):
        case "added":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            k.store(handle, k.target, handle[k.target] + value)
            k.notes.append(f"{top} is added to what is stored")
        case "kept":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            keep = coefficient(k, unused(k, "damping", "decay", "retention"), 0.5, 0.98)
            k.store(handle, k.target, keep * handle[k.target] + value)
            k.notes.append(f"{top} is added to {told(keep)} times what is stored")
        case "blended":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            rate = coefficient(k, unused(k, "blend", "rate", "smoothing"), 0.05, 0.6)
            old = k.let(f"old_{name}", handle[k.target])
            k.store(handle, k.target, old + rate * (result(k, name, value) - old))
            k.notes.append(f"The stored value moves towards {it} by the factor {told(rate)}")
        case "measured" if measured and small:
            new = named(k, name, value)
            k.store(output(k, out, value.type), k.target, new)
            if isinstance(value.type, Vector):
                measure, word = k.rng.pick(("length", "magnitude"), ("length_sq", "squared_magnitude"))
                k.store(output(k, plural(word), scalar), k.target, getattr(ops, measure)(new))
                k.notes.append(f"The {words(word)} of {it} is stored as well")
            elif isinstance(value.type, Matrix) and value.type.rows == value.type.columns:
                k.store(output(k, "traces", scalar), k.target, ops.trace(new))
                k.notes.append(f"The trace of {it} is stored as well")
        case ("transposed" | "flat") as layout if rank > 1 and len(k.target) == rank:
            _store_in_layout(k, layout, out, name, value)
        case "split" if isinstance(value.type, Vector) and value.type.length <= 4:
            new = named(k, name, value)
            for at, letter in enumerate("xyzw"[: value.type.length]):
                k.store(output(k, f"{name}_{letter}", scalar), k.target, new[at])
            k.notes.append("Each component has an array of its own")
        case "numbers" if isinstance(value.type, Vector) and rank < 4:
            new = named(k, name, value)
            length = value.type.length
            handle = k.array(out, scalar, [*k.shape, str(length)], None, "out")
            if length > 2 and k.rng.chance(0.5):
                with k.loop("c", 0, length) as c:
                    k.store(handle, (*k.target, c), new[c])
            else:
                for component in range(length):
                    k.store(handle, (*k.target, component), new[component])
            k.notes.append("Components are the last axis of the output")
        case _:
            k.store(output(k, out, value.type), k.target, result(k, name, value))


def store_whole(k: Builder, name: str, value: Expr, it: str) -> None:
    """Store a whole number, and perhaps what follows from it."""
    out, rank, scalar = plural(name), len(k.shape), value.type
    assert isinstance(scalar, Scalar)
    small, natural = value.interval.magnitude < 1e6, value.interval.lo >= 0
    match k.rng.pick("plain", "extreme", "remainder", "histogram", "transposed", "flat", "total", "plain"):
        case "extreme" if small:
            largest = k.rng.chance(0.5)
            best = f"{'largest' if largest else 'smallest'}_{name}"
            handle = output(k, plural(best), scalar, "inout", whole(0, max(1, int(value.interval.hi))))
            choose, word = (ops.max, "larger") if largest else (ops.min, "smaller")
            k.store(handle, k.target, choose(handle[k.target], value))
            k.notes.append(f"The {word} of {it} and what is stored is kept")
        case "remainder" if natural and (moduli := _moduli(value)):
            new = named(k, name, value)
            k.store(output(k, out, scalar), k.target, new)
            modulus = k.rng.pick(*moduli)
            k.store(output(k, f"{name}_remainders", scalar), k.target, new % modulus)
            k.notes.append(f"The remainder of {it} modulo {modulus} is stored as well")
        case "histogram" if natural and small and scalar == I32:
            new = named(k, name, value)
            bins = k.rng.pick(4, 8, 16)
            k.store(output(k, out, scalar), k.target, new)
            handle = k.array(f"{name}_histogram", I32, [str(bins)], {"constant": 0}, "inout")
            clipped = k.rng.chance(0.5)
            bin = ops.min(new, bins - 1) if clipped else new % bins
            ending = ", the last bin all that is larger" if clipped else f" modulo {bins}"
            k.atomic("add", handle, bin, 1)
            k.notes.append(f"A histogram counts {it}{ending}")
        case "transposed" if rank > 1 and len(k.target) == rank:
            k.store(k.array(out, scalar, k.shape[::-1], None, "out"), k.target[::-1], result(k, name, value))
            k.notes.append("The output is transposed" if rank == 2 else "The output's axes are reversed")
        case "flat" if rank > 1 and len(k.target) == rank:
            place, size = k.flattened()
            k.store(k.array(out, scalar, [size], None, "out"), place, result(k, name, value))
            k.notes.append("The output is flat, in row-major order")
        case "total" if value.interval.magnitude < 1e3 and scalar == I32:
            new = named(k, name, value)
            k.store(output(k, out, scalar), k.target, new)
            k.atomic("add", k.array(f"total_{name}", I32, ["1"], {"constant": 0}, "inout"), 0, new)
            k.notes.append(f"The sum of {it} over all threads is kept as well")
        case _:
            k.store(output(k, out, scalar), k.target, result(k, name, value))


def _moduli(value: Expr) -> list[int]:
    """Small numbers that leave different remainders of the values of a natural number."""
    match value:
        case Binary(operator="*", right=Literal(value=int(step))):
            pass
        case _:
            step = 1
    return [one for one in (2, 3, 4, 5) if step % one and value.interval.hi >= one]


def _store_in_layout(k: Builder, layout: str, out: str, name: str, value: Expr) -> None:
    """Store each value where another layout of the output has it: `transposed` or `flat`."""
    if layout == "flat":
        place, size = k.flattened()
        k.store(k.array(out, value.type, [size], None, "out"), place, result(k, name, value))
        k.notes.append("The output is flat, in row-major order")
        return
    handle = k.array(out, value.type, k.shape[::-1], None, "out")
    k.store(handle, k.target[::-1], result(k, name, value))
    k.notes.append("The output is transposed" if len(k.shape) == 2 else "The output's axes are reversed")
