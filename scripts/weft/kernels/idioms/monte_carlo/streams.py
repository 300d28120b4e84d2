"""Random states of threads, and numbers from them."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import lift, ops, random_number
from weft.kernels.program import Expr
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import threads, whole


def random_state(k: Builder) -> Expr:
    """The thread's random state, from its number and a seed; call it after `threads`."""
    number: Expr = k.index[0]
    for one, size in zip(k.index[1:], k.shape[1:], strict=True):
        number = number * k.size(size, size) + one
    match k.rng.below(4):
        case 0:
            seed: Expr | int = k.rng.integer(1, 99)
        case 1:
            seed = k.array("seeds", I32, k.shape, whole(0, 10_000))[k.index]
        case _:
            seed = k.scalar(k.rng.pick("seed", "rng_seed", "sweep"), I32, whole(0, 10_000))
    return k.let(k.rng.pick("state", "rng"), ops.rand_init(lift(seed, I32), number))


def started(k: Builder, *ranks: int, name: str = "i") -> Expr:
    """Launch threads, and give the random state of each."""
    k.real = F32
    threads(k, *ranks, name=name)
    return random_state(k)


def uniform_number(state: Expr) -> Expr:
    """A number in [0, 1)."""
    return random_number("randf", state)


def loop_name(k: Builder) -> str:
    """What a loop over samples calls them."""
    return k.rng.pick("s", "sample", "draw", "trial")
