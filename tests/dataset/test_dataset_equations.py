"""Python of kernels as equations: what is told, in which notation, and of what nothing is."""

import ast

import pytest

from weft.dataset.equations import equations, thread_indices
from weft.dataset.mathematics import UnsaidError, formula


@pytest.mark.parametrize(
    ("python", "mathematics"),
    [
        ("a - (b - c) * d", "a - (b - c) · d"),
        ("a / (b * c)", "a / (b · c)"),
        ("a / b * c", "a / b · c"),
        ("-(a + b)", "-(a + b)"),
        ("x * x + x * x * x", "x² + x² · x"),
        ("2.0 * (x * x)", "2.0 · x²"),
        ("x ** 2.0 + wp.pow(y, 0.5)", "x^2.0 + y^0.5"),
        ("(i - 1 + n) % n // 2", "⌊((i - 1 + n) mod n) / 2⌋"),
        ("h << wp.uint32(3) ^ h & wp.uint32(0xF)", "(h ≪ 3) XOR (h AND 15)"),
        ("~h & (h - 1)", "(NOT h) AND (h - 1)"),
        ("wp.sqrt(wp.abs(x)) * wp.length(v)", "√(|x|) · ‖v‖"),
        ("wp.dot(u, v) * wp.cross(u, v)", "⟨u, v⟩ · cross(u, v)"),
        ("wp.cw_mul(u + v, w)", "(u + v) ⊙ w"),
        ("wp.transpose(m) @ v", "mᵀ · v"),
        ("wp.vec2(x, y)[0] + wp.log(x)", "(x, y)[0] + ln(x)"),
        ("wp.where(a < b, a, b + 1.0)", "a if a < b, else b + 1.0"),
        ("(a if c else b) * 2.0", "(a if c, else b) · 2.0"),
        ("not (a and b) or 0 <= i < n", "not (a and b) or 0 ≤ i < n"),
        ("wp.float64(i) * float(0.5)", "i · 0.5"),
        ("int(wp.floor(x)) + int(x)", "⌊x⌋ + int(x)"),
        ("values[i, j + 1].mass", "values[i, j + 1].mass"),
        ("wp.randf(state, 1.0, 2.0)", "a random number in [1.0, 2.0)"),
        ("wp.tile_sum(wp.tile(a + b))[0] / c", "(the sum of (a + b) of each thread of the block) / c"),
        ("wp.tile_map(wp.div, running, total)", "div(running, total) for each element"),
        ("wp.tile_sum(square, axis=1)", "the sum of square along axis 1"),
        (
            "wp.tile_load(a[row], shape=(8, 4), offset=(i * 8, k))",
            "the tile of shape (8, 4) of a[row] at (i · 8, k)",
        ),
        ("damped(x, rate)", "damped(x, rate)"),
    ],
)
def test_expressions_are_mathematics(python: str, mathematics: str) -> None:
    assert formula(ast.parse(python, mode="eval").body) == mathematics


@pytest.mark.parametrize(
    "python", ["'text'", "wp.static(x)", "f(*xs)", "[i for i in x]", "wp.tile_sort(x)", "a is b"]
)
def test_what_has_no_such_form_is_unsaid(python: str) -> None:
    with pytest.raises(UnsaidError):
        formula(ast.parse(python, mode="eval").body)


SOURCE = '''\
import warp as wp

LIMIT = wp.constant(3.0)


@wp.func
def half(x: float):
    """Half."""
    return 0.5 * x


@wp.func
def bent(x: float):
    if x > LIMIT:
        return LIMIT
    y = half(x)
    return y


@wp.func_grad(half)
def adj_half(x: float, adj_ret: float):
    wp.adjoint[x] += 0.5 * adj_ret


@wp.kernel
def walk(values: wp.array2d(dtype=float), best: wp.array(dtype=float), free: wp.array(dtype=int), n: int):
    """Walk."""
    i, j = wp.tid()
    if values[i, j] == 0.0:
        return
    value = values[i, j]
    other = values[i, 0]
    total = float(0.0)
    for k in range(4):
        total += bent(value)
    for k in range(1, n, 2):
        total *= 2.0
        if total > 9.0:
            break
        elif total < 0.0:
            continue
        else:
            total |= 1
    while total > LIMIT:
        total -= other
    slot = wp.atomic_add(free, 0, 1)
    wp.atomic_max(best, slot, total)
    values[i, j] = total
'''
LINES = """\
if values[i, j] = 0.0:
  the thread is done
value = values[i, j], other = values[i, 0]
total = 0.0
for k from 0 to 3:
  total increases by bent(value)
for k from 1 in steps of 2, ending before n:
  total is multiplied by 2.0
  if total > 9.0:
    the loop ends
  else if total < 0.0:
    continue with the next turn of the loop
  else:
    total = total OR 1
while total > LIMIT:
  total decreases by other
slot = free[0], which then increases by 1
best[slot] = max(best[slot], total)
values[i, j] = total"""


def test_functions_and_kernels_are_told_line_by_line_without_adjoints() -> None:
    told = equations(SOURCE)
    assert list(told) == ["half", "bent", "walk"]
    assert told["half"] == (["x"], ["half(x) = 0.5 · x"])
    assert told["bent"][1] == ["if x > LIMIT:", "  the result is LIMIT", "y = half(x)", "the result is y"]
    assert "\n".join(told["walk"][1]) == LINES


def test_the_indices_of_threads_are_known_by_their_names() -> None:
    assert thread_indices(SOURCE, "walk") == ["i", "j"]
    assert thread_indices(SOURCE, "half") == []


def test_of_a_module_with_anything_that_cannot_be_told_nothing_is() -> None:
    assert equations(SOURCE.replace("0.5 * x", "wp.static(0.5) * x")) == {}
