"""Several cases: chains of elif, nested decisions, tables of regimes."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, read, signal, threads
from weft.kernels.operators import ops
from weft.kernels.types import I32

REVISION = 1
TEACHES = "chains of if, elif and else, nested decisions, and combined conditions"
ALIASES = ("multi_cond",)


def tax_brackets(k: Builder) -> None:
    threads(k)
    income = read(k, "income", 0.0, 100.0)
    edges = (20.0, 50.0, 75.0)[: k.rng.integer(2, 3)]
    tax = k.var("tax", 0.0)
    with k.when(income < edges[0]):
        k.set(tax, income * k.rng.number(0.05, 0.15))
    for edge in edges[1:]:
        with k.orwhen(income < edge):
            k.set(tax, income * k.rng.number(0.2, 0.3) - k.rng.number(1.0, 3.0))
    with k.otherwise():
        k.set(tax, income * k.rng.number(0.35, 0.45) - k.rng.number(5.0, 9.0))
    finish(k, "tax", tax, "Progressive tax on each income")


def apply_operation(k: Builder) -> None:
    threads(k)
    code = read(k, "opcode", 0, 3, I32)
    a, b = signal(k, "left", -2.0, 2.0), read(k, "right", 0.5, 2.0)
    result = k.var("result", 0.0)
    with k.when(code.equals(0)):
        k.set(result, a + b)
    with k.orwhen(code.equals(1)):
        k.set(result, a - b * coefficient(k, "rate", 0.2, 2.0, kinds="lp"))
    with k.orwhen(code.equals(2)):
        k.set(result, a * b)
    with k.otherwise():
        k.set(result, k.rng.pick(a / b, ops.max(a, b)))
    finish(k, "result", result, "One of four operations per element, picked by a code")
