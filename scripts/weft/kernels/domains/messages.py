"""Messages of bytes: checksums, hashes, classes of characters, numbers in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.along import at, each
from weft.kernels.domains.bitmaps import as_int, mask, set_bits, word_var, words
from weft.kernels.expressions import bounded, convert
from weft.kernels.formulas import Domain, Quantity, whole
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32, U8, U32
from weft.types import Type


def octet(_: Builder) -> Type:
    """A byte."""
    return U8


message = Domain(
    "message", index=("i", "idx", "row"), flexible=True, sizes={"bytes": (8, 12, 16, 24, 32)}, things=False
)

byte = Quantity("octet", 0, 255, octet, trailing=("bytes",))
other_byte = Quantity("other_octet", 0, 255, octet, trailing=("bytes",))
check = words("checksum")
short_check = words("short_checksum", most=65535)
digest = dataclasses.replace(words("digest"), derived=True)
distance = Quantity("byte_distance", 0, 32, whole, least=0, most=4096, additive=True)
value = Quantity("decoded_value", 0, 2**28, whole, least=0, most=2**30)

bucket = Quantity("bucket", 0, 255, whole, least=0, most=2048)

Bytes = Annotated[ArrayHandle, byte]
OtherBytes = Annotated[ArrayHandle, other_byte]
Check = Annotated[Expr, check]
ShortCheck = Annotated[Expr, short_check]
Digest = Annotated[Expr, digest]
Distance = Annotated[Expr, distance]
_LOOP = ("loop",)
_BRANCH = ("loop", "branch")


def length(k: Builder) -> int:
    """How many bytes a message has."""
    return int(k.sizes[message.size(k, "bytes")])


def word_at(k: Builder, rows: ArrayHandle, j: Expr | int) -> Expr:
    """A byte of the thread's message as a word."""
    return convert(U32, at(k, rows, j))


def absorbed(
    k: Builder, name: str, start: Expr | int, rows: ArrayHandle, absorb: Callable[[Name, Expr], None]
) -> Name:
    """A state that takes in the bytes one after the other."""
    state = word_var(k, name, start)
    with each(k, "j", "bytes") as j:
        absorb(state, word_at(k, rows, j))
    return state


_CYCLIC: tuple[tuple[str, str, int, int, bool], ...] = (
    (
        "crc32",
        "CRC-32 checksum. Bits are taken lowest first, and the result is inverted",
        0xEDB88320,
        0xFFFFFFFF,
        True,
    ),
    (
        "crc32c",
        "CRC-32C checksum. Bits are taken lowest first, and the result is inverted",
        0x82F63B78,
        0xFFFFFFFF,
        True,
    ),
    (
        "crc16_modbus",
        "CRC-16/MODBUS. The register starts at 0xFFFF and takes the bits of each byte lowest first",
        0xA001,
        0xFFFF,
        False,
    ),
    (
        "crc8_maxim",
        "CRC-8/MAXIM. The register starts at 0 and takes the bits of each byte lowest first",
        0x8C,
        0,
        False,
    ),
)

for _name, _how, _polynomial, _start, _inverted in _CYCLIC:

    def _cyclic(
        k: Builder,
        octets: ArrayHandle,
        _polynomial: int = _polynomial,
        _start: int = _start,
        _inverted: bool = _inverted,
    ) -> Expr:
        def absorb(state: Name, byte: Expr) -> None:
            k.add(state, byte, "^")
            with k.loop("_bit", 0, 8):
                if k.once("branch in a cyclic checksum", lambda: k.rng.chance(0.5)):
                    with k.when((state & 1).equals(1)):
                        k.set(state, (state >> 1) ^ mask(_polynomial))
                    with k.otherwise():
                        k.set(state, state >> 1)
                else:
                    k.set(state, (state >> 1) ^ ((state & 1) * mask(_polynomial)))

        state = absorbed(k, "crc", mask(_start), octets, absorb)
        return ~state if _inverted else state if _polynomial > 65535 else bounded(state + 0, 0, 65535)

    def _tabulated(
        k: Builder,
        octets: ArrayHandle,
        _polynomial: int = _polynomial,
        _start: int = _start,
        _inverted: bool = _inverted,
    ) -> Expr:
        def entry(n: int) -> int:
            for _ in range(4):
                n = (n >> 1) ^ (_polynomial * (n & 1))
            return n

        table = k.input("crc_table", U32, ["16"], {"list": [entry(n) for n in range(16)]}, "constant")

        def absorb(state: Name, byte: Expr) -> None:
            k.add(state, byte, "^")
            for _ in range(2):
                k.set(state, (state >> 4) ^ table[as_int(state & 15, 15)])

        state = absorbed(k, "crc", mask(_start), octets, absorb)
        return ~state if _inverted else state if _polynomial > 65535 else bounded(state + 0, 0, 65535)

    _gives = Check if _polynomial > 65535 else ShortCheck
    for _function, _prefix, _by in (
        (_cyclic, "", ""),
        (_tabulated, "tabulated_", "A table takes in four bits at once. "),
    ):
        _function.__annotations__ = {"octets": Bytes, "return": _gives}
        message.formula(
            name=_prefix + _name,
            doc=f"{_how.replace('. ', f'. {_by}')}.",
            source="Peterson and Brown 1961",
            teaches=("table", "loop") if _prefix else _BRANCH,
        )(_function)


def summed(k: Builder, rows: ArrayHandle, modulus: int, start: int) -> tuple[Name, Name]:
    """The sum of the bytes and the sum of the sums, both by a modulus."""
    low = k.var("low", start, type=U32, bounds=(0, modulus - 1))
    high = k.var("high", 0, type=U32, bounds=(0, modulus - 1))
    with each(k, "j", "bytes") as j:
        k.set(low, bounded((low + word_at(k, rows, j)) % modulus, 0, modulus - 1))
        k.set(high, bounded((high + low) % modulus, 0, modulus - 1))
    return low, high


@message.formula(source="RFC 1950", teaches=_LOOP)
def adler32(k: Builder, octets: Bytes) -> Check:
    """Adler-32 checksum. Both sums are modulo 65521."""
    low, high = summed(k, octets, 65521, 1)
    return (high << 16) | low


@message.formula(source="Fletcher 1982", teaches=_LOOP)
def fletcher16(k: Builder, octets: Bytes) -> ShortCheck:
    """Fletcher-16 checksum. Both sums are modulo 255."""
    low, high = summed(k, octets, 255, 0)
    return (high << 8) | low


@message.formula(source="RFC 1071", teaches=_LOOP)
def internet_checksum(k: Builder, octets: Bytes) -> ShortCheck:
    """Internet checksum. It is the complement of the ones' complement sum of 16-bit words."""
    total = word_var(k, "total", 0)
    with k.loop("j", 0, length(k), 2) as j:
        k.add(total, (word_at(k, octets, j) << 8) | word_at(k, octets, bounded(j + 1, 1, length(k) - 1)))
    folded = k.let("folded", (total & 0xFFFF) + (total >> 16))
    return ~folded & 0xFFFF


_DIGESTS: tuple[tuple[str, str, str, int, Callable[[Builder, Name, Expr], None]], ...] = (
    (
        "fnv1a",
        "FNV-1a hash. Each byte is combined by exclusive or, then multiplied",
        "Fowler, Noll and Vo 1991",
        0x811C9DC5,
        lambda k, state, byte: k.set(state, (state ^ byte) * mask(0x01000193)),
    ),
    (
        "djb2",
        "Hash by djb2. Each byte is added to 33 times the hash so far",
        "Bernstein 1991",
        5381,
        lambda k, state, byte: k.set(state, state * 33 + byte),
    ),
    (
        "java_hash",
        "Java string hash. Each byte is added to 31 times the hash so far",
        "Java SE, String.hashCode",
        0,
        lambda k, state, byte: k.set(state, state * 31 + byte),
    ),
)

for _name, _how, _source, _start, _absorb in _DIGESTS:

    def _digested(
        k: Builder,
        octets: ArrayHandle,
        _start: int = _start,
        _absorb: Callable[[Builder, Name, Expr], None] = _absorb,
    ) -> Expr:
        return absorbed(
            k,
            "state",
            mask(_start) if _start > 9999 else _start,
            octets,
            lambda state, byte: _absorb(k, state, byte),
        )

    _digested.__annotations__ = {"octets": Bytes, "return": Digest}
    message.formula(name=_name, doc=f"{_how}.", source=_source, teaches=_LOOP)(_digested)


@message.formula(source="Jenkins 1997", teaches=_LOOP)
def one_at_a_time(k: Builder, octets: Bytes) -> Digest:
    """Jenkins' one-at-a-time hash. Each byte is added and mixed in, and the last state is mixed once more."""

    def absorb(state: Name, byte: Expr) -> None:
        k.add(state, byte)
        k.add(state, state << 10)
        k.add(state, state >> 6, "^")

    state = absorbed(k, "state", 0, octets, absorb)
    k.add(state, state << 3)
    k.add(state, state >> 11, "^")
    return state + (state << 15)


@message.formula(source="Hamming 1950", teaches=_LOOP)
def bit_distance(k: Builder, octets: Bytes, other_octets: OtherBytes) -> Distance:
    """Hamming distance of two messages. It is the number of bits in which they differ."""
    total = k.var("total", 0, type=I32)
    with each(k, "j", "bytes") as j:
        k.add(total, set_bits(word_at(k, octets, j) ^ word_at(k, other_octets, j)))
    return bounded(total, 0, 256)


@message.formula(source="Hamming 1950", teaches=_BRANCH)
def byte_distance(k: Builder, octets: Bytes, other_octets: OtherBytes) -> Distance:
    """Number of differing bytes. Bytes are compared place by place."""
    total = k.var("total", 0, type=I32)
    with each(k, "j", "bytes") as j, k.when(at(k, octets, j).differs(at(k, other_octets, j))):
        k.add(total, 1)
    return bounded(total, 0, 32)


@message.formula(source="Protocol Buffers encoding", teaches=_BRANCH)
def varint_value(k: Builder, octets: Bytes) -> Annotated[Expr, value]:
    """Decode a varint of up to four bytes. Each byte holds seven bits of the value, the lowest first, and its
    top bit says whether more follow.
    """
    number = k.var("number", 0, type=I32, bounds=(0, 2**28 - 1))
    with k.loop("j", 0, 4) as j:
        part = k.let("part", convert(I32, at(k, octets, j)))
        k.set(number, bounded(number | ((part & 127) << (7 * j)), 0, 2**28 - 1))
        with k.when(part < 128):
            k.jump("break")
    return number


@message.formula()
def big_endian_value(k: Builder, octets: Bytes) -> Annotated[Expr, value]:
    """Decode a 24-bit big-endian number. The first byte is the highest."""
    first, second, third = (convert(I32, at(k, octets, n)) for n in range(3))
    return (first << 16) | (second << 8) | third


@message.formula(teaches=_LOOP)
def hexadecimal_value(k: Builder, octets: Bytes) -> Annotated[Expr, value]:
    """Decode six hexadecimal digits. The first digit is the highest, and letters may be of either case."""
    number = k.var("number", 0, type=I32, bounds=(0, 2**24 - 1))
    with k.loop("j", 0, 6) as j:
        character = k.let("character", convert(I32, at(k, octets, j)))
        digit = k.let("digit", bounded((character & 15) + 9 * (character >> 6), 0, 42) & 15)
        k.set(number, bounded((number << 4) | digit, 0, 2**24 - 1))
    return number


@message.formula(source="Luhn 1960", teaches=_BRANCH)
def luhn_digit(k: Builder, octets: Bytes) -> ShortCheck:
    """Luhn check digit. Every second digit is doubled."""
    total = k.var("total", 0, type=U32, bounds=(0, 1000))
    with each(k, "j", "bytes") as j:
        digit = k.let("digit", word_at(k, octets, j) % 10)
        doubled = k.let("doubled", digit * 2)
        with k.when((j % 2).equals(0)):
            k.set(total, bounded(total + doubled // 10 + doubled % 10, 0, 1000))
        with k.otherwise():
            k.set(total, bounded(total + digit, 0, 1000))
    return bounded((total * 9) % 10, 0, 9)


@message.formula(source="Pearson 1990", teaches=("table", "loop"))
def pearson_hash(k: Builder, octets: Bytes) -> Annotated[Expr, bucket]:
    """Pearson hash. It looks up a permutation of bytes in a table."""
    table = k.input("permutation", I32, ["256"], {"permutation": "256"}, "constant")
    state = k.var("state", 0, type=I32, bounds=(0, 255))
    with each(k, "j", "bytes") as j:
        k.set(state, bounded(table[bounded(state ^ convert(I32, at(k, octets, j)), 0, 255)], 0, 255))
    return state
