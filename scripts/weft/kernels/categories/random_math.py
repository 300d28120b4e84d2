"""Random numbers in every thread, and what is computed from them."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, signal, threads
from weft.kernels.operators import ops, random_number
from weft.kernels.program import Expr
from weft.kernels.types import F32, I32

REVISION = 1
TEACHES = "random numbers per thread: noise, sampling, small Monte Carlo estimates"


def _state(k: Builder) -> Expr:
    """The thread's random state, seeded by a parameter and the thread's number."""
    seed = k.scalar("seed", I32, {"integers": [0, 10000]})
    number = k.index[0]
    for one, size in zip(k.index[1:], k.shape[1:], strict=True):
        number = number * k.size(size, size) + one
    return k.let("state", ops.rand_init(seed, number))


def noisy_signal(k: Builder) -> None:
    k.real = F32
    threads(k, 1)
    x = signal(k, "x", -1.0, 1.0)
    state = _state(k)
    noise = k.rng.pick(
        random_number("randf", state, -0.5, 0.5),
        random_number("randn", state),
        random_number("randf", state) - 0.5,
    )
    finish(k, "noisy", x + coefficient(k, "sigma", 0.05, 0.4) * noise, "Signal with random noise")


def estimate_pi(k: Builder) -> None:
    k.real = F32
    threads(k, 1)
    state = _state(k)
    samples = k.rng.pick(16, 24, 32)
    inside = k.var("inside", 0.0)
    with k.loop("s", 0, samples):
        x, y = k.let("x", random_number("randf", state)), k.let("y", random_number("randf", state))
        with k.when(x * x + y * y < 1.0):
            k.add(inside, 1.0)
    finish(
        k,
        "estimate",
        k.rng.pick(4.0, 1.0) * inside / float(samples),
        "Monte Carlo estimate of the area of a circle",
    )
