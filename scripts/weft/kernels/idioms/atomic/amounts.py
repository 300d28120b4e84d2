"""What atomics add, under which condition, and which threads take part."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import ops
from weft.kernels.program import Expr
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import uniform, whole
from weft.types import Scalar


def drawn_amount(k: Builder, kind: Scalar) -> tuple[Expr, str]:
    """A whole number per thread, from one or two arrays, and what it is."""
    low = 0 if kind.is_unsigned else -6
    name = k.rng.pick("values", "amounts", "charges")
    name = "loads" if name in k.names else name
    x = k.array(name, kind, k.shape, whole(low, 6))[k.index]
    options = ["plain", "product", "square", "larger", "scaled"] + (
        [] if kind.is_unsigned else ["magnitude", "difference", "positive"]
    )
    what = k.rng.pick(*options)
    if what in ("product", "larger", "difference"):
        y = k.array(k.rng.pick("weights", "others", "partners"), kind, k.shape, whole(0, 5))[k.index]
        value = {"product": lambda: x * y, "larger": lambda: ops.max(x, y), "difference": lambda: y - x}[
            what
        ]()
        return value, {
            "product": "products",
            "larger": "pairwise maxima",
            "difference": "differences",
        }[what]
    if what == "square":
        named = k.let(name.removesuffix("s"), x)
        return named * named, "squares"
    if what == "scaled":
        return x * k.rng.integer(2, 5), "scaled values"
    if what == "magnitude":
        return ops.abs(x), "magnitudes"
    if what == "positive":
        return ops.max(x, 0), "positive parts"
    return x, "values"


def _condition(k: Builder) -> tuple[Expr, str] | None:
    """A test that some threads pass, or none."""
    match k.rng.below(5):
        case 0:
            keys = k.array(k.rng.pick("scores", "ages"), F32, k.shape, uniform(0.0, 1.0))
            return keys[k.index] > k.rng.number(0.2, 0.7), "whose score passes a cutoff"
        case 1:
            kinds = k.array(k.rng.pick("kinds", "labels"), I32, k.shape, whole(0, 3))
            return kinds[k.index].equals(k.rng.integer(0, 3)), "of one kind"
        case 2:
            low, high = k.rng.number(0.1, 0.4), k.rng.number(0.6, 0.9)
            spots = k.array("spots", F32, k.shape, uniform(0.0, 1.0))
            return (spots[k.index] >= low) & (
                spots[k.index] < high
            ), f"whose spot is between {low} and {high}"
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
