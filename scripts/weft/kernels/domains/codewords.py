"""Codewords and packed records: error correction, finite fields, shift registers, fields of words."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.domains.bitmaps import WORD, as_int, as_word, mask, rotated, set_bits, word_var, words
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, bits, vector, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32, U32
from weft.types import Vector

codeword = Domain("codeword", index=("i", "idx", "tid"), things=False)

data = words("nibble", most=15)
received = words("received_word", most=127)
coded = words("coded_word", most=127)
syndrome = words("syndrome", most=7)
corrected = words("corrected_word", most=127)
sent = words("sent_word", most=127)
bit_errors = Quantity("bit_errors", 0, 7, whole, plural="bit_error_counts", least=0, most=32, additive=True)
error_place = Quantity("error_place", -1, 6, whole, least=-1, most=7)
first_factor, second_factor = words("factor", most=255), words("other_factor", most=255)
product = words("field_product", most=255)
substituted = words("substituted", "substituted_values", most=255)
message_bits = words("message_word")
register = words("shift_register")
new_register = Quantity("new_shift_register", 0, WORD, bits, least=0, most=WORD, updates=register)
output_bit = Quantity("output_bit", 0, 1, whole)
metric = Quantity("branch_metric", 0, 2, whole, least=0, most=64, additive=True)
zigzag = words("zigzag_number")
signed_number = Quantity("signed_number", -(2**20), 2**20, whole, least=-(2**31), most=2**31 - 1)
byte_length = Quantity("byte_length", 1, 5, whole, least=1, most=5, additive=True)

Nibble = Annotated[Expr, data]
Received = Annotated[Expr, received]
Coded = Annotated[Expr, coded]
Syndrome = Annotated[Expr, syndrome]
Corrected = Annotated[Expr, corrected]
BitErrors = Annotated[Expr, bit_errors]
Factor = Annotated[Expr, first_factor]
OtherFactor = Annotated[Expr, second_factor]
Product = Annotated[Expr, product]
MessageBits = Annotated[Expr, message_bits]
Register = Annotated[Expr, register]
NewRegister = Annotated[Expr, new_register]
Zigzag = Annotated[Expr, zigzag]
SignedNumber = Annotated[Expr, signed_number]
HAMMING, REED = "Hamming 1950", "Reed and Solomon 1960"


def bit(value: Expr, place: int) -> Expr:
    """One bit of a word."""
    return (value >> place) & 1 if place else value & 1


@codeword.formula(source=HAMMING)
def hamming_encoding(k: Builder, nibble: Nibble) -> Coded:
    """Hamming(7, 4) encoder."""
    d = [k.let(f"d{n + 1}", bit(nibble, n)) for n in range(4)]
    first, second, third = d[0] ^ d[1] ^ d[3], d[0] ^ d[2] ^ d[3], d[1] ^ d[2] ^ d[3]
    parts = (first, second, d[0], third, d[1], d[2], d[3])
    code = parts[0]
    for place, part in enumerate(parts[1:], 1):
        code = code | (part << place)
    return bounded(code, 0, 127)


@codeword.formula(source=HAMMING, teaches=("table",))
def tabulated_encoding(k: Builder, nibble: Nibble) -> Coded:
    """Hamming(7, 4) encoder by table."""
    codes = [0, 7, 25, 30, 42, 45, 51, 52, 75, 76, 82, 85, 97, 102, 120, 127]
    table = k.input("hamming_codes", I32, ["16"], {"list": codes}, "constant")
    return as_word(table[as_int(nibble + 0, 15)])


@codeword.formula(source="Bose and Ray-Chaudhuri 1960")
def repeated_parity_encoding(k: Builder, nibble: Nibble) -> Coded:
    """Systematic Hamming(7, 4) encoder."""
    ones = [set_bits(nibble & keep) % 2 for keep in (0b1011, 0b1101, 0b1110)]
    high = as_word((ones[2] << 2) | (ones[1] << 1) | ones[0])
    return bounded((high << 4) | nibble, 0, 127)


@codeword.formula(source=HAMMING, teaches=("branch",), law="channel")
def channel_errors(
    k: Builder, coded_word: Coded, error_pattern: Annotated[Expr, words("error_pattern", most=127)]
) -> Received:
    """Apply an error pattern to a codeword."""
    return bounded(coded_word ^ error_pattern, 0, 127)


@codeword.formula(source=HAMMING, law="receiver")
def parity_syndrome(k: Builder, received_word: Received) -> Syndrome:
    """Hamming syndrome from three parity checks."""
    checks = [as_word(set_bits(received_word & keep) % 2) for keep in (0b1010101, 0b1100110, 0b1111000)]
    return bounded((checks[2] << 2) | (checks[1] << 1) | checks[0], 0, 7)


@codeword.formula(source=HAMMING, teaches=("loop", "branch"), law="receiver")
def summed_syndrome(k: Builder, received_word: Received) -> Syndrome:
    """Hamming syndrome as the XOR of the set positions."""
    total = k.var("total", 0, type=U32, bounds=(0, 7))
    with k.loop("place", 0, 7) as place, k.when(((received_word >> as_word(place)) & 1).equals(1)):
        k.set(total, bounded(total ^ as_word(place + 1), 0, 7))
    return total


@codeword.formula(source=HAMMING, teaches=("branch",))
def hamming_correction(k: Builder, received_word: Received, syndrome: Syndrome) -> Corrected:
    """Correct a single bit error in a Hamming codeword."""
    fixed = k.var("fixed", received_word, bounds=(0, 127))
    with k.when(syndrome.differs(0)):
        k.set(fixed, bounded(fixed ^ (lift(1, U32) << bounded(syndrome - 1, 0, 6)), 0, 127))
    return fixed


@codeword.formula(teaches=("table", "loop", "branch"))
def nearest_codeword(k: Builder, received_word: Received) -> Corrected:
    """Nearest Hamming codeword."""
    codes = k.input(
        "code_table",
        U32,
        ["16"],
        {"list": [0, 7, 25, 30, 42, 45, 51, 52, 75, 76, 82, 85, 97, 102, 120, 127]},
        "constant",
    )
    nearest, least = (
        k.var("nearest", 0, type=U32, bounds=(0, 127)),
        k.var("min_distance", 8, type=I32, bounds=(0, 32)),
    )
    with k.loop("c", 0, 16) as c:
        distance = k.let("distance", set_bits(received_word ^ codes[c]))
        with k.when(distance < least):
            k.set(least, distance)
            k.set(nearest, codes[c])
    return bounded(nearest, 0, 127)


@codeword.formula(source=HAMMING)
def decoded_nibble(
    k: Builder, corrected_word: Corrected
) -> Annotated[Expr, words("decoded_nibble", most=15)]:
    """Data bits of a Hamming(7, 4) codeword."""
    low, high = (corrected_word >> 2) & 1, (corrected_word >> 3) & 14
    return bounded(low | high, 0, 15)


@codeword.formula()
def remaining_errors(k: Builder, corrected_word: Corrected, sent_word: Annotated[Expr, sent]) -> BitErrors:
    """Number of bit errors after correction."""
    return set_bits(corrected_word ^ sent_word)


@codeword.formula()
def channel_error_count(k: Builder, received_word: Received, sent_word: Annotated[Expr, sent]) -> BitErrors:
    """Number of bit errors on the channel."""
    return set_bits(received_word ^ sent_word)


@codeword.formula(teaches=("branch",))
def place_of_error(k: Builder, syndrome: Syndrome) -> Annotated[Expr, error_place]:
    """Error position from the syndrome, or -1."""
    return convert(I32, syndrome) - 1


def doubled(k: Builder, value: Expr, polynomial: int) -> Expr:
    """A number of GF(256) times x."""
    return bounded(((value << 1) ^ ((value >> 7) * mask(polynomial))) & 0xFF, 0, 255)


for _name, _how, _polynomial in (
    ("aes_product", "GF(2^8) product with the AES polynomial", 0x1B),
    ("reed_solomon_product", "GF(2^8) product for Reed-Solomon codes", 0x1D),
):

    def _multiplied(k: Builder, factor: Expr, other_factor: Expr, _polynomial: int = _polynomial) -> Expr:
        total = k.var("total", 0, type=U32, bounds=(0, 255))
        rest, power = (
            k.var("remaining", other_factor, bounds=(0, 255)),
            k.var("power", factor, bounds=(0, 255)),
        )
        with k.repeat(rest.differs(0), 8):
            with k.when((rest & 1).equals(1)):
                k.set(total, bounded(total ^ power, 0, 255))
            k.set(power, doubled(k, power, _polynomial))
            k.set(rest, bounded(rest >> 1, 0, 255))
        return total

    def _unrolled(k: Builder, factor: Expr, other_factor: Expr, _polynomial: int = _polynomial) -> Expr:
        total = k.var("total", 0, type=U32, bounds=(0, 255))
        with k.loop("step", 0, 8) as step:
            k.set(total, doubled(k, total, _polynomial))
            chosen = (other_factor >> as_word(7 - step)) & 1
            k.set(total, bounded(total ^ (chosen * factor), 0, 255))
        return total

    for _function, _prefix, _by in (
        (_multiplied, "", ""),
        (_unrolled, "horner_", ", by Horner's rule"),
    ):
        _function.__annotations__ = {"factor": Factor, "other_factor": OtherFactor, "return": Product}
        codeword.formula(
            name=_prefix + _name,
            doc=f"{_how}{_by}.",
            source=REED,
            teaches=("loop", "branch"),
        )(_function)


def logarithms() -> tuple[list[int], list[int]]:
    """The powers of x in GF(256) by 0x11D, and their logarithms."""
    powers, value = [], 1
    for _ in range(255):
        powers.append(value)
        value = (value << 1) ^ (0x11D if value & 128 else 0)
    return powers, [0] + [powers.index(one) for one in range(1, 256)]


@codeword.formula(
    source=REED,
    teaches=(
        "table",
        "branch",
    ),
)
def logarithm_product(k: Builder, factor: Factor, other_factor: OtherFactor) -> Product:
    """GF(2^8) product by log and antilog tables."""
    powers, logs = logarithms()
    power_of = k.input("powers", I32, ["255"], {"list": powers}, "constant")
    log_of = k.input("logarithms", I32, ["256"], {"list": logs}, "constant")
    result = k.var("result", 0, type=U32, bounds=(0, 255))
    with k.when(factor.differs(0) & other_factor.differs(0)):
        exponent = log_of[as_int(factor + 0, 255)] + log_of[as_int(other_factor + 0, 255)]
        k.set(result, as_word(bounded(power_of[bounded(exponent % 255, 0, 254)], 0, 255)))
    return result


@codeword.formula(source="Daemen and Rijmen 1999")
def affine_substitution(
    k: Builder, inverse_byte: Annotated[Expr, words("inverse_byte", most=255)]
) -> Annotated[Expr, substituted]:
    """Affine step of the AES S-box."""
    turned = k.let("turned", inverse_byte | (inverse_byte << 8))
    mixed = inverse_byte ^ (turned >> 7) ^ (turned >> 6) ^ (turned >> 5) ^ (turned >> 4)
    return bounded((mixed ^ 0x63) & 0xFF, 0, 255)


@codeword.formula(source="Bogdanov et al. 2007", teaches=("table",))
def present_substitution(
    k: Builder, state_byte: Annotated[Expr, words("state_byte", most=255)]
) -> Annotated[Expr, substituted]:
    """PRESENT S-box on both nibbles."""
    table = k.input(
        "substitution",
        I32,
        ["16"],
        {"list": [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2]},
        "constant",
    )
    low = table[as_int(state_byte & 15, 15)]
    return as_word(bounded(low | (table[as_int(state_byte >> 4, 15)] << 4), 0, 255))


_TAPS: tuple[tuple[str, str, int], ...] = (
    ("galois_register", "Advance a 32-bit Galois LFSR", 0x80200003),
    ("galois_register_24", "Advance a 24-bit Galois LFSR", 0xE10000),
)

for _name, _how, _polynomial in _TAPS:

    def _shifted(k: Builder, shift_register: Expr, steps: Expr, _polynomial: int = _polynomial) -> Expr:
        state = word_var(k, "state", shift_register)
        with k.loop("_", 0, steps):
            k.set(state, (state >> 1) ^ ((state & 1) * mask(_polynomial)))
        return state

    _shifted.__annotations__ = {
        "shift_register": Register,
        "steps": Annotated[Expr, Setting(4, 16, kind=whole)], "return": NewRegister,
    }  # fmt: skip
    codeword.formula(
        name=_name,
        doc=f"{_how}.",
        source="Golomb 1967",
        teaches=("loop",),
    )(_shifted)


@codeword.formula(source="Golomb 1967", teaches=("loop",))
def fibonacci_register(
    k: Builder, shift_register: Register, steps: Annotated[Expr, Setting(4, 16, kind=whole)]
) -> NewRegister:
    """Advance a 32-bit Fibonacci LFSR."""
    state = word_var(k, "state", shift_register)
    with k.loop("_", 0, steps):
        feedback = k.let("feedback", (state ^ (state >> 10) ^ (state >> 30) ^ (state >> 31)) & 1)
        k.set(state, (state >> 1) | (feedback << 31))
    return state


@codeword.formula(source="Wolfram 1983", teaches=("loop",))
def automaton_register(
    k: Builder, shift_register: Register, steps: Annotated[Expr, Setting(4, 16, kind=whole)]
) -> NewRegister:
    """Advance a rule 30 cellular automaton."""
    state = word_var(k, "state", shift_register)
    with k.loop("_", 0, steps):
        k.set(state, rotated(state, 1) ^ (state | rotated(state, 31)))
    return state


@codeword.formula()
def scrambled_word(
    k: Builder, message_word: MessageBits, new_shift_register: NewRegister
) -> Annotated[Expr, words("scrambled_word")]:
    """Scramble a word with an LFSR."""
    return message_word ^ new_shift_register


@codeword.formula(source="Elias 1955", teaches=("loop",))
def convolved_bits(k: Builder, message_word: MessageBits) -> Annotated[Expr, words("convolved_word")]:
    """Rate-1/2 convolutional encoder."""
    result, state = word_var(k, "result", 0), k.var("state", 0, type=U32, bounds=(0, 7))
    with k.loop("step", 0, 16) as step:
        k.set(state, bounded(((state << 1) | ((message_word >> as_word(step)) & 1)) & 7, 0, 7))
        first, second = as_word(set_bits(state & 7) % 2), as_word(set_bits(state & 5) % 2)
        k.set(result, (result << 2) | (first << 1) | second)
    return result


@codeword.formula(source="Viterbi 1967", teaches=("loop",))
def path_metric(
    k: Builder, message_word: MessageBits, raw_word: Annotated[Expr, words("observed_word")]
) -> Annotated[Expr, metric]:
    """Viterbi path metric over 16 two-bit symbols."""
    total, rest = k.var("total", 0, type=I32), word_var(k, "rest", message_word ^ raw_word)
    with k.loop("_", 0, 16):
        k.add(total, set_bits(rest & 3))
        k.set(rest, rest >> 2)
    return bounded(total, 0, 32)


@codeword.formula(source="Protocol Buffers encoding", law="encoder")
def zigzag_encoding(k: Builder, signed_number: SignedNumber) -> Zigzag:
    """Zigzag encoding."""
    size = k.let("doubled", ops.abs(signed_number) * 2)
    return convert(U32, bounded(conditional(signed_number < 0, size - 1, size), 0, 2**22))


@codeword.formula(source="Protocol Buffers encoding", law="decoder")
def zigzag_decoding(
    k: Builder, stored_number: Annotated[Expr, words("stored_number", most=2**22)]
) -> SignedNumber:
    """Zigzag decoding."""
    half = k.let("half", as_int(stored_number >> 1, 2**21))
    return bounded(conditional((stored_number & 1).equals(1), -half - 1, half), -(2**21) - 1, 2**21)


@codeword.formula(source="Protocol Buffers encoding", teaches=("loop",))
def varint_length(k: Builder, zigzag_number: Zigzag) -> Annotated[Expr, byte_length]:
    """Varint length in bytes."""
    rest, count = word_var(k, "rest", zigzag_number >> 7), k.var("count", 1, type=I32)
    with k.repeat(rest.differs(0), 4):
        k.set(rest, rest >> 7)
        k.add(count, 1)
    return bounded(count, 1, 5)


@codeword.formula(source="Elias 1975", teaches=("loop",))
def gamma_length(
    k: Builder, zigzag_number: Zigzag
) -> Annotated[Expr, Quantity("gamma_length", 1, 63, whole, least=1, most=80, additive=True)]:
    """Elias gamma code length."""
    rest, places = word_var(k, "rest", (zigzag_number + 1) >> 1), k.var("places", 0, type=I32)
    with k.repeat(rest.differs(0), 32):
        k.set(rest, rest >> 1)
        k.add(places, 1)
    return bounded(2 * places + 1, 1, 65)


@codeword.formula(source="Rice 1979")
def rice_length(
    k: Builder, zigzag_number: Zigzag, low_bits: Annotated[Expr, Setting(8, 16, "l", kind=whole)]
) -> Annotated[Expr, Quantity("rice_length", 9, 40, whole, least=1, most=2**25)]:
    """Rice code length."""
    quotient = as_int((zigzag_number >> as_word(low_bits)) & 0x3FFFFF, 2**22)
    return quotient + 1 + low_bits


@codeword.formula()
def delta_number(
    k: Builder,
    value: Annotated[Expr, Quantity("current_value", -500_000, 500_000, whole)],
    previous_value: Annotated[Expr, Quantity("previous_value", -500_000, 500_000, whole)],
) -> SignedNumber:
    """Difference from the previous value."""
    return value - previous_value


packed = Domain("pixel", index=("i", "idx", "pixel"), things=False)

texel = words("texel")
short_texel = words("short_texel", most=65535)
linear = Quantity("color", 0.0, 1.0, vector(3))
luma = Quantity("luma", 0, 255, whole, least=0, most=255)
alpha = Quantity("alpha", 0.0, 1.0)
blended = words("blended_texel")

Texel = Annotated[Expr, texel]
ShortTexel = Annotated[Expr, short_texel]
PackedTexel = Annotated[Expr, words("packed_texel")]
Color = Annotated[Expr, linear]
Luma = Annotated[Expr, luma]


def fraction(k: Builder, value: Expr, shift: int, width: int) -> Expr:
    """A field of a word as a number from 0 to 1."""
    most = 2**width - 1
    field = (value >> shift if shift else value) & most
    return bounded(convert(k.real, field) / float(most), 0.0, 1.0)


def quantised(value: Expr, width: int) -> Expr:
    """A number from 0 to 1 as so many bits, rounded."""
    most = 2**width - 1
    return convert(U32, bounded(ops.floor(value * float(most) + 0.5), 0, most))


_FORMATS: tuple[tuple[str, str, str, tuple[tuple[int, int], ...]], ...] = (
    ("rgba8", "RGBA8", "texel", ((0, 8), (8, 8), (16, 8))),
    ("rgb10a2", "RGB10A2", "texel", ((0, 10), (10, 10), (20, 10))),
    ("rgb565", "RGB565", "short_texel", ((11, 5), (5, 6), (0, 5))),
)

for _name, _how, _of, _fields in _FORMATS:
    _quantity = Texel if _of == "texel" else ShortTexel

    def _unpacked(k: Builder, _fields: tuple[tuple[int, int], ...] = _fields, **given: Expr) -> Expr:
        (word,) = given.values()
        return construct(Vector(3, k.real), *[fraction(k, word, shift, width) for shift, width in _fields])

    def _packing(k: Builder, color: Expr, _fields: tuple[tuple[int, int], ...] = _fields) -> Expr:
        parts = [
            quantised(color[n], width) << shift if shift else quantised(color[n], width)
            for n, (shift, width) in enumerate(_fields)
        ]
        return bounded(parts[0] | parts[1] | parts[2], 0, 65535 if sum(w for _, w in _fields) <= 16 else WORD)

    _unpacked.__annotations__ = {_of: _quantity, "return": Color}
    _packing.__annotations__ = {"color": Color, "return": PackedTexel}
    packed.formula(
        name=f"{_name}_color",
        doc=f"Unpack {_how} colors.",
        source="Vulkan 1.3, formats",
        undoes=(f"{_name}_texel",),
    )(_unpacked)
    packed.formula(name=f"{_name}_texel", doc=f"Pack colors as {_how}.", source="Vulkan 1.3, formats")(
        _packing
    )


@packed.formula(source="ITU-R BT.601")
def integer_luma(k: Builder, texel: Texel) -> Luma:
    """Integer luma with weights that add up to 256."""
    red, green, blue = (as_int((texel >> shift if shift else texel) & 255, 255) for shift in (0, 8, 16))
    return bounded((77 * red + 150 * green + 29 * blue) >> 8, 0, 255)


@packed.formula()
def averaged_luma(k: Builder, texel: Texel) -> Luma:
    """Luma approximation (R + 2G + B) / 4."""
    red, green, blue = (as_int((texel >> shift if shift else texel) & 255, 255) for shift in (0, 8, 16))
    return bounded((red + 2 * green + blue) >> 2, 0, 255)


@packed.formula(source="ITU-R BT.709")
def color_luma(k: Builder, color: Color) -> Luma:
    """Luma of an unpacked color."""
    gray = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    return bounded(convert(I32, bounded(255.0 * gray, 0.0, 255.0)), 0, 255)


@packed.formula(source="Paeth 1990")
def averaged_texel(
    k: Builder, texel: Texel, other_texel: Annotated[Expr, words("other_texel")]
) -> Annotated[Expr, blended]:
    """Bytewise average of two RGBA8 pixels (SWAR)."""
    return (texel & other_texel) + (((texel ^ other_texel) & mask(0xFEFEFEFE)) >> 1)


@packed.formula(source="Warren 2013")
def added_texel(
    k: Builder, texel: Texel, other_texel: Annotated[Expr, words("other_texel")]
) -> Annotated[Expr, blended]:
    """Bytewise sum of two RGBA8 pixels (SWAR)."""
    low = k.let("low", (texel & mask(0x7F7F7F7F)) + (other_texel & mask(0x7F7F7F7F)))
    return low ^ ((texel ^ other_texel) & mask(0x80808080))


@packed.formula(source="Fisher and Dietz 1998")
def saturated_texel(
    k: Builder, texel: Texel, other_texel: Annotated[Expr, words("other_texel")]
) -> Annotated[Expr, blended]:
    """Saturating bytewise sum of two RGBA8 pixels (SWAR)."""
    result = word_var(k, "result", 0)
    with k.loop("shift", 0, 32, 8) as shift:
        place = k.let("bit", as_word(shift))
        total = ((texel >> place) & 255) + ((other_texel >> place) & 255)
        k.add(result, ops.min(total, lift(255, U32)) << place, "|")
    return result


@packed.formula(source="Microsoft Direct3D, swizzles")
def swapped_channels(k: Builder, texel: Texel) -> Annotated[Expr, blended]:
    """Swap red and blue in a packed pixel."""
    return (texel & mask(0xFF00FF00)) | ((texel >> 16) & 0xFF) | ((texel & 0xFF) << 16)


@packed.formula(source="Warren 2013")
def swapped_bytes(k: Builder, texel: Texel) -> Annotated[Expr, blended]:
    """Swap the byte order of a word."""
    halves = k.let("halves", rotated(texel, 16))
    return ((halves & mask(0x00FF00FF)) << 8) | ((halves >> 8) & mask(0x00FF00FF))


@packed.formula(source="Bayer 1976")
def posterized_texel(k: Builder, texel: Texel) -> Annotated[Expr, blended]:
    """Posterize a pixel to the four highest bits per channel."""
    kept = k.let("kept", texel & mask(0xF0F0F0F0))
    return kept | (kept >> 4)


quantised_group = Domain("group", index=("i", "idx", "group"), things=False)

octet_word = words("weight_word")
group_scale = Quantity("scale", 0.01, 0.2)
zero_point = Quantity("zero_point", 0.0, 15.0)
weight_sum = Quantity("weight_sum", -30.0, 30.0)
activations = words("activation_word")
dot = Quantity("integer_dot", -60_000, 60_000, whole, least=-(2**20), most=2**20)
output = Quantity("output", -1e3, 1e3)
four = Quantity("weight_quad", -2.0, 2.0, vector(4))

PackedWeights = Annotated[Expr, octet_word]
Activations = Annotated[Expr, activations]
Scale = Annotated[Expr, group_scale]
Dot = Annotated[Expr, dot]


def signed(value: Expr, width: int) -> Expr:
    """A field of a word, its highest bit the sign."""
    half = 1 << (width - 1)
    return as_int((value & (2 * half - 1)) ^ half, 2 * half - 1) - half


@quantised_group.formula(source="NVIDIA PTX ISA, dp4a", teaches=("loop",))
def four_byte_dot(k: Builder, weight_word: PackedWeights, activation_word: Activations) -> Dot:
    """Dot product of four signed bytes (dp4a)."""
    total = k.var("total", 0, type=I32)
    with k.loop("shift", 0, 32, 8) as shift:
        place = k.let("position", as_word(shift))
        k.add(total, signed(weight_word >> place, 8) * signed(activation_word >> place, 8))
    return bounded(total, -65536, 65536)


@quantised_group.formula(source="Frantar et al. 2022", teaches=("loop",))
def eight_nibble_dot(k: Builder, weight_word: PackedWeights, activation_word: Activations) -> Dot:
    """Dot product of eight signed 4-bit values."""
    total = k.var("total", 0, type=I32)
    with k.loop("shift", 0, 32, 4) as shift:
        place = k.let("position", as_word(shift))
        k.add(total, signed(weight_word >> place, 4) * signed(activation_word >> place, 4))
    return bounded(total, -512, 512)


@quantised_group.formula(source="Rastegari et al. 2016")
def binary_dot(k: Builder, weight_word: PackedWeights, activation_word: Activations) -> Dot:
    """Dot product of two binary vectors (XNOR and popcount)."""
    return 2 * set_bits(~(weight_word ^ activation_word)) - 32


@quantised_group.formula(source="Zhu et al. 2017")
def ternary_dot(
    k: Builder,
    weight_word: PackedWeights,
    activation_word: Activations,
    kept: Annotated[Expr, words("kept_mask")],
) -> Dot:
    """Dot product of ternary weights and binary activations."""
    agreeing = k.let("agreeing", ~(weight_word ^ activation_word) & kept)
    return 2 * set_bits(agreeing) - set_bits(kept)


@quantised_group.formula(source="Jacob et al. 2018")
def dequantised_output(
    k: Builder, integer_dot: Dot, scale: Scale, activation_scale: Annotated[Expr, Setting(0.01, 0.1)]
) -> Annotated[Expr, output]:
    """Dequantized output from an integer dot product."""
    return convert(k.real, integer_dot) * (scale * activation_scale)


@quantised_group.formula(source="Frantar et al. 2022")
def unpacked_weights(
    k: Builder, weight_word: PackedWeights, scale: Scale, zero_point: Annotated[Expr, zero_point]
) -> Annotated[Expr, four]:
    """Dequantize four 4-bit weights with scale and zero point."""
    parts = [
        scale * (convert(k.real, (weight_word >> shift if shift else weight_word) & 15) - zero_point)
        for shift in (0, 4, 8, 12)
    ]
    return construct(Vector(4, k.real), *parts)


@quantised_group.formula(source="Dettmers et al. 2023", teaches=("table",))
def normal_float_weights(k: Builder, weight_word: PackedWeights, scale: Scale) -> Annotated[Expr, four]:
    """Dequantize four NF4 weights."""
    levels = k.input("levels", k.real, ["16"], {"uniform": [-1.0, 1.0]}, "constant")
    parts = [
        scale * levels[as_int((weight_word >> shift if shift else weight_word) & 15, 15)]
        for shift in (0, 4, 8, 12)
    ]
    return construct(Vector(4, k.real), *parts)


@quantised_group.formula(teaches=("loop",))
def sum_of_weights(k: Builder, weight_word: PackedWeights, scale: Scale) -> Annotated[Expr, weight_sum]:
    """Sum of eight dequantized 4-bit weights."""
    total = k.var("total", 0, type=I32)
    with k.loop("shift", 0, 32, 4) as shift:
        k.add(total, signed(weight_word >> as_word(shift), 4))
    return scale * convert(k.real, bounded(total, -64, 56))


@quantised_group.formula(source="Jacob et al. 2018")
def packed_quads(
    k: Builder, weight_quad: Annotated[Expr, four], scale: Scale
) -> Annotated[Expr, words("quantised_word")]:
    """Quantize four weights to packed signed bytes."""
    parts = []
    for n in range(4):
        level = ops.clamp(ops.rint(weight_quad[n] / scale), -127.0, 127.0)
        byte = convert(U32, convert(I32, bounded(level, -127, 127)) + 256) & 255
        parts.append(byte << (8 * n) if n else byte)
    return parts[0] | parts[1] | parts[2] | parts[3]


@quantised_group.formula(source="Dettmers et al. 2022")
def largest_scale(k: Builder, weight_quad: Annotated[Expr, four]) -> Scale:
    """Quantization scale from the largest weight."""
    size = ops.abs(weight_quad)
    largest = ops.max(ops.max(size[0], size[1]), ops.max(size[2], size[3]))
    return ops.max(largest / 127.0, 1e-3)


@quantised_group.formula(source="OCP Microscaling Formats 2023", teaches=("loop",))
def shared_exponent(
    k: Builder, weight_word: PackedWeights
) -> Annotated[Expr, Quantity("exponent", -8, 8, whole, least=-32, most=32)]:
    """Shared block exponent of packed weights."""
    joint = word_var(k, "joint", weight_word | (weight_word >> 16))
    k.set(joint, (joint | (joint >> 8)) & 255)
    place = k.var("position", -8, type=I32)
    with k.repeat(joint.differs(0), 8):
        k.set(joint, joint >> 1)
        k.add(place, 1)
    return place
