"""What atomics add, under which condition, which threads take part, and what they keep beside."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, ops
from weft.kernels.program import Expr, Name
from weft.kernels.results import unused
from weft.kernels.types import F32, I32, scalar_of
from weft.kernels.vocabulary import uniform, whole
from weft.kernels.words import singular, words
from weft.types import Scalar


def drawn_amount(k: Builder, kind: Scalar) -> tuple[Expr, str]:
    """A whole number per thread, from one array or more, and what it is."""
    value, what = _first(k, kind)
    if value.interval.magnitude > 12:
        return value, what
    match k.rng.pick("as it is", "as it is", "table", "limit", "offset", "flag", "row"):
        case "table":
            classes = k.rng.pick(3, 4, 6)
            ids = k.array(unused(k, "class_ids", "types"), I32, k.shape, whole(0, classes - 1))
            rates = k.array(unused(k, "rates", "prices"), kind, [str(classes)], whole(1, 4))
            return value * rates[ids[k.index]], f"{what} times the rate of their class"
        case "limit" if value.interval.hi >= 4:
            limit = k.rng.integer(2, 3)
            return ops.min(value, limit), f"{what} up to {limit}"
        case "offset":
            base = k.scalar(unused(k, "base", "surcharge"), kind, whole(1, 3))
            return value + base, f"{what} with a surcharge"
        case "flag":
            active = k.array(unused(k, "active", "enabled"), I32, k.shape, whole(0, 1))[k.index]
            return ops.where(active > 0, value, 0), f"{what} of active elements"
        case "row" if len(k.shape) == 1 and len(k.index) == 1:
            terms = k.rng.pick(2, 3, 4)
            k.sizes["parts"] = str(terms)
            parts = k.array(unused(k, "part_values", "shares"), kind, [*k.shape, "parts"], whole(0, 3))
            total = k.var("sum_of_parts", value, type=kind)
            with k.loop("part", 0, terms) as part:
                k.add(total, parts[(*k.index, part)])
            return total, f"{what} plus {terms} parts each"
        case _:
            return value, what


def _first(k: Builder, kind: Scalar) -> tuple[Expr, str]:
    """A whole number of one array or two."""
    low = 0 if kind.is_unsigned else -6
    name = unused(k, "values", "amounts", "charges", "loads")
    x = k.array(name, kind, k.shape, whole(low, 6))[k.index]
    options = ["plain", "product", "square", "larger", "scaled", "switched", "rest"]
    options += [] if kind.is_unsigned else ["magnitude", "difference", "positive"]
    what = k.rng.pick(*options)
    if what in ("product", "larger", "difference", "switched"):
        other = k.array(unused(k, "weights", "others", "partners"), kind, k.shape, whole(0, 5))[k.index]
        if what == "switched":
            x, other = k.let("amount", x), k.let("limit", other)
            return conditional(x > other, x, other), "pairwise maxima"
        if what == "product":
            return x * other, "products"
        return (ops.max(x, other), "pairwise maxima") if what == "larger" else (other - x, "differences")
    match what:
        case "square":
            named = k.let("amount", x)
            return named * named, "squares"
        case "scaled":
            return x * k.rng.integer(2, 5), "scaled values"
        case "magnitude":
            return ops.abs(x), "magnitudes"
        case "positive":
            return ops.max(x, 0), "positive parts"
        case "rest":
            top = k.rng.integer(6, 9)
            return top - x, f"distances to {top}"
        case _:
            return x, "values"


def kept_beside(k: Builder, amount: Expr | int) -> Expr | int:
    """Perhaps keep something about a thread's amount as well; gives the amount, named if it is used twice."""
    if isinstance(amount, int) or k.rng.chance(0.4):
        return amount
    low, high, kind = amount.interval.lo, amount.interval.hi, scalar_of(amount.type)
    options = ["stored", "extreme"]
    options += ["count"] * (low < 1 and high > 3) + ["level"] * (low >= 0 or kind.is_float)
    what = k.rng.pick(*options)
    named = amount if isinstance(amount, Name) else k.let(unused(k, "amount", "own_amount"), amount)
    match what:
        case "stored":
            k.store(
                k.array(unused(k, "own_amounts", "recorded"), kind, k.shape, None, "out"), k.target, named
            )
            k.notes.append("Each thread's amount is stored as well")
        case "extreme":
            edge, start = k.rng.pick(("max", -1000), ("min", 1000))
            start = 0 if kind.is_unsigned and edge == "max" else start
            handle = k.array(f"amount_{edge}imum", kind, ["1"], {"constant": start}, "inout")
            k.atomic(edge, handle, 0, named)
            k.notes.append(f"The {'largest' if edge == 'max' else 'smallest'} amount is kept as well")
        case "count":
            level = k.rng.integer(1, 3)
            number = k.array(unused(k, "large_ones", "number"), I32, ["1"], {"constant": 0}, "inout")
            with k.when(named > level):
                k.atomic(k.rng.pick("add", "+="), number, 0, 1)
            k.notes.append(f"Amounts above {level} are counted as well")
        case _:
            share = k.rng.pick(2, 3)
            levels = k.array(unused(k, "levels", "steps"), kind, k.shape, None, "out")
            k.store(levels, k.target, named // share if kind.is_integer else ops.floor(named / float(share)))
            k.notes.append(f"Each thread stores its amount, divided by {share} and rounded down")
    return named


def _condition(k: Builder) -> tuple[Expr, str] | None:
    """A test that some threads pass, or none."""
    match k.rng.below(9):
        case 0:
            keys = k.array(unused(k, "scores", "ages"), F32, k.shape, uniform(0.0, 1.0))
            what = words(singular(keys.parameter.name))
            return keys[k.index] > k.rng.number(0.2, 0.7), f"whose {what} passes a cutoff"
        case 1:
            kinds = k.array(unused(k, "kinds", "labels"), I32, k.shape, whole(0, 3))
            return kinds[k.index].equals(k.rng.integer(0, 3)), "of one kind"
        case 2:
            low, high = k.rng.number(0.1, 0.4), k.rng.number(0.6, 0.9)
            spots = k.array("spots", F32, k.shape, uniform(0.0, 1.0))
            return (spots[k.index] >= low) & (
                spots[k.index] < high
            ), f"whose spot is between {low} and {high}"
        case 3:
            first = k.array("qualities", F32, k.shape, uniform(0.0, 1.0))[k.index]
            second = k.array("demands", F32, k.shape, uniform(0.0, 1.0))[k.index]
            return first > second, "whose quality meets the demand"
        case 4:
            masks = k.array("masks", I32, k.shape, whole(0, 15))[k.index]
            bit = k.rng.pick(1, 2, 4)
            return (masks & bit).differs(0), f"whose mask has bit {bit}"
        case 5:
            cutoff = k.scalar("cutoff", F32, uniform(0.3, 0.6))
            ages = k.array("durations", F32, k.shape, uniform(0.0, 1.0))[k.index]
            return ages <= cutoff, "that last no longer than cutoff"
        case _:
            return None


def gathered(
    k: Builder, target: ArrayHandle, place: Expr | int | tuple[Expr, ...], amount: Expr | int, kind: str
) -> str:
    """The atomic, possibly under a condition; gives the phrase that says so."""
    tested = _condition(k)
    if tested is None:
        k.atomic(kind, target, place, amount)
        return ""
    with k.when(tested[0]):
        k.atomic(kind, target, place, amount)
    return f" of the elements {tested[1]}"


def skip_some(k: Builder) -> None:
    """Leave threads out whose element fails a test, or none."""
    tested = _condition(k)
    if tested is not None:
        with k.when(~tested[0]):
            k.jump("return")
        k.notes.append(f"Only elements {tested[1]} count")
