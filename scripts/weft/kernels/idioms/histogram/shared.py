"""Bins in shared memory, which a block fills together."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.idioms.histogram.votes import own_bin
from weft.kernels.idioms.slabs import launch
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import F32, I32
from weft.kernels.words import told
from weft.types import Scalar


def shared_counts(k: Builder) -> None:
    """A block counts in shared memory and adds its counts to the global ones once."""
    k.real = F32
    width = k.rng.pick(32, 64)
    i = launch(k, k.rng.pick("chunk", "segment"), lane=True, width=width)
    assert k.lane is not None
    lane, (count,) = k.lane, k.dims
    rows = k.rng.chance(0.5)
    k.shape = (count, str(width)) if rows else (f"{width} * {count}",)
    k.index = k.target = (i, lane) if rows else (i * width + lane,)
    bins, kind = k.rng.pick(8, 10, 16), k.rng.pick(I32, F32)
    shared = k.let(
        k.rng.pick("shared_counts", "local"), tiles.filled("zeros", (bins,), kind, storage="shared")
    )
    rounds = k.rng.pick(1, 1, 2)
    words = [_round(k, shared, bins, kind, number) for number in range(rounds)]
    _deliver(k, shared, i, lane, bins, kind)
    describe(k, f"Counts by {' and by '.join(words)}, first in shared memory, {width} elements a block")


def _round(k: Builder, shared: Expr, bins: int, kind: Scalar, number: int) -> str:
    """Every thread votes once; gives what bins are."""
    name = ("samples", "later_samples")[number]
    integer = k.rng.chance(0.5)
    values = {"integers": [0, 200]} if integer else uniform(0.0, 1.0)
    x: Expr = k.array(name, I32 if integer else F32, k.shape, values)[k.index]
    x = _integer(k, x) if integer else _real(k, x)
    x = x if isinstance(x, Name) else k.let("x" if number == 0 else "later_x", x)
    if integer:
        place, word = k.rng.pick(
            (x % bins, "remainders"),
            (ops.min(x // 16, bins - 1), "sixteenths"),
            ((x ^ (x >> 3)) % bins, "hashes"),
            (ops.min(x * x // 2500, bins - 1), "squares"),
        )
        place, word = k.let("slot" if number == 0 else "later_slot", place), f"{bins} {word}"
    else:
        place, word = own_bin(k, x, 0.0, 1.0, bins)
    amount: Expr = lift(1, kind)
    if k.rng.chance(0.35):
        weights = k.array(("weights", "later_weights")[number], kind, k.shape, {"integers": [1, 6]})
        amount = weights[k.index]
        k.notes.append("Each counts with its weight")
    tiles.scatter_add(k, shared, place, amount, _tested(k, x, integer, number))
    return word


def _integer(k: Builder, x: Expr) -> Expr:
    """A code as it is, or after a step."""
    match k.rng.pick("plain", "plain", "shifted", "salted", "gap"):
        case "shifted":
            offset = k.scalar("offset", I32, {"integers": [1, 20]})
            k.notes.append("An offset is added to each code")
            return x + offset
        case "salted":
            salts = k.array("salts", I32, k.shape, {"integers": [0, 128]})
            k.notes.append("A salt is mixed into each code")
            return bounded(x ^ salts[k.index], 0, 255)
        case "gap":
            others = k.array("references", I32, k.shape, {"integers": [0, 200]})
            k.notes.append("Distances from references are counted")
            return ops.abs(x - others[k.index])
        case _:
            return x


def _real(k: Builder, x: Expr) -> Expr:
    """A number in [0, 1], as it is or after a step."""
    match k.rng.pick("plain", "plain", "powered", "mixed", "mirrored"):
        case "powered":
            x = k.let("raw", x)
            k.notes.append("Values are squared first")
            return x * x
        case "mixed":
            share = coefficient(k, "share", 0.2, 0.8, kinds="lp")
            others = k.array("others", F32, k.shape, uniform(0.0, 1.0))
            k.notes.append(f"Two arrays are mixed by {told(share)} first")
            return bounded(ops.lerp(x, others[k.index], share), 0.0, 1.0)
        case "mirrored":
            k.notes.append("Distances from the middle are counted, doubled")
            return ops.abs(2.0 * x - 1.0)
        case _:
            return x


def _tested(k: Builder, x: Expr, integer: bool, number: int) -> Expr | None:
    """Which threads vote; None for all."""
    assert k.lane is not None
    which = "those" if number == 0 else "later samples"
    match k.rng.pick("all", "flag", "even", "large", "inside"):
        case "flag":
            k.notes.append("Only valid ones count" if number == 0 else "Only valid later samples count")
            valid = k.array(("valid", "later_valid")[number], I32, k.shape, {"integers": [0, 2]})
            return valid[k.index].equals(1)
        case "even":
            k.notes.append(f"Only every second {'one' if number == 0 else 'later sample'} counts")
            return (k.lane % 2).equals(k.rng.below(2))
        case "large":
            level = 60 if integer else 0.3
            k.notes.append(f"Only {which} above {level} count")
            return x > level
        case "inside":
            low, high = (20, 150) if integer else (0.1, 0.8)
            k.notes.append(f"Only {which} between {low} and {high} count")
            return (x >= low) & (x < high)
        case _:
            return None


def _deliver(k: Builder, shared: Expr, i: Expr, lane: Name, bins: int, kind: Scalar) -> None:
    """Where the counts of a block go, and what is learnt from them beside."""
    (count,) = k.dims
    first = k.rng.pick("merge", "merge", "rows", "lanes", "half")
    match first:
        case "merge":
            tiles.atomic_add(k, k.array("counts", kind, [str(bins)], {"constant": 0}, "inout"), shared)
        case "rows":
            out = k.array("chunk_counts", kind, [count, str(bins)], None, "out")
            tiles.store(k, out, shared, (0,), row=(i,))
            k.notes.append("Each block has counts of its own")
        case "lanes":
            number = k.let("own_count", shared[lane % bins])
            out = k.array("peer_counts", kind, k.shape, None, "out")
            k.store(out, k.target, number)
            k.notes.append(f"Each thread stores the count of the bin that its number modulo {bins} names")
        case _:
            half = bins // 2
            folded = tiles.view(shared, (0,), (half,)) + tiles.view(shared, (half,), (half,))
            out = k.array("folded_counts", kind, [count, str(half)], None, "out")
            tiles.store(k, out, k.let("folded", folded), (0,), row=(i,))
            k.notes.append("The upper half of the bins is added to the lower half")
    match k.rng.pick("none", "peak", "height", "total", "rows"):
        case "peak":
            tiles.store(k, k.array("fullest", I32, [count], None, "out"), tiles.place_of("max", shared), (i,))
            k.notes.append("Each block stores which bin is the fullest")
        case "height":
            # Of few elements in many bins, some bin always has none.
            edge = k.rng.pick("max", "min") if (k.block_dim or 0) >= 16 * bins else "max"
            named = "fullest" if edge == "max" else "emptiest"
            out = k.array(f"{named}_counts", kind, [count], None, "out")
            tiles.store(k, out, tiles.extreme(edge, shared), (i,))
            k.notes.append(f"Each block stores how full its {named} bin is")
        case "total":
            tiles.store(k, k.array("totals", kind, [count], None, "out"), tiles.summed(shared), (i,))
            k.notes.append("Each block stores how much was counted")
        case "rows" if first == "merge":
            out = k.array("chunk_counts", kind, [count, str(bins)], None, "out")
            tiles.store(k, out, shared, (0,), row=(i,))
            k.notes.append("The counts of each block are stored as well")
