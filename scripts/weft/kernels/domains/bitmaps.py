"""Bitmaps of 32 flags in a word: sets, counts, places, runs; and boards of 64 squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, hexadecimal, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, bits, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Call, Expr, Name
from weft.kernels.types import I32, U32

WORD = 2**32 - 1
WARREN = "Warren 2013"
ANDERSON = "Anderson 2005"


def words(name: str, plural: str | None = None, most: int = WORD) -> Quantity:
    """A quantity that is a word of bits, of which those up to `most` may be set."""
    return Quantity(name, 0, most, bits, least=0, most=most, plural=plural)


def mask(value: int) -> Expr:
    """A constant of bits, printed as such."""
    return hexadecimal(value, U32)


def word_var(k: Builder, name: str, value: Expr | int) -> Name:
    """A variable that may hold any word."""
    return k.var(name, value, bounds=(0, WORD), type=U32)


def as_int(value: Expr, most: int) -> Expr:
    """A small word as an int."""
    return convert(I32, bounded(value, 0, most))


def as_word(value: Expr) -> Expr:
    """An int that is not negative as a word."""
    return convert(U32, value)


def set_bits(value: Expr) -> Expr:
    """Warp's population count."""
    return Call(I32, Interval(0, 32, True), "wp.bit_count", (value,))


def rotated(value: Expr, places: int) -> Expr:
    """A word with its bits moved up, those that leave it coming back below."""
    return (value << places) | (value >> (32 - places))


def lowest_bit(value: Expr) -> Expr:
    """The lowest set bit alone."""
    return value & (~value + 1)


bitmap = Domain("bitmap", index=("i", "idx", "tid"), things=False)

occupied = words("occupied", "occupied_masks")
allowed = words("allowed", "allowed_masks")
other_set = words("other_set")
selected = words("selected", "selected_masks")
set_count = Quantity("bit_count", 0, 32, whole, least=0, most=64, additive=True)
joint_count = Quantity(
    "joint_count", 0, 32, whole, least=0, most=32, told="number of common bits", generic=True
)
either_count = Quantity("either_count", 0, 32, whole, least=0, most=32, told="number of bits in their union")
share = Quantity("occupancy", 0.0, 1.0, plural="occupancies")
overlap = Quantity("overlap", 0.0, 1.0, most=2.0, generic=True)
first_place = Quantity("lowest_bit", 0, 32, whole, least=0, most=32)
last_place = Quantity("highest_bit", 0, 32, whole, least=-1, most=32)
longest_run = Quantity("longest_run", 0, 32, whole, least=0, most=32)
run_count = Quantity("run_count", 0, 16, whole, least=0, most=32, additive=True)
parity = Quantity("parity", 0, 1, whole, plural="parities")
mirrored = words("mirrored", "mirrored_masks")
place = Quantity("place", 0, 31, whole, least=0, most=31)
rank = Quantity("rank", 0, 32, whole, least=0, most=32)
successor = words("successor")

Occupied = Annotated[Expr, occupied]
Allowed = Annotated[Expr, allowed]
OtherSet = Annotated[Expr, other_set]
Selected = Annotated[Expr, selected]
Marked = Annotated[Expr, words("marked", "marked_masks")]
SetCount = Annotated[Expr, set_count]
JointCount = Annotated[Expr, joint_count]
EitherCount = Annotated[Expr, either_count]
Overlap = Annotated[Expr, overlap]
FirstPlace = Annotated[Expr, first_place]
LastPlace = Annotated[Expr, last_place]
LongestRun = Annotated[Expr, longest_run]
RunCount = Annotated[Expr, run_count]
Mirrored = Annotated[Expr, mirrored]
Place = Annotated[Expr, place]
Rank = Annotated[Expr, rank]

Change = Callable[[Builder, Expr], Expr]


def _cleared(k: Builder, x: Expr) -> Expr:
    rest, count = word_var(k, "rest", x), k.var("count", 0, type=I32)
    with k.repeat(rest.differs(0), 32):
        k.set(rest, bounded(rest & (rest - 1), 0, WORD))
        k.add(count, 1)
    return count


def _parallel(k: Builder, x: Expr) -> Expr:
    pairs = k.let("pairs", x - ((x >> 1) & mask(0x55555555)))
    nibbles = k.let("nibbles", (pairs & mask(0x33333333)) + ((pairs >> 2) & mask(0x33333333)))
    octets = k.let("octets", (nibbles + (nibbles >> 4)) & mask(0x0F0F0F0F))
    return as_int((octets * mask(0x01010101)) >> 24, 32)


_COUNTS: tuple[tuple[str, str, Change], ...] = (
    (
        "kernighan_popcount",
        "Population count by Kernighan's method. Each step clears the lowest set bit",
        _cleared,
    ),
    (
        "parallel_popcount",
        "Population count by the parallel SWAR method. Pairs, nibbles and bytes are counted side by side",
        _parallel,
    ),
    ("popcount", "Population count", lambda k, x: set_bits(x)),
)

for _name, _how, _change in _COUNTS:

    def _counted(k: Builder, selected: Expr, _change: Change = _change) -> Expr:
        return _change(k, selected)

    _counted.__annotations__ = {"selected": Selected, "return": SetCount}
    bitmap.formula(
        name=_name, doc=f"{_how}.", source=WARREN
    )(_counted)  # fmt: skip


@bitmap.formula(law="set")
def common_members(k: Builder, selected: Selected, other_set: OtherSet) -> JointCount:
    """Intersection size of two bit sets. It is the number of bits that are set in both words."""
    return set_bits(selected & other_set)


@bitmap.formula(law="set")
def united_members(k: Builder, selected: Selected, other_set: OtherSet) -> EitherCount:
    """Union size of two bit sets. It is the number of bits that are set in either word."""
    return set_bits(selected | other_set)


@bitmap.formula(source="Hamming 1950")
def hamming_distance(k: Builder, selected: Selected, other_set: OtherSet) -> SetCount:
    """Hamming distance of two words. It is the number of bits in which the words differ."""
    return set_bits(selected ^ other_set)


@bitmap.formula()
def occupancy_share(k: Builder, bit_count: SetCount) -> Annotated[Expr, share]:
    """Fraction of set bits. It is the number of set bits over 32."""
    return bounded(convert(k.real, bit_count) / 32.0, 0.0, 1.0)


@bitmap.formula(source="Jaccard 1901")
def jaccard_index(k: Builder, joint_count: JointCount, either_count: EitherCount) -> Overlap:
    """Jaccard index of two bit sets. It is the size of the intersection over that of the union, and 0 for two
    empty sets.
    """
    return bounded(convert(k.real, joint_count) / ops.max(convert(k.real, either_count), 1.0), 0.0, 2.0)


@bitmap.formula(source=WARREN)
def trailing_zeros(k: Builder, selected: Selected) -> FirstPlace:
    """Number of trailing zeros. It is the place of the lowest set bit, and 32 if no bit is set."""
    return set_bits(~selected & (selected - 1))


@bitmap.formula(source="Leiserson, Prokop and Randall 1998", teaches=("table",))
def de_bruijn_place(k: Builder, selected: Selected) -> FirstPlace:
    """Lowest set bit by a de Bruijn sequence. The lowest bit times the sequence has another top five bits for
    each place, which index a table.
    """
    order = [0, 1, 28, 2, 29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4, 8, 31, 27, 13, 23, 21, 19, 16, 7, 26, 12,
             18, 6, 11, 5, 10, 9]  # fmt: skip
    places = k.input("de_bruijn_table", I32, ["32"], {"list": order}, "constant")
    isolated = k.let("isolated", lowest_bit(selected))
    return places[as_int((isolated * mask(0x077CB531)) >> 27, 31)]


@bitmap.formula(teaches=("loop",), source=WARREN, law="line")
def longest_by_thinning(k: Builder, selected: Selected) -> LongestRun:
    """Longest run of set bits, by repeated erosion. Each step takes one bit from every run, and the number of
    steps is counted.
    """
    rest, length = word_var(k, "rest", selected), k.var("length", 0, type=I32)
    with k.repeat(rest.differs(0), 32):
        k.add(rest, rest << 1, "&")
        k.add(length, 1)
    return length


@bitmap.formula(law="line")
def runs_of_bits(k: Builder, selected: Selected) -> RunCount:
    """Number of runs of set bits. A run begins where a bit is set and the one below it is not."""
    return set_bits(selected & ~(selected << 1))


@bitmap.formula(source=ANDERSON)
def folded_parity(k: Builder, selected: Selected) -> Annotated[Expr, parity]:
    """Parity by folding the word. It is 1 for an odd number of set bits."""
    folded = word_var(k, "folded", selected)
    for step in (16, 8, 4):
        k.add(folded, folded >> step, "^")
    return as_int((mask(0x6996) >> (folded & 15)) & 1, 1)


@bitmap.formula()
def counted_parity(k: Builder, bit_count: SetCount) -> Annotated[Expr, parity]:
    """Parity of the number of set bits. It is 1 for an odd number."""
    return bit_count % 2


@bitmap.formula(source=WARREN)
def bits_by_swaps(k: Builder, occupied: Occupied) -> Mirrored:
    """Reverse the bits of a word by swapping halves. Neighboring bits are swapped first, then pairs, nibbles,
    bytes and halves.
    """
    result = word_var(k, "result", occupied)
    for step, keep in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        k.set(result, ((result >> step) & mask(keep)) | ((result & mask(keep)) << step))
    return rotated(result, 16)


@bitmap.formula(source=WARREN, law="set")
def bits_below(k: Builder, selected: Selected, place: Place) -> Rank:
    """Number of set bits below a position. It is the rank of the position, whose own bit does not count."""
    return set_bits(selected & ((lift(1, U32) << as_word(place)) - 1))


@bitmap.formula(source="Gosper 1972")
def next_combination(k: Builder, selected: Selected) -> Annotated[Expr, successor]:
    """Next larger word with as many set bits (Gosper's hack). Repeated use goes through the subsets of one
    size in increasing order.
    """
    lowest = k.let("lowest", lowest_bit(selected))
    ripple = k.let("ripple", selected + lowest)
    shift = as_word(set_bits(bounded(lowest - 1, 0, WORD)))
    ones = ((ripple ^ selected) >> 2) >> bounded(ops.min(shift, lift(31, U32)), 0, 31)
    return ripple | ones


@bitmap.formula()
def compressed_even_bits(k: Builder, selected: Selected) -> Annotated[Expr, words("packed_half", most=65535)]:
    """Pack the even bits into the lower half of a word. This takes one coordinate out of a Morton code."""
    rest = word_var(k, "rest", selected & mask(0x55555555))
    for step, keep in ((1, 0x33333333), (2, 0x0F0F0F0F), (4, 0x00FF00FF), (8, 0x0000FFFF)):
        k.set(rest, (rest | (rest >> step)) & mask(keep))
    return bounded(rest + 0, 0, 65535)


@bitmap.formula(teaches=("loop", "branch"), source=WARREN)
def extracted_bits(
    k: Builder, occupied: Occupied, allowed: Allowed
) -> Annotated[Expr, words("extracted", "extracted_masks")]:
    """Extract the bits under a mask (PEXT). The bits that the mask selects move, in order, into the lowest
    places.
    """
    rest, result, to = (
        word_var(k, "rest", allowed),
        word_var(k, "result", 0),
        k.var("place", 0, type=I32),
    )
    with k.repeat(rest.differs(0), 32):
        lowest = k.let("lowest", lowest_bit(rest))
        with k.when((occupied & lowest).differs(0)):
            k.add(result, lift(1, U32) << as_word(bounded(to + 0, 0, 31)), "|")
        k.set(rest, rest ^ lowest)
        k.add(to, 1)
    return result


canonical = words("canonical_form")


def _smeared(k: Builder, x: Expr) -> Expr:
    filled = word_var(k, "filled", x)
    for step in (1, 2, 4, 8, 16):
        k.add(filled, filled >> step, "|")
    return filled


@bitmap.formula(source="Dice 1945")
def dice_coefficient(k: Builder, selected: Selected, other_set: OtherSet) -> Overlap:
    """Dice coefficient of two bit sets. It is twice the size of the intersection over the sum of both
    sizes, and 0 for two empty sets.
    """
    common = k.let("common", set_bits(selected & other_set))
    total = k.let("total", set_bits(selected) + set_bits(other_set))
    return bounded(2.0 * convert(k.real, common) / ops.max(convert(k.real, total), 1.0), 0.0, 2.0)


@bitmap.formula(source="Tversky 1977", law="set")
def tversky_index(
    k: Builder,
    selected: Selected,
    other_set: OtherSet,
    joint_count: JointCount,
    own_weight: Annotated[Expr, Setting(0.3, 1.0)],
    other_weight: Annotated[Expr, Setting(0.3, 1.0)],
) -> Overlap:
    """Tversky index of two bit sets. It is the Jaccard index if both weights are 1."""
    joint = k.let("joint", convert(k.real, joint_count))
    alone = own_weight * convert(k.real, set_bits(selected & ~other_set))
    lacking = other_weight * convert(k.real, set_bits(other_set & ~selected))
    return bounded(joint / ops.max(joint + alone + lacking, 0.1), 0.0, 2.0)


@bitmap.formula(source=WARREN)
def smeared_last_place(k: Builder, selected: Selected) -> LastPlace:
    """Highest set bit by smearing, -1 if none is set. Smearing sets all bits below the highest one."""
    return set_bits(_smeared(k, selected)) - 1


@bitmap.formula(source="Bagwell 2001")
def compressed_slot(
    k: Builder, selected: Selected, rank: Rank, place: Place
) -> Annotated[Expr, Quantity("slot", -1, 31, whole, least=-1, most=32)]:
    """Child slot in a hash trie node. The bitmap marks the places that have a child, and the children lie
    without gaps. The slot is -1 if there is no child at this place.
    """
    present = ((selected >> as_word(place)) & 1).equals(1)
    return conditional(present, rank, -1)


_SELECTIONS: tuple[tuple[str, str, Change], ...] = (
    ("changed_bits", "Bits that differ from their right neighbor. "
                     "A zero stands right of the lowest bit", lambda k, x: x ^ (x << 1)),
    ("eroded_bits", "Erosion of a bit row by one bit. "
                    "A bit stays if both neighbors are set", lambda k, x: x & (x << 1) & (x >> 1)),
    ("dilated_bits", "Dilation of a bit row by one bit. "
                     "Both neighbors of a bit are set, too", lambda k, x: x | (x << 1) | (x >> 1)),
    ("opened_bits", "Morphological opening of a bit row. "
                    "Bits without a neighbor vanish", lambda k, x: _opened(k, x)),
    ("closed_gaps", "Morphological closing of a bit row. "
                    "Gaps of one bit are closed", lambda k, x: x | ((x << 1) & (x >> 1))),
    ("rising_edges", "First bit of each run of set bits. "
                     "A run begins at its lowest bit", lambda k, x: x & ~(x << 1)),
    ("without_lowest", "Clear the lowest set bit. "
                       "A word of zeros stays as it is", lambda k, x: bounded(x & (x - 1), 0, WORD)),
    ("border_bits", "Occupied bits on the border of an 8 x 4 tile. "
                    "Each byte of the word is a row", lambda k, x: x & mask(0xFF8181FF)),
)  # fmt: skip


def _opened(k: Builder, x: Expr) -> Expr:
    pairs = k.let("pairs", x & (x >> 1))
    return pairs | (pairs << 1)


for _name, _how, _change in _SELECTIONS:

    def _changed(k: Builder, occupied: Occupied, _change: Change = _change) -> Expr:
        return _change(k, occupied)

    _changed.__annotations__ = {"occupied": Occupied, "return": Marked}
    bitmap.formula(
        name=_name,
        doc=f"{_how}.",
        source=WARREN,
        law="" if _name in ("without_lowest", "even_bits") else "line",
    )(_changed)
