"""Batches of small square matrices, each in the shared memory of one block."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded
from weft.kernels.program import Expr

Make = Callable[[Builder, dict[str, Expr]], Expr]


def _product(k: Builder, name: str, left: Expr, right: Expr) -> Expr:
    return k.let(name, tiles.product(left, right))


def _inverse_step(k: Builder, m: dict[str, Expr]) -> Expr:
    residual = _product(k, "ax", m["a"], m["x"])
    return 2.0 * m["x"] - tiles.product(m["x"], residual)


def _orthogonal_step(k: Builder, m: dict[str, Expr]) -> Expr:
    gram = _product(k, "gram", tiles.transposed(m["x"]), m["x"])
    return 1.5 * m["x"] - 0.5 * _product(k, "cubic", m["x"], gram)


def _predicted(k: Builder, m: dict[str, Expr]) -> Expr:
    moved = _product(k, "moved", m["transition"], m["covariance"])
    return tiles.product(moved, tiles.transposed(m["transition"])) + m["noise"]


def _similar(k: Builder, m: dict[str, Expr]) -> Expr:
    turned = _product(k, "half_turned", tiles.transposed(m["rotation"]), m["a"])
    return tiles.product(turned, m["rotation"])


def _commutator(k: Builder, m: dict[str, Expr]) -> Expr:
    return _product(k, "ab", m["a"], m["b"]) - _product(k, "ba", m["b"], m["a"])


def _evolved(k: Builder, m: dict[str, Expr]) -> Expr:
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    forth, back = (
        _product(k, "forth", m["generator"], m["state"]),
        _product(k, "back", m["state"], m["generator"]),
    )
    return m["state"] + dt * (forth - back)


def _sylvester(k: Builder, m: dict[str, Expr]) -> Expr:
    return m["c"] - _product(k, "ax", m["a"], m["x"]) - _product(k, "xb", m["x"], m["b"])


def _riccati(k: Builder, m: dict[str, Expr]) -> Expr:
    pa = _product(k, "pa", m["p"], m["a"])
    psp = tiles.product(_product(k, "ps", m["p"], m["s"]), m["p"])
    return tiles.transposed(pa) + pa - k.let("psp", psp) + m["q"]


def _square_cubic(k: Builder, m: dict[str, Expr]) -> Expr:
    c = [coefficient(k, f"c{at}", 0.1, 1.0, kinds="lp") for at in (1, 2, 3)]
    square = _product(k, "square", m["a"], m["a"])
    return c[0] * m["a"] + c[1] * square + c[2] * _product(k, "cube", square, m["a"])


def _chain(k: Builder, m: dict[str, Expr]) -> Expr:
    return tiles.product(_product(k, "ab", m["a"], m["b"]), m["c"])


def _deflated(k: Builder, m: dict[str, Expr]) -> Expr:
    shares = _product(k, "shares", tiles.transposed(m["basis"]), m["x"])
    return m["x"] - tiles.product(m["basis"], shares)


def _gram(k: Builder, m: dict[str, Expr]) -> Expr:
    ridge = m["a"]
    return tiles.product(tiles.transposed(ridge), ridge)


def _anticommutator(k: Builder, m: dict[str, Expr]) -> Expr:
    return 0.5 * (_product(k, "ab", m["a"], m["b"]) + _product(k, "ba", m["b"], m["a"]))


def _symmetric_part(k: Builder, m: dict[str, Expr]) -> Expr:
    return 0.5 * (m["a"] + tiles.transposed(m["a"]))


SQUARES: tuple[tuple[tuple[str, ...], str, tuple[str, ...], str, Make], ...] = (
    (("newton_inverse_step", "refine_inverse"), "Improve the approximate inverse x of each matrix a by a step of Newton's iteration, 2 x - x a x",
     ("a", "x"), "refined", _inverse_step),
    (("newton_schulz_step", "orthogonalize_step"), "Bring each matrix closer to an orthogonal one by a step of Newton and Schulz's iteration",
     ("x",), "orthogonal", _orthogonal_step),
    (("predict_covariance", "propagate_covariance"), "Predict the covariance of each filter, through the transition and with process noise",
     ("transition", "covariance", "noise"), "predicted", _predicted),
    (("similarity_transform", "change_basis"), "Express each matrix a in a rotated basis", ("a", "rotation"), "rotated", _similar),
    (("commutator", "lie_bracket"), "Compute the commutator of each pair of matrices, a b - b a", ("a", "b"), "bracket", _commutator),
    (("anticommutator", "jordan_product"), "Compute the Jordan product of each pair of matrices, the mean of a b and b a",
     ("a", "b"), "jordan", _anticommutator),
    (("evolve_state", "von_neumann_step"), "Advance the state of each system by an explicit step of the commutator with the generator",
     ("generator", "state"), "new_state", _evolved),
    (("sylvester_residual",), "Compute the residual of Sylvester's equation, c - a x - x b, for each system", ("a", "b", "c", "x"), "residual", _sylvester),
    (("riccati_residual",), "Compute the residual of the algebraic Riccati equation for each system, with a symmetric p",
     ("a", "p", "q", "s"), "residual", _riccati),
    (("cubic_of_matrix", "matrix_polynomial"), "Evaluate a cubic polynomial without constant term of each matrix", ("a",), "polynomial", _square_cubic),
    (("product_of_three", "matrix_chain"), "Multiply the three matrices of each system", ("a", "b", "c"), "chain", _chain),
    (("project_out", "deflate"), "Remove from the columns of each matrix x what lies in the span of an orthonormal basis",
     ("basis", "x"), "deflated", _deflated),
    (("batched_gram", "batched_normal_matrix"), "Compute the Gram matrix of the columns of each matrix", ("a",), "gram", _gram),
    (("symmetrize", "symmetric_part"), "Compute the symmetric part of each matrix", ("a",), "symmetric", _symmetric_part),
)  # fmt: skip


def small_matrices(k: Builder) -> None:
    """A formula of matrices, for a batch of them."""
    names, sentence, operands, result, make = k.rng.pick(*SQUARES)
    k.name, *k.other_names = k.rng.shuffled(names)
    k.equality = "bounded"
    side = k.rng.pick(8, 16, 16, 32)
    k.sizes["batch"] = k.rng.pick("(n + 255) // 256", "(n + 127) // 128")
    k.sizes["side"] = str(side)
    (system,) = k.blocks(["batch"], [k.rng.pick("system", "item")], min(256, side * side))
    shape = ["batch", "side", "side"]
    arrays = {one: k.array(one, k.real, shape, uniform(-0.5, 0.5)) for one in operands}
    loaded = {
        one: k.let(f"{one}_tile", tiles.load(array, (side, side), row=(system,)))
        for one, array in arrays.items()
    }
    value = make(k, loaded)
    out = k.array(f"{result}s" if result == "residual" else result, k.real, shape, None, "out")
    tiles.store(k, out, bounded(value, -1e6, 1e6), row=(system,))
    k.doc = f"{sentence}. Each block has one system of {side} by {side}."
