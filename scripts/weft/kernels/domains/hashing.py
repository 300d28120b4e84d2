"""Hashing: keys and what mixes them, tables, filters and sketches; streams of pseudorandom words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.domains.bitmaps import WORD, as_int, as_word, mask, rotated, word_var, words
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, bits, whole
from weft.kernels.program import Expr
from weft.kernels.types import F64, I32, U32, U64

key_domain = Domain(
    "key",
    index=("i", "idx", "tid"),
    sizes={"slots": (64, 128, 256), "rows": (3, 4), "hashes": (3, 4, 5)},
    things=False,
)

key = words("key")
cell_x, cell_y, cell_z = (Quantity(f"cell_{one}", 0, 4000, whole, plural=f"{one}_cells") for one in "xyz")
hashed = words("hashed", "hashes")
other_hash = words("other_hash", "other_hashes")
bucket = Quantity("bucket", 0, 1000, whole, least=0, most=4096)
membership = Quantity("membership", 0, 1, whole, plural="memberships", additive=True)
found_slot = Quantity("found_slot", -1, 255, whole, least=-1, most=300)
estimated_count = Quantity("estimated_count", 0, 100, whole, least=0, most=1000)
node = Quantity("node", 0, 15, whole, least=0, most=64)

Key = Annotated[Expr, key]
Hashed = Annotated[Expr, hashed]
OtherHash = Annotated[Expr, other_hash]
Bucket = Annotated[Expr, bucket]
Membership = Annotated[Expr, membership]
FoundSlot = Annotated[Expr, found_slot]
EstimatedCount = Annotated[Expr, estimated_count]
Node = Annotated[Expr, node]
Salt = Annotated[Expr, Setting(0, WORD, kind=bits)]
Odd = 0x9E3779B1


def folded(value: Expr, places: int) -> Expr:
    """A word and itself, moved down."""
    return value ^ (value >> places)


Rounds = Sequence[tuple[int, int]]


def finalised(k: Builder, name: str, value: Expr, rounds: Rounds, last: int) -> Expr:
    """Rounds of a shift and a product, then a last shift."""
    mixed = word_var(k, name, value)
    for places, factor in rounds:
        k.set(mixed, folded(mixed, places) * mask(factor))
    return folded(mixed, last)


_FINALISERS: tuple[tuple[str, str, str, Rounds, int], ...] = (
    ("murmur_hash",
     "MurmurHash3 finalizer. It mixes all bits of a word",
     "Appleby 2011", ((16, 0x85EBCA6B), (13, 0xC2B2AE35)), 16),
    ("low_bias_hash", "Hash by lowbias32. It mixes all bits of a word by shifts and products", "Wellons 2018",
     ((16, 0x7FEB352D), (15, 0x846CA68B)), 16),
    ("triple_hash", "Hash by triple32. It mixes all bits of a word in three rounds", "Wellons 2018",
     ((17, 0xED5AD4BB), (11, 0xAC4C1B51), (15, 0x31848BAB)), 14),
    ("avalanche_hash", "Avalanche hash of xxHash32. It mixes all bits of a word", "Collet 2012",
     ((15, 0x85EBCA77), (13, 0xC2B2AE3D)), 16),
    ("mueller_hash", "Mueller's integer hash. "
                     "It mixes all bits of a word by one factor twice", "Mueller 2012",
     ((16, 0x45D9F3B), (16, 0x45D9F3B)), 16),
)  # fmt: skip

for _name, _how, _source, _rounds, _last in _FINALISERS:

    def _finalised(k: Builder, key: Expr, _rounds: Rounds = _rounds, _last: int = _last) -> Expr:
        return finalised(k, "mixed", key, _rounds, _last)

    _finalised.__annotations__ = {"key": Key, "return": Hashed}
    key_domain.formula(name=_name, doc=f"{_how}.", source=_source)(_finalised)


@key_domain.formula(source="Wang 1997")
def wang_hash(k: Builder, key: Key) -> Hashed:
    """Wang hash. It mixes all bits of a word."""
    mixed = word_var(k, "mixed", (key ^ 61) ^ (key >> 16))
    k.add(mixed, 9, "*")
    k.set(mixed, folded(mixed, 4))
    k.add(mixed, mask(0x27D4EB2D), "*")
    return folded(mixed, 15)


@key_domain.formula(source="Jarzynski and Olano 2020")
def permuted_congruential_hash(k: Builder, key: Key) -> Hashed:
    """PCG hash. The state of a congruential generator chooses how far its own bits are shifted."""
    state = k.let("state", key * mask(0x2C9277B5) + mask(0xAC564B05))
    word = k.let("word", ((state >> ((state >> 28) + 4)) ^ state) * 277803737)
    return folded(word, 22)


@key_domain.formula(source="Knuth 1973")
def multiplicative_hash(k: Builder, key: Key) -> Hashed:
    """Fibonacci hash. It multiplies by 2^32 over the golden ratio."""
    return folded(k.let("mixed", key * mask(Odd)), 16)


@key_domain.formula(source="Fowler, Noll and Vo 1991", teaches=("loop",))
def byte_hash(k: Builder, key: Key) -> Hashed:
    """FNV-1a hash. It takes in the four bytes of the key, the lowest first."""
    mixed = word_var(k, "mixed", mask(0x811C9DC5))
    with k.loop("shift", 0, 32, 8) as shift:
        k.set(mixed, (mixed ^ ((key >> as_word(shift)) & 0xFF)) * mask(0x01000193))
    return mixed


@key_domain.formula(source="Appleby 2011")
def seeded_murmur_hash(k: Builder, key: Key, seed: Salt) -> Hashed:
    """Seeded MurmurHash3 hash. A key is one block of four bytes."""
    block = k.let("block", rotated(k.let("scaled", key * mask(0xCC9E2D51)), 15) * mask(0x1B873593))
    mixed = k.let("mixed", rotated(k.let("joined", seed ^ block), 13) * 5 + mask(0xE6546B64))
    return finalised(k, "avalanche", mixed ^ 4, ((16, 0x85EBCA6B), (13, 0xC2B2AE35)), 16)


@key_domain.formula(source="Kirsch and Mitzenmacher 2006")
def second_hash(k: Builder, hashed: Hashed) -> OtherHash:
    """Second hash for double hashing. It is odd, so that probes reach every slot of a table whose size is a
    power of two.
    """
    return folded(k.let("turned", rotated(hashed, 15) * mask(0x85EBCA6B)), 13) | 1


@key_domain.formula()
def remainder_bucket(
    k: Builder, hashed: Hashed, bucket_count: Annotated[Expr, Setting(61, 1009, "l", kind=whole)]
) -> Bucket:
    """Bucket by the remainder of the hash. Buckets are equally likely if the hash is uniform."""
    return as_int(hashed % as_word(bucket_count), 1008)


@key_domain.formula(source="Lemire 2019")
def scaled_bucket(
    k: Builder, hashed: Hashed, bucket_count: Annotated[Expr, Setting(61, 1009, kind=whole)]
) -> Bucket:
    """Bucket by multiply-shift. It is the upper half of a 64-bit product, which needs no division."""
    product = convert(U64, hashed) * convert(U64, bucket_count)
    return convert(I32, bounded(product >> 32, 0, 1008))


@key_domain.formula(source="Lamping and Veach 2014", teaches=("loop",))
def jump_bucket(k: Builder, hashed: Hashed, shards: Annotated[Expr, Setting(5, 40, kind=whole)]) -> Node:
    """Jump consistent hash. Few keys move when buckets are added."""
    state = k.var("state", convert(U64, hashed), bounds=(0, 2**64 - 1), type=U64)
    last, following = (
        k.var("last", 0, type=I32, bounds=(0, 63)),
        k.var("next_bucket", 0, type=I32, bounds=(0, 70_000)),
    )
    with k.repeat(following < shards, 64):
        k.set(last, bounded(following + 0, 0, 39))
        k.set(state, state * 2862933555777941757 + 1)
        drawn = k.let("drawn", convert(F64, bounded((state >> 33) + 1, 1, 2**31)))
        jump = convert(F64, last + 1) * (lift(2147483648.0, F64) / drawn)
        k.set(following, bounded(convert(I32, bounded(ops.min(jump, 70000.0), 0.0, 70000.0)), 0, 70_000))
    return last


@key_domain.formula(source="Thaler and Ravishankar 1998", teaches=("loop", "branch"))
def rendezvous_node(k: Builder, key: Key, shards: Annotated[Expr, Setting(3, 8, "l", kind=whole)]) -> Node:
    """Choose a node by rendezvous hashing. Each key goes to the node with the largest hash of both."""
    best, chosen = word_var(k, "best", 0), k.var("chosen", 0, type=I32, bounds=(0, 7))
    with k.loop("shard", 0, shards) as shard:
        weight = k.let(
            "weight", finalised(k, "mixed", key ^ (as_word(shard + 1) * mask(Odd)), ((16, 0x85EBCA6B),), 13)
        )
        with k.when(weight > best):
            k.set(best, weight)
            k.set(chosen, shard)
    return chosen


def key_domain_hashes(k: Builder) -> int:
    """How many bits a filter has for each key."""
    key_domain.size(k, "hashes")
    return int(k.sizes["hashes"])


@key_domain.formula(source="Bloom 1970", teaches=("loop", "branch"))
def probed_membership(k: Builder, hashed: Hashed, other_hash: OtherHash) -> Membership:
    """Bloom filter lookup. The result is 1 if all bits of a key are set, which may be by chance."""
    filters = k.input("filter_words", U32, ["32"], {"integers": [0, WORD + 1]})
    member, probe = k.var("member", 1, type=I32, bounds=(0, 1)), word_var(k, "probe", hashed)
    with k.loop("_", 0, key_domain_hashes(k)):
        place = k.let("bit", probe & 1023)
        word = filters[as_int(place >> 5, 31)]
        with k.when(((word >> (place & 31)) & 1).equals(0)):
            k.set(member, 0)
            k.jump("break")
        k.add(probe, other_hash)
    return member


@key_domain.formula(source="Cormode and Muthukrishnan 2005", teaches=("loop",))
def least_of_sketch(k: Builder, hashed: Hashed, other_hash: OtherHash) -> EstimatedCount:
    """Count-min sketch estimate. It is the smallest of the counters that a key maps to."""
    rows = key_domain.size(k, "rows")
    sketch = k.input("sketch", I32, [rows, "256"], {"integers": [0, 100]})
    least, probe = k.var("min_count", 1000, type=I32, bounds=(0, 1000)), word_var(k, "probe", hashed)
    with k.loop("row", 0, int(k.sizes[rows])) as row:
        k.set(least, ops.min(least, sketch[row, as_int(probe >> 24, 255)]))
        k.add(probe, other_hash)
    return least


small_key = Quantity("small_key", 0, 399, whole)
SmallKey = Annotated[Expr, small_key]

_PROBES: tuple[tuple[str, str, str, Callable[[Builder, Expr, Expr], Expr]], ...] = (
    ("linear", "linear probing", "Knuth 1963", lambda k, slot, _: slot + 1),
    ("triangular", "triangular probing", "Knuth 1973", lambda k, slot, step: slot + step + 1),
    ("double", "stride-7 probing", "Knuth 1973", lambda k, slot, _: slot + 7),
)

for _name, _how, _source, _next in _PROBES:

    def _probed(k: Builder, small_key: Expr, _next: Callable[[Builder, Expr, Expr], Expr] = _next) -> Expr:
        return probing(k, small_key, _next)

    _probed.__annotations__ = {"small_key": SmallKey, "return": FoundSlot}
    key_domain.formula(
        name=f"{_name}_probe",
        doc=f"Hash table slot by {_how}. "
        "It is -1 if an empty slot, below 0, or 16 probes come before the key.",
        source=_source,
        teaches=("loop", "branch"),
    )(_probed)


def probing(k: Builder, wanted: Expr, following: Callable[[Builder, Expr, Expr], Expr]) -> Expr:
    """The slot that holds a key, among the 16 that are looked at."""
    slot_keys = k.input("slot_keys", I32, ["256"], {"integers": [-1, 400]})
    slot = k.var("slot", (as_word(wanted) * mask(Odd)) >> 24, bounds=(0, 255), type=U32)
    found = k.var("found", -1, type=I32, bounds=(-1, 255))
    with k.loop("step", 0, 16) as step:
        held = k.let("slot_key", slot_keys[as_int(slot + 0, 255)])
        with k.when(held.equals(wanted)):
            k.set(found, as_int(slot + 0, 255))
            k.jump("break")
        with k.when(held < 0):
            k.jump("break")
        k.set(slot, bounded(following(k, slot, as_word(step)) & 255, 0, 255))
    return found


@key_domain.formula(source="Jenkins 2007")
def jenkins_hash(k: Builder, key: Key) -> Hashed:
    """Jenkins' six-shift hash. It mixes all bits of a word."""
    mixed = word_var(k, "mixed", (key + mask(0x7ED55D16)) + (key << 12))
    k.set(mixed, (mixed ^ mask(0xC761C23C)) ^ (mixed >> 19))
    k.set(mixed, (mixed + mask(0x165667B1)) + (mixed << 5))
    k.set(mixed, (mixed + mask(0xD3A2646C)) ^ (mixed << 9))
    k.set(mixed, (mixed + mask(0xFD7046C5)) + (mixed << 3))
    return (mixed ^ mask(0xB55A4F09)) ^ (mixed >> 16)


@key_domain.formula(
    source="Zobrist 1970",
    teaches=(
        "table",
        "loop",
    ),
)
def tabulation_hash(k: Builder, key: Key) -> Hashed:
    """Tabulation hash. Each of eight nibbles chooses a word of its own table, and all are combined by
    exclusive or.
    """
    table = k.input("random_words", U32, ["128"], {"integers": [0, WORD + 1]}, "constant")
    mixed = word_var(k, "mixed", 0)
    with k.loop("part", 0, 8) as part:
        nibble = as_int((key >> as_word(4 * part)) & 15, 15)
        k.add(mixed, table[16 * part + nibble], "^")
    return mixed


@key_domain.formula(source="Teschner et al. 2003")
def cell_key(
    k: Builder,
    cell_x: Annotated[Expr, cell_x],
    cell_y: Annotated[Expr, cell_y],
    cell_z: Annotated[Expr, cell_z],
) -> Key:
    """Spatial hash of a cell by large primes. The coordinates times three primes are combined by exclusive
    or.
    """
    x, y, z = (convert(U32, one) for one in (cell_x, cell_y, cell_z))
    return (x * 73856093) ^ (y * 19349663) ^ (z * 83492791)
