"""Generators of random words and checksums of bytes, step by step."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, hexadecimal
from weft.kernels.idioms.integer_bits.bits import magic, rotated, width, word_var
from weft.kernels.program import Expr
from weft.kernels.types import U32, U64
from weft.types import Scalar

STREAMS = ("xorshift", "xorshift star", "linear congruential", "Weyl", "permuted", "Wang")
CHECKSUMS = ("cyclic", "cyclic", "Fletcher", "FNV", "parity", "rotating")


def stream_type(k: Builder, kind: str) -> Scalar:
    """The words that a generator of random numbers works on."""
    wide = kind == "xorshift star" or (kind in ("linear congruential", "xorshift") and k.rng.chance(0.4))
    return U64 if wide else U32


def stream(k: Builder, kind: str, seed: Expr, type: Scalar) -> Callable[[], Expr]:
    """Declare the state of a generator; each call appends one step and gives the word drawn."""
    bits = width(type)
    odd, increment = magic(k, type), hexadecimal(k.rng.pick(0x3C6EF35F, 0x9E3779B9, 0xA511E9B3), type)
    shifts = k.rng.pick((13, 17, 5), (7, 1, 9), (9, 5, 7), (5, 9, 7))
    if bits == 64:
        shifts = k.rng.pick((12, 25, 27), (13, 7, 17), (7, 9, 8))
    left_first = bits == 32 or k.rng.chance(0.5)
    state = word_var(k, k.rng.pick("state", "rng"), seed | 1 if "xorshift" in kind else seed, type)
    weyl = word_var(k, "weyl", increment, type) if kind == "Weyl" else None

    def step() -> Expr:
        match kind:
            case "xorshift" | "xorshift star":
                for n, shift in enumerate(shifts):
                    k.add(state, state << shift if (n % 2 == 0) == left_first else state >> shift, "^")
                return k.let("drawn", state * odd) if "star" in kind else state
            case "Weyl":
                assert weyl is not None
                k.add(weyl, increment)
                k.set(state, ((state ^ (state >> 15)) * odd) ^ weyl)
                return state
            case "Wang":
                k.set(state, (state ^ 61) ^ (state >> 16))
                k.add(state, 9, "*")
                k.add(state, state >> 4, "^")
                k.add(state, odd, "*")
                return state
            case "permuted":
                k.set(state, state * odd + increment)
                folded = state ^ (state >> ((state >> 28) + 4))
                return k.let("drawn", folded * 277803737)
            case _:
                k.set(state, state * odd + increment)
                return state

    return step


def checksum_of(k: Builder, kind: str, each: Callable[[Callable[[Expr, Expr], None]], None]) -> Expr:
    """The checksum of bytes; `each(absorb)` writes the loop that absorbs each byte, given with its number."""
    start = 0 if kind == "parity" else k.rng.pick(0xFFFFFFFF, 0x811C9DC5, 0x1D0F)
    poly, modulus = hexadecimal(k.rng.pick(0xEDB88320, 0x82F63B78), U32), k.rng.pick(255, 65521)
    by_product, first_xor, turn = k.rng.chance(0.5), k.rng.chance(0.5), k.rng.pick(3, 5, 7)
    if kind == "Fletcher":
        first = k.var("first", k.rng.pick(0, 1), type=U32, bounds=(0, 65534))
        second = k.var("second", 0, type=U32, bounds=(0, 65534))

        def accumulate(byte: Expr, _: Expr) -> None:
            k.set(first, bounded((first + byte) % modulus, 0, 65534))
            k.set(second, bounded((second + first) % modulus, 0, 65534))

        each(accumulate)
        return (second << 16) | first
    check = word_var(k, "check", hexadecimal(start, U32))

    def absorb(byte: Expr, number: Expr) -> None:
        match kind:
            case "cyclic":
                k.add(check, byte, "^")
                with k.loop("_", 0, 8):
                    if by_product:
                        k.set(check, (check >> 1) ^ (poly * (check & 1)))
                    else:
                        with k.when((check & 1).equals(1)):
                            k.set(check, (check >> 1) ^ poly)
                        with k.otherwise():
                            k.set(check, check >> 1)
            case "FNV" if first_xor:
                k.set(check, (check ^ byte) * 16777619)
            case "FNV":
                k.set(check, (check * 16777619) ^ byte)
            case "rotating":
                k.set(check, rotated(check, turn) + byte)
            case _:
                k.add(check, byte << convert(U32, number % 4 * 8), "^")

    each(absorb)
    if kind == "parity":
        folded = k.let("folded", check ^ (check >> 16))
        return (folded ^ (folded >> 8)) & 0xFF
    return ~check if kind == "cyclic" and k.rng.chance(0.5) else check
