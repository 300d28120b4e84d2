"""Whole numbers: divisors, digits, powers, sequences."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

integer = Domain("integer", index=("i", "idx"), things=False)

natural = Quantity("natural", 1, 600, whole, least=1, most=1000)
other_natural = Quantity("other_natural", 1, 600, whole, least=1, most=1000)
exponent = Quantity("exponent", 1, 200, whole, least=0, most=1000)
divisor = Quantity("divisor", 1, 100, whole, least=1, most=1000)
multiple = Quantity("multiple", 1, 10000, whole, least=0, most=1_000_000)
digit_total = Quantity("digit_total", 1, 30, whole, least=0, most=1000)
count = Quantity("step_count", 0, 100, whole, least=0, most=1000, generic=True)
remainder = Quantity("remainder", 0, 96, whole, least=0, most=1000, generic=True)
integer_root = Quantity("integer_root", 1, 24, whole, least=0, most=1000)
mirrored = Quantity("mirrored", 1, 999, whole, plural="mirrored_values", least=0, most=100000)
kind = Quantity("kind", -1, 1, whole, least=-1, most=1)
flag = Quantity("flag", 0, 1, whole, least=0, most=1)
survivor = Quantity("survivor", 1, 600, whole, least=0, most=1000)
coprime_count = Quantity("coprime_count", 1, 600, whole, least=0, most=1000)

Natural = Annotated[Expr, natural]
OtherNatural = Annotated[Expr, other_natural]
Exponent = Annotated[Expr, exponent]
Divisor = Annotated[Expr, divisor]
DigitTotal = Annotated[Expr, digit_total]
Count = Annotated[Expr, count]
Remainder = Annotated[Expr, remainder]
Mirrored = Annotated[Expr, mirrored]
Flag = Annotated[Expr, flag]
Base = Annotated[Expr, Setting(2, 10, kind=whole)]
Modulus = Annotated[Expr, Setting(31, 97, kind=whole)]
KNUTH, EUCLID = "Knuth 1969", "Euclid, Elements VII"
_WHILE = ("loop", "iteration")
LIMITS = (0, 1000)


@integer.formula(source=EUCLID, teaches=_WHILE)
def common_divisor(k: Builder, natural: Natural, other_natural: OtherNatural) -> Divisor:
    """Greatest common divisor by Euclid's algorithm."""
    a, b = k.var("a", natural, bounds=LIMITS), k.var("b", other_natural, bounds=LIMITS)
    with k.repeat(b > 0, 16):
        rest = k.let("remaining", a % b)
        k.set(a, b)
        k.set(b, rest)
    return bounded(a, 1, 1000)


@integer.formula(source="Stein 1967", teaches=("loop", "iteration", "branches"))
def binary_divisor(k: Builder, natural: Natural, other_natural: OtherNatural) -> Divisor:
    """Binary greatest common divisor (Stein's algorithm)."""
    a, b = k.var("a", natural, bounds=LIMITS), k.var("b", other_natural, bounds=LIMITS)
    twos = k.var("twos", 1, type=I32, bounds=(1, 1024))
    with k.repeat(a.differs(b), 60):
        with k.when((a % 2).equals(0) & (b % 2).equals(0)):
            k.set(a, bounded(a // 2, *LIMITS))
            k.set(b, bounded(b // 2, *LIMITS))
            k.set(twos, bounded(twos * 2, 1, 1024))
        with k.orwhen((a % 2).equals(0)):
            k.set(a, bounded(a // 2, *LIMITS))
        with k.orwhen((b % 2).equals(0)):
            k.set(b, bounded(b // 2, *LIMITS))
        with k.orwhen(a > b):
            k.set(a, bounded(a - b, *LIMITS))
        with k.otherwise():
            k.set(b, bounded(b - a, *LIMITS))
    return bounded(a * twos, 1, 1000)


@integer.formula(source=EUCLID, teaches=("loop", "iteration", "branch"))
def subtracted_divisor(k: Builder, natural: Natural, other_natural: OtherNatural) -> Divisor:
    """Greatest common divisor by repeated subtraction."""
    a, b = k.var("a", natural, bounds=LIMITS), k.var("b", other_natural, bounds=LIMITS)
    with k.repeat(a.differs(b), 600):
        with k.when(a > b):
            k.set(a, bounded(a - b, *LIMITS))
        with k.otherwise():
            k.set(b, bounded(b - a, *LIMITS))
    return bounded(a, 1, 1000)


@integer.formula(source=EUCLID)
def least_multiple(
    k: Builder, natural: Natural, other_natural: OtherNatural, divisor: Divisor
) -> Annotated[Expr, multiple]:
    """Least common multiple."""
    return bounded(natural // divisor * other_natural, 0, 1_000_000)


@integer.formula(source="Gauss 1801", teaches=("loop", "iteration", "branch"))
def modular_power(k: Builder, natural: Natural, exponent: Exponent, modulus: Modulus) -> Remainder:
    """Modular exponentiation."""
    base, rest = k.var("base", natural % modulus, bounds=LIMITS), k.var("remaining", exponent, bounds=LIMITS)
    result = k.var("result", 1, type=I32, bounds=LIMITS)
    with k.repeat(rest > 0, 10):
        with k.when((rest % 2).equals(1)):
            k.set(result, bounded(result * base % modulus, *LIMITS))
        k.set(base, bounded(base * base % modulus, *LIMITS))
        k.set(rest, bounded(rest // 2, *LIMITS))
    return result


@integer.formula(source=KNUTH, teaches=_WHILE)
def digit_sum(k: Builder, natural: Natural, base: Base) -> DigitTotal:
    """Digit sum in a given base."""
    rest, total = k.var("remaining", natural, bounds=LIMITS), k.var("total", 0, type=I32)
    with k.repeat(rest > 0, 10):
        k.add(total, rest % base)
        k.set(rest, bounded(rest // base, *LIMITS))
    return bounded(total, 0, 100)


@integer.formula(source=KNUTH, teaches=_WHILE)
def mirrored_digits(k: Builder, natural: Natural, base: Base) -> Mirrored:
    """Reverse the digits in a given base."""
    rest, result = (
        k.var("remaining", natural, bounds=LIMITS),
        k.var("result", 0, type=I32, bounds=(0, 100000)),
    )
    with k.repeat(rest > 0, 10):
        k.set(result, bounded(result * base + rest % base, 0, 100000))
        k.set(rest, bounded(rest // base, *LIMITS))
    return result


@integer.formula(teaches=("branch",))
def is_palindrome(k: Builder, natural: Natural, mirrored: Mirrored) -> Flag:
    """Palindrome flag."""
    return conditional(natural.equals(mirrored), lift(1, I32), 0)


@integer.formula(source="Collatz 1937", teaches=("loop", "iteration", "branch"))
def collatz_steps(k: Builder, natural: Natural) -> Count:
    """Collatz step count, up to a limit."""
    value, steps = (
        k.var("value", natural, bounds=(1, 700_000_000)),
        k.var("steps", 0, type=I32, bounds=LIMITS),
    )
    with k.repeat((value > 1) & (steps < 100), 100):
        with k.when((value % 2).equals(0)):
            k.set(value, bounded(value // 2, 1, 700_000_000))
        with k.otherwise():
            k.set(value, bounded(ops.min(value, 200_000_000) * 3 + 1, 1, 700_000_000))
        k.set(steps, bounded(steps + 1, *LIMITS))
    return steps


@integer.formula(source="Heron of Alexandria", teaches=("loop", "iteration", "branch"))
def newton_integer_root(k: Builder, natural: Natural) -> Annotated[Expr, integer_root]:
    """Integer square root by Newton's method."""
    guess = k.var("root", natural, bounds=(1, 1000))
    with k.loop("_", 0, 12):
        better = k.let("better", bounded((guess + natural // guess) // 2, 1, 1000))
        with k.when(better >= guess):
            k.jump("break")
        k.set(guess, better)
    return guess


@integer.formula(source="Eratosthenes", teaches=("loop", "iteration", "branch"))
def smallest_factor(k: Builder, natural: Natural) -> Divisor:
    """Smallest divisor by trial division."""
    found = k.var("factor", natural, bounds=(1, 1000))
    with k.loop("trial", 2, 25) as trial, k.when((natural % trial).equals(0)):
        k.set(found, trial)
        k.jump("break")
    return found


@integer.formula(source="Dirichlet 1849", teaches=("loop", "branch"))
def divisor_count(k: Builder, natural: Natural) -> Count:
    """Number of divisors."""
    total = k.var("total", 0, type=I32)
    with k.loop("trial", 1, natural + 1) as trial, k.when((natural % trial).equals(0)):
        k.add(total, 1)
    return bounded(total, 1, 100)


@integer.formula(source="Euler 1763", teaches=("loop", "nested loop", "iteration", "branch"))
def totient(k: Builder, natural: Natural) -> Annotated[Expr, coprime_count]:
    """Euler's totient from the prime factors."""
    result, rest = k.var("result", natural, bounds=LIMITS), k.var("remaining", natural, bounds=(1, 1000))
    with k.loop("trial", 2, 25) as trial, k.when((rest % trial).equals(0)):
        with k.repeat((rest % trial).equals(0), 10):
            k.set(rest, bounded(rest // trial, 1, 1000))
        k.set(result, bounded(result - result // trial, *LIMITS))
    with k.when(rest > 1):
        k.set(result, bounded(result - result // rest, *LIMITS))
    return result


@integer.formula(source="Fibonacci 1202", teaches=("loop",))
def fibonacci_remainder(k: Builder, natural: Natural, modulus: Modulus) -> Remainder:
    """Fibonacci number modulo m."""
    last, before = k.var("last", 1, type=I32, bounds=LIMITS), k.var("before", 0, type=I32, bounds=LIMITS)
    with k.loop("_", 0, natural + 1):
        following = k.let("next_value", bounded((last + before) % modulus, *LIMITS))
        k.set(before, last)
        k.set(last, following)
    return last


@integer.formula(source="Josephus", teaches=("loop",))
def josephus_survivor(
    k: Builder, natural: Natural, skipped: Annotated[Expr, Setting(2, 5, kind=whole)]
) -> Annotated[Expr, survivor]:
    """Josephus problem."""
    place = k.var("survivor", 0, type=I32, bounds=LIMITS)
    with k.loop("people", 2, natural + 2) as people:
        k.set(place, bounded((place + skipped) % people, *LIMITS))
    return place


@integer.formula(source="Hardy and Wright 1938", teaches=("loop", "iteration", "branch"))
def happy_steps(k: Builder, natural: Natural) -> Flag:
    """Happy number test."""
    value = k.var("value", natural, bounds=LIMITS)
    with k.loop("_", 0, 12):
        with k.when(value.equals(1)):
            k.jump("break")
        total, rest = k.var("total", 0, type=I32, bounds=LIMITS), k.var("remaining", value, bounds=LIMITS)
        with k.repeat(rest > 0, 4):
            digit = k.let("digit", rest % 10)
            k.set(total, bounded(total + digit * digit, *LIMITS))
            k.set(rest, bounded(rest // 10, *LIMITS))
        k.set(value, total)
    return conditional(value.equals(1), lift(1, I32), 0)


@integer.formula(source="Lehmer 1951", teaches=("loop",))
def generator_remainder(
    k: Builder, natural: Natural, modulus: Modulus, rounds: Annotated[Expr, Setting(4, 12, kind=whole)]
) -> Remainder:
    """Linear congruential generator, modulo m."""
    state = k.var("state", natural % modulus, bounds=LIMITS)
    with k.loop("_", 0, rounds):
        k.set(state, bounded((state * 17 + 11) % modulus, *LIMITS))
    return state


@integer.formula(source="Floyd 1967", teaches=("loop", "iteration"))
def cycle_length(k: Builder, natural: Natural, modulus: Modulus) -> Count:
    """Floyd cycle detection of repeated squaring."""
    slow = k.var("slow", (natural * natural + 1) % modulus, bounds=LIMITS)
    fast = k.var("fast", bounded((slow * slow + 1) % modulus, *LIMITS), bounds=LIMITS)
    steps = k.var("steps", 0, type=I32, bounds=LIMITS)
    with k.repeat(slow.differs(fast) & (steps < 100), 100):
        k.set(slow, bounded((slow * slow + 1) % modulus, *LIMITS))
        k.set(fast, bounded((fast * fast + 1) % modulus, *LIMITS))
        k.set(fast, bounded((fast * fast + 1) % modulus, *LIMITS))
        k.set(steps, bounded(steps + 1, *LIMITS))
    return steps
