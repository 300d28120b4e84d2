"""Batches of small square matrices, each in the shared memory of one block."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded
from weft.kernels.program import Expr
from weft.kernels.tiles import product as times
from weft.kernels.tiles import transposed as turned

Make = Callable[..., Expr]


def _commuted(k: Builder, a: Expr, b: Expr) -> tuple[Expr, Expr]:
    return k.let("forth", times(a, b)), k.let("back", times(b, a))


def _evolved(k: Builder, generator: Expr, state: Expr) -> Expr:
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    forth, back = _commuted(k, generator, state)
    return state + dt * (forth - back)


def _cubic(k: Builder, a: Expr) -> Expr:
    first, second, third = (coefficient(k, f"c{at}", 0.1, 1.0, kinds="lp") for at in (1, 2, 3))
    square = k.let("square", times(a, a))
    return first * a + second * square + third * times(square, a)


def _riccati(k: Builder, a: Expr, p: Expr, q: Expr, s: Expr) -> Expr:
    pa = k.let("pa", times(p, a))
    return turned(pa) + pa - times(times(p, s), p) + q


def _bracket(k: Builder, a: Expr, b: Expr) -> Expr:
    forth, back = _commuted(k, a, b)
    return forth - back


def _jordan(k: Builder, a: Expr, b: Expr) -> Expr:
    forth, back = _commuted(k, a, b)
    return 0.5 * (forth + back)


SQUARES: tuple[tuple[tuple[str, ...], str, str, Make], ...] = (
    (("newton_inverse_step", "refine_inverse"), "refined",
     "Improve the approximate inverse x of each matrix a by a step of Newton's iteration, 2 x - x a x",
     lambda k, a, x: 2.0 * x - times(x, times(a, x))),
    (("newton_schulz_step", "orthogonalize_step"), "orthogonal",
     "Bring each matrix closer to an orthogonal one by a step of Newton and Schulz's iteration",
     lambda k, x: 1.5 * x - 0.5 * times(x, times(turned(x), x))),
    (("predict_covariance", "propagate_covariance"), "predicted",
     "Predict the covariance of each filter, through the transition and with process noise",
     lambda k, step, covariance, noise: times(times(step, covariance), turned(step)) + noise),
    (("similarity_transform", "change_basis"), "rotated", "Express each matrix a in a rotated basis",
     lambda k, a, rotation: times(times(turned(rotation), a), rotation)),
    (("commutator", "lie_bracket"), "bracket", "Compute the commutator of each pair of matrices", _bracket),
    (("anticommutator", "jordan_product"), "jordan",
     "Compute the Jordan product of each pair of matrices, the mean of a b and b a", _jordan),
    (("evolve_state", "von_neumann_step"), "new_state",
     "Advance each state by an explicit step of the commutator with the generator", _evolved),
    (("sylvester_residual", "residual_of_sylvester"), "residual",
     "Compute the residual of each of Sylvester's equations, c - a x - x b",
     lambda k, a, b, c, x: c - times(a, x) - times(x, b)),
    (("riccati_residual", "residual_of_riccati"), "residual",
     "Compute the residual of each algebraic Riccati equation, with a symmetric p", _riccati),
    (("cubic_of_matrix", "matrix_polynomial"), "polynomial",
     "Evaluate a cubic polynomial without constant term of each matrix", _cubic),
    (("product_of_three", "matrix_chain"), "chain", "Multiply the three matrices of each set",
     lambda k, a, b, c: times(times(a, b), c)),
    (("project_out", "deflate"), "deflated",
     "Remove from the columns of each matrix x what lies in the span of an orthonormal basis",
     lambda k, basis, x: x - times(basis, times(turned(basis), x))),
    (("batched_gram", "batched_normal_matrix"), "gram",
     "Compute the Gram matrix of the columns of each matrix",
     lambda k, a: times(turned(a), a)),
)  # fmt: skip


def small_matrices(k: Builder) -> None:
    """A formula of matrices, for a batch of them."""
    names, result, sentence, make = k.rng.pick(*SQUARES)
    k.name, *k.other_names = k.rng.shuffled(names)
    k.equality = "bounded"
    side = k.rng.pick(8, 16, 16, 32)
    k.sizes["batch"] = k.rng.pick("(n + 63) // 64", "min(n, 150)")
    k.sizes["side"] = str(side)
    (system,) = k.blocks(["batch"], [k.rng.pick("system", "item")], min(256, side * side))
    shape = ["batch", "side", "side"]
    operands = make.__code__.co_varnames[1 : make.__code__.co_argcount]
    arrays = [k.array(one, k.real, shape, uniform(-0.5, 0.5)) for one in operands]
    loaded = [tiles.load(one, (side, side), row=(system,)) for one in arrays]
    value = make(k, *(k.let(f"{name}_tile", tile) for name, tile in zip(operands, loaded, strict=True)))
    out = k.array(f"{result}s" if result == "residual" else result, k.real, shape, None, "out")
    tiles.store(k, out, bounded(value, -1e6, 1e6), row=(system,))
    k.doc = f"{sentence}. Each block has one of the systems, of {side} by {side}."
